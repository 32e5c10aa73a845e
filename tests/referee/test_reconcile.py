"""What one look is taken for, given what one roll allows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pi_board.referee.reconcile import (
    IN_HAND,
    IN_HAND_LATE,
    PER_CHECKER,
    PER_MISSING,
    SLOT_CAP,
    TAKEN_BACK_IN,
    Evidence,
    Reconciled,
    Turn,
    as_played,
    free_positions,
    one_too_many,
    position_of,
    read_position,
    reconcile,
    shows,
    turn_of,
    vector,
)
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position, legal_plays
from pi_board.sighting import BAR_DARK, BAR_LIGHT, OFF_DARK, OFF_LIGHT, SLOTS, ZERO
from tests.referee.synthetic import Noise, Table

LAW = RULE_SETS["international"]
#: Light opens with 3-1.
TURN = turn_of(STARTING_POSITION, (3, 1), "light", LAW)
FIVE_POINT = [("move", 8, 5, "light"), ("move", 6, 5, "light")]
Moves = list[tuple[Any, ...]]


def look(moves: Moves = (), *, sharp: float = 8.0) -> Evidence:  # type: ignore[assignment]
    """A clear look at the starting position after `moves` of the table's hands."""
    table = Table(noise=Noise(sigma=0.0, sharp=sharp))
    for what, *how in moves:
        getattr(table, what)(*how)
    return Evidence.from_log_likelihood(table.log_likelihood())


def judged(evidence: Evidence, turn: Turn = TURN) -> Reconciled:
    return reconcile(evidence, turn, red_margin=6.0, slack=3.0)


def random_positions(count: int, seed: int) -> list[Position]:
    """Positions of random play from the start, some of them far into a game."""
    rng = np.random.default_rng(seed)
    found, position = [], STARTING_POSITION
    for n in range(count):
        side = ("light", "dark")[n % 2]
        dice = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
        plays = legal_plays(position, dice, side, LAW)  # type: ignore[arg-type]
        position = plays[int(rng.integers(len(plays)))].result
        if 15 in position.off:
            position = STARTING_POSITION
        found.append(position)
    return found


# ------------------------------------------------------------------------------------------- kinds of explanation


@pytest.mark.parametrize(
    ("moves", "kind", "more"),
    [
        ([], "before", {"position": STARTING_POSITION}),
        (FIVE_POINT, "legal", {"missing": (0, 0)}),
        ([("move", 8, 5, "light")], "partial", {"in_hand": False}),
        ([("move", 6, 5, "light"), ("lift", 8, "light")], "partial", {"in_hand": True, "hand_of": "light"}),
        ([("move", 8, 2, "light")], "illegal", {"blocked": None}),
        ([("move", 8, 5, "light"), ("move", 6, 4, "light")], "illegal", {"blocked": None}),
        ([("move", 13, 11, "dark")], "illegal", {"blocked": None}),
        ([("lift", 13, "dark")], "unclear", {"missing": (0, 1)}),
        ([("set_down", 8, "light")], "unclear", {"missing": (-1, 0)}),
        ([("lift", 6, "light"), ("lift", 6, "light")], "unclear", {"missing": (2, 0)}),
    ],
)  # fmt: skip
def test_what_a_clear_look_is_taken_for(moves: Moves, kind: str, more: dict[str, Any]) -> None:
    found = judged(look(moves))
    assert found.kind == kind
    assert {name: getattr(found, name) for name in more} == more


def test_a_legal_play_is_named_by_its_moves() -> None:
    found = judged(look(FIVE_POINT))
    assert found.play is not None and sorted(found.play.moves) == [(6, 5), (8, 5)]
    assert found.position == found.play.result == found.nearest


def test_a_checker_on_a_point_of_the_opponent_is_named_by_where_it_came_from() -> None:
    evidence = look([("lift", 13, "light")])
    evidence.mixed[11] = SLOT_CAP  # light's checker stands among the dark ones on 12
    evidence.rows[11] = -SLOT_CAP
    found = judged(evidence)
    assert found.kind == "illegal" and found.blocked == (13, 12)


