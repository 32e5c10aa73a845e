"""Train the network that compares long points: `python -m pi_board.vision.training.pile_train SHARDS --out piles.npz`.

Needs torch (extra `train`), a CPU will do. What it sees of a strip is what the shipped network of long points sees, so it must be
trained anew when that one has been. The first pairs of `pile_samples` are kept for validation.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pi_board.vision.checkers.pile_changes import MOST_CHANGED, PILE, what_it_says
from pi_board.vision.checkers.stacks import LEAST, MOST, STRIDE, STRIP_H, STRIP_W, see_strip
from pi_board.vision.training.pile_samples import trunk_digest
from pi_board.vision.training.schedule import arguments, fit, save
from pi_board.vision.training.train import Conv, PlainLayer, layer_arrays

SEEN, MIXED, NEAR = 40, 48, 32
CHANGES, LAY, COUNTS = 2 * MOST_CHANGED + 1, MOST + 1 - PILE, MOST + 1 - LEAST
#: The first pairs of the first shard are kept for validation.
CHECK, TRAIN = slice(0, 600), slice(600, None)
#: How a pair is varied: a gain for each colour (log) in both, and another in each; how often the light falls off along the point (log) and
#: how often there is noise (levels).
GAIN, OTHER_GAIN, SLOPED, SLOPE, NOISY, LEVELS = 0.1, 0.03, 0.3, 0.08, 0.3, 5.0
#: Pairs of whatever `CHANGES` beside those that were seen, so that none is out of the question.
UNSEEN = 2.0


class PileNetwork(nn.Module):
    """The twin of `pile_changes.change_of_pile`."""

    def __init__(self) -> None:
        super().__init__()
        rows, columns = STRIP_H // STRIDE, STRIP_W // STRIDE
        self.mix = nn.Linear(2 * SEEN, MIXED)
        self.near = Conv(MIXED, NEAR)
        self.across = nn.Linear(columns * NEAR, 64)
        self.along1, self.along2 = nn.Conv1d(64, 64, 5, 2, 2), nn.Conv1d(64, 64, 5, 2, 2)
        self.fc = nn.Linear(64 * ((rows + 1) // 2 // 2) + LAY + 2 * COUNTS, 96)
        self.out = nn.Linear(96, CHANGES)
        self.drop = nn.Dropout(0.15)

    def forward(self, then: Tensor, now: Tensor, told: Tensor) -> Tensor:
        """(B, 9) logits of features (B, 40, 39, 9) of both strips and of what is told beside them (B, 35)."""
        x = torch.cat([then, now], 1).permute(0, 2, 3, 1)
        x = F.relu(self.mix(x)).permute(0, 3, 1, 2)
        x = F.relu(self.near(x)).permute(0, 2, 3, 1)
        s = F.relu(self.across(x.reshape(*x.shape[:2], -1))).transpose(1, 2)
        s = F.relu(self.along2(F.relu(self.along1(s)))).transpose(1, 2).reshape(len(x), -1)
        return self.out(self.drop(F.relu(self.fc(torch.cat([s, told], 1)))))  # type: ignore[no-any-return]

    def plain_layers(self) -> list[PlainLayer]:
        return [
            (name, getattr(self, name), "") for name in ("mix", "across", "along1", "along2", "fc", "out")
        ]

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights as `pile_changes.change_of_pile` wants them."""
        return layer_arrays(self.plain_layers(), [("near", self.near)])


def varied_pair(rng: np.random.Generator, pair: tuple[np.ndarray, np.ndarray]) -> list[np.ndarray]:
    """Both strips in other light, mostly the same."""
    gain, out = np.exp(rng.normal(0, GAIN, 3)), []
    for strip in pair:
        of = np.broadcast_to(gain * np.exp(rng.normal(0, OTHER_GAIN, 3)), (STRIP_H, 3))
        if rng.random() < SLOPED:
            of = (
                of * np.exp(rng.normal(0, SLOPE) + rng.normal(0, SLOPE) * np.linspace(0, 1, STRIP_H))[:, None]
            )
        lit = strip * of[:, None]
        if rng.random() < NOISY:
            lit = lit + rng.normal(0, rng.uniform(0, LEVELS), lit.shape)
        out.append(np.clip(lit, 0, 255).astype(np.uint8))
    return out


class PairSet:
    """What the network of long points sees of pairs, in memory; each also the other way round."""

    def __init__(self, files: list[Path], part: slice, *, vary: bool) -> None:
        rng = np.random.default_rng(len(files))
        seen: dict[str, list[np.ndarray]] = {k: [] for k in ("then", "now", "told", "change", "lay")}
        for file in files:
            with np.load(file) as shard:
                pairs = {k: shard[k][part] if file is files[0] else shard[k] for k in shard.files}
            for then, now, lifted, lay, lie in zip(
                *(pairs[k] for k in ("then", "now", "lifts", "lay", "lie")), strict=True
            ):
                strips = [then, now]
                if vary:
                    if rng.random() < 0.5:
                        strips = [np.ascontiguousarray(s[:, ::-1]) for s in strips]
                        lifted = lifted * np.array([-1, 1], np.float32)
                    strips = varied_pair(rng, (strips[0], strips[1]))
                first, second = (see_strip(s, lifted) for s in strips)
                for a, b, m, n in ((first, second, int(lay), int(lie)), (second, first, int(lie), int(lay))):
                    if m < PILE or (a is second and not vary):
                        continue
                    seen["then"].append(a.features[0].astype(np.float16))
                    seen["now"].append(b.features[0].astype(np.float16))
                    seen["told"].append(
                        np.concatenate([np.eye(LAY)[m - PILE], what_it_says(a), what_it_says(b)])
                    )
                    seen["change"].append(
                        np.array(np.clip(n - m, -MOST_CHANGED, MOST_CHANGED) + MOST_CHANGED)
                    )
                    seen["lay"].append(np.array(m))
        self.data = {k: np.array(v) for k, v in seen.items()}

    def __len__(self) -> int:
        return len(self.data["change"])

    def batch(self, index: np.ndarray, rng: np.random.Generator | None) -> tuple[Tensor, ...]:
        then, now, told = (torch.from_numpy(self.data[k][index]).float() for k in ("then", "now", "told"))
        return then, now, told, torch.from_numpy(self.data["change"][index])

    def prior(self) -> np.ndarray:
        """(11, 9) log share of each change, by how many lay there."""
        seen = np.full((LAY, CHANGES), UNSEEN)
        np.add.at(seen, (self.data["lay"] - PILE, self.data["change"]), 1)
        return np.log(seen / seen.sum(axis=1, keepdims=True))


def loss_of(net: PileNetwork, batch: tuple[Tensor, ...]) -> tuple[Tensor, dict[str, float]]:
    *what, change = batch
    logits = net(*what).float()
    loss = F.cross_entropy(logits, change, label_smoothing=0.02 if net.training else 0.0)
    right = (logits.argmax(1) == change).float().mean()
    return loss, {"change": float(loss.detach()), "right": float(right)}


def main() -> None:
    args = arguments(__doc__, batch=64)

    def keep(net: PileNetwork, train: PairSet, record: dict[str, Any]) -> None:
        arrays = {**net.arrays(), "prior": train.prior()}
        save(net, arrays, args, {"trunk": trunk_digest()} | record, "pi_board.vision.training.pile_train")

    def load(files: list[Path]) -> tuple[PairSet, PairSet]:
        return PairSet(files, TRAIN, vary=True), PairSet(files[:1], CHECK, vary=False)

    fit(args, PileNetwork, "piles-*.npz", load, loss_of, keep, digits=4)


if __name__ == "__main__":
    main()
