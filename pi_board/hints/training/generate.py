"""Make labelled positions by self-play:
`python -m pi_board.hints.training.generate --stage wide --seed 2 --minutes 2 --out wide.npz`.

Both stages label what a player could leave (the other side on roll), good and bad, since the network must rank them.

wide:  GNU Backgammon's 0-ply plays and labels up to 16 results of every roll; for a first network.
close: our network plays; of every roll the results that it finds nearly as good as the best are kept, and one at random,
       and labelled with look-ahead (`--plies`). Rolls with one result are left out.

A share of the games is played with noise, so that unusual positions come up. The same seed, machine speed aside
(`--decisions` instead of `--minutes`), gives the same positions.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from pi_board.hints.equity import Worth
from pi_board.hints.evaluator import Evaluator
from pi_board.hints.features import classify
from pi_board.hints.rows import OWN_OFF, Rows, encode, expand_batch, flip
from pi_board.hints.training.classes import CLASSES
from pi_board.hints.training.labels import Labeller
from pi_board.rules import STARTING_POSITION

GAMES = 600
WIDE, CLOSE, MARGIN = 16, 5, 0.12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stage", choices=("wide", "close"), required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--decisions", type=int, default=10**12)
    parser.add_argument("--plies", type=int, default=0)
    parser.add_argument("--weights", help="networks for the close stage (default: the shipped ones)")
    parser.add_argument(
        "--begin", help="games begin at random positions of this file's, of the class --class"
    )
    parser.add_argument(
        "--class", dest="which", choices=CLASSES, help="with --begin: games that leave this class begin anew"
    )
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    labeller = Labeller()
    evaluator = Evaluator(args.weights) if args.stage == "close" else None
    worth = Worth()
    start = encode([STARTING_POSITION], "light")[0]
    games: Rows = np.repeat(start[None], GAMES, 0)
    begin: Rows = start[None]
    if args.begin:
        with np.load(args.begin) as data:
            begin = data["rows"]
        begin = begin[np.isin(classify(begin), CLASSES[args.which])]
        games = begin[rng.integers(len(begin), size=GAMES)]
    noise = rng.choice([0.0, 0.02, 0.1, 0.4], GAMES, p=[0.5, 0.25, 0.15, 0.1]) / 2
    seen: set[bytes] = set()
    rows: list[Rows] = []
    probs: list[np.ndarray] = []
    decisions, began, saved = 0, time.monotonic(), time.monotonic()

    def write() -> None:
        np.savez(args.out, rows=np.concatenate(rows), probs=np.concatenate(probs))

    while decisions < args.decisions and time.monotonic() - began < 60 * args.minutes:
        plays = expand_batch(games, rng.integers(1, 7, (GAMES, 2)))
        left, parent = flip(plays.results), plays.owner
        over = plays.results[:, OWN_OFF] == 15
        chance = rng.random(len(left))
        if evaluator is None:
            keep = np.flatnonzero(_rank(chance, parent, plays.starts) < WIDE)
            left, parent, over = left[keep], parent[keep], over[keep]
            value = np.full(len(left), 9.0)
            label = labeller.label(left[~over], args.plies)
            value[~over] = -worth.equity(label)
            wanted = left[~over]
        else:
            value = -worth.equity(evaluator.evaluate_rows(left)).astype(float)
            best = np.maximum.reduceat(value, plays.starts[:-1])
            rank = _rank(-value, parent, plays.starts)
            single = np.diff(plays.starts) == 1
            near = (rank < CLOSE) & (value > best[parent] - MARGIN) | (
                _rank(chance, parent, plays.starts) == 0
            )
            wanted = left[near & ~over & ~single[parent]]
        fresh = [i for i, r in enumerate(wanted) if r.tobytes() not in seen]
        seen.update(wanted[i].tobytes() for i in fresh)
        rows.append(wanted[fresh])
        probs.append(label[fresh] if evaluator is None else labeller.label(wanted[fresh], args.plies))
        decisions += GAMES
        # Play on: the best by these values, with the game's own noise.
        value = value + rng.gumbel(size=len(value)) * noise[parent]
        order = np.lexsort((-value, parent))
        chosen = order[np.searchsorted(parent[order], np.arange(GAMES))]
        games = left[chosen]
        if args.begin:
            over[chosen] |= ~np.isin(classify(left[chosen]), CLASSES[args.which])
        games[over[chosen]] = begin[rng.integers(len(begin), size=over[chosen].sum())]
        if time.monotonic() - saved > 60:
            saved = time.monotonic()
            n = sum(len(r) for r in rows)
            print(f"{decisions} decisions, {n} positions, {n / (saved - began):.0f}/s", flush=True)
            write()
    write()
    labeller.close()


def _rank(cost: np.ndarray, parent: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Rank of each cost among those of the same parent, 0 = lowest."""
    order = np.lexsort((cost, parent))
    rank = np.empty(len(cost), int)
    rank[order] = np.arange(len(cost)) - starts[parent[order]]
    return rank


if __name__ == "__main__":
    main()
