"""`Language`: every message of the referee, and the words on the display, in one of six languages.

The tables are `messages/<language>.toml`, one file a language, edited by hand. Sections: `messages` (by code of the referee),
`reasons` (by code of an illegal play), `brief` (the same in one line), `words` (parts of sentences), `screens` (labels on the
display), `solitaire` (all that is said during the 37-hole game), `sheet` (the match sheet).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pi_board.errors import InvalidSettingsError
from pi_board.table import TableView

LANGUAGES = ("en", "nl", "de", "fr", "es", "it")
_FOLDER = Path(__file__).resolve().parent / "messages"
#: The referee's own names of the sides, which are translated; names that players gave are not.
_UNNAMED = ("Light", "Dark")
#: Letters of a player's name that the small displays have room for.
NAME = 12


@cache
def load_language(code: str) -> Language:
    """The tables of a language of `LANGUAGES`. Raises InvalidSettingsError for any other."""
    if code not in LANGUAGES:
        raise InvalidSettingsError(f"language: expected one of {', '.join(LANGUAGES)}, got {code!r}")
    return Language(code, tomllib.loads((_FOLDER / f"{code}.toml").read_text(encoding="utf-8")))


class Language:
    """code: "de". The tables are plain mappings of strings."""

    def __init__(self, code: str, document: Mapping[str, Any]) -> None:
        self.code = code
        self.name: str = document["language"]
        #: What stands between a label and what it labels.
        self.colon = " : " if code == "fr" else ": "
        self.messages: Mapping[str, str] = document["messages"]
        self.reasons: Mapping[str, str] = document["reasons"]
        self.brief: Mapping[str, str] = document["brief"]
        self.words: Mapping[str, str] = document["words"]
        self.screens: Mapping[str, str] = document["screens"]
        self.solitaire: Mapping[str, str] = document["solitaire"]
        self.sheet: Mapping[str, str] = document["sheet"]

    def side(self, side: str, names: tuple[str, str] = _UNNAMED) -> str:
        """The player's name when one was given (its beginning when it is long), else the side."""
        i = 0 if side == "light" else 1
        name = names[i].strip()
        if not name or name == _UNNAMED[i]:
            return self.words[side]
        return name if len(name) <= NAME else name[: NAME - 1].rstrip() + "."

    def sentence(self, view: TableView) -> str:
        """The view's message. English has the referee's own reasons, which name points and numbers."""
        if view.message_code not in self.messages:
            return view.message
        return self.fill(view.message_code, view.message_args, view.names) or view.message

    def checkers(self, side: str, count: int) -> str:
        """ "1 dark checker", "2 dark checkers"."""
        return self.words[f"{side}_one" if count == 1 else f"{side}_many"].format(count=count)

    def fill(self, code: str, args: Mapping[str, Any], names: tuple[str, str] = _UNNAMED) -> str:
        """The message `code` with its arguments, "" when an argument is missing."""
        words: dict[str, Any] = dict(args)
        if words.get("side") in ("light", "dark") and isinstance(words.get("count"), int):
            words["checkers"] = self.checkers(words["side"], words["count"])
        for key in ("side", "other"):
            if words.get(key) in ("light", "dark"):
                words[key] = self.side(words[key], names)
        if isinstance(words.get("dice"), list | tuple):
            words["dice"] = "-".join(map(str, words["dice"]))
        if isinstance(words.get("changes"), list | tuple):
            words["changes"] = "; ".join(self._change(item) for item in words["changes"])
        if words.get("kind") in self.words:
            words["kind"] = self.words[words["kind"]]
        reason = str(words.get("code", ""))
        if self.code != "en" and reason in self.reasons:
            words["reason"] = self.reasons[reason]
        if args.get("points") == "bar":
            # What hides nothing but the bar hides no points.
            code = f"{code}_bar"
        try:
            text = self.messages[code].format(**words).strip()
        except KeyError:
            return ""
        # "… missing: ." when there is nothing to name; French has a space before the colon.
        return text[:-3].rstrip() + "." if text.endswith(": .") else text

    def _change(self, item: Mapping[str, Any]) -> str:
        parts = {"checker": self.words[f"{item['side']}_checker"]}
        for key in ("from", "to"):
            place = item.get(key)
            if place is not None:
                kind = place if place in ("bar", "off") else "point"
                parts[key] = self.words[f"{key}_{kind}"].format(point=place)
        form = "move_back" if len(parts) == 3 else "put" if "to" in parts else "take"
        return self.words[form].format(**parts)
