"""A hypothesis: one account of what happened since the last position that is beyond doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from pi_board.events import Dice
from pi_board.referee.explanations import PARTIAL, Evidence, Reconciled, Turn, in_hand_scores, turn_of
from pi_board.rules import Play, Position, RuleSet, Side, opponent


@lru_cache(maxsize=512)
def turn(before: Position, dice: Dice, side: Side, rules: RuleSet) -> Turn:
    """`reconcile.turn_of`, with room for all rolls of both sides from several positions."""
    return turn_of.__wrapped__(before, dice, side, rules)


@dataclass(frozen=True, slots=True)
class Done:
    """A finished turn. kind: "legal" (passing with no legal play as well), "short" (stopped too early), "illegal".

    unseen: nobody saw its dice. code: of the fault, where it is known.
    """

    side: Side
    dice: Dice
    before: Position
    result: Position
    kind: str = "legal"
    play: Play | None = None
    unseen: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """Two accounts of a turn are the same when this is equal."""
        return self.side, tuple(sorted(self.dice)), self.before, self.result


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """past: turns finished since the anchor, oldest first. before: what lay there when the turn in hand began; side: whose
    turn; dice: None until rolled. serial: the roll that was seen of it (0: none); void: that roll does not count.
    weight: log-weight of all that is over; what lies there now is weighed anew by every look.
    opening: (light's die, dark's die) of an opening roll. said: words about how the dice came about, for the record.
    """

    before: Position
    side: Side
    dice: Dice | None = None
    past: tuple[Done, ...] = ()
    serial: int = 0
    void: bool = False
    weight: float = 0.0
    opening: tuple[int, int] | None = None
    said: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """Equal states are merged."""
        return self.past, self.before, self.side, self.dice, self.serial, self.void, self.opening

    @property
    def story(self) -> tuple[object, ...]:
        """The turns that are over."""
        return tuple(d.key for d in self.past)

    def rolled(self, dice: Dice, serial: int, cost: float, **more: object) -> Hypothesis:
        return replace(self, dice=dice, serial=serial, void=False, weight=self.weight + cost, **more)  # type: ignore[arg-type]

    def finished(self, done: Done, cost: float) -> Hypothesis:
        """The turn in hand is over; it is the other side's."""
        return Hypothesis(
            done.result, opponent(done.side), past=(*self.past, done), weight=self.weight + cost
        )


@dataclass(frozen=True, slots=True)
class Lawful:
    """The best explanation of a look by the law. kind: before, legal, partial (a hand on its way included)."""

    kind: str
    score: float
    index: int = -1


def lawful(evidence: Evidence, of: Turn, in_hand: float) -> Lawful:
    """The likeliest of: nothing moved, a legal play, one on its way."""
    scores, plays = evidence.scores(of.counts), len(of.legal)
    best = Lawful("before", float(scores[0]))
    if plays:
        index = int(scores[1 : 1 + plays].argmax())
        if scores[1 + index] > best.score and of.moves[index]:
            best = Lawful("legal", float(scores[1 + index]), index)
    if len(scores) > 1 + plays:
        partial = scores[1 + plays :] - PARTIAL
        if partial.max() > best.score:
            best = Lawful("partial", float(partial.max()), int(partial.argmax()))
    if best.score < -in_hand:
        way, _ = in_hand_scores(evidence, of, of.counts, scores, in_hand)
        if way.max() > best.score:
            best = Lawful("partial", float(way.max()))
    return best


@dataclass(frozen=True, slots=True)
class Weighed:
    """A hypothesis after a look: share of the posterior; found: what lies there if it is true (None: it was not worth a
    closer look; then `kind` says what the law makes of it); illegal: chance, given it, that a finished play outside the law lies there."""

    hypothesis: Hypothesis
    share: float
    kind: str
    found: Reconciled | None
    illegal: float
    fit: float


@dataclass(frozen=True, slots=True)
class Posterior:
    """All of them, likeliest first. lost: share of "something else happened"."""

    of: tuple[Weighed, ...]
    lost: float

    @property
    def best(self) -> Weighed:
        return self.of[0]

    def share(self, wanted: Callable[[Weighed], bool]) -> float:
        """Share of the hypotheses for which `wanted(weighed)` holds."""
        return sum([w.share for w in self.of if wanted(w)])

    def stories(self) -> list[tuple[float, tuple[object, ...], Weighed]]:
        """(share, story, likeliest of it) by share."""
        sums: dict[tuple[object, ...], float] = {}
        first: dict[tuple[object, ...], Weighed] = {}
        for w in self.of:
            sums[w.hypothesis.story] = sums.get(w.hypothesis.story, 0.0) + w.share
            first.setdefault(w.hypothesis.story, w)
        return sorted(((s, k, first[k]) for k, s in sums.items()), key=lambda item: -item[0])
