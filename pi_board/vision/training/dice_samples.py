"""Labelled samples for the networks of `dice.py` and `cube.py`, drawn from `dice_scenes`.

What lies around a die is in `dice_surroundings`, what the camera makes of it all in `dice_photographs`.

`reader_sample`: a patch around one die (or around none). `numeral_sample`: the same for the doubling cube.
`finder_sample`: a piece of a rectified board with dice and a cube, and where they are.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pi_board.vision.training import dice_scenes as scenes
from pi_board.vision.training.dice_photographs import camera, stored_picture
from pi_board.vision.training.dice_surroundings import (
    new_ledge,
    row_on_point,
    strays,
    tips_of_points,
    touching_column,
)
from pi_board.vision.training.scene_rendering import render

Bytes = npt.NDArray[np.uint8]
Rng = np.random.Generator

#: Side of a reader's patch and the edge of a die in it, px.
PATCH, EDGE = 48, 16


#: Picture (96, 96, 3) before the camera (`stored`), value (0 = no die or cube here), cocked, on_checker, visible share,
#: and what the camera makes of it: pixels across, extra blur (px), chance of being grey.
Sample = tuple[Bytes, int, int, int, float, float, float, float]


def _spot(view: scenes.GroundView, x: float, y: float, z: float) -> tuple[float, float]:
    """Where a thing of top height z must stand to appear at (x, y) of the rectified plane."""
    k = (view.origin[2] - z) / (view.origin[2] - view.plane)
    return float(view.origin[0] + (x - view.origin[0]) * k), float(view.origin[1] + (y - view.origin[1]) * k)


#: Edge of the smallest dice of boards, px; how far a photograph is taken varies it by another quarter. (A board that fills half of a picture of
#: 640 px has dice of 7.)
_SMALLEST = 7.0


def board_die(rng: Rng, fonts: list[str]) -> Sample:
    """A die (or none) in the middle of a patch of a board seen from above."""
    edge = rng.uniform(0.8, 1.65)
    radius = rng.uniform(1.3, 2.4)
    px = 2 * EDGE * np.exp(rng.normal(0, 0.11))
    view = scenes.overhead(rng, 2 * PATCH, px / edge, edge)
    jitter = rng.normal(0, 0.09, 2) * edge
    kind = rng.random()
    objects: list[scenes.Cuboid] = []
    discs: list[scenes.SceneChecker] = []
    painted: list[tuple[npt.NDArray, npt.NDArray]] = []
    value = cocked = on_checker = 0
    clutter = 0.1
    if kind < 0.72:
        die = scenes.new_die(rng, edge)
        ground, lean = 0.0, 0.0
        if kind > 0.61:  # lying on a checker
            on_checker = cocked = 1
            colour = scenes._colour(rng)
            disc = scenes._new_disc(rng, radius, colour, 0, 0)
            ground = disc.height
            if rng.random() < 0.25:
                discs.append(scenes._new_disc(rng, radius, colour, 0, 0))
                ground += discs[0].height
                disc.z = discs[0].height
            x, y = _spot(view, *jitter, ground + edge)
            off = (
                rng.uniform(0, max(0.05, radius - edge * 0.4))
                if rng.random() < 0.7
                else rng.uniform(0, radius)
            )
            angle = rng.uniform(0, 2 * np.pi)
            for d in [disc, *discs]:
                d.x, d.y = x + off * np.cos(angle), y + off * np.sin(angle)
            discs.append(disc)
            if rng.random() < 0.3:
                lean = np.radians(rng.uniform(5, 30))
        elif kind > 0.46:  # leaning
            cocked = 1
            lean = np.radians(rng.uniform(11, 42))
            x, y = _spot(view, *jitter, edge * 1.15)
            if rng.random() < 0.75:
                discs += strays(rng, radius, edge * 0.35, 0.0, 1)
        else:
            x, y = _spot(view, *jitter, edge)
            if rng.random() < 0.06:
                lean = np.radians(rng.uniform(0, 2))
        scenes._lie(rng, die, x, y, ground, lean)
        objects.append(die)
        value = die.value
        if not on_checker and rng.random() < 0.4:
            for d in strays(rng, radius, edge * 0.56, edge * 0.8, int(rng.integers(1, 4))):
                d.x, d.y = d.x + x, d.y + y
                discs.append(d)
        if rng.random() < 0.3:
            other = scenes.new_die(rng, edge, like=die if rng.random() < 0.7 else None)
            away, angle = edge * rng.uniform(1.12, 2.2), rng.uniform(0, 2 * np.pi)
            scenes._lie(rng, other, x + away * np.cos(angle), y + away * np.sin(angle), 0.0)
            objects.append(other)
        if not discs and rng.random() < 0.5:  # beside a row of checkers
            discs, painted = row_on_point(rng, radius)
            angle = rng.uniform(0, 2 * np.pi)
            away = radius * rng.uniform(1.0, 2.0) + 0.6 * edge
            dx, dy = x + away * np.cos(angle) - discs[0].x, y + away * np.sin(angle) - discs[0].y
            for d in discs:
                d.x, d.y = d.x + dx, d.y + dy
            discs = [d for d in discs if np.hypot(d.x - x, d.y - y) > radius + 0.52 * edge]
            painted = [(corners + np.array([dx, dy]), c) for corners, c in painted]
    else:
        clutter = 0.4
        which = rng.random()
        if which < 0.25:  # between the checkers of a full point
            discs = touching_column(rng, radius, int(rng.integers(2, 6)))
            dx, dy = rng.uniform(-1.1, 1.1, 2) * radius
            for d in discs:
                d.x, d.y = d.x + dx, d.y + dy
        elif which < 0.4:  # a checker, middle or brim
            off, angle = rng.uniform(0, radius * 1.2), rng.uniform(0, 2 * np.pi)
            discs = strays(rng, radius, radius * 0.95, edge, 2)
            disc = scenes._new_disc(rng, radius, scenes._colour(rng), 0.0, 0.0)
            discs.append(disc)
            for d in discs:
                d.x, d.y = d.x + off * np.cos(angle), d.y + off * np.sin(angle)
        elif which < 0.58:  # the doubling cube
            cube = scenes.new_cube(rng, edge * rng.uniform(1.35, 2.2), fonts)
            scenes._lie(rng, cube, *rng.normal(0, 0.3, 2) * edge, 0.0)
            objects.append(cube)
        elif which < 0.8:  # a die, but not here
            die = scenes.new_die(rng, edge)
            away, angle = edge * rng.uniform(0.6, 1.5), rng.uniform(0, 2 * np.pi)
            scenes._lie(rng, die, *_spot(view, away * np.cos(angle), away * np.sin(angle), edge), 0.0)
            objects.append(die)
        else:
            discs = strays(rng, radius, edge * 0.5, edge, int(rng.integers(0, 3)))
    picture = render(rng, view, objects, discs, hand=0.12, clutter=clutter, painted=painted)
    native = np.exp(rng.uniform(np.log(_SMALLEST), np.log(32)))
    seen = objects[0].visible if value else 1.0
    return stored_picture(picture), value, cocked, on_checker, seen, 2 * PATCH * native / px, 0.0, 0.08


def board_nothing(rng: Rng, fonts: list[str]) -> Sample:
    """A place of a board that is no die but may be taken for one: gaps between checkers, tips of points with a dot,
    hinges, rims, the doubling cube, fingers, a die's corner."""
    edge, radius = rng.uniform(0.8, 1.65), rng.uniform(1.3, 2.4)
    px = 2 * EDGE * np.exp(rng.normal(0, 0.2))
    view = scenes.overhead(rng, 2 * PATCH, px / edge, edge)
    objects: list[scenes.Cuboid] = []
    discs: list[scenes.SceneChecker] = []
    walls: list[scenes.Wall] = []
    painted: list[tuple[npt.NDArray, npt.NDArray]] = []
    which = rng.random()
    clutter, hand = 0.2, 0.05
    if rng.random() < 0.2:
        which = 0.7
        painted = tips_of_points(rng)
        if rng.random() < 0.3:
            discs = strays(rng, radius, radius + edge, edge, 2)
    elif rng.random() < 0.5:
        which = 0.7
        discs, painted = row_on_point(rng, radius)
        here = discs[0]
        # The middle of the patch: a corner of the point beside or between checkers, a brim, a checker's middle, a tip.
        spot = rng.choice(5, p=[0.35, 0.25, 0.15, 0.15, 0.1])
        dx, dy = [
            (radius * rng.choice([-1, 1]), radius * rng.choice([-1, 1])),
            (0.0, radius * rng.choice([-1, 1])),
            (radius * rng.choice([-1, 1]), 0.0),
            (0.0, 0.0),
            tuple(rng.uniform(-1.3, 1.3, 2) * radius),
        ][int(spot)] + rng.normal(0, 0.12, 2) * radius
        dx, dy = dx - here.x, dy - here.y
        for d in discs:
            d.x, d.y = d.x + dx, d.y + dy
        painted = [(corners + np.array([dx, dy]), c) for corners, c in painted]
        if rng.random() < 0.4:
            side = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)][int(rng.integers(4))], np.float32)
            brink = np.array([here.x, here.y]) + side * radius * rng.uniform(1.0, 1.4)
            walls.append(new_ledge(rng, *brink.tolist(), side))
            discs = [
                d for d in discs if (d.x - brink[0]) * side[0] + (d.y - brink[1]) * side[1] < -0.8 * radius
            ]
    elif which < 0.5:
        colour = (
            np.clip(scenes.DARK[rng.integers(len(scenes.DARK))] * np.exp(rng.normal(0, 0.3)), 0, 1).astype(
                np.float32
            )
            if rng.random() < 0.5
            else None
        )
        discs = touching_column(rng, radius, int(rng.integers(1, 6)), colour=colour)
        # The middle of the patch: a gap, a brim, or a checker's own middle.
        kind = rng.random()
        dx, dy = rng.normal(0, 0.15, 2) * radius + (
            (radius * rng.choice([-1, 1]), radius)
            if kind < 0.4
            else (0.0, radius)
            if kind < 0.6
            else (0.0, 0.0)
            if kind < 0.8
            else rng.uniform(-1.2, 1.2, 2) * radius
        )
        ox, oy = discs[0].x, discs[0].y
        for d in discs:
            d.x, d.y = d.x - ox + dx, d.y - oy + dy
    elif which < 0.62:
        hand = 1.0
        if rng.random() < 0.5:
            discs = touching_column(rng, radius, 2)
    elif which < 0.74:
        cube = scenes.new_cube(rng, edge * rng.uniform(1.2, 2.2), fonts)
        scenes._lie(rng, cube, *rng.normal(0, 0.35, 2) * edge, rng.uniform(0, 0.8))
        objects.append(cube)
    elif which < 0.82:
        die = scenes.new_die(rng, edge)
        away, angle = edge * rng.uniform(0.65, 1.3), rng.uniform(0, 2 * np.pi)
        scenes._lie(rng, die, *_spot(view, away * np.cos(angle), away * np.sin(angle), edge), 0.0)
        objects.append(die)
    else:
        clutter = 1.0
    picture = render(
        rng,
        view,
        objects,
        discs,
        hand=hand,
        clutter=clutter,
        centred=which >= 0.82,
        walls=walls,
        painted=painted,
    )
    native = np.exp(rng.uniform(np.log(9.5), np.log(32)))
    return stored_picture(picture), 0, 0, 0, 1.0, 2 * PATCH * native / px, 0.0, 0.08


