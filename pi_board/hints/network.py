"""Small feed-forward networks in numpy: ReLU layers, softmax over the six results of a game."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

#: Batch part that keeps activations in the processor's cache.
CHUNK = 2048


class DenseNetwork:
    """weights: `w0`, `b0`, `w1`, … with w of shape (outputs, inputs); any float type, computed in float32."""

    def __init__(self, weights: Mapping[str, NDArray[np.floating]]) -> None:
        self.layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]] = []
        while f"w{len(self.layers)}" in weights:
            i = len(self.layers)
            w = np.ascontiguousarray(weights[f"w{i}"], np.float32)
            b = np.asarray(weights[f"b{i}"], np.float32)[:, None]
            self.layers.append((w, b))

    @property
    def inputs(self) -> int:
        return self.layers[0][0].shape[1]

    def probabilities(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """(inputs, N) → (N, 5): win, win gammon, win backgammon, lose gammon, lose backgammon."""
        x = inputs
        for i, (w, b) in enumerate(self.layers):
            x = w @ x
            x += b
            if i < len(self.layers) - 1:
                np.maximum(x, 0, out=x)
        x -= x.max(0)
        np.exp(x, out=x)
        x /= x.sum(0)
        out = np.empty((x.shape[1], 5), np.float32)
        out[:, 2] = x[5]
        out[:, 1] = x[4] + x[5]
        out[:, 0] = x[3] + out[:, 1]
        out[:, 4] = x[0]
        out[:, 3] = x[0] + x[1]
        return out
