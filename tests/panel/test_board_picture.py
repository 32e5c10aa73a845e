"""The drawn board: who sits where, which checker went where, and that every arrow is seen where it belongs."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from pi_board.panel.board_picture import (
    LARGE,
    SMALL,
    Seat,
    Size,
    Way,
    draw_board,
    ways_between,
    ways_of,
    ways_to_mend,
)
from pi_board.panel.canvas import CHECKER, GREEN, RED
from pi_board.rules import STARTING_POSITION, Position, legal_plays

#: Light has one checker on its ace point and one on its 12 point; dark one on its own ace point (24).
FEW = Position((1, *[0] * 10, 1, *[0] * 11, -1), (0, 0), (13, 14))


def moved(before: Position, side: str, *moves: tuple[int, int]) -> Position:
    """`before` with checkers of `side` put elsewhere by hand (absolute points, 0 = bar)."""
    points, bar, sign = list(before.points), list(before.bar), 1 if side == "light" else -1
    for start, to in moves:
        if start:
            points[start - 1] -= sign
        else:
            bar[0 if side == "light" else 1] -= 1
        if points[to - 1] == -sign:
            points[to - 1] = 0
            bar[1 if side == "light" else 0] += 1
        points[to - 1] += sign
    return Position(tuple(points), (bar[0], bar[1]), before.off)


@pytest.mark.parametrize(
    ("side", "moves", "dice"),
    [
        ("light", [(8, 5), (6, 5)], (3, 1)),
        ("light", [(13, 10), (24, 23)], (3, 1)),
        # Seen as 13/8 and 24/18 only when the dice say so: 24/13 and 18/8 explain the checkers too.
        ("light", [(24, 18), (13, 8)], (6, 5)),
        # A wrong number: 8/4 and 6/5 would be three dice.
        ("light", [(8, 5), (6, 4)], (3, 1)),
        ("dark", [(1, 7), (12, 17)], (6, 5)),
        ("dark", [(12, 18), (12, 18), (1, 7)], (6, 6)),
    ],
)
def test_which_checker_went_where(side: str, moves: list[tuple[int, int]], dice: tuple[int, int]) -> None:
    after = moved(STARTING_POSITION, side, *moves)
    ways = ways_between(STARTING_POSITION, after, side, dice)
    assert sorted((w.side, w.start, w.to) for w in ways) == sorted((side, a, b) for a, b in moves)


def test_a_hit_checker_goes_to_the_bar() -> None:
    before = moved(STARTING_POSITION, "dark", (1, 5))
    after = moved(before, "light", (8, 5))
    assert set(ways_between(before, after, "light", (3, 1))) == {Way("light", 8, 5), Way("dark", 5, "bar")}


def test_a_checker_that_is_missing_has_one_end() -> None:
    document = STARTING_POSITION.to_document()
    document["points"][16] = -2

    class Lying:
        points, bar, off = tuple(document["points"]), (0, 0), (0, 0)

    assert ways_between(Lying, STARTING_POSITION, "dark") == (Way("dark", None, 17),)  # type: ignore[arg-type]
    assert ways_to_mend([{"side": "dark", "from": None, "to": 17}]) == (Way("dark", None, 17),)


def test_a_play_in_the_mover_s_numbers() -> None:
    assert ways_of("light", [(25, 20), (3, 0)]) == (Way("light", "bar", 20), Way("light", 3, "off"))
    assert ways_of("dark", [(25, 20), (3, 0)]) == (Way("dark", "bar", 5), Way("dark", 22, "off"))


def centre_of(image: Image.Image, colour: tuple[int, int, int]) -> tuple[float, float]:
    rows, columns = np.nonzero((np.abs(np.asarray(image).astype(int) - colour) < 12).all(axis=2))
    return float(columns.mean()) / image.width, float(rows.mean()) / image.height


@pytest.mark.parametrize(
    ("near", "home", "side", "right"),
    [("light", "right", "light", True), ("light", "right", "dark", False), ("light", "left", "light", False),
     ("dark", "left", "dark", False), ("dark", "left", "light", True), ("dark", "right", "light", False)],
)  # fmt: skip
def test_the_player_s_own_home_is_below_on_the_hand_where_it_lies(
    near: str, home: str, side: str, right: bool
) -> None:
    """Dark's only checker on the board stands on dark's ace point, light's on the ace and the 12 point: the corners of the near side."""
    seat = Seat(near, home).of(side)
    assert seat == Seat(side, "right" if right else "left")
    only = Position(FEW.points, (0, 0), FEW.off)
    image = draw_board(only, (), LARGE, seat, colour=True)
    x, y = centre_of(image, CHECKER[side][0])
    if side == "dark":
        assert y > 0.5 and (x > 0.5) == right
    else:
        # Ace and 12 point lie in both lower corners, with what has been borne off: below in any case.
        assert y > 0.5


