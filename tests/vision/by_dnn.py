"""What `cv2.dnn` says of a chain of convolutions, which is written as a minimal ONNX model in memory (operators Conv, Relu and Add)."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from pi_board.vision.convolutions import Layer

Floats = np.ndarray


def by_dnn(layers: Sequence[Layer], batch: Floats) -> Floats:
    """(N, C', H', W') of (N, C, H, W) float32."""
    net = cv2.dnn.readNetFromONNX(np.frombuffer(_onnx(layers, batch.shape), np.uint8))
    net.setInput(np.ascontiguousarray(batch, np.float32))
    return np.asarray(net.forward())


def _onnx(layers: Sequence[Layer], shape: tuple[int, ...]) -> bytes:
    """The chain as an ONNX model (opset 11) for inputs of `shape` (N, C, H, W)."""
    nodes, tensors = b"", b""
    n, _, h, w = shape
    name = "input"
    for i, layer in enumerate(layers):
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
            nodes += _blob(1, _blob(1, name) + _blob(2, f"relu{i}") + _blob(3, f"relu{i}") + _blob(4, "Relu"))
            name = f"relu{i}"
        if layer.added:
            nodes += _blob(
                1,
                _blob(1, came) + _blob(1, name) + _blob(2, f"sum{i}") + _blob(3, f"sum{i}") + _blob(4, "Add"),
            )
            name = f"sum{i}"
    channels = layers[-1].weights.shape[0]
    graph = (
        nodes
        + _blob(2, "chain")
        + tensors
        + _value(11, "input", shape)
        + _value(12, name, (n, channels, h, w))
    )
    return _int(1, 7) + _blob(7, graph) + _blob(8, _blob(1, "") + _int(2, 11))


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
