"""`Renderer`: what the camera above a `Scene` delivers, redrawing only what changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.simulator.arm import Sway
from pi_board.simulator.background import FieldPainter, field_texture, render_background
from pi_board.simulator.hands import PPC, TIP, hand_texture, light_for
from pi_board.simulator.layout import Layout
from pi_board.simulator.lens import Projection, ViewPose
from pi_board.simulator.light import Lighting, light_maps
from pi_board.simulator.sprites import Box, Sprite, SpriteMaker
from pi_board.simulator.things import Checker, Cup, Die, DoublingCube, Hand, Marble, Slab

Image = npt.NDArray[np.uint8]
Thing = Checker | Die | DoublingCube | Marble | Slab | Cup


@dataclass(frozen=True, slots=True)
class View:
    """What stays the same from frame to frame: board, seating, camera pose, light; paint: the field's surface."""

    layout: Layout
    pose: ViewPose = field(default_factory=ViewPose)
    light: Lighting = field(default_factory=Lighting)
    turned: bool = False
    paint: FieldPainter = field_texture


@dataclass(frozen=True, slots=True)
class Effects:
    """What the sensor and the air in between do to a frame.

    gain: factor on linear light (dusk, a cloud). noise: standard deviation in grey levels of the encoded picture.
    blur: Gaussian sigma in pixels (knocked focus). shake: pixels of motion blur. blocked: share of the lens covered 0..1.
    shadow: (depth 0..1, share of the picture that it covers, direction in degrees that it comes from) of a person.
    """

    gain: float = 1.0
    noise: float = 2.2
    blur: float = 0.0
    shake: float = 0.0
    blocked: float = 0.0
    shadow: tuple[float, float, float] = (0.0, 0.0, 0.0)


