"""Dice: reading a crop, finding dice on a board seen at a slant, refusing what is none."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from pi_board.errors import InvalidError, InvalidFileError, InvalidSettingsError
from pi_board.sighting import CubeSeen, DieSeen
from pi_board.simulator.still import render_still
from pi_board.vision import convolutions as die_network
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.dice import cube as cube_module
from pi_board.vision.dice import pips, place_reading
from pi_board.vision.dice import reading as dice_module
from pi_board.vision.dice.finder_view import FINDER_WIDTH, margin_of
from pi_board.vision.dice.found import Found, Look
from pi_board.vision.dice.options import DiceOptions
from pi_board.vision.dice.read_die import read_die
from pi_board.vision.dice.reading import find_dice
from pi_board.vision.dice.survey import survey
from pi_board.vision.profile import load_profile

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
SPOTS = {
    1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)], 4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)], 6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}  # fmt: skip
WHITE, BLACK, RED, GREEN = (235, 238, 240), (25, 25, 25), (40, 30, 190), (60, 95, 40)


def draw_die(
    canvas: np.ndarray, x: float, y: float, edge: float, angle: float, value: int, body: tuple, ink: tuple
) -> None:
    """A flat die seen from straight above, with a soft shadow."""
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * edge * 0.45
    shadow = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillConvexPoly(
        shadow,
        np.round((square @ turn.T + [x + edge * 0.12, y + edge * 0.12]) * 16).astype(np.int32),
        255,
        cv2.LINE_AA,
        4,
    )
    dark = cv2.GaussianBlur(shadow, (0, 0), edge * 0.08).astype(np.float32)[..., None] / 255
    canvas[:] = (canvas * (1 - 0.5 * dark)).astype(np.uint8)
    outline = np.round((square @ turn.T + [x, y]) * 16).astype(np.int32)
    cv2.fillConvexPoly(canvas, outline, body, cv2.LINE_AA, 4)
    cv2.polylines(canvas, [outline], True, body, max(1, round(edge * 0.12)), cv2.LINE_AA, 4)
    for u, v in SPOTS[value]:
        px, py = np.array([u, v]) * edge * 0.25 @ turn.T + [x, y]
        cv2.circle(
            canvas, (round(px * 16), round(py * 16)), round(edge * 0.095 * 16), ink, -1, cv2.LINE_AA, 4
        )


def crop_of(
    value: int, body: tuple, ink: tuple, angle: float, edge: float, ground: tuple = (110, 120, 125)
) -> np.ndarray:
    side = round(edge * 1.7)
    crop = np.full((side, side, 3), ground, np.uint8)
    draw_die(crop, (side - 1) / 2, (side - 1) / 2, edge, angle, value, body, ink)
    crop = cv2.GaussianBlur(crop, (0, 0), 0.6)
    noise = np.random.default_rng(value).normal(0, 3, crop.shape)
    return np.clip(crop + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    "body, ink", [(WHITE, BLACK), (BLACK, WHITE), (RED, WHITE)], ids=["white", "black", "red"]
)
@pytest.mark.parametrize("value", range(1, 7))
def test_a_clear_die_is_read_at_any_angle_and_size(value: int, body: tuple, ink: tuple) -> None:
    for angle, edge in ((0.0, 24), (0.5, 40), (1.2, 90)):
        reading = read_die(crop_of(value, body, ink, angle, edge))
        assert reading.value == value
        assert reading.confidence > 0.5


def test_a_grey_picture_will_do() -> None:
    crop = cv2.cvtColor(crop_of(4, WHITE, BLACK, 0.3, 40), cv2.COLOR_BGR2GRAY)
    assert read_die(crop).value == 4


@pytest.mark.parametrize("blur", [6.0])
def test_a_die_that_nobody_can_read_has_no_sure_value(blur: float) -> None:
    for value in range(1, 7):
        crop = cv2.GaussianBlur(crop_of(value, WHITE, BLACK, 0.4, 24), (0, 0), blur)
        reading = read_die(crop)
        assert reading.confidence < 0.9 or reading.value is None


def test_plain_ground_is_no_die() -> None:
    rng = np.random.default_rng(3)
    ground = np.clip(rng.normal(120, 8, (60, 60, 3)), 0, 255).astype(np.uint8)
    assert read_die(ground).confidence < 0.9


@pytest.mark.parametrize(
    "picture", [np.zeros((0, 5, 3), np.uint8), np.zeros((20, 20, 5), np.uint8), np.zeros((20, 20, 3))]
)
def test_what_is_no_picture_is_refused(picture: np.ndarray) -> None:
    with pytest.raises(InvalidError, match="crop"):
        read_die(picture)


def board(
    dice: list[tuple[float, float, float, int, tuple, tuple]], checkers: list[tuple[float, float, tuple]] = ()
) -> tuple[np.ndarray, BoardGeometry]:
    """A green board with points, drawn from above at 24 px/cm and seen at a slant in a 1280 x 720 picture."""
    profile = load_profile("generic")
    scale = 24.0
    w, h = round(profile.field_width * scale), round(profile.field_height * scale)
    flat = np.full((h, w, 3), GREEN, np.uint8)
    for column in range(12):
        x = (column + 0.5) * profile.point_width + (0 if column < 6 else profile.bar_width)
        for base, tip in (
            (0, profile.point_length),
            (profile.field_height, profile.field_height - profile.point_length),
        ):
            wedge = (
                np.array(
                    [[x - 0.48 * profile.point_width, base], [x + 0.48 * profile.point_width, base], [x, tip]]
                )
                * scale
            )
            cv2.fillConvexPoly(
                flat, wedge.astype(np.int32), (60, 70, 150) if column % 2 else (190, 215, 225), cv2.LINE_AA
            )
    middle, half_bar = w // 2, round(profile.bar_width * scale / 2)
    flat[:, middle - half_bar : middle + half_bar] = (40, 55, 80)
    to_flat = lambda x, y: ((x + profile.field_width / 2) * scale, (profile.field_height / 2 - y) * scale)  # noqa: E731
    for x, y, colour in checkers:
        px, py = to_flat(x, y)
        for share, factor in ((1.0, 1.0), (0.7, 0.85), (0.4, 1.0)):
            cv2.circle(
                flat,
                (round(px), round(py)),
                round(profile.checker_diameter / 2 * scale * share),
                tuple(c * factor for c in colour),
                -1,
                cv2.LINE_AA,
            )
    for x, y, angle, value, body, ink in dice:
        draw_die(flat, *to_flat(x, y), profile.die_size * scale, angle, value, body, ink)
    corners = np.array([[300, 90], [985, 80], [1090, 640], [190, 655]], np.float32)
    lens = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), corners)
    picture = cv2.warpPerspective(flat, lens, (1280, 720), flags=cv2.INTER_AREA, borderValue=(90, 95, 100))
    picture = cv2.GaussianBlur(picture, (0, 0), 0.5)
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8), BoardGeometry(profile, corners, (1280, 720))


def test_dice_are_found_read_and_assigned_to_a_half() -> None:
    checkers = [(15.0, -10.0, WHITE), (15.0, -7.2, WHITE), (-12.0, 10.0, BLACK)]
    picture, geometry = board(
        [
            (8.0, 1.0, 0.4, 5, WHITE, BLACK),
            (12.0, -3.0, 1.1, 3, WHITE, BLACK),
            (-9.0, 2.0, 0.2, 6, RED, WHITE),
            (-5.0, -1.0, 0.9, 4, RED, WHITE),
        ],
        checkers,
    )
    # The checkers are known, as in a reading: drawn dice have no sides, and what shows none at such a slant leans.
    places = np.array([c[:2] for c in checkers])
    dice = find_dice(picture, geometry, Orientation("light", "right"), checkers=places)
    seen = sorted((round(float(geometry.unproject([[d.x, d.y]])[0][0])), d.value, d.half) for d in dice)
    assert seen == [(-9, 6, "dark"), (-5, 4, "dark"), (8, 5, "light"), (12, 3, "light")]
    assert not any(d.cocked for d in dice)
    assert {
        d.half for d in find_dice(picture, geometry, Orientation("dark", "right")) if d.value in (5, 3)
    } == {"dark"}


def test_touching_dice_are_two() -> None:
    picture, geometry = board([(6.0, 0.0, 0.0, 2, WHITE, BLACK), (7.45, 0.1, 0.0, 6, WHITE, BLACK)])
    assert sorted(d.value or 0 for d in find_dice(picture, geometry)) == [2, 6]


def test_an_empty_board_with_checkers_shows_no_dice() -> None:
    picture, geometry = board(
        [],
        [
            (x, y, colour)
            for x in (-15.0, -12.0, 8.0, 14.0)
            for y, colour in ((10.0, WHITE), (7.2, WHITE), (-10.0, BLACK))
        ],
    )
    assert find_dice(picture, geometry) == []


def test_dice_beside_the_board_count_only_in_the_shaker() -> None:
    picture, geometry = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK)])
    x, y = geometry.project([[20.8, 0.0]])[0]
    draw_die(picture, x, y, 26, 0.3, 4, WHITE, BLACK)
    assert [d.value for d in find_dice(picture, geometry)] == [5]
    with_shaker = BoardGeometry(
        geometry.profile.with_sizes(shaker=(19.3, -4.0, 22.5, 4.0)), geometry.corners, geometry.image_size
    )
    dice = find_dice(picture, with_shaker)
    assert sorted((d.value, d.half) for d in dice) == [(4, "outside"), (5, "light")]


def test_a_die_leans_only_where_something_is_to_lean_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network's word alone (here: cocked, of any die) is not believed in the open, and more easily beside a checker."""
    picture, geometry = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK), (-9.0, 2.0, 0.2, 6, RED, WHITE)])
    beside = np.array(
        [[8.0 + geometry.profile.checker_diameter / 2 + 0.4 * geometry.profile.die_size, 1.0], [16.0, -12.0]]
    )
    under = np.array([[8.0, 0.2]])  # the top is seen at z = edge, so the die lies a little nearer
    for leaning, open_, at_checker, upon in ((0.99, [], [5], [5]), (0.92, [], [5], [5]), (0.88, [], [], [5]), (0.5, [], [], [5]), (0.2, [], [], [5]), (0.03, [], [], [])):  # fmt: skip
        monkeypatch.setattr(
            pips,
            "read_cocked",
            lambda patches, slants, p=leaning: np.array([[p, 0.0]] * len(patches), np.float32),
        )
        assert [d.value for d in find_dice(picture, geometry, checkers=beside[1:]) if d.cocked] == open_
        assert [d.value for d in find_dice(picture, geometry, checkers=beside) if d.cocked] == at_checker
        assert [d.value for d in find_dice(picture, geometry, checkers=under) if d.cocked] == upon


