"""Dice followed from look to look: what counts as a roll, what as the same dice, what as scenery."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pi_board.referee.dice.model import PAIR
from pi_board.referee.dice.pair import Pair
from pi_board.referee.dice.scenery import FORGET
from pi_board.referee.dice.tracked_die import TrackedDie, alike, readable
from pi_board.referee.dice.watch import DiceWatch
from pi_board.rules.procedure import DicePlace
from pi_board.sighting import DieSeen

RED, IVORY = (40, 40, 200), (200, 220, 230)


def die(value: int | None, x: float, y: float = 100.0, confidence: float = 0.95, **more: Any) -> DieSeen:
    return DieSeen(value, confidence, x, y, more.pop("size", 24.0), more.pop("half", "light"), **more)


def pair(a: int, b: int, x: float = 100.0, **more: Any) -> list[DieSeen]:
    return [die(a, x, **more), die(b, x + 60, **more)]


def watched(*looks: list[DieSeen], agree_looks: int = 2) -> DiceWatch:
    watch = DiceWatch(agree_looks)
    for dice in looks:
        watch.observe(dice)
    return watch


# ----------------------------------------------------------------------------------------------------- a roll


@pytest.mark.parametrize(
    ("looks", "values", "serial"),
    [
        ([[], pair(3, 1)], None, 0),  # one look is no agreement
        ([[], pair(3, 1), pair(3, 1)], (3, 1), 1),
        ([[], pair(3, 1), [], pair(3, 1)], None, 0),  # gone in between
        ([[], pair(3, 1, confidence=0.2), pair(3, 1, confidence=0.2)], None, 0),  # nothing is a die
        ([[], *[pair(3, 1)] * 4, pair(6, 1), pair(3, 1)], (3, 1), 1),  # one misread look
        ([[], *[pair(3, 1)] * 3, pair(3, 1, x=112)], (3, 1), 1),  # nudged
        (  # both are pushed, and lie nearer to each other's old places than to their own
            [[], *[[die(4, 100, 100), die(2, 100, 140)]] * 3, *[[die(4, 100, 78), die(2, 100, 118)]] * 2],
            (4, 2),
            1,
        ),
        (  # both are pushed; one of them had shown no number, and seems to lie where the other one shows its own
            [
                [],
                *[[die(None, 100, 100, confidence=0.6), die(2, 100, 150)]] * 3,
                *[[die(4, 92, 74), die(2, 86, 118)]] * 2,
            ],
            (2, 4),
            1,
        ),
        (  # one is pushed aside while the opponent's two come to rest
            [[], *[pair(3, 1)] * 3, *[[die(3, 100), *pair(6, 4, x=400), die(1, 300)]] * 2],
            (6, 4),
            2,
        ),
        (  # and shows what one of theirs shows
            [[], *[pair(6, 6)] * 3, *[[die(6, 100), die(6, 250), *pair(6, 2, x=400, half="dark")]] * 2],
            (6, 2),
            2,
        ),
        ([[], *[pair(3, 1)] * 2, [], *[pair(5, 5, x=300)] * 2], (5, 5), 2),
        ([[], *[pair(3, 1)] * 2, *[pair(5, 5, x=300)] * 2], (5, 5), 2),
        ([[], *[pair(3, 1)] * 2, [], *[pair(6, 4)] * 2], (6, 4), 2),  # on the same places
        (  # of four that lie there two are missed for a look: the third is none of the first pair, for all its number
            [
                [],
                *[pair(5, 5)] * 3,
                [*pair(5, 5), *pair(5, 6, x=400)],
                [die(5, 100), die(5, 400)],
                *[pair(5, 6, x=400)] * 2,
            ],
            (6, 5),
            2,
        ),
        # One of them came to lie where the one with its number had lain …
        ([[], *[pair(3, 1)] * 2, [], *[[die(3, 104), die(4, 400)]] * 2], (3, 4), 2),
        # … but a pair that an arm has hidden for a look, and of which one was pushed, is no roll.
        ([[], *[pair(3, 1)] * 2, [], *[[die(3, 104), die(1, 400)]] * 2], (3, 1), 1),
        (
            [[die(6, 400)]] * 30 + [[die(6, 400), *pair(3, 1)]] * 2,
            (3, 1),
            1,
        ),  # what lay there before is scenery
        ([[], *[[die(3, 100), die(None, 160, confidence=0.7)]] * 2], None, 1),  # a pair, one number unread
        # One was still rolling where it came to rest …
        ([[], [die(None, 100, confidence=0.7)], *[pair(3, 1)] * 2], (3, 1), 1),
        # … but what has lain there unread is scenery.
        ([[die(None, 100, confidence=0.7)]] * 5 + [pair(3, 1)] * 2, None, 0),
        (  # the opponent rolled while these lay there, and one of his could not be read until they were lifted
            [
                [],
                *[pair(3, 1)] * 3,
                *[[*pair(3, 1), die(5, 400), die(None, 460)]] * 6,
                *[pair(5, 2, x=400)] * 2,
            ],
            (5, 2),
            2,
        ),
        *(
            (  # … and is read less surely than the other one (whoever is sure of neither has not seen a roll)
                [
                    [],
                    *[pair(3, 1)] * 3,
                    *[[*pair(3, 1), die(5, 400, confidence=other), die(None, 460)]] * 6,
                    *[[die(5, 400, confidence=other), die(2, 460, confidence=0.8)]] * 2,
                ],
                values,
                serial,
            )
            for other, values, serial in ((0.97, (5, 2), 2), (0.8, (3, 1), 1))
        ),
        (  # the opponent rolled after one look at these only, which were not yet a roll
            [[], pair(3, 1), *[[*pair(3, 1), *pair(5, 2, x=400)]] * 3, *[pair(5, 2, x=400)] * 2],
            (5, 2),
            2,
        ),
        (  # which of four that came in one look are the next ones nobody knows
            [[], *[[*pair(3, 1), *pair(5, 2, x=400, confidence=0.9)]] * 4, *[pair(5, 2, x=400)] * 2],
            (3, 1),
            1,
        ),
        (  # what had lain there before these came is no roll of his
            [
                *[[die(5, 400), die(None, 460)]] * 4,
                *[[*pair(3, 1), die(5, 400), die(None, 460)]] * 6,
                *[pair(5, 2, x=400)] * 2,
            ],
            (3, 1),
            2,
        ),
    ],
)
def test_which_dice_lie_there(
    looks: list[list[DieSeen]], values: tuple[int, int] | None, serial: int
) -> None:
    watch = watched(*looks)
    assert (watch.pair.values if watch.pair is not None else None) == values
    assert (watch.pair.serial if watch.pair is not None else 0) == serial


SIDE = die(5, 103, 118, confidence=0.97, size=20.0)


@pytest.mark.parametrize(
    ("glimpsed", "values", "confidence"),
    [([], (5, 1), PAIR.one_of_more), (pair(3, 1), (3, 1), 0.95)],
    ids=["nothing tells which", "two were seen in motion"],
)
def test_of_three_dice_two_were_rolled(
    glimpsed: list[DieSeen], values: tuple[int, int], confidence: float
) -> None:
    """A side of a die is read like a die of its own: it lies too close to be one, and no number is sure."""
    watch = DiceWatch()
    watch.observe([])
    for _ in range(2):
        watch.beside_a_hand(glimpsed, 0.0)
    for _ in range(4):
        watch.observe([SIDE, *pair(3, 1)])
    assert watch.pair is not None and watch.pair.values == values
    assert watch.pair.confidence == pytest.approx(confidence)


def test_lifted_dice_are_missed_and_the_next_ones_are_new_wherever_they_lie() -> None:
    watch = watched([], *[pair(3, 1)] * 2, [], [], [])
    assert watch.absent == 3 and watch.pair is not None and not watch.in_sight
    watch.gone()
    assert watch.pair is None
    for _ in range(2):
        watch.observe(pair(3, 1))
    assert watch.pair is not None and watch.pair.serial == 2


def test_dice_that_were_gone_for_a_moment_remember_the_gap() -> None:
    watch = watched([], *[pair(3, 1)] * 2, [], [], *[pair(2, 2, x=300)] * 2)
    assert watch.pair is not None and watch.pair.gap == 2


@pytest.mark.parametrize(
    ("touched", "serial"), [(False, 1), (True, 2)], ids=["nobody was there", "a hand was there"]
)
def test_dice_that_lie_a_little_otherwise_were_rolled_only_by_a_hand(touched: bool, serial: int) -> None:
    watch = watched([], *[pair(3, 1)] * 3)
    if touched:
        watch.touched()
    for _ in range(2):
        # One number differs, both dice have moved by half an edge.
        watch.observe(pair(3, 6, x=112))
    assert watch.pair is not None and watch.pair.serial == serial


def test_after_the_picture_has_shifted_the_same_numbers_are_the_same_dice() -> None:
    watch = watched([], *[pair(3, 1)] * 2)
    watch.board_moved()
    for _ in range(3):
        watch.observe(pair(3, 1, x=320))
    assert watch.pair is not None and watch.pair.serial == 1 and watch.in_sight


def test_a_die_that_is_pushed_aside_stays_the_same_die() -> None:
    watch = watched([], *[pair(3, 1)] * 3, *[[die(3, 100), die(1, 260)]] * 3)
    assert watch.pair is not None and watch.pair.serial == 1 and watch.pair.values == (3, 1)


def test_dice_beside_a_pair_that_still_lies_there_are_a_crowd() -> None:
    first, second = pair(3, 1), pair(6, 2, x=400)
    watch = watched([], *[first] * 2, first + second)
    assert watch.crowded
    watch.observe(first + second)
    assert watch.pair is not None and watch.pair.values == (6, 2)


def test_the_dice_of_an_opening_come_one_by_one() -> None:
    watch = DiceWatch()
    watch.one_by_one = True
    for dice in (
        [],
        *[[die(5, 100, half="light")]] * 4,
        *[[die(5, 100, half="light"), die(2, 400, half="dark")]] * 2,
    ):
        watch.observe(dice)
    assert watch.pair is not None and set(watch.pair.values or ()) == {5, 2} and watch.pair.came_apart
    assert set(watch.pair.halves) == {"light", "dark"}


def test_scenery_is_forgotten_when_it_has_been_gone_for_long() -> None:
    lamp = die(6, 400)
    watch = watched(*[[lamp]] * 30, *[[]] * (FORGET + 2), *[[lamp, die(2, 460)]] * 2)
    assert watch.pair is not None and set(watch.pair.values or ()) == {6, 2}


# ------------------------------------------------------------------------------------------------------ one die


@pytest.mark.parametrize(
    ("looks", "values"),
    [
        ([pair(4, 1)], None),  # one picture is none: they may be rolling
        ([pair(4, 1), pair(4, 1)], (4, 1)),
        ([pair(4, 1), pair(4, 1, x=130)], None),  # they roll on
        ([pair(4, 1), pair(4, 2)], None),
        ([pair(4, 1), [die(4, 100)], pair(4, 1)], None),  # an arm came between
        ([pair(4, 1), [*pair(4, 1), die(6, 300)], [*pair(4, 1), die(6, 300)]], None),  # which of them?
        ([pair(4, 1, confidence=0.7), pair(4, 1, confidence=0.7)], None),
    ],
)
def test_dice_that_lie_still_beside_a_hand_are_a_glimpse(
    looks: list[list[DieSeen]], values: tuple[int, int] | None
) -> None:
    watch = watched([], [])
    for dice in looks:
        watch.beside_a_hand(dice, 0.0)
    assert (watch.glimpse.values if watch.glimpse is not None else None) == values
    assert watch.pair is None


def test_an_arms_shadow_on_one_of_them_does_not_part_dice_that_lie_beside_the_hand() -> None:
    """(`bench campaign --seed 1900045 --slow 15`: 6-3 was read five times beside the hand, and 5-3 taken from the play.)"""
    for shaded, other, values in (
        ((40, 40, 42), (131, 130, 128), (4, 1)),
        ((20, 20, 160), (131, 130, 128), None),
    ):
        watch = watched([], [])
        one, two = pair(4, 1)
        for _ in range(2):
            watch.beside_a_hand([replace(one, body=shaded), replace(two, body=other)], 0.0)
        assert (watch.glimpse.values if watch.glimpse is not None else None) == values


def test_what_was_read_beside_the_hand_has_a_vote_when_the_dice_are_seen_at_rest() -> None:
    """An arm's shadow lies on one of them by then."""
    watch = watched([])
    for _ in range(2):
        watch.beside_a_hand(pair(4, 1), 0.0)
    for _ in range(2):
        watch.observe([die(4, 100), die(None, 160, confidence=0.5)])
    assert watch.pair is not None and watch.pair.values == (4, 1)
    elsewhere = watched([])
    for _ in range(2):
        elsewhere.beside_a_hand(pair(4, 1, x=300), 0.0)
    for _ in range(2):
        elsewhere.observe([die(4, 100), die(None, 160, confidence=0.5)])
    assert elsewhere.pair is not None and elsewhere.pair.values is None


