"""The empty board on its table, rendered once per camera pose and light."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.simulator.layout import Layout
from pi_board.simulator.lens import Projection
from pi_board.simulator.light import Lighting, LightMaps
from pi_board.simulator.style import Color

Image = npt.NDArray[np.uint8]
#: What OpenCV's stubs call any array; float32 here.
Floats = Any

#: Supersampling of the ideal-lens canvas, and how much it is larger than the picture (barrel distortion looks outside).
_SS = 2
_MARGIN = 1.16


class _Canvas:
    """An ideal-lens picture at twice the resolution on which planes and walls are painted."""

    def __init__(self, lens: Projection) -> None:
        self.lens = lens
        w, h = lens.size
        self.size = (int(w * _MARGIN) * _SS, int(h * _MARGIN) * _SS)
        ox = (self.size[0] / _SS - w) / 2
        oy = (self.size[1] / _SS - h) / 2
        # Ideal pixel u lies at _SS * (u + o) + (_SS - 1) / 2 of the canvas.
        half = (_SS - 1) / 2
        self.to_canvas = np.array(
            [[_SS, 0, _SS * ox + half], [0, _SS, _SS * oy + half], [0, 0, 1]], np.float64
        )
        self.image = np.zeros((self.size[1], self.size[0], 3), np.uint8)

    def points(self, xyz: npt.ArrayLike) -> npt.NDArray[np.float64]:
        p = self.lens.project(xyz, distort=False)
        return p * _SS + self.to_canvas[:2, 2]

    def plane(
        self, texture: Image, alpha: Image | None, z: float, box: tuple[float, float, float, float]
    ) -> None:
        """Lay `texture` over box = (x0, x1, y0, y1) cm at height z; its row 0 is the far edge y1."""
        h, w = texture.shape[:2]
        x0, x1, y0, y1 = box
        cm = np.array(
            [
                [(x1 - x0) / w, 0, x0 + (x1 - x0) / w / 2],
                [0, -(y1 - y0) / h, y1 - (y1 - y0) / h / 2],
                [0, 0, 1],
            ]
        )
        H = self.to_canvas @ self.lens.plane_homography(z) @ cm
        if alpha is None:
            cv2.warpPerspective(
                texture,
                H,
                self.size,
                dst=self.image,
                flags=cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_TRANSPARENT,
            )
            return
        # Only the part of the canvas that the box covers.
        p = self.points([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]])
        ax, ay = np.maximum(np.floor(p.min(axis=0)).astype(int) - 2, 0)
        bx, by = np.minimum(np.ceil(p.max(axis=0)).astype(int) + 3, self.size)
        if bx <= ax or by <= ay:
            return
        H = np.array([[1, 0, -ax], [0, 1, -ay], [0, 0, 1]], np.float64) @ H
        size = (int(bx - ax), int(by - ay))
        color = cv2.warpPerspective(texture, H, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        a = cv2.warpPerspective(alpha, H, size, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
        part = self.image[ay:by, ax:bx]
        part[:] = cv2.blendLinear(color, np.ascontiguousarray(part), a, 1 - a)

    def wall(self, xyz: npt.ArrayLike, color: npt.ArrayLike) -> None:
        p = np.round(self.points(xyz) * 16).astype(np.int32)
        cv2.fillConvexPoly(self.image, p, _u8(color), cv2.LINE_AA, 4)

    def picture(self) -> Image:
        """Through the real lens."""
        w, h = self.lens.size
        us, vs = np.meshgrid(np.arange(0, w + 8, 8), np.arange(0, h + 8, 8))
        ideal = self.lens.undistorted(np.stack([us.ravel(), vs.ravel()], 1))
        at = (ideal * _SS + self.to_canvas[:2, 2]).astype(np.float32).reshape(*us.shape, 2)
        grid = cv2.warpAffine(
            at, np.array([[8, 0, 0], [0, 8, 0]], np.float64), (w, h), flags=cv2.INTER_LINEAR
        )
        soft = cv2.GaussianBlur(self.image, (3, 3), 0.8)
        xs, ys = cv2.split(grid)
        return np.asarray(
            cv2.remap(soft, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )


def _u8(color: npt.ArrayLike) -> tuple[int, int, int]:
    b, g, r = np.clip(np.asarray(color, np.float64) * 255, 0, 255)
    return int(b), int(g), int(r)


def _fill(h: int, w: int, color: Color) -> Floats:
    image = np.empty((h, w, 3), np.float32)
    image[:] = color
    return image


def grain(h: int, w: int, rng: np.random.Generator, *, along: str = "y", strength: float = 0.1) -> Floats:
    """(h, w, 1) factor around 1 that looks like wood grain running along `along`."""
    n = (h, w) if along == "y" else (w, h)
    lines: Floats = rng.standard_normal((n[0] // 24 + 2, n[1] // 2 + 2), np.float32)
    lines = cv2.resize(lines, (n[1], n[0]), interpolation=cv2.INTER_CUBIC)
    broad: Floats = rng.standard_normal((n[0] // 200 + 2, n[1] // 24 + 2), np.float32)
    broad = cv2.resize(broad, (n[1], n[0]), interpolation=cv2.INTER_CUBIC)
    out = 1 + strength * (0.45 * lines + 0.55 * broad)
    return (out if along == "y" else out.T)[:, :, None]


def speckle(h: int, w: int, rng: np.random.Generator, strength: float = 0.06) -> Floats:
    """(h, w, 1) factor around 1 that looks like felt or cork."""
    fine = cv2.GaussianBlur(rng.standard_normal((h, w), np.float32), (0, 0), 1.0) * 2.2
    coarse = cv2.resize(rng.standard_normal((h // 12 + 2, w // 12 + 2), np.float32), (w, h))
    return (1 + strength * (0.7 * fine + 0.5 * coarse))[:, :, None]


def material(h: int, w: int, color: Color, kind: str, rng: np.random.Generator, along: str = "y") -> Floats:
    image = _fill(h, w, color)
    if kind == "wood":
        return image * grain(h, w, rng, along=along, strength=0.12)
    if kind == "felt":
        return image * speckle(h, w, rng)
    return image * (1 + 0.3 * (speckle(h, w, rng, 0.03) - 1))


def _bytes(image: Floats) -> Image:
    return np.asarray(cv2.convertScaleAbs(np.maximum(image, 0), alpha=255), np.uint8)


def field_texture(layout: Layout, light: Lighting, rng: np.random.Generator, ppc: float) -> Floats:
    """The playing field from above, rim and bar shadows included; (H, W, 3) float32 0..1, `ppc` pixels per cm."""
    s = layout.style
    w, h = round(s.field_width * ppc), round(s.field_height * ppc)
    image = material(h, w, s.field, s.surface, rng)
    mask = np.zeros((h, w), np.uint8)
    for shade, parity in ((s.triangle_a, 0), (s.triangle_b, 1)):
        mask[:] = 0
        for column in range(12):
            x = (layout.column_x(column) + s.field_width / 2) * ppc
            half = s.pitch * 0.48 * ppc
            for far in (False, True):
                # Colours alternate along a row and face each other across the board.
                if (column + far) % 2 != parity:
                    continue
                y0, y1 = (h, h - s.point_length * ppc) if not far else (0, s.point_length * ppc)
                tri = np.array([[x - half, y0], [x + half, y0], [x, y1]])
                cv2.fillPoly(mask, [np.round(tri * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        color = material(h, w, shade, s.surface if s.surface != "plain" else "plain", rng)
        image += (color - image) * (mask.astype(np.float32) / 255)[:, :, None]
    return image * rim_shade(layout, light, ppc)


def rim_shade(layout: Layout, light: Lighting, ppc: float) -> Floats:
    """(H, W, 1) factor on the field: rim and bar, contact darkness and the shadow that the key light throws over them."""
    s = layout.style
    w, h = round(s.field_width * ppc), round(s.field_height * ppc)
    wall = np.ones((h + 2 * 60, w + 2 * 60), np.float32)
    wall[60 : 60 + h, 60 : 60 + w] = 0
    near = wall.copy()
    if s.bar_height > 0:
        x0, x1 = (
            round((s.field_width - s.bar_width) / 2 * ppc),
            round((s.field_width + s.bar_width) / 2 * ppc),
        )
        near[:, 60 + x0 : 60 + x1] = 1
    contact = cv2.GaussianBlur(near, (0, 0), max(1.0, s.rim_height * 0.7 * ppc))[60 : 60 + h, 60 : 60 + w]
    dx, dy = light.shadow_offset(s.rim_height) * ppc
    cast: Floats = np.zeros_like(near)
    for t in np.linspace(0.15, 1, 6):
        m = np.array([[1, 0, dx * t], [0, 1, -dy * t]], np.float64)
        moved = cv2.warpAffine(near, m, (near.shape[1], near.shape[0]), borderMode=cv2.BORDER_REPLICATE)
        cast = np.maximum(cast, moved)
    cast = cv2.GaussianBlur(cast, (0, 0), max(0.8, light.softness * s.rim_height * ppc * 0.6))[
        60 : 60 + h, 60 : 60 + w
    ]
    factor = (1 - 0.45 * contact) * (1 - (1 - light.shadow_depth) * cast)
    return np.asarray(factor[:, :, None], np.float32)


#: Paints a field of another kind: (layout, light, rng, pixels per cm) -> as `field_texture`.
FieldPainter = Callable[[Layout, Lighting, np.random.Generator, float], Floats]


def render_background(
    layout: Layout,
    lens: Projection,
    light: Lighting,
    maps: LightMaps,
    rng: np.random.Generator,
    paint: FieldPainter = field_texture,
) -> Image:
    """(H, W, 3) uint8 BGR: table, board, bar (where the style has one), hinges, tray; no checkers, no sensor noise."""
    s = layout.style
    canvas = _Canvas(lens)
    ppc = lens.pixels_per_cm((0, 0, 0)) * 1.5
    w2, h2 = s.field_width / 2, s.field_height / 2
    rim, rh, th = s.rim_width, s.rim_height, s.board_thickness
    tray = s.beside
    outer = (-w2 - rim, w2 + rim + tray, -h2 - rim, h2 + rim)
    # Table.
    reach = 1.9 * max(outer[1] - outer[0], outer[3] - outer[2])
    tppc = ppc * 0.5
    n = min(1300, round(2 * reach * tppc))
    table = material(n, n, s.table, s.table_surface, rng, along="x")
    k = n / (2 * reach)
    board: Floats = np.zeros((n, n), np.float32)
    off = light.shadow_offset(th + rh)

    def px(x: float, y: float) -> tuple[int, int]:
        return round((x + reach) * k), round((reach - y) * k)

    def rect(dx: float, dy: float, value: float) -> None:
        cv2.rectangle(board, px(outer[0] + dx, outer[3] + dy), px(outer[1] + dx, outer[2] + dy), value, -1)

    for t in np.linspace(0, 1, 8):
        rect(off[0] * t, off[1] * t, 1 - light.shadow_depth)
    board = cv2.GaussianBlur(board, (0, 0), max(1.0, light.softness * (th + rh) * k * 0.5))
    contact: Floats = np.zeros((n, n), np.float32)
    cv2.rectangle(contact, px(outer[0], outer[3]), px(outer[1], outer[2]), 0.55, -1)
    contact = cv2.GaussianBlur(contact, (0, 0), max(1.0, 0.9 * k))
    table *= ((1 - board) * (1 - contact))[:, :, None]
    canvas.plane(_bytes(table), None, -th, (-reach, reach, -reach, reach))

    d = light.direction

    def face(normal: tuple[float, float, float], color: Color) -> npt.NDArray[np.float64]:
        lit = light.ambient * 0.75 + light.key * max(0.0, float(np.dot(normal, d))) / max(0.3, d[2])
        total = light.ambient + light.key
        return np.asarray(color) * float(np.clip(lit / total, 0.05, 1.3) ** (1 / 2.2))

    def block(
        box: tuple[float, float, float, float], z0: float, z1: float, color: Color, inner: bool = False
    ) -> None:
        x0, x1, y0, y1 = box
        sign = -1 if inner else 1
        sides = [
            ((-1, 0, 0), [[x0, y0], [x0, y1]]),
            ((1, 0, 0), [[x1, y0], [x1, y1]]),
            ((0, -1, 0), [[x0, y0], [x1, y0]]),
            ((0, 1, 0), [[x0, y1], [x1, y1]]),
        ]
        eye = lens.center
        for normal, ((ax, ay), (bx, by)) in sides:
            out = np.array(normal, float) * sign
            middle = np.array([(ax + bx) / 2, (ay + by) / 2, (z0 + z1) / 2])
            if np.dot(eye - middle, out) <= 0:
                continue
            quad = [[ax, ay, z0], [bx, by, z0], [bx, by, z1], [ax, ay, z1]]
            canvas.wall(quad, face((float(out[0]), float(out[1]), 0.0), color))

    block(outer, -th, rh, s.rim)
    canvas.plane(_bytes(paint(layout, light, rng, ppc)), None, 0.0, (-w2, w2, -h2, h2))
    trays: list[tuple[float, float, float, float]] = []
    if s.tray:
        t0, t1 = w2 + rim, w2 + rim + s.tray_width
        gap = rim * 0.6
        trays = [(t0, t1, -h2, -gap), (t0, t1, gap, h2)]
        for box in trays:
            hh, ww = round((box[3] - box[2]) * ppc), round((box[1] - box[0]) * ppc)
            floor = material(hh, ww, tuple(v * 0.8 for v in s.field), s.surface, rng)  # type: ignore[arg-type]
            edge = np.pad(np.zeros((hh - 2, ww - 2), np.float32), 1, constant_values=1)
            floor *= (1 - 0.5 * np.clip(cv2.GaussianBlur(edge, (0, 0), 0.3 * ppc) * 6, 0, 1))[:, :, None]
            canvas.plane(_bytes(floor), None, 0.0, box)
    # Inner walls, then the bar, then the top of the rim over everything.
    for box in [(-w2, w2, -h2, h2), *trays]:
        block(box, 0.0, rh, tuple(v * 0.85 for v in s.rim), inner=True)  # type: ignore[arg-type]
    b2 = s.bar_width / 2
    bar_color = s.rim if s.bar_height > 0 else tuple(v * 0.9 for v in s.rim)
    if s.bar_height > 0:
        block((-b2, b2, -h2, h2), 0.0, s.bar_height, s.rim)
    gap_px = max(1, round(0.07 * ppc))
    if s.bar_width > 0:
        hh, ww = round(s.field_height * ppc), round(s.bar_width * ppc)
        bar = material(hh, ww, bar_color, s.surface, rng)  # type: ignore[arg-type]
        # Two boxes hinged together: a dark gap down the middle, edges a little brighter.
        bar[:, ww // 2 - gap_px // 2 : ww // 2 + (gap_px + 1) // 2] *= 0.25
        bar[:, : max(1, gap_px)] *= 1.15
        bar[:, -max(1, gap_px) :] *= 1.15
        if s.hinges:
            for y in (0.17, 0.83):
                c, hw, hl = round(hh * y), round(0.30 * ww), round(0.045 * hh)
                hinge = np.asarray(s.hinge) * rng.uniform(0.9, 1.1)
                bar[c - hl // 2 : c + hl // 2, ww // 2 - hw : ww // 2 + hw] = hinge
                bar[c - hl // 2 : c + hl // 2, ww // 2 - gap_px // 2 : ww // 2 + (gap_px + 1) // 2] = (
                    hinge * 0.6
                )
        canvas.plane(_bytes(bar), None, s.bar_height, (-b2, b2, -h2, h2))
    rppc = ppc
    ow, oh = round((outer[1] - outer[0]) * rppc), round((outer[3] - outer[2]) * rppc)
    top = material(oh, ow, s.rim, s.surface if s.surface == "wood" else "plain", rng, along="x")
    alpha = np.full((oh, ow), 255, np.uint8)
    for x0, x1, y0, y1 in [(-w2, w2, -h2, h2), *trays]:
        a = round((x0 - outer[0]) * rppc), round((outer[3] - y1) * rppc)
        b = round((x1 - outer[0]) * rppc), round((outer[3] - y0) * rppc)
        alpha[a[1] : b[1], a[0] : b[0]] = 0
        bevel = max(1, round(0.08 * rppc))
        cv2.rectangle(
            top, (a[0] - bevel, a[1] - bevel), (b[0] + bevel, b[1] + bevel), [v * 1.35 for v in s.rim], bevel
        )
    if s.bar_width > 0:
        middle = round(-outer[0] * rppc)
        top[:, middle - gap_px // 2 : middle + (gap_px + 1) // 2] *= 0.3
    top[: max(1, round(0.06 * rppc))] *= 1.3
    canvas.plane(_bytes(top), alpha, rh, outer)
    picture = canvas.picture().astype(np.float32)
    lit = picture * maps.shade + (maps.glare * (255 * s.gloss))[:, :, None]
    return np.asarray(cv2.convertScaleAbs(lit), np.uint8)