def test_whether_a_die_leans_is_not_asked_where_nothing_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, geometry = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK)])
    far = np.array([[-9.0, 4.0]])
    asked: list[int] = []
    read_cocked = pips.read_cocked
    monkeypatch.setattr(
        pips,
        "read_cocked",
        lambda patches, slants: (asked.append(len(patches)), read_cocked(patches, slants))[1],
    )
    assert [d.cocked for d in find_dice(picture, geometry, checkers=far)] == [False] and not asked
    find_dice(picture, geometry, checkers=np.array([[8.0, 2.0]]))
    assert asked == [1, 2], "from both sides, where it may lean"


@pytest.mark.parametrize(
    "seen_at, slant, moved",
    [
        ((0.0, -0.6), (0.0, 0.5), True),
        ((0.0, -1.05), (0.0, 0.5), False),
        ((0.6, 0.0), (0.0, 0.5), False),
        ((0.0, -0.6), (0.0, 0.1), False),
        ((0.0, -0.38), (0.0, 0.92), True),
        ((0.0, -0.25), (0.0, 0.92), False),
    ],
    ids=[
        "a face right behind",
        "another die behind it",
        "a face beside it",
        "seen from above",
        "half hidden by its side",
        "itself",
    ],
)
def test_a_side_taken_for_the_top_is_told_by_the_face_behind_it(
    monkeypatch: pytest.MonkeyPatch, seen_at: tuple, slant: tuple, moved: bool
) -> None:
    """A camera below in the picture sees a die's top above its side; the true top lies at `seen_at` (edges from the place)."""
    place = Found("die", 100.0, 100.0, 12.0, 0.6)
    truth = np.array([place.x, place.y]) + np.array(seen_at) * place.edge
    seen = Look([place], np.eye(3), np.zeros((25, 25, 3), np.uint8))
    at: list[Found] = []
    monkeypatch.setattr(
        place_reading,
        "_patch",
        lambda picture, seen, f, size=1.0: at.append(f) or np.zeros((48, 48, 3), np.uint8),
    )

    def glance(patches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        places = at[-len(patches) :]
        aims = [np.clip((truth - (f.x, f.y)) / f.edge, -0.6, 0.6) for f in places]
        return np.eye(7, dtype=np.float32)[[3] * len(patches)], np.array(
            [(*a, 0.0) for a in aims], np.float32
        )

    monkeypatch.setattr(pips, "glance", glance)
    (top,) = place_reading._behind(
        np.zeros((200, 200, 3), np.uint8), seen, [place], [np.array(slant)], [place]
    )
    assert (top != place) == moved
    if moved:
        np.testing.assert_allclose((top.x, top.y), truth, atol=0.01)


@pytest.mark.parametrize("slant", [0.4, 0.6, 1.0])
@pytest.mark.parametrize("yaw", [0.0, 25.0, -45.0])
def test_a_side_that_is_found_beside_the_top_is_no_second_die(slant: float, yaw: float) -> None:
    """The camera looks from the near rim: half an edge beside the top's middle, and half an edge lower."""
    angle = np.radians(yaw)
    places = np.array([[0.0, 0.0], [0.5 * np.sin(angle), -0.5 * np.cos(angle) - 0.5 * slant]])
    edges, slants = np.array([30.0, 26.0]), np.full((2, 2), (0.0, slant))
    both, none = np.array([True, True]), np.array([False, False])
    assert dice_module._sides(places, edges, slants, both, none).tolist() == [False, True]
    assert not dice_module._sides(places, edges, slants, np.array([False, True]), none).any(), (
        "its top is none"
    )


@pytest.mark.parametrize(("value", "sides"), [(1, [False, True]), (3, [False, False])])
def test_a_side_may_seem_larger_than_a_top_with_one_pip(value: int, sides: list[bool]) -> None:
    """A 1 and the five on its side (2100025); two threes that touch."""
    places, slants = np.array([[0.0, 0.0], [0.0, -1.1]]), np.full((2, 2), (0.0, 0.97))
    found = dice_module._sides(
        places, np.array([11.2, 12.6]), slants, np.array([True] * 2), np.array([value == 1, False])
    )
    assert found.tolist() == sides


def test_a_side_closer_than_two_tops_can_lie_is_one_though_the_top_seems_smaller() -> None:
    """As found in a game: the top shows one pip, the side that faces the camera five; the other die lies apart."""
    places = np.array([[-9.91, -2.4], [-4.72, -3.77], [-9.28, -2.91]])
    edges, slants = np.array([10.3, 12.4, 11.7]), np.array([[0.65, 0.47], [0.43, 0.42], [0.62, 0.45]])
    sides = dice_module._sides(places, edges, slants, np.array([True] * 3), np.zeros(3, bool))
    assert sides.tolist() == [False, False, True]


@pytest.mark.parametrize(("edge", "side"), [(10.9, True), (14.5, False)])
def test_what_is_too_small_for_a_second_die_is_a_side_a_little_further_away(edge: float, side: bool) -> None:
    """A five on the side of a 6, on a set in drawn colours; a second die there would be as large as the first."""
    places, slants = np.array([[4.06, 3.27], [3.45, 2.35]]), np.full((2, 2), (0.36, 0.69))
    found = dice_module._sides(
        places, np.array([15.2, edge]), slants, np.array([True] * 2), np.zeros(2, bool)
    )
    assert found.tolist() == [False, side]


def test_dice_are_as_large_as_they_look_and_not_as_the_profile_has_it() -> None:
    """A 2 and the six on its side, .97 of the profile's edges away, on a drawn set whose dice are larger (2660001)."""
    geometry = SimpleNamespace(profile=load_profile("generic"))
    edges = np.array([17.35, 15.57, 14.04])
    larger = dice_module._larger_than_told(edges, geometry)
    assert larger == pytest.approx(1.17, abs=0.01)
    places = np.array([[-5.99, 1.64], [-10.81, 6.02], [-11.4, 6.79]])
    slants = np.array([[0.39, 0.5], [0.55, 0.7], [0.57, 0.73]])
    tops, ones = np.array([True] * 3), np.zeros(3, bool)
    assert not dice_module._sides(places, edges, slants, tops, ones).any()
    assert dice_module._sides(places / larger, edges, slants, tops, ones).tolist() == [False, True, False]
    assert dice_module._larger_than_told(edges[:2], geometry) == 1.0, "a second die is none too many"


@pytest.mark.parametrize(
    ("at", "slant"),
    [((0.0, -1.02), 0.5), ((0.9, -0.5), 0.5), ((0.0, 0.8), 0.5), ((0.0, -0.6), 0.1), ((0.3, -2.0), 1.0)],
    ids=["touching before", "touching at a corner", "behind", "seen from above", "well before"],
)
def test_a_die_near_another_one_is_no_side(at: tuple[float, float], slant: float) -> None:
    places, slants = np.array([(0.0, 0.0), at]), np.full((2, 2), (0.0, slant))
    tops, ones = np.array([True, True]), np.array([False, False])
    assert not dice_module._sides(places, np.array([30.0, 30.0]), slants, tops, ones)[1]


@pytest.mark.parametrize(
    "finder", [{"die": 0.3, "cube": 0.7}, {"cube": 0.7}], ids=["rather a cube", "no die"]
)
@pytest.mark.parametrize(
    ("confidence", "away", "read"),
    [(None, 0, []), (0.95, 5, [5]), (0.95, 1, []), (0.85, 5, [])],
    ids=["the cube is not seen", "it stands elsewhere", "it stands here", "perhaps it stands elsewhere"],
)
def test_what_looks_like_the_cube_is_a_die_where_the_cube_stands_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
    finder: dict[str, float],
    confidence: float | None,
    away: float,
    read: list[int],
) -> None:
    """A die's pips that might be a numeral. finder: how much its place looks like what; away: of the cube, edges of the die."""
    picture, geometry = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK)])
    seen = survey(picture, geometry, margin_of(geometry))
    (die,) = (f for f in seen.found if f.kind == "die")
    look = replace(seen, found=[replace(die, kind=kind, heat=heat) for kind, heat in finder.items()])
    monkeypatch.setattr(dice_module, "SURELY_PIPS", 1.0)
    monkeypatch.setattr(dice_module, "_numeral", lambda *_: 0.5)
    (x, y), (size,) = seen.places([die])[0], seen.sizes([die])
    cube = None if confidence is None else CubeSeen(1, "center", confidence, x, y - away * size)
    assert [d.value for d in find_dice(picture, geometry, seen=look, cube=cube)] == read


