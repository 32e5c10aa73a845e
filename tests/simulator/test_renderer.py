"""Pictures: what is drawn is where the lens says, and redrawing a part is the same as redrawing all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pi_board.simulator import STYLES, Effects, Renderer, Scene
from pi_board.simulator.lens import ViewPose
from pi_board.simulator.things import Hand, Slab

SMALL = (480, 270)


def flat_scene(
    style: str = "travel", seed: int = 1, size: tuple[int, int] = (640, 480)
) -> tuple[Scene, Renderer]:
    """A plain scene seen straight from above without noise, for tests of geometry."""
    scene = Scene(
        style, rng=np.random.default_rng(seed), pose=ViewPose(tilt=0, azimuth=0, roll=0, k1=0, k2=0)
    )
    scene.effects = replace(scene.effects, noise=0.0)
    return scene, Renderer(size, seed)


def clean(scene: Scene) -> Scene:
    scene.effects = Effects(noise=0.0)
    return scene


def test_partial_redraw_equals_full_redraw() -> None:
    rng = np.random.default_rng(4)
    scene = clean(Scene("travel", rng=rng))
    old = Renderer(SMALL)
    old.render(scene.view, scene.things(), effects=scene.effects)
    for _ in range(4):
        places = [p for p, stack in scene.places.items() if stack]
        checker = scene.take(places[int(rng.integers(len(places)))])
        scene.put(checker.side, ("point", int(rng.integers(1, 25))))
        if rng.random() < 0.5:
            scene.dice = []
            scene.lay_die("light", int(rng.integers(1, 7)))
        kept = old.render(scene.view, scene.things(), effects=scene.effects)
        fresh = Renderer(SMALL).render(scene.view, scene.things(), effects=scene.effects)
        difference = np.abs(kept.astype(int) - fresh)
        # Sums of rounded layers; never more than a grey level or two.
        assert difference.max() <= 3, difference.max()


@pytest.mark.parametrize("style", STYLES)
def test_checkers_appear_where_the_lens_projects_them(style: str) -> None:
    scene, renderer = flat_scene(style)
    scene.cube = None
    image = renderer.render(scene.view, scene.things(), effects=scene.effects)
    empty = renderer.background
    s = scene.style
    for side in ("light", "dark"):
        stack = [c for st in scene.places.values() for c in st if c.side == side]
        px = renderer.lens.project([(c.x, c.y, s.checker_height) for c in stack]).round().astype(int)
        seen = image[px[:, 1], px[:, 0]].astype(float)
        want = np.asarray(s.light if side == "light" else s.dark) * 255
        # Lit by one lamp, but the hue and order of brightness stay.
        assert (
            np.corrcoef(seen.mean(axis=0) - seen.mean(), want - want.mean())[0, 1] > 0.5 or np.ptp(want) < 30
        )
        assert np.abs(seen.mean() - want.mean()) < 70
    away = renderer.lens.project([(0, 0, s.bar_height)]).round().astype(int)[0]
    assert np.array_equal(image[away[1], away[0]], empty[away[1], away[0]])


def test_every_frame_is_new_and_noisy() -> None:
    scene = Scene("travel")
    renderer = Renderer(SMALL)
    a = renderer.render(scene.view, scene.things(), effects=Effects(noise=3))
    b = renderer.render(scene.view, scene.things(), effects=Effects(noise=3))
    assert a is not b and a.shape == (270, 480, 3) and a.dtype == np.uint8
    spread = (a.astype(float) - b).std() / np.sqrt(2)
    assert 1.5 < spread < 4.5


def test_hand_covers_and_darkens() -> None:
    scene, renderer = flat_scene()
    before = renderer.render(scene.view, scene.things(), effects=scene.effects)
    hand = Hand(2.0, 1.0, 1.0, 90.0)
    after = renderer.render(scene.view, scene.things(), [hand], scene.effects)
    cover = renderer.hand_cover([hand])
    assert cover is not None and 0.03 < cover.mean() < 0.3
    changed = np.abs(after.astype(int) - before).max(axis=2)
    assert (changed[cover > 0.9] > 8).mean() > 0.8
    assert np.array_equal(renderer.render(scene.view, scene.things(), [], scene.effects), before)


def test_phone_lies_over_the_checkers() -> None:
    scene, renderer = flat_scene()
    before = renderer.render(scene.view, scene.things(), effects=scene.effects)
    scene.clutter = [Slab(4.0, -6.0, 1.0, 20.0)]
    after = renderer.render(scene.view, scene.things(), effects=scene.effects)
    x, y = renderer.lens.project([(4.0, -6.0, 1.9)]).round().astype(int)[0]
    assert after[y - 20 : y + 20, x - 20 : x + 20].mean() < 60
    assert 0.04 < (np.abs(after.astype(int) - before).max(axis=2) > 5).mean() < 0.4


@pytest.mark.parametrize("angle", [0, 77, 90, 200, 270])
def test_hand_may_leave_the_picture_anywhere(angle: float) -> None:
    scene, renderer = flat_scene(size=(320, 240))
    for x in np.linspace(-60, 60, 9):
        for y in np.linspace(-60, 60, 9):
            image = renderer.render(
                scene.view, scene.things(), [Hand(x, y, 2.0, angle, blur=0.5)], scene.effects
            )
            assert image.shape == (240, 320, 3)


@pytest.mark.parametrize(
    ("effects", "check"),
    [
        (Effects(noise=0, gain=0.25), lambda a, b: a.mean() < 0.65 * b.mean()),
        (Effects(noise=0, blur=4), lambda a, b: np.abs(np.diff(a.astype(int), axis=1)).mean() < 0.5 * np.abs(np.diff(b.astype(int), axis=1)).mean()),
        (Effects(noise=0, blocked=1.0), lambda a, b: a.std() < 15),
        (Effects(noise=0, shake=20), lambda a, b: np.abs(a.astype(int) - b).mean() > 2),
    ],
)  # fmt: skip
def test_effects(effects: Effects, check) -> None:
    scene = clean(Scene("wood"))
    renderer = Renderer(SMALL)
    plain = renderer.render(scene.view, scene.things(), effects=scene.effects)
    assert check(renderer.render(scene.view, scene.things(), effects=effects), plain)


def test_turned_board_is_the_same_board_upside_down() -> None:
    scene, renderer = flat_scene()
    scene.view = replace(scene.view, light=replace(scene.view.light, gradient=0.0))
    a = renderer.render(scene.view, scene.things(), effects=scene.effects)
    corners = renderer.lens.project(scene.layout.corners())
    b = renderer.render(replace(scene.view, turned=True), scene.things(), effects=scene.effects)
    turned = renderer.lens.project(scene.layout.corners())
    assert np.allclose(turned, np.roll(corners, 2, axis=0), atol=1e-6)
    assert np.abs(a.astype(int) - b).mean() > 5
    assert np.abs(a.astype(int) - b[::-1, ::-1]).mean() < 6


def test_same_seed_same_pictures() -> None:
    def pictures() -> list[np.ndarray]:
        scene = Scene("travel", rng=np.random.default_rng(8))
        renderer = Renderer(SMALL, 8)
        out = []
        for _ in range(3):
            scene.lay_die("dark", 2)
            out.append(renderer.render(scene.view, scene.things(), effects=scene.effects))
        return out

    assert all(np.array_equal(a, b) for a, b in zip(pictures(), pictures(), strict=True))
