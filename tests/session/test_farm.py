"""The coach on several processes and on a Dask cluster: the same figures to the bit, whatever dies."""

from __future__ import annotations

import json
import multiprocessing
from dataclasses import replace
from pathlib import Path

import pytest

from pi_board.cli import main
from pi_board.record.formats import save
from pi_board.record.match import GameRecord, MatchRecord
from pi_board.session import farm
from pi_board.session.farm import judgments
from tests.record.random_match import random_match


@pytest.fixture(scope="module")
def games() -> list[tuple[GameRecord, MatchRecord]]:
    match = random_match(0, rules="international")
    # One game and half of another: enough pieces for two processes.
    second = replace(match.games[1], actions=match.games[1].actions[:20], winner=None)
    return [(match.games[0], match), (second, match)]


@pytest.mark.slow
def test_two_processes_say_the_same_as_one(games: list[tuple[GameRecord, MatchRecord]]) -> None:
    one = judgments(games)
    shares: list[float] = []
    assert judgments(games, workers=2, progress=shares.append) == one
    assert shares[-1] == 1.0 and shares == sorted(shares)
    assert any(j.loss > 0 for said in one for j in said) and len(one) == len(games)


@pytest.mark.slow
def test_a_process_that_is_killed_costs_its_piece_only(
    games: list[tuple[GameRecord, MatchRecord]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(farm, "PIECE", 8)
    one = judgments(games)
    killed: list[int] = []

    def kill(share: float) -> None:
        # As soon as the first piece is there, one of the workers dies.
        if not killed and share < 1.0:
            worker = multiprocessing.active_children()[0]
            worker.kill()
            killed.append(worker.pid or 0)

    assert judgments(games, workers=2, progress=kill) == one
    assert killed


@pytest.mark.slow
def test_a_dask_cluster_says_the_same(games: list[tuple[GameRecord, MatchRecord]]) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        assert judgments(games[1:], scheduler=cluster.scheduler_address) == judgments(games[1:])


def test_nobody_at_that_address(
    games: list[tuple[GameRecord, MatchRecord]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed")
    save(games[0][1], tmp_path / "a.mat", "mat")
    assert main(["stats", str(tmp_path), "--coach", "--scheduler", "nonsense://"]) == 2
    assert "nonsense" in capsys.readouterr().err


def test_the_report_holds_every_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(random_match(3, rules="international"), tmp_path / "a.mat", "mat")
    report = tmp_path / "report.html"
    assert main(["stats", str(tmp_path), "--report", str(report), "--json"]) == 0
    text, players = report.read_text(), json.loads(capsys.readouterr().out)["players"]
    assert all(name in text for name in players) and "<svg" in text and "<h2>Dice</h2>" in text


def test_the_table_of_plays_needs_no_coach(tmp_path: Path) -> None:
    """Without the coach the table holds what was played, not nothing."""
    parquet = pytest.importorskip("pyarrow.parquet")
    match = random_match(4, rules="international")
    save(match, tmp_path / "a.mat", "mat")
    table = tmp_path / "plays.parquet"
    assert main(["stats", str(tmp_path), "--parquet", str(table), "--json"]) == 0
    rows = parquet.read_table(table).to_pylist()
    assert len(rows) == sum(len(g.actions) for g in match.games) > 20
    assert {r["player"] for r in rows} == set(match.names) and {r["kind"] for r in rows} >= {"roll"}
    first = rows[0]
    assert first["dice"] == list(match.games[0].actions[0].dice) and "/" in first["play"] and first["legal"]


@pytest.mark.slow
def test_the_table_of_decisions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    save(random_match(4, rules="international"), tmp_path / "a.mat", "mat")
    table = tmp_path / "decisions.parquet"
    assert main(["stats", str(tmp_path), "--coach", "--parquet", str(table), "--json"]) == 0
    rows = parquet.read_table(table).to_pylist()
    players = json.loads(capsys.readouterr().out)["players"]
    for name, p in players.items():
        mine = [r for r in rows if r["player"] == name]
        assert sum(r["counts"] for r in mine) == p["decisions"]
        assert sum(r["luck"] for r in mine) == pytest.approx(p["luck"], abs=1e-3)
