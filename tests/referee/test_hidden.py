"""A cup stands on points: the game goes on, nobody is accused of what cannot be seen, and only what matters is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board import events as ev
from pi_board.referee.messages import point_words
from pi_board.rules import STARTING_POSITION, legal_plays, opponent, winner
from pi_board.sighting import DIE_HIDDEN, ZERO, Gate, Sighting
from pi_board.table import VerdictColour
from tests.referee.synthetic import Story, Table, told_once, types


@told_once
def begun(*hidden: int) -> Story:
    """A game in which light has rolled 3-1 in the opening, with a cup over `hidden` (points)."""
    story = Story()
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    story.table.hidden = tuple(point - 1 for point in hidden)
    story.see()
    return story


def test_what_is_hidden_is_as_it_was() -> None:
    story = begun(13, 14)
    assert types(story.moves("light", (8, 5), (6, 5))) == ["play_made"]
    assert types(story.lift_dice()) == ["turn_ended"]
    story.table.hidden = ()
    assert story.see(20) == [], "the cup was lifted, and all is as it was thought"


def test_a_play_to_a_hidden_point_is_the_only_one_that_fits() -> None:
    story = begun(5)
    events = story.moves("light", (8, 5), (6, 5))
    assert types(events) == ["play_made"] and events[0].play == "8/5 6/5"


def test_a_play_that_cannot_be_seen_at_all_is_believed() -> None:
    story = begun(5, 6, 8)
    assert story.moves("light", (8, 5), (6, 5)) == []
    events = story.lift_dice(40)
    assert not [e for e in events if isinstance(e, ev.PlayIllegal)]


def test_two_plays_that_differ_only_under_the_cup_are_asked_for_and_not_accused() -> None:
    # 3-1 from the 6 point: to the 5, to the 3, or both: the cup stands over all of it.
    story = begun(2, 3, 4, 5, 6)
    story.moves("light", (6, 3), (6, 5))
    story.lift_dice(60)
    view = story.referee.view()
    assert not [e for e in story.events if isinstance(e, ev.PlayIllegal)]
    assert view.message_code == "view_thing" and view.verdict is VerdictColour.AMBER
    assert view.message == "Something hides points 2-3, 5-6: please move it."
    # The cup is moved: the play is read, and the question is gone.
    story.table.hidden = ()
    events = story.see(10)
    assert "play_made" in types(events)
    assert story.referee.view().message_code != "view_thing"


def test_an_illegal_play_in_full_view_is_named_all_the_same() -> None:
    story = begun(13, 14)
    story.moves("light", (8, 4), (6, 5))
    story.lift_dice(40)
    assert [e for e in story.events if isinstance(e, ev.PlayIllegal)]


class BesideASleeve(Table):
    """Nobody can say what lies on this point, and nothing is known to stand there."""

    unreadable: int | None = None

    def log_likelihood(self) -> np.ndarray:
        rows = super().log_likelihood()
        if self.unreadable is not None:
            rows[self.unreadable - 1] = -0.1 * np.abs(np.arange(-15, 16))
        return rows


@pytest.mark.parametrize(("unreadable", "accused"), [(None, True), (20, True), (3, False)])
def test_a_checker_beside_a_point_that_cannot_be_read_may_be_a_sleeve(
    unreadable: int | None, accused: bool
) -> None:
    table = BesideASleeve()
    story = Story(table)
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    table.unreadable = unreadable
    story.moves("light", (8, 4), (6, 5))
    story.lift_dice(40)
    assert bool([e for e in story.events if isinstance(e, ev.PlayIllegal)]) == accused
    assert bool([e for e in story.events if isinstance(e, ev.Unclear)]) != accused


@pytest.mark.parametrize("asked", [True, False])
def test_what_covers_a_fault_is_to_be_moved_and_then_the_fault_is_named(asked: bool) -> None:
    """A cup over the point that light has played to against the law: the words name the point, and whoever moves the cup hears the rest."""
    story = begun(4)
    story.moves("light", (8, 4), (6, 5))
    story.lift_dice(40)
    view = story.referee.view()
    assert view.verdict is VerdictColour.AMBER and view.message_code == "doubt_hidden"
    assert view.message.startswith("Something hides points 4: move it, please.")
    assert [e.points for e in story.events if isinstance(e, ev.Unclear)][-1] == "4"
    assert not [e for e in story.events if isinstance(e, ev.PlayIllegal)]
    if asked:
        story.table.hidden = ()
        story.see(1, Gate.MOVING)
        assert [e.code for e in story.see(40) if isinstance(e, ev.PlayIllegal)]
        assert story.referee.view().verdict is VerdictColour.RED


def test_a_point_that_cannot_be_read_is_named() -> None:
    table = BesideASleeve()
    story = Story(table)
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    table.unreadable = 3
    story.moves("light", (8, 4), (6, 5))
    story.lift_dice(40)
    assert [e.points for e in story.events if isinstance(e, ev.Unclear)][-1] == "3"


@pytest.mark.parametrize("opening", [True, False])
def test_a_die_behind_something_is_named_once_both_are_due(opening: bool) -> None:
    """In the opening the other player may not have rolled yet."""
    story = Story()
    story.see()
    if not opening:
        story.throw(3, 1, halves=("light", "dark"))
        story.moves("light", (8, 5), (6, 5))
        story.lift_dice()
    for _ in range(40):
        sighting = story.table.look(Gate.BLOCKED)
        hidden = Sighting(sighting.seq, sighting.time, Gate.BLOCKED, hidden=(3, 4), note=DIE_HIDDEN)
        story.events += story.referee.observe(hidden, hidden.time)
    reasons = [e.reason for e in story.events if isinstance(e, ev.ViewBlocked)]
    assert reasons == ([] if opening else ["die"])
    if not opening:
        assert story.referee.view().message == "I see only one die: please move what hides the other."


def test_dice_under_the_cup_are_not_lifted() -> None:
    story = begun()
    story.moves("light", (8, 5))
    dice = story.table.dice
    story.table.lift_dice()
    for _ in range(60):
        sighting = story.table.look()
        hidden = Sighting(
            sighting.seq,
            sighting.time,
            Gate.SETTLED,
            sighting.log_likelihood,
            (),
            sighting.cube,
            dice_hidden=True,
        )
        assert not [e for e in story.referee.observe(hidden, hidden.time) if isinstance(e, ev.PlayIllegal)]
    story.table.dice = dice
    assert types(story.moves("light", (6, 5))) == ["play_made"]


@pytest.mark.parametrize("asked", [True, False])
def test_what_the_opponent_moved_after_a_cup_hid_the_play_is_nobodys_fault(asked: bool) -> None:
    """His dice may lie behind it too."""
    story = begun()
    story.table.move(8, 4, "light")
    story.table.move(13, 11, "dark")
    story.lift_dice(1)
    story.see(3)
    story.referee.looks.asked_for_a_thing = asked
    story.see(60)
    assert bool([e for e in story.events if isinstance(e, ev.PlayIllegal)]) == (not asked)


def test_what_hides_too_much_is_named() -> None:
    story = begun()
    for _ in range(40):
        sighting = story.table.look(Gate.BLOCKED)
        sighting = Sighting(sighting.seq, sighting.time, Gate.BLOCKED, hidden=tuple(range(6, 15)))
        story.events += story.referee.observe(sighting, sighting.time)
    view = story.referee.view()
    assert view.message == "Something hides points 7-15: please move it."
    assert [e.points for e in story.events if isinstance(e, ev.ViewBlocked)] == ["7-15"]


@pytest.mark.parametrize(
    ("slots", "words"), [((7, 8, 9), "8-10"), ((0, 5, 6, 23), "1, 6-7, 24"), ((24,), "bar"), ((3, 24), "4")]
)
def test_points_in_words(slots: tuple[int, ...], words: str) -> None:
    assert point_words(slots) == words


def honest_game(seed: int, turns: int = 24) -> tuple[Story, int]:
    """A game of honest people with one or two cups that are moved now and then; (story, turns recorded right)."""
    rng = np.random.default_rng(seed)
    story = Story(Table(seed=seed))
    story.see()
    side, position, right = "light", STARTING_POSITION, 0
    story.throw(3, 1, halves=("light", "dark"))
    dice = (3, 1)
    for turn in range(turns):
        if turn:
            dice = tuple(sorted((int(v) for v in rng.integers(1, 7, 2)), reverse=True))
            story.throw(*dice, side=side)
        plays = legal_plays(position, dice, side)
        play = plays[int(rng.integers(len(plays)))]
        story.play(play, side, looks=4)
        ended = story.lift_dice(8)
        position = play.result
        right += any(e.type == "turn_ended" and e.position == position for e in (*ended, *story.events[-6:]))
        if winner(position) is not None:
            break
        if turn % 4 == 1:
            story.hand()
            at = [int(rng.integers(0, 22)) for _ in range(int(rng.integers(1, 3)))]
            story.table.hidden = tuple(
                sorted({s + k for s in at for k in range(int(rng.integers(1, 4))) if s + k < 24})
            )
            story.see(6)
        side = opponent(side)
        if story.referee.view().message_code == "view_thing":
            # Asked to, they move it.
            story.hand()
            story.table.hidden = ()
            story.see(8)
    return story, right


@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=pytest.mark.slow) for s in range(1, 4))])
def test_nobody_is_accused_in_honest_games_with_cups(seed: int) -> None:
    story, _ = honest_game(seed)
    assert not [e for e in story.events if isinstance(e, ev.PlayIllegal)]


def test_nobody_is_accused_of_what_something_that_stands_there_covers() -> None:
    """8/4 13/8 is no play of 3-1, and a cup covers a part of the 4 point: what seems to lie there may have lain there for long."""
    story = begun(4)
    story.moves("light", (8, 4), (13, 8))
    events = story.lift_dice(60)
    assert not [e for e in events if isinstance(e, ev.PlayIllegal)]
    story = begun(9)
    story.moves("light", (8, 4), (13, 8))
    events = story.lift_dice(60)
    assert [e for e in story.events if isinstance(e, ev.PlayIllegal)]


@pytest.mark.parametrize(("hidden", "red"), [((), 1), ((22,), 0)], ids=["seen", "covered"])
def test_after_a_play_that_stands_under_a_cup_nobody_is_accused(hidden: tuple[int, ...], red: int) -> None:
    """What the law does not tell is a guess where it can't be seen: a cup over the bar made a hit checker one that had entered."""
    story = begun()
    story.moves("light", (24, 22))
    story.lift_dice()
    story.table.hidden = tuple(point - 1 for point in hidden)
    stands = story.throw(6, 5, side="dark")
    assert [e for e in stands if isinstance(e, ev.PlayStands)]
    events = story.moves("dark", (13, 9))
    events += story.lift_dice()
    assert len([e for e in events if isinstance(e, ev.PlayIllegal)]) == red
    assert red or [e for e in events if isinstance(e, ev.Unclear)]


