"""`pi-board run`: referee the board under the configured camera, with everything that is plugged in."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pi_board.camera import open_camera
from pi_board.commands.board_share import board_in_use
from pi_board.commands.event_lines import EventLines
from pi_board.commands.log_notices import LogNotices
from pi_board.commands.settings_arguments import add_sitting_arguments
from pi_board.commands.spare_memory import SpareMemory
from pi_board.errors import CameraError, DeviceError, PiBoardError
from pi_board.record.log_folder import require_log_folder
from pi_board.session.app import App
from pi_board.session.finding_reader import FindingReader
from pi_board.session.heap import keep_pictures_apart
from pi_board.session.service import ServiceNotifier
from pi_board.session.sitting import Sitting
from pi_board.session.spared_looks import SparedLooks
from pi_board.setup.corners import parse_corners
from pi_board.setup.settings import Settings, load_settings
from pi_board.versions.coming_up import ComingUp
from pi_board.vision.profile import load_profile

if TYPE_CHECKING:
    from pi_board.session.solitaire import SolitaireSitting

HELP = "referee the board under the configured camera"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_sitting_arguments(parser)
    parser.add_argument("--headless", action="store_true", help="no live view in the terminal")
    parser.add_argument(
        "--json", action="store_true", help="every event as one JSON document a line instead of the live view"
    )


def make_sitting(
    settings: Settings, *, log_dir: Path | None = None, go_on: bool = True
) -> Sitting | SolitaireSitting:
    """Reader, referee and record as the settings say; the board's profile decides which game it is."""
    board = settings.board
    profile = load_profile(board.profile)
    folder = log_dir or Path(settings.record.folder).expanduser()
    if profile.kind == "solitaire":
        # The other game is loaded only where it is played.
        from pi_board.referee.solitaire import problem_named
        from pi_board.session.solitaire import SolitaireSitting

        return SolitaireSitting.at_the_table(
            problem_named(settings.game.problem),
            folder / "solitaire",
            corners=parse_corners(board.corners) if board.corners else None,
            go_on=go_on,
        )
    reader = FindingReader(
        profile,
        corners=parse_corners(board.corners) if board.corners else None,
        bar_edges=parse_corners(board.bar_edges) if board.bar_edges else None,
        near=board.near,
        home=board.home,
        options=settings.vision,
    )
    game = settings.game
    return Sitting.at_the_table(
        reader,
        rules=settings.rule_set(),
        options=settings.referee,
        match_length=game.match_length,
        names=(game.light_name, game.dark_name),
        folder=folder,
        go_on=go_on,
        event=settings.record.event,
        site=settings.record.site,
        match=settings.match,
        match_clock=settings.clock,
    )


def run(args: argparse.Namespace) -> int:
    return at_the_table(
        load_settings(args.config),
        log_dir=args.log_dir,
        go_on=not args.new,
        headless=args.headless or args.json,
        event_lines=args.json,
    )


def at_the_table(
    settings: Settings,
    *,
    log_dir: Path | None = None,
    go_on: bool = True,
    headless: bool = False,
    event_lines: bool = False,
) -> int:
    """Referees until the camera ends or the program is stopped; 0."""
    described = ""

    def camera_in_use() -> str:
        return "; ".join(filter(None, (described, board_in_use(sitting))))

    service = ServiceNotifier(camera=camera_in_use)
    folder = log_dir or Path(settings.record.folder)
    if not service.supervised:
        # A service starts anyway and the display says what is wrong. A person at a terminal can mend it now, so stop.
        require_log_folder(folder)
    keep_pictures_apart()
    opened: list[Any] = []
    # Opening a camera takes a second; meanwhile load what the first picture needs.
    threading.Thread(target=_get_ready, args=(settings,), name="loading", daemon=True).start()
    try:
        # Report a wrong backend, an empty folder or an undecodable video at once, not after a retry.
        opened.append(open_camera(settings.camera))
    except CameraError as error:
        if not service.supervised:
            raise
        # At power-on the camera may come later than the program; the display says what is wrong until then.
        print(error, file=sys.stderr)

    def next_camera() -> Any:
        nonlocal described
        source = opened.pop() if opened else open_camera(settings.camera)
        described = source.description
        return source

    coming_up = ComingUp()

    def beat(what: str) -> None:
        service.beat(what)
        coming_up.beat()

    power_off: list[bool] = []
    sitting = make_sitting(settings, log_dir=log_dir, go_on=go_on)
    sitting.pipeline.spared = SparedLooks(SparedLooks.AT_A_TABLE)
    app = App(
        next_camera,
        sitting,
        hints=settings.hints,
        heartbeat=beat,
        went_back=coming_up.went_back(),
        on_read=coming_up.read,
        on_shutdown=lambda: power_off.append(settings.panel.shutdown),
    )
    page = None
    if settings.web.enabled:
        from pi_board.commands.page import open_page

        page = open_page(settings, app, log_dir=log_dir)
    if page is not None:
        app.outputs.append(page)
    app.outputs += table_outputs(
        settings,
        app,
        headless=headless,
        address=lambda: page.player_url if page is not None else "",
        footer=f"logs: {folder.expanduser()}",
    )
    if settings.club.broker:
        app.outputs.append(club_output(settings, app, folder=folder))
    if event_lines:
        app.outputs.append(EventLines(solitaire=not isinstance(sitting, Sitting)))
    elif headless:
        app.outputs.append(LogNotices())
    app.outputs.append(SpareMemory())
    signal.signal(signal.SIGTERM, lambda *_: app.stop())
    service.ready()
    app.run()
    # Switch off only now, when every file is complete and the outputs are dark.
    if any(power_off) and not service.ask_power_off():
        print("the game is saved; the Pi can be switched off now", file=sys.stderr)
    service.stopping()
    return 0


