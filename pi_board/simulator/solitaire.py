"""A person playing the 37-hole game under a camera: pictures come out, words go in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.frame import Frame
from pi_board.solitaire import BOARD_37, Jump, bit

Image = npt.NDArray[np.uint8]

#: (field, ring, piece) colours as BGR, and the table's.
STYLES: dict[
    str, tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]
] = {
    "green": ((58, 104, 44), (196, 220, 224), (30, 28, 28), (60, 78, 92)),
    "light": ((192, 188, 184), (84, 84, 84), (34, 32, 32), (70, 92, 72)),
    "navy": ((74, 56, 46), (184, 182, 178), (26, 24, 26), (62, 90, 120)),
}
MISTAKES = ("diagonal", "nothing_jumped", "not_removed", "removed_wrong")


def all_but(hole: int) -> int:
    """The position with every hole filled but one."""
    return BOARD_37.full ^ bit(hole)


@dataclass(frozen=True, slots=True)
class SolitaireSimulatorOptions:
    """seed; start: position; mistakes: chance per jump of a wrong one; style: of STYLES; jumps: at most so many; tilt 0-1."""

    seed: int = 1
    start: int = BOARD_37.full ^ bit(19)
    mistakes: float = 0.0
    style: str = "green"
    jumps: int = 40
    tilt: float = 0.15
    fps: float = 10.0
    width: int = 1280
    height: int = 720


@dataclass
class SolitaireTruth:
    """What was really done, for scoring a finished run only. wrong: (jump number, kind)."""

    jumps: list[Jump] = field(default_factory=list)
    wrong: list[tuple[int, str]] = field(default_factory=list)
    final: int = 0


class SolitaireTable:
    """`next_frame` is what the camera delivers; `tell("illegal")` is what the player hears."""

    def __init__(self, options: SolitaireSimulatorOptions) -> None:
        self.options = options
        self.truth = SolitaireTruth()
        self._rng = np.random.default_rng((options.seed, 37))
        self._board = options.start
        self._pieces: dict[int, npt.NDArray[np.float64]] = {
            n: self._rng.normal(0, 1.6, 2) for n in range(1, 38) if options.start & bit(n)
        }
        self._hand: tuple[float, float] | None = None
        self._heard: list[str] = []
        self._frames = self._play()
        self._seq = -1
        w, h, a = options.width, options.height, 60 * options.tilt
        size = 0.94 * h
        x0, y0 = (w - size) / 2, (h - size) / 2
        target = np.array(
            [[x0 + a, y0 + a / 2], [x0 + size - a, y0 + a / 3], [x0 + size, y0 + size], [x0, y0 + size - 6]],
            np.float32,
        )
        self._view = cv2.getPerspectiveTransform(
            np.array([[0, 0], [900, 0], [900, 900], [0, 900]], np.float32), target
        )
        light = np.linspace(0.8, 1.12, w)[None, :] * np.linspace(1.05, 0.9, h)[:, None]
        self._light = light[..., None].astype(np.float32)
        self._background = self._draw_background()

    def tell(self, word: str) -> None:
        """The player hears the referee."""
        self._heard.append(word)

    def next_frame(self) -> Frame | None:
        if next(self._frames, _OVER) is _OVER:
            return None
        self._seq += 1
        return Frame(self._render(), self._seq / self.options.fps, self._seq)

    def picture(self, position: int) -> Image:
        """(H, W, 3) uint8 BGR: the board with these pieces, nobody's hand over it; the player's game does not change."""
        kept, hand = self._pieces, self._hand
        self._pieces = {
            n: kept[n] if n in kept else self._rng.normal(0, 1.6, 2)
            for n in range(1, 38)
            if position & bit(n)
        }
        self._hand = None
        picture = self._render()
        self._pieces, self._hand = kept, hand
        return picture

    # ---------------------------------------------------------------------------------- the player

    def _play(self) -> Iterator[Any]:
        yield from self._rest(8)
        while len(self.truth.jumps) < self.options.jumps:
            legal = BOARD_37.legal(self._board)
            if not legal:
                break
            if self._rng.random() < self.options.mistakes:
                yield from self._wrong(legal)
            jump = legal[int(self._rng.integers(len(legal)))]
            yield from self._carry(jump.start, jump.end, [jump.over])
            self._board = BOARD_37.after(self._board, jump)
            self.truth.jumps.append(jump)
            yield from self._rest(int(self._rng.integers(5, 9)))
        self.truth.final = self._board
        yield from self._rest(6)

    def _wrong(self, legal: list[Jump]) -> Iterator[Any]:
        """A wrong jump, seen to lie there, and put back when told (or by himself after a while)."""
        kinds = list(MISTAKES)
        self._rng.shuffle(kinds)
        for kind in kinds:
            move = self._mistake(kind, legal)
            if move is not None:
                break
        else:
            return
        start, end, removed = move
        kept = {n: p.copy() for n, p in self._pieces.items()}
        self.truth.wrong.append((len(self.truth.jumps), kind))
        self._heard.clear()
        yield from self._carry(start, end, removed)
        for _ in range(60):
            yield None
            if "illegal" in self._heard:
                break
        yield from self._cover(end, 3)
        self._pieces = kept
        yield from self._cover(start, 2)
        yield from self._rest(6)

    def _mistake(self, kind: str, legal: list[Jump]) -> tuple[int, int, list[int]] | None:
        jump = legal[int(self._rng.integers(len(legal)))]
        occupied = [n for n in range(1, 38) if self._board & bit(n)]
        empty = [n for n in range(1, 38) if not self._board & bit(n)]
        if kind == "not_removed":
            return jump.start, jump.end, []
        if kind == "removed_wrong":
            others = [n for n in occupied if n not in (jump.start, jump.over)]
            return (jump.start, jump.end, [int(self._rng.choice(others))]) if others else None
        for start in self._rng.permutation(occupied):
            r, c = BOARD_37.places[start - 1]
            for end in empty:
                s, d = BOARD_37.places[end - 1]
                if kind == "diagonal" and abs(r - s) == abs(c - d) == 2:
                    over = BOARD_37.number.get(((r + s) // 2, (c + d) // 2))
                    if over and self._board & bit(over):
                        return int(start), end, [over]
                straight = (r == s) != (c == d) and abs(r - s) + abs(c - d) == 2
                if kind == "nothing_jumped" and straight:
                    over = BOARD_37.number[(r + s) // 2, (c + d) // 2]
                    if not self._board & bit(over):
                        return int(start), end, []
        return None

    def _rest(self, frames: int) -> Iterator[Any]:
        self._hand = None
        for _ in range(frames):
            yield None

    def _cover(self, hole: int, frames: int) -> Iterator[Any]:
        r, c = BOARD_37.places[hole - 1]
        for _ in range(frames):
            self._hand = (
                150 + 100 * c + float(self._rng.normal(0, 9)),
                150 + 100 * r + float(self._rng.normal(0, 9)),
            )
            yield None
        self._hand = None

    def _carry(self, start: int, end: int, removed: list[int]) -> Iterator[Any]:
        yield from self._cover(start, 3)
        self._pieces.pop(start, None)
        yield from self._cover(end, 2)
        self._pieces[end] = self._rng.normal(0, 1.6, 2)
        for hole in removed:
            yield from self._cover(hole, 2)
            self._pieces.pop(hole, None)
        yield from self._cover(end, 1)

    # -------------------------------------------------------------------------------- the picture

    def _draw_background(self) -> Image:
        ground, ring, _, table = STYLES[self.options.style]
        flat = np.zeros((900, 900, 3), np.uint8)
        flat[:] = tuple(int(0.55 * v) for v in ground)
        cv2.rectangle(flat, (45, 45), (855, 855), ground, -1)
        for r, c in BOARD_37.places:
            cv2.circle(flat, (150 + 100 * c, 150 + 100 * r), 36, ring, 4, cv2.LINE_AA)
        picture = np.empty((self.options.height, self.options.width, 3), np.uint8)
        picture[:] = table
        size = (self.options.width, self.options.height)
        board = cv2.warpPerspective(flat, self._view, size, flags=cv2.INTER_LINEAR)
        mask = cv2.warpPerspective(np.full((900, 900), 255, np.uint8), self._view, size)
        return np.where(mask[..., None] > 127, board, picture).astype(np.uint8)

    def _to_picture(self, x: float, y: float) -> tuple[float, float]:
        u, v, w = self._view @ np.array([x, y, 1.0])
        return float(u / w), float(v / w)

    def _render(self) -> Image:
        picture = self._background.copy()
        piece = STYLES[self.options.style][2]
        for hole, (dx, dy) in sorted(self._pieces.items()):
            r, c = BOARD_37.places[hole - 1]
            x, y = 150 + 100 * c + dx, 150 + 100 * r + dy
            u, v = self._to_picture(x, y)
            radius = abs(self._to_picture(x + 37, y)[0] - u)
            lift = 30 * self.options.tilt * radius / 37
            cv2.ellipse(
                picture,
                (round(u + 4), round(v + 5)),
                (round(radius), round(radius)),
                0,
                0,
                360,
                tuple(int(0.6 * k) for k in STYLES[self.options.style][0]),
                -1,
                cv2.LINE_AA,
            )
            cv2.circle(
                picture,
                (round(u), round(v)),
                round(radius),
                tuple(int(0.6 * k) for k in piece),
                -1,
                cv2.LINE_AA,
            )
            top = (round(u), round(v - lift))
            cv2.circle(picture, top, round(radius), piece, -1, cv2.LINE_AA)
            cv2.circle(
                picture, top, round(0.62 * radius), tuple(min(255, k + 26) for k in piece), 2, cv2.LINE_AA
            )
        if self._hand is not None:
            u, v = self._to_picture(*self._hand)
            skin = (128, 158, 206)
            cv2.line(
                picture,
                (round(u + 30), self.options.height + 40),
                (round(u), round(v + 60)),
                (92, 104, 120),
                110,
                cv2.LINE_AA,
            )
            cv2.ellipse(picture, (round(u), round(v + 40)), (62, 78), 8, 0, 360, skin, -1, cv2.LINE_AA)
            for k in (-36, -14, 10, 32):
                cv2.line(
                    picture,
                    (round(u + k), round(v + 20)),
                    (round(u + 0.5 * k), round(v - 42)),
                    skin,
                    20,
                    cv2.LINE_AA,
                )
        noise = self._rng.normal(0, 2.2, picture.shape[:2]).astype(np.float32)[..., None]
        return np.clip(picture * self._light + noise, 0, 255).astype(np.uint8)


_OVER = object()
