"""Long points are compared with the picture in which their number was accepted."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest

from pi_board.rules import STARTING_POSITION, Position
from pi_board.sighting import ZERO
from pi_board.vision.checkers.blind import BlindReader
from pi_board.vision.checkers.pile_changes import (
    ASTRAY,
    MOST_CHANGED,
    PILE,
    AcceptedPile,
    change_of_pile,
    count_now,
    load_weights,
)
from pi_board.vision.checkers.stacks import LEAST, MOST, StripSeen, see_strip
from pi_board.vision.reader import BoardReader
from pi_board.vision.training.pile_samples import Pair, pairs_of, trunk_digest
from tests.vision.simulated_board import SimulatedBoard

#: Rooms that training never saw: a set of ours and a drawn one.
ROOMS = (8_000_000, 8_000_001)
#: Light has nine checkers on point 6, dark five on point 19.
TALL = Position((-2, 0, 0, 0, 0, 9, 0, 2, 0, 0, 0, -5, 2, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))
ONE_LESS = Position((-2, 0, 0, 0, 1, 8, 0, 2, 0, 0, 0, -5, 2, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))
ONE_MORE = Position((-2, 0, 0, 0, 0, 10, 0, 2, 0, 0, 0, -5, 1, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2))


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return [pair for room in ROOMS for pair in pairs_of(room, boards=9)]


def accepted(strip: np.ndarray, lifted: np.ndarray, count: int) -> AcceptedPile:
    return AcceptedPile(count, see_strip(strip, lifted))


def test_what_has_changed_is_told_better_than_what_lies_there(pairs: list[Pair]) -> None:
    compared = [
        LEAST + int(count_now(accepted(then, lifted, lay), see_strip(now, lifted)).argmax())
        for then, now, lifted, lay, _ in pairs
    ]
    alone = [LEAST + int(see_strip(now, lifted).says.argmax()) for _, now, lifted, *_ in pairs]
    lie = np.array([lie for *_, lie in pairs])
    assert len(lie) > 60
    assert np.mean(compared == lie) > max(0.9, np.mean(alone == lie) + 0.05)


def test_an_untouched_point_holds_as_many_whatever_was_written_down(pairs: list[Pair]) -> None:
    """The number that was accepted is believed, and beside it what the strip says by itself."""
    same = [(then, now, lifted, lay) for then, now, lifted, lay, lie in pairs if lie == lay <= 8][:3]
    assert same
    for then, now, lifted, lay in same:
        says = count_now(accepted(then, lifted, lay + 1), see_strip(now, lifted))
        assert np.exp(says).sum() == pytest.approx(1.0)
        assert says.min() > -60


def test_of_what_lies_beyond_its_reach_the_strip_speaks_for_itself() -> None:
    blank = StripSeen(np.zeros((1, 40, 39, 9), np.float32), np.linspace(-11.0, 0.0, MOST + 1 - LEAST))
    says = count_now(AcceptedPile(-5, blank), blank)
    assert len(says) == MOST + 1 - LEAST
    beyond = says[5 + MOST_CHANGED - LEAST :]
    assert (np.diff(beyond) > 0).all(), "the more the likelier, as the strip says"
    assert says.max() > np.log(ASTRAY)


def test_the_trained_network_is_the_one_that_is_run() -> None:
    torch = pytest.importorskip("torch", reason="torch is only needed for training (extra `train`)")
    from pi_board.vision.training.pile_train import LAY, PileNetwork

    torch.manual_seed(2)
    net = PileNetwork().eval()
    rng = np.random.default_rng(3)
    then, now = (
        StripSeen(rng.random((1, 40, 39, 9), np.float32), rng.normal(0, 3, MOST + 1 - LEAST))
        for _ in range(2)
    )
    told = np.concatenate(
        [np.eye(LAY)[7 - PILE], *(np.maximum(s.says - s.says.max(), -20.0) / 5.0 for s in (then, now))]
    )
    with torch.no_grad():
        expected = net(
            torch.from_numpy(then.features),
            torch.from_numpy(now.features),
            torch.from_numpy(told[None]).float(),
        )
    weights = {**net.arrays(), "prior": np.zeros((LAY, 2 * MOST_CHANGED + 1), np.float32)}
    np.testing.assert_allclose(
        change_of_pile(then, 7, now, weights), torch.log_softmax(expected, 1)[0].numpy(), atol=1e-4
    )
    assert set(weights) == set(load_weights())


@pytest.mark.parametrize("position", [TALL, ONE_LESS, ONE_MORE], ids=["as many", "one less", "one more"])
def test_in_play_a_pile_of_nine_is_followed(position: Position) -> None:
    board = SimulatedBoard("travel", seed=3)
    reader: BoardReader = board.reader()
    reader.look(board.frame())
    board.play_to(TALL)
    reader.look(board.frame())
    reader.learn(TALL)
    board.play_to(position)
    row = reader.look(board.frame()).log_likelihood
    assert row is not None
    assert int(row[5].argmax()) - ZERO == position.points[5]


@pytest.fixture
def table() -> tuple[SimulatedBoard, BoardReader]:
    """The starting position is learned, and TALL lies there."""
    board = SimulatedBoard("travel", seed=3)
    reader = board.reader()
    reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    board.play_to(TALL)
    reader.look(board.frame())
    return board, reader


def contradicted(reader: BoardReader, *slots: int) -> None:
    """As if the last picture had said plainly that one fewer lies on these points."""
    shown = reader.state.pace.shown
    assert shown is not None and shown.log_likelihood is not None
    rows = shown.log_likelihood.copy()
    for slot in slots:
        n = TALL.points[slot]
        rows[slot, ZERO + n] = -9.0
        rows[slot, ZERO + n - (1 if n > 0 else -1)] = 0.0
    reader.state.pace.shown = replace(shown, log_likelihood=rows)


@pytest.mark.parametrize(
    ("slots", "accepted"),
    [((), True), ((5,), True), ((12,), False)],
    ids=["nothing", "a pile", "a short row"],
)
def test_what_was_accepted_is_compared_with_unless_more_than_piles_speak_against_it(
    table: tuple[SimulatedBoard, BoardReader], slots: tuple[int, ...], accepted: bool
) -> None:
    _, reader = table
    contradicted(reader, *slots)
    reader.learn(TALL)
    assert reader.blind is not None
    # (Of the starting position no point holds nine.)
    assert (9 in {pile.count for pile in reader.blind.accepted.piles.values()}) == accepted


def test_no_pile_is_compared_with_one_of_the_other_side(table: tuple[SimulatedBoard, BoardReader]) -> None:
    board, reader = table
    reader.learn(TALL)
    board.play_to(
        Position((-2, 0, 0, 0, 0, -5, 0, 2, 0, 0, 0, -5, 2, 0, 0, 0, -3, 0, 9, 0, 0, 0, 0, 2))
    )  # (Points 6 and 19 have changed hands.)
    assert reader.blind is not None
    assert {5, 11, 18} & set(reader.blind.read(board.frame().image).compared) == {11}


def test_what_was_accepted_holds_when_the_board_lies_elsewhere(
    table: tuple[SimulatedBoard, BoardReader],
) -> None:
    board, reader = table
    reader.learn(TALL)
    assert reader.blind is not None and reader.geometry is not None
    there = BlindReader(reader.geometry, reader.orientation)
    there.accepted = reader.blind.accepted
    image = board.frame().image
    assert set(there.read(image).compared) == set(reader.blind.read(image).compared)


def test_behind_a_thing_what_was_accepted_before_holds(table: tuple[SimulatedBoard, BoardReader]) -> None:
    """Points 6 and 19 are covered in part: the nine are new there, the five were there before."""
    board, reader = table
    shown = reader.state.pace.shown
    assert shown is not None and reader.blind is not None
    before = {pile.count: pile for pile in reader.blind.accepted.piles.values()}
    reader.state.pace.shown = replace(shown, hidden=(5, 18))
    reader.learn(TALL)
    piles = list(reader.blind.accepted.piles.values())
    assert sorted(pile.count for pile in piles) == [-5, -5]
    assert any(pile is before[-5] for pile in piles)


def test_the_network_of_piles_reads_the_trunk_that_it_was_trained_on() -> None:
    """Who trains the network of long points further must train this one anew: it reads that network's features. (With a trunk of half a stage
    later a pile of which one checker was borne off was told by a fifth of a nat, and a play was lost: `bench campaign --room style=drawn`, 4056001.)"""
    weights = resources.files("pi_board.vision").joinpath("weights")
    said = tomllib.loads(weights.joinpath("piles.toml").read_text())["trunk"]
    assert trunk_digest() == said
