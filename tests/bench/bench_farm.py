"""The coach on a winter's match files: what more processes bring, and that they say the same to the bit.

    python tests/bench/bench_farm.py [--files 300] [--decisions 400] [--workers 1 2] [--rounds 3] [--folder FOLDER]

Writes match files of simulated evenings (players who play by the simulator's heuristic, with cubes) unless FOLDER has them, reads
them as `pi-board stats --coach` does, and has the first decisions of them judged by each number of workers in turn, `--rounds`
times. Beside the wall clock it says what share of all processors' time other programs took meanwhile: where that is more than a
few percent, the figure is theirs. The speed-up is that of the best round.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pi_board.record.formats import load, save
from pi_board.record.match import Doubled, Dropped, GameRecord, MatchRecord, Rolled, Took
from pi_board.rules import STARTING_POSITION, Side, legal_plays, opponent, winner
from pi_board.session.farm import Judgment, judgments
from pi_board.simulator.players import choose, takes, wants_to_double

NAMES = ("Anna", "Bob", "Cleo", "Dora", "Emil", "Fritz", "Gina", "Hugo")


def evening(seed: int) -> MatchRecord:
    """A match to three of two members of the club."""
    rng = np.random.default_rng((seed, 25))
    one, two = rng.choice(len(NAMES), 2, replace=False)
    match = MatchRecord((NAMES[one], NAMES[two]), 3, date="2026-01-15", event="Club night")
    score, games, crawford_played = (0, 0), [], False
    while max(score) < 3:
        crawford = 2 in score and not crawford_played
        crawford_played |= crawford
        found = game(rng, score, crawford)
        games.append(found)
        light, dark = score
        score = (light + found.points, dark) if found.winner == "light" else (light, dark + found.points)
    return replace(match, games=tuple(games))


def game(rng: np.random.Generator, score: tuple[int, int], crawford: bool) -> GameRecord:
    position, cube = STARTING_POSITION, 1
    actions: list[Rolled | Doubled | Dropped | Took] = []
    owner: Side | None = None
    a, b = (int(n) for n in rng.choice(np.arange(1, 7), 2, replace=False))
    side: Side = "light" if a > b else "dark"
    out = GameRecord(score=score, crawford=crawford)
    while True:
        play = choose(legal_plays(position, (a, b), side), side, rng)
        actions.append(Rolled(side, (max(a, b), min(a, b)), tuple(play.moves)))
        position = play.result
        if winner(position) is not None:
            left = position.seen_from(opponent(side))
            kind = "single" if left[2][0] else "gammon"
            return replace(
                out,
                actions=tuple(actions),
                winner=side,
                points=cube * (1 if kind == "single" else 2),
                kind=kind,
            )
        side = opponent(side)
        if not crawford and owner in (None, side) and cube < 4 and wants_to_double(position, side, rng):
            actions.append(Doubled(side, 2 * cube))
            if not takes(position, opponent(side), rng):
                actions.append(Dropped(opponent(side)))
                return replace(out, actions=tuple(actions), winner=side, points=cube, kind="pass")
            actions.append(Took(opponent(side)))
            cube, owner = 2 * cube, opponent(side)
        a, b = (int(n) for n in rng.integers(1, 7, 2))


def matches(path: Path) -> tuple[MatchRecord, ...]:
    found = load(path)
    return found.matches or (found.match,)


def ticks() -> tuple[float, float]:
    """(seconds of all processors in use, of this process and its ended children) so far."""
    words = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    idle = int(words[3]) + int(words[4])
    used = (sum(map(int, words[:8])) - idle) / os.sysconf("SC_CLK_TCK")
    own = os.times()
    return used, own.user + own.system + own.children_user + own.children_system


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--decisions", type=int, default=400, help="judged in each run, about")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="for the match files; kept")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = args.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        for seed in range(args.files):
            path = folder / f"match-{seed:04d}.mat"
            if not path.exists():
                save(evening(seed), path, "mat")
        games = [
            (g, m)
            for path in sorted(folder.glob("*.mat"))[: args.files]
            for m in matches(path)
            for g in m.games
        ]
    some, left = [], args.decisions
    for g, m in games:
        if left <= 0:
            break
        some.append((g, m))
        left -= len(g.actions)
    print(f"{args.files} files, {len(games)} games; judged: {len(some)} games", flush=True)
    best: dict[int, float] = {}
    told: list[list[Judgment]] | None = None
    for _ in range(args.rounds):
        for workers in args.workers:
            used, own = ticks()
            began = time.perf_counter()
            found = judgments(some, workers=workers)
            seconds = time.perf_counter() - began
            used, own = (b - a for a, b in zip((used, own), ticks(), strict=True))
            others = (used - own) / (seconds * (os.cpu_count() or 1))
            best[workers] = min(best.get(workers, seconds), seconds)
            print(
                f"{workers} workers: {seconds:6.2f} s, own CPU {own:6.2f} s, others' share {others:4.0%}, load {os.getloadavg()[0]:.2f}",
                flush=True,
            )
            if told is not None and found != told:
                print("another answer")
                return 1
            told = found
    first = args.workers[0]
    for workers in args.workers[1:]:
        print(f"{first} -> {workers} workers: {best[first] / best[workers]:.2f} x, the same to the bit")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
