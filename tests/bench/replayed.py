"""What a replay of a folder of key moments must tell at which picture, and whether an event says what the truth beside it says."""

from __future__ import annotations

from typing import Any

#: Event in a truth file → kinds of event of which one must be told of its picture.
TOLD = {
    "dice_thrown": {"dice"},
    "play_done": {"play", "corrected"},
    "play_done_illegal": {"illegal"},
    "taken_back": {"taken_back"},
}


def agrees(truth: dict[str, Any], event: dict[str, Any]) -> bool:
    """Whether an event of the right kind has the roll, or the position, that lies there."""
    if truth["event"] == "dice_thrown":
        return sorted(event.get("dice") or ()) == sorted(truth["dice_values"])
    if truth["event"] in ("play_done", "play_done_illegal"):
        # What lies there physically; a point that holds both sides' checkers can't be written down.
        held = any(p["light"] and p["dark"] for p in truth["points"])
        points = [p["light"] - p["dark"] for p in truth["points"]]
        # (Truth counts from the near player, events from light; a game whose near player is not named has light there.)
        if truth.get("near") == "dark":
            points = points[::-1]
        return held or event["position"]["points"] == points
    return True
