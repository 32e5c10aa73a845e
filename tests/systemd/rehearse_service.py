"""The service under a systemd that is really there: hangs and deaths, updates killed while it runs, and the ways back.

In a throw-away root whose process 1 is systemd (`boot_root.sh` starts one), in which `install.sh` or the package has installed a
version, as root:

    python3 tests/systemd/rehearse_service.py --throw-away --wheels FOLDER [--kills 30] [--seed 1] [--only kills]

FOLDER: wheels of every library and one of this program (pi_board-*.whl). The settings are replaced: the simulated camera is watched
at the speed of a real table, so a game is being played all the time. `rehearse_updates.py` does the same without systemd.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from rehearse_updates import PREFIX, SETTINGS, STATE, other_version

UNIT = "pi-board.service"
#: Seconds: the watchdog's 30, the restart's 5, and a start on a busy machine.
UP_AGAIN = 120.0
#: Three starts that fail, each with systemd's pause after it, and the one that comes up.
BACK = 240.0


def show(what: str) -> str:
    return subprocess.run(
        ["systemctl", "show", UNIT, f"--property={what}", "--value"], capture_output=True, text=True
    ).stdout.strip()


def running() -> tuple[int, str]:
    """(process, version) of a service that has said that it is ready; (0, "") when there is none."""
    if show("ActiveState") != "active":
        return 0, ""
    process = int(show("MainPID") or 0)
    try:
        words = Path(f"/proc/{process}/cmdline").read_text().split("\0")
    except OSError:
        return 0, ""
    # The interpreter is named by the link `current`, which may have been moved since: the modules that are mapped tell.
    mapped = Path(f"/proc/{process}/maps").read_text()
    found = re.search(rf"{PREFIX}/versions/([^/]+)/", mapped)
    return (process, found[1]) if found and words else (0, "")


def up(limit: float, but: int = 0) -> tuple[int, str]:
    """The service that runs within `limit` seconds and is not process `but`."""
    end = time.monotonic() + limit
    while True:
        process, version = running()
        if (process and process != but) or time.monotonic() > end:
            return (process, version) if process != but else (0, "")
        time.sleep(0.5)


def plain(name: str) -> str:
    """A version's number without what tells folders of the same number apart."""
    return name.partition("-")[0]


def current() -> str:
    return (PREFIX / "current").resolve().name


def journal(since: str) -> str:
    """What systemd's journal has of the service since then."""
    command = ["journalctl", "--no-pager", "--output=cat", f"--unit={UNIT}", f"--since=@{since}"]
    return subprocess.run(command, capture_output=True, text=True).stdout


def playing() -> bool:
    """The service's newest journal has a game that has begun and is not over."""
    journals = sorted((STATE / "games").glob("session-*.jsonl"))
    told = re.findall(r'"type": ?"(game_started|game_won)"', journals[-1].read_text() if journals else "")
    return told[-1:] == ["game_started"]


def now() -> str:
    return f"{time.time():.0f}"


def update(
    source: Path, wheels: Path, kill_after: float | None = None, *words: str
) -> tuple[int, str, float]:
    """(exit code, what it said, seconds); -9 when it was killed with everything it had started, as a lost connection does."""
    command = [str(PREFIX / "current/bin/pi-board"), "update", str(source), "--wheels", str(wheels), *words]
    began = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True, cwd="/"
    )
    try:
        said = process.communicate(timeout=kill_after)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said = process.communicate()[0]
    return process.returncode, said.strip(), time.monotonic() - began


def steady() -> bool:
    """The running version has come up for good: its trial is over."""
    end = time.monotonic() + UP_AGAIN
    while time.monotonic() < end:
        try:
            if (STATE / "came-up").read_text().strip() == current():
                return True
        except OSError:
            pass
        time.sleep(0.5)
    return False


