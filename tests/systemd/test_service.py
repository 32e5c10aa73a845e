"""The unit as systemd sees it, the notifications, and the installer's text."""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from pi_board.session.service import ServiceNotifier
from pi_board.setup.settings import load_settings

ROOT = Path(__file__).resolve().parent.parent.parent
SYSTEMD = ROOT / "systemd"
UNIT = SYSTEMD / "pi-board.service"
needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


@needs_systemd
def test_verify_says_nothing() -> None:
    files = [str(p) for p in sorted(SYSTEMD.glob("pi-board*.*"))]
    assert len(files) == 3
    done = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs_systemd
def test_exposure_is_at_most_two() -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", str(UNIT)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert found and float(found[1]) <= 2.0, done.stdout


def directives() -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line[:1].isalpha():
            key, _, value = line.partition("=")
            out.setdefault(key, []).append(value)
    return out


def test_the_unit_and_the_rest_of_the_project_agree() -> None:
    unit = directives()
    groups = set(unit["SupplementaryGroups"][0].split())
    installer = (SYSTEMD / "prepare.sh").read_text(encoding="utf-8")
    assert f"for group in {' '.join(unit['SupplementaryGroups'][0].split())}; do" in installer
    rules = (SYSTEMD / "99-pi-board.rules").read_text(encoding="utf-8")
    assert set(re.findall(r'GROUP="(\w+)"', rules)) <= groups
    # lgpio's directory is one that the service can write to.
    assert f"LG_WD=/run/{unit['RuntimeDirectory'][0]}" in unit["Environment"]
    path = (SYSTEMD / "pi-board-poweroff.path").read_text(encoding="utf-8")
    assert f"PathExists=/run/{unit['RuntimeDirectory'][0]}/poweroff" in path
    assert unit["Type"] == ["notify"] and unit["WatchdogSec"] == ["30"]
    # The guard counts starts and takes a version back that does not come up within a minute; nothing of it may keep the board from
    # starting.
    (before,), (after,) = unit["ExecStartPre"], unit["ExecStopPost"]
    assert before == "-+/usr/bin/python3 -I /opt/pi-board/guard.py before-start" and after.endswith(
        " after-stop"
    )
    assert unit["TimeoutStartSec"] == ["60"] and unit["Restart"] == ["always"]
    # The camera may take its start_timeout to open, without a heartbeat.
    assert int(unit["WatchdogSec"][0]) > load_settings(SYSTEMD / "settings.toml").camera.start_timeout


def test_settings_that_are_installed_are_valid() -> None:
    settings = load_settings(SYSTEMD / "settings.toml")
    assert settings.camera.backend == "picamera2"
    # The page is open to the home network only because the unit lets nobody else through and the token is kept from others.
    assert settings.web.host == "0.0.0.0" and settings.web.token_file == "/var/lib/pi-board/token"
    unit = directives()
    assert unit["IPAddressDeny"] == ["any"] and "192.168.0.0/16" in unit["IPAddressAllow"][0]
    installer = (SYSTEMD / "prepare.sh").read_text(encoding="utf-8")
    assert f"token={settings.web.token_file}" in installer and "-m 0600 /dev/null" in installer


