"""Builds a version from a checkout, a wheel or a package, into a folder of its own, and checks it before anything is switched."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pi_board.errors import InvalidFileError, PiBoardError
from pi_board.versions.store import SCRATCH, VersionStore

Say = Callable[[str], None]

#: Where a Debian package of ours carries its wheels.
WHEELS_IN_PACKAGE = "usr/share/pi-board/wheels"
#: Seconds that a build step may take: a Zero 2 W unpacks OpenCV for minutes.
STEP_LIMIT = 3600.0
#: Seconds for the health check; a Zero 2 W needs about one.
HEALTH_LIMIT = 300.0
_WHEEL = re.compile(r"pi_board-(?P<version>[^-]+)-.*\.whl")


class UpdateError(PiBoardError):
    """A version could not be built, or does not work; what runs goes on running."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a version comes from. kind: "checkout", "wheel" or "package"."""

    path: Path
    kind: str

    @classmethod
    def of(cls, path: Path) -> Source:
        """Raises InvalidFileError for what is none of the three."""
        path = path.expanduser().resolve()
        if path.is_dir() and (path / "pyproject.toml").is_file():
            return cls(path, "checkout")
        if path.is_file() and path.suffix == ".whl" and _WHEEL.fullmatch(path.name):
            return cls(path, "wheel")
        if path.is_file() and path.suffix == ".deb":
            return cls(path, "package")
        raise InvalidFileError(
            f"{path}: expected a checkout of pi_board, a pi_board-*.whl or a pi-board_*.deb"
        )


