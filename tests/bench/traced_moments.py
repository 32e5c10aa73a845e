"""What is shown of a traced game: a picture of every roll and every play, some of them illegal and then taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pi_board.rules import (
    RULE_SETS,
    SIDES,
    STARTING_POSITION,
    Play,
    Position,
    Side,
    legal_plays,
    opponent,
    winner,
)
from pi_board.simulator.players import apply, cheats, choose, counts_of, document, mixed

#: Of the plays, so many are illegal first.
CHEATED = 0.18


@dataclass(frozen=True)
class Moment:
    """What one picture shows. event: as in the truths of the reference games. cheat: the kind of an illegal play. play: a lawful one."""

    event: str
    position: Position
    dice: tuple[int, int]
    number: int
    side: Side | None
    played: bool = True
    cheat: str = ""
    play: Play | None = None


def moments(rng: np.random.Generator, plays: int) -> Iterator[Moment]:
    """A game from its start on; its first so many plays are the same whatever `plays` is."""
    position, side = STARTING_POSITION, SIDES[int(rng.integers(2))]
    yield Moment("start", position, (0, 0), 0, None)
    for number in range(1, plays + 1):
        a, b = (int(v) for v in rng.integers(1, 7, 2))
        while number == 1 and a == b:
            a, b = (int(v) for v in rng.integers(1, 7, 2))
        dice = max(a, b), min(a, b)
        yield Moment("dice_thrown", position, dice, number, side)
        able = legal_plays(position, dice, side)
        if able[0].moves and rng.random() < CHEATED:
            for cheat in cheats(position, dice, side, RULE_SETS["international"], rng):
                counts = apply(counts_of(position), list(cheat.steps))
                if not mixed(counts):
                    wrong = Position.from_document(document(counts))
                    yield Moment("play_done_illegal", wrong, dice, number, side, cheat=cheat.kind)
                    yield Moment("taken_back", position, dice, number, side)
                    break
        play = choose(able, side, rng)
        position = play.result
        yield Moment("play_done", position, dice, number, side, bool(play.moves), play=play)
        if winner(position) is not None:
            return
        side = opponent(side)
