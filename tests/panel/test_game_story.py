"""A whole simulated game refereed with the panel on mock pins: what lights, buzzer and buttons did, as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from pi_board.errors import InvalidSettingsError
from pi_board.events import (
    CubeOffered,
    Event,
    GameWon,
    LetStand,
    OfferDouble,
    PlayIllegal,
    SetPosition,
    TakeDouble,
)
from pi_board.output import Moment
from pi_board.panel.options import PanelOptions
from pi_board.panel.panel import Panel
from pi_board.panel.pins import PinMap, load_pins, pins_from
from pi_board.panel.signals import BLINK, MELODIES, SOUNDS, lights_of, melody_from, melody_of, melody_text
from pi_board.referee import Referee
from pi_board.rules import STARTING_POSITION, Position
from pi_board.setup.settings import load_settings
from pi_board.table import Phase, TableView, VerdictColour
from tests.panel.test_display import until
from tests.referee.synthetic import Story, Table

PINS = load_pins()


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


class Recorder:
    """A panel that writes down what each lamp is told to do and which melody is played, moment by moment."""

    def __init__(self, factory: MockFactory, options: PanelOptions | None = None) -> None:
        self.pressed: list[str] = []
        self.panel = Panel(
            options or PanelOptions(), self.pressed.append, clock=lambda: "12:00", pin_factory=factory
        )
        assert self.panel.notices == []
        self.story: list[tuple[str, str, str]] = []
        assert self.panel.buzzer is not None and self.panel.lamps is not None
        self.heard: list[str] = []
        self.panel.buzzer.play = self.heard.append  # type: ignore[method-assign]

    def show(self, what: str, view: TableView, events: list[Event]) -> None:
        self.heard.clear()
        self.panel.show(Moment(0.0, view, tuple(events)))
        assert self.panel.lamps is not None
        lit = []
        for name, led in self.panel.lamps._leds.items():
            # What the pin really does, not what it was told.
            blinking = led._blink_thread is not None and led._blink_thread.is_alive()
            pattern = getattr(self.panel.lamps._now, name)
            assert blinking == (pattern in BLINK), (name, pattern)
            if not blinking:
                assert led.pin.state == (1 if pattern == "on" else 0), (name, pattern)
            if pattern != "off":
                lit.append(f"{name}:{pattern}")
        self.story.append((what, " ".join(lit), ",".join(self.heard)))


class TableWithPanel(Story):
    """`Story` whose every act is shown on a panel."""

    def __init__(
        self, recorder: Recorder, table: Table | None = None, referee: Referee | None = None
    ) -> None:
        super().__init__(table, referee)
        self.recorder = recorder

    def act(self, what: str, do: Callable[[], list[Event]]) -> list[Event]:
        events = do()
        self.recorder.show(what, self.referee.view(), events)
        return events


def test_the_story_of_a_game(factory: MockFactory) -> None:
    """Set-up, opening, a legal play, an illegal one put right, a throw outside, a double, the end of the game."""
    recorder = Recorder(factory)
    t = TableWithPanel(recorder)
    recorder.show("power on", t.referee.view(), [])
    t.act("set up", t.see)
    t.act("opening 3-1", lambda: t.throw(3, 1, halves=("light", "dark")))
    t.act("light 8/5 6/5", lambda: t.moves("light", (8, 5), (6, 5)))
    t.act("dice lifted", t.lift_dice)
    t.act("dark 6-4 outside", lambda: t.throw(6, 4, "dark", halves=("outside", "dark")))
    t.act("dark 6-4", lambda: t.throw(6, 4, "dark"))
    t.act("dark 24/18 13/10", lambda: t.moves("dark", (24, 18), (13, 10)))
    t.act("dark 10/9 instead", lambda: t.moves("dark", (10, 9)))
    t.act("dice lifted", t.lift_dice)
    t.act("light doubles", lambda: t.say(OfferDouble(side="light")))
    t.act("dark takes", lambda: t.say(TakeDouble()))
    t.act("light 6-5", lambda: t.throw(6, 5, "light"))
    t.act("light 13/7 13/10", lambda: t.moves("light", (13, 7), (13, 10), looks=30))
    t.act("it stands", lambda: t.say(LetStand()))
    recorder.panel.close()
    assert recorder.story == [
        ("power on", "", ""),
        ("set up", "", ""),
        ("opening 3-1", "turn_light:slow", ""),
        ("light 8/5 6/5", "turn_light:on verdict_green:on", ""),
        ("dice lifted", "turn_dark:on", ""),
        ("dark 6-4 outside", "turn_dark:on verdict_amber:slow", "throw_again"),
        ("dark 6-4", "turn_dark:slow", ""),
        ("dark 24/18 13/10", "turn_dark:slow verdict_red:fast", "illegal"),
        ("dark 10/9 instead", "turn_dark:on verdict_green:on", "corrected"),
        ("dice lifted", "turn_light:on", ""),
        ("light doubles", "turn_dark:slow", "double"),
        ("dark takes", "turn_light:on", ""),
        ("light 6-5", "turn_light:slow", ""),
        ("light 13/7 13/10", "turn_light:slow verdict_red:fast", "illegal"),
        ("it stands", "turn_dark:on", ""),
    ]
    assert all(factory.pin(p).state == 0 for p in PINS.leds.values()), "dark when the program ends"


def test_the_story_of_the_last_roll(factory: MockFactory) -> None:
    points = [0] * 24
    points[0], points[22] = 2, -2
    end = Position(tuple(points), (0, 0), (13, 13))
    recorder = Recorder(factory)
    t = TableWithPanel(recorder, Table(position=end))
    t.say(SetPosition(position=end, side="light"))
    t.act("look", t.see)
    t.act("light 2-1", lambda: t.throw(2, 1, "light"))
    t.act("both off", lambda: t.moves("light", (1, 0), (1, 0)))
    t.act("dice lifted", t.lift_dice)
    recorder.panel.close()
    assert recorder.story == [
        ("look", "turn_light:on", ""),
        ("light 2-1", "turn_light:slow", ""),
        ("both off", "", "game_won"),
        ("dice lifted", "", ""),
    ]


# --------------------------------------------------------------------------------------------- signals

VIEW = TableView(side="light", position=STARTING_POSITION)


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("side", ["light", "dark"])
def test_turn_lamps(phase: Phase, side: str) -> None:
    lights = lights_of(replace(VIEW, phase=phase, side=side))  # type: ignore[arg-type]
    mine, other = (
        (lights.turn_light, lights.turn_dark) if side == "light" else (lights.turn_dark, lights.turn_light)
    )
    assert other == "off"
    rests = phase in (Phase.WAITING, Phase.OVER, Phase.PAUSED)
    acts = phase in (Phase.PLAY, Phase.ILLEGAL, Phase.DOUBLED, Phase.RESIGNED)
    assert mine == ("off" if rests else "slow" if acts else "on")


def test_verdicts_are_told_apart_without_colour() -> None:
    """One lamp at a time, each with a pattern of its own: place and rhythm say it, colour only repeats it."""
    patterns = {}
    for verdict in (VerdictColour.GREEN, VerdictColour.AMBER, VerdictColour.RED):
        lights = lights_of(replace(VIEW, verdict=verdict))
        lit = {
            n: p
            for n in ("verdict_green", "verdict_amber", "verdict_red")
            if (p := getattr(lights, n)) != "off"
        }
        assert list(lit) == [f"verdict_{verdict.value}"]
        patterns[verdict] = lit[f"verdict_{verdict.value}"]
    assert len(set(patterns.values())) == 3
    on_off = {BLINK[p] for p in patterns.values() if p in BLINK}
    assert max(a for a, _ in on_off) > 4 * min(a for a, _ in on_off), "rhythms that cannot be confused"


def test_melodies() -> None:
    assert set(SOUNDS.values()) <= set(MELODIES)
    assert all(0.1 <= sum(s for _, s in notes) <= 1.6 for notes in MELODIES.values())
    illegal = PlayIllegal(
        side="light", dice=(3, 1), code="x", reason="", position=STARTING_POSITION, seen=STARTING_POSITION
    )
    won = GameWon(side="light", points=1, kind="single")
    assert melody_of(()) == ""
    assert melody_of([illegal]) == "illegal"
    assert melody_of([won, illegal]) == "game_won", "the weightier one"
    assert melody_of([CubeOffered(side="light", value=2)]) == "double"


# ------------------------------------------------------------------------------------------- the parts


def test_the_guide_has_every_word_as_it_sounds() -> None:
    """hardware/README.md and the program say the same."""
    guide = (Path(__file__).resolve().parents[2] / "hardware" / "README.md").read_text(encoding="utf-8")
    for word, melody in MELODIES.items():
        assert f"| {word} | `{melody_text(melody)}` |" in guide
        assert melody_from(melody_text(melody)) == melody


@pytest.mark.parametrize(
    ("sounds", "message"),
    [
        ({"ilegal": "A4:100"}, "no such word 'ilegal'; known: illegal"),
        ({"illegal": "H4:100"}, "illegal: expected notes from C2 to B6"),
        ({"illegal": "A4"}, "got 'A4'"),
        ({"illegal": "A4:2000 A4:2000"}, "3 s at most, got 4 s"),
    ],
)
def test_sounds_that_cannot_be_played(sounds: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidSettingsError, match=message):
        PanelOptions(sounds=sounds)


def test_own_sounds_from_the_settings_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[panel.sounds]\nillegal = "E4:600"\nquestion = ""\n', encoding="utf-8")
    melodies = load_settings(file).panel.melodies()
    assert (
        melodies["illegal"] == (("E4", 0.6),)
        and melodies["question"] == ()
        and melodies["double"] == MELODIES["double"]
    )


@pytest.mark.parametrize(
    ("options", "clock", "notes"),
    [
        (PanelOptions(sounds={"illegal": "E4:60"}), "12:00", 1),
        (PanelOptions(sounds={"illegal": ""}), "12:00", 0),
        (PanelOptions(), "12:00", len(MELODIES["illegal"])),
        (PanelOptions(buzzer="short"), "12:00", 1),
        (PanelOptions(quiet_from="22:00", quiet_to="07:00"), "23:30", 0),
        (PanelOptions(quiet_from="22:00", quiet_to="07:00"), "06:59", 0),
        (PanelOptions(quiet_from="22:00", quiet_to="07:00"), "07:00", len(MELODIES["illegal"])),
        (PanelOptions(quiet_from="13:00", quiet_to="14:00"), "13:30", 0),
    ],
)
def test_buzzer(factory: MockFactory, options: PanelOptions, clock: str, notes: int) -> None:
    """What reaches the pin: the notes of the melody as frequencies, the first alone, or nothing in quiet hours."""
    panel = Panel(options, lambda word: None, clock=lambda: clock, pin_factory=factory)
    assert panel.buzzer is not None
    played: list[str] = []
    device = panel.buzzer._device
    play = device.play

    def listen(tone: object) -> None:
        played.append(str(tone))
        play(tone)

    device.play = listen
    stop = device.stop
    device.stop = lambda: (played.append("rest"), stop())
    panel.buzzer.play("illegal")
    wanted = [n for n, _ in options.melodies()["illegal"][:notes]]
    if notes:
        assert until(lambda: len(played) >= notes + 1)
        assert factory.pin(PINS.buzzer).frequency is None or played
        assert len([p for p in played if p != "rest"]) == len([n for n in wanted if n])
    panel.close()
    if not notes:
        assert [p for p in played if p != "rest"] == []
    assert factory.pin(PINS.buzzer).state == 0


def test_buzzer_off_needs_no_pin(factory: MockFactory) -> None:
    panel = Panel(PanelOptions(buzzer="off"), lambda word: None, clock=lambda: "12:00", pin_factory=factory)
    assert panel.buzzer is None and panel.notices == []
    panel.close()


def test_buttons(factory: MockFactory) -> None:
    """Four presses, bouncing or not, and the long presses that are no short ones."""
    pressed: list[str] = []
    panel = Panel(PanelOptions(hold_seconds=1.0), pressed.append, clock=lambda: "12:00", pin_factory=factory)
    for name in ("hint", "stands", "take_back", "next"):
        pin = factory.pin(PINS.buttons[name])
        pin.drive_low()
        assert until(lambda name=name: name in ("hint", "take_back", "next") or name in pressed)
        pin.drive_high()
        assert until(lambda name=name: pressed[-1:] == [name]), pressed
    for name, held in (("take_back", "resign"), ("hint", "director"), ("next", "shutdown")):
        pin = factory.pin(PINS.buttons[name])
        pin.drive_low()
        assert until(lambda held=held: pressed[-1:] == [held])
        pin.drive_high()
    assert pressed == ["hint", "stands", "take_back", "next", "resign", "director", "shutdown"]
    panel.close()


@pytest.mark.skipif(any(Path("/dev").glob("gpiochip*")), reason="this machine has pins")
def test_no_gpio_at_all() -> None:
    """A desktop: one sentence, and everything else works."""
    panel = Panel(PanelOptions(), lambda word: None, clock=lambda: "12:00")
    assert len(panel.notices) == 1 and "no GPIO here" in panel.notices[0] and "\n" not in panel.notices[0]
    panel.show(Moment(0.0, replace(VIEW, verdict=VerdictColour.RED)))
    panel.close()


def test_a_pin_that_is_taken_leaves_the_rest(factory: MockFactory) -> None:
    from gpiozero import LED

    other = LED(PINS.leds["turn_dark"], pin_factory=factory)
    panel = Panel(PanelOptions(), lambda word: None, clock=lambda: "12:00", pin_factory=factory)
    assert len(panel.notices) == 1 and panel.notices[0].startswith("lights: no GPIO here (")
    assert panel.lamps is None and panel.buttons is not None and panel.buzzer is not None
    panel.show(Moment(0.0, VIEW))
    panel.close()
    other.close()


# ---------------------------------------------------------------------------------------------- pin map


def test_the_pin_map_of_the_project() -> None:
    assert set(PINS.leds) == {"turn_light", "turn_dark", "verdict_green", "verdict_amber", "verdict_red"}
    assert set(PINS.buttons) == {"hint", "stands", "take_back", "next"}
    assert PINS.buzzer is not None and len(set(PINS.all().values())) == len(PINS.all())
    # Hardware that the pins belong to: I2C 1 and SPI 0 lie where the header has them.
    assert (PINS.reserved["i2c_sda"], PINS.reserved["i2c_scl"]) == (2, 3)
    assert (PINS.reserved["spi_mosi"], PINS.reserved["spi_sclk"], PINS.reserved["spi_ce0"]) == (10, 11, 8)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"leds": {"turn_light": 17, "turn_dark": 17}}, "pins: GPIO17 is used twice: leds.turn_light and leds.turn_dark"),
        ({"leds": {"turn_light": 2}, "reserved": {"i2c_sda": 2}}, "GPIO2 is used twice: leds.turn_light and reserved.i2c_sda"),
        ({"leds": {"turn_ligth": 17}}, "[leds] turn_ligth: expected one of turn_light"),
        ({"lamps": {"x": 17}}, "[lamps]: expected one of leds, buttons, buzzer, reserved"),
        ({"leds": {"turn_light": 28}}, "expected a BCM number from 2 to 27, got 28"),
        ({"leds": {"turn_light": True}}, "expected a BCM number from 2 to 27, got True"),
        ({"leds": 5}, "[leds]: expected"),
    ],
)  # fmt: skip
def test_pin_map_mistakes(document: dict, message: str) -> None:
    with pytest.raises(InvalidSettingsError) as caught:
        pins_from(document)
    assert message in str(caught.value)


def test_pin_map_file_mistakes(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettingsError, match="cannot be read"):
        load_pins(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("[leds\n")
    with pytest.raises(InvalidSettingsError, match="not valid TOML"):
        load_pins(tmp_path / "bad.toml")
    assert isinstance(load_pins(), PinMap)
