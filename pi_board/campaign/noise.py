"""`ReaderNoise`: what vision says of what lies there, measured in rendered games, to be drawn from without pictures.

How it was measured and how to measure it again: `fit.py`. The figures themselves are in `reader_noise.json`, three models
named after the rooms that they come from (the third of the games that was read best, middling, worst).

Errors of vision are not independent from look to look: the same shade misleads it as long as the same things lie there.
So each slot has a latent normal variable that drifts slowly while its checkers lie untouched, and is drawn anew when they
are moved; quantiles of the measured margins turn it into what is said.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.sighting import COUNTS, ZERO

#: Shares at which the margins' quantiles are kept; the tails matter most.
LEVELS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
#: Distances from what is said at which a row's typical depth is kept; the last stands for everything farther.
DISTANCES = (1, 2, 3, 4, 6)
#: Nats against the other colour.
OTHER_COLOUR = 12.0
_NORMAL = NormalDist()


def bucket(kind: str, count: int) -> str:
    """The class of slots whose errors are alike. kind: point, bar or off."""
    n = abs(count)
    if kind != "point":
        return f"{kind}_{'some' if n else 'none'}"
    return "empty" if n == 0 else "one" if n == 1 else "few" if n <= 3 else "many" if n <= 5 else "tall"


@dataclass(frozen=True, slots=True)
class SlotNoise:
    """Of one class of slots. margins: nats by which the truth is ahead of everything else, at `LEVELS`; negative = misread.

    tail: nats by which the margin falls per e-fold below the first level. wrong, second: (difference to the true count
    in the direction of its colour, share) of what is said when misread, and of the runner-up when not.
    depth: nats below the best at `DISTANCES` from it. looks: how many were measured.
    """

    margins: tuple[float, ...]
    tail: float
    wrong: tuple[tuple[int, float], ...]
    second: tuple[tuple[int, float], ...]
    depth: tuple[float, ...]
    looks: int

    def margin(self, z: float) -> float:
        """The margin at the latent value `z`."""
        share = _NORMAL.cdf(z)
        if share < LEVELS[0]:
            return self.margins[0] + self.tail * float(np.log(max(share, 1e-12) / LEVELS[0]))
        i = bisect_right(LEVELS, share)
        if i == len(LEVELS):
            return self.margins[-1]
        low, high = LEVELS[i - 1], LEVELS[i]
        return self.margins[i - 1] + (share - low) / (high - low) * (self.margins[i] - self.margins[i - 1])


@dataclass(frozen=True, slots=True)
class DieNoise:
    """Of dice that lie in one way. What is said of one: "right", "wrong", "none", "unseen", "cocked" or "on_checker".

    first: (what is said, share) at the first look; then: what was said → (what is said at the next look, share).
    sure: quantiles (5, 25, 50, 75, 95 %) of the confidence when right; mistaken: when wrong. looks: how many were measured.
    """

    first: tuple[tuple[str, float], ...]
    then: Mapping[str, tuple[tuple[str, float], ...]]
    sure: tuple[float, ...]
    mistaken: tuple[float, ...]
    looks: int


@dataclass(frozen=True, slots=True)
class ReaderNoise:
    """One model. source: where it was measured. slots: by `bucket`. dice: by how they lie.

    within: correlation of a slot's latent value from look to look at the same scene; across: from scene to scene while the
    slot is untouched. confused: (true value, said value) → share of the misreadings of that value. ghosts: chance per scene
    of a die where none lies. refused: gate → chance per scene that a still scene without hands gives no evidence; stuck:
    chance that the next one does not either; cluttered: the same while a cup or phone stands there; hidden: chance per scene that a resting hand is not noticed.
    trays: the chance that the trays say anything. cube: chance per scene that the cube is read right, and that it is not seen.
    """

    name: str
    source: str
    slots: Mapping[str, SlotNoise]
    within: float
    across: float
    dice: Mapping[str, DieNoise]
    confused: tuple[tuple[float, ...], ...]
    ghosts: float
    refused: Mapping[str, float]
    stuck: float
    cluttered: Mapping[str, float]
    hidden: float
    trays: float
    cube: tuple[float, float]

    def row(self, kind: str, count: int, z: float, rng: np.random.Generator) -> npt.NDArray[np.float64]:
        """(31,) what is said of a slot that holds `count` (light positive), at the latent value `z`."""
        slot = self.slots[bucket(kind, count)]
        margin = slot.margin(z)
        sign = 1 if count > 0 or (count == 0 and (kind != "point" or rng.random() < 0.5)) else -1
        offset: int = drawn(slot.wrong if margin < 0 else slot.second, rng)
        if kind != "point" and (sign * count + offset < 0 or offset == 0):
            offset = max(1, abs(offset))  # Counts on the bar and off the board cannot be negative.
        other = max(-15, min(15, count + sign * offset))
        if other == count:
            other -= sign
        said, next_best = (other, count) if margin < 0 else (count, other)
        gap = abs(margin)
        row = _around(said, slot.depth).copy()
        if gap:
            np.minimum(row, -gap - 0.3, out=row)
        row[said + ZERO] = 0.0
        row[next_best + ZERO] = -gap
        return row

    def die(self, value: int, rng: np.random.Generator) -> int:
        """What `value` is misread as."""
        return 1 + int(rng.choice(6, p=self.confused[value - 1]))


_COLUMNS = np.arange(COUNTS) - ZERO


@lru_cache(maxsize=4096)
def _around(said: int, depth: tuple[float, ...]) -> npt.NDArray[np.float64]:
    """(31,) how far every count lies below the one that is said."""
    row = -np.interp(np.abs(_COLUMNS - said), (0, *DISTANCES), (0.0, *depth))
    row[_COLUMNS * said < 0] -= OTHER_COLOUR
    return row


def drawn(shares: tuple[tuple[Any, float], ...], rng: np.random.Generator) -> Any:
    """One of the things in `shares`, as often as it says."""
    at = rng.random() * sum(s for _, s in shares)
    for what, share in shares:
        at -= share
        if at <= 0:
            return what
    return shares[-1][0]


@cache
def models() -> tuple[ReaderNoise, ...]:
    """The measured models, best rooms first."""
    text = (Path(__file__).parent / "reader_noise.json").read_text(encoding="utf-8")
    return tuple(from_document(d) for d in json.loads(text)["models"])


def from_document(d: Mapping[str, Any]) -> ReaderNoise:
    """A model from its JSON document."""

    def pairs(items: Any) -> tuple[Any, ...]:
        return tuple(tuple(p) for p in items)

    slots = {
        k: SlotNoise(
            tuple(v["margins"]),
            v["tail"],
            pairs(v["wrong"]),
            pairs(v["second"]),
            tuple(v["depth"]),
            v["looks"],
        )
        for k, v in d["slots"].items()
    }
    dice = {
        k: DieNoise(
            pairs(v["first"]),
            {s: pairs(p) for s, p in v["then"].items()},
            tuple(v["sure"]),
            tuple(v["mistaken"]),
            v["looks"],
        )
        for k, v in d["dice"].items()
    }
    return ReaderNoise(
        d["name"], d["source"], slots, d["within"], d["across"], dice, pairs(d["confused"]), d["ghosts"], d["refused"],
        d["stuck"], d["cluttered"], d["hidden"], d["trays"], tuple(d["cube"]),
    )  # fmt: skip