def test_a_look_that_says_nothing_accuses_nobody() -> None:
    assert judged(Evidence.from_log_likelihood(np.zeros((SLOTS, 31)))).kind == "unclear"


@pytest.mark.parametrize("slot", [0, 5, 7, 12, 18, 23])
def test_one_slot_that_vision_is_wrong_about_never_makes_red(slot: int) -> None:
    """However sure it is: the slots are bounded, and one slot alone leaves a checker too many or too few."""
    rows = Table(noise=Noise(sigma=0.0)).log_likelihood()
    rows[slot] = -1e6
    rows[slot, ZERO + 4] = 0.0
    evidence = Evidence.from_log_likelihood(rows)
    assert -13 < evidence.score(STARTING_POSITION) < -11
    assert judged(evidence).kind in ("before", "unclear", "partial")


@pytest.mark.parametrize(("red_margin", "kind"), [(6.0, "illegal"), (9.0, "unclear")])
def test_red_needs_its_margin_over_every_lawful_explanation(red_margin: float, kind: str) -> None:
    evidence = look([("move", 8, 2, "light")])
    found = reconcile(evidence, TURN, red_margin=red_margin, slack=3.0)
    assert found.kind == kind and 6.0 < found.margin < 9.0


def test_what_stands_on_the_board_forbids_to_accuse_beside_it() -> None:
    wrong = look([("move", 8, 2, "light")])
    assert judged(wrong).kind == "illegal"
    covered = replace(wrong, hidden=(1, 4, 5, 7))  # the points 2, 5, 6 and 8
    found = judged(covered)
    assert found.kind == "unclear" and found.veiled and set(found.veiled) <= {1, 4, 5, 7}


def test_a_rival_may_be_taken_for_the_play() -> None:
    found = judged(look([("move", 8, 5, "light")]))
    assert found.rival is not None
    taken = as_played(found)
    assert taken.kind == "legal" and taken.play == found.rival[0] and taken.position == found.rival[0].result
    with pytest.raises(ValueError, match="rival"):
        as_played(judged(look(FIVE_POINT)))


# ----------------------------------------------------------------------------------------------------- evidence


@pytest.mark.parametrize("position", random_positions(40, seed=3))
def test_counts_and_position_are_two_forms_of_one_thing(position: Position) -> None:
    assert position_of(vector(position)) == position
    assert position_of(vector(position) + np.eye(SLOTS, dtype=np.int64)[4]) is None


def test_evidence_is_bounded_and_forgives_what_is_no_number() -> None:
    raw = np.full((SLOTS, 31), -1e9)
    raw[:, ZERO] = 5.0
    raw[3, 2], raw[4, 3] = np.nan, np.inf
    evidence = Evidence.from_log_likelihood(raw)
    assert (
        evidence.rows.max() == 0.0 and evidence.rows.min() >= -SLOT_CAP and np.isfinite(evidence.rows).all()
    )
    with pytest.raises(ValueError, match="shape"):
        Evidence.from_log_likelihood(np.zeros((24, 31)))


# ------------------------------------------------------------------------------------------------ what a roll allows


@pytest.mark.parametrize("dice", [(3, 1), (6, 5), (2, 2)])
def test_what_is_on_the_way_is_neither_the_start_nor_a_whole_play(dice: tuple[int, int]) -> None:
    turn = turn_of(STARTING_POSITION, dice, "dark", LAW)
    rows = {tuple(r) for r in turn.partial_counts.tolist()}
    assert rows and tuple(vector(STARTING_POSITION)) not in rows
    assert not rows & {tuple(r) for r in turn.legal_counts.tolist()}
    assert all(position_of(r) is not None for r in turn.partial_counts)
    assert all(turn.may_lead_to(p.result) for p in turn.legal) and turn.can_move and not turn.may_pass


