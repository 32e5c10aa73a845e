"""Does the reader know the cups that stand on the board, and nothing else? Whole rendered games with cups, beside what really stands there.

    python tests/bench/bench_things.py [--seeds 801 404] [--cups 2] [--cheat 0.1] [--seconds 120] [-v]

The games are those of `bench_cups.py`. Of all looks at a board at rest, per game and in all: refused = something seems to be in the way;
unknown = settled, and a cup that stands on the field is not among the known things; phantom = settled, and something is known to stand where
no cup does; wide = settled, and what is known covers more than twice what stands there. -v: when and where.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

import bench_cups
import cv2
import numpy as np

from pi_board.camera.simulated import SimulatedCamera
from pi_board.campaign import play
from pi_board.campaign.rooms import Room
from pi_board.frame import Frame
from pi_board.sighting import Sighting
from pi_board.simulator.lens import Projection
from pi_board.simulator.things import Cup
from pi_board.vision.board.canvas import Canvas
from pi_board.vision.reader import BoardReader

#: A known thing covers so much of a cup's foot, or it is another thing.
TOLD = 0.3
#: Looks that are counted.
KINDS = ("settled", "refused", "unknown", "phantom", "wide")


def footprint(cup: Cup, lens: Projection, canvas: Canvas) -> np.ndarray:
    """(H, W) what of the canvas the foot and the rim of `cup` cover, with all between them."""
    angles = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
    ring = np.stack([cup.x + cup.radius * np.cos(angles), cup.y + cup.radius * np.sin(angles)], axis=1)
    picture = np.concatenate([lens.project(np.c_[ring, np.full(24, z)]) for z in (cup.z, cup.z + cup.height)])
    places = canvas.from_picture(picture).astype(np.float32)
    out = np.zeros((canvas.height, canvas.width), np.uint8)
    cv2.fillConvexPoly(out, cv2.convexHull(places).round().astype(np.int32), 1)
    return out.astype(bool)


class Watch:
    """Counts the looks of one game."""

    def __init__(self, verbose: bool) -> None:
        self.count: Counter[str] = Counter()
        self._verbose, self._last = verbose, ""

    def see(self, reader: BoardReader, camera: SimulatedCamera, frame: Frame, sighting: Sighting) -> None:
        scene = camera.scene
        cups = [c for c in scene.clutter if isinstance(c, Cup)]
        if not cups or scene.hands:
            return
        told = []
        if sighting.gate.name in ("HAND", "BLOCKED"):
            told.append("refused")
        elif sighting.settled:
            told += ["settled", *self._of(reader, camera._table._renderer.lens, cups)]
        self.count.update(kind.split()[0] for kind in told)
        line = ", ".join(kind for kind in told if kind != "settled")
        if self._verbose and line != self._last:
            print(f"    {frame.time:7.1f} {line}")
        self._last = line

    def _of(self, reader: BoardReader, lens: Projection, cups: list[Cup]) -> list[str]:
        state = reader.state
        feet = [footprint(cup, lens, state.canvas) & state.canvas.field for cup in cups]
        known = [thing.mask for thing in state.way.things.known]
        hides = np.any(known, axis=0) if known else np.zeros_like(feet[0])
        stands = np.any(feet, axis=0)
        told = [
            f"unknown at {cup.x:.0f} {cup.y:.0f}"
            for cup, foot in zip(cups, feet, strict=True)
            if foot.any() and (hides & foot).sum() < TOLD * foot.sum()
        ][:1]
        if any(not (mask & stands).any() for mask in known):
            told.append("phantom")
        if (hides & state.canvas.field).sum() > 2 * stands.sum():
            told.append("wide")
        return told


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs="*", default=[801, 404])
    parser.add_argument("--cups", type=int, default=2)
    parser.add_argument("--cheat", type=float, default=0.1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of each game")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    total: Counter[str] = Counter()
    for seed in args.seeds:
        watch = Watch(args.verbose)
        _play(seed, bench_cups.room_of(seed, args.cups, args.cheat), watch, args.seconds)
        total += watch.count
        print(f"{seed:>7} {_line(watch.count)}", flush=True)
    print(f"  total {_line(total)}")


def _line(count: Counter[str]) -> str:
    settled = max(1, count["settled"])
    return "  ".join(
        f"{kind} {count[kind]}" + (f" ({count[kind] / settled:.1%})" if kind not in KINDS[:2] else "")
        for kind in KINDS
    )


class _Enough(Exception):
    """So many seconds have been seen."""


def _play(seed: int, room: Room, watch: Watch, seconds: float) -> None:
    cameras: list[SimulatedCamera] = []
    look = BoardReader.look

    def open_camera(*args: Any, **more: Any) -> SimulatedCamera:
        cameras.append(SimulatedCamera(*args, **more))
        return cameras[-1]

    def watched(reader: BoardReader, frame: Frame) -> Sighting:
        if frame.time > seconds:
            raise _Enough
        sighting = look(reader, frame)
        if reader.state.appearance is not None:
            watch.see(reader, cameras[-1], frame, sighting)
        return sighting

    play.SimulatedCamera, BoardReader.look = open_camera, watched  # type: ignore[misc, assignment, method-assign]
    try:
        play.play_room(seed, room)
    except _Enough:
        pass
    finally:
        play.SimulatedCamera, BoardReader.look = SimulatedCamera, look  # type: ignore[misc, method-assign]


if __name__ == "__main__":
    main()
