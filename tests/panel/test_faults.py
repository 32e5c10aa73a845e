"""What goes wrong at a table must not touch the game: it is shown, it comes back by itself, and nothing false is recorded."""

from __future__ import annotations

import errno
import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pi_board.camera import CameraOptions
from pi_board.camera.base import FrameSource
from pi_board.camera.supervised import SupervisedCamera
from pi_board.errors import CameraError, DeviceError
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.panel.display import SmallDisplay, open_device
from pi_board.panel.language import load_language
from pi_board.panel.options import DisplayOptions, PanelOptions, SerialOptions
from pi_board.panel.panel import Panel
from pi_board.panel.pins import load_pins
from pi_board.panel.signals import lights_of
from pi_board.panel.strip import LightStrip, TextDisplay
from pi_board.record.game_files import GameFiles
from pi_board.record.journal import Journal, read_journal
from pi_board.referee import Referee, RefereeOptions
from pi_board.session.app import App
from pi_board.session.sitting import Sitting
from pi_board.sighting import Gate, Sighting
from tests.camera.faulty import scripted, scripted_in_a_turn
from tests.panel.test_display import FakeOled, until
from tests.panel.test_strip import Pico
from tests.referee.synthetic import Table

IMAGE = np.full((8, 8, 3), 90, np.uint8)
Act = Callable[[], None] | str


class Eyes:
    """A reader that sees the synthetic table; a hand is there whenever the table says so."""

    def __init__(self, table: Table) -> None:
        self.table, self.gate = table, Gate.SETTLED
        self.learned = 0

    def look(self, frame: Frame) -> Sighting:
        sighting = self.table.look(self.gate)
        self.gate = Gate.SETTLED
        # The camera's time counts, not the table's.
        return replace(sighting, time=frame.time)

    def learn(self, position: Any) -> None:
        self.learned += 1

    def took(self, seconds: float) -> None: ...

    def expect_start(self) -> None: ...


class Script(FrameSource):
    """A camera whose frames are a list: a callable acts on the table first, "fail" raises CameraError, "fail-open" ends it."""

    finite = True

    def __init__(self, acts: Sequence[Act], clock: Callable[[], float]) -> None:
        self.acts, self.clock = list(acts), clock
        self.seq, self.opens, self.closes = 0, 0, 0

    def open(self) -> Script:
        self.opens += 1
        if self.acts and self.acts[0] == "missing":
            self.acts.pop(0)
            raise CameraError("camera 0: not connected")
        return self

    def read(self, timeout: float | None = None) -> Frame | None:
        if not self.acts:
            return None
        act = self.acts.pop(0)
        if act == "fail":
            raise CameraError("camera 0: no picture for 2 s; starting it again in 0.5 s (attempt 1)")
        if callable(act):
            act()
        self.seq += 1
        return Frame(IMAGE, self.clock(), self.seq)

    def close(self) -> None:
        self.closes += 1


class Watcher:
    """An output that keeps every moment; `fault` makes it raise like a device that was pulled."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self.fault = False

    def show(self, moment: Moment) -> None:
        if self.fault:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self.moments.append(moment)

    def close(self) -> None:
        if self.fault:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")


class TableRun:
    """An app at a synthetic table, its time under our thumb: each look at the clock is a tenth of a second later."""

    def __init__(self, folder: Path, wall: Callable[[], datetime] | None = None) -> None:
        self.now = 100.0
        self.table = Table()
        self.eyes = Eyes(self.table)
        self.folder = folder
        self.journal = Journal.create(folder, clock=wall)
        self.files = GameFiles(folder, self.journal.path.stem, clock=wall)
        self.sitting = Sitting(self.eyes, Referee(), journal=self.journal, files=self.files)  # type: ignore[arg-type]
        self.watcher = Watcher()
        self.beats: list[str] = []
        self.camera_kind: type[Script] = Script

    def clock(self) -> float:
        self.now += 0.1
        return self.now

    def run(self, acts: Sequence[Act], outputs: Sequence[Any] = ()) -> Script:
        self.camera = self.camera_kind(acts, self.clock)
        self.play(self.camera.open, outputs)
        return self.camera

    def play(self, open_camera: Callable[[], FrameSource], outputs: Sequence[Any] = ()) -> None:
        """The app with this camera, until its script is at its end."""
        self.app = App(
            open_camera,
            self.sitting,
            [self.watcher, *outputs],
            heartbeat=self.beats.append,
            clock=self.clock,
        )
        self.app.run()

    def hand(self) -> None:
        self.eyes.gate = Gate.HAND

    def looks(self, n: int = 6) -> list[Act]:
        return [""] * n

    def act(self, do: Callable[[], None], n: int = 6) -> list[Act]:
        """Three frames with a hand, the deed, then settled looks."""
        return [self.hand, self.hand, lambda: (self.hand(), do())[0], *self.looks(n)]

    def first_turn(self) -> list[Act]:
        t = self.table
        return [
            *self.looks(),
            *self.act(lambda: t.throw(3, 1, halves=("light", "dark"))),
            *self.act(lambda: t.move(8, 5, "light")),
            *self.act(lambda: t.move(6, 5, "light")),
        ]

    def second_turn(self) -> list[Act]:
        t = self.table
        return [
            *self.act(t.lift_dice),
            *self.act(lambda: t.throw(6, 4, "dark")),
            *self.act(lambda: t.move(24, 18, "dark")),
            *self.act(lambda: t.move(13, 9, "dark")),
            *self.act(t.lift_dice),
        ]

    def recorded(self) -> list[str]:
        return [e.type for e in read_journal(self.journal.path).events]


STORY = ["match_started", "game_started", "opening_thrown", "dice_rolled", "play_made", "turn_ended", "dice_rolled",
         "play_made", "turn_ended"]  # fmt: skip


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app's short pauses without a camera cost no real time here."""
    monkeypatch.setattr("pi_board.session.app.time.sleep", lambda seconds: None)


