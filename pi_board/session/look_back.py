"""A whole recorded game put to the coach, decision by decision."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pi_board.errors import AmbiguousError
from pi_board.record.match import Doubled, Dropped, GameRecord, MatchRecord, Rolled, Took
from pi_board.rules import RULE_SETS, Position, Side

if TYPE_CHECKING:
    from pi_board.hints import Coach, CubeReview, MatchScore, PlayReview


def coached_rules(match: MatchRecord) -> str:
    """House rules are known by name only: their plays are looked over as international ones."""
    return match.rules if match.rules in RULE_SETS else "international"


@dataclass(frozen=True, slots=True)
class Decision:
    """One thing that somebody decided, with all that the coach needs to judge it. kind: play, double (doubled or not) or answer.

    yes: doubled, or took. side: who decided; for an answer, who had doubled. after: what a play left; cube: before it.
    """

    kind: Literal["play", "double", "answer"]
    side: Side
    before: Position
    rules: str
    cube: tuple[int, Side | None]
    match: MatchScore | None
    jacoby: bool | None
    dice: tuple[int, int] | None = None
    after: Position | None = None
    yes: bool = False


def decisions(game: GameRecord, match: MatchRecord, rules: str) -> Iterator[list[Decision]]:
    """What was decided in a game, action by action, the cube's decisions too."""
    terms: dict[str, Any] = {
        "rules": rules,
        "match": _match_score(game, match),
        "jacoby": None if match.length else match.jacoby,
    }
    value, owner = 1, None
    doubled: Side | None = None
    first = True
    for action, before, after in game.positions():
        found: list[Decision] = []
        if isinstance(action, Doubled):
            found.append(Decision("double", action.side, before, cube=(value, owner), yes=True, **terms))
            doubled = action.side
        elif isinstance(action, Took | Dropped) and doubled is not None:
            took = isinstance(action, Took)
            found.append(Decision("answer", doubled, before, cube=(value, owner), yes=took, **terms))
            value, owner = 2 * value, action.side
        elif isinstance(action, Rolled) and action.moves is not None:
            # Both players roll the opening roll, so nobody could double before it.
            if not first and doubled != action.side and RULE_SETS[rules].cube:
                found.append(Decision("double", action.side, before, cube=(value, owner), **terms))
            found.append(
                Decision(
                    "play", action.side, before, cube=(value, owner), dice=action.dice, after=after, **terms
                )
            )
            first, doubled = False, None
        yield found


def put(coach: Coach, decision: Decision) -> CubeReview | PlayReview:
    """What the coach says of a decision; it goes to his accounts."""
    d = decision
    terms: dict[str, Any] = {"cube": d.cube, "match": d.match, "jacoby": d.jacoby}
    if d.kind == "double":
        return coach.review_double(d.before, d.side, d.yes, **terms)
    if d.kind == "answer":
        return coach.review_answer(d.before, d.side, d.yes, **terms)
    assert d.dice is not None and d.after is not None
    return coach.review_play(d.before, d.dice, d.after, d.side, **terms)


def reviews(coach: Coach, game: GameRecord, match: MatchRecord) -> Iterator[list[CubeReview | PlayReview]]:
    """Put every decision of a game to the coach, the cube's too; yields what it says of each action, in order."""
    for found in decisions(game, match, coached_rules(match)):
        yield [put(coach, decision) for decision in found]


def _match_score(game: GameRecord, match: MatchRecord) -> MatchScore | None:
    from pi_board.hints import MatchScore

    if not match.length or max(game.score) >= match.length:
        return None
    post = not game.crawford and match.crawford and match.length - 1 in game.score
    return MatchScore(match.length, game.score, game.crawford, post)


class LookBack:
    """What the coach says of a game, as a document for the page; one game at a time, the last few are kept.

    Calling raises AmbiguousError while another game is being looked over.
    """

    KEPT = 8

    def __init__(self) -> None:
        self._busy = threading.Lock()
        self._done: OrderedDict[tuple[GameRecord, int, str, bool], dict[str, Any]] = OrderedDict()

    def __call__(self, game: GameRecord, match: MatchRecord) -> dict[str, Any]:
        """{"actions": [[{"what", "choice", "loss", "grade", "words", "best"}, …] per action], "summary": [light, dark], "explained": [light, dark], "scale"}."""
        key = (game, match.length, match.rules, match.jacoby)
        if (found := self._done.get(key)) is not None:
            return found
        if not self._busy.acquire(blocking=False):
            raise AmbiguousError("the coach is looking over another game; try again in a moment")
        try:
            from pi_board.hints import Coach
            from pi_board.hints.coach import SCALE

            coach = Coach(level="fast", rules=coached_rules(match))
            actions = [[_document(r) for r in said] for said in reviews(coach, game, match)]
            found = {
                "actions": actions,
                "summary": [coach.summary("light"), coach.summary("dark")],
                "scale": SCALE,
                "explained": [coach.explanation("light"), coach.explanation("dark")],
            }
            self._done[key] = found
            while len(self._done) > self.KEPT:
                self._done.popitem(last=False)
            return found
        finally:
            self._busy.release()


def _document(review: CubeReview | PlayReview) -> dict[str, Any]:
    from pi_board.hints import PlayReview

    play = isinstance(review, PlayReview)
    return {
        "what": "play" if play else "cube",
        "choice": review.play if isinstance(review, PlayReview) else review.choice,
        "loss": round(review.loss, 4),
        "grade": review.grade,
        "words": review.words,
        "best": str(review.best.play) if isinstance(review, PlayReview) else "",
    }
