"""Find the cube life that decides best: `python -m pi_board.hints.training.calibrate --data wide.npz --labels cubes.npz`.

Takes positions of our own self-play in which the cube is a question (never the benchmark's), lets GNU Backgammon's 2-ply
say what no double, take and pass are worth (kept in --labels), and prints the equity that our decisions lose by cube
life and class. The best values go by hand into `equity.CUBE_LIFE`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from pi_board.hints import Evaluator, Gnubg, equity
from pi_board.hints.equity import CENTRED, MINE, CubeState, Money
from pi_board.hints.features import CONTACT, CRASHED, RACE, classify
from pi_board.hints.search import Search


def choose(paths: list[str], number: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions with the player on roll near a doubling decision, and whose cube it is (0 the middle, 1 the player's)."""
    rng = np.random.default_rng(seed)
    rows = np.concatenate([np.load(p)["rows"] for p in paths])
    rows = rows[rng.permutation(len(rows))[: 40 * number]]
    value = equity.Worth().equity(Evaluator().evaluate_rows(rows))
    near = rows[(value > 0.25) & (value < 1.1)]
    kinds = classify(near)
    share = {CONTACT: 0.6, CRASHED: 0.15, RACE: 0.25}
    picked = np.concatenate([near[kinds == k][: int(number * s)] for k, s in share.items()])
    return picked, rng.integers(0, 2, len(picked))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", required=True)
    parser.add_argument("--labels", required=True)
    parser.add_argument("--number", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=0, help="our look-ahead while calibrating")
    args = parser.parse_args()
    if not Path(args.labels).exists():
        rows, owner = choose(args.data, args.number, args.seed)
        found = np.empty((len(rows), 3))
        with Gnubg(timeout=600) as engine:
            for held in (0, 1):
                index = np.flatnonzero(owner == held)
                cube = (1, -1) if held == 0 else (2, 0)
                found[index] = engine._evaluate(rows[index], 2, cube, False, None, "light")[0][:, 1:4]
        np.savez(args.labels, rows=rows, owner=owner, equities=found)
    with np.load(args.labels) as data:
        rows, owner, truth = data["rows"], data["owner"], data["equities"]
    kinds = classify(rows)
    no_double, take, passed = truth.T
    best = np.maximum(no_double, np.minimum(take, passed))
    search, model = Search(Evaluator()), Money()
    print("life   doubling loss by contact, crashed, race | all;  taking the same (thousandths)")
    for life in np.arange(0.50, 0.86, 0.04):
        equity.CUBE_LIFE.update({CONTACT: float(life), CRASHED: float(life), RACE: float(life)})
        doubling, taking = np.zeros(len(rows)), np.zeros(len(rows))
        for held, state in ((0, CubeState(1, CENTRED)), (1, CubeState(1, MINE))):
            index = np.flatnonzero(owner == held)
            if not len(index):
                continue
            values, _ = search.no_double(rows[index], model, [state, state.doubled()], args.plies)
            nd, dt = values[state], values[state.doubled()]
            doubles = np.minimum(dt, 1) > nd
            chosen = np.where(doubles, np.minimum(take, passed)[index], no_double[index])
            doubling[index] = best[index] - chosen
            taking[index] = np.where(dt <= 1, take[index], passed[index]) - np.minimum(take, passed)[index]
        parts = [
            f"{1000 * x[kinds == k].mean():6.2f}"
            for x in (doubling, taking)
            for k in (CONTACT, CRASHED, RACE)
        ]
        print(
            f"{life:.2f}  {' '.join(parts[:3])} | {1000 * doubling.mean():6.2f};  {' '.join(parts[3:])} | {1000 * taking.mean():6.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
