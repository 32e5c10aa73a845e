"""Pairs of strips of long points from path-traced rooms, for the network that compares them with the last accepted picture.

    python tests/bench/trace_piles.py --count 40 --seed 95000 --out SHARDS/piles-900.npz
    python -m pi_board.vision.training.pile_train SHARDS --out OUT.npz

Each room is traced several times, with other numbers of checkers on its long points, and each picture is compared with each later one. What
nobody has touched lies as it lay. Needs mitsuba and pyoidn, see `trace_rooms`. Seeds below 1000 are for proof: learn from none of them.
"""

from __future__ import annotations

import argparse
import itertools
import os
import time
from pathlib import Path

import cv2
import mitsuba as mi
import numpy as np
import numpy.typing as npt
import trace_rooms as traced

from pi_board.rules import Position
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.checkers.pile_changes import PILE
from pi_board.vision.checkers.stacks import LEAST, cut_strip, lift
from pi_board.vision.training.pile_samples import BAR_OFF, MORE_OFF, OFF, Pair, packed
from pi_board.vision.training.stack_samples import seen_board

Rng = np.random.Generator
#: Pictures of a room, paths a pixel, and widths of the pictures, px.
PICTURES, SAMPLES, WIDTHS = 4, 4, (640, 720, 800)
#: How many lie on a point, how often; and so many came or left of a long one, if somebody was there.
LIE, OFTEN = (
    (0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11),
    (0.16, 0.08, 0.08, 0.06, 0.12, 0.14, 0.13, 0.1, 0.07, 0.04, 0.02),
)
TOUCHED, CHANGES, HOW_OFTEN = 0.75, (-3, -2, -1, 1, 2, 3), (0.08, 0.16, 0.28, 0.28, 0.14, 0.06)
MOST = 13
#: Nothing lies beside the points: what a room wants to know of bar and trays.
ELSEWHERE = Position((1,) + (0,) * 22 + (-1,), (0, 0), (14, 14))


class RoomOfPiles(traced.Room):
    """A room with these (24,) signed counts on its points."""

    def __init__(
        self, seed: tuple[int, int], points: npt.NDArray[np.int64], near: str, roll: traced.Roll
    ) -> None:
        self._points = points
        super().__init__(seed, ELSEWHERE, near, roll=roll)

    def _counts(self) -> list[int]:
        return [int(n) for n in self._points]


def changed(rng: Rng, points: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The same after somebody was at most of the long points."""
    out = points.copy()
    for i, n in enumerate(points.tolist()):
        if abs(n) >= PILE and rng.random() < TOUCHED:
            many = abs(n) + int(rng.choice(CHANGES, p=HOW_OFTEN))
            out[i] = np.sign(n) * max(LEAST, min(MOST, many))
    return out


def pairs_of(seed: int, number: int) -> list[Pair]:
    """All pairs of one room; depends on the seed and the number alone."""
    rng = np.random.default_rng((seed, number, 5))
    lay = rng.choice(LIE, 24, p=OFTEN) * rng.choice([-1, 1], 24)
    boards = [lay, *(changed(rng, lay) for _ in range(PICTURES - 1))]
    near, width = str(rng.choice(traced.SIDES)), int(rng.choice(WIDTHS))
    view, pictures = None, []
    for k, points in enumerate(boards):
        one, other = (int(v) for v in rng.integers(1, 7, 2))
        room = RoomOfPiles((seed, number), points, near, traced.Roll((one, other), 1, k))
        if view is None:
            view = traced.draw_view(np.random.default_rng((seed, number, 9)), room.outer, width=width)
        light, _ = traced.render(room, view, SAMPLES)
        grain = np.random.default_rng((seed, number, 12, k))
        image, post = traced.develop(np.random.default_rng((seed, number, 11)), light, grain)
        coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, post["jpeg"]])[1]
        pictures.append(np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8))
    assert view is not None
    field, square = room.set.field, np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]], float)
    corners = view.project(square * [field.width / 2, field.height / 2, 0])
    span = float(np.linalg.norm(corners[1] - corners[0]))
    out: list[Pair] = []
    for i, j in itertools.combinations(range(PICTURES), 2):
        off = corners + rng.normal(0, rng.choice(OFF) * span, (4, 2))
        share = float(np.clip(field.bar / field.width + rng.normal(0, BAR_OFF), 0.01, 0.16))
        geometries = [
            seen_board(off + rng.normal(0, rng.choice(MORE_OFF) * span, (4, 2)), view.size, share)
            for _ in range(2)
        ]
        for slot in range(24):
            then, now = abs(int(boards[i][slot])), abs(int(boards[j][slot]))
            if then < PILE or now < LEAST:
                continue
            column, far = Orientation("light").column_of(slot + 1)[0], slot >= 12
            strips = [cut_strip(pictures[k], g, column, far) for k, g in zip((i, j), geometries, strict=True)]
            out.append((strips[0], strips[1], lift(geometries[0], column, far), then, now))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=95000)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    mi.set_variant("llvm_ad_rgb")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    pairs: list[Pair] = []
    for number in range(args.first, args.first + args.count):
        began = time.perf_counter()
        pairs += pairs_of(args.seed, number)
        temporary = args.out.with_suffix(".part.npz")
        np.savez(temporary, **packed(pairs))
        os.replace(temporary, args.out)
        print(f"{number}: {len(pairs)} pairs, {time.perf_counter() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()
