"""`pi-board doctor`: a health report of everything at the table, with what to do about it."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from pi_board.commands.board_share import LEAST_SHARE, share_in, share_of, share_words
from pi_board.errors import DeviceError, PiBoardError
from pi_board.session.service import NO_CAMERA, REFEREEING
from pi_board.setup.settings import Settings, load_settings
from pi_board.versions.machine import SERVICE
from pi_board.versions.store import WENT_BACK, VersionStore, read_document

HELP = "health report: camera, pins, display, disk, service"

State = Literal["green", "amber", "red"]
#: Told apart without colour.
WORDS: dict[State, str] = {"green": "ok", "amber": "look", "red": "FAULT"}
DEVICES = Path("/dev")
SYSTEMD = Path("/run/systemd/system")
LOWER = "lower the camera: hardware/README.md has the heights"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report. todo: what to do, "" when nothing."""

    name: str
    state: State
    found: str
    todo: str = ""

    def to_document(self) -> dict[str, str]:
        return {"name": self.name, "state": self.state, "found": self.found, "todo": self.todo}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, help="settings file (default: as for run)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Exit code 1 when anything is red."""
    checks = examine(args.config)
    if args.json:
        worst = max((c.state for c in checks), key=("green", "amber", "red").index)
        json.dump(
            {"state": worst, "checks": [c.to_document() for c in checks]}, sys.stdout, ensure_ascii=False
        )
        print()
    else:
        _print(checks)
    return 1 if any(c.state == "red" for c in checks) else 0


def examine(config: Path | None) -> list[Check]:
    """Every check. Wrong settings are a red line and the rest is examined with the defaults."""
    try:
        settings = load_settings(config)
        where = str(settings.path) if settings.path else "none found: defaults"
        checks = [Check("settings", "green", where)]
    except PiBoardError as error:
        settings = Settings()
        checks = [Check("settings", "red", str(error), "correct that line; nothing starts until then")]
    examinations: tuple[tuple[str, Callable[[Settings], Check]], ...] = (
        ("software", software),
        ("speed", speed),
        ("camera", camera),
        ("pins", pins),
        ("i2c", i2c),
        ("spi", spi),
        ("display", display),
        ("serial", serial),
        ("voice", voice),
        ("disk", disk),
        ("clock", clock),
        ("power", power),
        ("service", service),
        ("page", page),
        ("calibration", calibration),
    )
    for name, examination in examinations:
        try:
            checks.append(examination(settings))
        except Exception as error:  # One failing check must not end the report.
            checks.append(Check(name, "red", f"{type(error).__name__}: {error}", "please report this"))
    return checks


