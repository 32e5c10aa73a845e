"""The board on a small display: where every checker lies, and arrows for what was played, is expected or is advised (pure).

The player's own side is below and their home on the hand where they have it. Points are light's own numbers (1-24), places also "bar", "off".
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from PIL import Image, ImageChops, ImageDraw

from pi_board.panel.canvas import BLACK, CHECKER, WHITE, checker_disc
from pi_board.panel.lettering import Ink, PixelLetters

Place = int | str
#: Checkers that a point shows one above the other; a number stands on the last one where there are more.
STACK = 5
GROUND: Ink = (44, 40, 36)
TRIANGLES: tuple[Ink, Ink] = ((104, 80, 56), (70, 74, 84))
FRAME: Ink = (20, 18, 16)
#: How many times larger the smooth parts are drawn before they are reduced.
FINE = 4


class Lies(Protocol):
    """What is used of a position: light's checkers count positive."""

    @property
    def points(self) -> tuple[int, ...]: ...

    @property
    def bar(self) -> tuple[int, int]: ...

    @property
    def off(self) -> tuple[int, int]: ...


@dataclass(frozen=True, slots=True)
class Way:
    """One checker's way. start None: it is not on the board yet; to None: it is to be taken away."""

    side: str
    start: Place | None
    to: Place | None


@dataclass(frozen=True, slots=True)
class Seat:
    """How a player sees the board: `near` sits below and bears off to the side `home`."""

    near: str = "light"
    home: str = "right"

    def of(self, side: str) -> Seat:
        """The same board seen by `side`: who sits opposite sees it turned by half a turn."""
        if side == self.near:
            return self
        return Seat(side, "left" if self.home == "right" else "right")


@dataclass(frozen=True, slots=True)
class Size:
    """Pixels of a board picture. column: width of a point; step: from one checker of a stack to the next; disc: a checker's width;
    gap: between the two rows; edge: frame all round."""

    column: int
    bar: int
    tray: int
    step: int
    disc: int
    gap: int
    edge: int

    @property
    def width(self) -> int:
        return 12 * self.column + self.bar + self.tray + 2 * self.edge

    @property
    def height(self) -> int:
        return 2 * (STACK * self.step + self.edge) + self.gap


#: On 240×240 pixels in colour.
LARGE = Size(column=16, bar=18, tray=16, step=15, disc=15, gap=8, edge=2)
#: On 128×64 pixels: the smallest board on which ring and disc, and one point and the next, can still be told apart.
SMALL = Size(column=6, bar=6, tray=5, step=6, disc=5, gap=4, edge=0)


def ways_of(side: str, moves: Sequence[Sequence[int]]) -> tuple[Way, ...]:
    """The ways of a play whose `moves` are in the mover's numbering (25 = bar, 0 = off)."""

    def place(point: int) -> Place:
        return "bar" if point == 25 else "off" if point == 0 else point if side == "light" else 25 - point

    return tuple(Way(side, place(start), place(to)) for start, to in moves)


def ways_to_mend(changes: Sequence[Mapping[str, Any]]) -> tuple[Way, ...]:
    """The ways that the referee's `changes` ask for: [{"side", "from", "to"}]."""
    return tuple(Way(str(item["side"]), item.get("from"), item.get("to")) for item in changes)


def ways_between(
    before: Lies, after: Lies, side: str, dice: tuple[int, int] | None = None
) -> tuple[Way, ...]:
    """Which checker of which side went where from `before` to `after`, as well as the dice of `side` explain it.

    Checkers that appeared or vanished have one end only.
    """
    ways: list[Way] = []
    for who in ("light", "dark"):
        away, back = _changes(before, after, who)
        if len(away) == len(back) and 1 < len(away) <= 4:
            # A player's checkers cross on the way when the dice say so.
            roll = dice if who == side else None
            back = min(itertools.permutations(back), key=lambda order: _strain(away, order, who, roll))
        ways += [Way(who, start, to) for start, to in itertools.zip_longest(away, back)]
    return tuple(ways)


