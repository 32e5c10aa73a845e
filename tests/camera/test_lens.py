"""The lens from views of the printed sheet, and pictures without its bend."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from pi_board.camera import CameraOptions, open_camera
from pi_board.camera.folder import FolderCamera
from pi_board.camera.lens import Lens, LensViews, StraightCamera, edge_bend, find_sheet, load_lens, save_lens
from pi_board.cli import main
from pi_board.errors import AmbiguousError, CameraError, InvalidFileError
from pi_board.setup.settings import load_settings

SIZE = (640, 360)
TRUE = Lens(
    SIZE,
    np.array([[430.0, 0, 331], [0, 432.0, 172], [0, 0, 1]]),
    np.array([-0.22, 0.05, 0.001, -0.0005, 0.0]),
)
#: Where the middle of the sheet is held (cm right, down, away) and how it is tilted (degrees about x, y, z).
PLACES = [
    ((0, 0, 34), (0, 0, 0)), ((-9, -4, 36), (20, 0, 4)), ((9, -4, 36), (0, 22, 0)), ((-9, 4, 36), (0, -24, 6)), ((9, 4, 36), (-22, 0, 3)),
    ((0, 0, 46), (28, 10, 0)), ((-16, -7, 48), (-10, 20, 0)), ((16, 7, 48), (12, -18, 10)), ((16, -7, 48), (0, 25, 20)),
    ((-16, 7, 48), (-15, -15, -8)), ((0, -7, 40), (-30, 0, 0)), ((0, 7, 40), (30, 0, 0)),
]  # fmt: skip


def sheet(per_cm: int = 24) -> npt.NDArray[np.uint8]:
    """The printed sheet, 30 × 22.5 cm with its white rim, row 0 on top."""
    cells = np.kron(np.indices((7, 10)).sum(axis=0) % 2 * 215 + 20, np.ones((2 * per_cm + per_cm // 2,) * 2))
    return np.pad(cells.astype(np.uint8), 2 * per_cm, constant_values=235)


def photograph(place: tuple[float, ...], tilt: tuple[float, ...], per_cm: int = 24) -> npt.NDArray[np.uint8]:
    """What a camera with the lens TRUE sees of the sheet: every pixel's ray is met with the sheet's plane."""
    texture = sheet(per_cm)
    turn = np.linalg.multi_dot([cv2.Rodrigues(np.radians(tilt[i]) * np.eye(3)[i])[0] for i in range(3)])
    grid = (
        np.stack(np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1])), axis=-1)
        .reshape(-1, 1, 2)
        .astype(np.float64)
    )
    rays = cv2.undistortPoints(grid, TRUE.matrix, TRUE.distortion).reshape(-1, 2)
    rays = np.column_stack([rays, np.ones(len(rays))])
    normal, middle = turn[:, 2], np.array(place, float)
    on_sheet = (rays * (normal @ middle / (rays @ normal))[:, None] - middle) @ turn
    x = (on_sheet[:, 0] * per_cm + texture.shape[1] / 2).reshape(SIZE[::-1]).astype(np.float32)
    y = (on_sheet[:, 1] * per_cm + texture.shape[0] / 2).reshape(SIZE[::-1]).astype(np.float32)
    grey = cv2.remap(texture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=120)
    noisy = np.random.default_rng(len(str(place))).normal(0, 2, grey.shape) + grey
    return cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


@pytest.fixture(scope="module")
def views() -> list[npt.NDArray[np.uint8]]:
    return [photograph(*p) for p in PLACES]


def bow(points: npt.NDArray[np.float32]) -> float:
    """Largest distance, px, of the sheet's corners from straight lines through the ends of their rows."""
    worst = 0.0
    for row in points.reshape(6, 9, 2).astype(float):
        (ax, ay), (bx, by) = row[0], row[-1]
        worst = max(
            worst,
            float(
                np.abs((bx - ax) * (row[:, 1] - ay) - (by - ay) * (row[:, 0] - ax)).max()
                / np.hypot(bx - ax, by - ay)
            ),
        )
    return worst


def test_the_lens_that_took_the_pictures_is_found(views: list[npt.NDArray[np.uint8]]) -> None:
    collected = LensViews()
    assert [collected.add(v) for v in views] == [True] * len(views)
    assert not collected.add(views[3]) and not collected.add(np.full_like(views[0], 90)), (
        "seen before; nothing to see"
    )
    lens = collected.measure()
    assert lens.error < 0.3
    assert np.abs(lens.matrix - TRUE.matrix).max() < 6
    assert lens.distortion[0] == pytest.approx(TRUE.distortion[0], abs=0.03)
    # What counts in the end: the lines.
    bent = find_sheet(views[1])
    camera = StraightCamera(FolderCameraOf(views[1]), lens)
    frame = camera.read()
    assert frame is not None and frame.image.shape == views[1].shape
    straight = find_sheet(frame.image)
    assert bent is not None and straight is not None
    assert bow(bent) > 1.5 and bow(straight) < 0.5
    assert edge_bend(lens) == pytest.approx(edge_bend(TRUE), abs=0.005) and edge_bend(TRUE) > 0.02