@dataclass
class Builder:
    """wheels: a folder that takes the network's place. python: the system's, of which a virtual environment is made."""

    store: VersionStore
    say: Say = print
    wheels: Path | None = None
    python: str = "/usr/bin/python3"
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))

    @property
    def log(self) -> Path:
        return self.store.prefix / "update.log"

    def build(self, source: Source) -> str:
        """The name of the new version: complete and checked, but not switched to. Raises UpdateError; what was begun stays
        incomplete and is removed by the next update."""
        self.log.unlink(missing_ok=True)
        # In the program's folder, so that what a kill leaves is removed by the next update.
        with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=self.store.prefix) as scratch:
            wheel = self._wheel(source, Path(scratch))
            named = _WHEEL.fullmatch(wheel.name)
            assert named is not None
            version = named["version"]
            name = self.store.free_name(version)
            folder = self.store.folder(name)
            self.say(f"building version {name}")
            self._install(wheel, folder)
        self.say("checking it")
        self.check(folder)
        self.store.finish(name, {"version": version, "source": str(source.path)})
        return name

    # --------------------------------------------------------------------------------------- the wheel

    def _wheel(self, source: Source, scratch: Path) -> Path:
        if source.kind == "wheel":
            return source.path
        if source.kind == "package":
            self._run(["dpkg-deb", "-x", str(source.path), str(scratch)], "unpacking the package")
            self.wheels = scratch / WHEELS_IN_PACKAGE
        else:
            # Root builds in somebody else's checkout: git would refuse that, and would leave an index of root's there.
            git = {
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "safe.directory",
                "GIT_CONFIG_VALUE_0": "*",
                "GIT_OPTIONAL_LOCKS": "0",
            }
            self._pip(
                ["wheel", "--no-deps", "--wheel-dir", str(scratch), str(source.path)],
                "packing the program",
                git,
            )
            found = list(scratch.glob("pi_board-*.whl"))
            if not found:
                raise UpdateError(f"{source.path}: no wheel came of it; see {self.log}")
            return found[0]
        found = sorted(self.wheels.glob("pi_board-*.whl"))
        if len(found) != 1:
            raise InvalidFileError(f"{source.path}: expected one pi_board-*.whl in {WHEELS_IN_PACKAGE}")
        return found[0]

    def _install(self, wheel: Path, folder: Path) -> None:
        # libcamera's Python half exists only as a system package, hence the system's packages.
        self._run(
            [self.python, "-m", "venv", "--system-site-packages", "--without-pip", str(folder)],
            "making the folder",
        )
        self._pip(["install", f"{wheel}[display]"], "installing", into=folder)
        have = self._importable(folder, ["simplejpeg", "lgpio", "libcamera", "picamera2"])
        # apt's simplejpeg (needed by picamera2) was built for apt's numpy: "numpy.dtype size changed". One of our own fits the
        # numpy that is here.
        if have["simplejpeg"] == "broken":
            self._pip(
                ["install", "--ignore-installed", "--no-deps", "simplejpeg"],
                "fitting simplejpeg",
                into=folder,
            )
        if have["lgpio"] != "yes":
            try:
                self._pip(["install", "--only-binary", ":all:", "lgpio>=0.2.2"], "adding lgpio", into=folder)
            except UpdateError:
                self.say("lgpio cannot be installed: lights, buzzer and buttons will not work")
        # libcamera without picamera2: plain Debian.
        if have["libcamera"] == "yes" and have["picamera2"] == "no":
            try:
                self._pip(["install", "picamera2"], "adding picamera2", into=folder)
            except UpdateError:
                self.say('picamera2 cannot be installed: a webcam still works (backend = "opencv")')

    def _importable(self, folder: Path, names: Sequence[str]) -> dict[str, str]:
        """yes, no (not there) or broken, for each."""
        code = (
            "import importlib, importlib.util, json, sys\n"
            "found = {}\n"
            "for name in sys.argv[1:]:\n"
            "    found[name] = 'no' if importlib.util.find_spec(name) is None else 'yes'\n"
            "    try:\n"
            "        importlib.import_module(name)\n"
            "    except Exception:\n"
            "        found[name] = 'broken' if found[name] == 'yes' else 'no'\n"
            "print('found', json.dumps(found))\n"
        )
        done = self._run([str(folder / "bin/python"), "-c", code, *names], "looking at what is there")
        return json.loads(done.rpartition("found ")[2])  # type: ignore[no-any-return]

    # ---------------------------------------------------------------------------------------- the check

    def check(self, folder: Path) -> None:
        """Imports, a second of the simulated camera, and a health report that is no worse than that of what runs now."""
        health = Path(__file__).with_name("health.py")
        # As source: this file may stand inside a wheel.
        code = health.read_text(encoding="utf-8") if health.is_file() else _source_in_wheel("health.py")
        self.say(
            self._run(
                [str(folder / "bin/python"), "-c", code], "the health check", limit=HEALTH_LIMIT
            ).splitlines()[-1]
        )
        new = self._report(folder)
        if new is None:
            raise UpdateError(f"the new version's doctor gives no report; see {self.log}")
        old = self._report(self.store.folder(self.store.current())) if self.store.current() else None
        for name, (state, found) in new.items():
            if state == "red" and old and name in old and old[name][0] != "red":
                raise UpdateError(f"{name} is at fault with the new version only: {found}")

    def _report(self, folder: Path) -> dict[str, tuple[str, str]] | None:
        """The states of `pi-board doctor` by name."""
        command = [str(folder / "bin/pi-board"), "doctor", "--json"]
        settings = Path("/etc/pi-board/settings.toml")
        if settings.is_file():
            command += ["--config", str(settings)]
        try:
            done = self._call(command, HEALTH_LIMIT)
            document = json.loads(done.stdout)
            return {c["name"]: (c["state"], c["found"]) for c in document["checks"]}
        except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError):
            return None

    # ------------------------------------------------------------------------------------- other programs

    def _pip(
        self,
        words: list[str],
        what: str,
        environment: dict[str, str] | None = None,
        *,
        into: Path | None = None,
    ) -> str:
        command = [self.python, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]
        if into is not None:
            command += ["--python", str(into / "bin/python")]
        command += words
        if self.wheels is not None:
            command += ["--no-index", "--find-links", str(self.wheels)]
        return self._run(command, what, environment={"PIP_ROOT_USER_ACTION": "ignore", **(environment or {})})

    def _run(
        self,
        command: list[str],
        what: str,
        *,
        environment: dict[str, str] | None = None,
        limit: float = STEP_LIMIT,
    ) -> str:
        """Standard output. What it says beside that goes to the log: pip's and libcamera's remarks are not for the person here."""
        try:
            done = self._call(command, limit, environment)
        except OSError as error:
            raise UpdateError(f"{what}: {command[0]}: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            raise UpdateError(f"{what}: took longer than {limit:.0f} seconds") from None
        if done.returncode:
            lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
            errors = [line for line in lines if "error" in line.lower()] or lines or ["no reason given"]
            raise UpdateError(f"{what} failed: {errors[-1][:300]} (all of it: {self.log})")
        return done.stdout

    def _call(
        self, command: list[str], limit: float, environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        env = {
            **{k: v for k, v in self.environment.items() if not k.startswith("PYTHON")},
            "LIBCAMERA_LOG_LEVELS": "*:ERROR",
            "PYTHONDONTWRITEBYTECODE": "1",
            **(environment or {}),
        }
        # Not in the folder of whoever called: a checkout there would be imported instead of the new version.
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=limit,
            env=env,
            cwd="/",
            errors="replace",
            close_fds=False,  # the store's lock
        )
        with self.log.open("a", encoding="utf-8") as log:
            log.write(
                f"$ {' '.join(c if len(c) < 300 else '…' for c in command)}\n{done.stdout}{done.stderr}"
            )
        return done


def _source_in_wheel(name: str) -> str:
    from importlib import resources

    return resources.files("pi_board.versions").joinpath(name).read_text(encoding="utf-8")


def system_python() -> str:
    """The Python of which virtual environments are made, also when this one runs inside one."""
    usual = Path("/usr/bin/python3")
    return str(usual) if usual.exists() else str(Path(sys.base_prefix) / "bin" / "python3")


def data_of(folder: Path) -> dict[str, Any]:
    """The unit files and rules that the version in `folder` brought, text by name."""
    found = {}
    for path in sorted(folder.glob("lib/python3*/site-packages/pi_board/_data/systemd/*")):
        found[path.name] = path.read_text(encoding="utf-8")
    return found


def have(program: str) -> bool:
    return shutil.which(program) is not None
