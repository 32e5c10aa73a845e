"""Killed at any moment: what the table heard is in the journal, and the game goes on at the same position."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pi_board.events import Event
from pi_board.record.journal import journals, read_journal, unfinished
from pi_board.referee import Referee

SERVER = Path(__file__).with_name("killed_process.py")


@pytest.fixture
def server() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    yield process
    process.stdin.close()  # type: ignore[union-attr]
    process.wait(timeout=20)


@dataclass
class Session:
    """What was heard in one folder, over all the lives of its game."""

    folder: Path
    heard: dict[str, list[Event]] = field(default_factory=dict)
    events: int = 0


def one_life(
    server: subprocess.Popen[str],
    session: Session,
    seed: int,
    mode: str,
    lines: int,
    seconds: float,
    out: Path,
) -> list[dict[str, Any]]:
    """Start, wait until `lines` were announced and for some `seconds` more, kill. Returns the whole lines announced.

    Waiting for lines and not only for time: on a busy machine a process may take long to come so far.
    """
    assert server.stdin is not None and server.stdout is not None
    order = {"folder": str(session.folder), "seed": seed, "out": str(out), "mode": mode}
    server.stdin.write(json.dumps(order) + "\n")
    server.stdin.flush()
    pid = int(server.stdout.readline())
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up and (out.read_bytes().count(b"\n") if out.exists() else 0) < lines:
        time.sleep(0.002)
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    word, status = server.stdout.readline().split()
    assert word == "dead" and os.WIFSIGNALED(int(status)), "it ended by itself"
    whole = out.read_bytes().split(b"\n")[:-1] if out.exists() else []
    return [json.loads(line) for line in whole]


def view_of(events: list[Event]) -> dict[str, Any]:
    return json.loads(json.dumps(Referee.from_events(events).view().to_document()))  # type: ignore[no-any-return]


def check(
    session: Session, lines: list[dict[str, Any]], before: list[Event]
) -> tuple[list[Event], float | None]:
    """0 lost, the position of the journal is the one that was shown last. Returns what is stored now."""
    files = journals(session.folder)
    content = read_journal(files[-1]) if files else None
    stored = list(content.events) if content is not None else []
    assert content is None or not content.damaged
    if not lines:
        return stored, None
    first, *later = lines
    resumed = before if unfinished(before) else []
    if resumed:
        assert stored[: len(before)] == before, "it did not go on in the same journal"
        assert first["view"] == view_of(resumed), "it did not come back at the same position"
    heard = [Event.from_document(document) for line in later for document in line["events"]]
    session.events += len(heard)
    expected = resumed + heard
    assert stored[: len(expected)] == expected, "an announced event is not in the journal"
    if later:
        # Only what was written and not yet announced may be beyond it.
        assert view_of(expected) == later[-1]["view"], "replaying gives another state than the one shown"
    return stored, first["resumed"]


def kill_often(server: subprocess.Popen[str], folder: Path, kills: int, seed: int) -> Counter[str]:
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    session, before = Session(folder / "0"), list[Event]()
    slowest = 0.0
    for n in range(kills):
        if n % 12 == 0:
            found["announced"] += session.events
            session, before = Session(folder / str(n)), []
        out = folder / f"heard-{n}.jsonl"
        # Some are killed while they come back, most while they play.
        wanted = rng.choice((0, rng.randint(2, 4), rng.randint(3, 9)))
        lines = one_life(server, session, seed * 1000 + n, "synthetic", wanted, rng.uniform(0, 0.03), out)
        before, resumed = check(session, lines, before)
        found["while coming back" if not lines else "while playing"] += 1
        if resumed is not None:
            slowest = max(slowest, resumed)
    found["announced"] += session.events
    found["slowest resume, ms"] = round(1000 * slowest)
    return found


@pytest.mark.parametrize("kills", [10, pytest.param(500, marks=pytest.mark.slow)])
def test_nothing_announced_is_lost(
    server: subprocess.Popen[str], tmp_path: Path, kills: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found = kill_often(server, tmp_path, kills, seed=kills)
    with capsys.disabled():
        if kills > 10:
            print(f"\n{kills} kills: {dict(found)}; 0 lost")
    assert found["announced"] > kills and found["while playing"] > kills / 4
    if kills > 10:
        assert found["slowest resume, ms"] <= 2000


@pytest.mark.slow
def test_the_rendered_demo_is_killed(server: subprocess.Popen[str], tmp_path: Path) -> None:
    """The same with `run_demo`, frames and vision."""
    rng = random.Random(3)
    announced = 0
    for n in range(20):
        session = Session(tmp_path / str(n))
        lines = one_life(
            server, session, n, "demo", rng.randint(1, 8), rng.uniform(0, 1), tmp_path / f"heard-{n}.jsonl"
        )
        stored, _ = check(session, lines, [])
        announced += session.events
        again = one_life(server, session, n, "synthetic", 1, 0.0, tmp_path / f"again-{n}.jsonl")
        if stored and again:
            assert again[0]["resumed"] <= 2.0
            if any(e.type == "game_started" for e in stored):
                assert again[0]["view"] == view_of(stored)
    assert announced > 20
