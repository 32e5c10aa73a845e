"""`pi-board calibrate`: set up camera and board on a Pi without a screen, and show the page's address."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from pi_board.camera import open_camera
from pi_board.camera.lens import ENOUGH_VIEWS, LensViews, edge_bend, save_lens
from pi_board.commands.argument_types import number
from pi_board.commands.board_arguments import add_board_arguments
from pi_board.commands.page import qr_text
from pi_board.commands.settings_arguments import add_config
from pi_board.errors import AmbiguousError, CameraError, DeviceError
from pi_board.setup.desk import seat
from pi_board.setup.fit import registration_by_hand
from pi_board.setup.page_input import saved_quad
from pi_board.setup.picture_checks import picture_checks, start_ticks
from pi_board.setup.settings import SEARCH, Settings, load_settings
from pi_board.setup.settings_file import change_settings
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.board.registration import Registration
from pi_board.vision.finding.find_board import find_board
from pi_board.vision.profile import load_profile
from pi_board.web.server import page_addresses

HELP = "set up camera and board without a screen"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser)
    add_board_arguments(parser)
    parser.add_argument(
        "--seconds",
        type=number(0.1, 3600),
        help="how long to look for the board (default 20), or for the lens sheet (180)",
    )
    parser.add_argument(
        "--lens",
        nargs="?",
        const="",
        metavar="FOLDER",
        help="measure the lens instead, from the camera or a folder of pictures of calibration/lens.pdf",
    )
    parser.add_argument("--dry-run", action="store_true", help="look and advise, change nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    settings = load_settings(args.config)
    if args.lens is not None:
        return _lens(settings, args)
    board = settings.board
    name = args.profile or board.profile
    orientation = Orientation(args.near or board.near, args.home or board.home)
    profile = load_profile(name)
    by_hand = args.corners is not None

    def say(text: str) -> None:
        if not args.json:
            print(text, flush=True)

    say(f"board: {profile.title or name}; {seat(orientation.near, orientation.home)}")
    found, image = _look(settings, profile, args.corners, 20.0 if args.seconds is None else args.seconds, say)
    checks = picture_checks(image, found.geometry())
    ticks = start_ticks(image, found.geometry(), orientation)
    good = sum(t["good"] for t in ticks)
    say("board found at " + " ".join(f"{x:.0f},{y:.0f}" for x, y in found.corners))
    for check in checks:
        say(f"  {'ok ' if check.good else 'NOT'} {check.name}: {check.words}")
    if good == 24:
        say("  ok  starting position: every point is as it should be")
    else:
        wrong = ", ".join(f"{t['point']} ({_count(t['seen'])})" for t in ticks if not t["good"])
        say(f"  --  starting position: {good} of 24 points; otherwise seen: {wrong}")
    saved = ""
    if not args.dry_run:
        changes: dict[str, Any] = {"profile": name, "near": orientation.near, "home": orientation.home}
        # Save only corners set by hand. A board that was found automatically is found again at every start.
        changes["corners"] = " ".join(f"{x:.1f},{y:.1f}" for x, y in args.corners) if by_hand else ""
        changes["bar_edges"] = ""
        settings = change_settings(settings.path, {"board": changes})
        saved = str(settings.path)
        say(f"saved in {saved}")
    player, spectator = page_addresses(settings.web)
    if args.json:
        document = {
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in found.corners],
            "confidence": round(found.confidence, 3),
            "checks": [c.to_document() for c in checks],
            "points_right": good,
            "saved": saved or None,
            "page": player,
        }
        json.dump(document, sys.stdout)
        print()
        return 0
    say(f"\nThe page, while `pi-board run` or `pi-board serve` is on: {player}\nfor spectators: {spectator}")
    if settings.web.local_only:
        say(
            'It answers on this machine only; for a phone set host = "0.0.0.0" under [web] in the settings file.'
        )
    else:
        say(qr_text(player))
    return 0


def _lens(settings: Settings, args: argparse.Namespace) -> int:
    """Views of the printed chessboard until there are enough, the lens from them, its file beside the settings file."""

    def say(text: str) -> None:
        if not args.json:
            print(text, flush=True)

    views = LensViews()
    pictures = replace(settings.camera, backend="folder", source=args.lens) if args.lens else settings.camera
    end = time.monotonic() + (180.0 if args.seconds is None else args.seconds)
    say(
        "move the sheet about: near the middle, into every corner, tilted each way; hold it still at each place"
    )
    with open_camera(replace(pictures, lens="")) as camera:
        while len(views) < ENOUGH_VIEWS or args.lens:
            try:
                frame = camera.read()
            except CameraError as error:
                say(f"  … {error}")
                frame = None
                if time.monotonic() > end:
                    raise
            else:
                if frame is None:
                    break
            if frame is not None and views.add(frame.image):
                say(f"  view {len(views)} of {ENOUGH_VIEWS}" + (f": {frame.name}" if frame.name else ""))
            if not args.lens and time.monotonic() > end:
                break
    lens = views.measure()
    file = (
        settings.path.resolve().parent if settings.path else Path(SEARCH[0]).expanduser().parent
    ) / "lens.toml"
    bend = 100 * edge_bend(lens)
    say(
        f"lens measured from {len(views)} views, {lens.error:.2f} px left; it bends the picture's edge by {bend:.1f} % of its height"
    )
    if not args.dry_run:
        try:
            save_lens(lens, file)
        except OSError as error:
            raise DeviceError(f"{file}: cannot be written ({error.strerror})") from None
        # Corners set by hand were set in the distorted picture, so they are no longer valid.
        changes = {"camera": {"lens": str(file)}, "board": {"corners": "", "bar_edges": ""}}
        say(
            f"saved in {file}; used from the next start"
            + ("; set the board's corners again" if settings.board.corners else "")
        )
        change_settings(settings.path, changes)
    if args.json:
        json.dump(
            {
                "views": len(views),
                "error": round(lens.error, 3),
                "bend": round(bend, 2),
                "saved": None if args.dry_run else str(file),
            },
            sys.stdout,
        )
        print()
    return 0


def _count(seen: int) -> str:
    return "empty" if not seen else f"{abs(seen)} {'light' if seen > 0 else 'dark'}"


def _look(
    settings: Settings, profile: Any, corners: Any, seconds: float, say: Any
) -> tuple[Registration, Any]:
    """(registration, picture): pictures are tried until one shows the board. Raises AmbiguousError, CameraError."""
    board = settings.board
    if corners is None and board.corners and profile.name == board.profile:
        say("(the corners in the settings file are left aside; the board is looked for afresh)")
    end = time.monotonic() + seconds
    reason = ""
    with open_camera(settings.camera) as camera:
        while True:
            frame = camera.read()
            if frame is None:
                raise AmbiguousError(reason or "the camera gave no picture")
            try:
                if corners is not None:
                    return registration_by_hand(frame.image, corners, saved_quad(""), profile), frame.image
                return find_board(frame.image, profile), frame.image
            except AmbiguousError as error:
                if str(error) != reason:
                    reason = str(error)
                    say(f"  … {reason}")
            except CameraError as error:
                say(f"  … {error}")
            if time.monotonic() > end:
                raise AmbiguousError(f"{reason} (looked for {seconds:g} s)")
