"""Train the networks of `dice.py` and `cube.py` on the samples of `dice_data` (needs torch; one core is enough).

`python -m pi_board.vision.training.dice_train reader|second|cocked|cube FOLDER [--epochs N] [--start FILE]`
writes `weights/dice_<name>.npz` and prints the figures on the twentieth that was kept from training. The second reader is a wider one
that starts from the reader's weights (`--start weights/dice_reader.npz`); the network for cocked dice, as wide, from the second reader's
state (`--start second.pt`): what ships went on from there by `cocked_train`. The finder has a module of its own, `finder_train`.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from pi_board.vision import convolutions as die_network
from pi_board.vision.dice import pips
from pi_board.vision.training import dice_data, dice_photographs, dice_samples

WEIGHTS = Path(__file__).parents[1] / "weights"
#: Layers as (channels, kernel, stride, dilation, groups, padded).
Plan = list[tuple[int, int, int, int, int, bool]]
READER: Plan = [
    (24, 5, 2, 1, 1, True),
    (32, 3, 1, 1, 1, True),
    (48, 3, 2, 1, 1, True),
    (64, 3, 1, 1, 1, True),
    (96, 3, 2, 1, 1, True),
    (96, 6, 1, 1, 96, False),
    (64, 1, 1, 1, 1, False),
]
#: What is asked of dice only is wider, since it need not run on every candidate.
SECOND: Plan = [
    (48, 5, 2, 1, 1, True),
    (64, 3, 1, 1, 1, True),
    (96, 3, 2, 1, 1, True),
    (128, 3, 1, 1, 1, True),
    (160, 3, 2, 1, 1, True),
    (160, 6, 1, 1, 160, False),
    (96, 1, 1, 1, 1, False),
]
PLANS = {"reader": READER, "second": SECOND, "cocked": SECOND, "cube": READER}
#: Outputs: 0 none, 1-6 pips, then where the top face is (right, down, log of larger) | cocked, on a checker | 0 none, then faces 2 4 8 16 32 64.
OUTPUTS = {"reader": 10, "second": 10, "cocked": 2, "cube": 7}
#: Kinds of samples that each network learns from.
KINDS = {
    "reader": ("board", "nothing", "photo", "cocked", "traced"),
    "second": ("board", "photo", "cocked", "traced"),
    "cocked": ("cocked",),
    "cube": ("cube",),
}
#: What the place of the top face counts beside the value; chances of a mirrored lamp, of a shadow's edge across the die, of a shaken camera.
_AIM_WEIGHT, _GLARE, _SHADOW, _SMEAR = 0.5, 0.3, 0.15, 0.15
#: Chance of being out of focus, and by how much at most, in edges of the die (a die is a third of the picture).
_BLURRED, _MOST_BLUR = 0.3, 0.07
#: Networks that read a value and where the top face is.
_READERS = ("reader", "second")
#: The cube's reader sees its face larger than the samples are stored: edge 22 px x this.
CUBE_ZOOM = 1.6


def build(plan: Plan, outputs: int, inputs: int = 3) -> nn.Sequential:
    """The chain as torch modules, with batch normalisation that `fold` removes."""
    layers: list[nn.Module] = []
    channels = inputs
    for out, kernel, stride, dilation, groups, padded in plan:
        pad = dilation * (kernel - 1) // 2 if padded else 0
        layers += [
            nn.Conv2d(channels, out, kernel, stride, pad, dilation, groups, bias=False),
            nn.BatchNorm2d(out),
            nn.ReLU(),
        ]
        channels = out
    layers.append(nn.Conv2d(channels, outputs, 1))
    return nn.Sequential(*layers)


def fold(net: nn.Sequential) -> list[die_network.Layer]:
    """Plain convolutions with the batch normalisation multiplied in."""
    layers = []
    modules = list(net)
    for i, conv in enumerate(modules):
        if not isinstance(conv, nn.Conv2d):
            continue
        w = conv.weight.detach().clone()
        rectified = i + 1 < len(modules)
        if rectified:
            norm = modules[i + 1]
            assert (
                isinstance(norm, nn.BatchNorm2d)
                and norm.running_var is not None
                and norm.running_mean is not None
            )
            gain = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
            b = norm.bias.detach() - norm.running_mean * gain
            w *= gain[:, None, None, None]
        else:
            assert conv.bias is not None
            b = conv.bias.detach()
        spec = np.array(
            [
                conv.stride[0],
                conv.dilation[0],
                conv.groups,
                conv.padding[0] != 0 or conv.kernel_size[0] == 1,
                rectified,
            ]
        )
        layers.append(die_network.Layer(w.numpy(), b.numpy(), spec))
    return layers


def _taken(
    name: str, images: list[np.ndarray], labels: np.ndarray, rng: np.random.Generator, zoom: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Photographs (N, 48, 48, 3) of stored samples, each taken anew, and their rows with what the photographs add.

    readers: + right, down, wide of `Aim`. cocked: the camera comes to stand on the right, + its slant (as measured: a guess).
    """
    out, rows = [], []
    for image, row in zip(images, labels, strict=True):
        more: tuple[float, ...] = ()
        aim, turned, glare, hard, blur = None, True, 0.0, 0.0, 0.0
        if name in _READERS:
            aim, glare, hard = dice_photographs.missed(rng), _GLARE, 1.0
            if rng.random() < _BLURRED:
                blur = float(rng.uniform(0, _MOST_BLUR)) * float(row[4]) / 3
            more = (aim.right, aim.down, aim.wide)
            if image.shape[0] == dice_samples.PATCH:  # taken already
                more = tuple(row[7:10])
        elif name == "cocked":
            slant, glare = float(np.hypot(row[7], row[8])), _GLARE
            turned = float(
                np.degrees(np.arctan2(row[8], row[7])) + rng.normal(0, 3) * max(1.0, 0.15 / max(slant, 0.02))
            )
            more = (max(0.0, slant * float(rng.normal(1, 0.06)) + float(rng.normal(0, 0.02))),)
        if image.shape[0] != dice_samples.PATCH:
            image = dice_photographs.photographed(
                rng, image, float(row[4]), float(row[5]) + blur, float(row[6]), mirror=name in _READERS, turned=turned if zoom == 1.0 else 0.0,
                zoom=zoom, aim=aim, glare=glare, shadow=hard * _SHADOW, smear=hard * _SMEAR,
            )  # fmt: skip
        # Readers may be shown a patch with its middle's contrast spread (`pips.stretched`).
        out.append(pips.stretched(image) if name != "cocked" and rng.random() < 0.25 else image)
        rows.append((*row[:7], *more))
    return np.stack(out), np.array(rows, np.float32)


