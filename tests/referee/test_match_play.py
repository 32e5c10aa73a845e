"""Ways to referee, agreement, challenges and clocks around a referee, told as stories on synthetic sightings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pi_board import events as ev
from pi_board.panel.signals import Lights, lights_of, melody_of
from pi_board.record.clock_file import ClockFile
from pi_board.referee import Referee
from pi_board.referee.inference import FilterReferee
from pi_board.referee.match_options import ClockOptions, MatchOptions
from pi_board.referee.match_play import MatchPlay
from pi_board.rules import Position
from pi_board.sighting import Gate
from pi_board.table import Phase, VerdictColour
from tests.referee.synthetic import Story, types

ENGINES: dict[str, Any] = {"steps": Referee, "filter": FilterReferee}
#: The engine that no table has, unless it is asked for, among the slow tests.
BOTH = pytest.mark.parametrize("kind", [pytest.param("filter", marks=pytest.mark.slow), "steps"])


class MatchStory(Story):
    """A story that also keeps what was told. told: events; views: after each look."""

    def __init__(
        self, kind: str = "filter", match: MatchOptions | None = None, clock: ClockOptions | None = None
    ) -> None:
        inner = ENGINES[kind](match_length=5, names=("Anna", "Bob"))
        self.match = MatchPlay(inner, match or MatchOptions(ask=False), clock, still=0.0)
        super().__init__(referee=self.match)  # type: ignore[arg-type]
        self.told: list[ev.Event] = []
        self.views: list[Any] = []

    def see(self, looks: int = 6, gate: Gate = Gate.SETTLED) -> list[ev.Event]:
        new: list[ev.Event] = []
        for _ in range(looks):
            sighting = self.table.look(gate)
            new += self.match.observe(sighting, sighting.time)
            self.told += self.match.told
            self.views.append(self.match.view())
        self.events += new
        return new

    def say(self, command: ev.Command) -> list[ev.Event]:
        new = super().say(command)
        self.told += self.match.told
        self.views.append(self.match.view())
        return new

    @property
    def clock(self) -> Any:
        return self.match.keeper.at(self.table.time)


def begun(*args: Any, **more: Any) -> MatchStory:
    story = MatchStory(*args, **more)
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    return story


def illegal_play(story: MatchStory) -> None:
    """13/8 and 6/5 with 3-1, dice lifted."""
    story.moves("light", (13, 8), (6, 5))
    story.see(20)
    story.lift_dice()
    story.see(40)


def legal_play(story: MatchStory) -> None:
    story.moves("light", (8, 5), (6, 5))
    story.see(20)
    story.lift_dice()
    story.see(40)


@BOTH
def test_legal_moves_are_judged_aloud(kind: str) -> None:
    story = begun(kind)
    illegal_play(story)
    assert any(v.verdict is VerdictColour.RED for v in story.views)
    assert "play_illegal" in types(story.told)


@BOTH
@pytest.mark.parametrize("mode", ["responsible", "recorder"])
def test_an_illegal_play_looks_like_a_legal_one(kind: str, mode: Any) -> None:
    """Lamps, buzzer and every word of the view are the same, look by look, but for what the journal has."""
    seen = []
    for play in (illegal_play, legal_play):
        story = begun(kind, MatchOptions(mode=mode, ask=False))
        play(story)
        views = [{**v.to_document(), "pips": None} for v in story.views]
        seen.append(
            (
                views,
                [lights_of(v) for v in story.views],
                [e.type for e in story.told if not e.type.startswith("clock")],
            )
        )
        assert melody_of(story.told) == ""
        assert not {VerdictColour.RED, VerdictColour.GREEN} & {v.verdict for v in story.views}
    assert seen[0] == seen[1]
    assert "illegal" not in json.dumps(seen[0][0]).lower()
    if mode == "recorder":
        assert set(seen[0][1]) == {Lights()}


@BOTH
@pytest.mark.parametrize("mode", ["responsible", "recorder"])
@pytest.mark.parametrize("early", [True, False])
def test_nor_does_pressing_tell_them_apart(kind: str, mode: Any, early: bool) -> None:
    """With a button: before the dice are lifted or after."""
    seen = []
    for moves in (((13, 8), (6, 5)), ((8, 5), (6, 5))):
        story = begun(kind, MatchOptions(mode=mode, ask=False), ClockOptions("delay", press="button"))
        story.moves("light", *moves)
        story.see(20)
        for act in (True, False) if early else (False, True):
            if act:
                story.say(ev.EndTurn())
            else:
                story.lift_dice()
            story.see(30)
        seen.append([{**v.to_document(), "pips": None} for v in story.views])
        assert story.match.view().side == "dark" and story.clock.side == "dark"
    assert seen[0] == seen[1]


@BOTH
@pytest.mark.parametrize("mode", ["responsible", "recorder"])
def test_an_illegal_play_that_nobody_asks_about_stands_and_is_marked(kind: str, mode: Any) -> None:
    story = begun(kind, MatchOptions(mode=mode, ask=False))
    illegal_play(story)
    assert "play_illegal" in types(story.events)
    story.throw(5, 2, side="dark")
    ended = next(e for e in story.events if isinstance(e, ev.TurnEnded))
    assert not ended.legal
    told = next(e for e in story.told if isinstance(e, ev.TurnEnded))
    assert told.legal and told.play == "13/8 6/5"
    view = story.match.view()
    assert (view.phase, view.side, view.dice) == (Phase.PLAY, "dark", (5, 2))
    assert view.last_plays == (("light", "31", "13/8 6/5"),)


@BOTH
def test_a_challenge_of_an_illegal_play_is_answered_and_put_right(kind: str) -> None:
    story = begun(kind, MatchOptions(mode="responsible", ask=False), ClockOptions("delay"))
    illegal_play(story)
    waiting = story.clock
    assert waiting.side == "dark" and waiting.spent > 3
    said = types(story.say(ev.LetStand()))
    assert said[:2] == ["challenged", "challenge_answered"]
    assert story.match.view().verdict is VerdictColour.RED
    assert "play_illegal" in types(story.told)
    assert story.clock.side == "light", "who played it puts it right on his own time"
    assert story.clock.left("dark") == 600.0
    story.hand()
    for source, to in ((8, 13), (5, 6), (6, 5), (8, 5)):
        story.table.move(source, to, "light")
    story.see(12)
    assert "play_corrected" in types(story.told)
    story.throw(5, 2, side="dark")
    ended = next(e for e in story.events if isinstance(e, ev.TurnEnded))
    assert ended.legal and ended.play == "8/5 6/5"


@BOTH
def test_a_challenge_of_a_legal_play_costs_only_time(kind: str) -> None:
    story = begun(kind, MatchOptions(mode="responsible", ask=False))
    legal_play(story)
    story.say(ev.LetStand())
    answer = next(e for e in story.told if isinstance(e, ev.ChallengeAnswered))
    assert (answer.side, answer.legal) == ("dark", True)
    view = story.match.view()
    assert (view.verdict, view.message_code) == (VerdictColour.GREEN, "challenge_legal")
    story.throw(5, 2, side="dark")
    assert story.match.view().verdict is VerdictColour.NONE


@BOTH
def test_a_challenge_comes_after_the_play_and_before_the_roll(kind: str) -> None:
    story = begun(kind, MatchOptions(mode="responsible", ask=False))
    story.moves("light", (13, 8), (6, 5))
    early = story.say(ev.LetStand())
    assert [e.code for e in early if isinstance(e, ev.Refused)] == ["refused_challenge_early"]
    assert story.match.view().verdict is VerdictColour.NONE
    story.lift_dice()
    story.see(40)
    story.throw(5, 2, side="dark")
    late = story.say(ev.LetStand())
    assert [e.code for e in late if isinstance(e, ev.Refused)] == ["refused_challenge_early"]


def test_a_recorder_answers_nobody() -> None:
    story = begun(match=MatchOptions(mode="recorder", ask=False))
    illegal_play(story)
    assert [e.code for e in story.say(ev.LetStand()) if isinstance(e, ev.Refused)] == ["refused_recorder"]


# ------------------------------------------------------------------------------------------------ agreeing


def test_the_table_agrees_with_two_buttons() -> None:
    story = MatchStory(match=MatchOptions())
    story.see(2)
    assert story.match.view().message_code == "ask_legal"
    story.say(ev.TakeBack())
    assert story.match.view().message_code == "ask_responsible"
    assert story.match.view().question
    story.say(ev.LetStand())
    assert (story.match.view().message_code, story.match.view().message_args) == (
        "ask_hints",
        {"side": "light"},
    )
    story.say(ev.LetStand())
    agreed = [e for e in story.say(ev.LetStand()) if isinstance(e, ev.MatchAgreed)]
    assert [(e.mode, e.hints) for e in agreed] == [("responsible", True)]
    assert not story.match.view().question
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    assert types(story.events).count("match_agreed") == 1


@pytest.mark.parametrize("answers", [(True, False), (True, True, False), ()])
def test_hints_are_locked_unless_both_say_yes(answers: tuple[bool, ...]) -> None:
    """The first roll answers for whoever has not."""
    story = MatchStory(match=MatchOptions())
    story.see(6)
    for yes in answers:
        story.say(ev.LetStand() if yes else ev.TakeBack())
    story.throw(3, 1, halves=("light", "dark"))
    agreed = next(e for e in story.events if isinstance(e, ev.MatchAgreed))
    assert (agreed.mode, agreed.hints) == ("legal", False)
    assert story.match.hints_locked and story.match.view().hints_locked
    assert not story.match.view().question


# ------------------------------------------------------------------------------------------------ clocks


@BOTH
def test_lifting_the_dice_is_pressing_at_the_time_of_the_picture(kind: str) -> None:
    story = begun(kind, clock=ClockOptions("delay", delay=0.0))
    story.moves("light", (8, 5), (6, 5))
    story.see(50)
    story.hand(5)
    story.table.lift_dice()
    lifted = story.table.time + 0.1
    story.see(12)
    timed = next(e for e in story.events if isinstance(e, ev.TurnTimed))
    assert timed.ended == pytest.approx(lifted, abs=0.11)
    assert story.clock.side == "dark"
    assert story.clock.left("light") == pytest.approx(600 - timed.seconds, abs=0.01)
    assert story.clock.left("dark") == pytest.approx(600 - (story.table.time - timed.ended), abs=0.01)


@BOTH
@pytest.mark.parametrize("mode", ["legal", "responsible"])
def test_a_throw_that_does_not_count_lifts_no_dice(kind: str, mode: Any) -> None:
    """The next player accepts an illegal play by rolling; of a first roll one die falls off the board."""
    story = begun(kind, MatchOptions(mode=mode, ask=False), ClockOptions("delay", delay=0.0))
    story.moves("light", (13, 8), (6, 5))
    story.see(20)
    story.hand()
    story.table.lift_dice()
    lifted = story.table.time + 0.1
    story.see(40)
    if mode == "responsible":
        story.say(ev.LetStand())
    assert story.match.state.phase is Phase.ILLEGAL
    story.hand()
    story.table.throw(1, 4, "dark")
    story.table.dice = story.table.dice[:1]
    story.see(1)
    story.hand()
    story.lift_dice(looks=20)
    story.throw(5, 2, side="dark", looks=14)
    timed = next(e for e in story.events if isinstance(e, ev.TurnTimed))
    assert timed.side == "light" and timed.ended == pytest.approx(lifted, abs=0.11)
    assert story.clock.side == "dark"


def test_nothing_runs_before_the_opening_roll_and_between_games() -> None:
    story = MatchStory(clock=ClockOptions("delay"))
    story.see(100)
    view = story.match.view().clock
    assert (view.light, view.dark, view.running) == (600, 600, False)


@pytest.mark.parametrize("why", ["pause", "blocked", "cocked"])
def test_the_clock_stands(why: str) -> None:
    story = begun(clock=ClockOptions("delay", delay=0.0))
    legal_play(story)
    before = story.clock.left("dark")
    if why == "pause":
        story.say(ev.Pause())
        story.see(200)
        story.say(ev.Continue())
    elif why == "blocked":
        story.see(200, Gate.DARK)
    else:
        story.throw(5, 2, side="dark", cocked=True)
        assert story.match.view().verdict is VerdictColour.AMBER
        story.see(200)
        story.hand()
        story.table.lift_dice()
        story.see(8)
        story.throw(4, 2, side="dark")
    spent = before - story.clock.left("dark")
    assert spent < {"pause": 0.2, "blocked": 1.8, "cocked": 2.6}[why], "20 s passed"


@BOTH
@pytest.mark.parametrize("mode", ["legal", "responsible", "recorder"])
def test_dice_lifted_to_be_thrown_again_press_nothing(kind: str, mode: Any) -> None:
    """A die leaned and was taken for flat: the second roll is the same player's, and so is the time between."""
    story = begun(kind, MatchOptions(mode=mode, ask=False), ClockOptions("delay", delay=0.0))
    legal_play(story)
    story.throw(5, 2, side="dark", looks=14)
    story.lift_dice(looks=30)
    story.throw(4, 2, side="dark", looks=14)
    story.moves("dark", (8, 4), (6, 4))
    story.see(20)
    story.lift_dice()
    story.see(40)
    story.throw(6, 1, side="light", looks=14)
    light, dark = [e for e in story.events if isinstance(e, ev.TurnTimed)][-2:]
    assert (light.side, dark.side) == ("light", "dark") and dark.began == light.ended
    assert dark.seconds == pytest.approx(dark.ended - dark.began, abs=0.01) and dark.seconds > 8
    assert story.clock.left("dark") == pytest.approx(600 - dark.seconds, abs=0.02)


