"""What is heard of the learned look and of the uncalibrated reader."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pi_board.rules import STARTING_POSITION
from pi_board.sighting import BAR_DARK, BAR_LIGHT, COUNTS, SLOTS, ZERO
from pi_board.vision.checkers.appearance import Appearance
from pi_board.vision.checkers.appearance_numbers import GUESSING
from pi_board.vision.checkers.disc import BOARD, DARK, LIGHT, Disc
from pi_board.vision.checkers.pixels import would_say, would_say_each
from pi_board.vision.checkers.row_numbers import ROWS
from pi_board.vision.checkers.stacks import LEAST
from pi_board.vision.in_play import checkers as checkers_in_play
from pi_board.vision.in_play.checkers import CheckersInPlay
from pi_board.vision.reader import BoardReader, signed_counts
from tests.vision.simulated_board import board_without_cube

#: An empty point.
SLOT = 3


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    board = board_without_cube("travel")
    reader = board.reader()
    reader.look(board.frame())
    return reader


def says(slot: int, nats: dict[int, float]) -> np.ndarray:
    """(28, 31) the starting position without doubt, and of `slot` so many nats for these counts, -14 for all others."""
    rows = np.full((SLOTS, COUNTS), -14.0)
    rows[np.arange(SLOTS), signed_counts(STARTING_POSITION) + ZERO] = 0.0
    rows[slot] = -14.0
    for count, value in nats.items():
        rows[slot, count + ZERO] = value
    return rows


@pytest.mark.parametrize(
    ("slot", "doubt", "seen_bare", "label", "heard"),
    [
        (SLOT, GUESSING.doubt, False, BOARD, 0),
        (SLOT, GUESSING.doubt, False, DARK, 0),
        # The board is known well enough, or one of light lay there before.
        (SLOT, GUESSING.least_doubt, False, BOARD, 1),
        (SLOT, GUESSING.doubt, False, LIGHT, 1),
        # Where the cube lay, and beside it.
        (BAR_LIGHT, GUESSING.bar_doubt, False, BOARD, 0),
        (BAR_LIGHT, GUESSING.bar_doubt, True, BOARD, 1),
    ],
)
def test_a_checker_where_the_bare_board_was_never_seen_is_left_to_the_uncalibrated_reader(
    reader: BoardReader,
    monkeypatch: pytest.MonkeyPatch,
    slot: int,
    doubt: float,
    seen_bare: bool,
    label: int,
    heard: int,
) -> None:
    """The learned look is sure of a light checker, the uncalibrated reader rather sees none."""
    look = reader.appearance
    assert look is not None
    at = reader.finder.feet[SLOT] + (
        0.0,
        12.0 * (1 if reader.finder.feet[SLOT][1] < look.label.shape[0] / 2 else -1),
    )
    x, y = (round(float(v)) for v in at)
    for name, value in (("doubt", doubt), ("seen", seen_bare), ("label", label)):
        plane = getattr(look, name).copy()
        plane[y - 10 : y + 11, x - 10 : x + 11] = value
        monkeypatch.setattr(look, name, plane)
    monkeypatch.setattr(look, "counts", signed_counts(STARTING_POSITION))
    monkeypatch.setattr(reader.finder, "seen", [Disc(x, y, 0, slot)])
    own, theirs = says(slot, {1: 0.0, 0: -12.0}), says(slot, {0: 0.0, 1: -6.0})
    seen: Any = SimpleNamespace(evidence=lambda: theirs, compared={}, alone={})
    both = CheckersInPlay(reader).with_second_opinion(own, seen, ())
    assert both[slot].argmax() - ZERO == heard


@pytest.mark.parametrize(
    ("said", "other", "heard"),
    [
        pytest.param(0, -1, -1, id="a dark one has come"),
        pytest.param(-1, 0, 0, id="what looks like one is the point"),
        pytest.param(0, 1, 0, id="a light one would be told"),
        pytest.param(-1, -1, -1, id="both say so"),
    ],
)
def test_dark_ones_on_a_point_in_their_colours_are_left_to_the_other_reader(
    reader: BoardReader, monkeypatch: pytest.MonkeyPatch, said: int, other: int, heard: int
) -> None:
    look = reader.appearance
    assert look is not None
    checkers = CheckersInPlay(reader)
    assert not checkers.cannot_tell().any()

    def would_say_little(look: Appearance, places: np.ndarray) -> np.ndarray:
        told = would_say_each(look, places)
        told.reshape(24, -1, 2)[SLOT, :, 1] -= 30.0
        return told

    monkeypatch.setattr(checkers_in_play, "would_say_each", would_say_little)
    monkeypatch.setattr(look, "_derived", {})
    monkeypatch.setattr(look, "counts", signed_counts(STARTING_POSITION))
    monkeypatch.setattr(reader.finder, "seen", [])
    assert np.argwhere(checkers.cannot_tell()).tolist() == [[SLOT, 1]]
    own, theirs = says(SLOT, {said: 0.0}), says(SLOT, {other: 0.0, said: -6.0 * (said != other)})
    seen: Any = SimpleNamespace(evidence=lambda: theirs, compared={}, alone={})
    assert checkers.with_second_opinion(own, seen, ())[SLOT].argmax() - ZERO == heard


@pytest.mark.parametrize(
    ("darker", "lay", "heard"),
    # (Where as many lay before, what both say is kept.)
    [(30.0, 2, (0,)), (30.0, 1, (0, 1)), (30.0, 0, (0,)), (80.0, 2, (1,))],
    ids=["one of two has left", "none seems to have left", "one has come", "told by its colour"],
)
def test_a_bright_point_that_was_never_seen_bare_may_look_like_a_checker(
    reader: BoardReader, monkeypatch: pytest.MonkeyPatch, darker: float, lay: int, heard: tuple[int, ...]
) -> None:
    """The guess of the bare point is `darker` (8-bit levels) than a light checker, which the learned look is sure to see there."""
    look = reader.appearance
    assert look is not None
    x, y = (round(float(v)) for v in reader.finder.feet[SLOT])
    patch = slice(y - 10, y + 11), slice(x - 10, x + 11)
    for name, value in (("doubt", 8.0), ("seen", False), ("label", LIGHT)):
        plane = getattr(look, name).copy()
        plane[patch] = value
        monkeypatch.setattr(look, name, plane)
    planes = look.planes
    bare = planes("board")[0].copy()
    bare[patch] = look.side_features(0)[0][patch] - darker
    monkeypatch.setattr(
        look, "planes", lambda name: (bare, *planes(name)[1:]) if name == "board" else planes(name)
    )
    counts = signed_counts(STARTING_POSITION)
    counts[SLOT] = lay
    monkeypatch.setattr(look, "counts", counts)
    monkeypatch.setattr(reader.finder, "seen", [Disc(x, y, 0, SLOT)])
    own, theirs = says(SLOT, {1: 0.0, 0: -12.0}), says(SLOT, {0: 0.0, 1: -6.0})
    seen: Any = SimpleNamespace(evidence=lambda: theirs, compared={}, alone={})
    row = CheckersInPlay(reader).with_second_opinion(own, seen, ())[SLOT]
    assert tuple((np.flatnonzero(row > -1.0) - ZERO).tolist()) == heard


@pytest.mark.parametrize(("covered", "agreed"), [(True, False), (False, True)])
def test_of_a_new_checker_that_the_cube_half_covers_only_what_both_say_is_kept(
    reader: BoardReader, monkeypatch: pytest.MonkeyPatch, covered: bool, agreed: bool
) -> None:
    """The cube's shadow looks like a checker to the learned look, which is sure of it; the uncalibrated reader rather sees none."""
    look, finder, pixels = reader.appearance, reader.finder, reader.state.picture.pixels
    assert look is not None
    x, y = (round(float(v)) for v in finder.feet[SLOT])
    mask = np.zeros(look.label.shape, bool)
    mask[y - 10 : y + 11, x : x + 11] = covered
    monkeypatch.setattr(reader.state.picture, "pixels", replace(pixels, covered=mask))
    monkeypatch.setattr(look, "counts", signed_counts(STARTING_POSITION))
    monkeypatch.setattr(finder, "seen", [Disc(x, y, 0, SLOT)])
    own, theirs = says(SLOT, {1: 0.0, 0: -12.0}), says(SLOT, {0: 0.0, 1: -2.0})
    seen: Any = SimpleNamespace(evidence=lambda: theirs, compared={}, alone={})
    both = CheckersInPlay(reader).with_second_opinion(own, seen, ())
    assert (both[SLOT, ZERO] < -3.0) == agreed


