"""The evidence that a journal names: which illegal play each folder of pictures shows, and when in the game it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pi_board.record.journal import JournalContent, read_journal
from pi_board.record.match import Transcript
from pi_board.record.solitaire_games import ACTIONS

#: Of a folder of evidence: `<session>-<number>-<code>`. Nothing else is looked for, whatever a journal says.
_NAME = re.compile(r"session-[0-9A-Za-z-]{1,60}-\d{3,9}-[a-z_]{1,40}")
FILES = ("before.jpg", "after.jpg", "clip.avi")


@dataclass(frozen=True, slots=True)
class Exhibit:
    """folder: with those of FILES that there are. verdict: the illegal play's event document, None when the pictures
    were asked for. match, game: indices in the journal; actions: how many had been made in the game by then."""

    folder: Path
    verdict: dict[str, Any] | None
    match: int = 0
    game: int = 0
    actions: int = 0

    def file(self, name: str) -> Path | None:
        """One of FILES, if it is there and really a file there."""
        path = self.folder / name
        if name not in FILES or self.folder.is_symlink() or path.is_symlink() or not path.is_file():
            return None
        return path

    def to_document(self) -> dict[str, Any]:
        verdict = self.verdict or {}
        return {
            "code": verdict.get("code", "on_demand"),
            "reason": verdict.get("reason", ""),
            "side": verdict.get("side"),
            "dice": verdict.get("dice"),
            "position": verdict.get("position", verdict.get("holes")),
            "seen": verdict.get("seen"),
            "match": self.match,
            "game": self.game,
            "actions": self.actions,
            "files": [name.partition(".")[0] for name in FILES if self.file(name)],
        }


def exhibits(journal: Path, content: JournalContent | None = None) -> list[Exhibit]:
    """In the order in which they were kept; folders that are gone (the oldest go first) have no files.

    content: the journal, when it has been read already. Raises InvalidFileError.
    """
    content = content or read_journal(journal)
    # A program that went on with the game counts its sightings anew: the same number is taken in order.
    verdicts: dict[object, list[tuple[dict[str, Any], tuple[int, int, int]]]] = {}
    for verdict, place in _verdicts(content):
        verdicts.setdefault(verdict["seq"], []).append((verdict, place))
    found = []
    for note in content.notes:
        name = note.get("evidence")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            continue
        folder, same = journal.parent / "evidence" / name, verdicts.get(note.get("of"))
        if not same:
            found.append(Exhibit(folder, None))
            continue
        verdict, (match, game, actions) = same[0] if len(same) == 1 else same.pop(0)
        found.append(Exhibit(folder, verdict, match, game, actions))
    return found


def _verdicts(content: JournalContent) -> Iterator[tuple[dict[str, Any], tuple[int, int, int]]]:
    """Every illegal play with (match, game, actions in the game so far)."""
    transcript = Transcript()
    problems = jumps = 0
    for event in content.events:
        if event.type == "solitaire_started":
            problems, jumps = problems + 1, 0
        elif event.type in ACTIONS:
            jumps += 1
        if event.type == "jump_illegal":
            yield event.to_document(), (0, max(0, problems - 1), jumps)
        elif event.type == "play_illegal":
            games = transcript.result().games
            in_hand = len(games) > len(transcript.match.games)
            place = (
                len(transcript.earlier),
                len(transcript.match.games),
                len(games[-1].actions) if in_hand else 0,
            )
            yield event.to_document(), place
        transcript.add(event)