def test_what_looks_like_the_cube_is_a_die_where_no_cube_is_seen() -> None:
    """4020003: a six beside a black checker, which the finder took for the cube and for no die at all."""
    picture, geometry = board([(8.0, 1.0, 0.4, 6, WHITE, BLACK)])
    seen = survey(picture, geometry, margin_of(geometry))
    (die,) = (f for f in seen.found if f.kind == "die")
    look = replace(seen, found=[replace(die, kind="cube", heat=0.5)])
    assert [d.value for d in find_dice(picture, geometry, seen=look)] == [6]


def test_what_may_be_the_cube_is_read_though_an_inlay_looks_like_a_dozen_dice() -> None:
    picture, geometry = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK)])
    seen = survey(picture, geometry, margin_of(geometry))
    (die,) = (f for f in seen.found if f.kind == "die")
    inlay = [replace(die, x=die.x - 40 - 4 * k, heat=0.9) for k in range(20)]
    look = replace(seen, found=[*inlay, replace(die, kind="cube", heat=0.5), replace(die, heat=0.3)])
    assert [d.value for d in find_dice(picture, geometry, seen=look)] == [5]


def test_dice_are_told_where_the_cube_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, geometry = board([(8.0, 1.0, 0.4, 5, WHITE, BLACK)])
    cube = CubeSeen(2, "light", 0.95, 40.0, 50.0)
    monkeypatch.setattr(cube_module, "find_cube", lambda *_, **__: cube)
    told: list[CubeSeen] = []
    monkeypatch.setattr(cube_module, "find_dice", lambda *_, **given: told.append(given["cube"]) or [])
    assert cube_module.find_dice_and_cube(picture, geometry) == ([], cube) and told == [cube]


