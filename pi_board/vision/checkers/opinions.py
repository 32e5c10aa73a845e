"""What is kept of two readers' evidence, by which of them may be deceived."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntFlag
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.sighting import BAR_LIGHT, COUNTS, OFF_LIGHT, SLOTS
from pi_board.vision.checkers.log_ratios import calibrated
from pi_board.vision.checkers.row_numbers import FLOOR, OUT_OF_THE_QUESTION

Floats = npt.NDArray[Any]

#: Weights of the learned look's evidence and of the uncalibrated reader's; the most that the latter may say (nats).
OWN_OPINION, SECOND_OPINION, MOST_SURE = 0.5, 0.7, 25.0
#: Nats by which two counts differ that are as likely, each by another reader's word.
EQUAL = 0.01


class Deceived(IntFlag):
    """Who may be deceived about a slot."""

    NOBODY = 0
    LEARNED = 1
    UNCALIBRATED = 2
    BOTH = LEARNED | UNCALIBRATED


def nobody_is_deceived() -> npt.NDArray[np.int64]:
    """(28,) of `Deceived`, one a slot."""
    return np.zeros(SLOTS, np.int64)


def combined(own: Floats, theirs: Floats, deceived: npt.NDArray[np.int64]) -> Floats:
    """(28, 31) nats, calibrated, of the learned look's evidence `own` and the uncalibrated reader's `theirs` (both (28, 31) nats).

    deceived: (28,) of `Deceived`. Glare misleads both readers alike even where nobody is known to be deceived, so the evidence
    is averaged, not added. Of a reader that may be deceived nothing is kept; where both may be, what they agree on. What the
    learned look holds for out of the question (a count that the checkers at hand do not allow) stays so.
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
    return np.where(own <= FLOOR - OUT_OF_THE_QUESTION, own, calibrated(both))


def undecided(both: Floats, hidden: Sequence[int]) -> bool:
    """Whether there is a point of which the readers say different things, and either may be deceived. both: as `combined` gives it; hidden:
    slots that something covers in part, which are not asked about."""
    second = np.partition(both[:BAR_LIGHT], -2, axis=1)[:, -2]
    second[[slot for slot in hidden if slot < BAR_LIGHT]] = -np.inf
    return bool(np.maximum.reduce(second) > -EQUAL)
