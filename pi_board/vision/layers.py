"""Layers of the small networks that are quicker in numpy than through `cv2.dnn` (see `convolutions`)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def slide(x: Floats, w: Floats, b: Floats, stride: int) -> Floats:
    """A convolution along one axis: x (N, L, C), w (k, C, D), b (D,) → (N, L / stride, D); zero padding k // 2."""
    k = w.shape[0]
    x = np.pad(x, ((0, 0), (k // 2, k // 2), (0, 0)))
    length = (x.shape[1] - k) // stride + 1
    columns = np.concatenate([x[:, i : i + stride * length : stride][:, :length] for i in range(k)], axis=2)
    return columns @ w.reshape(-1, w.shape[2]) + b


def relu(x: Floats) -> Floats:
    return np.maximum(x, 0)


def log_softmax(x: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Log probabilities along the last axis."""
    x = x.astype(np.float64) - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))
