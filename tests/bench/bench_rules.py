"""How fast the rules are: rolls fully expanded into distinct plays per second. `python tests/bench/bench_rules.py [--json]`.

A roll is one (position, dice) pair; it is expanded when the position after every distinct play exists. The pairs come
from seeded random games (contact, races, bearing off, checkers on the bar). Compared with the plain Python generator that the tests
use as judge, and, where installed, with OpenSpiel's `legal_actions` (its C++ engine; it lists move codes, not positions).
Each figure is the best of several runs in processor time of one core, because anything else on the machine only ever makes it slower.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pi_board.rules import STARTING_POSITION, Position, Side, explain, legal_plays, opponent
from pi_board.rules.batch import encode, expand_batch, expand_rolls, flip
from pi_board.rules.movement import state_of
from tests.rules import plain_generator

Roll = tuple[Position, tuple[int, int], Side]


def rolls(count: int, seed: int) -> list[Roll]:
    """`count` rolls of random games, the side to move as it came."""
    rng, found = random.Random(seed), []
    position, side = STARTING_POSITION, "light"
    while len(found) < count:
        dice = rng.randint(1, 6), rng.randint(1, 6)
        found.append((position, dice, side))
        position = rng.choice(legal_plays(position, dice, side)).result  # type: ignore[arg-type]
        side = opponent(side)  # type: ignore[arg-type]
        if 15 in position.off:
            position = STARTING_POSITION
    return found  # type: ignore[return-value]


def best(work: Callable[[], int], repeats: int) -> tuple[float, int]:
    """(seconds of the quickest run, results)."""
    times, results = [], 0
    for _ in range(repeats):
        start = time.process_time()
        results = work()
        times.append(time.process_time() - start)
    return min(times), results


def openspiel(pairs: list[Roll], repeats: int) -> tuple[float, int, int] | None:
    """(seconds, actions, states): OpenSpiel listing the legal actions of as many states of its own random games."""
    if importlib.util.find_spec("pyspiel") is None:
        return None
    import pyspiel

    rng = random.Random(1)
    game = pyspiel.load_game("backgammon")
    state, states = game.new_initial_state(), []
    while len(states) < len(pairs):
        if state.is_terminal():
            state = game.new_initial_state()
        elif state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            states.append(state.clone())
            state.apply_action(rng.choice(state.legal_actions()))
    seconds, actions = best(lambda: sum(len(s.legal_actions()) for s in states), repeats)
    return seconds, actions, len(states)


def measure(count: int, repeats: int, seed: int) -> dict[str, dict[str, float]]:
    """name -> {"rolls": per second, "results": per second}."""
    pairs = rolls(count, seed)
    few = pairs[: max(1, count // 8)]
    plain = [(state_of(p, s), d) for p, d, s in few]
    boards = np.concatenate([encode(p, s) for p, _, s in pairs])
    dice = np.array([d for _, d, _ in pairs])
    start = encode(STARTING_POSITION, "light")
    second = flip(expand_rolls(start).results)
    table: dict[str, dict[str, float]] = {}

    def row(name: str, work: Callable[[], int], size: int) -> None:
        seconds, results = best(work, repeats)
        table[name] = {"rolls": size / seconds, "results": results / seconds}

    row("plain Python generator", lambda: sum(len(plain_generator.plays(b, *d)) for b, d in plain), len(few))
    row(
        "legal_plays, every result made",
        lambda: sum(len([q.result for q in legal_plays(*r)]) for r in pairs),
        count,
    )
    row("legal_plays, listed only", lambda: sum(len(legal_plays(*r)) for r in pairs), count)
    row(
        "legal_plays, classique",
        lambda: sum(len([q.result for q in legal_plays(*r, "classique")]) for r in few),
        len(few),
    )
    row("expand_batch", lambda: len(expand_batch(boards, dice).results), count)
    row("expand_rolls, second ply", lambda: len(expand_rolls(second).results), len(second) * 21)
    row("explain, a play left out", lambda: sum(bool(explain(p, p, d, s)) for p, d, s in few), len(few))
    spiel = openspiel(pairs, repeats)
    if spiel:
        table["OpenSpiel legal_actions"] = {"rolls": spiel[2] / spiel[0], "results": spiel[1] / spiel[0]}
    return table


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rolls", type=int, default=8000, help="how many (position, dice) pairs")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    table = measure(args.rolls, args.repeats, args.seed)
    if args.json:
        print(json.dumps(table))
        return 0
    base = table["plain Python generator"]["rolls"]
    print(f"{'':<34}{'rolls/s':>12}{'plays/s':>14}{'x plain':>9}")
    for name, figures in table.items():
        print(
            f"{name:<34}{figures['rolls']:>12,.0f}{figures['results']:>14,.0f}{figures['rolls'] / base:>9.1f}"
        )
    if "OpenSpiel legal_actions" not in table:
        print("OpenSpiel: not installed (pip install open_spiel)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
