"""What one place shows that may hold a die: one glance at each, a close reading of those that may be dice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.vision.dice import pips
from pi_board.vision.dice.evidence import die_evidence, log_odds
from pi_board.vision.dice.found import Found, Look, is_cube
from pi_board.vision.dice.memory import Memory
from pi_board.vision.dice.place_numbers import PLACE, STEEP, SURELY_PIPS, TEMPERATURE

Image = npt.NDArray[np.uint8]
#: Crops that are read, as multiples of the die's edge.
_SIZES = (0.85, 1.0, 1.17)
#: The top of a die whose side was taken for it is seen this many edges further back. (2050039: a 2 above the 3 on its side, .36 to .39; tops
#: that were found are seen .26 back at most, in what was looked at.)
_BEHIND = 0.3, 0.85
#: Of a die that is seen from the side, so many edges further back its top is looked for once more. (A white two whose side was as white
#: was found .2 edges too near and read as a one with .97. Of 537 dice of traced rooms and games seen at 28 degrees and more, corners .5 % off,
#: the log loss falls from .119 to .113; of 2,533 dice 16 are read wrongly, were 18, and 4 fewer are read. No other number was tried.)
_FURTHER_BACK = 0.2
#: If all sizes agree on a value with this probability, the turned crops are not read.
_CLEAR = 0.97
#: A candidate that is no die with this probability at first sight is not read again.
_HARDLY = 0.3
#: Quarter turns that the second network reads when the first is unsure. It is wider and three times slower,
#: so it reads fewer.
_TURNS = (0, 1)
#: Confidence from which a reading is remembered. A candidate that is a die with less than the second
#: probability is read again only when its turn comes.
_SURE, _PROBABLY = 0.93, 0.85
#: What may be a die and was none in so many pictures of one place stands like a sure reading: a checker with a mark, mostly. Chosen
#: by eye: in 244 looks at two drawn boards no die is read otherwise for it.
_NONE_AGAIN = 3


@dataclass(slots=True)
class PlaceRead:
    """What one place shows. at: the place as it was found; place: corrected, where its top face really is. patch: of the corrected
    place. reading: None for what is clearly none. lying: probabilities of cocked and of on a checker, once asked for."""

    at: Found
    place: Found
    patch: Image
    reading: pips.PipReading | None
    lying: tuple[float, float] | None = None


def read_places(
    picture: Image,
    seen: Look,
    places: Sequence[Found],
    slants: npt.NDArray,
    least_die: float,
    memory: Memory | None,
    cubes: Sequence[Found] = (),
    least_known: float = 0.0,
    least_heat: float = 0.0,
) -> list[Any]:
    """What is read of those places that may be dice. slants (N, 2): as `_slants`. cubes: what looks like a cube. least_known: what is
    a die with less than this probability counts as none, whatever its value. least_heat: what the finder must say of a place at least.

    One glance shows that most candidates are none, and where the others really lie. These are read in several sizes, and turned
    when they are not clear at once. (No common size: checkers that may be dice are larger, and many.)
    """
    known: list[PlaceRead | None] = [memory.recall("die", f) if memory is not None else None for f in places]
    fresh = [i for i, k in enumerate(known) if k is None]
    if fresh:
        none, tops = _glance(picture, seen, [places[i] for i in fresh])
        maybe = [k for k in range(len(fresh)) if 1 - none[k] >= least_die]
        dice = [tops[k] for k in maybe if none[k] < PLACE.no_die]
        dice += [w.place for w in known if w is not None and w.reading and 1 - w.reading.die < PLACE.no_die]
        for k, top in zip(
            maybe,
            _behind(picture, seen, [tops[k] for k in maybe], [slants[fresh[k]] for k in maybe], dice),
            strict=True,
        ):
            tops[k] = top
        for k, i in enumerate(fresh):
            what = known[i] = PlaceRead(
                places[i],
                tops[k],
                _patch(picture, seen, tops[k]),
                _read_top(picture, seen, tops[k], slants[i], least_known) if k in maybe else None,
            )
            die = 0.0 if what.reading is None else what.reading.die
            if memory is None:
                continue
            sure = what.reading is None or die * what.reading.confidence > _SURE or die < 1 - _HARDLY
            # The cube is often mistaken for a die. Without clear pips its reading is dropped and not
            # repeated.
            sure = sure or (die < SURELY_PIPS and is_cube(what.place, cubes))
            sure = sure or (
                die_evidence(die, what.place.heat) < log_odds(least_known)
                and memory.readings("die", places[i]) + 1 >= _NONE_AGAIN
            )
            # Read a probable die again at once, an improbable one when its turn comes.
            memory.keep(
                "die",
                places[i],
                what,
                nothing=what.reading is None,
                sure=sure,
                again=not sure and die >= _PROBABLY,
            )
    read = [k for k in known if k is not None and k.reading is not None]
    return [*read, *_beside_the_only_one(picture, seen, read, least_known, least_heat)]


def _beside_the_only_one(
    picture: Image, seen: Look, read: Sequence[PlaceRead], least_known: float, least_heat: float
) -> list[PlaceRead]:
    """A second die that touches the only one that is seen: the finder marks such two as one thing, so places all around it are glanced at."""
    dice = [r for r in read if r.reading is not None and r.reading.die > PLACE.surely_one]
    # (Two that are apart are all there are: which of them is the surest need not be known.)
    if not dice or any(_edges_apart(dice[0].place, other.place) >= PLACE.apart for other in dice[1:]):
        return []
    one, way = min(dice, key=_doubt).place, np.arange(PLACE.around) * (2 * np.pi / PLACE.around)
    x, y = one.x + PLACE.touching * one.edge * np.cos(way), one.y + PLACE.touching * one.edge * np.sin(way)
    likely = [replace(one, x=u, y=v) for u, v in zip(x.tolist(), y.tolist(), strict=True)]
    none: list[float] = []
    # (Of what the first glance shows, a top stays one at the second.)
    for _ in range(2):
        chances, tops = _glance(picture, seen, likely)
        beside = [
            (p, top)
            for p, top in zip(chances.tolist(), tops, strict=True)
            if p < PLACE.no_die
            and PLACE.apart < _edges_apart(one, top) < PLACE.beside
            and PLACE.least_edge < top.edge / one.edge < PLACE.most_edge
        ]
        if not beside:
            return []
        none, likely = [p for p, _ in beside], [top for _, top in beside]
    # (As little of a die as may be read at all: a cube beside a die must stay the cube.)
    top = replace(likely[int(np.argmin(none))], heat=least_heat)
    reading = _read_closely(picture, seen, top, least_known)
    return [PlaceRead(top, top, _patch(picture, seen, top), reading)]


def _doubt(what: PlaceRead) -> float:
    return 1.0 if what.reading is None else 1.0 - what.reading.die * what.reading.confidence


def _edges_apart(a: Found, b: Found) -> float:
    """From middle to middle, in edges of the larger one."""
    return math.hypot(a.x - b.x, a.y - b.y) / (a.edge if a.edge > b.edge else b.edge)


def _glance(picture: Image, seen: Look, places: Sequence[Found]) -> tuple[npt.NDArray, list[Found]]:
    """(N,) probabilities that there is no die, and the places corrected to where a top face really is."""
    probabilities, aims = pips.glance(np.array([_patch(picture, seen, f) for f in places]))
    tops = []
    for f, (right, down, wide) in zip(places, aims.astype(float), strict=True):
        edge = f.edge * float(np.exp(wide))
        tops.append(replace(f, x=f.x + right * edge, y=f.y + down * edge, edge=edge))
    return probabilities[:, 0], tops


def _behind(
    picture: Image,
    seen: Look,
    places: Sequence[Found],
    slants: Sequence[npt.NDArray],
    dice: Sequence[Found],
) -> list[Found]:
    """The places, moved to the top where a die's side was taken for it. dice: all places that are dice rather than not.

    Two dice never lie closer than an edge: when a face shows closer than that, straight behind another one as the camera looks,
    that other one is a side. Nor does a top lie half over another one: of two dice that touch, the hind one's side and the top
    before it look like one large face.
    """
    moved = list(places)
    steep = [i for i, slant in enumerate(slants) if np.hypot(*slant) > STEEP]
    if not steep:
        return moved
    away = {i: -slants[i] / np.hypot(*slants[i]) for i in steep}
    tries = []
    for i in steep:
        f, reach = places[i], PLACE.top * min(1.0, 0.5 + 0.5 * float(np.hypot(*slants[i]))) * places[i].edge
        tries.append(replace(f, x=f.x + float(away[i][0]) * reach, y=f.y + float(away[i][1]) * reach))
    none, tops = _glance(picture, seen, tries)
    likely: list[tuple[int, Found]] = []
    for i, p, top in zip(steep, none, tops, strict=True):
        # (A side is seen narrower than the top, by which the way is measured.)
        step = np.array([top.x - places[i].x, top.y - places[i].y]) / max(places[i].edge, top.edge)
        along, across = float(step @ away[i]), float(step @ (-away[i][1], away[i][0]))
        if p < PLACE.no_die and _BEHIND[0] < along < _BEHIND[1] and abs(across) < PLACE.aside:
            likely.append((i, top))
    if likely:
        none, again = _glance(picture, seen, [top for _, top in likely])
        for (i, top), p, top_again in zip(likely, none, again, strict=True):
            if (
                p < PLACE.no_die
                and np.hypot(top_again.x - top.x, top_again.y - top.y) < PLACE.same_place * top.edge
                and not any(_lies_half_over(top_again, die) for die in dice if die is not places[i])
            ):
                moved[i] = top_again
    return moved


def _lies_half_over(top: Found, die: Found) -> bool:
    """Whether both cannot be tops: they are not the same one, and closer together than two dice are."""
    away = float(np.hypot(top.x - die.x, top.y - die.y))
    return PLACE.same_place * die.edge <= away < PLACE.apart * max(top.edge, die.edge)


def _patch(picture: Image, seen: Look, place: Found, size: float = 1.0) -> Image:
    return pips.cut_patch(picture, seen.to_picture, (place.x, place.y), place.edge * size)


def _read_top(
    picture: Image, seen: Look, place: Found, slant: npt.NDArray, least_die: float
) -> pips.PipReading:
    """`_read_closely`, of a die that is seen from the side as if its top lay further back, too: where a side is as bright as the top, both
    look like one face, whose middle is not the top's. What is read there makes it no surer."""
    reading, steep = _read_closely(picture, seen, place, least_die), float(np.hypot(*slant))
    if steep <= STEEP or 1 - reading.die >= PLACE.no_die:
        return reading
    x, y = (-slant / steep * _FURTHER_BACK * place.edge).tolist()
    back = _read_closely(picture, seen, replace(place, x=place.x + x, y=place.y + y), least_die)
    given = (np.array(reading.chances) + back.die * np.array(back.chances)) / (1 + back.die)
    return pips.PipReading(
        np.concatenate([reading.probabilities[:1], reading.die * given]).astype(np.float32)
    )


