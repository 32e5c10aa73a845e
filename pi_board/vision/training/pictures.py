"""Training samples: a random board (`boards`) seen by a random camera, resampled as the product does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.checkers.slot_network import CANVAS_H, CANVAS_W, STRIDE, canvas_from_corners
from pi_board.vision.training import boards, drawn_checkers, drawn_hands, sets
from pi_board.vision.training.boards import BoardScene, Plane
from pi_board.vision.training.textures import Floats, Rng

#: Share of training pictures that show sets as people own them.
OWNED = 0.65
#: Share of the slot network's pictures whose field or points are of marble, which may look like checkers.
VEINED = 0.35


@dataclass
class PictureSample:
    """canvas (312, 352, 3) uint8; points (2, 12) signed, row 0 far; bar (light, dark); hidden (2, 12) 0..1; cells (78, 88)."""

    canvas: npt.NDArray[np.uint8]
    points: npt.NDArray[np.int64]
    bar: tuple[int, int]
    hidden: Floats
    cells: npt.NDArray[np.uint8]


@dataclass
class PinholeCamera:
    """Pinhole with radial distortion (OpenCV k1, k2), lengths in checker diameters."""

    focal: float
    size: tuple[int, int]
    rotation: npt.NDArray[np.float64]
    eye: npt.NDArray[np.float64]
    k1: float
    k2: float

    def project(self, xyz: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        p = (xyz - self.eye) @ self.rotation.T
        q = p[:, :2] / p[:, 2:]
        r2 = (q * q).sum(1, keepdims=True)
        q = q * (1 + self.k1 * r2 + self.k2 * r2 * r2)
        return q * self.focal + (np.array(self.size) - 1) / 2

    def plane_points(self, px: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """(N, 2) px -> (N, 2) on the board plane."""
        target = (px - (np.array(self.size) - 1) / 2) / self.focal
        q = target.copy()
        for _ in range(4):
            r2 = (q * q).sum(1, keepdims=True)
            q = target / (1 + self.k1 * r2 + self.k2 * r2 * r2)
        ray = np.concatenate([q, np.ones((len(q), 1))], 1) @ self.rotation
        return self.eye[:2] - ray[:, :2] / ray[:, 2:] * self.eye[2]


def random_camera(
    rng: Rng, scene: BoardScene, hardness: float, size: tuple[int, int] | None = None
) -> PinholeCamera:
    """Above the field, tilted by up to 36 degrees, the field filling most of the picture."""
    size = size or [(800, 600), (640, 480), (560, 420), (768, 432)][rng.integers(4)]
    focal = size[0] / 2 / np.tan(np.radians(rng.uniform(48, 76)) / 2)
    tilt = np.radians(rng.uniform(0, 12) if rng.random() < 0.45 else rng.uniform(3, 14 + 23 * hardness))
    azimuth = np.radians(-90 + rng.normal(0, 45) if rng.random() < 0.85 else rng.uniform(0, 360))
    down = np.array([-np.cos(azimuth) * np.sin(tilt), -np.sin(azimuth) * np.sin(tilt), -np.cos(tilt)])
    right = np.cross(down, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    roll = np.radians(rng.normal(0, 7))
    below = np.cross(down, right)
    r0 = np.stack(
        [np.cos(roll) * right + np.sin(roll) * below, -np.sin(roll) * right + np.cos(roll) * below, down]
    )
    fill = rng.uniform(0.5, 0.9) if rng.random() < 0.8 else rng.uniform(0.38, 0.6)
    distance = max(scene.width * focal / size[0], scene.height * focal / size[1]) / fill
    aim = np.array([rng.normal(0, 0.06) * scene.width, rng.normal(0, 0.06) * scene.height, 0.0])
    return PinholeCamera(
        float(focal),
        size,
        r0,
        aim - down * distance,
        float(rng.uniform(-0.11, 0.03)),
        float(rng.uniform(-0.01, 0.02)),
    )


def compose(
    rng: Rng,
    scene: BoardScene,
    camera: PinholeCamera,
    hardness: float,
    hand_chance: float,
    owned: float = 0.0,
    veined: float = 0.0,
) -> tuple[Plane, Floats]:
    """Draw the board; returns the plane and the hand's mask on it (zeros without one). owned, veined: as for `shoot`."""
    plane = Plane(scene, camera.eye)
    fancy = bool(owned and rng.random() < owned)
    alike = fancy and rng.random() < 0.3
    scene.light, scene.dark = sets.near_colours(rng) if alike else boards.checker_colours(rng)
    colours = [boards.random_colour(rng) for _ in range(4)]
    for i in (1, 2, 3):
        if rng.random() < (0.15, 0.4, 0.4)[i - 1]:  # the set's own colours again, as makers like it
            base = scene.light if rng.random() < 0.4 else scene.dark
            colours[i] = np.clip(base * rng.uniform(0.75, 1.15) + rng.normal(0, 0.03, 3), 0, 1).astype(
                np.float32
            )
    boards.draw_field(rng, plane, colours, sets.draw_points if fancy and rng.random() < 0.7 else None)
    if veined and rng.random() < veined:
        boards.draw_veins(rng, plane, colours[1:])
    steep = rng.uniform(0.5, 3.0)
    a = rng.uniform(0, 2 * np.pi)
    light = np.array([np.cos(a), np.sin(a), steep])
    rim, rim_width = (0.0 if rng.random() < 0.08 else rng.uniform(0.1, 0.75)), rng.uniform(0.25, 1.0)
    rim_colour = colours[1] * rng.uniform(0.4, 1.2) if rng.random() < 0.4 else boards.random_colour(rng)
    for _ in range(int(rng.choice([1, 2]))):
        shade = boards.shadow_mask(plane, scene, light, rng.uniform(0.8, 3 + 14 * (1 - hardness)), rim)
        boards.scale(plane.image, 1 - np.float32(rng.uniform(0.1, 0.5 + 0.25 * hardness)) * shade)
        a = rng.uniform(0, 2 * np.pi)
    shade_of = rng.uniform(0.45, 1.0, 4)
    walls = boards.walls(scene, rim, rim_width)
    for wall, s in zip(walls, shade_of, strict=True):
        if not boards.hides(plane, wall[0]):
            boards.draw_wall(plane, wall, rim_colour.astype(np.float32), s, False)
    bar_colour = (rim_colour if rng.random() < 0.5 else boards.random_colour(rng)).astype(np.float32)
    if rng.random() < 0.25:  # checkers that hardly stand out from the bar
        bar_colour = np.clip(scene.dark * rng.uniform(0.5, 1.3) + rng.normal(0, 0.02, 3), 0, 1).astype(
            np.float32
        )
    boards.draw_bar(rng, plane, bar_colour, scene.bar_top, light)
    draw_checkers(rng, plane, light, hardness, fancy)
    draw_blocks(rng, plane)
    if fancy:
        sets.draw_things(rng, plane)
    for wall, s in zip(walls, shade_of, strict=True):
        if boards.hides(plane, wall[0]):
            boards.draw_wall(plane, wall, rim_colour.astype(np.float32), s, True)
    hand = np.zeros((plane.h, plane.w), np.float32)
    if rng.random() < hand_chance:
        hand = drawn_hands.draw_hand(rng, plane, light)
    boards.illuminate(rng, plane, hardness)
    return plane, hand


