"""What is kept of two readers' evidence, by which of them may be deceived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.sighting import BAR_LIGHT, COUNTS, OFF_LIGHT, SLOTS, ZERO
from pi_board.vision.checkers.log_ratios import calibrated
from pi_board.vision.checkers.row_numbers import FLOOR, OUT_OF_THE_QUESTION
from pi_board.vision.checkers.stacks import long_columns

Floats = npt.NDArray[Any]

#: Weights of the learned look's evidence and of the uncalibrated reader's; the most that the latter may say (nats).
OWN_OPINION, SECOND_OPINION, MOST_SURE = 0.5, 0.7, 25.0
#: Nats by which two counts differ that are as likely, each by another reader's word.
EQUAL = 0.01
#: Nats for the lower one of two such counts where nothing covers the point: for an empty point, and for each checker fewer (as many as for
#: an empty one at most). Source: `bench campaign --slow 15` --seed 2320000, 2350000 and 2360000, 130 games, each place once in 90 s: an
#: empty point was right 286 times, the higher count 5 times; of one to four checkers and one more 88 and 29, of five and more and one more
#: 22 and 20, and two more 71 and 6. (Beside things, which hide as well as add, 230 and 21, 38 and 23: nothing is told there.)
FOR_EMPTY, FOR_FEWER = 3.0, 1.0
#: The uncalibrated reader cannot tell the sides of a set by its colours, if it cannot of so many of the points that hold checkers. (Of blue and
#: brown under a desk lamp it could not of ten of twelve: 4005008. Set.)
MOST_POINTS = 0.5


#: Columns of long rows of light and of dark.
LONG = long_columns(1), long_columns(-1)


class Deceived:
    """Who may be deceived about a slot. (Plain numbers, for arrays: of an enumeration numpy asks twice what it is.)"""

    NOBODY = 0
    LEARNED = 1
    UNCALIBRATED = 2
    BOTH = LEARNED | UNCALIBRATED


def nobody_is_deceived() -> npt.NDArray[np.int64]:
    """(28,) of `Deceived`, one a slot."""
    return np.zeros(SLOTS, np.int64)


def combined(
    own: Floats,
    theirs: Floats,
    deceived: npt.NDArray[np.int64],
    compared: Mapping[int, Floats] = MappingProxyType({}),
) -> Floats:
    """(28, 31) nats, calibrated, of the learned look's evidence `own` and the uncalibrated reader's `theirs` (both (28, 31) nats).

    deceived: (28,) of `Deceived`. compared: as in `Seen`; where a long point was compared with the picture in which its number was accepted,
    that alone decides how many lie there. Glare misleads both readers alike even where nobody is known to be deceived, so the evidence is
    averaged, not added. Of a reader that may be deceived nothing is kept; where both may be, what they agree on. What the learned look holds
    for out of the question (a count that the checkers at hand do not allow) stays so.
    """
    assert own.shape == theirs.shape == (SLOTS, COUNTS)
    second = SECOND_OPINION * np.maximum(theirs, -MOST_SURE)
    second[OFF_LIGHT:] = 0.0
    both = OWN_OPINION * own + second
    for who, kept in (
        (Deceived.UNCALIBRATED, own),
        (Deceived.LEARNED, second),
        (Deceived.BOTH, np.maximum(own, second - np.maximum.reduce(second, axis=1, keepdims=True))),
    ):
        both = np.where((deceived == who)[:, None], kept, both)
    if compared:
        decide_lengths(both, compared)
    return np.where(own <= FLOOR - OUT_OF_THE_QUESTION, own, calibrated(both))


def decide_lengths(rows: Floats, by_slot: Mapping[int, Floats]) -> None:
    """(28, 31) nats `rows`, changed in place: how many lie on the long points `by_slot` is what (12,) log-likelihoods of LEAST..MOST say there;
    that it is a long one, and whose, stays."""
    slots, says = np.array([*by_slot])[:, None], np.array([*by_slot.values()])
    says -= np.maximum.reduce(says, axis=1, keepdims=True)
    for columns in LONG:
        rows[slots, columns] = np.maximum.reduce(rows[slots, columns], axis=1, keepdims=True) + says


def as_told_by_colours(own: Floats, theirs: Floats, whose: npt.NDArray[np.bool_]) -> Floats:
    """(28, 31) nats of the uncalibrated reader's evidence `theirs`, of the sides that the learned look's evidence `own` tells, where a set's
    colours tell that reader nothing: a guess of it would speak as loud as what was learned. whose: (24,) the points that hold checkers, of
    which it does not know whose."""
    unsure = np.count_nonzero(whose)
    said = own[:BAR_LIGHT].argmax(axis=1) - ZERO
    if not unsure or unsure <= MOST_POINTS * np.count_nonzero(said):
        return theirs
    told = theirs.copy()
    rows, others = theirs[:BAR_LIGHT], theirs[:BAR_LIGHT, ::-1]
    its = np.sign(said)[:, None] * (np.arange(COUNTS) - ZERO)
    named = np.where(its > 0, np.maximum(rows, others), np.minimum(rows, own[:BAR_LIGHT]))
    # (That nothing lies there, it tells all the same.)
    told[:BAR_LIGHT] = np.where(whose[:, None] & (its != 0), named, rows)
    return told


def undecided(both: Floats, hidden: Sequence[int]) -> list[int]:
    """The points (slots 0-23) of which the readers say different things, and either may be deceived. both: as `combined` gives it; hidden:
    slots that something covers in part, which are not asked about."""
    second = np.partition(both[:BAR_LIGHT], -2, axis=1)[:, -2]
    second[[slot for slot in hidden if slot < BAR_LIGHT]] = -np.inf
    return (second > -EQUAL).nonzero()[0].tolist()


def for_fewer(both: Floats, slots: Sequence[int]) -> Floats:
    """`both`, where on the points `slots`, that are `undecided`, the lower count is the likelier one: shadows, glare and hands look like
    checkers more often than checkers look like nothing. Between two colours nothing is told."""
    told = both.copy() if slots else both
    for slot in slots:
        one, other = (int(i) for i in np.argsort(both[slot])[-2:])
        fewer, more = sorted((one - ZERO, other - ZERO), key=abs)
        if fewer * more >= 0:
            told[slot, more + ZERO] -= (
                FOR_EMPTY if not fewer else min(FOR_EMPTY, FOR_FEWER * abs(more - fewer))
            )
    return told
