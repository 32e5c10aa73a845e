"""Why what lies there is no play of this roll: what `explain` is asked, and what it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pi_board.referee.explanations import Evidence, Reconciled, Turn
from pi_board.referee.explanations.counts import own_number, slot_of
from pi_board.referee.fault_kinds import PHYSICAL, TAKEN_OFF
from pi_board.referee.one_turn import is_of_one_turn
from pi_board.rules import Position, RuleSet, explain, opponent


def code_of(turn: Turn, position: Position, rules: RuleSet) -> str | None:
    """What `explain` calls it to have played `position`; None = nothing wrong."""
    return explain(turn.before, position, turn.dice, turn.side, rules).code


def in_no_hand(
    turn: Turn, found: Reconciled, rules: RuleSet, evidence: Evidence | None = None
) -> Position | None:
    """The wrong play that lies there if the checker that seems to be in a hand is in none: it was taken off against the rules,
    or lies on a full point, where one more can hardly be seen; of both the likelier one by `evidence`, if it is given. None = no such play."""
    plays: list[Position] = []
    if found.unlawful is not None and is_of_one_turn(turn, found.unlawful):
        code = code_of(turn, found.unlawful, rules)
        if code is not None and code not in PHYSICAL:
            plays.append(found.unlawful)
    if found.borne_off is not None and code_of(turn, found.borne_off, rules) in TAKEN_OFF:
        plays.append(found.borne_off)
    return max(plays, key=evidence.score if evidence is not None else lambda play: 0.0, default=None)


def reason_of(
    turn: Turn, found: Reconciled, seen: Position | None, rules: RuleSet
) -> tuple[str, str, tuple[str, ...]]:
    """(code, sentence, nearest legal plays) of `explain` for what lies there."""
    after: Any = seen
    if found.blocked is not None:
        after = _with_held_point(found.seen or found.nearest or turn.before, found.blocked, turn)
    elif found.left_on is not None and found.nearest is not None:
        after = found.nearest.to_document()
        after["bar"][opponent(turn.side)] -= 1
    elif seen is None:
        after = turn.before
    verdict = explain(turn.before, after, turn.dice, turn.side, rules)
    return verdict.code or "wrong_number", verdict.reason or "", tuple(str(p) for p in verdict.nearest)


def onto_a_held_point(
    turn: Turn, seen: Position, looks_otherwise: Callable[[int], bool]
) -> tuple[int, int] | None:
    """The move (source, target, the mover's own numbers) of a checker that is gone in `seen`, if a die would bring it to a point that the
    other holds, and this one alone looks otherwise than at the roll: one checker among the other's may be misread, and is not borne off.

    looks_otherwise: of a slot 0-23.
    """
    sign = 1 if turn.side == "light" else -1
    before = turn.before.points
    gone = [slot for slot in range(24) if seen.points[slot] != before[slot]]
    if len(gone) != 1 or before[gone[0]] - seen.points[gone[0]] != sign or seen.bar != turn.before.bar:
        return None
    source, pips = own_number(gone[0], turn.side), {*turn.dice, sum(turn.dice)}
    held = [
        target
        for slot, count in enumerate(before)
        if count * sign <= -2
        and source - (target := own_number(slot, turn.side)) in pips
        and looks_otherwise(slot)
    ]
    return (source, held[0]) if len(held) == 1 else None


def _with_held_point(position: Position, move: tuple[int, int], turn: Turn) -> dict[str, Any]:
    """The document of `position` after the mover has put a checker on a point that the other holds, as `explain` reads it."""
    source, target = move
    light = turn.side == "light"
    sign = 1 if light else -1
    document = position.to_document()
    if source == 25:
        document["bar"][turn.side] = max(0, document["bar"][turn.side] - 1)
    else:
        document["points"][slot_of(source, turn.side)] -= sign
    document["points"][slot_of(target, turn.side)] += sign
    return document
