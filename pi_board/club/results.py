"""Matches out of the archive: who played whom, how it ended, and the files of it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass

from pi_board.club.archive import Archive
from pi_board.errors import InvalidError
from pi_board.events import Event
from pi_board.record.formats import WRITERS
from pi_board.record.match import MatchRecord, Transcript


@dataclass(frozen=True, slots=True)
class Result:
    """A match that was won at a board. score: (light, dark); at: wall time of its end."""

    board: str
    session: str
    at: str
    light: str
    dark: str
    length: int
    score: tuple[int, int]

    @property
    def winner(self) -> str:
        return self.light if self.score[0] > self.score[1] else self.dark

    @property
    def loser(self) -> str:
        return self.dark if self.score[0] > self.score[1] else self.light


def results(archive: Archive) -> list[Result]:
    """Every match that was won, in the order of their ends. Money sessions have no end and are not among them."""
    found: list[Result] = []
    begun: dict[tuple[str, str], tuple[str, str, int]] = {}
    for line in archive.of_type("match_started", "match_won"):
        key, event = (line.board, line.session), json.loads(line.document)
        if line.type == "match_started":
            names = str(event.get("light_name", "Light")), str(event.get("dark_name", "Dark"))
            begun[key] = (*names, int(event.get("match_length", 0)))
        elif key in begun:
            light, dark, length = begun[key]
            score = (int(event["score"][0]), int(event["score"][1]))
            found.append(Result(line.board, line.session, line.at, light, dark, length, score))
    return sorted(found, key=lambda r: r.at)


def matches(archive: Archive, board: str, session: str) -> tuple[MatchRecord, ...]:
    """Everything that was played in one session of one board."""
    transcript = Transcript()
    for line in archive.lines(board, session):
        if line.kind != "event":
            continue
        try:
            transcript.add(Event.from_document(json.loads(line.document)))
        except InvalidError:
            # A board with a newer program may say what this hub does not know yet; the line itself is kept.
            continue
    return transcript.matches()


def all_files(archive: Archive, kind: str = "mat") -> Iterator[tuple[str, str]]:
    """(file name, text) of every match in which something was played."""
    for board, session, _ in archive.sessions():
        played = [m for m in matches(archive, board, session) if any(g.actions for g in m.games)]
        for number, match in enumerate(played, 1):
            yield f"{board}/{session}-{number}.{kind}", WRITERS[kind](match)


def zipped(archive: Archive, kind: str = "mat") -> bytes:
    """`all_files` as a zip."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, text in all_files(archive, kind):
            pack.writestr(name, text)
    return data.getvalue()
