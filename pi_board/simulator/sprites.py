"""Small lit pictures of the movable things, with alpha and shadow, to be laid over the background."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.simulator.lens import Projection
from pi_board.simulator.light import Lighting, LightMaps
from pi_board.simulator.style import BoardStyle, Color
from pi_board.simulator.things import (
    CUBE_NORMALS,
    DIE_NORMALS,
    Checker,
    Cup,
    Die,
    DoublingCube,
    Marble,
    Slab,
    face_axes,
)

Box = tuple[int, int, int, int]
_SS = 3
_CIRCLE = np.stack(
    [np.cos(np.linspace(0, 2 * np.pi, 41)[:-1]), np.sin(np.linspace(0, 2 * np.pi, 41)[:-1])], 1
)


@dataclass(frozen=True)
class Sprite:
    """Pictures to be laid on the canvas: `shadow` multiplies what lies below, then `color` covers it.

    box: (x0, y0, x1, y1) pixels. color: uint8 BGR, alpha and its complement float32. shadow: uint8 BGR factor / 255.
    order: painter's key, low first. reach: union of both boxes.
    """

    box: Box
    color: npt.NDArray[np.uint8]
    alpha: npt.NDArray[np.float32]
    rest: npt.NDArray[np.float32]
    shadow_box: Box
    shadow: npt.NDArray[np.uint8]
    order: tuple[float, float]

    @property
    def reach(self) -> Box:
        a, b = self.box, self.shadow_box
        return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


class SpriteMaker:
    """Makes sprites for one lens and one light."""

    def __init__(self, style: BoardStyle, lens: Projection, light: Lighting, maps: LightMaps) -> None:
        self.style = style
        self.lens = lens
        self.light = light
        self.maps = maps
        self._eye = lens.center

    # ------------------------------------------------------------------------------------------ checkers

    def checker(self, checker: Checker) -> Sprite | None:
        s = self.style
        r, h = s.checker_diameter / 2, s.checker_height
        base = np.c_[_CIRCLE * r + (checker.x, checker.y), np.full(len(_CIRCLE), checker.z)]
        top_z = checker.z + h
        # A small chamfer all round the top makes the bright and dark edge of a turned piece.
        shoulder = np.c_[_CIRCLE * r + (checker.x, checker.y), np.full(len(_CIRCLE), top_z - h * 0.12)]
        top = np.c_[_CIRCLE * (r * 0.93) + (checker.x, checker.y), np.full(len(_CIRCLE), top_z)]
        rings = [
            np.c_[_CIRCLE * (r * q) + (checker.x, checker.y), np.full(len(_CIRCLE), top_z)]
            for q in {"none": (), "rings": (0.72, 0.62, 0.36), "dish": (0.74,)}[s.rings]
        ]
        px = self.lens.project(np.concatenate([base, shoulder, top, *rings]))
        n = len(_CIRCLE)
        parts = [px[i * n : (i + 1) * n] for i in range(3 + len(rings))]
        patch = _Patch.around(px[: 2 * n], self.lens.size)
        if patch is None:
            return None
        albedo = np.asarray(s.light if checker.side == "light" else s.dark)
        d = self.light.direction
        total = self.light.ambient + self.light.key
        side_lit = self._lit(0.0)
        hull = cv2.convexHull(np.concatenate([parts[0], parts[1]]).astype(np.float32)).reshape(-1, 2)
        patch.polygon(hull, albedo * side_lit, cover=True)
        # Side wall: brighter where it turns to the light.
        for i in range(0, n, 2):
            j = (i + 2) % n
            normal = (_CIRCLE[i] + _CIRCLE[(i + 1) % n] + _CIRCLE[j]) / 3
            out = np.array([normal[0], normal[1]])
            middle = np.array([checker.x, checker.y]) + out * r
            if np.dot(self._eye[:2] - middle, out) <= 0:
                continue
            lit = self.light.ambient * 0.7 + self.light.key * max(0.0, float(out @ d[:2])) / max(0.3, d[2])
            quad = np.array([parts[0][i], parts[0][j], parts[1][j], parts[1][i]])
            patch.polygon(quad, albedo * (np.clip(lit / total, 0.05, 1.2) ** (1 / 2.2)))
        # Polish shows on the edge, most on dark pieces.
        sheen = s.gloss * (0.12 + 0.36 * (1 - float(albedo.mean())))
        for i in range(0, n, 2):
            j = (i + 2) % n
            out = _CIRCLE[(i + 1) % n]
            slope = float(np.array([out[0] * 0.7, out[1] * 0.7, 0.7]) @ d)
            lit = self.light.ambient * 0.9 + self.light.key * max(0.0, slope) / max(0.3, d[2])
            quad = np.array([parts[1][i], parts[1][j], parts[2][j], parts[2][i]])
            patch.polygon(quad, albedo * (np.clip(lit / total, 0.05, 1.4) ** (1 / 2.2)) + sheen)
        # A polished level face mirrors the bright ceiling; on dark pieces that is most of what is seen.
        face = albedo + s.gloss * 0.20 * (1 - albedo)
        patch.polygon(parts[2], face)
        for k, ring in enumerate(parts[3:]):
            if s.rings == "dish":
                # A hollow: its wall is dark towards the light and bright away from it.
                patch.polygon(ring, face * 0.93)
                shift = (
                    d[:2]
                    * np.array([1, -1])
                    * 0.03
                    * self.lens.pixels_per_cm((checker.x, checker.y, top_z))
                    * r
                )
                patch.outline(ring + shift * 0.5, albedo * 0.62, 0.05 * r * self._scale(checker))
                patch.outline(
                    ring - shift * 1.2, np.minimum(albedo * 1.15 + 0.03, 1), 0.03 * r * self._scale(checker)
                )
            else:
                patch.outline(ring, albedo * (0.62 if k != 1 else 0.8), 0.035 * r * self._scale(checker))
        color, alpha = patch.finish()
        lit_color = self._light(color, patch.box, s.gloss * 0.9)
        shadow_box, shadow = self._disc_shadow(checker, r, h)
        away = float(np.hypot(checker.x - self._eye[0], checker.y - self._eye[1]))
        layer = checker.z + (50.0 if checker.held else 0.0)
        return Sprite(patch.box, lit_color, alpha, 1 - alpha, shadow_box, shadow, (round(layer, 2), -away))

    def _scale(self, thing: Checker) -> float:
        return self.lens.pixels_per_cm((thing.x, thing.y, thing.z))

    def _lit(self, facing: float) -> float:
        total = self.light.ambient + self.light.key
        return float(
            np.clip((self.light.ambient * 0.7 + self.light.key * facing) / total, 0.05, 1.3) ** (1 / 2.2)
        )

    def _disc_shadow(self, checker: Checker, r: float, h: float) -> tuple[Box, npt.NDArray[np.uint8]]:
        ground = 0.0 if checker.held else checker.z
        low, high = checker.z - ground, checker.z - ground + h
        a = _CIRCLE * r + (checker.x, checker.y) + self.light.shadow_offset(low)
        b = _CIRCLE * r + (checker.x, checker.y) + self.light.shadow_offset(high)
        outline = np.concatenate([a, b])
        contact = (
            None
            if checker.held
            else np.c_[_CIRCLE * (r * 1.03) + (checker.x, checker.y), np.full(40, ground)]
        )
        return self._shadow(
            np.c_[outline, np.full(len(outline), ground)], (low + high) / 2, contact, 0.22 * h
        )

    def _shadow(
        self,
        outline: npt.NDArray[np.float64],
        height: float,
        contact: npt.NDArray[np.float64] | None,
        contact_blur: float,
    ) -> tuple[Box, npt.NDArray[np.uint8]]:
        scale = self.lens.pixels_per_cm(outline[0])
        soft = max(0.7, self.light.softness * height * scale * 0.8)
        pad = int(soft * 2.5 + contact_blur * scale * 2) + 2
        hull = cv2.convexHull(self.lens.project(outline).astype(np.float32)).reshape(-1, 2)
        ring = None if contact is None else self.lens.project(contact)
        every = hull if ring is None else np.concatenate([hull, ring])
        x0, y0 = np.floor(every.min(axis=0)).astype(int) - pad
        x1, y1 = np.ceil(every.max(axis=0)).astype(int) + pad + 1
        w, h = self.lens.size
        cx0, cy0, cx1, cy1 = max(0, x0), max(0, y0), min(w, x1), min(h, y1)
        if cx1 <= cx0 or cy1 <= cy0:
            return (0, 0, 0, 0), np.empty((0, 0, 3), np.uint8)
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillPoly(mask, [np.round((hull - (x0, y0)) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        mask = cv2.GaussianBlur(mask, (0, 0), soft)
        factor = 1 - (1 - self.light.shadow_depth) / 255 * mask.astype(np.float32)
        if ring is not None:
            touch = np.zeros_like(mask)
            cv2.fillPoly(touch, [np.round((ring - (x0, y0)) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
            touch = cv2.GaussianBlur(touch, (0, 0), max(0.8, contact_blur * scale))
            factor = factor * (1 - 0.42 / 255 * touch.astype(np.float32))
        cut = factor[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0]
        shade = np.clip(cut * 255 + 0.5, 0, 255).astype(np.uint8)
        return (int(cx0), int(cy0), int(cx1), int(cy1)), cv2.merge([shade, shade, shade])

    def _light(self, color: npt.NDArray[np.float32], box: Box, gloss: float) -> npt.NDArray[np.uint8]:
        x0, y0, x1, y1 = box
        lit = color * self.maps.shade[y0:y1, x0:x1] * 255
        lit += self.maps.glare[y0:y1, x0:x1, None] * (255 * gloss)
        return np.clip(lit, 0, 255).astype(np.uint8)

    def marble(self, marble: Marble) -> Sprite | None:
        """A ball: shaded by where it turns to the light, with the lamp's and the window's small reflections."""
        centre = np.array([marble.x, marble.y, marble.z])
        middle = self.lens.project(centre)[0]
        radius = marble.radius * self.lens.pixels_per_cm(centre)
        patch = _Patch.around(middle + _CIRCLE * radius, self.lens.size)
        if patch is None:
            return None
        n = 48
        v, u = (np.mgrid[0:n, 0:n] + 0.5) / n * 2 - 1
        depth = np.sqrt(np.clip(1 - u * u - v * v, 0, 1))
        # Picture axes on the board: right is x, up is y, towards the camera is (about) z.
        normal = np.stack([u, -v, depth], axis=2)
        d = self.light.direction
        total = self.light.ambient + self.light.key
        lit = self.light.ambient * (0.55 + 0.45 * depth) + self.light.key * np.clip(normal @ d, 0, 1) / max(
            0.3, d[2]
        )
        shade = np.clip(lit / total, 0.03, 1.5) ** (1 / 2.2)
        # Glass is bright where the light leaves it, opposite the lamp.
        through = np.clip(-(normal[..., :2] @ d[:2]), 0, 1) * marble.clear
        half = d + np.array([0, 0, 1.0])
        half /= np.linalg.norm(half)
        shine = (
            np.clip(normal @ half, 0, 1) ** 90
            + 0.25 * np.clip(normal @ np.array([0.25, 0.3, 0.92]), 0, 1) ** 60
        )
        color = np.asarray(marble.color) * (shade + 0.5 * through)[..., None] + (0.9 * shine)[..., None]
        texture = np.full((n, n, 4), 255, np.uint8)
        texture[..., :3] = np.clip(color * 255, 0, 255)
        patch.polygon(middle + _CIRCLE * radius, marble.color, cover=True)
        corners = middle + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * radius
        patch.texture(corners, texture, 1.0)
        out, alpha = patch.finish()
        foot = marble.z - marble.radius
        high = np.c_[
            _CIRCLE * marble.radius + (marble.x, marble.y) + self.light.shadow_offset(marble.z), np.zeros(40)
        ]
        touch = np.c_[_CIRCLE * (0.7 * marble.radius) + (marble.x, marble.y), np.zeros(40)]
        shadow_box, shadow = self._shadow(high, marble.z, touch, 0.3 * marble.radius)
        away = float(np.hypot(marble.x - self._eye[0], marble.y - self._eye[1]))
        return Sprite(
            patch.box,
            self._light(out, patch.box, 0.5),
            alpha,
            1 - alpha,
            shadow_box,
            shadow,
            (round(foot, 2), -away),
        )

    # ------------------------------------------------------------------------------------- dice and cube

    def slab(self, slab: Slab) -> Sprite | None:
        """A phone lying there: a dark block with a brighter edge and a glossy face."""
        a = np.radians(slab.angle)
        along, across = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
        flat = (corners[:, :1] * slab.length * along + corners[:, 1:] * slab.width * across) + (
            slab.x,
            slab.y,
        )
        base = np.c_[flat, np.full(4, slab.z)]
        top = np.c_[flat, np.full(4, slab.z + slab.thickness)]
        px = self.lens.project(np.concatenate([base, top]))
        patch = _Patch.around(px, self.lens.size)
        if patch is None:
            return None
        albedo = np.asarray(slab.color)
        hull = cv2.convexHull(px.astype(np.float32)).reshape(-1, 2)
        patch.polygon(hull, albedo * 0.8 + 0.12, cover=True)
        inner = flat + (np.array([slab.x, slab.y]) - flat) * 0.025
        patch.polygon(px[4:], albedo * 0.7 + 0.05)
        patch.polygon(self.lens.project(np.c_[inner, top[:, 2]]), albedo)
        color, alpha = patch.finish()
        shade = np.concatenate([flat, flat + self.light.shadow_offset(slab.thickness)])
        box, shadow = self._shadow(
            np.c_[shade, np.full(8, slab.z)], slab.thickness / 2, np.c_[flat, np.full(4, slab.z)], 0.2
        )
        lit = self._light(color, patch.box, 0.8)
        return Sprite(patch.box, lit, alpha, 1 - alpha, box, shadow, (round(slab.z + 0.01, 2), 0.0))

    def cup(self, cup: Cup) -> Sprite | None:
        """A cup standing there: its wall, lit from one side, and the dark inside seen over the rim."""
        foot = np.c_[_CIRCLE * (0.88 * cup.radius) + (cup.x, cup.y), np.full(len(_CIRCLE), cup.z)]
        top = np.c_[_CIRCLE * cup.radius + (cup.x, cup.y), np.full(len(_CIRCLE), cup.z + cup.height)]
        px = self.lens.project(np.concatenate([foot, top]))
        patch = _Patch.around(px, self.lens.size)
        if patch is None:
            return None
        albedo = np.asarray(cup.color)
        patch.polygon(
            cv2.convexHull(px.astype(np.float32)).reshape(-1, 2), albedo * self._lit(0.3), cover=True
        )
        d = self.light.direction[:2] / (np.linalg.norm(self.light.direction[:2]) + 1e-9)
        count = len(_CIRCLE)
        for i in range(count):
            j = (i + 1) % count
            outward = _CIRCLE[i] + _CIRCLE[j]
            outward = outward / np.linalg.norm(outward)
            to_eye = self._eye[:2] - np.array([cup.x, cup.y]) - cup.radius * outward
            if float(outward @ to_eye) > 0:
                lit = self._lit(0.3 + 0.45 * max(0.0, float(outward @ d)))
                patch.polygon(self.lens.project(np.array([foot[i], foot[j], top[j], top[i]])), albedo * lit)
        patch.polygon(px[count:], np.minimum(albedo * 1.25 + 0.03, 1.0))
        wall = np.array([cup.x, cup.y, 0.0])
        inner = (top - wall) * (0.9, 0.9, 1.0) + wall
        patch.polygon(self.lens.project(inner), np.asarray(cup.inside))
        bottom = (foot - wall) * (0.85, 0.85, 1.0) + wall + (0.0, 0.0, 0.4)
        seen = self.lens.project(bottom).astype(np.float32)
        shape = cv2.intersectConvexConvex(
            cv2.convexHull(seen), cv2.convexHull(self.lens.project(inner).astype(np.float32))
        )[1]
        if shape is not None and len(shape) >= 3:
            patch.polygon(shape.reshape(-1, 2), np.asarray(cup.inside) * 1.8 + 0.01)
        color, alpha = patch.finish()
        ground = np.concatenate([foot[:, :2], top[:, :2] + self.light.shadow_offset(cup.height)])
        box, shadow = self._shadow(np.c_[ground, np.full(len(ground), cup.z)], cup.height / 3, foot, 0.25)
        return Sprite(
            patch.box, self._light(color, patch.box, 0.3), alpha, 1 - alpha, box, shadow, (5.0 + cup.z, 0.0)
        )

    def die(self, die: Die) -> Sprite | None:
        body, pips = self.style.dice_light if die.owner == "light" else self.style.dice_dark
        faces = {v: (n, _pip_face(v, body, pips)) for v, n in DIE_NORMALS.items()}
        return self._box(
            die.x, die.y, die.z, np.asarray(die.turn), die.size, body, faces, die.blur, die.on_checker
        )

    def cube(self, cube: DoublingCube) -> Sprite | None:
        body, ink = self.style.cube
        faces = {v: (n, _number_face(v, body, ink)) for v, n in CUBE_NORMALS.items()}
        return self._box(cube.x, cube.y, cube.z, np.asarray(cube.turn), cube.size, body, faces, 0.0, False)

    def _box(
        self,
        x: float,
        y: float,
        z: float,
        turn: npt.NDArray[np.float64],
        size: float,
        body: Color,
        faces: dict[int, tuple[tuple[int, int, int], npt.NDArray[np.uint8]]],
        blur: float,
        raised: bool,
    ) -> Sprite | None:
        center = np.array([x, y, z])
        half = size / 2
        # The rounded body: silhouette of the hull of eight corner balls.
        signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], np.float64)
        radius = 0.13 * size
        knots = (signs * (half - radius)) @ turn.T + center
        scale = self.lens.pixels_per_cm(center)
        ball = _CIRCLE[::2] * radius * scale
        outline = (self.lens.project(knots)[:, None] + ball[None]).reshape(-1, 2)
        travel = blur * scale
        pad = travel if travel > 1 else 0.0
        patch = _Patch.around(outline, self.lens.size, pad)
        if patch is None:
            return None
        d = self.light.direction
        total = self.light.ambient + self.light.key
        albedo = np.asarray(body)
        hull = cv2.convexHull(outline.astype(np.float32)).reshape(-1, 2)
        patch.polygon(hull, albedo * self._lit(0.25), cover=True)
        shown = []
        for normal, texture in faces.values():
            n = turn @ np.asarray(normal, np.float64)
            middle = center + n * half
            facing = float(np.dot(self._eye - middle, n))
            if facing > 0:
                shown.append((facing, n, normal, texture))
        for _, n, normal, texture in sorted(shown, key=lambda f: f[0]):
            u, v = face_axes(normal)
            corners = np.array([(-u + v), (u + v), (u - v), (-u - v)], np.float64) * half
            world = corners @ turn.T + center + n * half
            lit = self.light.ambient * (0.72 + 0.28 * max(0.0, n[2]))
            lit += self.light.key * max(0.0, float(n @ d)) / max(0.3, d[2])
            factor = float(np.clip(lit / total, 0.05, 1.35) ** (1 / 2.2))
            patch.texture(self.lens.project(world), texture, factor)
        color, alpha = patch.finish()
        if travel > 1:
            k = max(3, int(travel))
            premult = np.asarray(cv2.blur(color * alpha[:, :, None], (k, k)), np.float32)
            alpha = np.asarray(cv2.blur(alpha, (k, k)), np.float32)
            color = (premult / np.maximum(alpha, 1e-3)[:, :, None]).astype(np.float32)
        lit_color = self._light(color, patch.box, 0.12)
        ground = max(0.0, z - half * 1.3) if raised else 0.0
        ground = ground if z - half < 1.5 * size else 0.0
        low = signs * half @ turn.T + center
        feet = low[:, :2] + np.array([self.light.shadow_offset(max(0.0, p[2] - ground)) for p in low])
        contact = None
        if z - half < 0.6 * size:
            foot = low[np.argsort(low[:, 2])[:4]]
            order = cv2.convexHull(foot[:, :2].astype(np.float32)).reshape(-1, 2)
            contact = np.c_[order, np.full(len(order), ground)]
        shadow_box, shadow = self._shadow(
            np.c_[feet, np.full(len(feet), ground)], z - ground, contact, 0.12 * size
        )
        return Sprite(patch.box, lit_color, alpha, 1 - alpha, shadow_box, shadow, (round(z, 2), 0.0))


class _Patch:
    """A supersampled scrap of picture to draw one thing on."""

    def __init__(self, box: Box, clip: Box) -> None:
        self.full = box
        self.box = clip
        w, h = box[2] - box[0], box[3] - box[1]
        self.image = np.zeros((h * _SS, w * _SS, 3), np.uint8)
        self.mask = np.zeros((h * _SS, w * _SS), np.uint8)

    @classmethod
    def around(cls, px: npt.NDArray[np.float64], size: tuple[int, int], pad: float = 0.0) -> _Patch | None:
        x0, y0 = np.floor(px.min(axis=0) - pad).astype(int) - 2
        x1, y1 = np.ceil(px.max(axis=0) + pad).astype(int) + 3
        clip = (max(0, int(x0)), max(0, int(y0)), min(size[0], int(x1)), min(size[1], int(y1)))
        if clip[2] <= clip[0] or clip[3] <= clip[1] or x1 - x0 > 2000 or y1 - y0 > 2000:
            return None
        return cls((int(x0), int(y0), int(x1), int(y1)), clip)

    def _at(self, px: npt.ArrayLike) -> npt.NDArray[np.int32]:
        p = (np.asarray(px, np.float64) - self.full[:2]) * _SS + (_SS - 1) / 2
        return np.round(p * 16).astype(np.int32)

    def polygon(self, px: npt.ArrayLike, color: npt.ArrayLike, *, cover: bool = False) -> None:
        b, g, r = np.clip(np.asarray(color) * 255, 0, 255)
        at = self._at(px)
        cv2.fillPoly(self.image, [at], (int(b), int(g), int(r)), cv2.LINE_8, 4)
        if cover:
            cv2.fillPoly(self.mask, [at], 255, cv2.LINE_8, 4)

    def outline(self, px: npt.ArrayLike, color: npt.ArrayLike, width: float) -> None:
        b, g, r = np.clip(np.asarray(color) * 255, 0, 255)
        cv2.polylines(
            self.image,
            [self._at(px)],
            True,
            (int(b), int(g), int(r)),
            max(1, round(width * _SS)),
            cv2.LINE_AA,
            4,
        )

    def texture(
        self, corners: npt.NDArray[np.float64], texture: npt.NDArray[np.uint8], factor: float
    ) -> None:
        """`corners`: pictures of the texture's TL, TR, BR, BL; its fourth channel is alpha."""
        n = texture.shape[0]
        source = np.array([[-0.5, -0.5], [n - 0.5, -0.5], [n - 0.5, n - 0.5], [-0.5, n - 0.5]], np.float32)
        target = self._at(corners).astype(np.float32) / 16
        H = cv2.getPerspectiveTransform(source, target)
        warped = cv2.warpPerspective(
            texture, H, (self.image.shape[1], self.image.shape[0]), flags=cv2.INTER_AREA
        )
        a = warped[:, :, 3:].astype(np.float32) / 255
        color = np.minimum(warped[:, :, :3].astype(np.float32) * factor, 255)
        self.image[:] = (self.image * (1 - a) + color * a).astype(np.uint8)

    def finish(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """(color 0..1 (h, w, 3), alpha (h, w)), cut to the picture."""
        w, h = self.full[2] - self.full[0], self.full[3] - self.full[1]
        m = self.mask.astype(np.float32) / 255
        premult = cv2.resize(
            self.image.astype(np.float32) * (m / 255)[:, :, None], (w, h), interpolation=cv2.INTER_AREA
        )
        alpha = cv2.resize(m, (w, h), interpolation=cv2.INTER_AREA)
        color = premult / np.maximum(alpha, 1e-3)[:, :, None]
        cut = (
            slice(self.box[1] - self.full[1], self.box[3] - self.full[1]),
            slice(self.box[0] - self.full[0], self.box[2] - self.full[0]),
        )
        return np.ascontiguousarray(color[cut]), np.ascontiguousarray(alpha[cut])


_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
_FACE = 96


def _blank(body: Color) -> npt.NDArray[np.uint8]:
    image = np.zeros((_FACE, _FACE, 4), np.uint8)
    image[:, :, :3] = [int(np.clip(v * 255, 0, 255)) for v in body]
    alpha = np.zeros((_FACE, _FACE), np.uint8)
    m, r = 6, 16
    cv2.rectangle(alpha, (m + r, m), (_FACE - m - r, _FACE - m), 255, -1)
    cv2.rectangle(alpha, (m, m + r), (_FACE - m, _FACE - m - r), 255, -1)
    for cx in (m + r, _FACE - m - r):
        for cy in (m + r, _FACE - m - r):
            cv2.circle(alpha, (cx, cy), r, 255, -1)
    image[:, :, 3] = cv2.GaussianBlur(alpha, (0, 0), 2.5)
    return image


@lru_cache(maxsize=256)
def _pip_face(value: int, body: Color, ink: Color) -> npt.NDArray[np.uint8]:
    image = _blank(body)
    color = image[:, :, :3].copy()
    radius = 13 if value == 1 else 10
    for x, y in _PIPS[value]:
        at = (int((_FACE / 2 + x * 24 - 0.5) * 16), int((_FACE / 2 + y * 24 - 0.5) * 16))
        cv2.circle(color, at, radius * 16, [int(v * 255) for v in ink], -1, cv2.LINE_AA, 4)
        # Pips are drilled: a shade on one edge.
        cv2.circle(color, at, radius * 16, [int(v * 200) for v in ink], 2, cv2.LINE_AA, 4)
    image[:, :, :3] = color
    return image


@lru_cache(maxsize=256)
def _number_face(value: int, body: Color, ink: Color) -> npt.NDArray[np.uint8]:
    image = _blank(body)
    color = image[:, :, :3].copy()
    text = str(value)
    font, scale, weight = cv2.FONT_HERSHEY_SIMPLEX, 1.9 if len(text) == 1 else 1.45, 7
    # Centred by its ink: text metrics differ between OpenCV's versions.
    mask = np.zeros((3 * _FACE, 3 * _FACE), np.uint8)
    cv2.putText(mask, text, (_FACE, 2 * _FACE), font, scale, 255, weight, cv2.LINE_AA)
    x, y, w, h = cv2.boundingRect(mask)
    x, y = x + w // 2 - _FACE // 2, y + h // 2 - _FACE // 2
    m = mask[y : y + _FACE, x : x + _FACE, None].astype(np.float32) / 255
    color = (color * (1 - m) + np.asarray(ink, np.float32) * 255 * m).astype(np.uint8)
    image[:, :, :3] = color
    return image
