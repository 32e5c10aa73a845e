"""One photo without history: the joint reading, its honesty, its edges."""

from __future__ import annotations

from itertools import count, islice
from pathlib import Path

import numpy as np
import pytest

from pi_board.errors import InvalidError
from pi_board.rules import STARTING_POSITION, Position
from pi_board.vision import still
from pi_board.vision.checkers.blind import Seen
from pi_board.vision.checkers.sides import Sides
from pi_board.vision.training.pictures import make_photo

SCENES = Path(__file__).resolve().parents[3] / "shared" / "data" / "scenes"


def evidence_for(position: Position, strength: float = 9.0) -> tuple[np.ndarray, np.ndarray]:
    points, bar = np.zeros((24, 31)), np.zeros((2, 8))
    for i, n in enumerate(position.points):
        points[i, n + 15] += strength
    for i, n in enumerate(position.bar):
        bar[i, n] += strength
    return points, bar


BEARING_OFF = Position(
    (3, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0, -3, -4, 0), (0, 0), (7, 6)
)
HIT = Position((-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -2, 1, -5, 0, 0, 0, 0, 0), (1, 1), (0, 0))


@pytest.mark.parametrize("position", [STARTING_POSITION, BEARING_OFF, HIT])
def test_clear_evidence_is_read_as_it_is(position: Position) -> None:
    found, share = still.weigh(*evidence_for(position, 14.0))
    assert found == position
    assert share > 0.9


def test_fifteen_a_side_decide_what_the_picture_does_not() -> None:
    points, bar = evidence_for(STARTING_POSITION, 12.0)
    points[5] = 0
    points[5, [15 + 4, 15 + 5, 15 + 6]] = (12.5, 12.0, 12.5)  # 4, 5 or 6? fifteen say five
    found, _ = still.weigh(points, bar)
    assert found == STARTING_POSITION


def test_confidence_falls_with_a_slot_that_nobody_can_see() -> None:
    points, bar = evidence_for(STARTING_POSITION, 12.0)
    clear = still.weigh(points, bar)[1]
    points[5] = points[7] = 0  # light's 5 and 3 are hidden: only their sum is known
    assert still.weigh(points, bar)[1] < 0.6 < clear


def test_a_hand_over_the_board_may_hold_the_checker_that_is_missing() -> None:
    points, bar = evidence_for(STARTING_POSITION, 12.0)
    points[23] = 0  # covered; light's two are there, or one is there and one in the hand
    alone, held = still.weigh(points, bar), still.weigh(points, bar, hand=True)
    assert alone[0] == held[0] == STARTING_POSITION
    assert held[1] < alone[1] - 0.05


def test_the_answer_has_most_slots_right_when_no_position_stands_out() -> None:
    points, bar = evidence_for(STARTING_POSITION, 12.0)
    hidden = [0, 1, 2, 3, 4]
    points[hidden] = 0
    points[12] = 0  # light's five there are hidden as well: they may lie on any of six points
    found, share = still.weigh(points, bar)
    assert share < 0.3
    assert [n for i, n in enumerate(found.points) if i not in (*hidden, 12)] == [
        n for i, n in enumerate(STARTING_POSITION.points) if i not in (*hidden, 12)
    ]
    assert min(found.off) >= 0
    assert sum(max(n, 0) for n in found.points) + found.off[0] == 15


def test_a_hand_is_one_piece_with_an_arm() -> None:
    clear = np.zeros((2, 12))
    specks, glare, arm, trace = (np.zeros((78, 88, 4)) for _ in range(4))
    specks[::8, ::8, 3] = 1
    glare[30:38, 40:48, 3] = 1
    arm[50:, 40:44, 3] = 1
    trace[40:44, 40:44, 3] = 1
    assert not still.hand_seen(specks, clear)
    assert not still.hand_seen(glare, clear)
    assert still.hand_seen(arm, clear)
    assert not still.hand_seen(trace, clear)
    under = clear.copy()
    under[1, 3] = 0.5
    assert still.hand_seen(trace, under)
    assert not still.hand_seen(np.zeros((78, 88, 4)), under)


@pytest.mark.parametrize(
    ("light_off", "dark_off"), [(False, False), (True, False), (False, True), (True, True)]
)
def test_how_often_what_stands_where(light_off: bool, dark_off: bool) -> None:
    prior = still.point_prior(light_off, dark_off)
    np.testing.assert_allclose(np.exp(prior).sum(axis=1), 1.0, atol=1e-6)
    # Seen from the other side of the table it is the same.
    np.testing.assert_allclose(prior, still.point_prior(dark_off, light_off)[::-1, ::-1], atol=1e-6)
    assert prior[5, 15 + 3] > prior[18, 15 + 3]  # light's own 6 point, and dark's


