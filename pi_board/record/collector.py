"""`SampleCollector`: keeps labelled samples of a game as it is played, when the table's owner has asked for it."""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.events import DiceRolled, Event, GameStarted, GameWon, PlayMade, TurnEnded
from pi_board.output import Moment
from pi_board.record.options import RecordOptions
from pi_board.record.samples import Image, cut_out, tidy, write_sample
from pi_board.rules import Position
from pi_board.sighting import Sighting
from pi_board.table import Phase, VerdictColour

Corners = npt.NDArray[np.float64]
#: After one of these nobody can be sure of this turn, nor of the one before it.
DISPUTES = frozenset(
    {
        *(
            "play_illegal",
            "play_stands",
            "play_corrected",
            "play_taken_back",
            "position_corrected",
            "dice_corrected",
        ),
        *("turn_reopened", "unclear", "checker_missing", "checker_added", "board_moved", "game_abandoned"),
    }
)


@dataclass(frozen=True, slots=True)
class Taken:
    """A settled picture of a green play: its pixels, where the board is, what lies there."""

    image: Image
    corners: Corners
    sighting: Sighting
    position: Position

    @property
    def dice_read(self) -> int:
        return sum(d.value is not None and not d.cocked for d in self.sighting.dice)


class SampleCollector:
    """An `Output`. A turn is kept once the turn after it has ended as well and neither was disputed: a misread turn
    shows at the latest when the next one does not fit.

    folder: where samples go, bounded by `options`. corners: where the board lies now, None while it is not known.
    facts: what every document says besides (profile, near, home, rules). clock: of the date, no more of it is kept.
    Writing happens in a thread; a full disk costs samples and nothing else.
    """

    def __init__(
        self,
        folder: Path,
        session: str,
        options: RecordOptions,
        *,
        corners: Callable[[], Corners | None],
        facts: dict[str, Any],
        clock: Callable[[], datetime] = datetime.now,
    ) -> None:
        self.folder, self.session, self.options = folder, session, options
        self._corners, self._facts, self._clock = corners, facts, clock
        self._taken: Taken | None = None
        self._disputed = True
        self._waiting: tuple[Taken, tuple[int, int]] | None = None
        self._number = self._numbered()
        self.failing = ""
        self._jobs: queue.Queue[tuple[str, Taken, tuple[int, int]] | None] = queue.Queue(maxsize=8)
        self._thread = threading.Thread(target=self._run, name="samples", daemon=True)
        self._thread.start()

    def show(self, moment: Moment) -> None:
        for event in moment.recorded:
            self._follow(event)
        sighting, frame, view = moment.sighting, moment.frame, moment.view
        if frame is None or sighting is None or not sighting.settled or view.phase is not Phase.PLAYED:
            return
        where = self._corners()
        if (
            where is not None
            and view.position is not None
            and view.verdict is VerdictColour.GREEN
            and not self._disputed
        ):
            taken = Taken(frame.image, where, sighting, view.position)
            # The dice are lifted before the turn is over: the last picture that still shows them says more.
            if (
                self._taken is None
                or self._taken.position != taken.position
                or taken.dice_read >= self._taken.dice_read
            ):
                self._taken = taken

    def _follow(self, event: Event) -> None:
        if event.type in DISPUTES:
            self._taken = self._waiting = None
            self._disputed = True
        elif isinstance(event, GameStarted | DiceRolled):
            self._disputed, self._taken = False, None
        elif isinstance(event, PlayMade):
            self._taken = None
        elif isinstance(event, TurnEnded):
            sure = event.legal and not self._disputed
            if sure and self._waiting is not None:
                self._keep(*self._waiting)
            taken = self._taken
            fits = sure and taken is not None and taken.position == event.position and event.dice is not None
            self._waiting = (
                (taken, event.dice) if fits and taken is not None and event.dice is not None else None
            )
            self._taken = None
        elif isinstance(event, GameWon):
            if self._waiting is not None:
                self._keep(*self._waiting)
            self._waiting = None

    def _keep(self, taken: Taken, dice: tuple[int, int]) -> None:
        self._number += 1
        try:
            self._jobs.put_nowait((f"{self.session}-{self._number:05d}", taken, dice))
        except queue.Full:
            # The SD card is slower than the game, so drop this sample instead of waiting for it.
            return

    def _numbered(self) -> int:
        """The highest number that this session's samples have (a session that goes on after a power cut)."""
        pattern = re.compile(rf"{re.escape(self.session)}-(\d{{5,9}})\.json")
        try:
            found = [pattern.fullmatch(p.name) for p in self.folder.iterdir()]
        except OSError:
            return 0
        return max((int(m[1]) for m in found if m), default=0)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            name, taken, dice = job
            try:
                image, corners = cut_out(taken.image, taken.corners)
                write_sample(self.folder, name, image, self._document(taken, dice, image, corners))
                tidy(self.folder, megabytes=self.options.collect_megabytes, count=self.options.collect_count)
                self.failing = ""
            except OSError as error:
                self.failing = f"samples cannot be written ({error.strerror})"

    def _document(
        self, taken: Taken, dice: tuple[int, int], image: Image, corners: Corners
    ) -> dict[str, Any]:
        shift = taken.corners[0] - corners[0]
        seen = [d for d in taken.sighting.dice if d.value is not None and not d.cocked]
        # The referee's roll says which die is which only when exactly these two lay there.
        known = seen if sorted(d.value or 0 for d in seen) == sorted(dice) else []
        return {
            "date": f"{self._clock():%Y-%m-%d}",
            **self._facts,
            "size": [image.shape[1], image.shape[0]],
            "corners": np.round(corners, 2).tolist(),
            "position": taken.position.to_document(),
            "dice": [
                {
                    "value": d.value,
                    "x": round(d.x - shift[0], 1),
                    "y": round(d.y - shift[1], 1),
                    "size": round(d.size, 1),
                }
                for d in known
            ],
        }

    def close(self) -> None:
        """Drops the turns that are still doubtful and writes those that are waiting."""
        self._jobs.put(None)
        self._thread.join(timeout=5)
