"""Words are paired with what lay there when they came, not with the number of the turn."""

from __future__ import annotations

from typing import Any

import pytest

from pi_board.events import Event, PlayIllegal, PlayMade, Unclear
from pi_board.rules import STARTING_POSITION, Position, Side, legal_plays
from pi_board.session.score import delays, events_of, pair_accusations, questions
from pi_board.simulator import GameTruth, IllegalShown, TurnTruth

PLAYS = legal_plays(STARTING_POSITION, (3, 1))
BOARD, OTHER = PLAYS[0].result, PLAYS[1].result


def accusation(
    at: float, side: Side = "light", code: str = "wrong_number", seen: Position = BOARD
) -> PlayIllegal:
    return PlayIllegal(
        time=at, side=side, dice=(3, 1), code=code, reason="", position=STARTING_POSITION, seen=seen
    )


def shown(begun: float, gone: float, **more: Any) -> IllegalShown:
    times = {"begun": begun, "claimed": begun + 2, "gone": gone} | more
    return IllegalShown("wrong_number", "wrong_number", BOARD.to_document(), **times)


def game(*turns: tuple[Side, list[IllegalShown]]) -> GameTruth:
    return GameTruth(turns=[TurnTruth(side, (3, 1), illegal=list(illegal)) for side, illegal in turns])


@pytest.mark.parametrize(
    ("truth", "said", "flagged", "false", "missed"),
    [
        # The words of a referee that lost a turn: nothing in them says which turn they are about.
        (game(("light", []), ("dark", []), ("light", [shown(20, 30)])), [accusation(24)], 1, 0, 0),
        # Named twice: one play, and no second accusation.
        (game(("light", [shown(20, 30)])), [accusation(24), accusation(27)], 1, 0, 0),
        # The other side's play.
        (game(("dark", [shown(20, 30)])), [accusation(24)], 0, 1, 1),
        # Long before, long after.
        (game(("light", [shown(20, 30)])), [accusation(10)], 0, 1, 1),
        (game(("light", [shown(20, 30)])), [accusation(40)], 0, 1, 1),
        # Let stand, and named late while it still lies there; but not another board.
        (game(("light", [shown(20, 30, outcome="stands")])), [accusation(40)], 1, 0, 0),
        (game(("light", [shown(20, 30, outcome="stands")])), [accusation(40, seen=OTHER)], 0, 1, 1),
        # Two of them: each gets its own word.
        (game(("light", [shown(20, 30)]), ("light", [shown(50, 60)])), [accusation(24), accusation(55)], 2, 0, 0),
        # A truth without a clock: side and board decide.
        (game(("light", [IllegalShown("x", "wrong_number", BOARD.to_document())])), [accusation(5)], 1, 0, 0),
        (game(("light", [IllegalShown("x", "wrong_number", BOARD.to_document())])), [accusation(5, seen=OTHER)], 0, 1, 1),
        (game(("light", [])), [accusation(5)], 0, 1, 0),
    ],
)  # fmt: skip
def test_accusations(truth: GameTruth, said: list[Event], flagged: int, false: int, missed: int) -> None:
    paired = pair_accusations(truth, said)
    assert (len(paired.flagged), len(paired.false), len(paired.missed)) == (flagged, false, missed)


def test_a_question_about_an_illegal_play_or_a_mishap_is_in_its_place() -> None:
    truth = game(("light", [shown(20, 30)]))
    truth.mishaps = [(50.0, 60.0, "missing"), (80.0, 90.0, "coffee")]
    asked = [Unclear(time=t, doubts="position", reason="") for t in (10.0, 25.0, 55.0, 85.0)]
    assert [e.time for e in questions(truth, asked)] == [10.0, 85.0]


def test_delay_from_the_claim_to_the_light() -> None:
    play = PLAYS[0]
    turn = TurnTruth("light", (3, 1), str(play), play.moves, play.result, thrown=5.0, claimed=10.0)
    early = IllegalShown(
        "too_few", "must_play_both", OTHER.to_document(), begun=20, claimed=22, lifted=30, gone=40
    )
    truth = GameTruth(turns=[turn, TurnTruth("light", (3, 1), illegal=[early])])
    made = PlayMade(
        time=10.6, side="light", dice=(3, 1), play=str(play), moves=play.moves, position=play.result
    )
    red = accusation(31.5, code="must_play_both", seen=OTHER)
    # The processor is slow: the lights come later than the pictures.
    took = delays(truth, [(11.5, made), (12.5, made), (33.0, red)])
    assert took.green == [1.5] and took.red == [3.0]


def test_a_game_that_was_never_started_shifts_no_other() -> None:
    truths = [GameTruth(began=0.0), GameTruth(began=100.0)]
    late = [accusation(120.0)]
    assert events_of(truths, [late]) == [[], late]
