"""Pack trained networks and the bear-off table into `weights/`:
`python -m pi_board.hints.training.ship contact.npz crashed.npz race.npz`."""

from __future__ import annotations

import sys

import numpy as np

from pi_board.hints.bearoff import build, pack
from pi_board.hints.evaluator import CLASS_NAMES, WEIGHTS


def main() -> None:
    arrays = {}
    for name, path in zip(CLASS_NAMES, sys.argv[1:4], strict=True):
        with np.load(path) as data:
            arrays.update({f"{name}_{key}": data[key].astype(np.float16) for key in data})
    np.savez_compressed(WEIGHTS, **arrays)  # type: ignore[arg-type]
    if not WEIGHTS.with_name("bearoff.npz").exists():
        pack(*build())


if __name__ == "__main__":
    main()
