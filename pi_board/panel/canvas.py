"""`Canvas`: text, dice and marks for small displays, drawn to a PIL image (no device needed).

Pillow's own bitmap letters (6×11 pixels, Latin-1) are used at a whole multiple of their size: they are sharp on 128×64 pixels
and the same in every version of Pillow, which a scaled outline font is not.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from PIL import Image, ImageDraw, ImageFont

LETTER, LINE = 6, 11
Colour = tuple[int, int, int]
BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
GREEN: Colour = (40, 200, 90)
AMBER: Colour = (255, 170, 0)
RED: Colour = (240, 60, 50)
GREY: Colour = (150, 150, 150)
#: Pips of a die on a 3×3 grid, by value.
PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


@cache
def letters() -> ImageFont.ImageFont:
    if hasattr(ImageFont, "load_default_imagefont"):
        return ImageFont.load_default_imagefont()
    return ImageFont.load_default()  # type: ignore[return-value]


def scannable(address: str) -> str:
    """`address` with scheme and host in capitals, which mean the same and fit a smaller QR code (its alphanumeric mode)."""
    head, slashes, rest = address.partition("://")
    if not slashes:
        return address
    host, slash, path = rest.partition("/")
    return f"{head}://{host}".upper() + slash + path


def wrap(text: str, columns: int) -> list[str]:
    """Lines of at most `columns` characters, broken at spaces (a longer word is cut)."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        while len(word) > columns:
            if line:
                lines.append(line)
                line = ""
            lines.append(word[:columns])
            word = word[columns:]
        if line and len(line) + 1 + len(word) > columns:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line] if line else lines


def fit(text: str, columns: int) -> str:
    return text if len(text) <= columns else text[: max(0, columns - 2)] + ".."