def draw_checkers(
    rng: Rng, plane: Plane, light: npt.NDArray[np.float64], hardness: float, fancy: bool = False
) -> None:
    scene = plane.scene
    faces = {
        True: [drawn_checkers.checker_face(rng, scene.light, light)],
        False: [drawn_checkers.checker_face(rng, scene.dark, light)],
    }
    # One mould for both sides, as in a set: same grooves, other colour.
    state = int(rng.integers(2**31))
    for side, colour in ((True, scene.light), (False, scene.dark)):
        faces[side] = [drawn_checkers.checker_face(np.random.default_rng(state), colour, light)]
    slope, differ = np.zeros(2), 0.0
    if fancy:
        slope, differ = sets.room_light(rng, (scene.width, scene.height))
        owners, one_mould = dict(faces), rng.random() < 0.6
        for side, colour, other in ((True, scene.light, scene.dark), (False, scene.dark, scene.light)):
            if rng.random() < 0.85:
                own = np.random.default_rng(state if one_mould else int(rng.integers(2**31)))
                owners[side] = [sets.checker_face(own, colour, other, light)]
        bright, dim = (boards.luma(owners[side][0].mean((0, 1))) for side in (True, False))
        if bright - dim > sets.LEAST_GAP:  # "light" is the brighter side, marks and all
            faces = owners
    spread = rng.choice([0.02, 0.05, 0.1])
    wobble = rng.choice([0.1, 3.0])
    wall_tone = rng.uniform(0.35, 1.0)
    # Lower layers first; within a layer the farther from the eye's foot first, so that walls overlap as seen.
    order = sorted(scene.checkers, key=lambda c: (c.z, -np.hypot(c.x - plane.eye[0], c.y - plane.eye[1])))
    shade = rng.uniform(0.2, 0.6)
    softness = rng.uniform(0.8, 4)
    cut = rng.random() < 0.9
    upper = [c for c in order if c.z > 0.05 and c.column >= 0]
    cast = False
    for c in order:
        if upper and not cast and c is upper[0]:
            cast = True
            if cut:  # the upper layer's shadow on the lower one
                mask = np.zeros((plane.h, plane.w), np.float32)
                for u in upper:
                    x, y, k = plane.flat(
                        u.x - light[0] / light[2] * 0.5 * scene.thickness,
                        u.y - light[1] / light[2] * 0.5 * scene.thickness,
                        u.z,
                    )
                    cv2.circle(mask, (round(x), round(y)), round(0.52 * plane.scale * k), 1.0, -1)
                boards.scale(plane.image, 1 - np.float32(shade) * cv2.GaussianBlur(mask, (0, 0), softness))
        colour = scene.light if c.light else scene.dark
        gain = float(np.exp(rng.normal(0, spread + differ) + slope @ (c.x, c.y)))
        drawn_checkers.draw_checker(
            plane,
            c,
            faces[c.light][0],
            gain,
            colour * gain * wall_tone,
            scene.thickness,
            rng.normal(0, wobble),
        )


