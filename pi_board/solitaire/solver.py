"""Can it still be won, and how: class proof first, then search from both ends in whole layers (numpy).

Every jump removes one piece, so all solutions of a problem have the same number of jumps; positions with the same
number of pieces form a layer. Layers reachable from the start are met by layers from which a finish is reachable.
A forward layer that had to be thinned (a beam) can still prove "yes", never "no".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.solitaire.board import BOARD_37, Board, Jump, bit, count
from pi_board.solitaire.classes import position_class, single_finishes

States = npt.NDArray[np.uint64]
Progress = Callable[[str], None]

#: Backward layers stop growing here; beyond it the forward search does the rest.
BACKWARD_LIMIT = 150_000
#: A forward layer larger than this is thinned; the widths tried one after the other.
WIDTHS = (1_500, 12_000, 100_000)
#: States that an exhaustive "no" may cost in one layer (memory: 8 bytes each, a few copies).
EXHAUSTIVE = 2_000_000


@dataclass(frozen=True, slots=True)
class Solution:
    """solvable: True, False, or None = not known yet. proof: "class" (cannot be, by parity), "search" (a way was
    found, or every way was tried), "unknown". best_remaining: fewest pieces known to be reachable. jumps: the way there.
    """

    solvable: bool | None
    proof: str
    best_remaining: int
    jumps: tuple[Jump, ...] = ()


class _Symmetry:
    """Rotations and reflections as table look-ups on 10-bit pieces of a position."""

    def __init__(self, board: Board, keep: Iterable[int] | None) -> None:
        self.board = board
        targets = None if keep is None else set(keep)
        self.maps = [
            s for s in board.symmetries if targets is None or {permute(s, t) for t in targets} == targets
        ]
        self.tables = []
        for s in self.maps[1:]:
            table = np.zeros((4, 1024), np.uint64)
            for part in range(4):
                for value in range(1024):
                    image = 0
                    for i in range(10):
                        if value >> i & 1 and part * 10 + i < board.holes:
                            image |= 1 << s[part * 10 + i]
                    table[part, value] = image
            self.tables.append(table)

    def canonical(self, states: States) -> States:
        """The smallest image of each state, as a sorted array without repeats."""
        best = states
        if self.tables and len(states):
            parts = [(states >> np.uint64(10 * p)).astype(np.int64) & 1023 for p in range(4)]
            for table in self.tables:
                image = table[0][parts[0]]
                for p in range(1, 4):
                    image = image | table[p][parts[p]]
                best = np.minimum(best, image)
        return np.unique(best)

    def smallest(self, state: int) -> int:
        return min(permute(s, state) for s in self.maps)


def permute(symmetry: tuple[int, ...], state: int) -> int:
    """The image of a position under a permutation of hole indices."""
    image = 0
    for i, j in enumerate(symmetry):
        if state >> i & 1:
            image |= 1 << j
    return image


def _children(board: Board, states: States, *, forward: bool) -> States:
    found = []
    for need, clear, flip in board.masks:
        n, c = np.uint64(need), np.uint64(clear)
        if forward:
            ok = ((states & n) == n) & ((states & c) == 0)
        else:
            ok = ((states & c) != 0) & ((states & n) == 0)
        if ok.any():
            found.append(states[ok] ^ np.uint64(flip))
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.uint64)


def _contains(layer: States, state: int) -> bool:
    i = int(np.searchsorted(layer, np.uint64(state)))
    return i < len(layer) and int(layer[i]) == state


@cache
def _lonely(board: Board) -> npt.NDArray[np.float64]:
    """How hard a piece is to get rid of, by hole: few jumps lead out of the corners of the board."""
    out = np.zeros(board.holes)
    for j in board.jumps:
        out[j.start - 1] += 1.0
        out[j.over - 1] += 1.0
    return 1.0 / (0.5 + out)


def _thin(board: Board, layer: States, width: int) -> States:
    """The most promising `width` states: few stranded pieces first."""
    bits = ((layer[:, None] >> np.arange(board.holes, dtype=np.uint64)) & np.uint64(1)).astype(np.float32)
    cost = bits @ _lonely(board).astype(np.float32)
    near = np.zeros((board.holes, board.holes), np.float32)
    for j in board.jumps:
        near[j.start - 1, j.over - 1] = near[j.over - 1, j.start - 1] = 1.0
    neighbours = (bits @ near) * bits
    cost += 0.4 * ((neighbours == 0) & (bits > 0)).sum(axis=1)
    keep = np.argpartition(cost, width)[:width]
    return np.sort(layer[keep])


class Solver:
    """Answers for one board and one kind of finish; keeps its backward layers between questions.

    finish: positions to end on; None = any single piece.
    """

    def __init__(self, board: Board = BOARD_37, finish: Iterable[int] | None = None) -> None:
        self.board = board
        self.finish = None if finish is None else tuple(finish)
        if self.finish is not None and len({count(f) for f in self.finish}) != 1:
            raise InvalidError("finish: expected one or more positions with the same number of pieces")
        self.symmetry = _Symmetry(board, self.finish)
        self._backward: dict[tuple[int, tuple[int, ...]], list[States]] = {}

    def solve(self, start: int, *, progress: Progress | None = None, patience: int = len(WIDTHS)) -> Solution:
        """Decide `start`. patience: how many of WIDTHS to try before saying "not known yet"."""
        pieces = count(start)
        if not pieces:
            raise InvalidError("holes: expected at least one piece on the board")
        goal = count(self.finish[0]) if self.finish else 1
        if pieces < goal:
            return Solution(False, "search", pieces)
        if pieces == goal and (self.finish is None or start in self.finish):
            return Solution(True, "search", pieces)
        if not self._possible(start):
            best, way = self._best(start, goal + 1 if self.finish is None else pieces, progress, patience)
            return Solution(False, "class", best, way)
        decided, way = self._reach(start, self._targets(start, goal), goal, progress, patience)
        if decided:
            return Solution(True, "search", goal, way)
        if self.finish is not None:
            return Solution(decided, "search" if decided is False else "unknown", pieces)
        best, way = self._best(start, 2, progress, patience)
        return Solution(decided, "search" if decided is False else "unknown", best, way)

    # ---------------------------------------------------------------------------------- inside

    def _possible(self, start: int) -> bool:
        if self.finish is None:
            return bool(single_finishes(self.board, start))
        mine = position_class(self.board, start)
        return any(position_class(self.board, f) == mine for f in self.finish)

    def _targets(self, start: int, pieces: int) -> tuple[int, ...]:
        """Every finish with that many pieces in the class of `start`."""
        mine = position_class(self.board, start)
        if self.finish is not None:
            return tuple(f for f in self.finish if position_class(self.board, f) == mine)
        found = []
        for holes in combinations(range(1, self.board.holes + 1), pieces):
            state = sum(bit(h) for h in holes)
            if position_class(self.board, state) == mine:
                found.append(state)
        return tuple(found)

    def _best(
        self, start: int, lowest: int, progress: Progress | None, patience: int
    ) -> tuple[int, tuple[Jump, ...]]:
        """Fewest pieces that can be shown to be reachable, and the way there."""
        pieces = count(start)
        for goal in range(lowest, min(pieces, lowest + 2)):
            decided, way = self._reach(start, self._targets(start, goal), goal, progress, patience)
            if decided:
                return goal, way
        # Many pieces are stranded: play on greedily and count.
        best, way = pieces, ()
        for layer_best, layer_way in self._downhill(start):
            best, way = layer_best, layer_way
        return best, way

    def _downhill(self, start: int) -> Iterator[tuple[int, tuple[Jump, ...]]]:
        layers = [np.array([start], np.uint64)]
        while True:
            nxt = _children(self.board, layers[-1], forward=True)
            if not len(nxt):
                break
            layers.append(_thin(self.board, nxt, 20_000) if len(nxt) > 20_000 else nxt)
        yield count(int(layers[-1][0])), self._trace(start, layers, int(layers[-1][0]), plain=True)

    def _layers_back(self, goal: int, targets: tuple[int, ...]) -> list[States]:
        """Layers from which `targets` can be reached, index 0 = the targets themselves."""
        key = (goal, targets)
        if key not in self._backward:
            layers = [self.symmetry.canonical(np.array(targets, np.uint64))]
            while len(layers[-1]) and len(layers[-1]) * 4 < BACKWARD_LIMIT:
                layers.append(self.symmetry.canonical(_children(self.board, layers[-1], forward=False)))
            self._backward[key] = layers
        return self._backward[key]

    def _reach(
        self, start: int, targets: tuple[int, ...], goal: int, progress: Progress | None, patience: int
    ) -> tuple[bool | None, tuple[Jump, ...]]:
        """(True, way), (False, ()) when every way was tried, (None, ()) when that would take too long."""
        if not targets:
            return False, ()
        back = self._layers_back(goal, targets)
        pieces = count(start)
        first = self.symmetry.smallest(start)
        for width in WIDTHS[:patience]:
            whole = True
            layers = [np.array([first], np.uint64)]
            for left in range(pieces, goal - 1, -1):
                depth = left - goal
                if depth < len(back):
                    met = np.intersect1d(layers[-1], back[depth], assume_unique=True)
                    if len(met):
                        return True, self._way(start, layers, back[: depth + 1], int(met[0]))
                    # Below the meeting layer nothing new can be found.
                    break
                nxt = self.symmetry.canonical(_children(self.board, layers[-1], forward=True))
                if not len(nxt):
                    break
                if len(nxt) > width:
                    nxt, whole = _thin(self.board, nxt, width), False
                layers.append(nxt)
                if progress is not None:
                    progress(f"{left - 1} pieces left: {len(nxt)} positions")
            if whole:
                return False, ()
        return None, ()

    def _way(self, start: int, layers: list[States], back: list[States], met: int) -> tuple[Jump, ...]:
        """The jumps through the forward layers to `met` and on through the backward layers, from `start` itself."""
        head = self._trace(start, layers, met)
        tail: list[Jump] = []
        state = met
        for layer in reversed(back[:-1]):
            for jump, (need, clear, flip) in zip(self.board.jumps, self.board.masks, strict=True):
                if (
                    state & need == need
                    and not state & clear
                    and _contains(layer, self.symmetry.smallest(state ^ flip))
                ):
                    tail.append(jump)
                    state ^= flip
                    break
        # `head` begins at an image of `start`; turn the whole way back onto the real board.
        begin = met
        for jump in reversed(head):
            begin ^= bit(jump.start) | bit(jump.over) | bit(jump.end)
        turn = next(s for s in self.symmetry.maps if permute(s, begin) == start)
        return tuple(
            Jump(turn[j.start - 1] + 1, turn[j.over - 1] + 1, turn[j.end - 1] + 1) for j in (*head, *tail)
        )

    def _trace(self, start: int, layers: list[States], end: int, *, plain: bool = False) -> tuple[Jump, ...]:
        """Jumps from (an image of) the first layer's state to `end`, found backwards through the layers."""
        way: list[Jump] = []
        state = end
        for layer in reversed(layers[:-1]):
            for jump, (need, clear, flip) in zip(self.board.jumps, self.board.masks, strict=True):
                if state & clear and not state & need:
                    before = state ^ flip
                    if _contains(layer, before if plain else self.symmetry.smallest(before)):
                        way.append(jump)
                        state = before
                        break
        return tuple(reversed(way))


