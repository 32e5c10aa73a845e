"""`Room`: one table, its light, its camera, its people and its house rules, all drawn from one number."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from pi_board.errors import InvalidSettingsError
from pi_board.rules import RULE_SETS, RuleSet, Side
from pi_board.simulator import STYLES, SimulatorOptions
from pi_board.simulator.drawn_name import PREFIX
from pi_board.simulator.light import PRESETS

#: The profile that a careful owner chooses for each simulated set.
PROFILES = {"travel": "jumbo-travel", "wood": "classic-wood", "felt": "club-felt"}
#: The style of a room whose set is drawn as well, the mount of one whose camera hangs anyhow, an arm that sways and a sky with clouds.
DRAWN = "drawn"
SIZES = ((640, 480), (800, 600), (960, 540), (1280, 720), (1280, 960), (1920, 1080))
#: How often which picture size, rate and pace is drawn: most tables have the recommended camera, none is rare.
SIZE_SHARES = (0.1, 0.1, 0.15, 0.4, 0.15, 0.1)
RATES = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
RATE_SHARES = (0.08, 0.08, 0.08, 0.14, 0.08, 0.14, 0.4)
PACES, PACE_SHARES = ("natural", "brisk", "sparse"), (0.45, 0.45, 0.1)
#: House rules that people agree on: option, values. One or two of them in every fifth room.
HOUSE_RULES: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("jacoby", (True,)),
    ("cube", ("no", "yes")),
    ("cube_limit", (4, 64)),
    ("crawford", (False,)),
    ("must_play", ("each_in_turn", "most")),
    ("if_only_one", ("either", "larger_only", "larger_first")),
    ("when_all_home", ("may_stop", "free", "duty")),
    ("entering", ("larger_die_first", "any_die")),
    ("large_die_bears_off", ("always", "never", "from_highest")),
    ("bear_off_in_mid_roll", (False, True)),
    ("scoring", ("per_checker", "game", "levels")),
    ("second_player_repeats", (True, False)),
    ("illegal_play", ("must_correct", "opponent_decides")),
    ("turn_ends", ("opponent_rolls", "dice_lifted")),
)
#: Mishaps of an evening and how often each is drawn against the others; one comes about every thirtieth turn.
MISHAPS: dict[str, float] = {
    "knocked": 2.0, "bump": 1.0, "lamp": 1.5, "shadow": 2.0, "phone": 1.0, "cup": 1.5, "talk": 0.7, "hand_rests": 1.0,
    "early_roll": 1.0, "dropped": 1.0, "coffee": 0.7, "blocked": 0.5, "missing": 0.7, "wrong_side": 0.5, "blur": 0.3,
    "lights_off": 0.3, "dusk": 0.2,
}  # fmt: skip
MISHAPS_A_TURN = 1 / 30
#: Share of the cameras that nobody levelled.
MOUNTED_ANYHOW = 0.35
#: Share of the arms that sway and sink, and of the rooms in which clouds pass the window.
SWAYING, CLOUDY = 0.3, 0.3
#: Blur of the lenses: median, spread (natural logarithm) and most, px of a picture 1280 wide. Set: a fixed lens that is in focus at one metre
#: is soft from 40 cm. Under a camera that hangs anyhow the board may be small, and nobody could read dice more blurred than SOFTEST_ANYHOW.
SOFT, SOFT_SPREAD, SOFTEST, SOFTEST_ANYHOW = 0.6, 0.6, 2.5, 1.0
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Room:
    """What one game of the campaign is played in.

    table: what the simulator makes of it. profile: of the board, as set. told_near, told_home: the seating, as set.
    house: (option, value) house rules on top of the preset `table.rules`.
    """

    table: SimulatorOptions
    profile: str
    told_near: Side
    told_home: Literal["right", "left"]
    house: tuple[tuple[str, Any], ...] = ()

    @property
    def rules(self) -> RuleSet:
        rules = self.table.rules
        preset = rules if isinstance(rules, RuleSet) else RULE_SETS[rules]
        return preset.with_options(**dict(self.house))

    @property
    def simulator(self) -> SimulatorOptions:
        """The table with its house rules in force."""
        return replace(self.table, rules=self.rules)

    def describe(self) -> str:
        """One line with everything that differs from the defaults."""
        t, plain = self.table, SimulatorOptions()
        parts = [
            f"{t.style} {t.rules} {t.pace} {t.fps:g} fps {t.width}x{t.height} light={t.light} {self.profile}"
        ]
        for name in (
            "near",
            "home",
            "players",
            "match_length",
            "games",
            "cheat",
            "cube",
            "noise",
            "blur",
            "jitter",
            "tilt",
            "mount",
            "arm",
            "sky",
        ):
            value = getattr(t, name)
            if value != getattr(plain, name):
                parts.append(f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}")
        if (self.told_near, self.told_home) != (t.near, t.home):
            parts.append(f"told {self.told_near}/{self.told_home}")
        parts += [f"{k}={v}" for k, v in self.house]
        if t.faults:
            parts.append("mishaps " + ",".join(f"{n}:{f}" for n, f in t.faults))
        return " ".join(parts)


def draw_room(seed: int, fixed: Mapping[str, Any] | None = None) -> Room:
    """The room of `seed`; always the same one. fixed: what is given instead of drawn (see `fixed_from`); the style `DRAWN` is a set that is
    drawn too, a new one in each room, the mount `DRAWN` a camera that hangs another way in each, and so are arm and sky.

    Whatever is fixed, everything else is drawn as without it.
    """
    rng = np.random.default_rng((seed, 1977))
    given = dict(fixed or {})

    def one(items: Any, shares: Any = None) -> Any:
        return items[int(rng.choice(len(items), p=shares))]

    style = one(sorted(STYLES))
    length = int(one((0, 1, 3, 5, 7), (0.5, 0.1, 0.15, 0.15, 0.1)))
    width, height = one(SIZES, SIZE_SHARES)
    drawn: dict[str, Any] = {
        "seed": seed,
        "style": style,
        "near": one(("light", "dark"), (0.6, 0.4)),
        "home": one(("right", "left"), (0.6, 0.4)),
        "rules": one(sorted(RULE_SETS)),
        "match_length": length,
        "games": 2 if length != 1 and rng.random() < 0.06 else 1,
        "players": one(("careless", "honest"), (0.75, 0.25)),
        "cheat": round(float(rng.uniform(0.03, 0.3)), 2) if rng.random() < 0.7 else 0.0,
        "cube": round(float(rng.uniform(0.1, 0.8)), 2),
        "pace": one(PACES, PACE_SHARES),
        "fps": one(RATES, RATE_SHARES),
        "width": width,
        "height": height,
        "light": one(sorted(PRESETS)),
        "noise": round(float(np.clip(rng.lognormal(np.log(2.2), 0.4), 0.8, 5.0)), 1),
        "jitter": round(float(rng.uniform(0.5, 2.0)), 1),
        "tilt": round(float(rng.uniform(0, 32)), 0),
        "faults": _mishaps(rng),
    }
    camera = np.random.default_rng((seed, 1978))
    if camera.random() < MOUNTED_ANYHOW:
        drawn["mount"] = f"{PREFIX}{seed}"
    softest = SOFTEST_ANYHOW if "mount" in drawn else SOFTEST
    drawn["blur"] = round(min(softest, float(camera.lognormal(np.log(SOFT), SOFT_SPREAD))), 1)
    evening = np.random.default_rng((seed, 1979))
    for name, share in (("arm", SWAYING), ("sky", CLOUDY)):
        if evening.random() < share:
            drawn[name] = f"{PREFIX}{seed}"
    right = bool(rng.random() < 0.7)
    house = _house_rules(rng) if rng.random() < 0.2 else ()
    profile = given.pop("profile", None)
    told_near, told_home = given.pop("told_near", None), given.pop("told_home", None)
    for name in ("style", "mount", "arm", "sky"):
        if given.get(name) == DRAWN:
            given[name] = f"{PREFIX}{seed}"
    drawn.update(given)
    table = SimulatorOptions(**drawn)
    if profile is None:
        profile = PROFILES.get(table.style, "generic") if right else "generic"
    house = tuple((k, v) for k, v in house if getattr(_preset(table), k) != v)
    return Room(
        table,
        profile,
        told_near or table.near,
        told_home or table.home,
        house if "rules" not in given else (),
    )


def _preset(table: SimulatorOptions) -> RuleSet:
    return table.rules if isinstance(table.rules, RuleSet) else RULE_SETS[table.rules]


def _mishaps(rng: np.random.Generator) -> tuple[tuple[int, str], ...]:
    names = list(MISHAPS)
    shares = np.array([MISHAPS[n] for n in names])
    turns = np.flatnonzero(rng.random(_LONGEST) < MISHAPS_A_TURN)
    picked = rng.choice(len(names), size=_LONGEST, p=shares / shares.sum())
    # No mishap in the first turn, which already has the set-up.
    drawn = [(int(n), names[int(picked[n])]) for n in turns if n > 0]
    for n, name in list(drawn):
        if name == "cup":
            # The cup stays while the game goes on, until somebody moves it or takes it away.
            later = n + 1 + rng.integers(0, 8, 2).cumsum()
            drawn += [(int(later[0]), "cup_moved"), (int(later[1]) + 1, "cup_lifted")]
    return tuple(sorted(drawn))


def _house_rules(rng: np.random.Generator) -> tuple[tuple[str, Any], ...]:
    options = rng.permutation(len(HOUSE_RULES))[: int(rng.integers(1, 3))]
    return tuple(
        (HOUSE_RULES[i][0], HOUSE_RULES[i][1][int(rng.integers(len(HOUSE_RULES[i][1])))])
        for i in sorted(options)
    )


def fixed_from(texts: typing.Sequence[str]) -> dict[str, Any]:
    """["fps=10", "style=wood", "faults=3:cup,9:lamp", "profile=generic"] as values for `draw_room`. Raises InvalidSettingsError."""
    kinds: dict[str, type] = {f.name: type(f.default) for f in dataclasses.fields(SimulatorOptions)}
    kinds |= {"profile": str, "told_near": str, "told_home": str, "rules": str}
    del kinds["seed"]
    out: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or name not in kinds:
            raise InvalidSettingsError(
                f"--room: expected NAME=VALUE, NAME one of {', '.join(sorted(kinds))}, got {text!r}"
            )
        try:
            if name == "faults":
                out[name] = tuple(
                    (int(n), f) for n, _, f in (part.partition(":") for part in value.split(",") if part)
                )
            else:
                out[name] = kinds[name](value)
        except ValueError:
            raise InvalidSettingsError(
                f"--room: {name}: expected {kinds[name].__name__}, got {value!r}"
            ) from None
    if "rules" in out and out["rules"] not in RULE_SETS:
        raise InvalidSettingsError(
            f"--room: rules: expected one of {', '.join(RULE_SETS)}, got {out['rules']!r}"
        )
    return out
