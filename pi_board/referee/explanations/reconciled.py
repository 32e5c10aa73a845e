"""What a look was taken for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pi_board.rules import Play, Position, Side


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What the picture is most likely to show.

    kind: "before" (nothing moved), "legal" (`play` lies there), "partial" (on the way), "illegal", "unclear".
    position: what lies there when it is a whole position. margin: nats to the best explanation of another kind.
    blocked: (from, to) in the mover's numbering when a checker stands on a point that the opponent holds.
    missing: (light, dark) checkers too few (negative: too many), only when unclear.
    rival: the best legal play and by how many nats it is behind, when it is not what lies there.
    unmoved: nats by which the position before is behind, when something seems to be on its way.
    veiled: slots that something covers, and what lies there decides between plays, or between a play and none.
    nearest: the position that the referee would most like to see. in_hand: a checker is on its way; of whom: `hand_of`;
        left_on: slot (0-23) on which a hit checker is seen to lie still beside the one that hit it;
        borne_off: what lies there if the checker that is gone from the mover's home board is not in a hand but off
        (of a whole position only where that fits clearly better);
        unlawful: the position outside the law that explains the picture at least as well as a checker in a hand.
    """

    kind: Literal["before", "legal", "partial", "illegal", "unclear"]
    position: Position | None
    margin: float
    fit: float
    play: Play | None = None
    blocked: tuple[int, int] | None = None
    missing: tuple[int, int] = (0, 0)
    nearest: Position | None = None
    in_hand: bool = False
    hand_of: Side | None = None
    left_on: int | None = None
    borne_off: Position | None = None
    unlawful: Position | None = None
    seen: Position | None = None
    rival: tuple[Play, float] | None = None
    unmoved: float = np.inf
    veiled: tuple[int, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Two looks agree when this is equal."""
        return self.kind, self.position, self.blocked, self.missing, self.in_hand

    @property
    def boards(self) -> tuple[Position, ...]:
        """What may lie there, as far as whole positions can say it: what is seen, outside the law, borne off and not in a hand."""
        found = (self.position, self.unlawful, self.borne_off)
        return tuple(board for board in found if board is not None)

    def may_be_lawful(self, within: float) -> bool:
        """Whether a legal play that is not what lies there is behind by less than `within` nats."""
        return self.rival is not None and self.rival[1] < within


def as_played(found: Reconciled) -> Reconciled:
    """`found` taken for its rival: the legal play that the picture allows nearly as well. Raises ValueError without one."""
    if found.rival is None:
        raise ValueError("as_played: expected an explanation with a rival play, got one without")
    play = found.rival[0]
    return replace(found, kind="legal", play=play, position=play.result)
