"""Every message of the referee: a stable code, its arguments and the English sentence.

Outputs translate by code (`MESSAGES` is the list to translate); `sentence` fills the English template. Arguments
are plain JSON values. `side`, `other` are "light"/"dark"; `{side}` in a template is replaced by the player's name
when one is given, else by the side. Points are absolute (light's own numbering).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pi_board.rules import Position, Side

MESSAGES: dict[str, str] = {
    # ---- the game runs
    "waiting": "Set up the starting position.",
    "opening": "Opening roll: one die each.",
    "opening_tie": "{light}-{dark}: a tie, roll again.",
    "opening_won": "{side} begins: {light}-{dark}.",
    "to_roll": "{side} to roll.",
    "to_play": "{side} to play {dice}.",
    "to_play_unknown": "{dice} rolled.",
    "no_play": "{side} has no legal play with {dice}: lift the dice.",
    "played": "{play} is legal.",
    "taken_back": "{side} took the play back: {dice} to play.",
    "corrected": "Corrected: {play} is legal.",
    "stands": "The play stands. {side} to roll.",
    "game_won": "{side} wins {points} ({kind}). Set up the next game.",
    "match_won": "{side} wins the match {light}-{dark}.",
    "paused": "Paused.",
    "resumed": "Going on where the game stopped.",
    # ---- the cube
    "doubled": "{other} doubles to {value}: {side} takes or passes.",
    "resigned": "{other} resigns ({kind}): {side} accepts or plays on.",
    # ---- illegal
    "illegal": "Illegal: {reason}",
    # ---- amber: the referee needs something
    "dice_cocked": "A die is not flat: roll again.",
    "dice_on_checker": "A die lies on a checker: roll again.",
    "dice_outside": "A die lies outside the board: roll again.",
    "dice_wrong_half": "The dice belong in {side}'s right-hand half: roll again.",
    "dice_too_early": "Rolled before the other dice were lifted: roll again.",
    "dice_unread": "I can't read the dice.",
    "put_back": "Expected: {changes}.",
    "checker_missing": "{checkers} missing: {changes}.",
    "checker_added": "{checkers} too many: {changes}.",
    "unclear_position": "I can't tell what lies there. {changes}",
    "unclear_dice": "I doubt the dice: {reason}",
    "unclear_side": "{reason}",
    "unclear_cube": "{reason}",
    "doubt_position": "I did not see all of what happened. Is it right as it lies?",
    "doubt_hidden": "Something hides points {points}: move it, please. Or is it right as it lies?",
    "doubt_hidden_bar": "Something hides the bar: move it, please. Or is it right as it lies?",
    "doubt_dice": "I may have misread the dice ({dice}). Is it right as it lies?",
    "doubt_thrower": "I am not sure whose roll this was. Is it right as it lies?",
    "doubt_finished": "Nothing has been played of {dice}: play, or roll again.",
    # ---- questions
    "abandon_game": "The starting position is set up: abandon this game?",
    "cube_differs": "{reason} Is the cube right as it lies?",
    # ---- agreed on before a match
    "ask_legal": "Show illegal plays at once?",
    "ask_responsible": "Show illegal plays only when asked?",
    "ask_recorder": "Judge no play, only record?",
    "ask_hints": "{side}: hints in this match?",
    "challenge_wait": "{side} asks: is that play legal?",
    "challenge_legal": "The play is legal.",
    "out_of_time_loss": "Time is up: {side} loses the match?",
    "out_of_time_points": "Time is up: {side}, penalty points {points}?",
    "out_of_time_announce": "Time is up: {side}. Noted?",
    # ---- between games
    "set_up_wrong": "Next game: {changes}.",
    "notice_crawford": "Crawford game: nobody doubles.",
    "notice_post_crawford": "After Crawford: doubling is free again.",
    # ---- notices (no light)
    "notice_wrong_half": "Dice should be rolled into {side}'s right-hand half.",
    "notice_too_early": "{side} rolled before the dice were lifted.",
    "notice_put_right": "{side} must put the play right first.",
    "notice_dice_from_play": "Dice not read; {dice} taken from the play.",
    "notice_thrown_again": "Rolled again: {dice}.",
    "notice_not_start": "Starting position not recognised: is it complete, does everybody sit as set?",
    "notice_seating": "The seating seems turned: light lies where dark should. Is dark sitting here?",
    "notice_dice_unread": "I can't read the dice: are they sharp and well lit?",
    "notice_joined": "I did not see how this game began: it goes on from the board as it lies.",
    # ---- the view
    "board_moved": "The board or the camera has moved.",
    "view_dark": "Too dark to see.",
    "view_overexposed": "Too bright to see.",
    "view_blurred": "The picture is not sharp.",
    "view_blocked": "Something covers the board.",
    "view_thing": "Something hides points {points}: please move it.",
    "view_thing_bar": "Something hides the bar: please move it.",
    "view_die": "I see only one die: please move what hides the other.",
    "view_hand": "A hand rests on the board.",
    "view_moving": "Something keeps moving.",
    "view_no_board": "No board in view.",
    "view_no_camera": "No picture from the camera.",
    "view_untaught": "Colours not learned yet: set up the starting position, or enter the position.",
    # ---- refused commands
    "refused_nothing": "Nothing to confirm.",
    "refused_cannot_read": "I can't read the board well enough to let it stand.",
    "refused_no_game": "No game is running.",
    "refused_not_now": "Not now.",
    "refused_cube": "{reason}",
    "refused_rolled": "The dice have been rolled: the play stands.",
    "refused_hints": "Hints are locked in this match.",
    "refused_recorder": "Plays are not judged in this match.",
    "refused_challenge_early": "Ask when the dice are lifted.",
    "refused_challenge_late": "There is no play to ask about.",
}


#: What `point_words` calls the bar.
BAR = "bar"


def sentence(code: str, args: Mapping[str, Any], names: tuple[str, str] = ("Light", "Dark")) -> str:
    """The English sentence; unknown codes give the reason in `args`, or the code itself."""
    words: dict[str, Any] = dict(args)
    if words.get("side") in ("light", "dark") and isinstance(words.get("count"), int):
        words["checkers"] = f"{words['count']} {words['side']} checker{'s' if words['count'] != 1 else ''}"
    for key in ("side", "other"):
        if words.get(key) in ("light", "dark"):
            words[key] = names[0] if words[key] == "light" else names[1]
    if isinstance(words.get("dice"), list | tuple):
        words["dice"] = "-".join(str(d) for d in words["dice"])
    if isinstance(words.get("changes"), list | tuple):
        words["changes"] = change_words(words["changes"])
    template = MESSAGES.get(worded(code, args))
    if template is None:
        return str(words.get("reason", code))
    try:
        text = template.format(**words).strip()
        # "… missing: ." when there is nothing to name.
        return text.removesuffix(": .") + "." if text.endswith(": .") else text
    except (KeyError, IndexError):
        return str(words.get("reason") or code)


def worded(code: str, args: Mapping[str, Any]) -> str:
    """The key of the message `code`: what hides nothing but the bar hides no points."""
    return f"{code}_bar" if args.get("points") == BAR else code


def point_words(slots: Iterable[int]) -> str:
    """ "8-10, 13": the points of slots 0-23 (point - 1); `BAR` where they are its slots, 24 and 25, alone."""
    out: list[list[int]] = []
    for point in sorted({s + 1 for s in slots if s < 24}):
        if out and out[-1][-1] == point - 1:
            out[-1].append(point)
        else:
            out.append([point])
    words = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in out]
    return ", ".join(words) or BAR


def changes(seen: Position | None, expected: Position | None) -> list[dict[str, Any]]:
    """What must be done to turn `seen` into `expected`: [{"side", "from", "to"}] (point 1-24, "bar", "off", or None)."""
    if seen is None or expected is None:
        return []
    out: list[dict[str, Any]] = []
    sides: tuple[Side, Side] = ("light", "dark")
    for i, side in enumerate(sides):
        sign = 1 if side == "light" else -1
        slots: list[tuple[int | str, int]] = [
            (p + 1, max(0, sign * expected.points[p]) - max(0, sign * seen.points[p])) for p in range(24)
        ]
        slots += [("bar", expected.bar[i] - seen.bar[i]), ("off", expected.off[i] - seen.off[i])]
        away = [place for place, n in slots for _ in range(-n)]
        back = [place for place, n in slots for _ in range(n)]
        out += [{"side": side, "from": a, "to": b} for a, b in zip(away, back, strict=False)]
    return out


def change_words(items: Any) -> str:
    """ "put a dark checker from 9 back on 8"."""

    def place(name: Any, *, to: bool) -> str:
        if name == "bar":
            return "on the bar" if to else "the bar"
        if name == "off":
            return "off the board" if to else "outside"
        return f"on {name}" if to else str(name)

    words = []
    for item in items:
        if item.get("from") is None:
            words.append(f"put a {item['side']} checker {place(item['to'], to=True)}")
        elif item.get("to") is None:
            words.append(f"take a {item['side']} checker from {place(item['from'], to=False)}")
        else:
            words.append(
                f"put a {item['side']} checker from {place(item['from'], to=False)} back {place(item['to'], to=True)}"
            )
    return "; ".join(words)
