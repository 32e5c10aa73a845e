"""Game files: every format gives back what it was given, and what is wrong is listed and not fatal."""

from __future__ import annotations

import functools
import json
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_board.errors import InvalidFileError
from pi_board.events import Event
from pi_board.record.formats import WRITERS, detect, load, parse, save
from pi_board.record.journal import encode
from pi_board.record.mat import plain_name, read_mat
from pi_board.record.match import GameRecord, MatchRecord, Parsed, Rolled, Took, hops, move_words, readings
from pi_board.rules import STARTING_POSITION
from tests.bench.bench_record import HOSTILE
from tests.record.random_match import random_match

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "formats"


def essence(match: MatchRecord) -> list[object]:
    return [(g.actions, g.winner, g.points, g.score) for g in match.games]


@pytest.mark.parametrize("kind", sorted(WRITERS))
@pytest.mark.parametrize("seed", range(6))
def test_round_trip(kind: str, seed: int) -> None:
    match = random_match(seed)
    parsed = parse(WRITERS[kind](match).encode())
    assert not parsed.problems
    assert essence(parsed.match) == essence(match)
    assert (parsed.match.length, parsed.match.rules) == (match.length, match.rules)
    if kind != "mat":
        assert parsed.match.names == tuple(" ".join(n.split()) if kind == "txt" else n for n in match.names)


@pytest.mark.parametrize("kind", sorted(WRITERS))
@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_line_ends_do_not_matter(kind: str, ends: str) -> None:
    match = random_match(3)
    text = WRITERS[kind](match).replace("\n", ends)
    assert essence(parse(text.encode()).match) == essence(match)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Alice", "Alice"),
        ("A:B", "A.B"),
        ("  two   words ", "two words"),
        ("", "?"),
        ("\x00\n", "?"),
        ("x" * 50, "x" * 50),
        ("x" * 500, "x" * 60),
    ],
)
def test_names_as_mat_can_hold_them(name: str, plain: str) -> None:
    assert plain_name(name) == plain


@pytest.mark.parametrize(
    ("dice", "words", "moves"),
    [
        ((6, 4), "24/14", ((24, 18), (18, 14))),
        ((3, 1), "8/5 6/5", ((8, 5), (6, 5))),
        ((1, 1), "8/7(2) 6/5(2)", ((8, 7), (8, 7), (6, 5), (6, 5))),
        ((6, 5), "24/18/13", ((24, 18), (18, 13))),
    ],
)
def test_notation_is_taken_apart(dice: tuple[int, int], words: str, moves: tuple) -> None:
    for side in ("light", "dark"):
        likeliest = readings(STARTING_POSITION, side, dice, hops(words))[0]
        assert likeliest[0] == moves


def test_words_of_moves_star_the_hits() -> None:
    position = replace(
        STARTING_POSITION,
        points=(-1, 0, 0, 0, -1, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2),
    )
    assert move_words(position, "light", ((6, 5), (5, 1))) == "6/5* 5/1*"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (" 3 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/4\n", "line 5"),
        (" 3 point match\n\n Game 1\n A : 0   B : 0\n  1) Takes\n", "not offered"),
        ("nothing of the kind", "point match"),
        (" 3 point match\n\n Game 1\n A : 0   B : 0\n  1) 52: Illegal play (1;2;3)\n", "40 fields"),
    ],
)
def test_problems_are_listed_with_their_line(text: str, problem: str) -> None:
    assert problem in " / ".join(map(str, read_mat(text).problems))


def test_one_bad_move_does_not_cost_the_rest() -> None:
    game = " Game {}\n A : 0                      B : 0\n  1) 31: 8/5 6/5                 52: 13/8 13/1{}\n  2) 64: 24/14\n      Wins 1 point\n\n"
    parsed = read_mat(" 0 point match\n\n" + game.format(1, 2) + game.format(2, 1))
    why = "line 5: game 1, turn 2: dark 52: 13/12: not possible with 5-2 here; the rest of this game is left out"
    assert [str(p) for p in parsed.problems] == [why] and parsed.lost
    # What is sure stays: the turn before it, who won, and the next game.
    assert [len(g.actions) for g in parsed.match.games] == [1, 3]
    assert [(g.winner, g.points) for g in parsed.match.games] == [("light", 1), ("light", 1)]