def test_who_cannot_enter_may_leave_the_board_as_it_is() -> None:
    closed = Position((0,) * 6 + (13,) + (0,) * 11 + (-2,) * 6, (2, 0), (0, 3))
    turn = turn_of(closed, (6, 5), "light", LAW)
    assert turn.may_pass and not turn.can_move
    assert turn.play_to(closed) is not None


# --------------------------------------------------------------------------------- the best reading without the rules


def worth(evidence: Evidence, position: Position, before: Position) -> float:
    """What `free_positions` maximises, written down once more."""
    counts, was = vector(position), vector(before)
    slots = np.arange(OFF_LIGHT)
    total = float(evidence.rows[slots, counts[slots] + ZERO].sum())
    total -= 0.5 * PER_CHECKER * float(np.abs(counts[slots] - was[slots]).sum())
    for i, slot in enumerate(range(OFF_LIGHT, SLOTS)):
        there, now = abs(int(was[slot])), abs(int(counts[slot]))
        total += float(evidence.trays[i, counts[slot] + ZERO])
        total -= (PER_MISSING + 1.0) * max(now - there, 0) + TAKEN_BACK_IN * max(there - now, 0)
    return total


@pytest.mark.parametrize("seed", range(4))
def test_the_dynamic_programme_finds_what_no_other_position_beats(seed: int) -> None:
    rng = np.random.default_rng(seed)
    evidence = Evidence.from_log_likelihood(rng.normal(0, 3, (SLOTS, 31)))
    bearing_off = Position((3, 2, 2, 1, 0, 0) + (0,) * 12 + (0, 0, -3, -1, -2, -2), (0, 0), (7, 7))
    positions = [*random_positions(60, seed), bearing_off]
    before = positions[7] if seed % 2 else bearing_off
    best, odd = free_positions(evidence, vector(before))
    assert best.position is not None and (best.light, best.dark) == (15, 15)
    assert best.score == pytest.approx(worth(evidence, best.position, before))
    assert best.score >= max(worth(evidence, p, before) for p in positions) - 1e-9
    assert (odd.light, odd.dark) != (15, 15)


@pytest.mark.parametrize("position", random_positions(12, seed=11))
def test_a_clear_look_is_read_whatever_lay_there_before(position: Position) -> None:
    table = Table(position=position, noise=Noise(sigma=0.0))
    evidence = Evidence.from_log_likelihood(table.log_likelihood())
    assert shows(evidence, position, slack=3.0)
    assert read_position(evidence, position)[0] == position


def test_a_checker_too_many_is_told_from_one_too_few() -> None:
    assert one_too_many(look([("set_down", 8, "light")]), STARTING_POSITION)
    assert not one_too_many(look([("lift", 8, "light")]), STARTING_POSITION)
    assert not one_too_many(look([("move", 8, 5, "light")]), STARTING_POSITION)


#: Light bears off, dark has one checker on the bar; three and two are off.
BEARING_OFF = Position((6, 2, 3, 1) + (0,) * 17 + (-2, -5, -4), (0, 1), (3, 3))
#: The same with four light checkers outside home, and with two.
FOUR_OUTSIDE = Position((6, 2, 0, 0, 0, 0, 4) + (0,) * 14 + (-2, -5, -4), (0, 1), (3, 3))


def seen(position: Position, *wrong: tuple[int, int, float], hidden: tuple[int, ...] = ()) -> Evidence:
    """A clear look at `position`. wrong: (slot, signed count, nats) by which a slot looks like something else; hidden: slots that
    say nothing."""
    rows = Table(position=position, noise=Noise(sigma=0.0, sharp=12.0)).log_likelihood()
    for slot, count, nats in wrong:
        rows[slot] = -12.0
        rows[slot, vector(position)[slot] + ZERO], rows[slot, count + ZERO] = -nats, 0.0
    for slot in hidden:
        rows[slot] = 0.0
    rows[OFF_LIGHT:] = 0.0
    return replace(Evidence.from_log_likelihood(rows), hidden=hidden)


