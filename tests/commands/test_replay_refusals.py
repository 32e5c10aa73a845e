"""What `pi-board replay` says of pictures that it can do nothing with: which one, and how many there were."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.cli import main


def folder_of(tmp_path: Path, **sides: int) -> Path:
    """A folder of square black pictures: name=pixels a side."""
    for name, side in sides.items():
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.zeros((side, side, 3), np.uint8))
    return tmp_path


@pytest.mark.parametrize("corners", [[], ["--corners", "100,100 300,100 300,300 100,300"]])
def test_a_picture_too_small_is_named(
    corners: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # "Expected at least 100 pixels" alone leaves a person searching in a folder of hundreds.
    assert main(["replay", str(folder_of(tmp_path, a_tiny=1, b_large=400)), *corners]) == 2
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert f"{tmp_path}: picture a_tiny.png: " in line and "got 1x1" in line


@pytest.mark.parametrize(
    ("names", "says"),
    [(("a",), "in the one picture no board was found"), (("a", "b", "c"), "in none of 3 pictures")],
)
def test_pictures_are_counted_not_looks_at_them(
    names: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Each picture of a folder is looked at more than once.
    assert main(["replay", str(folder_of(tmp_path, **dict.fromkeys(names, 400)))]) == 1
    assert says in capsys.readouterr().err
