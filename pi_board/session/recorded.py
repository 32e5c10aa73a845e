"""What the two sittings share: the journal, the files beside it, and what happens while they cannot be written."""

from __future__ import annotations

from pi_board.events import Event
from pi_board.record.game_files import GameFiles
from pi_board.record.journal import Journal

#: Seconds of the moments' clock between two tries to write a record that failed.
SECONDS_BETWEEN_TRIES = 1.0


class Recorded:
    """Owns the record of a sitting: the journal has every event before anybody else hears of it.

    notices: sentences about the journal that was found, for the banner.
    """

    def __init__(
        self, journal: Journal | None, files: GameFiles | None = None, notices: tuple[str, ...] = ()
    ) -> None:
        self.journal, self.files, self.notices = journal, files, notices
        self._next_try = float("-inf")

    def _keep(self, events: list[Event]) -> None:
        if self.journal is not None:
            self.journal.append(events)
        if self.files is not None:
            self.files.follow(events)

    @property
    def failing(self) -> str:
        """A sentence for the banner while the record cannot be written, else ""."""
        return next((part.failing for part in self._parts() if part.failing), "")

    def retry(self, now: float) -> None:
        """While the record cannot be written: try again, once a second by the moments' clock."""
        if self.failing and now >= self._next_try:
            self._next_try = now + SECONDS_BETWEEN_TRIES
            for part in self._parts():
                if part.failing:
                    part.retry()

    def close(self) -> None:
        """Complete every file; safe to call at any moment and more than once."""
        for part in self._parts():
            part.close()

    def _parts(self) -> list[Journal | GameFiles]:
        return [part for part in (self.journal, self.files) if part is not None]