@pytest.mark.parametrize(("value", "read"), [(1, []), (5, [5])])
def test_many_plain_pips_are_no_numeral(monkeypatch: pytest.MonkeyPatch, value: int, read: list[int]) -> None:
    """87_00: a six on the bar."""
    picture, geometry = board([(8.0, 1.0, 0.4, value, WHITE, BLACK)])
    monkeypatch.setattr(dice_module, "_numeral", lambda *_: 0.9)
    assert [d.value for d in find_dice(picture, geometry)] == read


@pytest.mark.parametrize("scene", [53, 54, 67, 100])
def test_a_numeral_is_not_one_pip(scene: int) -> None:
    """Cubes with 4 or 8 up, at the far end of the bar and seen at a slant: each of these was read as a die with one pip."""
    picture, truth = render_still(np.random.default_rng(700000 + scene))
    geometry = BoardGeometry(
        load_profile("generic"), np.array(truth["corners_px"]), (picture.shape[1], picture.shape[0])
    )
    cube = truth["cube"]
    assert cube["face"] in (4, 8)
    dice = find_dice(picture, geometry)
    assert [d for d in dice if np.hypot(d.x - cube["center_px"][0], d.y - cube["center_px"][1]) < 20] == []
    assert dice and {d.value for d in dice} <= {d["value"] for d in truth["dice"]}  # the real ones are


