"""Teach the network for cocked dice from simulated boards and drawn dice together (needs torch; meant for a GPU and many processors).

`python -m pi_board.vision.training.cocked_train draw FILE [--boards SECONDS] [--dice SECONDS]` draws samples on all processors for so
long: patches of boards (`cocked_boards`) and photographs of drawn dice (`cocked_samples`); every twentieth of either is kept from training.
`... learn FILE OUT.npz [--seconds N]` goes on from the shipped weights for so long and prints the figures on what was kept.

The shipped one: 16 processors and a GPU (`draw --boards 140 --dice 20`: 93,200 patches and 101,500 photographs; `learn --seconds 70
--of-boards 0.6`: 7250 steps), of which `--share 0.7` is kept, from one that had learned on one processor. The whole of it finds one more
cocked die in a hundred, but is .97 sure of flat dice beside checkers of the path-traced games; the share of none over .63.
"""

# mypy: ignore-errors
from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from pi_board.vision import convolutions
from pi_board.vision.training import cocked_boards, dice_data, dice_samples, dice_train, in_time
from pi_board.vision.training.draw_or_learn import draw_or_learn

Patches = npt.NDArray[np.uint8]
Rows = npt.NDArray[np.float32]

#: Boards and drawn dice that are made at once, from a seed of their own; photographs of each drawn die.
_BOARDS, _DICE, _PHOTOGRAPHS = 2, 32, 4
#: Seeds of the first boards and of the first dice: no bench uses those from here on.
_BOARD_SEED, _DIE_SEED = 70_000_000, 80_000_000
#: Share of the photographs that are small, and a die's edge there, px: what is hardest to tell.
_SMALL, _EDGES = 0.4, (10.0, 16.0)
#: One of so many boards, and of dice, is kept from training.
_KEPT = 20
#: Patches in a step, and the share of boards in it: drawn dice are more varied, boards nearer to play.
_BATCH, _OF_BOARDS = 1024, 0.5
#: The greatest rate, for steps of so many patches. Not swept.
_RATE = 2e-3
#: How a patch may be varied: chance of another order of its colours, of being grey, of being moved; moved by up to so many px, turned by
#: degrees, scaled (log); and noise of up to so many levels.
_COLOURS, _GREY, _MOVED = 0.15, 0.1, 0.8
_SHIFT, _TURN, _SCALE, _NOISE = 1.5, 3.0, 0.05, 5.0
#: Shares of flat dice that may be called cocked, at which the figures tell how many cocked ones are found.
_FALSE = (0.001, 0.003, 0.01)


def of_boards(number: int) -> tuple[Patches, Rows]:
    """Patches (N, 48, 48, 3) of two boards and their rows (N, 8), as `dice_train._taken` gives them."""
    seed = _BOARD_SEED + number
    rng = np.random.default_rng((seed, 78))
    many = cocked_boards.boards(_BOARDS, seed, cocked_boards.many)
    found = [s for board in many for s in cocked_boards.samples(board, rng)]
    patches = np.array([patch for patch, _ in found], np.uint8).reshape(-1, *[dice_samples.PATCH] * 2, 3)
    return patches, np.array([row[:8] for _, row in found], np.float32).reshape(-1, 8)


def of_dice(number: int) -> tuple[Patches, Rows]:
    """Photographs (N, 48, 48, 3) of drawn dice and their rows (N, 8), as `dice_train._taken` gives them."""
    seed = _DIE_SEED + number
    rng = np.random.default_rng((seed, 79))
    drawn = dice_data.draw("cocked", _DICE, seed)
    images = list(drawn["images"]) * _PHOTOGRAPHS
    rows = np.tile(drawn["labels"], (_PHOTOGRAPHS, 1))
    small = rng.random(len(rows)) < _SMALL
    # Column 4: the edge in the picture, px, times the side of a patch over an edge in it.
    edges = np.exp(rng.uniform(*np.log(_EDGES), small.sum()))
    rows[small, 4] = edges * dice_samples.PATCH / dice_samples.EDGE
    return dice_train._taken("cocked", images, rows, rng)


