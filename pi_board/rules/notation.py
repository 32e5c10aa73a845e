"""Standard notation: `24/18*/13(2)`, `bar/21`, `6/off`."""

from __future__ import annotations

from collections.abc import Sequence

#: What is written for a play without moves.
NO_PLAY = "no play"


def format_moves(moves: Sequence[tuple[int, int]], hits: Sequence[bool] = ()) -> str:
    """The shortest standard notation of `moves` (one pair per die; mover's numbering, 25 = bar, 0 = off).

    Moves of one checker are joined (`24/18/13` is written `24/13` unless something was hit on the way), equal ones
    counted (`6/5(2)`), highest first.
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
    for _, word, count in sorted(words, key=lambda w: tuple(-p for p in w[0])):
        merged[word] = merged.get(word, 0) + count
    return " ".join(word + (f"({count})" if count > 1 else "") for word, count in merged.items())


def _name(point: int) -> str:
    return "bar" if point == 25 else "off" if point == 0 else str(point)
