"""Every worked example of the five leaflets, and every way in which they differ, named by leaflet.

000 schmidt, 001 classique, 002 international, 003 orange-white, 004 jumbo.
"""

from __future__ import annotations

import pytest

from pi_board.rules import RULE_SETS, STARTING_POSITION, Position, Side, explain, legal_plays
from tests.rules.boards import board, document

DARK_AWAY = {24: 15}


def texts(
    position: Position, dice: tuple[int, int], rules: str, side: Side = "light", **house: object
) -> set[str]:
    return {str(p) for p in legal_plays(position, dice, side, RULE_SETS[rules].with_options(**house))}


def play(position: Position, dice: tuple[int, int], text: str, side: Side, rules: str = "jumbo") -> Position:
    (found,) = [p for p in legal_plays(position, dice, side, rules) if str(p) == text]
    return found.result


# -------------------------------------------------------------- 004 jumbo: the game that its leaflet plays through
# Black's points are told by white's numbers there; black's own number of point n is 25 - n.


def test_004_jumbo_example_1_white_opens_with_6_1() -> None:
    plays = texts(STARTING_POSITION, (6, 1), "jumbo")
    assert {"13/6", "13/7 8/7"} <= plays
    assert not any("24/17" in p or "24/18/17" in p for p in plays)


AFTER_1 = play(STARTING_POSITION, (6, 1), "13/7 8/7", "light")


def test_004_jumbo_example_2_black_is_blocked() -> None:
    plays = texts(AFTER_1, (6, 5), "jumbo", "dark")
    assert not any("24/" in p for p in plays)  # neither checker on 1 moves, not even to 12
    assert {"13/8 13/7", "13/2"} <= plays


AFTER_2 = play(AFTER_1, (6, 5), "13/8 13/7", "dark")


def test_004_jumbo_example_3_and_4a_white_hits_or_builds() -> None:
    assert {"24/18*", "8/4 6/4"} <= texts(AFTER_2, (4, 2), "jumbo")


AFTER_3 = play(AFTER_2, (4, 2), "24/18*", "light")


def test_004_jumbo_example_4_black_cannot_enter_with_6_6() -> None:
    assert AFTER_3.bar == (0, 1)
    assert texts(AFTER_3, (6, 6), "jumbo", "dark") == {"no play"}
    assert {"bar/14"} <= texts(AFTER_3, (6, 5), "jumbo", "dark")  # enters on 5, goes on to 11
    assert all(p.startswith("bar/") for p in texts(AFTER_3, (6, 5), "jumbo", "dark"))


def test_004_jumbo_example_5_white_6_4_then_black_2_1() -> None:
    after = play(AFTER_3, (6, 4), "24/18 13/9", "light")
    plays = texts(after, (2, 1), "jumbo", "dark")
    assert "bar/23 24/23" in plays  # enters on 2, joined by the one from 1
    assert {p.split()[0].split("/")[1] for p in plays if p.startswith("bar/2")} == {"24", "23", "22"}


@pytest.mark.parametrize(
    ("light", "text"),
    [
        ({24: 4, 6: 11}, "24/18(4)"),
        ({24: 3, 6: 12}, "24/18(2) 24/12"),
        ({24: 2, 6: 13}, "24/12(2)"),
        ({24: 2, 6: 13}, "24/18 24/6"),
        ({24: 1, 6: 14}, "24/off"),
    ],
)
def test_004_jumbo_example_6_doubles_count_four_times(light: dict[int, int], text: str) -> None:
    assert text in texts(board(light, {3: 2, 23: 13}), (6, 6), "jumbo")


@pytest.mark.parametrize(("block", "text"), [(6, "24/12 18"), (12, "24/18"), (18, "no play")])
def test_004_jumbo_example_6_what_of_a_double_cannot_be_played_lapses(block: int, text: str) -> None:
    # One checker on 24 and everything else without a 6: 18, 12 or 6 points, or nothing.
    plays = texts(board({24: 1, 3: 14}, {block: 2, 23: 13}), (6, 6), "jumbo")
    assert plays == {"24/12" if block == 6 else text}


