"""The wizard's progress, and which device has it in hand."""

from __future__ import annotations

import pytest

from pi_board.setup.progress import HELD, Holder, Progress
from pi_board.sighting import DieSeen


def die(value: int | None, x: float, y: float, *, cocked: bool = False) -> DieSeen:
    return DieSeen(value, 1.0, x, y, cocked=cocked)


THREE_ONE = [die(3, 100, 200), die(1, 150, 210)]
SHAKEN = [die(1, 152, 209), die(3, 98, 203)]
ELSEWHERE = [die(3, 400, 200), die(1, 450, 210)]


@pytest.mark.parametrize(
    ("looks", "throws"),
    [
        ([THREE_ONE], []),
        ([THREE_ONE, SHAKEN], ["1-3"]),
        ([THREE_ONE, SHAKEN, THREE_ONE, SHAKEN], ["1-3"]),
        ([THREE_ONE, ELSEWHERE, THREE_ONE], []),
        ([THREE_ONE, SHAKEN, ELSEWHERE, ELSEWHERE], ["1-3", "1-3"]),
        ([THREE_ONE, SHAKEN, [], THREE_ONE, SHAKEN], ["1-3"]),
        ([THREE_ONE[:1]] * 3, []),
        ([[die(None, 1, 1), die(3, 9, 9)]] * 3, []),
        ([[die(2, 1, 1, cocked=True), die(3, 90, 9)]] * 3, []),
    ],
    ids=["one look", "lies still", "lies on", "still rolling", "second roll", "hand over it", "one die", "unread", "cocked"],
)  # fmt: skip
def test_a_throw_counts_once_it_lies_still(looks: list[list[DieSeen]], throws: list[str]) -> None:
    progress = Progress()
    for dice in looks:
        progress.dice_seen(dice)
    assert progress.to_document()["throws"] == throws


def test_a_board_that_was_found_anew_has_been_seen_by_nobody() -> None:
    progress = Progress(at="Dice", game={"light_name": "Anna"}, light=True, start=24)
    progress.dice_seen(THREE_ONE)
    progress.dice_seen(THREE_ONE)
    progress.board_moved()
    assert progress.to_document() == {
        "at": "Dice", "game": {"light_name": "Anna"}, "light": False, "start": 0, "throws": [],
    }  # fmt: skip


def test_one_device_at_a_time_until_it_is_silent_or_leaves() -> None:
    now = [0.0]
    holder = Holder(lambda: now[0])
    assert holder.name == "" and holder.hold("a", "Chrome on Android")
    assert not holder.hold("b", "Safari on iPhone") and holder.name == "Chrome on Android"
    assert not holder.let_go("b")
    now[0] = HELD - 1
    assert holder.hold("a", "Chrome on Android") and not holder.hold("b")
    now[0] = 2 * HELD
    assert holder.name == "" and holder.hold("b", "Safari on iPhone")
    assert not holder.hold("a") and holder.hold("a", "Chrome on Android", take=True)
    assert not holder.hold("b") and holder.let_go("a") and holder.hold("b")
