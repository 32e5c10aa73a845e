"""`pi-board read IMAGE…`: a photo of any board, read without history."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from pi_board.commands.board_arguments import add_board_arguments
from pi_board.errors import InvalidError, InvalidFileError
from pi_board.rules import GameState, Side
from pi_board.rules.xgid import to_xgid
from pi_board.session.upright import read_any_way_up
from pi_board.terminal.diagram import text_diagram
from pi_board.vision.profile import load_profile
from pi_board.vision.still import Reading, read_image

HELP = "read a photo of a board"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("image", nargs="+", type=Path, metavar="IMAGE", help="a picture file (JPEG, PNG, …)")
    add_board_arguments(parser, profile="generic")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON document: an object for one picture, a list of them for several",
    )


def run(args: argparse.Namespace) -> int:
    board = load_profile(args.profile)
    near: Side = args.near or board.near
    home = args.home or board.home
    documents = []
    for path, image in pictures(args.image):
        try:
            reading = (
                read_any_way_up(image, profile=board, near=near, home=home)
                if args.corners is None
                else read_image(image, corners=args.corners, profile=board, near=near, home=home)
            )
        except InvalidError as error:
            # It knows what is wrong with a picture (too small, corners outside it), not which of several it is.
            raise InvalidFileError(f"{path}: {error}") from None
        if reading.position is None:
            # On standard error, so that it does not get lost in a JSON document or in a file.
            print("\n".join(describe(path, reading, near, home)), file=sys.stderr, flush=True)
        elif not args.json:
            print("\n".join(describe(path, reading, near, home)), flush=True)
        documents.append(document(path, reading))
    if args.json:
        print(json.dumps(documents[0] if len(documents) == 1 else documents, ensure_ascii=False))
    return 0 if any(d["position"] is not None for d in documents) else 1


def pictures(paths: list[Path]) -> Iterator[tuple[Path, np.ndarray[Any, Any]]]:
    # Check all names first, so that a misspelt last one does not waste the reading of the others.
    for path in paths:
        if path.is_dir():
            raise InvalidFileError(f"{path}: is a folder; expected a picture (JPEG, PNG, …)")
        if not path.is_file():
            raise InvalidFileError(f"{path}: no such picture")
    for path in paths:
        try:
            image = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR)
        except (OSError, cv2.error):
            image = None
        if image is None:
            raise InvalidFileError(f"{path}: expected a picture (JPEG, PNG, …)")
        yield path, image


def document(path: Path, reading: Reading) -> dict[str, Any]:
    """The contract's object for one picture; `position`, `corners` and `xgid` are null where nothing can be said."""
    cube = reading.cube
    return {
        "file": str(path),
        "position": None if reading.position is None else reading.position.to_document(),
        "dice": [
            {"value": d.value, "cocked": bool(d.cocked), "x": round(float(d.x), 1), "y": round(float(d.y), 1)}
            for d in reading.dice
        ],
        "cube": None if cube is None else {"value": cube.value, "place": cube.place},
        "corners": None
        if reading.corners is None
        else [[round(float(v), 1) for v in c] for c in reading.corners],
        "hand": bool(reading.hand),
        "confidence": round(float(reading.confidence), 4),
        "xgid": xgid(reading),
        "refusal": reading.refusal,
        "hidden": list(reading.hidden),
        "seen": None if reading.seen is None else list(reading.seen),
        "note": reading.note,
        "light_is": reading.light_is,
        "dark_is": reading.dark_is,
    }


def xgid(reading: Reading) -> str | None:
    """Position, cube and dice as seen; a photo does not tell whose roll it is, so light's is assumed."""
    if reading.position is None:
        return None
    cube, owner = 1, None
    if reading.cube is not None and reading.cube.value is not None:
        owner = reading.cube.place if reading.cube.place in ("light", "dark") else None
        # A lone 64 in the middle means 1; an offered cube is not turned yet.
        cube = reading.cube.value if owner or reading.cube.place == "center" else 1
    flat = [d.value for d in reading.dice if d.value is not None and not d.cocked]
    dice = (flat[0], flat[1]) if len(flat) == 2 else None
    return to_xgid(GameState(reading.position, cube=cube, owner=owner, dice=dice))  # type: ignore[arg-type]


def describe(path: Path, reading: Reading, near: Side, home: str) -> list[str]:
    """What the command prints for a person."""
    if reading.position is None:
        counted = (
            ""
            if reading.seen is None or not any(reading.seen)
            else f" (points 1-24: {' '.join(map(str, reading.seen[:24]))})"
        )
        return [f"{path}: not read: {reading.refusal}{counted}"]
    cube = reading.cube
    owner: Side | None = None
    if cube is not None and cube.place in ("light", "dark"):
        owner = "light" if cube.place == "light" else "dark"
    lines = [
        f"{path}: confidence {reading.confidence:.2f}{' (a hand lies over the board)' if reading.hand else ''}"
    ]
    if reading.light_is is not None and reading.light_is != reading.dark_is:
        lines.append(f"light is {reading.light_is}, dark is {reading.dark_is}")
    lines += text_diagram(
        reading.position,
        near=near,
        home=home,
        cube=(cube.value or 1) if cube is not None else 1,
        cube_owner=owner,
    )
    for die in reading.dice:
        value = "?" if die.value is None else str(die.value)
        lines.append(f"die {value} at {die.x:.0f},{die.y:.0f}{' (cocked)' if die.cocked else ''}")
    if reading.note:
        lines.append(f"note: {reading.note}")
    if reading.hidden:
        lines.append("hidden by the hand, at least in part: points " + ", ".join(map(str, reading.hidden)))
    lines.append(str(xgid(reading)))
    return lines
