"""What a game counts, the cube, the match."""

from __future__ import annotations

import pytest

from pi_board.errors import IllegalError, InvalidError, InvalidSettingsError
from pi_board.rules import (
    RULE_SETS,
    STARTING_POSITION,
    Cube,
    Match,
    Position,
    Score,
    score_game,
    score_pass,
    score_resignation,
    win_kind,
    winner,
)
from tests.rules.boards import board

SINGLE = board({}, {24: 14})
GAMMON = board({}, {24: 15})
BEHIND = board({}, {3: 1, 24: 14})  # a loser's checker in the winner's home
ON_BAR = board({}, {24: 14}, bar=(0, 1))
BEHIND_ONE_OFF = board({}, {3: 1, 24: 13})
OUTSIDE = board({}, {18: 1, 20: 3})
MANY = board({}, {12: 2, 20: 6})


@pytest.mark.parametrize(
    ("rules", "position", "cube", "points", "kind"),
    [
        ("international", SINGLE, 1, 1, "single"),
        ("international", GAMMON, 1, 2, "gammon"),
        ("international", BEHIND, 1, 3, "backgammon"),
        ("international", ON_BAR, 1, 3, "backgammon"),
        ("international", BEHIND_ONE_OFF, 1, 1, "single"),
        ("international", GAMMON, 4, 8, "gammon"),  # leaflet 002 §9: the doubler shows 4: 8 points
        ("jumbo", GAMMON, 4, 8, "gammon"),  # leaflet 004 "Scoring": 2 x 4 = 8 points
        ("jumbo", BEHIND_ONE_OFF, 1, 3, "backgammon"),  # leaflet 004: also if others are off
        ("jumbo", BEHIND_ONE_OFF, 2, 6, "backgammon"),
        ("classique", BEHIND, 2, 6, "backgammon"),
        ("schmidt", SINGLE, 1, 14, "single"),  # leaflet 000: one point per remaining checker
        ("schmidt", OUTSIDE, 1, 8, "single"),  # doubled if any stands outside its home
        ("schmidt", ON_BAR, 1, 30, "single"),
        ("schmidt", MANY, 64, 16, "single"),  # no cube in the box
        ("orange-white", BEHIND, 1, 1, "single"),
    ],
)
def test_what_a_win_counts(rules: str, position: Position, cube: int, points: int, kind: str) -> None:
    for side, seen in (("light", position), ("dark", position.mirrored())):
        score = score_game(seen, rules, cube=cube)
        assert (score.winner, score.points, score.kind) == (side, points, kind)


def test_schmidt_english_text_doubles_only_those_outside() -> None:
    law = RULE_SETS["schmidt"].with_options(doubled_outside="those_outside")
    assert score_game(OUTSIDE, law).points == 3 + 2
    assert score_game(MANY, law).points == 6 + 2 * 2
    assert score_game(SINGLE, law).points == 14


def test_jacoby() -> None:
    law = RULE_SETS["international"].with_options(jacoby=True)
    assert score_game(BEHIND, law) == Score("light", 1, "single", 1, 1)
    assert score_game(BEHIND, law, cube=2).points == 6
    assert score_game(BEHIND, law, jacoby=False).points == 3


def test_game_not_over() -> None:
    assert winner(STARTING_POSITION) is None and winner(GAMMON) == "light"
    with pytest.raises(IllegalError, match="not over"):
        score_game(STARTING_POSITION)
    with pytest.raises(InvalidError, match="power of two"):
        score_game(GAMMON, cube=3)


def test_pass_and_resignation() -> None:
    assert score_pass("dark", cube=4) == Score("dark", 4, "single", 1, 4)
    assert [score_resignation(STARTING_POSITION, "light", n, cube=2).points for n in (1, 2, 3)] == [2, 4, 6]
    assert score_resignation(STARTING_POSITION, "light", 1).winner == "dark"
    assert score_resignation(OUTSIDE, "dark", 1, "schmidt").points == 8
    assert score_resignation(STARTING_POSITION, "light", 3, "orange-white").points == 1
    with pytest.raises(InvalidError, match=r"1 \(single\), 2"):
        score_resignation(STARTING_POSITION, "light", 4)
    assert win_kind(STARTING_POSITION, "light") == "backgammon"  # dark still has two on light's ace point


