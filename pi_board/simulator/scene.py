"""`Scene`: the table as it is at this moment, and the one ear that its players have.

The scene knows where everything lies. Nobody outside the simulator may ask it: a camera shows it, and
`tell` lets the players hear the referee, as lights and buzzer would in a room.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pi_board.rules import STARTING_POSITION, Position, Side, opponent
from pi_board.simulator.drawn_style import style_of
from pi_board.simulator.layout import Home, Layout
from pi_board.simulator.lens import ViewPose
from pi_board.simulator.light import Lighting
from pi_board.simulator.renderer import Effects, Thing, View
from pi_board.simulator.style import BoardStyle
from pi_board.simulator.things import (
    CUBE_NORMALS,
    DIE_NORMALS,
    Checker,
    Cup,
    Die,
    DoublingCube,
    Hand,
    Slab,
    as_matrix,
    lying,
    rotation,
    upright,
)

#: Where a checker can be: ("point", 1..24), ("bar", side), ("off", side).
Place = tuple[str, int | Side]
#: Places on the table (x, y), cm.
Spots = Sequence[tuple[float, float]]
#: Free places among which people choose who have been asked to move a cup.
WEIGHED = 8
#: A checker is laid at least so many diameters from the one before it.
APART = 1.005


def own_place(side: Side, number: int) -> Place:
    """The place that `side` calls `number` (25 bar, 0 off, 1-24 from its own ace point)."""
    if number == 25:
        return "bar", side
    if number == 0:
        return "off", side
    return "point", number if side == "light" else 25 - number


def nearest(x: float, y: float, spots: Spots) -> float:
    """Centimetres from (x, y) to the nearest of `spots`; 0 where there is none."""
    return min((math.dist((x, y), spot) for spot in spots), default=0.0)


class Scene:
    """Checkers, dice, cube, hands, light and camera pose; every change shows in the next frame."""

    def __init__(
        self,
        style: str | BoardStyle = "travel",
        *,
        near: Side = "light",
        home: Home = "right",
        rng: np.random.Generator | None = None,
        pose: ViewPose | None = None,
        light: Lighting | None = None,
        jitter: float = 1.0,
        cube: bool = True,
    ) -> None:
        self.rng = rng or np.random.default_rng(1)
        self.style = style if isinstance(style, BoardStyle) else style_of(style)
        self.layout = Layout(self.style, near, home)
        self.jitter = jitter
        self.view = View(self.layout, pose or ViewPose(), light or Lighting())
        self.effects = Effects()
        self.places: dict[Place, list[Checker]] = {}
        self.dice: list[Die] = []
        self.cube: DoublingCube | None = None
        #: (stake, "center", its owner or "offered"); "none" without a cube.
        self.cube_says: tuple[int, str] = (1, "none")
        self.hands: list[Hand] = []
        self.held: list[Checker] = []
        self.loose: list[Checker] = []
        self.clutter: list[Slab | Cup] = []
        self.layer_from = 5 if self.rng.random() < 0.75 else 6
        self.bridging = bool(self.rng.random() < 0.5)
        self._heard: list[str] = []
        #: A referee watches this table, so the players wait for its verdicts.
        self.spoken_to = False
        self._pressed: list[str] = []
        self.set_position(STARTING_POSITION)
        if cube:
            self.set_cube(1, None)

    # ---------------------------------------------------------------------------------------- the one ear

    def tell(self, word: str) -> None:
        """The players hear the referee. Words: "ready", "legal", "illegal", "throw_again", "dice", "stands", "game_won",
        "straighten", and "move_thing 8-10, 13" with the points that it hides.

        Words that they do not know are ignored, as any noise is.
        """
        self._heard.append(word)
        # The referee may see the set-up and still not comment on plays, so this does not count as a verdict.
        self.spoken_to = self.spoken_to or word != "ready"

    def hear(self) -> list[str]:
        """What was said since the last call (for the players)."""
        words, self._heard = self._heard, []
        return words

    def press(self, button: str) -> None:
        """A player presses a button of the panel: "pass" is the one thing that a board cannot show."""
        self._pressed.append(button)

    def pressed(self) -> list[str]:
        """Buttons pressed since the last call (for whoever wires the panel)."""
        buttons, self._pressed = self._pressed, []
        return buttons

    # ------------------------------------------------------------------------------------------- checkers

    def things(self) -> Iterator[Thing]:
        for stack in self.places.values():
            yield from stack
        yield from self.held
        yield from self.loose
        yield from self.dice
        yield from self.clutter
        if self.cube is not None:
            yield self.cube

    def set_position(self, position: Position) -> None:
        """All checkers laid anew, each placed by an imperfect hand."""
        self.places = {}
        self.held = []
        self.loose = []
        for point, n in enumerate(position.points, 1):
            side: Side = "light" if n > 0 else "dark"
            for _ in range(abs(n)):
                self.put(side, ("point", point))
        for i, s in enumerate(("light", "dark")):
            side = "light" if s == "light" else "dark"
            for _ in range(position.bar[i]):
                self.put(side, ("bar", side))
            for _ in range(position.off[i]):
                self.put(side, ("off", side))

    def counts(self) -> tuple[list[int], list[int], list[int]]:
        """(24 points, net; bar; off): what lies there, a checker in somebody's hand left out."""
        points = [0] * 24
        bar, off = [0, 0], [0, 0]
        for (kind, where), stack in self.places.items():
            for c in stack:
                sign = 1 if c.side == "light" else -1
                if kind == "point":
                    points[int(where) - 1] += sign
                elif kind == "bar":
                    bar[0 if c.side == "light" else 1] += 1
                else:
                    off[0 if c.side == "light" else 1] += 1
        return points, bar, off

    def position(self) -> Position:
        """What lies there (for the truth log and for tests; a camera cannot ask)."""
        points, bar, off = self.counts()
        return Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))

    def spot(self, side: Side, place: Place) -> Checker:
        """The checker that the next one laid on `place` will be, jitter included."""
        kind, where = place
        stack = self.places.get(place, [])
        i = len(stack)
        s, n = self.style, self.rng.normal
        d = s.checker_diameter
        if kind == "point":
            point = int(where)
            x, y, z = self.layout.point_place(point, i, self._layers(point), self.bridging)
            x += float(np.clip(n(0, 0.055), -0.13, 0.13)) * d * self.jitter
            row = self.layout.row_sign(point)
            if z == 0 and i > 0:
                # Up against the one before it, with a small gap.
                y = stack[-1].y - row * d * (APART + abs(float(n(0, 0.022))) * self.jitter)
            else:
                y -= row * abs(float(n(0, 0.03))) * d * self.jitter
        elif kind == "bar":
            x, y, z = self.layout.bar_place("light" if where == "light" else "dark", i)
            x += float(n(0, 0.03)) * d * self.jitter
            y += float(n(0, 0.04)) * d * self.jitter
        else:
            x, y, z = self.layout.off_place("light" if where == "light" else "dark", i)
            x += float(n(0, 0.04)) * d * self.jitter
            y += float(n(0, 0.03)) * d * self.jitter
        return Checker(side, round(x, 3), round(y, 3), round(z, 4))

    def _layers(self, point: int) -> int:
        """How many lie on the board before a second layer begins: a sixth only where the point across leaves room. Once there is a
        second layer it is as it was begun, whatever has become of the point across."""
        if self.layer_from == 5:
            return 5
        stack = self.places.get(("point", point), [])
        if len(stack) > 5:
            return 5 if stack[5].z > 0 else 6
        across = len(self.places.get(("point", 25 - point), []))
        fits = self.style.checker_diameter * 6.1 < self.style.field_height / 2 * 1.15
        return 6 if across <= 3 and fits else 5

    def put(self, side: Side, place: Place) -> Checker:
        checker = self.spot(side, place)
        self.places.setdefault(place, []).append(checker)
        return checker

    def take(self, place: Place, side: Side | None = None) -> Checker:
        """The last checker (of `side`) on `place`, taken away. What lies beyond it is drawn up, so that it begins in the second row at most:
        people put a hitter before the checker that is hit, and that one before the hitter that is taken back."""
        stack = self.places[place]
        index = len(stack) - 1
        if side is not None:
            index = max(i for i, c in enumerate(stack) if c.side == side)
        taken = stack.pop(index)
        if place[0] == "point" and index < len(stack):
            self._draw_up(int(place[1]), stack)
        return taken

    def _draw_up(self, point: int, stack: list[Checker]) -> None:
        """As `take` says, in place."""
        row = self.layout.row_sign(point)
        edge = self.layout.point_place(point, 0)[1]
        apart = self.style.checker_diameter * APART
        rows_off = row * (edge - stack[0].y) / apart
        if rows_off > 1.5:
            up = row * (round(rows_off) - 1) * apart
            stack[:] = [replace(c, y=round(c.y + up, 3)) for c in stack]

    # ------------------------------------------------------------------------------------------------ dice

    def clear_of(self, x: float, y: float, radius: float, *, ignore: Die | None = None) -> bool:
        """Nothing lies within `radius` cm of (x, y)."""
        r = self.style.checker_diameter / 2
        for stack in (*self.places.values(), self.loose):
            for c in stack:
                if (c.x - x) ** 2 + (c.y - y) ** 2 < (radius + r) ** 2:
                    return False
        for d in self.dice:
            if d is not ignore and (d.x - x) ** 2 + (d.y - y) ** 2 < (radius + d.size * 0.72) ** 2:
                return False
        for thing in self.clutter:
            if (
                isinstance(thing, Cup)
                and (thing.x - x) ** 2 + (thing.y - y) ** 2 < (radius + thing.radius) ** 2
            ):
                return False
        c2 = self.cube
        return c2 is None or (c2.x - x) ** 2 + (c2.y - y) ** 2 >= (radius + c2.size * 0.75) ** 2

    def free_spot(
        self, side: Side, *, area: tuple[float, float, float, float] | None = None
    ) -> tuple[float, float]:
        """A free place for a die in the right-hand half of `side`."""
        s = self.style
        x0, x1, y0, y1 = area or self.layout.dice_area(side)
        for attempt in range(400):
            x, y = (
                float(self.rng.uniform(x0, x1)),
                float(self.rng.uniform(y0, y1) * (0.75 if attempt < 200 else 1)),
            )
            if self.clear_of(x, y, s.die_size * (0.72 if attempt < 300 else 0.62)):
                return x, y
        # A crowded half: the strip between the two rows.
        return float(self.rng.uniform(x0, x1)), float(self.rng.normal(0, 0.2))

    def spot_for_cup(self, radius: float, away_from: Spots = ()) -> tuple[float, float] | None:
        """A place on the board, or half on its rim, where a cup covers nothing that lies there, of a few the furthest `away_from` what
        it must not hide; None when there is none."""
        s = self.style
        found: list[tuple[float, float]] = []
        for _ in range(400):
            x = float(self.rng.uniform(-1, 1)) * (s.field_width / 2 - 0.4 * radius)
            y = float(self.rng.uniform(-1, 1)) * (s.field_height / 2 - 0.4 * radius)
            if self.clear_of(x, y, radius):
                found.append((round(x, 2), round(y, 2)))
                if len(found) == (WEIGHED if away_from else 1):
                    break
        return max(found, key=lambda spot: nearest(spot[0], spot[1], away_from), default=None)

    def flat_die(self, owner: Side, value: int, x: float, y: float, yaw: float | None = None) -> Die:
        turn = lying(DIE_NORMALS[value], float(self.rng.uniform(0, 360)) if yaw is None else yaw)
        return Die(owner, value, x, y, self.style.die_size / 2, as_matrix(turn), self.style.die_size)

    def lay_die(self, owner: Side, value: int, side: Side | None = None) -> Die:
        """A die at rest, flat, in the right-hand half of `side` (default: its owner)."""
        x, y = self.free_spot(side or owner)
        die = self.flat_die(owner, value, x, y)
        self.dice.append(die)
        return die

    def straighten_die(self, index: int) -> None:
        """A hand sets die `index` of `dice` down again: same number, flat, another angle, about a die's width further in."""
        die = self.dice[index]
        x, y = die.x, die.y
        for _ in range(40):
            near_x = die.x + float(self.rng.uniform(-1, 1)) * die.size
            near_y = die.y - float(np.sign(die.y) * self.rng.uniform(0.3, 1.3)) * die.size
            if self.clear_of(near_x, near_y, die.size * 0.9, ignore=die):
                x, y = near_x, near_y
                break
        self.dice[index] = self.flat_die(die.owner, die.value, x, y)

    def tumbling_die(self, owner: Side, x: float, y: float, z: float, blur: float) -> Die:
        axis = self.rng.normal(0, 1, 3)
        turn = rotation(axis, float(self.rng.uniform(0, 360)))
        return Die(
            owner, int(self.rng.integers(1, 7)), x, y, z, as_matrix(turn), self.style.die_size, blur=blur
        )

    def cocked_die(self, owner: Side, value: int, side: Side) -> Die:
        """A die leaning against a checker or the rim in the right-hand half of `side`."""
        s = self.style
        x0, x1, _, _ = self.layout.dice_area(side)
        tilt = float(self.rng.uniform(24, 40))
        for _ in range(200):
            stacks = [c for st in self.places.values() for c in st if x0 - 1 < c.x < x1 + 1 and c.z == 0]
            if stacks and self.rng.random() < 0.8:
                c = stacks[int(self.rng.integers(len(stacks)))]
                a = float(self.rng.uniform(0, 2 * np.pi))
                reach = s.checker_diameter / 2 + s.die_size * 0.42
                x, y = c.x + np.cos(a) * reach, c.y + np.sin(a) * reach
                others = [o for st in self.places.values() for o in st if o is not c]
                if any(
                    (o.x - x) ** 2 + (o.y - y) ** 2 < (s.checker_diameter / 2 + s.die_size * 0.6) ** 2
                    for o in others
                ):
                    continue
            else:
                a = float(np.pi / 2 * self.rng.choice([-1, 1]))
                x = float(self.rng.uniform(x0, x1))
                y = -np.sin(a) * (s.field_height / 2 - s.die_size * 0.55)
                if not self.clear_of(x, y, s.die_size * 0.6):
                    continue
            if (
                abs(x) > s.field_width / 2 - s.die_size * 0.5
                or abs(y) > s.field_height / 2 - s.die_size * 0.5
            ):
                continue
            turn = rotation((-np.sin(a), np.cos(a), 0), -tilt) @ lying(DIE_NORMALS[value], np.degrees(a))
            rise = s.die_size / 2 * (np.cos(np.radians(tilt)) + np.sin(np.radians(tilt)))
            return Die(
                owner, value, float(x), float(y), float(rise), as_matrix(turn), s.die_size, cocked=True
            )
        x, y = self.free_spot(side)
        turn = rotation((1, 0, 0), tilt) @ lying(DIE_NORMALS[value], 0)
        return Die(owner, value, x, y, s.die_size * 0.68, as_matrix(turn), s.die_size, cocked=True)

    def die_on_checker(self, owner: Side, value: int, side: Side) -> Die:
        """A die lying flat on top of a checker."""
        x0, x1, _, _ = self.layout.dice_area(side)
        tops = [c for st in self.places.values() for c in st if x0 - 1 < c.x < x1 + 1]
        if not tops:
            return self.cocked_die(owner, value, side)
        c = tops[int(self.rng.integers(len(tops)))]
        s = self.style
        dx, dy = self.rng.normal(0, 0.15 * s.checker_diameter, 2)
        top = (
            max(o.z for o in tops if (o.x - c.x) ** 2 + (o.y - c.y) ** 2 < 0.5 * s.checker_diameter)
            + s.checker_height
        )
        turn = lying(DIE_NORMALS[value], float(self.rng.uniform(0, 360)))
        return Die(
            owner, value, float(c.x + dx), float(c.y + dy), float(top + s.die_size / 2), as_matrix(turn), s.die_size,
            cocked=True, on_checker=True,
        )  # fmt: skip

    def outside_die(self, owner: Side, value: int) -> Die:
        """A die that rolled off the board, onto the table beside it."""
        s = self.style
        sign = self.layout.right_half_sign(owner)
        tray = s.beside if sign > 0 else 0.0
        x = sign * (s.field_width / 2 + s.rim_width + tray + float(self.rng.uniform(1.2, 2.4)) * s.die_size)
        y = float(self.rng.uniform(-0.35, 0.35)) * s.field_height
        die = self.flat_die(owner, value, x, y)
        return Die(owner, value, x, y, s.die_size / 2 - s.board_thickness, die.turn, s.die_size)

    # ------------------------------------------------------------------------------------------------ cube

    def set_cube(self, value: int, owner: Side | None, *, offered_to: Side | None = None) -> None:
        """The cube showing stake `value` (64 up when not yet turned), in the middle, owned or offered."""
        face = 64 if value == 1 else 2 ** ((value.bit_length() - 2) % 6 + 1)
        x, y, z = (
            self.layout.cube_place(owner)
            if offered_to is None
            else self.layout.cube_offered_place(offered_to)
        )
        s = self.style
        if offered_to is not None:
            sign = self.layout.right_half_sign(offered_to)
            for _ in range(300):
                if self.clear_of(x, y, s.cube_size * 0.72):
                    break
                x = sign * float(
                    self.rng.uniform(s.bar_width / 2 + s.cube_size, s.field_width / 2 - s.cube_size)
                )
                y = float(self.rng.uniform(-0.4, 0.4)) * s.field_height
        # Readable for whoever it lies before; in the middle it lies as it fell.
        heading = 90.0 if (owner or offered_to or self.layout.near) == self.layout.near else 270.0
        if owner is None and offered_to is None:
            heading += 90.0 * int(self.rng.integers(4))
        turn = as_matrix(upright(CUBE_NORMALS[face], heading + float(self.rng.normal(0, 9))))
        x, y = x + float(self.rng.normal(0, 0.05)), y + float(self.rng.normal(0, 0.1))
        self.cube = DoublingCube(face, x, y, z + s.cube_size / 2, turn, s.cube_size)
        self.cube_says = value, "offered" if offered_to is not None else owner or "center"

    # ----------------------------------------------------------------------------------------------- hands

    def edge(self, side: Side) -> float:
        """-1 when `side` sits at the near edge, else +1."""
        return -1.0 if side == self.layout.near else 1.0

    @staticmethod
    def other(side: Side) -> Side:
        return opponent(side)
