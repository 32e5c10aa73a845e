"""The parts of the filter: what looks and dice say, and what the hypotheses make of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pi_board.referee import RefereeOptions
from pi_board.referee.dice.pair import Pair
from pi_board.referee.dice.tracked_die import TrackedDie
from pi_board.referee.explanations import Evidence
from pi_board.referee.inference import FilterReferee
from pi_board.referee.inference.inference import THROWS_KEPT
from pi_board.referee.inference.model import Eyes, nats
from pi_board.referee.inference.still import StillWatch
from pi_board.referee.inference.throws import ROLLS, Throw
from pi_board.rules import STARTING_POSITION, Position
from pi_board.sighting import DieSeen
from tests.referee.synthetic import Noise, Story, Table, types


def die(*votes: tuple[int | None, float], cocked: bool = False) -> TrackedDie:
    seen = [DieSeen(value, confidence, 100.0, 100.0, 24.0, "light", cocked) for value, confidence in votes]
    found = TrackedDie.first(seen[0], 0)
    for one in seen[1:]:
        found.update(one, 0)
    return found


def throw(one: TrackedDie, two: TrackedDie) -> Throw:
    return Throw.of(Pair([one, two], serial=1, looks=4), Eyes(), crowded=False)


def likeliest(of: Throw) -> tuple[int, int]:
    return max(ROLLS, key=of.of_roll)


def test_the_surer_a_reading_the_less_it_errs() -> None:
    wrong = [Eyes().wrong(c) for c in np.linspace(0, 1, 50)]
    assert wrong == sorted(wrong, reverse=True)
    assert 0 < wrong[-1] < 1e-5


@pytest.mark.parametrize("probability", [0.0, -1.0, 1.5])
def test_no_probability(probability: float) -> None:
    with pytest.raises(ValueError, match="probability"):
        nats(probability)


@pytest.mark.parametrize(
    ("one", "two", "roll"),
    [
        (((5, 0.95),), ((2, 0.95),), (5, 2)),
        (((5, 0.95),) * 5 + ((6, 0.6),), ((2, 0.95),), (5, 2)),  # a flicker
        (((3, 0.99),), ((3, 0.99),), (3, 3)),
    ],
)
def test_the_likeliest_roll(one: tuple, two: tuple, roll: tuple[int, int]) -> None:
    assert likeliest(throw(die(*one), die(*two))) == roll


def test_a_doubtful_die_leaves_other_numbers_in_reach_and_a_sure_one_does_not() -> None:
    sure, doubtful = throw(die((4, 0.99)), die((4, 0.99))), throw(die((4, 0.99)), die((4, 0.8)))
    assert sure.likely(9.5) == [(4, 4)]
    assert set(doubtful.likely(9.5)) == {(max(4, n), min(4, n)) for n in range(1, 7)}


def test_a_die_that_cannot_be_read_says_nothing_about_its_number() -> None:
    of = throw(die((6, 0.95)), die((None, 0.6)))
    found = of.likely(9.5)
    assert set(found) == {(6, n) for n in range(1, 7)}


def test_a_leaning_die_makes_the_throw_one_that_does_not_count() -> None:
    leaning, flat = throw(die((6, 0.9), cocked=True), die((1, 0.9))), throw(die((6, 0.9)), die((1, 0.9)))
    assert leaning.cocked > leaning.flat
    assert flat.flat > flat.cocked


def evidence(table: Table) -> Evidence:
    return Evidence.from_log_likelihood(table.log_likelihood())


def test_looks_at_an_untouched_board_are_pooled_and_one_slip_is_none() -> None:
    table = Table(seed=3, noise=Noise(sigma=1.0))
    watch = StillWatch()
    still = [watch.observe(evidence(table), n / 10, n, "", 2) for n in range(4)][-1]
    assert still is not None and still.looks == 4
    away = Position((1, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 1, -2))
    kept = table.checkers
    table.put(away)
    assert watch.observe(evidence(table), 0.5, 5, "", 2) is None, "one look that differs may be a slip"
    table.checkers = kept
    again = watch.observe(evidence(table), 0.6, 6, "", 2)
    assert again is still
    table.put(away)
    watch.observe(evidence(table), 0.7, 7, "", 2)
    moved = watch.observe(evidence(table), 0.8, 8, "", 2)
    assert moved is not still and watch.before is still


def test_more_looks_are_believed_more_but_no_slot_beyond_its_bound() -> None:
    table = Table(seed=3, noise=Noise(sigma=0.1))
    other = Position((1, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 1, -2))
    watch = StillWatch()
    scores = []
    for n in range(9):
        still = watch.observe(evidence(table), n / 10, n, "", 2)
        assert still is not None
        scores.append(still.evidence.score(other))
        assert still.evidence.rows.min() >= -12.0
    assert scores == sorted(scores, reverse=True)


def begun() -> Story:
    story = Story(referee=FilterReferee())
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    return story


def test_verdicts_carry_their_probability() -> None:
    story = begun()
    (illegal,) = story.moves("light", (8, 5), (6, 4))
    assert illegal.type == "play_illegal"
    assert illegal.probability is not None and illegal.probability >= 1 - 5e-3
    story.moves("light", (4, 6), (5, 8))
    story.moves("light", (8, 5), (6, 5))
    assert story.referee.state.illegal is None


def test_a_stricter_table_asks_for_more() -> None:
    """With no chance of being wrong allowed, nobody is accused; what is asked instead is amber."""
    story = Story(referee=FilterReferee(RefereeOptions(engine="filter", epsilon=1e-15)))
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    events = story.moves("light", (8, 5), (6, 4), looks=80)
    assert "play_illegal" not in types(events)
    assert "unclear" in types(events)


def test_a_board_is_followed_from_the_next_throw_when_nobody_saw_how_it_came_about() -> None:
    """Amber first; if they play on, the game goes on from what lies there, and nobody is accused of it."""
    story = begun()
    story.moves("light", (8, 5), (6, 5))
    story.lift_dice()
    strange = Position((0, 0, 0, 0, 6, -5, 0, -2, 0, 1, 0, 3, -5, 0, 0, 1, 2, 0, 0, 2, 0, 0, 0, -3))
    assert strange != STARTING_POSITION
    story.hand()
    story.table.put(strange)
    story.throw(6, 2, "dark", looks=80)
    assert "unclear" in types(story.events)
    story.throw(5, 4, "light", looks=80)
    assert "play_illegal" not in types(story.events)
    assert story.referee.state.position == strange
    assert not math.isnan(story.referee.filter.lost)


def test_every_word_can_be_told() -> None:
    """Words are told by their names: no name may lead nowhere."""
    import re
    from pathlib import Path

    from pi_board.referee.inference import words
    from pi_board.referee.inference.story import Story

    text = Path(words.__file__).read_text(encoding="utf-8")
    names = set(re.findall(r'(?:_say|Word)\("(\w+)"', text)) - {"join"}
    assert {"bring", "end"} <= names, names
    assert [name for name in sorted(names) if not hasattr(Story, name)] == []


@pytest.mark.slow
def test_rolls_of_a_whole_evening_are_not_kept() -> None:
    story = begun()
    for i in range(THROWS_KEPT + 12):
        story.lift_dice()
        story.throw(1 + i % 6, 1 + i // 6 % 6, "light", looks=3)
    referee = story.referee
    assert isinstance(referee, FilterReferee)
    assert len(referee.filter.throws) == THROWS_KEPT and referee.used in referee.filter.throws
