"""What turns took, in records, files and statistics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_board.record.formats import parse
from pi_board.record.gamejson import write_json
from pi_board.record.journal import read_journal
from pi_board.record.mat import write_mat
from pi_board.record.match import MatchRecord, Rolled
from pi_board.record.sgf import write_sgf
from pi_board.record.sheet import played
from pi_board.record.statistics import Statistics
from pi_board.record.turn_times import TurnTimes, phase_of, player_words, turn_times
from pi_board.rules import STARTING_POSITION, Position
from tests.record.test_sheet import journal


def position(light: dict[int, int], dark: dict[int, int]) -> Position:
    """Checkers by light's points; what is missing to 15 is borne off."""
    points = [light.get(p, 0) - dark.get(p, 0) for p in range(1, 25)]
    off = {"light": 15 - sum(light.values()), "dark": 15 - sum(dark.values())}
    return Position.from_document({"points": points, "bar": {"light": 0, "dark": 0}, "off": off})


@pytest.mark.parametrize(
    ("where", "turn", "phase"),
    [
        (STARTING_POSITION, 0, "opening"), (STARTING_POSITION, 4, "contact"),
        (position({8: 5, 6: 10}, {20: 15}), 30, "race"), (position({6: 5, 4: 10}, {20: 15}), 30, "bear-off"),
        (position({6: 5, 4: 10}, {20: 14, 3: 1}), 30, "contact"),
    ],
)  # fmt: skip
def test_phases(where: Position, turn: int, phase: str) -> None:
    assert phase_of(where, "light", turn) == phase


def test_times_of_a_match(tmp_path: Path) -> None:
    times = turn_times(played(journal(tmp_path)).match.games)
    assert times["light"].to_document() == {
        "turns": 1, "seconds": 17.0, "seconds_per_turn": 17.0, "longest": 17.0, "by_phase": {"opening": 17.0},
        "median_by_phase": {"opening": 17.0}, "in_time_trouble": 0, "left": 355.0,
    }  # fmt: skip


def test_in_game_files(tmp_path: Path) -> None:
    """Comments that other programs skip; the games read back are the same."""
    match = played(journal(tmp_path)).match
    sgf, mat = write_sgf(match), write_mat(match)
    assert "C[17.0 s, 5:55 left]" in sgf and '; [Times "Ana <b> 17.0 s a turn, 5:55 left' in mat
    for text in (sgf, mat):
        again = parse(text.encode())
        assert again.match.games[0].actions[:2] == match.games[0].actions[:2], again.problems


def test_in_the_document_nothing_is_lost(tmp_path: Path) -> None:
    """Times and banks come back from JSON as they were kept, to the tenth of a second."""
    match = played(journal(tmp_path)).match
    again = parse(write_json(match).encode())
    assert again.problems == ()

    def kept(m: MatchRecord) -> list[tuple[float | None, float | None]]:
        return [(a.seconds, a.left) for g in m.games for a in g.actions if isinstance(a, Rolled)]

    assert kept(again.match) == kept(match) and (17.0, 355.0) in kept(match)


@pytest.mark.parametrize("bad", ['"soon"', "true", "1e9", "-1", "[]"])
def test_a_time_that_is_none_is_named_with_its_line(tmp_path: Path, bad: str) -> None:
    text = write_json(played(journal(tmp_path)).match).replace('"seconds": 17.0', f'"seconds": {bad}')
    found = parse(text.encode())
    assert [p.text for p in found.problems][:1] == [f"seconds: expected seconds, got {json.loads(bad)!r}"]
    assert found.problems[0].line > 1 and len(found.match.games[0].actions) > 1


def test_words_of_a_player(tmp_path: Path) -> None:
    light, dark = turn_times(played(journal(tmp_path)).match.games).values()
    assert player_words("Ana", light) == "Ana: 17.0 s a turn, the longest 17 s; opening 17 s"
    assert player_words("Bo", TurnTimes()) == "" and "short" not in player_words("Bo", dark)
    light.trouble = 2
    assert player_words("Ana", light).endswith("; 2 turns with less than a minute left")


def test_in_the_statistics(tmp_path: Path) -> None:
    statistics = Statistics()
    statistics.add(read_journal(journal(tmp_path)).events)
    document = statistics.to_document()["players"]["Łukasz"]
    assert document["seconds_by_phase"] == {"opening": 8.0} and document["in_time_trouble"] == 0
    assert document["seconds_per_turn"] == 8.0
