"""Which illegal play each folder of pictures shows, as the journal tells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pi_board.events import Event, GameStarted, GameWon, MatchStarted, PlayIllegal, TurnEnded
from pi_board.record.exhibits import exhibits
from pi_board.record.journal import Journal
from pi_board.rules import STARTING_POSITION, legal_plays

PLAY = legal_plays(STARTING_POSITION, (3, 1), "light")[0]
TURN = TurnEnded(side="light", position=PLAY.result, dice=(3, 1), play=str(PLAY), moves=PLAY.moves)
ILLEGAL = PlayIllegal(
    side="dark", dice=(6, 2), code="wrong_number", reason="first", position=PLAY.result, seen=STARTING_POSITION, seq=60
)  # fmt: skip
MATCH = MatchStarted(rules="international", light_name="A", dark_name="B")
START = GameStarted(game=1, position=STARTING_POSITION)
WON = GameWon(side="light", points=1, kind="resigned", score=(1, 0))


def journal(folder: Path, *lines: Event | dict[str, object]) -> Path:
    journal = Journal.create(folder)
    for line in lines:
        if isinstance(line, dict):
            journal.note(line)
        else:
            journal.append([line])
    journal.close()
    return journal.path


def note(number: int, of: int = 60, code: str = "wrong_number") -> dict[str, object]:
    return {"evidence": f"session-1-{number:03d}-{code}", "files": [], "code": code, "of": of}


def test_place_in_the_game(tmp_path: Path) -> None:
    path = journal(
        tmp_path, MATCH, START, TURN, WON, START, TURN, ILLEGAL, note(1), WON, MATCH, START, replace(ILLEGAL, seq=70), note(2, 70)
    )  # fmt: skip
    first, second = exhibits(path)
    assert (first.match, first.game, first.actions) == (0, 1, 1)
    assert (second.match, second.game, second.actions) == (1, 0, 0)
    assert first.verdict is not None and first.verdict["reason"] == "first"
    assert first.folder == tmp_path / "evidence" / "session-1-001-wrong_number"
    assert first.to_document()["files"] == []


def test_sightings_are_counted_anew_after_a_power_cut(tmp_path: Path) -> None:
    again = replace(ILLEGAL, reason="second")
    path = journal(tmp_path, MATCH, START, TURN, ILLEGAL, note(1), again, note(2), note(3))
    reasons = [e.verdict["reason"] for e in exhibits(path) if e.verdict is not None]
    assert reasons == ["first", "second", "second"]


def test_pictures_that_were_asked_for(tmp_path: Path) -> None:
    (found,) = exhibits(journal(tmp_path, MATCH, START, TURN, note(1, -1, "on_demand")))
    assert found.verdict is None and found.to_document()["code"] == "on_demand"


def test_other_notes_are_left_alone(tmp_path: Path) -> None:
    path = journal(tmp_path, MATCH, START, {"remark": "x"}, {"evidence": 3}, {"evidence": "../../etc"})
    assert exhibits(path) == []
