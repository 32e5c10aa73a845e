"""Rooms of the campaign, seen through a cheap webcam: is the game refereed as it is through a camera whose settings are locked?

    python tests/bench/bench_webcam.py [--games 8] [--seed S] [--slow F] [--room NAME=VALUE] [--only exposure,colour,mains,picture,repeat] [--keep DIR] [--sheet FILE]

Of each room a webcam is drawn whose exposure and white balance follow the picture (a sleeve that comes in makes the board brighter), in
whose pictures lamps on the mains leave dark bands that wander, with a tone curve, halos and JPEG blocks of its own, and which repeats a
picture now and then. Everything else is as in `pi-board bench campaign`, whose figures it prints. --only: these of its faults alone, to
find the one that matters. --sheet: pictures of the first room, as they were and as the webcam gives them.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.camera.simulated import SimulatedCamera
from pi_board.campaign import play
from pi_board.campaign.rooms import draw_room, fixed_from
from pi_board.campaign.run import Plan
from pi_board.campaign.table import lines
from pi_board.commands.bench_campaign import game_line
from pi_board.frame import Frame
from pi_board.simulator import SimulatorOptions

Rng = np.random.Generator
Image = npt.NDArray[np.uint8]
FAULTS = ("exposure", "colour", "mains", "picture", "repeat")


@dataclass(frozen=True, slots=True)
class Webcam:
    """exposure: share (0..1) of a change of the picture's mean that it takes back, settles: seconds until two thirds of it are. whitens: the
    same of the three colours' means, and paled: seconds. bands: share (0..1) of the light that a band is darker, periods: bands in a
    picture, wander: of a period from one picture to the next. gamma, colour: exponent of the levels, factor of saturation. halo: of
    sharpening. quality: of the JPEG, 0..100. repeats: share of pictures that are the one before.
    """

    exposure: float
    settles: float
    whitens: float
    paled: float
    bands: float
    periods: float
    wander: float
    gamma: float
    colour: float
    halo: float
    quality: int
    repeats: float

    @classmethod
    def draw(cls, rng: Rng) -> Webcam:
        return cls(
            exposure=float(rng.uniform(0.3, 1.0)),
            settles=float(rng.uniform(0.2, 2.0)),
            whitens=float(rng.uniform(0.0, 0.4)),
            paled=float(rng.uniform(2.0, 15.0)),
            bands=float(rng.uniform(0.0, 0.06)),
            periods=float(rng.uniform(0.5, 4.0)),
            wander=float(rng.uniform(0.02, 0.5)),
            gamma=float(rng.uniform(0.85, 1.2)),
            colour=float(rng.uniform(0.75, 1.25)),
            halo=float(rng.uniform(0.0, 0.8)),
            quality=int(rng.integers(45, 92)),
            repeats=float(rng.uniform(0.0, 0.08)),
        )

    def without(self, faults: set[str]) -> Webcam:
        """The same, with these faults mended."""
        mended: dict[str, dict[str, Any]] = {
            "exposure": {"exposure": 0.0},
            "colour": {"whitens": 0.0},
            "mains": {"bands": 0.0},
            "picture": {"gamma": 1.0, "colour": 1.0, "halo": 0.0, "quality": 100},
            "repeat": {"repeats": 0.0},
        }
        out = self
        for fault in faults:
            out = replace(out, **mended[fault])
        return out


class ThroughWebcam(SimulatedCamera):
    """The simulated camera's pictures as a webcam gives them. `wanted` faults only; `pictures`: (as it was, as given) of some."""

    wanted: ClassVar[set[str]] = set(FAULTS)
    pictures: ClassVar[list[tuple[Image, Image]]] = []

    def __init__(self, options: SimulatorOptions, **more: Any) -> None:
        super().__init__(options, **more)
        self._rng = np.random.default_rng((options.seed, 77))
        self.webcam = Webcam.draw(self._rng).without(set(FAULTS) - self.wanted)
        self._usual: npt.NDArray[np.float64] | None = None
        self._gain = np.ones(3)
        self._at, self._phase = 0.0, 0.0
        self._last: Image | None = None

    def read(self, timeout: float | None = None) -> Frame | None:
        frame = super().read(timeout)
        if frame is None:
            return None
        given = self._given(frame)
        if len(self.pictures) < 6 and frame.seq % 97 == 40:
            self.pictures.append((frame.image, given))
        return replace(frame, image=given)

    def _given(self, frame: Frame) -> Image:
        w, rng = self.webcam, self._rng
        seconds, self._at = max(0.0, frame.time - self._at), frame.time
        if self._last is not None and rng.random() < w.repeats:
            return self._last
        # (The light itself; a picture's levels are its root, about.)
        light = (frame.image.astype(np.float32) / 255) ** 2.2
        mean = light[::8, ::8].mean(axis=(0, 1)).astype(np.float64)
        if self._usual is None:
            self._usual = mean
        grey, usual = float(mean.mean()), float(self._usual.mean())
        bright = (usual / max(grey, 1e-4)) ** w.exposure
        pale = ((self._usual / usual) / (mean / max(grey, 1e-4))) ** w.whitens
        # Brightness and hue follow with different speeds.
        self._gain *= (bright / self._gain.mean()) ** (1 - np.exp(-seconds / w.settles))
        hue = self._gain / self._gain.mean()
        self._gain *= (pale / hue) ** (1 - np.exp(-seconds / w.paled))
        light *= self._gain.astype(np.float32)
        self._phase += w.wander * rng.uniform(0.5, 1.5)
        rows = np.arange(light.shape[0]) / light.shape[0] * w.periods + self._phase
        light *= (1 - w.bands * (0.5 + 0.5 * np.sin(2 * np.pi * rows)))[:, None, None].astype(np.float32)
        levels = np.clip(light, 0, 1) ** (w.gamma / 2.2)
        if w.colour != 1.0:
            levels = levels.mean(axis=2, keepdims=True) * (1 - w.colour) + levels * w.colour
        if w.halo:
            levels += w.halo * (levels - cv2.GaussianBlur(levels, (0, 0), 1.5))
        image = np.clip(levels * 255 + 0.5, 0, 255).astype(np.uint8)
        if w.quality < 100:
            ok, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, w.quality])
            assert ok
            image = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
        self._last = image
        return image


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slow", type=float, default=0.0)
    parser.add_argument("--room", action="append", default=[])
    parser.add_argument("--only", default=",".join(FAULTS))
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--sheet", type=Path)
    args = parser.parse_args()
    ThroughWebcam.wanted = set(args.only.split(","))
    if not ThroughWebcam.wanted <= set(FAULTS):
        parser.error(f"--only: expected some of {', '.join(FAULTS)}, got {args.only!r}")
    cv2.setNumThreads(1)
    play.SimulatedCamera = ThroughWebcam  # type: ignore[misc]
    plan = Plan(games=args.games, seed=args.seed, slow=args.slow, fixed=fixed_from(args.room))
    scores = []
    for seed in plan.seeds():
        scores.append(
            play.play_room(
                seed, draw_room(seed, plan.fixed), slow=args.slow, keep=args.keep, looks=args.keep is not None
            )
        )
        print(game_line(scores[-1], f"--games 1 --seed {seed} --only {args.only}"), flush=True)
        if args.sheet and ThroughWebcam.pictures:
            rows = [np.hstack([cv2.resize(one, (640, 360)) for one in two]) for two in ThroughWebcam.pictures]
            cv2.imwrite(str(args.sheet), np.vstack(rows))
            args.sheet = None
    print("\n".join(lines(scores)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
