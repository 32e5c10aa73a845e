"""Pictures that a traced set wears: its field with points and ornaments, the tops of its checkers, the table. sRGB, 0 to 1.

Nothing here is shared with the simulator or with what the networks were trained on: that is what makes `trace_rooms.py` a proof.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.checkers.set_colours import light_of_srgb

Floats = npt.NDArray[np.float32]
Rng = np.random.Generator

#: Pixels a centimetre of the field's texture.
FIELD_SCALE = 36
#: Tops of checkers lie in a square of this many by this many.
TOPS = 4
TOP_SIZE = 192
POINTS = ("triangle", "bullet", "lancet", "blunt", "thin")
GROUNDS = ("plain", "felt", "leather", "cork", "wood", "marble", "veneer")
FACES = ("plain", "ring", "rings", "dish", "swirl", "star", "logo", "wood", "rim", "dot", "metal")
WORDS = ("CAFE LUNA", "CLUB 15", "NARDE", "Tavla", "MARINA", "AZUL", "PLAKOTO", "CASINO")


def noise(rng: Rng, height: int, width: int, cell: float, stretch: float = 1.0) -> Floats:
    """(height, width) smooth noise of mean 0 and deviation 1; cell in px, stretched along x."""
    rows, columns = max(2, int(height / cell)), max(2, int(width / cell / stretch))
    small = rng.normal(size=(rows, columns)).astype(np.float32)
    out = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return (out / max(float(out.std()), 1e-6)).astype(np.float32)


def hsv(rng: Rng, value: tuple[float, float], colourful: float = 0.8) -> Floats:
    """(3) a colour of a brightness within `value`."""
    s = float(rng.beta(1.2, 1.4)) * colourful
    v = float(rng.uniform(*value))
    out = cv2.cvtColor(np.array([[[rng.uniform(0, 360), s, v]]], np.float32), cv2.COLOR_HSV2RGB)
    return out[0, 0]


def linear(colours: Floats) -> Floats:
    """Light of sRGB colours."""
    return light_of_srgb(colours).astype(np.float32)


def luma(c: Floats) -> float:
    return float(c @ np.array([0.299, 0.587, 0.114]))


def apart(a: Floats, b: Floats) -> float:
    """How far two colours lie apart, in CIE Lab."""
    lab = cv2.cvtColor(np.stack([a, b])[None].astype(np.float32), cv2.COLOR_RGB2LAB)[0]
    return float(np.linalg.norm(lab[0] - lab[1]))


def ground(rng: Rng, height: int, width: int, colour: Floats, kind: str) -> Floats:
    """(height, width, 3) a surface of one material."""
    out = np.broadcast_to(colour, (height, width, 3)).astype(np.float32).copy()
    if kind == "plain":
        return out
    if kind == "felt":
        grain = 0.03 * noise(rng, height, width, 2) + 0.02 * noise(rng, height, width, 40)
    elif kind == "leather":
        grain = 0.04 * np.abs(noise(rng, height, width, 7)) + 0.03 * noise(rng, height, width, 90)
    elif kind == "cork":
        grain = 0.10 * np.sign(noise(rng, height, width, 5)) * (rng.random((height, width)) < 0.5)
        grain = cv2.GaussianBlur(grain.astype(np.float32), (0, 0), 1.2)
    elif kind == "marble":
        vein = np.exp(-((noise(rng, height, width, 120) / 0.08) ** 2))
        grain = 0.06 * noise(rng, height, width, 60) + 0.25 * vein
    else:
        lines = noise(rng, height, width, 4, 40) + 0.7 * noise(rng, height, width, 14, 20)
        grain = (0.05 if kind == "wood" else 0.09) * lines
    if rng.random() < 0.5 and kind in ("wood", "veneer"):
        grain = np.ascontiguousarray(
            cv2.resize(np.ascontiguousarray(grain.T), (width, height), interpolation=cv2.INTER_AREA)
        )
    return np.clip(out * (1 + grain[..., None] * 1.6), 0.004, 0.97).astype(np.float32)


@dataclass(frozen=True)
class Field:
    """How a set's field is laid out, cm in the board frame, and what it wears."""

    width: float
    height: float
    pitch: float
    bar: float
    shape: str
    reach: float
    colours: tuple[Floats, Floats, Floats]
    grounds: tuple[str, str, str]
    ornament: str
    outline: float
    name: str

    def column_x(self, column: int) -> float:
        """Middle of column 0 (left) to 11, cm."""
        inner = self.pitch * (column - 5.5)
        return inner + (self.bar / 2 if column >= 6 else -self.bar / 2)


def outline_of(shape: str, half: float, length: float) -> npt.NDArray[np.float64]:
    """(n, 2) a point's outline: its base on y = 0, its tip at y = length."""
    t = np.linspace(0, 1, 24)
    if shape == "bullet":
        body = half * np.sqrt(np.clip(1 - np.maximum(0, (t - 0.72) / 0.28) ** 2, 0, 1))
    elif shape == "lancet":
        body = (
            half
            * (0.62 + 0.38 * np.sin(np.pi * np.minimum(1, 0.25 + t * 0.9)))
            * np.clip((1 - t) * 3.2, 0, 1)
        )
    elif shape == "blunt":
        body = half * (1 - 0.72 * t)
    elif shape == "thin":
        body = 0.72 * half * (1 - t)
    else:
        body = half * (1 - t)
    right = np.stack([body, t * length], axis=1)
    left = right[::-1] * [-1, 1]
    return np.vstack([right, left])


