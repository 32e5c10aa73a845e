"""When a live picture is searched for the board."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.errors import AmbiguousError
from pi_board.frame import Frame
from pi_board.session import finding_reader
from pi_board.session.finding_reader import FindingReader
from pi_board.session.search_pace import IN_VAIN, NEVER_RESTS, SearchPace
from pi_board.vision.board.registration import Registration
from pi_board.vision.profile import load_profile

TABLE = np.full((480, 640, 3), 90, np.uint8)


def with_arm(x: int) -> np.ndarray:
    out = TABLE.copy()
    out[100:300, x : x + 200] = (140, 170, 220)
    return out


def asked(pace: SearchPace, *pictures: np.ndarray, start: float = 0.0, every: float = 0.1) -> list[str]:
    return [pace.ask(picture, start + every * i) for i, picture in enumerate(pictures)]


def test_the_first_picture_gets_a_glance_and_the_same_once_more_a_search() -> None:
    assert asked(SearchPace(), *[TABLE] * 3) == ["glance", "search", ""]


def test_while_somebody_lays_the_board_there_nothing_is_searched() -> None:
    moving = [with_arm(20 * i) for i in range(12)]
    said = asked(SearchPace(), TABLE, *moving, moving[-1], moving[-1])
    assert said == ["glance", *[""] * 12, "glance", "search"]


def test_a_scene_that_never_rests_is_searched_all_the_same() -> None:
    pace = SearchPace()
    said = [(0.5 * i, pace.ask(with_arm(20 * (i % 10)), 0.5 * i)) for i in range(60)]
    searched = [t for t, how in said if how == "search"]
    assert searched[0] == pytest.approx(NEVER_RESTS + 0.5)
    assert np.diff(searched).tolist() == pytest.approx([IN_VAIN, 2 * IN_VAIN, 4 * IN_VAIN])


def test_where_the_search_was_in_vain_it_is_repeated_ever_more_seldom_until_the_scene_changes() -> None:
    pace = SearchPace()
    said = [(float(t), pace.ask(TABLE, float(t))) for t in range(170)]
    searched = [t for t, how in said if how == "search"]
    assert np.diff(searched).tolist() == [IN_VAIN * 2**k for k in range(5)]
    arm = with_arm(0)
    assert asked(pace, arm, arm, arm, start=170.0) == ["", "glance", "search"]


def test_a_slow_search_rests_twice_as_long_as_it_took() -> None:
    pace = SearchPace()
    assert asked(pace, TABLE, TABLE) == ["glance", "search"]
    assert [pace.ask(TABLE, t) for t in (20.1, 59.9, 60.2)] == ["", "", "search"]


@pytest.mark.parametrize(
    ("found", "ways"),
    [
        (None, ["glance", "search", "glance on its side"]),
        (0.5, ["glance", "search", "glance on its side"]),
        (0.95, ["glance"]),
    ],
    ids=["nothing", "hardly", "plainly"],
)
def test_what_a_glance_does_not_plainly_show_is_searched_for(
    monkeypatch: pytest.MonkeyPatch, found: float | None, ways: list[str]
) -> None:
    searched: list[str] = []

    def find(image: np.ndarray, profile: object, *, quick: bool) -> Registration:
        on_its_side = image.shape != TABLE.shape
        searched.append(("glance" if quick else "search") + " on its side" * on_its_side)
        if found is None or not quick:
            raise AmbiguousError("no board")
        corners = np.array([[100.0, 80], [540, 80], [540, 400], [100, 400]])
        return Registration(corners, None, profile, (640, 480), found, "found")  # type: ignore[arg-type]

    monkeypatch.setattr(finding_reader, "find_board", find)
    reader = FindingReader(load_profile("generic"))
    for i in range(3):
        reader.look(Frame(TABLE, 0.1 * i, i))
        if reader.reader is not None:
            break
    assert searched == ways
    assert (reader.reader is None) == (found is None or found < 0.9)
