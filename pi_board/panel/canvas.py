"""`DisplayCanvas`: text, dice and marks for small displays, drawn to a PIL image (no device needed).

What is written is remembered with the place that it takes, so that a test can tell words that were cut, that lie on one another or run off
the edge.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from PIL import Image, ImageDraw

from pi_board.panel.lettering import Box, Ink, Letters, OutlineLetters, PixelLetters

BLACK: Ink = (0, 0, 0)
WHITE: Ink = (255, 255, 255)
GREEN: Ink = (40, 200, 90)
AMBER: Ink = (255, 170, 0)
RED: Ink = (240, 60, 50)
GREY: Ink = (160, 160, 160)
#: A light and a dark checker in colour: face and rim.
CHECKER: dict[str, tuple[Ink, Ink]] = {
    "light": ((245, 240, 225), (150, 145, 130)),
    "dark": ((52, 54, 64), (170, 175, 190)),
}
#: Pips of a die on a 3×3 grid, by value.
PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
#: Pixels of the em on a display with room for an outline font. 22 pixels are capitals of 1.5 mm on a display of 1.3 inches.
TINY, SMALL, BODY, MEDIUM, LARGE = 15, 18, 22, 26, 30
HEADS = (34, 30, 26, 22)
CLOCKS = (44, *HEADS, 18)
Width = Callable[[str], int]


def scannable(address: str) -> str:
    """`address` with scheme and host in capitals, which mean the same and fit a smaller QR code (its alphanumeric mode)."""
    head, slashes, rest = address.partition("://")
    if not slashes:
        return address
    host, slash, path = rest.partition("/")
    return f"{head}://{host}".upper() + slash + path


def wrap(text: str, room: int, width: Width = len) -> list[str]:
    """Lines of at most `room` (as `width` measures), broken at spaces; a longer word is broken inside.

    A colon or question mark that stands alone, as in French, stays with the word before it.
    """
    lines: list[str] = []
    line = ""
    words: list[str] = []
    for word in text.split():
        if words and word in (":", ";", "?", "!") and width(f"{words[-1]} {word}") <= room:
            words[-1] += f" {word}"
        else:
            words.append(word)
    for word in words:
        while width(word) > room and len(word) > 1:
            if line:
                lines.append(line)
                line = ""
            most = next((n for n in range(len(word) - 1, 1, -1) if width(word[:n]) <= room), 1)
            lines.append(word[:most])
            word = word[most:]
        longer = f"{line} {word}" if line else word
        if line and width(longer) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def fit(text: str, room: int, width: Width = len) -> str:
    """`text`, or its beginning and two dots where `room` is too narrow."""
    if width(text) <= room:
        return text
    while text and width(text + "..") > room:
        text = text[:-1]
    return text + ".."


@cache
def checker_disc(side: str, size: int) -> Image.Image:
    """A checker in colour with smooth edges, "RGBA"."""
    face, rim = CHECKER[side]
    big = Image.new("RGBA", (4 * size, 4 * size), (*rim, 0))
    draw = ImageDraw.Draw(big)
    draw.ellipse((0, 0, 4 * size - 1, 4 * size - 1), fill=rim)
    edge = max(4, 4 * size // 10)
    draw.ellipse((edge, edge, 4 * size - 1 - edge, 4 * size - 1 - edge), fill=face)
    return big.reduce(4)


@cache
def _die(value: int, size: int, fine: int) -> Image.Image:
    """A die drawn `fine` times as large and reduced, so that its edges are smooth."""
    edge = size * fine
    image = Image.new("RGB", (edge, edge), BLACK)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, edge - 1, edge - 1), radius=max(2 * fine, edge // 6), fill=WHITE)
    pip = max(2 * fine, edge // 5)
    step, margin = (edge - pip) / 2.0, edge * 0.14
    for row, column in PIPS[value]:
        x, y = round(margin + column * (step - margin)), round(margin + row * (step - margin))
        draw.ellipse((x, y, x + pip - 1, y + pip - 1), fill=BLACK)
    return image if fine == 1 else image.reduce(fine)


@lru_cache(maxsize=4)
def _code(content: str) -> tuple[bytes, ...]:
    """The rows of modules of a QR code."""
    import segno

    return tuple(bytes(row) for row in segno.make(scannable(content), error="l", micro=False).matrix)


@dataclass(frozen=True, slots=True)
class Placed:
    """What was drawn where. cut: some of the text was left out, or a word broken; over: lies on another thing by intention."""

    what: str
    box: Box
    cut: bool = False
    over: bool = False


class DisplayCanvas:
    """A black picture of `size` pixels. colour False: everything that is not black becomes white (OLED)."""

    def __init__(self, size: tuple[int, int], *, colour: bool) -> None:
        self._size = size
        self.colour = colour
        #: Room for large letters and for several things at a time.
        self.roomy = size[1] > 100
        self.scale = max(1, size[0] // 120)
        # Where there is room, nothing touches the edge.
        self._margin = 4 if self.roomy else 0
        self.width, self.height = (edge - 2 * self._margin for edge in size)
        self.tiny: Letters
        self.small: Letters
        self.body: Letters
        self.medium: Letters
        self.large: Letters
        #: For the word of a verdict, the largest first.
        self.heads: tuple[Letters, ...]
        #: For the players' clocks, the largest first.
        self.clocks: tuple[Letters, ...]
        if self.roomy:
            self.tiny, self.small, self.body = (OutlineLetters(n) for n in (TINY, SMALL, BODY))
            self.medium, self.large = OutlineLetters(MEDIUM), OutlineLetters(LARGE)
            self.heads = tuple(OutlineLetters(n, bold=True) for n in HEADS)
            self.clocks = tuple(OutlineLetters(n, bold=True) for n in CLOCKS)
        else:
            self.tiny = self.small = self.body = self.medium = self.large = PixelLetters()
            self.heads = self.clocks = PixelLetters(2), PixelLetters()
        #: Height of a line of text with the space below it.
        self.pitch = self.body.pitch
        self.image = Image.new("RGB", (self.width, self.height), BLACK)
        self.draw = ImageDraw.Draw(self.image)
        self.placed: list[Placed] = []

    def finished(self) -> Image.Image:
        """Mode "RGB", or "1" for a display without colour."""
        whole = Image.new("RGB", self._size, BLACK)
        whole.paste(self.image, (self._margin, self._margin))
        return whole if self.colour else whole.convert("L").point(lambda v: 255 * (v > 0)).convert("1")

    def place(self, what: str, box: Box, *, cut: bool = False, over: bool = False) -> None:
        """Remembers that `what` takes the pixels of `box` (left, top, right, bottom; the last two just outside)."""
        self.placed.append(Placed(what, box, cut, over))

    # ------------------------------------------------------------------------------------------- words

    def text(
        self, x: int, y: int, text: str, *, ink: Ink = WHITE, letters: Letters | None = None, right: int = 0,
        room: int = 0, cut: bool = False, over: bool = False,
    ) -> int:  # fmt: skip
        """Writes one line; returns the x after it. right > 0: the text ends there instead of beginning at x.

        room: pixels that it may take (0: up to the right edge); what is longer ends in two dots.
        """
        if not text:
            return x
        letters = letters or self.body
        room = room or (right or self.width) - x
        whole = text
        text = fit(text, room, letters.width)
        if right:
            x = right - letters.width(text)
        box = letters.write(self.image, x, y, text, ink)
        self.place(text, box, cut=cut or text != whole, over=over)
        return x + letters.width(text)

    def best(self, text: str, room: int, *choice: Letters) -> Letters:
        """The first of `choice` in which `text` fits on one line of `room` pixels; the last one where none does."""
        return next((letters for letters in choice if letters.width(text) <= room), choice[-1])

    def lines(self, text: str, room: int, height: int, *choice: Letters) -> tuple[Letters, list[str], bool]:
        """`text` in lines, in the first of `choice` that takes all of it without breaking a word.

        Returns the letters, the lines and whether something had to be cut (in the last of `choice`).
        """
        for letters in choice:
            lines = wrap(text, room, letters.width)
            if len(lines) * letters.pitch <= height and " ".join(lines) == " ".join(text.split()):
                return letters, lines, False
        most = max(1, height // letters.pitch)
        cut = " ".join(lines) != " ".join(text.split())
        if len(lines) > most:
            lines, cut = [*lines[: most - 1], fit(" ".join(lines[most - 1 :]), room, letters.width)], True
        return letters, lines, cut

    def paragraph(
        self,
        y: int,
        text: str,
        *,
        ink: Ink = WHITE,
        bottom: int = 0,
        large: bool = False,
        x: int = 0,
        room: int = 0,
    ) -> int:
        """Wrapped text from `y` down to `bottom` at most; what does not fit ends in dots. Returns the next y.

        large: in large letters where there is room for all of it.
        """
        choice = (self.large, self.medium, self.body, self.small) if large else (self.body, self.small)
        letters, lines, cut = self.lines(text, room or self.width - x, (bottom or self.height) - y, *choice)
        for line in lines:
            self.text(x, y, line, ink=ink, letters=letters, cut=cut)
            y += letters.pitch
        return y

    def title(self, text: str, *, ink: Ink = WHITE, right: str = "") -> int:
        """A filled bar with black letters; returns the y below it."""
        s = self.scale
        bar = self.pitch + (4 if self.roomy else 1)
        self.draw.rectangle((0, 0, self.width - 1, bar - 1), fill=ink)
        y = (bar - self.pitch) // 2 + (0 if self.roomy else 1)
        end = self.width - 2 * s
        if right:
            letters = self.best(right, self.width // 2, self.body, self.small)
            self.text(0, y, right, ink=BLACK, right=end, letters=letters)
            end -= letters.width(right) + 4 * s
        letters = self.best(text, end - 2 * s, self.body, self.small)
        self.text(2 * s, y, text, ink=BLACK, letters=letters, room=end - 2 * s)
        return bar + 2 * s

    # ------------------------------------------------------------------------------------------ things

    def checker(self, x: int, y: int, side: str, size: int) -> None:
        """x, y: top left corner. Without colour a disc for light and a ring for dark: what shines is light."""
        box = (x, y, x + size - 1, y + size - 1)
        self.place(side, (x, y, x + size, y + size))
        if self.colour:
            disc = checker_disc(side, size)
            self.image.paste(disc, (x, y), disc)
        elif side == "light":
            self.draw.ellipse(box, fill=WHITE)
        else:
            self.draw.ellipse(box, outline=WHITE, width=max(1, size // 8))

    def die(self, x: int, y: int, value: int, size: int) -> None:
        """x, y: top left corner; size: edge in pixels."""
        self.place(f"die {value}", (x, y, x + size, y + size))
        self.image.paste(_die(value, size, 4 if self.colour else 1), (x, y))

    def cube(self, x: int, y: int, value: int, size: int) -> None:
        """The doubling cube: 64 stands for 1, as on the table."""
        self.place("cube", (x, y, x + size, y + size))
        self.draw.rectangle((x, y, x + size - 1, y + size - 1), outline=WHITE, width=max(1, size // 12))
        word = str(64 if value == 1 else value)
        letters = self.best(word, size - 4, self.large, self.body)
        top = y + (size - letters.pitch) // 2
        self.text(x + (size - letters.width(word) + 1) // 2, top, word, letters=letters, over=True)

    def tick(self, x: int, y: int, size: int, ink: Ink) -> None:
        points = [(x, y + size * 0.55), (x + size * 0.38, y + size - 1), (x + size - 1, y + size * 0.1)]
        self.draw.line(points, fill=ink, width=max(2, size // 6), joint="curve")

    def cross(self, x: int, y: int, size: int, ink: Ink) -> None:
        w = max(2, size // 6)
        self.draw.line((x, y, x + size - 1, y + size - 1), fill=ink, width=w)
        self.draw.line((x, y + size - 1, x + size - 1, y), fill=ink, width=w)

    def mark(self, x: int, y: int, size: int, ink: Ink) -> None:
        """An exclamation mark in a triangle."""
        self.draw.polygon([(x + size // 2, y), (x, y + size - 1), (x + size - 1, y + size - 1)], outline=ink)
        cx = x + size // 2
        self.draw.line((cx, y + size * 0.35, cx, y + size * 0.62), fill=ink, width=max(1, size // 8))
        self.draw.rectangle((cx, y + size * 0.75, cx + size // 10, y + size * 0.75 + size // 10), fill=ink)

    def code(self, x: int, y: int, room: int, content: str) -> bool:
        """A QR code in a white square of at most `room` pixels; False when it would be too fine to be read."""
        rows = _code(content)
        n = len(rows)
        module = room // (n + 4)
        if module < 2:
            # On a display this small the margins are narrower than the standard's; phones still read the code.
            module = room // (n + 2)
        if module < 2:
            return False
        side = room // module * module
        self.place("code", (x, y, x + side, y + side))
        start = (side - n * module) // 2
        self.draw.rectangle((x, y, x + side - 1, y + side - 1), fill=WHITE)
        for r, row in enumerate(rows):
            for c, bit in enumerate(row):
                if bit:
                    px, py = x + start + c * module, y + start + r * module
                    self.draw.rectangle((px, py, px + module - 1, py + module - 1), fill=BLACK)
        return True
