"""`pi-board run`: referee the board under the configured camera, with everything that is plugged in."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from pathlib import Path
from typing import Any

from pi_board.app import App
from pi_board.camera import open_camera
from pi_board.commands.board_arguments import parse_corners
from pi_board.settings import Settings, load_settings
from pi_board.sitting import FindingReader, Sitting
from pi_board.vision.profile import load_profile

HELP = "referee the board under the configured camera"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        help="settings file (default: ~/.config/pi-board/settings.toml or /etc/pi-board)",
    )
    parser.add_argument(
        "--log-dir", type=Path, help="journals and game files go here instead of [record] folder"
    )
    parser.add_argument(
        "--new", action="store_true", help="begin anew instead of going on with an unfinished game"
    )
    parser.add_argument("--headless", action="store_true", help="no live view in the terminal")


def make_sitting(settings: Settings, *, log_dir: Path | None = None, go_on: bool = True) -> Sitting:
    """Reader, referee and record as the settings say."""
    board = settings.board
    reader = FindingReader(
        load_profile(board.profile),
        corners=parse_corners(board.corners) if board.corners else None,
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
        folder=log_dir or Path(settings.record.folder).expanduser(),
        go_on=go_on,
        event=settings.record.event,
        site=settings.record.site,
    )


def run(args: argparse.Namespace) -> int:
    settings = load_settings(args.config)
    # A wrong backend, an empty folder, a video that cannot be decoded are said now, not after a retry.
    camera = open_camera(settings.camera)
    opened: list[Any] = [camera]

    def next_camera() -> Any:
        return opened.pop() if opened else open_camera(settings.camera)

    sitting = make_sitting(settings, log_dir=args.log_dir, go_on=not args.new)
    app = App(next_camera, sitting, hints=settings.hints)
    app.outputs += table_outputs(settings, app, headless=args.headless)
    signal.signal(signal.SIGTERM, lambda *_: app.stop())
    app.run()
    return 0


def table_outputs(settings: Settings, app: App, *, headless: bool) -> list[Any]:
    """Whatever of lights, buzzer, buttons and terminal is there; what is missing is said once."""
    from pi_board.panel.panel import Panel

    outputs: list[Any] = []
    panel = Panel(
        settings.panel, lambda word: app.submit(word) and None, clock=lambda: time.strftime("%H:%M")
    )
    outputs.append(panel)
    for notice in panel.notices:
        print(notice, file=sys.stderr)
    if not headless:
        from pi_board.terminal import TerminalOutput

        outputs.append(TerminalOutput(near=settings.board.near, home=settings.board.home))
    return outputs
