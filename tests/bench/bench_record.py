"""What reading a game file of 64 KB costs, in time and memory, and how quickly a long journal is taken up again.

    python tests/bench/bench_record.py

Processor time of the best of five; memory: the highest that Python's allocator saw beyond the text itself. `games`:
as many random games as fit. `hostile`: the 64 KB that cost most of a list of patterns made to be awkward.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pi_board.events import DiceRolled, Event, GameStarted, MatchStarted, TurnEnded
from pi_board.record.formats import WRITERS, parse
from pi_board.record.journal import Journal, encode, resume
from pi_board.record.match import MatchRecord, Rolled
from pi_board.referee import Referee
from pi_board.rules import STARTING_POSITION
from tests.record.random_match import random_match

SIZE = 64 * 1024

#: Repeated to 64 KB, or set around a repeated part.
HOSTILE = {
    "mat": [
        " 0 point match\n\n Game 1\n A : 0   B : 0\n"
        + "  1) 31: 8/5 6/4                 52: 13/8 13/12\n" * 1400,
        " 0 point match\n" + " Game 1\n" * 8200,
        " 0 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: " + "8/5 " * 16000,
        " 0 point match\n\n Game 1\n A : 0   B : 0\n  1) 52: Illegal play (" + "1;" * 32000 + ")",
        " 0 point match\n\n Game 1\n A : 0   B : 0\n" + "  1) 31: (((((((( :  : :   (\n" * 2400,
        " " * SIZE,
        "a:" * (SIZE // 2),
    ],
    "sgf": [
        "(" * SIZE,
        "(;GM[6]" + ";W[31hefe]" * 6500 + ")",
        "(;GM[6]" + ";" * 65000 + ")",
        "(;GM[6];W" + "[31]" * 16000 + ")",
        "(;GM[6]C[" + "\\" * 65000 + "])",
        "(;GM[6]" + "(;W[31hefe])" * 5400 + ")",
        "(;GM[6]" + ";PL[W]AE[a:y]AW[a:x]" * 3200 + ")",
        "(;GM[6]" + ";W[zz]" * 10900 + ")",
    ],
    "json": [
        '{"format": "pi_board-match", "games": [' + "{}," * 21000 + "{}]}",
        '{"format": "pi_board-match", "games": [{"actions": [' + "0," * 32000 + "0]}]}",
        "[" * SIZE,
        '{"format": "pi_board-match", "games": [{"actions": ['
        + ",".join(['{"type":"roll","side":"light","dice":[3,1],"moves":[[8,5],[6,5]]}'] * 950)
        + "]}]}",
        '{"a":' * 11000,
    ],
    "txt": [
        "pi_board game log\nGame 1 (0-0)\n" + "light 31: 8/5 6/5\n" * 3600,
        "pi_board game log\nGame 1 (0-0)\n" + "light 31: illegal, stood: {}\n" * 2200,
        "pi_board game log\n" + "Game 1 (0-0)\n" * 5000,
        "pi_board game log\nGame 1 (0-0)\nlight 31: illegal, stood: " + "[" * 65000,
    ],
    "journal": [
        '{"v":1\n' * 9000,
        '{"v":1,"seq":0,"crc":"00000000"}\n' * 1980,
        encode(0, "", {"note": {}}).decode() * 1300,
    ],
}


def games_of_64k(kind: str) -> bytes:
    """As many random games as fit, then as many actions of one more."""
    games = [game for seed in range(300, 400) for game in random_match(seed).games]
    match = MatchRecord(games=())

    def size(candidate: MatchRecord) -> int:
        return len(WRITERS[kind](candidate).encode())

    for game in games:
        if size(replace(match, games=(*match.games, game))) > SIZE:
            low = 0
            for n in range(len(game.actions), 0, -1):
                part = replace(game, actions=game.actions[:n], winner=None, points=0, kind="")
                if size(replace(match, games=(*match.games, part))) <= SIZE:
                    low = n
                    match = replace(match, games=(*match.games, part))
                    break
            if low or kind != "json":
                break
        else:
            match = replace(match, games=(*match.games, game))
    return WRITERS[kind](match).encode()


def story(turns: int) -> Iterator[Event]:
    """Events of a long evening, all from the same position (what they say is not judged here)."""
    yield MatchStarted(rules="international")
    yield GameStarted(game=1, position=STARTING_POSITION)
    sides = itertools.cycle(("light", "dark"))
    for i, side in zip(range(turns), sides, strict=False):
        yield DiceRolled(side=side, dice=(3, 1), time=float(i))  # type: ignore[arg-type]
        yield TurnEnded(side=side, position=STARTING_POSITION, dice=(3, 1), time=i + 0.5)  # type: ignore[arg-type]


def journal_of_64k() -> bytes:
    lines = b""
    for seq, event in enumerate(story(1000)):
        line = encode(seq, "2026-11-20T20:00:00.000Z", {"event": event.to_document()})
        if len(lines) + len(line) > SIZE:
            break
        lines += line
    return lines


def cost(data: bytes) -> tuple[float, float]:
    """(milliseconds, megabytes) of `parse`."""
    best = float("inf")
    for _ in range(5):
        begin = time.process_time()
        parse(data)
        best = min(best, time.process_time() - begin)
    tracemalloc.start()
    parse(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return 1000 * best, peak / 1e6


def formats() -> list[tuple[str, str, int, int, float, float]]:
    """(format, what, bytes, actions, ms, MB) for every format."""
    rows = []
    for kind in (*WRITERS, "journal"):
        data = journal_of_64k() if kind == "journal" else games_of_64k(kind)
        match = parse(data).match
        actions = sum(isinstance(a, Rolled) for g in match.games for a in g.actions)
        rows.append((kind, "games", len(data), actions, *cost(data)))
        worst = max(cost(text.encode()[:SIZE]) for text in HOSTILE[kind])
        rows.append((kind, "hostile", SIZE, 0, worst[0], worst[1]))
    return rows


def taking_up(turns: int) -> tuple[int, float]:
    """(bytes, seconds) of resuming a game of `turns` turns, referee included."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.create(folder)
        journal.append(list(story(turns)))
        journal.close()
        begin = time.perf_counter()
        found = resume(folder)
        Referee.from_events(found.events)
        seconds = time.perf_counter() - begin
        found.journal.close()
        return journal.path.stat().st_size, seconds


def main() -> None:
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    print("format   what      bytes  rolls      ms     MB")
    for kind, what, size, actions, ms, mb in formats():
        print(f"{kind:<8} {what:<8} {size:>6}  {actions:>5}  {ms:>6.1f}  {mb:>5.1f}")
    print("\ntaking up a journal again\nturns    bytes   seconds")
    for turns in (100, 1000, 5000):
        size, seconds = taking_up(turns)
        print(f"{turns:>5}  {size:>7}  {seconds:>8.2f}")


if __name__ == "__main__":
    main()