def test_never_more_than_fifteen() -> None:
    rng = np.random.default_rng(2)
    for _ in range(3):
        found, share = still.weigh(rng.normal(0, 4, (24, 31)), rng.normal(0, 4, (2, 8)))
        assert 0 <= share <= 1
        assert min(found.off) >= 0  # Position itself checks the sums


def test_boards_that_nobody_has_seen_are_read() -> None:
    readings = []
    photos = (make_photo(np.random.default_rng(seed), hardness=0.0, hand=False) for seed in count(9_000_001))
    # A man that is missing though nobody bears off looks like one more on a long row: fifteen a side is the likelier.
    for photo in islice((p for p in photos if sum(map(abs, (*p.points, *p.bar))) == 30), 9):
        reading = still.read_image(photo.image, corners=photo.corners)
        assert reading.position is not None
        want = [*photo.points, *photo.bar]
        got = [*reading.position.points, *reading.position.bar]
        readings.append((sum(a != b for a, b in zip(want, got, strict=True)), reading.confidence))
    assert sum(wrong for wrong, _ in readings) <= 0.05 * 26 * len(readings)
    assert sum(wrong == 0 for wrong, _ in readings) >= 5
    sure = [wrong for wrong, confidence in readings if confidence >= 0.9]
    assert len(sure) >= 3
    assert not any(sure)


def test_a_die_that_lies_on_no_checker_is_weighed_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = make_photo(np.random.default_rng(9_000_003), hardness=0.0, hand=False)
    plain = still.read_image(photo.image, corners=photo.corners)
    assert plain.position is not None
    held, asked = int(np.argmax(np.abs(plain.position.points))), []
    says = np.zeros((24, 31))
    says[held, np.abs(np.arange(31) - 15) > 0] = -60.0

    def dice_and_cube(_: object, __: object, ___: object, points: tuple[int, ...]) -> tuple[tuple[()], None]:
        asked.append(points[held])
        return (), None

    monkeypatch.setattr(still, "_dice_and_cube", dice_and_cube)
    monkeypatch.setattr(still, "against_checkers_under", lambda *_: says)
    told = still.read_image(photo.image, corners=photo.corners)
    assert told.position is not None and told.seen is not None
    assert told.position.points[held] == told.seen[held] == 0
    # The dice are read again with the checkers that are left.
    assert asked == [plain.position.points[held], 0]


@pytest.mark.parametrize(
    ("near", "home"), [("light", "right"), ("light", "left"), ("dark", "right"), ("dark", "left")]
)
def test_orientation_only_renumbers(near: str, home: str) -> None:
    from pi_board.vision.board.orientation import Orientation

    photo = make_photo(np.random.default_rng(9_000_003), hardness=0.0, hand=False)
    plain = still.read_image(photo.image, corners=photo.corners).position
    turned = still.read_image(photo.image, corners=photo.corners, near=near, home=home).position
    assert plain is not None and turned is not None
    o, here = Orientation("light", "right"), Orientation(near, home)  # type: ignore[arg-type]
    for point in range(1, 25):
        column, row = o.column_of(point)
        assert plain.points[point - 1] == turned.points[here.point_at(column, row) - 1]


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_picture_of_nothing_is_refused(level: int) -> None:
    blank = np.full((480, 640, 3), level, np.uint8)
    reading = still.read_image(blank, corners=[[50, 50], [600, 50], [600, 430], [50, 430]])
    assert reading.position is None
    assert reading.refusal
    assert reading.confidence == 0


@pytest.mark.parametrize(
    ("image", "corners"),
    [
        (np.zeros((480, 640, 3), np.float32), None),
        (np.zeros((20, 20, 3), np.uint8), None),
        (np.zeros((480, 640, 2), np.uint8), None),
        (np.zeros((480, 640, 3), np.uint8), [[0, 0], [1, 1]]),
        (np.zeros((480, 640, 3), np.uint8), [[50, 50], [600, 430], [600, 50], [50, 430]]),
    ],
)
def test_bad_input_is_said_in_one_line(image: np.ndarray, corners: object) -> None:
    with pytest.raises(InvalidError) as error:
        still.read_image(image, corners=corners)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