def photo_die(rng: Rng, fonts: list[str]) -> Sample:
    """Like `board_die`, from a plain photograph of dice on some ground, boxed loosely."""
    edge = 1.0
    die = scenes.new_die(rng, edge, inlaid=0.2, marbled=0.2)
    scenes._lie(rng, die, 0.0, 0.0, 0.0)
    px = 2 * EDGE * np.exp(rng.normal(0, 0.16))
    view = scenes.photograph(rng, 2 * PATCH, px, die.centre + rng.normal(0, 0.07, 3).astype(np.float32), edge)
    objects = [die]
    if rng.random() < 0.35:
        for _ in range(rng.integers(1, 4)):
            other = scenes.new_die(rng, edge, like=die if rng.random() < 0.4 else None)
            away, angle = edge * rng.uniform(1.15, 2.3), rng.uniform(0, 2 * np.pi)
            x, y = away * np.cos(angle), away * np.sin(angle)
            if any(np.hypot(o.centre[0] - x, o.centre[1] - y) < 1.15 for o in objects):
                continue
            scenes._lie(rng, other, x, y, 0.0)
            objects.append(other)
    picture = render(rng, view, objects, [], plain=True)
    if rng.random() < 0.15:  # a cut-out border, as of turned pictures
        edge_at = int(rng.integers(2, 18))
        picture[:edge_at] = 0 if rng.random() < 0.5 else picture[edge_at]
        picture = np.rot90(picture, rng.integers(4)).copy()
    native = np.exp(rng.uniform(np.log(8), np.log(60)))
    soft = rng.uniform(0.2, 0.8) if native < 24 and rng.random() < 0.5 else 0.0
    if native > 30 and rng.random() < 0.4:
        soft = rng.uniform(0, native * 0.06)
    return stored_picture(picture), die.value, 0, 0, 1.0, 2 * PATCH * native / px, soft, 0.6