def _get_ready(settings: Settings) -> None:
    """Loads what will be wanted soon; whoever wants it finds it there, or loads it himself and says what is wrong with it."""
    with contextlib.suppress(PiBoardError, ImportError, OSError):
        from pi_board.vision.loading import load_networks

        load_networks()
        import pi_board.panel.panel

        if settings.display.kind != "none":
            import pi_board.panel.display
        if settings.web.enabled:
            import pi_board.commands.page  # noqa: F401


def club_output(settings: Settings, app: App, *, folder: Path) -> Any:
    """What tells the club of this board. Raises DeviceError without its library, InvalidSettingsError for bad files."""
    from pi_board.club.publisher import ClubPublisher

    app.has_director = True
    return ClubPublisher(
        settings.club,
        folder,
        press=app.submit,
        announce=lambda words: app.submit(lambda: app.announce(words)),
        new_match=app.submit,
        director_comes=lambda: app.submit(app.director_comes),
    )


def table_outputs(
    settings: Settings, app: App, *, headless: bool, address: Callable[[], str] = lambda: "", footer: str = ""
) -> list[Any]:
    """Whatever of lights, buzzer, buttons, displays and terminal is there; what is missing is said once.

    address: of the page, for the small display's QR code. footer: of the terminal's live view.
    """
    from pi_board.panel.language import load_language
    from pi_board.panel.panel import Panel

    def pressed(word: str) -> None:
        app.submit(word)

    outputs: list[Any] = []
    panel = Panel(settings.panel, pressed, clock=lambda: time.strftime("%H:%M"))
    outputs.append(panel)
    for notice in panel.notices:
        print(notice, file=sys.stderr)
    language = load_language(settings.panel.language)
    if settings.voice.words != "off":
        from pi_board.panel.voice import Voice

        try:
            outputs.append(
                Voice(
                    settings.voice,
                    language,
                    clock=lambda: time.strftime("%H:%M"),
                    quiet_at=settings.panel.quiet_at,
                )
            )
        except DeviceError as error:
            print(error, file=sys.stderr)
    if settings.display.kind != "none":
        from pi_board.panel.board_picture import Seat
        from pi_board.panel.display import SmallDisplay, open_device
        from pi_board.panel.pins import load_pins

        pins = load_pins(settings.panel.pins or None)
        outputs.append(
            SmallDisplay(
                settings.display,
                language,
                lambda: open_device(settings.display, pins),
                address=address,
                seat=Seat(settings.board.near, settings.board.home),
            )
        )
    if settings.serial.strip:
        from pi_board.panel.strip import LightStrip

        outputs.append(LightStrip(settings.serial, near=settings.board.near, home=settings.board.home))
    if settings.serial.text:
        from pi_board.panel.strip import TextDisplay

        outputs.append(TextDisplay(settings.serial, language))
    evidence = app.sitting.evidence(settings.record)
    if evidence is not None:
        app.keep_evidence = evidence.request
        outputs.append(evidence)
    if isinstance(app.sitting, Sitting) and (collector := app.sitting.collector(settings.record)) is not None:
        outputs.append(collector)
    if not headless:
        from pi_board.terminal.view import TerminalOutput

        outputs.append(TerminalOutput(near=settings.board.near, home=settings.board.home, footer=footer))
    return outputs
