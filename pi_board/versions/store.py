"""The folder of installed versions, and the watch over a new one.

    /opt/pi-board/versions/0.3.0/       a virtual environment; `complete.json` in it says that it was built and checked
    /opt/pi-board/current               -> versions/0.3.0; the one rename that switches
    /opt/pi-board/previous              -> versions/0.2.0; what `rollback` goes back to
    /opt/pi-board/trial.json            a new version that has not come up yet, and how often it was tried
    /opt/pi-board/guard.py              a copy of this file, taken from the version that made the update
    /var/lib/pi-board/came-up           written by the running program once it has refereed for a while
    /var/lib/pi-board/went-back.json    for the display: an update was taken back

A process may be killed, and the power may fail, between any two lines: every change is a new file and a rename, and every state
in between starts a version that is complete.

This file runs by itself with the system's Python and imports nothing but the standard library: a version that is broken does not
decide whether it is taken back.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PREFIX = Path("/opt/pi-board")
STATE = Path("/var/lib/pi-board")
#: Starts that a new version gets. Each ends within a minute: by coming up, or by systemd's limits.
ATTEMPTS = 3
CAME_UP = "came-up"
WENT_BACK = "went-back.json"
#: How folders begin in which something is being built.
SCRATCH = ".building-"
#: Held by whoever changes the folder of versions.
LOCK = "update.lock"


class Busy(Exception):
    """Another update is at work."""


def write_whole(path: Path, text: str) -> None:
    """`text` on the disk under its name, or the old file: never half of it. Raises OSError."""
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    with new.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    # The service, which is not root, reads what its guard wrote under the unit's umask.
    new.chmod(0o644)
    new.replace(path)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def read_document(path: Path) -> dict[str, Any]:
    """The JSON object in `path`; {} when there is none that can be read."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


