"""A board that looks the same stays possible until a look tells them apart; nobody is accused from only one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pi_board import events as ev
from pi_board.referee.alternatives import Alternatives, misread
from pi_board.referee.explanations import Evidence, Reconciled, turn_of
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position, legal_plays
from pi_board.sighting import ZERO
from tests.referee.synthetic import Noise, Story, Table

LAW = RULE_SETS["international"]
SHARP = Noise(sharp=14.0, sigma=0.0, trays=False)
BEFORE = Position((3, 2, 2, 3, 3, 2, *(0,) * 12, -3, -3, -3, -2, -2, -2))


def look(position: Position, blind: tuple[int, ...] = ()) -> Evidence:
    """A look that says nothing of the slots `blind`."""
    table = Table(position=position, noise=Noise(sigma=0.0, trays=False))
    rows = table.log_likelihood()
    for slot in blind:
        rows[slot] = 0.0
    return Evidence.from_log_likelihood(rows)


def set_up(table: Table, position: Position, **options: Any) -> Story:
    """A game in which light is to roll from `position`."""
    story = Story(table, **options)
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    story.play(legal_plays(STARTING_POSITION, (3, 1), "light", LAW)[0], "light")
    story.lift_dice()
    story.table.put(position)
    story.say(ev.SetPosition(position=position, side="light"))
    story.see()
    return story


def test_plays_that_look_alike_stay_possible_until_a_look_tells_them_apart() -> None:
    turn = turn_of(BEFORE, (6, 4), "light", LAW)
    plays = legal_plays(BEFORE, (6, 4), "light")
    off, other = plays[0].result, plays[1].result
    different = tuple(int(i) for i in np.flatnonzero(np.array(off.points) != np.array(other.points)))
    alternatives = Alternatives()
    alternatives.accept(look(off), turn, off, 6.0)
    assert alternatives.of(off) == []
    alternatives.accept(look(off, different), turn, off, 6.0)
    assert other in alternatives.of(off)
    # Dark plays meanwhile: the difference stays the same.
    later = legal_plays(off, (5, 1), "dark")[0].result
    assert later != off
    assert len(alternatives.of(later)) == len(alternatives.of(off))
    alternatives.tell_apart(look(later), later, 6.0)
    assert alternatives.of(later) == []


@pytest.mark.parametrize(
    ("slot", "other", "nats", "supposed"),
    [(22, -4, 1.0, False), (22, -4, 6.0, True), (22, -4, 12.0, True), (2, 3, 6.0, False)],
)
def test_what_was_taken_for_borne_off_may_lie_there(
    slot: int, other: int, nats: float, supposed: bool
) -> None:
    """Nobody is at the board, and a point seems to hold one more: one that was borne off, if any was."""
    position = Position((3, 2, 2, 3, 3, 2, *(0,) * 12, -3, -3, -3, -2, -3, 0), (0, 0), (0, 1))
    rows = Table(position=position, noise=Noise(sigma=0.0, trays=False)).log_likelihood()
    rows[slot, other + ZERO] = rows[slot].max() + nats
    evidence = Evidence.from_log_likelihood(rows)
    alternatives = Alternatives()
    alternatives.suppose(evidence, position)
    alternatives.suppose(evidence, position)
    assert [b.points[slot] for b in alternatives.of(position)] == ([other] if supposed else [])
    alternatives.tell_apart(look(position), position, 6.0)
    assert alternatives.of(position) == []


class IvoryPoint(Table):
    """Where light's own one-point is empty it resembles one of his checkers."""

    def log_likelihood(self) -> np.ndarray:
        rows = super().log_likelihood()
        if not any(self.checkers[0]):
            rows[0] = rows[0].min()
            rows[0, [ZERO, ZERO + 1]] = -2.5, 0.0
        return rows


@pytest.mark.parametrize(
    ("borne_off", "then", "accused"),
    [(4, ((6, 1), (4, 1)), False), (3, ((6, 1), (4, 0)), True)],
    ids=["all four", "three"],
)
def test_the_last_checker_of_a_play_may_have_been_moved_unseen(
    borne_off: int, then: tuple[tuple[int, int], ...], accused: bool
) -> None:
    """Light bears off with 1-1, and of his last checker's place it cannot be told whether it is empty; with 5-3 he plays 6/1 and 4/1, which
    looks as if one more lay on his one-point, and one less on his four-point (campaign 2160005: a false accusation)."""
    before = Position((4, 2, 0, 4, 0, 1, *(0,) * 12, -1, 0, -5, -5, -3, 0), (0, 0), (4, 1))
    # (Once all are home nobody must play by this leaflet, so that three are lawful too.)
    story = set_up(IvoryPoint(noise=SHARP), before, rules="classique")
    story.throw(1, 1)
    for _ in range(borne_off):
        story.moves("light", (1, 0))
    story.lift_dice(20)
    story.throw(4, 3, side="dark")
    story.moves("dark", (6, 2), (4, 1))
    story.lift_dice(20)
    assert not any(isinstance(e, ev.PlayIllegal) for e in story.events)
    story.throw(5, 3)
    story.moves("light", *then)
    story.lift_dice(20)
    assert any(isinstance(e, ev.PlayIllegal) for e in story.events) == accused


