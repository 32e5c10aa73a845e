"""Dice on a board: where they lie, what they show, whether they lie flat.

A small network marks dice in the rectified picture (`survey`), a second one reads each at full resolution, a third and wider one
must agree, and reads what is not clear (`place_reading`). All were trained on drawn scenes (`training/dice_*.py`), the third on dice of
path-traced rooms as well (`weights/dice_second.toml`). Unsure is an answer: `value` is None below `DiceOptions.least_confidence`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pi_board.sighting import CubeSeen, DieSeen
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.dice import numerals, pips
from pi_board.vision.dice.evidence import evidence_of, log_odds
from pi_board.vision.dice.finder_view import FINDER_WIDTH, margin_of
from pi_board.vision.dice.found import Found, Look, cubes_at, is_cube
from pi_board.vision.dice.leaning import COCKED, COCKED_OVER, NEVER, ON_CHECKER, least_leaning, lying
from pi_board.vision.dice.memory import Memory
from pi_board.vision.dice.options import DiceOptions
from pi_board.vision.dice.place_numbers import CUBE_LIKE, PLACE, STEEP, SURELY_PIPS
from pi_board.vision.dice.place_reading import read_places
from pi_board.vision.dice.survey import survey
from pi_board.vision.picture import checked_picture

Image = npt.NDArray[np.uint8]
#: Probability of being a die, at a glance, from which a place is read closely. Chosen by eye, not swept.
MAYBE_A_DIE = 0.25
#: A single pip may be a numeral: probability from which one is read where a die shows a 1.
_NUMERAL = 0.8
#: As many are rolled at a time.
DICE = 2


def find_dice(
    bgr: npt.NDArray,
    geometry: BoardGeometry,
    orientation: Orientation | None = None,
    *,
    known_bodies: Sequence[tuple[int, int, int]] = (),
    checkers: npt.NDArray | None = None,
    options: DiceOptions | None = None,
    seen: Look | None = None,
    memory: Memory | None = None,
    cube: CubeSeen | None = None,
) -> list[DieSeen]:
    """All dice on the playing field (and in the profile's shaker area), surest first.

    bgr: (H, W, 3) uint8, the picture that `geometry` was registered on. orientation: to name the half (default: light
    near, home right). known_bodies: mean BGR of the table's dice, when known; others then need more evidence.
    checkers: (N, 2) cm, where checkers lie, when known: a die leans only where something is to lean on.
    seen: a `survey` at the same picture, to save a second one. memory: of the pictures before, to save reading again what did not
    change. cube: where the doubling cube is seen, so that no die is taken for it. Raises InvalidError for what is no picture.
    """
    picture = checked_picture(bgr, what="picture", least=4)
    options = options or DiceOptions()
    orientation = orientation or Orientation()
    seen = seen or survey(picture, geometry, margin_of(geometry), options.least_heat, memory)
    cubes = [f for f in seen.found if f.kind == "cube"]
    hot = [c for c in cubes if c.heat > CUBE_LIKE]
    places = [f for f in seen.found if f.kind == "die" and (f.heat >= options.least_heat or is_cube(f, hot))]
    places = _those_taken_for_the_cube_first(seen, places, hot, cube, geometry, options)
    if not places:
        return []
    pixels = seen.places(places)
    profile = geometry.profile
    centimetres = geometry.unproject(pixels, profile.die_size)
    inside = _counts(centimetres, geometry, options).nonzero()[0].tolist()[: options.most]
    if not inside:
        return []
    camera = geometry.camera_position
    slants = _slants(centimetres[inside], camera, profile.die_size)
    read = read_places(
        picture, seen, [places[i] for i in inside], slants, MAYBE_A_DIE, memory, cubes, options.least_die, options.least_heat,
    )  # fmt: skip
    if not read:
        return []
    places = [r.place for r in read]
    readings = [r.reading for r in read]
    pixels, sizes = seen.places(places), seen.sizes(places)
    centimetres = geometry.unproject(pixels, profile.die_size)
    slants = _slants(centimetres, camera, profile.die_size)
    dice: list[DieSeen] = []
    held_back: dict[int, tuple[DieSeen, Found]] = {}
    perhaps: list[tuple[DieSeen, Found]] = []
    least_die = log_odds(options.least_die)
    least_perhaps = least_die if memory is None else min(least_die, log_odds(PLACE.perhaps_a_die))
    kept_at: list[Found] = []
    kept: list[int] = []
    valued = log_odds(options.least_valued)
    how_sure = [evidence_of(r, f) for r, f in zip(readings, places, strict=True)]
    ones = np.array([reading.value == 1 for reading in readings])
    # (A letter or a mark in the middle of a disc is like a die that shows one pip, and like no other.)
    least_valued = np.where(ones, max(valued, log_odds(PLACE.surely_a_one)), valued)
    tops = np.array(how_sure) >= least_valued
    edges = np.array([f.edge for f in places])
    edge = profile.die_size * _larger_than_told(edges[tops], geometry)
    sides = _sides(centimetres / edge, edges, slants, tops, ones)
    for k in sorted((~sides).nonzero()[0].tolist(), key=how_sure.__getitem__, reverse=True):
        reading, found = readings[k], places[k]
        is_die, value = reading.die, reading.value
        confidence = reading.confidence * is_die
        (px, py), (x, y) = pixels[k], centimetres[k]
        evidence = how_sure[k]
        if is_die < SURELY_PIPS and is_cube(found, cubes):
            plain = value >= PLACE.pips and confidence >= PLACE.plain_pips
            if not plain or (
                not _stands_elsewhere(cube, px, py, sizes[k])
                and _numeral(picture, seen, cubes_at(found, cubes), memory) > PLACE.no_numeral
            ):
                continue
        middle = pips.PATCH // 2
        inner = np.sort(
            read[k].patch[middle - 5 : middle + 5, middle - 5 : middle + 5].reshape(-1, 3), axis=0
        )
        body = tuple(((inner[49].astype(int) + inner[50]) // 2).tolist())
        if known_bodies and min(np.abs(np.array(c) - body).max() for c in known_bodies) > PLACE.other_body:
            evidence -= PLACE.odd_body
        if evidence < least_perhaps or any(
            np.hypot(d.x - px, d.y - py) < PLACE.apart * max(sizes[k], d.size) for d in dice
        ):
            continue
        # (Three pips and more that are as plain as this are none of the cube's, which looks less like one besides.)
        plainly_pips = value >= PLACE.pips and confidence >= PLACE.no_cube
        if not plainly_pips and _numeral(picture, seen, cubes_at(found, cubes), memory) >= _NUMERAL:
            continue
        least, least_on = COCKED, ON_CHECKER
        if checkers is not None:
            others = np.delete(centimetres, k, 0)
            least = least_leaning(centimetres[k], checkers, others, geometry)
            least_on = least if least < COCKED_OVER else max(least_on, least)
        # If there is nothing near to lean on, skip the network: its answer would not matter.
        if read[k].lying is None and min(least, least_on) < NEVER:
            read[k].lying = lying(picture, seen, found, slants[k])
        leaning, on_checker = read[k].lying or (0.0, 0.0)
        outside = abs(x) > profile.field_width / 2 + 1.0 or abs(y) > profile.field_height / 2 + 1.0
        die = DieSeen(
            value=value if confidence >= options.least_confidence and evidence >= least_valued[k] else None,
            confidence=confidence,
            x=float(px),
            y=float(py),
            size=float(sizes[k]),
            half="outside"
            if outside or abs(x) < profile.bar_width / 2
            else orientation.right_hand_half_of(float(x)),
            cocked=leaning > least or on_checker > least_on,
            on_checker=on_checker > least_on,
            body=(body[0], body[1], body[2]),
            chances=reading.chances_at(float(sizes[k])),
        )
        if die.value is None and confidence >= options.least_confidence and not die.cocked:
            with_its_value = replace(die, value=value), read[k].at
            if evidence < least_die:
                perhaps.append(with_its_value)
            else:
                held_back[len(dice)] = with_its_value
        if evidence < least_die:
            continue
        dice.append(die)
        kept_at.append(read[k].at)
        kept.append(k)
    third = _third(dice, centimetres[kept], edges[kept], slants[kept], geometry)
    if third is not None:
        del dice[third], kept_at[third]
        held_back = {i - (i > third): held for i, held in held_back.items() if i != third}
    sure = [(d, f) for d, f in zip(dice, kept_at, strict=True) if d.value is not None]
    # (What seems to lean beside a flat one may be an inlay.)
    sure = [(d, f) for d, f in sure if not d.cocked] or sure
    if memory is not None and len(held_back) == 1 and len(sure) == 1:
        # One die is sure, and one place is nearly one. Dice come two at a time.
        place, (die, at) = next(iter(held_back.items()))
        if _came_together(memory, at, sure[0][1]):
            dice[place] = die.at_most(PLACE.by_its_partner)
    elif memory is not None and len(perhaps) == 1 and len(dice) == 1 and dice[0].value is not None:
        ((die, at),) = perhaps
        if _came_together(memory, at, kept_at[0]):
            dice.append(die.at_most(PLACE.by_its_partner))
    return dice


def _those_taken_for_the_cube_first(
    seen: Look,
    places: Sequence[Found],
    hot: Sequence[Found],
    cube: CubeSeen | None,
    geometry: BoardGeometry,
    options: DiceOptions,
) -> list[Found]:
    """The `places` to be read as dice, and with them those that look like the cube to the finder, and not like a die at all, though the cube
    is seen elsewhere or nowhere. (4020003, 4020008: sixes that lay beside black checkers, in games whose cube nobody had got out.) What may
    be either comes first: only so many are read, and an inlay may look like a dozen dice (game 86_02)."""
    edge = _told_edge(geometry)
    either = [f for f in places if cubes_at(f, hot)]
    either += [
        Found("die", c.x, c.y, edge, options.least_heat)
        for c, (x, y), size in zip(hot, seen.places(hot), seen.sizes(hot), strict=True)
        if (cube is None or _stands_elsewhere(cube, x, y, size)) and not any(cubes_at(f, [c]) for f in places)
    ]
    return [*either, *(f for f in places if f not in either)]


def _stands_elsewhere(cube: CubeSeen | None, x: float, y: float, size: float) -> bool:
    """Whether the doubling cube, of which there is one, is surely seen elsewhere than at (x, y) px, where a die of `size` px seems to lie."""
    return (
        cube is not None
        and cube.confidence >= PLACE.cube_elsewhere
        and math.hypot(cube.x - x, cube.y - y) > 2 * size
    )


def _came_together(memory: Memory, one: Found, other: Found) -> bool:
    """Both places have looked as they do since about the same look."""
    since = memory.since("die", one), memory.since("die", other)
    return None not in since and abs((since[0] or 0) - (since[1] or 0)) <= PLACE.together


def _numeral(picture: Image, seen: Look, cubes: Sequence[Found], memory: Memory | None) -> float:
    """The greatest probability with which a numeral is read at one of these places."""
    most = 0.0
    for place in cubes:
        best = memory.recall("numeral", place) if memory is not None else None
        if best is None:
            patches = numerals.numeral_patches(picture, seen.to_picture, (place.x, place.y), place.edge)
            best = float(numerals.read_closely(patches)[1:].max())
            if memory is not None:
                memory.keep("numeral", place, best)
        most = max(most, best)
    return most


def _slants(centimetres: npt.NDArray, camera: npt.NDArray, height: float) -> npt.NDArray:
    """(N, 2) horizontal way from places (N, 2) cm to the camera over its height, right and down as in the finder's picture."""
    return np.asarray((camera[:2] - centimetres) / max(1.0, camera[2] - height) * (1.0, -1.0))


def _told_edge(geometry: BoardGeometry) -> float:
    """Edge of a die in the finder's picture, px, as the profile has it."""
    return FINDER_WIDTH * geometry.profile.die_size / geometry.profile.field_width


def _larger_than_told(edges: npt.NDArray, geometry: BoardGeometry) -> float:
    """By how much the dice are larger than the profile has it (nobody measures them), from how they look: edges (N,), of tops. (Of two
    finds only neither need be a side: with this, three of 37 pairs that nearly touched were read as one die, `bench_two_dice.py`.)"""
    if len(edges) <= DICE:
        return 1.0
    return float(np.clip(np.median(edges) / _told_edge(geometry), PLACE.least_edge, PLACE.most_edge))


def _third(
    dice: Sequence[DieSeen],
    centimetres: npt.NDArray,
    edges: npt.NDArray,
    slants: npt.NDArray,
    geometry: BoardGeometry,
) -> int | None:
    """Which of three `dice` is most likely a side of another one, for two are rolled, if it shows a number: its place may be further
    off then than else, and it may look larger. centimetres: (N, 2), edges, slants: (N, 2) as in `find_dice`. None where none is."""
    if len(dice) != DICE + 1:
        return None
    edge = geometry.profile.die_size * _larger_than_told(edges, geometry)
    ones = np.array([die.value == 1 for die in dice])
    there = np.ones(len(dice), bool)
    sides = _sides(centimetres / edge, edges, slants, there, ones, PLACE.third_error, PLACE.third_edge)
    third = int(sides.argmax())
    return third if np.count_nonzero(sides) == 1 and dice[third].value is not None else None


def _sides(
    places: npt.NDArray,
    edges: npt.NDArray,
    slants: npt.NDArray,
    tops: npt.NDArray,
    ones: npt.NDArray,
    side_error: float = PLACE.side_error,
    side_edge: float = PLACE.side_edge,
) -> npt.NDArray[np.bool_]:
    """(N,) which finds are a side of the die whose top is found too. places: (N, 2) on the board, in edges, as of tops; edges: (N,) as
    they look; slants: (N, 2) as `_slants`; tops: (N,) those that are dice; ones: (N,) those that show one pip.

    A side's middle is half an edge beside the top's and half an edge lower, so that it seems to lie nearer to the camera still. A second
    die is an edge away at least, and one that touched the first just there would hide that side.
    """
    length = np.hypot(*slants.T)
    towards = slants / np.maximum(length, 1e-9)[:, None] * (1.0, -1.0)
    step = places[:, None] - places[None]  # of the one from the other
    along = np.einsum("ijk,jk->ij", step, towards)
    side = along > PLACE.side_before * (0.5 + 0.5 * length)[None]
    apart = np.hypot(step[..., 0], step[..., 1])
    # (What is too small for a second die may be found at the far edge of the side.)
    narrow = edges[:, None] < PLACE.least_edge * edges
    error = np.where(narrow, max(side_error, PLACE.narrow_error), side_error)
    side &= apart < (0.5 + 0.5 * length)[None] + error
    # (A top with one pip is taken for smaller than it is.)
    smaller = edges[:, None] < side_edge * np.where(ones, PLACE.one_pip, 1.0) * edges
    closer = apart < PLACE.no_two_tops
    side &= (smaller | closer) & tops[None] & (length > STEEP)[None]
    np.fill_diagonal(side, False)
    return np.asarray(side.any(axis=1))


def _counts(places: npt.NDArray, geometry: BoardGeometry, options: DiceOptions) -> npt.NDArray[np.bool_]:
    """(N,) whether a die at each of (N, 2) cm lies on the field or in the shaker area."""
    profile = geometry.profile
    x, y = places.T
    there = np.abs(x) <= profile.field_width / 2 + options.slack_cm
    there &= np.abs(y) <= profile.field_height / 2 + options.slack_cm
    if profile.shaker:
        x0, y0, x1, y1 = profile.shaker
        there |= (min(x0, x1) <= x) & (x <= max(x0, x1)) & (min(y0, y1) <= y) & (y <= max(y0, y1))
    return np.asarray(there)
