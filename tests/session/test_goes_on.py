"""What a game that goes on after a power cut may show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pi_board.record.seat_file import SeatFile
from pi_board.referee import RefereeOptions
from pi_board.referee.state import State
from pi_board.rules import RULE_SETS, STARTING_POSITION, Side, legal_plays
from pi_board.session.finding_reader import FindingReader
from pi_board.session.sitting import Sitting, may_lie_there
from pi_board.vision.profile import load_profile
from tests.vision.simulated_board import PROFILES, SimulatedBoard

LAW = RULE_SETS["international"]


def test_any_play_of_the_rollmay_lie_there_and_the_one_that_was_seen_comes_first() -> None:
    plays = [p.result for p in legal_plays(STARTING_POSITION, (3, 1), "light")]
    rolled = replace(State(), position=STARTING_POSITION, side="light", dice=(3, 1))
    assert may_lie_there(rolled, LAW) == [STARTING_POSITION, *dict.fromkeys(plays)]
    played = replace(rolled, board=plays[3])
    assert may_lie_there(played, LAW)[:2] == [plays[3], STARTING_POSITION]
    assert may_lie_there(replace(rolled, dice=None), LAW) == [STARTING_POSITION]
    assert may_lie_there(State(), LAW) == []


def table(folder: Path, near: Side = "light", *, seated: bool = False) -> Sitting:
    """A program that has just been started; near: as the settings say."""
    return Sitting.at_the_table(
        FindingReader(load_profile(PROFILES["wood"]), near=near, seated=seated),
        rules=LAW, options=RefereeOptions(), match_length=3, names=("Light", "Dark"), folder=folder,
    )  # fmt: skip


@pytest.mark.parametrize(
    "since",
    [
        "",
        pytest.param("other settings", marks=pytest.mark.slow),
        pytest.param("a person's word", marks=pytest.mark.slow),
    ],
)
def test_a_seating_that_the_first_game_has_shown_is_kept_over_a_power_cut(tmp_path: Path, since: str) -> None:
    """Nobody sets up the starting position again, and no other one tells who sits where. Later settings and a person's word stand."""
    board = SimulatedBoard("wood", seed=5, near="dark", home="left")
    sitting = table(tmp_path)
    for _ in range(60):
        frame = board.frame()
        if sitting.pipeline.feed(replace(frame, time=5 * frame.time)).view.phase.value == "opening":
            break
    assert sitting.reader.seat == ("dark", "left") and sitting.referee.state.in_game
    again = table(
        tmp_path, "dark" if since == "other settings" else "light", seated=since == "a person's word"
    )
    expected = {
        "": ("dark", "left"),
        "other settings": ("dark", "right"),
        "a person's word": ("light", "right"),
    }
    assert again.reader.seat == expected[since]
    if not since:
        for _ in range(16):
            again.reader.look(board.frame())
        assert again.reader.reader is not None and again.reader.reader.appearance is not None


def test_a_seating_as_it_was_told_is_not_written_and_a_torn_file_says_nothing(tmp_path: Path) -> None:
    file = SeatFile(tmp_path / "session.seat")
    file.keep(("light", "right"), ("light", "right"))
    assert not file.path.exists()
    file.keep(("light", "right"), ("dark", "left"))
    assert SeatFile(file.path).read(("light", "right")) == ("dark", "left")
    file.path.write_bytes(file.path.read_bytes()[:20])
    assert SeatFile(file.path).read(("light", "right")) is None
    SeatFile(tmp_path / "no" / "such.seat").keep(("light", "right"), ("dark", "left"))
