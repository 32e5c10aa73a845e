"""Settings: one TOML file, one frozen dataclass per section, every mistake named with file, key and value.

The sections are the `…Options` dataclasses of the packages; this module only finds the file, checks types
against the dataclasses' own annotations and puts them together.
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pi_board.camera.options import CameraOptions
from pi_board.club.options import ClubOptions
from pi_board.errors import InvalidError, InvalidSettingsError
from pi_board.events import LONGEST_NAME
from pi_board.hints.options import HintsOptions
from pi_board.panel.options import DisplayOptions, PanelOptions, SerialOptions, VoiceOptions
from pi_board.record.options import RecordOptions
from pi_board.referee.match_options import ClockOptions, MatchOptions
from pi_board.referee.options import RefereeOptions
from pi_board.rules import RULE_SETS, RuleSet
from pi_board.vision.options import VisionOptions
from pi_board.web.options import WebOptions

#: Searched in this order when no file is named.
SEARCH = ("~/.config/pi-board/settings.toml", "/etc/pi-board/settings.toml")


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """The set on the table. profile: a name from calibration/boards or a path; near: the side at the bottom of
    the picture; home: where near bears off; corners: "x,y x,y x,y x,y" (TL TR BR BL), empty = find it.
    bar_edges: the bar's corners in the same order, empty = find them within the corners."""

    profile: str = "jumbo-travel"
    near: Literal["light", "dark"] = "light"
    home: Literal["right", "left"] = "right"
    corners: str = ""
    bar_edges: str = ""


@dataclass(frozen=True, slots=True)
class GameSettings:
    """What is played. rules: a preset of `RULE_SETS`; match_length 0 = money session. problem: of the 37-hole game, "any"
    (whichever set-up is seen), a key of `solitaire.PROBLEMS`, or "vacancy-N"."""

    rules: str = "international"
    problem: str = "any"
    match_length: int = 0
    light_name: str = "Light"
    dark_name: str = "Dark"

    def __post_init__(self) -> None:
        if self.rules not in RULE_SETS:
            raise InvalidSettingsError(
                f"rules: expected one of {', '.join(sorted(RULE_SETS))}, got {self.rules!r}"
            )
        if self.problem != "any":
            # Imported here because the module loads the whole solitaire game, which most starts do not need.
            from pi_board.referee.solitaire import problem_named

            problem_named(self.problem)
        if not 0 <= self.match_length <= 64:
            raise InvalidSettingsError(f"match_length: expected 0 (money) to 64, got {self.match_length}")
        for key, name in (("light_name", self.light_name), ("dark_name", self.dark_name)):
            if not 1 <= len(name.strip()) <= LONGEST_NAME or not name.isprintable():
                raise InvalidSettingsError(
                    f"{key}: expected 1 to {LONGEST_NAME} printable characters, got {name[:60]!r}"
                )


@dataclass(frozen=True, slots=True)
class Settings:
    """All sections. house_rules: options of the rule set that differ from the preset ([house_rules] in the file)."""

    board: BoardSettings = field(default_factory=BoardSettings)
    game: GameSettings = field(default_factory=GameSettings)
    camera: CameraOptions = field(default_factory=CameraOptions)
    vision: VisionOptions = field(default_factory=VisionOptions)
    referee: RefereeOptions = field(default_factory=RefereeOptions)
    match: MatchOptions = field(default_factory=MatchOptions)
    clock: ClockOptions = field(default_factory=ClockOptions)
    hints: HintsOptions = field(default_factory=HintsOptions)
    panel: PanelOptions = field(default_factory=PanelOptions)
    voice: VoiceOptions = field(default_factory=VoiceOptions)
    display: DisplayOptions = field(default_factory=DisplayOptions)
    serial: SerialOptions = field(default_factory=SerialOptions)
    record: RecordOptions = field(default_factory=RecordOptions)
    web: WebOptions = field(default_factory=WebOptions)
    club: ClubOptions = field(default_factory=ClubOptions)
    house_rules: Mapping[str, Any] = field(default_factory=dict)
    path: Path | None = None

    def rule_set(self) -> RuleSet:
        """The preset with the house rules applied. Raises InvalidSettingsError."""
        preset = RULE_SETS[self.game.rules]
        if not self.house_rules:
            return preset
        try:
            return preset.with_options(**self.house_rules)
        except (InvalidError, TypeError) as error:
            raise InvalidSettingsError(f"{self.path or 'settings'}: [house_rules] {error}") from error


def _wanted(kind: Any) -> str:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return "one of " + ", ".join(repr(a) for a in args)
    if origin in (types.UnionType, typing.Union):
        return " or ".join(_wanted(a) for a in args if a is not type(None))
    if origin is tuple:
        return "a list"
    return {bool: "true or false", int: "a whole number", float: "a number", str: "text", Path: "a path"}.get(
        kind, getattr(kind, "__name__", str(kind))
    )


