"""Boards of the simulator with dice that lean, lie upon checkers, or lie flat beside the same things.

Leaning dice rest as bodies do: an edge on the field, the underside on a brim. `python -m pi_board.vision.training.cocked_boards COUNT
FOLDER [SEED]` cuts samples for the network of cocked dice out of COUNT of them, where a reader would: `dice_train` takes them with
those of `cocked_samples`. (Drawn dice are more varied; the light, the stacks and the perspective of whole boards are nearer to play.)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pi_board.rules import SIDES
from pi_board.simulator.lens import ViewPose
from pi_board.simulator.light import varied_light
from pi_board.simulator.renderer import Effects, Renderer
from pi_board.simulator.scene import Scene
from pi_board.simulator.still import develop, random_position
from pi_board.simulator.style import STYLES, style_named, varied
from pi_board.simulator.things import DIE_NORMALS, Checker, Die, as_matrix, lying, rotation
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.dice import pips
from pi_board.vision.dice.finder_view import FinderView, margin_of
from pi_board.vision.profile import BoardProfile, load_profile

Rng = np.random.Generator
Image = npt.NDArray[np.uint8]
Vector = npt.NDArray[np.float64]

#: Pictures that cameras of the campaign's rooms take, and how often.
SIZES, SHARES = ((640, 480), (800, 600), (960, 540), (1280, 720), (1280, 960)), (0.15, 0.15, 0.15, 0.4, 0.15)
#: How dice lie.
COCKED = (
    "on a checker's brim",
    "on the rim",
    "on the bar's edge",
    "on a die",
    "upon a checker",
    "as players throw",
)
FLAT = ("free", "beside a checker", "beside the rim", "beside the bar", "beside a die")
#: Slope of the upper face of a leaning die, degrees: what leans less is hardly seen to lean, at 45 two faces look up alike.
_SLOPES = (12.0, 42.0)


@dataclass(frozen=True)
class Lying:
    """A die, which kind it is, its top face's middle (2,) px and its edge, px."""

    die: Die
    kind: str
    at: Vector
    edge: float


@dataclass(frozen=True)
class DiceBoard:
    """image (H, W, 3) uint8 BGR. corners (4, 2) px of the field. checkers (N, 2) cm. profile: its sizes, as measured."""

    image: Image
    corners: Vector
    checkers: Vector
    profile: BoardProfile
    dice: tuple[Lying, ...]


def leaning(rng: Rng, scene: Scene, brink: Vector, up: Vector, height: float) -> Die | None:
    """A die that leans on a brim of `height` cm at `brink` (2,) cm, `up` (2,) the unit vector towards what it leans on."""
    size = scene.style.die_size
    half = size / 2
    for _ in range(60):
        tilt, yaw = (
            float(rng.uniform(*_SLOPES)),
            float(rng.normal(0, 10) if rng.random() < 0.5 else rng.uniform(-45, 45)),
        )
        along = np.array([up[0], up[1], 0.0])
        across = np.array([-up[1], up[0], 0.0])
        body = rotation((0, 0, 1), yaw + float(np.degrees(np.arctan2(up[1], up[0])))) @ lying(
            DIE_NORMALS[int(rng.integers(1, 7))], 90.0 * int(rng.integers(4))
        )
        turn = rotation(across, -tilt) @ body
        slope = np.radians(tilt)
        # The lowest corner is on the field: the centre's height follows; then where the underside is at the brim's height.
        z = half * float(np.abs(turn[2]).sum())
        reach = (half + np.cos(slope) * (height - z)) / np.sin(slope)
        touches = (height - z + half * np.cos(slope)) / np.sin(slope)
        if not -0.1 * size <= reach <= 0.6 * size or abs(touches) > half:
            continue
        centre = brink - along[:2] * reach
        return Die(
            "light", _upmost(turn), float(centre[0]), float(centre[1]), z, as_matrix(turn), size, cocked=True
        )
    return None


def _upmost(turn: Vector) -> int:
    """The face that looks most upward."""
    return max(DIE_NORMALS, key=lambda value: float(turn[2] @ np.asarray(DIE_NORMALS[value], np.float64)))


def _clear(scene: Scene, die: Die, *, apart: float, ignore: Checker | Die | None = None) -> bool:
    """Whether the die's middle keeps `apart` edges from all checkers' brims and one and a half from dice, except `ignore`."""
    s = scene.style
    for stack in scene.places.values():
        for c in stack:
            if (
                c is not ignore
                and np.hypot(c.x - die.x, c.y - die.y) < s.checker_diameter / 2 + apart * s.die_size
            ):
                return False
    others = (d for d in scene.dice if d is not ignore)
    return all(np.hypot(d.x - die.x, d.y - die.y) > 1.5 * s.die_size for d in others)


