"""`run --json`, `serve --json`: one JSON document a line, with the names that `replay --json` uses."""

from __future__ import annotations

import io
import json

from pi_board.commands.event_lines import EventLines
from pi_board.events import DiceRolled, PlayIllegal
from pi_board.output import Hint, HintLine, Moment
from pi_board.rules import STARTING_POSITION
from pi_board.table import TableView


def test_lines() -> None:
    out = io.StringIO()
    lines = EventLines(out=out, clock=lambda: "2026-01-01T20:00:00.000Z")
    view = TableView(position=STARTING_POSITION)
    lines.show(Moment(1.0, view, (DiceRolled(time=1.0, side="light", dice=(3, 1)),)))
    illegal = PlayIllegal(
        time=2.0,
        side="light",
        dice=(3, 1),
        code="",
        reason="no",
        position=STARTING_POSITION,
        seen=STARTING_POSITION,
    )
    lines.show(Moment(2.0, view, (illegal,), banner="no camera"))
    lines.show(
        Moment(3.0, view, banner="no camera", hint=Hint("light", (3, 1), (HintLine("8/5 6/5", 0.2, 0.5),)))
    )
    lines.show(Moment(4.0, view))
    found = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [d["type"] for d in found] == ["dice", "illegal", "notice", "hint", "notice"]
    assert all(d["at"] == "2026-01-01T20:00:00.000Z" for d in found)
    assert found[0]["side"] == "light" and found[0]["dice"] == [3, 1]
    assert found[1]["reason"] == "no" and found[1]["before"] == STARTING_POSITION.to_document()
    assert (found[2]["text"], found[4]["text"]) == ("no camera", "")
    assert found[3]["lines"][0]["play"] == "8/5 6/5"