@pytest.mark.parametrize("mode", ["legal", "responsible", "recorder"])
def test_dice_that_were_never_seen_were_lifted_when_the_board_came_to_rest(mode: Any) -> None:
    """Thrown, played and lifted in one movement, and taken from the play when the other player has rolled."""
    story = begun("steps", MatchOptions(mode=mode, ask=False), ClockOptions("delay", delay=0.0))
    story.match.referee.looks.halves._rolls = [0, 8]  # type: ignore[attr-defined]  # everybody rolls into his own half
    legal_play(story)
    story.hand(10)
    story.table.move(13, 9, "dark")
    story.table.move(6, 5, "dark")
    story.hand(10)
    lifted = story.table.time + 0.1
    story.see(40)
    story.hand(5)
    story.table.throw(6, 2, "light")
    story.see(20)
    dark = next(e for e in reversed(story.events) if isinstance(e, ev.TurnTimed))
    assert any(isinstance(e, ev.DiceRolled) and e.note == "taken from the play" for e in story.events)
    assert dark.side == "dark" and dark.ended == pytest.approx(lifted, abs=0.11)
    assert story.clock.side == "light"
    assert story.clock.left("light") == pytest.approx(
        600 - sum(e.seconds for e in story.events if isinstance(e, ev.TurnTimed) and e.side == "light")
        - (story.table.time - lifted), abs=0.15,
    )  # fmt: skip


