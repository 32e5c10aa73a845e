"""Board, notation, classes, solver, verdicts of the 37-hole game."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from pi_board.errors import IllegalError, InvalidError
from pi_board.solitaire import (
    BOARD_33,
    BOARD_37,
    PROBLEMS,
    Solver,
    bit,
    count,
    explain_jump,
    fewest_sweeps,
    position_class,
    single_finishes,
    solver,
    sweeps,
    vacancy,
)
from pi_board.solitaire.resource_counts import ResourceTest, is_resource_count, resource_counts
from pi_board.solitaire.solver import PATIENCE_IN_PLAY

#: Facts of the rules note: which single vacancies have a single-piece finish in their class, and where.
FINISHES = {1: [3, 17, 20, 37], 3: [1, 18, 21, 35], 6: [9, 12, 15, 32]}
SOLVABLE = {1, 3, 6, 9, 12, 15, 17, 18, 20, 21, 23, 26, 29, 32, 35, 37}


def replay(start: int, jumps, board=BOARD_37) -> int:
    for jump in jumps:
        start = board.after(start, jump)
    return start


def test_numbering_of_the_leaflet() -> None:
    assert BOARD_37.holes == 37 and BOARD_37.centre == 19
    assert BOARD_33.holes == 33 and BOARD_33.centre == 17
    # "from 17 to 19, whereupon 18 is taken off"
    assert BOARD_37.jump(17, 19).over == 18
    assert BOARD_37.places[0] == (0, 2) and BOARD_37.places[36] == (6, 4)


def test_jumps_are_counted_independently() -> None:
    squares = set(BOARD_37.places)
    expected = sum(
        ((r + 2 * a, c + 2 * b) in squares) and ((r + a, c + b) in squares)
        for r, c in squares
        for a, b in ((0, 1), (0, -1), (1, 0), (-1, 0))
    )
    assert len(BOARD_37.jumps) == expected


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["17-20"], "not two holes away"),
        (["11-19"], "diagonal"),
        (["17-17"], "does not move"),
        (["1-3"], "not empty"),
        (["40-19"], "no hole 40"),
        (["19-17"], "no piece on 19"),
    ],
)
def test_impossible_jumps_say_why(words: list[str], why: str) -> None:
    with pytest.raises(IllegalError, match=why):
        BOARD_37.parse_jumps(PROBLEMS["classic"].start, words)


def test_notation_of_sweeps() -> None:
    start = PROBLEMS["classic"].start
    jumps = BOARD_37.parse_jumps(start, ["17-19", "30-17-19".replace("-19", "")])
    assert sweeps(jumps) == ["17-19", "30-17"]
    with pytest.raises(InvalidError):
        BOARD_37.parse_jumps(start, ["seventeen"])


def test_no_jump_changes_the_class() -> None:
    rng = random.Random(3)
    for _ in range(30):
        position = BOARD_37.full ^ bit(rng.randint(1, 37))
        for _ in range(25):
            legal = BOARD_37.legal(position)
            if not legal:
                break
            after = BOARD_37.after(position, rng.choice(legal))
            assert position_class(BOARD_37, after) == position_class(BOARD_37, position)
            position = after


QUICK = (1, 2, 17, 19)
EVERY = [h if h in QUICK else pytest.param(h, marks=pytest.mark.slow) for h in range(1, 38)]


@pytest.mark.parametrize("hole", EVERY)
def test_every_single_vacancy(hole: int) -> None:
    problem = vacancy(hole)
    found = solver(BOARD_37).solve(problem.start)
    assert found.solvable is (hole in SOLVABLE)
    assert bool(single_finishes(BOARD_37, problem.start)) is (hole in SOLVABLE)
    end = replay(problem.start, found.jumps)
    if hole in SOLVABLE:
        assert found.proof == "search" and count(end) == 1 and len(found.jumps) == 35
    else:
        assert found.proof == "class" and found.best_remaining == count(end) == 2


def test_finishes_of_the_rules_note() -> None:
    for hole, finishes in FINISHES.items():
        assert single_finishes(BOARD_37, vacancy(hole).start) == finishes


@pytest.mark.parametrize("key", ["classic", "cross", "speaker", "apostles", "pirate", "english"])
def test_problems(key: str) -> None:
    problem = PROBLEMS[key]
    finish = None if problem.finish is None else (problem.finish,)
    found = solver(problem.board, finish).solve(problem.start)
    assert found.solvable is (key != "classic")
    end = replay(problem.start, found.jumps, problem.board)
    if problem.finish is not None:
        assert end == problem.finish


def test_no_jump_raises_a_resource_count() -> None:
    for board in (BOARD_37, BOARD_33):
        counts = resource_counts(board)
        assert set(counts) == set(range(1, board.holes + 1))
        for weights in np.concatenate(list(counts.values())):
            assert is_resource_count(board, weights)
    assert all(len(weights) for weights in resource_counts(BOARD_37).values())
    assert not is_resource_count(BOARD_37, [1 if n == 19 else 0 for n in range(1, 38)])


def test_a_resource_count_excludes_only_what_cannot_be() -> None:
    """Every position of a played solution can still become its last piece, whichever solution it is."""
    for hole in (1, 6):
        position = vacancy(hole).start
        jumps = solver(BOARD_37).solve(position).jumps
        test = ResourceTest(BOARD_37, [replay(position, jumps)], position)
        for jump in jumps:
            assert test.possible(np.array([position], np.uint64))[0]
            position = BOARD_37.after(position, jump)


def test_lost_in_the_middle_of_a_game_is_proved_and_quickly() -> None:
    """Random play from a vacancy that can be won: decided within the patience of an answer during play."""
    rng = random.Random(8)
    answers = set()
    for _ in range(6):
        position = vacancy(rng.choice(sorted(SOLVABLE))).start
        for _ in range(rng.randint(6, 18)):
            if legal := BOARD_37.legal(position):
                position = BOARD_37.after(position, rng.choice(legal))
        found = solver(BOARD_37).solve(position, patience=PATIENCE_IN_PLAY, remainder=False)
        answers.add(found.solvable)
        if found.solvable:
            assert count(replay(position, found.jumps)) == 1
    assert answers == {True, False}


def test_patience_ends_in_not_known_yet() -> None:
    start = vacancy(1).start
    found = Solver(BOARD_37).solve(start, patience=10, remainder=False)
    assert found.solvable is None and found.proof == "unknown"


def test_cross_takes_eight_jumps() -> None:
    problem = PROBLEMS["cross"]
    assert len(solver(BOARD_37, (problem.finish,)).solve(problem.start).jumps) == 8


def brute_force(position: int) -> int:
    """Fewest pieces reachable, by trying everything."""
    best, seen, stack = count(position), {position}, [position]
    while stack:
        here = stack.pop()
        best = min(best, count(here))
        for jump in BOARD_37.legal(here):
            after = BOARD_37.after(here, jump)
            if after not in seen:
                seen.add(after)
                stack.append(after)
    return best


def test_small_positions_against_brute_force() -> None:
    rng = random.Random(11)
    for _ in range(25):
        position = BOARD_37.from_numbers(rng.sample(range(1, 38), rng.randint(2, 9)))
        best = brute_force(position)
        found = solver(BOARD_37).solve(position)
        assert found.solvable is (best == 1)
        assert found.best_remaining == best == count(replay(position, found.jumps))


def test_fewer_sweeps_are_the_same_solution() -> None:
    start = vacancy(1).start
    jumps = solver(BOARD_37).solve(start).jumps
    better = fewest_sweeps(BOARD_37, start, jumps)
    assert sorted(better) == sorted(jumps) and replay(start, better) == replay(start, jumps)
    assert len(sweeps(better)) <= len(sweeps(jumps))


def test_unreachable_finish_and_bad_questions() -> None:
    assert Solver(BOARD_37, (bit(1),)).solve(bit(1) | bit(37)).solvable is False
    with pytest.raises(InvalidError):
        Solver(BOARD_37, (bit(1), bit(1) | bit(2)))
    with pytest.raises(InvalidError):
        solver(BOARD_37).solve(0)


START = PROBLEMS["classic"].start


@pytest.mark.parametrize(
    ("after", "code"),
    [
        (START, "nothing_moved"),
        (START ^ bit(17) ^ bit(19), "not_removed"),
        (START ^ bit(17) ^ bit(19) ^ bit(20), "removed_wrong"),
        (START ^ bit(11) ^ bit(19), "diagonal"),
        (START ^ bit(16) ^ bit(19), "nothing_jumped"),
        (START ^ bit(5), "piece_removed"),
        (START ^ bit(19), "piece_added"),
        (START ^ bit(1) ^ bit(3) ^ bit(19) ^ bit(5), "unclear"),
    ],
)
def test_wrong_jumps(after: int, code: str) -> None:
    verdict = explain_jump(BOARD_37, START, after)
    assert verdict.code == code and verdict.reason
    assert verdict.legal is (code == "nothing_moved")


def test_jump_over_an_empty_hole() -> None:
    before = BOARD_37.from_numbers([17, 30])
    assert explain_jump(BOARD_37, before, BOARD_37.from_numbers([19, 30])).code == "nothing_jumped"


def test_lawful_jumps_and_sweeps_are_found() -> None:
    rng = random.Random(2)
    for _ in range(60):
        position = BOARD_37.full ^ bit(rng.choice(sorted(SOLVABLE)))
        for _ in range(rng.randint(0, 20)):
            if legal := BOARD_37.legal(position):
                position = BOARD_37.after(position, rng.choice(legal))
        after, last = position, None
        for _ in range(rng.randint(1, 3)):
            legal = [j for j in BOARD_37.legal(after) if last is None or j.start == last]
            if not legal:
                break
            jump = rng.choice(legal)
            after, last = BOARD_37.after(after, jump), jump.end
        if after != position:
            verdict = explain_jump(BOARD_37, position, after)
            assert verdict.legal and replay(position, verdict.jumps) == after


def test_holes_as_documents() -> None:
    holes = BOARD_37.to_holes(START)
    assert BOARD_37.from_holes(holes) == START and sum(holes) == 36
    for bad, words in (([1] * 36, "37"), ([2] + [0] * 36, "hole 1"), ([True] * 37, "hole 1")):
        with pytest.raises(InvalidError, match=words):
            BOARD_37.from_holes(bad)


def test_text_has_a_line_per_row() -> None:
    assert [len(line.split()) for line in BOARD_37.text(START)] == [3, 5, 7, 7, 7, 5, 3]
    assert list(itertools.chain(*(line.split() for line in BOARD_37.text(START)))).count("·") == 1
