"""`pi-board read`: the JSON contract and its edges."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from pi_board.cli import main
from pi_board.rules import Position
from pi_board.vision.training.pictures import Photo, make_photo

#: A whole PNG file of one pixel.
TINY = cv2.imencode(".png", np.zeros((1, 1, 3), np.uint8))[1].tobytes()


@pytest.fixture(scope="module")
def photo() -> Photo:
    return make_photo(np.random.default_rng(9_000_003), hardness=0.0, hand=False)


@pytest.fixture
def picture(photo: Photo, tmp_path: Path) -> Path:
    path = tmp_path / "board 1.png"
    cv2.imwrite(str(path), photo.image)
    return path


def corners_text(photo: Photo) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in photo.corners)


def test_one_picture_is_one_object(photo: Photo, picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(picture), "--corners", corners_text(photo), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["file"] == str(picture)
    position = Position.from_document(document["position"])
    assert document["xgid"].startswith("XGID=")
    assert Position.from_xgid(document["xgid"]) == position
    assert np.allclose(document["corners"], photo.corners, atol=0.1)
    assert 0 <= document["confidence"] <= 1
    assert document["hand"] in (True, False)
    assert all({"value", "cocked", "x", "y"} <= set(d) for d in document["dice"])


def test_several_pictures_are_a_list(photo: Photo, picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(picture), str(picture), "--corners", corners_text(photo), "--json"]) == 0
    assert [d["file"] for d in json.loads(capsys.readouterr().out)] == [str(picture)] * 2


def test_near_dark_renumbers(photo: Photo, picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = {}
    for near in ("light", "dark"):
        assert main(["read", str(picture), "--corners", corners_text(photo), "--near", near, "--json"]) == 0
        found[near] = json.loads(capsys.readouterr().out)["position"]["points"]
    assert found["dark"] == found["light"][::-1]


def test_a_picture_of_nothing_is_refused_not_guessed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "black.png"
    cv2.imwrite(str(path), np.zeros((480, 640, 3), np.uint8))
    assert main(["read", str(path), "--json"]) == 1
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert document["position"] is None
    assert document["xgid"] is None
    assert said.err == f"{path}: not read: {document['refusal']}\n"


def test_one_picture_that_was_read_is_enough(
    photo: Photo, picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = tmp_path / "black.png"
    cv2.imwrite(str(nothing), np.zeros((photo.image.shape), np.uint8))
    assert main(["read", str(nothing), str(picture), "--corners", corners_text(photo)]) == 0
    said = capsys.readouterr()
    assert said.err.startswith(f"{nothing}: not read: ")
    assert f"{picture}: confidence " in said.out


def test_text_for_people(photo: Photo, picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(picture), "--corners", corners_text(photo)]) == 0
    out = capsys.readouterr().out
    assert "confidence" in out
    assert "XGID=" in out


@pytest.mark.parametrize(
    ("name", "content", "extra", "says"),
    [
        ("missing.jpg", None, [], "missing.jpg"),
        ("text.jpg", b"no picture", [], "text.jpg"),
        ("empty.jpg", b"", [], "empty.jpg"),
        ("folder", None, [], "is a folder"),
        pytest.param("tiny.png", TINY, [], "tiny.png", id="tiny"),
        ("good", b"", ["--corners", "1,2 3"], "corners"),
        ("good", b"", ["--corners", "50,50 600,430 600,50 50,430"], "corners"),
        ("good", b"", ["--profile", "no-such-board"], "no-such-board"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    name: str,
    content: bytes | None,
    extra: list[str],
    says: str,
    picture: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = picture if name == "good" else tmp_path / name
    if name == "folder":
        path.mkdir()
    if content is not None and name != "good":
        path.write_bytes(content)
    assert main(["read", str(path), *extra]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err
    assert len(captured.err.strip().splitlines()) == 1
