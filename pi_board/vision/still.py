"""`read_image`: one photo of any set, with no history.

The network (`network`) gives every slot a likelihood over signed counts, a second one (`stacks`) looks closer at long
points, where checkers lie on others, and the colours of all tops together (`sides`) say whose they are; what fixes the whole
board is that each side has fifteen checkers, what lies beside it (`trays`), and how often which counts stand where in games. All positions are weighed at once (two dynamic programmes over the fifteen and fifteen,
one for the best position, one for the sum over all), so the confidence is the share of the best one. Where no position
stands out, as under a hand, the answer is the one with the most slots right on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError, PiBoardError
from pi_board.rules import Position
from pi_board.sighting import COUNTS, ZERO, CubeSeen, DieSeen
from pi_board.vision.board.geometry import BoardGeometry, check_corners
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.board.registration import Registration
from pi_board.vision.checkers import slot_network as network
from pi_board.vision.checkers.blind import COUNT_PRIOR, BlindReader, Seen, thickness
from pi_board.vision.checkers.colour_words import colour_word
from pi_board.vision.checkers.sides import Sides
from pi_board.vision.checkers.trays import look_beside, off_evidence
from pi_board.vision.dice.cube import find_cube, survey_photo
from pi_board.vision.dice.faces import cube_but_a_face, without_faces
from pi_board.vision.dice.fixtures import without_fixtures
from pi_board.vision.dice.no_checkers import against_checkers_under
from pi_board.vision.dice.options import DiceOptions
from pi_board.vision.dice.reading import find_dice
from pi_board.vision.finding.find_board import find_board
from pi_board.vision.finding.given_corners import fit_bar
from pi_board.vision.picture import checked_picture
from pi_board.vision.profile import BoardProfile, load_profile

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

#: Bar widths (shares of the field's width) to try when neither profile nor picture says.
BAR_SHARES = (0.055, 0.07, 0.082, 0.094, 0.106, 0.12)
#: Share of the canvas in one piece from which a hand counts as seen: one that comes in from the edge, one that seems to
#: lie in the middle (glare looks like that), and one that at least HAND_ON_POINT of a point is under.
HAND_FROM_EDGE, HAND_INSIDE, HAND_TRACE, HAND_ON_POINT = 0.003, 0.02, 0.001, 0.3
#: Share of the field that a hand may cover before no position is given.
HAND_REFUSES = 0.45


@dataclass(frozen=True, slots=True)
class Reading:
    """What one photo says.

    position: None when refused; `refusal` then says why, in one sentence. confidence: 0..1 that the whole position
    is right. dice, cube: as in `Sighting`. corners: (4, 2) float px, TL TR BR BL of the playing field at board level,
    or None when no board was found. hand: a hand or arm lies over the field. hidden: points 1-24 that it covers, in part.
    evidence: (28, 31) log-likelihood as in `Sighting.log_likelihood`, or None. seen: (26,) signed counts of points 1-24 and of light
    and dark on the bar, each slot by itself, whether they add up or not; None when there was nothing to count.
    note: what can hardly be right about it, in one sentence. light_is, dark_is: what a person calls the colour of the side that is
    named light, dark; None where too few checkers are seen.
    """

    position: Position | None
    dice: tuple[DieSeen, ...] = ()
    cube: CubeSeen | None = None
    corners: Floats | None = None
    hand: bool = False
    confidence: float = 0.0
    refusal: str | None = None
    hidden: tuple[int, ...] = ()
    evidence: Floats | None = field(default=None, repr=False, compare=False)
    seen: tuple[int, ...] | None = None
    note: str | None = None
    light_is: str | None = None
    dark_is: str | None = None


# ------------------------------------------------------------------------------------------- the whole board


_BAR_PRIOR = np.log(np.array([0.9, 0.08, 0.015, 0.004, 0.0007, 0.0002, 0.0001, 0.0001]))
#: Nats against a side that has all its checkers off: few take a photo of a game that is over.
_ALL_OFF = -3.0
#: How often a side in a photo has all its checkers home and bears off; how rarely a straggler is out while checkers are off.
_BEARING_OFF, _STRAGGLER = 0.08, -4.0
#: Of a side that bears off: how often a home point is empty, how often it holds one checker, and how much rarer each further checker
#: is. Estimated, not fitted: long rows at home must stay likely.
_HOME_EMPTY, _HOME_ONE, _HOME_MORE = 0.3, 0.12, 0.97
#: Standard deviation of a picture (8-bit levels) below which it shows nothing.
_FLAT_PICTURE = 4.0
#: Share of photos that show a position of a game, rather than any other.
_PLAYED = 0.75
#: How often a side with checkers outside home still has some missing (hit while bearing off, pocketed, lost). The second value holds
#: when the table beside the board was looked at too: it may show the missing ones.
_MISSING, _MISSING_LOOKED = 0.01, 0.04
#: How often a hand over the board holds a checker of a given side.
_IN_HAND = 0.18
#: When a hand covers more than this share of a point, a checker in the hand may be over it; so often it looks as if it lay on the point.
_HELD_OVER, _LOOKS_LAID = 0.05, 0.2
#: "Too many checkers" is reported when the best reading with more than fifteen beats the best one with fifteen by so many nats.
_TOO_MANY = 14.0
#: Brightness alone settles which side is light from so many nats on; below, the position may add at most the second value.
_NAMED, _PLAYED_SAYS = 8.0, 2.0
#: Below so many nats of brightness the reading says that either side may be "light". Its names then count for at most the second value,
#: because who sits near is often only assumed.
_EITHER, _EITHER_CHANCE = 3.0, 0.88
#: Positions are summed separately for each combination of who bears off. A combination whose best position is so many nats behind is
#: skipped: it would change the sum in its eighth digit only.
_HOPELESS_WAY = 25.0
#: A best position with less than this share of the probability is only one of many.
_ONE_POSITION = 0.3


#: (N,) each: so many light, dark checkers on one slot, and the log weight of it.
Options = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]


def _home_prior(light: bool, dark: bool) -> Floats:
    """(24, 31) change of the count prior when light, dark bears off: nothing outside home, long rows inside.

    Empty points outside must gain, or a board with fifteen checkers of a side would always beat one with fourteen.
    """
    out = np.zeros((24, COUNTS))
    row = np.log(np.concatenate([[_HOME_EMPTY], (1 - _HOME_EMPTY) * _HOME_ONE * _HOME_MORE ** np.arange(15)]))
    sides = (
        (light, slice(0, 6), slice(6, 24), slice(ZERO + 1, None)),
        (dark, slice(18, 24), slice(0, 18), slice(None, ZERO)),
    )
    for bears_off, home, outside, mine in sides:
        if bears_off:
            occupied = float(np.exp(COUNT_PRIOR[mine]).sum())
            out[outside] -= np.log1p(-occupied)
            counts = row[1:] if mine.start is not None else row[:0:-1]
            out[home, mine] += counts - COUNT_PRIOR[mine]
            out[home, ZERO] += row[0] - np.log1p(-occupied)
    for bears_off, _, outside, mine in sides:
        if bears_off:
            out[outside, mine] = _STRAGGLER
    return out


@cache
def point_prior(light_off: bool, dark_off: bool) -> Floats:
    """(24, 31) log P(signed count) of each point, by whether light, dark has begun to bear off.

    Three quarters as often as in games that our own evaluator plays (`weights/positions.npz`, made by
    `pi_board.vision.training.positions`), one quarter whatever the point, for boards that were set up by hand.
    """
    usual = COUNT_PRIOR + _home_prior(light_off, dark_off)
    usual = usual - np.logaddexp.reduce(usual, axis=1, keepdims=True)
    with (
        resources.files("pi_board.vision").joinpath("weights/positions.npz").open("rb") as f,
        np.load(f) as data,
    ):
        played = data["counts"][int(light_off), int(dark_off)].astype(np.float64)
    share = played / np.maximum(played.sum(axis=1, keepdims=True), 1.0)
    return np.asarray(np.log(_PLAYED * share + (1 - _PLAYED) * np.exp(usual)))


_SIGNED = np.arange(COUNTS) - ZERO
#: Light and dark checkers of each column of a point.
_LIGHT, _DARK = np.maximum(_SIGNED, 0), np.maximum(-_SIGNED, 0)


def _options(points: Floats, bar: tuple[Floats, Floats]) -> list[Options]:
    """What each of the 26 slots may hold (points 1-24, bar light, bar dark). points (24, 31), bar (8,) each: log weights."""
    rows: list[Options] = [(_LIGHT, _DARK, row) for row in np.asarray(points, np.float64)]
    light, dark = (np.asarray(side, np.float64) for side in bar)
    rows.append((np.arange(len(light)), np.zeros(len(light), np.int64), light))
    rows.append((np.zeros(len(dark), np.int64), np.arange(len(dark)), dark))
    return rows


def _kept(options: Options, below: float) -> npt.NDArray[np.int64]:
    """Counts that are out of the question cost time and change nothing."""
    weights = options[2]
    return np.flatnonzero(weights > weights.max() - below)


#: Places of a table of 16 by 16 in one of 46 by 46, from its first one.
_TABLE = np.arange(16)[:, None] * 46 + np.arange(16)


def _log_sum(stack: Floats) -> Floats:
    """Log of the sum of exponentials along the first axis (several times as fast as numpy's reduction, and equal to its rounding)."""
    top = stack.max(axis=0)
    base = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(base + np.log(np.exp(stack - base).sum(axis=0)))


def _shifted(table: Floats, options: Options, kept: npt.NDArray[np.int64], back: bool = False) -> Floats:
    """(len(kept), 16, 16) `table` moved by each kept option (`back`: the other way) and weighed by it."""
    padded = np.full((46, 46), -np.inf)
    padded[15:31, 15:31] = table
    sign = 1 if back else -1
    first = (15 + sign * options[0][kept]) * 46 + 15 + sign * options[1][kept]
    return np.asarray(np.take(padded, first[:, None, None] + _TABLE) + options[2][kept][:, None, None])


def _nothing_seen() -> Floats:
    table = np.full((16, 16), -np.inf)
    table[0, 0] = 0.0
    return table


def _best(rows: list[Options], ends: Floats) -> tuple[Position, float]:
    """The position of the largest sum of weights, and that sum. ends: (16, 16) weight of so many checkers seen."""
    table = _nothing_seen()
    choices: list[npt.NDArray[np.int64]] = []
    for options in rows:
        kept = _kept(options, 45)
        stack = _shifted(table, options, kept)
        which = stack.argmax(axis=0)
        choices.append(kept[which])
        table = np.take_along_axis(stack, which[None], axis=0)[0]
    score = table + ends
    light, dark = (int(n) for n in np.unravel_index(int(np.argmax(score)), score.shape))
    return _trace(choices, light, dark), float(score[light, dark])


def _summed(rows: list[Options], ends: Floats) -> list[Floats]:
    """Log weight of all positions in which a slot holds an option, one array per slot; last, (16, 16), of those with so
    many checkers seen."""
    forward = [_nothing_seen()]
    kept = [_kept(options, 30) for options in rows]
    for options, chosen in zip(rows, kept, strict=True):
        forward.append(_log_sum(_shifted(forward[-1], options, chosen)))
    out = [np.full(len(weights), -np.inf) for *_, weights in rows]
    out.append(forward[-1] + ends)
    behind = ends
    for slot in range(len(rows) - 1, -1, -1):
        options = rows[slot]
        stack = _shifted(behind, options, kept[slot], back=True)
        out[slot][kept[slot]] = _log_sum((stack + forward[slot]).reshape(len(stack), -1).T)
        behind = _log_sum(stack)
    return out


def _ends(light_off: bool, dark_off: bool, hand: bool, off: Floats | None = None) -> Floats:
    """(16, 16) log weight of having seen so many checkers of each side on points and bar. off: as in `weigh`."""
    missing = _MISSING if off is None else _MISSING_LOOKED
    says = np.zeros((2, 16)) if off is None else off
    rows = []
    for bears_off, beside in ((light_off, says[0]), (dark_off, says[1])):
        if bears_off:
            row = np.log(_BEARING_OFF / 16) + beside
            row[15] += _ALL_OFF
        else:
            held = _IN_HAND if hand else 0.0
            row = np.log(missing / 15) + beside
            row[0] = np.log(1 - _BEARING_OFF - held) + beside[0]
            if hand:  # what is in a hand does not lie beside the board
                row[1] = np.logaddexp(row[1], np.log(held) + beside[0])
        rows.append(row[::-1])
    out = np.asarray(rows[0][:, None] + rows[1][None])
    # Somebody has won before the other bears off his last checker.
    out[0, 0] = -np.inf
    return out


def _with_held(points: Floats, hidden: Floats) -> Floats:
    """(24, 31) `points` in which one checker fewer explains the picture too where a hand is: it may be between the fingers."""
    out = points.copy()
    near = hidden > _HELD_OVER
    seen = points[near] + np.log(_LOOKS_LAID)
    some = points[near]
    some[:, ZERO:-1] = np.logaddexp(some[:, ZERO:-1], seen[:, ZERO + 1 :])
    some[:, 1 : ZERO + 1] = np.logaddexp(some[:, 1 : ZERO + 1], seen[:, :ZERO])
    out[near] = some
    return out


def weigh(
    points: Floats, bar: Floats, *, hand: bool = False, off: Floats | None = None
) -> tuple[Position, float]:
    """The position to answer, and the probability of the most probable one.

    That one is the answer unless it is improbable itself: then many positions share the picture (a hand lies over some
    of them), and the answer is the position with the most slots right on average.
    points: (24, 31) log-likelihood, absolute numbering; bar: (2, 8) for light and dark. hand: one may hold a checker.
    off: (2, 16) log-likelihood of so many light, dark checkers off, as far as the picture shows any; default nothing known.
    """
    return _weigh(points, bar, hand, off)[:2]


def _weigh(points: Floats, bar: Floats, hand: bool, off: Floats | None) -> tuple[Position, float, float]:
    """As `weigh`; last, the log weight of all positions together."""
    ways = []
    for light_off, dark_off in product((False, True), repeat=2):
        rows = _options(points + point_prior(light_off, dark_off), (bar[0] + _BAR_PRIOR, bar[1] + _BAR_PRIOR))
        ends = _ends(light_off, dark_off, hand, off)
        ways.append((_best(rows, ends), rows, ends))
    best = max((found for found, _, _ in ways), key=lambda found: found[1])
    chances = [np.full(shape, -np.inf) for shape in (*[COUNTS] * 24, *[bar.shape[1]] * 2, (16, 16))]
    for found, rows, ends in ways:
        if found[1] > best[1] - _HOPELESS_WAY:
            chances = [np.logaddexp(a, b) for a, b in zip(chances, _summed(rows, ends), strict=True)]
    total = np.logaddexp.reduce(chances[-1].ravel())
    share = float(min(1.0, np.exp(best[1] - total)))
    if share >= _ONE_POSITION:
        return best[0], share, float(total)
    right = [np.exp(c - total) for c in chances]
    # The trays count as two more slots.
    ends = right[-1].sum(1)[:, None] + right[-1].sum(0)[None]
    return _best(_options(np.array(right[:24]), (right[24], right[25])), ends)[0], share, float(total)


def _trace(choices: list[npt.NDArray[np.int64]], light: int, dark: int) -> Position:
    off = (15 - light, 15 - dark)
    counts = [0] * 26
    for slot in range(25, -1, -1):
        pick = int(choices[slot][light, dark])
        if slot < 24:
            n = pick - ZERO
            light, dark = light - max(n, 0), dark - max(-n, 0)
        else:
            n = pick
            light, dark = (light - n, dark) if slot == 24 else (light, dark - n)
        counts[slot] = n
    return Position(tuple(counts[:24]), (counts[24], counts[25]), off)


# ------------------------------------------------------------------------------------------- from the picture


def _named(seen: Seen, sides: Sides, hand: bool, off: Floats) -> tuple[Seen, Floats | None, Floats, float]:
    """(what is seen, (2, 3) colours, `off`, chance) under the likelier of both ways to call the sides light and dark.

    Brightness decides; where it hardly does, also which way round the position could be of a game.
    """
    doubt = sides.named
    if doubt >= _NAMED:
        return seen, sides.colours, off, 1.0
    other = seen.with_other_names()
    played = _weigh(seen.points, seen.bar, hand, off)[2] - _weigh(other.points, other.bar, hand, off[::-1])[2]
    doubt += float(np.clip(played, -_PLAYED_SAYS, _PLAYED_SAYS))
    chance = float(1 / (1 + np.exp(-abs(doubt))))
    if sides.named < _EITHER:
        chance = min(chance, _EITHER_CHANCE)
    if doubt >= 0:
        return seen, sides.colours, off, chance
    return other, None if sides.colours is None else sides.colours[::-1], off[::-1], chance


def _weigh_seen(
    points: Floats, bar: Floats, hidden: Floats, hand: bool, off: Floats
) -> tuple[Position, float]:
    """`weigh`; where a hand is, the answer is of what lies there by the look of it, but only as sure as held checkers allow."""
    position, share = weigh(points, bar, hand=hand, off=off)
    if hand:
        other, doubted = weigh(_with_held(points, hidden), bar, hand=hand, off=off)
        share = min(share, doubted if other == position else 1 - doubted)
    return position, share


def read_image(
    bgr: Image,
    *,
    corners: npt.ArrayLike | None = None,
    profile: str | BoardProfile = "generic",
    near: str = "light",
    home: str = "right",
) -> Reading:
    """Read a photo of a board that was never seen before.

    bgr: (H, W, 3) uint8. corners: (4, 2) px, TL TR BR BL of the playing field at board level; found by itself
    when None. profile: name, path or `BoardProfile`. near, home: see `Orientation`.
    Raises InvalidError for input that is no picture, corners that are no quadrilateral, unknown profile, side or home.
    A picture that cannot be read gives a `Reading` with `refusal`, never an error.
    """
    bgr = checked_picture(bgr, least=100)
    board = profile if isinstance(profile, BoardProfile) else load_profile(profile)
    orientation = Orientation(near, home)  # type: ignore[arg-type]
    size = (bgr.shape[1], bgr.shape[0])
    if corners is not None:
        quad, given = check_corners(corners, size), True
    else:
        given = False
    if network.moments(bgr)[1] < _FLAT_PICTURE:
        return Reading(None, refusal="the picture shows nothing: too dark, overexposed or covered")
    try:
        found = fit_bar(bgr, quad, board) if given else find_board(bgr, board, thorough=True)
    except AmbiguousError as error:
        return Reading(None, refusal=str(error))
    quad = np.asarray(found.corners, np.float64)
    geometry = _geometry(bgr, found)
    seen, sides = BlindReader(geometry, orientation).read_photo(bgr)
    covered = tuple(int(p) + 1 for p in np.flatnonzero(seen.hidden > HAND_ON_POINT))
    hand = hand_seen(seen.cells, seen.hidden)
    beside = look_beside(bgr, geometry, thickness(geometry.profile), sides)
    off = off_evidence(beside, orientation.home)
    seen, colours, off, named = _named(seen, sides, hand, off)
    counts = _each_by_itself(seen.points, seen.bar)
    wrong = _impossible(counts, seen.points, seen.bar)
    if wrong is not None and not hand:
        dice, cube = _dice_and_cube(bgr, geometry, orientation, counts[:24])
        return Reading(None, dice, cube, quad, hand, 0.0, wrong, covered, seen.evidence(), counts)
    position, share = _weigh_seen(seen.points, seen.bar, seen.hidden, hand, off)
    dice, cube = _dice_and_cube(bgr, geometry, orientation, position.points)
    against = against_checkers_under(dice, position.points, geometry, orientation)
    if against.any():
        seen = replace(seen, points=seen.points + against)
        counts = _each_by_itself(seen.points, seen.bar)
        before, (position, share) = position, _weigh_seen(seen.points, seen.bar, seen.hidden, hand, off)
        if position != before:
            dice, cube = _dice_and_cube(bgr, geometry, orientation, position.points)
    light_is, dark_is = (None, None) if colours is None else (colour_word(c) for c in colours)
    note = _missing(position)
    if note is None and light_is and sides.named < _EITHER:
        note = f"both sides are about as bright; light is taken to be the {light_is} one"
    reading = Reading(
        position,
        dice,
        cube,
        quad,
        hand,
        share * named,
        None,
        covered,
        seen.evidence(),
        counts,
        note,
        light_is,
        dark_is,
    )
    if float((seen.cells[..., 3] > 0.5).mean()) > HAND_REFUSES:
        return Reading(None, dice, cube, quad, True, 0.0, "a hand covers most of the board", covered)
    return reading


def _each_by_itself(points: Floats, bar: Floats) -> tuple[int, ...]:
    """(26,) the likeliest signed count of every point, and of light and dark (negative) on the bar; arguments as of `weigh`."""
    on_points = (points + COUNT_PRIOR).argmax(axis=1) - ZERO
    on_bar = (bar + _BAR_PRIOR).argmax(axis=1)
    return (*(int(n) for n in on_points), int(on_bar[0]), -int(on_bar[1]))


def _impossible(counts: tuple[int, ...], points: Floats, bar: Floats) -> str | None:
    """What can't be right about (26,) counts, if the picture leaves no room for a board that is; arguments as of `weigh`."""
    if not any(counts):
        return "no checkers are seen: the board is empty"
    total = {"light": sum(n for n in counts if n > 0), "dark": -sum(n for n in counts if n < 0)}
    side = max(total, key=lambda s: total[s])
    if total[side] <= 15:
        return None
    rows = _options(points + COUNT_PRIOR, (bar[0] + _BAR_PRIOR, bar[1] + _BAR_PRIOR))
    ends = np.zeros((16, 16))
    ends[0, 0] = -np.inf
    if sum(float(weights.max()) for *_, weights in rows) - _best(rows, ends)[1] < _TOO_MANY:
        return None
    return f"{total[side]} {side} checkers are seen, and a side has 15"


def _missing(position: Position) -> str | None:
    """What a position says about checkers that are not on the board although others are not home yet."""
    home = {"light": slice(0, 6), "dark": slice(18, 24)}
    for i, (side, at) in enumerate(home.items()):
        sign = 1 if i == 0 else -1
        mine = [max(0, sign * n) for n in position.points]
        if position.off[i] and sum(mine) > sum(mine[at]):
            return f"{position.off[i]} {side} checkers are not seen, and others are not home yet"
    return None


def hand_seen(cells: npt.NDArray[np.floating], hidden: Floats) -> bool:
    """A hand is one piece and has an arm; what the network takes for one by mistake is scattered, or glare.

    cells, hidden: see `Scores`.
    """
    hand = (cells[..., 3] > 0.5).astype(np.uint8)
    count, _, pieces, _ = cv2.connectedComponentsWithStats(hand, connectivity=8)
    if count < 2:
        return False
    x, y, w, h, area = (int(v) for v in pieces[1 + int(pieces[1:, cv2.CC_STAT_AREA].argmax())])
    share, rows, columns = area / hand.size, *hand.shape
    if share > HAND_FROM_EDGE and min(x, y, columns - x - w, rows - y - h) <= 3:
        return True
    return share > HAND_INSIDE or (share > HAND_TRACE and bool((hidden > HAND_ON_POINT).any()))


def _geometry(bgr: Image, found: Registration) -> BoardGeometry:
    if found.bar_edges is not None:
        return found.geometry()
    return _with_bar(bgr, found.geometry())


def _with_bar(bgr: Image, geometry: BoardGeometry) -> BoardGeometry:
    """The bar width under which the picture makes most sense, unless it was measured."""
    if geometry.profile.measured:
        return geometry
    best: tuple[float, BoardGeometry] | None = None
    for bar in BAR_SHARES:
        p = geometry.profile
        trial = BoardGeometry(
            p.with_sizes(bar_width=bar * p.field_width),
            geometry.corners,
            geometry.image_size,
            pose=geometry.pose,
        )
        points = network.score(BlindReader(trial).canvas(bgr)).points
        # Each count stands by itself here: the fifteen-a-side rule does not help to tell bars apart.
        evidence = float(np.logaddexp.reduce(points + COUNT_PRIOR, axis=2).sum())
        if best is None or evidence > best[0]:
            best = evidence, trial
    assert best is not None
    return best[1]


def _dice_and_cube(
    bgr: Image, geometry: BoardGeometry, orientation: Orientation, points: Sequence[int]
) -> tuple[tuple[DieSeen, ...], CubeSeen | None]:
    checkers = _checker_places(points, geometry, orientation)
    try:
        seen = survey_photo(bgr, geometry)
        found = find_dice(
            bgr, geometry, orientation, checkers=checkers, seen=seen.warmer(DiceOptions().least_heat)
        )
        dice = without_faces(bgr, without_fixtures(bgr, found, geometry), geometry, checkers)
        cube = cube_but_a_face(bgr, find_cube(bgr, geometry, orientation, seen=seen), geometry, checkers)
        return dice, cube
    except PiBoardError:
        return (), None


def _checker_places(points: Sequence[int], geometry: BoardGeometry, orientation: Orientation) -> Floats:
    """(N, 2) cm where the checkers of 24 signed counts lie on their points, about: what a die may lean on."""
    places = []
    for point, count in enumerate(points, 1):
        column, row = orientation.column_of(point)
        places += [geometry.checker_place(column, row, i)[:2] for i in range(min(5, abs(count)))]
    return np.array(places, np.float64).reshape(-1, 2)