def draw_blocks(rng: Rng, plane: Plane) -> None:
    """Dice, cube and odd things between the points."""
    scene = plane.scene
    pairs = int(rng.choice([0, 1, 2], p=[0.2, 0.6, 0.2]))
    size = rng.uniform(0.28, 0.62)
    for _ in range(pairs):
        body, mark = boards.random_colour(rng), boards.random_colour(rng)
        if rng.random() < 0.3:
            body = scene.light if rng.random() < 0.5 else scene.dark
        if abs(boards.luma(body) - boards.luma(mark)) < 0.25:
            mark = np.float32(1.0) - np.round(body)
        pair = (body.astype(np.float32), mark.astype(np.float32))
        for _ in range(2):
            lies = rng.random()
            for _ in range(6):
                x = rng.uniform(-0.47, 0.47) * scene.width
                y = (
                    rng.normal(0, 0.15) * scene.height
                    if rng.random() < 0.7
                    else rng.uniform(-0.48, 0.48) * scene.height
                )
                if lies < 0.2 and scene.checkers:  # against or upon a checker
                    c = scene.checkers[rng.integers(len(scene.checkers))]
                    away, turn = (
                        rng.uniform(0, 0.5) if lies < 0.1 else 0.52 + 0.5 * size,
                        rng.uniform(0, 2 * np.pi),
                    )
                    x, y = c.x + away * np.cos(turn), c.y + away * np.sin(turn)
                under = [
                    c.z + scene.thickness
                    for c in scene.checkers
                    if np.hypot(c.x - x, c.y - y) < 0.5 + 0.5 * size
                ]
                if not under or lies < 0.1:
                    boards.draw_block(rng, plane, x, y, max(under, default=0.0), size, *pair, True)
                    break
    if rng.random() < 0.55:
        body, mark = boards.random_colour(rng), boards.random_colour(rng)
        if rng.random() < 0.7:
            x, y, z = 0.0, rng.choice([0.0, rng.uniform(-0.45, 0.45)]) * scene.height, scene.bar_top
        else:
            x, y, z = rng.uniform(-0.45, 0.45) * scene.width, rng.normal(0, 0.1) * scene.height, 0.0
        if all(np.hypot(c.x - x, c.y - y) > 1.0 for c in scene.checkers):
            boards.draw_block(
                rng,
                plane,
                x,
                y,
                z,
                rng.uniform(0.5, 0.95),
                body.astype(np.float32),
                mark.astype(np.float32),
                False,
            )