def test_a_patch_can_be_turned() -> None:
    picture = np.zeros((101, 101, 3), np.uint8)
    picture[20:31, 45:56] = 255
    patch = pips.cut_patch(picture, np.eye(3), (50.0, 50.0), 20.0, right=(0.0, -1.0))
    ys, xs = np.nonzero(patch[..., 0] > 128)
    np.testing.assert_allclose((xs.mean(), ys.mean()), (23.5 + 25 * 16 / 20, 23.5), atol=0.6)


def test_options_are_checked() -> None:
    with pytest.raises(InvalidSettingsError, match="least_confidence"):
        DiceOptions(least_confidence=1.5)


def test_a_network_file_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.npz"
    np.savez(path, nothing=np.zeros(3))
    with pytest.raises(InvalidFileError, match=r"odd\.npz"):
        die_network.Network(str(path))


def test_the_network_in_onnx_agrees_with_plain_numpy() -> None:
    rng = np.random.default_rng(0)
    layer = die_network.Layer(
        rng.normal(size=(4, 3, 3, 3)).astype(np.float32),
        rng.normal(size=4).astype(np.float32),
        np.array([2, 1, 1, 1, 1]),
    )
    net = die_network.Network.of(layer)
    x = rng.normal(size=(2, 3, 8, 8)).astype(np.float32)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    plain = np.empty((2, 4, 4, 4), np.float32)
    for i in range(4):
        for j in range(4):
            window = padded[:, :, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3]
            plain[:, :, i, j] = np.einsum("ncij,ocij->no", window, layer.weights) + layer.bias
    np.testing.assert_allclose(net(x), np.maximum(plain, 0), atol=1e-4)


