"""The schedule that the small networks share: arguments, the loop over shards that may still be growing, and the saved weights."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from pi_board.vision.convolutions import SPREAD_FLOOR
from pi_board.vision.training.train import BF16, Average, learning_rate, mean, take_step

N = TypeVar("N", bound=nn.Module)


class Batches(Protocol):
    """Samples in memory. `batch` gives the arguments of a loss; rng None = as they are, for validation."""

    def __len__(self) -> int: ...

    def batch(self, index: np.ndarray, rng: np.random.Generator | None) -> tuple[Tensor, ...]: ...


S = TypeVar("S", bound=Batches)


def arguments(doc: str | None, batch: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("shards", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=10.0, help="stop the schedule after this long")
    parser.add_argument("--steps", type=int, default=0, help="fixed number of steps instead (reproducible)")
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--start", type=Path, help="state (.pt) or, where the module can, weights (.npz) to go on from"
    )
    parser.add_argument("--every", type=int, default=500, help="steps between saved checkpoints")
    return parser.parse_args()


def normalised(images: np.ndarray, moments: np.ndarray, gains: np.ndarray) -> Tensor:
    """(N, 3, H, W) float32 of (N, H, W, 3) uint8 pictures, tinted by `gains` (N, 3) and brought to mean 0 and spread about 1.

    moments: (N, 2, 3), mean and standard deviation of each picture's channels.
    """
    m, s = moments[:, 0], moments[:, 1]
    average = (m * gains).mean(1)
    spread = np.sqrt(((s * s + m * m) * gains * gains).mean(1) - average**2) + SPREAD_FLOOR
    x = torch.from_numpy(images).permute(0, 3, 1, 2).float()
    x = x * torch.from_numpy(gains / spread[:, None]).float()[:, :, None, None]
    return x - torch.from_numpy(average / spread).float()[:, None, None, None]


def save(
    net: nn.Module, arrays: dict[str, Any], args: argparse.Namespace, record: dict[str, Any], by: str
) -> None:
    """The state of the training (.pt), its `arrays` as float16 (.npz) and beside them how they were made (.toml)."""
    out: Path = args.out
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    halves: dict[str, Any] = {k: np.asarray(v, np.float16) for k, v in arrays.items()}
    np.savez_compressed(out, **halves)
    lines = [f"# How the weights beside this file were made ({by})."]
    lines += [f"{k} = {json.dumps(getattr(args, k))}" for k in ("seed", "batch", "rate")]
    lines += [f"{k} = {json.dumps(v)}" for k, v in record.items() if not isinstance(v, dict)]
    for key, value in record.items():
        if isinstance(value, dict):
            lines += ["", f"[{key}]", *(f"{k} = {json.dumps(v)}" for k, v in value.items())]
    out.with_suffix(".toml").write_text("\n".join(lines) + "\n")


def fit(
    args: argparse.Namespace,
    make: Callable[[], N],
    pattern: str,
    load: Callable[[list[Path]], tuple[S, S]],
    loss_of: Callable[[N, Any], tuple[Tensor, dict[str, float]]],
    keep: Callable[[N, S, dict[str, Any]], None],
    *,
    digits: int,
) -> None:
    """Trains what `make` gives on the shards that match `pattern`; `load` splits them into training and validation, and
    `keep` saves the averaged network with what is known of it. digits: of the validated figures."""
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    files = sorted(args.shards.glob(pattern))
    train, check = load(files)
    net = make()
    if args.start and args.start.suffix == ".pt":
        net.load_state_dict(torch.load(args.start))
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    print(f"{sum(p.numel() for p in net.parameters())} parameters, {len(train)} samples", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
    average: Average[N] = Average(net)
    began, step, seen = time.monotonic(), 0, []
    order: list[int] = []

    def checkpoint() -> None:
        averaged = average.network()
        with torch.no_grad():
            parts = [check.batch(np.arange(i, i + 50), None) for i in range(0, len(check) - 49, 50)]
            validated = mean([loss_of(averaged, part)[1] for part in parts], digits)
        print("validation", validated, flush=True)
        keep(averaged, train, {"steps": step, "samples": len(train), "validation": validated})

    while True:
        done = step / args.steps if args.steps else (time.monotonic() - began) / 60 / args.minutes
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(args.rate, step, done)
        if len(order) < args.batch:
            if not args.steps and len(more := sorted(args.shards.glob(pattern))) > len(files):
                files = more
                train, _ = load(files)
                print(f"{len(train)} samples", flush=True)
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
