from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.camera import Camera, CameraOptions, open_camera
from pi_board.camera.folder import FolderCamera
from pi_board.errors import CameraError, InvalidFileError


def write_pictures(folder: Path, count: int) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(1)
    names = [f"shot_{i}.png" for i in range(8, 8 + count)]
    for name in names:
        cv2.imwrite(str(folder / name), rng.integers(0, 255, (48, 64, 3), np.uint8))
    return names


def test_name_order_counts_numbers(tmp_path: Path) -> None:
    names = write_pictures(tmp_path, 4)
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / ".hidden.png").write_bytes(b"x")
    with FolderCamera(tmp_path, fps=5) as camera:
        assert isinstance(camera, Camera)
        frames = list(camera.frames())
    assert [f.name for f in frames] == names == ["shot_8.png", "shot_9.png", "shot_10.png", "shot_11.png"]
    assert [f.seq for f in frames] == [0, 1, 2, 3]
    assert [f.time for f in frames] == pytest.approx([0, 0.2, 0.4, 0.6])
    assert frames[0].image.dtype == np.uint8 and frames[0].image.shape == (48, 64, 3)


def test_broken_picture_is_skipped_and_named(tmp_path: Path) -> None:
    write_pictures(tmp_path, 2)
    (tmp_path / "shot_8.png").write_bytes(b"not a picture")
    (tmp_path / "shot_85.png").write_bytes(b"")
    camera = FolderCamera(tmp_path)
    assert [f.name for f in camera.frames()] == ["shot_9.png"]
    assert len(camera.skipped) == 2 and "shot_8.png" in camera.skipped[0]


def test_repeat_starts_again(tmp_path: Path) -> None:
    write_pictures(tmp_path, 2)
    camera = FolderCamera(tmp_path, repeat=True)
    frames = [camera.read() for _ in range(5)]
    assert [f.name for f in frames if f] == ["shot_8.png", "shot_9.png"] * 2 + ["shot_8.png"]
    assert [f.seq for f in frames if f] == list(range(5))
    camera.close()
    assert camera.read() is None


def file_in(folder: Path) -> Path:
    path = folder / "a.png"
    path.write_bytes(b"")
    return path


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: p / "nowhere", "no such folder"),
        (lambda p: p, "no pictures"),
        (file_in, "expected a folder"),
    ],
)
def test_unusable_folder_is_one_line(tmp_path: Path, make, message: str) -> None:
    with pytest.raises(InvalidFileError, match=message) as caught:
        open_camera(CameraOptions(backend="folder", source=str(make(tmp_path))))
    assert "\n" not in str(caught.value)


def test_folder_of_undecodable_pictures(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no")
    with pytest.raises(CameraError, match="none of its 1 pictures"):
        FolderCamera(tmp_path).read()


def test_upside_down(tmp_path: Path) -> None:
    write_pictures(tmp_path, 1)
    a, b = FolderCamera(tmp_path).read(), FolderCamera(tmp_path, rotate=180).read()
    assert a is not None and b is not None and np.array_equal(a.image, b.image[::-1, ::-1])


@pytest.mark.parametrize(("rotate", "quarters"), [(90, 3), (270, 1)])
def test_beside_the_board(tmp_path: Path, rotate: int, quarters: int) -> None:
    write_pictures(tmp_path, 1)
    a, b = FolderCamera(tmp_path).read(), FolderCamera(tmp_path, rotate=rotate).read()
    assert a is not None and b is not None and b.image.flags.c_contiguous
    assert np.array_equal(np.rot90(a.image, quarters), b.image), "clockwise by so many degrees"
