"""What lies there when the opponent has rolled beside it is what the turn left, whatever was written down."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board import events as ev
from pi_board.record.match import Rolled, Transcript
from pi_board.referee import Referee
from pi_board.referee.hindsight import _one_stack_alone
from pi_board.referee.witnesses import Told
from pi_board.rules import Position, Side
from pi_board.sighting import ZERO, Gate, Sighting
from tests.referee.synthetic import Noise, Story, Table, accustomed, types

#: Words that accuse or ask.
LOUD = {"play_illegal", "unclear", "asked", "checker_missing", "checker_added"}


def light_has_played() -> Story:
    """Light has played 3-1, 8/5 6/5, and lifted the dice."""
    story = Story()
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    story.moves("light", (8, 5), (6, 5))
    story.lift_dice()
    assert types(story.events)[-1] == "turn_ended"
    return story


def tidied(story: Story, side: Side, *moves: tuple[int, int], looks: int) -> None:
    """Somebody moves checkers after the turn, and the board lies still for so many looks."""
    story.hand()
    for source, to in moves:
        story.table.move(source, to, side)
    story.see(looks)


def corrected(events: list[ev.Event]) -> list[Position]:
    return [e.position for e in events if isinstance(e, ev.PositionCorrected)]


def last_roll(story: Story) -> Rolled:
    record = Transcript()
    for event in story.events:
        record.add(event)
    last = record.result().games[-1].actions[-1]
    assert isinstance(last, Rolled)
    return last


def lies_there(story: Story) -> tuple[int, ...]:
    return tuple(light - dark for light, dark in story.table.checkers[:24])


@pytest.mark.parametrize(
    ("side", "moves", "stood"),
    [
        ("light", ((13, 11),), True),
        ("dark", ((13, 11),), True),
        # Another play of 3-1: the record has it as one.
        ("light", ((5, 8), (5, 6), (13, 10), (24, 23)), False),
    ],
)
def test_the_board_that_was_left_is_put_right_beside_the_next_dice(
    side: Side, moves: tuple[tuple[int, int], ...], stood: bool
) -> None:
    story = light_has_played()
    tidied(story, side, *moves, looks=4)
    events = story.throw(4, 2, side="dark")
    assert types(events) == ["position_corrected", "dice_rolled"]
    assert story.referee.state.position is not None
    assert story.referee.state.position.points == lies_there(story)
    last = last_roll(story)
    assert (last.side, sorted(last.dice), last.stood is not None) == ("light", [1, 3], stood)
    events = story.moves("dark", (8, 4), (6, 4)) + story.lift_dice(20)
    assert "play_made" in types(events) and not LOUD & set(types(events))
    again = Referee.from_events([ev.Event.from_document(e.to_document()) for e in story.events])
    assert again.state == story.referee.state


@pytest.mark.parametrize(("four_or_three", "accused"), [(7, False), (8, True)])
def test_nobody_is_accused_from_it_of_what_is_lawful_from_the_board_that_was_written_down(
    four_or_three: int, accused: bool
) -> None:
    """With 6-2 dark may not play 11/7 24/22, but 13/7 24/22 leaves the same board if nothing had been moved before."""
    story = light_has_played()
    tidied(story, "dark", (13, 11), looks=4)
    assert corrected(story.throw(6, 2, side="dark"))
    events = story.moves("dark", (11, four_or_three), (24, 22)) + story.lift_dice(30)
    assert ("play_illegal" in types(events)) == accused


@pytest.mark.parametrize(("before", "put_right"), [(1, False), (2, True)])
def test_a_board_that_was_hardly_seen_before_the_dice_came_is_not_put_right(
    before: int, put_right: bool
) -> None:
    """What is seen beside the dice only may be their play."""
    story = light_has_played()
    tidied(story, "dark", (24, 22), looks=before)
    assert bool(corrected(story.throw(4, 2, side="dark"))) == put_right


@pytest.mark.parametrize("weighed", [False, True])
def test_what_was_weighed_already_is_not_put_right(weighed: bool) -> None:
    """It was decided what lies there against what the looks say: the same looks do not turn it over (85_00)."""
    story = light_has_played()
    tidied(story, "light", (13, 11), looks=4)
    events = story.throw(4, 2, side="dark", looks=1)
    if weighed:
        story.referee.hindsight.weighed()
    assert bool(corrected(events + story.see(8))) != weighed


def test_what_is_moved_while_the_dice_come_is_their_play() -> None:
    story = light_has_played()
    story.see(6)
    story.hand()
    story.table.throw(4, 2, "dark")
    story.table.move(24, 22, "dark")
    assert corrected(story.see(6)) == []


def test_what_was_played_after_the_dice_were_seen_once_is_their_play() -> None:
    """They are missed while half of it is done, and seen again beside that half (2860000, its looks made worse)."""
    story = light_has_played()
    story.see(6)
    story.throw(4, 2, side="dark", looks=1)
    dice, story.table.dice = story.table.dice, []
    story.moves("dark", (24, 22), looks=3)
    story.table.dice = dice
    assert corrected(story.see(3)) == []
    events = story.moves("dark", (22, 18)) + story.lift_dice(20)
    assert "play_made" in types(events) and not LOUD & set(types(events))


def misreading(story: Story, slot: int, more: int, nats: float) -> None:
    """From now on the slot shows so many signed checkers more than lie there, by so many nats."""
    look = story.table.look

    def misread(gate: Gate = Gate.SETTLED) -> Sighting:
        sighting = look(gate)
        if sighting.log_likelihood is not None:
            light, dark = story.table.checkers[slot]
            shown = light - dark + more
            sighting.log_likelihood[slot] = -nats * np.minimum(np.abs(np.arange(-15, 16) - shown), 2)
            assert sighting.log_likelihood[slot].argmax() == ZERO + shown
        return sighting

    story.table.look = misread  # type: ignore[method-assign]


def test_one_place_that_shows_a_checker_too_many_puts_nothing_right() -> None:
    """A checker must come from somewhere."""
    story = light_has_played()
    misreading(story, 12, 1, 8.0)
    story.see(6)
    assert corrected(story.throw(4, 2, side="dark")) == []


@pytest.mark.parametrize(
    ("more", "always", "put_right"), [(1, False, True), (-1, True, False), (-1, False, True)]
)
def test_a_stack_may_look_lower_than_it_is_but_not_higher(more: int, always: bool, put_right: bool) -> None:
    """Light bears off with 2-1, and from then on his four point shows a checker more or less than was written down, or it always did."""
    before = Position(
        (3, 3, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, -4), (0, 0), (6, 9)
    )
    story = Story(Table(noise=Noise(sigma=0.1, trays=False)))
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    story.table.put(before)
    story.say(ev.SetPosition(position=before, side="light"))
    if always:
        misreading(story, 3, more, 5.0)
    story.see()
    story.throw(2, 1, side="light")
    story.moves("light", (2, 0), (1, 0))
    story.lift_dice()
    if not always:
        misreading(story, 3, more, 5.0)
    story.see(6)
    assert bool(corrected(story.throw(5, 3, side="dark"))) == put_right


def reads(story: Story, slot: int, nats: dict[int, float]) -> None:
    """From now on the slot says so many nats for these signed counts, and -12 for all others."""
    look = story.table.look

    def read(gate: Gate = Gate.SETTLED) -> Sighting:
        sighting = look(gate)
        if sighting.log_likelihood is not None:
            sighting.log_likelihood[slot] = -12.0
            for count, value in nats.items():
                sighting.log_likelihood[slot, ZERO + count] = value
        return sighting

    story.table.look = read  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("count", "before", "put_right"),
    [
        (5, {5: 0.0, 4: -9.0}, True),
        (5, {5: 0.0, 4: -0.7}, False),
        # Whether one lies upon five others can't be told from one place alone (806002).
        (6, {6: 0.0, 5: -9.0}, False),
    ],
    ids=["otherwise", "as before", "upon others"],
)
def test_a_stack_that_reads_otherwise_than_before_the_roll_is_not_as_high_as_then(
    count: int, before: dict[int, float], put_right: bool
) -> None:
    """Light bears one off from his ace point with 2-2, which he may not while he can play a 2: the picture hardly tells how many lie
    there, but says something else than it did."""
    lay = Position((count, 11 - count, 3, *[0] * 19, -5, -6), (0, 0), (1, 4))
    story = accustomed(lay, "light", Noise(sigma=0.1, trays=False))
    reads(story, 0, before)
    story.see()
    story.throw(2, 2, side="light")
    story.hand()
    story.table.move(1, 0, "light")
    reads(story, 0, {count: 0.0, count - 1: -0.7})
    story.see(4)
    story.lift_dice(40)
    events = story.throw(6, 3, side="dark")
    assert bool(corrected(events)) == put_right
    assert "play_illegal" not in types(story.events)
    assert story.referee.state.position is not None
    assert story.referee.state.position.points[0] == count - put_right


@pytest.mark.parametrize(
    ("written", "seen", "tells"), [(5, 6, True), (6, 7, True), (6, 5, False), (5, 7, False), (9, 10, False)]
)
def test_that_some_lie_upon_others_tells_nothing_but_that_a_low_stack_is_one_higher(
    written: int, seen: int, tells: bool
) -> None:
    """Of nine with nothing but their height to tell them from ten, ten were written down (2110015)."""
    before, one, other = (np.zeros(28, np.int64) for _ in range(3))
    before[4], one[4], other[4] = 4, written, seen
    assert _one_stack_alone(one, other, before, Told(frozenset(), frozenset({4}))) != tells


def test_a_checker_that_may_be_on_its_way_to_the_bar_is_left_where_it_was_written_down() -> None:
    story = light_has_played()
    story.throw(4, 2, side="dark")
    story.moves("dark", (8, 4), (6, 4))
    story.lift_dice()
    story.throw(6, 4, side="light")
    # 24/14* hits nothing; a blot of dark's is put on the bar by hand.
    story.moves("light", (24, 14))
    story.lift_dice()
    story.hand()
    story.table.lift(8, "dark")
    story.table.checkers[25][1] += 1
    story.see(6)
    assert corrected(story.throw(5, 3, side="dark")) == []


def test_nobody_hears_more_than_where_the_checkers_lie() -> None:
    """A place that said the same at the roll before is no news: it goes on to be heard as before."""
    story = light_has_played()
    for slot, more in ((12, 1), (7, -1)):
        misreading(story, slot, more, 2.5)
    story.see(6)
    assert corrected(story.throw(4, 2, side="dark")) == []


@pytest.mark.parametrize(("outside", "put_right"), [(16, False), (18, True)])
def test_a_checker_that_cannot_be_seen_has_not_been_borne_off_by_who_is_not_all_home(
    outside: int, put_right: bool
) -> None:
    """One of two dark checkers can't be seen any more when light has danced: only from a board all at home may it be off."""
    points = [0] * 24
    points[17], points[outside] = 2, -2
    for slot, count in ((19, -3), (20, -3), (21, -3), (22, -2), (23, -2)):
        points[slot] = count
    for slot, count in ((0, 5), (1, 5), (2, 2)):
        points[slot] = count
    story = accustomed(Position(tuple(points), (1, 0), (0, 0)), "light", Noise(trays=False))
    story.throw(4, 4, "light")
    story.lift_dice()
    story.hand()
    story.table.checkers[outside][1] -= 1
    story.see(5)
    events = story.throw(2, 1, "dark")
    assert bool(corrected(events)) == put_right
    assert "dice_rolled" in types(events)


