"""Matrix products say what `cv2.dnn` says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pi_board.vision.convolutions import Layer, Network
from pi_board.vision.dice import pips
from pi_board.vision.products import MOST_AT_ONCE, Products

Floats = np.ndarray


def by_dnn(network: Network, batch: Floats) -> Floats:
    net = cv2.dnn.readNetFromONNX(np.frombuffer(network.onnx(batch.shape), np.uint8))
    net.setInput(batch)
    return np.asarray(net.forward())


@pytest.mark.parametrize(("name", "planes"), [("dice_reader", 3), ("dice_second", 3), ("dice_cube", 3), ("dice_cocked", 5)])  # fmt: skip
def test_readers_of_patches(name: str, planes: int) -> None:
    batch = np.random.default_rng(3).normal(size=(2, planes, pips.PATCH, pips.PATCH)).astype(np.float32)
    network = pips.network(name)
    assert np.abs(network(batch) - by_dnn(network, batch)).max() < 1e-4


def test_strides_dilations_sums_and_bands() -> None:
    rng = np.random.default_rng(4)

    def layer(planes: int, filters: int, kernel: int, spec: tuple[int, ...]) -> Layer:
        weights = rng.normal(size=(filters, planes, kernel, kernel)).astype(np.float32) / planes
        return Layer(weights, rng.normal(size=filters).astype(np.float32), np.array(spec))

    # spec: stride, dilation, groups, padded, rectified, added
    network = Network.of(
        layer(3, 8, 5, (2, 1, 1, 1, 1, 0)),
        layer(8, 8, 3, (1, 2, 1, 1, 1, 1)),
        layer(8, 8, 3, (1, 4, 1, 1, 0, 1)),
        layer(8, 6, 3, (3, 1, 1, 0, 0, 0)),
    )
    batch = rng.normal(size=(1, 3, 150, 170)).astype(np.float32)
    assert MOST_AT_ONCE < 75 * 85 * 5 * 5 * 3, "more than one band"
    products = Products(network.layers, batch.shape[1:])
    expected = by_dnn(network, batch)[0]
    for _ in range(2):  # nothing of a picture is left for the next
        assert np.abs(products(batch[0]) - expected).max() < 1e-3
        products(rng.normal(size=batch.shape[1:]))