def test_a_correction_gives_time_back() -> None:
    story = begun(clock=ClockOptions("delay", delay=0.0))
    legal_play(story)
    assert story.clock.left("dark") < 597
    light = story.clock.left("light")
    story.say(ev.TakeBack())
    assert story.clock.side == "light"
    assert story.clock.left("dark") == 600.0
    story.see(10)
    spent = light - story.clock.left("light") + 600.0 - story.clock.left("dark")
    assert spent == pytest.approx(1.0, abs=0.15), "what passed since, and nothing of before"


@pytest.mark.parametrize(
    ("cost", "yes", "score", "phase"),
    [
        ("loss", True, (0, 5), Phase.OVER), ("loss", False, (0, 0), Phase.PLAY),
        ("points", True, (0, 1), Phase.PLAY), ("announce", True, (0, 0), Phase.PLAY),
    ],
)  # fmt: skip
def test_out_of_time_counts_when_somebody_says_so(
    cost: Any, yes: bool, score: tuple[int, int], phase: Phase
) -> None:
    story = begun(clock=ClockOptions("delay", delay=0.0, minutes=0.1, out_of_time=cost))
    story.see(80)
    assert "time_out" in types(story.told)
    view = story.match.view()
    assert view.message_code == f"out_of_time_{cost}" and view.question and not view.clock.running
    assert view.score == (0, 0) and view.phase is Phase.PLAY, "nothing of it before a person has said so"
    story.say(ev.LetStand() if yes else ev.TakeBack())
    view = story.match.view()
    assert (view.score, view.phase) == (score, phase)
    assert types(story.see(30)).count("time_out") == 0
    if cost == "loss" and yes:
        assert "match_won" in types(story.told)
        assert next(e for e in story.told if isinstance(e, ev.GameWon)).kind == "time"


