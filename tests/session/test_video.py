"""Videos with the container's clock, cut-off files, slide shows, and pictures that lie on their side."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.camera.turned import turned
from pi_board.cli import main
from pi_board.errors import InvalidFileError
from pi_board.rules import STARTING_POSITION
from pi_board.session.upright import Upright, read_any_way_up
from pi_board.session.video import Video, clock
from pi_board.simulator import SimulatedTable, SimulatorOptions
from pi_board.vision.profile import load_profile
from pi_board.vision.still import read_image

SIZE = (320, 180)


def write(path: Path, images: Iterable[np.ndarray], fps: float = 10.0) -> Path:
    out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, SIZE)
    for image in images:
        out.write(image)
    out.release()
    return path


def pictures(count: int) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [cv2.resize(rng.integers(0, 255, (9, 16, 3), np.uint8), SIZE) for _ in range(count)]


@pytest.mark.parametrize(("each", "slides"), [(8, 6), (2, None), (1, None)])
def test_slides(tmp_path: Path, each: int, slides: int | None) -> None:
    found = Video(write(tmp_path / "v.avi", [p for p in pictures(6) for _ in range(each)])).slides()
    assert (found and len(found)) == slides
    if found:
        assert list(found) == [each * i + each // 2 for i in range(6)]
        assert list(found.values()) == pytest.approx([n / 10 for n in found])


def test_a_hand_that_comes_and_goes_is_no_slide_show(tmp_path: Path) -> None:
    frames = []
    for picture in pictures(6):
        frames += [picture] * 8
        for x in (20, 60, 100):
            with_hand = picture.copy()
            cv2.circle(with_hand, (x, 90), 30, (90, 120, 180), -1)
            frames.append(with_hand)
    assert Video(write(tmp_path / "v.avi", frames)).slides() is None


def test_a_file_that_breaks_off_says_so(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.avi", pictures(60))
    video = Video(whole)
    assert len(list(video.frames())) == 60 and video.cut_short == "" and video.seconds == pytest.approx(6.0)
    data = whole.read_bytes()
    (tmp_path / "cut.avi").write_bytes(data[: len(data) // 3])
    cut = Video(tmp_path / "cut.avi")
    assert 5 < len(list(cut.frames())) < 30 and "of 60 pictures" in cut.cut_short


@pytest.mark.parametrize("content", [b"", b"no video at all" * 100], ids=["empty", "text"])
def test_no_video(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "v.mp4").write_bytes(content)
    with pytest.raises(InvalidFileError, match="is not a video"):
        Video(tmp_path / "v.mp4")


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="needs ffmpeg")
def test_time_stamps_of_the_container(tmp_path: Path) -> None:
    source = write(tmp_path / "v.avi", pictures(40))
    vary = "select='lt(n,20)+not(mod(n,4))'"
    out = tmp_path / "vary.mkv"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-i", source, "-vf", vary, "-fps_mode", "vfr", "-c:v", "mjpeg", out],
        check=True,
        timeout=60,
    )
    times = [frame.time for frame in Video(out).frames()]
    assert times == pytest.approx(
        [*(n / 10 for n in range(20)), *(n / 10 for n in range(20, 40, 4))], abs=0.002
    )


def test_clock() -> None:
    assert [clock(s) for s in (0, 12.34, 59.96, 3725)] == ["0:00.0", "0:12.3", "1:00.0", "1:02:05.0"]


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    frame = SimulatedTable(SimulatorOptions(seed=3, width=960, height=540)).next_frame()
    assert frame is not None
    return frame.image


@pytest.mark.slow
@pytest.mark.parametrize("quarters", range(4))
def test_every_quarter_turn_is_undone(table: np.ndarray, quarters: int) -> None:
    upright = Upright(load_profile("jumbo-travel"), STARTING_POSITION, "light", "right")
    image = upright.turn(turned(table, 90 * quarters), 0.0)
    assert upright.decided and np.array_equal(image, table)
    assert bool(upright.words) == bool(quarters)


@pytest.mark.parametrize(("degrees", "edge"), [(90, "left"), (270, "right")])
def test_a_photo_of_a_board_on_its_side_is_read(table: np.ndarray, degrees: int, edge: str) -> None:
    """Whatever was photographed lies where it lies in the picture, and the starting position tells who sits where."""
    profile, image = load_profile("jumbo-travel"), turned(table, degrees)
    upright = read_image(table, profile=profile)
    on_side = read_any_way_up(image, profile=profile, near="light", home="right")
    assert on_side.position == upright.position == STARTING_POSITION
    assert f"{edge}-hand edge" in str(on_side.note)
    assert on_side.corners is not None and upright.corners is not None
    # (A white dot at each corner, turned with the picture.)
    for found, was in zip(on_side.corners, upright.corners, strict=True):
        dot = np.zeros(table.shape[:2], np.uint8)
        dot[round(was[1]), round(was[0])] = 255
        (row,), (column,) = turned(dot, degrees).nonzero()
        assert np.hypot(found[0] - column, found[1] - row) < 3


def test_without_a_board_nothing_is_turned_and_tries_become_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    upright = Upright(load_profile("generic"), STARTING_POSITION, "light", "right")
    tried: list[float] = []
    monkeypatch.setattr(upright, "_decide", lambda _: tried.append(now))
    for tick in range(400):
        now = tick / 10
        upright.turn(np.zeros((9, 16, 3), np.uint8), now)
    assert tried == [0, 1, 3, 7, 15, 31] and upright.words == "" and not upright.decided


@pytest.mark.parametrize("spread", [4, pytest.param(127, marks=pytest.mark.slow)])
def test_noise_is_exit_1_with_the_reason(
    spread: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(2)
    shape = (SIZE[1], SIZE[0], 3)
    noise = write(
        tmp_path / "v.avi", (rng.integers(128 - spread, 128 + spread, shape, np.uint8) for _ in range(4))
    )
    assert main(["replay", str(noise), "--json"]) == 1
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert (
        [e["type"] for e in document["events"]] in ([], ["match_started"])
        and document["final"] is None
        and document["turned"] == 0
    )
    assert err.count("\n") == 1 and "nothing was refereed" in err and "no board found" in err


def test_a_board_and_nothing_else_is_exit_1(
    tmp_path: Path, table: np.ndarray, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), table)
    assert main(["replay", str(tmp_path), "--profile", "jumbo-travel", "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["final"] == STARTING_POSITION.to_document()
    assert "the board was seen" in err and "no roll" in err
