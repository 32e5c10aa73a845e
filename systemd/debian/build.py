"""Builds the Debian package, in one command, on any Debian with network:

    python systemd/debian/build.py [--arch arm64] [--out dist] [--wheels FOLDER] [--project-wheel FILE]

The package carries the program and every Python library as wheels, for Bookworm's Python and Trixie's; installing it builds a version
from them exactly as `pi-board update` does, so that a package, too, is checked before it is switched to, and `pi-board rollback` goes
back. Nothing is compiled, so an arm64 package is built on any machine.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
sys.path.insert(0, str(PROJECT))

from pi_board.commands import COMMANDS  # noqa: E402
from pi_board.versions.machine import RULES, UNITS  # noqa: E402

#: Debian's name of an architecture -> pip's.
MACHINES = {"arm64": "aarch64", "amd64": "x86_64"}
#: The Pythons of Bookworm and Trixie.
PYTHONS = ("3.11", "3.13")
#: Newest first: both have a glibc of 2.36 or newer.
MANYLINUX = (
    "manylinux_2_34",
    "manylinux_2_31",
    "manylinux_2_28",
    "manylinux_2_27",
    "manylinux_2_17",
    "manylinux2014",
)
#: Wanted beside what the program asks for: one that fits the numpy here, and the pins where apt has no lgpio.
FITTING, PINS = "simplejpeg", "lgpio>=0.2.2"
DEPENDS = "python3 (>= 3.11), python3-venv, python3-pip, libgl1, libglib2.0-0t64 | libglib2.0-0, passwd"
#: Raspberry Pi OS has all of these; plain Debian some. A board with a webcam and no lights needs none.
RECOMMENDS = "python3-picamera2, python3-gpiozero, python3-lgpio, python3-spidev, i2c-tools"
#: Whoever gives packages away puts an address there that reads mail.
MAINTAINER = os.environ.get("DEBEMAIL", "the pi_board authors <pi-board@example.org>")


def run(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, cwd="/")
    if done.returncode:
        raise SystemExit(f"{' '.join(words[:6])} … failed:\n{done.stderr[-2000:]}{done.stdout[-1000:]}")


def collect(wheels: Path, arch: str, given: Path | None, project: Path | None) -> str:
    """Every wheel into `wheels`; the program's version. given: libraries that were downloaded before."""
    if project is None:
        run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(wheels), str(PROJECT))
    else:
        shutil.copy(project, wheels)
    (wheel,) = wheels.glob("pi_board-*.whl")
    platforms = [f"--platform={p}_{MACHINES[arch]}" for p in MANYLINUX]
    source = ["--no-index", f"--find-links={given}"] if given else []
    for python in PYTHONS:
        download = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--only-binary=:all:",
            "--dest",
            str(wheels),
        ]
        download += [f"--python-version={python}", "--implementation=cp", *platforms, *source]
        run(*download, f"{wheel}[display]", FITTING)
        # Not every Python has a wheel of it; Raspberry Pi OS has the package.
        if subprocess.run([*download, PINS], capture_output=True, cwd="/").returncode:
            print(f"no wheel of {PINS} for Python {python}: the pins there need apt's python3-lgpio")
    return wheel.name.split("-")[1]


def debian_version(version: str) -> str:
    """PEP 440 as dpkg sorts it: a development version comes before what it leads to."""
    public, plus, local = version.partition("+")
    return re.sub(r"\.?(dev|rc|a|b)(\d)", r"~\1\2", public) + plus + local