@pytest.mark.parametrize("size", [LARGE, SMALL])
@pytest.mark.parametrize("home", ["left", "right"])
def test_mirrored_boards_are_mirrored(size: Size, home: str) -> None:
    """Every place lies as far from one edge as the same place of the other seat from the other edge."""
    colour = size is LARGE
    one = np.asarray(
        draw_board(STARTING_POSITION, (), size, Seat("light", home), colour=colour).convert("L")
    ).astype(int)
    other = np.asarray(
        draw_board(
            STARTING_POSITION,
            (),
            size,
            Seat("light", {"left": "right", "right": "left"}[home]),
            colour=colour,
        ).convert("L")
    )
    # Half a pixel of rounding apart.
    best = min(
        np.abs(one[:, 2:-2] - np.roll(other[:, ::-1], shift, axis=1)[:, 2:-2]).mean() for shift in (-1, 0, 1)
    )
    assert best < 12


@pytest.mark.parametrize("dice", [(3, 1), (6, 6), (6, 5)])
@pytest.mark.parametrize("side", ["light", "dark"])
def test_arrows_reach_the_places_of_the_play(side: str, dice: tuple[int, int]) -> None:
    """Without arrows nothing is green; with them there is green at every place where a checker arrives, and nowhere near the others."""
    plain = draw_board(STARTING_POSITION, (), LARGE, Seat().of(side), colour=True)
    assert not green(plain).any()
    for play in legal_plays(STARTING_POSITION, dice, side)[:6]:  # type: ignore[arg-type]
        image = draw_board(
            STARTING_POSITION, ways_of(side, play.moves), LARGE, Seat().of(side), ink=GREEN, colour=True
        )
        ink = green(image)
        assert ink.sum() > 60 * len(play.moves) / 2
        for _, to in play.moves:
            # In the player's own view their points 1-12 lie below, 1 at the side of their home.
            column = 12 - to if to <= 12 else to - 13
            x = LARGE.edge + (column + 0.5) * LARGE.column + (LARGE.bar if column >= 6 else 0)
            x = x if Seat().of(side).home == "right" else LARGE.width - x
            half = ink[LARGE.height // 2 :] if to <= 12 else ink[: LARGE.height // 2]
            assert half[:, int(x) - 7 : int(x) + 8].sum() > 15, (str(play), to)


def green(image: Image.Image) -> np.ndarray:
    return (np.abs(np.asarray(image).astype(int) - GREEN) < 40).all(axis=2)


def test_ring_and_disc_and_neighbouring_points_differ_on_the_smallest_board() -> None:
    """A light checker has at least three times the ink of a dark one; a checker one point aside changes eight pixels or more."""
    light = Position((0, 1, *[0] * 22), (0, 0), (14, 15))
    dark = Position((0, -1, *[0] * 22), (0, 0), (15, 14))
    aside = Position((0, 0, 1, *[0] * 21), (0, 0), (14, 15))
    boards = [
        np.asarray(draw_board(p, (), SMALL, Seat(), colour=False).convert("L")) > 0
        for p in (light, dark, aside)
    ]
    # The 2 point is the second column from the tray.
    x = SMALL.width - SMALL.tray - 2 * SMALL.column
    disc, ring = (b[-6:, x : x + 6].sum() for b in boards[:2])
    assert disc >= ring + 8
    assert (boards[0] != boards[2]).sum() >= 8


@pytest.mark.parametrize("count", range(6, 16))
@pytest.mark.parametrize("size", [LARGE, SMALL])
def test_a_high_stack_says_how_high(count: int, size: Size) -> None:
    """Every number from 6 to 15 gives another picture."""

    def stack(n: int) -> bytes:
        position = Position((n, *[0] * 23), (0, 0), (15 - n, 15))
        image = draw_board(position, (), size, Seat(), colour=size is LARGE)
        return image.crop((0, 0, image.width - size.tray - size.edge, image.height)).tobytes()

    assert len({stack(n) for n in (count, count - 1, 5)}) == (3 if count > 6 else 2)


def test_a_fault_is_red_and_marks_what_lies_there() -> None:
    after = moved(STARTING_POSITION, "light", (13, 9))
    ways = ways_between(STARTING_POSITION, after, "light", (3, 1))
    image = draw_board(after, ways, LARGE, Seat(), ink=RED, made=True, colour=True)
    assert (np.abs(np.asarray(image).astype(int) - RED) < 40).all(axis=2).sum() > 150
