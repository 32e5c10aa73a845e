"""A chain of convolutions worked out as matrix products in numpy: for the small pictures that the readers of dice and cube look at.

On patches this takes two thirds of the time of `cv2.dnn`, which costs a good part of a ms a call whatever it is asked. And it keeps no
second copy of the weights, of which dnn makes one or more for every size of input.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

#: Numbers of the largest matrix that is laid out at once: half a megabyte, as much as a small processor's cache holds.
MOST_AT_ONCE = 125_000


class Convolution(Protocol):
    """What is known of one layer, as `convolutions.Layer`."""

    weights: Floats
    bias: Floats
    stride: int
    dilation: int
    groups: int
    padded: bool
    rectified: bool
    added: bool


class Products:
    """The chain for pictures of one size: call it with (C, H, W) float32 to get (C', H', W') float32, which the next call overwrites.

    shape: (C, H, W). A layer is full, or has one filter for each plane that takes in the whole picture. Not for two threads at once.
    """

    def __init__(self, layers: Sequence[Convolution], shape: tuple[int, int, int]) -> None:
        sizes, pads = [(shape[1], shape[2], shape[0])], []
        for layer in layers:
            span = layer.dilation * (layer.weights.shape[2] - 1) + 1
            pads.append(span // 2 if layer.padded else 0)
            high, wide = ((at + 2 * pads[-1] - span) // layer.stride + 1 for at in sizes[-1][:2])
            sizes.append((high, wide, layer.weights.shape[0]))
        pads.append(0)
        # Each layer writes its answers into the middle of what the next one reads, whose border stays 0.
        padded = [
            np.zeros((h + 2 * p, w + 2 * p, c), np.float32) for (h, w, c), p in zip(sizes, pads, strict=True)
        ]
        inner = [x[p : p + h, p : p + w] for x, p, (h, w, _) in zip(padded, pads, sizes, strict=True)]
        self._input, self._output = inner[0].transpose(2, 0, 1), inner[-1].transpose(2, 0, 1)
        #: (C', H', W') of an answer.
        self.answer = self._output.shape
        steps = [_Whole if layer.groups > 1 else _Full for layer in layers]
        memory = np.empty(
            max(_Full.needs(la, x) for la, x in zip(layers, inner[1:], strict=True)), np.float32
        )
        self._steps = [
            step(layer, around, came, out, memory)
            for step, layer, around, came, out in zip(steps, layers, padded, inner, inner[1:], strict=False)
        ]

    def __call__(self, picture: Floats) -> Floats:
        self._input[...] = picture
        for step in self._steps:
            step.run()
        return self._output


class _Full:
    """A layer whose filters look at all planes: band by band of rows, all that an answer depends on becomes the row of a matrix."""

    def __init__(self, layer: Convolution, padded: Floats, came: Floats, out: Floats, memory: Floats) -> None:
        kernel, planes, (high, wide, filters) = layer.weights.shape[2], padded.shape[2], out.shape
        down, right, plane = padded.strides
        seen = np.lib.stride_tricks.as_strided(
            padded,
            (high, wide, kernel, kernel, planes),
            (layer.stride * down, layer.stride * right, layer.dilation * down, layer.dilation * right, plane),
        )
        each = kernel * kernel * planes
        self._weights = np.ascontiguousarray(layer.weights.transpose(2, 3, 1, 0)).reshape(each, filters)
        self._bias, self._rectified = layer.bias, layer.rectified
        self._bands = []
        rows = self.rows(each, out)
        for top in range(0, high, rows):
            band = slice(top, min(high, top + rows))
            pixels = (band.stop - top) * wide
            matrix = memory[: pixels * each].reshape(pixels, each)
            says = memory[pixels * each : pixels * (each + filters)].reshape(pixels, filters)
            self._bands.append(
                (
                    seen[band],
                    matrix.reshape(-1, wide, kernel, kernel, planes),
                    matrix,
                    says,
                    says.reshape(-1, wide, filters),
                    came[band] if layer.added else None,
                    out[band],
                )
            )

    @staticmethod
    def rows(each: int, out: Floats) -> int:
        """Rows of a band, of a layer that answers `out` (H, W, C), each answer from so many numbers."""
        return max(1, min(out.shape[0], MOST_AT_ONCE // (out.shape[1] * each)))

    @classmethod
    def needs(cls, layer: Convolution, out: Floats) -> int:
        """Numbers that must be kept while a band is worked out."""
        each = layer.weights[0].size
        return cls.rows(each, out) * out.shape[1] * (each + out.shape[2])

    def run(self) -> None:
        for seen, laid_out, matrix, says, answers, came, out in self._bands:
            laid_out[...] = seen
            np.matmul(matrix, self._weights, out=says)
            says += self._bias
            if came is not None:
                if self._rectified:
                    np.maximum(says, 0, out=says)
                np.add(answers, came, out=out)
            elif self._rectified:
                np.maximum(answers, 0, out=out)
            else:
                out[...] = answers


class _Whole:
    """A layer with one filter for each plane, as large as the plane."""

    def __init__(self, layer: Convolution, padded: Floats, came: Floats, out: Floats, memory: Floats) -> None:
        assert came.shape[:2] == layer.weights.shape[2:] and out.shape[:2] == (1, 1) and not layer.added
        self._weights = np.ascontiguousarray(layer.weights[:, 0].transpose(1, 2, 0))
        self._bias, self._rectified, self._came, self._out = layer.bias, layer.rectified, came, out

    def run(self) -> None:
        says = (self._came * self._weights).sum(axis=(0, 1)) + self._bias
        self._out[0, 0] = np.maximum(says, 0) if self._rectified else says
