"""Teach the networks of slots and of long points while their samples are drawn (needs torch; meant for a GPU and many processors).

`python -m pi_board.vision.training.board_train OUT --seconds 500 [--folder /dev/shm/drawn]` draws boards on all processors but
two for so long. Meanwhile both networks go on from the shipped weights, each on what has been drawn so far, and are written to
OUT/slots.npz and OUT/stacks.npz with the record of how they were made. What each processor draws first is kept from training, and the figures are of that.

`train` and `stack_train` do the same from shards, on one processor. The shipped network of long points is from here, and has learned on from traced rooms since (`weights/stacks.toml`). That of slots is from `train`: on
what was kept here it got better (points .40 -> .28), but of boards that are drawn otherwise no more were read right (bench_stills.py,
--drawn 4141: 107 -> 105 of 120, 5151: 142 -> 142 of 160; the shared stills 64 -> 62 of 80), nor of a network halfway between the two.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import multiprocessing
import os
import time
import traceback
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from pi_board.errors import InvalidError
from pi_board.vision.checkers import slot_network, stacks
from pi_board.vision.checkers.stacks import LEAST, MOST
from pi_board.vision.training import in_time, schedule, stack_samples, stack_train, train
from pi_board.vision.training import samples as slot_samples

#: Pictures, and boards of long rows, that are drawn at once, from a seed of their own; seeds of the first of either.
_AT_ONCE = {"slots": 32, "stacks": 16}
_SEED = {"slots": 300_000_000, "stacks": 400_000_000}
#: Of five processors that draw, one draws long rows: a board gives eighteen of them.
_OF_ROWS = 5
#: Samples in a step, greatest rate, steps between looks for new samples, and seconds between lines that tell how it goes.
_BATCH = {"slots": 128, "stacks": 256}
_RATE = {"slots": 2.5e-3, "stacks": 2.5e-3}
_LOOKS, _TELLS = 20, 20.0
#: Training starts with so many samples, and no more than these are kept (GPU memory: 22 and 20 GB).
_FIRST = {"slots": 1500, "stacks": 4000}
_MOST_SAMPLES = {"slots": 68_000, "stacks": 300_000}


_OF = {"slots": slot_samples.drawn, "stacks": stack_samples.drawn}


def draws(name: str, number: int, step: int, folder: Path, until: float) -> None:
    """Writes what is drawn of `number` and of each `step` after it until the time is up."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    first = True
    while first or time.monotonic() < until:
        part = folder / f"part-{name}-{number:06d}.npz"
        np.savez(part, **_OF[name](_SEED[name] + number * _AT_ONCE[name], _AT_ONCE[name]))
        part.rename(folder / f"{name}-{'kept' if first else 'drawn'}-{number:06d}.npz")
        number, first = number + step, False


class Samples:
    """Samples on the GPU, as many as have been drawn."""

    def __init__(self, name: str, folder: Path, most: int, on: torch.device) -> None:
        self.name, self.folder, self.most, self.on = name, folder, most, on
        self.data: dict[str, Tensor] = {}
        self.count = 0

    def look(self, kind: str = "drawn") -> None:
        """Takes what has been drawn since, and clears it from the folder."""
        for path in sorted(self.folder.glob(f"{self.name}-{kind}-*.npz")):
            with np.load(path) as drawn:
                parts = {k: torch.from_numpy(drawn[k]) for k in drawn.files}
            path.unlink()
            n = min(len(next(iter(parts.values()))), self.most - self.count)
            for k, v in parts.items():
                if k not in self.data:
                    self.data[k] = torch.empty(self.most, *v.shape[1:], dtype=v.dtype, device=self.on)
                self.data[k][self.count : self.count + n] = v[:n].to(self.on)
            self.count += n

    def picked(self, index: Tensor) -> dict[str, Tensor]:
        return {k: v[index] for k, v in self.data.items()}

    def numpy(self, key: str) -> np.ndarray:
        return self.data[key][: self.count].cpu().numpy()


def slot_arrays(net: nn.Module, samples: Samples) -> dict[str, np.ndarray]:
    kept = Namespace(data={k: samples.numpy(k) for k in ("points", "bar")})
    return {**net.arrays(), **train.priors(kept)}


def stack_arrays(net: nn.Module, samples: Samples) -> dict[str, np.ndarray]:
    n = np.bincount(samples.numpy("counts").astype(int), minlength=MOST + 1)[LEAST:] + 20.0
    return {**net.arrays(), "prior": np.log(n / n.sum())}