def _changes(before: Lies, after: Lies, side: str) -> tuple[list[Place], tuple[Place, ...]]:
    """(left, reached) by the checkers of `side`, in its direction of play."""
    sign, i = (1, 0) if side == "light" else (-1, 1)
    gained: list[tuple[Place, int]] = [
        (p + 1, max(0, sign * after.points[p]) - max(0, sign * before.points[p])) for p in range(24)
    ]
    if side == "light":
        gained.reverse()
    gained = [("bar", after.bar[i] - before.bar[i]), *gained, ("off", after.off[i] - before.off[i])]
    left = [place for place, n in gained for _ in range(-n)]
    return left, tuple(place for place, n in gained for _ in range(n))


def _strain(away: Sequence[Place], back: Sequence[Place], side: str, dice: tuple[int, int] | None) -> float:
    """How badly the dice explain these ways: a step backwards costs most, then more dice than were rolled, then a distance that no
    dice have."""
    roll: tuple[int, ...] = () if dice is None else dice if dice[0] != dice[1] else dice * 2
    # How many dice a distance takes.
    needed: dict[int, int] = {}
    for count in range(len(roll), 0, -1):
        needed |= {sum(some): count for some in itertools.combinations(roll, count)}
    total, used = 0.0, 0
    for start, to in zip(away, back, strict=True):
        pips = own_point(start, side) - own_point(to, side)
        fits = (
            next((n for d, n in sorted(needed.items()) if d >= pips), 0)
            if to == "off"
            else needed.get(pips, 0)
        )
        used += fits
        total += 100 * (pips <= 0) + 10 * (not fits) + math.sqrt(abs(pips))
    return total + 15 * (used > len(roll))


def own_point(place: Place, side: str) -> int:
    """The place in `side`'s own numbering, 25 = bar, 0 = off."""
    if isinstance(place, str):
        return 25 if place == "bar" else 0
    return place if side == "light" else 25 - place


def draw_board(
    position: Lies, ways: Sequence[Way], size: Size, seat: Seat, *, ink: Ink = WHITE,
    made: bool = False, colour: bool,
) -> Image.Image:  # fmt: skip
    """`position` with an arrow in `ink` for each of `ways`, "RGB" of size.width × size.height.

    made: the ways were gone already, `position` is what lies there now; else they begin there. A ring marks where a checker was or is to be.
    """
    image = _checkers(
        tuple(position.points), tuple(position.bar), tuple(position.off), size, seat, colour
    ).copy()
    marks = _ends(position, ways, size, seat, made)
    if marks:
        (_smooth_marks if colour else _pixel_marks)(image, marks, size, ink)
    return image


# -------------------------------------------------------------------------------------------------- where things lie

Spot = tuple[float, float]


def _spot(size: Size, seat: Seat, place: Place, side: str, level: int) -> Spot:
    """The centre of checker number `level` (0 = lowest) of a stack."""
    near = side == seat.near
    half = size.height / 2
    level = min(level, STACK - 1)
    if place == "bar":
        # They wait in the half where they enter: opposite their home.
        away = size.gap / 2 + (level + 0.5) * size.step
        return _bar_x(size, seat), half - away if near else half + away
    if place == "off":
        x = size.edge + size.tray / 2
        return (size.width - x if seat.home == "right" else x), (half * 1.5 if near else half * 0.5)
    own = own_point(place, seat.near)
    column = 12 - own if own <= 12 else own - 13
    x = size.edge + (column + 0.5) * size.column + (size.bar if column >= 6 else 0)
    if seat.home == "left":
        # Mirrored, and the tray stands on the left.
        x = size.width - x
    up = size.edge + (level + 0.5) * size.step
    return x, size.height - up if own <= 12 else up


def _bar_x(size: Size, seat: Seat) -> float:
    x = size.edge + 6 * size.column + size.bar / 2
    return size.width - x if seat.home == "left" else x


@dataclass(frozen=True, slots=True)
class _Mark:
    start: Spot | None
    to: Spot | None
    #: Which end has no checker there: a ring is drawn in its place.
    empty_start: bool
    empty_to: bool


