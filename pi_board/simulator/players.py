"""How the simulated players decide: a plain heuristic, doubling, and what cheats come up with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from pi_board.rules import Play, Position, RuleSet, Side, legal_plays, opponent, winner
from pi_board.simulator.scene import Place, own_place

#: Chance of being hit by a direct or indirect shot from n points away, in 36ths.
_SHOTS = (0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1)


def worth(position: Position, side: Side) -> float:
    """How `side` likes a position after its own play; in pips, roughly."""
    points, bar, off = position.seen_from(side)
    own = sum((i + 1) * n for i, n in enumerate(points) if n > 0) + 25 * bar[0]
    theirs = sum((24 - i) * -n for i, n in enumerate(points) if n < 0) + 25 * bar[1]
    value = (theirs - own) * 0.6 + 4.0 * (off[0] - off[1]) + 9.0 * bar[1] - 9.0 * bar[0]
    first = next((i for i, n in enumerate(points) if n < 0), 24)
    if bar[1]:
        first = -1
    contact = any(n > 0 for n in points[first + 1 :])
    if not contact:
        # A race: waste little, bear off.
        return value - 0.9 * sum(max(0, n - 3) for n in points[:3]) + 2.0 * off[0]
    run = 0
    for i, n in enumerate(points):
        if n >= 2:
            run += 1
            value += (3.2, 3.4, 4.6, 5.2, 5.6, 4.2)[i] if i < 6 else 1.6 if i < 9 else 3.0 if i >= 18 else 0.8
            value += 1.5 * max(0, run - 2)
            value -= 0.7 * max(0, n - 4)
            continue
        run = 0
        if n == 1:
            # Shots from every opposing checker that stands behind the blot.
            shots = sum(_SHOTS[i - j] * (0.9 if m == -1 else 1.0) for j, m in enumerate(points[:i]) if m < 0)
            shots += (_SHOTS[i + 1] if bar[1] and i < 24 else 0) * 1.2
            value -= min(28.0, shots) / 36 * (8 + (24 - i) * 0.55)
    return value


def choose(plays: list[Play], side: Side, rng: np.random.Generator, temper: float = 1.5) -> Play:
    """The play that `side` likes best, give or take a mood."""
    if len(plays) == 1:
        return plays[0]
    values = np.array([worth(p.result, side) for p in plays]) + rng.normal(0, temper, len(plays))
    return plays[int(values.argmax())]


def lead(position: Position, side: Side) -> float:
    """How far `side` is ahead, in shares of its own pip count, threats included."""
    own, theirs = position.pips(side), position.pips(opponent(side))
    points, bar, _ = position.seen_from(side)
    board = sum(1 for n in points[:6] if n >= 2)
    caught = bar[1] * (0.03 + 0.02 * board)
    return (theirs - own) / max(20, own) + caught


def wants_to_double(position: Position, side: Side, rng: np.random.Generator) -> bool:
    return lead(position, side) > rng.uniform(0.09, 0.2) and position.pips(side) < 150


def takes(position: Position, side: Side, rng: np.random.Generator) -> bool:
    return lead(position, opponent(side)) < rng.uniform(0.2, 0.6)


# ---------------------------------------------------------------------------------------------- cheating


@dataclass(frozen=True, slots=True)
class Step:
    """One checker of `side` carried from one place to another. hit: an opposing blot there goes to the bar."""

    side: Side
    source: Place
    to: Place
    hit: bool = False


#: Boards as two counts a place, so that a point can hold both sides' checkers.
Counts = dict[Place, list[int]]


def counts_of(position: Position) -> Counts:
    out: Counts = {}
    for i, n in enumerate(position.points):
        out["point", i + 1] = [max(n, 0), max(-n, 0)]
    for i, side in enumerate(("light", "dark")):
        s: Side = "light" if side == "light" else "dark"
        out["bar", s] = [position.bar[0], 0] if i == 0 else [0, position.bar[1]]
        out["off", s] = [position.off[0], 0] if i == 0 else [0, position.off[1]]
    return out


def document(counts: Counts) -> dict[str, object]:
    """A position document; a point that both sides hold counts net."""
    return {
        "points": [counts["point", p][0] - counts["point", p][1] for p in range(1, 25)],
        "bar": {"light": counts["bar", "light"][0], "dark": counts["bar", "dark"][1]},
        "off": {"light": counts["off", "light"][0], "dark": counts["off", "dark"][1]},
    }


def mixed(counts: Counts) -> bool:
    """Some point holds checkers of both sides."""
    return any(a and b for a, b in counts.values())


def apply(counts: Counts, steps: list[Step]) -> Counts:
    out = {k: list(v) for k, v in counts.items()}
    for s in steps:
        i = 0 if s.side == "light" else 1
        out[s.source][i] -= 1
        if s.hit and out[s.to][1 - i] == 1:
            out[s.to][1 - i] = 0
            out["bar", opponent(s.side)][1 - i] += 1
        out[s.to][i] += 1
    return out


def steps_of(play: Play, side: Side) -> list[Step]:
    """A play as single carries; every arrival on a blot hits."""
    return [Step(side, own_place(side, a), own_place(side, b), hit=True) for a, b in play.moves]


@dataclass(frozen=True, slots=True)
class Cheat:
    kind: str
    steps: list[Step]


class _Board:
    """The board from the cheat's side, for making up moves."""

    def __init__(self, position: Position, side: Side) -> None:
        self.side = side
        self.points, self.bar, self.off = position.seen_from(side)

    def own(self) -> list[int]:
        return [i + 1 for i, n in enumerate(self.points) if n > 0]

    def held(self, number: int) -> bool:
        """The opponent holds `number` with two or more."""
        return 1 <= number <= 24 and self.points[number - 1] <= -2

    def step(self, a: int, b: int) -> Step:
        return Step(self.side, own_place(self.side, a), own_place(self.side, b), hit=True)


