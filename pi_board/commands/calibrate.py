"""`pi-board calibrate`: set up camera and board on a Pi without a screen, and show the page's address."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from pi_board.camera import open_camera
from pi_board.commands.board_arguments import add_board_arguments
from pi_board.errors import AmbiguousError, CameraError
from pi_board.page import qr_text
from pi_board.settings import Settings, load_settings
from pi_board.settings_file import change_settings
from pi_board.setup_desk import picture_checks, registration_by_hand, saved_quad, seat, start_ticks
from pi_board.vision.orientation import Orientation
from pi_board.vision.profile import load_profile
from pi_board.vision.registration import Registration, find_board
from pi_board.web.server import page_addresses

HELP = "set up camera and board without a screen"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        help="settings file (default: ~/.config/pi-board/settings.toml or /etc/pi-board)",
    )
    add_board_arguments(parser)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long to look for the board (default 20)")
    parser.add_argument("--dry-run", action="store_true", help="look and advise, change nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    settings = load_settings(args.config)
    board = settings.board
    name = args.profile or board.profile
    orientation = Orientation(args.near or board.near, args.home or board.home)
    profile = load_profile(name)
    by_hand = args.corners is not None

    def say(text: str) -> None:
        if not args.json:
            print(text, flush=True)

    say(f"board: {profile.title or name}; {seat(orientation.near, orientation.home)}")
    found, image = _look(settings, profile, args.corners, args.seconds, say)
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
        # A board that was found by itself is found again at every start, wherever it lies then.
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
        say('It answers on this machine only; for a phone set host = "0.0.0.0" under [web] in the settings file.')
    else:
        say(qr_text(player))
    return 0


def _count(seen: int) -> str:
    return "empty" if not seen else f"{abs(seen)} {'light' if seen > 0 else 'dark'}"


def _look(settings: Settings, profile: Any, corners: Any, seconds: float, say: Any) -> tuple[Registration, Any]:
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
