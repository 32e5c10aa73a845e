"""Train the network that marks dice and the cube in the rectified field (needs torch; meant for a GPU and many processors).

`python -m pi_board.vision.training.finder_train draw FILE [--seconds N]` draws samples on all processors for so long, and
`... learn FILE OUT.npz [--seconds N] [--afresh] [--also FILE2]` goes on from the shipped weights (or starts anew) for so long and prints
the figures on the twentieth that is kept from training. --also: samples of path-traced pictures (`tests/bench/traced_samples.py`), of
which a share of each step is taken.

The shipped one went on from one that is older than this module and knew drawn pieces only, on one processor: 8,720 drawn and 1,336 traced
pieces of 167 rooms for 900 s at a rate of 1e-3, then 1,552 traced ones of 194 rooms for 1,100 s at 1.5e-3. Dice of 40 other traced rooms that
are read: 48 -> 55 of 64; on the shared stills as many as before.
"""

# mypy: ignore-errors
from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from pi_board.vision import convolutions
from pi_board.vision.training import dice_data, dice_train, in_time
from pi_board.vision.training.draw_or_learn import draw_or_learn

#: The layers, as `dice_train.Plan`, and side of a cell of the answer, px.
PLAN: dice_train.Plan = [
    (12, 3, 2, 1, 1, True),
    (24, 3, 2, 1, 1, True),
    (24, 3, 1, 1, 1, True),
    (24, 3, 1, 2, 1, True),
    (32, 3, 1, 2, 1, True),
    (32, 1, 1, 1, 1, True),
]
STRIDE = 4
#: Outputs: die here, cube here, dx, dy (cells), log(edge / 12 px), on a checker.
OUTPUTS = 6
#: Samples drawn at once, from a seed of their own; seeds of the first.
_SAMPLES, _SEED = 16, 90_000_000
#: One of so many handfuls is kept from training. Samples in a step.
_KEPT, _BATCH = 20, 128
#: How many of these are of `--also`, where that is given. Not swept.
_ALSO = 48
#: The greatest rate. Not swept.
_RATE = 3e-3
#: A marked place is the thing's where it is nearer than this (edges); dice whose middles are nearer than `_TOUCH` (edges) may touch. Heat
#: from which `survey` takes a place.
_THERE, _TOUCH, _HEAT = 0.5, 1.5, 0.2