def _print(checks: list[Check]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("what", "state", "found", "what to do"):
        table.add_column(heading, overflow="fold")
    for c in checks:
        colour = {"green": "green", "amber": "yellow", "red": "bold red"}[c.state]
        table.add_row(
            c.name, f"[{colour}]{WORDS[c.state]}[/]", c.found.replace("[", r"\["), c.todo.replace("[", r"\[")
        )
    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(table)
    bad = sum(c.state == "red" for c in checks)
    look = sum(c.state == "amber" for c in checks)
    console.print(f"{bad} fault{'s' * (bad != 1)}, {look} to look at" if bad or look else "all is well")


def _command(*words: str) -> str | None:
    """The output of a system tool, None when it is missing, fails or hangs."""
    if shutil.which(words[0]) is None:
        return None
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip()


# ------------------------------------------------------------------------------------------- the checks


def software(settings: Settings) -> Check:
    import cv2
    import numpy

    from pi_board import __version__

    python = ".".join(map(str, sys.version_info[:3]))
    found = f"pi-board {__version__}, Python {python}, OpenCV {cv2.__version__}, numpy {numpy.__version__}"
    store = VersionStore()
    if not store.current():
        return Check("software", "green", found)
    if trial := store.trial():
        found += f"; new, {trial.get('previous')} comes back if it does not come up"
    elif previous := store.previous():
        found += f"; pi-board rollback goes back to {previous}"
    note = read_document(store.state / WENT_BACK)
    if note:
        todo = "tell its makers; journalctl -u pi-board has what it said"
        return Check("software", "amber", f"{found}; version {note.get('from')} did not come up", todo)
    return Check("software", "green", found)


#: A look at a changed scene, and a further one at it, take so many times what `_probe` takes (`tests/bench/bench_vision.py --only speed`).
FIRST_LOOK, NEXT_LOOK = 5.0, 2.0
#: Seconds of looking before a light from which on people notice that they wait, and from which on they play on without it.
SLOW, TOO_SLOW = 0.6, 3.0


def _probe() -> float:
    """Seconds that this machine takes to read a field's checkers and two dice by its networks; the median of five."""
    from pi_board.vision.checkers import slot_network
    from pi_board.vision.dice import pips
    from pi_board.vision.loading import load_networks

    load_networks()
    canvas = np.zeros((slot_network.CANVAS_H, slot_network.CANVAS_W, 3), np.uint8)
    patches = np.zeros((2, pips.PATCH, pips.PATCH, 3), np.uint8)
    took = []
    for _ in range(5):
        begin = time.perf_counter()
        slot_network.score(canvas)
        pips.glance(patches)
        took.append(time.perf_counter() - begin)
    return float(np.median(took))


def speed(settings: Settings) -> Check:
    """How long lights take here."""
    from pi_board.vision.budget import LookBudget

    probe, budget = _probe(), LookBudget()
    budget.note("first", FIRST_LOOK * probe)
    budget.note("again", NEXT_LOOK * probe)
    found = f"looking at a play takes about {budget.to_a_word:.1f} s"
    if budget.to_a_word < SLOW:
        return Check("speed", "green", found)
    todo = "lights come late, and none comes wrong for it; wait for the light before the next roll"
    if budget.to_a_word > TOO_SLOW:
        todo = (
            "too slow to keep up with quick players: a Pi 4 or 5, or wait for the light before the next roll"
        )
    return Check("speed", "amber", found, todo)


def camera(settings: Settings) -> Check:
    from pi_board.camera import open_camera

    if _active():
        return _in_use(_command("systemctl", "show", SERVICE, "-p", "StatusText", "--value") or "")
    # One try is enough, and a short one: nobody waits a quarter of a minute for a report.
    options = replace(settings.camera, start_timeout=min(settings.camera.start_timeout, 10.0), realtime=False)
    try:
        source = open_camera(options)
    except DeviceError as error:
        return Check(
            "camera", "red", str(error), 'check cable and [camera] backend; try "rpicam-hello --list-cameras"'
        )
    except PiBoardError as error:
        return Check("camera", "red", str(error), "correct [camera] in the settings")
    try:
        frame = None
        for _ in range(5):
            frame = source.read()
            if frame is None:
                break
        if frame is None:
            return Check("camera", "red", f"{source.description}: no picture", "check [camera] source")
        light = float(frame.image.mean())
        found = f"{source.description}, brightness {light:.0f} of 255"
        if light < 30:
            return Check("camera", "amber", found, "too dark: more light, or take the cap off the lens")
        if light > 225:
            return Check("camera", "amber", found, "too bright: less light, or a shorter exposure")
        return _board_in_view(frame.image, settings, found)
    except DeviceError as error:
        return Check("camera", "red", str(error), "check the cable; is another program using the camera?")
    finally:
        source.close()


def _in_use(status: str) -> Check:
    """status: what the running service last said of itself; only it can have the camera."""
    if status == NO_CAMERA:
        return Check(
            "camera",
            "red",
            "the running service has no picture",
            "journalctl -u pi-board -n 20 says why; check cable and [camera] backend",
        )
    words = "in use by the running service"
    if said := status.removeprefix(REFEREEING).removeprefix("; "):
        words += f": {said}"
    share = share_in(words)
    if share is not None and share < LEAST_SHARE:
        return Check("camera", "amber", words, LOWER)
    return Check("camera", "green", words)


def _board_in_view(image: npt.NDArray[np.uint8], settings: Settings, found: str) -> Check:
    """How much of the picture's width the board takes; a camera without a board before it is no fault."""
    from pi_board.vision.budget import smallest_size
    from pi_board.vision.finding.find_board import find_board
    from pi_board.vision.profile import load_profile

    try:
        profile = load_profile(settings.board.profile)
        field = find_board(image, profile).corners
    except PiBoardError:
        return Check("camera", "green", f"{found}; no board in view")
    share = share_of(field, image.shape[1])
    words = f"{found}; {share_words(share)}"
    width, height = smallest_size(
        share, profile.die_size / profile.field_width, profile.checker_diameter / profile.field_width
    )
    if width < image.shape[1] and share >= LEAST_SHARE:
        words += f" ({width} x {height} would do)"
    if share < LEAST_SHARE:
        return Check("camera", "amber", words, LOWER)
    return Check("camera", "green", words)


def pins(settings: Settings) -> Check:
    from pi_board.panel.pins import load_pins

    try:
        found = load_pins(settings.panel.pins or None)
    except PiBoardError as error:
        return Check("pins", "red", str(error), "correct the pin map")
    count = f"{len(found.all())} pins, none twice"
    wanted = settings.panel.lights or settings.panel.buttons or settings.panel.buzzer != "off"
    if not sorted(DEVICES.glob("gpiochip*")):
        todo = "only a Raspberry Pi has pins; the game works without lights and buttons" if wanted else ""
        return Check("pins", "amber" if wanted else "green", f"{count}; no GPIO on this machine", todo)
    if not any(os.access(p, os.R_OK | os.W_OK) for p in DEVICES.glob("gpiochip*")):
        return Check(
            "pins",
            "red",
            f"{count}; no right to use them",
            "sudo usermod -a -G gpio $USER, then log in again",
        )
    if os.environ.get("GPIOZERO_PIN_FACTORY"):
        return Check(
            "pins", "green", f"{count}; by {os.environ['GPIOZERO_PIN_FACTORY']} ($GPIOZERO_PIN_FACTORY)"
        )
    from pi_board.panel.panel import header_chip

    try:
        import lgpio

        chip = header_chip(lgpio, DEVICES)
    except ImportError:
        todo = "sudo apt-get install python3-lgpio" if wanted else ""
        return Check("pins", "red" if wanted else "green", f"{count}; the library lgpio is missing", todo)
    except DeviceError as error:
        todo = "only a Raspberry Pi has pins; the game works without lights and buttons" if wanted else ""
        return Check("pins", "amber" if wanted else "green", f"{count}; {error}", todo)
    return Check("pins", "green", f"{count}; by lgpio on gpiochip{chip}")


def _bus(name: str, pattern: str, number: int, kind: str, option: str, wanted: bool) -> Check:
    there = sorted(p.name for p in DEVICES.glob(pattern))
    if not wanted:
        return Check(name, "green", ", ".join(there) or "off; not needed")
    needed = option.format(number)
    if needed not in there:
        todo = f"sudo raspi-config nonint do_{name} 0, then restart"
        return Check(name, "red", f"{needed} is missing; the {kind} display needs it", todo)
    if not os.access(DEVICES / needed, os.R_OK | os.W_OK):
        return Check(
            name, "red", f"no right to use {needed}", f"sudo usermod -a -G {name} $USER, then log in again"
        )
    return Check(name, "green", needed)


def i2c(settings: Settings) -> Check:
    d = settings.display
    bus = d.bus if d.bus >= 0 else 1
    return _bus("i2c", "i2c-*", bus, d.kind, "i2c-{}", d.kind in ("ssd1306", "sh1106"))


def spi(settings: Settings) -> Check:
    d = settings.display
    bus = d.bus if d.bus >= 0 else 0
    return _bus("spi", "spidev*", bus, d.kind, "spidev{}.0", d.kind == "st7789")


def display(settings: Settings) -> Check:
    if settings.display.kind == "none":
        return Check("display", "green", "none in the settings")
    if _active():
        return Check("display", "green", f"{settings.display.kind}, in use by the running service")
    from pi_board.panel.display import open_device
    from pi_board.panel.pins import load_pins

    try:
        open_device(settings.display, load_pins(settings.panel.pins or None)).cleanup()
    except PiBoardError as error:
        return Check(
            "display", "red", str(error), "see hardware/README.md, Small display; the game goes on without it"
        )
    return Check("display", "green", settings.display.kind)


#: The sound cards that the kernel knows.
SOUND_CARDS = Path("/proc/asound/cards")


def voice(settings: Settings) -> Check:
    """espeak-ng and something to hear it with, where words are to be spoken."""
    program = shutil.which("espeak-ng")
    if settings.voice.words == "off":
        return Check("voice", "green", "off" + (" (espeak-ng is installed)" if program else ""))
    if program is None:
        return Check("voice", "red", "espeak-ng is not installed", "sudo apt install espeak-ng")
    try:
        cards = [line for line in SOUND_CARDS.read_text(encoding="utf-8").splitlines() if "]:" in line]
    except OSError:
        cards = []
    if not cards:
        return Check(
            "voice", "amber", "espeak-ng, but no sound card", "plug in a speaker (USB, HDMI or jack)"
        )
    return Check("voice", "green", f"espeak-ng, {cards[0].partition(']:')[2].strip()}")


def serial(settings: Settings) -> Check:
    ports = [p for p in (settings.serial.strip, settings.serial.text) if p]
    if not ports:
        return Check("serial", "green", "no strip and no text display in the settings")
    missing = [p for p in ports if not Path(p).exists()]
    if missing:
        todo = "plug it in; names come from systemd/99-pi-board.rules; the game goes on without it"
        return Check("serial", "red", f"{', '.join(missing)}: not there", todo)
    if settings.serial.strip and not _active():
        from pi_board.panel.strip import LightStrip

        strip = LightStrip(settings.serial, near=settings.board.near, home=settings.board.home)
        try:
            end = time.monotonic() + 3
            while strip.notice and "being opened" in strip.notice and time.monotonic() < end:
                time.sleep(0.05)
            if strip.notice:
                return Check("serial", "red", strip.notice, "see hardware/firmware/README.md")
        finally:
            strip.close()
    return Check("serial", "green", ", ".join(ports))


def disk(settings: Settings) -> Check:
    folder = Path(settings.record.folder).expanduser()
    there = next(p for p in (folder, *folder.parents) if p.exists())
    free = shutil.disk_usage(there).free / 1e6
    found = f"{folder}: {free / 1000:.1f} GB free"
    if not os.access(there, os.W_OK):
        return Check(
            "disk", "red", f"{found}, but it cannot be written to", "correct [record] folder or its owner"
        )
    if free < 50:
        return Check("disk", "red", found, "make room: games are no longer recorded when the disk is full")
    return Check("disk", "amber" if free < 500 else "green", found, "make room" if free < 500 else "")


def clock(settings: Settings) -> Check:
    now = time.strftime("%Y-%m-%d %H:%M %Z")
    if time.localtime().tm_year < 2025:
        return Check(
            "clock", "red", f"{now}: cannot be right", "connect to a network; game files carry this date"
        )
    synchronised = _command("timedatectl", "show", "-p", "NTPSynchronized", "--value")
    if synchronised == "no":
        return Check(
            "clock",
            "amber",
            f"{now}, not synchronised",
            "connect to a network; only the files' dates depend on it",
        )
    return Check("clock", "green", now + (", synchronised" if synchronised == "yes" else ""))


def power(settings: Settings) -> Check:
    """A Pi with a weak power supply slows down, and its camera fails first."""
    answer = _command("vcgencmd", "get_throttled")
    if not answer or "=" not in answer:
        return Check("power", "green", "not measured on this machine")
    bits = int(answer.split("=")[1], 16)
    if bits & 0x5:
        return Check(
            "power", "red", f"voltage too low now ({answer})", "use the power supply made for this Pi"
        )
    if bits & 0x50000:
        return Check(
            "power",
            "amber",
            f"voltage was too low since the start ({answer})",
            "use the power supply made for this Pi",
        )
    if bits & 0xA:
        return Check("power", "amber", f"slowed down by heat ({answer})", "give it air or a heat sink")
    return Check("power", "green", "voltage and temperature are well")


def _active() -> bool:
    return SYSTEMD.is_dir() and _command("systemctl", "is-active", SERVICE) == "active"


def service(settings: Settings) -> Check:
    if not SYSTEMD.is_dir():
        return Check("service", "green", "systemd does not run here: start with pi-board run")
    state = (
        _command("systemctl", "show", SERVICE, "-p", "LoadState,ActiveState,UnitFileState,NRestarts") or ""
    )
    value = dict(line.split("=", 1) for line in state.splitlines() if "=" in line)
    if value.get("LoadState") != "loaded":
        return Check(
            "service", "amber", "not installed", "README, Install on the Pi: it then starts at every power-on"
        )
    found = (
        f"{value.get('ActiveState')}, {value.get('UnitFileState')}, restarted {value.get('NRestarts')} times"
    )
    if value.get("ActiveState") != "active":
        return Check("service", "red", found, "journalctl -u pi-board -n 20")
    if value.get("UnitFileState") != "enabled":
        return Check("service", "amber", found, "sudo systemctl enable pi-board")
    restarts = int(value.get("NRestarts") or 0)
    return Check(
        "service",
        "amber" if restarts > 3 else "green",
        found,
        "journalctl -u pi-board" if restarts > 3 else "",
    )


def page(settings: Settings) -> Check:
    """The address for a phone; the token is only read here, so that it stays its owner's."""
    web = settings.web
    if not web.enabled:
        return Check("page", "green", "switched off ([web] enabled)")
    from pi_board.web.server import page_addresses

    if web.local_only:
        return Check("page", "green", f"http://{web.host}:{web.port}/ on this machine only ([web] host)")
    token = Path(web.token_file).expanduser()
    if not os.access(token.parent, os.X_OK) or (token.exists() and not os.access(token, os.R_OK)):
        return Check(
            "page", "amber", f"{token} cannot be read", "sudo pi-board doctor says the page's address"
        )
    if not token.exists():
        return Check("page", "amber", f"{token} is not there yet", "start pi-board once")
    return Check("page", "green", page_addresses(web)[0])


def calibration(settings: Settings) -> Check:
    from pi_board.camera.lens import load_lens
    from pi_board.vision.profile import load_profile

    try:
        profile = load_profile(settings.board.profile)
    except PiBoardError as error:
        return Check("calibration", "red", str(error), "correct [board] profile")
    corners = "corners set" if settings.board.corners else "the board is found in the picture"
    found = f"{profile.name}, {settings.board.near} near, home {settings.board.home}; {corners}"
    if settings.camera.lens:
        try:
            found += f"; lens measured, {load_lens(settings.camera.lens).error:.1f} px left"
        except PiBoardError as error:
            return Check(
                "calibration", "red", str(error), "pi-board calibrate --lens, or empty [camera] lens"
            )
    if not profile.measured:
        return Check(
            "calibration",
            "amber",
            f"{found}; sizes are guesses",
            "measure your board once: calibration/README.md",
        )
    return Check("calibration", "green", found)
