"""What is learned from an accepted position."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pi_board.rules import STARTING_POSITION, Position
from pi_board.sighting import BAR_LIGHT, COUNTS, ZERO, Gate, Sighting
from pi_board.simulator.light import PRESETS
from pi_board.vision.checkers.appearance import Appearance
from pi_board.vision.checkers.blind import Seen
from pi_board.vision.checkers.known_position import signed_counts
from pi_board.vision.checkers.likelihood import CheckerFinder
from pi_board.vision.checkers.opinions import EQUAL, FOR_EMPTY
from pi_board.vision.in_play import dice as dice_module
from pi_board.vision.in_play import learning as learning_module
from pi_board.vision.occluders import MODEL as OCCLUDERS
from pi_board.vision.occluders import around_discs
from pi_board.vision.reader import BoardReader
from tests.vision.simulated_board import (
    SimulatedBoard,
    board_without_cube,
    random_positions,
    wrong_slots,
)

PLAYED = random_positions(2, seed=2)


@pytest.mark.parametrize(("nats", "learned"), [(-4.0, True), (-5.0, False)])
def test_a_picture_is_no_lesson_of_a_position_that_one_place_contradicts(
    monkeypatch: pytest.MonkeyPatch, nats: float, learned: bool
) -> None:
    """Somebody has written down what never lay there. (All places together may say more against it.)"""
    monkeypatch.setattr(dice_module, "find_dice_and_cube", lambda *a, **k: ([], None))
    board = board_without_cube("travel")
    reader = board.reader()
    reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    position = random_positions(1, seed=5, plies=1)[0]
    board.play_to(position)
    assert reader.look(board.frame()).settled
    shown, counts = reader.state.pace.shown, signed_counts(position)
    assert shown is not None and shown.log_likelihood is not None
    table = np.zeros_like(shown.log_likelihood)
    table[5, counts[5] + ZERO] = nats
    reader.state.pace.shown = replace(shown, log_likelihood=table)
    reader.learn(position)
    assert reader.appearance is not None
    assert (reader.appearance.counts == counts).all() == learned


@pytest.mark.parametrize(
    ("behind", "on_another", "untold"),
    [(-1.0, -9.0, {5, 7}), (2.0, -9.0, {5, 7}), (6.0, -9.0, {5}), (2.0, 6.0, {5})],
    ids=["seen", "hardly told", "seen otherwise", "hardly told, and another point speaks against it"],
)
def test_where_colours_cannot_tell_the_start_the_other_reader_must_not_speak_against_it(
    monkeypatch: pytest.MonkeyPatch, behind: float, on_another: float, untold: set[int]
) -> None:
    """White checkers on white points: of the 8-point the other reader sees a fourth checker by `behind` nats."""
    monkeypatch.setattr(dice_module, "find_dice_and_cube", lambda *a, **k: ([], None))
    board = board_without_cube("travel")
    reader, counts = board.reader(), signed_counts(STARTING_POSITION)
    assert reader.look(board.frame()).settled
    table = np.full((24, COUNTS), -30.0)
    table[np.arange(24), counts[:24] + ZERO] = 0.0
    table[7, 4 + ZERO] = behind
    table[20, 1 + ZERO] = on_another
    bar = np.full((2, 8), -30.0)
    bar[:, 0] = 0.0
    seen = Seen(table, bar, np.zeros(24), np.zeros((78, 88, 4), np.float32))
    monkeypatch.setattr(type(reader.blind), "read_photo", lambda *a: (seen, None))
    hardly = np.zeros((24, 2), bool)
    hardly[[1, 5, 7], 0] = True
    monkeypatch.setattr(type(reader._learner._checkers), "cannot_tell", lambda self: hardly)
    assert reader._learner._untold(board.frame().image, STARTING_POSITION) == untold


def test_checkers_that_were_read_are_not_searched_again_for_a_lesson(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice_module, "find_dice_and_cube", lambda *a, **k: ([], None))
    board = board_without_cube("travel")
    reader = board.reader()
    reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    searched = []
    fit = CheckerFinder.fit
    monkeypatch.setattr(
        CheckerFinder, "fit", lambda self, *a: searched.append(np.flatnonzero(a[1][:26])) or fit(self, *a)
    )
    board.play_to(PLAYED[0])
    assert not wrong_slots(reader.look(board.frame()).log_likelihood, PLAYED[0])
    reader.learn(PLAYED[0])
    assert not searched
    # One that was read otherwise is.
    less = list(PLAYED[0].points)
    point = int(np.argmax(less))
    less[point] -= 1
    board.play_to(Position(tuple(less), PLAYED[0].bar, (PLAYED[0].off[0] + 1, PLAYED[0].off[1])))
    shown = reader.look(board.frame())
    reader.state.pace.shown = replace(shown, log_likelihood=np.zeros_like(shown.log_likelihood))
    reader.learn(PLAYED[0])
    assert [slots.tolist() for slots in searched] == [[point]]


class Cloud:
    """A board in low sun, whose window's bars throw shadows over it, and a reader that has learned it. `comes`: they are gone."""

    def __init__(self, *, dear: bool) -> None:
        self.board = SimulatedBoard("travel", light="sun", tilt=18.0, seed=2)
        self._sun = replace(PRESETS["sun"], ambient=0.2, key=0.9)
        self._shine(self._sun)
        self.reader = self.board.reader(motion=True)
        self.looks(6)
        self.reader.learn(STARTING_POSITION)
        for position in PLAYED:
            self.board.play_to(position)
            self.looks(6)
            self.reader.learn(position)
        if dear:
            self.reader.budget.note("again", 0.5)

    def _shine(self, light) -> None:
        self.board.scene.view = replace(self.board.scene.view, light=light)

    def comes(self) -> None:
        self._shine(replace(self._sun, bars=False, ambient=0.9, key=0.02, glare=0.02))

    def look(self) -> Sighting:
        return self.reader.look(self.board.frame())

    def looks(self, n: int) -> None:
        for _ in range(n):
            self.look()

    def until_it_is_known(self) -> tuple[list[Sighting], Appearance | None]:
        """Looks until something new is learned, and what was known before."""
        before, seen = self.reader.appearance, []
        while self.reader.appearance is before and len(seen) < 60:
            seen.append(self.look())
        return seen, before


