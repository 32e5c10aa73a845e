"""Refereeing recorded pictures: a video as if live, or a folder where each picture is one settled look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from pi_board.errors import InvalidFileError
from pi_board.events import Event
from pi_board.frame import Frame
from pi_board.output import Moment

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
#: Seconds between two looks at the same picture, and how many the referee gets at most.
LOOK_SECONDS, MOST_LOOKS = 0.3, 14

#: Names of the contract for the events that have one; every other event keeps its own name.
NAMES = {
    "dice_rolled": "dice",
    "play_made": "play",
    "play_illegal": "illegal",
    "play_stands": "stands",
    "play_corrected": "corrected",
    "play_taken_back": "taken_back",
}


def pictures(folder: Path) -> list[Path]:
    """The pictures of a folder in name order. Raises InvalidFileError when there are none."""
    try:
        found = sorted(
            p for p in folder.iterdir() if p.suffix.lower() in PICTURES and not p.name.startswith(".")
        )
    except OSError as error:
        raise InvalidFileError(f"{folder}: cannot be read ({error.strerror})") from None
    if not found:
        raise InvalidFileError(
            f"{folder}: no pictures in this folder (expected {', '.join(sorted(PICTURES))})"
        )
    return found


class Feeding(Protocol):
    """What takes frames and says what came of them: the pipeline of either game."""

    def feed(self, frame: Frame) -> Moment: ...


def folder_moments(pipeline: Feeding, paths: Iterable[Path], waiting: Any) -> Iterator[Moment]:
    """Each picture shown again and again while the referee (`waiting() -> bool`) may still decide something.

    A picture that cannot be decoded is passed over with a moment without events; unreadable scenes (hand, blur) are
    shown twice, so that a lasting obstacle is noticed but the game's clock hardly moves.
    """
    now, seq = 0.0, 0
    for path in paths:
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if image is None:
            raise InvalidFileError(f"{path}: is not a picture that can be decoded")
        for look in range(MOST_LOOKS):
            now += LOOK_SECONDS
            moment = pipeline.feed(Frame(np.asarray(image, np.uint8), now, seq, name=path.name))
            seq += 1
            yield moment
            readable = moment.sighting is not None and moment.sighting.settled
            if (not readable and look >= 1) or (readable and not waiting() and look >= 2):
                break


def video_frames(path: Path) -> Iterator[Frame]:
    """Frames of a video with the video's own clock. Raises InvalidFileError when it cannot be decoded."""
    capture = cv2.VideoCapture(str(path))
    try:
        if not capture.isOpened():
            raise InvalidFileError(f"{path}: is not a video that can be decoded")
        fps = capture.get(cv2.CAP_PROP_FPS)
        fps = fps if 0.1 < fps < 1000 else 10.0
        seq = 0
        while True:
            good, image = capture.read()
            if not good:
                break
            yield Frame(np.asarray(image, np.uint8), seq / fps, seq, name=str(seq))
            seq += 1
        if seq == 0:
            raise InvalidFileError(f"{path}: no frame of this video can be decoded")
    finally:
        capture.release()


#: The same for the 37-hole game.
SOLITAIRE_NAMES = {
    "solitaire_started": "started",
    "jump_made": "jump",
    "jump_illegal": "illegal",
    "jump_taken_back": "taken_back",
    "solitaire_ended": "ended",
}


@dataclass
class SolitaireReport:
    """Events of a replayed 37-hole game: frame, type, holes (the position that counts), and what each type has besides."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    video: bool = False

    def add(self, moment: Moment) -> None:
        for event in moment.events:
            document = event.to_document()
            frame: str | int = int(event.frame) if self.video and event.frame.isdigit() else event.frame
            entry = {"frame": frame, "type": SOLITAIRE_NAMES.get(event.type, event.type)}
            left_out = ("type", "time", "seq", "frame")
            self.entries.append(entry | {k: v for k, v in document.items() if k not in left_out})


@dataclass
class Report:
    """Collects the events of a replay in the form of the contract."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    video: bool = False

    def add(self, moment: Moment) -> None:
        for event in moment.events:
            self._add(event, moment)

    def _add(self, event: Event, moment: Moment) -> None:
        document = event.to_document()
        name = NAMES.get(event.type, event.type)
        frame: str | int = event.frame or (moment.frame.name if moment.frame is not None else "")
        if self.video and isinstance(frame, str) and frame.isdigit():
            frame = int(frame)
        entry: dict[str, Any] = {"frame": frame, "type": name}
        for key in (
            "side",
            "dice",
            "play",
            "position",
            "code",
            "reason",
            "nearest",
            "value",
            "points",
            "kind",
            "score",
            "note",
        ):
            if document.get(key) not in (None, "", []) or (
                key in ("side", "dice", "play") and key in document
            ):
                entry[key] = document.get(key)
        if name == "illegal":
            entry["position"] = document["seen"]
            entry["before"] = document["position"]
        if "position" not in entry and moment.view.position is not None:
            entry["position"] = moment.view.position.to_document()
        if name in ("play", "corrected") and entry.get("side"):
            self._name_roller(entry["side"], entry.get("dice"))
        self.entries.append(entry)

    def _name_roller(self, side: str, dice: Any) -> None:
        """The first roll of a game may be read before it is known who threw it; his play tells."""
        for entry in reversed(self.entries):
            if entry["type"] == "dice":
                if entry.get("side") is None and entry.get("dice") == dice:
                    entry["side"] = side
                return

    def events(self) -> list[dict[str, Any]]:
        """The entries; of several readings of one turn's play (made one checker at a time) only the last."""
        kept: list[dict[str, Any]] = []
        for entry in self.entries:
            if entry["type"] == "play":
                for i in range(len(kept) - 1, -1, -1):
                    if kept[i]["type"] in ("dice", "turn_ended", "illegal", "taken_back", "game_started"):
                        break
                    if kept[i]["type"] == "play" and kept[i].get("side") == entry.get("side"):
                        del kept[i]
                        break
            kept.append(entry)
        return kept
