"""Pairs of strips for the network that compares long points: `python -m pi_board.vision.training.pile_samples DIR --shards 4`.

A simulated table with long points is seen twice. In between somebody was at most of these points: checkers came or left, or were put back,
and at times the light has changed.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.rules import Position
from pi_board.simulator import STYLES, SimulatedTable, SimulatorOptions
from pi_board.simulator.drawn_name import PREFIX
from pi_board.simulator.light import PRESETS, lamp_off
from pi_board.simulator.renderer import Renderer
from pi_board.simulator.scene import Place, Scene
from pi_board.vision.checkers.pile_changes import PILE
from pi_board.vision.checkers.stacks import LEAST, MOST, cut_strip, lift, load_weights
from pi_board.vision.training.boards import Rng
from pi_board.vision.training.samples import write_shards
from pi_board.vision.training.stack_samples import seen_board

Image = npt.NDArray[np.uint8]
#: A strip then, the same now, the lift of the second layer, and how many checkers lay and lie there.
Pair = tuple[Image, Image, npt.NDArray[np.float64], int, int]

#: Rooms of a shard, boards of a room.
ROOMS, BOARDS = 100, 8
#: Pictures that cameras take, and how often.
SIZES, SHARES = ((640, 480), (800, 600), (960, 540), (1280, 720), (1280, 960)), (0.15, 0.15, 0.2, 0.35, 0.15)
#: How long points are, and how often; so many of a board.
LONG, OFTEN = np.arange(5, 13), (0.2, 0.22, 0.18, 0.14, 0.1, 0.08, 0.05, 0.03)
LONG_POINTS = 6
#: How often nobody was at a long point, or put back what was taken; otherwise so many came or left, so often.
UNTOUCHED, PUT_BACK = 0.12, 0.22
CHANGES, HOW_OFTEN = (-4, -3, -2, -1, 1, 2, 3, 4), (0.05, 0.07, 0.13, 0.25, 0.25, 0.13, 0.07, 0.05)
#: How often a checker more is taken and put back with those that come or leave, and how often the light has changed.
FUMBLED, RELIT = 0.2, 0.2
#: Corners are never found exactly: shares of the field's width by which they are off in both pictures, and from one to the other.
OFF, MORE_OFF = (0.0005, 0.002, 0.004), (0.0001, 0.0005)
BAR_OFF = 0.003


def long_board(rng: Rng) -> Position:
    """A board with up to six long points; the others lie in short rows, or have been borne off."""
    points, left = [0] * 24, {1: 15, -1: 15}
    for i, column in enumerate(rng.permutation(12)[:LONG_POINTS].tolist()):
        slot, sign = (column if rng.random() < 0.5 else 23 - column), 1 if i % 2 else -1
        n = min(int(rng.choice(LONG, p=OFTEN)), left[sign])
        if n >= PILE:
            points[slot], left[sign] = sign * n, left[sign] - n
    free = [s for s in rng.permutation(24).tolist() if not points[s] and not points[23 - s]]
    for sign in (1, -1):
        while left[sign] and free:
            n = min(left[sign], int(rng.integers(1, 5)))
            points[free.pop()], left[sign] = sign * n, left[sign] - n
    return Position(tuple(points), (0, 0), (left[1], left[-1]))


def play_about(scene: Scene, rng: Rng) -> None:
    """What somebody does at the long points of `scene`, and at some others."""
    points = {
        place: list(stack) for place, stack in scene.places.items() if place[0] == "point" and len(stack) > 0
    }
    for place, stack in points.items():
        if len(stack) >= PILE:
            _at_long_point(scene, rng, place, len(stack))
        elif rng.random() < 0.4:
            if rng.random() < 0.5:
                scene.take(place, stack[0].side)
            else:
                scene.put(stack[0].side, place)


def _at_long_point(scene: Scene, rng: Rng, place: Place, lay: int) -> None:
    side, chance = scene.places[place][0].side, rng.random()
    if chance < UNTOUCHED:
        return
    change, again = 0, int(rng.choice([1, 1, 1, 2, 3]))
    if chance > UNTOUCHED + PUT_BACK:
        change, again = int(rng.choice(CHANGES, p=HOW_OFTEN)), int(rng.random() < FUMBLED)
    change = max(LEAST - lay, min(MOST - lay, change))
    for _ in range(max(0, -change) + again):
        scene.take(place, side)
    for _ in range(max(0, change) + again):
        scene.put(side, place)


def table_of(seed: int, rng: Rng) -> SimulatorOptions:
    """Every other room has a set that is drawn too."""
    style = f"{PREFIX}{seed}" if seed % 2 else str(rng.choice(sorted(STYLES)))
    width, height = SIZES[int(rng.choice(len(SIZES), p=SHARES))]
    return SimulatorOptions(
        seed=seed,
        style=style,
        near="light" if rng.random() < 0.5 else "dark",
        home="right" if rng.random() < 0.5 else "left",
        width=width,
        height=height,
        light=str(rng.choice(sorted(PRESETS))),
        noise=round(float(np.clip(rng.lognormal(np.log(2.2), 0.4), 0.8, 5.0)), 1),
        jitter=round(float(rng.uniform(0.5, 2.0)), 1),
        tilt=round(float(rng.uniform(0, 32)), 0),
    )


def pairs_of(seed: int, boards: int = BOARDS) -> list[Pair]:
    """All pairs of one room."""
    rng = np.random.default_rng((seed, 77))
    options = table_of(seed, rng)
    scene, size = SimulatedTable(options).scene, (options.width, options.height)
    renderer = Renderer(size, seed)

    def picture() -> Image:
        return renderer.render(scene.view, scene.things(), scene.hands, scene.effects)

    picture()
    style, layout = scene.style, scene.layout
    corners = renderer.lens.project(layout.corners())
    span, view, effects = float(np.linalg.norm(corners[1] - corners[0])), scene.view, scene.effects
    columns = np.array([layout.column_x(c) for c in range(12)])
    out: list[Pair] = []
    for _ in range(boards):
        scene.layer_from, scene.bridging = 5 if rng.random() < 0.75 else 6, bool(rng.random() < 0.5)
        scene.set_position(long_board(rng))
        lay = {int(where): len(stack) for (kind, where), stack in scene.places.items() if kind == "point"}
        then = picture()
        play_about(scene, rng)
        if rng.random() < RELIT:
            if rng.random() < 0.5:
                scene.view = replace(view, light=lamp_off(view.light))
            else:
                scene.effects = replace(
                    effects, gain=effects.gain * float(rng.choice([0.45, 0.6, 0.75, 1.25]))
                )
        now = picture()
        scene.view, scene.effects = view, effects
        off = corners + rng.normal(0, rng.choice(OFF) * span, (4, 2))
        share = float(np.clip(style.bar_width / style.field_width + rng.normal(0, BAR_OFF), 0.01, 0.16))
        geometries = [
            seen_board(off + rng.normal(0, rng.choice(MORE_OFF) * span, (4, 2)), size, share)
            for _ in range(2)
        ]
        for point, n in lay.items():
            lie = len(scene.places[("point", point)])
            if n < PILE or lie < LEAST:
                continue
            column, far = int(np.abs(columns - layout.point_x(point)).argmin()), layout.row_sign(point) > 0
            strips = [cut_strip(p, g, column, far) for p, g in zip((then, now), geometries, strict=True)]
            out.append((strips[0], strips[1], lift(geometries[0], column, far), n, lie))
    return out


def packed(pairs: list[Pair]) -> dict[str, Any]:
    """Pairs as a shard keeps them."""
    then, now, lifts, lay, lie = (np.array(part) for part in zip(*pairs, strict=True))
    return {
        "then": then,
        "now": now,
        "lifts": lifts.astype(np.float32),
        "lay": lay.astype(np.int8),
        "lie": lie.astype(np.int8),
    }


def write_shard(folder: Path, index: int) -> None:
    temporary = folder / f"part-{index:03d}.npz"
    first = 9_000_000 + index * ROOMS
    np.savez(temporary, **packed([pair for i in range(ROOMS) for pair in pairs_of(first + i)]))
    temporary.rename(folder / f"piles-{index:03d}.npz")


def trunk_digest() -> str:
    """Of the convolutions of the network of long points, whose features the network of piles reads: with others it must be trained anew."""
    w = load_weights()
    trunk = [n for n in sorted(w) if n.startswith(("stem", "fine", "down", "block"))]
    return hashlib.sha256(b"".join(n.encode() + w[n].tobytes() for n in trunk)).hexdigest()[:16]


if __name__ == "__main__":
    write_shards(write_shard, __doc__, 4)
