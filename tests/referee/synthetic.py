"""A table without pictures: physical truth in, sightings with realistic uncertainty out.

`Table` holds what lies there (light and dark counted apart, so that a held point can hold both) and gives
`Sighting`s as a good but imperfect vision would: flat where it must be, noisy, sometimes wrong by one checker.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pi_board.events import Command, Event, SetPosition
from pi_board.referee import Referee
from pi_board.rules import STARTING_POSITION, Play, Position, Side, legal_plays
from pi_board.sighting import (
    BAR_DARK,
    BAR_LIGHT,
    COUNTS,
    OFF_DARK,
    OFF_LIGHT,
    SLOTS,
    ZERO,
    CubeSeen,
    DieSeen,
    Gate,
    Sighting,
)

Checkers = list[list[int]]  # 28 slots of [light, dark]


def checkers_of(position: Position) -> Checkers:
    out = [[max(0, n), max(0, -n)] for n in position.points]
    out += [[position.bar[0], 0], [0, position.bar[1]], [position.off[0], 0], [0, position.off[1]]]
    return out


def slot_of(point: int, side: Side) -> int:
    """Slot of the mover's own point number (25 bar, 0 off)."""
    if point == 25:
        return BAR_LIGHT if side == "light" else BAR_DARK
    if point == 0:
        return OFF_LIGHT if side == "light" else OFF_DARK
    return point - 1 if side == "light" else 24 - point


COLUMNS = np.arange(COUNTS) - ZERO


@dataclass(frozen=True)
class Noise:
    """sharp: nats per checker of miscount; sigma: nats of noise per cell; wrong: chance that a slot looks like one
    checker more or less; trays: whether the trays are in view; bars: whether the bar is."""

    sharp: float = 8.0
    sigma: float = 0.4
    wrong: float = 0.0
    trays: bool = True
    bars: bool = True


