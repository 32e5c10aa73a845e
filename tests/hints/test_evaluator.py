"""The evaluator's promises, whatever its weights."""

from pathlib import Path

import numpy as np
import pytest

from pi_board.errors import InvalidFileError
from pi_board.hints import Evaluator
from pi_board.hints.evaluator import WEIGHTS
from pi_board.hints.rows import encode, flip
from pi_board.rules import STARTING_POSITION, Position

from .test_features import ROWS


def test_shape_and_kind() -> None:
    found = Evaluator().evaluate([STARTING_POSITION, STARTING_POSITION], "dark")
    assert found.shape == (2, 5) and found.dtype == np.float32
    assert Evaluator().evaluate(STARTING_POSITION).shape == (1, 5)
    assert Evaluator().evaluate([]).shape == (0, 5)


def test_probabilities_are_consistent() -> None:
    p = Evaluator().evaluate_rows(ROWS)
    win, gammon, back, lose_gammon, lose_back = p.T
    assert (p >= 0).all() and (p <= 1).all()
    assert (gammon <= win + 1e-6).all() and (back <= gammon + 1e-6).all()
    assert (lose_gammon <= 1 - win + 1e-5).all() and (lose_back <= lose_gammon + 1e-6).all()


def test_both_sides_of_the_start_are_alike() -> None:
    light, dark = (
        Evaluator().evaluate([STARTING_POSITION], "light")[0],
        Evaluator().evaluate([STARTING_POSITION], "dark")[0],
    )
    np.testing.assert_allclose(light, dark, atol=1e-6)
    # The player on roll is a little ahead (about 52.5 %), gammons are about a quarter of the games.
    assert 0.50 < light[0] < 0.55 and 0.11 < light[1] < 0.20


def test_batch_equals_single() -> None:
    evaluator = Evaluator()
    whole = evaluator.evaluate_rows(ROWS)
    single = np.concatenate([evaluator.evaluate_rows(ROWS[i : i + 1]) for i in range(40)])
    np.testing.assert_allclose(whole[:40], single, atol=2e-5)


@pytest.mark.parametrize(
    ("points", "bar", "off", "expected"),
    [
        ((0,) * 18 + (-15,) + (0,) * 5, (0, 0), (15, 0), (1, 1, 0, 0, 0)),
        ((0,) * 18 + (-5,) + (0,) * 5, (0, 0), (15, 10), (1, 0, 0, 0, 0)),
        ((-1,) + (0,) * 17 + (-14,) + (0,) * 5, (0, 0), (15, 0), (1, 1, 1, 0, 0)),
        ((0,) * 18 + (-14,) + (0,) * 5, (0, 1), (15, 0), (1, 1, 1, 0, 0)),
    ],
)
def test_finished_games(
    points: tuple[int, ...], bar: tuple[int, int], off: tuple[int, int], expected: tuple[int, ...]
) -> None:
    position = Position(points, bar, off)
    assert tuple(Evaluator().evaluate([position], "light")[0]) == expected
    w, wg, wb, lg, lb = expected
    assert tuple(Evaluator().evaluate([position], "dark")[0]) == (1 - w, lg, lb, wg, wb)


def test_who_has_borne_off_loses_no_gammon() -> None:
    row = encode([Position((3, 3, 3, 3, 0, 0) + (0,) * 12 + (-3,) * 5 + (0,), (0, 0), (3, 0))], "light")
    assert (Evaluator().evaluate_rows(row)[0, 3:] == 0).all()
    assert (Evaluator().evaluate_rows(flip(row))[0, 1:3] == 0).all()


def test_shipped_files_are_small() -> None:
    assert sum(p.stat().st_size for p in WEIGHTS.parent.iterdir()) <= 4_000_000


def test_wrong_weights_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidFileError, match="expected the hint networks"):
        Evaluator(tmp_path / "none.npz")
    np.savez(tmp_path / "odd.npz", contact_w0=np.zeros((4, 7)), contact_b0=np.zeros(4))
    with pytest.raises(InvalidFileError, match="contact network"):
        Evaluator(tmp_path / "odd.npz")
