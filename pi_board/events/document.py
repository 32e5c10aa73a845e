"""What events and commands have in common: they turn into plain JSON documents and back without loss."""

from __future__ import annotations

import dataclasses
import functools
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pi_board.errors import InvalidError
from pi_board.rules import Position

Moves = tuple[tuple[int, int], ...]
Dice = tuple[int, int]


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _plain(value: Any) -> Any:
    if isinstance(value, Position):
        return value.to_document()
    if isinstance(value, tuple | list):
        return [_plain(v) for v in value]
    return value


def _typed(value: Any, kind: Any, where: str) -> Any:
    """`value` from JSON as `kind`; raises InvalidError naming `where`."""
    origin = typing.get_origin(kind)
    args = typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        if value is None and type(None) in args:
            return None
        return _typed(value, next(a for a in args if a is not type(None)), where)
    if origin is Literal:
        if value not in args:
            raise InvalidError(f"{where}: expected one of {', '.join(map(str, args))}, got {value!r}")
        return value
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise InvalidError(f"{where}: expected a list, got {value!r}")
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_typed(v, args[0], where) for v in value)
        if len(value) != len(args):
            raise InvalidError(f"{where}: expected {len(args)} values, got {len(value)}")
        return tuple(_typed(v, a, where) for v, a in zip(value, args, strict=True))
    if kind is Position:
        if not isinstance(value, Mapping):
            raise InvalidError(f"{where}: expected a position document, got {value!r}")
        return Position.from_document(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(kind, type) and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise InvalidError(f"{where}: expected {kind.__name__}, got {value!r}")
    return value


class _Document:
    """Conversion shared by events and commands."""

    __slots__ = ()
    _kinds: ClassVar[dict[str, type]]

    @classmethod
    def type_name(cls) -> str:
        return _snake(cls.__name__)

    @property
    def type(self) -> str:
        return self.type_name()

    def to_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {"type": self.type_name()}
        for f in dataclasses.fields(self):  # type: ignore[arg-type]
            document[f.name] = _plain(getattr(self, f.name))
        return document

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Any:
        """The event or command that `document` describes. Raises InvalidError."""
        if not isinstance(document, Mapping):
            raise InvalidError(f"event: expected an object, got {document!r}")
        kind = cls._kinds.get(str(document.get("type")))
        if kind is None:
            raise InvalidError(f"event: unknown type {document.get('type')!r}")
        values = {}
        for name, hint, needed in _fields(kind):
            if name in document:
                values[name] = _typed(document[name], hint, f"{kind.__name__}.{name}")
            elif needed:
                raise InvalidError(f"{kind.__name__}.{name}: missing")
        made = kind(**values)
        made.check()
        return made

    def check(self) -> None:
        """Raises InvalidError where the values have the right types and still make no sense. Asked of documents only."""


@functools.cache
def _fields(kind: type) -> tuple[tuple[str, Any, bool], ...]:
    """(name, type, whether it must be given) of every field; a long journal asks for it thousands of times."""
    hints = typing.get_type_hints(kind)
    return tuple(
        (f.name, hints[f.name], f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING)
        for f in dataclasses.fields(kind)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(_Document):
    """Base of all events. `time`: monotonic seconds; `seq`: the sighting behind it; `frame`: its file name."""

    _kinds: ClassVar[dict[str, type]] = {}
    time: float = 0.0
    seq: int = -1
    frame: str = ""

    def __init_subclass__(cls) -> None:
        Event._kinds[_snake(cls.__name__)] = cls


@dataclass(frozen=True, slots=True, kw_only=True)
class Command(_Document):
    """Base of what a person asks for by button, page or key."""

    _kinds: ClassVar[dict[str, type]] = {}

    def __init_subclass__(cls) -> None:
        Command._kinds[_snake(cls.__name__)] = cls
