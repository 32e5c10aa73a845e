"""Standard notation, written and read: `24/18*/13(2)`, `bar/21`, `6/off`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Protocol, TypeVar

from pi_board.errors import IllegalError, InvalidError

#: What is written for a play without moves.
NO_PLAY = "no play"
_NO_PLAYS = {"", "-", "no play", "no move", "cannot move", "can't move", "dance", "dances", "(no play)"}
_CHAIN = re.compile(r"((?:bar|off|\d{1,2})\*?(?:/(?:bar|off|\d{1,2})\*?)+)(?:\((\d)\))?", re.IGNORECASE)

#: One checker's way: its points in order (25 = bar, 0 = off), each with whether it hits there.
Chain = tuple[tuple[int, bool], ...]


class _Play(Protocol):
    @property
    def moves(self) -> tuple[tuple[int, int], ...]: ...

    @property
    def hits(self) -> tuple[bool, ...]: ...


P = TypeVar("P", bound=_Play)


def format_moves(moves: Sequence[tuple[int, int]], hits: Sequence[bool] = ()) -> str:
    """The shortest standard notation of `moves` (one pair per die; mover's numbering, 25 = bar, 0 = off).

    Moves of one checker are joined (`24/18/13` is written `24/13` unless something was hit on the way), equal ones
    counted (`6/5(2)`), highest first and from one point the shortest first (`6/5 6/3`, `6/2 6/off`).
    """
    if not moves:
        return NO_PLAY
    marked = list(hits) or [False] * len(moves)
    left = sorted(zip(moves, marked, strict=True), key=lambda m: (-m[0][0], -m[0][1], not m[1]))
    chains: list[list[tuple[int, bool]]] = []
    while left:
        (start, to), hit = left.pop(0)
        chain = [(start, False), (to, hit)]
        while to:
            following = next((m for m in left if m[0][0] == to), None)
            if following is None:
                break
            left.remove(following)
            (_, to), hit = following
            chain.append((to, hit))
        chains.append(chain)
    # A point is starred once; a stop on the way is written only where something was hit.
    groups: dict[tuple[int, ...], list[list[tuple[int, bool]]]] = {}
    for chain in chains:
        groups.setdefault(tuple(p for p, _ in chain), []).append(chain)
    words: list[tuple[tuple[int, ...], str, int]] = []
    for points, same in groups.items():
        starred = [any(c[i][1] for c in same) for i in range(len(points))]
        word = "/".join(
            _name(p) + ("*" if starred[i] else "")
            for i, p in enumerate(points)
            if i in (0, len(points) - 1) or starred[i]
        )
        words.append((points, word, len(same)))
    merged: dict[str, int] = {}
    for _, word, count in sorted(words, key=lambda w: (-w[0][0], -w[0][-1])):
        merged[word] = merged.get(word, 0) + count
    return " ".join(word + (f"({count})" if count > 1 else "") for word, count in merged.items())


def _name(point: int) -> str:
    return "bar" if point == 25 else "off" if point == 0 else str(point)


def parse_notation(text: str) -> tuple[Chain, ...]:
    """The checkers' ways that `text` names, `(2)` written out; an empty tuple for "no play", "Cannot Move" and the like.

    Accepts commas, `25` for bar and `0` for off. Raises InvalidError naming the word that cannot be read.
    """
    if not isinstance(text, str):
        raise InvalidError(f"play: expected a text like 8/5 6/5, got {text!r}")
    words = " ".join(text.replace(",", " ").split()).lower()
    if words in _NO_PLAYS:
        return ()
    chains: list[Chain] = []
    for word in words.split(" "):
        match = _CHAIN.fullmatch(word)
        if match is None:
            raise InvalidError(f"play: expected moves like 8/5, bar/21* or 6/off(2), got {word!r}")
        points = []
        for stop in match[1].split("/"):
            name = stop.rstrip("*")
            points.append((25 if name == "bar" else 0 if name == "off" else int(name), stop.endswith("*")))
        for (start, _), (to, _) in pairwise(points):
            if start > 25 or to >= start:
                raise InvalidError(
                    f"play: {word}: a checker moves from a higher point (bar = 25) to a lower one (off = 0)"
                )
        if points[0][1] or (points[-1][0] == 0 and points[-1][1]):
            raise InvalidError(f"play: {word}: nothing can be hit where a checker starts or bears off")
        count = int(match[2]) if match[2] else 1
        if not 1 <= count <= 4:
            raise InvalidError(f"play: {word}: expected 1 to 4 checkers, got {count}")
        chains.append(tuple(points))
        # Only the first of several equal checkers finds the blot.
        chains += [tuple((p, False) for p, _ in points)] * (count - 1)
    return tuple(chains)


def find_play(text: str, plays: Sequence[P]) -> P:
    """The one of `plays` (as `legal_plays` lists them) that `text` names.

    Stops and stars may be left out; where several plays fit, the one with the fewest hits that `text` does not name.
    Raises InvalidError for what is no notation, IllegalError when no play fits.
    """
    chains = parse_notation(text)
    wanted = _change((c[0][0], c[-1][0]) for c in chains)
    stars = {p for c in chains for p, hit in c if hit}
    stops = {p for c in chains for p, _ in c[1:-1]}
    best: tuple[tuple[int, int], P] | None = None
    for play in plays:
        if _change(play.moves) != wanted:
            continue
        hits = {to for (_, to), hit in zip(play.moves, play.hits, strict=True) if hit}
        if stars - hits:
            continue
        rank = (len(stops - {to for _, to in play.moves}), len(hits - stars))
        if best is None or rank < best[0]:
            best = (rank, play)
    if best is None:
        raise IllegalError(f"{' '.join(text.split()) or NO_PLAY} is not a legal play")
    return best[1]


def _change(moves: Iterable[tuple[int, int]]) -> dict[int, int]:
    change: Counter[int] = Counter()
    for start, to in moves:
        change[start] -= 1
        change[to] += 1
    return {p: n for p, n in change.items() if n}