def numeral_sample(rng: Rng, fonts: list[str]) -> Sample:
    """A doubling cube (or none) in the middle; the value is the face up."""
    edge = rng.uniform(1.6, 3.0)
    px = 2 * 22 * np.exp(rng.normal(0, 0.13))
    view = scenes.overhead(rng, 2 * PATCH, px / edge, edge)
    radius = rng.uniform(1.3, 2.4)
    objects: list[scenes.Cuboid] = []
    discs: list[scenes.SceneChecker] = []
    walls: list[scenes.Wall] = []
    value = 0
    if rng.random() < 0.74:
        cube = scenes.new_cube(rng, edge, fonts)
        ground = rng.uniform(0, 1.0)
        x, y = _spot(view, *rng.normal(0, 0.07, 2) * edge, edge + ground)
        scenes._lie(rng, cube, x, y, 0.0)
        if rng.random() < 0.7:  # players lay it square
            turn = np.zeros((3, 3), np.float32)
            while np.linalg.det(turn) < 0.5:
                turn = scenes._any_turn(rng)
            cube.rotation = scenes.rotation_about([0, 0, 1], rng.normal(0, 0.15)) @ turn
        else:
            if np.linalg.det(cube.rotation) < 0:
                cube.rotation[:, 0] *= -1
        cube.centre = np.array([x, y, ground + edge / 2], np.float32)
        cube.settle()
        objects.append(cube)
        value = cube.value
        if rng.random() < 0.4:
            discs = strays(rng, radius, edge * 0.6, edge * 0.5, int(rng.integers(1, 3)))
        if rng.random() < 0.15:  # beside the board, whose rim may hide a little of it
            angle = rng.uniform(0, 2 * np.pi)
            away = np.array([np.cos(angle), np.sin(angle)], np.float32)
            walls.append(
                new_ledge(
                    rng,
                    *(cube.centre[:2] + away * edge * rng.uniform(0.55, 0.9)).tolist(),
                    away,
                    edge * rng.uniform(0.6, 1.4),
                )
            )
    else:
        which = rng.random()
        if which < 0.3:
            off, angle = rng.uniform(0, radius), rng.uniform(0, 2 * np.pi)
            discs = strays(rng, radius, radius * 0.95, edge, 1)
            discs.append(
                scenes._new_disc(rng, radius, scenes._colour(rng), off * np.cos(angle), off * np.sin(angle))
            )
        elif (
            which < 0.75
        ):  # a die, also one as large as the finder thinks that the cube is; one pip resembles a numeral most
            die = scenes.new_die(rng, edge * rng.uniform(0.45, 1.1))
            for _ in range(6 if rng.random() < 0.4 else 1):
                scenes._lie(rng, die, *rng.normal(0, 0.07 + 0.1 * rng.random(), 2) * edge, 0.0)
                if die.value == 1:
                    break
            objects.append(die)
        else:
            cube = scenes.new_cube(rng, edge, fonts)
            away, angle = edge * rng.uniform(0.6, 1.2), rng.uniform(0, 2 * np.pi)
            scenes._lie(rng, cube, away * np.cos(angle), away * np.sin(angle), 0.0)
            objects.append(cube)
    picture = render(rng, view, objects, discs, hand=0.08, clutter=0.3, walls=walls)
    native = np.exp(rng.uniform(np.log(13), np.log(45)))
    if value and objects[0].visible < 0.6:
        value = 0
    return stored_picture(picture), value, 0, 0, 1.0, 2 * PATCH * native / px, 0.0, 0.08