def test_pressing_by_button() -> None:
    story = begun(clock=ClockOptions("delay", press="button"))
    legal_play(story)
    assert story.clock.side == "light", "lifted, and not pressed yet"
    story.say(ev.EndTurn())
    assert story.clock.side == "dark"
    assert types(story.events).count("turn_timed") == 1


@BOTH
def test_a_power_cut_in_the_middle_of_a_turn(kind: str) -> None:
    """A new referee from the journal goes on with the same agreement and the same seconds, once it sees the table again."""
    clock = ClockOptions("delay", delay=0.0)
    story = begun(kind, MatchOptions(mode="responsible", ask=False), clock)
    legal_play(story)
    story.throw(5, 2, side="dark")
    reading = story.match.keeper.reading(story.table.time)
    events = [ev.Event.from_document(json.loads(json.dumps(e.to_document()))) for e in story.events]
    inner = ENGINES[kind].from_events(events)
    again = MatchPlay(inner, MatchOptions(ask=False), clock, still=0.0)
    again.restore(events)
    again.keeper.resume(*reading)
    assert (again.mode, again.hints_locked) == ("responsible", True)
    table = story.table
    for _ in range(300):
        dark = table.look(Gate.NO_BOARD)
        again.observe(dark, dark.time)
    before = again.keeper.at(table.time)
    assert before.left("dark") == pytest.approx(600 - reading[3], abs=0.01)
    for _ in range(20):
        sighting = table.look()
        again.observe(sighting, sighting.time)
    assert again.keeper.running
    assert before.left("dark") - again.keeper.at(table.time).left("dark") == pytest.approx(2.0, abs=0.15)


