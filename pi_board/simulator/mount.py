"""How the camera hangs: as README recommends it, or however somebody happened to clamp it, drawn from a number."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pi_board.simulator.drawn_name import number_or_plain
from pi_board.simulator.lens import Projection, ViewPose

#: Straight above the table's edge, the picture along the board.
USUAL = "usual"


@dataclass(frozen=True)
class MountModel:
    """How cameras hang that nobody has levelled. Angles in degrees; all set, none measured: the widest that README allows.

    crooked: share of the cameras that are turned by anything up to `turned`; the others are off by `askew` (sigma). azimuth: to how far on
    either side of the near player they may be moved.
    hfov: horizontal field of view, from a phone's lens to a wide Camera Module 3. bent: what a lens of `wide` degrees
    displaces the picture's corner by, as a share of its distance from the middle; narrower lenses bend less.
    fill: of the most that the picture holds; from_800: at least, in a picture of 800 pixels or fewer.
    off, most_off: sigma of the board's middle from the picture's, and most of it, in shares of the picture. margin: of the picture's sides,
    left free.
    """

    crooked: float = 0.4
    turned: float = 40.0
    askew: float = 4.0
    azimuth: float = 60.0
    hfov: tuple[float, float] = (45.0, 102.0)
    bent: tuple[float, float] = (-0.16, 0.03)
    wide: float = 102.0
    fill: tuple[float, float] = (0.6, 1.0)
    from_800: float = 0.85
    off: float = 0.04
    most_off: float = 0.1
    margin: float = 0.015


MODEL = MountModel()


def mount_number(name: str) -> int | None:
    """As `number_or_plain`, of a mount."""
    return number_or_plain("mount", name, USUAL)


def drawn_pose(
    number: int,
    tilt: float,
    size: tuple[int, int],
    extent: tuple[float, float],
    model: MountModel = MODEL,
) -> ViewPose:
    """The pose of mount `number`, `tilt` degrees from straight down: always the same one, and the whole board in the picture.

    size: of the picture, (width, height) pixels. extent: of the board with its frame, (width, height) cm.
    """
    rng = np.random.default_rng((number, 41))
    crooked = rng.random() < model.crooked
    roll = float(rng.uniform(-model.turned, model.turned) if crooked else rng.normal(0, model.askew))
    hfov = float(rng.uniform(*model.hfov))
    corner = np.tan(np.radians(hfov) / 2) ** 2 * (1 + (size[1] / size[0]) ** 2)
    least = model.from_800 if size[0] <= 800 else model.fill[0]
    pose = ViewPose(
        hfov=hfov,
        tilt=tilt,
        azimuth=float(rng.uniform(-model.azimuth, model.azimuth)),
        roll=roll,
        shift_x=float(np.clip(rng.normal(0, model.off), -model.most_off, model.most_off)),
        shift_y=float(np.clip(rng.normal(0, model.off), -model.most_off, model.most_off)),
        k1=float(rng.uniform(*model.bent)) * hfov / model.wide / corner,
        k2=0.0,
    )
    fill = float(rng.uniform(least, model.fill[1])) * _most(pose, size, extent, model.margin)
    return replace(pose, fill=fill)


def _most(pose: ViewPose, size: tuple[int, int], extent: tuple[float, float], margin: float) -> float:
    """The largest `fill` with which the whole frame is in the picture."""
    x, y = extent[0] / 2, extent[1] / 2
    side = np.linspace(-1, 1, 9)
    rim = [(x * s, e * y, 0.0) for s in side for e in (-1, 1)] + [
        (e * x, y * s, 0.0) for s in side for e in (-1, 1)
    ]
    low, high = 0.05, 1.5
    for _ in range(20):
        middle = (low + high) / 2
        seen = Projection.looking(replace(pose, fill=middle), size, extent).project(rim) / size
        if seen.min() > margin and seen.max() < 1 - margin:
            low = middle
        else:
            high = middle
    return low