def draw(path: Path, boards: float, dice: float, processes: int | None = None) -> None:
    """Writes FILE: of each sort `<sort>` patches and rows, and `<sort>_number`, the board or handful of dice that they are of."""
    arrays = {}
    for sort, make, seconds in (("boards", of_boards, boards), ("dice", of_dice, dice)):
        began = time.monotonic()
        parts = in_time.drawn(make, seconds, processes)
        arrays[f"{sort}_number"] = np.concatenate([np.full(len(x), k) for k, (x, _) in parts.items()])
        arrays[sort], arrays[f"{sort}_rows"] = (
            np.concatenate(column) for column in zip(*parts.values(), strict=True)
        )
        print(f"{sort}: {len(arrays[sort])} patches in {time.monotonic() - began:.0f} s", flush=True)
    np.savez(path, **arrays)


class Patched:
    """Patches in the device's memory: those to learn from, of boards and of drawn dice, and those that are kept."""

    def __init__(self, path: Path, device: torch.device, generator: torch.Generator) -> None:
        self.generator = generator
        self.learned, self.kept = {}, {}
        with np.load(path) as data:
            for sort in ("boards", "dice"):
                kept = data[f"{sort}_number"] % _KEPT == 0
                for part, mine in ((self.learned, ~kept), (self.kept, kept)):
                    part[sort] = tuple(
                        torch.from_numpy(data[name][mine]).to(device) for name in (sort, f"{sort}_rows")
                    )

    def batch(self, count: int, of_boards: float) -> tuple[Tensor, Tensor]:
        """`count` patches, varied and as seen (N, 5, 48, 48), and what they are, (N, 2) cocked and on a checker."""
        chosen = []
        boards = round(count * of_boards)
        for (patches, rows), n in ((self.learned["boards"], boards), (self.learned["dice"], count - boards)):
            pick = torch.randint(len(patches), (n,), device=patches.device, generator=self.generator)
            chosen.append((patches[pick], rows[pick]))
        patches, rows = (torch.cat(column) for column in zip(*chosen, strict=True))
        x = varied(patches.permute(0, 3, 1, 2).float(), self.generator)
        return dice_train._last(dice_train._seen("cocked", x, rows)), rows[:, 1:3]


def varied(x: Tensor, generator: torch.Generator) -> Tensor:
    """Patches (N, 3, 48, 48), 0-255, mirrored, recoloured, moved a little and noisy, each in its own way; the camera stays on the right."""
    n = len(x)

    def chance(*shape: int) -> Tensor:
        return torch.rand(n, *shape, device=x.device, generator=generator)

    def either(most: float) -> Tensor:
        return (chance() * 2 - 1) * most

    x = torch.where(chance(1, 1, 1) < 0.5, x.flip(2), x)
    order = torch.where(chance(1) < _COLOURS, chance(3).argsort(1), torch.arange(3, device=x.device))
    x = x.gather(1, order[:, :, None, None].expand_as(x))
    x = torch.where(chance(1, 1, 1) < _GREY, x.mean(1, keepdim=True), x)
    moved = (chance() < _MOVED).float()
    angle, scale = either(np.radians(_TURN)) * moved, torch.exp(either(_SCALE) * moved)
    right, down = (either(2 * _SHIFT / dice_samples.PATCH) * moved for _ in range(2))
    cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
    turn = torch.stack([torch.stack([cos, -sin, right], 1), torch.stack([sin, cos, down], 1)], 1)
    grid = functional.affine_grid(turn, list(x.shape), align_corners=False)
    x = functional.grid_sample(x, grid, padding_mode="reflection", align_corners=False)
    noise = torch.randn(x.shape, device=x.device, generator=generator)
    return (x + noise * chance(1, 1, 1) ** 2 * _NOISE).clamp(0, 255)


