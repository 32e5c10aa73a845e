"""Before red: does an account of the whole game, made in another way, know of this turn at all?

The table decides step by step and cannot take a step back: after a turn that nobody saw it may hold the opponent's roll
against the wrong player. The filter keeps several accounts alive and weighs them by every look, so it often knows that the
turn which is about to be judged never was. It is asked for the premises only (whose turn, which dice, from which position),
never for the verdict: about finished plays it is slower. It has a veto, though: it weighs all looks at a board that nobody has
touched together, so it may still hold lawful what the last looks alone call a fault.
"""

from __future__ import annotations

from pi_board.events import Dice
from pi_board.referee.explanations import Evidence, Turn
from pi_board.referee.grounds import OTHER_ACCOUNT, Premise
from pi_board.referee.inference.hypotheses import Hypothesis, Weighed
from pi_board.referee.inference.referee import FilterReferee
from pi_board.referee.seeing_part import SeeingPart, SeeingTableInterface
from pi_board.rules import Position, Side
from pi_board.sighting import Sighting

#: Share of the accounts in which the play of this turn is lawful, from which on nobody is accused of it. Range 0.02-0.3: of 321
#: accusations on kept looks of 59 synthetic games the one wrong one had 0.30, and all right ones less than 0.02.
LAWFUL_AFTER_ALL = 0.05
#: Share of "something else happened" from which on the filter knows of no account. Set.
LOST = 0.5
#: Lawful turns of dice that were read, one after the other, after which the filter is the one that is wrong. Set.
OVERRULED = 2


class SecondOpinion(SeeingPart):
    """`observe` every look before anything is decided. Not there at all when `options.second_opinion` is 0."""

    def __init__(self, table: SeeingTableInterface) -> None:
        super().__init__(table)
        self._filter = FilterReferee(self.options, self.rules) if self.options.second_opinion else None
        self._overruled = 0
        #: The turn against which only the second opinion has stood, and since when.
        self._disputed: tuple[tuple[Position, Dice, Side], float] | None = None

    def observe(self, sighting: Sighting, evidence: Evidence | None = None) -> None:
        """evidence: what this look says, without what has been proved wrong; None when the board can't be read."""
        if self._filter is None:
            return
        mine, state = self._filter.state, self.state
        if (mine.in_game, mine.match) != (state.in_game, state.match):
            # It is not asked about games, scores or the cube, so it takes these over.
            self.follow()
        self._filter.observe(sighting, self.now, evidence)

    def follow(self) -> None:
        """The state of the game is beyond doubt: a person has told, or it comes from a journal."""
        if self._filter is not None:
            self._filter.believe(self.state)
            self._overruled = 0

    def played(self) -> None:
        """A turn is over that was played by the law, with dice that were read: the table is most likely right."""
        if self._filter is None:
            return
        agreed = self._filter.state.position == self.state.position
        self._overruled = 0 if agreed else self._overruled + 1
        if self._overruled >= OVERRULED:
            self.follow()

    @property
    def is_lost(self) -> bool:
        """None of the accounts explains what lies there: it has nothing to say against the table's."""
        posterior = self._filter.posterior if self._filter is not None else None
        return posterior is not None and posterior.lost > LOST

    def dispute(self, turn: Turn) -> bool:
        """Doubts what is otherwise about `turn` by the filter's account; True while a few more looks may still tell."""
        grounds = self.looks.grounds
        grounds.dispel(*OTHER_ACCOUNT.values())
        if self._filter is None:
            return False
        share, differs = self._of_turn(turn)
        if share >= self.options.second_opinion:
            return False
        key = turn.before, turn.dice, turn.side
        if self._disputed is None or self._disputed[0] != key:
            self._disputed = key, self.now
        if grounds.premise is None and self.looks.fresh() is None:
            self.looks.waiting = True
            if self.now - self._disputed[1] < self.options.doubt_patience:
                return True
        grounds.doubt(OTHER_ACCOUNT[differs])
        return False

    def holds_lawful(self, turn: Turn, *, on_the_way: bool = False) -> bool:
        """Whether the play of `turn` may well be lawful. on_the_way: what may be half of one counts as well."""
        posterior = self._filter.posterior if self._filter is not None else None
        if posterior is None:
            return False
        return sum(_lawful(w, turn, on_the_way) for w in posterior.of) >= LAWFUL_AFTER_ALL

    def _of_turn(self, turn: Turn) -> tuple[float, Premise]:
        """(Probability that it is, or just was, `turn.side`'s turn with these dice from `turn.before`; what most likely is
        otherwise)."""
        posterior = self._filter.posterior if self._filter is not None else None
        if posterior is None or not posterior.of:
            return 0.0, "position"
        share = posterior.share(lambda w: _knows(w, turn))
        others = [w.hypothesis for w in posterior.of if not _knows(w, turn)]
        return share, _difference(others[0], turn) if others else "position"


def _knows(weighed: Weighed, turn: Turn) -> bool:
    """Whether `turn` is the turn in hand, or the one before it and was not lawfully finished."""
    h, dice = weighed.hypothesis, sorted(turn.dice)
    if h.dice is not None and (h.side, h.before, sorted(h.dice)) == (turn.side, turn.before, dice):
        return True
    if not h.past or h.past[-1].kind == "legal":
        return False
    last = h.past[-1]
    return (last.side, last.before, sorted(last.dice)) == (turn.side, turn.before, dice)


def _lawful(weighed: Weighed, turn: Turn, on_the_way: bool) -> float:
    """Share of this account in which it is `turn`, in hand or finished, and no fault lies there."""
    h, dice = weighed.hypothesis, sorted(turn.dice)
    if h.dice is not None and (h.side, h.before, sorted(h.dice)) == (turn.side, turn.before, dice):
        return weighed.share * (1 - weighed.illegal) if weighed.kind == "legal" or on_the_way else 0.0
    last = h.past[-1] if h.past else None
    if last is None or (last.side, last.before, sorted(last.dice)) != (turn.side, turn.before, dice):
        return 0.0
    return weighed.share if last.kind == "legal" else 0.0


def _difference(h: Hypothesis, turn: Turn) -> Premise:
    if h.before != turn.before:
        return "position"
    return "thrower" if h.side != turn.side else "dice"
