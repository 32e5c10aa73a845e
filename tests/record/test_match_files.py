"""Small match files, one for each thing that archives do: what is read, what is said, and how `convert` exits.

Where GNU Backgammon is installed it judges the same files, board by board; `alone` marks those that it cannot follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from pi_board.cli import main
from pi_board.record.formats import WRITERS, parse
from pi_board.record.gametext import write_text
from pi_board.record.mat import write_mat
from pi_board.record.match import NACKGAMMON, Parsed
from tests.record.gnubg_judge import essence, judged, needs_gnubg

HEAD = " 3 point match\n\n Game 1\n Alice : 0                      Bob : 0\n"
#: Light's only roads 24/18 with 4-2 lead over 20 (a blot) and 22 (open).
BLOT = "  1)                             21: 13/11 6/5\n"


@dataclass(frozen=True)
class Case:
    """name; file: its text (HEAD is put before rows); record: the lines of the text log that must come out; said: words
    of each problem; exit: of `convert`; alone: GNU Backgammon cannot follow it, or takes it for something else."""

    name: str
    file: str
    record: str
    said: tuple[str, ...] = ()
    exit: int = 0
    alone: bool = False


CASES = [
    # One checker over both dice, no star: the open way.
    Case("open way", BLOT + "  2) 42: 24/18", "dark 21: 13/11 6/5|light 42: 24/22 22/18"),
    Case("open way, low die first", BLOT + "  2) 24: 24/18", "dark 21: 13/11 6/5|light 24: 24/22 22/18"),
    Case("stop written", BLOT + "  2) 42: 24/20*/18", "dark 21: 13/11 6/5|light 42: 24/20* 20/18"),
    Case("both ways open: first die first", "  1) 65: 24/13", "light 65: 24/18 18/13"),
    Case("both ways open, other order", "  1) 43: 13/9/6", "light 43: 13/9 9/6"),
    Case("one way held: the hit is forced", BLOT + "  2) 54: 24/15                  61: bar/24 13/7",
         "dark 21: 13/11 6/5|light 54: 24/20* 20/15|dark 61: bar/24 13/7", alone=True),
    Case("no star, but the next player enters",
         BLOT + "  2) 42: 24/18                  61: bar/24 13/7",
         "dark 21: 13/11 6/5|light 42: 24/20* 20/18|dark 61: bar/24 13/7*", alone=True),
    Case("no star, and the next player does not enter",
         BLOT + "  2) 42: 24/18                  61: 13/7 8/7",
         "dark 21: 13/11 6/5|light 42: 24/22 22/18|dark 61: 13/7* 8/7"),
    Case("star at an empty end", BLOT + "  2) 42: 24/18*                 61: bar/24 13/7",
         "dark 21: 13/11 6/5|light 42: 24/20* 20/18|dark 61: bar/24 13/7*", alone=True),
    Case("star at an empty end, next player does not enter", BLOT + "  2) 42: 24/18*                 61: 13/7 8/7",
         "dark 21: 13/11 6/5|light 42: 24/22 22/18|dark 61: 13/7* 8/7"),
    # Doubles and several checkers.
    Case("double joined", "  1) 33: 13/4", "light 33: 13/10 10/7 7/4"),
    Case("double counted", "  1) 11: 8/7(2) 6/5(2)", "light 11: 8/7 8/7 6/5 6/5"),
    Case("count after a space", "  1) 11: 8/7 (2) 6/5 (2)", "light 11: 8/7 8/7 6/5 6/5"),
    Case("double hits on its way", "  1)                             21: 13/11 6/5\n  2) 22: 24/20*(2)",
         "dark 21: 13/11 6/5|light 22: 24/22 22/20* 24/22 22/20"),
    Case("any order", "  1) 65: 18/13 24/18", "light 65: 24/18 18/13"),
    Case("commas", "  1) 31: 8/5, 6/5", "light 31: 8/5 6/5"),
    Case("leading noughts", "  1) 31: 08/05 06/05", "light 31: 8/5 6/5"),
    Case("wide spaces", "  1) 43: 13/10      24/20                31: 8/5 6/5", "light 43: 13/10 24/20|dark 31: 8/5* 6/5"),
    # Rolls with nothing beside them.
    Case("resigned after the roll", "  1) 31: 8/5 6/5                 32: \n      Wins 1 point",
         "light 31: 8/5 6/5|dark 32: not played|light wins 1 (resigned)"),
    Case("resigned after the roll, ????", "  1) 31: 8/5 6/5                 32: ????\n      Wins 2 points",
         "light 31: 8/5 6/5|dark 32: not played|light wins 2 (resigned)"),
    Case("resigned after the roll, ???", "  1) 31: 8/5 6/5                 32: ???\n      Wins 1 point",
         "light 31: 8/5 6/5|dark 32: not played|light wins 1 (resigned)"),
    Case("dances", BLOT + "  2) 42: 24/20*/18               66: ",
         "dark 21: 13/11 6/5|light 42: 24/20* 20/18|dark 66: no play"),
    Case("dances, in words", BLOT + "  2) 42: 24/20*/18               66: Cannot Move\n  3) 31: 8/5 6/5",
         "dark 21: 13/11 6/5|light 42: 24/20* 20/18|dark 66: no play|light 31: 8/5 6/5"),
    Case("the only play, not written", BLOT + "  2) 64: 24/20*/14*              65: \n  3) 31: 8/5 6/5",
         "dark 21: 13/11 6/5|light 64: 24/20* 20/14*|dark 65: bar/20|light 31: 8/5* 6/5"),
    Case("a play left out", "  1) 31: 8/5 6/5                 52: \n  2) 64: 24/18 13/9",
         "light 31: 8/5 6/5|dark 52: not played|light 64: 24/18 13/9"),
    # Results.
    Case("implausible win", "  1) 31: 8/5 6/5                 \n                                  Wins 1004 point",
         "light 31: 8/5 6/5|dark wins 3 (resigned)", said=("with the cube at 1 that is 3",)),
    Case("loses, in the loser's column", "  1) 31: 8/5 6/5                 Losses 2 point\n      Wins 2 point",
         "light 31: 8/5 6/5|light wins 2 (resigned)"),
    Case("loses, alone", "  1) 31: 8/5 6/5                 52: 13/8 13/11\n  2) Losses 2 point",
         "light 31: 8/5 6/5|dark 52: 13/8 13/11|dark wins 2 (resigned)", alone=True),
    Case("concedes", "  1) 31: 8/5 6/5                 52: 13/8 13/11\n  2) Concedes", alone=True,
         record="light 31: 8/5 6/5|dark 52: 13/8 13/11|dark wins 1 (resigned)"),
    Case("concedes after a roll, with its result", "  1) 31: 8/5 6/5                 52: 13/8 13/11\n  2) 32:                          \n  3) Concedes                     Wins 1 point",
         record="light 31: 8/5 6/5|dark 52: 13/8 13/11|light 32: not played|dark wins 1 (resigned)"),
    Case("resigns a gammon", "  1) 31: 8/5 6/5                 52: 13/8 13/11\n  2) Resigns gammon", alone=True,
         record="light 31: 8/5 6/5|dark 52: 13/8 13/11|dark wins 2 (resigned)"),
    Case("drop on the left, result beside it", "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops                       Wins 1 point",
         "light 31: 8/5 6/5|dark doubles to 2|light drops|dark wins 1 (pass)"),
    Case("drop without a result", "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops",
         "light 31: 8/5 6/5|dark doubles to 2|light drops|dark wins 1 (pass)"),
    # Columns, line ends, marks.
    Case("CRLF", ("  1) 31: 8/5 6/5                 52: 13/8 13/11\n").replace("\n", "\r\n"), "light 31: 8/5 6/5|dark 52: 13/8 13/11"),
    Case("tabs", "  1)\t31: 8/5 6/5\t52: 13/8 13/11\n  2)\t64: 24/14\tDoubles => 2\n  3)\tDrops\tWins 1 point",
         "light 31: 8/5 6/5|dark 52: 13/8 13/11|light 64: 24/18 18/14*|dark doubles to 2|light drops|dark wins 1 (pass)", alone=True),
    Case("trailing spaces", "  1) 31: 8/5 6/5                 52: 13/8 13/11     \n", "light 31: 8/5 6/5|dark 52: 13/8 13/11"),
    Case("narrow columns", "  1) 31: 8/5 6/5 52: 13/8 13/11\n", "light 31: 8/5 6/5|dark 52: 13/8 13/11"),
    Case("right cell near the left", "  1)              52: 13/8 13/11\n  2) 31: 8/5 6/5", "dark 52: 13/8 13/11|light 31: 8/5 6/5"),
    # What cannot be followed.
    Case("no checker there", "  1) 31: 8/5 6/5                 52: 13/8 12/10\n  2) 64: 24/14\n      Wins 1 point",
         "light 31: 8/5 6/5|light wins 1", said=("line 5: game 1, turn 2: dark 52: 12/10: not possible with 5-2 here; the rest",), exit=1, alone=True),
    Case("no notation", "  1) 31: 8/5 6/5                 52: 13/x 13/11\n  2) 64: 24/14", "light 31: 8/5 6/5",
         said=("game 1, turn 2: dark 52: 13/x: not a move",), exit=1, alone=True),
    Case("too far", "  1) 64: 24/13                   31: 8/5 6/5", "", said=("game 1, turn 1: light 64: 24/13",), exit=1, alone=True),
    Case("not the dice, but possible", "  1) 52: 13/8 13/10              31: 8/5 6/5", "light 52: 13/10 13/8|dark 31: 8/5 6/5",
         said=("game 1, turn 1: light 52: 13/10: not possible with 5-2 here; kept as it is written",)),
]  # fmt: skip


def of(case: Case) -> Parsed:
    return parse((HEAD + case.file).encode())


def log(parsed: Parsed) -> str:
    """The first game in the words of the text log."""
    return "|".join(write_text(parsed.match).partition("Game 1")[2].split("\n")[1:]).strip("|")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_read(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parsed = of(case)
    assert log(parsed) == case.record
    assert len(parsed.problems) == len(case.said), parsed.problems
    for problem, words in zip(parsed.problems, case.said, strict=True):
        assert words in str(problem)
    assert parsed.lost == (case.exit == 1)
    path = tmp_path / "x.mat"
    path.write_text(HEAD + case.file, encoding="utf-8", newline="")
    if case.record:
        assert main(["convert", str(path), "--to", "json", "-o", str(tmp_path / "x.json")]) == case.exit
        assert capsys.readouterr().err.count("\n") == len(case.said)
    for kind, write in WRITERS.items():
        written = write(parsed.match)
        assert "llegal" not in written, f"nobody was accused ({kind})"
        again = parse(written.encode())
        assert not again.match.games or essence(again.match)[0][1:] == essence(parsed.match)[0][1:], kind


@needs_gnubg
def test_gnubg_reads_the_same(tmp_path: Path) -> None:
    cases = [case for case in CASES if not case.alone]
    theirs = judged(tmp_path, [(HEAD + case.file).encode() for case in cases])
    differ = [c.name for c, t in zip(cases, theirs, strict=True) if essence(of(c).match) != essence(t)]
    assert not differ


@needs_gnubg
def test_gnubg_reads_what_is_written_of_them(tmp_path: Path) -> None:
    """The `.mat` that comes out of a file means the same to GNU Backgammon, also where it could not follow the file."""
    parsed = [of(case) for case in CASES if case.record]
    theirs = judged(tmp_path, [write_mat(p.match).encode() for p in parsed])
    differ = [log(p) for p, t in zip(parsed, theirs, strict=True) if essence(p.match) != essence(t)]
    assert not differ


ROW = "  1) 31: 8/5 6/5                 52: 13/8 13/11\n"
ONE = " Game 1\n Alice : 0                      Bob : 0\n" + ROW


def named(left: str, right: str) -> str:
    return f" 3 point match\n\n Game 1\n {left} : 0                      {right} : 0\n" + ROW


@pytest.mark.parametrize(
    ("left", "right", "names"),
    [
        ("Bartholomew Featherstonehaugh-Cholmondeley", "Bob", None),
        ("Alice", "", None),
        ("", "Bob", None),
        ("", "", None),
        ("Smith, 1623", "Jones, John", ("Smith", "Jones, John")),
        ("Zoë", "李", None),
        ("two  words", "42", None),
        ("A:B", "C", None),
    ],
)
def test_names_are_kept(left: str, right: str, names: tuple[str, str] | None) -> None:
    parsed = parse(named(left, right).encode())
    assert not parsed.problems and parsed.match.names == (names or (left, right))
    for kind, write in WRITERS.items():
        again = parse(write(parsed.match).encode()).match.names
        kept = parsed.match.names
        if kind == "mat":
            kept = tuple(" ".join(n.replace(":", ".").split()) for n in kept)  # type: ignore[assignment]
        assert again == (tuple(" ".join(n.split()) for n in kept) if kind == "txt" else kept), kind


@needs_gnubg
@pytest.mark.parametrize(
    ("left", "right"), [("x" * 60, "Bob"), ("Alice", ""), ("", "Bob"), ("", ""), ("A:B", "C, D")]
)
def test_gnubg_reads_the_games_under_any_name(tmp_path: Path, left: str, right: str) -> None:
    match = parse(named(left, right).encode()).match
    assert essence(judged(tmp_path, [write_mat(match).encode()])[0]) == essence(match)


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        ("\ufeff3 point match\n\n".encode() + ONE.encode(), {"length": 3}),
        (("3 point match\n\n" + ONE).encode("utf-16"), {"length": 3}),
        (("3 point match\n\n" + ONE.replace("Alice", "Zoë")).encode("latin-1"), {"names": ("Zoë", "Bob")}),
        (("3 point match\r\n\r\n" + ONE.replace("\n", "\r\n")).encode(), {"length": 3}),
        (("Unlimited match\n\n" + ONE).encode(), {"length": 0}),
        (('; [Site "Club"]\n; [Event "Cup: final"]\n; [EventDate "2014.05.02"]\n; [Player 1 "X"]\n; [Jacoby "On"]\n; [Crawford "Off"]\n# remark\n\n0 point match\n\n' + ONE).encode(),
         {"site": "Club", "event": "Cup: final", "date": "2014-05-02", "jacoby": True, "crawford": False}),
        (("; Exported by hand; nothing to see\n\n11 Point Match\n\n" + ONE.replace(" Game 1", "Game 1")).encode(), {"length": 11}),
    ],
    ids=["byte order mark", "UTF-16", "Latin-1", "CRLF", "unlimited", "headers", "odd header"],
)  # fmt: skip
def test_heads(data: bytes, wanted: dict[str, object]) -> None:
    parsed = parse(data)
    assert not parsed.problems and len(parsed.match.games[0].actions) == 2
    assert {key: getattr(parsed.match, key) for key in wanted} == wanted


def test_nackgammon_by_name_and_by_its_plays() -> None:
    plays = " Game 1\n A : 0                      B : 0\n  1) 21: 23/21 23/22               64: 24/14\n"
    for head in ('; [Variation "NackGammon"]\n', ""):
        parsed = parse((head + " 3 point match\n\n" + plays).encode())
        assert not parsed.problems and parsed.match.games[0].start == NACKGAMMON
        assert parse(write_mat(parsed.match).encode()).match == parsed.match


@needs_gnubg
def test_gnubg_starts_nackgammon_there_too(tmp_path: Path) -> None:
    data = b'; [Variation "NackGammon"]\n\n 3 point match\n\n Game 1\n A : 0                      B : 0\n  1) 21: 23/21 23/22\n'
    (theirs,) = judged(tmp_path, [data])[0].games
    assert theirs.final() == parse(data).match.games[0].final()


def test_the_crawford_game_is_known_from_the_scores() -> None:
    games = "".join(
        f" Game {n}\n A : {a}                      B : {b}\n" + ROW + "      Wins 1 point\n\n"
        for n, (a, b) in enumerate([(0, 0), (2, 0), (2, 1), (2, 2)], 1)
    )
    assert [g.crawford for g in parse((" 3 point match\n\n" + games).encode()).match.games] == [
        False,
        True,
        False,
        False,
    ]


def test_a_resignation_is_worth_what_the_next_score_says() -> None:
    text = (
        " 7 point match\n\n"
        + ONE
        + "  2) Concedes\n\n Game 2\n Alice : 0                      Bob : 2\n"
        + ROW
    )
    game = parse(text.encode()).match.games[0]
    assert (game.winner, game.points, game.kind) == ("dark", 2, "resigned")


def test_two_matches_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.mat"
    path.write_text(" 3 point match\n\n" + ONE + "\n 5 point match\n\n" + ONE.replace("Alice", "Carl"))
    for wanted, number in (("Alice", None), ("Alice", 1), ("Carl", 2)):
        args = ["--match", str(number)] if number else []
        assert main(["convert", str(path), "--to", "txt", *args]) == 0
        out, err = capsys.readouterr()
        assert f"names: {wanted} | Bob" in out and "2 matches" in err


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"\n \r\n", "empty"),
        (b" 3 point match\n\n Game 1\n A : 0                      B : 0\n", "no game"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100, "a PNG picture"),
        (b"\xff\xd8\xff\xe0" + bytes(range(256)) * 100, "a JPEG picture"),
        (b"PK\x03\x04" + bytes(200), "a ZIP archive"),
        (bytes(range(256)) * 100, "binary data"),
        (b"dear diary,\nnothing happened.\n" * 500, "point match"),
    ],
)
def test_what_holds_no_game_is_one_line_and_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, words: str
) -> None:
    path = tmp_path / "x.mat"
    path.write_bytes(data)
    for command in (["convert", str(path), "--to", "mat"], ["stats", str(path)], ["show", str(path)]):
        assert main(command) == 2
        out, err = capsys.readouterr()
        assert not out and words in err and err.count("\n") == 1 and len(err) < 300


def test_a_bad_file_is_not_told_at_length(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.mat"
    path.write_text(" 3 point match\n\n" + ONE + "what is this?\n" * 150 + "  2) 66: 9/3\n")
    assert main(["convert", str(path), "--to", "mat"]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 21 and "and 131 more" in err and "game 1, turn 3: light 66: 9/3" in err