def test_where_looks_are_cheap_the_one_that_finds_new_light_learns_in_it() -> None:
    cloud = Cloud(dear=False)
    cloud.comes()
    seen, _ = cloud.until_it_is_known()
    assert seen[-1].settled and not seen[-1].hidden
    assert not wrong_slots(seen[-1].log_likelihood, PLAYED[-1])


def test_where_looks_are_dear_the_one_after_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    cloud = Cloud(dear=True)
    cloud.comes()
    found = []
    puts_off = learning_module.Learner.puts_off

    def noted(self, light) -> bool:
        found.append(cloud.board.seq)
        return puts_off(self, light)

    monkeypatch.setattr(learning_module.Learner, "puts_off", noted)
    seen, _ = cloud.until_it_is_known()
    # (It is the very next one, however long this scene has been at rest.)
    assert found == [seen[-2].seq] and seen[-2].gate is Gate.BLOCKED
    assert seen[-1].settled and not seen[-1].hidden
    assert not wrong_slots(seen[-1].log_likelihood, PLAYED[-1])


def test_new_light_is_not_put_off_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who plays on while every look takes seconds would keep the reader from ever learning."""
    cloud = Cloud(dear=True)
    cloud.comes()
    while cloud.reader.state.lessons.light is None and cloud.board.seq < 100:
        cloud.look()
    before = cloud.reader.appearance
    assert cloud.reader.state.lessons.light is not None
    with monkeypatch.context() as patch:
        patch.setattr(type(cloud.reader.state.pace.gate), "unchanged", lambda self: False)
        seen = cloud.look()
    # What was found in the last picture does not hold of this one, which is looked at by itself.
    assert cloud.reader.appearance is not before and cloud.reader.state.lessons.light is None
    assert seen.settled and not seen.hidden and not wrong_slots(seen.log_likelihood, PLAYED[-1])
    assert not cloud.reader.state.lessons.was_put_off, "the next one may wait again"


def test_in_new_light_checkers_stand_where_they_stood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of a lesson is to find out where on their points they stand."""
    cloud = Cloud(dear=False)
    cloud.comes()
    taught, places, dice = [], [], []
    learn, chosen = Appearance.learn, learning_module.BumpWatch
    see = dice_module.find_dice_and_cube
    monkeypatch.setattr(Appearance, "learn", lambda self, *a, **k: taught.append(1) or learn(self, *a, **k))
    monkeypatch.setattr(learning_module, "BumpWatch", lambda *a: places.append(1) or chosen(*a))
    monkeypatch.setattr(dice_module, "find_dice_and_cube", lambda *a, **k: dice.append(1) or see(*a, **k))
    blind = cloud.reader.blind
    seen = []
    before = cloud.reader.appearance
    while cloud.reader.appearance is before and len(seen) < 60:
        dice.clear()
        seen.append(cloud.look())
    assert not wrong_slots(seen[-1].log_likelihood, PLAYED[-1])
    # It took four, and a round for every one that had to be found out.
    assert len(taught) <= 2
    assert not places, "the landmarks of the board are where they were"
    assert cloud.reader.blind is blind, "what the other reader saw in this picture holds"
    # Before, in the lesson and after: not without things that are none.
    assert len(dice) == 3


