"""What lies around a die of a drawn scene: strays, rows of checkers on their points, the tips of points, and ledges."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pi_board.vision.training import dice_scenes as scenes

Rng = np.random.Generator


def strays(rng: Rng, radius: float, keep_clear: float, reach: float, count: int) -> list[scenes.SceneChecker]:
    colours = [scenes._colour(rng), scenes._colour(rng)]
    discs: list[scenes.SceneChecker] = []
    for _ in range(count):
        away = radius + keep_clear + (0.0 if rng.random() < 0.35 else rng.uniform(0, reach))
        angle = rng.uniform(0, 2 * np.pi)
        x, y = away * np.cos(angle), away * np.sin(angle)
        if any(np.hypot(d.x - x, d.y - y) < 1.9 * radius for d in discs):
            continue
        disc = scenes._new_disc(rng, radius, colours[rng.integers(2)], x, y)
        discs.append(disc)
        if rng.random() < 0.1:
            discs.append(scenes._new_disc(rng, radius, disc.colour, x + rng.normal(0, 0.1), y, disc.height))
    return discs


def touching_column(
    rng: Rng, radius: float, count: int, *, colour: npt.NDArray | None = None
) -> list[scenes.SceneChecker]:
    """A point's row of touching checkers through the middle, and sometimes the neighbouring one."""
    colours = [scenes._colour(rng) if colour is None else colour, scenes._colour(rng)]
    discs = []
    for lane in range(1 if rng.random() < 0.5 else 2):
        at, shift = rng.uniform(-radius, radius), lane * radius * rng.uniform(2.0, 2.5)
        for i in range(count):
            discs.append(
                scenes._new_disc(
                    rng,
                    radius,
                    colours[lane if rng.random() < 0.95 else 0],
                    shift + rng.normal(0, 0.04),
                    at + (i - count // 2) * 2 * radius * rng.uniform(0.99, 1.04),
                )
            )
    turn = rng.choice([0, 0, 1])
    like = discs[0]
    for d in discs:  # one set, one light
        d.rings, d.height, d.bevel, d.glare, d.glints = (
            like.rings,
            like.height,
            like.bevel,
            like.glare,
            like.glints,
        )
        if turn:
            d.x, d.y = d.y, d.x
    return discs


def row_on_point(
    rng: Rng, radius: float
) -> tuple[list[scenes.SceneChecker], list[tuple[npt.NDArray, npt.NDArray]]]:
    """Checkers in a row on their point, and its neighbours: between them the point's corners look like pips.

    Returns the discs and the painted points; the row of interest goes through the middle.
    """
    dark = rng.random() < 0.6
    tones = [
        np.clip(scenes.DARK[rng.integers(len(scenes.DARK))] * np.exp(rng.normal(0, 0.3)), 0, 1).astype(
            np.float32
        )
        if dark
        else scenes._colour(rng),
        scenes._colour(rng),
    ]
    light = (
        np.clip(np.array([0.75, 0.85, 0.9]) * np.exp(rng.normal(0, 0.2)), 0, 1).astype(np.float32)
        if rng.random() < 0.6
        else scenes._colour(rng)
    )
    points = [light, scenes._colour(rng)] if rng.random() < 0.7 else [scenes._colour(rng), light]
    width, length = radius * rng.uniform(2.0, 2.5), radius * rng.uniform(7, 11)
    count, first = int(rng.integers(1, 6)), float(rng.uniform(-4, 0.5)) * radius
    tip = rng.choice([0.0, rng.uniform(0, 0.15)])
    discs: list[scenes.SceneChecker] = []
    painted: list[tuple[npt.NDArray, npt.NDArray]] = []
    base = first - radius * rng.uniform(1.0, 1.1)
    like: scenes.SceneChecker | None = None
    for lane in (-1, 1, 0):
        middle = lane * width
        painted.append(
            (
                np.array(
                    [
                        (middle - width * 0.49, base),
                        (middle + width * 0.49, base),
                        (middle + width * tip, base + length),
                        (middle - width * tip, base + length),
                    ]
                ),
                points[lane % 2],
            )
        )
        if lane and rng.random() < 0.4:
            continue
        colour = tones[0] if lane == 0 else tones[int(rng.integers(2))]
        for i in range(count if lane == 0 else int(rng.integers(1, 6))):
            disc = scenes._new_disc(
                rng,
                radius,
                colour,
                middle + rng.normal(0, 0.05),
                first + i * 2 * radius * rng.uniform(0.99, 1.04),
            )
            if like is not None:  # one set, one light
                disc.rings, disc.height, disc.bevel, disc.glare, disc.glints = (
                    like.rings,
                    like.height,
                    like.bevel,
                    like.glare,
                    like.glints,
                )
            like = like or disc
            discs.insert(0, disc) if lane == 0 else discs.append(disc)
    angle = float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 2))
    turn = scenes.rotation_about([0, 0, 1], np.radians(angle))[:2, :2]
    for d in discs:
        d.x, d.y = (turn @ np.array([d.x, d.y])).tolist()
    return discs, [(p @ turn.T, c) for p, c in painted]


def tips_of_points(rng: Rng) -> list[tuple[npt.NDArray, npt.NDArray]]:
    """Tips of points that end in a dot, the dot (or the tip) in the middle: a 1 to the unwary."""
    colours = [scenes._colour(rng), scenes._colour(rng)]
    width, length, dot = rng.uniform(2.2, 5.0), rng.uniform(9, 18), rng.uniform(0.1, 0.42)
    gap, shift = (
        dot * rng.uniform(-0.3, 1.3),
        rng.normal(0, 0.15) + (rng.uniform(-0.5, 0.8) if rng.random() < 0.3 else 0.0),
    )
    tip = width * rng.choice([0.0, rng.uniform(0, 0.08)])
    painted = []
    circle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    angle = np.radians(float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 3)))
    turn = scenes.rotation_about([0, 0, 1], angle)[:2, :2]
    for lane in (-1, 1, 0):
        x = lane * width + rng.normal(0, 0.1)
        colour = colours[lane % 2]
        painted.append(
            (
                np.array(
                    [
                        (x - width * 0.49, length + gap),
                        (x + width * 0.49, length + gap),
                        (x + tip, gap),
                        (x - tip, gap),
                    ]
                )
                + np.array([0, shift]),
                colour,
            )
        )
        if rng.random() < 0.9:
            ink = (
                colour
                if rng.random() < 0.6
                else colours[(lane + 1) % 2]
                if rng.random() < 0.7
                else scenes._colour(rng)
            )
            painted.append((np.stack([x + dot * np.cos(circle), dot * np.sin(circle) + shift], 1), ink))
    return [(p @ turn.T, c) for p, c in painted]


def new_ledge(rng: Rng, x: float, y: float, u: npt.NDArray, height: float | None = None) -> scenes.Wall:
    """A rim or bar whose edge goes through (x, y), beyond it along u."""
    return scenes.Wall(
        x,
        y,
        np.asarray(u, np.float32),
        float(rng.uniform(0.8, 4)),
        float(rng.uniform(0.5, 1.8) if height is None else height),
        scenes._colour(rng),
    )
