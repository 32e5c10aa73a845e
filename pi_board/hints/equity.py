"""From probabilities to equities: what a game is worth with a doubling cube on the table.

The cube is valued after Rick Janowski, "Take-Points in Money Games" (1993): between a dead cube (it is never turned
again) and a live one (it is turned at the perfect moment) lies the real one, the *cube life* tells where. In
matches the live curve is built from the highest useful cube downwards, with match winning chances as the unit.

All utilities are antisymmetric (the other player's is the negative), in units where +1 and −1 are winning and
losing the game's single stake: points per unit stake for money, 2·MWC − 1 for a match.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pi_board.hints.features import CONTACT, CRASHED, RACE, classify
from pi_board.hints.match_equity import match_equity
from pi_board.hints.rows import Rows

Array = NDArray[np.float32]

CENTRED, MINE, THEIRS = 0, 1, 2


class CubeState(NamedTuple):
    """value: of the cube. owner: CENTRED, MINE (the player from whom it is seen) or THEIRS."""

    value: int
    owner: int

    def flipped(self) -> CubeState:
        return CubeState(self.value, (CENTRED, THEIRS, MINE)[self.owner])

    def doubled(self) -> CubeState:
        """After my double was taken."""
        return CubeState(self.value * 2, THEIRS)


@dataclass(frozen=True, slots=True)
class Worth:
    """What the kinds of win count: gammon and backgammon in units of a single win (leaflets differ)."""

    gammon: float = 2.0
    backgammon: float = 3.0

    def equity(self, probabilities: Array) -> Array:
        """(N, 5) → (N,) cubeless equity."""
        w, wg, wb, lg, lb = probabilities.T
        g, b = self.gammon - 1, self.backgammon - self.gammon
        return 2 * w - 1 + g * (wg - lg) + b * (wb - lb)


#: Cube life by class of position, calibrated on our own labels (training/calibrate.py).
CUBE_LIFE = {CONTACT: 0.68, CRASHED: 0.68, RACE: 0.66}


def cube_life(rows: Rows) -> Array:
    """(N,) how live the cube is in each position: 0 dead … 1 live."""
    lives = np.array([CUBE_LIFE[kind] for kind in (CONTACT, CRASHED, RACE)], np.float32)
    life: Array = lives[classify(rows)]
    return life


class CubeModel(Protocol):
    """Values a position for the player on roll who does not double now."""

    def no_double(self, probabilities: Array, life: Array, state: CubeState) -> Array: ...

    def win(self, points: int) -> float:
        """Utility of winning `points` at once (a passed double)."""

    def may_double(self, state: CubeState) -> bool: ...

    def flipped(self) -> CubeModel:
        """The same from the other player's chair."""

    def equity(self, utility: Array, value: int) -> Array:
        """Utility in the customary form: points per unit cube `value` (matches: normalised to the single stake)."""


def decided(model: CubeModel, state: CubeState, no_double: Array, double_take: Array | None) -> Array:
    """Utility when the player on roll turns the cube or not as is best, and is answered as is best."""
    if double_take is None:
        return no_double
    return np.maximum(no_double, np.minimum(double_take, np.float32(model.win(state.value))))


def _win_loss(probabilities: Array, worth: Worth) -> tuple[Array, Array, Array]:
    """(p, W, L): winning chance, mean worth of a win and of a loss."""
    w, wg, wb, lg, lb = probabilities.T
    g, b = worth.gammon - 1, worth.backgammon - worth.gammon
    eps = np.float32(1e-7)
    mean_win = np.where(w > eps, 1 + (g * wg + b * wb) / np.maximum(w, eps), 1)
    loss = 1 - w
    mean_loss = np.where(loss > eps, 1 + (g * lg + b * lb) / np.maximum(loss, eps), 1)
    return w, mean_win, mean_loss


@dataclass(frozen=True, slots=True)
class Money:
    """Points per game. jacoby: gammons count only once the cube was turned. cube: False = played without one."""

    worth: Worth = Worth()
    jacoby: bool = False
    cube: bool = True

    def no_double(self, probabilities: Array, life: Array, state: CubeState) -> Array:
        p, win, loss = _win_loss(probabilities, self.worth)
        if not self.cube:
            return self.worth.equity(probabilities)
        if state.owner == CENTRED and self.jacoby:
            dead = 2 * p - 1
        else:
            dead = p * (win + loss) - loss
        total = win + loss + np.float32(0.5)
        take = np.clip((loss - 0.5) / total, 1e-6, 1)  # my take point
        cash = np.clip((loss + 1) / total, 1e-6, 1 - 1e-6)  # my cash point
        take = np.minimum(take, cash - 1e-6)
        if state.owner == CENTRED:
            floor = -np.ones_like(loss) if self.jacoby else -loss
            top = np.ones_like(win) if self.jacoby else win
            live = np.where(
                p < take,
                floor + (-1 - floor) * p / take,
                np.where(
                    p < cash, -1 + 2 * (p - take) / (cash - take), 1 + (top - 1) * (p - cash) / (1 - cash)
                ),
            )
        elif state.owner == MINE:
            live = np.where(p < cash, -loss + (1 + loss) * p / cash, 1 + (win - 1) * (p - cash) / (1 - cash))
        else:
            live = np.where(p < take, -loss + (loss - 1) * p / take, -1 + (win + 1) * (p - take) / (1 - take))
        return np.float32(state.value) * (life * live + (1 - life) * dead)

    def win(self, points: int) -> float:
        return float(points)

    def may_double(self, state: CubeState) -> bool:
        return self.cube and state.owner != THEIRS

    def flipped(self) -> Money:
        return self

    def equity(self, utility: Array, value: int) -> Array:
        return utility / np.float32(value)


