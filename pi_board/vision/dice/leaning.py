"""Whether a die lies flat, leans on something, or lies on a checker."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.dice import pips
from pi_board.vision.dice.found import Found, Look

Image = npt.NDArray[np.uint8]
#: Probability from which a die is called cocked, or on a checker. High, because a flat die that is called
#: cocked costs the player a roll.
COCKED, ON_CHECKER = 0.985, 0.97
#: The threshold for "cocked" where a known checker is near enough to lean on; where only a rim, the bar or a
#: die is; and what counts as near (edges). Source, with `_ASTRAY`: `bench_cocked.py --boards 40 --seed 4243`, no flat one of 279 is called
#: cocked, of 67 others 62; of 1,535 flat dice of path-traced boards and games 4, of 46 cocked ones 39. (A flat one beside another die on a
#: shared still has .991.)
_COCKED_BESIDE, _COCKED_ELSEWHERE, _REACH = 0.9, 0.997, 1.2
#: Edges from a checker's rim up to which a die leans on it: with an edge on the field and the underside on a checker of usual height its middle
#: keeps .63 to .75. (Of 31 such ones in pictures as above none is further off than .83 seems to be; a flat one at .89 has .995.)
_LEANS_WITHIN = 0.86
#: By so much (radians) the way to the camera may be off: it is estimated from a picture whose middle may not be the lens's and a field of usual
#: proportions, and where that is wrong a side of a flat die shows that should not. Leaning is what leans from both sides, too. (With one way, .97
#: and .997, 33 of those 1,535 were cocked, five of eight rolls of one game, and 42 of the 46. With 25 degrees: 4 and 39.)
_ASTRAY = np.radians(20.0)
#: And where its middle is over a checker, nearer than so many diameters to that one's: none lies flat on the field there. (Of 399 flat
#: dice on the shared pictures none is nearer than 0.69 to where a checker belongs, those upon checkers keep less than 0.35.) Nearest, the
#: network need hardly agree; it must a little, as a die that was taken for a checker lies upon none.
COCKED_OVER, _OVER = 0.3, 0.5
_COCKED_UPON, _UPON = 0.05, 0.4
#: The same at a rim or the bar. A flat die's middle keeps half an edge from it, so one that seems nearer than `_INSIDE` (edges) lies on the
#: brim; up to `_TOUCHES` it may touch. Source: 40 boards of `bench_cocked.py` (seeds 501, 612, 611): of 80 flat dice none is nearer
#: than 0.52; seeds 7001 to 7004: of 190 flat ones up to 0.8 two have more than .95, of 95 leaning ones 85.
_COCKED_INSIDE, _INSIDE = 0.5, 0.46
_COCKED_TOUCHING, _TOUCHES = 0.95, 0.8
#: A threshold that no probability reaches.
NEVER = 1.1


def least_leaning(
    place: npt.NDArray, checkers: npt.NDArray, others: npt.NDArray, geometry: BoardGeometry
) -> float:
    """From which probability on a die at `place` (2,) cm leans: above 1 where it has nothing to lean on, least beside a checker;
    dice that touch and dice beside a rim or bar mostly lie flat."""
    profile = geometry.profile
    reach = _REACH * profile.die_size

    def nearest(things: npt.NDArray) -> float:
        return float(np.hypot(*(things - place).T).min()) if len(things) else np.inf

    from_checker = nearest(checkers) - profile.checker_diameter / 2
    if from_checker < _LEANS_WITHIN * profile.die_size:
        away = from_checker / profile.checker_diameter + 0.5
        return _COCKED_UPON if away < _UPON else COCKED_OVER if away < _OVER else _COCKED_BESIDE
    from_wall = _from_wall(place, geometry)
    if from_wall < _TOUCHES:
        return _COCKED_INSIDE if from_wall < _INSIDE else _COCKED_TOUCHING
    if from_wall < _REACH or from_checker < reach or nearest(others) - profile.die_size / 2 < reach:
        return _COCKED_ELSEWHERE
    return NEVER


def _from_wall(place: npt.NDArray, geometry: BoardGeometry) -> float:
    """How far `place` (2,) cm is from the nearest rim, or from the bar, in edges of a die; negative upon a rim."""
    profile = geometry.profile
    x, y = abs(float(place[0])), abs(float(place[1]))
    rim = min(profile.field_width / 2 - x, profile.field_height / 2 - y)
    return min(rim, abs(x - profile.bar_width / 2)) / profile.die_size


def lying(picture: Image, seen: Look, place: Found, slant: npt.NDArray) -> tuple[float, float]:
    """Probabilities of cocked and of on a checker. slant (2,): as `pips.read_cocked`, right and down."""
    towards = float(np.arctan2(slant[1], slant[0]))
    length = float(np.hypot(*slant))

    def asked(*angles: float) -> npt.NDArray[np.float32]:
        ways = [(float(np.cos(a)), float(np.sin(a))) for a in angles]
        patches = [
            pips.cut_patch(picture, seen.to_picture, (place.x, place.y), place.edge, right=way)
            for way in ways
        ]
        return pips.read_cocked(np.stack(patches), np.full(len(patches), length))

    leaning, on_checker = (float(p) for p in asked(towards)[0])
    if leaning > _COCKED_UPON:
        # (What leans less is flat, wherever it lies.)
        leaning = min(leaning, float(asked(towards - _ASTRAY, towards + _ASTRAY)[:, 0].min()))
    return leaning, on_checker
