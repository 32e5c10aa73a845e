"""`pi-board stats`: table, JSON, plots, the coach's figures; one clear line for what is no journal."""

from __future__ import annotations

import json
import random
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from pi_board.cli import main
from pi_board.events import DiceRolled, Event, GameStarted, GameWon, MatchStarted, PlayIllegal, TurnEnded
from pi_board.hints import rank_plays
from pi_board.record.journal import Journal
from pi_board.rules import STARTING_POSITION, legal_plays, opponent


def played(game: int, turns: int, rng: random.Random, *, best: str) -> list[Event]:
    """A game in which `best` plays what the coach would and the other side anything."""
    position, side = STARTING_POSITION, "light"
    events: list[Event] = [GameStarted(game=game, position=position)]
    for i in range(turns):
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        if i == 0:
            dice = (6, 2)
        if side == best:
            play = rank_plays(position, dice, side, level="fast")[0].play  # type: ignore[arg-type]
        else:
            play = rng.choice(legal_plays(position, dice, side))
        events.append(DiceRolled(side=side, dice=dice, time=10.0 * i))  # type: ignore[arg-type]
        if i == 2:
            events.append(
                PlayIllegal(
                    side=side, dice=dice, code="wrong_number", reason="", position=position, seen=position
                )  # type: ignore[arg-type]
            )
        position = play.result
        events.append(
            TurnEnded(
                side=side,
                position=position,
                dice=dice,
                play=str(play),
                moves=tuple(play.moves),
                time=10.0 * i + 4,
            )  # type: ignore[arg-type]
        )
        side = opponent(side)  # type: ignore[arg-type]
    return [*events, GameWon(side="light", points=1, kind="resigned", score=(game, 0))]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sessions of two short games."""
    folder, rng = tmp_path_factory.mktemp("sessions"), random.Random(2)
    for _ in range(2):
        journal = Journal.create(folder)
        journal.append([MatchStarted(rules="international", light_name="Zoë", dark_name="[b]Bob[/b]")])
        for game in (1, 2):
            journal.append(played(game, 8, rng, best="light"))
        journal.close()
    return folder


@pytest.fixture
def folder(recorded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(recorded, tmp_path / "games"))


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    code = main(["stats", *map(str, args)])
    out, err = capsys.readouterr()
    return code, out, err


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, folder, "--json")
    document = json.loads(out)
    assert (code, err, document["files"], len(document["games"])) == (0, "", 2, 4)
    zoe = document["players"]["Zoë"]
    assert (zoe["games"], zoe["won"], zoe["points"], zoe["turns"]) == (4, 4, 4, 16)
    assert zoe["illegal"] == {"wrong_number": 4} and zoe["seconds_per_turn"] == 4.0
    assert sum(document["dice"].values()) == 64 == 2 * document["rolls"]
    assert 0 <= document["dice_fair_p"] <= 1 and "error_rate" not in zoe


def test_table(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    code, out, _ = run(capsys, folder)
    assert code == 0 and "4 games" in out and "wrong_number 4" in out and "32 rolls" in out
    assert "Zoë" in out and "[b]Bob[/b]" in out, "a name is no mark-up"
    assert out.count("resigned") == 4 and "p = " in out


def test_the_coach_tells_who_plays_better_and_the_trend(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plots = tmp_path / "plots"
    only = sorted(folder.iterdir())[0]
    code, out, _ = run(capsys, only, "--coach", "--json", "--plots", plots)
    document = json.loads(out)
    zoe, bob = document["players"]["Zoë"], document["players"]["[b]Bob[/b]"]
    assert code == 0 and zoe["decisions"] > 4 and bob["decisions"] > 4
    assert zoe["error_rate"] < 20 < bob["error_rate"] and zoe["luck"] != 0
    rates = document["error_rate_by_game"]["[b]Bob[/b]"]
    assert rates == [g["players"]["[b]Bob[/b]"]["error_rate"] for g in document["games"]] and len(rates) == 2
    assert document["error_rate_trend"]["[b]Bob[/b]"] == pytest.approx(rates[1] - rates[0], abs=0.02)
    names = ["dice.svg", "errors.svg", "illegal.svg", "points.svg", "time.svg"]
    assert sorted(p.name for p in plots.iterdir()) == names
    for path in plots.iterdir():
        assert ET.fromstring(path.read_text()).tag.endswith("svg")


@pytest.mark.slow
def test_the_coach_in_the_table(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    code, out, _ = run(capsys, folder, "--coach")
    assert code == 0 and "PR" in out and "too few for a trend" in out


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda p: p.mkdir(), "no journals"),
        (lambda p: p.write_text(" 3 point match\n"), "expected a journal"),
        (lambda p: None, "no such file"),
    ],
)
def test_what_is_no_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str], make, words: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "there"
    make(path)
    code, out, err = run(capsys, path)
    assert code == 2 and not out and words in err and err.count("\n") == 1


def test_a_damaged_journal_in_a_folder_costs_only_what_is_damaged(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "session-20200101-000000.jsonl").write_bytes(b"rubbish\n" * 3)
    code, out, err = run(capsys, folder, "--json")
    assert code == 0 and len(json.loads(out)["games"]) == 4 and "rubbish" not in err and "line 1" in err


def test_plots_into_a_place_that_cannot_be(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocked = folder / "file"
    blocked.write_text("")
    code, _, err = run(capsys, folder, "--plots", blocked / "plots")
    assert code == 2 and "cannot be made" in err
