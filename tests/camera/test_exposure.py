"""Exposures that are held."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_board.camera.exposure import ExposureLimits, flicker_period_us, held_exposure, mains_hertz
from pi_board.camera.time_zone import time_zone

LIMITS = ExposureLimits(longest_us=30_000, most_gain=16.0)


@pytest.mark.parametrize(
    ("exposure", "gain", "period", "held"),
    [
        (8_000, 2.0, 10_000, (8_000, 2.0)),  # brighter than one period: as it is
        (20_000, 1.0, 10_000, (20_000, 1.0)),
        (16_000, 2.0, 10_000, (10_000, 3.2)),
        (90_000, 2.0, 10_000, (30_000, 6.0)),
        (90_000, 2.0, 8_333, (24_999, 7.2)),
        (
            100_000,
            8.0,
            10_000,
            (50_000, 16.0),
        ),  # too dark: all the gain there is, and the time that is needed
        (15_000, 16.0, 10_000, (20_000, 12.0)),  # more gain than there is would be needed for one period
    ],
)
def test_held(exposure: int, gain: float, period: int, held: tuple[int, float]) -> None:
    found = held_exposure(exposure, gain, period, LIMITS)
    assert found[0] == held[0] and found[1] == pytest.approx(held[1], rel=0.01)


@pytest.mark.parametrize("period", [10_000, 8_333])
@pytest.mark.parametrize("exposure", [200, 5_000, 12_345, 33_000, 66_666, 100_000])
@pytest.mark.parametrize("gain", [1.0, 2.5, 8.0, 16.0])
def test_as_bright_as_before(period: int, exposure: int, gain: float) -> None:
    time, amplified = held_exposure(exposure, gain, period, LIMITS)
    assert time * amplified == pytest.approx(exposure * gain, rel=0.01)
    assert amplified <= LIMITS.most_gain + 1e-9
    if time > period and amplified < LIMITS.most_gain:
        assert time % period == 0 and time <= LIMITS.longest_us


@pytest.mark.parametrize(
    ("zone", "hertz"),
    [
        ("Europe/Berlin", 50), ("America/New_York", 60), ("America/Argentina/Cordoba", 50), ("Asia/Tokyo", 50), ("Asia/Seoul", 60),
        ("America/Sao_Paulo", 60), ("Australia/Sydney", 50), ("", 50), ("Etc/UTC", 50), ("America/Santiago", 50),
    ],
)  # fmt: skip
def test_mains(zone: str, hertz: int) -> None:
    assert mains_hertz(zone) == hertz
    assert flicker_period_us(hertz) == {50: 10_000, 60: 8_333}[hertz]


def test_time_zone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ", raising=False)
    assert time_zone(tmp_path) == ""
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/localtime").symlink_to("/usr/share/zoneinfo/Asia/Seoul")
    assert time_zone(tmp_path) == "Asia/Seoul"
    (tmp_path / "etc/timezone").write_text("Europe/Paris\n")
    assert time_zone(tmp_path) == "Europe/Paris"
    monkeypatch.setenv("TZ", ":America/Lima")
    assert time_zone(tmp_path) == "America/Lima"