def story(run: TableRun) -> list[str]:
    return [t for t in run.recorded() if not t.startswith("view_")]


def test_nothing_wrong(tmp_path: Path) -> None:
    run = TableRun(tmp_path)
    run.run([*run.first_turn(), *run.second_turn()])
    assert story(run) == STORY
    assert set(run.beats) == {"frame"}


@pytest.mark.parametrize("faults", [1, 5, 30])
def test_camera_lost_in_the_middle_of_a_turn(tmp_path: Path, faults: int) -> None:
    """Unplugged, frozen, black or hanging: all of them end in CameraError from the supervised camera."""
    run = TableRun(tmp_path)
    run.run([*run.first_turn(), *(["fail"] * faults), *run.looks(4), *run.second_turn()])
    assert story(run) == STORY, "the same game as without the fault"
    lost = [m for m in run.watcher.moments if "no picture" in m.banner]
    assert lost, "said on the display"
    assert "no camera" in run.beats, "the watchdog is fed: waiting for a camera is no hang"
    assert run.watcher.moments[-1].banner == "", "and gone when it is over"
    # At once: the camera's own time limit has passed already (see test_shown_within_two_seconds).
    assert lost[0].view.view_blocked == "no_camera" and lost[0].view.message_code == "view_no_camera"
    assert lights_of(lost[0].view).verdict_amber == "slow"


def test_shown_within_two_seconds() -> None:
    """The limits after which a silent, frozen, black or covered camera is a fault leave time to say so."""
    options = CameraOptions()
    limits = options.timeout, options.frozen_after, options.black_after, RefereeOptions().blocked_patience
    assert max(limits) + 0.2 <= 2.0
    # Killed, started and open again within ten seconds, if the driver opens in five.
    assert options.restart_delay_max <= 5.0


class Wired(FrameSource):
    """A real supervised camera, in its own process, each of whose pictures carries out the next act of a script."""

    recovers = True

    def __init__(self, camera: SupervisedCamera, acts: Sequence[Act], clock: Callable[[], float]) -> None:
        self.camera, self.acts, self.clock = camera, list(acts), clock

    def read(self, timeout: float | None = None) -> Frame | None:
        if not self.acts:
            return None
        frame = self.camera.read(timeout)
        assert frame is not None
        act = self.acts.pop(0)
        if callable(act):
            act()
        return replace(frame, time=self.clock())

    def close(self) -> None:
        self.camera.close()


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("raises", "camera 0: unplugged"),
        pytest.param("breaks", "VIDIOC_DQBUF: no such device", marks=pytest.mark.slow),
        ("read_hangs", "no picture for 1 s"),
        ("dies", "ended unexpectedly"),
        pytest.param("freezes", "the picture is frozen", marks=pytest.mark.slow),
        pytest.param("black", "the picture is black", marks=pytest.mark.slow),
    ],
)
def test_a_real_camera_process_that_fails_in_a_turn(tmp_path: Path, fault: str, said: str) -> None:
    """Killed and started again by itself; the game that is recorded is the one without the fault."""
    run = TableRun(tmp_path)
    acts = [*run.first_turn(), *run.second_turn()]
    # Patient where a process is not to hang: a machine busy with other things is no fault.
    options = CameraOptions(
        backend="opencv", source=str(tmp_path / fault), timeout=1.0 if fault == "read_hangs" else 60.0, start_timeout=60.0,
        restart_delay=0.05, restart_delay_max=0.2, black_after=0.05, frozen_after=0.05,
    )  # fmt: skip
    camera = SupervisedCamera(options, opener=scripted_in_a_turn)
    run.play(lambda: Wired(camera, acts, run.clock))
    assert story(run) == STORY
    assert camera.health.restarts >= 1
    banners = [m.banner for m in run.watcher.moments if m.banner]
    assert any(said in banner and "starting it again" in banner for banner in banners)
    shown = next(m for m in run.watcher.moments if m.banner)
    assert shown.view.view_blocked == "no_camera" and lights_of(shown.view).verdict_amber == "slow"
    assert run.watcher.moments[-1].banner == "" and run.watcher.moments[-1].view.view_blocked == ""