def _ends(position: Lies, ways: Sequence[Way], size: Size, seat: Seat, made: bool) -> list[_Mark]:
    """Where the arrows begin and end: at the uppermost checker that is there, and at the next free place."""
    signs = {"light": 1, "dark": -1}
    counts: dict[tuple[str, Place], int] = {}
    for side, sign in signs.items():
        i = 0 if side == "light" else 1
        counts.update({(side, p): max(0, sign * position.points[p - 1]) for p in range(1, 25)})
        counts[side, "bar"], counts[side, "off"] = position.bar[i], position.off[i]

    def take(side: str, place: Place) -> Spot:
        counts[side, place] = max(0, counts[side, place] - 1)
        return _spot(size, seat, place, side, counts[side, place])

    def put(side: str, place: Place) -> Spot:
        counts[side, place] += 1
        return _spot(size, seat, place, side, counts[side, place] - 1)

    marks = []
    for way in reversed(ways) if made else ways:
        first, then = (way.to, way.start) if made else (way.start, way.to)
        lies = take(way.side, first) if first is not None else None
        free = put(way.side, then) if then is not None else None
        start, to = (free, lies) if made else (lies, free)
        marks.append(_Mark(start, to, empty_start=made, empty_to=not made))
    return marks


# -------------------------------------------------------------------------------------------------- drawing


@lru_cache(maxsize=8)
def _ground(size: Size, home: str, colour: bool) -> Image.Image:
    """The empty board."""
    if not colour:
        return _pixel_ground(size, home)
    f = FINE
    image = Image.new("RGB", (size.width * f, size.height * f), FRAME)
    draw = ImageDraw.Draw(image)
    seat = Seat("light", home)
    half = size.column / 2
    field = [_spot(size, seat, p, "light", 0)[0] for p in (1, 6, 7, 12)]
    for a, b in (sorted(field[:2]), sorted(field[2:])):
        draw.rectangle(
            (f * (a - half), f * size.edge, f * (b + half) - 1, f * (size.height - size.edge) - 1),
            fill=GROUND,
        )
    long = (STACK - 0.6) * size.step
    for point in range(1, 25):
        x, y = _spot(size, seat, point, "light", 0)
        base, tip = (
            (size.height - size.edge, size.height - size.edge - long)
            if y > size.height / 2
            else (size.edge, size.edge + long)
        )
        draw.polygon(
            [(f * (x - half), f * base), (f * (x + half) - 1, f * base), (f * x, f * tip)],
            fill=TRIANGLES[point % 2],
        )
    return image.reduce(f)


def _pixel_ground(size: Size, home: str) -> Image.Image:
    """Without colour: the bar's two edges, and a dot where the lowest checker of a point would lie."""
    image = Image.new("RGB", (size.width, size.height), BLACK)
    draw = ImageDraw.Draw(image)
    seat = Seat("light", home)
    for point in range(1, 25):
        spot = _spot(size, seat, point, "light", 0)
        draw.point((int(spot[0]), int(spot[1])), fill=WHITE)
    x = _bar_x(size, seat)
    for edge in (int(x - size.bar / 2), int(x + size.bar / 2) - 1):
        for y in range(0, size.height, 2):
            draw.point((edge, y), fill=WHITE)
    return image


@lru_cache(maxsize=8)
def _checkers(
    points: tuple[int, ...], bar: tuple[int, int], off: tuple[int, int], size: Size, seat: Seat, colour: bool
) -> Image.Image:
    image = _ground(size, seat.home, colour).copy()
    for i, side in enumerate(("light", "dark")):
        sign = 1 - 2 * i
        piles: list[tuple[Place, int]] = [(p, max(0, sign * points[p - 1])) for p in range(1, 25)]
        for place, count in [*piles, ("bar", bar[i])]:
            for level in range(min(count, STACK)):
                _disc(image, _spot(size, seat, place, side, level), side, size, colour)
            if count > STACK:
                _number(image, _spot(size, seat, place, side, STACK - 1), count, side, size, colour)
        _borne_off(image, side, off[i], size, seat, colour)
    return image