@BOTH
@pytest.mark.parametrize("when", ["before it", "meanwhile", "pressed, and not judged yet"])
def test_dice_lifted_around_a_power_cut(kind: str, when: str) -> None:
    """Whenever the power failed: the turn is over, the other player's time runs, and he may ask."""
    clock = ClockOptions("delay", delay=0.0)
    story = begun(kind, MatchOptions(mode="responsible", ask=False), clock)
    story.moves("light", (13, 8), (6, 5))
    story.see(20)
    if when != "meanwhile":
        story.hand()
        story.table.lift_dice()
        while not (story.match.announcer.over and when.startswith("pressed")) and when != "before it":
            story.see(1)
        story.see(6 if when == "before it" else 0)
    events = [ev.Event.from_document(json.loads(json.dumps(e.to_document()))) for e in story.events]
    again = MatchPlay(ENGINES[kind].from_events(events), MatchOptions(ask=False), clock, still=0.0)
    again.restore(events)
    again.keeper.resume(*story.match.keeper.reading(story.table.time))
    story.table.lift_dice()
    story.match = story.referee = again  # type: ignore[assignment]
    story.see(20, Gate.NO_BOARD)
    back = story.table.time
    story.see(40)
    assert again.announcer.over and story.clock.side == "dark"
    assert story.clock.left("dark") == pytest.approx(600 - (story.table.time - back), abs=0.6)
    story.say(ev.LetStand())
    story.see(6)
    assert [e.legal for e in story.events if isinstance(e, ev.ChallengeAnswered)] == [False]


def test_events_survive_the_journal() -> None:
    for event in (
        ev.MatchAgreed(mode="recorder", hints=True), ev.Challenged(side="light"), ev.HintAsked(side=None),
        ev.ChallengeAnswered(side="dark", legal=False, code="wrong_number", reason="no"),
        ev.ClockSet(kind="delay", delay=12.0, light=600.0, dark=600.0), ev.TimeOut(side="dark", penalty="points"),
        ev.ClockChanged(side="light", running=True, light=1.0, dark=2.0, spent=3.0, since=4.0, why="pressed"),
        ev.TurnTimed(side="light", seconds=1.0, began=2.0, ended=3.0), ev.PointsGiven(side="light", points=1, score=(1, 0)),
    ):  # fmt: skip
        assert ev.Event.from_document(json.loads(json.dumps(event.to_document()))) == event