def test_installer_is_plain_shell_and_refuses_what_it_does_not_know() -> None:
    script = str(SYSTEMD / "install.sh")
    others = [
        SYSTEMD / "prepare.sh",
        *(SYSTEMD / "debian" / n for n in ("postinst", "prerm", "postrm", "pi-board")),
    ]
    for path in (script, *map(str, others)):
        assert subprocess.run(["sh", "-n", path], timeout=20).returncode == 0
    done = subprocess.run(["sh", script, "--wat"], capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    assert (
        done.stderr
        == "pi-board: unknown option --wat; known: --no-start --no-apt --wheels --uninstall --purge\n"
    )
    if shutil.which("shellcheck"):
        assert subprocess.run(["shellcheck", script, str(others[0])], timeout=60).returncode == 0


# ------------------------------------------------------------------------------------------ sd_notify


class Listener:
    def __init__(self, path: str) -> None:
        self.line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.line.bind(path)
        self.line.settimeout(0.2)

    def heard(self) -> list[str]:
        out = []
        while True:
            try:
                out.append(self.line.recv(1000).decode())
            except TimeoutError:
                return out


def test_notifications(tmp_path: Path) -> None:
    listener = Listener(str(tmp_path / "notify"))
    now = 100.0
    notifier = ServiceNotifier(
        {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000"}, clock=lambda: now
    )
    assert notifier.supervised
    notifier.ready()
    for _ in range(100):  # ten seconds of frames
        notifier.beat("frame")
        now += 0.1
    notifier.beat("no camera")
    notifier.stopping()
    assert listener.heard() == [
        "READY=1",
        "WATCHDOG=1\nSTATUS=refereeing",
        "WATCHDOG=1",
        "WATCHDOG=1\nSTATUS=no camera",
        "STOPPING=1",
    ]
    listener.line.close()


def test_the_status_says_what_the_camera_is_and_sees(tmp_path: Path) -> None:
    listener = Listener(str(tmp_path / "notify"))
    now, seen = 100.0, "camera 0"
    notifier = ServiceNotifier(
        {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000"},
        clock=lambda: now,
        camera=lambda: seen,
    )
    for _ in range(200):  # twenty seconds of frames; the board is found meanwhile
        notifier.beat("frame")
        now += 0.1
        seen = "camera 0; the board takes 62% of the picture's width"
    notifier.beat("no camera")
    assert listener.heard() == [
        "WATCHDOG=1\nSTATUS=refereeing; camera 0",
        f"WATCHDOG=1\nSTATUS=refereeing; {seen}",
        "WATCHDOG=1",
        "WATCHDOG=1\nSTATUS=no camera",
    ]
    listener.line.close()


def test_a_loop_that_stands_still_says_where(tmp_path: Path) -> None:
    """What systemd's journal has before the watchdog ends the program: where every thread stands."""
    code = (
        "import time\n"
        "from pi_board.session.service import ServiceNotifier\n"
        "notifier = ServiceNotifier({'NOTIFY_SOCKET': '/nowhere', 'WATCHDOG_USEC': '200000'})\n"
        "notifier.beat('frame')\n"
        "def a_camera_that_hangs():\n"
        "    time.sleep(0.4)\n"
        "a_camera_that_hangs()\n"
        "notifier.beat('frame')\n"
        "notifier.stopping()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=20)
    assert done.returncode == 0
    assert done.stderr.count("a_camera_that_hangs") == 1 and done.stderr.startswith("Timeout")


def test_abstract_socket() -> None:
    listener = Listener("\0pi-board-test-notify")
    ServiceNotifier({"NOTIFY_SOCKET": "@pi-board-test-notify"}).ready()
    assert listener.heard() == ["READY=1"]
    listener.line.close()


def test_nobody_listens() -> None:
    quiet = ServiceNotifier({})
    assert not quiet.supervised
    quiet.ready()
    quiet.beat("frame")
    ServiceNotifier({"NOTIFY_SOCKET": "/nowhere/notify"}).beat("frame")


def test_long_press_leaves_a_note(tmp_path: Path) -> None:
    assert ServiceNotifier({"RUNTIME_DIRECTORY": str(tmp_path)}).ask_power_off()
    assert (tmp_path / "poweroff").exists()
    assert not ServiceNotifier({}).ask_power_off()
    assert not ServiceNotifier({"RUNTIME_DIRECTORY": str(tmp_path / "gone")}).ask_power_off()


def test_entry_for_the_imager(tmp_path: Path) -> None:
    """What Imager checks before it writes a card: sizes and sums of the image, packed and not."""
    data = bytes(range(256)) * 5000
    image = tmp_path / "pi-board.img.xz"
    image.write_bytes(lzma.compress(data))
    command = [sys.executable, str(SYSTEMD / "image" / "imager_entry.py"), str(image), "--address", "here"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    (entry,) = json.loads(done.stdout)["os_list"]
    assert (entry["extract_size"], entry["image_download_size"]) == (len(data), image.stat().st_size)
    assert entry["extract_sha256"] == hashlib.sha256(data).hexdigest()
    wrong = subprocess.run([*command[:2], str(tmp_path), *command[3:]], capture_output=True, timeout=60)
    assert wrong.returncode == 2