def plane_maps(plane: Plane, camera: PinholeCamera) -> tuple[Floats, Floats]:
    """Maps for `cv2.remap` from the plane to the camera's picture."""
    w, h = camera.size
    gx, gy = np.meshgrid(
        np.arange(0, w + 16, 16, dtype=np.float64), np.arange(0, h + 16, 16, dtype=np.float64)
    )
    xy = camera.plane_points(np.stack([gx.ravel(), gy.ravel()], 1))
    u = ((xy[:, 0] - plane.x0) * plane.scale - 0.5).reshape(gx.shape).astype(np.float32)
    v = ((plane.y0 - xy[:, 1]) * plane.scale - 0.5).reshape(gx.shape).astype(np.float32)
    m = np.array([[1 / 16, 0, 0], [0, 1 / 16, 0]], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return tuple(
        np.asarray(cv2.warpAffine(g, m, (w, h), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)
        for g in (u, v)
    )  # type: ignore[return-value]


_NOISE = np.random.default_rng(5).standard_normal((900, 1000, 3)).astype(np.float32)


def photograph(
    rng: Rng, plane: Plane, camera: PinholeCamera, maps: tuple[Floats, Floats], hardness: float
) -> npt.NDArray[np.uint8]:
    """The picture that the camera takes, with blur, noise, white balance, sharpening and JPEG."""
    w, h = camera.size
    gains = np.exp(rng.normal(-0.1, 0.22 + 0.18 * hardness) + rng.normal(0, 0.06, 3))
    saturation = rng.uniform(0.6, 1.3) if rng.random() < 0.5 else 1.0
    grey = np.array([0.114, 0.587, 0.299])
    matrix = (saturation * np.eye(3) + (1 - saturation) * np.ones((3, 1)) * grey) @ np.diag(gains) * 255
    source = cv2.transform(plane.image, matrix.astype(np.float32))
    tone = 255 * np.power(np.arange(256) / 255, rng.uniform(0.75, 1.3))
    if rng.random() < 0.3:
        tone = tone * 0.9 + 255 * rng.uniform(0, 0.12)  # haze, lifted blacks
    source = cv2.LUT(np.clip(source, 0, 255).astype(np.uint8), np.clip(tone, 0, 255).astype(np.uint8))
    step = plane.scale / (camera.focal / float(np.linalg.norm(camera.eye)))
    if step > 1.2:
        source = cv2.GaussianBlur(source, (0, 0), 0.38 * step)
    image = cv2.remap(source, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.2, 0.7 + 0.8 * hardness))
    if rng.random() < 0.3 * hardness:
        n = int(rng.integers(3, 8))
        k = np.zeros((n, n), np.float32)
        a = rng.uniform(0, np.pi)
        c, d = np.array([n / 2, n / 2]), np.array([np.cos(a), np.sin(a)]) * n / 2
        cv2.line(k, tuple(int(t) for t in c - d), tuple(int(t) for t in c + d), 1.0, 1)
        image = cv2.filter2D(image, -1, k / max(float(k.sum()), 1))
    y, x = int(rng.integers(900 - h)), int(rng.integers(1000 - w))
    n1 = _NOISE[y : y + h, x : x + w]
    if rng.random() < 0.35:  # what a denoiser leaves: blotches
        n1 = 1.6 * cv2.GaussianBlur(n1, (0, 0), 0.8)
    noise = 255 * rng.uniform(0.003, 0.02 + 0.035 * hardness)
    amount = np.float32(noise) * (0.4 + np.sqrt(np.arange(256) / 255)).astype(np.float32)
    out: Any = np.clip(image + n1 * cv2.LUT(image, amount), 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        s = rng.uniform(0.1, 0.8)
        out = cv2.addWeighted(out, 1 + s, cv2.GaussianBlur(out, (0, 0), 1.2), -s, 0)
    if rng.random() < 0.8:
        code = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 96))])[1]
        out = cv2.imdecode(code, cv2.IMREAD_COLOR)
    return np.asarray(out, np.uint8)


@dataclass
class Photo:
    """A synthetic photo with its truth, numbered as `Orientation("light", "right")` does.

    image (H, W, 3) uint8; corners (4, 2) px; points 24 signed; bar (light, dark).
    """

    image: npt.NDArray[np.uint8]
    corners: npt.NDArray[np.float64]
    points: list[int]
    bar: tuple[int, int]


@dataclass
class Shot:
    scene: BoardScene
    plane: Plane
    hand: Floats
    maps: tuple[Floats, Floats]
    image: npt.NDArray[np.uint8]
    corners: npt.NDArray[np.float64]


def field_corners(scene: BoardScene, camera: PinholeCamera) -> npt.NDArray[np.float64]:
    """(4, 2) px TL TR BR BL."""
    hw, hh = scene.width / 2, scene.height / 2
    return camera.project(np.array([[-hw, hh, 0], [hw, hh, 0], [hw, -hh, 0], [-hw, -hh, 0]]))