def _disc(image: Image.Image, spot: Spot, side: str, size: Size, colour: bool) -> None:
    x, y = round(spot[0] - size.disc / 2), round(spot[1] - size.disc / 2)
    if colour:
        disc = checker_disc(side, size.disc)
        image.paste(disc, (x, y), disc)
        return
    box = (x, y, x + size.disc - 1, y + size.disc - 1)
    draw = ImageDraw.Draw(image)
    if side == "light":
        draw.ellipse(box, fill=WHITE)
    else:
        draw.ellipse(box, fill=BLACK, outline=WHITE)


def _number(image: Image.Image, spot: Spot, count: int, side: str, size: Size, colour: bool) -> None:
    """How many checkers stand on a point, on the last one that is drawn."""
    if not colour:
        _digits(image, round(spot[0] - size.disc / 2), round(spot[1] - size.disc / 2), count)
        return
    letters = PixelLetters()
    ink = BLACK if side == "light" else WHITE
    letters.write(
        image, round(spot[0] - letters.width(str(count)) / 2 + 0.5), round(spot[1] - 5), str(count), ink
    )


#: The smallest digits that can be read: rows of pixels, `#` is ink. A one before another digit is one pixel wide.
DIGITS = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": ("#", "#", "#", "#", "#"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", " ##", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("#  ", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "  #"),
}


def _digits(image: Image.Image, x: int, y: int, count: int) -> None:
    """`count` in place of the last checker of a stack, 5×5 pixels."""
    image.paste(BLACK, (x, y, x + 5, y + 5))
    if count < 10:
        x += 1
    for digit in str(count):
        for row, line in enumerate(DIGITS[digit]):
            for column, pixel in enumerate(line):
                if pixel == "#":
                    image.putpixel((x + column, y + row), WHITE)
        x += len(DIGITS[digit][0]) + 1


def _borne_off(image: Image.Image, side: str, count: int, size: Size, seat: Seat, colour: bool) -> None:
    """Flat checkers in the tray, one line each."""
    if not count:
        return
    draw = ImageDraw.Draw(image)
    x, _ = _spot(size, seat, "off", side, 0)
    thick = 4 if colour else 2
    left, right = round(x - size.tray / 2 + 1), round(x + size.tray / 2 - 2)
    face, rim = CHECKER[side] if colour else (WHITE, WHITE)
    for n in range(count):
        y = size.height - size.edge - thick * (n + 1) if side == seat.near else size.edge + thick * n
        if colour:
            draw.rectangle((left, y, right, y + thick - 2), fill=face, outline=rim)
        elif side == "light":
            draw.line((left, y, right, y), fill=WHITE)
        else:
            draw.point([(left, y), (right, y)], fill=WHITE)


def _curve(mark: _Mark, size: Size) -> list[Spot]:
    """From start to end: bent towards the middle where both lie in the same row, so that it does not run through the stacks."""
    assert mark.start is not None and mark.to is not None
    (x0, y0), (x1, y1) = mark.start, mark.to
    middle = size.height / 2
    same = (y0 < middle) == (y1 < middle)
    bend = min(0.45 * abs(x1 - x0) + 2, abs(middle - (y0 + y1) / 2)) if same else 0.0
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2 + math.copysign(2 * bend, middle - y0) * 0.8
    steps = 16 if same else 1
    out = []
    for i in range(steps + 1):
        t = i / steps
        out.append(
            (
                (1 - t) ** 2 * x0 + 2 * t * (1 - t) * cx + t * t * x1,
                (1 - t) ** 2 * y0 + 2 * t * (1 - t) * cy + t * t * y1,
            )
        )
    return out if same else [(x0, y0), (x1, y1)]


def _clear_of_checkers(mark: _Mark, size: Size) -> list[Spot]:
    """The way of an arrow, without what lies on the checker at one of its ends."""
    line = _curve(mark, size)
    if not mark.empty_start:
        line = _trim(line, size.disc / 2 + 0.5)
    if not mark.empty_to:
        line = _trim(line[::-1], size.disc / 2 + 0.5)[::-1]
    return line


