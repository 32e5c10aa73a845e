"""Train the stills network: `python -m pi_board.vision.training.train SHARDS --out slots.npz`.

Needs torch (extra `train`), a CPU will do. Reads the shards of `samples` (several epochs, mirrored four ways), folds
batch normalisation into the convolutions and writes float16 arrays under the names that `network.score` reads, with the
record of how they were made beside them (slots.toml). The last shard is kept for validation.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pi_board.sighting import ZERO
from pi_board.vision.checkers.slot_network import (
    BAR_CELLS,
    BAR_FIRST,
    MAX_BAR,
    STRIP_CENTRES,
    STRIP_REACH,
    STRIP_ROWS,
)
from pi_board.vision.checkers.stacks import LEAST
from pi_board.vision.training.variation import moved, standardised, varied

WIDTH, STEM = 24, 12
#: bfloat16 halves the time where the processor has it; the weights stay float32.
BF16 = bool(
    torch.backends.mkldnn.is_available() and getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)()
)
#: How many of a side from LEAST on stand there the closer look decides (see `stacks`), and what it needs is that they are so many and
#: whose: their number is worth this much of the loss.
WITHIN = 0.2
CLASS_WEIGHTS = (0.5, 1.0, 1.0, 0.7)
#: A layer without normalisation: name, layer, and what is added to the names of its arrays.
PlainLayer = tuple[str, nn.Linear | nn.Conv1d, str]
#: A point with more than 0.3 of it under a hand, and how often a picture with a hand comes up per epoch.
HIDDEN_WEIGHT, HAND_REPEATS = 0.5, 2


class Conv(nn.Module):
    """Convolution, batch normalisation."""

    def __init__(self, a: int, b: int, stride: int = 1, dilation: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(a, b, 3, stride, dilation, dilation, bias=False)
        self.norm = nn.BatchNorm2d(b)

    def forward(self, x: Tensor) -> Tensor:
        if self.conv.dilation[0] > 1 and BF16:
            # oneDNN's bfloat16 gradient of dilated kernels is not finite.
            with torch.autocast("cpu", enabled=False):
                return self.norm(self.conv(x.float()))  # type: ignore[no-any-return]
        return self.norm(self.conv(x))  # type: ignore[no-any-return]

    def folded(self) -> tuple[np.ndarray, np.ndarray]:
        variance: Any = self.norm.running_var
        scale = self.norm.weight / torch.sqrt(variance + self.norm.eps)
        w = self.conv.weight * scale[:, None, None, None]
        b = self.norm.bias - self.norm.running_mean * scale  # type: ignore[operator]
        return w.permute(2, 3, 1, 0).detach().numpy(), b.detach().numpy()

    def unfold(self, w: np.ndarray, b: np.ndarray, x: Tensor) -> None:
        """Takes over what `folded` gave; the statistics that went into it are measured anew on inputs x."""
        self.conv.weight.data = torch.from_numpy(w.transpose(3, 2, 0, 1).astype(np.float32).copy())
        y = self.conv(x)
        mean, variance = y.mean((0, 2, 3)), y.var((0, 2, 3))
        self.norm.running_mean, self.norm.running_var = mean, variance
        self.norm.weight.data = torch.sqrt(variance + self.norm.eps)
        self.norm.bias.data = torch.from_numpy(b.astype(np.float32)) + mean


class SlotNetwork(nn.Module):
    """The twin of `network.score`; input (B, 3, 312, 352) normalised."""

    def __init__(self) -> None:
        super().__init__()
        c = WIDTH
        self.stem1, self.stem2 = Conv(3, STEM, 2), Conv(STEM, c, 2)
        self.blocks = nn.ModuleList([Conv(c, c, 1, d) for d in (1, 2, 4)])
        self.context1 = nn.ModuleList([nn.Linear(2 * c, c) for _ in range(3)])
        self.context2 = nn.ModuleList([nn.Linear(c, c) for _ in range(2)])
        self.cells = nn.Linear(c, 4)
        self.strip = nn.Linear(c * (2 * STRIP_REACH + 1), 32)
        self.strip1, self.strip2 = nn.Conv1d(32, 48, 5, 2, 2), nn.Conv1d(48, 48, 3, 2, 1)
        rows = (((STRIP_ROWS + 1) // 2) + 1) // 2
        self.fc, self.out = nn.Linear(48 * rows + c, 96), nn.Linear(96, 32)
        self.bar = nn.Linear(c * BAR_CELLS, 16)
        self.bar1, self.bar2 = nn.Conv1d(16, 24, 5, 2, 2), nn.Conv1d(24, 24, 5, 2, 2)
        self.barfc, self.barout = nn.Linear(24 * 20 + c, 48), nn.Linear(48, 2 * (MAX_BAR + 1))
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """(B, 24, 31) point logits (far row first), (B, 24) hidden logits, (B, 2, 8) bar, (B, 4, 78, 88) cells."""
        x = F.relu(self.stem2(F.relu(self.stem1(x))))
        for i, block in enumerate(self.blocks):
            x = x + F.relu(block(x))
            if i < 2:
                g = F.relu(self.context1[i](torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)))
                x = x + self.context2[i](g)[:, :, None, None]
        x = F.relu(x)
        g = F.relu(self.context1[2](torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)))
        y = x.permute(0, 2, 3, 1)  # B, H, W, C
        cells = self.cells(y).permute(0, 3, 1, 2)
        far, near = y[:, :STRIP_ROWS].flip(1), y[:, -STRIP_ROWS:]
        strips = torch.stack(
            [
                side[:, :, c - STRIP_REACH : c + STRIP_REACH + 1]
                for side in (far, near)
                for c in STRIP_CENTRES
            ],
            1,
        )
        b = strips.shape[0]
        s = F.relu(self.strip(strips.reshape(b * 24, STRIP_ROWS, -1))).transpose(1, 2)
        s = F.relu(self.strip2(F.relu(self.strip1(s)))).transpose(1, 2).reshape(b, 24, -1)
        s = torch.cat([s, g[:, None].expand(-1, 24, -1)], 2)
        out = self.out(self.drop(F.relu(self.fc(s))))
        t = F.relu(self.bar(y[:, :, BAR_FIRST : BAR_FIRST + BAR_CELLS].reshape(b, y.shape[1], -1))).transpose(
            1, 2
        )
        t = F.relu(self.bar2(F.relu(self.bar1(t)))).transpose(1, 2).reshape(b, -1)
        bar = self.barout(F.relu(self.barfc(torch.cat([t, g], 1)))).reshape(b, 2, MAX_BAR + 1)
        return out[..., :31], out[..., 31], bar, cells

    def convolutions(self) -> list[tuple[str, Conv]]:
        blocks: list[Any] = list(self.blocks)
        return [
            ("stem1", self.stem1),
            ("stem2", self.stem2),
            *((f"block{i}", b) for i, b in enumerate(blocks)),
        ]

    def plain_layers(self) -> list[PlainLayer]:
        """All layers without normalisation."""
        contexts: list[Any] = [(f"context{i}", layer, "1") for i, layer in enumerate(self.context1)]
        contexts += [(f"context{i}", layer, "2") for i, layer in enumerate(self.context2)]
        names = ("cells", "strip", "strip1", "strip2", "fc", "out", "bar", "bar1", "bar2", "barfc", "barout")
        return [*contexts, *((name, getattr(self, name), "") for name in names)]

    def restore(self, w: dict[str, np.ndarray], x: Tensor) -> None:
        """Goes on from `arrays`; x: (B, 3, 312, 352) normalised canvases."""
        restore_layers(self, self.plain_layers(), self.convolutions(), w, x)

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights as `network.score` wants them."""
        return layer_arrays(self.plain_layers(), self.convolutions())