class Rehearsal:
    def __init__(self, wheels: Path, scratch: Path) -> None:
        self.wheels, self.scratch, self.faults = wheels, scratch, 0
        (self.wheel,) = wheels.glob("pi_board-*.whl")

    def expect(self, what: str, found: object, wanted: object) -> None:
        self.faults += found != wanted
        print(f"{'ok  ' if found == wanted else 'FAULT'} {what}: {found!r}", flush=True)

    def version(self, name: str, **edits: tuple[str, str]) -> Path:
        files = {f"pi_board/{k.replace('__', '/')}.py": v for k, v in edits.items()}
        return other_version(self.wheel, self.scratch, name, files)

    def deaths(self) -> None:
        """Stopped, killed, and settings that are wrong for a while."""
        process, version = up(UP_AGAIN)
        self.expect("the service runs", version, current())
        for sign, words in ((signal.SIGSTOP, "stood still too long"), (signal.SIGKILL, "ended by itself")):
            since = now()
            os.kill(process, sign)
            before, process = process, up(UP_AGAIN, process)[0]
            self.expect(f"after {sign.name} another process runs", process not in (0, before), True)
            self.expect(f"and the journal says why ({words})", words in journal(since), True)
        settings = Path("/etc/pi-board/settings.toml")
        right = settings.read_text()
        since = now()
        settings.write_text("[camera]\nbackend = 5\n")
        subprocess.run(["systemctl", "restart", UNIT], capture_output=True)
        time.sleep(12)
        self.expect("with wrong settings nothing runs", running()[1], "")
        lines = [line for line in journal(since).splitlines() if "settings.toml" in line]
        print("  ", *lines[:1])
        self.expect("it is said again every few seconds", len(lines) >= 2, True)
        settings.write_text(right)
        self.expect("with right ones it starts by itself", up(UP_AGAIN)[1], current())

    def kills(self, count: int, seed: int) -> None:
        wheels = [self.version("9.0.1"), self.version("9.0.2")]
        since = time.monotonic()
        while time.monotonic() - since < UP_AGAIN and not playing():
            time.sleep(0.5)
        self.expect("a game is being played", playing(), True)
        code, said, _ = update(wheels[0], self.wheels)
        self.expect("while a game is being played an update", code, 1)
        print("  ", said.splitlines()[-1])
        code, said, whole = update(wheels[0], self.wheels, None, "--now")
        self.expect("an update that is wanted all the same", (code, plain(up(UP_AGAIN)[1])), (0, "9.0.1"))
        print(f"an update takes {whole:.1f} s", flush=True)
        chance = random.Random(seed)
        here = again = 0
        codes = []
        for n in range(count):
            before, _ = running()
            after = chance.uniform(0, 1.05 * whole)
            code, said, _ = update(wheels[n % 2], self.wheels, after, "--now")
            codes.append(code)
            process, version = up(UP_AGAIN)
            here += bool(version)
            same = "the same process" if process == before else "restarted"
            subprocess.run(["systemctl", "restart", UNIT], capture_output=True)
            process, next_ = up(UP_AGAIN, process)
            again += next_ == current()
            ends = {-signal.SIGKILL: "killed", 0: "was through"}
            print(
                f"kill {n + 1:2d} after {after:5.1f} s: {ends.get(code, 'FAILED')}, runs {version or 'NOTHING'} ({same});"
                f" after a restart {next_ or 'NOTHING'}",
                flush=True,
            )
            if code not in ends:
                print(said, flush=True)
        self.expect(f"kills after which the service runs ({codes.count(0)} came too late)", here, count)
        self.expect("and after a restart, too, in the version that is switched to", again, count)
        self.expect("updates that failed by themselves", sum(c not in (0, -9) for c in codes), 0)

    def ways_back(self) -> None:
        code, _, _ = update(self.version("9.0.3"), self.wheels, None, "--now")
        self.expect("an update", (code, plain(up(UP_AGAIN)[1])), (0, "9.0.3"))
        good = current()
        self.expect("it comes up for good", steady(), True)
        since = now()
        broken = ("    service = ServiceNotifier(", "    raise SystemExit(1)\n    service = ServiceNotifier(")
        code, said, _ = update(self.version("9.1.0", commands__run=broken), self.wheels, None, "--now")
        self.expect("a version that is healthy but does not come up is installed", code, 0)
        print("  ", said.splitlines()[-1])
        self.expect("and goes back by itself", up(BACK)[1], good)
        self.expect("it comes up for good again", steady(), True)
        told = journal(since)
        self.expect("it was tried three times", told.count("ended by itself"), 3)
        said = re.findall(r".*did not come up.*", told)
        print("  ", *said[:2], sep="\n   ")
        self.expect("the guard and the program say so", len(said) >= 2, True)
        # Hangs before it is ready: systemd ends it after a minute.
        hangs = ("    service = ServiceNotifier(", "    time.sleep(3600)\n    service = ServiceNotifier(")
        code, said, _ = update(
            self.version("9.1.1", commands__run=hangs), self.wheels, None, "--now", "--no-restart"
        )
        self.expect("a version that hangs is installed", code, 0)
        subprocess.run(["systemctl", "restart", "--no-block", UNIT], check=False)
        began = time.monotonic()
        while running()[1] != good or current() != good:
            if time.monotonic() - began > 2 * BACK:
                break
            time.sleep(1)
        self.expect("and goes back by itself", running()[1], good)
        print(f"   after {time.monotonic() - began:.0f} s")
        blind = ("import numpy as np", "raise ImportError('broken')")
        code, said, _ = update(self.version("9.2.0", vision__reader=blind), self.wheels, None, "--now")
        self.expect("a version that fails its health check is refused", code, 1)
        print("  ", said.splitlines()[-1])
        self.expect("and the one before runs", running()[1], good)
        code, _, _ = update(self.version("9.0.4"), self.wheels, None, "--now")
        self.expect("another update", (code, plain(up(UP_AGAIN)[1])), (0, "9.0.4"))
        done = subprocess.run(
            [str(PREFIX / "current/bin/pi-board"), "rollback", "--now"],
            capture_output=True,
            text=True,
            cwd="/",
        )
        print("  ", *(done.stdout + done.stderr).splitlines())
        self.expect("rollback", (done.returncode, up(UP_AGAIN)[1]), (0, good))
        print("versions kept:", sorted(p.name for p in (PREFIX / "versions").iterdir()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throw-away", action="store_true", required=True)
    parser.add_argument("--wheels", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("deaths", "kills", "ways_back"))
    args = parser.parse_args()
    if Path("/proc/1/comm").read_text().strip() != "systemd":
        print("process 1 is no systemd; see tests/systemd/boot_root.sh", file=sys.stderr)
        return 2
    scratch = Path(tempfile.mkdtemp(prefix="rehearse-"))
    Path("/etc/pi-board/settings.toml").write_text(SETTINGS.format(games=STATE / "games"))
    subprocess.run(["systemctl", "restart", UNIT], check=False)
    rehearsal = Rehearsal(args.wheels, scratch)
    if args.only in (None, "deaths"):
        rehearsal.deaths()
    if args.only in (None, "kills"):
        rehearsal.kills(args.kills, args.seed)
    if args.only in (None, "ways_back"):
        rehearsal.ways_back()
    shutil.rmtree(scratch, ignore_errors=True)
    print("all well" if not rehearsal.faults else f"{rehearsal.faults} faults")
    return 1 if rehearsal.faults else 0


if __name__ == "__main__":
    sys.exit(main())