def _inside(scene: Scene, die: Die, margin: float) -> bool:
    s = scene.style
    return (
        abs(die.x) < s.field_width / 2 - margin
        and abs(die.y) < s.field_height / 2 - margin
        and abs(die.x) > s.bar_width / 2 + margin
    )


def _edge_spot(rng: Rng, scene: Scene, bar: bool) -> tuple[Vector, Vector, float]:
    """A place (2,) cm on the inner edge of rim or bar, the direction (2,) to it from the field, and its height."""
    s = scene.style
    sign = float(rng.choice([-1, 1]))
    y = float(rng.uniform(-0.9, 0.9)) * s.field_height / 2
    if bar:
        return np.array([sign * s.bar_width / 2, y]), np.array([-sign, 0.0]), s.bar_height
    if rng.random() < 0.4:
        return np.array([sign * s.field_width / 2, y]), np.array([sign, 0.0]), s.rim_height
    x = float(rng.uniform(s.bar_width / 2 + s.die_size, s.field_width / 2 - s.die_size)) * float(
        rng.choice([-1, 1])
    )
    return np.array([x, sign * s.field_height / 2]), np.array([0.0, sign]), s.rim_height


def place(rng: Rng, scene: Scene, kind: str) -> Die | None:
    """A die of this kind in a scene, or None where it does not fit."""
    s = scene.style
    size = s.die_size
    lowest = [c for stack in scene.places.values() for c in stack if c.z == 0]
    for _ in range(80):
        value, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 360))
        angle = float(rng.uniform(0, 2 * np.pi))
        u = np.array([np.cos(angle), np.sin(angle)])
        die: Die | None = None
        if kind in ("on a checker's brim", "beside a checker"):
            c = lowest[int(rng.integers(len(lowest)))]
            middle = np.array([c.x, c.y])
            if kind == "beside a checker":
                away = s.checker_diameter / 2 + size * float(rng.uniform(0.52, 0.9))
                x, y = middle - u * away
                die = scene.flat_die("light", value, float(x), float(y), yaw)
                fits = _clear(scene, die, apart=0.72, ignore=c) and _inside(scene, die, 0.72 * size)
                # It touches nothing it could lean on: its own corners keep off the checker.
                fits = fits and away > s.checker_diameter / 2 + 0.5 * size * _reach(yaw, angle)
            else:
                # A second layer would be in the way.
                tall = any(
                    np.hypot(o.x - c.x, o.y - c.y) < 0.9 * s.checker_diameter and o.z > 0
                    for st in scene.places.values()
                    for o in st
                )
                die = (
                    None
                    if tall
                    else leaning(rng, scene, middle - u * s.checker_diameter / 2, u, s.checker_height)
                )
                fits = (
                    die is not None
                    and _clear(scene, die, apart=0.62, ignore=c)
                    and _inside(scene, die, 0.6 * size)
                )
        elif kind in ("on the rim", "on the bar's edge", "beside the rim", "beside the bar"):
            edge, towards, height = _edge_spot(rng, scene, "bar" in kind)
            if kind.startswith("beside"):
                x, y = edge - towards * size * float(rng.uniform(0.5, 0.9)) / 1.0
                heading = float(np.degrees(np.arctan2(towards[1], towards[0])))
                yaw = heading + float(rng.normal(0, 4) if rng.random() < 0.5 else rng.uniform(0, 90))
                x, y = edge - towards * size * (
                    0.5 * _reach(yaw, np.radians(heading)) + float(rng.uniform(0.01, 0.4))
                )
                die = scene.flat_die("light", value, float(x), float(y), yaw)
                fits = _clear(scene, die, apart=0.72) and _inside(scene, die, 0.5 * size)
            else:
                die = leaning(rng, scene, edge, towards, height) if height > 0.12 * size else None
                fits = die is not None and _clear(scene, die, apart=0.72) and _inside(scene, die, 0.3 * size)
        elif kind in ("on a die", "beside a die"):
            flat = [d for d in scene.dice if not d.cocked]
            if not flat:
                return None
            other = flat[int(rng.integers(len(flat)))]
            turned = np.asarray(other.turn)
            side = int(rng.integers(4))
            axis = turned[:, [0, 1, 2][int(np.argsort(np.abs(turned[2]))[side % 2])]] * (
                1 if side < 2 else -1
            )
            normal = axis[:2] / np.linalg.norm(axis[:2])
            if kind == "beside a die":
                yaw = float(np.degrees(np.arctan2(normal[1], normal[0]))) + float(rng.uniform(0, 90))
                gap = (
                    0.5
                    + 0.5 * _reach(yaw, float(np.arctan2(normal[1], normal[0])))
                    + float(rng.uniform(0.02, 0.4))
                )
                x, y = np.array([other.x, other.y]) + normal * size * gap
                die = scene.flat_die("light", value, float(x), float(y), yaw)
            else:
                # Its side rests on the other's upper edge, as far up as a tilt below 45 degrees allows.
                die = _against(rng, scene, other, normal, float(rng.uniform(*_SLOPES)))
            fits = (
                die is not None
                and _clear(scene, die, apart=0.72, ignore=other)
                and _inside(scene, die, 0.6 * size)
            )
        elif kind == "as players throw":  # the simulator's own, 24 to 40 degrees
            die = scene.cocked_die("light", value, SIDES[int(rng.integers(2))])
            fits = _clear(scene, die, apart=0.3)
        elif kind == "upon a checker":
            die = scene.die_on_checker("light", value, SIDES[int(rng.integers(2))])
            fits = die.on_checker
        else:
            x = float(rng.uniform(-1, 1)) * s.field_width / 2
            y = float(rng.uniform(-1, 1)) * s.field_height / 2
            die = scene.flat_die("light", value, x, y, yaw)
            fits = _clear(scene, die, apart=1.0) and _inside(scene, die, size)
        if die is not None and fits:
            return die
    return None


