"""`Evaluator`: the chances of the player on roll, from our own networks and bear-off table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pi_board.errors import InvalidFileError
from pi_board.hints.bearoff import bear_off, in_table
from pi_board.hints.features import INPUT_COUNT, INPUTS, RACE, classify
from pi_board.hints.network import CHUNK, DenseNetwork
from pi_board.hints.rows import OTHER_BAR, OTHER_OFF, OWN_BAR, OWN_OFF, Rows, encode
from pi_board.rules import Position, Side

CLASS_NAMES = ("contact", "crashed", "race")
WEIGHTS = Path(__file__).with_name("weights") / "networks.npz"


class Evaluator:
    """Compact networks, one per kind of position (contact, crashed, race), and exact bear-offs.

    weights: an `.npz` of `<class>_w0`, `<class>_b0`, …; the shipped ones by default. Raises InvalidFileError when
    the file is missing or does not fit this version's inputs.
    """

    def __init__(self, weights: Path | str | None = None) -> None:
        path = Path(weights) if weights is not None else WEIGHTS
        self.networks = _shipped() if weights is None else _load(path)

    def evaluate(self, positions: Sequence[Position] | Position, side: Side = "light") -> NDArray[np.float32]:
        """(N, 5) float32: win, win gammon, win backgammon, lose gammon, lose backgammon for `side`, who is to roll.

        A gammon's share is part of the win's share, a backgammon's part of the gammon's.
        """
        listed = [positions] if isinstance(positions, Position) else list(positions)
        return self.evaluate_rows(encode(listed, side))

    def evaluate_rows(self, rows: Rows) -> NDArray[np.float32]:
        """(N, 28) int8 seen from the player to roll → (N, 5) as `evaluate`. Finished games give their result."""
        out = np.empty((len(rows), 5), np.float32)
        kinds = classify(rows)
        kinds[(rows[:, OWN_OFF] == 15) | (rows[:, OTHER_OFF] == 15)] = 4
        racing = np.flatnonzero(kinds == RACE)
        if len(racing):
            kinds[racing[in_table(rows[racing])]] = 3
        for kind, network in enumerate(self.networks):
            index = np.flatnonzero(kinds == kind)
            for i in range(0, len(index), CHUNK):
                part = index[i : i + CHUNK]
                out[part] = network.probabilities(INPUTS[kind](rows[part]))
        index = np.flatnonzero(kinds == 3)
        if len(index):
            out[index] = bear_off().probabilities(rows[index])
        index = np.flatnonzero(kinds == 4)
        if len(index):
            out[index] = finished(rows[index])
        # A side that has borne off a checker cannot lose a gammon.
        out[:, 1:3] *= (rows[:, OTHER_OFF] == 0)[:, None]
        out[:, 3:5] *= (rows[:, OWN_OFF] == 0)[:, None]
        return out


def finished(rows: Rows) -> NDArray[np.float32]:
    """(N, 5) of games that are over, for the player from whom the rows are seen."""
    out = np.zeros((len(rows), 5), np.float32)
    won = rows[:, OWN_OFF] == 15
    out[:, 0] = won
    gammon = won & (rows[:, OTHER_OFF] == 0)
    back = gammon & ((rows[:, OTHER_BAR] > 0) | (rows[:, :6] < 0).any(1))
    lost = ~won & (rows[:, OWN_OFF] == 0)
    lost_back = lost & ((rows[:, OWN_BAR] > 0) | (rows[:, 18:24] > 0).any(1))
    out[:, 1], out[:, 2], out[:, 3], out[:, 4] = gammon, back, lost, lost_back
    return out


@lru_cache(maxsize=1)
def _shipped() -> tuple[DenseNetwork, ...]:
    return _load(WEIGHTS)


def _load(path: Path) -> tuple[DenseNetwork, ...]:
    try:
        with np.load(path) as data:
            arrays = dict(data)
    except (OSError, ValueError) as error:
        raise InvalidFileError(f"{path}: expected the hint networks (.npz), {error}") from None
    networks = []
    for kind, name in enumerate(CLASS_NAMES):
        prefix = f"{name}_"
        network = DenseNetwork({k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)})
        if not network.layers or network.inputs != INPUT_COUNT[kind]:
            raise InvalidFileError(f"{path}: expected a {name} network with {INPUT_COUNT[kind]} inputs")
        networks.append(network)
    return tuple(networks)


@lru_cache(maxsize=1)
def shared_evaluator() -> Evaluator:
    """One Evaluator for all callers that bring none."""
    return Evaluator()