def test_load_names_the_file(tmp_path: Path) -> None:
    for make, words in (
        (lambda p: None, "cannot be read"),
        (lambda p: p.mkdir(), "folder"),
        (lambda p: p.write_text(""), "no"),
    ):
        path = tmp_path / words.replace(" ", "")
        make(path)
        with pytest.raises(InvalidFileError, match=words) as error:
            load(path)
        assert str(path) in str(error.value)


def test_save_is_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.mat"
    save(random_match(1), path, "mat")
    before = path.read_bytes()
    monkeypatch.setattr(
        "pi_board.record.whole_file.os.fsync", lambda fd: (_ for _ in ()).throw(OSError(28, "No space"))
    )
    with pytest.raises(InvalidFileError, match="No space"):
        save(random_match(2), path, "mat")
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["x.mat"]


CORPUS = sorted((Path(__file__).parent / "corpus").glob("*"))


def survives(data: bytes) -> Parsed:
    """Reads `data`, checks what is said of it, and writes what was understood in every format."""
    parsed = parse(data)
    lines = 1 + data.count(b"\n") + data.count(b"\r")
    assert len(parsed.problems) <= 202
    for problem in parsed.problems:
        assert 0 <= problem.line <= lines and problem.text and "\n" not in str(problem)
    for kind, write in WRITERS.items():
        again = parse(write(parsed.match).encode("utf-8", "replace"))
        if kind == "json" and parsed.match.games:
            assert essence(again.match) == essence(parsed.match)
    return parsed


@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.name)
def test_corpus_of_broken_files(path: Path) -> None:
    parsed = survives(path.read_bytes())
    assert parsed.problems or parsed.match.games


#: What must be said of a file of the corpus, and how many rolls must be kept of it.
SAID = [
    ("wrong_dice.mat", ["line 5: game 1, turn 1: light 31: 6/5: not possible with 3-1"], 4),
    ("wrong_dice.sgf", ["line 2: game 1, turn 1: light 31: 31hdfe: not possible with 3-1"], 2),
    ("wrong_dice.json", ["names: ", "line 4: game 1, turn 1: light 31: 6/4: not possible with 3-1"], 2),
    ("wrong_dice.txt", ["line 6: game 1, turn 1: light 31: 6/4: not possible with 3-1"], 2),
    ("nothing_there.sgf", ["line 3: game 1, turn 2: dark 52: 52aabb"], 1),
    (
        "one_bad_action.json",
        ["line 4: dice", "line 5: side", "line 6: action", "line 7: action", "line 8: dark: takes"],
        2,
    ),
    ("prose.txt", ["line 7: not understood: 'Then we had tea.'"], 2),
    ("rubbish_behind.sgf", ["line 3: not SGF: '}}} and more'"], 1),
    ("not_closed.sgf", ["line 3: the file ends"], 2),
    ("variations.sgf", [], 3),
    ("escapes.sgf", [], 1),
    ("keys_in_texts.json", ["names: ", "line 2: side", "line 3: light: drops"], 0),
    ("illegal_20_checkers.mat", ["line 5: game 1, turn 2: dark 52: illegal play"], 1),
    ("latin1.mat", [], 2),
    ("only_carriage_returns.mat", [], 2),
]


@pytest.mark.parametrize(("name", "said", "rolls"), SAID, ids=lambda v: v if isinstance(v, str) else "")
def test_problems_name_their_line_and_the_rest_is_kept(name: str, said: list[str], rolls: int) -> None:
    parsed = parse((Path(__file__).parent / "corpus" / name).read_bytes())
    assert len(parsed.problems) == len(said), parsed.problems
    for problem, words in zip(parsed.problems, said, strict=True):
        assert words in str(problem)
    assert sum(isinstance(a, Rolled) for g in parsed.match.games for a in g.actions) == rolls


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=600))
def test_any_bytes(data: bytes) -> None:
    survives(data)


