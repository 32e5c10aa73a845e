"""What dice lie on in a drawn scene: a ground of felt, wood or cloth, the points painted over it, and what lies about that is no die."""

# mypy: ignore-errors
from __future__ import annotations

import cv2
import numpy as np

from pi_board.vision.training.dice_scenes import Floats, Rng, _colour


def grain(rng: Rng, size: int, cell: float, stretch: float = 1.0) -> Floats:
    """Smooth noise (size, size), mean 0, about ±1, with blobs of `cell` pixels, `stretch` times longer in y."""
    h = max(2, int(size / (cell * stretch)) + 2)
    w = max(2, int(size / cell) + 2)
    return cv2.resize(
        rng.normal(0, 1, (h, w)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC
    )


def plain_ground(rng: Rng, size: int, scale: float) -> Floats:
    """A plain ground (size, size, 3): felt, leather, wood, cloth or paper. scale: px per cm."""
    ground = np.ones((size, size, 3), np.float32) * _colour(rng)
    kind = rng.random()
    if kind < 0.35:  # wood
        a = grain(rng, size, scale * rng.uniform(0.08, 0.5), rng.uniform(6, 30))
        a = a + 0.5 * grain(rng, size, max(1.5, scale * 0.06), 12)
        ground = ground * (1 + rng.uniform(0.03, 0.22) * a[..., None])
        if rng.random() < 0.5:
            ground = np.rot90(ground).copy()
    elif kind < 0.75:  # felt, leather, cork
        ground = ground * (
            1 + rng.uniform(0.0, 0.2) * grain(rng, size, max(1.0, scale * rng.uniform(0.03, 0.15)))[..., None]
        )
    if rng.random() < 0.5:
        ground = ground * (1 + rng.uniform(0, 0.15) * grain(rng, size, scale * 2)[..., None])
    if kind > 0.94:  # check or stripes
        step = max(4, int(scale * rng.uniform(0.7, 2.5)))
        xs = (np.arange(size) // step) % 2
        pattern = xs[None, :] + xs[:, None] * (rng.random() < 0.7)
        ground = ground * (1 - pattern[..., None] * 0.5 * rng.uniform(0.2, 1, 3)).astype(np.float32)
    return ground.astype(np.float32)


def paint_points(rng: Rng, canvas: Floats, scale: float) -> None:
    """Board points (long triangles), painted over the ground."""
    size = canvas.shape[0]
    width = rng.uniform(2.2, 5.0) * scale
    length = rng.uniform(9, 18) * scale
    base = rng.uniform(-length * 0.3, size + length * 0.3)
    sign = 1.0 if base < size / 2 else -1.0
    if rng.random() < 0.2:
        sign = -sign
    colours = [_colour(rng), _colour(rng)]
    start = rng.uniform(-width, 0)
    layer = np.zeros(canvas.shape[:2], np.uint8)
    tip = rng.choice([0.0, 0.0, rng.uniform(0, 0.15)])
    textures = [
        np.ones((size, size, 3), np.float32)
        * c
        * (1 + rng.uniform(0, 0.1) * grain(rng, size, scale * 0.1)[..., None])
        for c in colours
    ]
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), float(rng.choice([0, 90]) + rng.normal(0, 2)), 1.0)
    dots = rng.uniform(0.12, 0.4) if rng.random() < 0.3 else 0.0
    other = int(rng.integers(2))
    for i in range(int(size / width) + 3):
        x = start + i * width
        gap = rng.uniform(0, 0.03) * width
        corners = np.array(
            [
                [x + gap, base],
                [x + width - gap, base],
                [x + width * (0.5 + tip), base + sign * length],
                [x + width * (0.5 - tip), base + sign * length],
            ]
        )
        corners = cv2.transform(corners[None], turn)[0]
        layer[:] = 0
        cv2.fillConvexPoly(layer, np.round(corners * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        alpha = (layer / 255.0).astype(np.float32)[..., None]
        canvas[:] = canvas * (1 - alpha) + textures[i % 2] * alpha
        if dots:
            tip_at = tuple(int(v) for v in np.round(corners[2:].mean(0) * 16))
            cv2.circle(
                canvas,
                tip_at,
                round(dots * scale * 16),
                [float(c) for c in colours[(i + other) % 2]],
                -1,
                cv2.LINE_AA,
                4,
            )


def paint_clutter(rng: Rng, canvas: Floats, scale: float, centred: bool = False) -> None:
    """Things that are no dice: hinges, seams, screws, paper, numbers."""
    size = canvas.shape[0]
    for _ in range(rng.integers(1, 4)):
        kind = rng.random()
        centre = rng.normal(size / 2, size * 0.05, 2) if centred else rng.uniform(0, size, 2)
        colour = [float(c) for c in _colour(rng)]
        if kind < 0.4:  # hinge or plate: one or two leaves, screws, a seam between
            wh = rng.uniform(0.4, 2.2, 2) * scale
            turn = float(rng.choice([0, 90, rng.uniform(0, 90)]))
            if rng.random() < 0.4:
                colour = [float(v) for v in np.array([0.2, 0.65, 0.85]) * rng.uniform(0.6, 1.1)]
            box = cv2.boxPoints((tuple(map(float, centre)), tuple(map(float, wh)), turn))
            cv2.fillConvexPoly(canvas, np.round(box * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
            if rng.random() < 0.5:
                pin = np.round((box[[0, 1]] + box[[3, 2]]) / 2 * 16).astype(np.int32)
                cv2.line(
                    canvas,
                    pin[0].tolist(),
                    pin[1].tolist(),
                    [c * 0.5 for c in colour],
                    max(1, round(scale * 0.08)),
                    cv2.LINE_AA,
                    4,
                )
            if rng.random() < 0.6:
                for _ in range(rng.integers(1, 5)):
                    spot = centre + rng.uniform(-0.35, 0.35, 2) * wh
                    cv2.circle(
                        canvas,
                        tuple(np.round(spot * 16).astype(int).tolist()),
                        round(rng.uniform(0.06, 0.15) * scale * 16),
                        [float(c) for c in _colour(rng)],
                        -1,
                        cv2.LINE_AA,
                        4,
                    )
        elif kind < 0.6:  # seam
            other = rng.uniform(-size, 2 * size, 2)
            cv2.line(
                canvas,
                tuple(centre.astype(int).tolist()),
                tuple(other.astype(int).tolist()),
                colour,
                max(1, round(scale * rng.uniform(0.03, 0.3))),
                cv2.LINE_AA,
            )
        elif kind < 0.7:  # a point's tip, perhaps with a dot
            turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else rng.choice([0.0, np.pi])
            along, across = np.array([np.sin(turn), np.cos(turn)]), np.array([np.cos(turn), -np.sin(turn)])
            base = centre + along * scale * 12
            wide = rng.uniform(1.0, 2.5) * scale
            cv2.fillConvexPoly(
                canvas,
                np.round(np.array([centre, base + across * wide, base - across * wide]) * 16).astype(
                    np.int32
                ),
                colour,
                cv2.LINE_AA,
                4,
            )
            if rng.random() < 0.7:
                spot = centre - along * scale * rng.uniform(-0.1, 0.4)
                cv2.circle(
                    canvas,
                    tuple(np.round(spot * 16).astype(int).tolist()),
                    round(rng.uniform(0.1, 0.4) * scale * 16),
                    colour,
                    -1,
                    cv2.LINE_AA,
                    4,
                )
        elif kind < 0.85:  # dots, coins
            cv2.circle(
                canvas,
                tuple(np.round(centre * 16).astype(int).tolist()),
                round(rng.uniform(0.15, 1.3) * scale * 16),
                colour,
                -1,
                cv2.LINE_AA,
                4,
            )
        else:  # letters
            mask = np.zeros((size, size), np.uint8)
            cv2.putText(
                mask,
                "".join(rng.choice(list("ABO0618:.ox#"), 3)),
                tuple(centre.astype(int).tolist()),
                int(rng.integers(8)),
                float(scale / 30 * rng.uniform(0.4, 2)),
                (255,),
                max(1, round(scale * 0.1)),
                cv2.LINE_AA,
            )
            canvas[mask > 127] = colour