def test_turns_of_an_old_journal_are_still_read() -> None:
    """A journal without any of these events makes a table that has agreed on nothing and has no clock running."""
    story = Story()
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    again = MatchPlay(
        ENGINES["steps"].from_events(story.events), MatchOptions(ask=False), ClockOptions("delay")
    )
    again.restore(story.events)
    assert again.view().phase is Phase.PLAY
    assert not again.keeper.running and not again.hints_locked


@pytest.mark.parametrize("mode", ["responsible", "recorder"])
def test_a_board_that_is_put_right_beside_the_next_dice_takes_no_turn_away(mode: Any) -> None:
    """A checker is moved after the turn: the turn is told, then where the checkers lie, and no word about either."""
    story = begun("steps", MatchOptions(mode=mode, ask=False))
    legal_play(story)
    story.hand()
    story.table.move(13, 11, "light")
    story.see(4)
    assert "turn_ended" not in types(story.told)
    story.throw(4, 2, side="dark")
    words = [e for e in types(story.told) if e in ("turn_ended", "position_corrected", "dice_rolled")]
    assert words[1:] == ["turn_ended", "position_corrected", "dice_rolled"]
    assert not {"play_illegal", "unclear"} & set(types(story.told))
    view = story.match.view()
    assert (view.phase, view.side, view.dice) == (Phase.PLAY, "dark", (4, 2))
    assert view.position.points[10] == 1 and [side for side, _, _ in view.last_plays] == ["light"]


def started_again(story: MatchStory, match: MatchOptions, clock: ClockOptions) -> None:
    """The power fails and comes back: `story` goes on with a new referee from its own journal."""
    events = [ev.Event.from_document(json.loads(json.dumps(e.to_document()))) for e in story.events]
    again = MatchPlay(ENGINES["filter"].from_events(events), match, clock, still=0.0)
    again.restore(events)
    story.match = story.referee = again  # type: ignore[assignment]


def test_a_turn_that_waits_for_its_press_still_does_after_a_power_cut() -> None:
    clock = ClockOptions("delay", press="button")
    story = begun(clock=clock)
    legal_play(story)
    started_again(story, MatchOptions(ask=False), clock)
    story.see(10)
    assert story.clock.side == "light"
    story.say(ev.EndTurn())
    assert story.clock.side == "dark"
    assert types(story.events).count("turn_timed") == 1


def test_time_that_was_forgiven_stays_so_over_a_power_cut() -> None:
    clock = ClockOptions("delay", delay=0.0, minutes=0.1)
    story = begun(clock=clock)
    story.see(400)
    assert story.match.view().question
    story.say(ev.Answer(yes=False))
    started_again(story, MatchOptions(ask=False), clock)
    story.see(40)
    assert story.match.view().question == ""
    assert types(story.events).count("time_out") == 1


def test_a_challenge_is_answered_after_a_power_cut() -> None:
    """It was asked, and the power failed before there was an answer."""
    match, clock = MatchOptions(mode="responsible", ask=False), ClockOptions("delay")
    story = begun("filter", match, clock)
    illegal_play(story)
    story.events.append(ev.Challenged(time=story.table.time, side="dark"))
    started_again(story, match, clock)
    story.see(20)
    assert [e.legal for e in story.events if isinstance(e, ev.ChallengeAnswered)] == [False]


