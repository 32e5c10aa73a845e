"""The `.mat` of each game and of the match, written when a game ends, and made up for after a power cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_board.events import (
    DiceRolled,
    Event,
    GameAbandoned,
    GameStarted,
    GameWon,
    MatchStarted,
    PositionCorrected,
    TurnEnded,
)
from pi_board.record.formats import load
from pi_board.record.game_files import GameFiles
from pi_board.record.journal import Journal
from pi_board.record.match import Rolled, Transcript
from pi_board.referee import RefereeOptions
from pi_board.rules import RULE_SETS, STARTING_POSITION, legal_plays
from pi_board.session.finding_reader import FindingReader
from pi_board.session.sitting import Sitting
from pi_board.vision.profile import load_profile

PLAY = legal_plays(STARTING_POSITION, (3, 1), "light")[0]
TURN = TurnEnded(side="light", position=PLAY.result, dice=(3, 1), moves=tuple(PLAY.moves))


def game(n: int, *, won: bool = True) -> list[Event]:
    start: list[Event] = [GameStarted(game=n, position=STARTING_POSITION, score=(n - 1, 0)), TURN]
    return [*start, GameWon(side="light", points=1, kind="resigned", score=(n, 0))] if won else start


def match(name: str = "Anna") -> list[Event]:
    return [MatchStarted(rules="international", light_name=name, dark_name="Bob"), *game(1), *game(2)]


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir() if p.suffix == ".mat")


def test_a_file_for_each_game_and_one_for_the_match(tmp_path: Path) -> None:
    files = GameFiles(tmp_path, "s")
    files.follow(match())
    assert names(tmp_path) == ["s-game1.mat", "s-game2.mat", "s.mat"]
    assert len(load(files.session).match.games) == 2
    assert load(tmp_path / "s-game2.mat").match.games[0].score == (1, 0)


def test_a_second_match_does_not_write_over_the_first(tmp_path: Path) -> None:
    files = GameFiles(tmp_path, "s")
    files.follow([*match(), *match("Carl")[:4]])
    assert names(tmp_path) == ["s-game1.mat", "s-game2.mat", "s-match2-game1.mat", "s-match2.mat", "s.mat"]
    assert load(tmp_path / "s.mat").match.names[0] == "Anna"
    assert load(tmp_path / "s-match2.mat").match.names[0] == "Carl"


@pytest.mark.parametrize("played", [True, False])
def test_an_abandoned_game_is_kept_when_anything_was_played(tmp_path: Path, played: bool) -> None:
    files = GameFiles(tmp_path, "s")
    begun = game(2, won=False)
    files.follow([*match()[:4], *(begun if played else begun[:1]), GameAbandoned(position=STARTING_POSITION)])
    assert names(tmp_path) == ["s-game1.mat", *(["s-game2.mat"] if played else []), "s.mat"]
    assert load(tmp_path / "s-game1.mat").match.games[0].winner == "light"


def test_the_game_in_hand_is_written_at_the_end(tmp_path: Path) -> None:
    files = GameFiles(tmp_path, "s")
    files.follow([*match()[:4], *game(2, won=False)])
    files.close()
    last = load(tmp_path / "s.mat").match.games[-1]
    assert last.winner is None and len(last.actions) == 1


def test_what_could_not_be_written_is_written_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = GameFiles(tmp_path / "games", "s")
    with monkeypatch.context() as patch:
        full = OSError(28, "No space left on device")
        patch.setattr("pi_board.record.whole_file.os.fsync", lambda fd: (_ for _ in ()).throw(full))
        files.follow(match())
        assert "No space left" in files.failing and not files.retry()
    assert files.retry() and not files.failing
    assert names(tmp_path / "games") == ["s-game1.mat", "s-game2.mat", "s.mat"]


def test_going_on_writes_only_what_is_missing(tmp_path: Path) -> None:
    first = GameFiles(tmp_path, "s")
    first.follow(match()[:4])
    old = (tmp_path / "s-game1.mat").stat().st_mtime_ns
    GameFiles(tmp_path, "s").follow(match(), write=False)
    assert names(tmp_path) == ["s-game1.mat", "s-game2.mat", "s.mat"]
    assert (tmp_path / "s-game1.mat").stat().st_mtime_ns == old
    assert len(load(tmp_path / "s.mat").match.games) == 2


def test_a_power_cut_between_journal_and_game_file(tmp_path: Path) -> None:
    """The game is over and in the journal, its file was never written: the next start makes up for it."""
    journal = Journal.create(tmp_path)
    journal.append(match())
    journal.close()
    sitting = Sitting.at_the_table(
        FindingReader(load_profile("jumbo-travel")),
        rules=RULE_SETS["international"],
        options=RefereeOptions(),
        match_length=0,
        names=("A", "B"),
        folder=tmp_path,
    )
    sitting.close()
    stem = journal.path.stem
    assert names(tmp_path) == [f"{stem}-game1.mat", f"{stem}-game2.mat", f"{stem}.mat"]


def test_a_position_set_by_hand_finishes_the_turn() -> None:
    """The roll was made and a person says how it was played: legal or not, the roll is in the record."""
    other = legal_plays(STARTING_POSITION, (6, 5), "light")[0].result
    for position, stood in ((PLAY.result, None), (other, other)):
        transcript = Transcript()
        for event in [
            MatchStarted(rules="international"),
            GameStarted(game=1, position=STARTING_POSITION),
            DiceRolled(side="light", dice=(3, 1)),
            PositionCorrected(position=position, side="dark"),
        ]:
            transcript.add(event)
        (action,) = transcript.result().games[0].actions
        assert isinstance(action, Rolled) and (action.side, action.dice, action.stood) == (
            "light",
            (3, 1),
            stood,
        )
        assert transcript.result().games[0].final() == position