def _trim(line: list[Spot], by: float) -> list[Spot]:
    """`line` without its first `by` pixels, so that the checker there stays to be seen; a line too short for that stays whole."""
    if sum(math.dist(a, b) for a, b in itertools.pairwise(line)) < by + 9:
        return line
    while (step := math.dist(line[0], line[1])) <= by and len(line) > 2:
        line, by = line[1:], by - step
    (x0, y0), (x1, y1) = line[:2]
    part = min(1.0, by / step)
    return [(x0 + part * (x1 - x0), y0 + part * (y1 - y0)), *line[1:]]


def _head(line: Sequence[Spot], long: float) -> list[Spot]:
    """The triangle at the end of a line."""
    (x0, y0), (x1, y1) = line[-2], line[-1]
    angle = math.atan2(y1 - y0, x1 - x0)
    return [(x1, y1)] + [
        (x1 - long * math.cos(angle + a), y1 - long * math.sin(angle + a)) for a in (0.5, -0.5)
    ]


def _smooth_marks(image: Image.Image, marks: Sequence[_Mark], size: Size, ink: Ink) -> None:
    f = FINE
    masks = []
    for extra in (2.5, 0.0):
        mask = Image.new("L", (image.width * f, image.height * f), 0)
        draw = ImageDraw.Draw(mask)
        for mark in marks:
            for spot, empty in ((mark.start, mark.empty_start), (mark.to, mark.empty_to)):
                if spot is not None:
                    # A wide ring marks a checker that is there; a ring of a checker's size marks where one was or should be.
                    radius = f * (size.disc / 2 + (0 if empty else 0.5) + extra / 2)
                    x, y = f * spot[0], f * spot[1]
                    width = round(f * ((1.8 if empty else 2.2) + extra))
                    draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=255, width=width)
            if mark.start is not None and mark.to is not None:
                line = _clear_of_checkers(mark, size)
                head = _head(line, 10)
                # The line ends inside the head, so that the point stays sharp.
                stem = [*line[:-1], ((head[1][0] + head[2][0]) / 2, (head[1][1] + head[2][1]) / 2)]
                draw.line(
                    [(f * x, f * y) for x, y in stem], fill=255, width=round(f * (3 + extra)), joint="curve"
                )
                draw.polygon([(f * x, f * y) for x, y in head], fill=255)
                if extra:
                    draw.line([(f * x, f * y) for x, y in [*head, head[0]]], fill=255, width=round(f * extra))
            elif mark.start is not None:
                _strike(draw, mark.start, size, f, extra)
        masks.append(mask.reduce(f))
    image.paste(Image.new("RGB", image.size, BLACK), (0, 0), masks[0])
    image.paste(Image.new("RGB", image.size, ink), (0, 0), masks[1])


def _strike(draw: ImageDraw.ImageDraw, spot: Spot, size: Size, f: int, extra: float) -> None:
    """A cross through a checker that does not belong there."""
    r = size.disc * 0.6
    for slope in (1, -1):
        ends = [
            (f * (spot[0] - r), f * (spot[1] - slope * r)),
            (f * (spot[0] + r), f * (spot[1] + slope * r)),
        ]
        draw.line(ends, fill=255, width=round(f * (3 + extra)))


def _pixel_marks(image: Image.Image, marks: Sequence[_Mark], size: Size, ink: Ink) -> None:
    """Without colour: a line one pixel wide with black beside it, and a head at its end."""
    glow = Image.new("1", image.size, 0)
    shape = Image.new("1", image.size, 0)
    for mask, extra in ((glow, 2), (shape, 0)):
        draw = ImageDraw.Draw(mask)
        for mark in marks:
            if mark.start is not None and mark.to is not None:
                line = _clear_of_checkers(mark, size)
                draw.line(line, fill=1, width=1 + extra)
                draw.polygon(_head(line, 5 + extra / 2), fill=1, outline=1)
            elif mark.start is not None:
                _strike(draw, mark.start, size, 1, extra / 2 - 2)
            elif mark.to is not None:
                x, y = mark.to
                draw.rectangle((x - 3, y - 3, x + 2, y + 2), outline=1, width=1 + extra // 2)
    image.paste(BLACK, (0, 0), ImageChops.logical_or(glow, shape))
    image.paste(WHITE, (0, 0), shape)
