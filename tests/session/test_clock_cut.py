"""The clock over a power cut: from the journal and the file beside it, to the second."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_board import events as ev
from pi_board.record.clock_file import LINE, ClockFile
from pi_board.referee.timekeeper import Timekeeper
from pi_board.rules.clock import Clock, reserve


def keeper_at() -> Timekeeper:
    """Light has taken 30 s; dark's turn began at 130."""
    keeper = Timekeeper()
    keeper.set(Clock("delay", 12.0, 600.0, 600.0), 0.0)
    keeper.begin("light", 100.0, 100.0)
    keeper.press(130.0, 131.0)
    return keeper


def cut(keeper: Timekeeper, file: ClockFile, now: float) -> Timekeeper:
    """What a new program knows: the events, and the file."""
    again = Timekeeper()
    again.restore(keeper.take())
    ClockFile(file.path).take_over(again)
    return again


@pytest.mark.parametrize("thought", [0.0, 3.0, 60.0, 250.0])
def test_to_the_second(tmp_path: Path, thought: float) -> None:
    keeper, file = keeper_at(), ClockFile(tmp_path / "session.clock")
    now = 131.0
    while now <= 130.0 + thought:
        file.keep(keeper, now)
        now += 0.1
    again = cut(keeper, file, now)
    was, is_ = keeper.at(130.0 + thought), again.at(5.0)
    assert is_.side == "dark" and is_.left("light") == was.left("light") == 600.0 - 18.0
    assert is_.left("dark") == pytest.approx(was.left("dark"), abs=1.01)
    # It stands until the table is seen again, whatever the new clock of the machine says.
    assert again.at(4000.0).left("dark") == is_.left("dark")
    again.go_on("cut", 4000.0, 4000.0)
    assert again.at(4020.0).spent == pytest.approx(is_.spent + 20.0)


def test_a_torn_line_costs_a_second(tmp_path: Path) -> None:
    keeper, file = keeper_at(), ClockFile(tmp_path / "session.clock")
    for now in (140.0, 141.0, 142.0, 143.0):
        file.keep(keeper, now)
    data = bytearray(file.path.read_bytes())
    newest = max((0, LINE), key=lambda at: data[at + 9 : at + LINE])
    data[newest + 20 : newest + 40] = b"\\0" * 20
    file.path.write_bytes(data)
    assert cut(keeper, file, 143.0).at(0.0).spent == pytest.approx(12.0, abs=0.01)


def test_a_reading_of_another_turn_is_not_taken(tmp_path: Path) -> None:
    keeper, file = keeper_at(), ClockFile(tmp_path / "session.clock")
    file.keep(keeper, 200.0)
    keeper.press(201.0, 202.0)
    again = cut(keeper, file, 202.0)
    # Only what had passed when the press was written down.
    assert (again.at(0.0).side, again.at(0.0).spent) == ("light", 1.0)


def test_a_card_that_is_full_costs_nothing_else(tmp_path: Path) -> None:
    file = ClockFile(tmp_path / "no" / "such" / "folder.clock")
    file.keep(keeper_at(), 200.0)
    assert file.read() is None


def test_nothing_is_written_while_it_stands(tmp_path: Path) -> None:
    keeper, file = keeper_at(), ClockFile(tmp_path / "session.clock")
    keeper.stop("paused", 140.0, 140.0)
    file.keep(keeper, 141.0)
    assert not file.path.exists()


@pytest.mark.parametrize(
    ("kind", "spent", "mover", "waiting", "after"),
    [
        ("delay", 10, 600, 600, 600), ("delay", 30, 582, 600, 582), ("bronstein", 10, 590, 600, 600),
        ("bronstein", 30, 570, 600, 582), ("hourglass", 30, 570, 630, 570), ("off", 30, 600, 600, 600),
    ],
)  # fmt: skip
def test_what_a_turn_costs(kind: str, spent: float, mover: float, waiting: float, after: float) -> None:
    clock = Clock(kind, 12.0, 600.0, 600.0, "light").run(spent)  # type: ignore[arg-type]
    assert (clock.left("light"), clock.left("dark")) == (mover, waiting)
    pressed = clock.press("dark")
    assert (pressed.left("light"), pressed.left("dark"), pressed.spent) == (after, waiting, 0)


