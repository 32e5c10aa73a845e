"""Path-traced pictures of sets that people own, in rooms drawn at random: proof that shares nothing with our own renderer.

    pip install mitsuba pyoidn
    python tests/bench/trace_rooms.py --count 60 --seed 1 --out DIR
    python tests/bench/bench_stills.py --folder DIR [--auto] [--sheet failures.png]

Each picture has its truth beside it in the schema of the reference scenes. Light comes from all sides of a room (windows, lamps,
at times the sun), checkers, dice and cups are bodies with bevels, dishes and holes; sets, positions, cameras and lenses are drawn
at random. A picture depends on the seed and its number alone. About 10 s a picture on one core. Mitsuba needs LLVM's library: on Debian 12
`apt install libllvm19` and DRJIT_LIBLLVM_PATH=/usr/lib/x86_64-linux-gnu/libLLVM.so.19.1 (14 is not found, 15 and 16 can't translate it).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import mitsuba as mi
import numpy as np
import numpy.typing as npt
import pyoidn
import traced_textures as textures
import traced_things as things
from bench_stills import homeward, stacked
from traced_textures import Field, Floats

from pi_board.rules import STARTING_POSITION, Position
from pi_board.simulator.still import random_position
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.training.stack_samples import long_rows

Doubles = npt.NDArray[np.float64]
Rng = np.random.Generator
#: x, y and radius of what stands on the board, cm.
Place = tuple[float, float, float]
SIDES = ("light", "dark")


@dataclass
class SetOfThings:
    """One drawn set: all lengths in cm."""

    field: Field
    radius: float
    height: float
    kind: str
    colours: tuple[Floats, Floats]
    faces: tuple[str, str]
    rim: float
    rim_height: float
    thick: float
    tray: float
    bar_height: float
    frame: tuple[Floats, str]
    die: float
    die_colours: tuple[Floats, Floats]


#: Of dice to learn from: how many have faint pips, and how near these come to the body's colour. Chosen by eye.
_FADED, _MOST_FADED = 0.4, 0.7


def two_colours(rng: Rng) -> tuple[Floats, Floats]:
    """The lighter and the darker side: a person can tell them."""
    while True:
        a, b = textures.hsv(rng, (0.04, 0.95)), textures.hsv(rng, (0.04, 0.95))
        if textures.apart(a, b) > 42 and abs(textures.luma(a) - textures.luma(b)) > 0.10:
            return (a, b) if textures.luma(a) > textures.luma(b) else (b, a)


def dice_colours(rng: Rng) -> tuple[Floats, Floats]:
    """Body and pips: three in five of the colours that dice mostly have."""
    body = textures.hsv(rng, (0.03, 0.95))
    if rng.random() < 0.6:
        usual = (
            (0.93, 0.92, 0.88),
            (0.04, 0.04, 0.05),
            (0.75, 0.06, 0.08),
            (0.08, 0.16, 0.55),
            (0.05, 0.35, 0.15),
        )
        body = np.array(usual[int(rng.choice(5, p=[0.4, 0.2, 0.2, 0.1, 0.1]))], np.float32)
    return body, np.full(3, 0.9 if textures.luma(body) < 0.45 else 0.03, np.float32)


def draw_set(rng: Rng) -> SetOfThings:
    radius = float(rng.uniform(1.0, 2.3))
    pitch = 2 * radius * float(rng.uniform(1.03, 1.22))
    bar = 2 * radius * float(rng.uniform(0.75, 1.4))
    height = 2 * radius * float(rng.uniform(10.6, 12.4))
    colours = two_colours(rng)
    while True:
        base, even, odd = (textures.hsv(rng, (0.05, 0.92)) for _ in range(3))
        if textures.apart(even, odd) > 22 and min(textures.apart(base, even), textures.apart(base, odd)) > 12:
            break
    # A checker that has the colour of what it lies on can't be told by a person either.
    colours = tuple(
        np.clip(c * 0.75, 0.01, 1).astype(np.float32)
        if min(textures.apart(c, k) for k in (base, even, odd)) < 14
        else c
        for c in colours
    )
    kind = str(rng.choice(["flat", "flat", "dish", "ring", "dome", "hole"]))
    face = str(rng.choice(textures.FACES))
    same = rng.random() < 0.8
    faces = (face, face if same else str(rng.choice(textures.FACES)))
    field = Field(
        12 * pitch + bar,
        height,
        pitch,
        bar,
        str(rng.choice(textures.POINTS)),
        height * float(rng.uniform(0.36, 0.46)),
        (base, even, odd),
        (
            str(rng.choice(textures.GROUNDS)),
            *(str(rng.choice(textures.GROUNDS)) for _ in range(2)),
        ),
        str(rng.choice(["none", "none", "rosette", "diamond", "words", "band"])),
        float(rng.choice([0, 0, 0.06, 0.12])),
        str(rng.choice(textures.WORDS)),
    )
    rim = radius * float(rng.uniform(0.45, 1.2))
    return SetOfThings(
        field, radius, radius * float(rng.uniform(0.28, 0.62)), kind, colours, faces,
        rim, rim * float(rng.uniform(0.5, 1.4)), radius * float(rng.uniform(0.8, 2)),
        2 * radius * float(rng.uniform(1.05, 1.3)) if rng.random() < 0.45 else 0.0,
        float(rng.uniform(0.25, 1.0)), (textures.hsv(rng, (0.08, 0.6)), str(rng.choice(["wood", "leather", "plain"]))),
        radius * float(rng.uniform(0.65, 1.2)), dice_colours(rng),
    )  # fmt: skip


@dataclass(frozen=True)
class Roll:
    """Dice that lie flat in one half (-1 left, 1 right). number: of the roll in its game. at: where they lay (cm), if they lay before;
    what is laid upon a die pushes it aside."""

    values: tuple[int, ...]
    half: int
    number: int
    at: tuple[tuple[float, float], ...] = ()


class Room:
    """A set on a table under a light, with what lies about; knows the truth of what it shows."""

    def __init__(
        self,
        seed: tuple[int, ...],
        position: Position,
        near: str,
        *,
        dice: int = 0,
        roll: Roll | None = None,
        rows: bool = False,
        cups: Sequence[Place] = (),
        many_cups: bool = False,
    ) -> None:
        """dice: so many, each of a make of its own, instead of a roll. roll: that lies there, instead of one drawn. rows: long rows on all
        points, whatever the position says. cups: stand there, and no die lies where they do. many_cups: others, where nothing lies."""
        self.seed, self.position, self.near = seed, position, near
        self.set = draw_set(self._stream("set"))
        self.shapes: dict[str, Any] = {"type": "scene"}
        self.checkers: list[dict[str, Any]] = []
        self.dice: list[dict[str, Any]] = []
        self.cube: dict[str, Any] = {"place": "none", "site": None, "value": 1, "face": 64, "center": None}
        self.clutter: list[str] = []
        self.still = roll is not None
        self.taken: list[Place] = []
        self.counts = self._counts()
        if rows:
            self.counts = [int(n) for n in long_rows(self._stream("rows")).ravel()]
        self.rng = self._stream("board")
        self._board()
        self.rng = self._stream("checkers")
        self._checkers()
        for k, cup in enumerate(cups):
            self.rng = self._stream("cup", k)
            self._stand(cup)
        self.rng = self._stream("cups")
        if many_cups:
            self._scatter()
        self.rng = self._stream("dice")
        self._throw(dice, roll)
        self.rng = self._stream("cube")
        self._cube()
        self.rng = self._stream("things")
        self._things()
        self.rng = self._stream("light")
        self._light()

    def _stream(self, *part: str | int) -> Rng:
        """Chance for one part of the room: what lies there changes none of the rest, so that a game is played in one room."""
        return np.random.default_rng([*self.seed, *(zlib.crc32(str(p).encode()) for p in part)])

    def _counts(self) -> list[int]:
        """(24) signed counts, numbered from the near player."""
        mine, seen = Orientation(self.near), Orientation("light")
        return [self.position.points[mine.point_at(*seen.column_of(i + 1)) - 1] for i in range(24)]

    def _look(self, texture: Floats | None, colour: Floats | None = None, **surface: float) -> dict[str, Any]:
        if texture is not None:
            bitmap = mi.Bitmap(textures.linear(texture))
            paint: dict[str, Any] = {"type": "bitmap", "bitmap": bitmap, "raw": True, "wrap_mode": "clamp"}
        else:
            assert colour is not None
            paint = {"type": "rgb", "value": np.clip(textures.linear(colour), 0.002, 0.95).tolist()}
        return {"type": "twosided", "m": {"type": "principled", "base_color": paint, **surface}}

    def _gloss(self) -> dict[str, float]:
        kind = self.rng.random()
        if kind < 0.4:
            return {"roughness": float(self.rng.uniform(0.35, 0.8)), "specular": 0.4}
        if kind < 0.8:
            return {"roughness": float(self.rng.uniform(0.12, 0.35)), "specular": 0.5}
        return {"roughness": 0.3, "specular": 0.5, "clearcoat": 0.8, "clearcoat_gloss": 0.9}

    def _add(self, name: str, mesh: things.Mesh, look: dict[str, Any]) -> None:
        props = mi.Properties()
        props["bsdf"] = mi.load_dict(look)
        out = mi.Mesh(
            name,
            len(mesh.vertices),
            len(mesh.faces),
            has_vertex_normals=True,
            has_vertex_texcoords=True,
            props=props,
        )
        p = mi.traverse(out)
        p["vertex_positions"] = mi.Float(mesh.vertices.astype(np.float32).ravel())
        p["faces"] = mi.UInt32(mesh.faces.astype(np.uint32).ravel())
        p["vertex_texcoords"] = mi.Float(mesh.uv.astype(np.float32).ravel())
        p.update()
        out.recompute_vertex_normals()
        self.shapes[name] = out

    def _sheet(
        self, name: str, x: tuple[float, float], y: tuple[float, float], z: float, look: dict[str, Any]
    ) -> None:
        t = mi.ScalarTransform4f
        self.shapes[name] = {
            "type": "rectangle",
            "to_world": t().translate([sum(x) / 2, sum(y) / 2, z])
            @ t().scale([(x[1] - x[0]) / 2, (y[1] - y[0]) / 2, 1]),
            "bsdf": look,
        }

    def _block(
        self,
        name: str,
        x: tuple[float, float],
        y: tuple[float, float],
        z: tuple[float, float],
        look: dict[str, Any],
    ) -> None:
        half = [(x[1] - x[0]) / 2, (y[1] - y[0]) / 2, (z[1] - z[0]) / 2]
        box = things.Mesh()
        box.add(things.rounded_box(half, min(half) * 0.25), at=[sum(x) / 2, sum(y) / 2, sum(z) / 2])
        self._add(name, box, look)

    def _board(self) -> None:
        s, f, rng = self.set, self.set.field, self.rng
        w, h = f.width / 2, f.height / 2
        self._sheet(
            "field",
            (-w, w),
            (-h, h),
            0.0,
            self._look(np.ascontiguousarray(textures.draw_field(rng, f)[::-1]), **self._gloss()),
        )
        wood = textures.ground(rng, 512, 512, *s.frame)
        look, top = self._look(wood, **self._gloss()), s.rim_height
        tray = s.tray + s.rim if s.tray else 0.0
        outer_x, outer_y = w + s.rim + tray, h + s.rim
        self.outer = (outer_x, outer_y)
        for k, (x, y) in enumerate(
            (((-outer_x, outer_x), (h, outer_y)), ((-outer_x, outer_x), (-outer_y, -h)),
             ((w, w + s.rim), (-h, h)), ((-w - s.rim, -w), (-h, h)))
        ):  # fmt: skip
            self._block(f"rim{k}", x, y, (-s.thick, top), look)
        if s.tray:
            lining = self._look(textures.ground(rng, 256, 256, f.colours[0], "felt"), roughness=0.8)
            for k, sign in enumerate((-1, 1)):
                inner, outer = w + s.rim, w + s.rim + s.tray
                span = (inner, outer) if sign > 0 else (-outer, -inner)
                self._sheet(f"tray{k}", span, (-h, h), 0.0, lining)
                wall = (outer, outer_x) if sign > 0 else (-outer_x, -outer)
                self._block(f"wall{k}", wall, (-h, h), (-s.thick, top), look)
                self._block(f"stop{k}", span, (-s.rim / 2, s.rim / 2), (-s.thick, top), look)
        self.bar_top = s.bar_height * top
        if rng.random() < 0.85:
            self._block("bar", (-f.bar / 2, f.bar / 2), (-h, h), (-s.thick, self.bar_top), look)
        else:
            self.bar_top = 0.0
        self._sheet("floor", (-outer_x, outer_x), (-outer_y, outer_y), -0.02, self._look(None, s.frame[0]))
        cloth = textures.ground(
            rng, 1024, 1024, textures.hsv(rng, (0.05, 0.9)), str(rng.choice(textures.GROUNDS))
        )
        if rng.random() < 0.3:
            stripes = (np.arange(1024) // int(rng.integers(14, 60)) % 2).astype(np.float32)[:, None, None]
            cloth = cloth * (1 - 0.4 * stripes) + 0.4 * stripes * textures.hsv(rng, (0.1, 0.9))
        self._sheet("table", (-110, 110), (-110, 110), -s.thick - 0.01, self._look(cloth, roughness=0.6))

    def _checkers(self) -> None:
        s, f, rng = self.set, self.set.field, self.rng
        jitter = float(rng.choice([0.03, 0.07, 0.12])) * s.radius
        tops = [textures.draw_tops(rng, c, face) for c, face in zip(s.colours, s.faces, strict=True)]
        gloss = [
            {"metallic": 0.9, "roughness": float(rng.uniform(0.2, 0.45))} if f == "metal" else self._gloss()
            for f in s.faces
        ]
        bodies: dict[str, things.Mesh] = {side: things.Mesh() for side in SIDES}
        shapes = {side: things.checker(rng, s.radius, s.height, s.kind) for side in SIDES}
        edge = f.height / 2
        per_row = min(5, int(edge // (2 * s.radius)))

        def put(
            side: str, x: float, y: float, layer: int, loc: str, point: int | None, ground: float
        ) -> None:
            # (Each place has chance of its own: what is not moved stays as it lies.)
            rng = self._stream("checker", loc, side, round(x * 50), round(y * 50), layer)
            if loc == "point":
                x, y = x + rng.normal(0, jitter), y - np.sign(y) * abs(rng.normal(0, jitter * 0.4))
            mesh, height = shapes[side]
            z = ground + layer * s.height
            tile = int(rng.integers(textures.TOPS**2))
            turned = things.Mesh()
            turned.add(mesh, things.about((0, 0, 1), float(rng.uniform(0, 2 * np.pi))))
            turned.uv = (
                turned.uv * 0.96 + 0.02 + [tile % textures.TOPS, tile // textures.TOPS]
            ) / textures.TOPS
            bodies[side].add(turned, at=(x, y, z))
            self.taken.append((x, y, s.radius))
            self.checkers.append(
                {"color": side, "loc": loc, "point": point, "layer": layer, "at": (x, y, z + height)}
            )

        for i, n in enumerate(self.counts):
            column, _ = Orientation("light").column_of(i + 1)
            far = i >= 12
            for k in range(abs(n)):
                layer, place = divmod(k, per_row)
                gap = s.radius * (1.0 + 2 * place) + 0.03 * place + 0.03
                y = (edge - gap) * (1 if far else -1)
                x = f.column_x(column)
                put("light" if n > 0 else "dark", x, y, layer, "point", i + 1, 0.0)
        for i, side in enumerate(SIDES):
            for k in range(self.position.bar[i]):
                sign = 1 if side == self.near else -1
                put(side, 0.0, sign * s.radius * (1.4 + 2.1 * k), 0, "bar", None, self.bar_top)
            for k in range(self.position.off[i]):
                sign = -1 if side == self.near else 1
                if s.tray:
                    layer, place = divmod(k, 5)
                    x = f.width / 2 + s.rim + s.tray / 2
                    put(
                        side,
                        x,
                        sign * (f.height / 2 - s.radius * (1.05 + 2.02 * place)),
                        layer,
                        "off",
                        None,
                        0.0,
                    )
                else:
                    x = self.outer[0] + s.radius * (1.5 + 2.2 * (k // 5))
                    put(
                        side,
                        x,
                        sign * (f.height / 2 - s.radius * (1.2 + 2.15 * (k % 5))),
                        0,
                        "off",
                        None,
                        -s.thick,
                    )
        for i, side in enumerate(SIDES):
            # Textures are stored from the top, and v counts from the bottom.
            self._add(
                f"checkers_{side}", bodies[side], self._look(np.ascontiguousarray(tops[i][::-1]), **gloss[i])
            )

    def _scatter(self) -> None:
        """Cups where nothing lies, on the points too."""
        f = self.set.field
        for _ in range(int(self.rng.integers(1, 4))):
            r = self.set.radius * float(self.rng.uniform(0.8, 1.5))
            at = self._free(
                r * 1.1, (-f.width / 2 + r, f.width / 2 - r), (-f.height / 2 + r, f.height / 2 - r)
            )
            if at is not None:
                self._stand((*at, r))

    def _stand(self, cup: Place) -> None:
        """A dice cup of this place and radius."""
        x, y, r = cup
        look = self._look(None, textures.hsv(self.rng, (0.03, 0.9)), **self._gloss())
        body = things.Mesh()
        body.add(things.cup(r, r * float(self.rng.uniform(1.4, 2.8))), at=(x, y, 0.0))
        self._add(f"cup{len(self.taken)}", body, look)
        self.taken.append(cup)
        self.clutter.append("board_cup")

    def _free(
        self,
        room: float,
        x: tuple[float, float],
        y: tuple[float, float],
        first: tuple[float, float] | None = None,
        others: Sequence[Place] = (),
    ) -> tuple[float, float] | None:
        """A place with room around it, also from `others` (x, y, radius), `first` if that is one."""
        for _ in range(300):
            at = first or (float(self.rng.uniform(*x)), float(self.rng.uniform(*y)))
            first = None
            if all(np.hypot(at[0] - a, at[1] - b) > room + r for a, b, r in [*self.taken, *others]):
                return at
        return None

    def _die(
        self, bodies: things.Mesh, dots: things.Mesh, turn: Doubles, at: Doubles, look: tuple[float, float]
    ) -> None:
        e = self.set.die
        bodies.add(things.rounded_box([e / 2] * 3, e * look[0]), turn, at)
        dots.add(things.pips(e, look[1], 0.24), turn, at)

    def _throw(self, many: int, roll: Roll | None) -> None:
        """The roll, at times none; or so many dice, each of a make of its own."""
        s, f, rng = self.set, self.set.field, self.rng
        half = 1 if rng.random() < 0.5 else -1
        e = s.die
        bodies, dots, look = things.Mesh(), things.Mesh(), self._make()
        number = many or int(rng.choice([0, 2, 2, 2, 2]))
        if roll is not None:
            rng, number, half = self._stream("roll", roll.number), len(roll.values), roll.half
        for k in range(number):
            value, spin = int(rng.integers(1, 7)), float(rng.uniform(0, 2 * np.pi))
            if roll is not None:
                value = roll.values[k]
            turn = things.with_up(value, spin)
            if many:
                half = 1 if rng.random() < 0.5 else -1
            x = sorted((half * (f.bar / 2 + e), half * (f.width / 2 - e)))
            cocked, at = None, None
            kind = rng.random() if roll is None else 1.0
            on_points = [c for c in self.checkers if c["loc"] == "point"]
            if kind < 0.06 and on_points:
                under = max(
                    on_points[:: int(rng.integers(1, 4))], key=lambda c: c["at"][2] + rng.normal(0, 0.1)
                )
                if all(d["cocked_kind"] != "on_checker" for d in self.dice):
                    at = np.array([*under["at"][:2], under["at"][2] + e / 2])
                    cocked = "on_checker"
            elif kind < 0.12 and on_points:
                at, turn, cocked = self._leaning(on_points, turn)
            if at is None:
                cocked = None
                turn = things.with_up(value, spin)
                lay = roll.at[k:] if roll is not None else ()
                # (A checker may have come to lie where one lay; the others stay.)
                place = self._free(
                    e * 0.74,
                    (x[0], x[1]),
                    (-f.height / 2 + e, f.height / 2 - e),
                    first=lay[0] if lay else None,
                    others=[(*at, e * 0.75) for at in lay[1:]],
                )
                if place is None:
                    continue
                at = np.array([*place, e / 2])
            self.taken.append((at[0], at[1], e * 0.75))
            self._die(bodies, dots, turn, at, look)
            up = max(things.NORMALS, key=lambda v: float((turn @ np.array(things.NORMALS[v], float))[2]))
            self.dice.append(
                {"value": up, "cocked": cocked is not None, "cocked_kind": cocked, "turn": turn, "at": at}
            )
            if many:
                body, ink = dice_colours(rng)
                if rng.random() < _FADED:
                    ink = (ink + (body - ink) * float(rng.uniform(0, _MOST_FADED))).astype(np.float32)
                self._paint(f"{k}", bodies, dots, (body, ink))
                bodies, dots, look = things.Mesh(), things.Mesh(), self._make()
        # A second pair of dice lies beside the board at times.
        if not many and roll is None and rng.random() < 0.3:
            for _ in range(2):
                at = np.array([
                    self.outer[0] + float(rng.uniform(2, 6)), float(rng.uniform(-0.5, 0.5) * f.height), e / 2 - s.thick
                ])  # fmt: skip
                turn = things.with_up(int(rng.integers(1, 7)), float(rng.uniform(0, 6)))
                self._die(bodies, dots, turn, at, look)
            self.clutter.append("second_dice")
        if len(bodies.vertices):
            self._paint("", bodies, dots, s.die_colours)

    def _make(self) -> tuple[float, float]:
        """Of a die: how round its edges are and how large its pips, as shares of its edge."""
        return float(self.rng.uniform(0.08, 0.22)), float(self.rng.uniform(0.075, 0.11))

    def _paint(
        self, name: str, bodies: things.Mesh, dots: things.Mesh, colours: tuple[Floats, Floats]
    ) -> None:
        shine = float(self.rng.uniform(0.1, 0.5))
        self._add(f"dice{name}", bodies, self._look(None, colours[0], roughness=shine, specular=0.5))
        self._add(f"pips{name}", dots, self._look(None, colours[1], roughness=0.5))

    def _leaning(self, on_points: list[dict[str, Any]], turn: Doubles) -> tuple[Doubles | None, Doubles, str]:
        """A die with one edge on the field and its underside on a checker's upper edge."""
        s, e = self.set, self.set.die
        for _ in range(60):
            c = on_points[int(self.rng.integers(len(on_points)))]
            a = float(self.rng.uniform(0, 2 * np.pi))
            away = np.array([np.cos(a), np.sin(a), 0.0])
            share = float(self.rng.uniform(0.45, 0.95)) * e
            if c["layer"] or s.height / share > 0.75:
                continue
            lean = float(np.arcsin(s.height / share))
            foot = np.array([*c["at"][:2], 0.0]) + away * (s.radius + share * np.cos(lean))
            spot = foot - away * e * 0.5 * np.cos(lean)
            if any(
                np.hypot(spot[0] - x, spot[1] - y) < e * 0.5 + r
                for x, y, r in self.taken
                if (x, y) != tuple(c["at"][:2])
            ):
                continue
            if abs(spot[0]) > s.field.width / 2 - e or abs(spot[1]) > s.field.height / 2 - e:
                continue
            axis = np.cross(away, [0, 0, 1.0])
            tip = things.about(axis, lean)
            if (tip @ -away)[2] < 0:
                tip = things.about(axis, -lean)
            flat = things.with_up(int(self.rng.integers(1, 7)), a)
            middle = foot + tip @ (-away * e / 2 + np.array([0, 0, e / 2]))
            return middle, tip @ flat, "lean"
        return None, turn, "lean"

    def _cube(self) -> None:
        s, f, rng = self.set, self.set.field, self.rng
        place = str(rng.choice(["none", "center", "center", "near", "far"]))
        if place == "none":
            return
        e = min(s.die * float(rng.uniform(1.1, 1.5)), f.bar * 0.95)
        value = 64 if place == "center" else int(rng.choice([2, 4, 8, 16]))
        y = {"center": 0.0, "near": -f.height * 0.42, "far": f.height * 0.42}[place]
        at = np.array([0.0, y, self.bar_top + e / 2])
        if rng.random() < 0.3:
            at = np.array([-self.outer[0] - 1.2 * e, y, e / 2 - s.thick])
            self.cube["site"] = "beside"
        else:
            self.cube["site"] = "bar"
            if any(np.hypot(at[0] - a, at[1] - b) < r + 0.6 * e for a, b, r in self.taken):
                self.cube["site"] = None
                return
        body = textures.hsv(rng, (0.6, 0.95), 0.4) if rng.random() < 0.6 else textures.hsv(rng, (0.05, 0.5))
        ink = np.full(3, 0.05 if textures.luma(body) > 0.4 else 0.9, np.float32)
        box = things.Mesh()
        turn = things.about((0, 0, 1), float(rng.choice(4)) * np.pi / 2 + float(rng.normal(0, 0.08)))
        box.add(things.rounded_box([e / 2] * 3, e * 0.12), turn, at)
        self._add("cube", box, self._look(None, body, roughness=0.4))
        decal = things.Mesh(
            np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * 0.36 * e + [0, 0, 0.502 * e],
            np.array([[0, 1, 2], [0, 2, 3]]), np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]]),
        )  # fmt: skip
        face = things.Mesh()
        face.add(decal, turn, at)
        self._add(
            "cube_face",
            face,
            self._look(np.ascontiguousarray(textures.numeral(value, body, ink)[::-1]), roughness=0.4),
        )
        self.taken.append((at[0], at[1], e * 0.7))
        top = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]) * e / 2
        self.cube |= {
            "corners": at + top @ turn.T,
            "place": place,
            "face": value,
            "value": 1 if place == "center" else value,
            "center": np.array([*at[:2], at[2] + e / 2]),
        }

    def _things(self) -> None:
        s, f, rng = self.set, self.set.field, self.rng
        for k in range(int(rng.choice([0, 1, 2, 3]))):
            kind = str(rng.choice(["dice_cup", "coin", "phone", "card", "book", "board_cup"]))
            look = self._look(None, textures.hsv(rng, (0.03, 0.9)), **self._gloss())
            side = float(rng.choice([-1, 1]))
            beside = np.array(
                [side * (self.outer[0] + rng.uniform(4, 9)), rng.uniform(-0.6, 0.6) * f.height, -s.thick]
            )
            body = things.Mesh()
            if kind == "board_cup":
                # (In a game no cup stands where the next roll may fall.)
                if self.still:
                    continue
                r = float(rng.uniform(1.0, 1.5)) * s.radius
                at = self._free(r * 1.1, (-f.width / 2 + r, f.width / 2 - r), (-f.height / 4, f.height / 4))
                if at is None or any(c == "board_cup" for c in self.clutter):
                    continue
                self.taken.append((*at, r))
                body.add(things.cup(r, r * float(rng.uniform(2.0, 2.8))), at=(*at, 0.0))
            elif kind == "dice_cup":
                r = float(rng.uniform(2.5, 4))
                body.add(things.cup(r, r * float(rng.uniform(2, 2.6))), at=beside)
            elif kind == "coin":
                body.add(things.lathe([(1.1, 0), (1.1, 0.15), (0.001, 0.15)]), at=beside)
            else:
                half = {"phone": (3.6, 7.5, 0.4), "card": (3, 4.3, 0.02), "book": (6, 9, 1.2)}[kind]
                box = things.rounded_box(half, min(half) * 0.4)
                out = np.array([side * half[0], 0, half[2]])
                body.add(box, things.about((0, 0, 1), float(rng.normal(0, 0.3))), beside + out)
            self._add(f"thing{k}", body, look)
            self.clutter.append(kind)

    def _light(self) -> None:
        rng = self.rng
        t = mi.ScalarTransform4f
        self.shapes["sky"] = {
            "type": "envmap",
            "bitmap": mi.Bitmap(textures.sky(rng)),
            "to_world": t().rotate([0, 0, 1], float(rng.uniform(0, 360))) @ t().rotate([1, 0, 0], 90),
        }
        if rng.random() < 0.45:
            a, lean = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.5, 1.1))
            d = float(rng.uniform(60, 110))
            at = [d * np.sin(lean) * np.cos(a), d * np.sin(lean) * np.sin(a), d * np.cos(lean)]
            power = float(rng.uniform(8, 60))
            self.shapes["lamp"] = {
                "type": "disk",
                "to_world": t().look_at(origin=at, target=[0, 0, 0], up=[0, 0.01, 1]) @ t().scale(float(rng.uniform(3, 9))),
                "emitter": {"type": "area", "radiance": {"type": "rgb", "value": [power, power * 0.86, power * 0.66]}},
            }  # fmt: skip