class Renderer:
    """One camera. `render` returns a new (H, W, 3) uint8 BGR array each time."""

    def __init__(self, size: tuple[int, int] = (1280, 720), seed: int = 0) -> None:
        self.size = size
        self.seed = seed
        self._rng = np.random.default_rng((seed, 77))
        self._view: View | None = None
        self._sprites: dict[Thing, Sprite | None] = {}
        self._drawn: dict[Thing, None] = {}
        self._order: list[Sprite] = []
        self._noise = self._noise_bank(size)
        self._noise_key = 0.0
        #: What was composed last, before the sensor's noise, and of what: a still scene is composed once.
        self._composed: Image | None = None
        self._composed_of: tuple[tuple[Hand, ...], Effects] | None = None
        self.lens: Projection

    @staticmethod
    @lru_cache(maxsize=2)
    def _noise_bank(size: tuple[int, int]) -> npt.NDArray[np.float32]:
        """Unit noise with the short correlation that a Bayer sensor leaves; larger than a frame, cut at random."""
        w, h = size
        rng = np.random.default_rng(5)
        # Shot noise is even in the encoded picture; chroma is a little coarser than luma.
        luma = rng.standard_normal((h + 96, w + 96), np.float32)
        coarse = rng.standard_normal(((h + 96) // 2, (w + 96) // 2, 3), np.float32)
        chroma = cv2.resize(coarse, (w + 96, h + 96), interpolation=cv2.INTER_LINEAR)
        bank = 0.8 * luma[:, :, None] + 0.75 * chroma
        return np.asarray(cv2.GaussianBlur(bank, (3, 3), 0.45), np.float32)

    # ---------------------------------------------------------------------------------------------- view

    def look_at(self, view: View) -> None:
        """Take a new view: everything static is rendered again (about half a second at 1280 × 720)."""
        if view is self._view:
            return
        s = view.layout.style
        tray, extent = s.beside, s.extent
        lens = Projection.looking(view.pose, self.size, extent)
        if tray:
            # The board's middle is not the field's: move the camera over it.
            lens = Projection(
                lens.K, lens.distortion, lens.R, lens.t - lens.R @ np.array([tray / 2, 0, 0]), lens.size
            )
        light = view.light
        if view.turned:
            lens = Projection(lens.K, lens.distortion, lens.R @ np.diag([-1.0, -1.0, 1.0]), lens.t, lens.size)
            light = light.turned()
        maps = light_maps(light, lens, extent, np.random.default_rng((self.seed, 3)))
        rng = np.random.default_rng((self.seed, 4))
        self.background = render_background(view.layout, lens, light, maps, rng, view.paint)
        self.lens, self.light, self.maps = lens, light, maps
        self._maker = SpriteMaker(s, lens, light, maps)
        self._sprites.clear()
        self._drawn = {}
        self._order = []
        self._canvas = self.background.copy()
        self._composed = None
        self._view = view

    # -------------------------------------------------------------------------------------------- things

    def _sprite(self, thing: Thing) -> Sprite | None:
        if thing not in self._sprites:
            if isinstance(thing, Checker):
                self._sprites[thing] = self._maker.checker(thing)
            elif isinstance(thing, Die):
                self._sprites[thing] = self._maker.die(thing)
            elif isinstance(thing, Marble):
                self._sprites[thing] = self._maker.marble(thing)
            elif isinstance(thing, Slab):
                self._sprites[thing] = self._maker.slab(thing)
            elif isinstance(thing, Cup):
                self._sprites[thing] = self._maker.cup(thing)
            else:
                self._sprites[thing] = self._maker.cube(thing)
        return self._sprites[thing]

    def _update(self, things: Iterable[Thing]) -> None:
        """Bring the canvas up to date, redrawing only around things that came or went."""
        # Kept in the order of the scene: with equal keys the order of a set, which differs from run to run, would decide.
        now = dict.fromkeys(things)
        changed = [t for t in self._drawn if t not in now] + [t for t in now if t not in self._drawn]
        if not changed:
            return
        dirty = [s.reach for s in (self._sprite(t) for t in changed) if s is not None]
        sprites = [s for s in (self._sprite(t) for t in now) if s is not None]
        self._order = sorted(sprites, key=lambda s: s.order)
        for box in _merged(dirty):
            self._redraw(box)
        self._drawn = now
        self._composed = None
        for gone in [t for t in self._sprites if t not in now]:
            del self._sprites[gone]

    def _redraw(self, box: Box) -> None:
        x0, y0, x1, y1 = box
        part = self._canvas[y0:y1, x0:x1]
        part[:] = self.background[y0:y1, x0:x1]
        touched = [s for s in self._order if _meets(s.reach, box)]
        i = 0
        while i < len(touched):
            # All shadows of one layer fall before any of its bodies is laid.
            j = i
            while j < len(touched) and abs(touched[j].order[0] - touched[i].order[0]) < 0.02:
                j += 1
            for s in touched[i:j]:
                _shade(self._canvas, s.shadow, s.shadow_box, box)
            for s in touched[i:j]:
                _lay(self._canvas, s.color, s.alpha, s.rest, s.box, box)
            i = j

    # --------------------------------------------------------------------------------------------- frame

    def render(
        self,
        view: View,
        things: Iterable[Thing],
        hands: Iterable[Hand] = (),
        effects: Effects | None = None,
        sway: Sway | None = None,
    ) -> Image:
        """What the camera delivers of `things` and `hands`; `sway`: its arm does not hang still."""
        self.look_at(view)
        self._update(things)
        effects = effects or Effects()
        of = tuple(hands), effects
        if self._composed is None or of != self._composed_of:
            image = self._canvas
            if of[0]:
                image = image.copy()
                for hand in of[0]:
                    self._lay_hand(image, hand)
            self._composed, self._composed_of = self._through_optics(image, effects), of
        return self._sense(self._composed if sway is None else sway.moved(self._composed), effects)

    def _hand_matrix(self, hand: Hand) -> tuple[npt.NDArray[np.float64], float]:
        """Affine map from hand texture to picture, and pixels per cm there."""
        tip = self.lens.project([[hand.x, hand.y, hand.z]])[0]
        a = np.radians(hand.angle)
        ahead = self.lens.project([[hand.x + np.cos(a), hand.y + np.sin(a), hand.z]])[0] - tip
        scale = self.lens.pixels_per_cm((hand.x, hand.y, hand.z + 1.5)) / PPC
        ahead = ahead / np.linalg.norm(ahead)
        # Texture: fingers towards -y.
        right = np.array([-ahead[1], ahead[0]])
        m = np.stack([right * scale, -ahead * scale], axis=1)
        anchor = np.array([TIP[0], TIP[1]])
        offset = tip - m @ anchor
        return np.c_[m, offset], scale * PPC

    def _lay_hand(self, image: Image, hand: Hand) -> None:
        angle = hand.angle - (180 if self._view is not None and self._view.turned else 0)
        color, alpha = hand_texture(hand.skin, hand.sleeve, hand.mirrored, light_for(self.light, angle))
        m, scale = self._hand_matrix(hand)
        h, w = alpha.shape
        outline = np.array([[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]]) @ m.T
        # The arm's shadow, some centimetres below it, needs room too.
        d = self.light.shadow_offset(hand.z + 2.2)
        foot = self.lens.project([[hand.x, hand.y, 0], [hand.x + d[0], hand.y + d[1], 0]])
        dx, dy = foot[1] - foot[0]
        soft = max(1.5, self.light.softness * (hand.z + 2) * scale * 0.5)
        low = outline.min(axis=0) + np.minimum(0, (dx - 2 * soft, dy - 2 * soft))
        high = outline.max(axis=0) + np.maximum(0, (dx + 2 * soft, dy + 2 * soft))
        x0, y0 = (max(0, int(v)) for v in np.floor(low))
        x1, y1 = (min(n, int(v) + 1) for n, v in zip(self.size, np.ceil(high), strict=True))
        if x1 - x0 < 4 or y1 - y0 < 4:
            return
        m = m - np.array([[0, 0, x0], [0, 0, y0]])
        size = (int(x1 - x0), int(y1 - y0))
        # A hand on its way is smeared anyway: half the size is enough for it, and a quarter of the work.
        step = 2 if hand.blur > 0 else 1
        m, coarse = m / step, (max(1, size[0] // step), max(1, size[1] // step))
        a = cv2.warpAffine(alpha, m, coarse, flags=cv2.INTER_LINEAR)
        c = cv2.warpAffine(color, m, coarse, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        if hand.blur > 0:
            k = max(3, int(hand.blur * scale)) // step
            a, c = (cv2.resize(cv2.blur(v, (k, k)), size) for v in (a, c))
        part = image[y0:y1, x0:x1]
        small = cv2.resize(a, (max(1, size[0] // 4), max(1, size[1] // 4)), interpolation=cv2.INTER_AREA)
        move = np.array([[1, 0, dx / 4], [0, 1, dy / 4]], np.float64)
        small = cv2.warpAffine(small, move, (small.shape[1], small.shape[0]))
        small = cv2.GaussianBlur(small, (0, 0), max(0.8, soft / 4))
        shade = (255 - 255 * (1 - self.light.shadow_depth) * cv2.resize(small, size)).astype(np.uint8)
        cv2.multiply(part, cv2.merge([shade, shade, shade]), dst=part, scale=1 / 255)
        cx, cy = (min(max(0, int(v)), n - 1) for v, n in zip(outline.mean(axis=0), self.size, strict=True))
        tint = self.maps.shade[cy, cx] * 256
        c = cv2.multiply(c, np.array([*tint, 0], np.float64) / 256)
        part[:] = cv2.blendLinear(c, np.ascontiguousarray(part), a, 1 - a)

    def hand_cover(self, hands: Iterable[Hand]) -> npt.NDArray[np.float32] | None:
        """(H, W) share of each pixel of the last picture that `hands` cover; None without hands."""
        cover = None
        for hand in hands:
            _, alpha = hand_texture(hand.skin, hand.sleeve, hand.mirrored, light_for(self.light, hand.angle))
            m, _ = self._hand_matrix(hand)
            one = np.asarray(cv2.warpAffine(alpha, m, self.size, flags=cv2.INTER_LINEAR), np.float32)
            cover = one if cover is None else np.maximum(cover, one)
        return cover

    def _through_optics(self, image: Image, effects: Effects) -> Image:
        """Shadows from outside, what covers the lens, blur and exposure: `image` itself where there is none of it."""
        if effects.shadow[0] > 0:
            image = self._cast(image, *effects.shadow)
        if effects.blocked > 0:
            image = self._block(image, effects.blocked)
        if effects.blur > 0.2:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), effects.blur), np.uint8)
        if effects.shake >= 2:
            image = np.asarray(cv2.blur(image, (int(effects.shake), 1 + int(effects.shake) // 3)), np.uint8)
        if effects.gain != 1.0:
            curve = np.clip((np.arange(256) / 255) * effects.gain ** (1 / 2.2) * 255, 0, 255).astype(np.uint8)
            image = np.asarray(cv2.LUT(image, curve), np.uint8)
        return image

    def _sense(self, image: Image, effects: Effects) -> Image:
        """A new picture with the sensor's noise on it."""
        if effects.noise <= 0:
            return image.copy()
        # In less light the camera raises its gain, which makes up for part of the loss and adds noise.
        sigma = effects.noise * max(1.0, effects.gain**-0.5)
        w, h = self.size
        x, y = (int(v) for v in self._rng.integers(0, 97, 2))
        more, less = self._noise_bytes(sigma)
        part = slice(y, y + h), slice(x, x + w)
        # Where one of them is not zero the other is: two saturating passes over bytes are half the price of a weighted sum.
        out = cv2.add(image, more[part])
        return np.asarray(cv2.subtract(out, less[part], dst=out), np.uint8)

    def _noise_bytes(self, sigma: float) -> tuple[Image, Image]:
        """(what is added, what is taken away), cut from at random by `_sense`."""
        key = round(sigma, 1)
        if self._noise_key != key:
            self._noise_key = key
            noise = np.clip(self._noise * key + 128.5, 0, 255).astype(np.uint8)
            self._noise_more, self._noise_less = np.maximum(noise, 128) - 128, 128 - np.minimum(noise, 128)
        return self._noise_more, self._noise_less

    def _cast(self, image: Image, depth: float, share: float, direction: float) -> Image:
        """Somebody stands in the light: a soft edge, `depth` darker on its far side."""
        w, h = self.size
        xs = np.linspace(-1, 1, w, dtype=np.float32)[None, :]
        ys = np.linspace(-1, 1, h, dtype=np.float32)[:, None]
        a = np.radians(direction)
        along = xs * np.float32(np.cos(a)) - ys * np.float32(np.sin(a))
        inside = 1 / (1 + np.exp(((1.3 - 2.6 * share) - along) / 0.09))
        factor = (255 * (1 - depth * inside)).astype(np.uint8)
        return np.asarray(cv2.multiply(image, cv2.merge([factor, factor, factor]), scale=1 / 255), np.uint8)

    def _block(self, image: Image, share: float) -> Image:
        """Something out of focus before the lens."""
        w, h = self.size
        xs = np.linspace(-1.2, 1.2, w, dtype=np.float32)[None, :]
        ys = np.linspace(-1.2, 1.2, h, dtype=np.float32)[:, None]
        edge = 1.7 - 3.4 * share
        a = 1 / (1 + np.exp(-((xs * 0.8 + ys * 0.6) - edge) / 0.12))
        cover = np.empty_like(image)
        cover[:] = (34, 40, 62)
        a = np.ascontiguousarray(a, np.float32)
        return np.asarray(cv2.blendLinear(cover, image, a, 1 - a), np.uint8)


def _meets(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _merged(boxes: list[Box]) -> list[Box]:
    """Overlapping boxes joined."""
    out: list[Box] = []
    for box in boxes:
        if box[2] <= box[0] or box[3] <= box[1]:
            continue
        while True:
            other = next((o for o in out if _meets(o, box)), None)
            if other is None:
                break
            out.remove(other)
            box = (min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3]))
        out.append(box)
    return out


def _cut(box: Box, to: Box) -> tuple[Box, tuple[slice, slice]] | None:
    x0, y0, x1, y1 = max(box[0], to[0]), max(box[1], to[1]), min(box[2], to[2]), min(box[3], to[3])
    if x1 <= x0 or y1 <= y0:
        return None
    return (x0, y0, x1, y1), (slice(y0 - box[1], y1 - box[1]), slice(x0 - box[0], x1 - box[0]))


def _shade(canvas: Image, shadow: Image, at: Box, clip: Box) -> None:
    cut = _cut(at, clip)
    if cut is None:
        return
    (x0, y0, x1, y1), part = cut
    target = canvas[y0:y1, x0:x1]
    cv2.multiply(target, shadow[part], dst=target, scale=1 / 255)


def _lay(
    canvas: Image,
    color: Image,
    alpha: npt.NDArray[np.float32],
    rest: npt.NDArray[np.float32],
    at: Box,
    clip: Box,
) -> None:
    cut = _cut(at, clip)
    if cut is None:
        return
    (x0, y0, x1, y1), part = cut
    target = canvas[y0:y1, x0:x1]
    # blendLinear wants whole arrays: crops of canvas and sprite are copied, they are small.
    target[:] = cv2.blendLinear(
        np.ascontiguousarray(color[part]),
        np.ascontiguousarray(target),
        np.ascontiguousarray(alpha[part]),
        np.ascontiguousarray(rest[part]),
    )
