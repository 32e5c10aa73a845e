"""Boards that the looks could not tell from the one that was accepted: red needs a fault from every one of them.

What full points and trays hold can hardly be seen, so a play may be accepted that is one checker off. Such a difference
stays (as a difference: other checkers go on moving) until a later look tells the two boards apart.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from pi_board.referee.elsewhere import one_elsewhere
from pi_board.referee.explanations import (
    ALIKE,
    Evidence,
    Scores,
    Turn,
    Vector,
    free_positions,
    may_have_left,
    position_of,
    vector,
)
from pi_board.referee.one_turn import bore_off_too_soon
from pi_board.rules import Position, Side
from pi_board.sighting import BAR_LIGHT, OFF_DARK, OFF_LIGHT, ZERO

#: Differences kept.
MOST = 8
#: Untouched points that may be misread together.
MISREAD = 4
#: Checkers from which a row may have one more than is read in every look: where the first ones have left, its last lies where none is looked
#: for (campaign 2170001: a false accusation; in 324 kept games 24 boards stood with a checker missing, and hardly one had lost it).
MAY_HIDE_ONE = 3
#: Nats by which one look must tell a board that was put right from one with a checker elsewhere: twice what is asked of a board that players
#: have left, for what is read wrongly of a full point or a dark bar is so in each look (campaign 2190017: up to 10.9; a false accusation).
GUESSED = 12.0


class Alternatives:
    """Differences (28,) of signed counts between what may lie there and what is taken to lie there."""

    def __init__(self) -> None:
        self._differences: list[Vector] = []
        self._lost: list[Vector] = []
        self._guessed: list[Vector] = []
        self._borne_off: list[Vector] = []
        self._set_right: Position | None = None
        # What lay there by the players' own plays rather than by all looks, and the (28,) counts that were taken to lie there instead.
        self._put_right: tuple[Vector, Vector] | None = None

    def forget(self) -> None:
        self._differences, self._lost, self._guessed, self._borne_off = [], [], [], []
        self._set_right = self._put_right = None

    def put_right(self, written: Position, instead: Position) -> None:
        """All looks together say `instead`, and by the players' own plays `written` lies there: either may, until somebody plays from or
        to a place in which they differ."""
        counts = vector(instead)
        self._put_right = vector(written) - counts, counts

    def missing(
        self, position: Position, side: Side, count: int, may_lie: Callable[[Position], bool]
    ) -> None:
        """`count` checkers of `side` are not seen any more and count as borne off in `position`, though no lawful play bore them off: they
        may lie on one of its points with a row, if that `may_lie` there. That is remembered as long as the row is there."""
        counts, (sign, tray) = vector(position), (1, OFF_LIGHT) if side == "light" else (-1, OFF_DARK)
        for slot in np.flatnonzero(counts[:BAR_LIGHT] * sign >= MAY_HIDE_ONE):
            for more in range(1, count + 1):
                difference = np.zeros_like(counts)
                difference[slot], difference[tray] = sign * more, -sign * more
                there = position_of(counts + difference)
                if there is not None and may_lie(there):
                    self._lost.append(difference)

    def guessed(self, evidence: Evidence, position: Position) -> None:
        """What was played is not known, and `position` is what the looks say: one of its checkers may lie elsewhere, or one that counts as
        borne off may lie on a point."""
        counts, rows = vector(position), evidence.rows[:OFF_LIGHT]
        differences = [other - counts for other, _ in one_elsewhere(rows, counts, GUESSED, tray=0.0)]
        borne_off = [d for d in differences if d[OFF_LIGHT:].any()]
        elsewhere = [d for d in differences if not d[OFF_LIGHT:].any()]
        self._guessed = _not_told(evidence, counts, elsewhere, GUESSED)
        # (What no look has told since another guess still is possible.)
        self._borne_off = _not_told(evidence, counts, [*self._borne_off, *borne_off], GUESSED)

    def may_be_set_right(self, position: Position | None) -> None:
        """A fault that lay there when the opponent rolled may still be corrected, to `position`, before he plays."""
        self._set_right = position

    def accept(self, evidence: Evidence, turn: Turn, position: Position, margin: float) -> None:
        """`position` is taken for the result of `turn`; what is not `margin` nats less likely may lie there as well. evidence: as in
        `tell_apart`."""
        self._set_right = None
        counts = vector(position)
        free, _ = free_positions(
            evidence, vector(turn.before), borne_off=np.abs(turn.legal_counts[:, 26:]).max(axis=0)
        )
        others = np.concatenate([turn.legal_counts, free.counts[None]])
        self._differences += [d for d in (others - counts) if d.any()]
        self.tell_apart(evidence, position, margin)

    def suppose(self, evidence: Evidence, position: Position) -> None:
        """Nobody is at the board, and `position` was left there: what this look rather shows may lie there as well. (A point that
        seems to hold one more may be misread; or what was taken for borne off was not.)"""
        if evidence.score(position) > -ALIKE:
            return
        counts = vector(position)
        free, _ = free_positions(evidence, counts)
        difference = free.counts - counts
        if difference.any() and not any((difference == d).all() for d in self._differences):
            self._differences = [difference, *self._differences][:MOST]

    def tell_apart(self, evidence: Evidence, position: Position, margin: float) -> None:
        """Forgets what this look, as vision gave it, tells from `position` by `margin` nats. (What earlier looks make of it rests on one of
        these boards, and would speak for that one.)"""
        counts = vector(position)
        # (A row that was misread once is misread by each later look: it tells when fewer lie there.)
        rows = [bool(np.abs(counts[np.argmax(d != 0)]) >= MAY_HIDE_ONE) for d in self._lost]
        fewer = [d for d, is_row in zip(self._lost, rows, strict=True) if not is_row]
        self._lost = [d for d, is_row in zip(self._lost, rows, strict=True) if is_row]
        self._lost += _not_told(evidence, counts, fewer, margin)
        self._guessed = _not_told(evidence, counts, self._guessed, GUESSED)
        self._borne_off = _not_told(evidence, counts, self._borne_off, GUESSED)
        self._differences = _not_told(evidence, counts, self._differences, margin)

    def of(self, position: Position) -> list[Position]:
        """The boards that may lie there where `position` is taken to lie."""
        counts = vector(position)
        found = [
            position_of(counts + d)
            for d in (
                *self._differences,
                *self._lost,
                *self._guessed,
                *self._borne_off,
                *self._as_played(counts),
            )
        ]
        may_lie = [p for p in found if p is not None and not _bore_off_the_first(p, position)]
        return may_lie if self._set_right is None else [*may_lie, self._set_right]

    def _as_played(self, counts: Vector) -> list[Vector]:
        """The difference by which the board was put right, while `counts` are those of then in each place that it is about."""
        if self._put_right is None:
            return []
        difference, then = self._put_right
        places = difference[:OFF_LIGHT].nonzero()[0]
        return [difference] if (counts[places] == then[places]).all() else []


def _not_told(evidence: Evidence, counts: Vector, differences: list[Vector], margin: float) -> list[Vector]:
    """Those of `differences`, each once and the likeliest first, that the look does not tell from `counts` by `margin` nats."""
    unique = {tuple(d.tolist()): d for d in differences if position_of(counts + d) is not None}
    if not unique:
        return []
    differences = list(unique.values())
    scores = evidence.scores(np.array([counts, *(counts + d for d in differences)]))
    order = np.argsort(-scores[1:], kind="stable")[:MOST]
    return [differences[int(i)] for i in order if scores[0] - scores[1 + int(i)] < margin]


def misread(
    evidence: Evidence, before: Position, seen: Position, margin: float
) -> Iterator[tuple[Position, Position]]:
    """`before` and `seen` again, with points that nobody has touched between them read otherwise in both: each as it looks second
    best, where the picture tells the two by less than `margin` nats; or, where something stands there, with one checker fewer, for of what
    cannot be seen all counts look alike. What a side has too many or too few then is in its tray.
    """
    counts = vector(seen)[:OFF_LIGHT]
    points = np.arange(OFF_LIGHT)
    costs = evidence.rows[points, counts + ZERO][:, None] - evidence.rows[:OFF_LIGHT]
    costs[points, counts + ZERO] = np.inf
    second = costs.argmin(axis=1)
    fewer = second.copy()
    covered = [slot for slot in evidence.hidden if slot < BAR_LIGHT and counts[slot]]
    fewer[covered] = (counts - np.sign(counts))[covered] + ZERO
    told = set()
    for other in (second, fewer) if covered else (second,):
        for boards in _read_as(other, costs, evidence, before, seen, margin):
            if boards not in told:
                told.add(boards)
                yield boards


def _read_as(
    other: Vector, costs: Scores, evidence: Evidence, before: Position, seen: Position, margin: float
) -> Iterator[tuple[Position, Position]]:
    """`misread` with the columns `other` (26,). costs: (26, counts) nats by which the picture tells each from what `seen` has there."""
    was, now = vector(before), vector(seen)
    points = np.arange(OFF_LIGHT)
    # A point that clearly differs from `seen` was not misread, if it can be read.
    untouched = (was[:OFF_LIGHT] == now[:OFF_LIGHT]) & (costs[points, other] > -ALIKE)
    covered = [slot for slot in evidence.hidden if slot < OFF_LIGHT]
    untouched[covered] = (was == now)[covered]
    least = np.where(untouched, costs[points, other], np.inf)
    doubtful = [int(i) for i in np.argsort(least, kind="stable")[:MISREAD] if least[i] < margin]
    most_off = may_have_left(was)
    fits = evidence.score(seen)
    for count in range(1, len(doubtful) + 1):
        for some in itertools.combinations(doubtful, count):
            difference = np.zeros_like(was)
            difference[list(some)] = other[list(some)] - ZERO - now[list(some)]
            for i, sign in enumerate((1, -1)):
                difference[OFF_LIGHT + i] = -_gained(was, difference, sign)
            if (np.abs(was + difference)[OFF_LIGHT:] > most_off).any():
                continue
            boards = position_of(was + difference), position_of(now + difference)
            if boards[0] is None or boards[1] is None or evidence.score(boards[1]) < fits - margin:
                continue
            if _bore_off_the_first(boards[0], before):
                continue
            yield boards[0], boards[1]


def _bore_off_the_first(other: Position, taken: Position) -> bool:
    """By `other` a side has checkers off that had none off by `taken`, the board that was written down, and others that are not at home:
    it would have begun to bear off unnoticed, and been hit since."""
    return bore_off_too_soon(other, taken) and any(
        now > was == 0 for now, was in zip(other.off, taken.off, strict=True)
    )


def _gained(counts: Vector, difference: Vector, sign: int) -> int:
    """Signed checkers that one side (light 1, dark -1) has more on points and bar with `difference`."""
    after = counts[:OFF_LIGHT] + difference[:OFF_LIGHT]
    own = np.maximum(after * sign, 0).sum() - np.maximum(counts[:OFF_LIGHT] * sign, 0).sum()
    return sign * int(own)
