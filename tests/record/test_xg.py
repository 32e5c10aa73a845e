"""`.xg` files of eXtreme Gammon: bytes made after the published description, read back; damaged ones cost no more than themselves."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_board.cli import main
from pi_board.record.formats import parse
from pi_board.record.match import MatchRecord
from tests.record.archive_styles import resigned_after_roll
from tests.record.gnubg_judge import essence
from tests.record.random_match import random_match
from tests.record.xg_bytes import xg_bytes


def short(seed: int, illegal: float = 0.0) -> MatchRecord:
    match = random_match(seed, rules="international", illegal=illegal)
    return replace(match, games=match.games[:2])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("version", "compressed"), [(30, True), (24, True), (8, False)])
def test_read_back(seed: int, version: int, compressed: bool) -> None:
    match = short(seed)
    match = resigned_after_roll(match, random.Random(seed)) if seed % 2 else match
    parsed = parse(xg_bytes(match, version=version, compressed=compressed))
    assert not parsed.problems
    assert essence(parsed.match) == essence(match)
    ours = parsed.match
    assert (ours.length, ours.event, ours.date) == (match.length, match.event, "2023-03-15")
    assert [g.kind for g in ours.games] == [g.kind for g in match.games]
    if version >= 24:
        assert ours.names == match.names


def test_an_illegal_play_stands_as_it_lay() -> None:
    match = short(3, illegal=0.3)
    parsed = parse(xg_bytes(match))
    assert parsed.problems and "not a legal play" in str(parsed.problems[0]) and not parsed.lost
    assert [a[3] for a in essence(parsed.match)] == [a[3] for a in essence(match)]  # type: ignore[index]


@pytest.mark.parametrize("cut", [4, 40, 5_000, 8_240, 8_300, -1, -37])
def test_cut_off_files_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cut: int
) -> None:
    path = tmp_path / "x.xg"
    path.write_bytes(xg_bytes(short(1))[:cut])
    assert main(["convert", str(path), "--to", "mat"]) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and str(path) in err


def test_convert(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, match = tmp_path / "x.xg", short(2)
    path.write_bytes(xg_bytes(match))
    assert main(["convert", str(path), "--to", "mat"]) == 0
    out, err = capsys.readouterr()
    assert not err and essence(parse(out.encode()).match) == essence(match)


SMALL = xg_bytes(replace(short(1), games=short(1).games[:1]), compressed=False)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_files(data: st.DataObject) -> None:
    damaged = bytearray(SMALL)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(
            st.integers(8_232, len(damaged) - 1) | st.integers(len(damaged) - 2_200, len(damaged) - 1)
        )
        damaged[at] = data.draw(st.integers(0, 255))
    parsed = parse(bytes(damaged))
    assert parsed.match.games or parsed.problems