def write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def compressed(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(text.encode())


def manual() -> str:
    rows = "".join(f".TP\n.B {name}\n{text}\n" for name, text in COMMANDS.items())
    return (
        '.TH PI\\-BOARD 1 "" "" "pi_board"\n.SH NAME\npi\\-board \\- referee above a real backgammon board\n'
        ".SH SYNOPSIS\n.B pi\\-board\n.I COMMAND\n[options]\n.SH DESCRIPTION\nA camera looks down on a backgammon board; the program "
        "reads checkers and dice, flags illegal plays, gives hints and keeps the record.\n.SH COMMANDS\n"
        + rows
        + ".SH FILES\n.TP\n.I /etc/pi\\-board/settings.toml\nthe settings\n.TP\n.I /var/lib/pi\\-board/games\nthe games\n"
        ".SH EXIT STATUS\n0 done, 1 nothing could be read or refereed, 2 wrong use or bad input, 130 interrupted\n"
    )


def copyright_text() -> str:
    year, holder = re.search(r"Copyright \(c\) (\d+) (.+)", (PROJECT / "LICENSE").read_text()).groups()  # type: ignore[union-attr]
    body = (PROJECT / "LICENSE").read_text(encoding="utf-8").split("\n\n", 2)[2]
    text = "\n".join(f" {line}" if line.strip() else " ." for line in body.strip().splitlines())
    return (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: pi_board\n\n"
        f"Files: *\nCopyright: {year} {holder}\nLicense: Expat\n\n"
        "Files: usr/share/pi-board/wheels/*\nCopyright: the authors that each wheel names in its METADATA\nLicense: as-in-each-wheel\n\n"
        f"License: Expat\n{text}\n\n"
        "License: as-in-each-wheel\n Libraries as their authors published them; each carries its own licence in its .dist-info folder.\n"
    )


def fill(root: Path, version: str, arch: str) -> None:
    """Everything but the wheels."""
    share, doc = root / "usr/share/pi-board", root / "usr/share/doc/pi-board"
    write(share / "prepare.sh", (PROJECT / "systemd/prepare.sh").read_text(), 0o755)
    write(share / "settings.toml", (PROJECT / "systemd/settings.toml").read_text())
    for unit in UNITS:
        write(root / "usr/lib/systemd/system" / unit, (PROJECT / "systemd" / unit).read_text())
    write(root / "usr/lib/udev/rules.d" / RULES, (PROJECT / "systemd" / RULES).read_text())
    write(root / "usr/bin/pi-board", (HERE / "pi-board").read_text(), 0o755)
    compressed(root / "usr/share/man/man1/pi-board.1.gz", manual())
    write(doc / "copyright", copyright_text())
    when = time.strftime(
        "%a, %d %b %Y %H:%M:%S +0000", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    )
    changes = f"pi-board ({version}) unstable; urgency=medium\n\n  * See CHANGELOG.md of the project.\n\n -- {MAINTAINER}  {when}\n"
    compressed(doc / "changelog.gz", changes)
    write(root / "usr/share/lintian/overrides/pi-board", (HERE / "lintian-overrides").read_text())
    for name in ("postinst", "prerm", "postrm"):
        text = (HERE / name).read_text()
        # On purge the package's own files are gone, so what takes everything away travels inside the script.
        text = text.replace("#PREPARE#\n", (PROJECT / "systemd/prepare.sh").read_text())
        write(root / "DEBIAN" / name, text, 0o755)


def control(root: Path, version: str, arch: str) -> str:
    size = sum(p.stat().st_size for p in root.rglob("*") if p.is_file()) // 1024
    return (
        f"Package: pi-board\nVersion: {version}\nArchitecture: {arch}\nMaintainer: {MAINTAINER}\nInstalled-Size: {size}\n"
        f"Depends: {DEPENDS}\nRecommends: {RECOMMENDS}\nSuggests: gnubg\nSection: misc\nPriority: optional\n"
        "Description: referee above a real backgammon board\n"
        " A Raspberry Pi with a camera looks down on a backgammon board, knows where\n"
        " every checker is, what the dice show and whose turn it is, flags illegal\n"
        " plays with lights and reasons, gives hints and keeps the record.\n"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    own = {"aarch64": "arm64"}.get(os.uname().machine, "amd64")
    parser.add_argument("--arch", choices=MACHINES, default=own)
    parser.add_argument("--out", type=Path, default=PROJECT / "dist")
    parser.add_argument("--wheels", type=Path, help="libraries from this folder, not from the network")
    parser.add_argument("--project-wheel", type=Path, help="this build of the program, instead of a new one")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pi-board-deb-") as scratch:
        root = Path(scratch) / "root"
        wheels = root / "usr/share/pi-board/wheels"
        wheels.mkdir(parents=True)
        version = debian_version(
            collect(wheels, args.arch, args.wheels and args.wheels.resolve(), args.project_wheel)
        )
        fill(root, version, args.arch)
        for path in root.rglob("*"):
            if path.is_dir():
                path.chmod(0o755)
            elif path.suffix == ".whl":
                path.chmod(0o644)
        write(root / "DEBIAN/control", control(root, version, args.arch))
        sums = [
            f"{hashlib.md5(p.read_bytes()).hexdigest()}  {p.relative_to(root)}\n"
            for p in sorted(root.rglob("*"))
            if p.is_file() and "DEBIAN" not in p.parts
        ]
        write(root / "DEBIAN/md5sums", "".join(sums))
        args.out.mkdir(parents=True, exist_ok=True)
        package = args.out.resolve() / f"pi-board_{version}_{args.arch}.deb"
        # Wheels are compressed already.
        run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(root), str(package))
    print(f"{package} ({package.stat().st_size / 1e6:.0f} MB)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