#: Pieces of which the formats are made, in any order.
PIECES = st.lists(
    st.sampled_from([
        " 3 point match\n", " Game 1\n", " A : 0                      B : 0\n", "  1) 31: 8/5 6/5",
        "   52: 13/8 13/11\n", " Doubles => 2", " Takes", " Drops", "Wins 2 points\n", " Illegal play (",
        ";", "0;", ")", "\n", "  ", "????", "(;GM[6]", ";W[31hefe]", ";B[52lqln]", ";W[double]", ";B[take]",
        ";AW[a][b]AB[x]AE[a:y]", ";PL[W]DI[31]", "(", "]", "\\", "RE[W+2]", "pi_board game log\n",
        "Game 1 (0-0)\n", "light 31: 8/5 6/5\n", "dark doubles to 2\n", "light takes\n", "light wins 1\n",
        "dark 52: illegal, stood: ", "start: ", '{"format": "pi_board-match", "games": [', '{"actions": [',
        '{"type": "roll", "side": "light", "dice": [3, 1]', ', "moves": [[8, 5], [6, 5]]', "}", "]", ",",
        "null", '{"points": [', "0,", '{"v":1,"seq":0,"at":"","event":{}', ',"crc":"00000000"}\n',
    ]),
    max_size=40,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(PIECES)
def test_pieces_in_any_order(pieces: list[str]) -> None:
    survives("".join(pieces).encode())


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["light", "dark", "roll"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["type", "side", "dice", "moves", "stood", "value", "actions", "winner", "points", "score", "start", "kind", "bar", "off"]), inner, max_size=6
    ),
    max_leaves=25,
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(_json, _json, _json)
def test_any_document(games: object, names: object, length: object) -> None:
    document = {"format": "pi_board-match", "games": games, "names": names, "length": length}
    survives(json.dumps(document).encode())
    survives(json.dumps({**document, "games": [{"actions": games}, games]}).encode())


@settings(max_examples=100, deadline=None)
@given(_json, st.sampled_from(["event", "gap", "note"]), st.sampled_from(sorted(Event._kinds)))
def test_any_line_of_a_journal_with_a_right_checksum(content: object, key: str, kind: str) -> None:
    survives(encode(0, "", {key: content}))
    if isinstance(content, dict):
        survives(encode(0, "", {"event": {**content, "type": kind}}))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(WRITERS)), st.integers(0, 5), st.data())
def test_damaged_files(kind: str, seed: int, data: st.DataObject) -> None:
    text = bytearray(small(kind, seed))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text) - 1))
        if data.draw(st.booleans()):
            text[at] = data.draw(st.integers(0, 255))
        else:
            del text[at : at + data.draw(st.integers(1, 40))]
        if not text:
            break
    survives(bytes(text))


@functools.cache
def small(kind: str, seed: int) -> bytes:
    """One game with all that can happen in one."""
    match = random_match(seed)
    return WRITERS[kind](replace(match, games=match.games[:1])).encode()


def calls(text: bytes) -> int:
    """How many functions `parse` calls: work that no busy machine changes."""
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        parse(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("kind", [*sorted(WRITERS), "journal"])
def test_64_kilobytes_take_linear_work_and_little_memory(kind: str) -> None:
    """Milliseconds are for tests/bench/bench_record.py; here at most twelve calls of functions for each byte."""
    for pattern in HOSTILE[kind]:
        data = pattern.encode()[: 64 * 1024]
        tracemalloc.start()
        try:
            parse(data)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak <= 20_000_000, pattern[:60]
        # A document of JSON cannot be cut.
        part = data if kind == "json" else data[: 8 * 1024]
        assert calls(part) < 12 * len(part), pattern[:60]


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data/formats is not here")
@pytest.mark.parametrize("name", sorted(p.name for p in SHARED.glob("*.*")) if SHARED.is_dir() else [])
def test_files_of_gnu_backgammon(name: str) -> None:
    if name.endswith(".txt"):
        pytest.skip("a position, not a game")
    parsed = load(SHARED / name)
    assert parsed.match.games
    finished = [g for g in parsed.match.games if g.winner]
    assert finished or "illegal" in name
    # The hand-written example that plays 4/5 backwards is the only file with something to complain about.
    if parsed.problems:
        assert "4/5" in str(parsed.problems[0]) or "min.sgf" in name


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data/formats is not here")
def test_the_same_match_as_mat_and_sgf() -> None:
    mat, sgf = (load(SHARED / f"gnubg_selfplay_match5.{k}").match for k in ("mat", "sgf"))
    for a, b in zip(mat.games, sgf.games, strict=True):
        assert [type(x) for x in a.actions] == [type(x) for x in b.actions]
        assert (a.final(), a.winner, a.points) == (b.final(), b.winner, b.points)


def test_formats_are_known_by_content() -> None:
    match = random_match(0)
    for kind, write in WRITERS.items():
        assert detect(write(match)) == kind
    assert detect(json.dumps({"v": 1}).replace(" ", "")) == "journal"


def test_actions_compare_by_value() -> None:
    assert GameRecord(actions=(Took("light"),)) == GameRecord(actions=(Took("light"),))
    assert Rolled("light", (3, 1)) != Rolled("dark", (3, 1))
