"""`pi-board show`: text, SVG, PNG and XGID of a position given and of any moment of a recorded game."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

from pi_board.cli import main
from pi_board.record.formats import save
from pi_board.record.match import Doubled, Dropped, GameRecord, MatchRecord, Rolled, Took
from pi_board.record.moments import moments
from pi_board.rules import STARTING_POSITION, Position, legal_plays, parse_xgid, to_xgid
from tests.record.random_match import random_match

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
BAR = Position((0,) * 5 + (13, *(0,) * 11, *(0,) * 6, -13), bar=(2, 2), off=(0, 0))


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    code = main(["show", *map(str, args)])
    out, err = capsys.readouterr()
    return code, out, err


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "--xgid", START)
    lines = out.splitlines()
    assert (code, err, lines[-1]) == (0, "", START)
    assert lines[0].split() == [str(n) for n in range(13, 25)]
    assert out.count("○") == out.count("●") == 15


@pytest.mark.parametrize(
    ("near", "home", "first"),
    [("light", "right", 12), ("light", "left", 1), ("dark", "right", 13), ("dark", "left", 24)],
)
def test_the_four_seatings(capsys: pytest.CaptureFixture[str], near: str, home: str, first: int) -> None:
    _, out, _ = run(capsys, "--xgid", START, "--near", near, "--home", home)
    numbers = [line for line in out.splitlines() if line.split() and all(w.isdigit() for w in line.split())]
    assert int(numbers[-1].split()[0]) == first


@pytest.mark.parametrize("position", [STARTING_POSITION, BAR], ids=["start", "bar"])
def test_svg_has_every_checker(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], position: Position
) -> None:
    path = tmp_path / "x.svg"
    assert run(capsys, "--position", json.dumps(position.to_document()), "-o", path)[0] == 0
    root = ET.fromstring(path.read_text())
    circles = [e for e in root.iter() if e.tag.endswith("circle")]
    shown = [min(5, abs(n)) for n in (*position.points, *position.bar)]
    assert len(circles) == sum(shown)
    over = [n for n in map(abs, position.points) if n > 5]
    texts = [e.text for e in root.iter() if e.tag.endswith("text")]
    assert all(str(n) in texts for n in over)


def test_png(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.png"
    assert run(capsys, "--xgid", START, "-o", path)[0] == 0
    image = Image.open(io.BytesIO(path.read_bytes()))
    assert image.format == "PNG" and image.width > 500 and len(image.getcolors(100_000) or []) > 50


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--xgid", START, "--json")
    document = json.loads(out)
    assert code == 0 and document["xgid"] == START and document["dice"] == [3, 1]
    assert Position.from_document(document["position"]) == STARTING_POSITION


@pytest.mark.parametrize("kind", ["mat", "sgf", "json", "txt"])
def test_any_moment_of_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    match = random_match(5)
    path = tmp_path / f"x.{kind}"
    save(match, path, kind)
    game = match.games[0]
    code, out, _ = run(capsys, path, "--game", 1, "--list", "--json")
    found = json.loads(out)["moments"]
    assert code == 0 and [m["xgid"] for m in found] == [to_xgid(s) for _, s in moments(match, game)]
    middle = len(found) // 2
    assert (
        json.loads(run(capsys, path, "--game", 1, "--moment", middle, "--json")[1])["xgid"]
        == found[middle]["xgid"]
    )
    assert found[-1]["xgid"] in run(capsys, path, "--game", 1)[1]


def test_moments_tell_dice_cube_and_score() -> None:
    play = legal_plays(STARTING_POSITION, (3, 1), "light")[0]
    game = GameRecord(
        score=(2, 1),
        actions=(
            Rolled("light", (3, 1), tuple(play.moves)),
            Doubled("dark", 2),
            Took("light"),
            Rolled("dark", (6, 5), ()),
            Doubled("light", 4),
            Dropped("dark"),
        ),
    )
    states = [parse_xgid(to_xgid(s)) for _, s in moments(MatchRecord(length=5, games=(game,)), game)]
    start, thrown, after, doubled, taken, rolled, played, redoubled, dropped = states
    assert (start.turn, start.dice, start.score, start.length) == ("light", None, (2, 1), 5)
    assert thrown.dice == (3, 1) and after.position == play.result and after.turn == "dark"
    assert doubled.doubled and doubled.turn == "dark" and doubled.cube == 1
    assert (taken.cube, taken.owner, taken.turn) == (2, "light", "dark")
    assert (
        rolled.dice == (6, 5) and played.turn == "light" and (redoubled.cube, redoubled.doubled) == (2, True)
    )
    assert dropped.cube == 2 and dropped.owner == "light"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "expected one of FILE"),
        (["--xgid", START, "--position", "{}"], "expected one of FILE"),
        (["--xgid", START, "--moment", "3"], "expected a FILE"),
        (["--xgid", "XGID=nonsense"], "--xgid"),
        (["--xgid", START, "--dice", "7", "1"], "1 to 6"),
        (["--xgid", START, "-o", "x.gif"], ".svg"),
        (["--xgid", START, "-o", "FILE/new/x.svg"], "cannot be written"),
        (["/no/such.mat"], "/no/such.mat"),
        (["FILE", "--game", "99"], "--game"),
        (["FILE", "--moment", "9999"], "--moment"),
    ],
)
def test_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], words: str) -> None:
    path = tmp_path / "x.mat"
    save(random_match(5), path, "mat")
    code, out, err = run(capsys, *[a.replace("FILE", str(path)) for a in args])
    assert code == 2 and not out and words in err and err.count("\n") == 1


@pytest.mark.parametrize("kind", ["svg", "png", "txt"])
def test_the_folder_of_a_picture_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    path = tmp_path / "new" / "deeper" / f"x.{kind}"
    assert run(capsys, "--xgid", START, "-o", path) == (0, "", "")
    assert path.stat().st_size > 100
