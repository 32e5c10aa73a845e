"""Is what lies there meant as a finished play, or is somebody in the middle of something?"""

from __future__ import annotations

from pi_board.referee.reconcile import Reconciled, Turn, vector
from pi_board.rules import Position, explain, opponent
from pi_board.rules.rule_set import RuleSet

#: Faults of the board rather than of the play: amber with what is expected, never red. People put them right.
PHYSICAL = frozenset({"hit_checker_not_on_bar", "checker_missing", "checker_added", "moved_opponent"})
#: Faults of stopping too early: a player who may still be playing is not accused of them.
TOO_SHORT = frozenset({"must_play_more", "must_play_both", "must_play_larger", "could_have_moved"})
#: Faults in taking checkers off the board.
BEARING_OFF = frozenset({"not_all_home", "bear_off_too_high", "exact_number_needed"})


def moved_by(turn: Turn, seen: Position) -> tuple[int, int, int, int]:
    """(own checkers moved from points, own that entered, the other side's that left a point, of those hit) by `turn`."""
    was, now = turn.before.seen_from(turn.side), seen.seen_from(turn.side)
    own = sum(max(0, max(0, a) - max(0, b)) for a, b in zip(was[0], now[0], strict=True))
    theirs = sum(max(0, max(0, -a) - max(0, -b)) for a, b in zip(was[0], now[0], strict=True))
    return own, was[1][0] - now[1][0], theirs, now[1][1] - was[1][1]


def dice_to_play(turn: Turn) -> int:
    return 4 if turn.dice[0] == turn.dice[1] else 2


def is_of_one_turn(turn: Turn, seen: Position) -> bool:
    """Whether `seen` can be the work of this player with this roll, however wrongly played: the other side's checkers lie
    still except for hits, none of his own was hit, and few of his own were moved."""
    own, entered, theirs, hits = moved_by(turn, seen)
    return entered >= 0 and hits >= 0 and own <= dice_to_play(turn) + 2 and theirs == hits


def moved_one_of_theirs(turn: Turn, seen: Position) -> bool:
    """`seen` is of this turn but for one of the opponent's checkers, which lies elsewhere without having been hit."""
    own, entered, theirs, hits = moved_by(turn, seen)
    return entered >= 0 and own <= dice_to_play(turn) and theirs == max(0, hits) + 1


def uses_up_the_dice(found: Reconciled, turn: Turn, lay: Position | None) -> bool:
    """Whether the position can only be a finished play: as many checkers moved as there are dice (or as many pips), and no
    single checker one point aside explains it (that is how knocked checkers look). lay: the legal play that lay there before."""
    if found.position is None:
        return True
    own, entered, _, _ = moved_by(turn, found.position)
    moved, dice = own + max(0, entered), dice_to_play(turn)
    pips = turn.before.pips(turn.side) - found.position.pips(turn.side)
    if moved < dice and pips < sum(turn.dice) * (dice // 2):
        return False
    return not may_be_knocked(found.position, turn, lay, moved > dice)


def may_be_knocked(position: Position, turn: Turn, lay: Position | None, one_too_many: bool) -> bool:
    """One checker of either side back by one point gives the position before, one on the way, what lay there as a legal play, or
    (when one more was moved than there are dice) any legal play."""
    counts = vector(position)
    on_the_way = {tuple(row) for row in turn.partial_counts.tolist()} | {tuple(vector(turn.before).tolist())}
    if lay is not None:
        on_the_way.add(tuple(vector(lay).tolist()))
    if one_too_many:
        on_the_way |= {tuple(row) for row in turn.legal_counts.tolist()}
    for point in range(24):
        if counts[point] == 0:
            continue
        sign = 1 if counts[point] > 0 else -1
        for near in (point - 1, point + 1):
            if 0 <= near < 24 and counts[near] * sign >= 0:
                moved = counts.copy()
                moved[point] -= sign
                moved[near] += sign
                if tuple(moved.tolist()) in on_the_way:
                    return True
    return False


def code_of(turn: Turn, position: Position, rules: RuleSet) -> str | None:
    """What `explain` calls it to have played `position`."""
    return explain(turn.before, position, turn.dice, turn.side, rules).code


def in_no_hand(turn: Turn, found: Reconciled, rules: RuleSet) -> Position | None:
    """The wrong play that lies there if the checker that seems to be in a hand is in none: it was taken off against the rules,
    or lies on a full point, where one more can hardly be seen. None = no such play."""
    if found.unlawful is not None and is_of_one_turn(turn, found.unlawful):
        code = code_of(turn, found.unlawful, rules)
        if code is not None and code not in PHYSICAL:
            return found.unlawful
    if found.borne_off is not None and code_of(turn, found.borne_off, rules) in BEARING_OFF:
        return found.borne_off
    return None


def reason_of(
    turn: Turn, found: Reconciled, seen: Position | None, rules: RuleSet
) -> tuple[str, str, tuple[str, ...]]:
    """(code, sentence, nearest legal plays) of `explain` for what lies there."""
    after: object = seen
    if found.blocked is not None:
        after = _with_held_point(found.seen or found.nearest or turn.before, found.blocked, turn)
    elif found.left_on is not None and found.nearest is not None:
        document = found.nearest.to_document()
        document["bar"][opponent(turn.side)] -= 1
        after = document
    elif seen is None:
        after = turn.before
    verdict = explain(turn.before, after, turn.dice, turn.side, rules)  # type: ignore[arg-type]
    return verdict.code or "wrong_number", verdict.reason or "", tuple(str(p) for p in verdict.nearest)


def _with_held_point(position: Position, move: tuple[int, int], turn: Turn) -> dict[str, object]:
    """The document of `position` after the mover has put a checker on a point that the other holds, as `explain` reads it."""
    source, target = move
    light = turn.side == "light"
    sign = 1 if light else -1
    document = position.to_document()
    if source == 25:
        document["bar"][turn.side] = max(0, document["bar"][turn.side] - 1)
    else:
        document["points"][source - 1 if light else 24 - source] -= sign
    document["points"][target - 1 if light else 24 - target] += sign
    return document
