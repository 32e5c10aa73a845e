"""Networks that several threads ask."""

from __future__ import annotations

import threading

import numpy as np

from pi_board.vision.convolutions import MOST_SIZES, Layer, Network


def test_two_threads_each_get_their_own_answer() -> None:
    """The page's set-up looks at a picture while the referee looks at another."""
    rng = np.random.default_rng(0)
    shapes = ((16, 3, 3, 3), (4, 16, 3, 3))
    layers = [Layer(rng.normal(size=s).astype(np.float32), np.zeros(s[0], np.float32), np.ones(5, int)) for s in shapes]  # fmt: skip
    network = Network.of(*layers)
    batches = [rng.normal(size=(2, 3, 48, 48)).astype(np.float32) for _ in range(2)]
    expected = [network(b).copy() for b in batches]
    wrong: list[int] = []

    def ask(which: int) -> None:
        for _ in range(40):
            if not np.allclose(network(batches[which]), expected[which], atol=1e-3):
                wrong.append(which)

    threads = [threading.Thread(target=ask, args=(which,)) for which in (0, 1)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def summing() -> Network:
    return Network.of(Layer(np.ones((1, 1, 3, 3), np.float32), np.zeros(1, np.float32), np.ones(5, int)))


def test_the_size_that_was_not_asked_for_the_longest_goes() -> None:
    network = summing()
    shapes = [(1, 80, 80 + 4 * i) for i in range(MOST_SIZES + 1)]
    for shape in shapes[:-1]:
        network(np.zeros((1, *shape), np.float32))
    network(np.zeros((1, *shapes[0]), np.float32))
    network(np.zeros((1, *shapes[-1]), np.float32))
    assert network.planned() == {*shapes} - {shapes[1]}


def test_large_plans_are_not_kept() -> None:
    network = summing()
    says = network(np.ones((1, 1, 300, 600), np.float32))
    assert says[0, 0, 1, 1] == 9 and says[0, 0, 0, 0] == 4
    network(np.zeros((1, 1, 80, 80), np.float32))
    assert network.planned() == {(1, 80, 80)}