def short_and_told_off() -> Story:
    """Light has played 8/5 of 3-1 and lifted the dice: that is short, and red."""
    story = begun()
    story.moves("light", (8, 5))
    assert types(story.lift_dice(looks=40)) == ["play_illegal"]
    return story


def where_it_looks(story: Story, rows: dict[int, dict[int, float]]) -> None:
    """From now on `rows` are the nats of counts on points, as far as they are given."""
    seen = story.table.log_likelihood

    def otherwise() -> np.ndarray:
        out = seen()
        for point, nats in rows.items():
            for count, value in nats.items():
                out[point - 1, ZERO + count] = value
        return out

    story.table.log_likelihood = otherwise  # type: ignore[method-assign]


def test_a_hand_that_lies_before_an_illegal_play_does_not_put_it_right() -> None:
    """A dark hand comes to rest on two points: whether 6/5 has been played as well can hardly be told. (`bench campaign --seed 1650000`)"""
    story = short_and_told_off()
    where_it_looks(story, {6: {5: 0.0, 4: -2.0}, 5: {1: 0.0, 2: -2.0}})
    story.hand()
    assert story.see(60) == []
    assert story.referee.view().verdict is VerdictColour.RED


def test_two_poor_looks_take_nothing_back() -> None:
    """Light has played 13/11(2) of his 2-2 and no more, and lifted; for two looks a hand on 9 and 11 looks as if one had gone on."""
    story = begun()
    story.moves("light", (8, 5), (6, 5))
    story.lift_dice()
    story.throw(6, 5, "dark")
    at = story.referee.state.position
    assert at is not None
    story.play(legal_plays(at, (6, 5), "dark")[0], "dark")
    story.lift_dice()
    story.throw(2, 2, "light")
    story.moves("light", (13, 11), (13, 11))
    assert types(story.lift_dice(looks=40)) == ["play_illegal"]
    clear = story.table.log_likelihood
    where_it_looks(story, {11: {2: 0.0, 1: -4.0, 0: -6.0}, 9: {2: 0.0, 1: -4.0, 0: -5.0}})
    story.hand()
    assert story.see(2) == []
    story.table.log_likelihood = clear  # type: ignore[method-assign]
    assert story.see(30) == []