@pytest.mark.parametrize(
    ("beside", "now", "rolled"),
    [
        (pair(4, 1), 0.5, True),
        (pair(4, 2), 0.5, False),  # another number: one of the two is wrong
        ([die(4, 100)], 0.5, False),
        (pair(4, 1), 2.0, False),  # so long ago that it may be another roll
    ],
)
def test_dice_that_lay_so_beside_a_hand_are_a_roll_in_their_first_look_at_rest(
    beside: list[DieSeen], now: float, rolled: bool
) -> None:
    """A slow processor often sees dice at rest only once before they are lifted (campaign 2380012, 15 times slower)."""
    watch = watched([], [])
    watch.beside_a_hand(beside, 0.0)
    watch.beside_a_hand([], now)
    watch.touched()
    watch.observe(pair(4, 1))
    assert (watch.pair is not None) == rolled
    assert watch.pair is None or (watch.pair.values, watch.pair.looks, watch.pair.seen) == ((4, 1), 1, 2)


@pytest.mark.parametrize(("hurry", "rolled"), [(3, True), (0, False)])
def test_who_rolls_early_before_the_first_look_at_the_other_dice_has_rolled(hurry: int, rolled: bool) -> None:
    """A slow processor saw dice at rest only when the next ones lay beside them already (campaign 3280001, 6 times slower): what came after
    them is the next roll once they are lifted, and what lay there as long is none."""
    watch, theirs, next_ = watched([], []), pair(4, 3), pair(6, 1, x=400, half="dark")
    for picture in range(6):
        watch.beside_a_hand([*theirs, *next_] if picture >= hurry else theirs, 0.4 * picture)
    watch.touched()
    watch.observe([*theirs, *next_])
    watch.observe([*theirs, *next_])
    assert watch.pair is not None and watch.pair.values == (4, 3)
    watch.touched()
    for _ in range(2):
        watch.observe(next_)
    assert (watch.pair is not None and watch.pair.values == (6, 1)) == rolled


