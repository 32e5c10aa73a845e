"""Updates killed at random moments, a version that does not come up, one that is not healthy, and the way back.

In a throw-away Debian root in which `install.sh` or the package has installed a version, as root:

    python3 tests/systemd/rehearse_updates.py --throw-away --wheels FOLDER [--kills 30] [--seed 1]
        [--between 0.0 1.05] [--since "pictures read"]

FOLDER: wheels of every library and one of this program (pi_board-*.whl). The "service" is what the unit does, without systemd: the
guard, then `pi-board run` until it says that it is ready and fed its watchdog after that. --between: the share of an update's time
within which the kills fall. --since: that time begins when the update has said these words, so that the last steps (the switch and
what follows it) are met on purpose, however busy the machine is.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

PREFIX, STATE = Path("/opt/pi-board"), Path("/var/lib/pi-board")
SETTINGS = """
[camera]
backend = "simulated"
realtime = true
[web]
enabled = false
[record]
folder = "{games}"
"""


def other_version(wheel: Path, folder: Path, version: str, edits: dict[str, tuple[str, str]]) -> Path:
    """`wheel` under another version, with text replaced in some of its files."""
    _, old, rest = wheel.name.split("-", 2)
    target = folder / f"pi_board-{version}-{rest}"
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in source.namelist():
            data = source.read(name)
            if name.endswith("METADATA"):
                data = data.replace(f"Version: {old}".encode(), f"Version: {version}".encode())
            if name.endswith("RECORD"):
                # Without hashes: pip takes what it finds.
                lines = [line.split(b",")[0] + b",," for line in data.splitlines()]
                data = b"\n".join(lines).replace(old.encode(), version.encode()) + b"\n"
            if name in edits:
                before, after = (text.encode() for text in edits[name])
                assert before in data, f"{name} no longer holds {before!r}"
                data = data.replace(before, after)
            copy.writestr(name.replace(f"pi_board-{old}.", f"pi_board-{version}."), data)
    return target


class Service:
    """What the unit does."""

    def __init__(self, scratch: Path) -> None:
        self.settings = scratch / "settings.toml"
        self.settings.write_text(SETTINGS.format(games=scratch / "games"))
        self.address = str(scratch / "notify")
        self.line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.line.bind(self.address)
        self.said = self.why = ""

    def start(self, limit: float = 60.0) -> str:
        """The version that came up, "" when none did. It is stopped again."""
        guard = ["/usr/bin/python3", "-I", str(PREFIX / "guard.py")]
        subprocess.run([*guard, "before-start"], check=False)
        env = {
            **os.environ,
            "NOTIFY_SOCKET": self.address,
            "WATCHDOG_USEC": "30000000",
            "STATE_DIRECTORY": str(STATE),
        }
        command = [str(PREFIX / "current/bin/pi-board"), "run", "--headless", "--config", str(self.settings)]
        process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True, cwd="/")
        name, ready, beats = (PREFIX / "current").resolve().name, False, 0
        self.line.settimeout(0.2)
        end = time.monotonic() + limit
        while time.monotonic() < end and process.poll() is None and not (ready and beats):
            try:
                heard = self.line.recv(1000).decode()
            except TimeoutError:
                continue
            ready = ready or "READY=1" in heard
            beats += "WATCHDOG=1" in heard
        ended = process.poll()
        up = ready and beats > 0 and ended is None
        # A slow machine is not a broken version: the two must not look alike in the log.
        self.why = (
            "" if up else f"still coming up after {limit:.0f} s" if ended is None else f"ended with {ended}"
        )
        if up:
            time.sleep(0.5)
        process.terminate()
        self.said = process.communicate(timeout=60)[1]
        result = "success" if up else "exit-code"
        subprocess.run([*guard, "after-stop"], check=False, env={**os.environ, "SERVICE_RESULT": result})
        return name if up else ""


def update(
    wheel: Path, wheels: Path, kill_after: float | None = None, *, since: str = ""
) -> tuple[int, str, float]:
    """(exit code, what it said, seconds since it had said `since`); -9 when it was killed, with everything that it had started."""
    command = [str(PREFIX / "current/bin/pi-board"), "update", str(wheel), "--wheels", str(wheels)]
    began = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True, cwd="/"
    )
    assert process.stdout is not None
    said = ""
    while since and since not in said and (line := process.stdout.readline()):
        said, began = said + line, time.monotonic()
    try:
        process.wait(kill_after)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return process.returncode, (said + process.stdout.read()).strip(), time.monotonic() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throw-away", action="store_true", required=True)
    parser.add_argument("--wheels", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--between", type=float, nargs=2, default=(0.0, 1.05), metavar=("FROM", "TO"))
    parser.add_argument("--since", default="", metavar="WORDS")
    args = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="rehearse-"))
    service = Service(scratch)
    (wheel,) = args.wheels.glob("pi_board-*.whl")
    wheels = [other_version(wheel, scratch, v, {}) for v in ("9.0.1", "9.0.2")]
    faults = 0

    def expect(what: str, found: object, wanted: object) -> None:
        nonlocal faults
        faults += found != wanted
        print(f"{'ok  ' if found == wanted else 'FAULT'} {what}: {found!r}", flush=True)

    expect("the installed version starts", bool(service.start()), True)
    code, said, whole = update(wheels[0], args.wheels, since=args.since)
    expect("an update", code, 0)
    assert args.since in said, f"an update does not say {args.since!r}:\n{said}"
    expect("starts", service.start(), "9.0.1")
    print(f"an update takes {whole:.1f} s{f' after {args.since!r}' if args.since else ''}", flush=True)

    chance = random.Random(args.seed)
    first, last = (share * whole for share in args.between)
    ends = {-signal.SIGKILL: "killed", 0: "was through"}
    came_up, codes = 0, []
    for n in range(args.kills):
        after = chance.uniform(first, last)
        code, said, _ = update(wheels[n % 2], args.wheels, after, since=args.since)
        running = service.start()
        came_up += bool(running)
        codes.append(code)
        kept = sorted(p.name for p in (PREFIX / "versions").iterdir())
        print(
            f"kill {n + 1:2d} after {after:5.1f} s: {ends.get(code, 'FAILED')}, runs {running or 'NOTHING'}, there are {kept}",
            flush=True,
        )
        if code not in ends:
            print(said, flush=True)
        if not running:
            current = (PREFIX / "current").resolve().name
            print(f"{current or 'no version'} {service.why}:\n{service.said.strip()}", flush=True)
    late = codes.count(0)
    expect(f"kills after which the service runs ({late} came too late)", came_up, args.kills)
    # The rest of a killed update keeps no later one from its work.
    expect("updates that failed by themselves", sum(code not in ends for code in codes), 0)

    expect("an update after all that", update(wheels[0], args.wheels)[0], 0)
    good = service.start()
    # Up for long enough: its trial is over.
    (STATE / "came-up").write_text((PREFIX / "current").resolve().name)
    service.start()
    broken = {
        "pi_board/commands/run.py": (
            "    service = ServiceNotifier(",
            "    raise SystemExit(1)\n    service = ServiceNotifier(",
        )
    }
    code, said, _ = update(other_version(wheel, scratch, "9.1.0", broken), args.wheels)
    expect("a version that is healthy but does not come up is installed", code, 0)
    for n in range(3):
        expect(f"start {n + 1} of it", service.start(20.0), "")
    expect("start 4 is the version before", service.start(), good)
    expect("and says so", "Version 9.1.0 did not come up" in service.said, True)
    print(service.said.strip())

    (STATE / "came-up").write_text(good)
    for version in ("9.1.1", "9.1.2"):
        code, said, _ = update(other_version(wheel, scratch, version, broken), args.wheels)
        expect(f"{version}, which does not come up either, is installed", code, 0)
        expect(f"start 1 of {version}", service.start(20.0), "")
    for n in range(1, 3):
        expect(f"start {n + 1} of it", service.start(20.0), "")
    expect("start 4 is the last version that came up", service.start(), good)

    blind = {"pi_board/vision/reader.py": ("import numpy as np", "raise ImportError('broken')")}
    code, said, _ = update(other_version(wheel, scratch, "9.2.0", blind), args.wheels)
    expect("a version that fails its health check is refused", code, 1)
    print(said)
    expect("and the one before runs", service.start(), good)

    expect("another update", update(wheels[1], args.wheels)[0], 0)
    newer = service.start()
    subprocess.run([str(PREFIX / "current/bin/pi-board"), "rollback"], check=False, cwd="/")
    expect(f"rollback from {newer}", service.start(), good)
    print("versions kept:", sorted(p.name for p in (PREFIX / "versions").iterdir()))
    shutil.rmtree(scratch, ignore_errors=True)
    print("all well" if not faults else f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