def test_a_camera_that_recovers_is_read_on(tmp_path: Path) -> None:
    run = TableRun(tmp_path)
    run.camera_kind = type("Recovering", (Script,), {"recovers": True})
    camera = run.run([*run.first_turn(), *(["fail"] * 3), *run.second_turn()])
    assert story(run) == STORY and (camera.opens, camera.closes) == (1, 1)


def test_camera_missing_at_first(tmp_path: Path) -> None:
    run = TableRun(tmp_path)
    run.run(["missing", "missing", "missing", *run.first_turn(), *run.second_turn()])
    assert story(run) == STORY and run.camera.opens == 4
    assert "camera 0: not connected" in run.watcher.moments[0].banner


def test_a_hand_over_the_lens_is_no_play(tmp_path: Path) -> None:
    """Blocked for a minute: said, and nothing is recorded but that."""
    run = TableRun(tmp_path)

    def blocked() -> None:
        run.eyes.gate = Gate.BLOCKED

    run.run([*run.first_turn(), *([blocked] * 600), *run.looks(), *run.second_turn()])
    assert story(run) == STORY
    assert run.recorded().count("view_blocked") == 1 and run.recorded().count("view_cleared") == 1


def test_an_output_that_raises_is_dropped_with_a_word(tmp_path: Path) -> None:
    run = TableRun(tmp_path)
    bad = Watcher()
    acts = [*run.first_turn(), *run.second_turn()]
    acts[10] = lambda: setattr(bad, "fault", True)
    run.run(acts, [bad])
    assert story(run) == STORY
    assert any("Watcher was switched off" in m.banner for m in run.watcher.moments)


# ---------------------------------------------------------------- real outputs whose devices fail in a turn


class Fault:
    """A device at the table in a turn: `begin` and `end` are acts of the players' script, in real time where a thread must notice."""

    def __init__(
        self, output: Any, begin: Callable[[], None] = lambda: None, end: Callable[[], None] = lambda: None
    ) -> None:
        self.output, self.begin, self.end = output, begin, end


