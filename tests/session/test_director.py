"""Calling the club's director from the table: called, not needed any more, coming, and gone with the next play."""

from __future__ import annotations

from pathlib import Path

from pi_board.events import TurnEnded
from pi_board.output import Moment
from pi_board.rules import STARTING_POSITION
from pi_board.session.app import App
from pi_board.session.solitaire import SolitaireSitting


class Shown:
    def __init__(self) -> None:
        self.moments: list[Moment] = []

    def show(self, moment: Moment) -> None:
        self.moments.append(moment)

    def close(self) -> None: ...


def table(folder: Path) -> tuple[App, Shown]:
    shown = Shown()
    app = App(lambda: None, SolitaireSitting.at_the_table(None, folder), [shown])  # type: ignore[arg-type, return-value]
    return app, shown


def press(app: App, word: str) -> None:
    app.submit(word)
    app._handle_requests()


def test_a_call_is_taken_back_or_answered(tmp_path: Path) -> None:
    app, shown = table(tmp_path)
    app.has_director = True
    press(app, "next")
    assert (shown.moments[-1].director, shown.moments[-1].banner) == ("", "")
    press(app, "director")
    assert shown.moments[-1].director == "called" and "has been called" in shown.moments[-1].banner
    press(app, "director")
    assert (shown.moments[-1].director, shown.moments[-1].banner) == ("", "")
    # An answer to a call that was taken back says nothing.
    app.director_comes()
    assert shown.moments[-1].director == ""
    press(app, "director")
    app.director_comes()
    assert shown.moments[-1].director == "coming" and "on the way" in shown.moments[-1].banner
    app._follow(TurnEnded(side="light", position=STARTING_POSITION))
    press(app, "next")
    assert (shown.moments[-1].director, shown.moments[-1].banner) == ("", "")


def test_without_a_club_a_long_press_of_hint_is_a_hint(tmp_path: Path) -> None:
    app, shown = table(tmp_path)
    asked: list[float] = []
    app.sitting.ask_hint = lambda advice, now: asked.append(now)  # type: ignore[assignment]
    press(app, "director")
    press(app, "next")
    assert len(asked) == 1 and shown.moments[-1].director is None and shown.moments[-1].banner == ""