@dataclass
class View:
    """A camera over the board and its lens, as OpenCV describes them."""

    size: tuple[int, int]
    matrix: Doubles
    lens: Doubles
    turn: Doubles
    shift: Doubles
    eye: Doubles
    tilt: float
    azimuth: float
    roll: float

    def project(self, points: npt.ArrayLike) -> Doubles:
        p = np.asarray(points, float).reshape(-1, 3)
        out, _ = cv2.projectPoints(p, cv2.Rodrigues(self.turn)[0], self.shift, self.matrix, self.lens)
        return out.reshape(-1, 2)


def draw_view(rng: Rng, outer: tuple[float, float], most: float = 48.0, width: int = 0) -> View:
    """A board that lies wholly in the picture: tilts up to `most` degrees, at times turned. width: of the picture, px, instead of one drawn."""
    w = int(rng.choice([640, 800, 960, 1024]))
    w = width or w
    size = (w, w * 3 // 4)
    while True:
        tilt = float(np.clip(abs(rng.normal(0, 20)), 0, most))
        azimuth = float(rng.normal(0, 9))
        roll = float(rng.normal(0, 3)) if rng.random() < 0.75 else float(rng.uniform(-40, 40))
        if abs(azimuth + roll) > 44:
            # The near player's side must be the lower one in the picture.
            continue
        far = float(rng.uniform(1.1, 2.2)) * 2 * outer[0]
        t, a, r = np.radians([tilt, azimuth, roll])
        eye = far * np.array([np.sin(t) * np.sin(a), -np.sin(t) * np.cos(a), np.cos(t)])
        forward = -eye / far
        right = np.cross(forward, [0, 1e-6, 1] if tilt > 1 else [0, 1, 0])
        right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-9 else np.array([1.0, 0, 0])
        # From straight above, "up" in the picture is away from the near player.
        if tilt <= 1:
            right = np.array([1.0, 0, 0])
        down = np.cross(forward, right)
        base = np.stack([right, down, forward])
        spun = np.array([[np.cos(r), -np.sin(r), 0], [np.sin(r), np.cos(r), 0], [0, 0, 1]]) @ base
        eye[:2] += rng.normal(0, 1.5, 2)
        fill = float(rng.uniform(0.6, 0.96))
        lens = np.array([float(rng.uniform(-0.18, 0.04)), float(rng.uniform(-0.02, 0.04)), 0, 0, 0])
        corners = np.array([[x * outer[0], y * outer[1], 0] for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))])
        for _ in range(4):
            # People turn the camera until the board is in the middle; the lens's own middle stays that of the picture.
            flat = (spun @ (corners - eye).T).T
            spun = _turned_to((flat[:, :2] / flat[:, 2:]).mean(axis=0)) @ spun
        shift = -spun @ eye
        flat = (spun @ corners.T).T + shift
        spread = np.ptp(flat[:, :2] / flat[:, 2:], axis=0)
        f = fill * min(size[0] / spread[0], size[1] / spread[1])
        centre = np.array(size) / 2 + rng.normal(0, 0.006, 2) * size[0]
        matrix = np.array([[f, 0, centre[0]], [0, f, centre[1]], [0, 0, 1]])
        view = View(size, matrix, lens, spun, shift, eye, tilt, azimuth, roll)
        px = view.project(corners)
        inside = (px > 6).all() and (px < np.array(size) - 7).all()
        # A wide lens bends its corners back on themselves: no real one does.
        window = rays(view)[1]
        if inside and f > 0.4 * size[0] and max(map(abs, window)) * f < 0.9 * size[0]:
            return view