def test_beside_dice_that_have_just_been_seen_nothing_is_told_apart() -> None:
    """What is in doubt is whether dark has three checkers on his two-point or two; somebody takes one away as soon as he has
    rolled, and the point shows two."""
    story = Story()
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    story.moves("light", (8, 5), (6, 5))
    story.lift_dice()
    looks = story.referee.looks
    one_more = np.zeros(28, dtype=np.int64)
    one_more[[0, 23]] = -1, 1
    for coming, left in ((True, 1), (False, 0)):
        looks.alternatives._differences = [one_more]
        if coming:
            story.table.throw(4, 2, "dark")
        story.see(1)
        assert len(looks.alternatives._differences) == left
        story.table.lift_dice()
        story.see(8)


@pytest.mark.parametrize(("nats", "lawful"), [(1.0, True), (12.0, False)])
def test_points_that_nobody_has_touched_may_have_been_misread_all_along(nats: float, lawful: bool) -> None:
    """Light takes two checkers off with 6-2, and on his four- and six-point the picture sees one each, which hardly look otherwise
    empty: if they are empty, his play is lawful."""
    before = Position((2, 5, 0, 1, 0, 1, *(0,) * 12, 0, 0, -1, 0, -9, -3), (0, 0), (6, 2))
    seen = Position((2, 3, 0, 1, 0, 1, *(0,) * 12, 0, 0, -1, 0, -9, -3), (0, 0), (8, 2))
    rows = Table(position=seen, noise=Noise(sigma=0.0, trays=False)).log_likelihood()
    for slot in (3, 5):
        rows[slot, ZERO] = rows[slot, 1 + ZERO] - nats
    boards = list(misread(Evidence.from_log_likelihood(rows), before, seen, 6.0))
    found = [turn_of(was, (6, 2), "light", LAW).play_to(now) for was, now in boards]
    assert [str(play) for play in found if play is not None] == (["2/off(2)"] if lawful else [])


@pytest.mark.parametrize("covered", [True, False])
def test_what_a_thing_covers_may_be_gone(covered: bool) -> None:
    """Light takes 4/off and 2/off with 5-2; a checker that was taken to lie on his six point would forbid it, but a cup stands there, and of
    all counts the picture tells least that dark has three there (`bench_cups.py --cups 2`, seed 506: a false accusation)."""
    before = Position((4, 3, 0, 1, 0, 1, *(0,) * 17, -1), (0, 0), (6, 14))
    seen = Position((4, 2, 0, 0, 0, 1, *(0,) * 17, -1), (0, 0), (8, 14))
    rows = Table(position=seen, noise=Noise(sigma=0.0, trays=False)).log_likelihood()
    rows[5] = 0.0
    rows[5, [ZERO + 1, ZERO, ZERO - 3]] = 0.0, 1.6, 1.7
    evidence = replace(Evidence.from_log_likelihood(rows), hidden=(5,) if covered else ())
    found = [
        turn_of(was, (5, 2), "light", LAW).play_to(now) for was, now in misread(evidence, before, seen, 6.0)
    ]
    assert any(play is not None for play in found) == covered


@pytest.mark.parametrize(("off", "possible"), [(0, False), (1, True)])
def test_nobody_has_begun_to_bear_off_unnoticed_and_been_hit_since(off: int, possible: bool) -> None:
    """Dark's checker on the bar can hardly be seen: that it was borne off is possible only if dark has borne off before."""
    points = (0, 0, 0, 0, 0, 2, *(0,) * 4, -1, *(0,) * 5, 2, 0, -3, -3, -3, -3 + off, -1, 0)
    before = Position(points, (0, 1), (11, off))
    rows = Table(position=before, noise=Noise(sigma=0.0, trays=False)).log_likelihood()
    rows[25, ZERO] = rows[25, ZERO - 1] - 3.0
    boards = [was for was, _ in misread(Evidence.from_log_likelihood(rows), before, before, 6.0)]
    assert any(board.bar == (0, 0) and board.off == (11, off + 1) for board in boards) == possible


def test_what_plainly_differs_from_the_position_is_no_misreading_of_it() -> None:
    before = Position((2, 5, 0, 1, 0, 1, *(0,) * 12, 0, 0, -1, 0, -9, -3), (0, 0), (6, 2))
    other = Position((2, 5, 0, 0, 1, 1, *(0,) * 12, 0, 0, -1, 0, -9, -3), (0, 0), (6, 2))
    assert list(misread(look(other), before, before, 6.0)) == []


