"""Can it still be won, and how: class proof first, then resource counts, then search from both ends in whole layers.

Every jump removes one piece, so all solutions of a problem have the same number of jumps; positions with the same
number of pieces form a layer. Layers reachable from the start are met by layers from which a finish is reachable.
Positions that a resource count proves lost are left out at once. A forward layer that had to be thinned (a beam) can
still prove "yes", never "no".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError
from pi_board.solitaire.board import BOARD_37, Board, Jump, bit, count
from pi_board.solitaire.classes import position_class, single_finishes
from pi_board.solitaire.resource_counts import ResourceTest, occupied
from pi_board.solitaire.symmetry import States, Symmetry, among, layer_of, permute

Progress = Callable[[str], None]

#: Backward layers stop growing here; beyond it the forward search does the rest.
BACKWARD_LIMIT = 60_000
#: Positions of each layer that one sweep through the layers takes on, the most promising first; the last repeats.
WIDTHS = (300, 3_000, 30_000, 200_000)
#: Positions that may be looked at before the answer is "not known yet" (8 bytes each, a few copies).
PATIENCE = 20_000_000
#: About as much as a small computer can look at in a second: for answers during play.
PATIENCE_IN_PLAY = 400_000
#: Width of the search for the fewest pieces when the finish itself is out of reach.
REMAINDER_WIDTH = 3_000


@dataclass(frozen=True, slots=True)
class Solution:
    """solvable: True, False, or None = not known yet. proof: "class" (cannot be, by parity), "count" (cannot be, by a
    resource count), "search" (a way was found, or every way was tried), "unknown". best_remaining: fewest pieces known
    to be reachable; best_proven: fewer are impossible. jumps: the way there.
    """

    solvable: bool | None
    proof: str
    best_remaining: int
    jumps: tuple[Jump, ...] = ()
    best_proven: bool = True


def _children(board: Board, states: States, *, forward: bool) -> States:
    """Every position one jump on (or back), in no order and with repeats."""
    found = []
    for need, clear, flip in board.masks:
        n, c = np.uint64(need), np.uint64(clear)
        wanted = n if forward else c
        ok = (states & np.uint64(flip)) == wanted
        if ok.any():
            found.append(states[ok] ^ np.uint64(flip))
    return np.concatenate(found) if found else np.zeros(0, np.uint64)


def _contains(layer: States, state: int) -> bool:
    i = int(np.searchsorted(layer, np.uint64(state)))
    return i < len(layer) and int(layer[i]) == state


@cache
def _lonely(board: Board) -> npt.NDArray[np.float32]:
    """How hard a piece is to get rid of, by hole: few jumps lead out of the corners of the board."""
    out = np.zeros(board.holes, np.float32)
    for j in board.jumps:
        out[j.start - 1] += 1.0
        out[j.over - 1] += 1.0
    return (1.0 / (0.5 + out)).astype(np.float32)


@cache
def _neighbours(board: Board) -> npt.NDArray[np.float32]:
    near = np.zeros((board.holes, board.holes), np.float32)
    for j in board.jumps:
        near[j.start - 1, j.over - 1] = near[j.over - 1, j.start - 1] = 1.0
    return near


def _cost(board: Board, layer: States, wanted: int) -> npt.NDArray[np.float32]:
    """(n,) how unpromising each state is: stranded pieces, and pieces where few jumps lead. Those on `wanted` may stay."""
    unwanted = occupied(layer & np.uint64(board.full & ~wanted), board.holes)
    cost = unwanted @ _lonely(board)
    near = occupied(layer, board.holes) @ _neighbours(board)
    stranded = ((near == 0) & (unwanted > 0)).sum(axis=1)
    return np.asarray(cost + 0.4 * stranded, np.float32)


def _split(board: Board, layer: States, width: int, wanted: int = 0) -> tuple[States, States]:
    """(the most promising `width` states, the others), in no order."""
    if len(layer) <= width:
        return layer, layer[:0]
    order = np.argpartition(_cost(board, layer, wanted), width)
    return layer[order[:width]], layer[order[width:]]


class _Goal:
    """One set of finishes with the same number of pieces: its symmetries and the layers that lead to it."""

    def __init__(self, board: Board, finishes: tuple[int, ...]) -> None:
        self.board, self.finishes = board, finishes
        self.pieces = count(finishes[0])
        self.symmetry = Symmetry(board, finishes)
        #: Holes that are filled in the end, when the finish is one picture of many pieces.
        self.wanted = finishes[0] if len(finishes) == 1 and self.pieces > 1 else 0
        self._back: list[States] = []

    @property
    def back(self) -> list[States]:
        """Layers from which a finish can be reached, index 0 = the finishes themselves."""
        if not self._back:
            self._back.append(self.symmetry.canonical(np.array(self.finishes, np.uint64)))
            while 0 < len(self._back[-1]) < BACKWARD_LIMIT / 4:
                before = _children(self.board, self._back[-1], forward=False)
                self._back.append(self.symmetry.canonical(before))
        return self._back

    def reach(
        self, start: int, progress: Progress | None, patience: int
    ) -> tuple[bool | None, str, tuple[Jump, ...]]:
        """(True, "search", way); (False, proof, ()) when it cannot be; (None, "unknown", ()) when it takes too long.

        Sweeps go down through the layers and take on the best positions that are still waiting in each; what waits
        is kept, so that nothing is looked at twice and the last sweep has tried everything.
        """
        test = ResourceTest(self.board, self.finishes, start)
        first = np.array([self.symmetry.smallest(start)], np.uint64)
        if not test.possible(first)[0]:
            return False, "count", ()
        steps = count(start) - self.pieces
        none = np.zeros(0, np.uint64)
        seen, waiting = [first] + [none] * steps, [first] + [none] * steps
        looked, width = 0, 0
        while any(map(len, waiting)):
            for step in range(steps + 1):
                room = WIDTHS[min(width, len(WIDTHS) - 1)]
                taken, waiting[step] = _split(self.board, waiting[step], room, self.wanted)
                if not len(taken):
                    continue
                looked += len(taken)
                if looked > patience:
                    return None, "unknown", ()
                depth = steps - step
                if depth < len(self.back):
                    met = taken[among(taken, self.back[depth])]
                    if len(met):
                        layers = seen[: step + 1]
                        return True, "search", self._way(start, layers, self.back[: depth + 1], int(met[0]))
                    # Below the meeting layer nothing new can be found.
                    continue
                nxt = self.symmetry.canonical(_children(self.board, taken, forward=True))
                nxt = nxt[~among(nxt, seen[step + 1])]
                nxt = nxt[test.possible(nxt)]
                if len(nxt):
                    seen[step + 1] = layer_of(np.concatenate([seen[step + 1], nxt]))
                    waiting[step + 1] = np.concatenate([waiting[step + 1], nxt])
                if progress is not None:
                    progress(f"{looked} positions tried, now with {self.pieces + depth - 1} pieces left")
            width += 1
        return False, "search", ()

    def _way(self, start: int, layers: list[States], back: list[States], met: int) -> tuple[Jump, ...]:
        """The jumps through the forward layers to `met` and on through the backward layers, from `start` itself."""
        smallest = self.symmetry.smallest
        head = _trace(self.board, layers, met, smallest)
        tail: list[Jump] = []
        state = met
        for layer in reversed(back[:-1]):
            for jump, (need, clear, flip) in zip(self.board.jumps, self.board.masks, strict=True):
                if state & need == need and not state & clear and _contains(layer, smallest(state ^ flip)):
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


def _trace(board: Board, layers: list[States], end: int, smallest: Callable[[int], int]) -> tuple[Jump, ...]:
    """Jumps from (an image of) the first layer's state to `end`, found backwards through the layers."""
    way: list[Jump] = []
    state = end
    for layer in reversed(layers[:-1]):
        for jump, (need, clear, flip) in zip(board.jumps, board.masks, strict=True):
            if state & clear and not state & need and _contains(layer, smallest(state ^ flip)):
                way.append(jump)
                state ^= flip
                break
    return tuple(reversed(way))