@pytest.mark.parametrize(
    ("near", "there", "wrong", "hidden", "read"),
    [
        # A point that surely seems to hold one more brings no borne-off checker back: that is one too many.
        (BEARING_OFF, BEARING_OFF, [(22, -6, 9.0)], (), None),
        # What is missing was borne off, as far as one roll allows, and does not lie under the cup.
        (BEARING_OFF, Position((4, 2, 3, 1) + (0,) * 17 + (-2, -5, -4), (0, 1), (5, 3)), [], (9,), "there"),
        # With checkers outside home nothing is borne off: what is missing lies under the cup.
        (
            FOUR_OUTSIDE,
            Position((6, 2, 0, 0, 0, 0, 3, 0, 0, 1) + (0,) * 11 + (-2, -5, -4), (0, 1), (3, 3)),
            [],
            (9,),
            "there",
        ),
        # What the cup covers lies as it lay.
        (FOUR_OUTSIDE, FOUR_OUTSIDE, [], (6,), "there"),
    ],
)
def test_a_board_is_read_by_what_one_roll_of_each_allows(
    near: Position,
    there: Position,
    wrong: list[tuple[int, int, float]],
    hidden: tuple[int, ...],
    read: str | None,
) -> None:
    assert read_position(seen(there, *wrong, hidden=hidden), near, near.off)[0] == (there if read else None)


@pytest.mark.parametrize(("surely_off", "off"), [((3, 3), None), ((3, 2), (3, 2)), ((0, 0), (3, 2))])
def test_what_was_in_doubt_may_come_back(surely_off: tuple[int, int], off: tuple[int, int] | None) -> None:
    found, _ = read_position(seen(BEARING_OFF, (22, -6, 9.0)), BEARING_OFF, surely_off)
    assert (found and found.off) == off


@pytest.mark.parametrize(
    ("position", "wrong", "certain"),
    [
        (STARTING_POSITION, [], True),
        (STARTING_POSITION, [(5, 4, 2.0)], True),
        # One slot that may hold one more is no other board: the checker would have to be missing elsewhere.
        (STARTING_POSITION, [(5, 6, -2.0)], True),
        (STARTING_POSITION, [(5, 6, -2.0), (7, 2, -2.0)], False),
        # At home one less may have been borne off.
        (BEARING_OFF, [(2, 2, -2.0)], False),
        (FOUR_OUTSIDE, [(0, 5, -2.0)], True),
    ],
)
def test_a_board_is_certain_when_no_checker_may_lie_elsewhere(
    position: Position, wrong: list[tuple[int, int, float]], certain: bool
) -> None:
    """wrong: (slot, other count, nats by which it is likelier than what lies there)."""
    rows = Table(position=position, noise=Noise(sigma=0.0, sharp=12.0)).log_likelihood()
    for slot, count, nats in wrong:
        rows[slot, count + ZERO] = rows[slot, vector(position)[slot] + ZERO] + nats
    assert (Evidence.from_log_likelihood(rows).certainty(position) >= 6.0) is certain


@pytest.mark.parametrize(
    ("slot", "count"),
    [(BAR_LIGHT, -1), (OFF_LIGHT, -1), (BAR_DARK, 1), (OFF_DARK, 1)],
    ids=["light's bar", "light's tray", "dark's bar", "dark's tray"],
)
def test_no_bar_and_no_tray_holds_the_others_checkers(slot: int, count: int) -> None:
    counts = vector(STARTING_POSITION)
    point = int(np.flatnonzero(np.sign(counts[:24]) == np.sign(count))[0])
    counts[point] -= count
    counts[slot] += count
    assert position_of(counts) is None


