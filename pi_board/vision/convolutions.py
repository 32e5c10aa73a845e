"""A chain of convolutions: the small own networks of dice and cube, and what is heavy of the others. Patches are looked at by `products`,
whatever is larger by `cv2.dnn`.

The weights live in a .npz: per layer `w<i>` (8-bit, with a scale `s<i>` per output channel), `b<i>`, and a `spec` of
strides, dilations, groups, padding and rectifiers. For dnn they are written as a minimal ONNX model in memory, since ONNX is the one format that
both OpenCV 4 and 5 read; only the operators Conv, Relu and Add occur. Trained by `training/dice_train.py`.
"""

from __future__ import annotations

import threading
from importlib import resources
from typing import IO

import cv2
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

#: Pictures of at most so many pixels are looked at by `products`, which takes .40 ms where dnn takes .67, and 1.2 where it takes 1.8 (the
#: readers of dice, one core of an EPYC); from 100 x 100 px on dnn is as fast.
SMALL = 64 * 64
#: Of plans for pictures of more pixels one is kept: the dice finder's take 7 MB each, and half as long to make as to use.
LARGE = 60_000
#: Sizes of input for which plans are kept: the dice finder has four of windows, and the whole picture, in play and in photos.
MOST_SIZES = 8


def _varint(value: int) -> bytes:
    out = bytearray()
    while True:
        out.append((value & 0x7F) | (0x80 if value > 0x7F else 0))
        value >>= 7
        if not value:
            return bytes(out)


def _int(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _blob(number: int, value: bytes | str) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(raw)) + raw


def _ints(name: str, values: list[int]) -> bytes:
    # AttributeProto: 1 name, 8 ints, 20 type (7 = INTS).
    return _blob(5, _blob(1, name) + b"".join(_int(8, v) for v in values) + _int(20, 7))


def _one_int(name: str, value: int) -> bytes:
    # AttributeProto: 3 i, type 2 = INT.
    return _blob(5, _blob(1, name) + _int(3, value) + _int(20, 2))


def _tensor(name: str, array: Floats) -> bytes:
    # TensorProto: 1 dims, 2 data_type (1 = float), 8 name, 9 raw_data.
    dims = b"".join(_int(1, d) for d in array.shape)
    return _blob(
        5, dims + _int(2, 1) + _blob(8, name) + _blob(9, np.ascontiguousarray(array, "<f4").tobytes())
    )


def _value(field: int, name: str, shape: tuple[int, ...]) -> bytes:
    dims = b"".join(_blob(1, _int(1, d)) for d in shape)
    return _blob(field, _blob(1, name) + _blob(2, _blob(1, _int(1, 1) + _blob(2, dims))))


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
    and a net of dnn that two threads feed at once gives one the other's answer.
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
        self._nets: dict[tuple[int, ...], cv2.dnn.Net] = {}
        self._products: dict[tuple[int, ...], Products] = {}
        self._busy = threading.Lock()

    @classmethod
    def of(cls, *layers: Layer) -> Network:
        """A network of these layers."""
        network = cls.__new__(cls)
        network.layers, network._nets, network._products = list(layers), {}, {}
        network._busy = threading.Lock()
        return network

    @classmethod
    def shipped(cls, name: str) -> Network:
        """The network `weights/<name>.npz` that comes with the package."""
        with (resources.files("pi_board.vision") / "weights" / f"{name}.npz").open("rb") as file:
            return cls(file)

    def __call__(self, batch: Floats) -> Floats:
        shape = batch.shape
        if shape[2] * shape[3] <= SMALL:
            return self._of_patches(batch)
        with self._busy:
            net = self._nets.pop(shape, None)
            if net is None:
                # dnn plans its memory for one input size, so there is one net per size; sizes are few.
                self._make_room(shape)
                net = cv2.dnn.readNetFromONNX(np.frombuffer(self.onnx(shape), np.uint8))
            self._nets[shape] = net
            net.setInput(np.ascontiguousarray(batch, np.float32))
            return np.asarray(net.forward(), np.float32)

    def _make_room(self, shape: tuple[int, ...]) -> None:
        """The plan that was not asked for the longest goes, where there are enough; and of two large ones the other."""
        large = [s for s in self._nets if s[2] * s[3] > LARGE] if shape[2] * shape[3] > LARGE else []
        if large or len(self._nets) >= MOST_SIZES:
            del self._nets[large[0] if large else next(iter(self._nets))]

    def _of_patches(self, batch: Floats) -> Floats:
        """One after the other: together they take no less time."""
        shape = batch.shape[1:]
        with self._busy:
            of_one = self._products.get(shape)
            if of_one is None:
                of_one = self._products[shape] = Products(self.layers, shape)
            out = np.empty((len(batch), *of_one.answer), np.float32)
            for picture, says in zip(batch, out, strict=True):
                says[...] = of_one(picture)
            return out

    def planned(self) -> set[tuple[int, ...]]:
        """Shapes (N, C, H, W) for which a net is ready."""
        return {*self._nets, *((1, *shape) for shape in self._products)}

    def onnx(self, shape: tuple[int, ...]) -> bytes:
        """The network as an ONNX model (opset 11) for inputs of `shape` (N, C, H, W)."""
        nodes, tensors = b"", b""
        n, _, h, w = shape
        name = "input"
        for i, layer in enumerate(self.layers):
            came = name
            tensors += _tensor(f"w{i}", layer.weights) + _tensor(f"b{i}", layer.bias)
            out = f"conv{i}"
            kernel = layer.weights.shape[2]
            pad = layer.dilation * (kernel - 1) // 2 if layer.padded else 0
            nodes += _blob(
                1,
                _blob(1, name)
                + _blob(1, f"w{i}")
                + _blob(1, f"b{i}")
                + _blob(2, out)
                + _blob(3, out)
                + _blob(4, "Conv")
                + _ints("kernel_shape", [kernel, kernel])
                + _ints("strides", [layer.stride] * 2)
                + _ints("pads", [pad] * 4)
                + _ints("dilations", [layer.dilation] * 2)
                + _one_int("group", layer.groups),
            )
            reach = layer.dilation * (kernel - 1) + 1
            h, w = (h + 2 * pad - reach) // layer.stride + 1, (w + 2 * pad - reach) // layer.stride + 1
            name = out
            if layer.rectified:
                nodes += _blob(
                    1, _blob(1, name) + _blob(2, f"relu{i}") + _blob(3, f"relu{i}") + _blob(4, "Relu")
                )
                name = f"relu{i}"
            if layer.added:
                nodes += _blob(
                    1,
                    _blob(1, came)
                    + _blob(1, name)
                    + _blob(2, f"sum{i}")
                    + _blob(3, f"sum{i}")
                    + _blob(4, "Add"),
                )
                name = f"sum{i}"
        channels = self.layers[-1].weights.shape[0]
        graph = (
            nodes
            + _blob(2, "chain")
            + tensors
            + _value(11, "input", shape)
            + _value(12, name, (n, channels, h, w))
        )
        return _int(1, 7) + _blob(7, graph) + _blob(8, _blob(1, "") + _int(2, 11))


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
    flat -= flat.mean(axis=1, keepdims=True)
    square = (flat[:, None] @ flat[:, :, None])[:, 0]
    flat /= np.sqrt(square / flat.shape[1]) + np.float32(SPREAD_FLOOR)
    return np.ascontiguousarray(x.transpose(0, 3, 1, 2))


__all__ = ["SPREAD_FLOOR", "Layer", "Network", "contrast_normalised", "save"]
