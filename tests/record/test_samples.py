"""Samples of one's own evenings: what is kept, what is not, and that nothing of persons is."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from pi_board import events as ev
from pi_board.errors import InvalidFileError
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.record.collector import SampleCollector
from pi_board.record.options import RecordOptions
from pi_board.record.samples import cut_out, export, read_sample, samples, tidy, write_sample
from pi_board.rules import STARTING_POSITION, Position, legal_plays, opponent
from pi_board.sighting import DieSeen, Gate, Sighting
from pi_board.table import Phase, TableView, VerdictColour

CORNERS = np.array([[100.0, 60.0], [300.0, 60.0], [320.0, 200.0], [80.0, 200.0]])


class Evening:
    """Feeds a collector the moments of a game: each turn a roll, a green play that lies there, lifted dice."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.collector = SampleCollector(
            folder, "session-20260101-200000", RecordOptions(collect=True, **options), corners=lambda: CORNERS,
            facts={"profile": "travel", "near": "light", "home": "right", "rules": "international"},
            clock=lambda: datetime(2026, 1, 1, 20),
        )  # fmt: skip
        self.position, self.side, self.now = STARTING_POSITION, "light", 0.0
        self.folder = folder
        self.say(ev.GameStarted(game=1, position=STARTING_POSITION))

    def say(self, *events: ev.Event, view: TableView | None = None, dice: tuple[DieSeen, ...] = ()) -> None:
        self.now += 0.1
        picture = np.full((240, 400, 3), int(self.now * 10) % 200 + 20, np.uint8)
        sighting = Sighting(int(self.now * 10), self.now, Gate.SETTLED, np.zeros((28, 31)), dice)
        self.collector.show(
            Moment(self.now, view or TableView(), events, Frame(picture, self.now, 0), sighting)
        )

    def turn(self, *between: ev.Event, legal: bool = True, seen: tuple[int, int] = (3, 1)) -> Position:
        side, dice = self.side, (3, 1)
        play = legal_plays(self.position, dice, side)[0]
        lying = tuple(DieSeen(v, 0.99, 200.0 + 30 * i, 120.0, 20.0) for i, v in enumerate(seen))
        self.say(ev.DiceRolled(side=side, dice=dice))
        view = TableView(phase=Phase.PLAYED, position=play.result, verdict=VerdictColour.GREEN)
        self.say(
            ev.PlayMade(side=side, dice=dice, play=str(play), moves=play.moves, position=play.result),
            view=view,
            dice=lying,
        )
        self.say(view=view, dice=lying)
        # Lifted: the turn ends a few looks later.
        self.say(view=view)
        for event in between:
            self.say(event)
        self.say(
            ev.TurnEnded(
                side=side, position=play.result, dice=dice, play=str(play), moves=play.moves, legal=legal
            )
        )
        self.position, self.side = play.result, opponent(side)
        return play.result

    def kept(self) -> list[Position]:
        self.collector.close()
        return [s.position for s in samples(self.folder)]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    played = Evening(tmp_path)
    yield played
    played.collector.close()


def test_a_turn_is_kept_when_the_next_has_ended_too(evening: Evening) -> None:
    first, second = evening.turn(), evening.turn()
    evening.turn()
    assert evening.kept() == [first, second], "the last one may still turn out wrong"


def test_the_last_turn_is_kept_when_the_game_is_won(evening: Evening) -> None:
    played = [evening.turn(), evening.turn()]
    evening.say(ev.GameWon(side="light", points=1, kind="single", score=(1, 0)))
    assert evening.kept() == played


DISPUTED = [
    ev.PlayTakenBack(side="light", position=STARTING_POSITION),
    ev.DiceCorrected(side="light", dice=(6, 5)),
    ev.PositionCorrected(position=STARTING_POSITION),
    ev.Unclear(doubts="position", reason="x"),
    ev.BoardMoved(reason="bump"),
]


@pytest.mark.parametrize("dispute", DISPUTED, ids=lambda e: e.type)
def test_a_dispute_costs_this_turn_and_the_one_before(evening: Evening, dispute: ev.Event) -> None:
    first = evening.turn()
    evening.turn()
    evening.turn(dispute)
    after = [evening.turn(), evening.turn()]
    evening.turn()
    assert evening.kept() == [first, *after]


