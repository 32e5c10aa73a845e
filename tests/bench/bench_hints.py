"""How good and how fast the hints are: `python tests/bench/bench_hints.py [--help]`.

Losses are thousandths of a point per decision on `../shared/data/hints_dev.jsonl.gz` and `cubes_dev.jsonl.gz` beside the repository (GNU
Backgammon 2-ply is the judge); where those are absent the tables are left out, visibly. Then games against a linear player
in the manner of pubeval, evaluations a second, and the same decisions put to GNU Backgammon where it is installed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from pi_board.hints import Evaluator, Gnubg, cube_action, rank_plays
from pi_board.hints.equity import CENTRED, CubeState, Money
from pi_board.hints.evaluator import shared_evaluator
from pi_board.hints.features import RACE, classify, plain_inputs
from pi_board.hints.gnubg import find_gnubg
from pi_board.hints.ranking import LEVELS, rank_rows
from pi_board.hints.rows import OWN_OFF, Rows, encode, expand_batch, flip
from pi_board.hints.search import Search
from pi_board.hints.stakes import stakes
from pi_board.rules import STARTING_POSITION, Position, Side, legal_plays

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
LINEAR = Path(__file__).with_name("linear_player.npz")
#: What GNU Backgammon's own `calibrate` gives on a machine like the reference core, static evaluations a second.
CALIBRATE = 137_000


def read(name: str, limit: int | None = None) -> list[dict[str, Any]]:
    path = DATA / name
    if not path.exists():
        print(f"{name}: not here, left out")
        return []
    with gzip.open(path, "rt") as lines:
        cases = [json.loads(line) for line in lines]
    if limit and limit < len(cases):
        cases = [cases[i] for i in np.linspace(0, len(cases) - 1, limit).astype(int)]
    return cases


def position(case: dict[str, Any]) -> Position:
    """The mover as light."""
    return Position(tuple(case["points"]), tuple(case["bar"]), tuple(case["off"]))


def cube_of(case: dict[str, Any]) -> tuple[int, Any]:
    return case["cube"]["value"], {"mover": "light", "opponent": "dark", "centred": None}[
        case["cube"]["owner"]
    ]


def play_losses(
    cases: list[dict[str, Any]], level: str, rank: Callable[..., Any] = rank_plays
) -> dict[str, Any]:
    losses, seconds, processor, chosen = [], [], [], []
    for case in cases:
        start, used = time.perf_counter(), time.process_time()
        best = rank(position(case), tuple(case["dice"]), "light", cube=cube_of(case), level=level)[0]
        seconds.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
        p = best.play.result
        judged = {tuple(c["result"]): c["eq"] for c in case["candidates"]}
        key = (*p.points, *p.bar, *p.off)
        chosen.append(key)
        # A result that the judge's list lacks counts as the worst on it.
        losses.append(1000 * (case["candidates"][0]["eq"] - judged.get(key, min(judged.values()))))
    return {
        "loss": np.array(losses),
        "seconds": np.array(seconds),
        "processor": np.array(processor),
        "chosen": chosen,
    }


def network_alone(
    position: Position, dice: tuple[int, int], side: Side, *, cube: Any, level: str
) -> list[Any]:
    """The play that the network likes best, without any look-ahead; `level` is not heeded."""
    plays = legal_plays(position, dice, side)
    model, state = stakes(side, cube)
    utility, _, _ = rank_rows(
        Search(shared_evaluator()), encode([p.result for p in plays], side), model, state, ()
    )
    return [SimpleNamespace(play=plays[int(np.argmax(utility))])]


def cube_losses(
    cases: list[dict[str, Any]], level: str, act: Callable[..., Any] = cube_action
) -> dict[str, Any]:
    doubling, taking, right, seconds = [], [], 0, []
    for case in cases:
        start = time.perf_counter()
        advice = act(position(case), "light", cube=cube_of(case), level=level)
        seconds.append(time.perf_counter() - start)
        nd, dt, dp = case["eq_no_double"], case["eq_double_take"], case["eq_double_pass"]
        doubles = advice.action in ("double_take", "double_pass")
        doubling.append(max(nd, min(dt, dp)) - (min(dt, dp) if doubles else nd))
        taking.append((dt if advice.take else dp) - min(dt, dp))
        right += advice.action == case["action3"]
    return {
        "doubling": 1000 * np.array(doubling),
        "taking": 1000 * np.array(taking),
        "right": right / len(cases),
        "seconds": np.array(seconds),
    }


def mean(x: np.ndarray) -> str:
    return f"{x.mean():6.2f} ± {x.std() / len(x) ** 0.5:.2f}"


def say_plays(name: str, found: dict[str, Any]) -> None:
    ms = 1000 * found["seconds"]
    print(
        f"  {name:14} loss {mean(found['loss'])}   best play {(found['loss'] < 1e-6).mean():4.0%}   "
        f"median {np.median(ms):.0f} ms, 95 % {np.quantile(ms, 0.95):.0f} ms "
        f"(processor {1000 * np.median(found['processor']):.0f}, {1000 * np.quantile(found['processor'], 0.95):.0f})",
        flush=True,
    )


def say_cubes(name: str, found: dict[str, Any]) -> None:
    print(
        f"  {name:14} doubling {mean(found['doubling'])}   taking {mean(found['taking'])}   same action {found['right']:4.0%}   "
        f"median {1000 * np.median(found['seconds']):.0f} ms",
        flush=True,
    )


def linear_best(rows: Rows, weights: dict[str, np.ndarray]) -> np.ndarray:
    """Value for the player who has just left `rows` (seen from the other, who is to roll)."""
    x = np.concatenate([plain_inputs(rows), np.ones((1, len(rows)), np.float32)])
    race = classify(rows) == RACE
    value = -np.where(race, weights["race"] @ x, weights["contact"] @ x)
    value[rows[:, 27] == 15] = 9
    return value


def games(number: int, level: str, seed: int = 1) -> np.ndarray:
    """Money points of cubeless games of our `level` against the linear player, starting in turn, all at once."""
    with np.load(LINEAR) as data:
        weights = dict(data)
    rng = np.random.default_rng(seed)
    search, model, state = Search(Evaluator()), Money(cube=False), CubeState(1, CENTRED)
    boards = np.repeat(encode([STARTING_POSITION], "light"), number, 0)  # seen from whoever is to roll
    ours = np.arange(number) % 2 == 0
    points = np.zeros(number)
    live = np.arange(number)
    first = True
    while len(live):
        dice = rng.integers(1, 7, (len(live), 2))
        while first and (dice[:, 0] == dice[:, 1]).any():
            dice[dice[:, 0] == dice[:, 1]] = rng.integers(1, 7, ((dice[:, 0] == dice[:, 1]).sum(), 2))
        first = False
        plays = expand_batch(boards[live], dice)
        linear = linear_best(flip(plays.results), weights)
        for j, game in enumerate(live):
            results, at = plays.of(j), slice(plays.starts[j], plays.starts[j + 1])
            if ours[game] and len(results) > 1:
                utility, _, plies = rank_rows(search, results, model, state, LEVELS[level])
                pick = np.lexsort((-utility, -plies))[0]
            else:
                pick = int(np.argmax(linear[at]))
            boards[game] = results[pick]
        over = boards[live, OWN_OFF] == 15
        for game in live[over]:
            row = boards[game]
            kind = 1 + (row[27] == 0) + (row[27] == 0 and (row[25] > 0 or (row[:6] < 0).any()))
            points[game] = kind if ours[game] else -kind
        live = live[~over]
        boards[live] = flip(boards[live])
        ours[live] = ~ours[live]
    return points


def speed() -> None:
    rng = np.random.default_rng(1)
    rows = encode([STARTING_POSITION], "light")
    parts = []
    for _ in range(60):
        found = expand_batch(
            np.repeat(rows, 40, 0)[:40], rng.integers(1, 7, (min(40, 40 * len(rows)), 2))
        ).results
        parts.append(found)
        rows = flip(found[rng.integers(len(found))][None])
        if 15 in rows[0, 26:]:
            rows = encode([STARTING_POSITION], "light")
    batch = np.concatenate(parts)[:20000]
    evaluator = Evaluator()
    evaluator.evaluate_rows(batch[:100])
    took = []
    for _ in range(5):
        # Processor time, so that the figure means one core also on a busy machine (set OMP_NUM_THREADS=1).
        start = time.process_time()
        evaluator.evaluate_rows(batch)
        took.append(time.process_time() - start)
    rate = len(batch) / min(took)
    print(
        f"network evaluations: {rate:,.0f}/s of one core, in batches; {rate / CALIBRATE:.2f} × GNU Backgammon's calibrate ({CALIBRATE:,}/s)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, help="so many of the checker decisions (default: all)")
    parser.add_argument("--cubes", type=int, help="so many of the cube decisions (default: all)")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--games-level", default="fast", choices=tuple(LEVELS))
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument(
        "--gnubg", type=int, default=100, metavar="N", help="decisions put to GNU Backgammon too (0: none)"
    )
    args = parser.parse_args()
    levels = args.levels.split(",")
    speed()
    rank_plays(STARTING_POSITION, (3, 1))
    cases = read("hints_dev.jsonl.gz", args.decisions)
    if cases:
        print(f"checker plays: {len(cases)} decisions, thousandths lost per decision")
        say_plays("network alone", play_losses(cases, "", network_alone))
        for level in levels:
            say_plays(level, play_losses(cases, level))
    cubes = read("cubes_dev.jsonl.gz", args.cubes)
    if cubes:
        print(f"cube: {len(cubes)} decisions")
        for level in levels:
            say_cubes(level, cube_losses(cubes, level))
    if args.gnubg and cases and find_gnubg():
        some = cases[:: max(1, len(cases) // args.gnubg)][: args.gnubg]
        print(f"both backends on the same {len(some)} decisions")
        with Gnubg(timeout=120) as engine:
            for level in levels:
                ours, theirs = play_losses(some, level), play_losses(some, level, engine.rank_plays)
                say_plays(f"own {level}", ours)
                say_plays(f"gnubg {level}", theirs)
                agree = np.mean([a == b for a, b in zip(ours["chosen"], theirs["chosen"], strict=True)])
                print(f"  the same play in {agree:.0%}")
            few = cubes[:: max(1, len(cubes) // args.gnubg)][: args.gnubg]
            if few:
                say_cubes("gnubg normal", cube_losses(few, "normal", engine.cube_action))
    elif args.gnubg and cases:
        print("GNU Backgammon is not installed: its part is left out")
    if args.games:
        points = games(args.games, args.games_level)
        half = 1.96 * points.std(ddof=1) / len(points) ** 0.5
        print(
            f"{len(points)} games ({args.games_level}) against the linear player: {points.mean():+.2f} ± {half:.2f} points a game (95 %)"
        )


__all__ = ["cube_losses", "games", "play_losses"]

if __name__ == "__main__":
    main()