@pytest.mark.parametrize(
    ("seen", "missed", "least", "most"),
    [(0, 0, 0.04, 0.06), (200, 0, 0.0, 0.01), (30, 20, 0.3, 0.45)],
    ids=["nothing is known yet", "they are always seen", "they are often overlooked"],
)
def test_how_often_dice_that_lie_there_are_overlooked(
    seen: int, missed: int, least: float, most: float
) -> None:
    watch = watched([], *[pair(3, 1)] * 2)
    for look in range(seen):
        if look < missed:
            watch.observe([])
        watch.observe(pair(3, 1))
    assert watch.pair is not None and watch.pair.serial == 1
    assert least < watch.overlooked(1) < most
    assert watch.overlooked(3) == pytest.approx(watch.overlooked(1) ** 3)


@pytest.mark.parametrize("hands", [0, 1])
def test_dice_that_were_seen_at_rest_before_the_hands_came_back_are_older_than_what_those_played(
    hands: int,
) -> None:
    """Whoever plays hastily moves the rest between two looks at his dice."""
    watch = watched([], pair(4, 2))
    for _ in range(hands):
        watch.touched()
    watch.observe(pair(4, 2))
    assert watch.pair is not None and watch.pair.before_the_play == bool(hands)


def test_dice_that_lie_there_already_are_no_glimpse() -> None:
    watch = watched([], *[pair(3, 1)] * 3)
    for _ in range(2):
        watch.beside_a_hand(pair(4, 1, x=300), 0.0)
    assert watch.glimpse is None


