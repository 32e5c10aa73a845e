"""What each moment looks and sounds like: the table that lights, buzzer and documentation share (pure).

Every signal is told apart without colour: green is steady, amber blinks slowly, red blinks fast; the lamp of the
side that must act is steady while it may roll and blinks while it has to play or answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pi_board.events import Event
from pi_board.table import Phase, TableView, VerdictColour

Pattern = Literal["off", "on", "slow", "fast"]
#: Seconds on and off of the blinking patterns.
BLINK: dict[str, tuple[float, float]] = {"slow": (0.8, 0.8), "fast": (0.15, 0.15)}


@dataclass(frozen=True, slots=True)
class Lights:
    """Pattern of each lamp."""

    turn_light: Pattern = "off"
    turn_dark: Pattern = "off"
    verdict_green: Pattern = "off"
    verdict_amber: Pattern = "off"
    verdict_red: Pattern = "off"


def lights_of(view: TableView) -> Lights:
    """The lamps for a view of the table; a recorder has none."""
    if view.mode == "recorder":
        return Lights()
    busy: Pattern = (
        "slow" if view.phase in (Phase.PLAY, Phase.ILLEGAL, Phase.DOUBLED, Phase.RESIGNED) else "on"
    )
    resting = view.phase in (Phase.WAITING, Phase.OVER, Phase.PAUSED)
    return Lights(
        turn_light=busy if view.side == "light" and not resting else "off",
        turn_dark=busy if view.side == "dark" and not resting else "off",
        verdict_green="on" if view.verdict is VerdictColour.GREEN else "off",
        verdict_amber="slow" if view.verdict is VerdictColour.AMBER else "off",
        verdict_red="fast" if view.verdict is VerdictColour.RED else "off",
    )


#: Notes as (name, seconds); a name of "" is a rest.
Melody = tuple[tuple[str, float], ...]
#: What the buzzer plays for each word. The short form is the first note alone.
MELODIES: dict[str, Melody] = {
    "illegal": (("A4", 0.15), ("", 0.05), ("A4", 0.15), ("", 0.05), ("E4", 0.4)),
    "throw_again": (("C5", 0.12), ("", 0.08), ("C5", 0.12)),
    "corrected": (("E5", 0.1), ("G5", 0.15)),
    "question": (("G4", 0.12), ("C5", 0.2)),
    "legal": (("E5", 0.12), ("", 0.05), ("E5", 0.12)),
    "time": (("G5", 0.15), ("", 0.1), ("G5", 0.15), ("", 0.1), ("G5", 0.15), ("", 0.1), ("C5", 0.4)),
    "double": (("C5", 0.1), ("E5", 0.1), ("G5", 0.2)),
    "game_won": (("C5", 0.15), ("E5", 0.15), ("G5", 0.15), ("C6", 0.4)),
    "match_won": (("C5", 0.12), ("C5", 0.12), ("C5", 0.12), ("E5", 0.2), ("G5", 0.2), ("C6", 0.6)),
}
#: The longest that one melody may take: the game goes on meanwhile, and the next fault must be heard.
LONGEST = 3.0
_NOTE = re.compile(r"(-|[A-G][#b]?[2-6]):(\d{1,4})")


def melody_from(text: str) -> Melody:
    """The notes of "A4:150 -:50 E4:400" (milliseconds, "-" a rest), () for "". Raises ValueError."""
    notes = []
    for word in text.split():
        match = _NOTE.fullmatch(word)
        if match is None:
            raise ValueError(
                f"expected notes from C2 to B6 with milliseconds like A4:150, or -:50 for a rest, got {word!r}"
            )
        notes.append(("" if match[1] == "-" else match[1], int(match[2]) / 1000))
    if sum(seconds for _, seconds in notes) > LONGEST:
        raise ValueError(f"expected {LONGEST:g} s at most, got {sum(s for _, s in notes):g} s")
    return tuple(notes)


def melody_text(melody: Melody) -> str:
    """What `melody_from` reads."""
    return " ".join(f"{note or '-'}:{round(1000 * seconds)}" for note, seconds in melody)


#: Event -> melody; a later entry of a moment outranks an earlier one only if it stands further down here.
SOUNDS: dict[str, str] = {
    "play_corrected": "corrected",
    "cube_offered": "double",
    "asked": "question",
    "resignation_offered": "question",
    "challenge_answered": "legal",
    "dice_rejected": "throw_again",
    "time_out": "time",
    "play_illegal": "illegal",
    "jump_illegal": "illegal",
    "solitaire_ended": "game_won",
    "game_won": "game_won",
    "match_won": "match_won",
}


def melody_of(events: Iterable[Event]) -> str:
    """The melody for the events of one moment, "" for silence (all is well)."""
    order = list(SOUNDS)
    # A solitaire game that ends with pieces left over is nothing to sing about.
    heard = [e.type for e in events if e.type in SOUNDS and getattr(e, "won", True)]
    return SOUNDS[max(heard, key=order.index)] if heard else ""
