"""The last picture of a rest: told from motion, kept once, and delivered to a reader that was busy."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from pi_board.camera import CameraOptions
from pi_board.camera.rest import RestWatch
from pi_board.camera.supervised import SupervisedCamera
from pi_board.frame import Frame
from tests.camera.faulty import resting

ROOM = np.random.default_rng(2).integers(30, 200, (24, 32, 3)).astype(np.uint8).repeat(10, 0).repeat(10, 1)


def picture(seq: int, hand: int | None, light: int = 0) -> Frame:
    """hand: column of a hand over the board."""
    image = ROOM // 2 + light + np.random.default_rng(seq).integers(0, 5, ROOM.shape, np.uint8)
    if hand is not None:
        image[60:180, hand : hand + 60] = (90, 120, 180)
    return Frame(image.astype(np.uint8), seq / 10, seq)


@pytest.mark.parametrize(
    ("hands", "ended"),
    [
        ([None] * 8, []),
        ([None] * 8 + [20, 40, 60], [3, 7]),
        ([None] * 4 + [20, 40, 60], [3]),
        ([None] * 2 + [20, 40, 60], []),
        ([20, 40, 60] + [None] * 6 + [20, 60], [6, 8]),
        ([None] * 7 + [20, 60] + [100] * 7 + [140], [3, 6, 13, 15]),
    ],
    ids=["rest", "one rest", "one of one picture", "too short", "after a hand", "two rests"],
)
def test_two_pictures_from_before_the_motion_are_kept(hands: list[int | None], ended: list[int]) -> None:
    watch = RestWatch()
    kept = [f for seq, hand in enumerate(hands) for f in watch.see(picture(seq, hand))]
    assert [f.seq for f in kept] == ended
    assert all(f.rested >= 0.29 for f in kept)
    taken = [watch.take(-1) for _ in range(len(ended) + 1)]
    assert [f.seq for f in taken if f is not None] == ended, "each once"


def test_a_pause_of_a_hand_is_not_read_where_the_board_lay_still_for_longer() -> None:
    watch = RestWatch()
    for seq, hand in enumerate([None] * 10 + [20] + [60] * 5 + [100, 140]):
        watch.see(picture(seq, hand))
    taken = [watch.take(-1) for _ in range(3)]
    assert [f.seq for f in taken if f is not None] == [3, 9]


def test_what_has_been_seen_is_not_given_again() -> None:
    watch = RestWatch()
    for seq, hand in enumerate([None] * 8 + [20]):
        watch.see(picture(seq, hand))
    last = watch.take(4)
    assert last is not None and last.seq == 7
    assert watch.take(7) is None


def test_a_lamp_is_no_motion() -> None:
    watch = RestWatch()
    assert [watch.see(picture(seq, None, light=3 * seq)) for seq in range(9)] == [[]] * 9


def test_a_busy_reader_gets_the_rest_that_it_missed(tmp_path: Path) -> None:
    options = CameraOptions(
        backend="opencv", source=str(tmp_path / "rests"), timeout=60.0, start_timeout=60.0, frozen_after=0.0
    )
    with SupervisedCamera(options, opener=resting) as camera:
        first = camera.read()
        assert first is not None and first.rested == 0
        (tmp_path / "go").touch()
        while not (tmp_path / "moving").exists():
            time.sleep(0.01)
        last_still = int((tmp_path / "moving").read_text())
        missed = []
        while (newest := camera.read()) is not None and newest.rested > 0:
            missed.append(newest)
        assert 1 <= len(missed) <= 2 and missed[-1].seq == last_still
        assert missed[-1].image.shape == first.image.shape and int(missed[-1].image[0, 0, 0]) == 50
        assert newest is not None and newest.seq > last_still
