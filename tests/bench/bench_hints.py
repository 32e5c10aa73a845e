"""How good and how fast the hints are: `python tests/bench/bench_hints.py [--decisions N] [--cubes N] [--games N] …`.

Reads `../shared/data/hints_dev.jsonl.gz` and `cubes_dev.jsonl.gz` beside the repository (GNU Backgammon 2-ply as judge); says so
and leaves those tables out where they are absent. Losses are thousandths of a point per decision.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from pathlib import Path

import numpy as np

from pi_board.hints.cube_advice import cube_action
from pi_board.hints.evaluator import Evaluator
from pi_board.hints.ranking import LEVELS, rank_plays
from pi_board.rules import Position

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def read(name: str, limit: int | None) -> list[dict]:
    path = DATA / name
    if not path.exists():
        print(f"{name}: not here, left out")
        return []
    with gzip.open(path, "rt") as lines:
        cases = [json.loads(line) for line in lines]
    if limit and limit < len(cases):
        cases = [cases[i] for i in np.linspace(0, len(cases) - 1, limit).astype(int)]
    return cases


def position(case: dict) -> Position:
    """The mover as light."""
    return Position(tuple(case["points"]), tuple(case["bar"]), tuple(case["off"]))


def cube_of(case: dict) -> tuple[int, str | None]:
    return case["cube"]["value"], {"mover": "light", "opponent": "dark", "centred": None}[case["cube"]["owner"]]


def plays_table(cases: list[dict], levels: list[str], rank=rank_plays) -> dict[str, dict[str, float]]:
    table = {}
    for level in levels:
        losses, seconds, same, missing = [], [], 0, 0
        for case in cases:
            start = time.perf_counter()
            best = rank(position(case), tuple(case["dice"]), "light", cube=cube_of(case), level=level)[0]
            seconds.append(time.perf_counter() - start)
            p = best.play.result
            key = [*p.points, *p.bar, *p.off]
            judged = {tuple(c["result"]): c["eq"] for c in case["candidates"]}
            top = case["candidates"][0]["eq"]
            if tuple(key) not in judged:
                missing += 1
            loss = top - judged.get(tuple(key), min(judged.values()))
            losses.append(loss)
            same += loss <= 1e-9
        x = 1000 * np.array(losses)
        table[level] = {
            "loss": float(x.mean()), "se": float(x.std() / len(x) ** 0.5), "same": same / len(x),
            "median_ms": 1000 * float(np.median(seconds)), "p95_ms": 1000 * float(np.quantile(seconds, 0.95)),
            "missing": missing,
        }
    return table


def cube_table(cases: list[dict], levels: list[str], act=cube_action) -> dict[str, dict[str, float]]:
    table = {}
    for level in levels:
        doubling, taking, right, seconds = [], [], 0, []
        for case in cases:
            start = time.perf_counter()
            advice = act(position(case), "light", cube=cube_of(case), level=level)
            seconds.append(time.perf_counter() - start)
            nd, dt, dp = case["eq_no_double"], case["eq_double_take"], case["eq_double_pass"]
            best = max(nd, min(dt, dp))
            doubles = advice.action in ("double_take", "double_pass")
            doubling.append(best - (min(dt, dp) if doubles else nd))
            taking.append((dt if advice.take else dp) - min(dt, dp))
            right += advice.action == case["action3"]
        table[level] = {
            "doubling": 1000 * float(np.mean(doubling)), "taking": 1000 * float(np.mean(taking)),
            "right": right / len(cases), "median_ms": 1000 * float(np.median(seconds)),
        }
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int)
    parser.add_argument("--cubes", type=int)
    parser.add_argument("--levels", default=",".join(LEVELS))
    args = parser.parse_args()
    levels = args.levels.split(",")
    Evaluator().evaluate([Position((-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))])
    cases = read("hints_dev.jsonl.gz", args.decisions)
    if cases:
        print(f"checker plays: {len(cases)} decisions")
        for level, t in plays_table(cases, levels).items():
            print(f"  {level:7} loss {t['loss']:6.2f} ± {t['se']:.2f}  best play {t['same']:.0%}  "
                  f"median {t['median_ms']:.0f} ms  95 % {t['p95_ms']:.0f} ms  unknown results {t['missing']}")
    cases = read("cubes_dev.jsonl.gz", args.cubes)
    if cases:
        print(f"cube: {len(cases)} decisions")
        for level, t in cube_table(cases, levels).items():
            print(f"  {level:7} doubling {t['doubling']:6.2f}  taking {t['taking']:5.2f}  same action {t['right']:.0%}  "
                  f"median {t['median_ms']:.0f} ms")


if __name__ == "__main__":
    main()
