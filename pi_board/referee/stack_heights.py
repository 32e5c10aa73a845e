"""How high a stack is, told by whether it reads as it did before the roll."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pi_board.sighting import ZERO

#: Most checkers of a point that lie beside each other, before the next ones lie upon them.
IN_A_ROW = 5


@dataclass(frozen=True, slots=True)
class HeightModel:
    """What it tells of a stack's height that it reads as at the roll, or otherwise.

    How a stack is lit, how it leans and how the reader errs about it stay the same while nobody touches it. So whether it reads as before
    tells more than what it reads as. A slot's change: the most by which the score (nats, not below `floor`) of one of the counts up to
    `around` from the one that lay there has changed. least: such stacks, checkers, and higher ones. alike: below which change (nats) a
    slot is as it was; other, plainly: from which it is not. as_before: nats for the old count then; otherwise, plain: nats against it;
    the second of each for stacks from `high` checkers on. looks: nats for the old count where by its looks nobody has touched the point
    (`TouchModel`), which tells more, and against it where somebody has. While a play is judged only scores that have not changed are used,
    since a stack that has changed may be shaded: below `least_touched` (nats) nobody has touched a stack, and `untouched` nats count against another height.
    Source: 86,700 stacks before and after turns of 204 rendered games (campaign 500000-144, 520000-007, 530000-039). Of 2 and 3 checkers
    with as many as before 99.7 % changed by less than .5 and .16 % by more than 3, with one more or less 99.99 % by more than 6. Of 4 and
    more (18,200) 95 % changed by less than .5, .5 % by more than 3 and .08 % by more than 6; with one more or less none, 99.4 % and 93 %.
    Single looks at stacks of four and more that were read without doubt and hold another number: of 3,400 (580000-010) none had changed by
    less than 2; of 14,200 (680000-049) 19 by less than .5, in one game, and some 100, in another one, by 1 to 1.5. Of those that
    nobody has touched 97 % (4 and 5 checkers) and 94 % (6 and 7) had changed by less than 1.
    """

    floor: float = 8.0
    around: int = 2
    least: int = 2
    high: int = 8
    alike: float = 0.5
    other: float = 3.0
    plainly: float = 6.0
    as_before: tuple[float, float] = (4.0, 2.0)
    least_touched: float = 1.0
    untouched: tuple[float, float] = (7.0, 4.0)
    otherwise: tuple[float, float] = (4.0, 3.0)
    plain: tuple[float, float] = (7.0, 6.0)
    looks: tuple[float, float] = (6.0, 4.0)


HEIGHT = HeightModel()


def change_of(before: np.ndarray, now: np.ndarray, count: int) -> float:
    """As in `HeightModel`: of two rows (counts,) of a slot that held `count` checkers."""
    near = slice(max(0, count - HEIGHT.around + ZERO), count + HEIGHT.around + 1 + ZERO)
    return float(np.abs(np.maximum(now[near], -HEIGHT.floor) - np.maximum(before[near], -HEIGHT.floor)).max())
