"""A patchwork is the whole picture where something has changed, and what it was elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pi_board.vision.changes import Change, ChangeWatch, Part
from pi_board.vision.patchwork import CELL, Patchwork

Image = npt.NDArray[np.uint8]
#: Of the camera's picture, which has a last block that is not whole, and of the resampled one: every third px, from (5, 7) on.
WIDTH, HEIGHT = 324, 244
OUT = (100, 75)
_RNG = np.random.default_rng(3)
SCENE: Image = _RNG.integers(60, 200, (HEIGHT // 4, WIDTH // 4, 3), np.uint8).repeat(4, 0).repeat(4, 1)


def patchwork() -> Patchwork:
    u, v = np.meshgrid(5.0 + 3 * np.arange(OUT[0]), 7.0 + 3 * np.arange(OUT[1]))
    return Patchwork.of_maps(u, v, (WIDTH, HEIGHT), 1.0)


def sampled(image: Image) -> Image:
    return image[7 : 7 + 3 * OUT[1] : 3, 5 : 5 + 3 * OUT[0] : 3]


class Cut:
    """Cuts from one picture, and notes how many px were asked for, and whether they lay in the part that was said to show them."""

    def __init__(self, image: Image) -> None:
        self.image, self.asked = image, 0

    def __call__(self, at: Part, part: Part) -> Image:
        rows, columns = at
        assert part[0].start <= 7 + 3 * rows.start and 7 + 3 * (rows.stop - 1) < part[0].stop
        assert part[1].start <= 5 + 3 * columns.start and 5 + 3 * (columns.stop - 1) < part[1].stop
        out = sampled(self.image)[at]
        self.asked += out.shape[0] * out.shape[1]
        return out


def with_spot(image: Image, x: int, y: int, side: int = 12) -> Image:
    out = image.copy()
    out[y : y + side, x : x + side] = 255 - out[y : y + side, x : x + side] // 2
    return out


def noted(watch: ChangeWatch, image: Image) -> Change:
    """What `image` shows, taken note of."""
    return watch.note(still=watch.see(image, None))


@pytest.mark.parametrize(("x", "y"), [(40, 50), (150, 100), (282, 212), (5, 7)])
def test_only_what_changed_is_made_anew(x: int, y: int) -> None:
    watch, whole = ChangeWatch(), patchwork()
    first = Cut(SCENE)
    assert (whole.renewed(noted(watch, SCENE), first) == sampled(SCENE)).all()
    assert first.asked == OUT[0] * OUT[1]
    # Noise that nobody notes everywhere, and a spot.
    now = with_spot(np.clip(SCENE + _RNG.integers(-2, 3, SCENE.shape), 0, 255).astype(np.uint8), x, y)
    cut = Cut(now)
    picture = whole.renewed(noted(watch, now), cut)
    assert 0 < cut.asked < 0.2 * first.asked
    changed = (sampled(with_spot(SCENE, x, y)) != sampled(SCENE)).any(axis=2)
    assert changed.any() and (picture[changed] == sampled(now)[changed]).all()
    far = np.ones(changed.shape, bool)
    rows, columns = np.nonzero(changed)
    far[
        max(0, rows.min() - 2 * CELL) : rows.max() + 2 * CELL,
        max(0, columns.min() - 2 * CELL) : columns.max() + 2 * CELL,
    ] = False
    assert (picture[far] == sampled(SCENE)[far]).all()


def _other_light(image: Image) -> Image:
    return image + np.uint8(3)


def _all_else(image: Image) -> Image:
    out = image.copy()
    out[:, : WIDTH * 3 // 4] = 255 - out[:, : WIDTH * 3 // 4]
    return out


@pytest.mark.parametrize("change", [_other_light, _all_else])
def test_the_whole_is_made_anew_where_most_changes(change: Any) -> None:
    watch, whole = ChangeWatch(), patchwork()
    whole.renewed(noted(watch, SCENE), Cut(SCENE))
    now = change(SCENE)
    assert (whole.renewed(noted(watch, now), Cut(now)) == sampled(now)).all()


def test_the_whole_is_made_anew_after_a_picture_that_it_was_not_made_of() -> None:
    watch, whole = ChangeWatch(), patchwork()
    whole.renewed(noted(watch, SCENE), Cut(SCENE))
    missed = with_spot(SCENE, 40, 50)
    noted(watch, missed)
    now = with_spot(missed, 200, 150)
    assert (whole.renewed(noted(watch, now), Cut(now)) == sampled(now)).all()


def test_the_whole_is_made_anew_in_turns() -> None:
    watch, whole = ChangeWatch(), patchwork()
    now, asked = SCENE, []
    for i in range(6):
        cut = Cut(now)
        whole.renewed(noted(watch, now), cut)
        asked.append(cut.asked == OUT[0] * OUT[1])
        now = with_spot(now, 40 + 30 * i, 50)
    assert asked == [True, False, False, False, True, False]


def test_a_picture_that_is_not_noted_is_made_whole_and_not_kept() -> None:
    watch, whole = ChangeWatch(), patchwork()
    whole.renewed(noted(watch, SCENE), Cut(SCENE))
    other = with_spot(SCENE, 40, 50)
    assert (whole.renewed(None, Cut(other)) == sampled(other)).all()
    now = with_spot(SCENE, 200, 150)
    assert (whole.renewed(noted(watch, now), Cut(now)) == sampled(now)).all()


def test_what_lies_beyond_the_last_whole_block_is_always_new() -> None:
    u, v = np.meshgrid(np.arange(WIDTH, dtype=float), np.arange(HEIGHT, dtype=float))
    watch, whole = ChangeWatch(), Patchwork.of_maps(u, v, (WIDTH, HEIGHT), 1.0)
    images = [SCENE, with_spot(SCENE, 40, 50)]
    images[1][-3:, -3:] = 0
    for image in images:
        picture = whole.renewed(noted(watch, image), lambda at, part, image=image: image[at])
    assert (picture == images[1]).all()


@pytest.mark.parametrize(("x", "y", "touched"), [(40, 50, True), (310, 230, False)])
def test_it_says_whether_anything_in_it_is_new(x: int, y: int, touched: bool) -> None:
    u, v = np.meshgrid(20.0 + np.arange(60), 30.0 + np.arange(60))
    watch, part = ChangeWatch(), Patchwork.of_maps(u, v, (WIDTH, HEIGHT), 1.0)
    noted(watch, SCENE)
    assert part.touched(noted(watch, with_spot(SCENE, x, y))) is touched
    assert part.touched(noted(watch, _other_light(SCENE)))
