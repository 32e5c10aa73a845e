"""Lights, display and the question "can it still be won?" while the 37-hole game is refereed."""

from __future__ import annotations

import time

from pi_board.commands.solitaire_outputs import SolitaireOutputs
from pi_board.output import Moment
from pi_board.panel.signals import lights_of, melody_of
from pi_board.referee.solitaire import SolitaireReferee
from pi_board.solitaire import BOARD_37, Problem, bit


class Recorder:
    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self.closed = False

    def show(self, moment: Moment) -> None:
        self.moments.append(moment)

    def close(self) -> None:
        self.closed = True


#: Three in a row and one beside: 17-19 wins with 20-18, 20-... is lost.
START = BOARD_37.from_numbers([17, 18, 20])
PROBLEM = Problem("small", {"en": "Small"}, START, None, "made for this test")


def play(looks: list[int]) -> Recorder:
    """Each position lies there for four seconds; after it the answer of the worker is waited for."""
    recorder = Recorder()
    outputs, referee = SolitaireOutputs(PROBLEM, [recorder]), SolitaireReferee(PROBLEM)
    now = 0.0
    for position in looks:
        for _ in range(8):
            now += 0.5
            events = referee.observe(BOARD_37.to_holes(position), now)
            if events:
                outputs.heard(events, now)
        if outputs._asked is not None:
            while not outputs._asked[1].done():
                time.sleep(0.01)
            outputs.tick(now)
    outputs.close()
    return recorder


def test_a_game_that_is_won() -> None:
    after = BOARD_37.after(START, BOARD_37.jump(17, 19))
    end = BOARD_37.after(after, BOARD_37.jump(20, 18))
    recorder = play([START, after, end])
    views = [m.solitaire for m in recorder.moments if m.solitaire]
    assert [(v.state, v.winnable, v.pieces) for v in views] == [
        ("play", None, 3),
        ("play", True, 3),
        ("play", None, 2),
        ("play", True, 2),
        ("won", None, 1),
    ]
    assert views[2].last == "17-19"
    assert lights_of(recorder.moments[-1].view).verdict_green == "on"
    assert recorder.closed


def test_a_wrong_jump_is_red_and_heard_and_put_back() -> None:
    wrong = START ^ bit(17) ^ bit(19)
    recorder = play([START, wrong, START])
    red = next(m for m in recorder.moments if m.solitaire and m.solitaire.state == "wrong")
    assert red.solitaire and red.solitaire.code == "not_removed"
    assert lights_of(red.view).verdict_red == "fast" and melody_of(red.events) == "illegal"
    assert red.solitaire.holes == tuple(BOARD_37.to_holes(START))
    last = recorder.moments[-1]
    assert last.solitaire and last.solitaire.state == "play" and last.solitaire.winnable is True
    assert lights_of(last.view).verdict_red == "off"


def test_lost_is_amber() -> None:
    lost = BOARD_37.from_numbers([17, 18, 20, 37])
    problem = Problem("lost", {"en": "Lost"}, lost, None, "made for this test")
    recorder = Recorder()
    outputs = SolitaireOutputs(problem, [recorder])
    referee = SolitaireReferee(problem)
    for now in (0.0, 1.0):
        if events := referee.observe(BOARD_37.to_holes(lost), now):
            outputs.heard(events, now)
    assert outputs._asked is not None
    outputs._asked[1].result(timeout=60)
    outputs.tick(2.0)
    outputs.close()
    last = recorder.moments[-1]
    assert last.solitaire and last.solitaire.winnable is False
    assert lights_of(last.view).verdict_amber == "slow"
