"""Pairings, standings and ratings."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from pi_board.club.ratings import Rating, after_match, chance, ratings
from pi_board.club.tournament import KINDS, Kind, Tournament
from pi_board.errors import InvalidError

NAMES = (
    "Ann",
    "Bob",
    "Cid",
    "Dot",
    "Eve",
    "Fay",
    "Gus",
    "Hal",
    "Ida",
    "Jon",
    "Kim",
    "Lea",
    "Max",
    "Nia",
    "Oto",
    "Pia",
)


def played(kind: Kind, n: int, seed: int, rounds: int = 0) -> Tournament:
    """Played to its end; whoever comes first in the alphabet wins, mostly."""
    rng = random.Random(seed)
    cup = Tournament("Cup", kind, NAMES[:n], seed=seed, rounds=rounds)
    while not cup.over:
        cup = cup.next_round()
        for pair in cup.open:
            first = (pair.first < pair.second) != (rng.random() < 0.2)
            cup = cup.with_result(pair.first, pair.second, (5, 2) if first else (1, 5))
    return cup


@pytest.mark.parametrize("n", range(2, 17))
@pytest.mark.parametrize("kind", KINDS)
def test_everybody_plays_and_nobody_twice_at_once(kind: Kind, n: int) -> None:
    for seed in range(3):
        cup = played(kind, n, seed)
        assert len(cup.played) == cup.all_rounds
        for matches in cup.played:
            there = Counter(name for p in matches for name in (p.first, p.second) if name)
            assert not there or max(there.values()) == 1
            assert sorted(p.table for p in matches if not p.bye) == list(
                range(1, sum(not p.bye for p in matches) + 1)
            )
            if kind != "elimination":
                assert set(there) == set(cup.players)
        met = Counter(frozenset((p.first, p.second)) for r in cup.played for p in r)
        if kind == "round_robin":
            assert set(met.values()) == {1} and len(met) == (n + n % 2) * (n - 1 + n % 2) // 2
        elif kind == "swiss":
            assert max(met.values()) == 1, "a pairing was repeated although it need not be"
        assert Tournament.from_document(cup.to_document()) == cup


@pytest.mark.parametrize("n", [3, 5, 6, 8, 13, 16])
def test_elimination_has_one_winner_and_everybody_a_second_match(n: int) -> None:
    cup = played("elimination", n, 4)
    final = [p for p in cup.played[-1] if p.draw == "main"]
    assert len(final) == 1 and cup.standings()[0].name == final[0].winner
    lost_first = {
        p.second if p.winner == p.first else p.first for p in cup.played[0] if not p.bye and p.draw == "main"
    }
    consoled = {
        name for r in cup.played for p in r if p.draw == "consolation" for name in (p.first, p.second)
    }
    if len(lost_first) > 1:
        assert lost_first <= consoled


def test_the_stronger_meet_in_a_swiss() -> None:
    cup = played("swiss", 16, 1)
    # In the last round of 16 two players have won everything so far, or lost everything.
    last, before = cup.played[-1], replace(cup, played=cup.played[:-1])
    wins = {s.name: s.won for s in before.standings()}
    assert sum(abs(wins[p.first] - wins[p.second]) for p in last) <= 2


def test_a_persons_word_stands_against_a_boards() -> None:
    cup = Tournament("Cup", "round_robin", ("Ann", "Bob")).next_round()
    cup = cup.with_result("Bob", "Ann", (5, 3), by="board")
    assert cup.played[0][0].winner == "Bob"
    cup = cup.with_result("Ann", "Bob", (5, 4))
    assert cup.with_result("Bob", "Ann", (5, 3), by="board") == cup and cup.played[0][0].winner == "Ann"


@pytest.mark.parametrize(
    "change",
    [
        {"players": ("Ann",)},
        {"players": ("Ann", "ann")},
        {"kind": "cup"},
        {"length": 0},
        {"players": ("Ann", "B\n")},
    ],
)
def test_what_is_no_tournament(change: dict[str, object]) -> None:
    with pytest.raises(InvalidError):
        replace(Tournament("Cup", "swiss", ("Ann", "Bob")), **change)  # type: ignore[arg-type]


@pytest.mark.parametrize("score", [(3, 3), (-1, 2), (500, 1)])
def test_what_is_no_result(score: tuple[int, int]) -> None:
    cup = Tournament("Cup", "swiss", ("Ann", "Bob")).next_round()
    with pytest.raises(InvalidError):
        cup.with_result("Ann", "Bob", score)
    with pytest.raises(InvalidError, match="do not play"):
        cup.with_result("Ann", "Cid", (5, 1))
    with pytest.raises(InvalidError, match="not over"):
        cup.next_round()


def test_ratings_by_hand() -> None:
    # 200 points better over 9 points: 10^(200 * 3 / 2000) = 10^.3 = 1.995; chance 1 / (1/1.995 + 1) = .666.
    assert chance(1700, 1500, 9) == pytest.approx(0.666, abs=1e-3) and chance(1500, 1500, 7) == 0.5
    winner, loser = after_match(Rating(), Rating(1500, 400), 4)
    # 4 * sqrt(4) * .5 = 4 points, times 5 for the newcomer and 1 for the other.
    assert (winner.rating, loser.rating, winner.experience) == (1520, 1496, 4)
    assert set(ratings([("Ann", "Bob", 5), ("Ann", "Ann", 5)])) == {"Ann", "Bob"}