@pytest.mark.parametrize(("nats", "accused"), [(3.0, False), (11.0, True)])
def test_red_needs_a_fault_that_tells_itself_from_the_board_as_it_was_written_too(
    nats: float, accused: bool
) -> None:
    """The looks corrected what was written down, and now two tall stacks seem to lie a third way: from what was written before nothing
    need have been moved at all."""
    story = Story()
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    story.play(legal_plays(STARTING_POSITION, (3, 1), "light", story.referee.rules)[0], "light")
    story.lift_dice()
    points = (-2, 0, 2, 0, 6, 4, 0, 3, *(0,) * 8, -1, 0, -2, -2, -3, -2, -2, -1)
    written = Position(points)
    corrected = Position((*points[:4], 7, 3, *points[6:]))
    seen = Position((*points[:4], 4, 6, *points[6:]))
    story.table.put(corrected)
    story.say(ev.SetPosition(position=corrected, side="light"))
    story.see()
    story.throw(6, 1, side="light")
    story.referee.looks.alternatives.may_be_set_right(written)
    rows = Table(position=seen, noise=Noise(sigma=0.0, trays=False)).log_likelihood()
    for slot in (4, 5):
        rows[slot, points[slot] + ZERO] = rows[slot].max() - nats / 2
    look = replace(story.table.look(), log_likelihood=rows)
    events = []
    story.hand()
    story.table.lift_dice()
    for _ in range(12):
        look = replace(look, time=look.time + 0.1, seq=look.seq + 1, dice=(), log_likelihood=rows.copy())
        events += story.referee.observe(look, look.time)
    assert any(isinstance(e, ev.PlayIllegal) for e in events) == accused


def test_a_board_that_was_put_right_may_have_been_right_until_somebody_plays_there() -> None:
    """Dark's pile of three was written down, and all looks together said two: whatever light plays meanwhile, red needs a fault from both."""
    written, instead = BEFORE, Position((*BEFORE.points[:20], -2, *BEFORE.points[21:]), (0, 0), (0, 1))
    alternatives = Alternatives()
    alternatives.put_right(written, instead)
    assert alternatives.of(instead) == [written]
    turn = turn_of(instead, (6, 4), "light", LAW)
    played = legal_plays(instead, (6, 4), "light")[0].result
    alternatives.accept(look(played), turn, played, 6.0)
    (other,) = alternatives.of(played)
    assert (other.points[:18], other.points[18:]) == (played.points[:18], written.points[18:])
    dark = next(p.result for p in legal_plays(played, (6, 4), "dark") if p.result.points[20] != -2)
    assert alternatives.of(dark) == []
    alternatives.put_right(written, instead)
    alternatives.forget()
    assert alternatives.of(instead) == []


@pytest.mark.parametrize(("nats", "possible"), [(6.0, True), (13.0, False)])
def test_of_a_board_that_was_guessed_a_checker_may_lie_elsewhere(nats: float, possible: bool) -> None:
    """A full point is read one too low in each look, so that one seems to lie on the bar, which hardly tells (campaign 2190017: a false
    accusation)."""
    lies = Position((3, 2, 1, 0, -1, 0, -2, *(0,) * 4, -2, 6, *(0,) * 5, -8, 3, 0, 0, 0, -2))
    guess = Position((3, 2, 1, 0, -1, 0, -2, *(0,) * 4, -2, 6, *(0,) * 5, -7, 3, 0, 0, 0, -2), (0, 1))
    rows = Table(position=guess, noise=Noise(sharp=14.0, sigma=0.0, trays=False)).log_likelihood()
    rows[18, ZERO - 8], rows[25, ZERO] = -nats, -0.5
    evidence = Evidence.from_log_likelihood(rows)
    alternatives = Alternatives()
    alternatives.guessed(evidence, guess)
    assert (lies in alternatives.of(guess)) == possible
    alternatives.tell_apart(evidence, guess, 6.0)
    assert (lies in alternatives.of(guess)) == possible
    alternatives.tell_apart(look(guess), guess, 6.0)
    assert lies not in alternatives.of(guess)