@pytest.mark.parametrize(
    ("length", "score", "minutes"), [(5, (0, 0), 10), (11, (0, 0), 22), (7, (2, 3), 9), (1, (0, 0), 2)]
)
def test_two_minutes_a_point_less_one_a_point_scored(
    length: int, score: tuple[int, int], minutes: float
) -> None:
    assert reserve(length, score) == 60 * minutes


def restarted(keeper: Timekeeper, *, old: bool = False) -> Timekeeper:
    """What a new program makes of the journal, once it sees the table at 1000. old: written before turns said what they took."""
    documents = [json.loads(json.dumps(e.to_document())) for e in keeper.take()]
    if old:
        documents = [{k: v for k, v in d.items() if k != "ended"} for d in documents]
    again = Timekeeper()
    again.restore([ev.Event.from_document(d) for d in documents])
    again.go_on("cut", 1000.0, 1000.0)
    again.take()
    return again


@pytest.mark.parametrize(
    ("by_person", "spent"), [(False, 30.0 + 1.0 + 10.0), (True, 30.0)], ids=["moved on", "corrected"]
)
def test_a_turn_that_is_opened_again_after_the_cut_has_its_seconds(by_person: bool, spent: float) -> None:
    """Nor is it told to have begun before all time."""
    again = restarted(keeper_at())
    again.reopen("light", 1010.0, by_person=by_person)
    assert (again.at(1010.0).side, again.at(1010.0).spent) == ("light", pytest.approx(spent))
    assert again.at(1010.0).left("light") == pytest.approx(600.0 - (spent - 12.0))
    again.press(1012.0, 1012.0)
    again.timed("light", 1012.0)
    (timed,) = [e for e in again.take() if isinstance(e, ev.TurnTimed)]
    assert timed.seconds == pytest.approx(spent + 2.0) and timed.began == 1000.0


def test_a_turn_that_ended_before_the_cut_is_still_timed() -> None:
    again = restarted(keeper_at())
    again.timed("light", 1010.0)
    assert [(e.seconds, e.began, e.ended) for e in again.take() if isinstance(e, ev.TurnTimed)] == [
        (30.0, 970.0, 1000.0)
    ]


def test_a_turn_that_ended_later_than_was_thought_is_kept_so() -> None:
    keeper = keeper_at()
    keeper.pressed_later(135.0, 136.0)
    again = restarted(keeper)
    again.reopen("light", 1000.0, by_person=True)
    assert again.at(1000.0).spent == pytest.approx(35.0)


def test_a_turn_opened_again_before_the_cut_is_not_opened_twice() -> None:
    keeper = keeper_at()
    keeper.reopen("light", 140.0, by_person=False)
    again = restarted(keeper)
    assert again.at(1000.0).side == "light" and again.at(1000.0).spent == pytest.approx(40.0)
    again.timed("light", 1000.0)
    assert not [e for e in again.take() if isinstance(e, ev.TurnTimed)], "nothing has ended"


def test_no_turn_of_the_game_before_is_opened_again() -> None:
    keeper = keeper_at()
    keeper.over(150.0, 150.0)
    keeper.begin("light", 200.0, 200.0)
    again = restarted(keeper)
    again.timed("light", 1000.0)
    assert not again.take()


def test_an_old_journal_does_not_say_what_turns_took() -> None:
    """Too long ago to charge, as before."""
    again = restarted(keeper_at(), old=True)
    again.reopen("light", 1010.0, by_person=False)
    assert (again.at(1015.0).side, again.at(1015.0).spent) == ("light", 5.0)


def test_what_passed_before_the_press_was_understood_is_charged() -> None:
    """The press was at 130 and was written down at 131: no file knows of that second yet."""
    again = restarted(keeper_at())
    assert (again.at(1000.0).side, again.at(1000.0).spent) == ("dark", 1.0)
