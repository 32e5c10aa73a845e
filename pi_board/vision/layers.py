"""Layers of the small networks that are no convolutions of a picture (see `convolutions`)."""

from __future__ import annotations

from functools import cache
from importlib import resources

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@cache
def named_weights(name: str) -> dict[str, Floats]:
    """The arrays of the shipped `weights/<name>.npz`, by their names; nobody changes them."""
    with (
        resources.files("pi_board.vision").joinpath(f"weights/{name}.npz").open("rb") as f,
        np.load(f) as data,
    ):
        return {key: data[key].astype(np.float32) for key in data.files}


def slide(x: Floats, w: Floats, b: Floats, stride: int) -> Floats:
    """A convolution along one axis: x (N, L, C), w (k, C, D), b (D,) → (N, L / stride, D); zero padding k // 2."""
    k = w.shape[0]
    n, along, channels = x.shape
    padded = np.zeros((n, along + 2 * (k // 2), channels), x.dtype)
    padded[:, k // 2 : k // 2 + along] = x
    length = (padded.shape[1] - k) // stride + 1
    # Neighbours lie beside each other in memory: each step's k of them are one row. (numpy's `as_strided` takes as long as the product.)
    steps = padded.strides[0], stride * padded.strides[1], padded.strides[2]
    rows = np.ndarray((n, length, k * channels), padded.dtype, padded, 0, steps)
    out = rows.reshape(n * length, k * channels) @ w.reshape(-1, w.shape[2])
    out += b
    return out.reshape(n, length, -1)


def relu(x: Floats) -> Floats:
    # (numpy's own maximum of an array and one number takes five times as long as that of two arrays.)
    return np.maximum(x, np.zeros(x.shape, x.dtype))


def log_softmax(x: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Log probabilities along the last axis."""
    x = x.astype(np.float64) - np.maximum.reduce(x, axis=-1, keepdims=True)
    return x - np.log(np.add.reduce(np.exp(x), axis=-1, keepdims=True))