def _reach(yaw: float, angle: float) -> float:
    """Half the width of a unit square turned by `yaw` degrees, seen along `angle` radians, over half its edge: 1 to 1.41."""
    t = np.radians(yaw) - angle
    return float(abs(np.cos(t)) + abs(np.sin(t)))


def _against(rng: Rng, scene: Scene, other: Die, normal: Vector, tilt: float) -> Die:
    """A die that lies over its lower edge against the side of a flat one: the upper face looks away from it, its raised lower edge
    rests on that side."""
    size = scene.style.die_size
    heading = float(np.degrees(np.arctan2(normal[1], normal[0])))
    body = lying(DIE_NORMALS[int(rng.integers(1, 7))], 90.0 * int(rng.integers(4)))
    turn = rotation((-normal[1], normal[0], 0), tilt) @ rotation((0, 0, 1), heading) @ body
    t = np.radians(tilt)
    # The far lower edge is down; what was the near lower edge is lifted and touches the other's side.
    reach = size / 2 * (np.cos(t) + np.sin(t))
    x, y = np.array([other.x, other.y]) + normal * (size / 2 + reach)
    return Die(
        "light",
        _upmost(turn),
        float(x),
        float(y),
        size / 2 * (np.cos(t) + np.sin(t)),
        as_matrix(turn),
        size,
        cocked=True,
    )


def few(rng: Rng) -> list[str]:
    """Kinds of the dice of one board: four flat ones, two cocked."""
    return [*rng.choice(FLAT[:4], 3), "beside a die", *rng.choice(COCKED, 2, replace=False)]


def many(rng: Rng) -> list[str]:
    """The same for training: as many as there is room for, since a board costs more than a die. More of them than that touch another
    die, which are the hardest to tell."""
    touching = ["beside a die"] * 4 + ["on a die"] * 3
    return [*rng.choice(FLAT[:4], 6), *rng.permutation([*touching, *rng.choice(COCKED, 6)])]


