"""The light between pictures: fitted when it has changed, and only then."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board.vision.checkers import light_fit
from pi_board.vision.checkers.light_fit import MODEL, LightFit


def board(seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.kron(rng.uniform(40, 160, (20, 24, 3)), np.ones((12, 12, 1))).astype(np.float32)


def test_a_light_that_stays_is_not_fitted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = board()
    fit = LightFit(reference, np.ones(reference.shape[:2], bool))
    fits, light = [], light_fit._light
    monkeypatch.setattr(light_fit, "_light", lambda *a: (fits.append(1), light(*a))[1])
    rng = np.random.default_rng(2)

    def gain_in(brightness: float) -> float:
        picture = reference * brightness + rng.normal(0, 2, reference.shape).astype(np.float32)
        picture[40:64, 40:64] = 30.0  # a checker that has come
        gain, agree = fit.between(picture)
        assert agree > 0.9
        return float(gain.mean())

    assert gain_in(1.0) == pytest.approx(1.0, abs=0.01) and len(fits) == 1
    assert gain_in(1.0) == pytest.approx(1.0, abs=0.01) and len(fits) == 1
    # A little brighter than would be let pass, then much brighter.
    assert gain_in(1.0 + 4 * MODEL.steady) == pytest.approx(1.0 + 4 * MODEL.steady, abs=0.01)
    assert len(fits) == 2
    assert gain_in(1.5) == pytest.approx(1.5, abs=0.03) and len(fits) == 3
    assert gain_in(1.5) == pytest.approx(1.5, abs=0.03) and len(fits) == 3


def test_a_lamp_that_comes_up_slowly_is_followed() -> None:
    """What is let pass does not add up."""
    reference = board(3)
    fit = LightFit(reference, np.ones(reference.shape[:2], bool))
    for brightness in np.geomspace(1.0, 1.3, 60):
        gain, _ = fit.between(reference * np.float32(brightness))
        assert np.abs(gain / brightness - 1).max() < 3 * MODEL.steady


@pytest.mark.parametrize("brightness", [0.5, 1.6])
def test_sixty_lessons_in_another_light_leave_the_first_ones(brightness: float) -> None:
    """Every lesson makes the picture, in the reference's light, the reference: what each of them is off by would add up."""
    first = board(4)
    use = np.ones(first.shape[:2], bool)
    picture = first * np.float32(brightness)
    reference, fit = first, None
    for _ in range(60):
        fit = LightFit(reference, use, fit)
        reference, _ = fit.without(picture)
    # (The darkest squares are off by 7 % at once, for a gain holds for levels and a little more. They stay there.)
    assert np.abs(reference / first - 1).max() < 0.08