def layer_arrays(plain: list[PlainLayer], convolutions: list[tuple[str, Conv]]) -> dict[str, np.ndarray]:
    """Weights of linear layers and 1-D convolutions, their axes reversed, and of convolutions, folded, by name."""
    w: dict[str, np.ndarray] = {}
    for name, layer, suffix in plain:
        assert layer.bias is not None
        w[f"{name}.w{suffix}"] = layer.weight.detach().numpy().T
        w[f"{name}.b{suffix}"] = layer.bias.detach().numpy()
    for name, conv in convolutions:
        w[f"{name}.w"], w[f"{name}.b"] = conv.folded()
    return w


def restore_layers(
    net: nn.Module,
    plain: list[PlainLayer],
    convolutions: list[tuple[str, Conv]],
    w: dict[str, np.ndarray],
    x: Tensor,
) -> None:
    """The layers of `net` take over what `layer_arrays` gave; x: inputs of the net. Leaves it in evaluation mode."""
    net.eval()
    for name, layer, suffix in plain:
        assert layer.bias is not None
        layer.weight.data = torch.from_numpy(w[f"{name}.w{suffix}"].T.astype(np.float32).copy())
        layer.bias.data = torch.from_numpy(w[f"{name}.b{suffix}"].astype(np.float32))
    with torch.no_grad():
        for name, conv in convolutions:
            conv.unfold(w[f"{name}.w"], w[f"{name}.b"], inputs_of(conv, net, x))