def _read_closely(picture: Image, seen: Look, place: Found, least_die: float = 0.0) -> pips.PipReading:
    """The reading of one place in all `_SIZES`. What is not clear at once is turned, and, if it may be a die with the probability
    `least_die`, read by the wider network. What is clear to the first network only is no surer than both say."""
    patches = np.array([_patch(picture, seen, place, size) for size in _SIZES])
    upright = pips.pip_logits(patches, (0,))
    p = pips.softmax(upright[0], TEMPERATURE)
    given, none = _given(p), _none(p)
    pips_of_all = p[:, 1:]
    clear = (
        np.maximum.reduce(p[:, 0]) < PLACE.certain
        and len(set(pips_of_all.argmax(1).tolist())) == 1
        and np.minimum.reduce(np.maximum.reduce(pips_of_all, axis=1)) > _CLEAR
    )
    if clear:
        # A confident wrong value is worse than none, so both networks must agree.
        second = _given(pips.softmax(pips.pip_logits(patches[1:2], (0,), "dice_second")[0], TEMPERATURE))
        if second[given.argmax()] <= _CLEAR:
            given = (given + _second(patches)) / 2
    elif none < _HARDLY:
        turned = np.concatenate([upright, pips.pip_logits(patches, range(1, 4))])
        p = pips.softmax(turned.mean(0), TEMPERATURE)
        none, given = _none(p), _given(p)
        if die_evidence(1 - none, place.heat) >= log_odds(least_die):
            given = _second(patches)
    return pips.PipReading(np.concatenate([[none], given * (1 - none)]).astype(np.float32))


def _second(patches: npt.NDArray) -> npt.NDArray:
    """(6,) probabilities of 1-6 by the wider network, from all sizes (N, 48, 48, 3) and turns."""
    return _given(pips.softmax(pips.pip_logits(patches, _TURNS, "dice_second").mean(0), TEMPERATURE))


def _none(p: npt.NDArray) -> float:
    """Probability that there is no die, from those at several sizes (N, 7): a die need not look like one at every size."""
    surest = sorted(p[:, 0])[:2]
    return float(sum(surest) / np.float32(len(surest)))


def _given(p: npt.NDArray) -> npt.NDArray:
    """(6,) probabilities of 1-6 from those at several sizes (N, 7): the value comes from the size at which it is clearest, but a
    value that a clear view rules out is out (a geometric mean)."""
    weights = np.maximum.reduce(p[:, 1:], axis=1) ** PLACE.clearest + 1e-6
    given: npt.NDArray = np.exp(
        weights
        @ np.log(p[:, 1:] / np.maximum(1e-9, 1 - p[:, :1]) + PLACE.ruled_out[0])
        / np.add.reduce(weights)
    )
    given /= np.add.reduce(given)
    return given