def _turned_to(at: Doubles) -> Doubles:
    """(3, 3) the turn of a camera that brings into its middle what it sees at `at` (2,), unit focal length."""
    length = float(np.hypot(*at))
    axis = np.array([at[1], -at[0], 0.0]) / max(length, 1e-12)
    return np.asarray(cv2.Rodrigues(axis * np.arctan(length))[0])


def rays(view: View) -> tuple[Doubles, tuple[float, float, float, float]]:
    """(h, w, 2) the undistorted direction of each pixel and the window that holds them all."""
    w, h = view.size
    grid = np.stack(np.meshgrid(np.arange(w), np.arange(h)), axis=-1).reshape(-1, 1, 2).astype(float)
    flat = cv2.undistortPoints(grid, view.matrix, view.lens).reshape(h, w, 2)
    return flat, (*flat.reshape(-1, 2).min(axis=0), *flat.reshape(-1, 2).max(axis=0))


def render(room: Room, view: View, samples: int) -> tuple[Floats, Any]:
    """(h, w, 3) linear light as the camera sees it, and the traced scene."""
    flat, (x0, y0, x1, y1) = rays(view)
    half = 1.01 * max(abs(x0), abs(x1))
    tall = 1.01 * max(abs(y0), abs(y1))
    scale = view.matrix[0, 0]
    rw, rh = round(2 * half * scale), round(2 * tall * scale)
    half = rw / 2 / scale
    forward, up = view.turn[2], -view.turn[1]
    t = mi.ScalarTransform4f
    scene = mi.load_dict(
        room.shapes
        | {
            "camera": {
                "type": "perspective",
                "fov": float(np.degrees(2 * np.arctan(half))),
                "fov_axis": "x",
                "to_world": t().look_at(
                    origin=view.eye.tolist(), target=(view.eye + forward).tolist(), up=up.tolist()
                ),
                "film": {"type": "hdrfilm", "width": rw, "height": rh, "rfilter": {"type": "box"}, "pixel_format": "rgb",
                         "component_format": "float32"},
                "sampler": {"type": "independent", "sample_count": samples},
            },
            "integrator": {
                "type": "aov", "aovs": "nn:sh_normal,alb:albedo",
                "image": {"type": "path", "max_depth": 6},
            },
        }
    )  # fmt: skip
    layers = np.array(mi.render(scene, spp=samples))
    colour, normal, albedo = (np.ascontiguousarray(layers[..., k : k + 3]) for k in (0, 3, 6))
    clean = pyoidn.denoise(colour, albedo=np.clip(albedo, 0, 1), normal=normal, hdr=True)
    maps = [
        (flat[..., 0] * scale + rw / 2 - 0.5).astype(np.float32),
        (flat[..., 1] * scale + rh / 2 - 0.5).astype(np.float32),
    ]
    return cv2.remap(np.asarray(clean, np.float32), *maps, cv2.INTER_CUBIC).clip(0, None), scene


