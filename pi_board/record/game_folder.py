"""Which files of a folder hold games: journals, and match files that are not copies made of them."""

from __future__ import annotations

import re
from pathlib import Path

from pi_board.record.journal import SUFFIX, journals

#: How match files are named; a .json or .txt is looked into before it is taken for one.
SUFFIXES = (".mat", ".sgf", ".xg", ".json", ".txt")
#: `GameFiles` writes these beside a journal: one for a game, one for a later match.
_PART = re.compile(r"(?:-match\d+)?(?:-game\d+)?$")


def files_with_games(folder: Path) -> list[Path]:
    """Journals first (oldest first), then match files by name, those of folders below included.

    Left out are the match files that were written beside a journal, or of single games beside the file of their match:
    their games would count twice.
    """
    found = journals(folder)
    found += sorted(
        p for p in folder.rglob(f"session-*{SUFFIX}") if p.parent != folder and not _hidden(p, folder)
    )
    whole = {path.with_suffix("") for path in found}
    matches = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in SUFFIXES and not _hidden(path, folder) and path.is_file()
    ]
    there = whole | {path.with_suffix("") for path in matches}
    for path in matches:
        stem = path.with_suffix("")
        journal = stem.with_name(_PART.sub("", stem.name))
        match = stem.with_name(re.sub(r"-game\d+$", "", stem.name))
        if journal not in whole and (match == stem or match not in there):
            found.append(path)
    return found


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)
