"""Refereeing recorded pictures: a video as if live, or a folder where each picture is one settled look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidError, InvalidFileError
from pi_board.events import Event
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.session.video import Video

Image = npt.NDArray[np.uint8]
#: A picture and what it is called in the answer.
Picture = tuple[str, Image]
#: Turns a picture upright. (picture, seconds of the recording) -> picture.
Turn = Callable[[Image, float], Image]
#: Events that make up a game; all others are about the view, the program, or where a recording begins.
OF_A_GAME = {
    *(
        "opening_thrown",
        "dice_rolled",
        "dice_rejected",
        "play_made",
        "play_illegal",
        "play_stands",
        "play_corrected",
    ),
    *("play_taken_back", "turn_ended", "cube_offered", "cube_taken", "cube_passed", "game_won"),
    *("jump_made", "jump_illegal", "jump_taken_back", "solitaire_ended"),
}

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


def as_it_is(image: Image, now: float) -> Image:
    """The `Turn` of a picture that needs none."""
    return image


class Feeding(Protocol):
    """Takes frames and returns moments: the pipeline of backgammon or of solitaire."""

    def feed(self, frame: Frame) -> Moment: ...


def folder_pictures(paths: Iterable[Path]) -> Iterator[Picture]:
    """(name, picture) of each file; pictures are turned by their metadata. Raises InvalidFileError."""
    for path in paths:
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if image is None:
            raise InvalidFileError(f"{path}: is not a picture that can be decoded")
        yield path.name, np.asarray(image, np.uint8)


def slide_pictures(video: Video, slides: Mapping[int, float]) -> Iterator[Picture]:
    """(number of the frame, picture) of each slide of `video.slides()`."""
    for frame in video.frames():
        if frame.seq in slides:
            yield frame.name, frame.image


def key_moments(
    pipeline: Feeding, shown: Iterable[Picture], waiting: Callable[[], bool], turn: Turn = as_it_is
) -> Iterator[Moment]:
    """Each picture shown again and again while the referee (`waiting()`) may still decide something.

    Unreadable scenes (hand, blur) are shown twice, so that a lasting obstacle is noticed but the game's clock hardly moves.
    Raises InvalidError that names the picture no reader takes (too small, say).
    """
    now, seq = 0.0, 0
    for name, image in shown:
        try:
            upright = turn(image, now)
        except InvalidError as error:
            raise InvalidError(f"picture {name}: {error}") from None
        for look in range(MOST_LOOKS):
            now += LOOK_SECONDS
            try:
                moment = pipeline.feed(Frame(upright, now, seq, name=name))
            except InvalidError as error:
                raise InvalidError(f"picture {name}: {error}") from None
            seq += 1
            yield moment
            readable = moment.sighting is not None and moment.sighting.settled
            if (not readable and look >= 1) or (readable and not waiting() and look >= 2):
                break


def live_moments(pipeline: Feeding, frames: Iterable[Frame], turn: Turn = as_it_is) -> Iterator[Moment]:
    """Every frame once, as if it came from a camera."""
    for frame in frames:
        yield pipeline.feed(replace(frame, image=turn(frame.image, frame.time)))


@dataclass
class ReplaySummary:
    """Counts over a whole recording, to explain why nothing was refereed.

    pictures: of a folder or a slide show each counts once, however many looks it stood for.
    """

    pictures: int = 0
    found: int = 0
    settled: int = 0
    refereed: int = 0
    refusal: str = ""
    _last: str | None = None

    def add(self, moment: Moment) -> None:
        self.refereed += sum(e.type in OF_A_GAME for e in moment.events)
        if (sighting := moment.sighting) is None:
            return
        name = moment.frame.name if moment.frame is not None else ""
        self.pictures += name != self._last
        self._last = name
        self.found += sighting.registered
        self.settled += sighting.settled
        if not sighting.registered and sighting.note:
            self.refusal = sighting.note

    @property
    def why_nothing(self) -> str:
        """ "" when something was refereed."""
        if self.refereed:
            return ""
        if not self.found:
            where = (
                "in the one picture no board was"
                if self.pictures == 1
                else f"in none of {self.pictures} pictures was a board"
            )
            return f"{where} found ({self.refusal or 'the view is covered'})"
        if not self.settled:
            return "the board was found, but never lay still and open to view"
        return f"the board was seen ({self.settled} look{'' if self.settled == 1 else 's'}), but no roll and no play"


def video_seconds(event: Event, slides: Mapping[int, float]) -> float | None:
    """When `event` happened by the video's own clock; None for an event that no picture led to."""
    if not event.frame.isdigit():
        return None
    return round(slides.get(int(event.frame), event.time), 2)


#: The same for the 37-hole game.
SOLITAIRE_NAMES = {
    "solitaire_started": "started",
    "jump_made": "jump",
    "jump_illegal": "illegal",
    "jump_taken_back": "taken_back",
    "solitaire_ended": "ended",
}


@dataclass
class ReplayEntries:
    """What the reports of both games share.

    video: frames are numbers, and every entry has the video's own `time` in seconds. slides: second by frame where each picture stands
    for one look, because the events' own times are then those of the looks.
    """

    entries: list[dict[str, Any]] = field(default_factory=list)
    video: bool = False
    slides: Mapping[int, float] = field(default_factory=dict)

    def seconds(self, event: Event) -> float | None:
        return video_seconds(event, self.slides)

    def begun(self, event: Event, frame: str, kind: str) -> dict[str, Any]:
        """The start of an entry: frame, type and, of a video, the time. kind: the type's name in the contract."""
        number = int(frame) if self.video and frame.isdigit() else frame
        entry: dict[str, Any] = {"frame": number, "type": kind}
        if self.video and (second := self.seconds(event)) is not None:
            entry["time"] = second
        return entry


class SolitaireReport(ReplayEntries):
    """Events of a replayed 37-hole game: frame, type, holes (the position that counts), and what each type has besides."""

    def add(self, moment: Moment) -> None:
        for event in moment.events:
            document = event.to_document()
            entry = self.begun(event, event.frame, SOLITAIRE_NAMES.get(event.type, event.type))
            left_out = ("type", "time", "seq", "frame")
            self.entries.append(entry | {k: v for k, v in document.items() if k not in left_out})


class Report(ReplayEntries):
    """Collects the events of a replay in the form of the contract."""

    def add(self, moment: Moment) -> None:
        for event in moment.events:
            self._add(event, moment)

    def _add(self, event: Event, moment: Moment) -> None:
        document = event.to_document()
        name = NAMES.get(event.type, event.type)
        frame = event.frame or (moment.frame.name if moment.frame is not None else "")
        entry = self.begun(event, frame, name)
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
        """The first roll of a game may be read before it is known who rolled it; the play tells."""
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
