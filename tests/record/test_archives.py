"""Whole matches in the spellings of public archives: read as they were played, and as GNU Backgammon reads them."""

from __future__ import annotations

import functools
import random
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pi_board.record.formats import parse
from pi_board.record.match import MatchRecord
from tests.record.archive_styles import STYLES, archived, open_ways, resigned_after_roll
from tests.record.gnubg_judge import GNUBG, essence, judged, needs_gnubg
from tests.record.random_match import random_match


@functools.cache
def plain_match(seed: int) -> MatchRecord:
    """By the international rules and without illegal plays: what archives hold. Three games at most."""
    match = random_match(seed, rules="international", illegal=0)
    names = (match.names[0].replace(":", "."), match.names[1].replace(":", "."))
    return replace(match, names=names, games=match.games[:3])


def written(seed: int, style: str) -> tuple[MatchRecord, bytes]:
    """A match and its file. Where the style cannot tell what was hit on the way, games end before such a play."""
    rng, habits = random.Random(seed), STYLES[style]
    match = plain_match(seed)
    if habits.joined == "end" and habits.stars != "all":
        match = open_ways(match)
    elif seed % 2:
        match = resigned_after_roll(match, rng)
    return match, archived(match, habits, rng)


def played(match: MatchRecord) -> list[object]:
    """Scores are left out: they follow from results, and a game cut short has none."""
    return [g[1:] for g in essence(match)]  # type: ignore[index]


@pytest.mark.parametrize(
    ("style", "seed"),
    [
        *((style, seed) for seed in range(2) for style in STYLES),
        pytest.param("loose", 127, id="resigned after two ways"),
    ],
)
def test_read_as_played(style: str, seed: int) -> None:
    match, data = written(seed, style)
    parsed = parse(data)
    assert not parsed.problems
    assert played(parsed.match) == played(match)


@pytest.mark.parametrize("seed", range(4))
def test_hits_on_the_way_are_told_by_later_plays(seed: int) -> None:
    """No stars and no stops: what was hit shows when it enters. Nothing may be lost, and every end must be right."""
    match = plain_match(seed)
    parsed = parse(archived(match, STYLES["heroes"], random.Random(seed)))
    assert not parsed.lost
    for ours, theirs in zip(parsed.match.games, match.games, strict=True):
        assert len(ours.actions) == len(theirs.actions) and ours.winner == theirs.winner
        assert ours.kind == "resigned" or ours.final() == theirs.final()


#: GNU Backgammon knows no tabs.
KNOWN = [style for style in STYLES if style != "tabs"]


@needs_gnubg
@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 22), marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_read_as_gnubg_reads(tmp_path: Path, seeds: range) -> None:
    files = [(f"{style} {seed}", written(seed, style)[1]) for seed in seeds for style in KNOWN]
    theirs = judged(tmp_path, [data for _, data in files])
    differ = [
        name
        for (name, data), match in zip(files, theirs, strict=True)
        if essence(parse(data).match) != essence(match)
    ]
    assert not differ


@needs_gnubg
@pytest.mark.slow
@pytest.mark.parametrize("length", [1, 5])
def test_games_that_gnubg_played_itself(tmp_path: Path, length: int) -> None:
    path = tmp_path / "played.mat"
    setup = "set player 0 gnubg\nset player 1 gnubg\nset player 0 chequer evaluation plies 0\nset player 1 chequer evaluation plies 0\n"
    setup += "set player 0 cubedecision evaluation plies 0\nset player 1 cubedecision evaluation plies 0\nset automatic game on\nset automatic roll on\n"
    commands = (
        setup
        + f"set automatic move on\nset display off\nset rng mersenne\nset seed {length}\nnew match {length}\nexport match mat {path}\n"
    )
    subprocess.run(
        [str(GNUBG), "-t", "-q", "-r"],
        input=commands,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
        check=False,
    )
    parsed = parse(path.read_bytes())
    assert not parsed.problems and parsed.match.score[0] != parsed.match.score[1]
    assert max(parsed.match.score) >= length
    assert essence(parsed.match) == essence(judged(tmp_path, [path.read_bytes()])[0])
