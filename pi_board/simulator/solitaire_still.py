"""`SolitaireScene`: pictures of any 37-hole board in any room with their full truth, for training and tests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.simulator.background import material, rim_shade
from pi_board.simulator.layout import Layout
from pi_board.simulator.lens import ViewPose
from pi_board.simulator.light import Lighting, varied_light
from pi_board.simulator.performer import SKINS, SLEEVES
from pi_board.simulator.renderer import Effects, Renderer, Thing, View
from pi_board.simulator.still import develop
from pi_board.simulator.style import BoardStyle, Color
from pi_board.simulator.things import Checker, Hand, Marble
from pi_board.solitaire import BOARD_37

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[Any]
Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class HolesStyle:
    """What marks a hole and what stands in it. Lengths are shares of the pitch, colours BGR 0..1.

    hole: "ring" printed, "disc" printed full, "hollow" turned for a marble, "drilled" for a peg. radius, line: of the
    hole and of its ring. outline: of the printed figure around all holes, "" for none. piece: its kind; size: its
    diameter; height: of its top above the board. seam: the box folds in the middle.
    """

    pitch: float
    hole: Literal["ring", "disc", "hollow", "drilled"]
    radius: float
    line: float
    ink: Color
    outline: Literal["", "octagon", "circle", "lines"]
    piece: Literal["checker", "peg", "marble"]
    size: float
    height: float
    color: Color
    many_colors: bool = False
    seam: bool = False


def hole_places(pitch: float) -> Floats:
    """(37, 2) cm of the holes, hole 1 first, in the board frame (x right, y away)."""
    return np.array([((c - 3) * pitch, (3 - r) * pitch) for r, c in BOARD_37.places])


def paint_holes(
    holes: HolesStyle, layout: Layout, light: Lighting, rng: Rng, ppc: float
) -> npt.NDArray[np.float32]:
    """The field from above, (H, W, 3) float32 0..1, `ppc` pixels per cm (a `background.FieldPainter` once `holes` is bound)."""
    s = layout.style
    w, h = round(s.field_width * ppc), round(s.field_height * ppc)
    image = material(h, w, s.field, s.surface, rng)
    pitch = holes.pitch * ppc
    middle = np.array([w / 2 - 0.5, h / 2 - 0.5])

    def mix(mask: Floats, color: Any) -> None:
        image[:] += (np.asarray(color, np.float32) - image) * (mask.astype(np.float32) / 255)[:, :, None]

    def fixed(p: Any) -> tuple[int, int]:
        return round(float(p[0]) * 16), round(float(p[1]) * 16)

    blank = np.zeros((h, w), np.uint8)
    line = max(1, round(max(holes.line, 0.05) * pitch))
    if holes.outline:
        mask = blank.copy()
        if holes.outline == "octagon":
            a, b = 3.62, 1.62
            shape = [(-b, -a), (b, -a), (a, -b), (a, b), (b, a), (-b, a), (-a, b), (-a, -b)]
            corners = np.round((np.array(shape) * pitch + middle) * 16).astype(np.int32)
            cv2.polylines(mask, [corners], True, 255, line, cv2.LINE_AA, 4)
        elif holes.outline == "circle":
            cv2.circle(mask, fixed(middle), round(3.85 * pitch * 16), 255, 2 * line, cv2.LINE_AA, 4)
        else:
            # The lines along which the pieces jump, as old boards print them.
            for r, n in enumerate((3, 5, 7, 7, 7, 5, 3)):
                a, b = (r - 3) * pitch, (n - 1) / 2 * pitch
                for p, q in (((-b, a), (b, a)), ((a, -b), (a, b))):
                    cv2.line(
                        mask, fixed(middle + p), fixed(middle + q), 255, max(1, line // 2), cv2.LINE_AA, 4
                    )
        mix(mask, np.asarray(holes.ink) * rng.uniform(0.8, 1.1))
    if holes.seam:
        x = w // 2
        image[:, x - line // 2 : x + (line + 1) // 2] *= 0.35
    d = light.direction
    radius = holes.radius * pitch
    mask = blank.copy()
    for r, c in BOARD_37.places:
        at = middle + np.array([c - 3, r - 3]) * pitch
        if holes.hole in ("ring", "disc"):
            width = -1 if holes.hole == "disc" else max(1, round(holes.line * pitch))
            cv2.circle(mask, fixed(at), round(radius * 16), 255, width, cv2.LINE_AA, 4)
        else:
            _carve(image, at, radius, d, holes.hole == "drilled", holes.ink)
    if mask.any():
        mix(mask, holes.ink)
    return np.asarray(image * rim_shade(layout, light, ppc), np.float32)


def _carve(image: Floats, at: Floats, radius: float, d: Floats, deep: bool, edge: Color) -> None:
    """A turned hollow or a drilled hole: dark on the side of the light, bright opposite, a sharp edge."""
    n = int(radius * 1.3) + 3
    x0, y0 = max(0, int(at[0]) - n), max(0, int(at[1]) - n)
    part = image[y0 : int(at[1]) + n + 1, x0 : int(at[0]) + n + 1]
    v, u = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
    u, v = (u + x0 - at[0]) / radius, (v + y0 - at[1]) / radius
    r = np.hypot(u, v)
    inside = np.clip((1 - r) * radius + 0.5, 0, 1)
    # Towards the light in the picture: (d.x, -d.y).
    side = (u * d[0] - v * d[1]) / max(0.2, float(np.hypot(d[0], d[1])))
    slope = np.hypot(d[0], d[1]) / max(0.3, d[2])
    if deep:
        factor = 0.16 + 0.5 * np.clip(-side - 0.55, 0, 1) * slope
    else:
        factor = np.clip(0.88 - 0.55 * slope * side * np.clip(r, 0, 1), 0.25, 1.4)
    part *= (1 + (factor - 1) * inside)[..., None].astype(np.float32)
    lip = np.exp(-(((r - 1) * radius / max(0.9, 0.06 * radius)) ** 2)) * 0.6
    part += (lip * np.clip(-side, -0.6, 1))[..., None].astype(np.float32) * np.asarray(edge, np.float32) * 0.5


# --------------------------------------------------------------------------------------------- making up


def _color(rng: Rng, low: float = 0.04, high: float = 0.92, tint: float = 0.35) -> Color:
    """Any colour: a lightness and a cast."""
    value = rng.uniform(low, high)
    cast = 1 + rng.uniform(0, tint) * rng.uniform(-1, 1, 3)
    return tuple(float(v) for v in np.clip(value * cast, 0.02, 0.97))  # type: ignore[return-value]


def _wood(rng: Rng) -> Color:
    value = rng.uniform(0.15, 0.85)
    return float(value * rng.uniform(0.45, 0.75)), float(value * rng.uniform(0.68, 0.88)), float(value)


def _apart(rng: Rng, base: Color, least: float) -> Color:
    """A colour that differs from `base` by at least so much lightness or colour."""
    for _ in range(40):
        color = _color(rng)
        if max(abs(a - b) for a, b in zip(color, base, strict=True)) >= least:
            return color
    return color


def make_up(rng: Rng) -> tuple[BoardStyle, HolesStyle]:
    """A set that somebody might sell: travel boxes with printed rings, wood with marbles, plastic with pegs."""
    kind = ("printed", "marbles", "pegs")[int(rng.choice(3, p=(0.66, 0.2, 0.14)))]
    pitch = float(rng.uniform(1.7, 3.2))
    wooden = rng.random() < (0.15 if kind == "printed" else 0.65)
    field = _wood(rng) if wooden else _color(rng)
    if kind == "printed" and rng.random() < 0.4:
        green = rng.uniform(0.15, 0.5)
        field = (float(green * rng.uniform(0.3, 0.8)), float(green), float(green * rng.uniform(0.2, 0.7)))
    dark = rng.random() < (0.6 if kind == "printed" else 0.15)
    piece = (
        _color(rng, 0.03, 0.22, 0.2) if dark else _wood(rng) if rng.random() < 0.3 else _color(rng, tint=0.9)
    )
    if rng.random() < 0.1:  # pieces of the board's own colour
        piece = tuple(float(np.clip(v * rng.uniform(0.7, 1.3), 0.03, 0.95)) for v in field)  # type: ignore[assignment]
    if kind == "printed":
        holes = HolesStyle(
            pitch,
            "ring" if rng.random() < 0.82 else "disc",
            float(rng.uniform(0.2, 0.42)),
            float(rng.uniform(0.03, 0.13)),
            _apart(rng, field, float(rng.uniform(0.12, 0.5))),
            ("", "octagon", "circle", "lines")[int(rng.choice(4, p=(0.42, 0.4, 0.08, 0.1)))],  # type: ignore[arg-type]
            "checker",
            float(rng.uniform(0.5, 0.9)),
            float(rng.uniform(0.1, 0.4)),
            piece,
            seam=bool(rng.random() < 0.2),
        )
    elif kind == "marbles":
        size = float(rng.uniform(0.55, 0.85))
        holes = HolesStyle(
            pitch, "hollow", size * float(rng.uniform(0.38, 0.55)), 0.06, tuple(min(1.0, 1.2 * v) for v in field),  # type: ignore[arg-type]
            ("", "circle")[int(rng.random() < 0.7)], "marble", size, 0.4 * size, piece, bool(rng.random() < 0.4),  # type: ignore[arg-type]
        )  # fmt: skip
    else:
        size = float(rng.uniform(0.22, 0.6))
        holes = HolesStyle(
            pitch, "drilled", float(rng.uniform(0.08, 0.2)), 0.05, tuple(min(1.0, 1.2 * v) for v in field),  # type: ignore[arg-type]
            ("", "octagon", "circle", "lines")[int(rng.integers(4))], "peg", size, float(rng.uniform(0.25, 0.8)), piece,  # type: ignore[arg-type]
        )  # fmt: skip
    margin = float(rng.uniform(7.3, 9.6))
    rim = (
        _wood(rng) if wooden else tuple(float(np.clip(v * rng.uniform(0.4, 1.2), 0.02, 0.95)) for v in field)
    )
    style = BoardStyle(
        "solitaire",
        field_width=pitch * margin,
        field_height=pitch * margin * float(rng.uniform(0.95, 1.16)),
        bar_width=0.0,
        bar_height=0.0,
        checker_diameter=holes.size * pitch,
        checker_height=holes.height * pitch,
        rim_width=float(rng.uniform(0.3, 1.3)),
        rim_height=float(rng.uniform(0.05, 0.9)),
        board_thickness=float(rng.uniform(0.8, 3.5)),
        hinges=False,
        rings=("none", "rings", "dish")[int(rng.integers(3))],  # type: ignore[arg-type]
        surface="wood" if wooden else ("plain", "felt")[int(rng.random() < 0.25)],  # type: ignore[arg-type]
        gloss=float(rng.uniform(0.02, 0.65)),
        dark=piece,
        field=field,
        rim=rim,  # type: ignore[arg-type]
        table=_wood(rng) if rng.random() < 0.4 else _color(rng),
        table_surface=("plain", "wood", "felt")[int(rng.integers(3))],  # type: ignore[arg-type]
    )
    return style, holes


def random_occupancy(rng: Rng) -> npt.NDArray[np.bool_]:
    """(37,) of all fillings, full and nearly empty boards more often than chance would have them."""
    share = rng.random()
    if share < 0.12:
        holes = np.ones(37, bool)
        holes[rng.choice(37, int(rng.integers(0, 4)), replace=False)] = False
        return holes
    if share < 0.25:
        holes = np.zeros(37, bool)
        holes[rng.choice(37, int(rng.integers(1, 4)), replace=False)] = True
        return holes
    return np.asarray(rng.random(37) < rng.uniform(0.1, 0.9))


class SolitaireScene:
    """One board on one table under one camera; `picture` fills its holes and photographs it.

    difficulty 0 (soft light, little tilt) … 1 (hard shadows, glare, strong tilt, noise, blur); None: any. sizes: of the
    picture, one of them is taken. Everything follows from `rng`.
    """

    def __init__(
        self,
        rng: Rng,
        *,
        difficulty: float | None = None,
        sizes: tuple[tuple[int, int], ...] = ((640, 480), (640, 480), (800, 600), (1024, 576)),
    ) -> None:
        self.rng = rng
        self.hard = hard = float(rng.beta(1.2, 1.6)) if difficulty is None else difficulty
        self.style, self.holes = make_up(rng)
        turned = float(rng.normal(0, 1.5 + 5 * hard)) if rng.random() < 0.85 else float(rng.uniform(-45, 45))
        pose = ViewPose(
            hfov=float(rng.uniform(48, 76)),
            fill=float(rng.uniform(0.5, 0.95)),
            tilt=float(rng.uniform(0, 8 + 22 * hard)),
            azimuth=float(rng.uniform(0, 360)),
            roll=turned,
            shift_x=float(rng.normal(0, 0.03)),
            shift_y=float(rng.normal(0, 0.03)),
            k1=float(rng.uniform(-0.1, 0.03)),
            k2=float(rng.uniform(-0.01, 0.02)),
        )
        light = varied_light(rng, None if hard > 0.25 else ("diffuse", "mixed", "warm")[int(rng.integers(3))])
        self.size = sizes[int(rng.integers(len(sizes)))]
        self.places = hole_places(self.holes.pitch)
        # A piece that is not moved keeps its small offset from picture to picture.
        self._pieces = [_piece(rng, self.holes, x, y, hard) for x, y in self.places]
        self._renderer = Renderer(self.size, int(rng.integers(1 << 31)))
        self._view = View(Layout(self.style), pose, light, paint=partial(paint_holes, self.holes))

    def picture(
        self, occupied: npt.ArrayLike | None = None, *, hand: bool | None = None
    ) -> tuple[Image, dict[str, Any]]:
        """(picture (H, W, 3) uint8 BGR, truth). occupied: (37,); None: any. hand: over the board; None: now and then.

        truth: holes (37 × 0/1), places (37, 2) px at board level, hidden (37,) share that a hand covers, difficulty,
        kind of hole and of piece.
        """
        rng, holes, hard = self.rng, self.holes, self.hard
        filled = random_occupancy(rng) if occupied is None else np.asarray(occupied, bool)
        things = [piece for piece, f in zip(self._pieces, filled, strict=True) if f]
        things += _beside(rng, self.style, holes, int(37 - filled.sum()))
        hands = []
        if hand if hand is not None else rng.random() < 0.06 + 0.06 * hard:
            hands.append(_hand(rng, self.places[int(rng.integers(37))] + rng.normal(0, 1.5, 2)))
        effects = Effects(
            gain=float(np.exp(rng.normal(0, 0.1 + 0.25 * hard))),
            noise=float(rng.uniform(0.8, 2.5 + 5 * hard)),
            blur=float(rng.uniform(0.3, 0.7 + 1.2 * hard)) * self.size[0] / 1280,
            shake=float(rng.uniform(2, 4)) if rng.random() < 0.1 * hard else 0.0,
        )
        image = self._renderer.render(self._view, things, hands, effects)
        px = self._renderer.lens.project(np.c_[self.places, np.zeros(37)])
        return develop(image, rng, hard), {
            "holes": [int(f) for f in filled],
            "places": px.tolist(),
            "hidden": self._hidden(px, hands).tolist(),
            "difficulty": round(hard, 3),
            "hole": holes.hole,
            "piece": holes.piece,
        }

    def _hidden(self, px: Floats, hands: list[Hand]) -> Floats:
        hidden = np.zeros(37)
        cover = self._renderer.hand_cover(hands)
        if cover is None:
            return hidden
        radius = int(0.3 * self.holes.pitch * self._renderer.lens.pixels_per_cm((0, 0, 0))) + 1
        soft = cv2.blur(cover, (2 * radius + 1, 2 * radius + 1))
        for i, (x, y) in enumerate(np.round(px).astype(int)):
            if 0 <= x < self.size[0] and 0 <= y < self.size[1]:
                hidden[i] = soft[y, x]
        return hidden


def _hand(rng: Rng, at: Floats) -> Hand:
    return Hand(
        float(at[0]), float(at[1]), float(rng.uniform(0.5, 4)),
        float(rng.normal(90, 25) if rng.random() < 0.6 else rng.uniform(0, 360)),
        SKINS[int(rng.integers(len(SKINS)))], SLEEVES[int(rng.integers(len(SLEEVES)))], bool(rng.random() < 0.3),
    )  # fmt: skip


def _piece(rng: Rng, holes: HolesStyle, x: float, y: float, hard: float) -> Thing:
    loose = holes.pitch * (0.012 + 0.035 * hard) * (0.4 if holes.piece != "checker" else 1.0)
    x, y = x + float(rng.normal(0, loose)), y + float(rng.normal(0, loose))
    if holes.piece == "marble":
        r = 0.5 * holes.size * holes.pitch
        return Marble(x, y, 0.45 * r, r, _marble_color(rng, holes), 0.5 if holes.many_colors else 0.0)
    return Checker("dark", x, y, 0.0)


def _marble_color(rng: Rng, holes: HolesStyle) -> Color:
    return _color(rng, 0.1, 0.9, 0.9) if holes.many_colors else holes.color


def _beside(rng: Rng, style: BoardStyle, holes: HolesStyle, most: int) -> list[Thing]:
    """Pieces already taken lie beside the board, mostly in a heap on one side."""
    if most == 0 or rng.random() < 0.35:
        return []
    things: list[Thing] = []
    angle = float(rng.integers(4)) * np.pi / 2
    r = 0.5 * holes.size * holes.pitch
    for _ in range(int(rng.integers(1, min(most, 14) + 1))):
        out = max(style.field_width, style.field_height) / 2 + style.rim_width + r * rng.uniform(1.5, 5)
        along = rng.uniform(-0.45, 0.45) * style.field_height
        x, y = out * np.cos(angle) - along * np.sin(angle), out * np.sin(angle) + along * np.cos(angle)
        near = any(np.hypot(t.x - x, t.y - y) < 2 * r for t in things if isinstance(t, Checker | Marble))
        if near:
            continue
        if holes.piece == "marble":
            color = _marble_color(rng, holes)
            things.append(Marble(float(x), float(y), r - style.board_thickness, r, color))
        else:
            things.append(Checker("dark", float(x), float(y), -style.board_thickness))
    return things