def no_gpio(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Fault:
    """A desktop, or a Pi whose pins cannot be had."""

    def none() -> Any:
        raise DeviceError("lights, buzzer, buttons: no GPIO here (no chip)")

    monkeypatch.setattr("pi_board.panel.panel.open_pins", none)
    panel = Panel(PanelOptions(), lambda word: None, clock=lambda: "12:00")
    assert panel.notices == ["lights, buzzer, buttons: no GPIO here (no chip)"]
    return Fault(panel)


def no_i2c_bus(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Fault:
    """Nothing of a display is there, not even its bus (luma's own words, if luma is installed)."""
    options = DisplayOptions(kind="ssd1306", bus=29)
    display = SmallDisplay(
        options, load_language("en"), lambda: open_device(options, load_pins()), retry=0.05
    )
    return Fault(
        display, lambda: noticed(lambda: re.search("I2C bus 29|luma is not installed", display.notice))
    )


def display_pulled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Fault:
    oled = FakeOled()

    def open_() -> FakeOled:
        if oled.pulled:
            raise DeviceError("display ssd1306: nothing answers")
        return oled

    display = SmallDisplay(DisplayOptions(kind="ssd1306", bus=29), load_language("en"), open_, retry=0.05)

    def pull() -> None:
        noticed(lambda: oled.pictures)
        oled.pulled = True

    def put_back() -> None:
        noticed(lambda: "nothing answers" in display.notice)
        count, oled.pulled = len(oled.pictures), False
        noticed(lambda: len(oled.pictures) > count and not display.notice)

    return Fault(display, pull, put_back)


def display_hangs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Fault:
    oled = FakeOled()
    display = SmallDisplay(
        DisplayOptions(kind="ssd1306", bus=29), load_language("en"), lambda: oled, retry=0.05
    )

    def wake() -> None:
        count = len(oled.pictures)
        oled.hang.set()
        noticed(lambda: len(oled.pictures) > count)

    return Fault(display, oled.hang.clear, wake)


def strip_hangs_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Fault:
    """It takes every line and answers none."""
    pico = Pico(folder / "strip")
    strip = LightStrip(SerialOptions(strip=str(pico.port)), retry=0.05)

    def wake() -> None:
        noticed(lambda: "no answer" in strip.notice)
        pico.silent = False
        noticed(lambda: not strip.notice)

    return Fault(strip, lambda: setattr(pico, "silent", True), wake)


def strip_pulled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Fault:
    pico = Pico(folder / "strip")
    strip = LightStrip(SerialOptions(strip=str(pico.port)), retry=0.05)

    def pull() -> None:
        noticed(lambda: strip.connections == 1)
        pico.unplug()

    def put_back() -> None:
        noticed(lambda: strip.notice)
        pico.plug()
        noticed(lambda: strip.connections == 2 and not strip.notice)

    return Fault(strip, pull, put_back)


def no_text_display(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Fault:
    text = TextDisplay(SerialOptions(text=str(folder / "nothing")), load_language("en"), retry=0.05)
    return Fault(text, lambda: noticed(lambda: "cannot be opened" in text.notice))


def noticed(true: Callable[[], object]) -> None:
    assert until(true)


@pytest.mark.parametrize(
    "device",
    [no_gpio, no_i2c_bus, display_pulled, display_hangs, strip_hangs_up, strip_pulled, no_text_display],
    ids=lambda make: make.__name__,
)
def test_a_device_that_fails_in_a_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: Callable[[Path, pytest.MonkeyPatch], Fault]
) -> None:
    """The same game is recorded, no frame is lost over it, and what comes back is used again without anybody's help."""
    run = TableRun(tmp_path)
    fault = device(tmp_path, monkeypatch)
    acts = [*run.first_turn(), *run.second_turn()]
    acts.insert(20, fault.begin)
    acts.insert(45, fault.end)
    run.run(acts, [fault.output])
    assert story(run) == STORY
    assert run.beats == ["frame"] * len(acts)
    assert not any(m.banner for m in run.watcher.moments), "nothing to switch off"


# ----------------------------------------------------------------------------------------------- the machine


def test_disk_full_and_free_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game goes on, the banner says so, and what was held back is on disk in the end."""
    run = TableRun(tmp_path)
    full = threading.Event()
    write = os.write

    def limited(fd: int, data: bytes) -> int:
        if full.is_set():
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(fd, data)

    monkeypatch.setattr("pi_board.record.journal.os.write", limited)
    acts = [*run.first_turn(), *run.second_turn()]
    acts.insert(12, full.set)
    acts.insert(len(acts) - 14, full.clear)
    run.run(acts)
    assert any("No space left" in m.banner for m in run.watcher.moments), "not said"
    assert run.watcher.moments[-1].banner == ""
    assert story(run) == STORY


@pytest.mark.parametrize("jump", [timedelta(days=1), timedelta(days=-1), timedelta(days=20_000)])
def test_clock_jumps_by_a_day(tmp_path: Path, jump: timedelta) -> None:
    """A Pi without a network starts in the past and jumps when it hears the time; games are counted in monotonic time."""
    wall = [datetime(2026, 5, 1, 20, 0, tzinfo=UTC)]
    run = TableRun(tmp_path, lambda: wall[0])
    acts = [*run.first_turn(), *run.second_turn()]
    acts[20] = lambda: wall.__setitem__(0, wall[0] + jump)
    run.run(acts)
    assert story(run) == STORY
    times = [e.time for e in read_journal(run.journal.path).events]
    assert times == sorted(times)


def test_stop_that_never_returns(tmp_path: Path) -> None:
    """A driver that hangs in stop() does not keep the program: the supervised camera kills its process."""
    camera = SupervisedCamera(
        CameraOptions(backend="opencv", source=str(tmp_path / "stop_hangs"), timeout=5.0, start_timeout=30.0),
        opener=scripted,
    )
    assert camera.read() is not None
    process = camera._process
    camera.close()
    # Killed, not waited for: the driver would have slept a minute.
    end = time.monotonic() + 20
    while process.is_alive() and time.monotonic() < end:
        time.sleep(0.05)
    assert not process.is_alive()
