"""The match sheet, from a journal to paper."""

from __future__ import annotations

import builtins
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pi_board import events as ev
from pi_board.commands.sheet import sheet_words
from pi_board.errors import DeviceError, InvalidFileError
from pi_board.panel.language import LANGUAGES, load_language
from pi_board.record.journal import Journal
from pi_board.record.sheet import CoachRating, Pictures, Table, chi_square, match_sheet, played
from pi_board.record.sheet_files import sheet_html, sheet_pdf
from pi_board.rules import STARTING_POSITION, Position, Side, legal_plays

ENGLISH = sheet_words(load_language("en"))
STOOD = Position.from_document(
    {
        "points": [-2, 0, 0, 0, 1, 4, 0, 4, 0, 0, 0, -5, 4, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2],
        "bar": {"light": 0, "dark": 0},
        "off": {"light": 0, "dark": 0},
    }
)


def turn(
    side: Side, dice: tuple[int, int], before: Position, at: float, seconds: float, left: float
) -> list[ev.Event]:
    play = legal_plays(before, dice, side)[0]
    banks = {"light": 600.0, "dark": 600.0, side: left}
    return [
        ev.DiceRolled(time=at, side=side, dice=dice),
        ev.TurnEnded(
            time=at + seconds,
            side=side,
            dice=dice,
            play=str(play),
            moves=tuple(play.moves),
            position=play.result,
        ),
        ev.ClockChanged(
            time=at + seconds,
            side=side,
            running=True,
            light=banks["light"],
            dark=banks["dark"],
            why="pressed",
        ),
        ev.TurnTimed(time=at + seconds, side=side, seconds=seconds, began=at, ended=at + seconds),
    ]


def journal(folder: Path) -> Path:
    """A match to 3: an illegal play that stood, a double that was taken, a challenge, a resignation."""
    events: list[ev.Event] = [
        ev.MatchStarted(rules="international", match_length=3, light_name="Ana <b>", dark_name="Łukasz"),
        ev.ClockSet(kind="delay", delay=12.0, light=360.0, dark=360.0),
        ev.MatchAgreed(mode="responsible", hints=False),
        ev.GameStarted(game=1, position=STARTING_POSITION),
        ev.OpeningThrown(light=3, dark=1, side="light"),
        ev.DiceRolled(side="light", dice=(3, 1)),
        ev.PlayIllegal(
            side="light", dice=(3, 1), code="wrong_number", reason="13/8 is not a 3.", position=STARTING_POSITION, seen=STOOD, seq=7
        ),
        ev.PlayStands(side="light", dice=(3, 1), position=STOOD),
        ev.TurnEnded(side="light", dice=(3, 1), position=STOOD, legal=False),
        ev.ClockChanged(side="dark", running=True, light=355.0, dark=360.0, why="pressed"),
        ev.TurnTimed(side="light", seconds=17.0, began=0.0, ended=17.0),
        *turn("dark", (6, 5), STOOD, 20.0, 8.0, 360.0),
        ev.CubeOffered(side="light", value=2),
        ev.CubeTaken(side="dark", value=2),
        ev.Challenged(side="dark"),
        ev.ChallengeAnswered(side="dark", legal=True),
        ev.TimeOut(side="dark"),
        ev.GameWon(side="light", points=3, kind="time", cube=2, score=(3, 0)),
        ev.MatchWon(side="light", score=(3, 0)),
    ]  # fmt: skip
    written = Journal.create(folder)
    written.append(events)
    written.close()
    return written.path


def block(sheet: Any, heading: str) -> Any:
    return next((b for b in sheet.blocks if b.heading == heading), None)


def test_what_stands_on_it(tmp_path: Path) -> None:
    sheet = match_sheet(
        played(journal(tmp_path)),
        ENGLISH,
        {"light": CoachRating(10, 8.0, 0.2), "dark": CoachRating(9, 12.0, -0.2)},
    )
    facts = dict(sheet.facts)
    assert facts["Score"] == "3 – 0 (match to 3)" and facts["Winner"] == "Ana <b>"
    assert facts["Refereed"].startswith("responsible moves") and facts["Hints"] == "locked"
    assert block(sheet, "Games").rows == (("1", "Ana <b>", "3", "on time", "2", "2", "3 – 0"),)
    assert block(sheet, "Cube").rows == (("1", "3", "Ana <b>", "2", "Łukasz takes"),)
    times: Table = block(sheet, "Time")
    assert times.rows[0][:4] == ("Ana <b>", "0:17", "17.0 s", "17 s")
    assert times.rows[1][-2:] == ("6:00 (out of time)", "0")
    stood: Pictures = block(sheet, "Illegal plays that stood")
    assert [c for c, _ in stood.pictures] == ["Game 1, turn 1: Ana <b> 3-1. 13/8 is not a 3."]
    assert stood.pictures[0][1].startswith(b"\x89PNG")
    assert [row[3] for row in block(sheet, "Play").rows] == ["4.0", "6.0"]
    assert ("Łukasz", "asked about a play: legal", "1") in block(sheet, "Besides").rows
    assert sheet.signatures == ("Ana <b>", "Łukasz", "Director")


def test_without_the_coach_and_without_times(tmp_path: Path) -> None:
    path = journal(tmp_path)
    lines = [line for line in path.read_text().splitlines() if "turn_timed" not in line]
    again = Journal.create(tmp_path)
    again.append([ev.Event.from_document(json.loads(line)["event"]) for line in lines])
    again.close()
    sheet = match_sheet(played(again.path), ENGLISH)
    assert block(sheet, "Play") is None and block(sheet, "Time") is None