@pytest.mark.parametrize(
    ("came", "theirs", "sure"),
    [
        (-2, {0: 0.0, -2: -7.0}, False),
        # One may be a checker that the uncalibrated reader has missed; and of two it sees both.
        (-1, {0: 0.0, -1: -7.0}, True),
        (-2, {-2: 0.0, 0: -1.0}, True),
    ],
)
def test_a_row_that_has_come_must_be_seen_by_both(
    reader: BoardReader, monkeypatch: pytest.MonkeyPatch, came: int, theirs: dict[int, float], sure: bool
) -> None:
    """A dark hand that rests on a point has the colour of dark checkers."""
    said = gone_from(0, -2 - came, says(SLOT, theirs))
    both = after_the_start(reader, monkeypatch, gone_from(0, -2 - came, says(SLOT, {came: 0.0})), said)
    assert (both[SLOT, ZERO] < -1.0) == sure
    assert both[SLOT, came + ZERO] == 0.0


def after_the_start(
    reader: BoardReader, monkeypatch: pytest.MonkeyPatch, own: np.ndarray, theirs: np.ndarray
) -> np.ndarray:
    """(28, 31) nats of both readers, where the starting position was accepted last."""
    monkeypatch.setattr(reader.appearance, "counts", signed_counts(STARTING_POSITION))
    monkeypatch.setattr(reader.finder, "seen", [])
    seen: Any = SimpleNamespace(evidence=lambda: theirs, compared={}, alone={})
    return CheckersInPlay(reader).with_second_opinion(own, seen, ())


