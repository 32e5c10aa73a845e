"""The 37-hole game at the table: lights, page and display, "can it still be won?", journal, buttons."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pi_board.camera.base import FrameSource
from pi_board.events import EndTurn, LetStand, NewGame, SetHoles, TakeBack
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.panel.signals import lights_of, melody_of
from pi_board.record.journal import Journal, read_journal
from pi_board.referee.solitaire import SolitaireReferee
from pi_board.session.app import App
from pi_board.session.solitaire import SolitaireSitting, view_after, words_for
from pi_board.sighting import Gate, Sighting
from pi_board.simulator.solitaire import SolitaireSimulatorOptions, SolitaireTable
from pi_board.solitaire import BOARD_37, Problem, bit
from pi_board.vision.solitaire.reader import HolesReader

#: Three in a row and one beside: 17-19 wins with 20-18.
START = BOARD_37.from_numbers([17, 18, 20])
PROBLEM = Problem("small", {"en": "Small"}, START, None, "made for this test")


class Told:
    """A reader that sees what it is told."""

    def __init__(self) -> None:
        self.holes: tuple[int, ...] | None = None
        self.note = ""
        self.learned: list[tuple[int, ...]] = []

    def look(self, frame: Frame) -> Sighting:
        gate = Gate.HAND if self.holes is None else Gate.SETTLED
        return Sighting(frame.seq, frame.time, gate, holes=self.holes, note=self.note)

    def learn(self, holes: tuple[int, ...]) -> None:
        self.learned.append(holes)


class Table:
    """Shows positions to a sitting and collects its moments."""

    def __init__(
        self, problem: Problem | None = PROBLEM, journal: Journal | None = None, referee=None
    ) -> None:
        self.reader = Told()
        referee = referee or SolitaireReferee(problem)
        self.sitting = SolitaireSitting(self.reader, referee, journal=journal)  # type: ignore[arg-type]
        self.now, self.seq = 0.0, 0
        self.moments: list[Moment] = []

    def show(self, position: int | None, seconds: float = 4.0) -> Moment:
        self.reader.holes = None if position is None else tuple(BOARD_37.to_holes(position))
        for _ in range(round(seconds * 2)):
            self.now, self.seq = self.now + 0.5, self.seq + 1
            self.moments.append(
                self.sitting.pipeline.feed(Frame(np.zeros((4, 4, 3), np.uint8), self.now, self.seq))
            )
        return self.moments[-1]

    def answered(self) -> Moment:
        """The moment after the solver has answered."""
        question = self.sitting.pipeline.question
        while question._asked is not None and not question._asked.done():
            time.sleep(0.01)
        self.now += 0.1
        self.moments.append(self.sitting.pipeline.judge(Sighting(0, self.now, Gate.MOVING)))
        return self.moments[-1]

    def told(self) -> list[str]:
        return [e.type for m in self.moments for e in m.events]


def test_a_game_that_is_won(tmp_path: Path) -> None:
    after = BOARD_37.after(START, BOARD_37.jump(17, 19))
    end = BOARD_37.after(after, BOARD_37.jump(20, 18))
    journal = Journal.create(tmp_path)
    table = Table(journal=journal)
    assert table.sitting.moment(0.0).solitaire.state == "set_up"
    for position, pieces in ((START, 3), (after, 2)):
        table.show(position)
        shown = table.answered().solitaire
        assert shown and (shown.state, shown.winnable, shown.pieces, shown.name) == (
            "play",
            True,
            pieces,
            "Small",
        )
    assert (shown.last, shown.jumps, shown.words) == ("17-19", 1, "This can be won.")
    won = table.show(end)
    assert won.solitaire and won.solitaire.state == "won" and won.view.message == "Solved!"
    assert lights_of(won.view).verdict_green == "on"
    assert table.told() == ["solitaire_started", "jump_made", "jump_made", "solitaire_ended"]
    assert [melody_of(m.events) for m in table.moments if m.events] == ["", "", "game_won"]
    assert len(table.reader.learned) == 3
    table.sitting.close()
    assert [e.type for e in read_journal(journal.path).events] == table.told()


def test_a_wrong_jump_is_red_and_heard_and_put_back() -> None:
    wrong = START ^ bit(17) ^ bit(19)
    table = Table()
    table.show(START)
    red = table.show(wrong)
    assert red.solitaire and (red.solitaire.state, red.solitaire.code) == ("wrong", "not_removed")
    assert lights_of(red.view).verdict_red == "fast"
    assert "illegal" in [melody_of(m.events) for m in table.moments]
    assert (
        red.view.message
        == "17-19: take the piece on 18 off the board. Or put a piece on 17 and take the piece from 19."
    )
    assert table.sitting.pipeline.command(TakeBack(), table.now).events[0].type == "refused"
    assert red.solitaire.holes == tuple(BOARD_37.to_holes(START))
    back = table.show(START)
    assert back.solitaire and back.solitaire.state == "play" and lights_of(back.view).verdict_red == "off"


def test_a_person_may_overrule() -> None:
    wrong = START ^ bit(17) ^ bit(19)
    table = Table()
    table.show(START)
    table.show(wrong)
    stands = table.sitting.pipeline.command(LetStand(), table.now)
    assert [e.type for e in stands.events] == ["holes_corrected"]
    assert table.show(wrong).solitaire.state == "play"
    # And the position may be said as it is, even before anything was seen.
    fresh = Table(None)
    fresh.sitting.pipeline.command(SetHoles(holes=tuple(BOARD_37.to_holes(START))), 0.0)
    assert fresh.show(BOARD_37.after(START, BOARD_37.jump(17, 19))).solitaire.last == "17-19"
    assert fresh.sitting.pipeline.command(EndTurn(), 9.0).events[0].code == "solitaire"
    assert fresh.sitting.pipeline.command(NewGame(), 9.0).solitaire.state == "set_up"


@pytest.mark.parametrize(
    ("vacancy", "name"), [(19, "Classic"), (3, "The pirate"), (1, "Hole 1 empty"), (20, "Hole 20 empty")]
)
def test_any_set_up_is_known(vacancy: int, name: str) -> None:
    table = Table(None)
    assert table.show(BOARD_37.full ^ bit(vacancy)).solitaire.name == name


def test_lost_is_amber_and_a_hint_leads_to_the_fewest() -> None:
    lost = BOARD_37.from_numbers([17, 18, 20, 37])
    table = Table(replace(PROBLEM, start=lost))
    table.show(lost)
    last = table.answered()
    assert (
        last.solitaire
        and last.solitaire.winnable is False
        and last.view.message == "This can't be won any more."
    )
    assert lights_of(last.view).verdict_amber == "slow"
    table.sitting.pipeline.ask_hint()
    hinted = table.answered().solitaire
    assert hinted and (hinted.hint, hinted.best) == ("17-19", 2)
    gone = table.show(BOARD_37.after(lost, BOARD_37.jump(17, 19))).solitaire
    assert gone and gone.hint == ""


def test_a_board_out_of_sight_is_said_and_is_no_verdict() -> None:
    table = Table()
    table.show(START)
    assert table.show(None, 5).view.view_blocked == ""
    blocked = table.show(None, 30)
    assert blocked.view.view_blocked and lights_of(blocked.view).verdict_red == "off"
    assert table.show(START).view.view_blocked == ""
    assert table.told() == ["solitaire_started"]


def test_a_game_goes_on_after_a_power_cut(tmp_path: Path) -> None:
    after = BOARD_37.after(START, BOARD_37.jump(17, 19))
    first = SolitaireSitting.at_the_table(PROBLEM, tmp_path)
    first.pipeline.reader = told = Told()  # type: ignore[assignment]
    for i, position in enumerate([START, START, after, after]):
        told.holes = tuple(BOARD_37.to_holes(position))
        first.pipeline.feed(Frame(np.zeros((4, 4, 3), np.uint8), float(i), i))
    # No close: the plug was pulled.
    again = SolitaireSitting.at_the_table(PROBLEM, tmp_path)
    shown = again.moment(0.0).solitaire
    assert shown and (shown.state, shown.holes, shown.jumps) == ("play", tuple(BOARD_37.to_holes(after)), 1)
    again.close()
    first.close()
    fresh = SolitaireSitting.at_the_table(PROBLEM, tmp_path, go_on=False)
    assert fresh.moment(0.0).solitaire.state == "set_up"
    fresh.close()


def test_words_and_views_cover_every_state() -> None:
    from pi_board.events import JumpTakenBack, SolitaireEnded, SolitaireStarted
    from pi_board.output import SolitaireView

    holes = tuple(BOARD_37.to_holes(START))
    view = view_after(SolitaireView(), SolitaireStarted(problem="small", holes=holes))
    assert words_for(view) == "Not known yet whether this can be won."
    assert words_for(replace(view, progress="12 tried")).endswith("won: 12 tried.")
    over = view_after(view, SolitaireEnded(remaining=3, won=False, holes=holes))
    assert words_for(over) == "No jump is left: 3 pieces."
    played = replace(view, holes=tuple(BOARD_37.to_holes(bit(19) | bit(20))), jumps=1)
    assert view_after(played, JumpTakenBack(holes=holes, undone=1)).jumps == 0


class Camera(FrameSource):
    """Any camera: frames of a simulated player's board."""

    finite = True
    description = "simulated board"

    def __init__(self, table: SolitaireTable) -> None:
        self._table = table

    def read(self, timeout: float | None = None) -> Frame | None:
        return self._table.next_frame()

    def close(self) -> None: ...


class Recorder:
    def __init__(self) -> None:
        self.moments: list[Moment] = []

    def show(self, moment: Moment) -> None:
        self.moments.append(replace(moment, frame=None))

    def close(self) -> None: ...


def test_the_main_loop_referees_solitaire(tmp_path: Path) -> None:
    """The loop of `pi-board run`, with frames of a rendered board and the real reader."""
    table = SolitaireTable(SolitaireSimulatorOptions(seed=3, mistakes=0.0, jumps=2))
    sitting = SolitaireSitting.at_the_table(None, tmp_path)
    assert isinstance(sitting.reader, HolesReader)
    recorder = Recorder()
    app = App(lambda: Camera(table), sitting, [recorder])
    app.submit("hint")
    app.submit("next")
    app.run()
    told = [e for m in recorder.moments for e in m.events]
    assert [e.type for e in told] == ["solitaire_started", "jump_made", "jump_made"]
    assert all(m.solitaire is not None for m in recorder.moments)
    assert [j for e in told[1:] for j in e.jumps] == [str(j) for j in table.truth.jumps]  # type: ignore[attr-defined]