def test_004_jumbo_example_7_bearing_off() -> None:
    before = board({12: 1, 6: 2, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}, {24: 14}, bar=(0, 1))
    plays = texts(before, (6, 2), "jumbo")
    assert {"12/6 2/off", "12/4"} <= plays  # 8a-8c: at once with the other die
    after = play(before, (6, 2), "12/4", "light")
    assert "6/2 6/off" in texts(after, (6, 4), "jumbo")  # 8d
    after = play(after, (6, 4), "6/2 6/off", "light")
    assert texts(after, (4, 2), "jumbo", "dark") == {"no play"}  # both held, and 4 + 2 may not be added up
    held = board({5: 2, 4: 3, 3: 2, 2: 3, 1: 2}, {24: 14}, bar=(0, 1))
    assert "5/off(2)" in texts(held, (6, 5), "jumbo")  # 8e


NINE = board({6: 3, 5: 1, 4: 4, 2: 3, 1: 4}, DARK_AWAY)


def test_004_jumbo_diagram_9_4_3() -> None:
    plays = texts(NINE, (4, 3), "jumbo")
    assert {"6/3 4/off", "5/2 4/off", "4/1 4/off"} <= plays
    assert not any("2/off" in p.split() or "1/off" in p.split() for p in plays)
    fewer = board({4: 1, 2: 1, 1: 1}, DARK_AWAY)
    assert {"4/off 2/off", "4/off 1/off"} & texts(fewer, (4, 3), "jumbo") == {"4/off 2/off"}


def test_004_jumbo_diagram_9_5_3() -> None:
    off_five = {p for p in texts(NINE, (5, 3), "jumbo") if "5/off" in p.split()}
    assert off_five == {"6/3 5/off", "5/off 4/1"}


@pytest.mark.parametrize(
    ("dice", "text"),
    [((6, 6), "6/off(3) 5/off"), ((5, 5), "6/1(3) 5/off"), ((4, 4), "4/off(4)"), ((3, 3), "6/off(2)"),
     ((3, 3), "6/off 5/2 4/1"), ((2, 2), "6/4 2/off(3)"), ((2, 2), "5/3 2/off(3)"), ((2, 2), "4/2 2/off(3)"),
     ((2, 2), "4/off(2)"), ((2, 2), "6/off 2/off"), ((2, 2), "6/4(2) 4/2(2)"), ((2, 2), "6/2(2)"),
     ((1, 1), "6/5 4/3(2) 1/off")],
)  # fmt: skip
def test_004_jumbo_diagram_9_doubles(dice: tuple[int, int], text: str) -> None:
    # Plays are compared by what they lead to: "6/4(2) 4/2(2)" and "6/2(2)" are one and the same.
    results = {p.result for p in legal_plays(NINE, dice, "light", "jumbo")}
    own = dict(zip(range(1, 25), NINE.points, strict=True))
    off = 0
    for word in text.split():
        move, _, count = word.partition("(")
        start, to = move.split("/")
        times = int(count.rstrip(")") or 1)
        own[int(start)] -= times
        if to == "off":
            off += times
        else:
            own[int(to)] += times
    points = {p: n for p, n in own.items() if n > 0}
    assert board(points, DARK_AWAY) in results and off == 15 - sum(points.values())


def test_004_jumbo_diagram_9_only_these_with_6_6_5_5_and_4_4() -> None:
    assert texts(NINE, (6, 6), "jumbo") == {"6/off(3) 5/off"}
    assert texts(NINE, (5, 5), "jumbo") == {"6/1(3) 5/off"}
    assert max(p.result.off[0] for p in legal_plays(NINE, (3, 3), "light", "jumbo")) == 2
    assert min(p.result.off[0] for p in legal_plays(NINE, (2, 2), "light", "jumbo")) == 0


