"""A whole game on rendered pictures, from the camera to the pins: what the lamps and the buzzer did, as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.tones import Tone

from pi_board.camera.simulated import SimulatedCamera
from pi_board.events import (
    CubeOffered,
    CubePassed,
    DiceRolled,
    Event,
    GameStarted,
    GameWon,
    MatchStarted,
    OpeningThrown,
    PlayCorrected,
    PlayIllegal,
    PlayMade,
    PlayTakenBack,
    TurnEnded,
)
from pi_board.hints.options import HintsOptions
from pi_board.output import Moment
from pi_board.panel.options import PanelOptions
from pi_board.panel.panel import Panel
from pi_board.panel.pins import load_pins
from pi_board.panel.signals import BLINK, MELODIES
from pi_board.referee import RefereeOptions
from pi_board.rules import RULE_SETS
from pi_board.session.app import App
from pi_board.session.demo import PRESSED, heard
from pi_board.session.finding_reader import FindingReader
from pi_board.session.sitting import Sitting
from pi_board.simulator import SimulatorOptions
from pi_board.vision.profile import load_profile

pytestmark = pytest.mark.slow
PINS = load_pins()


#: Hz that gpiozero gives a pin while nothing sounds.
IDLE = 100


class TunedPin(MockPWMPin):
    """A pin that also remembers the frequencies it was given while it sounds. notes: Hz, in order."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.notes: list[float] = []
        super().__init__(*args, **kwargs)

    def _set_frequency(self, value: float | None) -> None:
        super()._set_frequency(value)
        if value is not None:
            self.notes.append(value)


class Players:
    """An output like the table itself: the two players hear the referee and press the panel's buttons."""

    def __init__(self, camera: SimulatedCamera) -> None:
        self.camera = camera
        self.app: App | None = None

    def show(self, moment: Moment) -> None:
        assert self.app is not None
        for event in moment.events:
            if word := heard(event):
                self.camera.tell(word)
        for button in self.camera.pressed():
            self.app.submit(PRESSED[button]())

    def close(self) -> None: ...


class PinWatch:
    """Reads after every moment what the pins of the lamps do and which notes were put on the buzzer's pin."""

    def __init__(self, panel: Panel, factory: MockFactory) -> None:
        assert panel.lamps is not None and panel.buzzer is not None
        self.panel, self.factory = panel, factory
        self.heard: list[str] = []
        self.story: list[tuple[str, str, str]] = []
        self._lit = ""
        play = panel.buzzer.play

        def listen(name: str) -> None:
            self.heard.append(name)
            play(name)

        panel.buzzer.play = listen  # type: ignore[method-assign]

    def show(self, moment: Moment) -> None:
        lit = []
        assert self.panel.lamps is not None
        for name, led in self.panel.lamps._leds.items():
            blinking = led._blink_thread is not None and led._blink_thread.is_alive()
            pattern = getattr(self.panel.lamps._now, name)
            assert blinking == (pattern in BLINK), (name, pattern)
            if not blinking:
                assert self.factory.pin(PINS.leds[name]).state == (pattern == "on"), (name, pattern)
            if pattern != "off":
                lit.append(f"{name}:{pattern}")
        now, sound = " ".join(lit), ",".join(self.heard)
        what = "; ".join(filter(None, map(word, moment.events)))
        self.heard.clear()
        if now != self._lit or sound or what:
            self.story.append((what, now, sound))
        self._lit = now

    def close(self) -> None: ...


def word(event: Event) -> str:
    """What happened, as short as a table wants it; "" for what neither lamps nor buzzer tell."""
    match event:
        case DiceRolled():
            return f"{event.side} rolls {event.dice[0]}-{event.dice[1]}"
        case PlayMade():
            return f"{event.side} {event.play}"
        case PlayIllegal():
            return f"{event.side} illegal"
        case PlayTakenBack():
            return f"{event.side} takes back"
        case PlayCorrected():
            return f"{event.side} corrects"
        case CubeOffered():
            return f"{event.side} doubles"
        case CubePassed():
            return f"{event.side} passes"
        case GameWon():
            return f"{event.side} wins {event.points}"
        case GameStarted():
            return "set up"
        case TurnEnded():
            return "dice lifted"
        case MatchStarted() | OpeningThrown():
            return ""
    # Amber, a doubt, a question: none belongs in this game.
    return event.type


