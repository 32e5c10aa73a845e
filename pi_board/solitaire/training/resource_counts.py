"""Finds the resource counts of `pi_board/solitaire/resource_counts.txt` (needs scipy; a minute or two).

`python -m pi_board.solitaire.training.resource_counts [--seconds N] [--out FILE]`

For a position and a last hole, the best resource count is the answer of a linear programme: weights on the holes, no
jump gains, as little as possible on the board and as much as possible in the last hole (Beasley 1985, chapter 5). The
programmes of many random positions have few different answers; those are collected, scaled to whole numbers.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

from pi_board.solitaire.board import BOARD_37, Board, bit
from pi_board.solitaire.classes import position_class, single_finishes
from pi_board.solitaire.resource_counts import FILE, is_resource_count, occupied
from pi_board.solitaire.symmetry import permute

#: Counts shipped per last hole.
KEEP = 60

Weights = tuple[int, ...]


def best_count(board: Board, position: int, finish: int) -> tuple[float, Weights | None]:
    """(the deficit, the weights in whole numbers): a deficit below 0 proves that `finish` cannot be the last hole."""
    gain = np.zeros((len(board.jumps), board.holes))
    for i, j in enumerate(board.jumps):
        gain[i, [j.start - 1, j.over - 1]] -= 1
        gain[i, j.end - 1] += 1
    cost = np.array(board.to_holes(position), float)
    cost[finish - 1] -= 1
    found = linprog(cost, A_ub=gain, b_ub=np.zeros(len(gain)), bounds=(-1, 1), method="highs-ds")
    parts = [Fraction(float(w)).limit_denominator(60) for w in found.x]
    scale = math.lcm(*(p.denominator for p in parts))
    whole = [int(p * scale) for p in parts]
    common = math.gcd(*whole) or 1
    weights = tuple(w // common for w in whole)
    return float(found.fun), weights if is_resource_count(board, weights) else None


def random_positions(board: Board, rng: random.Random) -> list[int]:
    """Some positions of one random game from a random vacancy, or of a random set-up."""
    if rng.random() < 0.5:
        position = board.full ^ bit(rng.randint(1, board.holes))
    else:
        position = board.from_numbers(rng.sample(range(1, board.holes + 1), rng.randint(10, 34)))
    found = []
    while legal := board.legal(position):
        position = board.after(position, rng.choice(legal))
        if rng.random() < 0.15 and position.bit_count() > 6:
            found.append(position)
    return found


def collect(board: Board, seconds: float, seed: int) -> dict[int, list[Weights]]:
    """Resource counts by the last hole that they speak about (one hole of every set of symmetric ones)."""
    rng = random.Random(seed)
    found: dict[int, dict[Weights, int]] = {}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for position in random_positions(board, rng):
            for finish in single_finishes(board, position):
                turn = min(board.symmetries, key=lambda s, f=finish: s[f - 1])  # type: ignore[misc]
                hole, turned = turn[finish - 1] + 1, permute(turn, position)
                known = found.setdefault(hole, {})
                hits = [w for w in known if _sum(w, turned) < w[hole - 1]]
                if hits:
                    known[hits[0]] += 1
                    continue
                deficit, weights = best_count(board, turned, hole)
                if deficit < -1e-7 and weights is not None:
                    known[weights] = 1
    return {hole: list(w) for hole, w in sorted(found.items())}


def frontier(
    board: Board, hole: int, counts: list[Weights], rng: random.Random, games: int
) -> npt.NDArray[np.float32]:
    """(n, holes) positions as a search for `hole` meets them: next positions of those that no count excludes."""
    weights = np.array(counts, np.float32).T
    needed = weights[hole - 1]
    wanted = position_class(board, bit(hole))
    picked = []
    for _ in range(games):
        for start in random_positions(board, rng):
            if position_class(board, start) != wanted:
                continue
            layer = [start]
            while layer:
                layer = list(
                    {p ^ flip for p in layer for need, end, flip in board.masks if p & (need | end) == need}
                )
                layer = rng.sample(layer, min(len(layer), 200))
                if not layer:
                    break
                bits = occupied(np.array(layer, np.uint64), board.holes)
                picked.append(bits[:20])
                layer = [p for p, ok in zip(layer, (bits @ weights >= needed).all(axis=1), strict=True) if ok]
    return np.concatenate(picked)


def most_telling(board: Board, hole: int, counts: list[Weights], rng: random.Random) -> list[Weights]:
    """Up to KEEP counts, each the one that excludes most of what those before it leave."""
    bits = frontier(board, hole, counts, rng, 400)
    weights = np.array(counts, np.float32).T
    excludes = bits @ weights < weights[hole - 1]
    chosen: list[int] = []
    while len(chosen) < KEEP:
        worth = excludes.sum(axis=0)
        best = int(worth.argmax())
        if not worth[best]:
            break
        chosen.append(best)
        excludes = excludes[~excludes[:, best]]
    return [counts[i] for i in chosen]


def _sum(weights: Weights, position: int) -> int:
    return sum(w for i, w in enumerate(weights) if position >> i & 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=FILE)
    args = parser.parse_args()
    found = collect(BOARD_37, args.seconds, args.seed)
    lines = [
        "# Resource counts of the 37-hole board: the last hole, then a weight for each hole from 1 on.",
        "# Made by pi_board/solitaire/training/resource_counts.py.",
    ]
    rng = random.Random(args.seed)
    for hole, counts in found.items():
        counts = most_telling(BOARD_37, hole, counts, rng)
        print(f"hole {hole}: {len(counts)} of {len(found[hole])}")
        lines += [f"{hole}: {' '.join(map(str, w))}" for w in counts]
    args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