def develop(
    rng: Rng, light: Floats, grain: Rng | None = None
) -> tuple[npt.NDArray[np.uint8], dict[str, float]]:
    """(h, w, 3) BGR as a cheap camera gives it, and what it did. grain: chance for the noise, where it is not `rng`."""
    h, w = light.shape[:2]
    post = {
        "ev": float(rng.normal(-0.1, 0.3)), "electrons": float(np.exp(rng.uniform(np.log(900), np.log(9000)))),
        "blur": float(rng.uniform(0.0, 0.9)), "vignette": float(rng.uniform(0, 0.3)), "bloom": float(rng.uniform(0, 0.06)),
        "sat": float(rng.uniform(0.8, 1.2)), "sharpen": float(rng.uniform(0, 0.7)), "jpeg": int(rng.integers(70, 95)),
        "wb_r": float(rng.normal(1, 0.05)), "wb_b": float(rng.normal(1, 0.06)),
    }  # fmt: skip
    # Exposed for the mean, but not so far that a tenth of the picture is burnt out.
    bright = light.mean(axis=2)
    image = (
        light * min(0.24 / float(bright.mean()), 0.85 / float(np.percentile(bright, 92))) * 2 ** post["ev"]
    )
    own = light.reshape(-1, 3).mean(axis=0)
    image = image * (own.mean() / own) ** 0.7
    image = image * np.array([post["wb_r"], 1, post["wb_b"]], np.float32)
    y, x = np.mgrid[0:h, 0:w]
    image *= (1 - post["vignette"] * ((x / w - 0.5) ** 2 + (y / h - 0.5) ** 2) * 2)[..., None].astype(
        np.float32
    )
    image += post["bloom"] * (cv2.GaussianBlur(image.clip(0, 4), (0, 0), w / 40) - image)
    if post["blur"] > 0.2:
        image = cv2.GaussianBlur(image, (0, 0), post["blur"])
    n = post["electrons"]
    grain = grain or rng
    image = grain.poisson(image.clip(0, 4) * n).astype(np.float32) / n + grain.normal(0, 2.5 / n, image.shape)
    image = np.where(image < 0.75, image, 0.75 + 0.25 * (1 - np.exp(-(image - 0.75) / 0.25)))
    image = image.clip(0, 1)
    image = np.where(image <= 0.0031308, image * 12.92, 1.055 * np.power(image, 1 / 2.4) - 0.055)
    grey = image.mean(axis=2, keepdims=True)
    image = grey + post["sat"] * (image - grey)
    soft = cv2.GaussianBlur(image, (0, 0), 1.2)
    image = (image + post["sharpen"] * (image - soft)).clip(0, 1)
    out = np.round(image[..., ::-1] * 255).astype(np.uint8)
    return out, post


