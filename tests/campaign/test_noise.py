"""The stand-in for vision says what was measured, no more and no less, and whole games can be refereed by it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pi_board.campaign.fit import GameLooks
from pi_board.campaign.looks import LookRecord, LookTruth, load_looks, referee_looks, what_lies_there
from pi_board.campaign.noise import LEVELS, ReaderNoise, models
from pi_board.campaign.unseen import UnseenCamera, UnseenReader
from pi_board.frame import Frame
from pi_board.referee import Referee
from pi_board.sighting import ZERO, Gate, Sighting
from pi_board.simulator import SimulatorOptions


@pytest.mark.parametrize("noise", models(), ids=lambda m: m.name)
@pytest.mark.parametrize(
    ("kind", "count"), [("point", 0), ("point", -1), ("point", 5), ("bar", 0), ("bar", -2), ("off", 4)]
)
def test_a_row_has_the_margin_of_its_quantile(noise: ReaderNoise, kind: str, count: int) -> None:
    rng = np.random.default_rng(1)
    for z in (-2.5, -1.0, 0.0, 1.3):
        row = noise.row(kind, count, z, rng)
        others = np.delete(row, count + ZERO)
        margin = next(s for k, s in noise.slots.items() if s is noise.slots[_bucket(kind, count)]).margin(z)
        assert row[count + ZERO] - others.max() == pytest.approx(margin, abs=1e-9)
        assert row.max() == 0.0
        if kind != "point" and count <= 0:
            assert np.argmax(row) <= ZERO or count == 0


def _bucket(kind: str, count: int) -> str:
    from pi_board.campaign.noise import bucket

    return bucket(kind, count)


def test_models_are_whole() -> None:
    assert [m.name for m in models()] == ["clear", "fair", "poor"]
    for m in models():
        assert m.source and all(s.looks > 0 and len(s.margins) == len(LEVELS) for s in m.slots.values())
        assert all(abs(sum(row) - 1) < 1e-6 and row[v] == 0 for v, row in enumerate(m.confused))
        for slot in m.slots.values():
            assert list(slot.margins) == sorted(slot.margins) and slot.tail > 0
            # What is rarer than anything that was measured is worse, too.
            assert slot.margin(-6.0) < slot.margin(-4.0) <= slot.margins[0]
        assert set(m.dice) == {"flat", "cocked", "on_checker", "outside"}


def test_gates_and_repeated_looks() -> None:
    camera = UnseenCamera(SimulatorOptions(seed=4, pace="brisk"))
    reader = UnseenReader(camera.scene, models()[0], np.random.default_rng(2))
    gates, tables = [], []
    for _ in range(160):
        frame = camera.read()
        assert frame is not None
        sighting = reader.look(frame)
        gates.append(sighting.gate)
        if camera.scene.hands:
            assert sighting.gate is not Gate.SETTLED or sighting.log_likelihood is not None
        if sighting.log_likelihood is not None:
            tables.append(sighting.log_likelihood)
    assert {Gate.MOVING, Gate.SETTLED} <= set(gates)
    # An unchanged scene is read a few times and then repeated.
    assert len({id(t) for t in tables}) < len(tables)


def test_looks_are_kept_and_read_again(tmp_path: Path) -> None:
    camera = UnseenCamera(SimulatorOptions(seed=4, pace="sparse", fps=5))
    reader = UnseenReader(camera.scene, models()[0], np.random.default_rng(2))
    record = LookRecord()
    for _ in range(150):
        frame = camera.read()
        assert frame is not None
        record.add(reader.look(frame), what_lies_there(camera.scene))
    record.save(tmp_path / "looks.gz")
    again = load_looks(tmp_path / "looks.gz")
    assert again.truths == record.truths and len(again.sightings) == 150
    events = [e.type for e in referee_looks(again.sightings, Referee())]
    assert "game_started" in events and "dice_rolled" in events


def test_fit_measures_margins_dice_and_gates() -> None:
    record = LookRecord()
    truth = LookTruth((2, *[0] * 23), (0, 0), (13, 15))
    table = np.zeros((28, 31)) - 5.0
    table[0, ZERO + 2] = 0.0
    table[1, ZERO + 1], table[1, ZERO] = 0.0, -3.0
    for slot in range(2, 24):
        table[slot, ZERO] = 0.0
    for i in range(4):
        record.add(Sighting(i, 0.3 * i, Gate.SETTLED, table.copy()), truth)
    game = GameLooks(record)
    assert game.margins["few"] == [5.0] * 4
    assert sorted(game.margins["empty"])[:4] == [-3.0] * 4 and game.wrong["empty"] == {1: 4}
    assert game.gates["free"] == {"settled": 1}


def test_an_unseen_camera_draws_no_pictures() -> None:
    camera = UnseenCamera(SimulatorOptions(seed=1, fps=5))
    first, second = camera.read(), camera.read()
    assert isinstance(first, Frame) and second is not None
    assert first.image.size < 10 and (first.time, second.time) == (0.0, 0.2)
