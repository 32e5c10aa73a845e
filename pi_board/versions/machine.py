"""What a version leaves outside its folder: the units, the rules for devices, the guard and the command's name."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from pi_board.versions.build import data_of
from pi_board.versions.store import VersionStore, write_whole

UNITS = ("pi-board.service", "pi-board-poweroff.path", "pi-board-poweroff.service")
RULES = "99-pi-board.rules"
SERVICE = "pi-board.service"


@dataclass(frozen=True, slots=True)
class Machine:
    """root: another one than / in a rehearsal."""

    root: Path = Path("/")

    @property
    def supervised(self) -> bool:
        """systemd runs here (not in an image being built, nor in a container)."""
        return (self.root / "run/systemd/system").is_dir()

    @property
    def packaged(self) -> bool:
        """Units and rules are those of a Debian package, which keeps them itself."""
        return (self.root / "usr/lib/systemd/system" / SERVICE).exists() or (
            self.root / "lib/systemd/system" / SERVICE
        ).exists()

    def refresh(self, store: VersionStore) -> None:
        """Units, rules and guard of the version that the next start runs."""
        folder = store.folder(store.current())
        # The guard watches versions that are not known yet, so it is taken from one that is here.
        write_whole(store.prefix / "guard.py", Path(_source_of_guard(folder)).read_text(encoding="utf-8"))
        if self.packaged:
            return
        units = self.root / "etc/systemd/system"
        changed = False
        for name, text in data_of(folder).items():
            if name not in (*UNITS, RULES):
                continue
            path = units / name if name in UNITS else self.root / "etc/udev/rules.d" / name
            if path.exists() and path.read_text(encoding="utf-8") == text:
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text)
            path.chmod(0o644)
            changed = True
        if changed and self.supervised:
            self._systemctl("daemon-reload")

    def name_command(self, store: VersionStore) -> None:
        """`pi-board` for everybody; a package brings its own."""
        path = self.root / "usr/local/bin/pi-board"
        wanted = str(store.prefix / "current/bin/pi-board")
        if self.packaged or (path.is_symlink() and str(path.readlink()) == wanted):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".pi-board.{os.getpid()}.new")
        new.unlink(missing_ok=True)
        new.symlink_to(wanted)
        new.replace(path)

    def restart(self) -> bool:
        """Whether the service runs afterwards. True also where there is none to restart."""
        return not self.supervised or self._systemctl("restart", SERVICE) == 0

    def installed_by_package(self) -> bool:
        if shutil.which("dpkg-query") is None:
            return False
        done = subprocess.run(
            ["dpkg-query", "-W", "-f", "${db:Status-Status}", "pi-board"], capture_output=True, text=True
        )
        return done.stdout == "installed"

    def _systemctl(self, *words: str) -> int:
        try:
            return subprocess.run(["systemctl", *words], capture_output=True, timeout=180).returncode
        except (OSError, subprocess.TimeoutExpired):
            return 1


def _source_of_guard(folder: Path) -> Path:
    found = sorted(folder.glob("lib/python3*/site-packages/pi_board/versions/store.py"))
    # A version from before there were updates brings none.
    return found[0] if found else Path(__file__).with_name("store.py")
