"""What is written as a clip, OpenCV's FFmpeg reads: as many pictures, as fast, the same ones."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.record.motion_jpeg import write_motion_jpeg


@pytest.mark.parametrize(
    ("size", "fps", "number"), [((640, 360), 5.0, 12), ((161, 121), 3.7, 3), ((320, 240), 29.97, 1)]
)
def test_a_clip_is_read_as_it_was_written(
    tmp_path: Path, size: tuple[int, int], fps: float, number: int
) -> None:
    wide, high = size
    across = np.linspace(0, 120, wide, dtype=np.float32)
    images = [np.repeat((across + 7 * i)[None, :, None], high, 0).repeat(3, 2).astype(np.uint8) for i in range(number)]  # fmt: skip
    # (JPEGs of odd length are padded in the file.)
    jpegs = [cv2.imencode(".jpg", image)[1].tobytes() + b"\0" * (i % 2) for i, image in enumerate(images)]
    path = tmp_path / "clip.avi"
    write_motion_jpeg(path, size, fps, iter(jpegs))
    data = path.read_bytes()
    assert int.from_bytes(data[4:8], "little") == len(data) - 8
    clip = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    assert clip.get(cv2.CAP_PROP_FPS) == pytest.approx(fps, abs=1e-3)
    assert clip.get(cv2.CAP_PROP_FRAME_COUNT) == number
    for image in images:
        good, read = clip.read()
        assert good and read.shape == image.shape and np.abs(read.astype(int) - image).mean() < 3
    assert not clip.read()[0]


def test_the_index_says_where_each_picture_is(tmp_path: Path) -> None:
    """Players seek by it."""
    jpegs = [b"first", b"the second", b"3rd"]
    path = tmp_path / "clip.avi"
    write_motion_jpeg(path, (16, 16), 5.0, jpegs)
    data = path.read_bytes()
    movi, index = data.index(b"movi"), data.index(b"idx1") + 8
    for i, jpeg in enumerate(jpegs):
        entry = data[index + 16 * i : index + 16 * (i + 1)]
        place, length = (int.from_bytes(entry[k : k + 4], "little") for k in (8, 12))
        at = movi + place
        assert data[at : at + 4] == b"00dc" and data[at + 8 : at + 8 + length] == jpeg


def test_a_clip_without_pictures_is_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "clip.avi"
    write_motion_jpeg(path, (16, 16), 5.0, [])
    assert int.from_bytes(path.read_bytes()[4:8], "little") == path.stat().st_size - 8
