"""Train the network of holes: `python -m pi_board.vision.training.hole_train SHARDS --out holes.npz`.

Needs torch (extra `train`), a CPU will do. The first shard is kept for validation.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pi_board.vision.solitaire.hole_network import EMPTY, PIECE, PLACES
from pi_board.vision.training.hole_samples import IGNORED
from pi_board.vision.training.schedule import arguments, fit, normalised, save
from pi_board.vision.training.train import Conv, layer_arrays

STEM, WIDTH, DEEP, FC = 12, 20, 28, 48


class HoleNetwork(nn.Module):
    """The twin of `holes_network.score`; input (B, 3, 209, 209) normalised, output (B, 4, 9, 9) logits."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.ModuleList([Conv(3, STEM, 2), Conv(STEM, WIDTH, 2), Conv(WIDTH, DEEP, 2)])
        self.look = nn.Linear(9 * DEEP, FC)
        self.compare, self.out = nn.Linear(4 * FC, FC), nn.Linear(2 * FC, 4)

    def forward(self, x: Tensor) -> Tensor:
        for conv in self.stem:
            x = F.relu(conv(x))
        at = 1 + 3 * torch.arange(PLACES)
        around = torch.cat([x[:, :, at + i][:, :, :, at + j] for i in (-1, 0, 1) for j in (-1, 0, 1)], 1)
        look = F.relu(self.look(around.permute(0, 2, 3, 1)))
        inner = look[:, 1:-1, 1:-1]
        board = [inner.mean((1, 2)), inner.amax((1, 2)), inner.amin((1, 2))]
        others = torch.cat([b[:, None, None].expand_as(look) for b in board], 3)
        seen = F.relu(self.compare(torch.cat([look, others], 3)))
        answer: Tensor = self.out(torch.cat([look, seen], 3))
        return answer.permute(0, 3, 1, 2)

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights as `holes_network.score` wants them."""
        stem: list[Any] = list(self.stem)
        plain = [(name, getattr(self, name), "") for name in ("look", "compare", "out")]
        return layer_arrays(plain, [(f"stem{i}", conv) for i, conv in enumerate(stem, 1)])


class Boards:
    """Canvases in memory; batches turned, mirrored and tinted at random."""

    def __init__(self, files: list[Path]) -> None:
        parts = [np.load(f) for f in files]
        self.canvas = np.concatenate([p["canvas"] for p in parts])
        self.labels = np.concatenate([p["labels"] for p in parts])
        self.moments = np.array([np.squeeze(cv2.meanStdDev(s), 2) for s in self.canvas])

    def __len__(self) -> int:
        return len(self.labels)

    def batch(self, index: np.ndarray, rng: np.random.Generator | None) -> tuple[Tensor, Tensor]:
        canvas, labels = self.canvas[index], self.labels[index]
        gains = np.ones((len(index), 3))
        if rng is not None:
            gains *= np.exp(rng.normal(0, 0.1, gains.shape))
            for i in range(len(index)):
                turns, flip = int(rng.integers(4)), rng.random() < 0.5
                a, b = np.rot90(canvas[i], turns), np.rot90(labels[i], turns)
                canvas[i], labels[i] = (
                    (a[:, ::-1].copy(), b[:, ::-1].copy()) if flip else (a.copy(), b.copy())
                )
        x = normalised(canvas, self.moments[index], gains)
        return x.contiguous(memory_format=torch.channels_last), torch.from_numpy(labels.astype(np.int64))


def loss_of(net: HoleNetwork, batch: tuple[Tensor, Tensor]) -> tuple[Tensor, dict[str, float]]:
    x, labels = batch
    logits = net(x).float()
    loss = F.cross_entropy(logits, labels, ignore_index=IGNORED)
    with torch.no_grad():
        board = (labels == EMPTY) | (labels == PIECE)
        wrong = (logits.argmax(1) != labels) & board
        whole = board.sum((1, 2)) >= 37
    return loss, {
        "loss": float(loss.detach()),
        "wrong": float(wrong.sum() / board.sum().clamp(min=1)),
        "boards": float((wrong.sum((1, 2)) == 0)[whole].float().mean()) if whole.any() else 1.0,
    }


def main() -> None:
    args = arguments(__doc__, batch=24)

    def keep(net: HoleNetwork, train: Boards, record: dict[str, Any]) -> None:
        save(net, net.arrays(), args, record, "pi_board.vision.training.hole_train")

    def load(files: list[Path]) -> tuple[Boards, Boards]:
        return Boards(files[1:]), Boards(files[:1])

    fit(args, HoleNetwork, "holes-*.npz", load, loss_of, keep, digits=5)


if __name__ == "__main__":
    main()