#: Of the dice of a finder's sample that are not the first, how many are to touch another, or nearly (where there is room: a third do).
#: Of these: how many lie face to face, how many of the rest are at least turned alike; how many are nearer than `_CLOSE` edges, the rest nearer
#: than `_NEARBY`.
_SECOND_TOUCHES, _ALIGNED, _ALIKE = 0.38, 0.5, 0.3
_CLOSE, _NEARBY = 0.12, 0.5


def _beside(
    rng: Rng, die: scenes.Cuboid, objects: list[scenes.Cuboid], discs: list[scenes.SceneChecker]
) -> None:
    """Puts a flat die next to one that lies flat on the field, and into `objects`; not where there is no room for it."""
    edge = die.edge
    flat = [o for o in objects if o.centre[2] < 0.52 * edge]
    for _ in range(6 if flat else 0):
        other = flat[int(rng.integers(len(flat)))]
        level = [axis for axis in other.rotation.T if abs(axis[2]) < 0.5]
        face = level[int(rng.integers(2))][:2] * rng.choice([-1, 1])
        aligned = rng.random() < _ALIGNED
        alike = aligned or rng.random() < _ALIKE
        u = face / np.linalg.norm(face) if aligned or rng.random() < 0.5 else scenes.any_direction(rng)
        turn = scenes.facing(face, float(rng.normal(0, 3) if alike else rng.uniform(0, 90)))
        die.rotation = (turn @ scenes._any_turn(rng)).astype(np.float32)
        gap = edge * float(rng.uniform(0, _CLOSE) if rng.random() < 0.5 else rng.uniform(0, _NEARBY))
        aside = edge * float(rng.uniform(-0.6, 0.6)) if aligned and rng.random() < 0.5 else 0.0
        at = other.centre[:2] + u * (die.extent(u) + other.extent(u) + gap) + aside * np.array([-u[1], u[0]])
        if any(np.hypot(d.x - at[0], d.y - at[1]) < d.radius + 0.72 * edge for d in discs):
            continue
        if any(o is not other and np.hypot(*(o.centre[:2] - at)) < 1.42 * edge for o in objects):
            continue
        die.centre = np.array([*at, edge / 2], np.float32)
        die.settle()
        objects.append(die)
        return