def cheats(
    position: Position, dice: tuple[int, int], side: Side, rules: RuleSet, rng: np.random.Generator
) -> Iterator[Cheat]:
    """Illegal plays that somebody might try here, kinds in random order; each is illegal under `rules`."""
    plays = legal_plays(position, dice, side, rules)
    legal = {p.result for p in plays}
    makers = list(_MAKERS.items())
    start = counts_of(position)
    for i in rng.permutation(len(makers)):
        kind, make = makers[int(i)]
        cheat = make(position, dice, side, plays, rng)
        if cheat is None or not cheat:
            continue
        after = apply(start, cheat)
        if any(v < 0 for pair in after.values() for v in pair):
            continue
        if not mixed(after):
            doc = document(after)
            result = Position.from_document(doc)
            if result in legal or result == position:
                continue
        yield Cheat(kind, cheat)


Maker = Callable[[Position, tuple[int, int], Side, list[Play], np.random.Generator], list[Step] | None]


def _wrong_number(
    position: Position, dice: tuple[int, int], side: Side, plays: list[Play], rng: np.random.Generator
) -> list[Step] | None:
    """The first move of a proper play, then a checker set down a point or two off."""
    board = _Board(position, side)
    if board.bar[0]:
        return None
    play = choose(plays, side, rng)
    steps = steps_of(play, side)
    if not steps:
        return None
    a, b = play.moves[-1]
    for delta in rng.permutation([-2, -1, 1, 2]):
        to = b + int(delta)
        if 1 <= to < a and a - to not in (*dice, sum(dice)) and not board.held(to):
            return [*steps[:-1], board.step(a, to)]
    return None


def _moved_opponent(
    position: Position, dice: tuple[int, int], side: Side, plays: list[Play], rng: np.random.Generator
) -> list[Step] | None:
    """A proper play, and while at it an opposing checker is shifted. (Who has borne off his last one has won, and nobody shifts any.)"""
    play = choose(plays, side, rng)
    if winner(play.result) is not None:
        return None
    steps = steps_of(play, side)
    after = apply(counts_of(position), steps)
    them = opponent(side)
    j = 0 if them == "light" else 1
    theirs = [p for p in range(1, 25) if after["point", p][j] > 0]
    rng.shuffle(theirs)
    for p in theirs:
        for q in rng.permutation([p - 2, p - 1, p + 1, p + 2]):
            if 1 <= q <= 24 and after["point", int(q)][1 - j] == 0:
                return [*steps, Step(them, ("point", p), ("point", int(q)))]
    return None


def _too_few(
    position: Position, dice: tuple[int, int], side: Side, plays: list[Play], rng: np.random.Generator
) -> list[Step] | None:
    """Part of the roll only."""
    play = choose(plays, side, rng)
    if len(play.moves) < 2:
        return None
    return steps_of(play, side)[: int(rng.integers(1, len(play.moves)))]


def _ignored_bar(
    position: Position, dice: tuple[int, int], side: Side, plays: list[Play], rng: np.random.Generator
) -> list[Step] | None:
    board = _Board(position, side)
    if not board.bar[0]:
        return None
    for a in rng.permutation(board.own()):
        for die in dice:
            to = int(a) - die
            if to >= 1 and not board.held(to):
                return [board.step(int(a), to)]
    return None