def _varied(
    name: str, images: np.ndarray, labels: torch.Tensor, rng: np.random.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """A batch of patches recoloured, standardised, and turned or mirrored as the network may see them, with its labels."""
    x = torch.from_numpy(images).permute(0, 3, 1, 2).float()
    labels = labels.clone()
    if name == "cocked":  # its camera stays on the right
        x = torch.flip(x, (2,)) if rng.random() < 0.5 else x
    else:
        for _ in range(int(rng.integers(4))):
            x = torch.rot90(x, 1, (2, 3))  # right becomes up
            if name in _READERS:
                labels[:, 7], labels[:, 8] = labels[:, 8].clone(), -labels[:, 7]
        if name in _READERS and rng.random() < 0.5:
            x = torch.flip(x, (3,))
            labels[:, 7] = -labels[:, 7]
    if rng.random() < 0.15:
        x = x[:, torch.from_numpy(rng.permutation(3))]
    if rng.random() < 0.1:
        x = x.mean(1, keepdim=True).expand(-1, 3, -1, -1)
    return _seen(name, x, labels), labels


def _seen(name: str, x: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """What the network gets of patches (N, 3, 48, 48): standardised, for cocked dice with two more planes: the slant, and nothing."""
    x = _standard(x)
    if name != "cocked":
        return x
    slant = labels[:, 7].reshape(-1, 1, 1, 1).expand(-1, 1, *x.shape[2:]) * die_network.SLANT_GAIN
    return torch.cat([x, slant, torch.zeros_like(slant)], 1)


def _standard(x: torch.Tensor) -> torch.Tensor:
    x = x - x.mean((1, 2, 3), keepdim=True)
    return x / (x.std((1, 2, 3), keepdim=True) + die_network.SPREAD_FLOOR)


def _reader_loss(out: torch.Tensor, labels: torch.Tensor, name: str) -> torch.Tensor:
    out = out[:, :, 0, 0]
    if name == "cocked":
        return functional.binary_cross_entropy_with_logits(out, labels[:, 1:3])
    if name == "cube":
        faces = torch.zeros(len(labels), dtype=torch.long)
        for i, face in enumerate((2, 4, 8, 16, 32, 64)):
            faces[labels[:, 0] == face] = i + 1
        return functional.cross_entropy(out, faces, label_smoothing=0.01)
    value, seen = labels[:, 0].long(), labels[:, 3]
    clear = (seen > 0.7) | (value == 0)
    loss = (
        functional.cross_entropy(out[:, :7], value, reduction="none", label_smoothing=0.01) * clear
    ).mean()
    die = ((value > 0) & clear).float()
    # The die lies where the photograph's aim does not.
    aims = functional.smooth_l1_loss(out[:, 7:10], -labels[:, 7:10], reduction="none", beta=0.1).sum(1)
    return loss + _AIM_WEIGHT * (aims * die).mean()


def _quick() -> torch.autocast:
    """Half-width arithmetic: twice as fast on one core, and the networks do not mind."""
    return torch.autocast("cpu", torch.bfloat16)


def _last(x: torch.Tensor) -> torch.Tensor:
    return x.contiguous(memory_format=torch.channels_last)


def unfolded(
    layers: list[die_network.Layer],
    net: nn.Sequential,
    plan: Plan,
    seen: torch.Tensor,
    rng: np.random.Generator,
) -> dict[str, torch.Tensor]:
    """A state of `net` (of a `plan` at least as wide) that says what shipped `layers` say: channels are doubled, both copies shared
    out to what follows, a little unlike each other so that they can part; batch normalisation as on the patches `seen` (N, 3, 48, 48)."""
    state = net.state_dict()
    sources = np.arange(layers[0].weights.shape[1])
    x = seen
    for k, layer in enumerate(layers):
        w = layer.weights
        if layer.groups == 1:
            w = w[:, sources] / np.bincount(sources)[sources][None, :, None, None]
        wide = plan[k][0] if k < len(plan) else len(w)
        if k < len(plan) and layer.groups == 1:
            out = np.concatenate(
                [np.arange(len(w)), rng.permutation(np.resize(np.arange(len(w)), wide - len(w)))]
            )
        else:
            out = sources if layer.groups > 1 else np.arange(len(w))
        w, b = w[out], layer.bias[out]
        w = w * (1 + 0.05 * rng.standard_normal(w.shape) * (wide > len(layer.weights))).astype(np.float32)
        pad = layer.dilation * (w.shape[2] - 1) // 2 if layer.padded else 0
        weights, bias = (
            torch.from_numpy(np.ascontiguousarray(w, np.float32)),
            torch.from_numpy(np.ascontiguousarray(b, np.float32)),
        )
        x = functional.conv2d(
            x, weights, None, layer.stride, pad, layer.dilation, layer.groups if layer.groups == 1 else len(w)
        )
        state[f"{3 * k}.weight"] = weights
        if not layer.rectified:
            state[f"{3 * k}.bias"] = bias
            break
        mean, spread = x.mean((0, 2, 3)), x.var((0, 2, 3)) + 1e-5
        norm = f"{3 * k + 1}"
        state[f"{norm}.running_mean"], state[f"{norm}.running_var"] = mean, spread
        state[f"{norm}.weight"], state[f"{norm}.bias"] = torch.sqrt(spread + 1e-5), bias + mean
        x = functional.relu(x + bias[:, None, None])
        sources = out
    return state


def _grown(state: dict[str, torch.Tensor], wanted: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The state of one network made to fit another: planes it has not seen are ignored at first, and only the outputs that both
    have by number are kept, the others start at nothing. What makes a die readable also shows how it lies."""
    first = next(iter(wanted))
    number = max(int(name.split(".")[0]) for name in wanted)
    grown = dict(state)
    more = wanted[first].shape[1] - state[first].shape[1]
    if more > 0:
        grown[first] = torch.cat(
            [state[first], torch.zeros(len(state[first]), more, *state[first].shape[2:])], 1
        )
    for key in (f"{number}.weight", f"{number}.bias"):
        if state[key].shape != wanted[key].shape:
            grown[key] = torch.zeros_like(wanted[key])
            both = min(7, len(wanted[key])) if len(wanted[key]) > 2 else 0
            grown[key][:both] = state[key][:both]
    return grown


def train(
    name: str,
    folders: list[Path],
    epochs: int,
    start: Path | None,
    rate: float,
    afresh: int = 1,
    ship: bool = True,
) -> None:
    """Train one network and save it. afresh: photograph every sample anew each so many epochs (each epoch takes twice the time)."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    zoom = CUBE_ZOOM if name == "cube" else 1.0
    images: list[np.ndarray] = []
    tables = []
    for kind in KINDS[name]:
        for place in folders:
            if any(place.glob(f"{kind}_*.npz")):
                more, rows = dice_data.load(place, kind)
                # Only the network for cocked dice wants the camera's slant (columns 7, 8). Traced dice have their aim there.
                if name != "cocked":
                    rows = rows[:, :10] if kind == "traced" else np.pad(rows[:, :7], ((0, 0), (0, 3)))
                images, tables = images + more, [*tables, rows]
    raw = np.concatenate(tables)
    order = rng.permutation(len(images))
    kept, used = order[: len(order) // 20], order[len(order) // 20 :]
    kept_images, taken_rows = _taken(
        name, [images[i] for i in kept], raw[kept], np.random.default_rng(5), zoom
    )
    kept_labels = torch.from_numpy(taken_rows)
    net = build(PLANS[name], OUTPUTS[name], 5 if name == "cocked" else 3)
    net = net.to(memory_format=torch.channels_last)
    if start is not None and start.suffix == ".npz":
        few = used[:256]
        patches, rows = _taken(name, [images[i] for i in few], raw[few], np.random.default_rng(6), zoom)
        seen = _seen(name, torch.from_numpy(patches).permute(0, 3, 1, 2).float(), torch.from_numpy(rows))
        layers = die_network.Network(str(start)).layers
        net.load_state_dict(unfolded(layers, net, PLANS[name], seen, np.random.default_rng(7)))
    elif start is not None:
        net.load_state_dict(_grown(torch.load(start), net.state_dict()))
    print(name, len(used), "samples,", sum(p.numel() for p in net.parameters()), "weights", flush=True)
    batch = 64
    steps = epochs * (len(used) // batch)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 1, pct_start=0.15)
    if start is not None:
        net.eval()
        with torch.no_grad():
            print("start", _figures(net, kept_images, kept_labels, name), flush=True)
    for epoch in range(epochs):
        net.train()
        began, total = time.time(), 0.0
        if epoch % afresh == 0:
            shown, taken_rows = _taken(name, [images[i] for i in used], raw[used], rng, zoom)
            rows = torch.from_numpy(taken_rows)
        rng.shuffle(used)
        turn = rng.permutation(len(used))
        for i in range(0, len(used) - batch + 1, batch):
            pick = turn[i : i + batch]
            x, truth = _varied(name, shown[pick], rows[pick], rng)
            with _quick():
                out = net(_last(x))
            loss = _reader_loss(out.float(), truth, name)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        net.eval()
        with torch.no_grad():
            print(
                f"epoch {epoch} loss {total / max(1, len(used) // batch):.4f} {time.time() - began:.0f}s",
                _figures(net, kept_images, kept_labels, name),
                flush=True,
            )
        torch.save(net.state_dict(), folders[0] / f"{name}.pt")
        die_network.save(str(folders[0] / f"dice_{name}.npz"), fold(net))
    if ship:
        die_network.save(str(WEIGHTS / f"dice_{name}.npz"), fold(net))


def _figures(net: nn.Module, images: np.ndarray, labels: torch.Tensor, name: str) -> str:
    """A line of figures on samples that were kept from training."""
    outs = []
    for i in range(0, len(images), 64):
        x = torch.from_numpy(images[i : i + 64]).permute(0, 3, 1, 2).float()
        outs.append(net(_seen(name, x, labels[i : i + 64])))
    out = torch.cat(outs)[:, :, 0, 0]
    if name == "cocked":
        line = ""
        for column, label in ((0, "cocked"), (1, "on_checker")):
            said, is_so = out[:, column] > 0, labels[:, column + 1] > 0.5
            line += f" | {label} found {(said & is_so).sum() / is_so.sum():.3f} false {(said & ~is_so).sum() / (~is_so).sum():.4f}"
        return line
    truth = labels[:, 0]
    classes = torch.tensor([0, 2, 4, 8, 16, 32, 64] if name == "cube" else range(7))
    p = torch.softmax(out[:, :7], 1)
    best, which = p.max(1)
    right = classes[which] == truth
    clear = (
        (labels[:, 3] > 0.7) | (truth == 0) if name != "cube" else torch.ones(len(truth), dtype=torch.bool)
    )
    right, best = right[clear], best[clear]
    line = f"right {right.float().mean():.4f}"
    for level in (0.9, 0.97, 0.99):
        sure = best > level
        line += f" | p>{level}: {sure.float().mean():.3f} wrong {(~right[sure]).float().mean():.4f}"
    if name in _READERS:
        die = (truth > 0) & clear
        line += f" | aim off by {(out[die, 7:9] + labels[die, 7:9]).abs().mean():.3f} edges"
    return line


if __name__ == "__main__":
    torch.set_num_threads(1)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=sorted(OUTPUTS))
    parser.add_argument(
        "folder",
        type=Path,
        nargs="+",
        help="folders of samples; the first one gets the state of the training",
    )
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument(
        "--afresh", type=int, default=1, help="photograph the samples anew every so many epochs"
    )
    parser.add_argument("--keep", action="store_true", help="leave the shipped weights as they are")
    options = parser.parse_args()
    train(
        options.name,
        options.folder,
        options.epochs,
        options.start,
        options.rate,
        options.afresh,
        not options.keep,
    )