def test_the_kept_picture_is_used(tmp_path: Path) -> None:
    path = journal(tmp_path)
    name = f"{path.stem}-001-wrong_number"
    folder = tmp_path / "evidence" / name
    folder.mkdir(parents=True)
    (folder / "after.jpg").write_bytes(b"\xff\xd8\xff a photograph")
    content = path.read_bytes()
    again = Journal(path)
    again._seq, again._size = content.count(b"\n"), len(content)
    again.note({"evidence": name, "files": ["after.jpg"], "of": 7})
    again.close()
    stood = block(match_sheet(played(path), ENGLISH), "Illegal plays that stood")
    assert stood.pictures[0][1] == b"\xff\xd8\xff a photograph"


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_in_every_language(tmp_path: Path, code: str) -> None:
    """Nothing of the English sheet is left but names, numbers, and words that both languages have."""
    of = played(journal(tmp_path))
    ratings: dict[Side, CoachRating] = {
        "light": CoachRating(10, 8.0, 0.2),
        "dark": CoachRating(9, 12.0, -0.2),
    }
    language = load_language(code)
    sheet, english = match_sheet(of, sheet_words(language), ratings), match_sheet(of, ENGLISH, ratings)
    assert sheet.language == code and f'<html lang="{code}">' in sheet_html(sheet)

    def texts(of: Any) -> list[str]:
        out = [value for _, value in of.facts]
        for part in of.blocks:
            out += [part.heading, part.note]
            out += [c for c, _ in part.pictures] if isinstance(part, Pictures) else sum(part.rows, ())
        return out

    pairs = list(zip(texts(sheet), texts(english), strict=True))
    assert [a for a, b in pairs if a == b and a.count(" ") > 2] == []
    stood = block(sheet, language.sheet["illegal"]).pictures[0][0].lower()
    assert language.reasons["wrong_number"].lower() in stood and "13/8" not in stood


def test_who_gave_no_name_is_called_by_the_side(tmp_path: Path) -> None:
    path = journal(tmp_path)
    events = [ev.Event.from_document(json.loads(line)["event"]) for line in path.read_text().splitlines()]
    again = Journal.create(tmp_path)
    again.append([replace(events[0], light_name="Light", dark_name="Bo"), *events[1:]])  # type: ignore[call-arg]
    again.close()
    sheet = match_sheet(played(again.path), sheet_words(load_language("de")))
    assert sheet.title == "Hell – Bo" and sheet.signatures == ("Hell", "Bo", "Turnierleiter")
    assert {row[0] for row in block(sheet, "Augen").rows} == {"Hell", "Bo", "Beide"}


def test_language_of_the_command(tmp_path: Path) -> None:
    from pi_board.cli import main

    settings = tmp_path / "settings.toml"
    settings.write_text('[panel]\nlanguage = "nl"\n')
    for more, heading in ((["--config", str(settings)], "Partijen"), (["--language", "it"], "Partite")):
        assert main(["sheet", str(journal(tmp_path)), "-o", str(tmp_path / "s.html"), *more]) == 0
        assert f"<h2>{heading}</h2>" in (tmp_path / "s.html").read_text()


def test_as_html(tmp_path: Path) -> None:
    page = sheet_html(match_sheet(played(journal(tmp_path)), ENGLISH))
    assert "Ana &lt;b&gt;" in page and "<b>" not in page
    assert "Łukasz" in page and page.count("data:image/png;base64,") == 1
    assert "http" not in page.replace("http-equiv", ""), "nothing is fetched from anywhere"


def test_as_pdf(tmp_path: Path) -> None:
    pytest.importorskip("fpdf")
    data = sheet_pdf(match_sheet(played(journal(tmp_path)), ENGLISH))
    assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF")
    assert data.count(b"/Type /Page\n") >= 1 and b"/Subtype /Image" in data


def test_no_library_no_pdf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name == "fpdf":
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(DeviceError, match=r"pi-board\[sheet\]"):
        sheet_pdf(match_sheet(played(journal(tmp_path)), ENGLISH))


def test_chi_square() -> None:
    assert chi_square([10] * 6) == 0.0
    assert chi_square([0] * 6) == 0.0
    assert chi_square([5, 8, 9, 8, 10, 20]) == pytest.approx(13.4)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["no-such.jsonl", "-o", "s.pdf"], "cannot be read"), (["{journal}", "-o", "s.doc"], "expected a file that ends in .pdf or .html"),
        (["{journal}", "-o", "s.html", "--match", "9"], "expected a match from 1 to 1"), (["{empty}", "-o", "s.html"], "games in it"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], words: str
) -> None:
    from pi_board.cli import main

    (tmp_path / "empty.jsonl").write_text("")
    found = {"journal": str(journal(tmp_path)), "empty": str(tmp_path / "empty.jsonl")}
    assert main(["sheet", *(a.format(**found) for a in args)]) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1


def test_nothing_played_is_no_sheet(tmp_path: Path) -> None:
    empty = Journal.create(tmp_path)
    empty.append([ev.MatchStarted(rules="international")])
    empty.close()
    with pytest.raises(InvalidFileError, match="games in it"):
        played(empty.path)
