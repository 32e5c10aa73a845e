"""Another account of the game stands between an illegal play and the red light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pi_board import events as ev
from pi_board.referee.options import RefereeOptions
from pi_board.referee.second_opinion import SecondOpinion
from pi_board.rules import RULE_SETS, Position
from pi_board.sighting import ZERO
from tests.referee.synthetic import Story, Table, types
from tests.referee.test_ends_of_turns import accusations, begun, dark_to_roll


def misled(story: Story, **otherwise: object) -> None:
    """From now on the other account has it that something was otherwise."""
    s = story.referee.state
    opinion = story.referee.second_opinion
    assert opinion._filter is not None
    opinion._filter.believe(replace(s, **otherwise))  # type: ignore[arg-type]


def elsewhere(position: Position) -> Position:
    points = list(position.points)
    points[12] -= 1
    points[13] += 1
    return replace(position, points=tuple(points))


def doubts(story: Story) -> list[str]:
    return [e.code for e in story.events if isinstance(e, ev.Unclear) and e.code.startswith("doubt_")]


def test_both_accounts_agree_and_it_is_red() -> None:
    story = begun()
    story.moves("light", (8, 5), (6, 4))
    story.lift_dice()
    assert accusations(story) == [("light", "wrong_number")] and doubts(story) == []


@pytest.mark.parametrize(
    ("otherwise", "code"),
    [({"side": "dark"}, "doubt_thrower"), ({"dice": (6, 2)}, "doubt_dice")],
    ids=["whose turn", "which dice"],
)
def test_another_account_as_likely_asks_instead(otherwise: dict[str, object], code: str) -> None:
    story = begun()
    misled(story, **otherwise)
    story.moves("light", (8, 5), (6, 4))
    story.lift_dice(looks=60)
    assert accusations(story) == []
    assert doubts(story) == [code]


def test_it_is_not_asked_where_it_is_switched_off() -> None:
    story = begun(options=RefereeOptions(second_opinion=0.0))
    story.moves("light", (8, 5), (6, 4))
    story.lift_dice()
    assert accusations(story) == [("light", "wrong_number")]


def test_what_a_person_tells_is_beyond_doubt_for_both() -> None:
    story = begun()
    misled(story, side="dark")
    story.say(ev.SetDice(dice=(2, 1)))
    story.moves("light", (8, 5), (6, 4))
    story.lift_dice()
    assert [side for side, _ in accusations(story)] == ["light"]


def test_two_lawful_turns_overrule_it() -> None:
    story = begun()
    position = story.referee.state.position
    assert position is not None
    misled(story, position=elsewhere(position))
    story.moves("light", (8, 5), (6, 5))
    story.lift_dice()
    story.throw(4, 2, "dark")
    story.moves("dark", (8, 4), (6, 4))
    story.lift_dice()
    story.throw(3, 1)
    story.moves("light", (13, 11), (6, 5))
    story.lift_dice()
    assert accusations(story) == [("light", "wrong_number")]


def test_overruled_it_knows_of_the_roll_that_lies_there_already() -> None:
    """The lawful turn that overrules it is over because the next player has rolled: the state holds no dice yet, but it has seen them (4017006)."""
    story = dark_to_roll()
    story.throw(4, 2, "dark")
    misled(story, dice=None)
    story.moves("dark", (8, 4), (8, 5))
    story.lift_dice()
    assert accusations(story) == [("dark", "wrong_number")]


@pytest.mark.parametrize("stands", [False, True], ids=["lost", "another account"])
def test_who_knows_of_no_account_at_all_says_nothing_against_a_board_that_is_plainly_seen(
    stands: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a lawful turn, which does not yet overrule it (815013)."""
    story = begun()
    story.moves("light", (8, 5), (6, 5))
    story.lift_dice()
    position = story.referee.state.position
    assert position is not None
    if stands:
        monkeypatch.setattr(SecondOpinion, "is_lost", False)
    misled(story, position=elsewhere(position))
    story.see()
    story.throw(4, 2, "dark")
    story.moves("dark", (8, 4), (8, 5))
    story.lift_dice(looks=30)
    assert accusations(story) == ([] if stands else [("dark", "wrong_number")])


def test_a_game_that_comes_from_a_journal_is_believed() -> None:
    story = begun()
    again = type(story.referee).from_events(story.events, rules=RULE_SETS["international"])
    later = Story(table=story.table, referee=again)
    later.moves("light", (8, 5), (6, 4))
    later.lift_dice()
    assert accusations(later) == [("light", "wrong_number")]


class Misread(Table):
    """A table of which one slot seems to hold another count, by so many nats, while `said` holds one."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.said: dict[int, tuple[int, float]] = {}

    def log_likelihood(self) -> np.ndarray:
        rows = super().log_likelihood()
        for slot, (count, nats) in self.said.items():
            light, dark = self.checkers[slot]
            rows[slot] = -14.0 * np.minimum(np.abs(np.arange(-15, 16) - count), 2)
            rows[slot, ZERO + light - dark] = -nats
        return rows


#: Light bears in; one dark checker is still in light's home board.
LATE = Position(
    (1, 5, 2, 2, 2, 2, -1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, -2, -2, -2, -3, -3), (0, 0), (0, 0)
)


def test_a_green_play_is_over_with_the_next_roll_whatever_is_misread_then() -> None:
    rules = replace(RULE_SETS["international"], turn_ends="opponent_rolls")
    table = Misread(position=LATE)
    story = Story(table=table, rules=rules)
    story.say(ev.SetPosition(position=LATE, side="light"))
    story.throw(5, 4, "light")
    story.moves("light", (6, 2), (6, 1))
    assert types(story.events)[-1] == "play_made"
    table.said = {0: (1, 0.9)}
    story.lift_dice(looks=8)
    table.said = {0: (1, 12.0)}
    story.throw(5, 2, "dark")
    assert accusations(story) == []
    assert types(story.events)[-2:] == ["turn_ended", "dice_rolled"]