def of_fields(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Pieces (N, 128, 128, 3) uint8 of fields and their labels, as `dice_data.draw`."""
    drawn = dice_data.draw("finder", _SAMPLES, _SEED + number)
    return drawn["images"], drawn["labels"]


def draw(path: Path, seconds: float) -> None:
    """Writes FILE: images, labels, and the handful that each is of."""
    began = time.monotonic()
    parts = in_time.drawn(of_fields, seconds)
    images, labels = (np.concatenate(column) for column in zip(*parts.values(), strict=True))
    np.savez(path, images=images, labels=labels, number=np.repeat(list(parts), _SAMPLES))
    print(f"fields: {len(images)} in {time.monotonic() - began:.0f} s", flush=True)


def targets(labels: Tensor, cells: int) -> tuple[Tensor, Tensor, Tensor]:
    """Heat (N, 2, C, C), values (N, 4, C, C) and their mask (N, 1, C, C) of samples' labels (N, 5 things)."""
    n = len(labels)
    table = labels.reshape(n, -1, 5)
    line = torch.arange(cells, device=labels.device).float()
    ys, xs = torch.meshgrid(line, line, indexing="ij")
    heat = torch.zeros(n, 2, cells, cells, device=labels.device)
    values = torch.zeros(n, 4, cells, cells, device=labels.device)
    mask = torch.zeros(n, 1, cells, cells, device=labels.device)
    for thing in table.unbind(1):
        kind, x, y, edge, on = (v[:, None, None] for v in thing.unbind(1))
        cx, cy = (x - 1.5) / STRIDE, (y - 1.5) / STRIDE
        spread = (edge / STRIDE * 0.25).clamp(min=0.6)
        # The hottest cell is 1, so that heat means how sure, not how near to a cell's middle.
        bump = torch.exp(-((xs - cx.round()) ** 2 + (ys - cy.round()) ** 2) / (2 * spread**2)) * (kind > 0)
        for which in (0, 1):
            heat[:, which] = torch.maximum(heat[:, which], bump * (kind == which + 1))
        near = (bump > 0.4).float()
        mask[:, 0] = torch.maximum(mask[:, 0], near)
        size = torch.log(edge.clamp(min=1) / 12.0).expand_as(near)
        fields = torch.stack([cx - xs, cy - ys, size, on.expand_as(near)], 1)
        values = values * (1 - near[:, None]) + fields * near[:, None]
    return heat, values, mask


def loss_of(out: Tensor, heat: Tensor, values: Tensor, mask: Tensor) -> Tensor:
    """Of answers (N, 6, C, C) to samples with these `targets`."""
    p = torch.sigmoid(out[:, :2])
    # Quality focal loss: soft targets, easy ground fades out.
    bce = functional.binary_cross_entropy_with_logits(out[:, :2], heat, reduction="none")
    loss = (bce * (p - heat).abs() ** 1.5).sum() / mask.sum().clamp(min=1) * 2
    loss = loss + ((out[:, 2:5] - values[:, :3]).abs() * mask).sum() / mask.sum().clamp(min=1)
    on = functional.binary_cross_entropy_with_logits(out[:, 5:6], values[:, 3:], reduction="none")
    return loss + 0.3 * (on * mask).sum() / mask.sum().clamp(min=1)


def standardised(images: Tensor) -> Tensor:
    """(N, 3, S, S) of (N, S, S, 3) uint8, as `finder.answers` standardises them."""
    return (images.permute(0, 3, 1, 2).float() - 110.0) / 60.0


def varied(images: Tensor, labels: Tensor, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Images (N, S, S, 3) uint8 turned and recoloured together with their labels; one gain for all pixels, as in a whole picture."""
    x = images.permute(0, 3, 1, 2).float()
    size = x.shape[-1]
    table = labels.reshape(len(labels), -1, 5).clone()
    for _ in range(int(rng.integers(4))):
        x = torch.rot90(x, 1, (2, 3))
        table[:, :, 1], table[:, :, 2] = table[:, :, 2].clone(), size - 1 - table[:, :, 1]
    if rng.random() < 0.5:
        x = torch.flip(x, (3,))
        table[:, :, 1] = size - 1 - table[:, :, 1]
    if rng.random() < 0.2:
        x = x[:, torch.from_numpy(rng.permutation(3)).to(x.device)]
    gain, lift = (torch.randn(len(x), 1, 1, 1, device=x.device) for _ in range(2))
    x = x * torch.exp(gain * 0.3) + lift * 15
    return (x - 110.0) / 60.0, table.reshape(labels.shape)


def _split(path: Path, device: torch.device) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
    """Images and labels to learn from, and those that are kept from training."""
    with np.load(path) as data:
        kept = torch.from_numpy(data["number"] % _KEPT == 0)
        both = [torch.from_numpy(data[name]) for name in ("images", "labels")]
    some, rest = ([v[which].to(device) for v in both] for which in (~kept, kept))
    return (some[0], some[1]), (rest[0], rest[1])


def learn(
    path: Path, out: Path, seconds: float, rate: float, afresh: bool, also: Path | None = None, seed: int = 0
) -> None:
    """Saves what the shipped network (afresh: a new one) becomes by samples of `draw`, and by those of `also`."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    device = in_time.device()
    (images, labels), kept = _split(path, device)
    others, kept_others = _split(also, device) if also else (None, None)
    net = dice_train.build(PLAN, OUTPUTS)
    if not afresh:
        shipped = convolutions.Network.shipped("dice_finder").layers
        seen = standardised(images[:256].cpu())
        net.load_state_dict(dice_train.unfolded(shipped, net, PLAN, seen, np.random.default_rng(7)))
    net = net.to(device, memory_format=torch.channels_last).eval()

    def tell(when: str) -> None:
        for name, some in (("", kept), (" traced", kept_others)):
            if some is not None:
                print(f"{out.stem} {when}{name}: {figures(net, *some)}", flush=True)

    print(f"{out.stem}: {len(images)} samples, {len(others[0]) if others else 0} traced", flush=True)
    tell("start")

    def loss() -> Tensor:
        pick = torch.randint(len(images), (_BATCH - (_ALSO if others else 0),), device=device)
        some, table = images[pick], labels[pick]
        if others:
            pick = torch.randint(len(others[0]), (_ALSO,), device=device)
            some, table = torch.cat([some, others[0][pick]]), torch.cat([table, others[1][pick]])
        x, turned = varied(some, table, rng)
        # (At full width: some CPUs get half-width gradients of dilated convolutions wrong.)
        says = net(dice_train._last(x))
        return loss_of(says, *targets(turned, says.shape[-1]))

    in_time.trained(net, loss, rate, seconds, out.stem)
    tell("end")
    convolutions.save(str(out), dice_train.fold(net.cpu()))


def figures(net: torch.nn.Module, images: Tensor, labels: Tensor) -> str:
    """A line: the loss, how many dice are marked, how many of those that may touch another, and what else is marked, per sample."""
    with torch.no_grad():
        out = torch.cat([net(standardised(some)) for some in images.split(256)])
    loss = float(loss_of(out, *targets(labels, out.shape[-1])))
    heat = torch.sigmoid(out[:, :1])
    peak = (heat >= functional.max_pool2d(heat, 3, 1, 1)) & (heat > _HEAT)
    dice, touching, others = [], [], 0
    for table, peaks, values in zip(
        labels.reshape(len(labels), -1, 5).cpu().numpy(), peak[:, 0].cpu(), out[:, 2:4].cpu(), strict=True
    ):
        rows, columns = peaks.nonzero().T
        right, down = values[:, rows, columns].numpy()
        places = np.stack([columns.numpy() + right, rows.numpy() + down], 1) * STRIDE + 1.5
        lie = table[table[:, 0] == 1]
        away = np.linalg.norm(lie[:, None, 1:3] - places[None], axis=2) / lie[:, 3:4]
        marked = (away < _THERE).any(1)
        apart = np.linalg.norm(lie[:, None, 1:3] - lie[None, :, 1:3], axis=2) + 1e9 * np.eye(len(lie))
        dice.append(marked)
        touching.append(marked[(apart < _TOUCH * lie[:, 3:4]).any(1)])
        others += int((~(away < _THERE).any(0)).sum())
    dice, touching = np.concatenate(dice), np.concatenate(touching)
    some, close = (f"{v.mean() if len(v) else 0:.4f} of {len(v)}" for v in (dice, touching))
    return (
        f"loss {loss:.4f} | dice marked {some} | of close ones {close}"
        f" | other marks {others / len(images):.3f} a sample"
    )


def main() -> None:
    parser, drawing, learning = draw_or_learn(__doc__)
    drawing.add_argument("--seconds", type=float, default=60)
    learning.add_argument("--rate", type=float, default=_RATE)
    learning.add_argument(
        "--also", type=Path, metavar="FILE2", help="samples of traced pictures to learn from too"
    )
    learning.add_argument("--afresh", action="store_true", help="forget what the shipped one knows")
    options = parser.parse_args()
    if options.does == "draw":
        draw(options.file, options.seconds)
    else:
        learn(options.file, options.out, options.seconds, options.rate, options.afresh, options.also)


if __name__ == "__main__":
    main()
