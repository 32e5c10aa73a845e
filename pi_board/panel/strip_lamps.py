"""Which lamps of the strip around the board light up, and the lines that say so (pure).

The protocol is described in hardware/firmware/README.md. A play is shown without colour too: where a checker came from blinks
slowly, where it went blinks fast (a fault) or stays on (a hint).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pi_board.output import SolitaireView
from pi_board.panel.screens import Showing
from pi_board.panel.solitaire_screen import ROWS, WIDTH
from pi_board.table import TableView, VerdictColour

VERSION = 1
RED, AMBER, BLUE = "ff0000", "ff8000", "0030ff"


@dataclass(frozen=True, slots=True)
class Lamp:
    """Light on one point (1-24, light's numbering)."""

    point: int
    colour: str
    pattern: Literal["on", "slow", "fast"]


def checksum(body: str) -> str:
    """CRC-16/CCITT-FALSE as four hex digits."""
    crc = 0xFFFF
    for byte in body.encode("ascii"):
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return f"{crc:04X}"


def frame(body: str) -> bytes:
    return f"${body}*{checksum(body)}\n".encode("ascii")


def unframe(line: bytes) -> str | None:
    """The body of a received line, None when it is broken."""
    text = line.strip().decode("ascii", "replace")
    if len(text) < 6 or text[0] != "$" or text[-5] != "*":
        return None
    body = text[1:-5]
    return body if body.isascii() and checksum(body) == text[-4:] else None


def lamps_of(showing: Showing) -> tuple[Lamp, ...]:
    """The lamps for what is to be shown: a fault before a hint."""
    view = showing.view
    if showing.solitaire is not None:
        return _solitaire(showing.solitaire)
    if view.verdict is VerdictColour.RED:
        return _changed(view)
    if view.verdict is VerdictColour.AMBER:
        lamps = []
        for item in view.message_args.get("changes") or ():
            if isinstance(item, dict):
                lamps += [Lamp(item["from"], AMBER, "slow")] if isinstance(item.get("from"), int) else []
                lamps += [Lamp(item["to"], AMBER, "fast")] if isinstance(item.get("to"), int) else []
        return _unique(lamps)
    if showing.hint is not None and showing.hint.lines:
        lamps = []
        for source, to in showing.hint.lines[0].moves:
            for point, pattern in ((source, "slow"), (to, "on")):
                if 1 <= point <= 24:
                    absolute = point if showing.hint.side == "light" else 25 - point
                    lamps.append(Lamp(absolute, BLUE, pattern))  # type: ignore[arg-type]
        return _unique(lamps)
    return ()


def _solitaire(view: SolitaireView) -> tuple[Lamp, ...]:
    """The columns of the 37-hole board in which a piece is to be put (slow) or taken away (fast), or the next jump's
    (slow, on), at the near and the far edge; as points of a strip in its usual order."""
    lamps: list[Lamp] = []

    def light(hole: int, colour: str, pattern: Literal["on", "slow", "fast"]) -> None:
        place = int((_column(hole) + 0.5) / WIDTH * 12)
        # The near edge is passed from right to left, the far one back.
        lamps.extend(Lamp(point, colour, pattern) for point in (12 - place, 13 + place))

    if view.state == "wrong" and view.seen:
        for hole, (wanted, lies) in enumerate(zip(view.holes, view.seen, strict=True), 1):
            if wanted != lies:
                light(hole, RED, "slow" if wanted else "fast")
    elif view.hint:
        start, end = (int(n) for n in view.hint.split("-"))
        light(start, BLUE, "slow")
        light(end, BLUE, "on")
    return _unique(lamps)


def _column(hole: int) -> int:
    """0-6 from the left of a hole."""
    for n in ROWS:
        if hole <= n:
            return (WIDTH - n) // 2 + hole - 1
        hole -= n
    raise ValueError(hole)


def _changed(view: TableView) -> tuple[Lamp, ...]:
    """Where the mover's checkers left and arrived, by the positions before and on the board."""
    if view.expected is None or view.seen is None:
        return ()
    sign = 1 if view.side == "light" else -1
    lamps = []
    for i in range(24):
        was, now = max(0, sign * view.expected.points[i]), max(0, sign * view.seen.points[i])
        if now < was:
            lamps.append(Lamp(i + 1, RED, "slow"))
        elif now > was:
            lamps.append(Lamp(i + 1, RED, "fast"))
    return tuple(lamps)


def _unique(lamps: list[Lamp]) -> tuple[Lamp, ...]:
    """One lamp a point: where a checker passes through, the last pattern counts."""
    return tuple({lamp.point: lamp for lamp in lamps}.values())


def strip_order(near: str, home: str) -> tuple[int, ...]:
    """The points in the order in which the strip passes them: near edge from right to left, far edge back."""
    order = list(range(1, 25)) if near == "light" else list(range(24, 0, -1))
    if home == "left":
        order = order[:12][::-1] + order[12:][::-1]
    return tuple(order)


def show_line(lamps: tuple[Lamp, ...], order: tuple[int, ...], lights: int, brightness: int) -> str:
    """The body of the line that shows `lamps` on a strip of `lights` lamps, "OFF" for none."""
    if not lamps:
        return "OFF"
    words = []
    for lamp in lamps:
        place = order.index(lamp.point)
        first, last = lights * place // 24, lights * (place + 1) // 24 - 1
        words.append(f"{first}-{last}:{lamp.colour}:{lamp.pattern}")
    # A line holds 240 characters, so only the first dozen points are sent; they are enough.
    return " ".join(["SHOW", str(brightness), *words[:12]])
