"""Samples of one's own evenings: settled pictures of which nobody doubted what lay there, with the answer beside each.

A sample is two files with one name, `<session>-<number>.jpg` and `.json`; the second is written last, so a picture without
one is no sample. The document (all places in pixels of the sample's picture):

    {"format": 1, "date": "2026-11-20", "profile": "jumbo-travel", "near": "light", "home": "right", "rules": "international",
     "size": [width, height], "corners": [[x, y] × 4: TL TR BR BL of the playing field at board level],
     "position": position document, "dice": [{"value", "x", "y", "size"}]}

`dice` holds those that lay there by the referee's final word; it is empty when none lay there in that picture.
"""

from __future__ import annotations

import contextlib
import json
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidFileError, PiBoardError
from pi_board.rules import Position

Image = npt.NDArray[np.uint8]
FORMAT = 1
#: The board and this much of its size around it is kept (trays, rims); people sit further away. Beyond it all is grey.
MARGIN = 0.18


@dataclass(frozen=True, slots=True)
class Sample:
    """One kept picture. path: of its JPEG; document: see this module; position: what lay there."""

    path: Path
    document: dict[str, Any]
    position: Position

    @property
    def corners(self) -> npt.NDArray[np.float64]:
        return np.asarray(self.document["corners"], np.float64)

    @property
    def size(self) -> int:
        """Bytes of both files, 0 when they have gone meanwhile."""
        with contextlib.suppress(OSError):
            return self.path.stat().st_size + self.path.with_suffix(".json").stat().st_size
        return 0


def read_sample(path: Path) -> Sample:
    """The sample whose document is `path`. Raises InvalidFileError for anything else."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        corners = np.asarray(document["corners"], np.float64)
        if document["format"] != FORMAT or corners.shape != (4, 2):
            raise ValueError("format")
        return Sample(path.with_suffix(".jpg"), document, Position.from_document(document["position"]))
    except (OSError, ValueError, KeyError, TypeError, PiBoardError) as error:
        raise InvalidFileError(
            f"{path}: expected the document of a sample ({type(error).__name__}: {error})"
        ) from None


def samples(folder: Path) -> list[Sample]:
    """All whole samples of a folder, oldest first; what is none is passed over."""
    found = []
    for path in folder.glob("session-*.json"):
        with contextlib.suppress(InvalidFileError):
            sample = read_sample(path)
            if sample.path.is_file():
                found.append(sample)
    return sorted(found, key=lambda s: s.path.name)


def cut_out(image: Image, corners: npt.NDArray[np.float64]) -> tuple[Image, npt.NDArray[np.float64]]:
    """(the board with `MARGIN` around it, everything else grey; `corners` in that picture)."""
    import cv2

    middle = corners.mean(axis=0)
    wide = middle + (corners - middle) * (1 + 2 * MARGIN)
    h, w = image.shape[:2]
    x0, y0 = np.floor(np.clip(wide.min(axis=0), 0, (w - 1, h - 1))).astype(int)
    x1, y1 = np.ceil(np.clip(wide.max(axis=0), (x0 + 1, y0 + 1), (w, h))).astype(int)
    part = image[y0:y1, x0:x1]
    inside = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(wide - (x0, y0)).astype(np.int32), 255)
    kept = np.where(inside[:, :, None] > 0, part, np.uint8(128)).astype(np.uint8)
    return kept, corners - (x0, y0)


def write_sample(folder: Path, name: str, image: Image, document: dict[str, Any]) -> None:
    """Both files, the document last and whole or not at all. Raises OSError."""
    import cv2

    folder.mkdir(parents=True, exist_ok=True)
    picture = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    for suffix, data in ((".jpg", picture), (".json", json.dumps({"format": FORMAT, **document}).encode())):
        passing = folder / f".{name}{suffix}"
        passing.write_bytes(data)
        os.replace(passing, folder / f"{name}{suffix}")


def tidy(folder: Path, *, megabytes: int, count: int) -> None:
    """The oldest samples go when there are too many or too much. Raises OSError."""
    found = samples(folder)
    total = sum(s.size for s in found)
    while found and (len(found) > count or total > megabytes * 1_000_000):
        oldest = found.pop(0)
        total -= oldest.size
        # Delete the document first: if the power fails now, the remaining picture alone is no sample.
        oldest.path.with_suffix(".json").unlink(missing_ok=True)
        oldest.path.unlink(missing_ok=True)


def export(found: list[Sample], target: Path, licence: str) -> None:
    """A zip archive for giving away: the samples, and under which licence they are. Raises OSError, FileExistsError too."""
    passing = target.with_name(f".{target.name}.part")
    if target.exists():
        raise FileExistsError(17, "is there already", str(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(passing, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("LICENCE.txt", licence.strip() + "\n")
        for sample in found:
            for path in (sample.path, sample.path.with_suffix(".json")):
                archive.write(path, f"samples/{path.name}")
    os.replace(passing, target)