def inputs_of(layer: nn.Module, net: nn.Module, x: Tensor) -> Tensor:
    """What `layer` is given when `net` looks at x."""
    seen: list[Tensor] = []
    hook = layer.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    net(x)
    hook.remove()
    return seen[0]


def slot_batch(part: dict[str, Tensor], vary: bool) -> tuple[Tensor, ...]:
    """Canvases, points, bar, hidden and cells of samples, as `loss_of` wants them. vary: mirrored and varied at random."""
    x = part["canvas"].permute(0, 3, 1, 2).float()
    points, hidden, cells = part["points"], part["hidden"].float(), part["cells"]
    if vary:
        for axis in (1, 2):
            at = torch.rand(len(x), device=x.device) < 0.5
            x = torch.where(at[:, None, None, None], x.flip(axis + 1), x)
            points, hidden, cells = (
                torch.where(at[:, None, None], v.flip(axis), v) for v in (points, hidden, cells)
            )
        x = varied(moved(x))
    return (
        standardised(x),
        points.long().reshape(len(x), 24) + 15,
        part["bar"].long().clamp(0, MAX_BAR),
        hidden.reshape(len(x), 24),
        cells.long(),
    )


class Shards:
    """All samples in memory; batches mirrored at random."""

    def __init__(self, files: list[Path]) -> None:
        parts = [np.load(f) for f in files]
        self.data = {
            k: np.concatenate([p[k] for p in parts]) for k in ("canvas", "points", "bar", "hidden", "cells")
        }

        self.files = set(files)

    def __len__(self) -> int:
        return len(self.data["points"])

    def epoch(self, rng: np.random.Generator) -> list[int]:
        """Every sample once, those with a hand HAND_REPEATS times, in random order."""
        hands = np.flatnonzero(self.data["hidden"].reshape(len(self), -1).max(1) > 0.1)
        return [
            int(i) for i in rng.permutation(np.r_[np.arange(len(self)), np.repeat(hands, HAND_REPEATS - 1)])
        ]

    def add(self, files: list[Path]) -> None:
        """Shards that have appeared meanwhile."""
        more = Shards(files)
        self.data = {k: np.concatenate([v, more.data[k]]) for k, v in self.data.items()}
        self.files |= more.files
        print(f"{len(self)} samples", flush=True)

    def batch(self, index: np.ndarray, vary: bool) -> tuple[Tensor, ...]:
        """(as of `slot_batch`) of the samples `index`. vary: mirrored and varied at random."""
        return slot_batch({k: torch.from_numpy(v[index]) for k, v in self.data.items()}, vary)


