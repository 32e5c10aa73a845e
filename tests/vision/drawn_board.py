"""A board drawn by hand for tests of geometry and registration: no simulator, every place known."""

from __future__ import annotations

import cv2
import numpy as np

from pi_board.vision.board.orientation import Row
from pi_board.vision.profile import BoardProfile, load_profile

PROFILE = load_profile("generic")
PX = 24  # drawing scale, px per cm
AROUND = 14.0  # cm of table around the field

WOOD = {
    "table": (60, 75, 95),
    "rim": (30, 45, 70),
    "field": (90, 130, 165),
    "a": (40, 55, 80),
    "b": (150, 190, 215),
    "bar": (40, 60, 95),
}
FELT = {
    "table": (190, 195, 200),
    "rim": (25, 25, 28),
    "field": (50, 90, 30),
    "a": (40, 30, 170),
    "b": (215, 220, 220),
    "bar": (30, 30, 34),
}
START = {
    (0, Row.NEAR): 5,
    (4, Row.NEAR): 3,
    (6, Row.NEAR): 5,
    (11, Row.NEAR): 2,
    (0, Row.FAR): 5,
    (4, Row.FAR): 3,
    (6, Row.FAR): 5,
    (11, Row.FAR): 2,
}

#: The outermost points are bare, as they are in most positions of a game.
MIDGAME = {(2, Row.NEAR): 5, (4, Row.FAR): 3, (6, Row.NEAR): 4, (8, Row.FAR): 5, (9, Row.NEAR): 2}


def flat_board(
    profile: BoardProfile = PROFILE,
    colours=WOOD,
    checkers=START,
    seed=0,
    power: float = 1.0,
    width: float = 0.95,
) -> np.ndarray:
    """The board from above, (H, W, 3) uint8, PX px per cm, with AROUND cm of table on every side. power: of the
    points' sides, as `PointPattern`: 1 triangles, 2 lancets. width: of a point at its base, in columns."""
    rng = np.random.default_rng(seed)
    w, h = profile.field_width, profile.field_height
    size = (round((h + 2 * AROUND) * PX), round((w + 2 * AROUND) * PX))
    image = np.empty((*size, 3), np.uint8)
    image[:] = colours["table"]
    centre = np.array([size[1], size[0]]) / 2

    def px(x, y):
        return np.round(centre + np.array([x, -y]) * PX).astype(int)

    def box(x0, y0, x1, y1, colour):
        cv2.rectangle(image, tuple(map(int, px(x0, y1))), tuple(map(int, px(x1, y0))), colour, -1)

    r = profile.rim_width
    box(-w / 2 - r, -h / 2 - r, w / 2 + r, h / 2 + r, colours["rim"])
    box(-w / 2, -h / 2, w / 2, h / 2, colours["field"])
    pitch, bar = profile.point_width, profile.bar_width
    for c in range(12):
        x = (-w / 2 + (c + 0.5) * pitch) if c < 6 else bar / 2 + (c - 5.5) * pitch
        for s, row in ((1, Row.FAR), (-1, Row.NEAR)):
            colour = colours["a" if (c + (s > 0)) % 2 else "b"]
            base = width * pitch / 2
            t = np.linspace(0, 1, 20)
            half, y = base * (1 - t**power), s * (h / 2 - profile.point_length * t)
            tip = np.array(
                [px(x - a, b) for a, b in zip(half, y, strict=True)]
                + [px(x + a, b) for a, b in zip(half, y, strict=True)][::-1]
            )
            cv2.fillPoly(image, [tip.astype(np.int32)], colour, cv2.LINE_AA)
            for i in range(checkers.get((c, row), 0)):
                y = s * (h / 2 - profile.checker_diameter * (i + 0.5))
                shade = (225, 235, 240) if (c + (s > 0)) % 4 < 2 else (25, 22, 20)
                cv2.circle(
                    image,
                    tuple(map(int, px(x, y))),
                    round(profile.checker_diameter / 2 * PX),
                    shade,
                    -1,
                    cv2.LINE_AA,
                )
                cv2.circle(
                    image,
                    tuple(map(int, px(x, y))),
                    round(profile.checker_diameter / 3 * PX),
                    tuple(int(0.8 * v) for v in shade),
                    2,
                    cv2.LINE_AA,
                )
    box(-bar / 2, -h / 2, bar / 2, h / 2, colours["bar"])
    for y in (-0.3, 0.3):
        box(-0.6, y * h - 0.4, 0.6, y * h + 0.4, (60, 150, 190))
    grain = cv2.resize(rng.normal(0, 5, (size[0] // 6, size[1] // 40)).astype(np.float32), size[::-1])
    return np.clip(image + grain[..., None], 0, 255).astype(np.uint8)


def photograph(
    flat: np.ndarray,
    profile: BoardProfile = PROFILE,
    size=(1280, 720),
    tilt=12.0,
    azimuth=20.0,
    roll=2.0,
    distance=52.0,
    seed=1,
) -> tuple[np.ndarray, np.ndarray]:
    """((H, W, 3) picture, (4, 2) corners of the field) from a camera that looks at the board's middle."""
    from tests.vision.board.test_geometry import camera, field_corners, see

    rotation, translation, k = camera(tilt, azimuth, roll, height=distance, focal=0.85 * size[0])
    k = k.copy()
    k[0, 2], k[1, 2] = (size[0] - 1) / 2, (size[1] - 1) / 2
    corners = see(field_corners(profile), (rotation, translation, k))
    source = (
        np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
        * [profile.field_width / 2, -profile.field_height / 2]
        * PX
    )
    source = (source * [1, 1] + np.array([flat.shape[1], flat.shape[0]]) / 2).astype(np.float32)
    h = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    smooth = cv2.GaussianBlur(flat, (0, 0), 0.45 * PX * distance / (0.85 * size[0]))
    picture = cv2.warpPerspective(smooth, h, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    noise = np.random.default_rng(seed).normal(0, 2.5, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8), corners


def share_of_width(found, truth):
    """How far the farthest of (4, 2) corners is off, as a share of the board's width."""
    return np.linalg.norm(found - truth, axis=1).max() / np.linalg.norm(truth[1] - truth[0])