def test_of_a_board_that_was_guessed_a_checker_that_counts_as_borne_off_may_lie_on_a_point() -> None:
    """Of two checkers on light's two point one is seen, in each look (game 85_00: the only one would have been borne off against the rules);
    another guess, whose look says more of dark's checkers, does not tell it."""
    lies = Position((2, 2, *(0,) * 9, -1, *(0,) * 9, -4, -5, -5), (0, 0), (11, 0))
    guess = Position((2, 1, *lies.points[2:]), (0, 0), (12, 0))
    rows = Table(position=guess, noise=Noise(sharp=14.0, sigma=0.0, trays=False)).log_likelihood()
    rows[1, 2 + ZERO] = -7.0
    evidence = Evidence.from_log_likelihood(rows)
    alternatives = Alternatives()
    alternatives.guessed(evidence, guess)
    assert lies in alternatives.of(guess)
    unsure = rows.copy()
    unsure[12:21, ZERO], unsure[12:21, ZERO - 1] = -0.1, 0.0
    alternatives.guessed(Evidence.from_log_likelihood(unsure), guess)
    assert lies in alternatives.of(guess)
    rows[1, 2 + ZERO] = -13.0
    alternatives.tell_apart(Evidence.from_log_likelihood(rows), guess, 6.0)
    assert lies not in alternatives.of(guess)


@pytest.mark.parametrize(("held", "possible"), [(True, False), (False, True)])
def test_another_start_explains_a_checker_on_a_made_point_only_where_the_point_is_not_made(
    held: bool, possible: bool
) -> None:
    """However many lie on another stack, a checker of light's that stands on dark's 20 point stands there against the rules."""
    story = Story()
    story.see()
    points = list(STARTING_POSITION.points)
    points[5], points[7] = points[5] - 1, points[7] + 1
    if not held:
        points[18], points[16] = -1, points[16] + points[18] + 1
    found = Reconciled(kind="illegal", position=None, play=None, fit=0.0, margin=9.0, blocked=(24, 19))
    faults = story.referee.faults
    assert (
        faults.premises.may_be_played_from(Position(tuple(points)), "light", STARTING_POSITION, found)
        == possible
    )


def test_what_is_missing_may_lie_on_a_row_as_long_as_it_is_there() -> None:
    position = Position((5, 2, 7, *(0,) * 16, -2, -2, -3, -5, -3), (0, 0), (1, 0))
    ways = {(6, 2, 7): True, (5, 2, 8): True}
    alternatives = Alternatives()
    alternatives.missing(position, "light", 1, lambda there: ways[there.points[:3]])
    assert {p.points[:3] for p in alternatives.of(position)} == set(ways)
    alternatives.tell_apart(look(position), position, 6.0)
    assert len(alternatives.of(position)) == 2
    fewer = Position((5, 2, 2, *(0,) * 16, -2, -2, -3, -5, -3), (0, 0), (6, 0))
    alternatives.tell_apart(look(fewer), fewer, 6.0)
    assert [p.points[:3] for p in alternatives.of(fewer)] == [(6, 2, 2)]
    alternatives.forget()
    assert alternatives.of(fewer) == []
    alternatives.missing(position, "light", 1, lambda there: there.points[0] == 5)
    assert [p.points[:3] for p in alternatives.of(position)] == [(5, 2, 8)]


@pytest.mark.parametrize(
    ("home", "off", "lifted", "accused"),
    [((5, 3, 6), 0, 3, False), ((2, 5, 4), 3, 3, False), ((2, 2, 2), 8, 1, True)],
    ids=["a pile", "a row", "two beside each other"],
)
def test_a_checker_that_went_missing_may_be_the_one_too_many_of_a_row_that_was_misread(
    home: tuple[int, int, int], off: int, lifted: int, accused: bool
) -> None:
    """Light's last runner is put onto the row, which is read one too low ever after; then four are borne off from it, and it
    looks like three fewer. (Beside one or two, one more could be seen.)"""
    before = Position((*home, *(0,) * 10, 1, *(0,) * 5, -2, -2, -3, -5, -3), (0, 0), (off, 0))
    story = set_up(Table(noise=SHARP), before)
    story.throw(6, 4)
    story.hand()
    story.table.lift(14, "light")
    story.see()
    story.lift_dice(20)
    story.throw(2, 1, side="dark")
    left = story.referee.state.position
    assert left is not None
    story.play(legal_plays(left, (2, 1), "dark", LAW)[0], "dark")
    story.lift_dice()
    story.throw(6, 6)
    story.hand()
    for _ in range(lifted):
        story.table.lift(3, "light")
    story.see()
    story.lift_dice(20)
    assert any(isinstance(e, ev.PlayIllegal) for e in story.events) == accused


@pytest.mark.parametrize(("last", "boards"), [(13, 3), (5, 0)], ids=["one was outside", "all were at home"])
def test_what_is_missing_may_have_been_borne_off_where_all_were_at_home(last: int, boards: int) -> None:
    """Then it is where it seems to be, though no number bore it off."""
    points = [5, 3, 6, *(0,) * 16, -2, -2, -3, -5, -3]
    before = list(points)
    before[last] += 1
    story = Story()
    turn = turn_of(Position(tuple(before)), (4, 1), "light", LAW)
    left = Position(tuple(points), (0, 0), (1, 0))
    story.referee.faults._may_lie_on_a_pile(turn, left)
    assert len(story.referee.looks.alternatives.of(left)) == boards