def learn(
    path: Path,
    out: Path,
    seconds: float,
    of_boards: float,
    rate: float,
    batch: int,
    share: float = 1.0,
    seed: int = 0,
) -> None:
    """Saves what the shipped network becomes by samples of `draw`, or a `share` of it mixed with what it was."""
    torch.manual_seed(seed)
    device = in_time.device()
    samples = Patched(path, device, torch.Generator(device).manual_seed(seed))
    plan = dice_train.PLANS["cocked"]
    net = dice_train.build(plan, dice_train.OUTPUTS["cocked"], 5)
    seen, _ = samples.batch(512, of_boards)
    shipped = convolutions.Network.shipped("dice_cocked").layers
    net.load_state_dict(dice_train.unfolded(shipped, net, plan, seen.cpu(), np.random.default_rng(7)))
    net = net.to(device, memory_format=torch.channels_last).eval()
    print({sort: len(rows) for sort, (_, rows) in samples.learned.items()}, "patches", flush=True)
    print(f"{out.stem} start\n{figures(net, samples)}", flush=True)

    def loss_of() -> Tensor:
        x, y = samples.batch(batch, of_boards)
        with in_time.quick(device):
            says = net(x)
        return functional.binary_cross_entropy_with_logits(says.float()[:, :, 0, 0], y)

    in_time.trained(net, loss_of, rate, seconds, out.stem)
    print(f"{out.stem} end\n{figures(net, samples)}", flush=True)
    convolutions.save(str(out), mixed(shipped, dice_train.fold(net.cpu()), share))


def mixed(
    old: list[convolutions.Layer], new: list[convolutions.Layer], share: float
) -> list[convolutions.Layer]:
    """Layers between those that `new` started from and it: `share` of it. They lie close enough that what lies between works as well."""
    return [
        convolutions.Layer(
            (1 - share) * a.weights + share * b.weights,
            (1 - share) * a.bias + share * b.bias,
            np.array([a.stride, a.dilation, a.groups, a.padded, a.rectified]),
        )
        for a, b in zip(old, new, strict=True)
    ]


def figures(net: torch.nn.Module, samples: Patched) -> str:
    """How many of the kept dice are told cocked, and on a checker, where few flat ones are."""
    lines = []
    for sort, (patches, rows) in samples.kept.items():
        said = []
        with torch.no_grad():
            for some, row in zip(patches.split(1024), rows.split(1024), strict=True):
                x = some.permute(0, 3, 1, 2).float()
                both = [net(dice_train._seen("cocked", y, row)) for y in (x, x.flip(2))]
                said.append((both[0] + both[1])[:, :, 0, 0] / 2)
        says = torch.cat(said).float().cpu().numpy()
        truth = rows[:, 1:3].cpu().numpy() > 0.5
        for k, name in enumerate(("cocked", "on a checker")):
            so, other = says[truth[:, k], k], says[~truth[:, k], k]
            found = []
            for share in _FALSE:
                least = np.quantile(other, 1 - share)
                found.append(f"{(so > least).mean():.3f} at {share:.1%} (p > {1 / (1 + np.exp(-least)):.3f})")
            lines.append(f"  {sort}, {name}: {len(so)} of {len(says)}, found " + ", ".join(found))
    return "\n".join(lines)


def main() -> None:
    parser, drawing, learning = draw_or_learn(__doc__)
    drawing.add_argument("--boards", type=float, default=150, help="seconds for boards")
    drawing.add_argument("--dice", type=float, default=50, help="seconds for drawn dice")
    drawing.add_argument("--processes", type=int, help="all processors if not given")
    learning.add_argument("--of-boards", type=float, default=_OF_BOARDS, help="their share")
    learning.add_argument("--rate", type=float, default=_RATE)
    learning.add_argument("--batch", type=int, default=_BATCH)
    learning.add_argument("--share", type=float, default=1.0, help="of what it becomes in what is saved")
    options = parser.parse_args()
    if options.does == "draw":
        draw(options.file, options.boards, options.dice, options.processes)
    else:
        learn(
            options.file,
            options.out,
            options.seconds,
            options.of_boards,
            options.rate,
            options.batch,
            options.share,
        )


if __name__ == "__main__":
    main()