def finder_sample(
    rng: Rng, fonts: list[str], size: int, per_cm: float
) -> tuple[Bytes, list[tuple[str, float, float, float, bool]]]:
    """A piece (size, size, 3) of a rectified board at `per_cm` px per cm and its things: kind, x, y, edge px, on_checker."""
    edge = rng.uniform(0.8, 1.65)
    radius = rng.uniform(1.35, 2.4)
    scale = 2 * per_cm * np.exp(rng.normal(0, 0.04))
    view = scenes.overhead(rng, 2 * size, scale, 1.2)
    half = size / scale
    objects: list[scenes.Cuboid] = []
    discs: list[scenes.SceneChecker] = []
    colours = [scenes._colour(rng), scenes._colour(rng)]
    column = rng.uniform(-half, half)
    if rng.random() < 0.6:
        discs = touching_column(rng, radius, int(rng.integers(2, 6)), colour=colours[0])
        dx, dy = rng.uniform(-half, half, 2)
        for d in discs:
            d.x, d.y = d.x + dx, d.y + dy
    for _ in range(int(rng.integers(0, 10))):  # stacks along a point, and strays
        x, y = (
            (column + rng.normal(0, 0.1), rng.uniform(-half, half))
            if rng.random() < 0.4
            else rng.uniform(-half, half, 2) * 1.15
        )
        if any(np.hypot(d.x - x, d.y - y) < 1.95 * radius for d in discs):
            continue
        discs.append(scenes._new_disc(rng, radius, colours[rng.integers(2)], float(x), float(y)))
    first: scenes.Cuboid | None = None
    for _ in range(int(rng.choice([0, 1, 2, 2, 3, 4]))):
        die = scenes.new_die(rng, edge, like=first if rng.random() < 0.7 else None)
        first = first or die
        x, y = rng.uniform(-half, half, 2)
        ground, lean = 0.0, (np.radians(rng.uniform(11, 42)) if rng.random() < 0.12 else 0.0)
        if objects and rng.random() < _SECOND_TOUCHES:
            _beside(rng, die, objects, discs)
            continue
        if objects and rng.random() < 0.2:
            away, angle = edge * rng.uniform(1.1, 1.5), rng.uniform(0, 2 * np.pi)
            x, y = objects[-1].centre[0] + away * np.cos(angle), objects[-1].centre[1] + away * np.sin(angle)
        near = [d for d in discs if np.hypot(d.x - x, d.y - y) < radius + edge * 0.55]
        on = None
        if near:
            if rng.random() < 0.55:
                on = near[0]
                away, angle = rng.uniform(0, radius * 0.9), rng.uniform(0, 2 * np.pi)
                x, y, ground = on.x + away * np.cos(angle), on.y + away * np.sin(angle), on.z + on.height
            else:
                d = near[0]
                angle = np.arctan2(y - d.y, x - d.x)
                x, y = (
                    d.x + (radius + 0.6 * edge) * np.cos(angle),
                    d.y + (radius + 0.6 * edge) * np.sin(angle),
                )
                if any(np.hypot(e.x - x, e.y - y) < radius + edge * 0.55 for e in discs):
                    continue
        if any(np.hypot(o.centre[0] - x, o.centre[1] - y) < edge * 1.08 for o in objects):
            continue
        scenes._lie(rng, die, float(x), float(y), ground, lean)
        die.on_checker = on is not None
        objects.append(die)
    if rng.random() < 0.5:
        cube = scenes.new_cube(rng, max(edge * 1.2, rng.uniform(1.1, 2.9)), fonts)
        x, y = rng.uniform(-half, half, 2)
        if not any(np.hypot(o.centre[0] - x, o.centre[1] - y) < cube.edge * 1.3 for o in objects):
            scenes._lie(rng, cube, float(x), float(y), rng.uniform(0, 0.8))
            if rng.random() < 0.7:
                turn = scenes._any_turn(rng)
                centre = cube.centre.copy()
                cube.rotation = scenes.rotation_about([0, 0, 1], rng.normal(0, 0.15)) @ turn
                cube.centre = centre
                cube.settle()
            objects.append(cube)
    picture = render(rng, view, objects, discs, hand=0.2, clutter=0.4)
    native = size * np.exp(rng.uniform(np.log(0.85), np.log(2.0)))
    image = camera(rng, picture, size, min(native, 2 * size))
    things = []
    for o in objects:
        if o.visible < 0.45:
            continue
        (px, py), s = view.to_px(*o.top.tolist())
        things.append((o.kind, (px - 0.5) / 2, (py - 0.5) / 2, o.edge * s / 2, o.on_checker))
    return image, things


def system_fonts() -> list[str]:
    """Paths of the upright TrueType fonts on this machine (Pillow's own when there is none)."""
    from pathlib import Path

    folders = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts"]
    found = [str(p) for folder in folders if folder.is_dir() for p in sorted(folder.rglob("*.ttf"))]
    return [
        p for p in found if not any(word in p for word in ("Math", "Symbol", "Emoji", "Icon", "ExtraLight"))
    ]
