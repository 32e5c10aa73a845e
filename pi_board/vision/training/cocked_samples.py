"""Samples of how a die lies: flat, leaning, or upon a checker. What the network for cocked dice learns from.

A leaning die rests as bodies do: its lowest corner on the field, and either its underside on a brim (a checker's, a low rim's) or a raised
corner against a side (of a rim, the bar, another die). Flat dice lie just as near to the same things, or the network would
learn what stands beside a die instead of how it lies. Lengths are centimetres.
"""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pi_board.vision.training import dice_samples as samples
from pi_board.vision.training import dice_scenes as scenes
from pi_board.vision.training.dice_photographs import stored_picture
from pi_board.vision.training.dice_surroundings import new_ledge, row_on_point
from pi_board.vision.training.scene_rendering import render

Rng = np.random.Generator
Vector = npt.NDArray[np.float64]

#: Radius of the checkers of a set over the edge of its dice: travel sets 0.75, tournament sets 1.7.
_RADIUS = (0.7, 1.9)
#: A checker's height over a die's edge: 0.43 to 0.63 on the sets that are sold.
_HEIGHT = (0.3, 0.75)
#: Slope of the upper face of a leaning die that is not turned, degrees: less is nearly flat, and at 45 two faces look up alike. Half of
#: them slope the other way, their lower side at the support: so lie dice that something else holds from behind.
_LEAST_SLOPE, _MOST_SLOPE = 9.0, 43.0
#: A brim that carries the underside of a leaning die is at most so far from its middle (edges): farther, it would tip over.
_CARRIED = 0.6
#: Shares of what lies in a picture: upon a checker; leaning on a checker's brim, on a low ledge, against a wall, against a die; the
#: rest lies flat.
_UPON, _BRIM, _LEDGE, _WALL, _DIE = 0.17, 0.16, 0.06, 0.07, 0.06


@dataclass
class _Scene:
    """What stands around the die of interest."""

    die: scenes.Cuboid
    radius: float
    height: float
    others: list[scenes.Cuboid] = field(default_factory=list)
    discs: list[scenes.SceneChecker] = field(default_factory=list)
    walls: list[scenes.Wall] = field(default_factory=list)
    painted: list[tuple[npt.NDArray, npt.NDArray]] = field(default_factory=list)

    def disc(
        self, rng: Rng, x: float, y: float, z: float = 0.0, colour: npt.NDArray | None = None
    ) -> scenes.SceneChecker:
        disc = scenes._new_disc(rng, self.radius, scenes._colour(rng) if colour is None else colour, x, y, z)
        disc.height = self.height
        self.discs.append(disc)
        return disc


def _rise(rng: Rng) -> float:
    """A way to lean: how much the side that is turned to the support rises, radians; beyond 45 degrees another face is up."""
    slope = np.radians(rng.uniform(_LEAST_SLOPE, _MOST_SLOPE))
    return float(slope if rng.random() < 0.5 else np.pi / 2 - slope)


def _tip(rng: Rng, die: scenes.Cuboid, x: float, y: float, u: Vector, tilt: float) -> None:
    """Tilts the die up towards u by `tilt` radians; its lowest corner is on the ground, its upper face's middle at (x, y)."""
    yaw = rng.normal(0, 0.15) if rng.random() < 0.5 else rng.uniform(0, np.pi / 2)
    across = np.array([-u[1], u[0], 0.0])
    rising = np.array([u[0] * np.cos(tilt), u[1] * np.cos(tilt), np.sin(tilt)])
    out = np.array([-u[0] * np.sin(tilt), -u[1] * np.sin(tilt), np.cos(tilt)])
    turn = np.stack(
        [rising * np.cos(yaw) + across * np.sin(yaw), across * np.cos(yaw) - rising * np.sin(yaw), out], 1
    )
    z = die.edge / 2 * float(np.abs(turn[2]).sum()) - die.round * die.edge * 0.4
    die.rotation = (turn @ scenes._any_turn(rng)).astype(np.float32)
    die.centre = np.array([x, y, z], np.float32)
    die.settle()
    die.centre[:2] -= die.top[:2] - np.array([x, y], np.float32)
    die.settle()


