"""GNU Backgammon as a backend: where it is installed, and what happens when it is not or does not answer."""

import stat
from pathlib import Path

import pytest

from pi_board.hints import Backend, Gnubg, GnubgError, HintsOptions, MatchScore, rank_plays
from pi_board.hints.gnubg import find_gnubg
from pi_board.rules import STARTING_POSITION

from .test_bearoff import race

needs_gnubg = pytest.mark.skipif(find_gnubg() is None, reason="GNU Backgammon is not installed")


@pytest.fixture(scope="module")
def gnubg():
    with Gnubg() as engine:
        yield engine


@needs_gnubg
def test_same_interface(gnubg: Gnubg) -> None:
    for level in ("fast", "normal"):
        plays = gnubg.rank_plays(STARTING_POSITION, (3, 1), "dark", level=level)
        assert plays[0].equity == pytest.approx(0.2, abs=0.06) and plays[0].loss == 0
        assert {p.play.result for p in plays} == {
            p.play.result for p in rank_plays(STARTING_POSITION, (3, 1), "dark", level="fast")
        }


@needs_gnubg
def test_cube_and_ends(gnubg: Gnubg) -> None:
    assert gnubg.cube_action(STARTING_POSITION, level="fast").action == "no_double"
    assert gnubg.cube_action(race({1: 1}, {1: 1}), level="fast").action == "double_pass"
    assert gnubg.cube_action(race({5: 1, 2: 1}, {1: 1}), level="fast").action == "double_take"
    assert (
        gnubg.cube_action(STARTING_POSITION, level="fast", match=MatchScore(5, (4, 2), crawford=True)).action
        == "no_double"
    )
    plays = gnubg.rank_plays(race({1: 1, 2: 1}, {1: 1}), (2, 1), level="fast")
    assert plays[0].equity == 1 and plays[0].probabilities == (1, 0, 0, 0, 0)


@needs_gnubg
def test_both_engines_agree_about_match_play(gnubg: Gnubg) -> None:
    for score, crawford in (((3, 1), False), ((4, 1), True), ((0, 0), False)):
        match = MatchScore(5, score, crawford)
        theirs = gnubg.rank_plays(STARTING_POSITION, (6, 4), level="fast", match=match)
        ours = {
            p.play.result: p.equity for p in rank_plays(STARTING_POSITION, (6, 4), level="fast", match=match)
        }
        for p in theirs[:5]:
            assert ours[p.play.result] == pytest.approx(p.equity, abs=0.12)


def test_missing_program_is_one_sentence_and_our_engine_answers() -> None:
    said: list[str] = []
    with Backend(HintsOptions(backend="gnubg", gnubg="/nowhere/gnubg", level="fast"), said.append) as engine:
        plays = engine.rank_plays(STARTING_POSITION, (3, 1))
        again = engine.rank_plays(STARTING_POSITION, (3, 1))
        assert engine.name == "own"
    assert plays == again == rank_plays(STARTING_POSITION, (3, 1), level="fast")
    assert len(said) == 1 and "not installed" in said[0] and "our own engine" in said[0]


@pytest.mark.parametrize(
    ("body", "text"), [("sleep 30", "no answer within"), ("exit 0", "the process has ended")]
)
def test_a_program_that_hangs_or_ends(tmp_path: Path, body: str, text: str) -> None:
    fake = tmp_path / "gnubg"
    fake.write_text(f"#!/bin/sh\nexec {body}\n" if body.startswith("sleep") else f"#!/bin/sh\n{body}\n")
    fake.chmod(fake.stat().st_mode | stat.S_IEXEC)
    said: list[str] = []
    with Backend(
        HintsOptions(backend="gnubg", gnubg=str(fake), timeout=0.3, level="fast"), said.append
    ) as engine:
        assert engine.cube_action(STARTING_POSITION).action == "no_double"
    assert len(said) == 1 and text in said[0]


def test_auto_without_the_program_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_board.hints.backend.find_gnubg", lambda path="": None)
    said: list[str] = []
    with Backend(HintsOptions(backend="auto", level="fast"), said.append) as engine:
        assert engine.name == "own" and engine.rank_plays(STARTING_POSITION, (3, 1))
    assert not said


def test_closed_engine_says_so() -> None:
    if find_gnubg() is None:
        pytest.skip("GNU Backgammon is not installed")
    engine = Gnubg()
    engine.close()
    engine.close()
    with pytest.raises(GnubgError, match="has ended"):
        engine.cube_action(STARTING_POSITION, level="fast")