@pytest.mark.parametrize(
    ("values", "glimpsed"), [((4, 1), (4, 1)), ((3, 1), None)], ids=["others", "pushed there"]
)
def test_other_dice_than_those_that_were_lifted_are_a_glimpse(
    values: tuple[int, int], glimpsed: tuple[int, int] | None
) -> None:
    watch = watched([], *[pair(3, 1)] * 3, [])
    assert watch.pair is not None and watch.absent
    for _ in range(2):
        watch.beside_a_hand(pair(*values, x=300), 0.0)
    assert (watch.glimpse.values if watch.glimpse is not None else None) == glimpsed


@pytest.mark.parametrize("leans", [True, False], ids=["leans", "cannot be read"])
def test_a_die_of_the_next_roll_near_one_that_could_not_be_read_is_not_that_die(leans: bool) -> None:
    """2350034: a leaning die and a five were rolled again, the four came to rest an edge from where the one had leaned, and 5-4 was refereed."""
    watch = watched([], *[[die(5, 300), die(None, 100, confidence=0.66, cocked=leans)]] * 2)
    watch.touched()
    for _ in range(2):
        watch.observe([die(4, 125), die(2, 200)])
    assert watch.pair is not None and watch.pair.values == (4, 2) and watch.pair.serial == 2


def test_a_die_that_could_not_be_read_is_read_only_beside_the_other_one() -> None:
    watch = watched([], *[[die(5, 300), die(None, 100, confidence=0.66)]] * 2)
    watch.observe([die(4, 110)])
    assert watch.pair is not None and watch.pair.values is None
    watch.observe([die(5, 300), die(4, 110)])
    assert watch.pair.values == (5, 4) and watch.pair.serial == 1


