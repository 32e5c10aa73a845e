"""Samples of traced pictures to learn from, for the dice finder and for the network of long points.

    python tests/bench/trace_rooms.py --count 200 --seed 1000 --dice 14 --samples 8 --out DIR
    python tests/bench/traced_samples.py DIR FILE.npz
    python -m pi_board.vision.training.finder_train learn DRAWN.npz OUT.npz --also FILE.npz

    python tests/bench/trace_rooms.py --count 200 --seed 2000 --rows --samples 8 --out DIR
    python tests/bench/traced_samples.py DIR SHARDS/stacks-900.npz --rows
    python -m pi_board.vision.training.stack_train SHARDS --start pi_board/vision/weights/stacks.npz --out OUT.npz

A finder's sample is a piece of the rectified field and what lies there, as `dice_data.draw` gives them; one of the other is a strip as
`stack_samples` cuts it. Seeds below 1000 are for proof: learn from none of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.checkers.stacks import LEAST
from pi_board.vision.dice.finder_view import FinderView, margin_of
from pi_board.vision.profile import load_profile
from pi_board.vision.training.dice_data import FINDER_SIZE
from pi_board.vision.training.stack_samples import packed, seen_board, strip_of

Rng = np.random.Generator
#: Pieces of a picture. Corners are never found exactly: each piece has errors of its own, shares of the field's width. The same of the
#: strips, each of which is cut so many times; as in `stack_samples.strips_of`.
_PIECES, _SLIP = 8, 0.004
_SLIPS = 0.0005, 0.002, 0.005
#: What shows less of its top than this is not asked for, as in `dice_samples.finder_sample`.
_SHOWS = 0.45
_MOST_THINGS = 10


def things_of(document: dict[str, Any], view: FinderView) -> npt.NDArray[np.float32]:
    """(N, 5) kind, x, y, edge (px of the view), on a checker."""
    back = np.linalg.inv(view.to_picture)

    def flat(points: Any) -> npt.NDArray[np.float64]:
        return cv2.perspectiveTransform(np.array(points, np.float64).reshape(1, -1, 2), back)[0]

    def row(kind: int, thing: dict[str, Any], on_checker: bool = False) -> list[float]:
        corners = flat(thing["corner_px"])
        edge = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())
        return [kind, *flat(thing["center_px"])[0], edge, on_checker]

    rows = [
        row(1, die, die["cocked_kind"] == "on_checker")
        for die in document["dice"]
        if die["visible"] >= _SHOWS
    ]
    if document["cube"].get("corner_px"):
        rows.append(row(2, document["cube"]))
    return np.array(rows, np.float32).reshape(-1, 5)


def pieces(rng: Rng, picture: npt.NDArray[np.uint8], document: dict[str, Any]) -> list[tuple[Any, Any]]:
    """(FINDER_SIZE, FINDER_SIZE, 3) uint8 and its (10, 5) table, some of one picture."""
    out = []
    corners = np.array(document["corners_px"], np.float64)
    width = float(np.linalg.norm(corners[1] - corners[0]))
    for _ in range(_PIECES):
        slipped = corners + rng.normal(0, _SLIP * width, corners.shape)
        geometry = BoardGeometry(load_profile("generic"), slipped, (picture.shape[1], picture.shape[0]))
        view = FinderView(geometry, margin_of(geometry))
        flat = view.flat(picture)
        things = things_of(document, view)
        free = np.array(flat.shape[1::-1]) - FINDER_SIZE
        at = rng.integers(0, np.maximum(free, 0) + 1)
        table = np.zeros((_MOST_THINGS, 5), np.float32)
        inside = things[((things[:, 1:3] > at - 2) & (things[:, 1:3] < at + FINDER_SIZE + 2)).all(axis=1)]
        inside = inside[:_MOST_THINGS]
        table[: len(inside)] = inside - [0, *at, 0, 0]
        out.append((flat[at[1] : at[1] + FINDER_SIZE, at[0] : at[0] + FINDER_SIZE], table))
    return out


def strips(rng: Rng, picture: npt.NDArray[np.uint8], document: dict[str, Any]) -> list[tuple[Any, ...]]:
    """(strip, lift, count, upper layer at stride 8) of every long row of one picture, some times over."""
    corners = np.array(document["corners_px"], np.float64)
    width = float(np.linalg.norm(corners[1] - corners[0]))
    upper = np.zeros(picture.shape, np.uint8)
    for checker in document["checkers"]:
        if checker["loc"] == "point" and checker["layer"]:
            x, y = (round(v * 16) for v in checker["center_px"])
            cv2.circle(upper, (x, y), round(checker["radius_px"] * 16), (255, 255, 255), -1, cv2.LINE_AA, 4)
    sizes = document["geometry_cm"]
    bar = sizes["bar"] / sizes["field_w"]
    out = []
    for slip in _SLIPS:
        slipped = corners + rng.normal(0, slip * width, corners.shape)
        share = float(np.clip(bar + rng.normal(0, 0.003), 0.01, 0.2))
        board = seen_board(slipped, (picture.shape[1], picture.shape[0]), share)
        for i, point in enumerate(document["points"]):
            n = point["light"] + point["dark"]
            if n < LEAST:
                continue
            column, _ = Orientation("light").column_of(i + 1)
            strip, lifted, small = strip_of(picture, upper, board, column, i >= 12)
            out.append((strip, lifted, n, small))
    return out


def write_rows(folder: Path, out: Path) -> int:
    """A shard for `stack_train` of all pictures of a folder; returns how many strips."""
    rows: list[tuple[Any, ...]] = []
    for number, path in enumerate(sorted(folder.glob("*.json"))):
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        rows += strips(np.random.default_rng(number), picture, json.loads(path.read_text()))
    np.savez(out, **packed(rows))
    return len(rows)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rows", action="store_true", help="strips of long rows instead")
    args = parser.parse_args()
    if args.rows:
        print(f"{args.out}: {write_rows(args.folder, args.out)} strips")
        return 0
    images, labels, numbers = [], [], []
    for number, path in enumerate(sorted(args.folder.glob("*.json"))):
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        for image, table in pieces(np.random.default_rng(number), picture, json.loads(path.read_text())):
            if image.shape[:2] == (FINDER_SIZE, FINDER_SIZE):
                images.append(image)
                labels.append(table.ravel())
                numbers.append(number)
    np.savez(args.out, images=np.stack(images), labels=np.stack(labels), number=np.array(numbers))
    print(f"{args.out}: {len(images)} samples of {len(set(numbers))} pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