@pytest.mark.parametrize(("nats", "borne_off"), [(1.0, 0), (6.0, 1)])
def test_a_full_point_that_looks_one_short_has_most_likely_not_been_borne_off_from(
    nats: float, borne_off: int
) -> None:
    """Where no lawful play says so, the picture must."""
    position = Position((0, 7, 3, 0, 0, 0, *(0,) * 15, -2, -6, -4), (0, 0), (5, 3))
    rows = Table(position=position, noise=Noise(sigma=0.0, sharp=12.0, trays=False)).log_likelihood()
    rows[1, ZERO + 6] = rows[1, ZERO + 7] + nats
    found, _ = read_position(Evidence.from_log_likelihood(rows), position, position.off)
    assert found is not None and found.off[0] == 5 + borne_off


@pytest.mark.parametrize("moves", [[], FIVE_POINT], ids=["before the play", "after it"])
def test_a_sixteenth_checker_on_a_stack_is_a_misreading_once_nobody_minds_it(moves: Moves) -> None:
    evidence = look([*moves, ("set_down", 13, "light")])
    assert judged(evidence).kind == "unclear"
    found = reconcile(evidence, TURN, red_margin=6.0, slack=3.0, nobody_minds=True)
    assert found.kind == ("legal" if moves else "before")


def test_a_sixteenth_checker_alone_on_a_point_is_seen_by_everybody() -> None:
    evidence = look([*FIVE_POINT, ("set_down", 10, "light")])
    found = reconcile(evidence, TURN, red_margin=6.0, slack=3.0, nobody_minds=True)
    assert found.kind == "unclear"


def test_a_checker_that_was_played_onto_a_stack_of_two_layers_has_not_vanished() -> None:
    """6/2 onto the six that stand there: the stack still looks six high. While the dice lie there it may be in a hand."""
    stack = Position((0, 6, 0, 0, 0, 2) + (0,) * 6 + (1,) + (0,) * 5 + (-6, 0, 0, 0, -9, 0), (0, 0), (6, 0))
    turn = turn_of(stack, (4, 3), "light", LAW)
    after = Position((0, 7, 0, 0, 0, 1) + (0,) * 3 + (1,) + (0,) * 8 + (-6, 0, 0, 0, -9, 0), (0, 0), (6, 0))
    evidence = seen(after, (1, 6, 9.0))
    for in_hand, kind in ((IN_HAND, "partial"), (IN_HAND_LATE, "legal")):
        assert reconcile(evidence, turn, red_margin=6.0, slack=3.0, in_hand=in_hand).kind == kind
    # On a point of one layer, a checker that is not there is not there.
    low = Position((0, 3, 0, 0, 0, 2) + (0,) * 6 + (1,) + (0,) * 5 + (-6, 0, 0, 0, -9, 0), (0, 0), (9, 0))
    after = Position((0, 4, 0, 0, 0, 1) + (0,) * 3 + (1,) + (0,) * 8 + (-6, 0, 0, 0, -9, 0), (0, 0), (9, 0))
    found = reconcile(
        seen(after, (1, 3, 9.0)),
        turn_of(low, (4, 3), "light", LAW),
        red_margin=6.0,
        slack=3.0,
        in_hand=IN_HAND_LATE,
    )
    assert found.kind == "partial"


def test_what_was_played_is_read_although_a_stack_of_the_other_side_is_misread() -> None:
    """Light has moved a checker; dark's seven are seen as six, so that no whole position lies there."""
    before = Position((-2, 0, 0, 0, 4, 3, 0, 6, 0, 0, 0, -6) + (0,) * 6 + (-7, 0, 0, 0, 0, 2))
    after = Position((-2, 0, 0, 0, 4, 4, 0, 5, 0, 0, 0, -6) + (0,) * 6 + (-7, 0, 0, 0, 0, 2))
    evidence = seen(after, (18, -6, 10.0))
    assert read_position(evidence, before)[0] is None
    found, fit = read_position(evidence.keeping(vector(before), "dark"), before)
    assert (found, fit) == (after, 0.0)