def test_004_jumbo_and_003_orange_white_play_as_002_international() -> None:
    for name in ("jumbo", "orange-white"):
        assert RULE_SETS[name].plays_international


# ---------------------------------------------------------------------------------------------- 002 international


def test_002_international_examples() -> None:
    # "Nach dem Wurf 5+4 kann ein Stein 9 Punkte vorrücken oder einer 5, ein anderer 4."
    open_board = board({13: 15}, {24: 15})
    assert {"13/4", "13/9 13/8"} == texts(open_board, (5, 4), "international")
    # "5+2: ein Stein kann auf dem 2. oder 5. Punkt eingesetzt werden; sind zwei geschlagen, auf 2 und 5."
    assert texts(board({6: 13}, {1: 15}, bar=(2, 0)), (5, 2), "international") == {"bar/23 bar/20"}
    # "Kann nur die eine oder die andere gezogen werden, muss die höhere gezogen werden."
    either = board({12: 1, 1: 14}, {1 + 2: 2, 24: 13})
    assert texts(either, (5, 4), "international") == {"12/7"} and texts(either, (5, 4), "schmidt") == {
        "12/7",
        "12/8",
    }
    # §7: no 4, none on 5 and 6: from 3; none there: from 2.
    assert "3/off" in {
        w for p in texts(board({3: 1, 2: 14}, {24: 15}), (4, 4), "international") for w in p.split()
    }
    assert texts(board({2: 1}, {24: 15}), (4, 1), "international") == {"2/off"}
    # "Befinden sich aber noch Steine auf 5 oder 6, so rückt ein Stein von dort vier Punkte vor."
    assert texts(board({5: 1, 3: 14}, {23: 15}), (4, 4), "international") == {"5/1 3/off(3)"}


# ----------------------------------------------------------------------------------------------------- 000 schmidt


def test_000_schmidt_a_6_takes_a_checker_off_point_1_while_others_stand_on_6() -> None:
    home = board({6: 2, 1: 2}, {24: 15})
    assert "6/off 1/off" in texts(home, (6, 1), "schmidt") and "1/off(2)" in texts(home, (6, 5), "schmidt")
    assert "1/off(2)" not in texts(home, (6, 5), "international")


def test_000_schmidt_no_duty_to_look_ahead() -> None:
    # Played 13/8 with the 5, no 6 is left; 13/7 with the 6 leaves 8/3. Only international asks to see that coming.
    position = board({13: 1, 8: 1, 1: 13}, {2: 2, 24: 13})
    assert texts(position, (6, 5), "international") == {"13/7 8/3"}
    assert texts(position, (6, 5), "schmidt") == {"13/7 8/3", "13/8"}
    after = board({8: 2, 1: 13}, {2: 2, 24: 13})
    assert explain(position, after, (6, 5), "light", "international").code == "must_play_both"
    assert explain(position, after, (6, 5), "light", "schmidt").legal
    # But what can be played at its moment must be.
    short = STARTING_POSITION.to_document()
    short["points"][23], short["points"][20] = 1, 1
    assert explain(STARTING_POSITION, short, (3, 1), "light", "schmidt").code == "must_play_both"


def test_000_schmidt_doubles_need_not_be_planned_either() -> None:
    # Checkers moving by one number do not hinder each other, so a double comes to the same under both readings.
    for light in ({13: 1, 6: 1, 1: 13}, {24: 2, 13: 5, 8: 3, 6: 5}, {7: 2, 5: 3, 2: 10}):
        for die in range(1, 7):
            position = board(light, {5: 2, 19: 0, 4: 0, 12: 2, 20: 2, 23: 9} if 5 not in light else {24: 15})
            assert texts(position, (die, die), "schmidt", large_die_bears_off="from_highest") == texts(
                position, (die, die), "international"
            )


# --------------------------------------------------------------------------------------------------- 001 classique


