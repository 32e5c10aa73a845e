"""What people ask for means the same to both engines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pi_board import events as ev
from pi_board.referee import Referee
from pi_board.referee.inference import FilterReferee
from pi_board.referee.orders import ORDERS
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position, RuleSet

BOTH = pytest.mark.parametrize("kind", [Referee, FilterReferee], ids=["steps", "filter"])
#: Commands that other parts of the program carry out.
ELSEWHERE = {ev.SetHoles}


def types(events: list[ev.Event]) -> list[str]:
    return [e.type for e in events]


def after_an_illegal_turn(kind: type[Referee] | type[FilterReferee], law: RuleSet) -> Referee | FilterReferee:
    """Light played 3-1 in a way that no rule allows, it stood, and dark is to roll."""
    points = list(STARTING_POSITION.points)
    points[5], points[4] = points[5] - 2, 2
    seen = Position(tuple(points), (0, 0), (0, 0))
    story: list[ev.Event] = [
        ev.MatchStarted(rules=law.name, match_length=3),
        ev.GameStarted(game=1, position=STARTING_POSITION),
        ev.DiceRolled(side="light", dice=(3, 1)),
        ev.PlayStands(side="light", dice=(3, 1), position=seen, by="person"),
        ev.TurnEnded(side="light", position=seen, dice=(3, 1), legal=False),
    ]
    referee = kind.from_events(story, rules=law)
    referee.state = replace(referee.state, match=replace(referee.state.match, rules=law))
    return referee


def test_every_command_of_a_game_is_an_order() -> None:
    commands = {getattr(ev, kind.__name__) for kind in ev.Command.__subclasses__()}
    assert set(ORDERS) == commands - ELSEWHERE


@BOTH
def test_a_command_for_another_game_is_refused(kind: type[Referee] | type[FilterReferee]) -> None:
    referee = kind()
    (_, refused) = referee.command(ev.SetHoles(holes=(1,) * 37), 1.0)
    assert isinstance(refused, ev.Refused) and "set_holes" in refused.reason


@BOTH
@pytest.mark.parametrize(("until", "said"), [("opponent_rolled", "turn_reopened"), ("turn_ended", "refused")])
def test_whether_an_illegal_turn_that_is_over_may_be_taken_back_is_a_rule_of_the_table(
    kind: type[Referee] | type[FilterReferee], until: str, said: str
) -> None:
    law = replace(RULE_SETS["international"], correctable_until=until)  # type: ignore[arg-type]
    referee = after_an_illegal_turn(kind, law)
    assert types(referee.command(ev.TakeBack(), 1.0)) == [said]


@BOTH
def test_a_new_match_ends_the_game_that_is_running(kind: type[Referee] | type[FilterReferee]) -> None:
    referee = after_an_illegal_turn(kind, RULE_SETS["international"])
    new = referee.command(
        ev.NewMatch(rules="international", match_length=5, light_name="A", dark_name="B"), 1.0
    )
    assert types(new) == ["game_abandoned", "match_started"] and referee.state.match.length == 5
    assert types(referee.command(ev.NewMatch(rules="nonsense"), 2.0)) == ["refused"]


@BOTH
def test_a_paused_game_goes_on_with_any_command(kind: type[Referee] | type[FilterReferee]) -> None:
    referee = after_an_illegal_turn(kind, RULE_SETS["international"])
    assert types(referee.command(ev.Pause(), 1.0)) == ["paused"]
    assert types(referee.command(ev.Pause(), 1.0)) == []
    assert types(referee.command(ev.OfferDouble(), 2.0)) == ["continued", "cube_offered"]
    assert types(referee.command(ev.Resign(side="dark", kind=1), 3.0)) == ["refused"]
    assert types(referee.command(ev.PassDouble(), 4.0)) == ["cube_passed", "game_won"]
    assert types(referee.command(ev.Continue(), 5.0)) == ["refused"]


@BOTH
@pytest.mark.parametrize(("code", "said"), [("doubt_dice", "turn_ended"), ("hint", "resolved")])
def test_who_confirms_that_nothing_was_played_means_that_the_turn_is_over(
    kind: type[Referee] | type[FilterReferee], code: str, said: str
) -> None:
    """A question in place of red would be asked again and again if it were only taken back."""
    start = STARTING_POSITION
    referee = kind.from_events(
        [
            ev.MatchStarted(rules="international", match_length=3),
            ev.GameStarted(game=1, position=start),
            ev.DiceRolled(side="light", dice=(3, 1)),
            ev.Unclear(doubts="position", reason="?", expected=start, seen=start, code=code),
        ]
    )
    assert types(referee.command(ev.LetStand(), 1.0))[-1] == said