def test_checkers_that_were_borne_off_before_the_turn_are_not_brought_back() -> None:
    """A cup that is put down looks like three checkers on an empty point."""
    lay = Position((3, 3, 2, 2, *[0] * 14, -2, -2, -2, -2, -3, -2), (0, 0), (5, 2))
    story = accustomed(lay, "light", Noise(sigma=0.1, trays=False))
    story.throw(2, 1, side="light")
    story.moves("light", (2, 0), (1, 0))
    story.lift_dice(20)
    assert story.referee.state.position is not None and story.referee.state.position.off == (7, 2)
    misreading(story, 4, 3, 8.0)
    story.see(6)
    assert corrected(story.throw(5, 3, side="dark")) == []


def test_looks_at_the_board_before_an_earlier_turn_are_not_of_what_that_turn_left() -> None:
    """Light rolls while dark's hand is still there, so nobody sees what dark left without the next dice."""
    story = light_has_played()
    story.see(6)
    story.throw(4, 2, side="dark")
    assert story.referee.hindsight.left is not None
    story.hand()
    story.table.move(8, 4, "dark")
    story.table.move(6, 4, "dark")
    story.table.throw(5, 3, "light")
    heard = []
    hear = story.referee.looks.witnesses.lay_at_rest
    story.referee.looks.witnesses.lay_at_rest = lambda left, *a: (heard.append(left), hear(left, *a))  # type: ignore
    story.see(8)
    assert "dice_rolled" in types(story.events[-4:]) and heard == []