def _leans_on_brim(rng: Rng, scene: _Scene, x: float, y: float, height: float, ledge: bool) -> bool:
    """The die with its underside on the brim of a checker, or of a ledge, of `height`; whether it can."""
    die = scene.die
    for _ in range(40):
        tilt, u = _rise(rng), scenes.any_direction(rng)
        _tip(rng, die, x, y, u, tilt)
        # Where the underside is at the brim's height: how far from the centre, level and along that side.
        reach = (die.edge / 2 + np.cos(tilt) * (height - die.centre[2])) / np.sin(tilt)
        along = (height - die.centre[2] + die.edge / 2 * np.cos(tilt)) / np.sin(tilt)
        if not -0.1 * die.edge <= reach <= _CARRIED * die.edge or abs(along) > 0.55 * die.edge:
            continue
        brim = die.centre[:2] + u * reach
        if ledge:
            scene.walls.append(new_ledge(rng, *brim.tolist(), u, height))
            return True
        middle = brim + u * scene.radius
        first = scene.disc(rng, *middle.tolist())
        if rng.random() < 0.5:  # the next ones of its row
            turn = np.arctan2(u[1], u[0]) + rng.uniform(-1.3, 1.3)
            for k in range(1, int(rng.integers(2, 4))):
                away = 2.02 * k * scene.radius * np.array([np.cos(turn), np.sin(turn)])
                scene.disc(rng, *(middle + away).tolist(), colour=first.colour)
        return True
    return False


def _leans_against(rng: Rng, scene: _Scene, x: float, y: float, other: bool) -> None:
    """The die with a raised corner against the side of a wall, or of another die."""
    die, u = scene.die, scenes.any_direction(rng)
    tilt = _rise(rng)
    _tip(rng, die, x, y, u, tilt)
    touch = die.centre[:2] + u * (die.extent(u) - 0.5 * die.round * die.edge)
    if not other:
        # The height of the corner that touches.
        raised = die.centre[2] + die.edge / 2 * float(np.sign(die.rotation[:2].T @ u) @ die.rotation[2])
        scene.walls.append(
            new_ledge(rng, *touch.tolist(), u, float(raised + rng.uniform(0.1, 0.8) * die.edge))
        )
        return
    body = scenes.new_die(rng, die.edge, like=die if rng.random() < 0.7 else None)
    body.rotation = (
        scenes.facing(u, float(rng.normal(0, 4) if rng.random() < 0.7 else rng.uniform(0, 90)))
        @ scenes._any_turn(rng)
    ).astype(np.float32)
    _put(body, touch + u * body.extent(u))
    scene.others.append(body)


def _put(die: scenes.Cuboid, at: Vector) -> None:
    die.centre = np.array([at[0], at[1], die.edge / 2], np.float32)
    die.settle()


def _upon_checker(rng: Rng, scene: _Scene, view: scenes.GroundView, at: Vector) -> bool:
    """The die on a checker, on two of a row, or on a stack; whether it is tilted as well."""
    die, radius = scene.die, scene.radius
    if rng.random() < 0.4:
        discs, scene.painted = row_on_point(rng, radius)
        for d in discs:
            d.height = scene.height
    else:
        discs = [scenes._new_disc(rng, radius, scenes._colour(rng), 0.0, 0.0)]
        discs[0].height = scene.height
    under = discs[int(rng.integers(min(3, len(discs))))]
    ground = under.height
    if rng.random() < 0.2:
        top = scenes._new_disc(rng, radius, under.colour, under.x, under.y, ground)
        top.height = under.height
        discs.append(top)
        ground *= 2
    x, y = samples._spot(view, *at, ground + die.edge)
    off, u = radius * np.sqrt(rng.uniform(0, 0.95)), scenes.any_direction(rng)
    move = np.array([x, y]) + off * u - (under.x, under.y)
    for d in discs:
        d.x, d.y = d.x + move[0], d.y + move[1]
    scene.painted = [(corners + move, colour) for corners, colour in scene.painted]
    scene.discs += discs
    lean = np.radians(rng.uniform(5, 30)) if rng.random() < 0.2 else 0.0
    scenes._lie(rng, die, x, y, ground, lean)
    return bool(lean)