_SHIPPED = {"slots": slot_network.load_weights, "stacks": stacks.load_weights}
_NETWORK = {"slots": train.SlotNetwork, "stacks": stack_train.StackNetwork}
_BATCH_OF = {"slots": train.slot_batch, "stacks": stack_train.stack_batch}
_LOSS = {"slots": train.loss_of, "stacks": stack_train.loss_of}
_ARRAYS = {"slots": slot_arrays, "stacks": stack_arrays}


def parts_of(samples: Samples, batch_of: Callable, size: int = 64) -> Iterator[tuple[Tensor, ...]]:
    for first in range(0, samples.count, size):
        index = torch.arange(first, min(first + size, samples.count), device=samples.on)
        yield batch_of(samples.picked(index), False)


def figures(net: nn.Module, name: str, kept: Samples) -> dict[str, float]:
    """Of the evaluated network, on what was kept from training."""
    with torch.no_grad():
        return train.mean([_LOSS[name](net, part)[1] for part in parts_of(kept, _BATCH_OF[name])])


def learns(name: str, folder: Path, out: Path, until: float, rate: float, seed: int) -> None:
    """Trains one network until the time is up, and saves what it has become."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    on = in_time.device()
    samples, kept = Samples(name, folder, _MOST_SAMPLES[name], on), Samples(name, folder, 20_000, on)
    while samples.count < _FIRST[name] and time.monotonic() < until:
        time.sleep(0.5)
        samples.look()
        kept.look("kept")
    batch_of, loss_of, size = _BATCH_OF[name], _LOSS[name], _BATCH[name]
    net = _NETWORK[name]()
    first = torch.arange(min(256, kept.count), device=on)
    net.restore(_SHIPPED[name](), batch_of(kept.picked(first), False)[0].cpu())
    net = net.to(on, memory_format=torch.channels_last)
    print(f"{name}: {samples.count} samples, {kept.count} kept; start {figures(net, name, kept)}", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    average = train.Average(net)
    began = told = time.monotonic()
    step, seen = 0, []
    while (now := time.monotonic()) < until:
        if step % _LOOKS == 0:
            samples.look()
        for group in optimiser.param_groups:
            group["lr"] = train.learning_rate(rate, step, (now - began) / (until - began))
        net.train()
        batch = batch_of(samples.picked(torch.randint(samples.count, (size,), device=on)), True)
        with in_time.quick(on):
            loss, _ = loss_of(net, batch)
        train.take_step(net, optimiser, average, loss)
        step += 1
        if step % _LOOKS == 0:
            seen.append(float(loss.detach()))
        if now - told > _TELLS:
            told = now
            print(
                f"{name}: {step} steps, {now - began:.0f} s, {samples.count} samples, loss {np.mean(seen):.4f}",
                flush=True,
            )
            seen = []
    kept.look("kept")
    net = average.network()
    validation = figures(net, name, kept)
    print(f"{name}: {step} steps in all, {samples.count} samples; end {validation}", flush=True)
    record = {"steps": step, "samples": samples.count, "validation": validation}
    arrays = _ARRAYS[name](net.cpu(), samples)
    said = Namespace(out=out / f"{name}.npz", seed=seed, batch=size, rate=rate)
    schedule.save(net, arrays, said, record, "pi_board.vision.training.board_train")


def told(does: Callable, *what: object) -> None:
    """A process that says why it failed."""
    try:
        does(*what)
    except Exception:
        traceback.print_exc()
        raise


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument(
        "--folder", type=Path, default=Path("/dev/shm/drawn"), help="where samples lie meanwhile"
    )
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.seconds <= 0:
        raise InvalidError(f"--seconds {options.seconds:g}: no time to train in")
    for folder in (options.out, options.folder):
        folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + options.seconds
    artists = max((os.cpu_count() or 1) - len(_OF), len(_OF))
    of = ["stacks" if k % _OF_ROWS == 1 else "slots" for k in range(artists)]
    # Spawned: a forked process can't use a GPU that its parent has used.
    new = multiprocessing.get_context("spawn").Process
    drawing = [
        new(target=told, args=(draws, name, of[:k].count(name), of.count(name), options.folder, until - 20))
        for k, name in enumerate(of)
    ]
    learning = [
        new(target=told, args=(learns, name, options.folder, options.out, until, _RATE[name], options.seed))
        for name in _OF
    ]
    for process in (*drawing, *learning):
        process.start()
    for process in learning:
        process.join()
    for process in drawing:
        process.terminate()


if __name__ == "__main__":
    main()
