import numpy as np
import pytest

from pi_board.vision.board.distortion import RadialDistortion
from pi_board.vision.board.geometry import transform
from pi_board.vision.finding.lines import plausible_quads, quads_between
from pi_board.vision.finding.pattern import (
    PointPattern,
    Template,
    TemplateRow,
    apply,
    edge_tensor,
    score_quads,
    score_templates,
    unit_homographies,
)
from tests.vision.drawn_board import FELT, WOOD, flat_board, photograph


@pytest.mark.parametrize("bar", [0.0, 0.09, 0.15])
def test_columns_are_even_and_mirrored(bar):
    x = PointPattern(bar=bar).column_x()
    assert np.allclose(x, -x[::-1])
    assert np.allclose(np.diff(x[:6]), (1 - bar) / 12)
    assert x[6] - x[5] == pytest.approx(bar + (1 - bar) / 12)
    assert x[0] == pytest.approx(-0.5 + (1 - bar) / 24)


def test_sides_run_from_base_to_tip():
    pattern = PointPattern(bar=0.1, length=0.4, base=1.0, tip=0.0)
    on, _ = pattern.sides((0.0, 1.0))
    on = on.reshape(2, 12, 2, 2, 2)  # row, column, side, height, xy
    assert np.allclose(on[0, :, :, 0, 1], 0.0)
    assert np.allclose(on[1, :, :, 1, 1], 0.6)
    assert np.allclose(on[:, :, 1, 0, 0] - on[:, :, 0, 0, 0], pattern.pitch)
    assert np.allclose(on[:, :, 1, 1, 0], on[:, :, 0, 1, 0])


def test_unit_homographies_hit_the_corners():
    quad = np.array([[10.0, 20], [200, 30], [220, 150], [0, 140]])
    unit = np.array([[-0.5, 0], [0.5, 0], [0.5, 1], [-0.5, 1]])
    assert np.allclose(apply(unit_homographies(quad[None]), unit)[0], quad)


@pytest.mark.parametrize("colours", [WOOD, FELT])
def test_the_true_place_scores_best(colours):
    picture, truth = photograph(flat_board(colours=colours), size=(640, 480))
    tensor = edge_tensor(picture)
    template = [Template.of(PointPattern(bar=0.09), (0.15, 0.4, 0.65, 0.85))]
    pitch = np.linalg.norm(truth[1] - truth[0]) / 13.2
    others = (
        truth[None] + np.array([[0, 0], [pitch / 2, 0], [-pitch / 2, 0], [pitch, 0], [0, 3 * pitch]])[:, None]
    )
    score = score_quads(tensor, others, template)
    assert score[0] > 0.1
    assert score[0] > score[1:].max() + 0.03


@pytest.mark.parametrize("k1", [-0.12, 0.0, 0.06])
def test_lens_straightens_what_it_bends(k1):
    lens = RadialDistortion(k1, 560.0, (319.5, 239.5))
    px = np.array([[0.0, 0], [639, 479], [320, 240], [100, 400]])
    assert np.allclose(lens.straighten(lens.bend(px)), px, atol=0.01)


def test_quads_between_two_lines_each_way():
    upright = np.array([[1.0, 0, -100], [1, 0, -500]])
    level = np.array([[0.0, 1, -80], [0, 1, -380]])
    quads = quads_between(upright, level)
    assert np.allclose(quads, [[[100, 80], [500, 80], [500, 380], [100, 380]]])
    assert len(plausible_quads(quads, (640, 480))) == 1
    assert len(plausible_quads(quads[:, [1, 0, 3, 2]], (640, 480))) == 0  # mirrored
    assert len(plausible_quads(quads / 4, (640, 480))) == 0  # too small
    assert len(quads_between(upright[:1], level)) == 0


def test_quads_that_are_left_out_at_once_are_not_plausible():
    rng = np.random.default_rng(5)
    angle = np.concatenate([rng.normal(0.0, 0.1, 14), rng.normal(np.pi / 2, 0.1, 14)])
    through = np.stack([rng.uniform(-40, 680, 28), rng.uniform(-40, 520, 28)], axis=1)
    normal = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    lines = np.column_stack([normal, -(normal * through).sum(axis=1)])
    every = quads_between(lines[:14], lines[14:])
    few = quads_between(lines[:14], lines[14:], (640, 480), 0.3)
    plausible = plausible_quads(every, (640, 480), 0.3)
    assert 0 < len(plausible) <= len(few) < len(every) / 3
    assert np.allclose(plausible_quads(few, (640, 480), 0.3), plausible)


def test_transform_agrees_with_apply():
    h = np.array([[1.0, 0.1, 3], [0, 1.2, 4], [0.001, 0, 1]])
    points = np.array([[1.0, 2], [30, 40]])
    assert np.allclose(transform(h, points), apply(h[None], points)[0])


def test_templates_in_a_row_score_as_each_by_itself():
    rng = np.random.default_rng(3)
    tensor = rng.random((240, 320, 3)).astype(np.float32)
    quad = np.array([[40.0, 30.0], [280.0, 36.0], [300.0, 210.0], [20.0, 200.0]])
    templates = [
        Template.of(PointPattern(bar=bar, power=power), (0.15, 0.4))
        for bar in (0.02, 0.1)
        for power in (1.0, 7.0)
    ]
    together = score_templates(tensor, quad, TemplateRow.of(templates))
    each = [float(score_quads(tensor, quad[None], [t])[0]) for t in templates]
    assert together == pytest.approx(each, abs=1e-6)
