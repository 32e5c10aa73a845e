"""A chain of convolutions: the small own networks of dice and cube, and what is heavy of the others. `products` works them out.

The weights live in a .npz: per layer `w<i>` (8-bit, with a scale `s<i>` per output channel), `b<i>`, and a `spec` of
strides, dilations, groups, padding and rectifiers. Trained by `training/dice_train.py`.
"""

from __future__ import annotations

import math
import threading
from importlib import resources
from typing import IO

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidFileError
from pi_board.vision.products import Products

#: The planes of the camera's slant are multiplied by this, to weigh like the colours.
SLANT_GAIN = 2.0
#: 8-bit levels added to a picture's spread before it is divided by it, so that the noise of an even patch is not blown up to full
#: contrast. All networks were trained with it: another number means training them again.
SPREAD_FLOOR = 4.0

Floats = npt.NDArray[np.float32]

#: Plans for inputs of more numbers (C x H x W) are not kept: they take 1 to 10 MB, and hardly a tenth of the time of using them to make.
LARGE = 150_000
#: Sizes of input for which plans are kept.
MOST_SIZES = 8


class Layer:
    """One convolution: weights (out, in / groups, k, k), bias (out,), stride, dilation, groups, padded ("same") or not, rectified
    or not; added: to what came in, as in a residual block."""

    __slots__ = ("added", "bias", "dilation", "groups", "padded", "rectified", "stride", "weights")

    def __init__(self, weights: Floats, bias: Floats, spec: npt.NDArray[np.integer]) -> None:
        self.weights, self.bias = weights, bias
        self.stride, self.dilation, self.groups = int(spec[0]), int(spec[1]), int(spec[2])
        self.padded, self.rectified = bool(spec[3]), bool(spec[4])
        self.added = len(spec) > 5 and bool(spec[5])

    @classmethod
    def of(
        cls, weights: dict[str, Floats], name: str, *, stride: int = 1, dilation: int = 1, added: bool = False
    ) -> Layer:
        """A padded, rectified convolution `name.w` (k, k, in, out), `name.b` (out,) of a network that is kept by names."""
        kernel = weights[f"{name}.w"].transpose(3, 2, 0, 1).astype(np.float32, copy=False)
        return cls(
            kernel, weights[f"{name}.b"].astype(np.float32), np.array([stride, dilation, 1, 1, 1, added])
        )


class Network:
    """A network from a .npz; call it with a batch (N, C, H, W) float32 to get (N, C', H', W') float32.

    Safe to call from several threads, one after the other: the page's set-up looks at pictures while the referee does,
    and a plan writes its answers into its own memory.
    """

    def __init__(self, source: IO[bytes] | str) -> None:
        """Raises InvalidFileError when the file is no weights file of ours."""
        try:
            with np.load(source) as data:
                spec = data["spec"]
                self.layers = [
                    Layer(_by_place(data[f"w{i}"], data[f"s{i}"]), data[f"b{i}"].astype(np.float32), spec[i])
                    for i in range(len(spec))
                ]
        except (OSError, KeyError, ValueError) as error:
            raise InvalidFileError(f"{source}: not a pi_board network ({error})") from error
        self._plans: dict[tuple[int, int, int], Products] = {}
        self._busy = threading.Lock()

    @classmethod
    def of(cls, *layers: Layer) -> Network:
        """A network of these layers."""
        network = cls.__new__(cls)
        network.layers, network._plans = list(layers), {}
        network._busy = threading.Lock()
        return network

    @classmethod
    def shipped(cls, name: str) -> Network:
        """The network `weights/<name>.npz` that comes with the package."""
        with (resources.files("pi_board.vision") / "weights" / f"{name}.npz").open("rb") as file:
            return cls(file)

    def __call__(self, batch: Floats) -> Floats:
        """One after the other: together they take no less time."""
        _, planes, high, wide = batch.shape
        with self._busy:
            plan = self._plan((planes, high, wide))
            out = np.empty((len(batch), *plan.answer), np.float32)
            for picture, says in zip(batch, out, strict=True):
                says[...] = plan(picture)
            return out

    def of_picture(self, picture: Floats) -> Floats:
        """(H', W', C') of one picture (H, W, C), as it lies in memory."""
        high, wide, planes = picture.shape
        with self._busy:
            plan = self._plan((planes, high, wide))
            plan.picture[...] = picture
            plan.run()
            return plan.says.copy()

    def _plan(self, shape: tuple[int, int, int]) -> Products:
        """For pictures (C, H, W). The plan that was not asked for the longest goes, where there are enough."""
        plan = self._plans.pop(shape, None) or Products(self.layers, shape)
        if math.prod(shape) <= LARGE:
            if len(self._plans) >= MOST_SIZES:
                del self._plans[next(iter(self._plans))]
            self._plans[shape] = plan
        return plan

    def planned(self) -> set[tuple[int, int, int]]:
        """Shapes (C, H, W) for which a plan is ready."""
        return {*self._plans}


def _by_place(weights: npt.NDArray[np.int8], scales: npt.NDArray[np.floating]) -> Floats:
    """(out, in, k, k) float32 of 8-bit weights and a scale for each filter; in memory by place, as `products` wants them."""
    laid_out = weights.transpose(2, 3, 1, 0) * scales.astype(np.float32)
    return np.ascontiguousarray(laid_out, np.float32).transpose(3, 2, 0, 1)


def save(path: str, layers: list[Layer]) -> None:
    """Write layers in the format that `Network` reads (8-bit weights: their rounding is far below the noise)."""
    arrays = {}
    for i, layer in enumerate(layers):
        scale = (np.abs(layer.weights).max((1, 2, 3)) / 127.0 + 1e-12).astype(np.float32)
        arrays[f"w{i}"] = np.round(layer.weights / scale[:, None, None, None]).astype(np.int8)
        arrays[f"s{i}"] = scale
        arrays[f"b{i}"] = layer.bias.astype(np.float16)
    spec = np.array([[la.stride, la.dilation, la.groups, la.padded, la.rectified] for la in layers], np.int16)
    np.savez_compressed(path, spec=spec, **arrays)


def contrast_normalised(patches: npt.NDArray[np.uint8]) -> Floats:
    """Patches (N, H, W, 3) uint8 → (N, 3, H, W) float32 of zero mean and unit spread each."""
    x = patches.astype(np.float32)
    flat = x.reshape(len(x), -1)
    # (Few calls: a method's own mean takes eight.)
    flat -= np.add.reduce(flat, axis=1, keepdims=True) / np.float32(flat.shape[1])
    square = (flat[:, None] @ flat[:, :, None])[:, 0]
    flat /= np.sqrt(square / flat.shape[1]) + np.float32(SPREAD_FLOOR)
    return np.ascontiguousarray(x.transpose(0, 3, 1, 2))


__all__ = ["SPREAD_FLOOR", "Layer", "Network", "contrast_normalised", "save"]
