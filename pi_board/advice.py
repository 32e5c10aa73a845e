"""Hints and the coach's notes for the table, worked out beside the game so that no frame waits for them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from pi_board.errors import PiBoardError
from pi_board.output import CoachNote, Hint, HintLine
from pi_board.rules import Position, RuleSet, Side
from pi_board.table import Phase, TableView

Level = str
CUBE_WORDS = {
    "no_double": "no double",
    "double_take": "double, take",
    "double_pass": "double, pass",
    "too_good": "too good to double",
}


def hint_for(view: TableView, rules: RuleSet, level: Level = "normal", lines: int = 3) -> Hint | None:
    """The hint for what is to be decided now: a play when dice lie there, the cube when `view.side` may roll."""
    from pi_board.hints import cube_action, rank_plays

    if view.position is None or view.side is None:
        return None
    cube = (view.cube, view.cube_owner)
    if view.dice is not None and view.phase in (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL):
        # A play already on the board is judged from where it began.
        position = view.expected if view.phase is Phase.ILLEGAL and view.expected else view.position
        ranked = rank_plays(position, view.dice, view.side, cube=cube, level=level, rules=rules)
        best = ranked[0].equity if ranked else 0.0
        return Hint(
            view.side,
            view.dice,
            tuple(
                HintLine(
                    str(r.play),
                    float(r.equity),
                    float(r.probabilities[0]),
                    float(best - r.equity),
                    tuple(r.play.moves),
                )
                for r in ranked[:lines]
            ),
        )
    if view.phase in (Phase.ROLL, Phase.DOUBLED):
        asked: Side = view.side
        if view.phase is Phase.DOUBLED:
            asked = "dark" if view.side == "light" else "light"
        advice = cube_action(view.position, asked, cube=cube, level=level)
        words = CUBE_WORDS[advice.action]
        if view.phase is Phase.DOUBLED:
            words = "take" if advice.equities[1] <= advice.equities[2] else "pass"
        return Hint(view.side, None, (), words)
    return None


def note_for(
    before: Position, side: Side, dice: tuple[int, int], after: Position, rules: RuleSet
) -> CoachNote | None:
    """What the coach says of one finished play; None when there was nothing to choose."""
    from pi_board.hints import judge_play

    judged = judge_play(before, dice, after, side, rules=rules)
    if judged is None:
        return None
    return CoachNote(side, judged.play, judged.best, judged.loss, judged.grade, judged.words)


class Adviser:
    """One worker thread. `ask` returns at once; the newest question replaces one that still waits.

    ready: called from the worker with a Hint or CoachNote (or a sentence when the engine failed).
    """

    def __init__(self, ready: Callable[[Hint | CoachNote | str], None]) -> None:
        self._ready = ready
        self._hints: queue.Queue[Callable[[], Hint | CoachNote | None] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="adviser", daemon=True)
        self._thread.start()

    def ask(self, question: Callable[[], Hint | CoachNote | None]) -> None:
        self._hints.put(question)

    def _run(self) -> None:
        while (question := self._hints.get()) is not None:
            try:
                answer = question()
            except PiBoardError as error:
                self._ready(str(error))
                continue
            if answer is not None:
                self._ready(answer)

    def close(self) -> None:
        """Does not wait for an answer under way: nobody reads it any more."""
        while not self._hints.empty():
            try:
                self._hints.get_nowait()
            except queue.Empty:
                break
        self._hints.put(None)
        self._thread.join(timeout=1)
