"""Printed parts: one solid piece each, watertight, thick enough, on a bed of 20 cm; only where build123d is installed."""

from __future__ import annotations

import pytest

pytest.importorskip("build123d", reason="pip install -e '.[stand]'")

import stand

OPTIONS = [
    stand.StandOptions(),
    stand.StandOptions("hq", "pi5", 57.0, 41.0, 25.0),
    stand.StandOptions("webcam", "zero", 34.0, 24.0, 15.0),
]


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: f"{o.camera}-{o.pi}")
@pytest.mark.parametrize("name", stand.PARTS)
def test_part_can_be_printed(name: str, options: stand.StandOptions) -> None:
    found = stand.report(name, stand.PARTS[name](options))
    assert found["watertight"] and found["bodies"] == 1
    assert found["wall"] >= stand.THINNEST and max(found["size"]) <= stand.BED


def test_the_lens_hangs_where_the_guide_says() -> None:
    o = OPTIONS[1]
    cut = stand.slats(o)
    lens = stand.LIFT + cut["post"] - stand.LENS
    assert lens == pytest.approx(10 * o.height + stand.BOARD, abs=1)
    # From the post's middle: half a corner, the arm, and half the plate's end, to the middle of the board.
    reach = o.outer / 2 + cut["arm"] + stand.CAMERAS[o.camera][3] / 2
    assert reach == pytest.approx(stand.GAP + 10 * o.depth / 2, abs=1)


def test_a_hole_is_not_taken_for_watertight() -> None:
    mesh = stand.triangles(stand.pad(OPTIONS[0]))
    assert stand.watertight(mesh) and not stand.watertight(mesh[1:])


def test_a_thin_wall_is_found() -> None:
    part = stand._block(20, 20, 10) - stand._block(17, 17, 10, (1, 1.5, 1))
    assert stand.thinnest_wall(stand.triangles(part)) == pytest.approx(1.0, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: f"{o.camera}-{o.pi}")
def test_ten_steps_put_it_together(options: stand.StandOptions) -> None:
    """As many as the guide has; each shows more than one thing, and all clips hang on the bare arm or the post."""
    steps = stand.assembly(options)
    assert len(steps) == 10 and all(len(things) > 1 for things, _, _ in steps)
    guide = (stand.ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"pictures/step_{n:02}.svg" in guide for n in range(1, 11))
    volumes = [sum(thing.volume for thing in things) for things, _, _ in steps[1:4]]
    assert volumes == sorted(volumes), "what was put together stays"
