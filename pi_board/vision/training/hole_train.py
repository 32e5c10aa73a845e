"""Train the network of holes: `python -m pi_board.vision.training.hole_train SHARDS --out holes.npz`.

Needs torch (extra `train`), a CPU will do. The first shard is kept for validation.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pi_board.vision.holes_network import EMPTY, PIECE, PLACES
from pi_board.vision.training.hole_samples import IGNORED
from pi_board.vision.training.train import BF16, Average, Conv, learning_rate, linear, mean, take_step

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
        w: dict[str, np.ndarray] = {}
        for i, conv in enumerate(self.stem, 1):
            w[f"stem{i}.w"], w[f"stem{i}.b"] = conv.folded()  # type: ignore[operator]
        for name in ("look", "compare", "out"):
            linear(w, name, getattr(self, name), "")
        return w


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
                canvas[i], labels[i] = (a[:, ::-1].copy(), b[:, ::-1].copy()) if flip else (a.copy(), b.copy())
        m, s = self.moments[index][:, 0], self.moments[index][:, 1]
        average = (m * gains).mean(1)
        spread = np.sqrt(((s * s + m * m) * gains * gains).mean(1) - average**2) + 4.0
        x = torch.from_numpy(canvas).permute(0, 3, 1, 2).float()
        x = x * torch.from_numpy(gains / spread[:, None]).float()[:, :, None, None]
        x = x - torch.from_numpy(average / spread).float()[:, None, None, None]
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


def save(net: HoleNetwork, args: argparse.Namespace, record: dict[str, Any]) -> None:
    out: Path = args.out
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    halves: dict[str, Any] = {k: np.asarray(v, np.float16) for k, v in net.arrays().items()}
    np.savez_compressed(out, **halves)
    lines = ["# How the weights beside this file were made (pi_board.vision.training.hole_train)."]
    lines += [f"{k} = {json.dumps(getattr(args, k))}" for k in ("seed", "batch", "rate")]
    lines += [f"{k} = {json.dumps(v)}" for k, v in record.items() if not isinstance(v, dict)]
    for key, value in record.items():
        if isinstance(value, dict):
            lines += ["", f"[{key}]", *(f"{k} = {json.dumps(v)}" for k, v in value.items())]
    out.with_suffix(".toml").write_text("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shards", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=10.0, help="stop the schedule after this long")
    parser.add_argument("--steps", type=int, default=0, help="fixed number of steps instead (reproducible)")
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="state file (.pt) to go on from")
    parser.add_argument("--every", type=int, default=500, help="steps between saved checkpoints")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    files = sorted(args.shards.glob("holes-*.npz"))
    train, check = Boards(files[1:]), Boards(files[:1])
    net = HoleNetwork()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    print(f"{sum(p.numel() for p in net.parameters())} parameters, {len(train)} boards", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
    average: Average[HoleNetwork] = Average(net)
    began, step, seen = time.monotonic(), 0, []
    order: list[int] = []

    def checkpoint() -> None:
        averaged = average.network()
        with torch.no_grad():
            parts = [check.batch(np.arange(i, i + 50), None) for i in range(0, len(check) - 49, 50)]
            validated = mean([loss_of(averaged, part)[1] for part in parts], 5)
        print("validation", validated, flush=True)
        save(averaged, args, {"steps": step, "samples": len(train), "validation": validated})

    while True:
        done = step / args.steps if args.steps else (time.monotonic() - began) / 60 / args.minutes
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(args.rate, step, done)
        if len(order) < args.batch:
            if not args.steps and len(more := sorted(args.shards.glob("holes-*.npz"))) > len(files):
                files = more
                train = Boards(files[1:])
                print(f"{len(train)} boards", flush=True)
            order = list(rng.permutation(len(train)))
        index = np.array([order.pop() for _ in range(args.batch)])
        net.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=BF16):
            loss, figures = loss_of(net, train.batch(index, rng))
        take_step(net, optimiser, average, loss)
        seen.append(figures)
        step += 1
        if step % 100 == 0:
            print(step, f"{done:.2f}", f"{time.monotonic() - began:.0f}s", mean(seen[-100:], 4), flush=True)
        if step % args.every == 0:
            checkpoint()
    checkpoint()


if __name__ == "__main__":
    main()
