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
from pi_board.record.match import Parsed
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
