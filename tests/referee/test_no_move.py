"""Turns in which nothing can be moved: nothing on the board tells that they were, so the dice must."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pi_board import events as ev
from pi_board.rules import STARTING_POSITION, Position, Side, legal_plays
from pi_board.sighting import CubeSeen, Gate
from tests.referee.synthetic import Story, accustomed, types

#: Light and dark are on the bar against six made points: neither can enter.
BOTH_SHUT_OUT = Position(
    (2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, -2, -2, -2, -2, -2, -2), (1, 1), (0, 0)
)
#: Only dark is.
DARK_SHUT_OUT = Position(
    (2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4, -4, -2, -2, -2, 0, 0, 1), (0, 1), (0, 0)
)


def turns(events: list[ev.Event]) -> list[tuple[str, tuple[int, int] | None]]:
    """(Side, dice) of the turns that are over, without those that were opened again."""
    out: list[tuple[str, tuple[int, int] | None]] = []
    for event in events:
        if isinstance(event, ev.TurnEnded):
            out.append((event.side, event.dice))
        elif isinstance(event, ev.TurnReopened):
            out.pop()
    return out


@pytest.mark.parametrize(("next_half", "whose"), [("dark", "light"), ("light", "dark")])
def test_the_next_dice_tell_who_rolled_where_neither_can_move(next_half: Side, whose: Side) -> None:
    """Light cannot enter with 4-1, and dice lie in light's half once more: rolled again (a die leaned), or dark's, wrongly placed."""
    story = accustomed(BOTH_SHUT_OUT, "light")
    events = story.throw(4, 1, side="light") + story.lift_dice()
    assert turns(events) == [("light", (4, 1))]
    events = story.throw(6, 5, side="light") + story.lift_dice()
    assert turns(events) == []
    events += story.throw(4, 3, side=next_half)
    assert turns(story.events)[-1] == (whose, (6, 5))
    assert ("turn_reopened" in types(events)) == (whose == "light")
    assert not {"play_illegal", "unclear"} & set(types(events))


@pytest.mark.parametrize(("half", "whose"), [("light", "dark"), ("dark", None)])
def test_dice_that_are_lifted_at_once_as_nothing_can_be_played_are_a_turn(
    half: Side, whose: Side | None
) -> None:
    """Dark's 4-2 was seen beside his hand only. The next dice are light's, or in dark's half perhaps dark's second roll."""
    story = accustomed(DARK_SHUT_OUT, "dark")
    story.hand()
    story.table.throw(4, 2, "dark")
    story.see(3, Gate.MOVING)
    story.table.lift_dice()
    story.see(2, Gate.MOVING)
    story.see(3)
    story.hand()
    over = len(turns(story.events))
    story.table.throw(6, 2, half)
    events = story.see(3, Gate.MOVING) + story.see(6)
    assert turns(story.events)[over:] == ([(whose, (4, 2))] if whose else [])
    assert not {"play_illegal", "unclear"} & set(types(events))


def passed_between_two_looks(*moves: tuple[int, int]) -> Story:
    """Dark cannot move, lifts his dice, and light has rolled 6-2 and moved before anybody looks again."""
    story = accustomed(DARK_SHUT_OUT, "dark")
    story.throw(4, 2, side="dark")
    story.see(4, Gate.HAND)
    story.table.lift_dice()
    story.see(2)
    story.hand()
    story.table.throw(6, 2, "light")
    for source, to in moves:
        story.table.move(source, to, "light")
    story.see(8)
    return story


@pytest.mark.parametrize("moves", [((24, 22), (22, 16)), ((24, 22),)])
def test_who_cannot_move_has_passed_where_the_opponent_has_played(moves: tuple[tuple[int, int], ...]) -> None:
    story = passed_between_two_looks(*moves)
    assert turns(story.events)[-1] == ("dark", (4, 2))
    assert story.referee.state.side == "light" and story.referee.state.dice == (6, 2)
    assert story.referee.state.position == DARK_SHUT_OUT
    assert not {"play_illegal", "play_stands", "unclear"} & set(types(story.events))


def test_who_cannot_move_and_moves_all_the_same_has_not_passed() -> None:
    story = accustomed(DARK_SHUT_OUT, "dark")
    story.throw(4, 2, side="dark")
    story.moves("dark", (8, 4), looks=2)
    story.lift_dice(looks=2)
    events = story.throw(6, 2, side="light")
    assert turns(story.events)[-1] == ("dark", (4, 2))
    ended = [e for e in events if isinstance(e, ev.TurnEnded)]
    assert ended and not ended[-1].legal


def test_who_passed_and_threw_once_more_may_play_that_against_the_rules() -> None:
    """Dark cannot enter with 6-2; a die had leaned, so he rolls again into his own half, and plays 8/3 with a checker on the bar."""
    story = accustomed(DARK_SHUT_OUT, "dark")
    story.throw(6, 2, side="dark")
    story.lift_dice()
    assert turns(story.events)[-1] == ("dark", (6, 2))
    story.throw(5, 4, side="dark")
    story.moves("dark", (8, 3))
    story.lift_dice(30)
    story.throw(6, 1, side="light")
    assert turns(story.events)[-1] == ("dark", (5, 4)), "6-2 does not count"
    assert "turn_reopened" in types(story.events)


#: Dark is on the bar; light holds his four and two points only.
TWO_HELD = Position(
    (0, 2, 0, 2, 0, 0, 3, 3, 3, 0, 0, 0, 2, 0, 0, 0, -4, -4, -2, -2, -2, 0, 0, 0), (0, 1), (0, 0)
)


@pytest.mark.parametrize(
    ("half", "read", "passed"), [("light", 4, (4, 2)), ("light", 1, None), ("dark", 4, None)]
)
@pytest.mark.parametrize("in_sight", [True, False])
def test_a_roll_of_which_one_die_cannot_be_read_is_passed_with_where_a_number_leaves_no_move(
    half: Side, read: int, passed: tuple[int, int] | None, in_sight: bool
) -> None:
    """Dark lifts his dice with nothing moved, and light rolls: with 4-2 (or 4-4) dark had danced; with a 1 he would have entered. In dark's
    half the next dice may be his second roll. (2120021: one die lay behind a cup.)"""
    story = accustomed(TWO_HELD, "dark")
    story.table.throw(read, 6, "dark")
    story.table.dice[1] = replace(story.table.dice[1], value=None, confidence=0.87)
    if not in_sight:
        # (It lies behind a cup.)
        story.table.dice = story.table.dice[:1]
    story.see(8)
    story.lift_dice()
    over = len(turns(story.events))
    events = story.throw(6, 2, side=half, looks=8)
    assert turns(story.events)[over:] == ([("dark", passed)] if passed else [])
    assert "play_illegal" not in types(events)
    if passed:
        assert (story.referee.state.side, story.referee.state.dice) == ("light", (6, 2))


@pytest.mark.parametrize(("dice", "danced"), [((4, 2), True), ((5, 1), False)])
def test_dice_that_one_picture_showed_in_passing_were_danced_with(
    dice: tuple[int, int], danced: bool
) -> None:
    """Dark's dice are seen in one picture with a hand in it; nothing is moved, and light's lie there (2740005). (With a 5 he would have
    entered.)"""
    story = accustomed(TWO_HELD, "dark")
    over = len(turns(story.events))
    story.hand(1)
    story.table.throw(*dice, "dark")
    story.see(1, Gate.MOVING)
    story.table.lift_dice()
    story.see(2, Gate.MOVING)
    story.see(3)
    story.throw(6, 2, side="light", looks=8)
    assert turns(story.events)[over:] == ([("dark", dice)] if danced else [])
    if danced:
        assert (story.referee.state.side, story.referee.state.dice) == ("light", (6, 2))


@pytest.mark.parametrize(
    ("dice", "how", "doubles"),
    [
        ((4, 2), "seen once", "light"),
        ((4, 2), "cocked", "light"),
        ((2, 2), "seen once", "light"),
        ((5, 4), "cocked", "dark"),
        ((6, 5), "seen once", "dark"),
        (None, "", "dark"),
    ],
)
def test_who_doubles_after_dice_with_which_the_other_could_not_move_is_the_opponent(
    dice: tuple[int, int] | None, how: str, doubles: Side
) -> None:
    """Dark, whose turn it is, has rolled `dice`, which only a glimpse showed or which were to be rolled again, and has lifted them. (With a
    5 he enters: so he has not had his turn.)"""
    story = accustomed(TWO_HELD, "dark")
    over = len(turns(story.events))
    if dice is not None:
        story.throw(*dice, side="dark", looks=1 if how == "seen once" else 6, cocked=how == "cocked")
    story.lift_dice()
    story.hand()
    story.table.cube = CubeSeen(2, "offered", 0.9)
    story.see(8)
    assert [e.side for e in story.events if isinstance(e, ev.CubeOffered)] == [doubles]
    assert turns(story.events)[over:] == ([("dark", dice)] if doubles == "light" else [])


#: Light is on the bar against five made points and a blot-free sixth; dark can move with every roll.
LIGHT_MAY_DANCE = Position(
    (0, 0, 3, 3, 3, 3, 0, 2, 0, 0, 0, -1, -1, -1, 0, 0, 0, -2, -2, -2, -2, -2, -2, 0), (1, 0), (0, 0)
)


@pytest.mark.parametrize("halves", [("dark", "dark"), ("light", "dark")])
def test_who_plays_after_his_own_dance_had_thrown_again(halves: tuple[Side, Side]) -> None:
    """Light's 5-2 (a die leaned) is no move, and the next roll is taken for dark's, who has a move with every roll; but light plays it."""
    story = Story()
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    story.play(legal_plays(STARTING_POSITION, (3, 1), "light", story.referee.rules)[0], "light")
    story.lift_dice()
    story.table.put(LIGHT_MAY_DANCE)
    story.say(ev.SetPosition(position=LIGHT_MAY_DANCE, side="light"))
    story.see()
    story.throw(5, 2, side="light")
    story.lift_dice()
    assert turns(story.events)[-1] == ("light", (5, 2))
    story.throw(1, 1, halves=halves)
    story.moves("light", (25, 24), (8, 7), (8, 7), (4, 3))
    events = story.lift_dice()
    story.throw(4, 2, side="dark")
    assert turns(story.events)[-2:] == [("light", (3, 1)), ("light", (1, 1))]
    assert not {"play_illegal", "play_stands"} & set(types(events))
