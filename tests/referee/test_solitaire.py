"""The solitaire referee: half jumps are waited for, wrong ones named, everything rebuilt from events."""

from __future__ import annotations

from pi_board.referee.solitaire import SolitaireReferee, expected_words
from pi_board.solitaire import BOARD_37, PROBLEMS, bit

CLASSIC = PROBLEMS["classic"]


class Table:
    """Shows positions for seconds at ten looks a second and collects what is said."""

    def __init__(self) -> None:
        self.referee = SolitaireReferee(CLASSIC)
        self.now = 0.0
        self.events = []

    def show(self, position: int | None, seconds: float = 0.5) -> list[str]:
        said = []
        for _ in range(round(seconds * 10)):
            self.now += 0.1
            holes = None if position is None else BOARD_37.to_holes(position)
            said += self.referee.observe(holes, self.now)
        self.events += said
        return [e.type for e in said]


def test_a_game_in_looks() -> None:
    table = Table()
    start = CLASSIC.start
    assert table.show(start) == ["solitaire_started"]
    landed = start ^ bit(17) ^ bit(19)
    jumped = landed ^ bit(18)
    assert table.show(landed, 1.0) == [], "half a jump is no mistake"
    assert table.show(None) == []
    assert table.show(jumped) == ["jump_made"]
    assert table.events[-1].jumps == ("17-19",)
    assert table.show(landed, 5.0) == ["jump_illegal"]
    assert table.show(jumped) == ["jump_taken_back"]
    diagonal = jumped ^ bit(4) ^ bit(18)
    assert table.show(diagonal, 2.0) == ["jump_illegal"]
    assert table.show(diagonal, 5.0) == [], "said once"
    assert table.show(jumped) == ["jump_taken_back"]
    assert table.show(start) == ["jump_taken_back"] and table.events[-1].undone == 1
    again = SolitaireReferee.from_events(CLASSIC, table.events)
    assert (again.position, again.history, again.wrong) == (start, [], None)


def test_one_look_is_not_enough() -> None:
    table = Table()
    assert table.show(CLASSIC.start, 0.1) == []


def test_the_end_is_said() -> None:
    from pi_board.solitaire import Problem

    problem = Problem("end", {"en": "end"}, BOARD_37.from_numbers([17, 18]), None, "")
    referee = SolitaireReferee(problem)
    said = []
    for position in (problem.start, bit(19)):
        for now in (1.0, 1.1, 1.2):
            said += referee.observe(BOARD_37.to_holes(position), now)
    assert [e.type for e in said] == ["solitaire_started", "jump_made", "solitaire_ended"]
    assert said[-1].won and said[-1].remaining == 1


def test_what_to_do_in_words() -> None:
    assert expected_words(BOARD_37, bit(1), bit(2)) == "put a piece on 1 and take the piece from 2"
