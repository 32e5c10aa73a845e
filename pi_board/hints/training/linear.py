"""Fit the linear player of the benchmark: `python -m pi_board.hints.training.linear labels.npz OUT.npz`.

A stand-in for Gerald Tesauro's pubeval (1993), the classic yardstick: it too is nothing but two weighted sums of counts per
point, one for contact and one for races. Ours is the least-squares fit to labelled equities.
"""

from __future__ import annotations

import sys

import numpy as np

from pi_board.hints.equity import Worth
from pi_board.hints.features import PLAIN_INPUTS, RACE, classify, plain_inputs


def main() -> None:
    with np.load(sys.argv[1]) as data:
        rows, probs = data["rows"][::4], data["probs"][::4]
    equity = Worth().equity(probs).astype(np.float64)
    kinds = classify(rows)
    weights = {}
    for name, mask in (("contact", kinds != RACE), ("race", kinds == RACE)):
        gram = np.zeros((PLAIN_INPUTS + 1, PLAIN_INPUTS + 1))
        total = np.zeros(PLAIN_INPUTS + 1)
        index = np.flatnonzero(mask)
        for part in np.array_split(index, max(1, len(index) // 20000)):
            x = plain_inputs(rows[part])
            x = np.concatenate([x, np.ones((1, x.shape[1]), np.float32)]).astype(np.float64)
            gram = gram + x @ x.T
            total = total + x @ equity[part]
        weights[name] = np.linalg.solve(gram + 1e-3 * len(index) / 1e4 * np.eye(len(gram)), total).astype(
            np.float32
        )
    np.savez(sys.argv[2], **weights)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
