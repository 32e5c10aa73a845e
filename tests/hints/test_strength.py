"""How strong the hints are on a sample of judged decisions (the whole measure: tests/bench/bench_hints.py)."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from pi_board.hints import cube_action, rank_plays
from pi_board.rules import Position

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
OWNER = {"mover": "light", "opponent": "dark", "centred": None}

pytestmark = pytest.mark.slow


def sample(name: str, every: int) -> list[dict]:
    if not (DATA / name).exists():
        pytest.skip(f"{name} is not beside the repository")
    with gzip.open(DATA / name, "rt") as lines:
        return [json.loads(line) for i, line in enumerate(lines) if i % every == 0]


def place(case: dict) -> Position:
    return Position(tuple(case["points"]), tuple(case["bar"]), tuple(case["off"]))


# A random play loses 317 thousandths, the linear player 42; the limits leave room for the sample's spread.
@pytest.mark.parametrize(
    ("level", "every", "limit"), [("fast", 3, 3.5), ("normal", 12, 2.0), ("deep", 30, 2.0)]
)
def test_checker_plays(level: str, every: int, limit: float) -> None:
    losses = []
    for case in sample("hints_dev.jsonl.gz", every):
        cube = (case["cube"]["value"], OWNER[case["cube"]["owner"]])
        best = rank_plays(place(case), tuple(case["dice"]), cube=cube, level=level)[0].play.result  # type: ignore[arg-type]
        judged = {tuple(c["result"]): c["eq"] for c in case["candidates"]}
        # A legal result that is missing from the judge's list would be a disagreement about the rules.
        losses.append(case["candidates"][0]["eq"] - judged[(*best.points, *best.bar, *best.off)])
    assert 1000 * np.mean(losses) < limit


def test_cube_decisions() -> None:
    doubling, taking = [], []
    for case in sample("cubes_dev.jsonl.gz", 5):
        cube = (case["cube"]["value"], OWNER[case["cube"]["owner"]])
        advice = cube_action(place(case), cube=cube)  # type: ignore[arg-type]
        nd, dt, dp = case["eq_no_double"], case["eq_double_take"], case["eq_double_pass"]
        turned = advice.action in ("double_take", "double_pass")
        doubling.append(max(nd, min(dt, dp)) - (min(dt, dp) if turned else nd))
        taking.append((dt if advice.take else dp) - min(dt, dp))
    assert 1000 * np.mean(doubling) < 4 and 1000 * np.mean(taking) < 2
