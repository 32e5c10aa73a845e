"""Settings of the simulated table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pi_board.errors import InvalidSettingsError
from pi_board.rules import RuleSet

#: What can be made to go wrong at the start of a turn.
FAULTS: tuple[str, ...] = (
    "cocked", "on_checker", "outside", "knocked", "bump", "lamp", "dusk", "blur", "blocked", "dropped", "turned",
    "early_roll", "hand_rests", "coffee", "lights_off", "missing", "phone", "cup",
    "cup_moved", "cup_lifted", "shadow", "talk", "wrong_side", "cheat", "new_game",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pace:
    """Frames per phase at ten frames a second.

    reach, carry, away: of the hand. look: dice at rest before the first move. pause: between two checkers.
    listen: after the play before the dice are lifted. lifted: before the next throw. attentive: a phase ends as
    soon as the referee has spoken.
    """

    reach: int
    carry: int
    away: int
    look: int
    pause: int
    listen: int
    lifted: int
    attentive: bool = False


PACES: dict[str, Pace] = {
    "natural": Pace(reach=3, carry=3, away=3, look=14, pause=5, listen=18, lifted=26),
    "brisk": Pace(reach=2, carry=2, away=2, look=14, pause=1, listen=16, lifted=24, attentive=True),
    "sparse": Pace(reach=1, carry=0, away=0, look=14, pause=0, listen=18, lifted=10, attentive=True),
}


@dataclass(frozen=True, slots=True)
class Habits:
    """Chances per turn of what people do. All of it is honest; cheating is `SimulatorOptions.cheat`.

    cocked: a throw that does not count. lift_early: dice lifted without waiting. take_back: plays, takes back,
    plays otherwise. hesitate: long pause between two checkers. keep_hit: the hit checker stays in the hand. knock:
    a checker is knocked and put back. early_roll: throws before the other has lifted. rest: a hand lies on
    the board. hasty: plays as soon as the dice lie. coffee: a long pause. untidy: borne-off checkers left lying about. relent: told off, a cheat puts it right.
    """

    cocked: float = 0.02
    lift_early: float = 0.0
    take_back: float = 0.0
    hesitate: float = 0.0
    keep_hit: float = 0.0
    knock: float = 0.0
    early_roll: float = 0.0
    rest: float = 0.0
    hasty: float = 0.0
    coffee: float = 0.0
    untidy: float = 0.0
    relent: float = 0.8


HABITS: dict[str, Habits] = {
    "honest": Habits(),
    "careless": Habits(
        cocked=0.05, lift_early=0.08, take_back=0.08, hesitate=0.15, keep_hit=0.4, knock=0.03, early_roll=0.02,
        rest=0.03, hasty=0.05, coffee=0.01, untidy=0.5,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SimulatorOptions:
    """One simulated table.

    seed: everything random follows from it. style: travel, wood, felt or drawn-N
    (a set in colours and measures drawn from the number N). near, home: seating. rules: preset of
    `RULE_SETS`, or a rule set with house rules. games: how many are played, 0 = without end. match_length: 0 = money. players: honest or careless.
    cheat: chance per turn of an illegal play. cube: chance that a double that is wanted is offered. pace: natural, brisk or
    sparse. fps: frames per second of simulated time. width, height: pixels. light: a preset of `light.PRESETS`.
    noise: sensor noise in grey levels. blur: of a lens that is not quite in focus, Gaussian sigma in pixels of a picture 1280 wide. jitter: how carelessly checkers are placed, 1 = as people do.
    tilt: of the camera in degrees. mount: how else it hangs, usual or drawn-N (turned, off the middle, with another lens;
    drawn from the number N). arm: of the camera, stiff or drawn-N (it sways and sinks). sky: steady or drawn-N (clouds). patience: seconds that the players wait, the board set up, until the referee has seen it.
    faults: (turn, name) pairs, see FAULTS; "cheat": an illegal play that is put right when it
    is told.
    """

    seed: int = 1
    style: str = "travel"
    near: Literal["light", "dark"] = "light"
    home: Literal["right", "left"] = "right"
    rules: str | RuleSet = "international"
    games: int = 1
    match_length: int = 0
    players: str = "honest"
    cheat: float = 0.0
    cube: float = 0.25
    pace: str = "natural"
    fps: float = 10.0
    width: int = 1280
    height: int = 720
    light: str = "mixed"
    noise: float = 2.2
    blur: float = 0.0
    jitter: float = 1.0
    tilt: float = 8.0
    mount: str = "usual"
    arm: str = "stiff"
    sky: str = "steady"
    patience: float = 0.0
    faults: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        from pi_board.simulator.arm import arm_number
        from pi_board.simulator.drawn_style import style_of
        from pi_board.simulator.light import PRESETS
        from pi_board.simulator.mount import mount_number
        from pi_board.simulator.sky import sky_number

        style_of(self.style)
        mount_number(self.mount)
        arm_number(self.arm)
        sky_number(self.sky)
        for key, value, known in (
            ("players", self.players, HABITS),
            ("pace", self.pace, PACES),
            ("light", self.light, PRESETS),
        ):
            if value not in known:
                raise InvalidSettingsError(f"{key}: expected one of {', '.join(known)}, got {value!r}")
        for key, share in (("cheat", self.cheat), ("cube", self.cube)):
            if not 0 <= share <= 1:
                raise InvalidSettingsError(f"{key}: expected a probability from 0 to 1, got {share}")
        if not 0.5 <= self.fps <= 240:
            raise InvalidSettingsError(f"fps: expected 0.5 to 240 frames per second, got {self.fps}")
        if self.games < 0:
            raise InvalidSettingsError(f"games: expected 0 (without end) or more, got {self.games}")
        for turn, fault in self.faults:
            if fault not in FAULTS:
                raise InvalidSettingsError(
                    f"faults: expected one of {', '.join(FAULTS)} at turn {turn}, got {fault!r}"
                )