class FolderCameraOf(FolderCamera):
    """One picture."""

    def __init__(self, image: npt.NDArray[np.uint8]) -> None:
        self.image, self.description = image, "one picture"

    def read(self, timeout: float | None = None):  # type: ignore[no-untyped-def]
        from pi_board.frame import Frame

        return Frame(self.image, 0.0, 0)


def test_what_is_missing_is_said(views: list[npt.NDArray[np.uint8]]) -> None:
    few = LensViews()
    for view in views[:3]:
        few.add(view)
    with pytest.raises(AmbiguousError, match="seen in 3 different places, expected 8 or more"):
        few.measure()
    with pytest.raises(CameraError, match="320×180 among pictures of 640×360"):
        few.add(views[0][::2, ::2])
    # All in the middle: nothing is known of the rim, where lenses bend.
    middle, seen = LensViews(), find_sheet(views[0])
    assert seen is not None and middle.add(views[0])
    middle._views = [seen + np.float32(5 * i) for i in range(8)]
    with pytest.raises(AmbiguousError, match="of the picture, expected 40%"):
        middle.measure()


def test_file_and_other_sizes(tmp_path: Path) -> None:
    save_lens(TRUE, tmp_path / "new" / "lens.toml")
    again = load_lens(tmp_path / "new" / "lens.toml")
    assert (
        again.size == TRUE.size
        and np.allclose(again.matrix, TRUE.matrix)
        and np.allclose(again.distortion, TRUE.distortion)
    )
    double = TRUE.scaled((1280, 720))
    assert np.allclose(double.matrix[:2], 2 * TRUE.matrix[:2]) and np.allclose(
        double.distortion, TRUE.distortion
    )
    with pytest.raises(CameraError, match="640×480; measure it again"):
        TRUE.scaled((640, 480))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read"),
        ("size = [", "not valid TOML"),
        ("size = [640, 360]", "matrix: expected 4 numbers, got None"),
        ("size = [640, 0]", "size: expected 2 numbers"),
        ("size = [640, 360]\nmatrix = [1, 2, 3, nan]", "matrix: expected 4 numbers"),
        (
            "size = [640, 360]\nmatrix = [1, 2, 3, 4]\ndistortion = [1, 2, 3, 4, true]",
            "distortion: expected 5 numbers",
        ),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path: Path, text: str | None, message: str) -> None:
    file = tmp_path / "lens.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(InvalidFileError, match=message) as caught:
        open_camera(CameraOptions(backend="opencv", source="0", lens=str(file)))
    assert str(file) in str(caught.value) and "\n" not in str(caught.value)


def test_command(
    tmp_path: Path,
    views: list[npt.NDArray[np.uint8]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "sheets").mkdir()
    views = views[:9]
    for i, view in enumerate(views):
        cv2.imwrite(str(tmp_path / "sheets" / f"{i}.png"), view)
    settings = tmp_path / "settings.toml"
    settings.write_text(
        f'[camera]\nbackend = "folder"  # mine\nsource = "{tmp_path / "sheets"}"\n[board]\ncorners = "1,1 9,1 9,9 1,9"\n'
    )
    sheets = str(tmp_path / "sheets")
    assert main(["calibrate", "--config", str(settings), "--lens", sheets, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (
        document["views"] == len(views)
        and document["saved"] == str(tmp_path / "lens.toml")
        and document["error"] < 0.3
    )
    found = load_settings(settings)
    assert (
        found.camera.lens == str(tmp_path / "lens.toml")
        and found.board.corners == ""
        and "# mine" in settings.read_text()
    )
    with open_camera(found.camera) as camera:
        frame = camera.read()
    assert frame is not None and "lens straightened" in camera.description
    assert not np.array_equal(frame.image, views[0])
    # A folder that shows no sheet.
    (tmp_path / "other").mkdir()
    cv2.imwrite(str(tmp_path / "other" / "a.png"), np.full((360, 640, 3), 90, np.uint8))
    assert main(["calibrate", "--config", str(settings), "--lens", str(tmp_path / "other"), "--json"]) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1 and "seen in 0 different places" in err