def test_a_lesson_notices_checkers_that_were_pushed_about_in_the_dark() -> None:
    """Most of them stand half a checker off: they are searched for as in the first lesson."""
    cloud = Cloud(dear=False)
    reader = cloud.reader
    frame = cloud.board.frame()
    stood = list(reader.finder.seen)
    off = [replace(d, y=d.y + (8.0 if d.slot < 12 else -8.0)) for d in stood]
    reader._learner.begin(frame.image, PLAYED[-1], off)
    now = {(d.slot, round(d.x), round(d.y)) for d in reader.state.learned.stood}
    near = sum(any(s == d.slot and abs(y - d.y) <= 4 for s, _, y in now) for d in stood)
    assert near >= 0.9 * len(stood)


def after_some_turns(board: SimulatedBoard) -> BoardReader:
    """Who has learned the start, and each of `PLAYED`."""
    reader = board.reader(motion=True)
    for position in (STARTING_POSITION, *PLAYED):
        board.play_to(position)
        for _ in range(6):
            reader.look(board.frame())
        reader.learn(position)
    return reader


def either_way(table: np.ndarray) -> bool:
    """There is a point of which the two readers say different things, and either may be deceived."""
    return bool(np.partition(table[:BAR_LIGHT], -2, axis=1)[:, -2].max() >= -FOR_EMPTY - EQUAL)


def test_a_shadow_that_looks_like_rows_of_checkers_is_learned_in_the_next_look() -> None:
    """Somebody leans over the board. White points in the shadow's soft edge look like checkers to what was learned without it."""
    board = SimulatedBoard("felt", light="mixed", tilt=18.0, seed=2)
    reader = after_some_turns(board)
    board.scene.effects = replace(board.scene.effects, shadow=(0.46, 0.42, 202))
    tables = [s.log_likelihood for s in (reader.look(board.frame()) for _ in range(8)) if s.settled]
    in_doubt = [table is not None and either_way(table) for table in tables]
    assert in_doubt[:2] == [True, False] and not any(in_doubt[2:])
    assert not wrong_slots(tables[-1], PLAYED[-1])


