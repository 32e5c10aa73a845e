"""Looks that agree: each question that the referee asks of the looks has its own count.

Two questions asked of the same look must not reset each other, and one that is not asked of a look starts again: what
lay there meanwhile nobody knows. Perception, not state of the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

#: What is asked of a settled look.
Question = Literal[
    "start",  # does the starting position lie there?
    "opened_unseen",  # which play does the board show, when nobody saw the opening roll?
    "played_unread",  # which board lies there, before any dice were read?
    "as_left",  # between two turns: is the board as it was left?
    "rejected",  # was a roll played that was to be repeated?
    "unread",  # which dice fit the play, when a die cannot be read?
    "unseen",  # which dice fit the play, when they were never seen?
    "goes_on",  # does who put his play right go on with it?
    "glimpsed",  # does a play of the dice that were seen once lie there?
    "played_unknown",  # has the side to roll played something, and the other rolled?
    "turn",  # what lies there in this turn?
    "read_first",  # is it a play of what the dice were first taken for?
    "thrown_again",  # is a second roll of the same player being played?
    "next_unread",  # has the opponent played dice that cannot be read?
    "guess_taken_back",  # has a play from which its dice were taken been put back?
    "next_without_dice",  # has he played, and could nobody see his dice?
    "beside_one",  # has he played a roll of which one die was seen?
    "both_unseen",  # were the roll and the opponent's both played out of sight?
    "both_glimpsed",  # were they, and were the opponent's dice seen once?
    "next_has_played",  # has the opponent played dice that can?
]


#: Questions about what people are doing, or about the starting position, which is the same for whoever touches it.
BUSY_WITH: frozenset[Question] = frozenset({"start", "thrown_again", "next_has_played"})


def _is_play(question: Question, answer: object, kind: Literal["legal", "illegal"]) -> bool:
    """What lies there in this turn is a whole lawful play, or one against the law (`Reconciled.key` begins with its kind)."""
    return question == "turn" and isinstance(answer, tuple) and answer[:1] == (kind,)


@dataclass(frozen=True, slots=True)
class Agreement:
    """answer: what the looks agree on. looks: how many on end. since: time of the first, seconds. last: number of the last."""

    answer: object
    looks: int
    since: float
    last: int


@dataclass
class Agreements:
    """`next_look` counts the settled looks; `ask` gives (looks on end, seconds) for which a question has had this answer.

    anew: the last look was read for itself. Nobody is accused by one reading that is told twice, as of a scene at rest: on a slow processor
    a checker that was seen where none lay was one look, and the next one repeated it (2810004)."""

    number: int = 0
    anew: bool = True
    _held: dict[Question, Agreement] = field(default_factory=dict)

    def next_look(self, anew: bool = True) -> None:
        self.number += 1
        self.anew = anew

    def ask(self, question: Question, answer: object, now: float) -> tuple[int, float]:
        held = self._held.get(question)
        if held is None or held.answer != answer or held.last < self.number - 1:
            held = Agreement(answer, 0, now, self.number - 1)
        if held.last < self.number:
            counts = self.anew or held.looks == 0 or not _is_play(question, answer, "illegal")
            held = Agreement(answer, held.looks + counts, held.since, self.number)
        self._held[question] = held
        return held.looks, now - held.since

    def held(self, question: Question, now: float) -> float:
        """Seconds for which the last answer to `question` has held; 0 without one."""
        held = self._held.get(question)
        return 0.0 if held is None else now - held.since

    def touched(self, now: float) -> None:
        """Somebody was at the board: what lay there before is another scene, and nothing has lain untouched since. What agrees
        before and after a hand all the same is a whole lawful play, and what hands are busy with."""
        self._held = {
            q: replace(h, since=now)
            for q, h in self._held.items()
            if q in BUSY_WITH or _is_play(q, h.answer, "legal")
        }

    def forget(self, question: Question | None = None) -> None:
        """Start again with one question, or with all of them."""
        if question is None:
            self._held.clear()
        else:
            self._held.pop(question, None)
