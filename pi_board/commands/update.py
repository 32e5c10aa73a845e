"""`pi-board update`: another version beside the running one, checked, and switched to."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from pi_board.errors import InvalidError, InvalidFileError
from pi_board.versions.build import Builder, Source, UpdateError, system_python
from pi_board.versions.machine import Machine
from pi_board.versions.store import PREFIX, STATE, Busy, VersionStore
from pi_board.versions.update import is_recent, update

HELP = "install another version beside this one, checked, with a way back"

#: The service's; where there are none, somebody at a terminal plays with settings of his own.
SETTINGS = Path("/etc/pi-board/settings.toml")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        nargs="?",
        type=Path,
        metavar="SOURCE",
        help="a git checkout, a wheel or a .deb (default: the checkout of the last time, after a git pull)",
    )
    add_common_arguments(parser)
    parser.add_argument(
        "--when-idle",
        action="store_true",
        help="a game that is being played goes on with the old version until the service starts again",
    )
    parser.add_argument(
        "--wheels", type=Path, help="take every library from this folder, not from the network"
    )


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """What `update` and `rollback` share."""
    parser.add_argument("--now", action="store_true", help="even while a game is being played")
    parser.add_argument("--no-restart", action="store_true", help="the service goes on with the old version")
    # A rehearsal in another folder.
    parser.add_argument("--prefix", type=Path, default=PREFIX, help=argparse.SUPPRESS)
    parser.add_argument("--state", type=Path, default=STATE, help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, default=Path("/"), help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """0, or 1 when there is no new version: the old one goes on."""
    store = store_of(args)
    # The service is another user, and must be able to read what root builds, however strict root is with its own files.
    os.umask(0o022)
    machine = Machine(args.root)
    wheels = args.wheels
    if wheels is not None and not wheels.is_dir():
        raise InvalidFileError(f"{wheels}: expected a folder of wheels")
    source = Source.of(args.source) if args.source is not None else None
    try:
        if source is None:
            source = _pulled(store)
        if source.kind == "package" and machine.installed_by_package():
            return _with_apt(source.path)
        builder = Builder(store, _say, wheels, system_python())
        update(
            store,
            lambda: builder.build(source),
            machine=machine,
            game=(lambda: False) if args.now or args.when_idle else game_in_hand,
            say=_say,
            restart=not args.no_restart and not (args.when_idle and game_in_hand()),
        )
    except (UpdateError, Busy) as error:
        print(f"pi-board update: {error}", file=sys.stderr)
        return 1
    return 0


def store_of(args: argparse.Namespace) -> VersionStore:
    """Raises InvalidError for whoever may not write there."""
    here = next(p for p in (args.prefix, *args.prefix.parents) if p.exists())
    if not os.access(here, os.W_OK):
        raise InvalidError(f"{here}: no right to write there; say it with sudo")
    return VersionStore(args.prefix, args.state)


def game_in_hand() -> bool:
    """The newest journal holds an unfinished game, and something happened in it lately."""
    try:
        from pi_board.record.journal import journals, read_journal, unfinished
        from pi_board.setup.settings import load_settings
    except ImportError:
        # The installer runs this with the system's Python, which lacks the libraries, so ask the installed version's Python.
        code = "import sys; from pi_board.commands.update import game_in_hand; sys.exit(10 * game_in_hand())"
        there = PREFIX / "current/bin/python"
        return there.exists() and subprocess.run([str(there), "-c", code], cwd="/").returncode == 10
    from pi_board.errors import PiBoardError

    try:
        folder = games_folder(load_settings(SETTINGS if SETTINGS.exists() else None).record.folder)
        files = [*journals(folder)[-1:], *journals(folder / "solitaire")[-1:]]
        return any(is_recent(p.stat().st_mtime) and unfinished(read_journal(p).events) for p in files)
    except (PiBoardError, OSError):
        # If the settings cannot be read, the service cannot run either, so nobody is playing.
        return False


def games_folder(folder: str) -> Path:
    """Where the service has its games: its home is not that of whoever updates it."""
    if folder.startswith("~/") and SETTINGS.exists():
        return STATE / folder[2:]
    return Path(folder).expanduser()


def _say(words: str) -> None:
    print(f"pi-board: {words}", flush=True)


def _pulled(store: VersionStore) -> Source:
    """The checkout that the current version came from, brought up to date by its owner."""
    came_from = str(store.described(store.current()).get("source", ""))
    path = Path(came_from)
    if not came_from or not (path / ".git").exists():
        raise InvalidError(
            f"{came_from or 'this version'}: no git checkout to fetch from; name a SOURCE (a checkout, a wheel or a .deb)"
        )
    owner = path.stat()
    command = ["git", "-C", came_from, "pull", "--quiet", "--ff-only"]

    def as_owner() -> None:
        if os.getuid() == 0:
            os.setgid(owner.st_gid)
            os.setuid(owner.st_uid)

    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=600,
            preexec_fn=as_owner if owner.st_uid else None,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UpdateError(f"git pull in {came_from}: {error}") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        raise UpdateError(f"git pull in {came_from}: {lines[-1]}")
    return Source.of(path)


def _with_apt(package: Path) -> int:
    """A package replaces a package, so that apt knows what is installed."""
    done = subprocess.run(["apt-get", "install", "--yes", "--quiet", str(package)])
    return 0 if done.returncode == 0 else 1