def point_losses(logits: Tensor, points: Tensor) -> Tensor:
    """(B, 24) of logits (B, 24, 31) and numbers of counts (B, 24): that it is this count, from LEAST on that there are so many."""
    says = F.log_softmax(logits, 2)
    exact = -says.gather(2, points[..., None])[..., 0]
    dark, light = says[..., : ZERO - LEAST + 1], says[..., ZERO + LEAST :]
    many = -torch.where(points < ZERO, dark.logsumexp(2), light.logsumexp(2))
    return torch.where((points - ZERO).abs() >= LEAST, many + WITHIN * (exact - many), exact)


def loss_of(net: SlotNetwork, batch: tuple[Tensor, ...]) -> tuple[Tensor, dict[str, float]]:
    x, points, bar, hidden, cells = batch
    p, h, b, c = net(x)
    # A covered point cannot be read: teach it to say so, but do not let it fill the loss.
    weight = torch.where(hidden > 0.3, HIDDEN_WEIGHT, 1.0)
    point_loss = (point_losses(p.float(), points) * weight).mean()
    bar_loss = F.cross_entropy(b.float().reshape(-1, MAX_BAR + 1), bar.reshape(-1))
    hidden_loss = F.binary_cross_entropy_with_logits(h.float(), hidden)
    cell_loss = F.cross_entropy(c.float(), cells, weight=torch.tensor(CLASS_WEIGHTS, device=c.device))
    clear = hidden < 0.05
    right = (p.argmax(2) == points) | ~clear
    point_loss_, bar_loss_, hidden_loss_, cell_loss_ = (
        float(v.detach()) for v in (point_loss, bar_loss, hidden_loss, cell_loss)
    )
    figures = {
        "points": point_loss_,
        "bar": bar_loss_,
        "hidden": hidden_loss_,
        "cells": cell_loss_,
        "slot": float(right.float().mean()),
        "board": float((right.all(1) & (b.argmax(2) == bar).all(1)).float().mean()),
    }
    return point_loss + bar_loss + 0.3 * hidden_loss + 0.6 * cell_loss, figures


def priors(data: Shards) -> dict[str, np.ndarray]:
    """Log frequency of the training counts, which `score` takes off to leave a likelihood."""
    # Mirrored counts share evidence; the floor keeps counts that never came up from looking likely.
    n = np.bincount(data.data["points"].astype(int).ravel() + 15, minlength=31).astype(float)
    n = n + n[::-1] + 20
    b = (
        np.bincount(data.data["bar"].astype(int).ravel().clip(0, MAX_BAR), minlength=MAX_BAR + 1).astype(
            float
        )
        + 20
    )
    return {"prior.points": np.log(n / n.sum()), "prior.bar": np.log(b / b.sum())}


def mean(figures: list[dict[str, float]], digits: int = 5) -> dict[str, float]:
    return {k: round(float(np.mean([f[k] for f in figures])), digits) for k in figures[0]}


def learning_rate(base: float, step: int, done: float) -> float:
    """A hundred steps to warm up, then a cosine down to half a per cent. done: 0..1 of the training."""
    return float(base * min(1.0, (step + 1) / 100) * (0.5 * (1 + np.cos(np.pi * done)) + 0.005))


N = TypeVar("N", bound=nn.Module)


class Average(Generic[N]):
    """Running average of the weights: as good as the end of a schedule, at any time during it."""

    def __init__(self, net: N, decay: float = 0.998) -> None:
        self.mean = copy.deepcopy(net)
        self.decay, self.steps = decay, 0

    def update(self, net: N) -> None:
        self.steps += 1
        keep = min(self.decay, self.steps / (self.steps + 10))
        now = net.state_dict()
        for k, v in self.mean.state_dict().items():
            if v.dtype.is_floating_point:
                v.lerp_(now[k].detach(), 1 - keep)
            else:
                v.copy_(now[k])

    def network(self) -> N:
        return self.mean.eval()


