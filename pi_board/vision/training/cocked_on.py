"""Teach the network for cocked dice more without its forgetting what one before it knew (needs torch; one core is enough).

`python -m pi_board.vision.training.cocked_on OLD NEW FOLDER OUT [--share S]`: NEW (.npz) learned simulated boards and forgot
drawn dice that OLD knew. It goes on with as many drawn samples of FOLDER (`dice_data cocked`) as samples of boards (`cocked_boards`), is told
in part what OLD says of the drawn ones, and is mixed with a share of OLD. The shipped one had this twice: of 23,000 drawn samples and
480 boards, and from the first's result 2 epochs at 5e-4, where half of what was told of drawn dice was what the first's said.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import copy
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from pi_board.vision import convolutions
from pi_board.vision.training import dice_samples, dice_train

#: What a teacher's answers count beside the labels: OLD's for drawn dice, NEW's for boards.
_LIKE_OLD, _LIKE_NEW = 0.5, 0.3
#: Share of the drawn dice that are photographed small again, and their edges there, px: what is hardest to keep.
_SMALL, _EDGES = 0.4, (10.0, 16.0)
#: Samples of each sort per step, and drawn samples that are photographed at once.
_HALF, _AT_ONCE = 32, 1024
#: What ships is the mean of the last so many steps.
_MEAN_OF = 500


class Samples:
    """Drawn samples and those of boards, of a folder."""

    def __init__(self, folder: Path) -> None:
        drawn, boards = [], []
        for path in sorted(folder.glob("cocked_*.npz")):
            with np.load(path) as part:
                (boards if "boards" in path.name else drawn).append((part["images"], part["labels"]))
        self.images, self.labels = (np.concatenate(c) for c in zip(*drawn, strict=True))
        self.patches, rows = (np.concatenate(c) for c in zip(*boards, strict=True))
        self.rows = rows[:, :8]

    def photographed(self, rng: np.random.Generator, some: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Photographs of `some` drawn samples, and their rows; many are small."""
        asked = self.labels[some]
        small = rng.random(len(asked)) < _SMALL
        # Column 4: the edge in the picture, px, times the side of a patch over an edge in it.
        edges = np.exp(rng.uniform(*np.log(_EDGES), small.sum()))
        asked[small, 4] = edges * dice_samples.PATCH / dice_samples.EDGE
        return dice_train._taken("cocked", list(self.images[some]), asked, rng)

    def batch(
        self, rng: np.random.Generator, shown: np.ndarray, rows: np.ndarray, first: int, half: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """`half` of the photographs from `first`, then as many patches of boards: as seen (2 half, 5, 48, 48), and labels (2 half, 2)."""
        q = rng.choice(len(self.patches), half, replace=len(self.patches) < half)
        which = slice(first, first + half)
        x, y = dice_train._varied(
            "cocked",
            np.concatenate([shown[which], self.patches[q]]),
            torch.from_numpy(np.concatenate([rows[which], self.rows[q]])),
            rng,
        )
        return dice_train._last(x), y[:, 1:3]


def plain(layers: list[convolutions.Layer]) -> nn.Sequential:
    """Shipped layers as torch modules, without batch normalisation: it starts as what it was, and moves slowly."""
    chain: list[nn.Module] = []
    for layer in layers:
        weights = torch.from_numpy(np.ascontiguousarray(layer.weights))
        kernel = weights.shape[2]
        pad = layer.dilation * (kernel - 1) // 2 if layer.padded else 0
        conv = nn.Conv2d(
            weights.shape[1] * layer.groups, len(weights), kernel, layer.stride, pad, layer.dilation, layer.groups
        )  # fmt: skip
        conv.weight.data, conv.bias.data = weights, torch.from_numpy(np.ascontiguousarray(layer.bias))
        chain += [conv, nn.ReLU()] if layer.rectified else [conv]
    return nn.Sequential(*chain).to(memory_format=torch.channels_last)


def shipped(net: nn.Sequential, like: list[convolutions.Layer]) -> list[convolutions.Layer]:
    """The layers of a `plain` net; strides and the like as in `like`."""
    convs = [m for m in net if isinstance(m, nn.Conv2d)]
    return [
        convolutions.Layer(c.weight.detach().contiguous().numpy(), c.bias.detach().numpy(), _spec(layer))
        for c, layer in zip(convs, like, strict=True)
    ]


def _spec(layer: convolutions.Layer) -> np.ndarray:
    return np.array([layer.stride, layer.dilation, layer.groups, layer.padded, layer.rectified])


def learn_on(
    old: list[convolutions.Layer],
    new: list[convolutions.Layer],
    samples: Samples,
    epochs: int,
    rate: float,
    seed: int = 0,
) -> list[convolutions.Layer]:
    """NEW after `epochs` of the drawn samples, at a rate that falls to nothing."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net, knew, learned = plain(new), plain(old).eval(), plain(new).eval()
    mean = copy.deepcopy(net)
    steps, step = epochs * (len(samples.images) // _HALF), 0
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    for _ in range(epochs):
        order = rng.permutation(len(samples.images))
        for first in range(0, len(order), _AT_ONCE):
            shown, rows = samples.photographed(rng, order[first : first + _AT_ONCE])
            for i in range(0, len(shown) - _HALF + 1, _HALF):
                x, y = samples.batch(rng, shown, rows, i, _HALF)
                with dice_train._quick():
                    with torch.no_grad():
                        says = torch.cat([knew(x[:_HALF]), learned(x[_HALF:])])
                    out = net(x)
                heeded = torch.tensor([_LIKE_OLD] * _HALF + [_LIKE_NEW] * _HALF)[:, None]
                aim = (1 - heeded) * y + heeded * torch.sigmoid(says.float()[:, :, 0, 0])
                loss = functional.binary_cross_entropy_with_logits(out.float()[:, :, 0, 0], aim)
                for group in optimiser.param_groups:
                    group["lr"] = rate * min(1.0, (step + 1) / 100) * 0.5 * (1 + np.cos(np.pi * step / steps))
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                step += 1
                keep = min(1 - 1 / _MEAN_OF, step / (step + 10))
                with torch.no_grad():
                    for m, now in zip(mean.parameters(), net.parameters(), strict=True):
                        m.mul_(keep).add_(now, alpha=1 - keep)
        print(f"{step} of {steps} steps, loss {float(loss.detach()):.4f}", flush=True)
    return shipped(mean, new)


def mixed(
    one: list[convolutions.Layer], other: list[convolutions.Layer], share: float, seen: torch.Tensor
) -> list[convolutions.Layer]:
    """`one` with a share of `other`. Mixed filters answer more faintly than either: each is scaled and moved to the mean and spread that
    a mix of the two has on patches `seen` (N, 5, 48, 48)."""
    layers, x, (x_one, x_other) = [], seen, (seen, seen)
    for a, b in zip(one, other, strict=True):
        weights, bias = (1 - share) * a.weights + share * b.weights, (1 - share) * a.bias + share * b.bias
        x_one, x_other = _answer(a, x_one), _answer(b, x_other)
        here = _answer(convolutions.Layer(weights, bias, _spec(a)), x)
        (mean_a, spread_a), (mean_b, spread_b), (mean, spread) = map(_moments, (x_one, x_other, here))
        gain = np.clip(((1 - share) * spread_a + share * spread_b) / (spread + 1e-6), 0.5, 2.0)
        bias = (bias - mean) * gain + (1 - share) * mean_a + share * mean_b
        layers.append(convolutions.Layer(weights * gain[:, None, None, None], bias, _spec(a)))
        x = _answer(layers[-1], x)
        if a.rectified:
            x, x_one, x_other = x.relu(), x_one.relu(), x_other.relu()
    return layers


def _answer(layer: convolutions.Layer, x: torch.Tensor) -> torch.Tensor:
    """What a layer answers to `x`, not rectified."""
    with torch.no_grad():
        return plain([layer])[0](x)


def _moments(x: torch.Tensor) -> tuple[np.ndarray, np.ndarray]:
    return x.mean((0, 2, 3)).numpy(), x.std((0, 2, 3)).numpy()


def main() -> None:
    torch.set_num_threads(1)
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("old", "new", "folder", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--share", type=float, default=0.15, help="of OLD in what is saved")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rate", type=float, default=3e-4)
    options = parser.parse_args()
    old, new = (convolutions.Network(str(path)).layers for path in (options.old, options.new))
    samples = Samples(options.folder)
    learned = learn_on(old, new, samples, options.epochs, options.rate)
    rng = np.random.default_rng(1)
    seen, _ = samples.batch(
        rng, *samples.photographed(rng, rng.permutation(len(samples.images))[:400]), 0, 400
    )
    convolutions.save(str(options.out), mixed(learned, old, options.share, seen))


if __name__ == "__main__":
    main()