def test_a_number_is_told_by_vote_and_is_as_sure_as_its_best_look() -> None:
    one = TrackedDie.first(die(3, 100, confidence=0.9), 0)
    for value, confidence in ((3, 0.8), (None, 0.3), (6, 0.6)):
        one.update(die(value, 100, confidence=confidence), 1)
    value, confidence = one.reading
    assert value == 3 and confidence == pytest.approx(0.9 * 1.7 / 2.3)


@pytest.mark.parametrize(
    ("leaning", "cocked"),
    [([True, False, False], False), ([True, True, False], True), ([True, False], False)],
)
def test_a_die_leans_when_most_looks_say_so(leaning: list[bool], cocked: bool) -> None:
    one = TrackedDie.first(die(3, 100, cocked=leaning[0]), 0)
    for leans in leaning[1:]:
        one.update(die(3, 100, cocked=leans), 1)
    assert one.cocked == cocked


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (die(1, 0), die(2, 9), True),
        (die(1, 0, size=24), die(2, 9, size=40), False),
        (die(1, 0, body=RED), die(2, 9, body=IVORY), False),
        # (One lies in a cup's shadow.)
        (die(1, 0, body=(192, 205, 205)), die(2, 9, body=(136, 146, 145)), True),
        (die(1, 0, body=(220, 225, 230)), die(2, 9, body=(40, 42, 45)), False),
        (die(1, 0, body=RED), die(2, 9), True),  # a body that is not known speaks for nothing
    ],
)
def test_what_may_be_a_pair(a: DieSeen, b: DieSeen, same: bool) -> None:
    assert alike(a, b) == alike(b, a) == same


@pytest.mark.parametrize(
    ("seen", "answer"),
    [
        (die(4, 0), True),
        (die(4, 0, confidence=0.4), False),
        (die(None, 0), False),
        (die(None, 0, cocked=True), True),
        (die(None, 0, on_checker=True), True),
    ],
)
def test_what_is_readable(seen: DieSeen, answer: bool) -> None:
    assert readable(seen) == answer


# ----------------------------------------------------------------------------------------------------- in passing