def take_step(net: N, optimiser: torch.optim.Optimizer, average: Average[N], loss: torch.Tensor) -> None:
    """One step down `loss`, gradients clipped, and the average follows."""
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimiser.step()
    average.update(net)


def validate(net: SlotNetwork, check: Shards) -> dict[str, float]:
    with torch.no_grad():
        return mean(
            [loss_of(net, check.batch(np.arange(i, i + 20), False))[1] for i in range(0, len(check) - 19, 20)]
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shards", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=10.0, help="stop the schedule after this long")
    parser.add_argument("--steps", type=int, default=0, help="fixed number of steps instead (reproducible)")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="state (.pt) or weights (.npz) to go on from")
    parser.add_argument(
        "--part",
        type=float,
        nargs=2,
        default=(0.0, 1.0),
        help="of the schedule, when it is run in several sittings",
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--every", type=int, default=1000, help="steps between saved checkpoints")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    files = sorted(args.shards.glob("shard-*.npz"))
    train = Shards(files[1:] if len(files) > 1 else files)
    check = Shards(files[:1])
    net = SlotNetwork()
    if args.start and args.start.suffix == ".npz":
        with np.load(args.start) as weights:
            net.restore(dict(weights), check.batch(np.arange(min(100, len(check))), False)[0])
    elif args.start:
        net.load_state_dict(torch.load(args.start))
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    print(f"{sum(p.numel() for p in net.parameters())} parameters, {len(train)} samples", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
    began, step, seen = time.monotonic(), 0, []
    order: list[int] = []
    average = Average(net)
    while True:
        done = step / args.steps if args.steps else (time.monotonic() - began) / 60 / args.minutes
        if done >= 1:
            break
        done = args.part[0] + (args.part[1] - args.part[0]) * done
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(args.rate, step, done)
        if len(order) < args.batch:
            if not args.steps and (more := set(args.shards.glob("shard-*.npz")) - train.files - check.files):
                train.add(sorted(more))
            order = train.epoch(rng)
        index = np.array([order.pop() for _ in range(args.batch)])
        net.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=BF16):
            loss, figures = loss_of(net, train.batch(index, True))
        take_step(net, optimiser, average, loss)
        seen.append(figures)
        step += 1
        if step % 100 == 0:
            print(step, f"{done:.2f}", f"{time.monotonic() - began:.0f}s", mean(seen[-100:]), flush=True)
        if step % args.every == 0:
            validated = validate(average.network(), check)
            print("validation", validated, flush=True)
            record = {"steps": step, "samples": len(train), "validation": validated}
            save(average.network(), priors(train), args, record)
    validated = validate(average.network(), check)
    print("validation", validated)
    save(
        average.network(),
        priors(train),
        args,
        {"steps": step, "samples": len(train), "validation": validated},
    )


def save(
    net: SlotNetwork, prior: dict[str, np.ndarray], args: argparse.Namespace, record: dict[str, object]
) -> None:
    out: Path = args.out
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    arrays: dict[str, Any] = {k: np.asarray(v, np.float16) for k, v in {**net.arrays(), **prior}.items()}
    np.savez_compressed(out, **arrays)
    lines = [
        "# How the weights beside this file were made (pi_board.vision.training.train).",
        f"seed = {args.seed}",
        f"batch = {args.batch}",
        f"rate = {args.rate}",
    ]
    for key, value in record.items():
        if isinstance(value, dict):
            lines += ["", f"[{key}]", *(f"{k} = {json.dumps(v)}" for k, v in value.items())]
        else:
            lines.append(f"{key} = {json.dumps(value)}")
    out.with_suffix(".toml").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
