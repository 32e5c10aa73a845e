"""Hints and the coach's notes for the table, worked out beside the game so that no frame waits for them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from pi_board.errors import PiBoardError
from pi_board.output import CoachNote, Hint, HintLine
from pi_board.rules import Position, RuleSet, Side, opponent
from pi_board.table import Phase, TableView

if TYPE_CHECKING:
    from pi_board.hints import Backend, Coach, HintsOptions, MatchScore

CUBE_WORDS = {
    "no_double": "no double",
    "double_take": "double, take",
    "double_pass": "double, pass",
    "too_good": "too good to double",
}
Answer = Hint | CoachNote | str


class Advice:
    """One worker thread with the engine in it. Questions return at once; `ready` is called from the worker with a
    `Hint`, a `CoachNote`, or a sentence (a notice, or why there is no hint). The networks are loaded at the first question.
    """

    def __init__(self, options: HintsOptions, ready: Callable[[Answer], None]) -> None:
        self._options, self._ready = options, ready
        self._questions: queue.Queue[Callable[[], Answer | None] | None] = queue.Queue()
        self._engine: tuple[Backend, Coach] | None = None
        self._thread = threading.Thread(target=self._run, name="advice", daemon=True)
        self._thread.start()

    def ask_hint(self, view: TableView, rules: RuleSet) -> None:
        """What to do now: a play when dice lie there, the cube when `view.side` may roll or answer."""
        self._questions.put(lambda: self._hint(view, rules))

    def ask_note(
        self,
        view: TableView,
        before: Position,
        side: Side,
        dice: tuple[int, int],
        after: Position,
        rules: RuleSet,
    ) -> None:
        """What the coach says of a finished play."""
        if self._options.coach:
            self._questions.put(lambda: self._note(view, before, side, dice, after, rules))

    def close(self) -> None:
        """Does not wait for an answer under way: nobody reads it any more."""
        while not self._questions.empty():
            try:
                self._questions.get_nowait()
            except queue.Empty:
                break
        self._questions.put(None)
        self._thread.join(timeout=1)

    # ------------------------------------------------------------------------------------- the worker

    def _run(self) -> None:
        while (question := self._questions.get()) is not None:
            try:
                answer = question()
            except PiBoardError as error:
                answer = str(error)
            if answer is not None:
                self._ready(answer)
        if self._engine is not None:
            self._engine[0].close()

    def _backend_and_coach(self, rules: RuleSet) -> tuple[Backend, Coach]:
        if self._engine is None:
            from pi_board.hints import Backend, Coach

            self._engine = (Backend(self._options, notice=self._ready), Coach(level="fast", rules=rules))
        return self._engine

    def _hint(self, view: TableView, rules: RuleSet) -> Answer | None:
        if view.position is None or view.side is None:
            return "No hint before the game has begun."
        backend, _ = self._backend_and_coach(rules)
        terms = {
            "cube": (view.cube, view.cube_owner),
            "level": self._options.level,
            "rules": rules,
            "match": _score(view),
        }
        if view.dice is not None and view.phase in (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL):
            position = view.expected if view.phase is Phase.ILLEGAL and view.expected else view.position
            ranked = backend.rank_plays(position, view.dice, view.side, **terms)
            best = ranked[0].equity if ranked else 0.0
            lines = [
                HintLine(
                    str(r.play),
                    float(r.equity),
                    float(r.probabilities[0]),
                    float(best - r.equity),
                    r.play.moves,
                )
                for r in ranked[: self._options.show]
            ]
            return Hint(view.side, view.dice, tuple(lines))
        if view.phase in (Phase.ROLL, Phase.DOUBLED):
            doubler = view.side if view.phase is Phase.ROLL else opponent(view.side)
            action = backend.cube_action(view.position, doubler, **terms).action
            if view.phase is Phase.ROLL:
                return Hint(view.side, None, (), CUBE_WORDS[action])
            return Hint(view.side, None, (), "pass" if action in ("double_pass", "too_good") else "take")
        return None

    def _note(
        self,
        view: TableView,
        before: Position,
        side: Side,
        dice: tuple[int, int],
        after: Position,
        rules: RuleSet,
    ) -> CoachNote | None:
        _, coach = self._backend_and_coach(rules)
        review = coach.review_play(
            before, dice, after, side, cube=(view.cube, view.cube_owner), match=_score(view)
        )
        if review.forced:
            return None
        return CoachNote(side, review.play, str(review.best.play), review.loss, review.grade, review.words)


def _score(view: TableView) -> MatchScore | None:
    if not view.match_length or max(view.score) >= view.match_length:
        return None
    from pi_board.hints import MatchScore

    post = not view.crawford_game and view.match_length - 1 in view.score
    return MatchScore(view.match_length, view.score, view.crawford_game, post)