@pytest.mark.parametrize("mode", ["legal", "responsible"])
def test_dice_that_are_not_found_again_after_a_power_cut_press_nothing_before_the_play(mode: Any) -> None:
    """Nothing had been played yet: whoever has not moved has not lifted his dice for good either."""
    match, clock = MatchOptions(mode=mode, ask=False), ClockOptions("delay", delay=0.0)
    story = begun("filter", match, clock)
    legal_play(story)
    story.throw(5, 2, side="dark", looks=14)
    started_again(story, match, clock)
    story.table.lift_dice()  # They lie there, and vision does not find them.
    story.see(60)
    assert story.clock.side == "dark"
    story.hand(10)
    story.table.move(8, 3, "dark")
    story.table.move(6, 4, "dark")
    played = story.table.time
    story.see(60)
    story.throw(4, 1, side="light", looks=20)
    (timed,) = [e for e in story.events if isinstance(e, ev.TurnTimed) and e.side == "dark"]
    assert timed.ended == pytest.approx(played, abs=0.7) and timed.seconds > 6.0


def test_dice_that_were_lifted_before_the_power_came_back_ended_the_turn_then() -> None:
    """The referee is not sure of the play until the next dice lie there, which is no fault of its player."""
    match, clock = MatchOptions(ask=False), ClockOptions("delay", delay=0.0)
    story = begun("filter", match, clock)
    legal_play(story)
    story.throw(5, 2, side="dark", looks=14)
    story.moves("dark", (8, 3), (6, 3))
    story.table.lift_dice()
    started_again(story, match, clock)
    back = story.table.time
    story.see(80)
    assert story.clock.side == "dark", "asked, or still in doubt"
    story.throw(4, 2, side="light", looks=20)
    (timed,) = [e for e in story.events if isinstance(e, ev.TurnTimed) and e.side == "dark"]
    assert timed.ended == pytest.approx(back, abs=0.3)


def test_dice_lifted_to_be_thrown_again_end_no_turn_whose_next_dice_were_not_seen() -> None:
    """A die leaned; the dice were rolled again, played and lifted behind a hand, and the play fits what had lain there."""
    story = begun("steps", MatchOptions(ask=False), ClockOptions("delay", delay=0.0))
    legal_play(story)
    story.throw(4, 2, side="dark", cocked=True)
    story.lift_dice(looks=30)
    story.hand(40)
    story.table.move(8, 4, "dark")
    story.table.move(6, 4, "dark")
    story.table.lift_dice()
    lifted = story.table.time
    story.see(30)
    story.throw(6, 1, side="light", looks=20)
    assert "played although to be thrown again" in [
        e.note for e in story.events if isinstance(e, ev.DiceRolled)
    ]
    (timed,) = [e for e in story.events if isinstance(e, ev.TurnTimed) and e.side == "dark"]
    assert timed.ended == pytest.approx(lifted, abs=0.2)


def dark_on_the_bar() -> MatchStory:
    """At a table where everybody rolls into his own half, light has played and lifted, and dark can enter with few rolls."""
    story = begun("steps", MatchOptions(ask=False), ClockOptions("delay", delay=0.0))
    shut = Position.from_document(
        {
            "points": [0, 2, 2, 2, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4, -4, -2, -2, -2, 0, 0, 4],
            "bar": {"light": 0, "dark": 1},
            "off": {"light": 0, "dark": 0},
        }
    )
    story.match.referee.looks.halves._rolls = [0, 8]  # type: ignore[attr-defined]
    story.table.put(shut)
    story.say(ev.SetPosition(position=shut, side="light"))
    story.see()
    story.throw(2, 1, side="light", looks=20)
    story.moves("light", (24, 22), (24, 23))
    story.lift_dice(looks=20)
    assert story.clock.side == "dark"
    return story


@pytest.mark.parametrize("seen", [True, False])
def test_a_roll_that_could_not_be_played_and_was_lifted_at_once_ended_its_turn(seen: bool) -> None:
    """It lay there beside the hand only. seen: vision has read it there; otherwise light's own play tells that dark had rolled too."""
    story = dark_on_the_bar()
    story.hand(5)
    story.table.throw(6, 5, side="dark")
    if seen:
        story.see(8, Gate.MOVING)
    else:
        story.hand(8)
    story.table.lift_dice()
    story.hand(4)
    lifted = story.table.time + 0.1
    story.see(30)
    story.throw(5, 1, side="light", looks=20)
    if not seen:
        assert story.match.state.side is None
        story.moves("light", (7, 2), (24, 23))
    timed = [e for e in story.events if isinstance(e, ev.TurnTimed) and e.side == "dark"]
    if seen:
        assert "seen once" in [e.note for e in story.events if isinstance(e, ev.DiceRolled)]
        assert timed[-1].ended == pytest.approx(lifted, abs=0.15)
    else:
        # No turn of dark's is in the record, so there is none to be timed.
        assert not timed
    assert story.clock.side == "light" and story.match.keeper.turn is not None
    assert story.match.keeper.turn.began == pytest.approx(lifted, abs=0.15)