def draw_field(rng: Rng, field: Field) -> Floats:
    """(h, w, 3) the field seen from above, far side first; the bar is part of it."""
    s = FIELD_SCALE
    w, h = round(field.width * s), round(field.height * s)
    image = ground(rng, h, w, field.colours[0], field.grounds[0])
    worn = [ground(rng, h, w, c, g) for c, g in zip(field.colours[1:], field.grounds[1:], strict=True)]
    half = field.pitch / 2 * float(rng.uniform(0.86, 1.0))
    swap = int(rng.integers(2))
    line = hsv(rng, (0.05, 0.95))
    for column in range(12):
        for far in (False, True):
            shape = outline_of(field.shape, half, field.reach)
            x = field.column_x(column) + field.width / 2
            y = shape[:, 1] if far else field.height - shape[:, 1]
            at = np.stack([(x + shape[:, 0]) * s, y * s], axis=1)
            mask = np.zeros((h, w), np.float32)
            cv2.fillPoly(mask, [np.round(at * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
            k = (column + far + swap) % 2
            image += mask[..., None] * (worn[k] - image)
            if field.outline:
                cv2.polylines(
                    image,
                    [np.round(at * 16).astype(np.int32)],
                    True,
                    tuple(map(float, line)),
                    max(1, round(field.outline * s)),
                    cv2.LINE_AA,
                    4,
                )
    _ornaments(rng, field, image, line)
    if rng.random() < 0.3:
        wear = noise(rng, h, w, 200) > 1.2
        soft = cv2.GaussianBlur(wear.astype(np.float32), (0, 0), 25)[..., None]
        image = image * (1 - 0.15 * soft) + 0.15 * soft * float(rng.uniform(0.3, 0.8))
    return np.clip(image, 0.004, 0.97).astype(np.float32)


def _ornaments(rng: Rng, field: Field, image: Floats, line: Floats) -> None:
    s = FIELD_SCALE
    h, _ = image.shape[:2]
    gap = field.height - 2 * field.reach
    for side in (-1, 1):
        x = (field.width / 2 + side * (field.bar / 2 + 3 * field.pitch)) * s
        at = (round(x), h // 2)
        size = max(0.5, gap * 0.8) * s
        if field.ornament == "rosette":
            for k in range(10):
                a = 2 * np.pi * k / 10
                tip = (round(x + np.cos(a) * size / 2), round(h / 2 + np.sin(a) * size / 2))
                cv2.line(image, at, tip, tuple(map(float, line)), max(2, round(size / 9)), cv2.LINE_AA)
            cv2.circle(image, at, round(size / 2), tuple(map(float, line)), max(2, s // 12), cv2.LINE_AA)
            cv2.circle(image, at, round(size / 8), tuple(map(float, field.colours[1])), -1, cv2.LINE_AA)
        elif field.ornament == "diamond":
            d = np.array([[x, (h - size) / 2], [x + size, h / 2], [x, (h + size) / 2], [x - size, h / 2]])
            cv2.polylines(
                image,
                [np.round(d).astype(np.int32)],
                True,
                tuple(map(float, line)),
                max(2, s // 10),
                cv2.LINE_AA,
            )
            cv2.circle(image, at, round(size / 7), tuple(map(float, line)), -1, cv2.LINE_AA)
        elif field.ornament == "words":
            scale = size / 22 * 0.55
            (tw, th), _ = cv2.getTextSize(field.name, cv2.FONT_HERSHEY_TRIPLEX, scale, 2)
            fit = min(1.0, 5.2 * field.pitch * s / tw)
            (tw, th), _ = cv2.getTextSize(field.name, cv2.FONT_HERSHEY_TRIPLEX, scale * fit, 2)
            at = (round(x - tw / 2), round(h / 2 + th / 2))
            write(
                image,
                field.name,
                at,
                cv2.FONT_HERSHEY_TRIPLEX,
                scale * fit,
                line,
                max(1, round(scale * fit * 2)),
            )
        elif field.ornament == "band":
            cv2.rectangle(
                image,
                (round(x - 3 * field.pitch * s), h // 2 - round(s * 0.3)),
                (round(x + 3 * field.pitch * s), h // 2 + round(s * 0.3)),
                tuple(map(float, line)),
                max(2, s // 12),
            )


def draw_tops(rng: Rng, colour: Floats, face: str) -> Floats:
    """(TOPS·TOP_SIZE, same, 3) sixteen tops of one side: the same make, each with its own grain."""
    second = hsv(rng, (0.05, 0.95))
    for _ in range(20):
        if apart(second, colour) > 30:
            break
        second = hsv(rng, (0.05, 0.95))
    kind = {"wood": "veneer", "swirl": "marble"}.get(face, "plain")
    out = np.zeros((TOPS * TOP_SIZE, TOPS * TOP_SIZE, 3), np.float32)
    strength = float(rng.uniform(0.25, 0.7))
    letter = "ABKMR"[int(rng.integers(5))]
    for row in range(TOPS):
        for column in range(TOPS):
            tile = ground(rng, TOP_SIZE, TOP_SIZE, colour, kind)
            if face == "swirl":
                m = np.clip(noise(rng, TOP_SIZE, TOP_SIZE, 34) * 0.5 + 0.5, 0, 1)[..., None]
                tile = tile * (1 - strength * m) + strength * m * second
            _mark(tile, face, second, letter)
            y, x = row * TOP_SIZE, column * TOP_SIZE
            out[y : y + TOP_SIZE, x : x + TOP_SIZE] = tile
    return np.clip(out, 0.004, 0.97)


def _mark(tile: Floats, face: str, second: Floats, letter: str) -> None:
    c, r = TOP_SIZE // 2, TOP_SIZE / 2
    ink = tuple(map(float, second))
    if face == "ring":
        cv2.circle(tile, (c, c), round(r * 0.66), ink, round(r * 0.12), cv2.LINE_AA)
    elif face == "rings":
        for k in (0.35, 0.55, 0.75):
            cv2.circle(tile, (c, c), round(r * k), ink, round(r * 0.05), cv2.LINE_AA)
    elif face == "rim":
        cv2.circle(tile, (c, c), round(r * 0.9), ink, round(r * 0.2), cv2.LINE_AA)
    elif face == "dot":
        cv2.circle(tile, (c, c), round(r * 0.3), ink, -1, cv2.LINE_AA)
    elif face == "star":
        a = np.pi * np.arange(10) / 5
        reach = np.where(np.arange(10) % 2, 0.24, 0.6) * r
        at = np.stack([c + reach * np.sin(a), c - reach * np.cos(a)], axis=1)
        cv2.fillPoly(tile, [np.round(at).astype(np.int32)], ink, cv2.LINE_AA)
    elif face == "logo":
        write(tile, letter, (round(c - 36), round(c + 38)), cv2.FONT_HERSHEY_TRIPLEX, 3.4, ink, 6)


def numeral(value: int, body: Floats, ink: Floats) -> Floats:
    """(128, 128, 3) one face of the doubling cube."""
    out = np.broadcast_to(body, (128, 128, 3)).astype(np.float32).copy()
    text = str(value)
    scale = 3.0 if len(text) == 1 else 2.2
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 5)
    write(out, text, (64 - w // 2, 64 + h // 2), cv2.FONT_HERSHEY_DUPLEX, scale, ink, 5)
    return out


def write(
    image: Floats,
    text: str,
    at: tuple[int, int],
    font: int,
    scale: float,
    ink: Floats | tuple[float, ...],
    thick: int,
) -> None:
    """Letters upon a picture of floats."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.putText(mask, text, at, font, scale, 255, thick, cv2.LINE_AA)
    image += (mask[..., None] / np.float32(255)) * (np.asarray(ink, np.float32) - image)


def sky(rng: Rng) -> Floats:
    """(128, 256, 3) light from all sides, linear: z is up in row 0. Windows, lamps, a ceiling, at times the sun."""
    h, w = 128, 256
    up = np.cos(np.pi * (np.arange(h) + 0.5) / h)[:, None, None]
    ceiling, floor = hsv(rng, (0.5, 1.0), 0.3), hsv(rng, (0.1, 0.5), 0.6)
    blend = 1 / (1 + np.exp(-up * 3))
    image = (blend * ceiling + (1 - blend) * floor * 0.5).astype(np.float32) * np.ones((h, w, 1), np.float32)
    image *= 1 + 0.2 * noise(rng, h, w, 30)[..., None].clip(-2, 2)
    warm = np.array([1.0, float(rng.uniform(0.75, 0.95)), float(rng.uniform(0.5, 0.85))], np.float32)
    cool = np.array([float(rng.uniform(0.75, 0.95)), 0.95, 1.0], np.float32)
    for _ in range(int(rng.integers(0, 4))):
        x, y = int(rng.integers(w)), int(rng.integers(20, 56))
        dx, dy = int(rng.integers(8, 34)), int(rng.integers(8, 26))
        pane = np.zeros((h, w), np.float32)
        pane[y : y + dy, np.arange(x, x + dx) % w] = 1
        image += pane[..., None] * cool * float(rng.uniform(3, 14))
    for _ in range(int(rng.integers(0, 4))):
        x, y, r = int(rng.integers(w)), int(rng.integers(4, 46)), float(rng.uniform(1.5, 5))
        lamp = np.zeros((h, w), np.float32)
        cv2.circle(lamp, (x, y), round(r), 1.0, -1)
        image += lamp[..., None] * warm * float(rng.uniform(15, 90))
    if rng.random() < 0.18:
        x, y = int(rng.integers(w)), int(rng.integers(14, 50))
        image[y : y + 2, x : x + 2] += warm * float(rng.uniform(200, 900))
    return image.clip(0.01, None).astype(np.float32)