# ------------------------------------------------------------------------------------------------------- cube


def test_cube_travels() -> None:
    cube = Cube()
    assert (cube.value, cube.owner, cube.face, cube.next_value) == (1, None, 64, 2)
    cube = cube.offer("light").take()
    assert (cube.value, cube.owner, cube.face) == (2, "dark", 2)
    with pytest.raises(IllegalError, match="belongs to dark"):
        cube.offer("light")
    cube = cube.offer("dark").take()
    assert (cube.value, cube.owner) == (4, "light")
    for side in ("light", "dark", "light", "dark", "light"):
        cube = cube.offer(side).take()  # type: ignore[arg-type]
    assert (cube.value, cube.face) == (128, 2)  # beyond 64 the faces start over
    with pytest.raises(IllegalError, match="take or pass"):
        cube.offer("dark").offer("dark")
    with pytest.raises(IllegalError, match="No double"):
        cube.take()
    assert cube.offer("dark").withdrawn() == cube


def test_cube_limits() -> None:
    law = RULE_SETS["international"].with_options(cube_limit=64)
    assert Cube(32, "light").objection("light", law) is None
    assert Cube(64, "light").objection("light", law) == ("cube_limit", "The cube may not go beyond 64.")
    assert Cube(64, "light").objection("light") is None  # allowed in theory, says leaflet 002
    assert Cube().objection("light", "schmidt") == ("no_cube", "This game is played without a cube.")


@pytest.mark.parametrize(
    "bad", [{"value": 3}, {"value": 0}, {"owner": "white"}, {"owner": "dark", "offered_by": "light"}]
)
def test_impossible_cubes(bad: dict) -> None:
    with pytest.raises(InvalidError, match="cube"):
        Cube(**bad)


# ------------------------------------------------------------------------------------------------------ match


def test_a_match_with_crawford() -> None:
    match = Match.start("international", 3)
    match = match.double("light", on_roll="light").take()
    match, score = match.finish(SINGLE)
    assert (score.points, match.score, match.cube) == (2, (2, 0), Cube())
    assert match.crawford_game and match.at_match_point and not match.post_crawford
    assert match.objection_to_double("dark", on_roll="dark") == (
        "crawford",
        "This is the Crawford game: nobody may double.",
    )
    match, _ = match.finish(SINGLE.mirrored())
    assert match.score == (2, 1) and not match.crawford_game and match.post_crawford
    assert match.may_double("dark", on_roll="dark") and match.away("dark") == 2
    match, score = match.double("dark", on_roll="dark").pass_double()
    assert (score.points, match.score, match.crawford_game) == (1, (2, 2), False)
    match, _ = match.finish(GAMMON)
    assert match.winner == "light" and match.score == (4, 2)
    assert match.objection_to_double("light", on_roll="light")[0] == "match_over"  # type: ignore[index]
    with pytest.raises(IllegalError, match="over"):
        match.record(score)


@pytest.mark.parametrize(
    ("match", "side", "on_roll", "rolled", "code"),
    [
        (Match.start(), "light", "light", False, None),
        (Match.start(), "dark", "dark", False, None),
        (Match.start(), "dark", "light", False, "not_your_turn"),
        (Match.start(), "light", None, False, "not_your_turn"),
        (Match.start(), "light", "light", True, "already_rolled"),
        (Match(cube=Cube(2, "dark")), "light", "light", False, "not_owner"),
        (Match(cube=Cube(2, "dark")), "dark", "dark", False, None),
        (Match(cube=Cube(2, "dark", "dark")), "dark", "dark", False, "already_offered"),
        (Match.start("schmidt"), "light", "light", False, "no_cube"),
        (Match.start("orange-white"), "light", "light", False, "no_cube"),
        (Match.start("jumbo", several_games=False), "light", "light", False, "single_game"),
        (Match.start("jumbo"), "light", "light", False, None),
    ],
)
def test_who_may_double(match: Match, side: str, on_roll: str | None, rolled: bool, code: str | None) -> None:
    objection = match.objection_to_double(side, on_roll=on_roll, rolled=rolled)  # type: ignore[arg-type]
    assert (objection and objection[0]) == code
    assert match.may_double(side, on_roll=on_roll, rolled=rolled) is (code is None)  # type: ignore[arg-type]
    if objection:
        with pytest.raises(IllegalError) as error:
            match.double(side, on_roll=on_roll, rolled=rolled)  # type: ignore[arg-type]
        assert str(error.value) == objection[1]