class Solver:
    """Answers for one board and one kind of finish; keeps its backward layers between questions.

    finish: positions to end on; None = any single piece.
    """

    def __init__(self, board: Board = BOARD_37, finish: Iterable[int] | None = None) -> None:
        self.board = board
        self.finish = None if finish is None else tuple(finish)
        if self.finish is not None and len({count(f) for f in self.finish}) != 1:
            raise InvalidError("finish: expected one or more positions with the same number of pieces")
        self._goals: dict[tuple[int, ...], _Goal] = {}

    def solve(
        self,
        start: int,
        *,
        progress: Progress | None = None,
        patience: int = PATIENCE,
        remainder: bool = True,
    ) -> Solution:
        """Decide `start`. patience: positions to look at before saying "not known yet". remainder: when it cannot be
        won, look for the way to as few pieces as possible.
        """
        pieces = count(start)
        if not pieces:
            raise InvalidError("holes: expected at least one piece on the board")
        goal = count(self.finish[0]) if self.finish else 1
        if pieces < goal:
            return Solution(False, "search", pieces)
        if pieces == goal and (self.finish is None or start in self.finish):
            return Solution(True, "search", pieces)
        targets = self._targets(start, goal)
        solvable, proof, way = (
            self._goal(targets).reach(start, progress, patience) if targets else (False, "class", ())
        )
        if solvable:
            return Solution(True, proof, goal, way)
        if self.finish is not None or not remainder:
            return Solution(solvable, proof, pieces, best_proven=self.finish is not None)
        best, way, proven = self._fewest(start, progress, patience)
        return Solution(solvable, proof, best, way, proven and solvable is False)

    # ---------------------------------------------------------------------------------- inside

    def _goal(self, targets: tuple[int, ...]) -> _Goal:
        if targets not in self._goals:
            self._goals[targets] = _Goal(self.board, targets)
        return self._goals[targets]

    def _targets(self, start: int, pieces: int) -> tuple[int, ...]:
        """Every finish with that many pieces in the class of `start`."""
        mine = position_class(self.board, start)
        if self.finish is not None:
            return tuple(f for f in self.finish if position_class(self.board, f) == mine)
        if pieces == 1:
            return tuple(bit(n) for n in single_finishes(self.board, start))
        found = []
        for holes in combinations(range(1, self.board.holes + 1), pieces):
            state = sum(bit(h) for h in holes)
            if position_class(self.board, state) == mine:
                found.append(state)
        return tuple(found)

    def _fewest(
        self, start: int, progress: Progress | None, patience: int
    ) -> tuple[int, tuple[Jump, ...], bool]:
        """(fewest pieces above one that can be shown to be reachable, the way there, whether fewer are impossible)."""
        layers, whole = [np.array([start], np.uint64)], True
        while len(nxt := _children(self.board, layers[-1], forward=True)):
            taken, left_out = _split(self.board, layer_of(nxt), REMAINDER_WIDTH)
            whole = whole and not len(left_out)
            layers.append(np.sort(taken))
        best = count(int(layers[-1][0]))
        if best > 2 and not whole:
            targets = self._targets(start, 2)
            decided, _, way = self._goal(targets).reach(start, progress, min(patience, PATIENCE_IN_PLAY))
            if decided:
                return 2, way, True
            whole = decided is False and best == 3
        return best, _trace(self.board, layers, int(layers[-1][0]), lambda state: state), whole or best <= 2


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