def shoot(
    rng: Rng,
    hardness: float,
    hand_chance: float,
    points: npt.NDArray[np.int64] | None = None,
    size: tuple[int, int] | None = None,
    scale: int = boards.SCALE,
    owned: float = 0.0,
    veined: float = 0.0,
) -> Shot:
    """One board and its picture.

    points: (2, 12) signed counts instead of a random position. size: px of the picture. scale: px per diameter in the drawing.
    owned: how often it is a set as `sets` draws them. veined: how often parts of the field are of marble.
    """
    scene = boards.lay_out(rng, points)
    scene.scale = scale
    for _ in range(6):
        camera = random_camera(rng, scene, hardness, size)
        corners = field_corners(scene, camera)
        if (corners > -8).all() and (corners < np.array(camera.size) + 8).all():
            break
    plane, hand = compose(rng, scene, camera, hardness, hand_chance, owned, veined)
    maps = plane_maps(plane, camera)
    image = photograph(rng, plane, camera, maps, hardness)
    return Shot(scene, plane, hand, maps, image, corners)


def make_photo(rng: Rng, *, hardness: float, hand: bool, owned: float = 0.0) -> Photo:
    """A photo as `read_image` would get it; hardness 0..1; owned: as for `shoot`."""
    shot = shoot(rng, hardness, float(hand), owned=owned)
    far, near = shot.scene.points
    return Photo(shot.image, shot.corners, [int(n) for n in (*near[::-1], *far)], shot.scene.bar)


def make_sample(rng: Rng) -> PictureSample:
    """One training picture with its truth."""
    hardness = float(rng.choice([0.0, 0.4, 1.0]) * rng.random())
    shot = shoot(rng, hardness, 0.4, owned=OWNED, veined=VEINED)
    scene, plane, hand, image, corners = shot.scene, shot.plane, shot.hand, shot.image, shot.corners
    hh = scene.height / 2
    span = float(np.linalg.norm(corners[1] - corners[0]))
    sloppy = rng.choice([0.0005, 0.0025, 0.006], p=[0.45, 0.35, 0.2])
    corners = corners + rng.normal(0, sloppy * span, (4, 2))
    bar_share = float(
        np.clip(scene.bar_width / scene.width + rng.normal(0, rng.choice([0.002, 0.006, 0.012])), 0.01, 0.16)
    )
    canvas = canvas_from_corners(image, corners, bar_share)

    # The truth on the canvas: through the picture again, by the same maps.
    label_image = project_labels(plane, shot.maps)
    cells = cells_of(canvas_from_corners(label_image, corners, bar_share))
    hidden = np.zeros((2, 12), np.float32)
    if hand.any():
        for row, side in enumerate((1.0, -1.0)):
            for column in range(12):
                marks = []
                for i in range(5):
                    for ox, oy in ((0, 0), (-0.25, 0), (0.25, 0), (0, 0.25), (0, -0.25)):
                        px, py, _ = plane.flat(
                            scene.column_x(column) + ox, side * (hh - 0.5 - i + oy), scene.thickness
                        )
                        marks.append(hand[int(np.clip(py, 0, plane.h - 1)), int(np.clip(px, 0, plane.w - 1))])
                hidden[row, column] = np.mean(marks)
    return PictureSample(canvas, scene.points, scene.bar, hidden, cells)


def cells_of(labels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """(78, 88) what lies in each cell, as `slot_network.Scores.cells` counts it, of (312, 352, 3) as of `project_labels` on the canvas."""
    size = CANVAS_W // STRIDE, CANVAS_H // STRIDE
    small = cv2.resize(labels, size, interpolation=cv2.INTER_AREA).astype(np.int32)
    return np.argmax(np.dstack([255 - small.sum(2), small]), axis=2).astype(np.uint8)


def project_labels(plane: Plane, maps: tuple[Floats, Floats]) -> npt.NDArray[np.uint8]:
    """(h, w, 3) uint8 in the camera's picture: light top, dark top, hand (0 or 255)."""
    layers = cv2.merge([np.where(plane.label == k, 255, 0).astype(np.uint8) for k in (1, 2, 3)])
    return np.asarray(
        cv2.remap(layers, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8
    )


def upper_layer(shot: Shot) -> npt.NDArray[np.uint8]:
    """(h, w, 3) uint8 in the camera's picture: 255 where the top of a checker lies that stands on another."""
    layer = (shot.plane.upper * 255).astype(np.uint8)
    return np.asarray(
        cv2.remap(
            cv2.merge([layer] * 3),
            shot.maps[0],
            shot.maps[1],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
        ),
        np.uint8,
    )