@dataclass(frozen=True)
class VersionStore:
    """prefix: the program's folder. state: the service's own folder, where the program may write. Names are those of folders."""

    prefix: Path = PREFIX
    state: Path = STATE

    @property
    def versions(self) -> Path:
        return self.prefix / "versions"

    def folder(self, name: str) -> Path:
        return self.versions / name

    # ------------------------------------------------------------------------------------ what is there

    def current(self) -> str:
        """The version that the next start runs, "" before the first installation."""
        return self._named("current")

    def previous(self) -> str:
        """What `rollback` goes back to: the version that ran before, else the newest other one; "" when there is none."""
        current, named = self.current(), self._named("previous")
        if named and named != current:
            return named
        others = [name for name in self.complete() if name != current]
        return others[-1] if others else ""

    def complete(self) -> list[str]:
        """Versions that were built and checked, oldest first."""
        found = []
        for marker in self.versions.glob("*/complete.json"):
            document = read_document(marker)
            if document and not marker.parent.name.startswith("."):
                found.append((float(document.get("built", 0.0)), marker.parent.name))
        return [name for _, name in sorted(found)]

    def described(self, name: str) -> dict[str, Any]:
        """What was written down when `name` was built: version, source, built (seconds since 1970)."""
        return read_document(self.folder(name) / "complete.json")

    def trial(self) -> dict[str, Any]:
        """version, previous, attempts of a version on trial; {} when none is."""
        return read_document(self.prefix / "trial.json")

    def _named(self, link: str) -> str:
        try:
            name = (self.prefix / link).readlink().name
        except OSError:
            return ""
        return name if (self.folder(name) / "complete.json").is_file() else ""

    # ------------------------------------------------------------------------------------------ changes

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Raises Busy when another process changes versions. The lock goes with the process, however that ends, and with the
        build step it had begun: after a kill, pip may go on writing into a folder that the next update would take."""
        self.prefix.mkdir(parents=True, exist_ok=True)
        with (self.prefix / LOCK).open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise Busy("another update is at work") from None
            os.set_inheritable(file.fileno(), True)
            yield

    def free_name(self, version: str) -> str:
        """A folder's name for `version`; the same version again gets a number."""
        name, n = version, 1
        while self.folder(name).exists():
            n += 1
            name = f"{version}-{n}"
        return name

    def finish(self, name: str, document: dict[str, Any]) -> None:
        """`name` is built and checked. What stands in it is on the disk before it is called complete."""
        os.sync()
        write_whole(self.folder(name) / "complete.json", json.dumps({"built": time.time(), **document}))

    def switch(self, name: str, *, trial: bool) -> None:
        """The next start runs `name`. trial: it has to come up, or the version of today comes back by itself; the one before
        that, where today's was started and has not come up either."""
        old = self.current()
        if trial and old:
            old = self._came_up_last(old)
            with contextlib.suppress(FileNotFoundError):
                (self.state / CAME_UP).unlink()
            # Before the switch: a trial of a version that is not the current one means nothing.
            write_whole(
                self.prefix / "trial.json", json.dumps({"version": name, "previous": old, "attempts": 0})
            )
        else:
            self._end_trial()
        self._link("current", name)
        if old and old != name:
            self._link("previous", old)

    def _link(self, link: str, name: str) -> None:
        new = self.prefix / f".{link}.{os.getpid()}.new"
        with contextlib.suppress(FileNotFoundError):
            new.unlink()
        new.symlink_to(Path("versions") / name)
        new.replace(self.prefix / link)
        _sync(self.prefix)

    def _came_up_last(self, current: str) -> str:
        trial = self.trial()
        back = str(trial.get("previous", ""))
        failing = (
            trial.get("version") == current
            and int(trial.get("attempts", 0)) > 0
            and self._came_up() != current
            and (self.folder(back) / "complete.json").is_file()
        )
        return back if failing else current

    def _end_trial(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            (self.prefix / "trial.json").unlink()

    def clear(self) -> None:
        """Removes what was begun and never finished, and every version but the last two."""
        keep = {self.current(), self.previous()}
        for folder in [p for p in self.versions.glob("*") if p.name not in keep]:
            # Under another name first: half a folder must not look like a whole one.
            gone = folder.with_name(f".{folder.name}.gone")
            if not folder.name.startswith("."):
                folder.replace(gone)
            shutil.rmtree(gone if gone.exists() else folder, ignore_errors=True)
        for left in self.prefix.glob(".*.new"):
            left.unlink(missing_ok=True)
        for left in self.prefix.glob(f"{SCRATCH}*"):
            shutil.rmtree(left, ignore_errors=True)

    # ------------------------------------------------------------------------------------ before a start

    def before_start(self) -> str:
        """Counts the starts of a version on trial and goes back when it has had them all; a sentence when it did, else ""."""
        trial, current = self.trial(), self.current()
        if not trial:
            return ""
        if trial.get("version") != current or self._came_up() == current:
            self._end_trial()
            return ""
        attempts, back = int(trial.get("attempts", 0)), str(trial.get("previous", ""))
        if attempts < ATTEMPTS or not (self.folder(back) / "complete.json").is_file():
            write_whole(self.prefix / "trial.json", json.dumps({**trial, "attempts": attempts + 1}))
            return ""
        note = {"from": current, "to": back, "at": time.time()}
        with contextlib.suppress(OSError):  # a full disk does not keep the old version from starting
            write_whole(self.state / WENT_BACK, json.dumps(note))
        self._link("current", back)
        # No longer complete: `rollback` must not lead to a version that does not start.
        (self.folder(current) / "complete.json").unlink(missing_ok=True)
        self._end_trial()
        return f"version {current} did not come up in {ATTEMPTS} starts; {back} runs again"

    def uncount(self) -> None:
        """A start that somebody ended on purpose says nothing about the version."""
        trial = self.trial()
        if trial and int(trial.get("attempts", 0)) > 0:
            write_whole(self.prefix / "trial.json", json.dumps({**trial, "attempts": trial["attempts"] - 1}))

    def _came_up(self) -> str:
        try:
            return (self.state / CAME_UP).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return ""


def main(args: list[str]) -> int:
    """`before-start` and `after-stop` of the unit. $PI_BOARD_PREFIX and $PI_BOARD_STATE: other folders, for a rehearsal."""
    store = VersionStore(
        Path(os.environ.get("PI_BOARD_PREFIX", PREFIX)), Path(os.environ.get("PI_BOARD_STATE", STATE))
    )
    if args == ["before-start"]:
        if said := store.before_start():
            print(f"pi-board: {said}", file=sys.stderr)
        return 0
    if args == ["after-stop"]:
        # systemd's words for how the service ended.
        result = os.environ.get("SERVICE_RESULT", "")
        if result == "success":
            store.uncount()
        elif result == "watchdog":
            print(
                "pi-board: stood still too long and was ended; where it stood is written above",
                file=sys.stderr,
            )
        elif result:
            how = f"{os.environ.get('EXIT_CODE', '')} {os.environ.get('EXIT_STATUS', '')}".strip()
            print(f"pi-board: ended by itself ({result}: {how}); it is started again", file=sys.stderr)
        return 0
    print("guard.py: expected before-start or after-stop", file=sys.stderr)
    return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