@pytest.mark.slow
def test_real_photographs() -> None:
    """The figures of issue 4 on the photographs kept from tuning (every third)."""
    folder = SHARED / "dice"
    if not folder.is_dir():
        pytest.skip("../shared/data/dice is not here")
    right = wrong = n = 0
    for row in csv.DictReader((folder / "labels.csv").open()):
        if int(row["file"][4:7]) % 3:
            continue
        picture = cv2.imread(str(folder / row["file"]))
        x, y, w, h = (int(row[k]) for k in "xywh")
        reading = read_die(picture[y : y + h, x : x + w])
        n += 1
        right += reading.value == int(row["pips"])
        wrong += reading.value != int(row["pips"]) and reading.confidence >= 0.9
    # Measured: 0.908, none wrong.
    assert right / n >= 0.88
    assert wrong / n <= 0.01


@pytest.mark.slow
def test_dice_on_the_rendered_stills() -> None:
    """What is no die has no value; dice that lie flat are found, and neither misread nor called cocked (stills kept from tuning)."""
    folder = SHARED / "scenes" / "stills"
    if not folder.is_dir():
        pytest.skip("../shared/data/scenes is not here")
    flat = found = wrong = cocked = invented = 0
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        if int(path.stem[-3:]) % 3:
            continue
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        left = find_dice(
            picture,
            BoardGeometry(load_profile("generic"), np.array(truth["corners_px"]), picture.shape[1::-1]),
        )
        for die in truth["dice"]:
            corners = np.array(die["corner_px"])
            reach = 0.8 * float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())
            near = min(
                left,
                key=lambda d: np.hypot(d.x - die["center_px"][0], d.y - die["center_px"][1]),
                default=None,
            )
            if (
                near is not None
                and np.hypot(near.x - die["center_px"][0], near.y - die["center_px"][1]) > reach
            ):
                near = None
            left = [d for d in left if d is not near]
            if die["cocked"] or die["visible"] < 0.6:
                continue
            flat += 1
            found += near is not None
            wrong += near is not None and near.value not in (None, die["value"])
            cocked += near is not None and near.cocked
        invented += sum(d.value is not None and not d.cocked for d in left)
    # Measured: 0.957 found (the aim is 0.98: the others are smears of motion and dice half in shadow), none misread or invented.
    assert found / flat >= 0.93
    assert wrong == 0
    assert cocked <= 1
    assert invented == 0