@dataclass
class Table:
    seed: int = 0
    position: Position = STARTING_POSITION
    noise: Noise = field(default_factory=Noise)
    fps: float = 10.0

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.checkers = checkers_of(self.position)
        self.dice: list[DieSeen] = []
        self.cube: CubeSeen | None = CubeSeen(1, "center", 0.9)
        self.seq, self.time = 0, 100.0
        #: Slots that a cup covers.
        self.hidden: tuple[int, ...] = ()

    # -- hands

    def put(self, position: Position) -> None:
        self.checkers = checkers_of(position)

    def lift(self, point: int, side: Side) -> None:
        """A checker into the hand."""
        i = 0 if side == "light" else 1
        slot = slot_of(point, side)
        assert self.checkers[slot][i] > 0, (point, side)
        self.checkers[slot][i] -= 1

    def set_down(self, point: int, side: Side, hit: bool = True) -> None:
        i = 0 if side == "light" else 1
        slot = slot_of(point, side)
        if hit and slot < 24 and self.checkers[slot][1 - i] == 1:
            self.checkers[slot][1 - i] = 0
            self.checkers[BAR_DARK if i == 0 else BAR_LIGHT][1 - i] += 1
        self.checkers[slot][i] += 1

    def move(self, source: int, to: int, side: Side) -> None:
        self.lift(source, side)
        self.set_down(to, side)

    def throw(self, a: int, b: int, side: Side = "light", **more: Any) -> None:
        x, y = self.rng.uniform(100, 500, 2)
        dx, dy = self.rng.uniform(40, 90, 2)
        half = more.pop("halves", (side, side))
        confidence = more.pop("confidence", 0.98)
        body = more.pop("body", (0, 0, 0))
        self.dice = [
            DieSeen(a, confidence, float(x), float(y), 24.0, half[0], body=body, **more),
            DieSeen(b, confidence, float(x + dx), float(y + dy), 24.0, half[1], body=body),
        ]

    def lift_dice(self) -> None:
        self.dice = []

    # -- eyes

    def log_likelihood(self) -> np.ndarray:
        slots = [
            slot
            for slot in range(SLOTS)
            if (self.noise.trays or slot not in (OFF_LIGHT, OFF_DARK))
            and (self.noise.bars or slot not in (BAR_LIGHT, BAR_DARK))
        ]
        light, dark = np.array(self.checkers)[slots].T
        # Both colours on one point: the majority's colour, all of them counted.
        both = (light > 0) & (dark > 0)
        n = np.where(both, (light + dark) * np.where(light > dark, 1, -1), light - dark)[:, None]
        blur = np.where(both, 0.5, 1.0)[:, None]
        if self.noise.wrong:
            n, noise = self._misread(n)
        else:
            noise = self.rng.normal(0, self.noise.sigma, (len(slots), COUNTS))
        rows = -self.noise.sharp * blur * np.minimum(np.abs(COLUMNS - n), 4)
        rows -= 8.0 * blur * (np.sign(COLUMNS) * np.sign(n) < 0)
        out = np.zeros((SLOTS, COUNTS))
        out[slots] = rows + noise
        out[list(self.hidden)] = 0.0
        for slot in ({BAR_LIGHT, OFF_LIGHT} & {*slots}) | ({BAR_LIGHT} & {*self.hidden}):
            out[slot, :ZERO] = -1e6
        for slot in ({BAR_DARK, OFF_DARK} & {*slots}) | ({BAR_DARK} & {*self.hidden}):
            out[slot, ZERO + 1 :] = -1e6
        return out

    def _misread(self, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`counts` (N, 1), some of them wrong by one, and the noise (N, COUNTS) of each."""
        noise = []
        for i, n in enumerate(counts[:, 0].tolist()):
            if self.rng.random() < self.noise.wrong and n:
                counts[i] += int(self.rng.choice((-1, 1)))
            noise.append(self.rng.normal(0, self.noise.sigma, COUNTS))
        return counts, np.array(noise)

    def look(self, gate: Gate = Gate.SETTLED) -> Sighting:
        self.seq += 1
        self.time += 1 / self.fps
        if gate is Gate.MOVING:
            return Sighting(self.seq, self.time, gate, dice=tuple(self.dice))
        if gate is not Gate.SETTLED:
            return Sighting(self.seq, self.time, gate)
        return Sighting(
            self.seq,
            self.time,
            gate,
            self.log_likelihood(),
            tuple(self.dice),
            self.cube,
            name=f"{self.seq:06d}.jpg",
            mixed=tuple(m for m in self.mixed() if m[0] not in self.hidden),
            hidden=self.hidden,
        )

    def mixed(self) -> tuple[tuple[int, float], ...]:
        """Points that hold both sides' checkers, as vision would notice most of them."""
        return tuple(
            (slot, float(self.rng.normal(2.0 * self.noise.sharp, 4.0)))
            for slot, (light, dark) in enumerate(self.checkers[:24])
            if light and dark and self.rng.random() > self.noise.wrong
        )


class Story:
    """A referee at a table: `play`s are done, looks are taken, events pile up in `events`."""

    def __init__(self, table: Table | None = None, referee: Referee | None = None, **options: Any) -> None:
        self.table = table or Table()
        self.referee = referee or Referee(**options)
        self.events: list[Event] = []

    def see(self, looks: int = 6, gate: Gate = Gate.SETTLED) -> list[Event]:
        new: list[Event] = []
        for _ in range(looks):
            sighting = self.table.look(gate)
            new += self.referee.observe(sighting, sighting.time)
        self.events += new
        return new

    def hand(self, looks: int = 3) -> list[Event]:
        return self.see(looks, Gate.HAND)

    def say(self, command: Command) -> list[Event]:
        new = self.referee.command(command, self.table.time)
        self.events += new
        return new

    def moves(self, side: Side, *moves: tuple[int, int], looks: int = 6) -> list[Event]:
        """Each move with a hand over the board, then a settled pause."""
        new: list[Event] = []
        for source, to in moves:
            new += self.hand()
            self.table.move(source, to, side)
            new += self.see(looks)
        return new

    def play(self, play: Play, side: Side, looks: int = 6) -> list[Event]:
        return self.moves(side, *play.moves, looks=looks)

    def throw(self, a: int, b: int, side: Side = "light", looks: int = 6, **more: Any) -> list[Event]:
        new = self.hand()
        self.table.throw(a, b, side, **more)
        return new + self.see(looks)

    def lift_dice(self, looks: int = 6) -> list[Event]:
        new = self.hand()
        self.table.lift_dice()
        return new + self.see(looks)


def told_once(tell: Callable[..., Story]) -> Callable[..., Story]:
    """A beginning that many tests share is told once for each of its arguments, and each test goes on with a copy of its own."""
    told: dict[Any, Story] = {}

    @functools.wraps(tell)
    def begun(*args: Any, **options: Any) -> Story:
        if "table" in options:  # one of its own
            return tell(*args, **options)
        # (The engine is another one for each round of the tests.)
        beginning = Referee, args, tuple(sorted(options.items()))
        if beginning not in told:
            told[beginning] = tell(*args, **options)
        return copy.deepcopy(told[beginning])

    return begun


@told_once
def accustomed(
    position: Position, side: Side, noise: Noise | None = None, table: type[Table] = Table
) -> Story:
    """A table at which everybody rolls into his own half; then `position` is laid out, and `side` is to roll."""
    story = Story(table(noise=noise or Noise()))
    story.see()
    story.throw(3, 1, halves=("light", "dark"))
    story.play(legal_plays(STARTING_POSITION, (3, 1), "light", story.referee.rules)[0], "light")
    story.lift_dice()
    for turn in range(1, 9):
        mover: Side = "light" if turn % 2 == 0 else "dark"
        story.throw(4, 2, side=mover)
        before = story.referee.state.position
        assert before is not None
        story.play(legal_plays(before, (4, 2), mover, story.referee.rules)[0], mover)
        story.lift_dice()
    story.table.put(position)
    story.say(SetPosition(position=position, side=side))
    story.see()
    return story


def types(events: list[Event]) -> list[str]:
    return [e.type for e in events]
