"""What the networks see: rows turned into float32 inputs, in whole batches.

Plain counts say little about hits, primes and timing; those are worked out exactly with bit boards (one uint32 per
position and question), which costs a few array operations for the whole batch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pi_board.hints.rows import OTHER_BAR, OTHER_OFF, OWN_BAR, OWN_OFF, ROLL_WEIGHTS, ROLLS, Rows

Inputs = NDArray[np.float32]

CONTACT, CRASHED, RACE = 0, 1, 2


def _escape_table() -> NDArray[np.float32]:
    """By the 12 points ahead that are blocked (bit 0 = next): share of rolls that a lone checker can play in full."""
    table = np.zeros(4096, np.float32)
    masks = np.arange(4096)
    for a, b in ROLLS:
        if a == b:
            ok = (masks >> (a - 1)) & 1 == 0
            ok &= (masks >> (2 * a - 1)) & 1 == 0
            table += ok / 36
        else:
            way = ((masks >> (a - 1)) & 1 == 0) | ((masks >> (b - 1)) & 1 == 0)
            table += 2 * (way & ((masks >> (a + b - 1)) & 1 == 0)) / 36
    return table


_ESCAPES = _escape_table()
_BAR = np.zeros((16, 4), np.float32)
_OFF = np.zeros((16, 4), np.float32)
for _n in range(16):
    _BAR[_n] = (_n >= 1, _n >= 2, _n >= 3, max(_n - 3, 0) / 2)
    _OFF[_n] = (_n >= 1, min(_n, 5) / 5, min(max(_n - 5, 0), 5) / 5, max(_n - 10, 0) / 5)
_BAR, _OFF = np.ascontiguousarray(_BAR.T), np.ascontiguousarray(_OFF.T)
_POPCOUNT = np.array([bin(i).count("1") for i in range(1 << 12)], np.float32)

_POINTS = np.arange(1, 25, dtype=np.float32)

#: How many inputs each network has.
PLAIN_INPUTS = 24 * 8 + 16
SIDE_INPUTS = 48
CONTACT_INPUTS = PLAIN_INPUTS + 2 * SIDE_INPUTS + 3
RACE_SIDE_INPUTS = 9
RACE_INPUTS = PLAIN_INPUTS + 2 * RACE_SIDE_INPUTS + 9


def classify(rows: Rows) -> NDArray[np.int8]:
    """(N,) CONTACT, CRASHED or RACE. Crashed: contact, and a side has at most six checkers outside what is dead (its
    ace and deuce points, off and a third and further checker anywhere low), so its board is falling apart."""
    own = rows[:, :24] > 0
    other = rows[:, :24] < 0
    back = 24 - np.argmax(own[:, ::-1], 1)
    back = np.where(rows[:, OWN_BAR] > 0, 25, np.where(own.any(1), back, 0))
    front = np.argmax(other, 1) + 1
    front = np.where(rows[:, OTHER_BAR] > 0, 0, np.where(other.any(1), front, 25))
    race = back < front
    crashed = np.zeros(len(rows), bool)
    for mine, off in ((rows[:, :24], OWN_OFF), (-rows[:, 23::-1], OTHER_OFF)):
        ace, deuce = mine[:, 0].clip(0), mine[:, 1].clip(0)
        total = 15 - rows[:, off]
        spare = np.where(
            ace > 1,
            np.where(deuce > 1, total - ace - deuce, total - ace),
            np.where(deuce > 1, total - deuce, total),
        )
        # Checkers that can still be moved with some freedom (the idea of a "crashed" board, after GNU Backgammon).
        crashed |= (total > 6) & (spare <= 6) | (total <= 6)
    return np.where(race, RACE, np.where(crashed, CRASHED, CONTACT)).astype(np.int8)


def _bits(flags: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """(24, N) bool → (N,) uint32 with bit p set for point p = 1..24."""
    packed = np.packbits(flags, axis=0, bitorder="little").astype(np.uint32)
    return (packed[0] | (packed[1] << 8) | (packed[2] << 16)) << 1


def _popcount(bits: NDArray[np.uint32]) -> NDArray[np.float32]:
    return _POPCOUNT[bits & 0xFFF] + _POPCOUNT[(bits >> 12) & 0xFFF] + _POPCOUNT[bits >> 24]


def _highest(bits: NDArray[np.uint32]) -> NDArray[np.float32]:
    """Number of the highest set bit, 0 when none. Reads the exponent of the float: few bits are set, none round up."""
    exponent = (bits.astype(np.float32).view(np.int32) >> 23) - 127
    return np.maximum(exponent, 0).astype(np.float32)


_BOARD = np.uint32(0x1FFFFFE)
_HOME = np.uint32(0x7E)
_FAR_HOME = np.uint32(0x1F80000)
_SHOT_WEIGHTS = ROLL_WEIGHTS


def shots(
    shooter: NDArray[np.uint32],
    on_bar: NDArray[np.int8],
    blocked: NDArray[np.uint32],
    blots: NDArray[np.uint32],
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """How the next roll of one side hits the other's blots; all bits in the shooter's numbering (it moves downwards).

    shooter: points it holds. on_bar: its checkers there. blocked: points the other side has made. blots: the other
    side's blots. Returns three (N,) float32: share of rolls that hit; mean over rolls of the pips that the worst-hit
    blot loses, / 24 (a blot on the shooter's point p falls back p pips); share of rolls that hit two blots or more.
    """
    hitting = struck_by_roll(shooter, on_bar, blocked, blots)
    some = (hitting != 0).astype(np.float32)
    more = ((hitting & (hitting - np.uint32(1))) != 0).astype(np.float32)
    lost: Inputs = _SHOT_WEIGHTS @ (_highest(hitting) * np.float32(1 / 24)).astype(np.float32)
    hit: Inputs = _SHOT_WEIGHTS @ some
    double: Inputs = _SHOT_WEIGHTS @ more
    return hit, lost, double


def struck_by_roll(
    shooter: NDArray[np.uint32],
    on_bar: NDArray[np.int8],
    blocked: NDArray[np.uint32],
    blots: NDArray[np.uint32],
) -> NDArray[np.uint32]:
    """(21, N) uint32: the blots that each of ROLLS can hit, arguments as for `shots`."""
    struck = np.zeros((len(ROLLS), len(shooter)), np.uint32)
    target = np.flatnonzero(blots)
    if len(target) < len(shooter):
        if len(target):
            struck[:, target] = struck_by_roll(
                shooter[target], on_bar[target], blocked[target], blots[target]
            )
        return struck
    barred = np.flatnonzero(on_bar > 0)
    if len(barred) == 0:
        _free_shots(shooter, blocked, blots, struck)
    else:
        free = np.flatnonzero(on_bar == 0)
        part = np.zeros((len(ROLLS), len(free)), np.uint32)
        _free_shots(shooter[free], blocked[free], blots[free], part)
        struck[:, free] = part
        struck[:, barred] = _bar_shots(shooter[barred], on_bar[barred] > 1, blocked[barred], blots[barred])
    return struck


def _free_shots(
    shooter: NDArray[np.uint32],
    blocked: NDArray[np.uint32],
    blots: NDArray[np.uint32],
    out: NDArray[np.uint32],
) -> None:
    open_ = ~blocked & _BOARD
    first = [shooter] + [(shooter >> np.uint32(d)) & open_ for d in range(1, 7)]
    for i, (a, b) in enumerate(ROLLS):
        if a == b:
            reach, front = first[a], first[a]
            for _ in range(3):
                front = (front >> np.uint32(a)) & open_
                reach = reach | front
        else:
            reach = first[a] | first[b] | (first[a] >> np.uint32(b)) | (first[b] >> np.uint32(a))
        np.bitwise_and(reach, blots, out=out[i])


def _bar_shots(
    shooter: NDArray[np.uint32],
    more_in: NDArray[np.bool_],
    blocked: NDArray[np.uint32],
    blots: NDArray[np.uint32],
) -> NDArray[np.uint32]:
    """With checkers on the bar: the first die enters, only then may the other die move anything."""
    out = np.zeros((len(ROLLS), len(shooter)), np.uint32)
    open_ = ~blocked & _BOARD
    nothing = np.uint32(0)
    enter = [np.zeros_like(shooter)] + [np.uint32(1 << (25 - d)) & open_ for d in range(1, 7)]
    for i, (a, b) in enumerate(ROLLS):
        free_a = np.where((enter[a] > 0) & ~more_in, enter[a] | shooter, nothing)
        if a == b:
            reach, front = enter[a], free_a
            for _ in range(3):
                front = (front >> np.uint32(a)) & open_
                reach = reach | front
        else:
            free_b = np.where((enter[b] > 0) & ~more_in, enter[b] | shooter, nothing)
            reach = enter[a] | enter[b] | (free_a >> np.uint32(b)) | (free_b >> np.uint32(a))
        np.bitwise_and(reach, blots, out=out[i])
    return out


class _Sight:
    """One side of the batch: counts (24, N) and bit boards, in its own numbering and (`_x`) in the other's."""

    def __init__(self, points: NDArray[np.int8], bar: NDArray[np.int8]) -> None:
        any_, made = points > 0, points > 1
        blots = any_ ^ made
        self.any, self.made, self.blots = _bits(any_), _bits(made), _bits(blots)
        self.made_x, self.blots_x = _bits(made[::-1]), _bits(blots[::-1])
        self.exactly_two = _bits(points == 2)
        self.bar = bar
        self.counts = np.maximum(points, 0).astype(np.float32)
        self.rear = np.where(bar > 0, np.float32(25), _highest(self.any))


def _side_inputs(me: _Sight, him: _Sight, out: Inputs) -> None:
    """Fill `out` (SIDE_INPUTS, N) with what is special about one side."""
    own, bar = me.counts, me.bar.astype(np.float32)
    pips = _POINTS @ own + 25 * bar
    out[0] = pips / 100
    out[1], out[2], out[3] = shots(me.any, me.bar, him.made_x, him.blots_x)
    # From this side's point 25 − i the next points ahead are the other's points i+1, i+2, …
    escapes = np.empty((18, len(pips)), np.float32)
    for i in range(18):
        escapes[i] = _ESCAPES[(him.made >> np.uint32(i + 1)) & 0xFFF]
    out[4:16] = escapes[:12]
    # How trapped the checkers really are, and how free they are to move: weighted by how many stand there.
    back = np.concatenate([bar[None], own[:6:-1]])
    out[16] = (back[:8] * (1 - escapes[:8])).sum(0) / 4
    out[17] = np.einsum("i,in,in->n", np.arange(20, 2, -1, dtype=np.float32) / 300, back, escapes)
    out[18] = escapes[np.clip(25 - me.rear, 0, 17).astype(np.intp), np.arange(len(pips))]
    out[19] = me.rear / 25
    closed = _POPCOUNT[(him.made & _HOME) >> np.uint32(1)] / 6
    out[20] = closed
    out[21] = closed * closed
    out[22] = closed > 0.8
    out[23] = closed == 1
    # The longest block within six points, anywhere and in front of home.
    prime = np.zeros_like(pips)
    block = np.zeros_like(pips)
    for s in range(1, 19):
        count = _POPCOUNT[(me.made >> np.uint32(s)) & 0x3F]
        np.maximum(prime, count, out=prime)
        if s <= 8:
            np.maximum(block, count * np.float32((8 - abs(s - 4)) / 8), out=block)
    out[24] = prime / 6
    out[25] = prime >= 5
    out[26] = prime >= 6
    out[27] = block / 6
    # Anchors in the other side's home and on its bar point.
    anchors = me.made & _FAR_HOME
    forward = me.made & np.uint32(0x1FC0000)
    out[28] = _POPCOUNT[anchors >> np.uint32(13)] / 3
    out[29] = np.where(forward > 0, (25 - _highest(forward & (~forward + np.uint32(1)))) / 7, 0)
    out[30] = np.where(anchors > 0, (25 - _highest(anchors)) / 6, 0)
    out[31] = (own[18:].sum(0) + bar) / 5
    out[32] = own[12:18].sum(0) / 5
    out[33] = own[6:12].sum(0) / 5
    out[34] = own[:6].sum(0) / 10
    out[35] = _popcount(me.blots) / 4
    out[36] = _POPCOUNT[(me.blots & _HOME) >> np.uint32(1)] / 2
    # Stacks, and how far the checkers lie apart.
    squares = np.einsum("in,in->n", own, own)
    out[37] = squares / 60
    left = np.maximum(own.sum(0) + bar, 1)
    mean = pips / left
    out[38] = ((_POINTS * _POINTS) @ own + 625 * bar - left * mean * mean) / 800
    # Timing: pips that can be played before the own board must break.
    out[39] = (_POINTS[6:18] - 6) @ own[6:18] / 60
    out[40] = ((_POINTS[18:] - 6) @ own[18:] + 19 * bar) / 60
    # Contact still ahead: pips and checkers behind the other side's rearmost checker.
    beyond = np.maximum(_POINTS[:, None] - (25 - him.rear), 0)
    out[41] = np.einsum("in,in->n", own, beyond) / 100
    out[42] = np.einsum("in,in->n", own, (beyond > 0).astype(np.float32)) / 10
    # Builders within six of the gaps in the own home board.
    gaps = ~me.made & _HOME
    builders = me.any & ~me.exactly_two
    reach = np.zeros_like(pips)
    for d in range(1, 7):
        reach += _POPCOUNT[((builders >> np.uint32(d)) & gaps) >> np.uint32(1)]
    out[43] = reach / 12
    # Where the other side's blots stand: in its home (a return shot from the bar) and in ours.
    out[44] = _POPCOUNT[(him.blots & _HOME) >> np.uint32(1)] / 3
    out[45] = (me.bar > 0) * closed
    out[46] = _popcount(him.blots_x & np.uint32(0xFFE)) / 3
    out[47] = (own[0] + 0.5 * own[1]) / 5


def _plain(points: NDArray[np.int8], rows: Rows, out: Inputs) -> None:
    """Fill `out` (PLAIN_INPUTS, N): counts alone. Per point ==1, ==2, >=3, (n−3)/2 for each side."""
    for i, sign in enumerate((points, -points)):
        at = 96 * i
        out[at : at + 24] = sign == 1
        out[at + 24 : at + 48] = sign == 2
        out[at + 48 : at + 72] = sign >= 3
        np.multiply(np.maximum(sign - 3, 0), np.float32(0.5), out=out[at + 72 : at + 96])
    for i, (table, column) in enumerate(
        ((_BAR, OWN_BAR), (_BAR, OTHER_BAR), (_OFF, OWN_OFF), (_OFF, OTHER_OFF))
    ):
        out[192 + 4 * i : 196 + 4 * i] = table[:, rows[:, column]]


def plain_inputs(rows: Rows) -> Inputs:
    """(PLAIN_INPUTS, N) float32: counts alone."""
    out = np.empty((PLAIN_INPUTS, len(rows)), np.float32)
    _plain(np.ascontiguousarray(rows[:, :24].T), rows, out)
    return out


def contact_inputs(rows: Rows) -> Inputs:
    """(CONTACT_INPUTS, N) float32 for positions where the sides can still meet."""
    points = np.ascontiguousarray(rows[:, :24].T)
    out = np.empty((CONTACT_INPUTS, len(rows)), np.float32)
    _plain(points, rows, out[:PLAIN_INPUTS])
    me = _Sight(points, rows[:, OWN_BAR])
    him = _Sight(-points[::-1], rows[:, OTHER_BAR])
    a, b = PLAIN_INPUTS, PLAIN_INPUTS + SIDE_INPUTS
    _side_inputs(me, him, out[a:b])
    _side_inputs(him, me, out[b : b + SIDE_INPUTS])
    lead = out[a] - out[b]
    out[-3], out[-2], out[-1] = lead, np.abs(lead), lead * out[a]
    return out


def _race_side(own: Inputs, out: Inputs) -> tuple[Inputs, Inputs, Inputs]:
    """Fill `out` (RACE_SIDE_INPUTS, N) for one side's counts (24, N).

    Returns three (N,): its pips; those with the additions for waste that players use (Tom Keith's count: stacks on the low
    points, gaps on the high ones); about how many rolls it needs to bear off all.
    """
    pips = _POINTS @ own
    left = own.sum(0)
    waste = (
        2 * np.maximum(own[0] - 1, 0)
        + np.maximum(own[1] - 1, 0)
        + np.maximum(own[2] - 3, 0)
        + (own[3:6] == 0).sum(0)
    )
    outside = own[6:].sum(0)
    home = (_POINTS[6:] - 6) @ own[6:]
    rolls = np.maximum((pips + waste) / np.float32(8.17), left / 2)
    out[0], out[1], out[2] = pips / 100, (pips + waste) / 100, waste / 10
    out[3], out[4], out[5] = left / 15, outside / 10, home / 50
    out[6] = rolls / 10
    # How far it is from saving the backgammon (pips in the other's home) and the gammon.
    out[7] = (_POINTS[18:] - 18) @ own[18:] / 10
    out[8] = (home + 1) / 40
    return pips, pips + waste, rolls


def race_inputs(rows: Rows) -> Inputs:
    """(RACE_INPUTS, N) float32 for positions where the sides have passed each other."""
    points = np.ascontiguousarray(rows[:, :24].T)
    out = np.empty((RACE_INPUTS, len(rows)), np.float32)
    _plain(points, rows, out[:PLAIN_INPUTS])
    own = np.maximum(points, 0).astype(np.float32)
    other = np.maximum(-points[::-1], 0).astype(np.float32)
    at, k = PLAIN_INPUTS, RACE_SIDE_INPUTS
    pips_a, full_a, rolls_a = _race_side(own, out[at : at + k])
    pips_b, full_b, rolls_b = _race_side(other, out[at + k : at + 2 * k])
    extra = out[at + 2 * k :]
    extra[0] = (pips_a - pips_b) / 30
    # The lead in units of the luck still to come (after Kleinman), plain and with waste; squashed as a chance is.
    for i, (a, b) in enumerate(((pips_a, pips_b), (full_a, full_b))):
        lead = (b - a + 4) / np.sqrt(np.maximum(a + b - 4, 8))
        extra[1 + 2 * i] = np.clip(lead, -4, 4) / 2
        extra[2 + 2 * i] = np.tanh(np.float32(1.2) * lead)
    # Rolls that one side has to spare to save the gammon before the other is off.
    for i, (theirs, rolls) in enumerate(((other, rolls_a), (own, rolls_b))):
        need = ((_POINTS[6:] - 6) @ theirs[6:] + 3) / np.float32(8.17)
        spare = rolls - need
        extra[5 + 2 * i] = np.clip(spare, -4, 4) / 4
        extra[6 + 2 * i] = np.tanh(spare)
    return out


#: By class.
INPUTS = {CONTACT: contact_inputs, CRASHED: contact_inputs, RACE: race_inputs}
INPUT_COUNT = {CONTACT: CONTACT_INPUTS, CRASHED: CONTACT_INPUTS, RACE: RACE_INPUTS}
