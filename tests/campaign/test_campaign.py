"""`pi-board bench campaign`: one document, resumed where it stopped, and every room can be run again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pi_board.campaign.play import GameScore
from pi_board.campaign.run import Plan, kept, run_campaign
from pi_board.campaign.table import document, lines, percentiles
from pi_board.cli import main

QUICK = ["bench", "campaign", "--synthetic", "--room", "pace=sparse", "--room", "fps=3", "--room", "games=1"]
KEYS = [
    "games", "turns", "false_accusations", "bound95", "exact", "illegal_shown", "illegal_flagged", "questions", "delay_s",
    "failures",
]  # fmt: skip


def test_json_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*QUICK, "--games", "1", "--seed", "23", "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert list(found) == KEYS
    assert found["games"] == 1 and found["turns"] > 10 and 0 < found["bound95"] < 1
    assert set(found["delay_s"]) == {"green", "red"} and len(found["delay_s"]["green"]) == 2
    assert "23" in err  # a line a game, out of the document's way


def test_a_stopped_campaign_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What is played does not matter here.
    monkeypatch.setattr("pi_board.campaign.run.play_room", lambda seed, *_, **__: GameScore(seed, 1))
    plan = Plan(2, 23, synthetic=True, fixed={"pace": "sparse", "fps": 3.0, "games": 1}, keep=tmp_path)
    stop = KeyboardInterrupt()

    def interrupt(score: GameScore, count: int, of: int) -> None:
        raise stop

    with pytest.raises(KeyboardInterrupt):
        run_campaign(plan, done=interrupt)
    assert list(kept(plan)) == [23]
    with (tmp_path / "results.jsonl").open("a", encoding="utf-8") as f:
        f.write('{"plan": "cut o')  # the power went
    played: list[int] = []
    scores = run_campaign(plan, done=lambda s, n, of: played.append(s.seed))
    assert played == [24] and [s.seed for s in scores] == [23, 24]
    # Another campaign in the same folder does not take them for its own.
    assert kept(Plan(2, 23, synthetic=True, keep=tmp_path)) == {}


def test_a_room_in_which_the_program_breaks_is_one_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(seed: int, *_: Any, **__: Any) -> GameScore:
        if seed == 23:
            raise ZeroDivisionError("nobody thought of that")
        return GameScore(seed, 1)

    monkeypatch.setattr("pi_board.campaign.run.play_room", play)
    plan = Plan(2, 23, synthetic=True, fixed={"games": 1}, keep=tmp_path)
    first, second = run_campaign(plan)
    assert first.why == ["broken: ZeroDivisionError: nobody thought of that"] and first.exact == 0
    assert second.seed == 24 and not second.why
    assert "nobody thought of that" in (tmp_path / "23" / "traceback.txt").read_text()
    assert document([first, second])["failures"][0]["seed"] == 23
    # It is played again when the campaign goes on: the program may have been mended.
    assert list(kept(plan)) == [24]


@pytest.mark.slow
def test_failing_games_keep_what_one_needs(tmp_path: Path) -> None:
    # The profile says nothing to the stand-in for vision; a referee who waits for ever says nothing at all.
    plan = Plan(
        1,
        23,
        synthetic=True,
        fixed={"pace": "sparse", "fps": 3.0, "games": 1},
        referee={"agree_looks": 50},
        keep=tmp_path,
    )
    (score,) = run_campaign(plan)
    assert score.why and score.exact == 0
    found = {p.name for p in (tmp_path / "23").iterdir()}
    assert {"score.json", "truth.json", "journal.jsonl", "looks.gz"} <= found
    assert document([score])["failures"][0]["seed"] == 23


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--room", "colour=red"], "NAME one of"),
        (["--referee", "strictness=mild"], "expected lenient, normal, tournament"),
        (["--referee", "agree_looks=two"], "expected int"),
        (["--looks"], "--keep DIR"),
        (["--games", "0"], "1 or more"),
        (["--slow", "-1"], "expected 0 to"),
    ],
)
def test_wrong_use_is_one_line(args: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*QUICK, *args]) == 2
    err = capsys.readouterr().err
    assert says in err and err.count("\n") == 1


def test_percentiles_and_the_empty_table() -> None:
    assert percentiles([]) == [] and percentiles([1.0]) == [1.0, 1.0]
    assert percentiles([float(i) for i in range(101)]) == [50.0, 95.0]
    assert any("0 turns" in line for line in lines([GameScore(1)]))


def test_when_a_table_was_ready_has_a_line() -> None:
    scores = [GameScore(1, ready=[2.0]), GameScore(2), GameScore(3, ready=[4.0])]
    assert "board to ready      3.0 s, 95 % within 3.9 s (2)" in lines(scores)


def test_seconds_blind_to_nothing_have_a_line_that_names_the_worst_room() -> None:
    scores = [GameScore(1, 1, blind=1.0), GameScore(2, 1), GameScore(3, 1, blind=8.0)]
    assert "blind to nothing    3.0 s a game, most 8 s (seed 3)" in lines(scores)
    assert not any("blind" in line for line in lines([GameScore(1, 1)]))
