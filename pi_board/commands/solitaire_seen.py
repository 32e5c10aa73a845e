"""The actions of `pi-board solitaire` that look at a board: read."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pi_board.commands.board_arguments import corners
from pi_board.errors import AmbiguousError
from pi_board.solitaire import BOARD_37


def add_actions(action: Callable[[str, str], argparse.ArgumentParser]) -> None:
    """Adds the parsers of this module's actions."""
    read = action("read", "read a photo of the 37-hole board")
    read.add_argument("image", nargs="+", type=Path, metavar="IMAGE", help="a picture file")
    read.add_argument(
        "--corners",
        type=corners,
        help='corners of the board\'s field, "x,y x,y x,y x,y" (only looked at inside)',
    )


def run(args: argparse.Namespace) -> int:
    """One of this module's actions."""
    from pi_board.commands.read import pictures
    from pi_board.vision.holes import read_holes

    documents: list[dict[str, Any]] = []
    for path, image in pictures(args.image):
        try:
            reading = read_holes(image, corners=args.corners)
        except AmbiguousError as error:
            documents.append(
                {"file": str(path), "holes": None, "pieces": None, "confidence": 0.0, "refusal": str(error)}
            )
            continue
        documents.append(
            {
                "file": str(path),
                "holes": list(reading.holes),
                "pieces": sum(reading.holes),
                "confidence": round(reading.confidence, 4),
                "places": [[round(float(x), 1), round(float(y), 1)] for x, y in reading.places],
                "refusal": None,
            }
        )
    if args.json:
        print(json.dumps(documents[0] if len(documents) == 1 else documents))
        return 0
    for document in documents:
        print(
            f"{document['file']}:",
            document["refusal"] or f"{document['pieces']} pieces, confidence {document['confidence']}",
        )
        if document["holes"] is not None:
            print("\n".join(BOARD_37.text(BOARD_37.from_holes(document["holes"]))))
    return 0
