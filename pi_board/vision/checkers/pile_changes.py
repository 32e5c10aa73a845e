"""How many checkers stand on a long point now, by comparison with the picture in which its number was last accepted: a third small network.

How many lie upon each other can hardly be seen from above, but whether one more does can: light, board and checkers are the same in
both pictures, and what nobody has touched looks as it did. The network sees what `stacks` sees of both strips, and the number that lay there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import numpy.typing as npt

from pi_board.vision.checkers.slot_network import Floats
from pi_board.vision.checkers.stacks import LEAST, MOST, StripSeen
from pi_board.vision.convolutions import Layer, Network
from pi_board.vision.layers import log_softmax, named_weights, relu, slide

#: Points from so many checkers on are compared: fewer are counted well.
PILE = 5
#: So many more or fewer, and beyond: what the network tells apart.
MOST_CHANGED = 4
#: What a strip says of a count by itself is told the network in so many nats, at least so many.
SAYS_UNIT, SAYS_LEAST = 5.0, -20.0
#: Share of the pairs that a change has in training at least: of what it hardly saw there the network knows only that it is rare.
LEAST_SHARE = 0.05
#: What a strip says by itself counts so much beside the comparison, of so many nats at most. Source: 1,350 pairs that training did not see
#: (traced rooms of two seeds, simulated ones): 94.0, 93.5 and 98.6 % are right without, 96.0, 94.7 and 98.6 % with it; 9 and 5 are wrong by
#: more than 3 nats. With .5 as many are right, and 11 wrong. Whether no more than four lie there, which is seen well (174 of 174), counts more: a
#: row of which every checker has been pushed is nothing that the network knows.
ALONE, MOST_ALONE, ONLY_FOUR = 0.2, 15.0, 0.6
#: Chance that the number that was accepted is wrong, or the picture is none that the network knows: then the strip speaks for itself. Set.
ASTRAY = 0.012


#: (11, 12) which change LEAST..MOST checkers are, by how many lay there.
_CHANGES = (
    np.clip(np.arange(LEAST, MOST + 1) - np.arange(PILE, MOST + 1)[:, None], -MOST_CHANGED, MOST_CHANGED)
    + MOST_CHANGED
)


@dataclass(frozen=True, slots=True)
class AcceptedPile:
    """count: signed, as it was accepted; seen: the strip in that picture."""

    count: int
    seen: StripSeen


@dataclass(frozen=True, slots=True)
class AcceptedPoints:
    """The position that was accepted last. lay: (24,) signed counts, by place (far row first); piles: its long points, by (row, column)."""

    lay: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(24, np.int64))
    piles: Mapping[tuple[int, int], AcceptedPile] = field(default_factory=dict)


def load_weights() -> dict[str, Floats]:
    """The shipped weights (`weights/piles.npz`, made by `pi_board.vision.training.pile_train`)."""
    return named_weights("piles")


def _near(w: dict[str, Floats]) -> Network:
    return Network.of(Layer.of(w, "near"))


@cache
def _shipped_near() -> Network:
    return _near(load_weights())


def what_it_says(seen: StripSeen) -> Floats:
    """(12,) what a strip says by itself, as the network is told it."""
    return np.asarray(np.maximum(seen.says - seen.says.max(), SAYS_LEAST) / SAYS_UNIT, np.float32)


def change_of_pile(
    then: StripSeen, count: int, now: StripSeen, weights: dict[str, Floats] | None = None
) -> npt.NDArray[np.float64]:
    """(9,) log-likelihood of 4 fewer or less, 3 fewer, ... as many, ... 4 more or beyond. count: that lay there `then`, PILE..MOST."""
    w = load_weights() if weights is None else weights
    near = _shipped_near() if weights is None else _near(w)
    both = np.concatenate([then.features[0], now.features[0]])
    rows, columns = both.shape[1:]
    mixed = relu(both.reshape(len(both), -1).T @ w["mix.w"] + w["mix.b"])
    x = near(np.ascontiguousarray(mixed.T).reshape(1, -1, rows, columns))
    x = np.ascontiguousarray(x.transpose(0, 2, 3, 1)).reshape(1, rows, -1)
    x = relu(x.reshape(rows, -1) @ w["across.w"] + w["across.b"])[None]
    x = relu(slide(x, w["along1.w"], w["along1.b"], 2))
    x = relu(slide(x, w["along2.w"], w["along2.b"], 2)).reshape(1, -1)
    lay = np.zeros(MOST + 1 - PILE, np.float32)
    lay[count - PILE] = 1.0
    told = np.concatenate([x[0], lay, what_it_says(then), what_it_says(now)])[None]
    x = relu(told @ w["fc.w"] + w["fc.b"])
    shares = np.maximum(w["prior"][count - PILE], np.log(LEAST_SHARE))
    return np.asarray(log_softmax(x @ w["out.w"] + w["out.b"])[0] - shares)


def count_now(accepted: AcceptedPile, now: StripSeen) -> npt.NDArray[np.float64]:
    """(12,) log-likelihood of LEAST..MOST checkers, as `StripSeen.says`, of the strip `now` where `accepted` lay."""
    lay = abs(accepted.count)
    says = change_of_pile(accepted.seen, lay, now)
    alone = np.maximum(now.says - np.maximum.reduce(now.says), -MOST_ALONE)
    compared = says.take(_CHANGES[lay - PILE]) + ALONE * alone
    compared[0] += ONLY_FOUR * min(MOST_ALONE, float(alone[0] - np.logaddexp.reduce(alone[1:])))
    # Beyond what the network tells apart the strip's own word decides.
    fewest, most = lay - MOST_CHANGED - LEAST, lay + MOST_CHANGED - LEAST
    for beyond in (slice(0, max(0, fewest + 1)), slice(most, None)):
        if len(of_it := alone[beyond]):
            compared[beyond] += of_it - np.maximum.reduce(of_it)
    return np.asarray(
        np.logaddexp(
            compared - (np.logaddexp.reduce(compared) - np.log1p(-ASTRAY)),
            now.says - (np.logaddexp.reduce(now.says) - np.log(ASTRAY)),
        )
    )
