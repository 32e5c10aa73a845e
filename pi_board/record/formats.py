"""Reading and writing any supported game file; the format is known by its content, not its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pi_board.errors import InvalidFileError
from pi_board.record.gamejson import read_json, write_json
from pi_board.record.gametext import read_text, write_text
from pi_board.record.journal import parse_journal
from pi_board.record.mat import read_mat, write_mat
from pi_board.record.match import FileProblem, MatchRecord, Parsed, Transcript
from pi_board.record.sgf import read_sgf, write_sgf
from pi_board.record.whole_file import write_whole
from pi_board.record.xg import MAGIC as XG_MAGIC
from pi_board.record.xg import read_xg

WRITERS: dict[str, Callable[[MatchRecord], str]] = {
    "mat": write_mat,
    "sgf": write_sgf,
    "json": write_json,
    "txt": write_text,
}
#: Larger files are no game logs; reading them would only cost memory.
LARGEST = 32 * 1024 * 1024


def detect(text: str) -> str:
    """ "mat", "sgf", "json", "txt" or "journal"."""
    head = text.lstrip("\ufeff \t\r\n")
    if head.startswith('{"v":'):
        return "journal"
    if head.startswith("{"):
        return "json"
    if head.startswith("("):
        return "sgf"
    if head.startswith(("pi_board game log", "names:")):
        return "txt"
    return "mat"


#: How some kinds of files that are no game logs begin.
_OTHER_FILES = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "a gzip archive",
    b"SQLite format 3": "a database",
    b"\x7fELF": "a program",
}
#: Characters that no text has, but for a stray one.
_CONTROLS = bytes(sorted({*range(32), 127} - {9, 10, 11, 12, 13, 26, 27}))
#: More of them than one in so many bytes: not a text.
_ONE_CONTROL_IN = 50


def binary(data: bytes) -> str:
    """What kind of binary `data` is, in words; "" for a text."""
    for magic, words in _OTHER_FILES.items():
        if data.startswith(magic):
            return words
    head = data[: 64 * 1024]
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return ""
    return (
        "binary data"
        if _ONE_CONTROL_IN * (len(head) - len(head.translate(None, _CONTROLS))) > len(head)
        else ""
    )


def _text(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    text = data.decode("utf-8-sig", "replace")
    return data.decode("latin-1") if "\ufffd" in text else text


def parse(data: bytes) -> Parsed:
    """A game file's bytes, whatever the format. Never raises for the content."""
    if data.startswith(XG_MAGIC):
        return read_xg(data)
    if what := binary(data):
        return Parsed(MatchRecord(), (FileProblem(0, f"{what}, not a game file"),))
    text = _text(data)
    kind = detect(text)
    if kind == "journal":
        content = parse_journal(data)
        transcript = Transcript()
        for event in content.events:
            transcript.add(event)
        matches = transcript.matches()
        problems = [FileProblem(0, p) for p in content.problems]
        if len(matches) > 1:
            problems.append(
                FileProblem(
                    0, f"{len(matches)} matches in this journal; this is the last one with games in it"
                )
            )
        return Parsed(matches[-1], tuple(problems), matches)
    readers = {"json": read_json, "sgf": read_sgf, "txt": read_text, "mat": read_mat}
    return readers[kind](text.removeprefix("\ufeff"))


def load(path: str | Path) -> Parsed:
    """Read a game file. Raises InvalidFileError when it cannot be opened or holds nothing that was played."""
    path = Path(path)
    try:
        if path.is_dir():
            raise InvalidFileError(f"{path}: is a folder; expected a game file")
        if path.stat().st_size > LARGEST:
            raise InvalidFileError(f"{path}: larger than {LARGEST // 2**20} MB; not a game file")
        data = path.read_bytes()
    except OSError as error:
        raise InvalidFileError(f"{path}: cannot be read ({error.strerror})") from None
    parsed = parse(data)
    if not any(
        game.actions or game.winner for match in (parsed.match, *parsed.matches) for game in match.games
    ):
        why = parsed.problems[0] if parsed.problems else "no game in it"
        raise InvalidFileError(f"{path}: {'empty' if not data.strip() else why}")
    return parsed


def save(match: MatchRecord, path: str | Path, kind: str) -> None:
    """Write `match` as `kind` to `path`: whole and on disk, or not at all (a temporary file renamed over it).

    Raises InvalidFileError when the folder cannot be written.
    """
    path = Path(path)
    text = WRITERS[kind](match)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise InvalidFileError(f"{path}: cannot be written ({error.strerror})") from None