class Canvas:
    """A black picture of `size` pixels. colour False: everything that is not black becomes white (OLED)."""

    def __init__(self, size: tuple[int, int], *, colour: bool) -> None:
        self._size = size
        self.colour = colour
        self.scale = max(1, size[0] // 120)
        # Where there is room, nothing touches the edge.
        self._margin = 4 if size[1] > 100 else 0
        self.width, self.height = (edge - 2 * self._margin for edge in size)
        self.columns = self.width // (LETTER * self.scale)
        #: Height of a line of text with the space below it.
        self.pitch = (LINE + 1) * self.scale
        self.image = Image.new("RGB", (self.width, self.height), BLACK)
        self.draw = ImageDraw.Draw(self.image)

    def finished(self) -> Image.Image:
        """Mode "RGB", or "1" for a display without colour."""
        whole = Image.new("RGB", self._size, BLACK)
        whole.paste(self.image, (self._margin, self._margin))
        return whole if self.colour else whole.convert("L").point(lambda v: 255 * (v > 0)).convert("1")

    def text(self, x: int, y: int, text: str, *, ink: Colour = WHITE, scale: int = 0, right: int = 0) -> int:
        """Draws one line; returns the x after it. right > 0: the text ends at `right` instead."""
        scale = scale or self.scale
        text = text.encode("latin-1", "replace").decode("latin-1")
        width = len(text) * LETTER
        if not width:
            return x
        # The serifs of some letters reach one pixel to the left of their place, where Pillow cuts them off at the start of a text.
        mask = Image.new("L", (LETTER + width, LINE), 0)
        ImageDraw.Draw(mask).text((0, 0), f" {text}", fill=255, font=letters())
        mask = mask.crop((LETTER - 1, 0, *mask.size))
        mask = mask.resize((mask.width * scale, LINE * scale), Image.Resampling.NEAREST)
        if right:
            x = right - mask.width
        self.image.paste(Image.new("RGB", mask.size, ink), (x, y), mask)
        return x + width * scale

    def middle(self, y: int, text: str, *, ink: Colour = WHITE, scale: int = 0) -> None:
        scale = scale or self.scale
        self.text(max(0, (self.width - len(text) * LETTER * scale) // 2), y, text, ink=ink, scale=scale)

    def paragraph(self, y: int, text: str, *, ink: Colour = WHITE, bottom: int = 0, large: bool = False) -> int:
        """Wrapped text from `y` down to `bottom` at most; what does not fit ends in dots. Returns the next y.

        large: half as large again where there is room for all of it without cutting a word.
        """
        if large and self.scale > 1:
            scale = self.scale * 3 // 2
            columns, pitch = self.width // (LETTER * scale), (LINE + 1) * scale
            lines = wrap(text, columns)
            if max(map(len, text.split()), default=0) <= columns and y + len(lines) * pitch <= (bottom or self.height):
                for line in lines:
                    self.text(0, y, line, ink=ink, scale=scale)
                    y += pitch
                return y
        room = max(1, ((bottom or self.height) - y) // self.pitch)
        lines = wrap(text, self.columns)
        if len(lines) > room:
            lines = [*lines[: room - 1], fit(" ".join(lines[room - 1 :]), self.columns)]
        for line in lines:
            self.text(0, y, line, ink=ink)
            y += self.pitch
        return y

    def title(self, text: str, *, ink: Colour = WHITE, right: str = "") -> int:
        """A filled bar with black letters; returns the y below it."""
        s = self.scale
        self.draw.rectangle((0, 0, self.width - 1, self.pitch), fill=ink)
        room = self.columns - (len(right) + 1 if right else 0)
        self.text(2 * s, s, fit(text, room), ink=BLACK)
        if right:
            self.text(0, s, right, ink=BLACK, right=self.width - 2 * s)
        return self.pitch + 3 * s

    def checker(self, x: int, y: int, side: str, size: int) -> None:
        """A ring for light, a disc for dark: told apart without colour. x, y: top left corner."""
        box = (x, y, x + size - 1, y + size - 1)
        if side == "light":
            self.draw.ellipse(box, outline=WHITE, width=max(1, size // 8))
        else:
            self.draw.ellipse(box, fill=WHITE)

    def die(self, x: int, y: int, value: int, size: int) -> None:
        """x, y: top left corner; size: edge in pixels."""
        self.draw.rounded_rectangle((x, y, x + size - 1, y + size - 1), radius=max(2, size // 6), fill=WHITE)
        pip = max(2, size // 5)
        step = (size - pip) / 2.0
        margin = size * 0.14
        for row, column in PIPS[value]:
            px = round(x + margin + column * (step - margin))
            py = round(y + margin + row * (step - margin))
            self.draw.ellipse((px, py, px + pip - 1, py + pip - 1), fill=BLACK)

    def cube(self, x: int, y: int, value: int, size: int) -> None:
        """The doubling cube: 64 stands for 1, as on the table."""
        self.draw.rectangle((x, y, x + size - 1, y + size - 1), outline=WHITE, width=max(1, size // 12))
        word = str(64 if value == 1 else value)
        scale = max(1, (size - 4) // (LETTER * max(2, len(word))))
        self.text(
            x + (size - len(word) * LETTER * scale) // 2 + 1,
            y + (size - LINE * scale) // 2,
            word,
            scale=scale,
        )

    def tick(self, x: int, y: int, size: int, ink: Colour) -> None:
        points = [(x, y + size * 0.55), (x + size * 0.38, y + size - 1), (x + size - 1, y + size * 0.1)]
        self.draw.line(points, fill=ink, width=max(2, size // 6), joint="curve")

    def cross(self, x: int, y: int, size: int, ink: Colour) -> None:
        w = max(2, size // 6)
        self.draw.line((x, y, x + size - 1, y + size - 1), fill=ink, width=w)
        self.draw.line((x, y + size - 1, x + size - 1, y), fill=ink, width=w)

    def mark(self, x: int, y: int, size: int, ink: Colour) -> None:
        """An exclamation mark in a triangle."""
        self.draw.polygon([(x + size // 2, y), (x, y + size - 1), (x + size - 1, y + size - 1)], outline=ink)
        cx = x + size // 2
        self.draw.line((cx, y + size * 0.35, cx, y + size * 0.62), fill=ink, width=max(1, size // 8))
        self.draw.rectangle((cx, y + size * 0.75, cx + size // 10, y + size * 0.75 + size // 10), fill=ink)

    def code(self, x: int, y: int, room: int, content: str) -> bool:
        """A QR code in a white square of at most `room` pixels; False when it would be too fine to be read."""
        import segno

        rows: list[Any] = [list(row) for row in segno.make(scannable(content), error="l", micro=False).matrix]
        n = len(rows)
        module = room // (n + 4)
        if module < 2:
            # Narrower margins than the standard's, where the display is this small; phones read it all the same.
            module = room // (n + 2)
        if module < 2:
            return False
        side = room // module * module
        start = (side - n * module) // 2
        self.draw.rectangle((x, y, x + side - 1, y + side - 1), fill=WHITE)
        for r, row in enumerate(rows):
            for c, bit in enumerate(row):
                if bit:
                    px, py = x + start + c * module, y + start + r * module
                    self.draw.rectangle((px, py, px + module - 1, py + module - 1), fill=BLACK)
        return True
