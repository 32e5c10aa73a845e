"""Players choose among legal plays; cheats never happen to be legal."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from pi_board.rules import RULE_SETS, STARTING_POSITION, Position, explain, legal_plays
from pi_board.simulator.players import (
    CHEATS,
    apply,
    cheats,
    choose,
    counts_of,
    document,
    mixed,
    steps_of,
    takes,
    wants_to_double,
    worth,
)
from pi_board.simulator.still import random_position


def test_play_as_carries_ends_where_the_rules_say() -> None:
    rng = np.random.default_rng(1)
    for i in range(60):
        position = random_position(rng)
        side = "light" if i % 2 else "dark"
        dice = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
        play = choose(legal_plays(position, dice, side), side, rng)
        after = apply(counts_of(position), steps_of(play, side))
        assert document(after) == play.result.to_document()


def test_every_kind_of_cheat_turns_up_and_is_illegal() -> None:
    rng = np.random.default_rng(2)
    law = RULE_SETS["international"]
    kinds: Counter[str] = Counter()
    codes: Counter[str | None] = Counter()
    for i in range(160):
        position = STARTING_POSITION if i < 10 else random_position(rng)
        side = "light" if i % 2 else "dark"
        dice = tuple(sorted((int(rng.integers(1, 7)), int(rng.integers(1, 7))), reverse=True))
        for cheat in cheats(position, dice, side, law, rng):
            after = apply(counts_of(position), cheat.steps)
            verdict = explain(position, document(after), dice, side, law)
            # A point that both sides hold cannot be written as one number; explain may see less there.
            assert not verdict.legal or mixed(after), (position, dice, side, cheat)
            kinds[cheat.kind] += 1
            codes[verdict.code] += 1
    # The last kind needs a rare position: it has a test of its own.
    assert set(kinds) >= set(CHEATS) - {"smaller_die"}, set(CHEATS) - set(kinds)
    assert len(codes) >= 10, codes


def test_who_has_borne_off_the_last_one_shifts_no_other() -> None:
    last = Position((1, *(0,) * 18, -3, -3, -3, -3, -3), (0, 0), (14, 0))
    one_more = Position((2, *(0,) * 18, -3, -3, -3, -3, -3), (0, 0), (13, 0))
    kinds = [
        {c.kind for c in cheats(p, (2, 1), "light", RULE_SETS["international"], np.random.default_rng(1))}
        for p in (last, Position((0, 0, 0, 0, 0, 2, *one_more.points[6:]), (0, 0), (13, 0)))
    ]
    assert ["moved_opponent" in k for k in kinds] == [False, True]


@pytest.mark.parametrize(
    ("dice", "expected"), [((3, 1), "8/5 6/5"), ((6, 1), "13/7 8/7"), ((4, 2), "8/4 6/4")]
)
def test_players_know_the_obvious_openings(dice: tuple[int, int], expected: str) -> None:
    plays = legal_plays(STARTING_POSITION, dice)
    best = max(plays, key=lambda p: worth(p.result, "light"))
    assert str(best) == expected


def test_worth_is_fair_to_both_sides() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        p = random_position(rng)
        assert worth(p, "light") == pytest.approx(worth(p.mirrored(), "dark"))


def test_nobody_doubles_or_takes_against_all_sense() -> None:
    rng = np.random.default_rng(4)
    assert not any(wants_to_double(STARTING_POSITION, "light", rng) for _ in range(50))
    assert all(takes(STARTING_POSITION, "light", rng) for _ in range(50))


def test_smaller_die_alone() -> None:
    """Light's last checker on 13 with 6-5: either number can be played, not both, so it must be the 6."""
    points = [0] * 24
    points[12], points[1], points[22] = 1, -2, -13
    position = Position(tuple(points), off=(14, 0))
    rng = np.random.default_rng(1)
    found = {c.kind: c.steps for c in cheats(position, (6, 5), "light", RULE_SETS["international"], rng)}
    assert [(s.source, s.to) for s in found["smaller_die"]] == [(("point", 13), ("point", 8))]
    after = document(apply(counts_of(position), found["smaller_die"]))
    assert explain(position, after, (6, 5)).code == "must_play_larger"
