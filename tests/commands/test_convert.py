"""`pi-board convert`: every format into every other, the journal included; problems are said and the rest is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_board.cli import main
from pi_board.events import GameStarted, GameWon, MatchStarted, TurnEnded
from pi_board.record.formats import WRITERS, load, save
from pi_board.record.journal import Journal
from pi_board.rules import STARTING_POSITION, legal_plays
from tests.record.random_match import random_match
from tests.record.test_formats import essence


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    code = main(["convert", *map(str, args)])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("target", sorted(WRITERS))
@pytest.mark.parametrize("source", sorted(WRITERS))
def test_every_format_into_every_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, target: str
) -> None:
    match = random_match(7)
    one, two = tmp_path / f"a.{source}", tmp_path / f"b.{target}"
    save(match, one, source)
    assert run(capsys, one, "--to", target, "-o", two) == (0, "", "")
    assert essence(load(two).match) == essence(match)
    # To standard output: the same bytes.
    code, out, err = run(capsys, one, "--to", target)
    assert (code, out.encode(), err) == (0, two.read_bytes(), "")


def journal_of_two_matches(folder: Path) -> Path:
    play = legal_plays(STARTING_POSITION, (3, 1), "light")[0]
    journal = Journal.create(folder)
    for name in ("Anna", "Carl"):
        journal.append(
            [
                MatchStarted(rules="international", light_name=name, dark_name="Bob"),
                GameStarted(game=1, position=STARTING_POSITION),
                TurnEnded(side="light", position=play.result, dice=(3, 1), moves=tuple(play.moves)),
                GameWon(side="light", points=1, kind="resigned"),
            ]
        )
    journal.note({"evidence": "nothing"})
    journal.close()
    return journal.path


def test_a_journal_with_two_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = journal_of_two_matches(tmp_path)
    code, out, err = run(capsys, path, "--to", "mat")
    assert code == 0 and "Carl" in out and "Anna" not in out and "2 matches" in err
    code, out, _ = run(capsys, path, "--to", "mat", "--match", 1)
    assert code == 0 and "Anna" in out
    code, out, err = run(capsys, path, "--to", "mat", "--match", 3)
    assert code == 2 and "--match: expected 1 to 2, got 3" in err


def test_what_was_not_understood_is_said_and_the_rest_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.mat"
    save(random_match(7), path, "mat")
    lines = path.read_text().split("\n")
    lines.insert(8, "   what is this?")
    path.write_text("\n".join(lines))
    code, out, err = run(capsys, path, "--to", "txt")
    assert code == 0 and "line 9" in err and err.count("\n") == 1
    assert essence(load(path).match) == essence(random_match(7)) and "Game 1" in out


def test_a_torn_journal_gives_what_it_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = journal_of_two_matches(tmp_path)
    path.write_bytes(path.read_bytes()[:-30])
    code, out, err = run(capsys, path, "--to", "json")
    assert code == 0 and '"light"' in out and "torn" in err


def test_output_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.mat"
    save(random_match(7), path, "mat")
    code, _, err = run(capsys, path, "--to", "sgf", "-o", path / "y.sgf")
    assert code == 2 and "cannot be written" in err and err.count("\n") == 1
