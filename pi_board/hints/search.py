"""Look-ahead over whole batches: expand every roll, evaluate all replies at once, answer each as is best.

A value here is the utility of the player on roll, who may turn the cube first; `equity` defines utilities. "n-ply" counts as
GNU Backgammon does: 0-ply looks at the position itself, 1-ply at all 21 rolls and their best replies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pi_board.hints.equity import Array, CubeModel, CubeState, cube_life, decided
from pi_board.hints.evaluator import Evaluator
from pi_board.hints.rows import OTHER_OFF, OWN_OFF, ROLL_WEIGHTS, ROLLS, Rows, expand_rolls, flip

#: Called with the share of the work that is done, 0-1.
Progress = Callable[[float], None]

_KEYS = np.array([
    0x6D08E4F8554A25BC, 0x71442C1D1C485C49, 0x6202BCABEAA2C2D5, 0x041F1570E292F0E1, 0x066CF1D5924EBE0C, 0x2A2A4597EAAF5D3B,
    0x7020E44BACF5ADB1, 0x79B66B77A3706BDB, 0x442C9E58A84A1942, 0x647F273169FB2DC7, 0x2A27B1D33BC5BC43, 0x68B6F41DF54D8B87,
    0x688B01A358C74A30, 0x094EEC1A951B64DF, 0x7B35BEA39C58A971, 0x2BFE9F365917159F, 0x16B830F9C2AB81B4, 0x4287374BEC77536A,
    0x4FA1E83278F1EF70, 0x02262955FA923C84, 0x1307B6EA7E237E23, 0x2C0A4185574851FC, 0x1C652A51424EC126, 0x4D31FEDF0BE18982,
    0x0AF467E53121801A, 0x5E0EB778268D575D, 0x3D40397AA3A9FCDF, 0x259B6B2471407D98,
], np.int64)  # fmt: skip


def _distinct(rows: Rows) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(first, inverse): rows[first] are the distinct rows, rows[first][inverse] all of them again."""
    keys = rows.astype(np.int64) @ _KEYS
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return first, inverse.reshape(-1)


class Search:
    """Values of positions by look-ahead with one evaluator."""

    def __init__(self, evaluator: Evaluator, progress: Progress | None = None) -> None:
        self.evaluator = evaluator
        self.progress = progress

    def static(self, rows: Rows) -> tuple[Array, Array]:
        """(probabilities (N, 5), cube life (N,)) for the player on roll, each distinct row evaluated once."""
        first, inverse = _distinct(rows)
        few = rows[first]
        return self.evaluator.evaluate_rows(few)[inverse], cube_life(few)[inverse]

    def _with_decision(
        self,
        model: CubeModel,
        states: Sequence[CubeState],
        no_double: dict[CubeState, Array],
        over: NDArray[np.bool_],
    ) -> dict[CubeState, Array]:
        """Cube turned where that is best; nobody doubles in a finished game."""
        out = {}
        for state in states:
            plain = no_double[state]
            if model.may_double(state):
                out[state] = np.where(over, plain, decided(model, state, plain, no_double[state.doubled()]))
            else:
                out[state] = plain
        return out

    @staticmethod
    def needed(model: CubeModel, states: Sequence[CubeState]) -> list[CubeState]:
        """The cube states whose no-double values the decisions in `states` need."""
        need = list(states)
        need += [s.doubled() for s in states if model.may_double(s) and s.doubled() not in need]
        return list(dict.fromkeys(need))

    def values(
        self, rows: Rows, model: CubeModel, states: Sequence[CubeState], plies: int
    ) -> tuple[dict[CubeState, Array], Array]:
        """Utilities by cube state, (N,) each, and probabilities (N, 5), for the player on roll in `rows`."""
        no_double, probabilities = self.no_double(rows, model, self.needed(model, states), plies)
        over = (rows[:, OWN_OFF] == 15) | (rows[:, OTHER_OFF] == 15)
        return self._with_decision(model, states, no_double, over), probabilities

    def no_double(
        self, rows: Rows, model: CubeModel, states: Sequence[CubeState], plies: int
    ) -> tuple[dict[CubeState, Array], Array]:
        """As `values`, but the player on roll does not turn the cube now."""
        if plies <= 0:
            probabilities, life = self.static(rows)
            return self._static_values(rows, probabilities, life, model, states), probabilities
        first, inverse = _distinct(rows)
        if len(first) < len(rows):
            values, probabilities = self.no_double(rows[first], model, states, plies)
            return {s: v[inverse] for s, v in values.items()}, probabilities[inverse]
        over = (rows[:, OWN_OFF] == 15) | (rows[:, OTHER_OFF] == 15)
        if over.any():
            probabilities = np.empty((len(rows), 5), np.float32)
            out = {s: np.empty(len(rows), np.float32) for s in states}
            for part, depth in ((np.flatnonzero(over), 0), (np.flatnonzero(~over), plies)):
                if len(part):
                    values, probabilities[part] = self.no_double(rows[part], model, states, depth)
                    for s in states:
                        out[s][part] = values[s]
            return out, probabilities
        return self._look_ahead(rows, model, states, plies)

    def _static_values(
        self, rows: Rows, probabilities: Array, life: Array, model: CubeModel, states: Sequence[CubeState]
    ) -> dict[CubeState, Array]:
        over = (rows[:, OWN_OFF] == 15) | (rows[:, OTHER_OFF] == 15)
        # The cube is dead once the game is over.
        life = np.where(over, np.float32(0), life)
        return {s: np.asarray(model.no_double(probabilities, life, s), np.float32) for s in states}

    def _look_ahead(
        self, rows: Rows, model: CubeModel, states: Sequence[CubeState], plies: int
    ) -> tuple[dict[CubeState, Array], Array]:
        """The mean over all rolls of the best reply; deeper than one ply only the reply that looks best is followed."""
        n = len(rows)
        replies = expand_rolls(rows)
        children, group, starts = flip(replies.results), replies.owner, replies.starts[:-1]
        other = model.flipped()
        after = [s.flipped() for s in states]
        values, probabilities = self.values(children, other, after, 0)
        # Choose the reply by the first state, because that is the cube state actually being played.
        chosen = _argmin_by_group(values[after[0]], group, starts)
        if plies > 1:
            values, probabilities = self.values(children[chosen], other, after, plies - 1)
            best = {s: -v for s, v in values.items()}
        else:
            best = {s: -np.minimum.reduceat(v, starts) for s, v in values.items()}
            probabilities = probabilities[chosen]
        mean = {s: best[s.flipped()].reshape(n, len(ROLLS)) @ ROLL_WEIGHTS for s in states}
        theirs = np.einsum("nrk,r->nk", probabilities.reshape(n, len(ROLLS), 5), ROLL_WEIGHTS)
        return mean, swapped(theirs)


def swapped(probabilities: Array) -> Array:
    """The same chances for the other player."""
    out = np.empty_like(probabilities)
    out[:, 0] = 1 - probabilities[:, 0]
    out[:, 1:3] = probabilities[:, 3:5]
    out[:, 3:5] = probabilities[:, 1:3]
    return out


def _argmin_by_group(values: Array, group: NDArray[np.intp], starts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Index of the lowest value in each run of `group`."""
    least = np.minimum.reduceat(values, starts)
    hits = np.flatnonzero(values <= least[group])
    _, first = np.unique(group[hits], return_index=True)
    return hits[first]
