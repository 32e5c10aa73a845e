"""A whole recorded game put to the coach, decision by decision."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pi_board.errors import AmbiguousError
from pi_board.record.match import Doubled, Dropped, Game, Match, Rolled, Took
from pi_board.rules import RULE_SETS, Side

if TYPE_CHECKING:
    from pi_board.hints import Coach, CubeReview, MatchScore, PlayReview


def coached_rules(match: Match) -> str:
    """House rules are known by name only: their plays are looked over as international ones."""
    return match.rules if match.rules in RULE_SETS else "international"


def reviews(coach: Coach, game: Game, match: Match) -> Iterator[list[CubeReview | PlayReview]]:
    """Put every decision of a game to the coach, the cube's too; yields what it says of each action, in order."""
    terms: dict[str, Any] = {
        "match": _match_score(game, match),
        "jacoby": None if match.length else match.jacoby,
    }
    value, owner = 1, None
    doubled: Side | None = None
    first = True
    for action, before, after in game.positions():
        said: list[CubeReview | PlayReview] = []
        if isinstance(action, Doubled):
            said.append(coach.review_double(before, action.side, True, cube=(value, owner), **terms))
            doubled = action.side
        elif isinstance(action, Took | Dropped) and doubled is not None:
            took = isinstance(action, Took)
            said.append(coach.review_answer(before, doubled, took, cube=(value, owner), **terms))
            value, owner = 2 * value, action.side
        elif isinstance(action, Rolled) and action.moves is not None:
            # The first roll of a game is thrown by both: nobody could double before it.
            if not first and doubled != action.side and RULE_SETS[coached_rules(match)].cube:
                said.append(coach.review_double(before, action.side, False, cube=(value, owner), **terms))
            said.append(
                coach.review_play(before, action.dice, after, action.side, cube=(value, owner), **terms)
            )
            first, doubled = False, None
        yield said


def _match_score(game: Game, match: Match) -> MatchScore | None:
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
        self._done: OrderedDict[tuple[Game, int, str, bool], dict[str, Any]] = OrderedDict()

    def __call__(self, game: Game, match: Match) -> dict[str, Any]:
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