def shows(
    scene: Any, eye: Doubles, at: npt.ArrayLike, radius: float, normal: npt.ArrayLike = (0, 0, 1)
) -> float:
    """Share of a disc that the camera sees."""
    n = np.asarray(normal, float)
    u = np.cross(n, [1, 0, 0] if abs(n[0]) < 0.8 else [0, 1, 0])
    u /= np.linalg.norm(u)
    v = np.cross(n, u)
    a, r = np.meshgrid(np.linspace(0, 2 * np.pi, 8, endpoint=False), np.array([0.3, 0.65, 0.92]) * radius)
    p = (
        np.asarray(at, float)
        + np.cos(a).ravel()[:, None] * r.ravel()[:, None] * u
        + np.sin(a).ravel()[:, None] * r.ravel()[:, None] * v
    )
    # Just above the face: the face itself must not hide it.
    p = p + n * 0.12 * radius
    to = eye - p
    far = np.linalg.norm(to, axis=1)
    ray = mi.Ray3f(
        mi.Point3f(*(p.T.astype(np.float32))), mi.Vector3f(*((to / far[:, None]).T.astype(np.float32)))
    )
    ray.maxt = mi.Float(far.astype(np.float32))
    return float(1 - np.array(scene.ray_test(ray)).mean())


def truth(room: Room, view: View, scene: Any, name: str, post: dict[str, float]) -> dict[str, Any]:
    """The document that lies beside the picture; pixels are OpenCV's."""
    s, f = room.set, room.set.field
    near = room.near
    square = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]], float)
    px = lambda p: [round(float(v), 2) for v in view.project(p)[0]]  # noqa: E731
    corners = view.project(square * [f.width / 2, f.height / 2, 0])
    frame = view.project(square * [*room.outer, 0] + [0, 0, s.rim_height])
    checkers = []
    for c in room.checkers:
        edge = view.project(
            np.array(c["at"]) + s.radius * np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]])
        )
        checkers.append({
            "color": c["color"], "loc": c["loc"], "point": c["point"], "layer": c["layer"], "center_px": px(c["at"]),
            "radius_px": round(float(np.linalg.norm(edge - view.project(c["at"]), axis=1).mean()), 2),
            "visible": round(shows(scene, view.eye, c["at"], s.radius), 2), "hand_hides": False,
        })  # fmt: skip
    dice = []
    for d in room.dice:
        n = np.array(things.NORMALS[d["value"]], float)
        u = np.roll(n, 1) if n.sum() > 0 else np.roll(-n, 1)
        v = np.cross(n, u)
        local = np.stack([n + a * u + b * v for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * s.die / 2
        at = d["at"] + d["turn"] @ n * s.die / 2
        dice.append({
            "value": d["value"], "cocked": d["cocked"], "cocked_kind": d["cocked_kind"],
            "half": "left" if at[0] < 0 else "right", "center_px": px(at),
            "corner_px": [[round(float(k), 2) for k in p] for p in view.project(d["at"] + local @ d["turn"].T)],
            "visible": round(shows(scene, view.eye, at, s.die * 0.45, d["turn"] @ n), 2), "size_cm": s.die,
        })  # fmt: skip
    cube = {k: v for k, v in room.cube.items() if k not in ("center", "corners")}
    if room.cube["center"] is not None:
        cube["corner_px"] = view.project(room.cube["corners"]).round(2).tolist()
        cube["center_px"] = px(room.cube["center"])
    both = {"light": 0, "dark": 1}
    return {
        "id": name, "kind": "backgammon", "style": f.shape, "difficulty": "hard" if view.tilt > 30 or abs(view.roll) > 15 else "medium",
        "image": {"width": view.size[0], "height": view.size[1], "file": f"{name}.jpg"},
        "corners_px": corners.round(2).tolist(), "frame_corners_px": frame.round(2).tolist(), "near_color": near,
        "points": [{"light": max(n, 0), "dark": max(-n, 0)} for n in room.counts],
        "bar": {k: room.position.bar[i] for k, i in both.items()}, "off": {k: room.position.off[i] for k, i in both.items()},
        "checkers": checkers, "dice": dice, "cube": cube, "point_hidden_by_hand": [0.0] * 24, "hand": {"present": False},
        "clutter": room.clutter, "markers": [], "post": post,
        "camera": {"K": view.matrix.round(3).tolist(), "dist_k1k2p1p2k3": view.lens.round(4).tolist(), "tilt_deg": round(view.tilt, 1),
                   "azimuth_deg": round(view.azimuth, 1), "roll_deg": round(view.roll, 1)},
        "geometry_cm": {"field_w": f.width, "field_h": f.height, "bar": f.bar, "rim_w": s.rim, "rim_h": s.rim_height, "radius": s.radius,
                        "height": s.height, "tray": bool(s.tray)},
        "set": {"faces": s.faces, "kind": s.kind, "grounds": f.grounds, "ornament": f.ornament,
                "colours": [c.round(3).tolist() for c in (*s.colours, *f.colours)]},
    }  # fmt: skip


def trace(
    seed: int,
    number: int,
    samples: int,
    dice: int = 0,
    rows: bool = False,
    width: int = 0,
    cups: bool = False,
) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
    """One picture and its truth; depends on the seed and the number alone."""
    rng = np.random.default_rng((seed, number))
    kinds = (
        lambda _: STARTING_POSITION,
        random_position,
        random_position,
        stacked,
        homeward,
        random_position,
    )
    position = kinds[number % 6](rng)
    room = Room((seed, number), position, str(rng.choice(SIDES)), dice=dice, rows=rows, many_cups=cups)
    view = draw_view(rng, room.outer, width=width)
    light, scene = render(room, view, samples)
    image, post = develop(rng, light)
    return image, truth(room, view, scene, f"traced_{seed}_{number:03d}", post)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--dice", type=int, default=0, help="so many of as many makes instead of a roll, to learn from"
    )
    parser.add_argument("--rows", action="store_true", help="long rows on all points, to learn from")
    parser.add_argument("--cups", action="store_true", help="one to three cups on the field, to learn from")
    parser.add_argument(
        "--width",
        type=int,
        default=0,
        help="of the pictures, px, instead of 640 to 1024: small dice, to learn from",
    )
    parser.add_argument(
        "--samples", type=int, default=16, help="paths a pixel, before the noise is taken out"
    )
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    mi.set_variant("llvm_ad_rgb")
    args.out.mkdir(parents=True, exist_ok=True)
    for number in range(args.first, args.first + args.count):
        began = time.perf_counter()
        image, document = trace(args.seed, number, args.samples, args.dice, args.rows, args.width, args.cups)
        name = document["id"]
        cv2.imwrite(
            str(args.out / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, document["post"]["jpeg"]]
        )
        (args.out / f"{name}.json").write_text(json.dumps(document))
        print(f"{name}  {time.perf_counter() - began:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
