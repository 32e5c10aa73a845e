"""A full disk, as the system really reports it: play goes on, the banner says so, and writing resumes by itself."""

from __future__ import annotations

import json
import resource
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pi_board.events import AcceptResignation, Resign
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.record.formats import load
from pi_board.record.journal import read_journal
from pi_board.referee import Referee, RefereeOptions
from pi_board.rules import RULE_SETS
from pi_board.session.app import App
from pi_board.session.sitting import Sitting
from pi_board.sighting import Sighting
from tests.referee.people import PlayedGame

PICTURE = np.zeros((8, 8, 3), np.uint8)


def sightings_of_a_game(seed: int) -> list[Sighting]:
    """The beginning of a game at a table without pictures."""
    game = PlayedGame(seed, habits={"one_hand_two_checkers": 1.0}, max_turns=16)
    seen: list[Sighting] = []
    look = game.table.look

    def kept(*how: Any) -> Sighting:
        seen.append(look(*how))
        return seen[-1]

    game.table.look = kept  # type: ignore[method-assign]
    game.run()
    return seen


class Script:
    """Camera and reader in one: frames without a picture, and what is to be seen in them; `before` hooks by frame."""

    told = seat = ("light", "right")

    def __init__(self, seen: list[Sighting], before: dict[int, Callable[[], object]]) -> None:
        self.seen, self.before, self.n = seen, before, 0

    def read(self) -> Frame | None:
        if self.n >= len(self.seen):
            return None
        self.before.get(self.n, lambda: None)()
        self.n += 1
        return Frame(PICTURE, self.seen[self.n - 1].time, self.n - 1)

    def look(self, frame: Frame) -> Sighting:
        return self.seen[frame.seq]

    def learn(self, position: object) -> None: ...

    def took(self, seconds: float) -> None: ...

    def expect_start(self) -> None: ...

    def close(self) -> None: ...


class Watcher:
    def __init__(self) -> None:
        self.moments: list[Moment] = []

    def show(self, moment: Moment) -> None:
        self.moments.append(moment)

    def close(self) -> None: ...


def play(
    folder: Path, fill: Callable[[Sitting], None], free: Callable[[], None]
) -> tuple[Sitting, list[Moment], float, float]:
    """A game during whose middle third the disk is full. Returns also when it became full and free."""
    seen = sightings_of_a_game(5)
    full, empty = len(seen) // 3, 2 * len(seen) // 3
    script = Script(
        seen,
        {
            full: lambda: fill(sitting),
            empty: free,
            len(seen) - 3: lambda: app.submit(Resign(side="dark", kind=1)),
            len(seen) - 2: lambda: app.submit(AcceptResignation()),
        },
    )
    sitting = Sitting.at_the_table(
        script,  # type: ignore[arg-type]
        rules=RULE_SETS["international"],
        options=RefereeOptions(),
        match_length=0,
        names=("Anna", "Bob"),
        folder=folder,
    )
    watcher = Watcher()
    app = App(lambda: script, sitting, [watcher])  # type: ignore[arg-type, return-value]
    app.run()
    return sitting, watcher.moments, seen[full].time, seen[empty].time


def check(sitting: Sitting, moments: list[Moment], full: float, free: float) -> None:
    announced = [e for m in moments for e in m.events]
    assert announced[-1].type == "game_won"
    assert sitting.journal is not None and sitting.files is not None
    content = read_journal(sitting.journal.path)
    assert list(content.events) == announced and not content.damaged and not content.torn
    lines = [json.loads(line) for line in sitting.journal.path.read_bytes().splitlines()]
    (place,) = [i for i, line in enumerate(lines) if "gap" in line]
    gap = lines[place]["gap"]
    first = announced[place]
    assert full <= first.time < free and gap["late"] > 8 and gap["events"] == 0
    assert f"{gap['late']} events follow late, 0 are lost" in content.problems[0]
    # The banner comes with the very event that could not be written, and goes within a second of there being space.
    said = [m.time for m in moments if "cannot be written" in m.banner]
    assert 0 <= said[0] - first.time <= 1.0
    assert free - 0.11 <= said[-1] <= free + 1.1
    assert Referee.from_events(content.events).view() == moments[-1].view
    assert [len(load(path).match.games) for path in sitting.files.games] == [1]


@pytest.fixture
def size_limit() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.slow
@pytest.mark.usefixtures("size_limit")
def test_a_file_may_grow_no_larger(tmp_path: Path) -> None:
    """RLIMIT_FSIZE: writes fail with EFBIG, the first one after a part of it was written."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(sitting: Sitting) -> None:
        assert sitting.journal is not None
        resource.setrlimit(resource.RLIMIT_FSIZE, (sitting.journal.path.stat().st_size + 40, hard))

    check(*play(tmp_path, fill, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KB, where one may be mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting a tmpfs is not permitted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=False)


def test_64_kilobytes_in_all(small_disk: Path) -> None:
    filler = small_disk / "something else"

    def fill(sitting: Sitting) -> None:
        with filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 512)
            except OSError:
                return

    check(*play(small_disk, fill, filler.unlink))
