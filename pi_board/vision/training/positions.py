"""How often how many checkers stand where in games: `python -m pi_board.vision.training.positions OUT --games 300`.

A photo shows a position that two people have played to, so a point hidden under a hand, or lost in the dark, is rather a
held 6 point than six men on the 17. The evaluator plays itself here, at a different strength in every game (noise on
the equities), and every position it comes to is counted for both sides.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pi_board.hints import Evaluator
from pi_board.rules import STARTING_POSITION, Position, Side, legal_plays
from pi_board.sighting import COUNTS, ZERO

#: Noise on the equity (points) of each play: from sound to careless.
CARELESS = 0.8
LONGEST = 300


def played_positions(rng: np.random.Generator, evaluator: Evaluator) -> Iterator[Position]:
    """Every position of one game after the first play, up to the last checker."""
    position = STARTING_POSITION
    sides: tuple[Side, Side] = ("light", "dark") if rng.random() < 0.5 else ("dark", "light")
    noise = CARELESS * rng.random()
    for turn in range(LONGEST):
        side, other = sides[turn % 2], sides[1 - turn % 2]
        dice = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
        results = [play.result for play in legal_plays(position, dice, side)]
        chances = evaluator.evaluate(results, side=other)
        equity = 2 * chances[:, 0] - 1 + chances[:, 1] + chances[:, 2] - chances[:, 3] - chances[:, 4]
        position = results[int(np.argmin(equity + noise * rng.standard_normal(len(equity))))]
        if 15 in position.off:
            return
        yield position


def count(games: int, seed: int) -> np.ndarray:
    """(2, 2, 24, 31) how often each signed count stood on each point, by whether light and dark had men off."""
    rng, evaluator = np.random.default_rng(seed), Evaluator()
    table = np.zeros((2, 2, 24, COUNTS))
    for _ in range(games):
        for position in played_positions(rng, evaluator):
            off = tuple(int(n > 0) for n in position.off)
            table[off[0], off[1], np.arange(24), np.array(position.points) + ZERO] += 1
    # Seen from the other side it is a position too.
    return np.asarray(table + table.transpose(1, 0, 2, 3)[:, :, ::-1, ::-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    table = count(args.games, args.seed)
    np.savez_compressed(args.out, counts=np.minimum(table, 65535).astype(np.uint16))
    print(f"{int(table[:, :, 0].sum())} positions")


if __name__ == "__main__":
    main()
