"""Sets that people own: materials, marks and inlays that `boards` draws over its plain ones.

Pearl, marble, metal, clear plastic and turned wood; rings, dishes and holes; printed and engraved tops; bullet and lancet points,
three colours of them, striped veneer, stitched seams, words and rosettes on the field; cups, coins and other things on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.training.boards import Plane, luma, mix, random_colour
from pi_board.vision.training.textures import Floats, Rng, grain, smooth_noise

#: Least brightness (0..1) and colour (largest channel) by which sides of about one brightness differ: what no person can tell is no sample.
LEAST_GAP, LEAST_HUE = 0.035, 0.35
WORDS = ("CAFE", "1907", "GAMMON", "VI", "Club 24", "R", "NARDE", "AB", "ROMA", "24", "Bar", "LUCKY")
FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX)  # fmt: skip
METALS = np.array([[60, 165, 215], [190, 195, 198], [70, 120, 190], [80, 175, 225]], np.float32) / 255.0


def near_colours(rng: Rng) -> tuple[Floats, Floats]:
    """Two colours (light, dark) of about one brightness and different hue."""
    while True:
        a, b = random_colour(rng), random_colour(rng)
        b = np.clip(b * (luma(a) + 1e-3) / (luma(b) + 1e-3) * rng.uniform(0.75, 1.33), 0.02, 0.98).astype(
            np.float32
        )
        if luma(a) < luma(b):
            a, b = b, a
        if LEAST_GAP < luma(a) - luma(b) < 0.16 and np.abs(a - b).max() > LEAST_HUE:
            return a, b


# ------------------------------------------------------------------------------------------- checkers


def _radius(size: int) -> tuple[Floats, Floats, Floats]:
    half = size / 2 - 0.5
    yy, xx = (np.mgrid[:size, :size] - half).astype(np.float32) / (size / 2)
    return xx, yy, np.sqrt(xx * xx + yy * yy)


def _veins(rng: Rng, size: int, cell: float) -> Floats:
    """(size, size) 0..1: where smoothly warped stripes run."""
    warp = smooth_noise(rng, (size, size), (cell, cell))
    yy, xx = np.mgrid[:size, :size].astype(np.float32)
    a = rng.uniform(0, np.pi)
    wave = (xx * np.cos(a) + yy * np.sin(a)) / cell * rng.uniform(0.3, 2.0) + warp * rng.uniform(0.4, 1.5)
    return np.asarray(0.5 + 0.5 * np.sin(2 * wave), np.float32)


def _material(rng: Rng, colour: Floats, size: int) -> Floats:
    """(size, size, 3) of one stuff about this colour."""
    flat = np.ones((size, size, 1), np.float32) * colour
    kind = str(rng.choice(["pearl", "marble", "swirl", "metal", "wood", "plain"]))
    if kind == "pearl":
        tone = 1 + rng.uniform(0.05, 0.22) * smooth_noise(rng, (size, size), (rng.uniform(5, 16),) * 2)
        return flat * tone[..., None] + 0.04 * smooth_noise(rng, (size, size), (9, 9))[..., None]
    if kind in ("marble", "swirl"):
        share = _veins(rng, size, rng.uniform(7, 22)) ** (
            rng.uniform(3, 9) if kind == "marble" else rng.uniform(0.6, 2)
        )
        if kind == "swirl" and rng.random() < 0.4:
            share = (share > 0.5).astype(np.float32)
        other = np.clip(colour * rng.uniform(0.45, 1.5) + rng.normal(0, 0.07, 3), 0.02, 1).astype(np.float32)
        return flat + (share * rng.uniform(0.4, 1.0))[..., None] * (other - flat)
    if kind == "metal":
        xx, yy, r = _radius(size)
        angle = np.arctan2(yy, xx)
        turn = int(rng.integers(1, 5)) * angle + rng.uniform(0, 6) + rng.uniform(0, 4) * r
        tone = (
            1 + rng.uniform(0.1, 0.5) * np.sin(turn) + rng.uniform(0, 0.25) * np.sin(r * rng.uniform(20, 60))
        )
        return flat * tone[..., None].astype(np.float32)
    if kind == "wood":
        return flat * grain(rng, (size, size), "wood", rng.uniform(0.06, 0.2))[..., None]
    return flat


def _star(rng: Rng, size: int) -> Floats:
    spikes, inner, turn = int(rng.integers(4, 9)), rng.uniform(0.35, 0.7), rng.uniform(0, 6)
    outer = rng.uniform(0.25, 0.6) * size / 2
    angle = np.arange(2 * spikes) * np.pi / spikes + turn
    reach = np.where(np.arange(2 * spikes) % 2, outer * inner, outer)
    at = np.stack([np.cos(angle), np.sin(angle)], 1) * reach[:, None] + size / 2
    mask = np.zeros((size, size), np.float32)
    cv2.fillPoly(mask, [np.round(at * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    return mask


def _word(rng: Rng, size: int) -> Floats:
    text, font = str(rng.choice(WORDS)), int(rng.choice(FONTS))
    (w, h), _ = cv2.getTextSize(text, font, 1.0, 2)
    k = min(rng.uniform(0.9, 1.35) * size / max(w, 1), 0.5 * size / h)
    thick = max(1, round(k * rng.uniform(1.5, 3.5)))
    at = (round(size / 2 - w * k / 2), round(size / 2 + h * k / 2))
    return _printed((size, size), text, at, font, k, thick)


def _printed(
    shape: tuple[int, int], text: str, at: tuple[int, int], font: int, size: float, thick: int
) -> Floats:
    """(h, w) 0..1. (OpenCV 5 writes on 8-bit pictures only.)"""
    mask = np.zeros(shape, np.uint8)
    cv2.putText(mask, text, at, font, size, 255, thick, cv2.LINE_AA)
    return mask.astype(np.float32) / 255


def checker_face(
    rng: Rng, colour: Floats, other: Floats, light: npt.NDArray[np.float64], size: int = 48
) -> Floats:
    """(size, size, 3) top of an owner's checker; `other`: the other side's colour, which marks may have. Drawn as `drawn_checkers.checker_face`."""
    xx, yy, r = _radius(size)
    face = _material(rng, colour, size)
    slope = (xx * light[0] - yy * light[1]) / (np.hypot(light[0], light[1]) + 1e-6)
    contrast = np.float32(1.0) - np.round(colour) * rng.uniform(0.75, 1.0)
    inks = (METALS[rng.integers(len(METALS))], contrast.astype(np.float32), other, random_colour(rng))
    ink = np.asarray(inks[int(rng.choice(4, p=[0.3, 0.3, 0.15, 0.25]))], np.float32)
    mark = str(rng.choice(["none", "rings", "hole", "disc", "band", "star", "word", "dish"], p=[0.2, 0.17, 0.12, 0.12, 0.1, 0.1, 0.11, 0.08]))  # fmt: skip
    tone = np.ones((size, size), np.float32)
    if mark == "rings":
        for _ in range(int(rng.integers(1, 5))):
            at, wide = rng.uniform(0.2, 0.9), rng.uniform(0.015, 0.06)
            line = np.exp(-(((r - at) / wide) ** 2))
            if rng.random() < 0.5:
                face = face + (line * rng.uniform(0.3, 0.95))[..., None] * (ink - face)
            else:
                tone += line * rng.uniform(-0.5, 0.4)
    elif mark in ("hole", "disc"):
        at = rng.uniform(0.2, 0.45)
        middle = np.clip((at - r) * size / 2 + 0.5, 0, 1)
        inside = ink if mark == "disc" else colour * rng.uniform(0.15, 0.6)
        if mark == "hole" and rng.random() < 0.4:
            inside = random_colour(rng)  # what lies under it shows
        face = face + middle[..., None] * (inside - face)
        tone += np.exp(-(((r - at) / 0.05) ** 2)) * slope * rng.uniform(-0.6, 0.6)
    elif mark == "band":  # an outer rim of another colour
        at = rng.uniform(0.68, 0.9)
        face = face + np.clip((r - at) * size / 2 + 0.5, 0, 1)[..., None] * (ink - face)
    elif mark in ("star", "word"):
        mask = _star(rng, size) if mark == "star" else _word(rng, size)
        if rng.random() < 0.35:  # engraved: one edge lit, the other in shade
            step = int(rng.choice([-1, 1]))
            tone += rng.uniform(0.2, 0.6) * (mask - np.roll(mask, step, (0, 1)))
        else:
            face = face + (mask * rng.uniform(0.6, 1.0))[..., None] * (ink - face)
    elif mark == "dish":
        at = rng.uniform(0.45, 0.8)
        tone += np.where(r < at, slope * rng.uniform(-0.35, 0.35) / at, 0)
        tone += np.exp(-(((r - at) / 0.05) ** 2)) * rng.uniform(-0.3, 0.3)
    bevel = rng.uniform(0.04, 0.25)
    edge = np.clip((r - (1 - bevel)) / bevel, 0, 1)
    tone += edge * slope * rng.uniform(0.0, 0.6) - edge * rng.uniform(0, 0.3)
    face = face * np.clip(tone, 0.15, 2.0)[..., None]
    if rng.random() < 0.5:
        toward = np.array([light[0], -light[1]]) / (np.hypot(light[0], light[1]) + 1e-6)
        cx, cy = toward * rng.uniform(0.0, 0.8)
        s = rng.uniform(0.08, 0.6)
        face = (
            face
            + rng.uniform(0.05, 0.8) * np.exp(-(((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * s * s)))[..., None]
        )
    return face.astype(np.float32)


def room_light(rng: Rng, scene_size: tuple[float, float]) -> tuple[Floats, float]:
    """What a shining top mirrors of the room: (2,) log brightness per diameter across the board, and the spread between checkers."""
    reach = rng.choice([0.0, 0.15, 0.4])
    return np.asarray(rng.normal(0, reach, 2) / np.array(scene_size)), float(rng.choice([0.02, 0.06, 0.15]))


# ------------------------------------------------------------------------------------------- the field


@dataclass(frozen=True)
class FieldLook:
    """How the points of one board look. shape: outline; colours: how many take turns; striped: veneer; seam: a stitched line."""

    shape: str
    colours: int
    striped: bool
    seam: bool


def field_look(rng: Rng) -> FieldLook:
    return FieldLook(
        str(rng.choice(["triangle", "bullet", "lancet", "bar"], p=[0.4, 0.27, 0.25, 0.08])),
        3 if rng.random() < 0.25 else 2,
        bool(rng.random() < 0.25),
        bool(rng.random() < 0.3),
    )


def _outline(look: FieldLook, base: float, length: float) -> npt.NDArray[np.float64]:
    """(N, 2) from the edge to the tip and back: across, and away from the edge."""
    if look.shape == "triangle":
        return np.array([[-base / 2, 0], [base / 2, 0], [0, length]])
    if look.shape == "bar":
        return np.array([[-base / 2, 0], [base / 2, 0], [base / 2, length], [-base / 2, length]])
    t = np.linspace(0, 1, 12)
    if look.shape == "bullet":
        half, along = base / 2 * np.cos(t * np.pi / 2), length - base / 2 + base / 2 * np.sin(t * np.pi / 2)
    else:
        half, along = base / 2 * (1 - t**2), length * (0.25 + 0.75 * t)
    right = np.stack([half, along], 1)
    return np.concatenate([[[-base / 2, 0], [base / 2, 0]], right, right[::-1] * (-1, 1)])


def draw_points(rng: Rng, plane: Plane, field: Floats, colours: list[Floats]) -> None:
    """Points, seams, logos and inlays over the field's picture `field` (h, w, 3), in place."""
    scene, look = plane.scene, field_look(rng)
    hh = scene.height / 2
    length, base = hh * rng.uniform(0.72, 0.93), scene.pitch * rng.uniform(0.72, 1.0)
    form = _outline(look, base, length)
    masks = [np.zeros((plane.h, plane.w), np.float32) for _ in range(look.colours)]
    first, mirrored = int(rng.integers(3)), rng.random() < 0.5
    outlines = []
    for row, side in enumerate((1.0, -1.0)):
        for column in range(12):
            x = scene.column_x(column)
            p = plane.polygon([(x + a, side * (hh - b), 0.0) for a, b in form])
            which = (column + first + (row if mirrored else 0)) % look.colours
            cv2.fillPoly(masks[which], [p], 1.0, cv2.LINE_AA, 4)
            outlines.append((x, side))
    stuff = [*colours, random_colour(rng)]
    edge = random_colour(rng) if rng.random() < 0.25 else None
    for mask, colour in zip(masks, stuff, strict=False):
        tex = grain(
            rng,
            (plane.h, plane.w),
            str(rng.choice(["wood", "felt", "speckle", "plain"])),
            rng.uniform(0, 0.16),
        )
        if look.striped and rng.random() < 0.6:
            wide = rng.uniform(0.06, 0.25) * plane.scale
            stripe = np.sin(
                2 * np.pi * np.arange(plane.w) / wide + 2 * smooth_noise(rng, (2, plane.w), (30, 2))[0]
            )
            tex = tex * (1 + np.float32(rng.uniform(0.1, 0.35)) * stripe.astype(np.float32)[None])
        if edge is not None:
            mix(field, cv2.dilate(mask, np.ones((3, 3), np.uint8)), edge)
        mix(field, mask, np.asarray(cv2.merge([tex * float(c) for c in colour])))
    if look.seam:
        _stitches(rng, plane, field, outlines, form)
    _ornaments(rng, plane, field)


