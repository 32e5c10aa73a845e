"""`pi-board stats`: table, JSON, plots, the coach's figures; one clear line for what is no journal."""

from __future__ import annotations

import json
import random
import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from pi_board.cli import main
from pi_board.events import DiceRolled, Event, GameStarted, GameWon, MatchStarted, PlayIllegal, TurnEnded
from pi_board.hints import rank_plays
from pi_board.record.formats import WRITERS, save
from pi_board.record.journal import Journal
from pi_board.record.match import MatchRecord, Rolled
from pi_board.record.statistics import Review
from pi_board.rules import STARTING_POSITION, legal_plays, opponent
from tests.record.random_match import random_match
from tests.record.xg_bytes import xg_bytes


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
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run(capsys, folder, "--coach")
    assert code == 0 and "PR" in out and "too few for a trend" in out
    assert "…" not in out.replace("handwritten_mon…", "") and max(map(len, out.split("\n"))) <= 80
    # Every row is one line: the player's name and the rating beside it.
    assert any(line.split()[0] == "Zoë" and "26" in line for line in out.split("\n") if line.strip())


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda p: p.mkdir(), "no journals"),
        (lambda p: p.write_text(" 3 point match\n"), "no game"),
        (lambda p: p.write_text(""), "empty"),
        (lambda p: p.write_bytes(b"\x89PNG" + bytes(500)), "a PNG picture, not a game file"),
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


def plain(seed: int, games: int = 2) -> MatchRecord:
    match = random_match(seed, rules="international", illegal=0)
    return replace(match, names=("Alice", "Bob"), games=match.games[:games])


@pytest.mark.parametrize("kind", [*sorted(WRITERS), "xg"])
def test_every_format(tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    match, path = plain(1), tmp_path / f"x.{kind}"
    if kind == "xg":
        path.write_bytes(xg_bytes(match))
    else:
        save(match, path, kind)
    for given in (path, tmp_path):
        code, out, err = run(capsys, given, "--json")
        document = json.loads(out)
        assert (code, err, document["files"]) == (0, "", 1)
        won = [(g["winner"], g["points"], g["kind"]) for g in document["games"]]
        assert won == [(match.names[g.winner == "dark"], g.points, g.kind) for g in match.games]
        rolls = sum(isinstance(a, Rolled) for g in match.games for a in g.actions)
        assert document["rolls"] == rolls and sum(document["dice"].values()) == 2 * document["rolls"]
        assert sum(p["turns"] for p in document["players"].values()) == document["rolls"]


def test_a_folder_with_everything_in_it(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Journals and what was written beside them, copies in other formats, folders below, notes, a bad file."""
    folder = Path(shutil.copytree(recorded, tmp_path / "games"))
    session = sorted(folder.iterdir())[0].stem
    for name in (f"{session}.mat", f"{session}-game1.mat", f"{session}-match2-game1.mat"):
        save(plain(9), folder / name, "mat")
    save(plain(2), folder / "club.mat", "mat")
    save(plain(2), folder / "club.sgf", "sgf")
    save(plain(2, 1), folder / "club-game1.mat", "mat")
    save(plain(3), folder / "2019" / "old.json", "json")
    (folder / "notes.txt").write_text("Bring the board on Friday.\n")
    (folder / "settings.json").write_text("{}")
    (folder / "picture.mat").write_bytes(b"\x89PNG" + bytes(99))
    code, out, err = run(capsys, folder, "--json")
    document = json.loads(out)
    games = [g["session"] for g in document["games"]]
    assert (
        code == 0 and games.count("club") == len(plain(2).games) and games.count("old") == len(plain(3).games)
    )
    assert len(games) == 4 + len(plain(2).games) + len(plain(3).games)
    assert sorted(line.split(": ")[1] for line in err.strip().split("\n")) == [
        "1 game counted already in another file"
        if len(plain(2).games) == 1
        else f"{len(plain(2).games)} games counted already in another file",
        "a PNG picture, not a game file",
    ]


@pytest.mark.slow
def test_the_coach_looks_over_match_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(plain(4, 1), tmp_path / "x.mat", "mat")
    code, out, _ = run(capsys, tmp_path, "--coach", "--json")
    document = json.loads(out)
    assert (
        code == 0
        and document["players"]["Alice"]["decisions"] > 4
        and document["players"]["Bob"]["error_rate"] > 20
    )


@pytest.mark.parametrize("coached", [False, True])
def test_tables_fit_80_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, coached: bool
) -> None:
    names = ("Bartholomew Featherstonehaugh", "Wilhelmina von Hohenzollern-Sigmaringen")
    save(replace(plain(5), names=names), tmp_path / "a match with a rather long name.mat", "mat")
    if coached:
        # The table, not the coach, is on trial.
        def figures(games: list, *_: object) -> list:
            for game, _ in games:
                for player in game.players.values():
                    player.review = Review(123, 45.6, -12.34)
            return []

        monkeypatch.setattr("pi_board.commands.stats._coach", figures)
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run(capsys, tmp_path, *["--coach"] * coached)
    assert code == 0 and max(map(len, out.split("\n"))) <= 80
    for header in (
        "player",
        "points",
        "turns",
        "winner",
        "session",
        "how",
        *["error rates", "plays like"] * coached,
    ):
        assert header in out, header
    if coached:
        assert "370.7" in out and "370.7 370.7" in out and "-24.68" in out


def test_nothing_in_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.mat").write_text("")
    code, out, err = run(capsys, tmp_path)
    assert code == 2 and not out and "empty.mat: empty" in err and "no games there" in err
