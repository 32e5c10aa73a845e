"""Letters for the small displays: Pillow's bitmap ones where every pixel counts, an outline font where there is room for it.

The bitmap letters (6×11 pixels, Latin-1) come with Pillow, are sharp on 128×64 pixels and the same in every version of Pillow. The outline
font is Lato (SIL Open Font License), which the package font-lato brings: it is narrow, and knows every letter of the six
languages, which the font inside Pillow does not.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Protocol

from PIL import Image, ImageDraw, ImageFont

from pi_board.errors import DeviceError

Box = tuple[int, int, int, int]
Ink = tuple[int, int, int]
#: Pixels of a bitmap letter, its own space included.
LETTER, LINE = 6, 11


class Letters(Protocol):
    """One size of one font. pitch: pixels from one line to the next."""

    pitch: int

    def width(self, text: str) -> int:
        """Pixels that `text` takes on its line."""
        ...

    def rows(self, text: str) -> tuple[int, int]:
        """First and last row (exclusive) that has ink in it, counted from the top of the line."""
        ...

    def write(self, image: Image.Image, x: int, y: int, text: str, ink: Ink) -> Box:
        """Draws one line, its top left corner at x, y. Returns the box (left, top, right, bottom) that has ink in it."""
        ...


class PixelLetters:
    """The bitmap letters, `scale` times as large."""

    def __init__(self, scale: int = 1) -> None:
        self._scale = scale
        self.pitch = (LINE + 1) * scale

    def width(self, text: str) -> int:
        return len(text) * LETTER * self._scale

    def rows(self, text: str) -> tuple[int, int]:
        box = _pixels(text, self._scale).getbbox() or (0, 0, 0, 0)
        return box[1], box[3]

    def write(self, image: Image.Image, x: int, y: int, text: str, ink: Ink) -> Box:
        mask = _pixels(text, self._scale)
        image.paste(Image.new("RGB", mask.size, ink), (x, y), mask)
        left, top, right, bottom = mask.getbbox() or (0, 0, 0, 0)
        return x + left, y + top, x + right, y + bottom


@cache
def _pixel_font() -> ImageFont.ImageFont:
    if hasattr(ImageFont, "load_default_imagefont"):
        return ImageFont.load_default_imagefont()
    return ImageFont.load_default()  # type: ignore[return-value]


def _pixels(text: str, scale: int) -> Image.Image:
    text = text.encode("latin-1", "replace").decode("latin-1")
    width = len(text) * LETTER
    # The serifs of some letters reach one pixel to the left of their place, where Pillow cuts them off at the start of a text.
    mask = Image.new("L", (LETTER + width, LINE), 0)
    ImageDraw.Draw(mask).text((0, 0), f" {text}", fill=255, font=_pixel_font())
    mask = mask.crop((LETTER - 1, 0, *mask.size))
    return mask.resize((mask.width * scale, LINE * scale), Image.Resampling.NEAREST)


class OutlineLetters:
    """Lato with antialiased edges. size: pixels of the em. Raises DeviceError when the font is not installed.

    Each letter is drawn once and kept: laying out a page of text anew costs the font library ten times as long.
    """

    def __init__(self, size: int, *, bold: bool = False) -> None:
        self._size, self._bold = size, bold
        outline_font(size, bold)
        #: Lato's capitals are 0.72 em high and its descenders 0.2 em; an accent on a capital reaches into the line above.
        self._baseline = round(0.88 * size)
        self.pitch = round(1.15 * size)

    def width(self, text: str) -> int:
        size, bold = self._size, self._bold
        return math.ceil(sum(_advance(size, bold, pair) for pair in _pairs(text)))

    def rows(self, text: str) -> tuple[int, int]:
        boxes = [box for letter in text if (box := self._box(letter)) is not None]
        if not boxes:
            return 0, 0
        return self._baseline + min(box[1] for box in boxes), self._baseline + max(box[3] for box in boxes)

    def _box(self, letter: str) -> Box | None:
        """Where the ink of `letter` lies, from its place on the baseline."""
        mask, (left, top) = _glyph(self._size, self._bold, letter)
        return None if mask is None else (left, top, left + mask.width, top + mask.height)

    def write(self, image: Image.Image, x: int, y: int, text: str, ink: Ink) -> Box:
        place = float(x)
        boxes: list[Box] = []
        for pair in _pairs(text):
            mask, (left, top) = _glyph(self._size, self._bold, pair[0])
            if mask is not None:
                # A j at the beginning reaches to the left of its place.
                at = (max(x, round(place) + left), y + self._baseline + top)
                image.paste(ink, (*at, at[0] + mask.width, at[1] + mask.height), mask)
                boxes.append((*at, at[0] + mask.width, at[1] + mask.height))
            place += _advance(self._size, self._bold, pair)
        if not boxes:
            return x, y, x, y
        return (
            min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)
        )  # fmt: skip


def _pairs(text: str) -> list[str]:
    """Every letter with the next one, which decides how close they stand."""
    return [text[i : i + 2] for i in range(len(text))]


@cache
def _advance(size: int, bold: bool, pair: str) -> float:
    """Pixels from the first letter of `pair` to the second, or past a single one."""
    font = outline_font(size, bold)
    return font.getlength(pair) - (font.getlength(pair[1]) if len(pair) > 1 else 0.0)


@cache
def _glyph(size: int, bold: bool, letter: str) -> tuple[Image.Image | None, tuple[int, int]]:
    """The mask of a letter and its left top corner from its place on the baseline; no mask for a space."""
    font = outline_font(size, bold)
    left, top, right, bottom = (int(n) for n in font.getbbox(letter, anchor="ls"))
    if right <= left or bottom <= top:
        return None, (0, 0)
    mask = Image.new("L", (right - left, bottom - top), 0)
    ImageDraw.Draw(mask).text((-left, -top), letter, fill=255, font=font, anchor="ls")
    return mask, (left, top)


@cache
def outline_font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    """Lato at `size` pixels. Raises DeviceError when the font is not installed."""
    from importlib.resources import files

    try:
        path = files("font_lato") / "files" / f"Lato-{'Bold' if bold else 'Regular'}.ttf"
    except ModuleNotFoundError:
        raise DeviceError(
            "display: the font is not installed (font_lato): pip install 'pi-board[display]'"
        ) from None
    # The basic layout is the same with and without Pillow's optional text shaping library.
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