def _stitches(
    rng: Rng, plane: Plane, field: Floats, places: list[tuple[float, float]], form: npt.NDArray[np.float64]
) -> None:
    """A dashed line along every point's edge."""
    hh = plane.scene.height / 2
    thread = tuple(float(v) for v in random_colour(rng))
    grow, dash = rng.choice([0.82, 0.9, 1.08]), rng.uniform(0.1, 0.2)
    closed = np.concatenate([form[2:], form[:1]]) if rng.random() < 0.5 else form[1:]
    for x, side in places:
        for a, b in pairwise(closed):
            n = max(1, int(np.linalg.norm(b - a) / dash))
            at = a + (b - a) * np.arange(n + 1)[:, None] / n
            for p, q in zip(at[:-1:2], at[1::2], strict=False):
                ends = [plane.flat(x + grow * v[0], side * (hh - v[1]), 0)[:2] for v in (p, q)]
                (ax, ay), (bx, by) = ends
                cv2.line(field, (round(ax), round(ay)), (round(bx), round(by)), thread, 1, cv2.LINE_AA)


def _ornaments(rng: Rng, plane: Plane, field: Floats) -> None:
    """What is printed on or laid into both halves."""
    scene = plane.scene
    ink = random_colour(rng)
    kind = str(rng.choice(["none", "word", "rosette", "diamond", "band", "frame"], p=[0.3, 0.22, 0.14, 0.12, 0.12, 0.1]))  # fmt: skip
    if kind == "none":
        return
    mask = np.zeros((plane.h, plane.w), np.float32)
    for half in (-1, 1):
        x = half * (scene.width + scene.bar_width) / 4
        px, py, _ = plane.flat(x, 0, 0)
        at, unit = np.array([px, py]), plane.scale * rng.uniform(0.6, 1.15)
        if kind == "word":
            text, font = str(rng.choice(WORDS)), int(rng.choice(FONTS))
            (w, h), _ = cv2.getTextSize(text, font, 1.0, 2)
            k = rng.uniform(2.0, 4.2) * plane.scale / w
            k = min(k, 1.1 * plane.scale / h)
            corner = (round(px - w * k / 2), round(py + h * k / 2))
            mask = np.maximum(mask, _printed(mask.shape[:2], text, corner, font, k, max(1, round(2 * k))))
        elif kind == "rosette":
            petals = int(rng.integers(5, 11))
            for turn in np.arange(petals) * 2 * np.pi / petals:
                middle = at + 0.5 * unit * np.array([np.cos(turn), np.sin(turn)])
                cv2.ellipse(mask, (round(middle[0]), round(middle[1])), (int(0.4 * unit), int(0.12 * unit)), np.degrees(turn), 0, 360, 1.0, -1, cv2.LINE_AA)  # fmt: skip
            cv2.circle(mask, (round(px), round(py)), int(unit), 1.0, 2, cv2.LINE_AA)
        elif kind == "diamond":
            for k in (1.0, 0.75):
                corners = at + k * unit * np.array([[-1.4, 0], [0, -0.8], [1.4, 0], [0, 0.8]])
                cv2.polylines(mask, [np.round(corners).astype(np.int32)], True, 1.0, 2, cv2.LINE_AA)
            cv2.circle(mask, (round(px), round(py)), int(0.3 * unit), 1.0, -1, cv2.LINE_AA)
        else:
            a = plane.flat(x - 3 * scene.pitch, scene.height / 2 if kind == "frame" else 0.15, 0)
            b = plane.flat(x + 3 * scene.pitch, -scene.height / 2 if kind == "frame" else -0.15, 0)
            inset = int(rng.uniform(0.08, 0.25) * plane.scale) if kind == "frame" else 0
            corner, other = (
                (round(a[0]) + inset, round(a[1]) + inset),
                (round(b[0]) - inset, round(b[1]) - inset),
            )
            cv2.rectangle(mask, corner, other, 1.0, 1 if kind == "frame" else -1)
            if kind == "band":
                size = max(2, int(rng.uniform(0.08, 0.15) * plane.scale))
                yy, xx = np.arange(plane.h)[:, None], np.arange(plane.w)[None]
                mask *= ((xx // size + yy // size) % 2).astype(np.float32)
    mix(field, mask, ink)


# ------------------------------------------------------------------------------------------- things


def draw_things(rng: Rng, plane: Plane) -> None:
    """Cups that stand and coins that lie on the field or beside it, not on checkers."""
    for kind in ("cup", "cup", "coin"):
        if rng.random() < (0.3 if kind == "cup" else 0.25):
            _draw_thing(rng, plane, kind)


def _draw_thing(rng: Rng, plane: Plane, kind: str) -> None:
    scene = plane.scene
    radius, height = (
        (rng.uniform(0.8, 1.25), rng.uniform(1.6, 3.2)) if kind == "cup" else (rng.uniform(0.22, 0.4), 0.05)
    )
    colour = random_colour(rng) * rng.uniform(0.3, 1.0)
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], 1)
    for _ in range(8):
        x = rng.uniform(-0.55, 0.55) * scene.width
        y = (
            rng.normal(0, 0.15) * scene.height
            if rng.random() < 0.7
            else rng.uniform(-0.5, 0.5) * scene.height
        )
        discs = []
        for z, k in ((0.0, 1.0), (height, 1.0 if kind == "coin" else rng.uniform(0.95, 1.15))):
            px, py, s = plane.flat(x, y, z)
            discs.append(ring * radius * k * s * plane.scale + (px, py))
        hull = cv2.convexHull(np.concatenate(discs).astype(np.float32))
        tops = [plane.flat(c.x, c.y, c.z + scene.thickness) for c in scene.checkers]
        if all(cv2.pointPolygonTest(hull, (px, py), True) < -0.4 * plane.scale * s for px, py, s in tops):
            break
    else:
        return
    shade = cv2.fillConvexPoly(np.zeros((plane.h, plane.w), np.float32), np.round(hull).astype(np.int32), 1.0)
    dark = cv2.GaussianBlur(
        np.roll(shade, tuple(rng.integers(-12, 13, 2)), (0, 1)), (0, 0), rng.uniform(2, 9)
    )
    plane.image *= 1 - np.float32(rng.uniform(0.1, 0.5)) * dark[..., None]
    p = np.round(hull * 16).astype(np.int32)
    cv2.fillConvexPoly(plane.image, p, tuple(float(v) for v in colour), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(plane.label, p, 0, cv2.LINE_8, 4)
    if kind == "cup":
        top = np.round(discs[1] * 16).astype(np.int32)
        inner = np.round((discs[1].mean(0) + 0.88 * (discs[1] - discs[1].mean(0))) * 16).astype(np.int32)
        bottom = np.round((discs[0].mean(0) + 0.7 * (discs[0] - discs[0].mean(0))) * 16).astype(np.int32)
        lining = random_colour(rng) * rng.uniform(0.1, 0.6)
        cv2.fillConvexPoly(
            plane.image, top, tuple(float(v) for v in np.clip(colour * 1.3, 0, 1)), cv2.LINE_AA, 4
        )
        cv2.fillConvexPoly(plane.image, inner, tuple(float(v) for v in lining), cv2.LINE_AA, 4)
        seen = np.zeros((plane.h, plane.w), np.float32)
        cv2.fillConvexPoly(seen, inner, 1.0, cv2.LINE_AA, 4)
        floor = cv2.fillConvexPoly(np.zeros_like(seen), bottom, 1.0, cv2.LINE_AA, 4) * seen
        mix(plane.image, cv2.GaussianBlur(floor, (0, 0), 2) * seen, lining * 0.5)
    else:
        px, py, s = plane.flat(x, y, height)
        mark = tuple(float(v) for v in np.clip(colour * rng.uniform(0.6, 1.5), 0, 1))
        cv2.circle(
            plane.image, (round(px), round(py)), round(0.75 * radius * s * plane.scale), mark, 1, cv2.LINE_AA
        )