def _blocked(
    position: Position, dice: tuple[int, int], side: Side, plays: list[Play], rng: np.random.Generator
) -> list[Step] | None:
    """Set down on a point that the opponent holds."""
    board = _Board(position, side)
    for a in [25] if board.bar[0] else [int(v) for v in rng.permutation(board.own())]:
        for die in dice:
            if board.held(a - die):
                return [board.step(a, a - die)]
    return None


def _not_all_home(
    position: Position, dice: tuple[int, int], side: Side, plays: list[Play], rng: np.random.Generator
) -> list[Step] | None:
    board = _Board(position, side)
    outside = sum(n for n in board.points[6:] if n > 0) + board.bar[0]
    if not 1 <= outside <= 3 or board.bar[0]:
        return None
    for die in sorted(dice, reverse=True):
        if board.points[die - 1] > 0:
            return [board.step(die, 0)]
    return None


def _too_high(
    position: Position, dice: tuple[int, int], side: Side, plays: list[Play], rng: np.random.Generator
) -> list[Step] | None:
    """A larger number used to bear off although checkers stand behind."""
    board = _Board(position, side)
    if board.bar[0] or any(n > 0 for n in board.points[6:]):
        return None
    for die in dice:
        below = [p for p in range(1, die) if board.points[p - 1] > 0]
        if below and any(board.points[q - 1] > 0 for q in range(max(below) + 1, 7)):
            return [board.step(max(below), 0)]
    return None


def _backwards(
    position: Position, dice: tuple[int, int], side: Side, plays: list[Play], rng: np.random.Generator
) -> list[Step] | None:
    board = _Board(position, side)
    if board.bar[0]:
        return None
    for a in rng.permutation(board.own()):
        for die in rng.permutation(list(dice)):
            to = int(a + die)
            if to <= 24 and not board.held(to):
                return [board.step(int(a), to)]
    return None


def _too_many(
    position: Position, dice: tuple[int, int], side: Side, plays: list[Play], rng: np.random.Generator
) -> list[Step] | None:
    """A proper play and one move more."""
    play = choose(plays, side, rng)
    if len(play.moves) < 2:
        return None
    board = _Board(play.result, side)
    if board.bar[0]:
        return None
    for a in rng.permutation(board.own()):
        to = int(a) - dice[0]
        if to >= 1 and not board.held(to):
            return [*steps_of(play, side), board.step(int(a), to)]
    return None


def _no_play(
    position: Position, dice: tuple[int, int], side: Side, plays: list[Play], rng: np.random.Generator
) -> list[Step] | None:
    """Something is moved although nothing can be."""
    board = _Board(position, side)
    if plays[0].moves:
        return None
    for a in rng.permutation(board.own()):
        to = int(a) - int(rng.integers(1, 7))
        if to >= 1 and not board.held(to):
            return [board.step(int(a), to)]
    return None


def _smaller_die(
    position: Position, dice: tuple[int, int], side: Side, plays: list[Play], rng: np.random.Generator
) -> list[Step] | None:
    """Only one number goes, and the wrong one is played."""
    if dice[0] == dice[1] or any(len(p.moves) != 1 for p in plays):
        return None
    used = {a - b for p in plays for a, b in p.moves}
    board = _Board(position, side)
    for die in dice:
        if die in used:
            continue
        for a in [25] if board.bar[0] else board.own():
            if a - die >= 1 and not board.held(a - die):
                return [board.step(a, a - die)]
    return None


def _hit_left(
    position: Position, dice: tuple[int, int], side: Side, plays: list[Play], rng: np.random.Generator
) -> list[Step] | None:
    """A blot is hit and left lying beside the checker that hit it."""
    hitting = [p for p in plays if any(p.hits)]
    if not hitting:
        return None
    play = hitting[int(rng.integers(len(hitting)))]
    if any(
        hit and i < len(play.moves) - 1 and play.moves[i + 1][0] == play.moves[i][1]
        for i, hit in enumerate(play.hits)
    ):
        return None
    return [Step(s.side, s.source, s.to, hit=False) for s in steps_of(play, side)]


_MAKERS: dict[str, Maker] = {
    "wrong_number": _wrong_number,
    "moved_opponent": _moved_opponent,
    "too_few": _too_few,
    "ignored_bar": _ignored_bar,
    "entered_blocked": _blocked,
    "not_all_home": _not_all_home,
    "bear_off_too_high": _too_high,
    "moved_backwards": _backwards,
    "too_many_moves": _too_many,
    "no_legal_play": _no_play,
    "smaller_die": _smaller_die,
    "hit_left": _hit_left,
}
CHEATS: tuple[str, ...] = tuple(_MAKERS)
