"""What people do at a table and how vision errs: the priors and error rates that the filter reasons with.

All numbers are probabilities unless a unit is said; `nats` turns one into a log-weight. They say how often something
happens at a table whose dice and board are seen well, so they do not change with a room. Sources: the synthetic
games of `tests/referee/people.py` (habits per turn) and the careless players of the simulator, which agree on the order of
magnitude; where neither says anything, the source line says "set".
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass


def nats(probability: float) -> float:
    """Natural logarithm of a probability. Raises ValueError outside (0, 1]."""
    if not 0 < probability <= 1:
        raise ValueError(f"probability: expected above 0 and at most 1, got {probability}")
    return math.log(probability)


@dataclass(frozen=True, slots=True)
class People:
    """What happens between two positions, per turn.

    cocked: a roll that does not lie flat. Range 0.01-0.1; habits: 5 %.
    played_cocked: a cocked roll that is played all the same, because both agree. 0.01-0.1; set.
    counts_outside: a roll beside the board that is played all the same. Set.
    stray: something that is no roll looks like one (a bright checker, the cube). Set.
    withdrawn: a roll beside dice that lie there still is taken back. Simulator: those who are told off.
    throws_instead: the second player rolls although he is to repeat the opening numbers. Set.
    other_side: the other side plays the roll. Set.
    same_dice: dice that lie there are taken for new ones (pushed, or read anew). Set.
    again: rolled once more in an open turn by the same player, with nothing or little played. 0.002-0.02; a cocked roll in ten is seen as flat.
    unseen_throw: dice that nobody could see (behind a hand, in the shadow, too quick). 0.001-0.02; rendered games.
    own_half, half_looks: a roll lies in the roller's half: prior share, and the rolls which that prior counts for;
        the table's own custom is learnt on top. Habits: 8 % elsewhere.
    tie: equal numbers in the opening are a tie and no roll: nobody begins with a double by one die each. Rules.
    tie_in_one_half: the same when both dice lie in one half; tie_of_two_dice: where two dice each are rolled for the start. Set.
    illegal: a play outside the law, beyond what `reconcile` charges for one (2 nats and 0.7 a displaced checker).
    out_of_sight: the play was finished and the next one begun before a settled look showed it. Habits: hasty 5 %.
    goes_on: the dice were lifted and the play is not finished all the same. Habits: lift_early 4-8 %.
    hasty: a play is under way when its dice are first seen. Simulator: careless players 5 %.
    moved_before: checkers were moved before the roll with which they are played. Set.
    unmodelled: something else happened between two looks, per turn. Set so that it never decides where a look explains itself.
    hidden: the same once the board was out of sight for longer than `out_of_sight_after` seconds.
    throws_again_within: seconds; a player who saw a cocked die rolls again about this soon. Simulator: 1-3 s.
    """

    cocked: float = 0.05
    played_cocked: float = 0.04
    counts_outside: float = 0.1
    stray: float = 1e-4
    same_dice: float = 0.005
    other_side: float = 0.002
    withdrawn: float = 0.05
    throws_instead: float = 0.02
    again: float = 0.003
    unseen_throw: float = 0.003
    own_half: float = 0.9
    half_looks: float = 6.0
    tie: float = 0.97
    tie_in_one_half: float = 0.7
    tie_of_two_dice: float = 0.2
    illegal: float = 0.3
    out_of_sight: float = 0.01
    goes_on: float = 0.05
    hasty: float = 0.05
    moved_before: float = 1e-4
    unmodelled: float = 1e-6
    hidden: float = 0.5
    out_of_sight_after: float = 6.0
    throws_again_within: float = 1.5


@dataclass(frozen=True, slots=True)
class Eyes:
    """How vision errs.

    misread: (confidence, chance that a steady reading of that confidence is wrong), interpolated in the logarithm.
        To be fitted to the rendered campaign; above 0.95 no wrong one was seen in 86 + 431 rendered rolls.
    cocked_seen: a cocked die is seen as cocked, look after look. flat_as_cocked: a flat die is. Set; to be fitted likewise.
    unreadable: what a look at a die that no number can be read from says about the number: nothing.
    """

    misread: tuple[tuple[float, float], ...] = (
        (0.0, 0.83), (0.5, 0.4), (0.8, 0.15), (0.9, 0.01), (0.95, 1e-5), (1.0, 1e-6),
    )  # fmt: skip
    cocked_seen: float = 0.9
    flat_as_cocked: float = 0.003

    def wrong(self, confidence: float) -> float:
        """Chance that a steady reading of `confidence` is wrong."""
        table = self.misread
        if confidence <= table[0][0]:
            return table[0][1]
        for (low, at_low), (high, at_high) in itertools.pairwise(table):
            if confidence <= high:
                share = (confidence - low) / (high - low)
                return math.exp((1 - share) * math.log(at_low) + share * math.log(at_high))
        return table[-1][1]


@dataclass(frozen=True, slots=True)
class Words:
    """How sure the referee must be before it says something (probabilities).

    risk: by strictness, the largest chance of being wrong with which a play is called illegal (epsilon); chosen from the
        risk-coverage table of `bench_referee --risk`. dice: for naming dice; side: for naming whose they are. past: for saying that a turn is over because the
        next one has begun. correct: for taking back what was said. legal: lawful plays together, for green.
    """

    lenient: float = 1e-4
    normal: float = 5e-3
    tournament: float = 1.8e-2
    dice: float = 0.6
    side: float = 0.92
    past: float = 0.9
    correct: float = 0.97
    legal: float = 0.6

    def risk(self, strictness: str) -> float:
        return float(getattr(self, strictness))


@dataclass(frozen=True, slots=True)
class Model:
    """All of it. alive: hypotheses kept; reach: nats behind the best at which one is dropped."""

    people: People = People()
    eyes: Eyes = Eyes()
    words: Words = Words()
    alive: int = 32
    reach: float = 14.0