def test_an_illegal_play_that_stood_is_no_lesson(evening: Evening) -> None:
    evening.turn(legal=False)
    assert evening.turn() and evening.turn() and len(evening.kept()) == 1


def test_what_stands_in_a_sample(evening: Evening) -> None:
    evening.turn()
    evening.turn(seen=(3, 2))
    evening.turn()
    evening.kept()
    one, other = samples(evening.folder)
    assert one.document["date"] == "2026-01-01" and one.document["profile"] == "travel"
    picture = cv2.imread(str(one.path))
    assert list(picture.shape[1::-1]) == one.document["size"]
    shift = CORNERS[0] - one.corners[0]
    assert np.allclose(one.corners + shift, CORNERS)
    assert [(d["value"], d["x"], d["y"]) for d in one.document["dice"]] == [
        (3, 200 - shift[0], 120 - shift[1]),
        (1, 230 - shift[0], 120 - shift[1]),
    ]
    assert other.document["dice"] == [], (
        "other numbers were seen than the referee's: nobody knows which is which"
    )
    text = json.dumps(one.document)
    assert "20:00" not in text and "T20" not in text, "the day, not the hour"


def test_only_the_board_is_kept() -> None:
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 100, (240, 400, 3), dtype=np.uint8)
    kept, corners = cut_out(picture, CORNERS)
    shift = CORNERS[0] - corners[0]
    assert kept.shape[0] < 240 and kept.shape[1] < 400
    x, y = (CORNERS.mean(axis=0) - shift).astype(int)
    sx, sy = CORNERS.mean(axis=0).astype(int)
    assert np.array_equal(
        kept[y - 20 : y + 20, x - 30 : x + 30], picture[sy - 20 : sy + 20, sx - 30 : sx + 30]
    )
    assert (kept[0, 0] == 128).all(), "outside the board's own shape there is nothing"


def test_a_board_at_the_picture_s_edge() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    kept, _ = cut_out(picture, np.array([[-5.0, -5.0], [104.0, -3.0], [104.0, 104.0], [-5.0, 104.0]]))
    assert kept.shape == picture.shape


def put(folder: Path, count: int) -> None:
    for i in range(count):
        write_sample(
            folder, f"session-20260101-200000-{i + 1:05d}", np.zeros((50, 60, 3), np.uint8),
            {"date": "2026-01-01", "profile": "p", "near": "light", "home": "right", "rules": "international", "size": [60, 50],
             "corners": [[5, 5], [55, 5], [55, 45], [5, 45]], "position": STARTING_POSITION.to_document(), "dice": []},
        )  # fmt: skip


def test_the_oldest_go_first(tmp_path: Path) -> None:
    put(tmp_path, 6)
    tidy(tmp_path, megabytes=100, count=4)
    assert [s.path.stem[-1] for s in samples(tmp_path)] == ["3", "4", "5", "6"]
    tidy(tmp_path, megabytes=1, count=4)
    assert len(list(tmp_path.iterdir())) == 8


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"format": 1}', '{"format": 1, "corners": [[1, 2]], "position": {}}', "\x00"]
)
def test_what_is_no_sample(tmp_path: Path, text: str) -> None:
    put(tmp_path, 1)
    path = tmp_path / "session-x-1.json"
    path.write_text(text)
    with pytest.raises(InvalidFileError, match="expected the document of a sample"):
        read_sample(path)
    assert len(samples(tmp_path)) == 1


def test_a_full_disk_costs_samples_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    evening = Evening(tmp_path / "file" / "collected")
    for _ in range(3):
        evening.turn()
    evening.collector.close()
    assert "samples cannot be written" in evening.collector.failing


def test_numbers_go_on_after_a_power_cut(tmp_path: Path) -> None:
    for _ in range(2):
        evening = Evening(tmp_path)
        evening.turn()
        evening.turn()
        evening.kept()
    assert [s.path.stem[-5:] for s in samples(tmp_path)] == ["00001", "00002"]


def test_export(tmp_path: Path) -> None:
    put(tmp_path / "in", 2)
    target = tmp_path / "new" / "mine.zip"
    export(samples(tmp_path / "in"), target, "CC0")
    with zipfile.ZipFile(target) as archive:
        assert archive.read("LICENCE.txt") == b"CC0\n" and len(archive.namelist()) == 5
    with pytest.raises(FileExistsError):
        export(samples(tmp_path / "in"), target, "CC0")