@dataclass(frozen=True, slots=True)
class MatchStakes:
    """A match: points still needed by me and by the other. crawford: the Crawford game (no doubling)."""

    away: tuple[int, int]
    crawford: bool = False
    #: The Crawford game has been played.
    post_crawford: bool = False
    worth: Worth = Worth()
    cube: bool = True

    def _after(self, points: int) -> float:
        """Utility after I (points > 0) or the other (< 0) win so many."""
        a, b = self.away
        mine, theirs = (a - points, b) if points > 0 else (a, b + points)
        played = self.crawford or self.post_crawford
        return 2 * match_equity(mine, theirs, post_crawford=played and 1 in (mine, theirs)) - 1

    def _ends(self, probabilities: Array, value: int) -> tuple[Array, Array, Array]:
        """(p, utility when I win, when I lose) with the cube dead at `value`."""
        w, wg, wb, lg, lb = (np.clip(c, 0, 1) for c in probabilities.T)
        k = [1, round(self.worth.gammon), round(self.worth.backgammon)]
        eps = np.float32(1e-7)
        pw, pl = np.maximum(w, eps), np.maximum(1 - w, eps)
        g, b = np.minimum(wg / pw, 1), np.minimum(wb / pw, 1)
        up = (
            (1 - g) * self._after(k[0] * value)
            + (g - b) * self._after(k[1] * value)
            + b * self._after(k[2] * value)
        )
        g, b = np.minimum(lg / pl, 1), np.minimum(lb / pl, 1)
        down = (
            (1 - g) * self._after(-k[0] * value)
            + (g - b) * self._after(-k[1] * value)
            + b * self._after(-k[2] * value)
        )
        return w, up.astype(np.float32), down.astype(np.float32)

    def _live_turn(self, probabilities: Array, value: int, mine: bool) -> Array:
        """The winning chance at which the holder's double of `value` is just a take/pass, as my winning chance."""
        # The taker then holds the cube at 2·value; its live curve there is a straight line up to its own next turn.
        p, up, down = self._ends(probabilities, 2 * value)
        passed = np.float32(self._after(value if mine else -value))
        lo, hi = (np.zeros_like(p), down), (np.ones_like(p), up)
        if self._useful(2 * value, not mine):
            q = self._live_turn(probabilities, 2 * value, not mine)
            u = np.float32(self._after(2 * value if not mine else -2 * value))
            if mine:  # the other holds: it cashes below q
                lo = (q, np.full_like(p, u))
            else:
                hi = (q, np.full_like(p, u))
        slope = np.maximum(hi[1] - lo[1], 1e-6) / np.maximum(hi[0] - lo[0], 1e-6)
        return np.clip(lo[0] + (passed - lo[1]) / slope, 1e-5, 1 - 1e-5)

    def _useful(self, value: int, mine: bool) -> bool:
        """Turning a cube of `value` can bring its holder something: it needs more than the cube already counts."""
        return self.away[0 if mine else 1] > value

    def no_double(self, probabilities: Array, life: Array, state: CubeState) -> Array:
        p, up, down = self._ends(probabilities, state.value)
        dead = p * up + (1 - p) * down
        if not self.cube or self.crawford:
            return dead
        xs, ys = [np.zeros_like(p)], [down]
        if state.owner != MINE and self._useful(state.value, False):
            xs.append(self._live_turn(probabilities, state.value, False))
            ys.append(np.full_like(p, self._after(-state.value)))
        if state.owner != THEIRS and self._useful(state.value, True):
            q = self._live_turn(probabilities, state.value, True)
            xs.append(np.maximum(q, xs[-1] + np.float32(1e-6)))
            ys.append(np.full_like(p, self._after(state.value)))
        if len(xs) == 1:
            return dead
        xs.append(np.maximum(np.ones_like(p), xs[-1] + np.float32(1e-6)))
        ys.append(up)
        live = ys[0]
        for i in range(len(xs) - 1):
            share = (p - xs[i]) / np.maximum(xs[i + 1] - xs[i], np.float32(1e-9))
            live = np.where(p >= xs[i], ys[i] + share * (ys[i + 1] - ys[i]), live)
        return (life * live + (1 - life) * dead).astype(np.float32)

    def win(self, points: int) -> float:
        return self._after(points)

    def may_double(self, state: CubeState) -> bool:
        return self.cube and not self.crawford and state.owner != THEIRS and self._useful(state.value, True)

    def flipped(self) -> MatchStakes:
        return MatchStakes(
            (self.away[1], self.away[0]), self.crawford, self.post_crawford, self.worth, self.cube
        )

    def equity(self, utility: Array, value: int) -> Array:
        up, down = self._after(value), self._after(-value)
        return ((2 * utility - (up + down)) / (up - down)).astype(np.float32)