@cache
def solver(board: Board = BOARD_37, finish: tuple[int, ...] | None = None) -> Solver:
    """A shared solver: its backward layers are made once per process."""
    return Solver(board, finish)


def fewest_sweeps(board: Board, start: int, jumps: tuple[Jump, ...]) -> tuple[Jump, ...]:
    """The same jumps in an order with as few sweeps (turns of one piece) as a greedy reordering finds.

    Two neighbouring jumps may change places when both orders are possible; a jump is brought forward when it goes on
    from where the piece just landed.
    """
    order = list(jumps)
    improved = True
    while improved:
        improved = False
        for i in range(len(order) - 1):
            for k in range(i + 2, len(order)):
                if order[k].start != order[i].end:
                    continue
                if order[k - 1].end == order[k].start:
                    continue
                trial = [*order[: i + 1], order[k], *order[i + 1 : k], *order[k + 1 :]]
                if _possible(board, start, trial) and _turns(trial) < _turns(order):
                    order, improved = trial, True
                    break
    return tuple(order)


def _possible(board: Board, position: int, jumps: list[Jump]) -> bool:
    for j in jumps:
        need, end = bit(j.start) | bit(j.over), bit(j.end)
        if position & need != need or position & end:
            return False
        position ^= need | end
    return True


def _turns(jumps: list[Jump]) -> int:
    return sum(1 for a, b in zip([None, *jumps], jumps, strict=False) if a is None or a.end != b.start)
