"""The problems of the leaflet, as data: start, finish and where the form comes from.

The leaflet's diagrams B to E are lost; its text has only the names. The forms below are the traditional ones of the
37-hole (French) board, and each says what is certain and what is not. Every shipped pair is proved reachable (or not)
by the solver in the tests.
"""

from __future__ import annotations

from dataclasses import dataclass

from pi_board.solitaire.board import BOARD_33, BOARD_37, Board, bit


@dataclass(frozen=True, slots=True)
class Problem:
    """start, finish: positions (None = any single piece). names: in the leaflet's languages. source: where the form is from."""

    key: str
    names: dict[str, str]
    start: int
    finish: int | None
    source: str
    board: Board = BOARD_37


def _holes(*numbers: int) -> int:
    return BOARD_37.from_numbers(numbers)


#: The sixteen holes of the edge, in order around the board.
RIM = (1, 2, 3, 8, 15, 22, 29, 34, 37, 36, 35, 30, 23, 16, 9, 4)
_NO_CENTRE = BOARD_37.full ^ bit(19)

PROBLEMS: dict[str, Problem] = {
    p.key: p
    for p in (
        Problem(
            "classic",
            {"en": "Classic", "nl": "Klassiek", "fr": "Classique", "de": "Klassisch"},
            _NO_CENTRE,
            None,
            "Leaflet, in words: every hole but 19 filled, one piece to remain. Cannot be won: no single piece has the "
            "position class of this start; two pieces are the best possible.",
        ),
        Problem(
            "cross",
            {"en": "The cross", "nl": "Het kruis", "fr": "La croix", "de": "Das Kreuz"},
            _holes(6, 12, 17, 18, 19, 20, 21, 26, 32),
            bit(19),
            "Traditional: nine pieces as a plus of five by five around the centre, one to remain in the centre. "
            "The diagram is lost; French collections give the same nine pieces.",
        ),
        Problem(
            "speaker",
            {
                "en": "The speaker and his audience",
                "nl": "De spreker en zijn gehoor",
                "fr": "L'orateur et son auditoire",
                "de": "Der Redner und seine Zuhörer",
            },
            _NO_CENTRE,
            _holes(19, *RIM),
            "Traditional (in French collections 'the reader among his friends'): from the empty centre, the speaker "
            "remains in the centre and sixteen listeners on the rim.",
        ),
        Problem(
            "apostles",
            {"en": "The apostles", "nl": "De apostelen", "fr": "Les apôtres", "de": "Die Apostel"},
            _NO_CENTRE,
            _holes(19, 1, 3, 4, 8, 9, 15, 23, 29, 30, 34, 35, 37),
            "Traditional in idea: from the empty centre to the master in the centre and twelve apostles on the rim. Which "
            "twelve of the sixteen rim holes is not certain. Of the two symmetric choices only the one without the "
            "middles of the four sides has the position class of the start, and the solver finds a way to it; the other "
            "(three on every side, as a table would be laid) can never be reached.",
        ),
        Problem(
            "pirate",
            {"en": "The pirate", "nl": "De piraat", "fr": "Le pirate", "de": "Der Pirat"},
            BOARD_37.full ^ bit(3),
            bit(35),
            "Traditional ('the corsair' of French collections): hole 3 is empty; near the end one piece, the pirate, "
            "takes many in one sweep and is itself taken, and the last piece stands on 35. The leaflet's own end position "
            "is not known for certain.",
        ),
        Problem(
            "english",
            {"en": "English board", "nl": "Engels bord", "fr": "Tablier anglais", "de": "Englisches Brett"},
            BOARD_33.full ^ bit(17),
            bit(17),
            "The 33-hole board of other sets: centre to centre.",
            BOARD_33,
        ),
    )
}


def vacancy(hole: int) -> Problem:
    """Every hole filled but one, any single piece to remain. hole: 1-37."""
    name = f"Hole {hole} empty"
    return Problem(
        f"vacancy-{hole}", {"en": name}, BOARD_37.full ^ bit(hole), None, "Free choice of the empty hole."
    )
