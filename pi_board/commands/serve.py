"""`pi-board serve`: the page with the configured camera, or with simulated players."""

from __future__ import annotations

import argparse
import dataclasses
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from pi_board.camera.simulated import SimulatedCamera, SimulatedSolitaireCamera
from pi_board.commands.argument_types import number, probability, whole
from pi_board.commands.event_lines import EventLines
from pi_board.commands.log_notices import LogNotices
from pi_board.commands.page import open_page, qr_text
from pi_board.commands.settings_arguments import add_sitting_arguments
from pi_board.errors import InvalidError
from pi_board.output import Moment
from pi_board.record.log_folder import require_log_folder
from pi_board.session.app import App
from pi_board.session.demo import PRESSED, heard
from pi_board.session.solitaire import SolitaireSitting
from pi_board.session.spared_looks import SparedLooks
from pi_board.setup.settings import load_settings

HELP = "the web page: live view, set-up, history"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_sitting_arguments(parser)
    parser.add_argument(
        "--host", help="address to listen on (default: [web] host); 0.0.0.0 = the whole network"
    )
    parser.add_argument("--port", type=whole(1, 65535), help="port (default: [web] port)")
    parser.add_argument("--demo", action="store_true", help="a simulated camera with two simulated players")
    parser.add_argument(
        "--solitaire", action="store_true", help="with --demo: one player of the 37-hole game"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the simulated game")
    parser.add_argument(
        "--cheat",
        type=probability,
        default=0.1,
        help="chance per turn of an illegal play in the demo (default 0.1)",
    )
    parser.add_argument(
        "--pace", choices=("natural", "brisk", "sparse"), default="natural", help="of the demo's players"
    )
    parser.add_argument(
        "--json", action="store_true", help="addresses and every event as one JSON document a line"
    )
    parser.add_argument(
        "--fps", type=number(1, 30), default=8.0, help="pictures per second of the demo (default 8)"
    )


class Listeners:
    """An `Output`: the simulated players hear the referee and press their buttons."""

    def __init__(self, app: App, camera: SimulatedCamera | SimulatedSolitaireCamera) -> None:
        self._app, self._camera = app, camera

    def show(self, moment: Moment) -> None:
        for event in moment.events:
            if word := "illegal" if event.type == "jump_illegal" else heard(event):
                self._camera.tell(word)
        if isinstance(self._camera, SimulatedSolitaireCamera):
            return
        for button in self._camera.pressed():
            self._app.submit(PRESSED[button]())

    def close(self) -> None:
        return


def _copied(path: Path | None) -> Path:
    """A settings file like `path`, in a folder that is nobody's."""
    copy = Path(tempfile.mkdtemp(prefix="pi-board-demo-settings-")) / "settings.toml"
    if path is not None and path.is_file():
        shutil.copyfile(path, copy)
    return copy


def run(args: argparse.Namespace) -> int:
    from pi_board.commands.run import make_sitting

    settings = load_settings(args.config)
    web: dict[str, Any] = {k: v for k, v in (("host", args.host), ("port", args.port)) if v is not None}
    settings = dataclasses.replace(settings, web=dataclasses.replace(settings.web, **web))
    if args.solitaire and not args.demo:
        raise InvalidError(
            "--solitaire: only with --demo (the settings' board profile says which game is played)"
        )
    demo: SimulatedCamera | SimulatedSolitaireCamera | None = None
    log_dir = args.log_dir
    if args.solitaire:
        demo = SimulatedSolitaireCamera(seed=args.seed, mistakes=args.cheat, fps=args.fps, realtime=True)
        board = dataclasses.replace(settings.board, profile="jumbo-solitaire", corners="", bar_edges="")
        settings = dataclasses.replace(settings, board=board)
        log_dir = log_dir or Path(tempfile.mkdtemp(prefix="pi-board-demo-"))
    elif args.demo:
        from pi_board.commands.demo import PROFILES
        from pi_board.simulator import SimulatorOptions

        options = SimulatorOptions(
            seed=args.seed,
            games=0,
            cheat=args.cheat,
            style=settings.camera.style,
            rules=settings.game.rules,
            match_length=settings.game.match_length,
            fps=args.fps,
            pace=args.pace,
        )
        demo = SimulatedCamera(options, realtime=True)
        board = dataclasses.replace(
            settings.board, profile=PROFILES.get(options.style, "generic"), near="light", home="right"
        )
        settings = dataclasses.replace(settings, board=board)
        log_dir = log_dir or Path(tempfile.mkdtemp(prefix="pi-board-demo-"))

    if demo is not None:
        # The wizard of a demo shows how setting up goes; what it saves is not for the real table.
        settings = dataclasses.replace(settings, path=_copied(settings.path))
    camera = demo

    def next_camera() -> Any:
        if camera is not None:
            return camera
        from pi_board.camera import open_camera

        return open_camera(settings.camera)

    folder = (log_dir or Path(settings.record.folder)).expanduser()
    require_log_folder(folder)
    sitting = make_sitting(settings, log_dir=log_dir, go_on=not args.new)
    sitting.pipeline.spared = SparedLooks(SparedLooks.AT_A_TABLE)
    app = App(next_camera, sitting, hints=settings.hints)
    try:
        page = open_page(settings, app, log_dir=log_dir, must=True)
        assert page is not None
        app.outputs.append(page)
        if demo is not None:
            app.outputs.append(Listeners(app, demo))
            if (evidence := sitting.evidence(settings.record)) is not None:
                app.keep_evidence = evidence.request
                app.outputs.append(evidence)
        else:
            from pi_board.commands.run import table_outputs

            app.outputs += table_outputs(settings, app, headless=True, address=lambda: page.player_url)
        if args.json:
            lines = EventLines(solitaire=isinstance(sitting, SolitaireSitting))
            addresses = {"player_url": page.player_url, "spectator_url": page.spectator_url}
            lines.line({"type": "page", **addresses, "games": str(folder)})
            app.outputs.append(lines)
        else:
            app.outputs.append(LogNotices())
            print(f"page: {page.player_url}")
            print(f"for spectators: {page.spectator_url}")
            if not settings.web.local_only:
                print(qr_text(page.player_url))
            print(f"games: {folder}   Ctrl-C ends", flush=True)
        signal.signal(signal.SIGTERM, lambda *_: app.stop())
        app.run()
    finally:
        sitting.close()
        sys.stdout.flush()
    return 0