def boards(count: int, seed: int, kinds_of: Callable[[Rng], list[str]] = few) -> Iterator[DiceBoard]:
    """`count` boards; everything follows from `seed` and the number."""
    for number in range(count):
        rng = np.random.default_rng((seed, number, 77))
        style = varied(style_named(list(STYLES)[int(rng.integers(len(STYLES)))]), rng)
        hard = float(rng.uniform(0, 1))
        size = SIZES[int(rng.choice(len(SIZES), p=SHARES))]
        pose = ViewPose(
            hfov=float(rng.uniform(54, 74)), fill=float(rng.uniform(0.7, 0.93)), tilt=float(rng.uniform(0, 32)),
            azimuth=float(rng.normal(0, 35)), roll=float(rng.normal(0, 2)), k1=float(rng.uniform(-0.08, 0.0)),
        )  # fmt: skip
        scene = Scene(
            style, near=SIDES[number % 2], rng=rng, pose=pose, light=varied_light(rng), jitter=1.0, cube=False
        )
        scene.set_position(random_position(rng))
        kinds = kinds_of(rng)
        lying_kinds = []
        owner = SIDES[int(rng.integers(2))]
        for kind in kinds:
            die = place(rng, scene, str(kind))
            if die is not None:
                scene.dice.append(replace(die, owner=owner))
                lying_kinds.append(str(kind))
        renderer = Renderer(size, int(rng.integers(1 << 31)))
        effects = Effects(
            gain=float(np.exp(rng.normal(0, 0.1 + 0.2 * hard))), noise=float(rng.uniform(0.8, 2.5 + 3 * hard)),
            blur=float(rng.uniform(0.3, 0.7 + 0.7 * hard)) * size[0] / 1280,
        )  # fmt: skip
        image = develop(renderer.render(scene.view, scene.things(), scene.hands, effects), rng, hard)
        lens = renderer.lens
        dice = []
        for die, kind in zip(scene.dice, lying_kinds, strict=True):
            n = np.asarray(die.turn) @ np.asarray(DIE_NORMALS[die.value], np.float64)
            top = np.array([die.x, die.y, die.z]) + n * die.size / 2
            dice.append(Lying(die, kind, lens.project([top])[0], lens.pixels_per_cm(tuple(top)) * die.size))
        checkers = np.array(
            [(c.x, c.y) for st in scene.places.values() for c in st if c.z >= 0], float
        ).reshape(-1, 2)
        profile = load_profile("generic").scaled(style.field_width).with_sizes(
            point_length=style.point_length, field_height=style.field_height, bar_width=style.bar_width,
            checker_diameter=min(style.checker_diameter, style.pitch), checker_height=style.checker_height, die_size=style.die_size,
        )  # fmt: skip
        # As in play: where a checker lies is known from its point, not to the millimetre.
        checkers = checkers + rng.normal(0, 0.1 * style.checker_diameter, checkers.shape)
        yield DiceBoard(image, lens.project(scene.layout.corners()), checkers, profile, tuple(dice))


#: How far a reader's first guess of a top face misses it (edges; logarithm of its size), and the camera's direction (degrees).
_OFF, _OFF_SIZE, _OFF_TURN = 0.15, 0.15, 3.0
#: A place that was corrected to be further off than this (edges) is another thing's.
_LOST = 0.6
#: Photographs of each die, each from another first guess.
_CUTS = 3


def samples(board: DiceBoard, rng: Rng) -> Iterator[tuple[npt.NDArray[np.uint8], tuple[float, ...]]]:
    """Patches (48, 48, 3) of the dice, the camera on the right, and their labels: the columns of `board_cocked`."""
    geometry = BoardGeometry(board.profile, board.corners, board.image.shape[1::-1])
    to_picture = FinderView(geometry, margin_of(geometry)).to_picture
    from_picture = np.linalg.inv(to_picture)
    camera, size = geometry.camera_position, board.profile.die_size
    for lies in board.dice:
        at = from_picture @ (*lies.at, 1.0)
        beside = from_picture @ (lies.at[0] + lies.edge, lies.at[1], 1.0)
        at, beside = at[:2] / at[2], beside[:2] / beside[2]
        true_edge = float(np.linalg.norm(beside - at))
        guesses = [
            (at + rng.normal(0, _OFF, 2) * true_edge, true_edge * float(np.exp(rng.normal(0, _OFF_SIZE))))
            for _ in range(_CUTS)
        ]
        _, aims = pips.glance(np.stack([pips.cut_patch(board.image, to_picture, p, e) for p, e in guesses]))
        for (guess, first_edge), (right, down, wide) in zip(guesses, aims.astype(float), strict=True):
            edge = first_edge * float(np.exp(wide))
            place = guess + np.array([right, down]) * edge
            if np.linalg.norm(place - at) > _LOST * true_edge:
                continue
            pixel = to_picture @ (*place, 1.0)
            cm = geometry.unproject([pixel[:2] / pixel[2]], size)[0]
            slant = (camera[:2] - cm) / max(1.0, camera[2] - size) * (1.0, -1.0)
            length = float(np.hypot(*slant))
            turn = float(np.arctan2(slant[1], slant[0])) + np.radians(rng.normal(0, _OFF_TURN))
            patch = pips.cut_patch(
                board.image,
                to_picture,
                place.tolist(),
                edge,
                right=(float(np.cos(turn)), float(np.sin(turn))),
            )
            die = lies.die
            yield patch, (
                die.value, float(die.cocked), float(die.on_checker), 1.0, 0.0, 0.0, 0.08, length, 0.0,
            )  # fmt: skip


def main(count: int, folder: Path, seed: int = 1) -> None:
    rng = np.random.default_rng((seed, 78))
    found = [s for board in boards(count, seed, many) for s in samples(board, rng)]
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(
        folder / f"cocked_boards_{seed:04d}.npz",
        images=np.stack([patch for patch, _ in found]),
        labels=np.array([label for _, label in found], np.float32),
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:4]))
