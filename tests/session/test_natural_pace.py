"""A game at the pace of people, during whose pauses the reader rests: nothing is missed for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_board.camera.simulated import SimulatedCamera
from pi_board.output import Moment
from pi_board.referee import RefereeOptions
from pi_board.rules import RULE_SETS
from pi_board.session.demo import DemoRun, run_demo, score_games
from pi_board.session.finding_reader import FindingReader
from pi_board.session.sitting import Sitting
from pi_board.simulator import SimulatorOptions
from pi_board.vision.profile import load_profile

pytestmark = pytest.mark.slow


def test_a_resting_reader_misses_nothing(tmp_path: Path) -> None:
    camera = SimulatedCamera(SimulatorOptions(seed=1, games=1, cheat=0.15, pace="natural"))
    reader = FindingReader(load_profile("jumbo-travel"))
    sitting = Sitting.at_the_table(
        reader,
        rules=RULE_SETS["international"],
        options=RefereeOptions(),
        match_length=0,
        names=("Light", "Dark"),
        folder=tmp_path,
        go_on=False,
    )
    settled = read = 0

    def count(run: DemoRun, moment: Moment) -> None:
        nonlocal settled, read
        if moment.sighting is not None and moment.sighting.settled and reader.reader is not None:
            settled += 1
            read += reader.reader.state.pace.read_at == moment.time

    run = run_demo(camera, sitting, progress=count)
    (game,) = score_games(camera.truth.games, run, sitting)
    assert game["transcript_exact"] and game["plays"] >= 5
    assert (game["illegal_flagged"], game["false_alarms"]) == (game["illegal_shown"], 0)
    # It did rest: most settled pictures were not read in full.
    assert 0 < read < settled / 2
    # And nobody was told that the board cannot be seen.
    assert not [e for events in run.games for e in events if e.type.startswith("view_")]
