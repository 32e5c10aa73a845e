"""A chain of convolutions worked out as matrix products in numpy: for the small pictures that the readers of dice and cube look at, and
for larger ones of which only parts change.

On patches this takes two thirds of the time of `cv2.dnn`, which costs a good part of a ms a call whatever it is asked; on strips of a
point four fifths, on larger pictures about as long (one core of an EPYC). And it keeps 8 MB less. Of a larger picture it keeps what every
layer said, so that a checker that was moved costs what depends on it, layer by layer, and not a window that is wide enough for all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pi_board.vision.changes import Part

Floats = npt.NDArray[np.float32]

#: Numbers of the largest matrix that is laid out at once: half a megabyte, as much as a small processor's cache holds.
MOST_AT_ONCE = 125_000
#: Room for such a matrix and what the filters say of it, for all chains, and who has it. (A plan of its own for each took 6 MB.)
_ROOM, _BUSY = np.empty(2 * MOST_AT_ONCE, np.float32), threading.Lock()


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
    `renew` is for a picture that differs from the last one in parts only.

    shape: (C, H, W). A layer is full, or has one filter for each plane that takes in the whole picture. One plan is not for two threads;
    different ones are, one after the other.
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
        #: (H, W, C) the picture, and (H', W', C') the answer, which the next picture overwrites.
        self.picture, self.says = inner[0], inner[-1]
        #: (C', H', W') of an answer.
        self.answer = self._output.shape
        steps = [_Whole if layer.groups > 1 else _Full for layer in layers]
        needs = max(_Full.needs(la, x) for la, x in zip(layers, inner[1:], strict=True))
        memory = _ROOM if needs <= _ROOM.size else np.empty(needs, np.float32)
        self._steps = [
            step(layer, around, came, out, memory)
            for step, layer, around, came, out in zip(steps, layers, padded, inner, inner[1:], strict=False)
        ]
        # What is worked out one after the other in the same way takes one call.
        self._each_step: list[tuple[Callable[[Any], None], list[Any]]] = [
            (work, [band for step in steps for band in step.bands])
            for work, steps in groupby(self._steps, attrgetter("work"))
        ]
        self._each_renew = [step.renew for step in self._steps if isinstance(step, _Full)]

    def __call__(self, picture: Floats) -> Floats:
        self._input[...] = picture
        self.run()
        return self._output

    def run(self) -> None:
        """Work the answer out for what stands in `picture`."""
        with _BUSY:
            for work, bands in self._each_step:
                work(bands)

    def renew(self, parts: Sequence[Part]) -> list[Part]:
        """Work the answer out anew where it depends on `parts` of `picture`, which have been written to since; and say where that is.
        All layers must be full."""
        with _BUSY:
            for renew in self._each_renew:
                parts = renew(parts)
        return list(parts)


_Items = npt.NDArray[np.void]
#: Of one band: what each answer depends on, room for it (twice, as items of the same size and as a matrix), the filters, room for what they say of it
#: (as a matrix, and row by row of the picture), a bias for each number of such a row, a zero for each (None: not rectified), what it is
#: added to, and where the answer goes.
_Band = tuple[_Items, _Items, Floats, Floats, Floats, Floats, Floats, Floats | None, Floats | None, Floats]


class _Full:
    """A layer whose filters look at all planes: band by band of rows, all that an answer depends on becomes the row of a matrix."""

    def __init__(self, layer: Convolution, padded: Floats, came: Floats, out: Floats, memory: Floats) -> None:
        kernel, planes, (high, wide, filters) = layer.weights.shape[2], padded.shape[2], out.shape
        down, right, plane = padded.strides
        # Numbers that lie side by side are one item, of no type: numpy copies an item in the time of a number.
        together = planes * kernel if layer.dilation == 1 else planes
        shape = (high, wide, kernel, kernel)[: 3 if layer.dilation == 1 else 4]
        steps = (layer.stride * down, layer.stride * right, layer.dilation * down, layer.dilation * right)
        self._seen = np.ndarray(shape, f"V{together * plane}", padded.data, 0, steps[: len(shape)])
        self._each = kernel * kernel * planes
        self._weights = np.ascontiguousarray(layer.weights.transpose(2, 3, 1, 0)).reshape(self._each, filters)
        self._bias, self._rectified = layer.bias, layer.rectified
        self._came, self._out, self._memory = came if layer.added else None, out, memory
        self._stride, self._reach = layer.stride, layer.dilation * (kernel - 1)
        self._pad = (padded.shape[0] - came.shape[0]) // 2
        #: Of the whole picture.
        self.bands = list(self._in_bands((slice(0, high), slice(0, wide))))

    @staticmethod
    def rows(each: int, wide: int) -> int:
        """Rows of a band that is so wide, each answer depending on so many numbers; one at least."""
        return max(1, MOST_AT_ONCE // (wide * each))

    @classmethod
    def needs(cls, layer: Convolution, out: Floats) -> int:
        """Numbers that must be kept while a band is worked out."""
        (high, wide, filters), each = out.shape, layer.weights[0].size
        return min(high * wide, max(wide, MOST_AT_ONCE // each)) * (each + filters)

    def renew(self, parts: Sequence[Part]) -> list[Part]:
        """Anew what depends on `parts` of what comes in: these parts of the answer. (All in one product, and in few calls: a play changes
        several small parts, of which each costs a layer more in calls than in arithmetic.)"""
        stride, before, after = self._stride, self._pad - self._reach + self._stride - 1, self._pad - 1
        high, wide, filters = self._out.shape
        most = self._memory.size // (self._each + filters)
        anew: list[Part] = []
        waiting: list[tuple[Part, int, int]] = []
        pixels = 0
        for rows, columns in parts:
            top, left = (rows.start + before) // stride, (columns.start + before) // stride
            bottom, right = (rows.stop + after) // stride + 1, (columns.stop + after) // stride + 1
            top, left = top if top > 0 else 0, left if left > 0 else 0
            bottom, right = bottom if bottom < high else high, right if right < wide else wide
            part = slice(top, bottom), slice(left, right)
            anew.append(part)
            n = (bottom - top) * (right - left)
            if pixels + n > most:
                self._together(waiting, pixels)
                waiting, pixels = [], 0
            if n > most:
                self.work(self._in_bands(part))
            elif n > 0:
                waiting.append((part, pixels, pixels + n))
                pixels += n
        self._together(waiting, pixels)
        return anew

    def _together(self, parts: list[tuple[Part, int, int]], pixels: int) -> None:
        """parts: of the answer, with the first row of their matrix and the one after the last."""
        if not parts:
            return
        each = self._each
        matrix = self._memory[: pixels * each].reshape(pixels, each)
        for part, first, end in parts:
            seen = self._seen[part]
            matrix[first:end].view(seen.dtype).reshape(seen.shape)[...] = seen
        says = matrix @ self._weights
        says += self._bias
        if self._rectified:
            np.maximum(says, np.zeros(says.shape, np.float32), out=says)
        for part, first, end in parts:
            out = self._out[part]
            answers = says[first:end].reshape(out.shape)
            out[...] = answers if self._came is None else answers + self._came[part]

    def _in_bands(self, part: Part) -> Iterator[_Band]:
        rows, columns = part
        wide, each, filters = columns.stop - columns.start, self._each, self._out.shape[2]
        step = self.rows(each, wide)
        # (As long as a row, for numpy takes a few times as long to add a short one again and again, and to compare with one number.)
        bias, nothing = np.tile(self._bias, wide), np.zeros(wide * filters, np.float32)
        for top in range(rows.start, rows.stop, step):
            at = slice(top, min(rows.stop, top + step)), columns
            seen = self._seen[at]
            pixels = seen.shape[0] * wide
            matrix = self._memory[: pixels * each].reshape(pixels, each)
            says = self._memory[pixels * each : pixels * (each + filters)].reshape(pixels, filters)
            yield (
                seen,
                matrix.view(seen.dtype).reshape(seen.shape),
                matrix,
                self._weights,
                says,
                says.reshape(-1, wide * filters),
                bias,
                nothing if self._rectified else None,
                None if self._came is None else self._came[at].reshape(-1, wide * filters),
                self._out[at].reshape(-1, wide * filters),
            )

    @staticmethod
    def work(bands: Iterable[_Band]) -> None:
        """Work out what the filters say there, of one layer or of some after one another."""
        for seen, laid_out, matrix, weights, says, answers, bias, nothing, came, out in bands:
            laid_out[...] = seen
            np.matmul(matrix, weights, out=says)
            answers += bias
            if came is not None:
                if nothing is not None:
                    np.maximum(answers, nothing, out=answers)
                np.add(answers, came, out=out)
            elif nothing is not None:
                np.maximum(answers, nothing, out=out)
            else:
                out[...] = answers


class _Whole:
    """A layer with one filter for each plane, as large as the plane."""

    def __init__(self, layer: Convolution, padded: Floats, came: Floats, out: Floats, memory: Floats) -> None:
        assert came.shape[:2] == layer.weights.shape[2:] and out.shape[:2] == (1, 1) and not layer.added
        weights = np.ascontiguousarray(layer.weights[:, 0].transpose(1, 2, 0))
        #: What comes in, the filters, the bias, whether it is rectified, and where the answer goes.
        self.bands = [(came, weights, layer.bias, layer.rectified, out)]

    @staticmethod
    def work(bands: Iterable[tuple[Floats, Floats, Floats, bool, Floats]]) -> None:
        """Work out what the filters say of it."""
        for came, weights, bias, rectified, out in bands:
            says = np.add.reduce(came * weights, axis=(0, 1)) + bias
            out[0, 0] = np.maximum(says, 0) if rectified else says