def test_001_classique_entering_the_larger_first_or_the_roll_is_lost() -> None:
    # Two black checkers on the bar, 5-4: the 5 blocked, nothing is entered although 4 is open.
    blocked = board({5: 2, 6: 13}, {24: 13}, bar=(0, 2))
    assert texts(blocked, (5, 4), "classique", "dark") == {"no play"}
    assert texts(blocked, (5, 4), "international", "dark") == {"bar/21"}
    free = board({6: 15}, {24: 13}, bar=(0, 2))
    assert texts(free, (5, 4), "classique", "dark") == {"bar/21 bar/20"}
    # "One or more" opposing checkers: two by default, one as a house rule.
    blot = board({5: 1, 6: 14}, {24: 13}, bar=(0, 2))
    assert texts(blot, (5, 4), "classique", "dark") == {"bar/21 bar/20*"}
    assert texts(blot, (5, 4), "classique", "dark", blot_blocks_entry=True) == {"no play"}
    # With one on the bar the larger enters and the smaller is free.
    one = board({6: 15}, {13: 14}, bar=(0, 1))
    assert texts(one, (5, 4), "classique", "dark") == {"bar/20 12/8", "bar/16"}


def test_001_classique_the_smaller_alone_is_never_played() -> None:
    stuck = board({12: 1, 1: 14}, {7: 2, 24: 13})  # 12/7 blocked, 12/8 open but no 5 after it either
    stuck_after = board({12: 1, 1: 14}, {7: 2, 3: 2, 24: 11})
    assert texts(stuck_after, (5, 4), "international") == {"12/8"}
    assert texts(stuck_after, (5, 4), "classique") == {"no play"}
    assert texts(stuck, (5, 4), "classique") == {"12/3"}
    larger = board({12: 1, 1: 14}, {8: 2, 3: 2, 24: 11})
    assert texts(larger, (5, 4), "classique") == {"12/7"}
    either = board({12: 1, 1: 14}, {3: 2, 24: 13})
    assert texts(either, (5, 4), "classique") == {"12/7"}


def test_001_classique_bears_off_by_the_exact_number_only() -> None:
    home = board({6: 1, 1: 1}, {24: 15})
    assert "6/off 1/off" in texts(home, (6, 1), "classique")
    low = board({3: 5}, {24: 15})
    assert texts(low, (5, 4), "classique") == {"no play"}
    assert "3/off" in texts(low, (3, 3), "classique")


def test_001_classique_no_duty_once_all_are_home() -> None:
    home = board({6: 2, 3: 2}, {24: 15})
    plays = texts(home, (6, 3), "classique")
    assert {"no play", "6/off", "3/off", "6/3", "6/off 3/off", "6/3 6/off"} <= plays
    # Also in the middle of a roll, after the last one came home with the first die; before that it is a duty.
    outside = board({8: 1, 3: 2}, {24: 15})
    assert texts(outside, (3, 2), "classique") == {"8/5", "8/6", "8/6 3/off", "8/5 3/1", "8/3"}
    assert "no play" not in texts(outside, (3, 2), "classique")
    assert texts(home, (6, 3), "classique", when_all_home="duty") == {"6/off 3/off", "6/3 6/off"}


def test_001_classique_home_rules_can_be_read_more_strictly() -> None:
    lone = board({2: 1}, {24: 15})
    assert texts(lone, (5, 2), "classique") == {"no play", "2/off"}
    assert texts(lone, (5, 2), "classique", when_all_home="may_stop") == {"no play"}
    assert texts(lone, (2, 1), "classique", when_all_home="may_stop") >= {"no play", "2/off"}


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_all_leaflets_bearing_off_with_the_rest_of_the_roll(rules: str) -> None:
    position = board({7: 1, 2: 1}, {24: 15})
    assert "7/6 2/off" in texts(position, (2, 1), rules)
    assert "7/6 2/off" not in texts(position, (2, 1), rules, bear_off_in_mid_roll=False)


def test_documents_in_examples_are_what_they_say() -> None:
    assert document({6: 15}, {24: 13}, (0, 2))["off"] == {"light": 0, "dark": 0}
