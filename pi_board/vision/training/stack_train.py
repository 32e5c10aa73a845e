"""Train the network of long points: `python -m pi_board.vision.training.stack_train SHARDS --out stacks.npz`.

Needs torch (extra `train`), a CPU will do. The first strips of `stack_samples` are kept for validation.
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

from pi_board.vision.stacks import LEAST, MOST, STRIDE, STRIP_H, STRIP_W
from pi_board.vision.training.train import BF16, Average, Conv, learning_rate, linear, mean, take_step

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

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights as `stacks.count_stack` wants them."""
        w: dict[str, np.ndarray] = {}
        blocks = ((f"block{i}", b) for i, b in enumerate(self.blocks))
        for name, conv in (
            ("stem1", self.stem1),
            ("stem2", self.stem2),
            ("fine", self.fine),
            ("down", self.down),
            *blocks,
        ):
            w[f"{name}.w"], w[f"{name}.b"] = conv.folded()  # type: ignore[operator]
        for name in ("across", "fc", "out"):
            linear(w, name, getattr(self, name), "")
        for name in ("along1", "along2"):
            layer = getattr(self, name)
            w[f"{name}.w"] = layer.weight.permute(2, 1, 0).detach().numpy()
            w[f"{name}.b"] = layer.bias.detach().numpy()
        return w


class Strips:
    """Strips in memory, those of one part; batches mirrored and tinted at random."""

    def __init__(self, files: list[Path], part: slice) -> None:
        parts = [np.load(f) for f in files]
        self.data = {k: np.concatenate([p[k] for p in parts])[part] for k in ("strips", "lifts", "counts", "upper")}
        self.moments = np.array([np.squeeze(cv2.meanStdDev(s), 2) for s in self.data["strips"]])

    def __len__(self) -> int:
        return len(self.data["counts"])

    def batch(self, index: np.ndarray, rng: np.random.Generator | None) -> tuple[Tensor, Tensor, Tensor]:
        strips, lifts, upper = (self.data[k][index] for k in ("strips", "lifts", "upper"))
        gains = np.ones((len(index), 3))
        if rng is not None:
            gains *= np.exp(rng.normal(0, 0.08, gains.shape))
            for i in np.flatnonzero(rng.random(len(index)) < 0.5):
                strips[i], upper[i] = strips[i][:, ::-1].copy(), upper[i][:, ::-1].copy()
                lifts[i, :, 0] *= -1
        m, s = self.moments[index][:, 0], self.moments[index][:, 1]
        mean = (m * gains).mean(1)
        spread = np.sqrt(((s * s + m * m) * gains * gains).mean(1) - mean**2) + 4.0
        x = torch.from_numpy(strips).permute(0, 3, 1, 2).float()
        x = x * torch.from_numpy(gains / spread[:, None]).float()[:, :, None, None]
        x = x - torch.from_numpy(mean / spread).float()[:, None, None, None]
        t = torch.linspace(0, 1, STRIP_H)[:, None]
        lifted = torch.from_numpy(lifts / 10)
        along = lifted[:, None, 0] * (1 - t) + lifted[:, None, 1] * t  # B, H, 2
        planes = along.permute(0, 2, 1)[..., None].expand(-1, -1, -1, STRIP_W)
        x = torch.cat([x, planes], 1).contiguous(memory_format=torch.channels_last)
        counts = torch.from_numpy(self.data["counts"][index].astype(np.int64)).clamp(LEAST, MOST) - LEAST
        return x, counts, torch.from_numpy(upper.astype(np.float32) / 255)


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


def save(net: StackNetwork, train: Strips, args: argparse.Namespace, record: dict[str, Any]) -> None:
    out: Path = args.out
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    n = np.bincount(train.data["counts"].astype(int), minlength=MOST + 1)[LEAST:] + 20.0
    arrays: dict[str, Any] = {**net.arrays(), "prior": np.log(n / n.sum())}
    halves: dict[str, Any] = {k: np.asarray(v, np.float16) for k, v in arrays.items()}
    np.savez_compressed(out, **halves)
    lines = ["# How the weights beside this file were made (pi_board.vision.training.stack_train)."]
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
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="state file (.pt) to go on from")
    parser.add_argument("--every", type=int, default=500, help="steps between saved checkpoints")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    files = sorted(args.shards.glob("stacks-*.npz"))
    train, check = Strips(files, TRAIN), Strips(files[:1], CHECK)
    net = StackNetwork()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    print(f"{sum(p.numel() for p in net.parameters())} parameters, {len(train)} strips", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
    average: Average[StackNetwork] = Average(net)
    began, step, seen = time.monotonic(), 0, []
    order: list[int] = []

    def checkpoint() -> None:
        averaged = average.network()
        with torch.no_grad():
            parts = [
                check.batch(np.arange(i, i + 50), None) for i in range(0, len(check) - 49, 50)
            ]
            validated = mean([loss_of(averaged, part)[1] for part in parts], 4)
        print("validation", validated, flush=True)
        save(averaged, train, args, {"steps": step, "samples": len(train), "validation": validated})

    while True:
        done = step / args.steps if args.steps else (time.monotonic() - began) / 60 / args.minutes
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(args.rate, step, done)
        if len(order) < args.batch:
            if not args.steps and len(more := sorted(args.shards.glob("stacks-*.npz"))) > len(files):
                files = more
                train = Strips(files, TRAIN)
                print(f"{len(train)} strips", flush=True)
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