def gone_from(slot: int, left: int, rows: np.ndarray) -> np.ndarray:
    """`rows` with so many left on `slot`, surely."""
    rows[slot] = -14.0
    rows[slot, left + ZERO] = 0.0
    return rows


@pytest.mark.parametrize(("more", "sure"), [(1, True), (2, False)])
def test_more_of_a_side_than_lay_there_are_a_thing_in_their_colour(
    reader: BoardReader, monkeypatch: pytest.MonkeyPatch, more: int, sure: bool
) -> None:
    """A dark phone on a dark board (`bench_in_the_way.py`): it was filled with dark checkers, and hid one of light's."""
    own, theirs = says(SLOT, {-1: 0.0}), says(SLOT, {-1: 0.0})
    if more > 1:
        own = gone_from(SLOT + 1, -1, own)
    # (Of light's eight-point, from which the phone hides one.)
    hidden = int(np.flatnonzero(signed_counts(STARTING_POSITION)[:24] == 3)[0])
    theirs[hidden, 2 + ZERO] = -0.5
    both = after_the_start(reader, monkeypatch, gone_from(hidden, 2, own), theirs)
    assert (both[hidden, 3 + ZERO] < -1.0) == sure


def test_a_dark_checker_on_a_dark_bar_says_little_in_the_dark(
    reader: BoardReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At dusk noise covers the difference; a light one is told in any light. (`bench_on_the_bar.py`)"""
    look = reader.appearance
    assert look is not None
    told = []
    for noise in (2.0, 8.0, 12.0):
        monkeypatch.setattr(look, "noise", noise)
        told.append(would_say(look, reader.finder.on_bar))
    light, dark = zip(*told, strict=True)
    assert min(light) > 4 * ROWS.hardly_told
    assert dark[0] > ROWS.hardly_told > dark[1] > dark[2]


@pytest.mark.parametrize(
    ("told", "theirs_says", "read"),
    [
        (ROWS.hardly_told + 1, -1.0, 0),
        (ROWS.hardly_told - 1, -1.0, -1),
        (ROWS.hardly_told - 1, -4.0, 0),
    ],
)
def test_who_can_hardly_tell_a_checker_from_the_bar_is_heard_a_little(
    reader: BoardReader, monkeypatch: pytest.MonkeyPatch, told: float, theirs_says: float, read: int
) -> None:
    """The learned look sees a dark one by a little, the uncalibrated reader none."""
    before = reader.finder.bar_told
    reader.finder.told_on_bar((ROWS.bar_most, told))
    own, theirs = says(BAR_DARK, {-1: 0.0, 0: -1.0}), says(BAR_DARK, {0: 0.0, -1: theirs_says})
    both = after_the_start(reader, monkeypatch, own, theirs)
    reader.finder.told_on_bar(before)
    assert both[BAR_DARK].argmax() - ZERO == read


def test_where_nobody_can_tell_a_checker_from_the_bar_the_play_does(
    reader: BoardReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the learned look says of it is the bar's colour; the uncalibrated reader goes by shape, and may be wrong as well."""
    before = reader.finder.bar_told
    reader.finder.told_on_bar((ROWS.bar_most, ROWS.bar_untold - 1))
    own, theirs = says(BAR_DARK, {0: 0.0, -1: -1.0}), says(BAR_DARK, {-1: 0.0, 0: -4.0})
    both = after_the_start(reader, monkeypatch, own, theirs)
    reader.finder.told_on_bar(before)
    assert both[BAR_DARK, ZERO] == pytest.approx(both[BAR_DARK, ZERO - 1])


@pytest.mark.parametrize(
    ("slot", "fitted", "seen_bare", "checker", "bar"),
    [
        pytest.param(BAR_DARK, [], True, False, False, id="it was read where the bar was seen bare"),
        pytest.param(BAR_DARK, [], False, True, False, id="where the cube had lain"),
        pytest.param(BAR_DARK, [BAR_DARK], True, True, True, id="another number was read"),
        pytest.param(SLOT, [SLOT], False, False, False, id="not on the bar"),
    ],
)
def test_of_a_checker_on_the_bar_nothing_is_learned_where_it_may_not_lie(
    reader: BoardReader,
    monkeypatch: pytest.MonkeyPatch,
    slot: int,
    fitted: list[int],
    seen_bare: bool,
    checker: bool,
    bar: bool,
) -> None:
    look = reader.appearance
    assert look is not None
    monkeypatch.setattr(look, "doubt", np.full_like(look.doubt, GUESSING.bar_doubt))
    monkeypatch.setattr(look, "seen", np.full_like(look.seen, seen_bare))
    rows, columns = reader.canvas.bar
    x, y = (columns.start + columns.stop) // 2, (rows.start + rows.stop) // 2
    out = CheckersInPlay(reader).hardly_placed([Disc(x, y, 1, slot)], fitted)
    assert out[y, x] == checker
    assert out[reader.canvas.bar].all() == bar
    assert out.any() == (checker or bar)


@pytest.mark.parametrize(
    ("lay", "read", "place", "hidden"),
    [(0, 0, 1, True), (0, 0, 2, False), (2, 1, 3, True), (2, 1, 4, False), (1, 4, 4, True)],
    ids=["the second of none", "the third of none", "a row of two", "behind it", "what is read counts too"],
)
def test_what_covers_places_that_no_row_reaches_hides_nothing(
    reader: BoardReader, monkeypatch: pytest.MonkeyPatch, lay: int, read: int, place: int, hidden: bool
) -> None:
    """A cup in mid-board stands on the far ends of points."""
    counts = np.zeros(SLOTS, np.int64)
    counts[SLOT] = lay
    monkeypatch.setattr(reader.appearance, "counts", counts)
    places = np.zeros((26, 6))
    places[SLOT, place] = 0.5
    found = CheckersInPlay(reader).hidden(says(SLOT, {read: 1.0}), places)
    assert found == ((SLOT,) if hidden else ())


@pytest.mark.parametrize(("hidden", "heard"), [((), 6), ((5,), 5)], ids=["in the open", "behind a cup"])
def test_a_pile_behind_a_thing_is_not_compared(
    reader: BoardReader, monkeypatch: pytest.MonkeyPatch, hidden: tuple[int, ...], heard: int
) -> None:
    """Compared with the picture in which nothing stood there, five look like six."""
    look = reader.appearance
    assert look is not None
    monkeypatch.setattr(look, "counts", signed_counts(STARTING_POSITION))
    monkeypatch.setattr(reader.finder, "seen", [])
    own, theirs = says(5, {5: 0.0, 6: -0.5}), says(5, {6: 0.0, 5: -4.0})
    compared, alone = np.full(12, -9.0), np.full(12, -9.0)
    compared[6 - LEAST] = alone[5 - LEAST] = 0.0
    seen: Any = SimpleNamespace(evidence=lambda: theirs, compared={5: compared}, alone={5: alone})
    both = CheckersInPlay(reader).with_second_opinion(own, seen, hidden)
    assert both[5].argmax() - ZERO == heard