def _flat_beside(rng: Rng, scene: _Scene, x: float, y: float) -> None:
    """The die flat, alone or close to what others lean on: mostly it touches them nearly."""
    die, radius = scene.die, scene.radius
    scenes._lie(rng, die, x, y, 0.0, np.radians(rng.uniform(0, 2)) if rng.random() < 0.1 else 0.0)
    here = np.array([x, y])

    def gap() -> float:
        return die.edge * float(rng.uniform(0, 0.12) if rng.random() < 0.5 else rng.uniform(0, 0.7))

    if rng.random() < 0.25:  # beside a rim or the bar, low or high
        u = scenes.any_direction(rng)
        if rng.random() < 0.6:
            die.rotation = (scenes.facing(u, float(rng.normal(0, 4))) @ scenes._any_turn(rng)).astype(
                np.float32
            )
            _put(die, here)
        spot = here + u * (die.extent(u) + gap())
        scene.walls.append(new_ledge(rng, *spot.tolist(), u, float(die.edge * rng.uniform(0.12, 1.4))))
    if rng.random() < 0.45:  # beside checkers
        for _ in range(int(rng.integers(1, 4))):
            u = scenes.any_direction(rng)
            spot = here + u * (radius + die.extent(u) + gap())
            walls = any((spot - (w.x, w.y)) @ w.towards > -radius for w in scene.walls)
            if walls or any(np.hypot(d.x - spot[0], d.y - spot[1]) < 1.98 * radius for d in scene.discs):
                continue
            disc = scene.disc(rng, *spot.tolist())
            if rng.random() < 0.15:
                scene.disc(rng, disc.x, disc.y, disc.height, disc.colour)
    elif not scene.walls and rng.random() < 0.3:  # beside a row on its point
        discs, scene.painted = row_on_point(rng, radius)
        u = scenes.any_direction(rng)
        move = here + u * (radius * rng.uniform(1.0, 2.0) + 0.6 * die.edge) - (discs[0].x, discs[0].y)
        for d in discs:
            d.x, d.y, d.height = d.x + move[0], d.y + move[1], scene.height
        scene.discs += [d for d in discs if np.hypot(d.x - x, d.y - y) > radius + 0.72 * die.edge]
        scene.painted = [(corners + move, colour) for corners, colour in scene.painted]


def _another_die(rng: Rng, scene: _Scene, near: bool) -> None:
    """A second die on the field, where nothing is in its way. near: it may touch the first."""
    die, u = scene.die, scenes.any_direction(rng)
    other = scenes.new_die(rng, die.edge, like=die if rng.random() < 0.8 else None)
    scenes._lie(rng, other, 0.0, 0.0, 0.0)
    gap = float(
        rng.uniform(0, 0.12) if near and rng.random() < 0.5 else rng.uniform(0.0 if near else 0.3, 1.0)
    )
    spot = die.centre[:2] + u * (die.extent(u) + other.extent(u) + gap * die.edge)
    if any(np.hypot(d.x - spot[0], d.y - spot[1]) < d.radius + 0.71 * die.edge for d in scene.discs):
        return
    if any((spot - (w.x, w.y)) @ w.towards > -0.71 * die.edge for w in scene.walls):
        return
    if any(np.hypot(*(o.centre[:2] - spot)) < 1.42 * die.edge for o in scene.others):
        return
    _put(other, spot)
    scene.others.append(other)


def board_cocked(rng: Rng, fonts: list[str]) -> tuple[samples.Bytes, *tuple[float, ...]]:
    """A die flat, leaning or on a checker, with the way the camera looks at it.

    After the columns of `Sample`: slant x, y (patch axes, y down): horizontal way from the die to the camera over its height.
    """
    edge = rng.uniform(0.8, 1.65)
    px = 2 * samples.EDGE * np.exp(rng.normal(0, 0.1))
    view = scenes.overhead(rng, 2 * samples.PATCH, px / edge, edge)
    at = rng.normal(0, 0.08, 2) * edge
    scene = _Scene(scenes.new_die(rng, edge), edge * rng.uniform(*_RADIUS), edge * rng.uniform(*_HEIGHT))
    kind = rng.random()
    cocked = kind < _UPON + _BRIM + _LEDGE + _WALL + _DIE
    on_checker = kind < _UPON
    x, y = samples._spot(view, *at, edge * (1.15 if cocked else 1.0))
    if on_checker:
        _upon_checker(rng, scene, view, at)
    elif kind < _UPON + _BRIM + _LEDGE:
        ledge = kind >= _UPON + _BRIM
        height = edge * rng.uniform(0.15, 0.65) if ledge else scene.height
        if not _leans_on_brim(rng, scene, x, y, height, ledge):
            _leans_against(rng, scene, x, y, other=False)
    elif cocked:
        _leans_against(rng, scene, x, y, other=kind >= _UPON + _BRIM + _LEDGE + _WALL)
    else:
        _flat_beside(rng, scene, x, y)
    if rng.random() < 0.35:
        _another_die(rng, scene, near=not cocked)
    picture = render(
        rng,
        view,
        [scene.die, *scene.others],
        scene.discs,
        clutter=0.1,
        walls=scene.walls,
        painted=scene.painted,
    )
    native = np.exp(rng.uniform(np.log(10), np.log(40)))
    slant = (view.origin[:2] - np.array([x, y])) / (view.origin[2] - edge)
    return (
        stored_picture(picture),
        scene.die.value,
        float(cocked),
        float(on_checker),
        1.0,
        2 * samples.PATCH * native / px,
        0.0,
        0.08,
        float(slant[0]),
        float(-slant[1]),
    )