def test_dice_that_were_lifted_from_an_illegal_play_before_the_power_failed_ended_the_turn_then(
    tmp_path: Path,
) -> None:
    """Nobody puts it right and the other player rolls on: what passed since the dice were gone was his time."""
    match, clock = MatchOptions(ask=False), ClockOptions("delay", delay=0.0)
    story = begun("steps", match, clock)
    legal_play(story)
    story.throw(5, 2, side="dark", looks=14)
    began = story.match.keeper.turn.began  # type: ignore[union-attr]
    story.moves("dark", (8, 3), (6, 5))
    file = ClockFile(tmp_path / "session.clock")
    story.lift_dice(looks=1)
    lifted = story.table.time
    for _ in range(60):
        story.see(1)
        file.keep(story.match.keeper, story.table.time)
    failed = story.table.time
    assert "play_illegal" in types(story.events)
    started_again(story, match, clock)
    ClockFile(file.path).take_over(story.match.keeper)
    back = story.table.time
    story.see(10)
    story.throw(4, 2, side="light", looks=20)
    (dark,) = [e for e in story.events if isinstance(e, ev.TurnTimed) and e.side == "dark"]
    assert dark.seconds == pytest.approx(lifted - began, abs=0.3)
    assert story.clock.spent == pytest.approx(failed - lifted + story.table.time - back, abs=1.2)


def test_the_clock_stands_while_dice_are_to_be_thrown_again_and_are_played_instead() -> None:
    """Amber costs nobody anything; and the journal does not say that the clock went on before it stood."""
    story = begun("steps", MatchOptions(ask=False), ClockOptions("delay", delay=0.0))
    legal_play(story)
    story.throw(5, 2, side="dark", cocked=True, looks=20)
    stopped = next(e for e in reversed(story.events) if isinstance(e, ev.ClockChanged))
    assert stopped.stopped_by == "throw"
    story.see(60)
    asked = story.table.time
    story.moves("dark", (13, 8), (6, 4))
    story.lift_dice(looks=60)
    (dark,) = [e for e in story.events if isinstance(e, ev.TurnTimed) and e.side == "dark"]
    on = [e for e in story.events if isinstance(e, ev.ClockChanged) and e.why == "started"][-1]
    assert on.since > asked
    before, after = stopped.since - dark.began, max(0.0, dark.ended - on.since)
    assert dark.seconds == pytest.approx(before + after, abs=0.1)


@pytest.mark.parametrize("hand", ["goes", "rests", "plays on"])
def test_a_hand_that_rests_after_a_play_was_put_right_costs_its_player_nothing(hand: str) -> None:
    """The dice were lifted, so the turn is over when the checkers lie there: not when the hand that lies beside them has gone."""
    story = begun("steps", MatchOptions(ask=False), ClockOptions("delay", delay=0.0))
    illegal_play(story)
    story.see(4, Gate.MOVING)
    story.table.move(8, 13, "light")
    story.see(10)
    story.see(6, Gate.MOVING)
    story.table.move(8, 5, "light")
    played = story.table.time
    if hand == "rests":
        story.see(30, Gate.HAND)
        story.see(3, Gate.MOVING)
    elif hand == "plays on":
        # A checker was held all the while.
        story.see(30, Gate.HAND)
        story.see(9, Gate.MOVING)
        played = story.table.time
    story.see(1)
    story.see(4, Gate.MOVING)
    story.table.throw(6, 2, "dark")
    story.see(20)
    assert "play_corrected" in types(story.events)
    timed = next(e for e in story.events if isinstance(e, ev.TurnTimed))
    assert timed.side == "light" and timed.ended == pytest.approx(played, abs=0.15)
