"""Synthetic matches to one point with careless players, each way to referee; the bench plays longer ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.bench_match import Match, play

#: Seconds by which a turn may be charged wrongly: five pictures at 10 a second.
NEAR = 0.5


def check(match: Match) -> None:
    assert (match.exact, match.why) == (match.games, [])
    assert match.false == 0 and match.shown > 0
    assert match.leaks == [] and match.charged_while_stopped == 0
    assert match.turns - len(match.errors) <= 2, "all turns but those with a cube action are timed"
    assert max(match.errors) <= NEAR, match.far


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "seed"), [("legal", 3), ("responsible", 2), ("recorder", 1)])
def test_a_match(tmp_path: Path, mode: str, seed: int) -> None:
    match = play(mode, 1, seed, folder=tmp_path)  # type: ignore[arg-type]
    check(match)
    assert match.stood == match.stood_marked
    if mode == "responsible":
        assert match.challenged >= 3 and match.answered_right + match.unclear == match.challenged
    else:
        assert match.challenged == 0
