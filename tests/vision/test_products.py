"""Matrix products say what `cv2.dnn` says."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.vision.convolutions import Layer, Network
from pi_board.vision.dice import pips
from pi_board.vision.products import MOST_AT_ONCE, Products
from tests.vision.by_dnn import by_dnn

Floats = np.ndarray


@pytest.mark.parametrize(("name", "planes"), [("dice_reader", 3), ("dice_second", 3), ("dice_cube", 3), ("dice_cocked", 5)])  # fmt: skip
def test_readers_of_patches(name: str, planes: int) -> None:
    batch = np.random.default_rng(3).normal(size=(2, planes, pips.PATCH, pips.PATCH)).astype(np.float32)
    network = pips.network(name)
    assert np.abs(network(batch) - by_dnn(network.layers, batch)).max() < 1e-4


def layer(rng: np.random.Generator, planes: int, filters: int, kernel: int, spec: tuple[int, ...]) -> Layer:
    """spec: stride, dilation, groups, padded, rectified, added."""
    weights = rng.normal(size=(filters, planes, kernel, kernel)).astype(np.float32) / planes
    return Layer(weights, rng.normal(size=filters).astype(np.float32), np.array(spec))


def strides_dilations_and_sums(rng: np.random.Generator) -> Network:
    return Network.of(
        layer(rng, 3, 8, 5, (2, 1, 1, 1, 1, 0)),
        layer(rng, 8, 8, 3, (1, 2, 1, 1, 1, 1)),
        layer(rng, 8, 8, 3, (1, 4, 1, 1, 0, 1)),
        layer(rng, 8, 6, 3, (3, 1, 1, 0, 0, 0)),
    )


def test_strides_dilations_sums_and_bands() -> None:
    rng = np.random.default_rng(4)
    network = strides_dilations_and_sums(rng)
    batch = rng.normal(size=(1, 3, 150, 170)).astype(np.float32)
    assert MOST_AT_ONCE < 75 * 85 * 5 * 5 * 3, "more than one band"
    products = Products(network.layers, batch.shape[1:])
    expected = by_dnn(network.layers, batch)[0]
    for _ in range(2):  # nothing of a picture is left for the next
        assert np.abs(products(batch[0]) - expected).max() < 1e-3
        products(rng.normal(size=batch.shape[1:]))


@pytest.mark.parametrize(
    "parts",
    [
        [(60, 75, 40, 52)],
        [(0, 1, 0, 1)],
        [(149, 150, 169, 170)],
        [(0, 150, 80, 90), (20, 30, 0, 170)],
        [(0, 150, 0, 170)],
        [],
    ],
    ids=["inside", "first pixel", "last pixel", "across each other", "all", "nothing"],
)
def test_parts_made_anew(parts: list[tuple[int, int, int, int]]) -> None:
    rng = np.random.default_rng(5)
    network = strides_dilations_and_sums(rng)
    picture = rng.normal(size=(3, 150, 170)).astype(np.float32)
    products = Products(network.layers, picture.shape)
    before = products(picture).copy()
    at = [(slice(top, bottom), slice(left, right)) for top, bottom, left, right in parts]
    for rows, columns in at:
        picture[:, rows, columns] += 1.0
        products.picture[rows, columns] = picture[:, rows, columns].transpose(1, 2, 0)
    renewed = products.renew(at)
    now = products.says.transpose(2, 0, 1)
    assert np.abs(now - by_dnn(network.layers, picture[None])[0]).max() < 1e-3
    # What it says is new is all that is.
    elsewhere = np.ones(now.shape[1:], bool)
    for part in renewed:
        elsewhere[part] = False
    assert (now[:, elsewhere] == before[:, elsewhere]).all()