def test_what_stays_in_doubt_is_suspected_ever_more_rarely_until_a_position_is_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = SimulatedBoard("travel", light="mixed", seed=2)
    reader = board.reader()
    for _ in range(3):
        reader.look(board.frame())
    reader.learn(STARTING_POSITION)
    suspected: list[float] = []
    monkeypatch.setattr(learning_module, "plainly_shown", lambda *_: suspected.append(frame.time))
    frame = board.frame()
    seen = reader.state.located.blind.read(frame.image)
    for _ in range(2):
        began = frame.time
        for tenth in range(70):
            frame = replace(frame, time=began + tenth / 10)
            reader._learner.suspect_light(frame, seen)
        assert np.subtract(suspected, began).round(1).tolist() == [0.0, 1.0, 3.0]
        suspected.clear()
        reader.learn(STARTING_POSITION)


def next_game(*, dear: bool) -> tuple[SimulatedBoard, BoardReader]:
    """The first game is over, and the checkers have been set up again."""
    board = SimulatedBoard("travel", seed=3)
    reader = after_some_turns(board)
    if dear:
        reader.budget.note("again", 0.5)
    reader.expect_start()
    board.scene.set_position(STARTING_POSITION)
    return board, reader


@pytest.mark.parametrize("dear", [False, True])
def test_the_start_of_the_next_game_is_learned_afresh(dear: bool) -> None:
    board, reader = next_game(dear=dear)
    before, looked_like_it = reader.appearance, []
    while reader.appearance is before and len(looked_like_it) < 30:
        looked_like_it.append(reader.look(board.frame()).settled)
    # Where looks are dear one finds that out and the next one learns.
    assert sum(looked_like_it) == (2 if dear else 1)
    assert not reader.state.lessons.expecting and not reader.state.lessons.start_waits
    assert not wrong_slots(reader.look(board.frame()).log_likelihood, STARTING_POSITION)


def test_a_start_that_waits_is_not_learned_from_another_picture() -> None:
    board, reader = next_game(dear=True)
    while not reader.state.lessons.start_waits and board.seq < 60:
        reader.look(board.frame())
    assert reader.state.lessons.start_waits
    before = reader.appearance
    board.play_to(PLAYED[-1])
    for _ in range(6):
        last = reader.look(board.frame())
    assert reader.appearance is before and reader.state.lessons.expecting
    assert not reader.state.lessons.start_waits
    assert not wrong_slots(last.log_likelihood, PLAYED[-1])


def test_what_lies_beside_checkers_is_not_remembered_as_bare_board() -> None:
    """(3903003: the side of a dark checker that stood farther out than it was fitted, and a die on it, were remembered as board. When it had
    gone, the bare board in its place was something in the way whenever a die lay beside it.)"""
    cloud = Cloud(dear=False)
    before = cloud.reader.state.learned.first
    cloud.comes()
    cloud.until_it_is_known()
    after = cloud.reader.state.learned.first
    assert before is not None and after is not None
    more = after.bare & ~before.bare
    # (What stands there is told anew by the look after the lesson, a pixel away.)
    beside = around_discs(cloud.reader.state.learned.stood, OCCLUDERS.near - 0.1, more.shape)
    assert more.any() and not (more & beside).any()


def test_where_the_cube_lay_on_the_bar_its_sides_are_not_remembered_as_board() -> None:
    """Seen aslant, it shows red sides beside what it covers. Remembered as board they made a checker of the bare black bar when it had gone
    (4076001 of the campaign with mounts drawn)."""
    board = SimulatedBoard("travel", tilt=25.0)
    reader = board.reader()
    assert reader.look(board.frame()).settled
    look, covered = reader.appearance, reader.state.picture.covered
    assert look is not None
    rows, columns = reader.canvas.bar
    middle = slice((rows.start + rows.stop) // 2 - 20, (rows.start + rows.stop) // 2 + 20)
    assert covered[middle, columns].any(), "the cube lies there"
    # (The second and third of a board's features are its colour.)
    strip, seen = np.abs(look.board[middle, columns, 1:]).max(axis=2), look.seen[middle, columns]
    assert seen.any() and strip[seen].max() < 15.0
