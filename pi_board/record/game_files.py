"""One `.mat` per finished game and one for the whole match, written the moment a game ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pi_board.errors import PiBoardError
from pi_board.events import Event
from pi_board.record.formats import save
from pi_board.record.journal import read_journal
from pi_board.record.match import MatchRecord, Transcript


class GameFiles:
    """Follows the events; files are `<stem>-game1.mat`, … and `<stem>.mat` in `folder`; those of a second match in the
    same session `<stem>-match2-game1.mat`, … and `<stem>-match2.mat`.

    A folder that cannot be written never stops the game: `failing` holds the sentence for the banner, `retry` tries
    again, and the files can be made later from the journal with `pi-board convert`.
    """

    def __init__(
        self,
        folder: str | Path,
        stem: str,
        *,
        clock: Callable[[], datetime] | None = None,
        event: str = "",
        site: str = "",
    ) -> None:
        self.folder, self.stem = Path(folder).expanduser(), stem
        self.failing = ""
        self.games: list[Path] = []
        self._waiting: dict[Path, MatchRecord] = {}
        now = (clock or (lambda: datetime.now(UTC)))()
        self.transcript = Transcript()
        self.transcript.match = replace(self.transcript.match, date=f"{now:%Y-%m-%d}", event=event, site=site)

    @property
    def session(self) -> Path:
        """The whole match in hand."""
        return self.folder / f"{self._match_stem}.mat"

    @property
    def _match_stem(self) -> str:
        number = len(self.transcript.earlier) + 1
        return self.stem if number == 1 else f"{self.stem}-match{number}"

    def follow(self, events: Sequence[Event], *, write: bool = True) -> None:
        """Take note of `events`; `write=False` while an old journal is replayed (only missing files are written)."""
        for event in events:
            before = len(self.transcript.match.games)
            self.transcript.add(event)
            match = self.transcript.match
            if event.type in ("game_won", "game_abandoned") and len(match.games) > before:
                path = self.folder / f"{self._match_stem}-game{len(match.games)}.mat"
                self.games.append(path)
                if write or not path.exists():
                    self._save(replace(match, games=match.games[-1:]), path)
                    self._save(match, self.session)

    @classmethod
    def write_missing(cls, journal: Path, *, event: str = "", site: str = "") -> None:
        """Files that a power cut kept from being written after a game that `journal` has to its end. Never raises."""
        try:
            content = read_journal(journal)
            started = datetime.fromisoformat(content.started)
        except (PiBoardError, ValueError):
            return
        files = cls(journal.parent, journal.stem, clock=lambda: started, event=event, site=site)
        files.follow(content.events, write=False)
        if files.games and not files.session.exists():
            files.close()

    def retry(self) -> bool:
        """Write what could not be written; True when nothing waits any more."""
        for path, match in list(self._waiting.items()):
            self._save(match, path)
        return not self._waiting

    def close(self) -> None:
        """Write the session's file with the game in hand, however far it got."""
        match = self.transcript.result()
        if match.games and any(g.actions for g in match.games):
            self._save(match, self.session)

    def _save(self, match: MatchRecord, path: Path) -> None:
        try:
            save(match, path, "mat")
        except PiBoardError as error:
            self._waiting[path] = match
            self.failing = str(error)
        else:
            self._waiting.pop(path, None)
            if not self._waiting:
                self.failing = ""