def test_what_one_picture_shows_in_passing_is_kept_for_its_side_until_it_has_rolled() -> None:
    watch = watched([])
    watch.beside_a_hand(pair(6, 1, half="dark"), 0.0)
    assert watch.in_passing["dark"].values == (6, 1) and watch.glimpse is None
    for _ in range(2):
        watch.observe(pair(3, 2, x=300, half="light"))
    assert watch.pair is not None and set(watch.in_passing) == {"dark"}
    for _ in range(2):
        watch.observe(pair(5, 4, x=500, half="dark"))
    assert watch.pair.values == (5, 4) and not watch.in_passing


@pytest.mark.parametrize(
    "dice",
    [
        [die(6, 100, half="dark"), die(1, 160, half="light")],
        [die(6, 100), die(1, 160, confidence=PAIR.well_read - 0.01)],
        [die(6, 100)],
    ],
    ids=["in two halves", "hardly read", "one"],
)
def test_what_says_nothing_in_passing(dice: list[DieSeen]) -> None:
    watch = watched([])
    watch.beside_a_hand(dice, 0.0)
    assert watch.in_passing == {}


@pytest.mark.parametrize(
    ("half", "beside_his", "gone", "kept"),
    [
        ("dark", False, True, True),
        ("light", False, True, False),
        ("dark", True, True, False),
        ("dark", True, False, False),
    ],
    ids=["the next one's", "his own", "the next one's, before his were lifted", "while his lie there"],
)
def test_what_a_turn_leaves_to_the_next(half: DicePlace, beside_his: bool, gone: bool, kept: bool) -> None:
    """Light's 3-1 has been played; other dice were seen once."""
    his, seen_once = pair(3, 1), pair(6, 5, x=400, half=half)
    watch = watched([], his, his)
    for dice in ([*his, *seen_once], [] if gone else his) if beside_his else ([], seen_once, []):
        watch.observe(dice)
    if gone:
        watch.gone()
    watch.turn_over("dark")
    assert (watch.glimpse is not None) == kept


@pytest.mark.parametrize(
    ("roll", "chance"),
    [((4, 3), 1.0), ((3, 4), 1.0), ((4, 1), 0.2), ((3, 1), 0.1), ((2, 1), 0.02), ((4, 4), 0.2)],
)
def test_how_likely_dice_are_read_so_if_another_roll_lies_there(roll: tuple[int, int], chance: float) -> None:
    """A surely read 4 (0.9) and a 3 (0.8)."""
    seen = Pair([TrackedDie.first(d, 1) for d in (die(4, 100, confidence=0.9), die(3, 160, confidence=0.8))])
    assert seen.may_be(roll) == pytest.approx(chance)


@pytest.mark.parametrize(("due", "lone"), [("light", 4), ("dark", 6)])
def test_the_only_die_of_a_roll_is_not_forgotten_for_one_of_the_next(due: DicePlace, lone: int) -> None:
    """The other one was never seen; the next two stop rolling one after the other, in the other half."""
    watch = watched([])
    watch.turn_over(due)
    for _ in range(2):
        watch.observe([die(4, 300)])
    assert watch.lone == 4
    watch.observe([])
    for now in (1.0, 1.1):
        watch.beside_a_hand([die(6, 100, half="dark")], now)
    assert watch.lone == lone


def test_of_two_that_came_together_one_need_not_be_read_to_be_the_other_die() -> None:
    """89_03 of `trace_games.py`: a letter that read as a six lay there before anybody rolled."""
    letter, rolled = die(6, 400.0), [die(3, 100.0), die(None, 160.0, confidence=0.97)]
    watch = watched(*[[letter]] * 3, *[[*rolled, letter]] * 4)
    assert watch.pair is not None and watch.pair.values is None
    assert [d.reading[0] for d in watch.pair.dice] == [3, None]


def test_a_side_of_a_die_that_was_pushed_makes_no_roll_with_it() -> None:
    lay = [die(5, 100.0, 500.0), die(4, 180.0, 370.0)]
    side = die(None, 131.0, 263.0, confidence=0.42, cocked=True, size=20.0)
    watch = watched([], *[lay] * 4)
    watch.touched()
    for _ in range(4):
        watch.observe([die(5, 141.0, 248.0, size=20.0), lay[1], side])
    assert watch.pair is not None
    assert (watch.pair.values, watch.pair.serial, watch.pair.cocked) == ((5, 4), 1, False)