def test_story(tmp_path: Path) -> None:
    """Ten turns: an illegal opening play put right, a dance from the bar, a double that is passed."""
    camera = SimulatedCamera(SimulatorOptions(seed=1, games=1, cheat=0.15, pace="brisk"))
    sitting = Sitting.at_the_table(
        FindingReader(load_profile("jumbo-travel")),
        rules=RULE_SETS["international"],
        options=RefereeOptions(),
        match_length=0,
        names=("Light", "Dark"),
        folder=tmp_path,
        go_on=False,
    )
    factory = MockFactory(pin_class=TunedPin)
    panel = Panel(PanelOptions(), lambda word: None, clock=lambda: "12:00", pin_factory=factory)
    assert panel.notices == []
    watch, players = PinWatch(panel, factory), Players(camera)
    app = App(lambda: camera, sitting, [panel, watch, players], hints=HintsOptions(coach=False))
    players.app = app
    app.run()
    assert watch.story == STORY
    # The notes at the buzzer's own pin, in the order of the melodies; closing the panel may cut the last one short.
    wanted = [Tone(n).frequency for m in ("illegal", "corrected", "double") for n, _ in MELODIES[m] if n]
    notes = [n for n in factory.pin(PINS.buzzer).notes if n != IDLE]
    assert notes[: len(wanted)] == pytest.approx(wanted)
    # No lamp but those of the story was ever lit, and all are dark at the end.
    told = {lamp.partition(":")[0] for _, lit, _ in STORY for lamp in lit.split()}
    for name, number in PINS.leds.items():
        states = [s.state for s in factory.pin(number).states]
        assert any(states) == (name in told), name
        assert not factory.pin(number).state, name


#: What happened, the lamps from then on, the melody.
STORY = [
    ("set up", "", ""),
    ("light rolls 4-2", "turn_light:slow", ""),
    ("light illegal", "turn_light:slow verdict_red:fast", "illegal"),
    ("light takes back", "turn_light:slow", ""),
    ("light corrects", "turn_light:on verdict_green:on", "corrected"),
    ("dice lifted", "turn_dark:on", ""),
    ("dark rolls 4-3", "turn_dark:slow", ""),
    ("dark 13/6", "turn_dark:on verdict_green:on", ""),
    ("dice lifted", "turn_light:on", ""),
    ("light rolls 4-4", "turn_light:slow", ""),
    ("light 13/5(2)", "turn_light:on verdict_green:on", ""),
    ("dice lifted", "turn_dark:on", ""),
    ("dark rolls 4-1", "turn_dark:slow", ""),
    ("dark 13/8", "turn_dark:on verdict_green:on", ""),
    ("dice lifted", "turn_light:on", ""),
    ("light rolls 6-5", "turn_light:slow", ""),
    ("light 13/2", "turn_light:on verdict_green:on", ""),
    ("dice lifted", "turn_dark:on", ""),
    ("dark rolls 3-1", "turn_dark:slow", ""),
    ("dark 8/5 6/5", "turn_dark:on verdict_green:on", ""),
    ("dice lifted", "turn_light:on", ""),
    ("light rolls 5-1", "turn_light:slow", ""),
    ("light 8/2", "turn_light:on verdict_green:on", ""),
    ("dice lifted", "turn_dark:on", ""),
    ("dark rolls 6-3", "turn_dark:slow", ""),
    ("dark 13/7 8/5", "turn_dark:on verdict_green:on", ""),
    ("dice lifted", "turn_light:on", ""),
    ("light rolls 6-3", "turn_light:slow", ""),
    ("light 24/18*/15", "turn_light:on verdict_green:on", ""),
    ("dice lifted", "turn_dark:on", ""),
    # On the bar against closed points: nothing to play, nothing to judge.
    ("dark rolls 6-5", "turn_dark:slow", ""),
    ("dice lifted", "turn_light:on", ""),
    ("light doubles", "turn_dark:slow", "double"),
    ("dark passes; light wins 1", "", "game_won"),
]