def _convert(value: Any, kind: Any) -> Any:
    """`value` as `kind`; raises TypeError when it does not fit."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        if value in args:
            return value
    elif origin in (types.UnionType, typing.Union):
        for option in args:
            if option is type(None):
                if value is None:
                    return None
                continue
            try:
                return _convert(value, option)
            except TypeError:
                continue
    elif origin is tuple and isinstance(value, list | tuple):
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_convert(v, args[0]) for v in value)
        if len(args) == len(value):
            return tuple(_convert(v, a) for v, a in zip(value, args, strict=True))
    elif origin in (dict, Mapping) or kind is dict:
        if isinstance(value, dict):
            return value
    elif kind is Path and isinstance(value, str):
        return Path(value).expanduser()
    elif kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    elif kind is int and isinstance(value, int) and not isinstance(value, bool):
        return value
    elif kind is bool and isinstance(value, bool):
        return value
    elif kind is str and isinstance(value, str):
        return value
    elif kind is Any:
        return value
    raise TypeError


def section(kind: type, table: Any, where: str) -> Any:
    """An options dataclass from a TOML table. `where` is 'FILE: [section]'. Raises InvalidSettingsError."""
    if not isinstance(table, Mapping):
        raise InvalidSettingsError(f"{where} expected a table of keys, got {table!r}")
    hints = typing.get_type_hints(kind)
    names = [f.name for f in dataclasses.fields(kind) if f.init]
    values: dict[str, Any] = {}
    mistakes: list[str] = []
    for key, value in table.items():
        if key not in names:
            close = difflib.get_close_matches(key, names, 1)
            hint = f"did you mean {close[0]}?" if close else "known: " + ", ".join(names)
            mistakes.append(f"{where} {key}: no such key; {hint}")
            continue
        try:
            values[key] = _convert(value, hints[key])
        except TypeError:
            mistakes.append(f"{where} {key}: expected {_wanted(hints[key])}, got {value!r}")
    try:
        made = kind(**values)
    except InvalidError as error:
        mistakes.append(f"{where} {error}")
    if mistakes:
        raise InvalidSettingsError(SEPARATOR.join(mistakes))
    return made


#: Between the mistakes of one file, which are told in one line.
SEPARATOR = " | also "


def load_settings(path: str | Path | None = None) -> Settings:
    """Settings from `path`, else $PI_BOARD_CONFIG, else the first file of SEARCH, else all defaults.

    Raises InvalidSettingsError with file, key, value and what was expected.
    """
    named = path or os.environ.get("PI_BOARD_CONFIG")
    if named:
        file = Path(named).expanduser()
    else:
        file = next((p for p in (Path(s).expanduser() for s in SEARCH) if p.is_file()), None)  # type: ignore[assignment]
        if file is None:
            return Settings()
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InvalidSettingsError(f"{file}: no such settings file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidSettingsError(f"{file}: cannot be read as UTF-8 text ({error})") from None
    return parse_settings(text, file)


def parse_settings(text: str, file: Path) -> Settings:
    """`load_settings` on text already read; `file` is for messages."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidSettingsError(f"{file}: not valid TOML: {error}") from None
    hints = typing.get_type_hints(Settings)
    names = [f.name for f in dataclasses.fields(Settings) if f.name != "path"]
    values: dict[str, Any] = {}
    # Report all mistakes at once, so that somebody who edits over SSH need not restart the program for each.
    mistakes: list[str] = []
    for key, table in document.items():
        if key not in names:
            close = difflib.get_close_matches(key, names, 1)
            hint = f"did you mean [{close[0]}]?" if close else "known: " + ", ".join(f"[{n}]" for n in names)
            mistakes.append(f"{file}: [{key}]: no such section; {hint}")
        elif key != "house_rules":
            try:
                values[key] = section(hints[key], table, f"{file}: [{key}]")
            except InvalidSettingsError as error:
                mistakes.append(str(error))
        elif isinstance(table, dict):
            values[key] = table
        else:
            mistakes.append(f"{file}: [house_rules] expected a table of keys, got {table!r}")
    settings = Settings(**values, path=file)
    try:
        settings.rule_set()
    except InvalidSettingsError as error:
        mistakes.append(str(error))
    if mistakes:
        # Name the file only once, however many mistakes it has.
        first, *more = SEPARATOR.join(mistakes).split(SEPARATOR)
        raise InvalidSettingsError(SEPARATOR.join([first, *(m.removeprefix(f"{file}: ") for m in more)]))
    return settings
