"""How quickly the solitaire solver answers in the middle of a game, in seconds of one core.

`python tests/bench/bench_solitaire.py [--positions 200] [--seed 1]`

Positions come from two kinds of play from the vacancies that can be won: `random` (any jump) and `careful` (the player
avoids leaving pieces alone). A position is one moment of one game, from the second jump to the last but one.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

from pi_board.solitaire import BOARD_37, Jump, bit, single_finishes, solver
from pi_board.solitaire.solver import PATIENCE, PATIENCE_IN_PLAY

WINNABLE = [n for n in range(1, 38) if single_finishes(BOARD_37, BOARD_37.full ^ bit(n))]


def stranded(position: int) -> int:
    """Pieces without a neighbour."""
    pieces = {BOARD_37.places[i] for i in range(37) if position >> i & 1}
    return sum(not {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)} & pieces for r, c in pieces)


def careful(position: int, legal: list[Jump], rng: random.Random) -> Jump:
    return min(legal, key=lambda j: (stranded(BOARD_37.after(position, j)), rng.random()))


def game(kind: str, start: int, rng: random.Random) -> list[int]:
    """The positions of one game, the start first."""
    position, seen = start, [start]
    while legal := BOARD_37.legal(position):
        jump = careful(position, legal, rng) if kind == "careful" else rng.choice(legal)
        position = BOARD_37.after(position, jump)
        seen.append(position)
    return seen


def positions(kind: str, number: int, seed: int, vacancies: list[int]) -> list[int]:
    rng = random.Random(seed)
    found = []
    for _ in range(number):
        seen = game(kind, BOARD_37.full ^ bit(rng.choice(vacancies)), rng)
        found.append(seen[rng.randint(2, len(seen) - 2)])
    return found


def measure(label: str, asked: list[int], patience: int, *, remainder: bool) -> None:
    answers: Counter[str] = Counter()
    seconds = []
    for position in asked:
        begin = time.process_time()
        found = solver(BOARD_37).solve(position, patience=patience, remainder=remainder)
        seconds.append(time.process_time() - begin)
        after = position
        for jump in found.jumps:
            after = BOARD_37.after(after, jump)
        assert after.bit_count() == found.best_remaining or not found.jumps
        answers[{True: "yes", False: f"no, {found.proof}", None: "not known"}[found.solvable]] += 1
    seconds.sort()
    n = len(seconds)
    decided = 1 - answers["not known"] / n
    print(
        f"{label:<34}{n:>5}{seconds[n // 2]:>8.3f}{seconds[int(0.95 * n)]:>8.3f}{seconds[-1]:>8.2f}"
        f"{sum(s <= 1 for s in seconds) / n:>9.1%}{decided:>9.1%}   "
        + ", ".join(f"{k} {v}" for k, v in sorted(answers.items())),
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for n in WINNABLE:  # the layers from the finishes are made once per process
        solver(BOARD_37).solve(BOARD_37.full ^ bit(n), remainder=False)
    print(f"{'':<34}{'n':>5}{'p50 s':>8}{'p95 s':>8}{'max s':>8}{'<= 1 s':>9}{'decided':>9}   answers")
    for kind in ("random", "careful"):
        asked = positions(kind, args.positions, args.seed, WINNABLE)
        measure(f"{kind}, in play", asked, PATIENCE_IN_PLAY, remainder=False)
        measure(f"{kind}, with all patience", asked, PATIENCE, remainder=False)
        measure(f"{kind}, in play, fewest pieces too", asked, PATIENCE_IN_PLAY, remainder=True)
    asked = positions("random", args.positions // 4, args.seed + 1, [19])
    measure("classic, fewest pieces", asked, PATIENCE_IN_PLAY, remainder=True)


if __name__ == "__main__":
    main()