def test_money_and_jacoby_in_a_match() -> None:
    law = RULE_SETS["international"].with_options(jacoby=True)
    money, _ = Match.start(law).finish(GAMMON)
    assert money.score == (1, 0) and money.winner is None and money.away("light") is None
    in_match, _ = Match.start(law, 5).finish(GAMMON)
    assert in_match.score == (2, 0)  # Jacoby is a money rule


def test_resignation_and_crawford_off() -> None:
    law = RULE_SETS["international"].with_options(crawford=False)
    match = Match.start(law, 5).double("dark", on_roll="dark").take()
    score = score_resignation(STARTING_POSITION, "dark", 2, law, cube=match.cube.value, jacoby=match.jacoby)
    match = match.record(score)
    assert (score.winner, score.points, match.score) == ("light", 4, (4, 0))
    assert match.at_match_point and not match.crawford_game


def test_per_checker_match() -> None:
    match, _ = Match.start("schmidt", 50).finish(ON_BAR)
    assert match.score == (30, 0) and match.game == 2


@pytest.mark.parametrize(
    "bad",
    [
        {"length": -1},
        {"score": (0, -1)},
        {"score": (1,)},
        {"game": 0},
        {"crawford_game": True},
        {"length": 5, "score": (3, 0), "crawford_game": True},
    ],
)
def test_impossible_matches(bad: dict) -> None:
    with pytest.raises(InvalidError):
        Match(**bad)


# -------------------------------------------------------------------------------------------------- rule sets


def test_house_rules() -> None:
    law = RULE_SETS["classique"].with_options(jacoby=True, large_die_bears_off="always")
    assert law.jacoby and law.entering == "larger_die_first" and RULE_SETS["classique"].jacoby is False
    with pytest.raises(InvalidSettingsError, match="did you mean jacoby"):
        law.with_options(jacobi=True)
    with pytest.raises(InvalidSettingsError, match="jacoby: expected true or false, got 1"):
        law.with_options(jacoby=1)
    with pytest.raises(InvalidSettingsError, match="entering: expected one of any_die, larger_die_first"):
        law.with_options(entering="never")
    with pytest.raises(InvalidSettingsError, match="cube_limit"):
        law.with_options(cube_limit=48)


def test_presets_differ_as_the_table_of_the_leaflets_says() -> None:
    rows = {
        "international": (
            "white",
            "black",
            "one_die_each",
            "most",
            "larger_first",
            "any_die",
            "from_highest",
            "levels",
            "yes",
        ),
        "jumbo": (
            "white",
            "black",
            "highest_throw",
            "most",
            "larger_first",
            "any_die",
            "from_highest",
            "levels",
            "several_games",
        ),
        "schmidt": (
            "",
            "",
            "one_die_each",
            "each_in_turn",
            "either",
            "any_die",
            "always",
            "per_checker",
            "no",
        ),
        "classique": (
            "white",
            "black",
            "one_die_each",
            "most",
            "larger_only",
            "larger_die_first",
            "never",
            "levels",
            "yes",
        ),
        "orange-white": (
            "white",
            "orange",
            "one_die_each",
            "most",
            "larger_first",
            "any_die",
            "from_highest",
            "game",
            "no",
        ),
    }
    assert list(RULE_SETS) == list(rows)
    for name, row in rows.items():
        law = RULE_SETS[name]
        assert law.name == name
        assert (
            law.light_colour, law.dark_colour, law.opening, law.must_play, law.if_only_one, law.entering,
            law.large_die_bears_off, law.scoring, law.cube,
        ) == row  # fmt: skip
    assert [n for n in rows if RULE_SETS[n].second_player_repeats] == ["classique"]
    assert [n for n in rows if RULE_SETS[n].numbering == "light_down"] == ["jumbo", "orange-white"]


def test_no_code_asks_for_a_rule_sets_name() -> None:
    from pathlib import Path

    import pi_board.rules

    for path in Path(pi_board.rules.__file__).parent.glob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert ".name ==" not in source and ".name in" not in source, path