@pytest.mark.slow
@pytest.mark.skipif(not SCENES.is_dir(), reason="../shared/data/scenes is not there")
def test_photo_real_stills_that_were_never_tuned_on() -> None:
    from tests.bench.bench_stills import run

    results = [r for _, r, _ in run(part="held out")]
    soft = [r for r in results if r.difficulty != "hard" and not r.hand]
    assert np.mean([r.right for r in soft]) >= 0.95
    assert sum(r.open_wrong for r in results) <= 0.005 * sum(r.open_slots for r in results)
    assert all(r.right for r in results if r.confidence >= 0.9)
    assert all(r.hand_seen for r in results if r.hand)


@pytest.mark.slow
@pytest.mark.skipif(not (SCENES / "rooms").is_dir(), reason="../shared/data/scenes/rooms is not there")
def test_sets_that_people_own() -> None:
    from tests.bench.bench_stills import run

    results = [r for _, r, _ in run(rooms=True)]
    # Measured: 21 of 23 (the others: one checker too few on a stack, bearing off), none surely wrong, no dice invented.
    assert sum(r.right for r in results if not r.hand) >= 20
    assert all(r.right for r in results if r.confidence >= 0.9)
    assert sum(r.invented for r in results) <= 2


def test_a_checker_beside_the_board_says_that_fourteen_are_on_it() -> None:
    points, bar = evidence_for(STARTING_POSITION, 12.0)
    points[12] = 0
    points[12, [15 + 4, 15 + 5]] = (
        12.0,
        9.5,
    )  # four, or five? fifteen say five, unless one lies beside the board
    off = np.zeros((2, 16))
    off[:, 1:] = -2.0
    assert still.weigh(points, bar, off=off)[0] == STARTING_POSITION
    off[0, 0], off[0, 1:] = -4.5, 0.0
    found, share = still.weigh(points, bar, off=off)
    assert (found.points[12], found.off) == (4, (1, 0))
    assert share < still.weigh(*evidence_for(STARTING_POSITION, 12.0))[1]


def test_what_a_hand_holds_need_not_lie_beside_the_board() -> None:
    points, bar = evidence_for(STARTING_POSITION, 12.0)
    points[12] = 0
    points[12, 15 + 4] = 12.0
    off = np.zeros((2, 16))
    off[:, 1:] = -2.5
    empty_handed, holding = (still.weigh(points, bar, hand=hand, off=off) for hand in (False, True))
    assert empty_handed[0].off == holding[0].off == (1, 0)
    assert holding[1] > empty_handed[1]


def test_a_checker_near_a_hand_may_be_in_it() -> None:
    points, bar = evidence_for(STARTING_POSITION, 12.0)
    hidden = np.zeros(24)
    hidden[[5, 18]] = 0.3  # light's five and dark's five
    held = still._with_held(points, hidden)
    assert held[5, 15 + 4] == pytest.approx(12.0 + np.log(still._LOOKS_LAID), abs=1e-3)
    assert held[18, 15 - 4] == pytest.approx(12.0 + np.log(still._LOOKS_LAID), abs=1e-3)
    np.testing.assert_array_equal(held[7], points[7])
    assert still.weigh(held, bar, hand=True)[1] < still.weigh(points, bar, hand=True)[1]


@pytest.mark.parametrize(("nats", "swapped", "flips", "least"), [
    (20.0, False, False, 1.0), (20.0, True, False, 1.0),  # clearly brighter: the position has no say
    (1.0, False, False, 0.85), (1.0, True, True, 0.6),  # hardly: the names under which it is a position of a game
])  # fmt: skip
def test_sides_of_one_brightness_are_named_as_the_position_has_it(
    nats: float, swapped: bool, flips: bool, least: float
) -> None:
    points, bar = evidence_for(BEARING_OFF, 12.0)
    seen = Seen(points, bar, np.zeros(24), np.zeros((78, 88, 4), np.float32))
    seen = seen.with_other_names() if swapped else seen
    colours = np.array([[40.0, 40, 200], [200.0, 60, 40]])
    sides = Sides(np.zeros((2, 12, 31)), bar, nats, colours)
    named, called, off, chance = still._named(seen, sides, False, np.array([np.zeros(16), np.ones(16)]))
    assert (named.points == (seen.with_other_names() if flips else seen).points).all()
    assert called is not None
    assert (called[0] == colours[1 if flips else 0]).all()
    assert (off[0] == (1 if flips else 0)).all()
    assert least <= chance <= (1.0 if nats > 10 else 0.89)