def test_a_wider_reader_starts_out_saying_what_the_shipped_one_says() -> None:
    torch = pytest.importorskip("torch", reason="torch is only needed for training (extra `train`)")
    from pi_board.vision.training import dice_train

    rng = np.random.default_rng(4)
    patches = die_network.contrast_normalised(
        np.stack([cv2.resize(crop_of(v, WHITE, BLACK, 0.3 * v, 24), (48, 48)) for v in range(1, 7)])
    )
    shipped = pips.network("dice_reader")
    plan = [(2 * p[0], *p[1:4], 2 * p[0] if p[4] > 1 else 1, p[5]) for p in dice_train.READER]
    net = dice_train.build(plan, 10)
    net.load_state_dict(dice_train.unfolded(shipped.layers, net, plan, torch.from_numpy(patches), rng))
    net.eval()
    with torch.no_grad():
        wide = net(torch.from_numpy(patches))[:, :, 0, 0].numpy()
    narrow = np.concatenate([shipped(patches[i : i + 1]).reshape(1, -1) for i in range(len(patches))])
    assert (wide[:, :7].argmax(1) == narrow[:, :7].argmax(1)).all()
    np.testing.assert_allclose(wide, narrow, atol=0.5)


@pytest.mark.parametrize(
    ("away", "values", "third", "as_large"),
    [
        (1.2, (2, 6, 5), 1, 1.0),
        (1.2, (2, 6, 5), 1, 1.2),
        (1.2, (2, 6, 5), None, 1.3),
        (1.2, (None, 6, 5), 1, 1.0),
        (1.6, (2, 6, 5), None, 1.0),
        (1.2, (2, 6), None, 1.0),
        (1.2, (2, None, 5), None, 1.0),
    ],
    ids=[
        "a side",
        "seems large",
        "seems too large",
        "of an unsure top",
        "another die",
        "two are rolled",
        "no number",
    ],
)
def test_of_three_dice_what_lies_before_another_is_its_side(
    away: float, values: tuple[int | None, ...], third: int | None, as_large: float
) -> None:
    """A top, what lies `away` edges before it as a low camera sees it and seems so many times as large, and a die elsewhere."""
    corners = np.array([(100.0, 50.0), (700.0, 50.0), (700.0, 500.0), (100.0, 500.0)])
    geometry = BoardGeometry(load_profile("generic"), corners, (800, 600))
    edge = geometry.profile.die_size
    dice = [DieSeen(value, 0.99, 0.0, 0.0, 20.0) for value in values]
    centimetres = np.array([(4.0, 1.0), (4.0, 1.0 - away * edge), (-9.0, 2.0)])[: len(dice)]
    edges = np.full(len(dice), FINDER_WIDTH * edge / geometry.profile.field_width)
    edges[1] *= as_large
    slants = np.tile((0.0, 0.87), (len(dice), 1))
    assert dice_module._third(dice, centimetres, edges, slants, geometry) == third


def test_patches_that_are_taken_already_keep_how_far_they_miss_the_die() -> None:
    """Those of path-traced rooms (`tests/bench/traced_samples.py --dice`) are learned from as they are, turned only."""
    pytest.importorskip("torch", reason="torch is only needed for training (extra `train`)")
    from pi_board.vision.training import dice_train

    patch = np.full((48, 48, 3), 90, np.uint8)
    row = np.array([5, 0, 0, 1.0, 9.3, 0, 0, 0.1, -0.2, 0.05], np.float32)
    _, rows = dice_train._taken("second", [patch], row[None], np.random.default_rng(3))
    np.testing.assert_allclose(rows[0], row)
