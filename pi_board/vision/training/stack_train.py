"""Train the network of long points: `python -m pi_board.vision.training.stack_train SHARDS --out stacks.npz`.

Needs torch (extra `train`), a CPU will do. The first strips of `stack_samples` are kept for validation.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pi_board.vision.checkers.stacks import LEAST, MOST, STRIDE, STRIP_H, STRIP_W
from pi_board.vision.training.schedule import arguments, fit, save
from pi_board.vision.training.train import Conv, PlainLayer, layer_arrays, restore_layers
from pi_board.vision.training.variation import moved, standardised, varied

STEM, WIDTH, DEEP = 16, 24, 40
#: The first strips of the first shard are kept for validation.
CHECK, TRAIN = slice(0, 600), slice(600, None)


class StackNetwork(nn.Module):
    """The twin of `stacks.count_stack`; input (B, 5, 312, 72)."""

    def __init__(self) -> None:
        super().__init__()
        self.stem1, self.stem2 = Conv(5, STEM, 2), Conv(STEM, WIDTH, 2)
        self.fine = Conv(WIDTH, WIDTH)
        self.down = Conv(WIDTH, DEEP, 2)
        self.blocks = nn.ModuleList([Conv(DEEP, DEEP, 1, d) for d in (1, 2)])
        rows, columns = STRIP_H // STRIDE, STRIP_W // STRIDE
        self.upper = nn.Linear(DEEP, 1)
        self.across = nn.Linear(columns * DEEP, 64)
        self.along1, self.along2 = nn.Conv1d(64, 64, 5, 2, 2), nn.Conv1d(64, 64, 5, 2, 2)
        self.fc = nn.Linear(64 * ((rows + 1) // 2 // 2), 96)
        self.out = nn.Linear(96, MOST + 1 - LEAST)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """(B, 12) logits of LEAST..MOST checkers, (B, 39, 9) logits of an upper layer."""
        x = F.relu(self.stem2(F.relu(self.stem1(x))))
        x = F.relu(self.down(x + F.relu(self.fine(x))))
        for block in self.blocks:
            x = x + F.relu(block(x))
        x = x.permute(0, 2, 3, 1)
        upper = self.upper(x)[..., 0]
        s = F.relu(self.across(x.reshape(*x.shape[:2], -1))).transpose(1, 2)
        s = F.relu(self.along2(F.relu(self.along1(s)))).transpose(1, 2).reshape(len(x), -1)
        return self.out(self.drop(F.relu(self.fc(s)))), upper

    def convolutions(self) -> list[tuple[str, Conv]]:
        blocks: list[Any] = list(self.blocks)
        named = {"stem1": self.stem1, "stem2": self.stem2, "fine": self.fine, "down": self.down}
        return [*named.items(), *((f"block{i}", b) for i, b in enumerate(blocks))]

    def plain_layers(self) -> list[PlainLayer]:
        """As in `train.Network`. The head of the upper layer only helps in training and is not kept."""
        return [(name, getattr(self, name), "") for name in ("across", "along1", "along2", "fc", "out")]

    def restore(self, w: dict[str, np.ndarray], x: Tensor) -> None:
        """Goes on from `arrays`; x: (B, 5, 312, 72) strips. The head of the upper layer starts anew."""
        restore_layers(self, self.plain_layers(), self.convolutions(), w, x)

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights as `stacks.count_stack` wants them."""
        return layer_arrays(self.plain_layers(), self.convolutions())


class StripSet:
    """Strips in memory, those of one part; batches mirrored and varied at random."""

    def __init__(self, files: list[Path], part: slice) -> None:
        parts = [np.load(f) for f in files]
        self.data = {
            k: np.concatenate([p[k] for p in parts])[part] for k in ("strips", "lifts", "counts", "upper")
        }

    def __len__(self) -> int:
        return len(self.data["counts"])

    def batch(self, index: np.ndarray, rng: np.random.Generator | None) -> tuple[Tensor, ...]:
        return stack_batch({k: torch.from_numpy(v[index]) for k, v in self.data.items()}, rng is not None)


def stack_batch(part: dict[str, Tensor], vary: bool) -> tuple[Tensor, ...]:
    """What the network gets of strips and what it is to say: (N, 5, 312, 72), counts from LEAST on, the upper layer (N, 39, 9) 0..1."""
    x = part["strips"].permute(0, 3, 1, 2).float()
    lifts, upper = part["lifts"].clone(), part["upper"].float() / 255
    if vary:
        at = torch.rand(len(x), device=x.device) < 0.5
        x = torch.where(at[:, None, None, None], x.flip(3), x)
        upper = torch.where(at[:, None, None], upper.flip(2), upper)
        lifts[:, :, 0] = torch.where(at[:, None], -lifts[:, :, 0], lifts[:, :, 0])
        x = varied(moved(x))
    t = torch.linspace(0, 1, STRIP_H, device=x.device)[:, None]
    lifts = lifts / 10
    along = lifts[:, None, 0] * (1 - t) + lifts[:, None, 1] * t  # B, H, 2
    planes = along.permute(0, 2, 1)[..., None].expand(-1, -1, -1, STRIP_W)
    return torch.cat([standardised(x), planes], 1), part["counts"].long().clamp(LEAST, MOST) - LEAST, upper


def loss_of(net: StackNetwork, batch: tuple[Tensor, Tensor, Tensor]) -> tuple[Tensor, dict[str, float]]:
    x, counts, upper = batch
    logits, layer = net(x)
    count_loss = F.cross_entropy(logits.float(), counts)
    upper_loss = F.binary_cross_entropy_with_logits(layer.float(), upper)
    right = (logits.argmax(1) == counts).float()
    return count_loss + upper_loss, {
        "count": float(count_loss.detach()),
        "upper": float(upper_loss.detach()),
        "right": float(right.mean()),
    }


def main() -> None:
    args = arguments(__doc__, batch=32)

    def keep(net: StackNetwork, train: StripSet, record: dict[str, Any]) -> None:
        n = np.bincount(train.data["counts"].astype(int), minlength=MOST + 1)[LEAST:] + 20.0
        save(
            net,
            {**net.arrays(), "prior": np.log(n / n.sum())},
            args,
            record,
            "pi_board.vision.training.stack_train",
        )

    def load(files: list[Path]) -> tuple[StripSet, StripSet]:
        return StripSet(files, TRAIN), StripSet(files[:1], CHECK)

    def make() -> StackNetwork:
        net = StackNetwork()
        if args.start and args.start.suffix == ".npz":
            check = load(sorted(args.shards.glob("stacks-*.npz"))[:1])[1]
            with np.load(args.start) as weights:
                net.restore(dict(weights), check.batch(np.arange(300), None)[0])
        return net

    fit(args, make, "stacks-*.npz", load, loss_of, keep, digits=4)


if __name__ == "__main__":
    main()
