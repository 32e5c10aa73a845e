"""Draw samples, and train a network, in a given time: what a lent machine with a GPU and many processors is used with."""

# mypy: ignore-errors
from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from typing import TypeVar

import cv2
import torch
from torch import Tensor, nn

from pi_board.errors import InvalidError

T = TypeVar("T")

#: AdamW's decay of the weights, and the norm to which gradients are clipped. As in `dice_train`, and as `train.take_step`.
_DECAY, _MOST_GRADIENT = 1e-3, 5.0
#: The rate rises for this share of the time, from a 25th of it, and falls as a cosine for the rest.
_RISES, _FIRST = 0.15, 1 / 25
#: Steps between waits for the GPU, and seconds between lines that tell how it goes.
_STEPS, _TELLS = 20, 15.0


def device() -> torch.device:
    """A GPU, where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def drawn(make: Callable[[int], T], seconds: float, processes: int | None = None) -> dict[int, T]:
    """What `make` (a function of a module) gives for the numbers 0, 1, …, on all processors until the time is up, by number."""
    cv2.setNumThreads(1)
    processes = processes or os.cpu_count() or 1
    until = time.monotonic() + seconds
    # Forked: a started process would import torch again, which takes seconds.
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        parts = pool.starmap(_until, [(make, k, processes, until) for k in range(processes)], chunksize=1)
    return {number: part for some in parts for number, part in some}


def _until(make: Callable[[int], T], number: int, step: int, until: float) -> list[tuple[int, T]]:
    """What is made of `number`, and of each `step` after it, one at least."""
    torch.set_num_threads(1)
    made = [(number, make(number))]
    while time.monotonic() < until:
        number += step
        made.append((number, make(number)))
    return made


def trained(net: nn.Module, loss_of: Callable[[], Tensor], rate: float, seconds: float, name: str) -> None:
    """`net` after as many steps of AdamW as there is time for, the rate rising and falling once. loss_of: of a fresh batch."""
    if seconds <= 0:
        raise InvalidError(f"{name}: {seconds:g} s is no time to train in")
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=_DECAY)
    began = told = time.monotonic()
    step, done = 0, 0.0
    net.train()
    while done < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * _share(done)
        optimiser.zero_grad()
        loss = loss_of()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), _MOST_GRADIENT)
        optimiser.step()
        step += 1
        if step % _STEPS == 0:
            said = float(loss.detach())  # also waits for the GPU
            if time.monotonic() - told > _TELLS:
                told = time.monotonic()
                print(f"{name}: {step} steps, {told - began:.0f} s, loss {said:.4f}", flush=True)
        done = (time.monotonic() - began) / seconds
    net.eval()
    print(f"{name}: {step} steps in all", flush=True)


def _share(done: float) -> float:
    """Of the greatest rate, when this share of the time is over."""
    if done < _RISES:
        return _FIRST + (1 - _FIRST) * done / _RISES
    fallen = min(1.0, (done - _RISES) / (1 - _RISES))
    return float(0.5 * (1 + torch.cos(torch.tensor(fallen * torch.pi)))) + 1e-4


def quick(on: torch.device) -> torch.autocast:
    """Half-width arithmetic: much faster, and the networks do not mind."""
    return torch.autocast(on.type, torch.bfloat16)
