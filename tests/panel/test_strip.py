"""Light strip and text display on pseudo-terminals, with the firmware's own protocol half at the other end."""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import strip_protocol

from pi_board.errors import InvalidSettingsError
from pi_board.output import Moment
from pi_board.panel import strip
from pi_board.panel.language import load_language
from pi_board.panel.options import SerialOptions
from pi_board.panel.screens import Showing
from pi_board.panel.strip import LightStrip, TextDisplay, text_pages
from pi_board.panel.strip_lamps import Lamp, checksum, frame, lamps_of, show_line, strip_order, unframe
from pi_board.rules import STARTING_POSITION
from pi_board.table import TableView
from tests.panel.scenes import HINT, ILLEGAL, SCENES, VIEW
from tests.panel.test_display import until

README = Path(__file__).resolve().parents[2] / "hardware" / "firmware" / "README.md"


# -------------------------------------------------------------------------------------------- protocol


def test_both_halves_agree() -> None:
    for body in ("HELLO 1", "OFF", "SHOW 60 4-5:ff0000:slow 20-21:ff0000:fast"):
        assert strip_protocol.checksum(body) == checksum(body)
        assert strip_protocol.unframe(frame(body).decode()) == body
        assert unframe(strip_protocol.frame(body).encode()) == body
    # The check value of CRC-16/CCITT-FALSE.
    assert checksum("123456789") == "29B1"
    assert f"${'HELLO 1'}*{checksum('HELLO 1')}" in README.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "line", [b"", b"$", b"$OFF", b"$OFF*0000", b"OFF*8A5D", b"\xff\xfe$OFF*zz", b"$OFF*123"]
)
def test_broken_lines_are_refused(line: bytes) -> None:
    assert unframe(line) is None
    assert strip_protocol.unframe(line.decode("latin-1")) is None


def say(strip: strip_protocol.Strip, body: str, now: int = 0) -> str:
    return unframe(strip.feed(frame(body).decode(), now).encode()) or ""


def test_the_strips_half() -> None:
    strip = strip_protocol.Strip("pico", 48)
    assert say(strip, "OFF") == "ERR hello"
    assert say(strip, "HELLO 2") == "HELLO 1 pico 48"
    assert say(strip, "PING") == "ERR hello", "a host of another version must not go on"
    assert say(strip, "HELLO 1") == "HELLO 1 pico 48"
    assert say(strip, "SHOW 255 4-5:ff0000:on 47-47:0030ff:slow") == "OK"
    assert strip.colours(0)[4:6] == [(255, 0, 0)] * 2 and strip.colours(0)[47] == (0, 48, 255)
    assert strip.colours(900)[47] == (0, 0, 0), "slow: dark in the second half"
    for bad in (
        "SHOW",
        "SHOW 300",
        "SHOW 9 0-48:ff0000:on",
        "SHOW 9 5-4:ff0000:on",
        "SHOW 9 1-1:ff:on",
        "SHOW 9 1-1:ff0000:x",
    ):
        assert say(strip, bad) == "ERR show", bad
    assert strip.colours(0)[4] == (255, 0, 0), "a wrong line changes nothing"
    assert say(strip, "WHAT") == "ERR command"
    assert unframe(strip.feed("$OFF*0000\n", 0).encode()) == "ERR checksum"
    # Half a line that was cut off, then a whole one.
    assert unframe(strip.feed("$SHOW 255 1-" + frame("OFF").decode(), 0).encode()) == "OK"
    say(strip, "SHOW 128 0-0:ffffff:on", 1000)
    assert strip.colours(10_000)[0] == (128, 128, 128)
    assert strip.colours(11_001)[0] == (0, 0, 0), "dark when the host is gone"


# ----------------------------------------------------------------------------------------- which lamps


def moved(position, **points: int):  # type: ignore[no-untyped-def]
    changed = list(position.points)
    for name, count in points.items():
        changed[int(name[1:]) - 1] = count
    return type(position).trusted(tuple(changed), position.bar, position.off)


def test_lamps_of_an_illegal_play() -> None:
    view = replace(ILLEGAL, expected=STARTING_POSITION, seen=moved(STARTING_POSITION, p13=4, p9=1))
    assert lamps_of(Showing(view)) == (Lamp(9, "ff0000", "fast"), Lamp(13, "ff0000", "slow"))
    dark = replace(view, side="dark", seen=moved(STARTING_POSITION, p12=-4, p14=-1))
    assert lamps_of(Showing(dark)) == (Lamp(12, "ff0000", "slow"), Lamp(14, "ff0000", "fast"))


def test_lamps_of_a_hint_and_of_a_checker_to_put_back() -> None:
    first = replace(HINT.lines[0], moves=((8, 5), (6, 5)))
    hint = replace(HINT, lines=(first,))
    assert lamps_of(Showing(VIEW, hint=hint)) == (
        Lamp(8, "0030ff", "slow"),
        Lamp(5, "0030ff", "on"),
        Lamp(6, "0030ff", "slow"),
    )
    dark = replace(hint, side="dark", lines=(replace(first, moves=((25, 22), (1, 0))),))
    assert lamps_of(Showing(VIEW, hint=dark)) == (Lamp(3, "0030ff", "on"), Lamp(24, "0030ff", "slow"))
    assert lamps_of(SCENES["checker_missing"]) == (Lamp(17, "ff8000", "fast"),)
    assert lamps_of(Showing(VIEW)) == ()


@pytest.mark.parametrize(
    ("near", "home", "bottom_right", "bottom_left", "top_left", "top_right"),
    [
        ("light", "right", 1, 12, 13, 24),
        ("dark", "right", 24, 13, 12, 1),
        ("light", "left", 12, 1, 24, 13),
        ("dark", "left", 13, 24, 1, 12),
    ],
)
def test_strip_order(
    near: str, home: str, bottom_right: int, bottom_left: int, top_left: int, top_right: int
) -> None:
    from pi_board.vision.board.orientation import Orientation, Row

    order = strip_order(near, home)
    assert sorted(order) == list(range(1, 25))
    assert (order[0], order[11], order[12], order[23]) == (bottom_right, bottom_left, top_left, top_right)
    # The same as vision sees the board: columns run from left to right.
    eyes = Orientation(near, home)  # type: ignore[arg-type]
    assert [eyes.point_at(c, Row.NEAR) for c in range(11, -1, -1)] == list(order[:12])
    assert [eyes.point_at(c, Row.FAR) for c in range(12)] == list(order[12:])


@pytest.mark.parametrize("lights", [24, 48, 50, 300])
def test_every_point_has_lamps_of_its_own(lights: int) -> None:
    order = strip_order("light", "right")
    strip = strip_protocol.Strip("x", lights)
    say(strip, "HELLO 1")
    seen: set[int] = set()
    for point in range(1, 25):
        body = show_line((Lamp(point, "ffffff", "on"),), order, lights, 255)
        assert say(strip, body) == "OK"
        lit = {i for i, c in enumerate(strip.colours(0)) if c != (0, 0, 0)}
        assert lit and not lit & seen
        seen |= lit
    everything = show_line(tuple(Lamp(p, "ffffff", "slow") for p in range(1, 25)), order, lights, 255)
    assert len(frame(everything)) <= 400 and say(strip, show_line((), order, lights, 9)) == "OK"


# -------------------------------------------------------------------------------------------- serial


class Pico:
    """A Pico on a pseudo-terminal that runs the firmware's protocol half. Its port is a symlink that plugging makes."""

    def __init__(self, port: Path, *, strip: strip_protocol.Strip | None = None) -> None:
        self.port = port
        self.strip = strip or strip_protocol.Strip("pico", 48)
        self.silent = False
        self.raw = b""
        self._master = -1
        self.plug()

    def plug(self) -> None:
        try:
            self._master, slave = os.openpty()
        except OSError:
            pytest.skip("no pseudo-terminals here (a bare chroot)")
        tty.setraw(slave)
        self.strip.greeted, self.strip.lamps = False, {}
        self.port.symlink_to(os.ttyname(slave))
        self._slave, self._plugged = slave, True
        self._thread = threading.Thread(target=self._run, args=(self._master,), daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        self.port.unlink()
        # The thread must have ended before its descriptor is closed: the next pseudo-terminal gets the same number.
        self._plugged = False
        self._thread.join()
        os.close(self._slave)
        os.close(self._master)

    def _run(self, master: int) -> None:
        while self._plugged:
            if not select.select([master], [], [], 0.02)[0]:
                continue
            try:
                data = os.read(master, 1000)
            except OSError:
                return
            if not data:
                return
            self.raw += data
            if self.silent:
                continue
            answer = self.strip.feed(data.decode("latin-1"), int(time.monotonic() * 1000))
            if answer:
                try:
                    os.write(master, answer.encode())
                except OSError:
                    return

    @property
    def lit(self) -> list[int]:
        return sorted(self.strip.lamps)


OPTIONS = SerialOptions(lights=48)
FAULT = Moment(1.0, replace(ILLEGAL, expected=STARTING_POSITION, seen=moved(STARTING_POSITION, p13=4, p9=1)))
CALM = Moment(2.0, VIEW)


@pytest.fixture
def pico(tmp_path: Path) -> Iterator[Pico]:
    pico = Pico(tmp_path / "strip")
    yield pico
    if pico.port.is_symlink():
        pico.unplug()


def connect(pico: Pico) -> LightStrip:
    return LightStrip(replace(OPTIONS, strip=str(pico.port)), retry=0.1)


def test_a_fault_lights_its_points(pico: Pico) -> None:
    strip = connect(pico)
    assert until(lambda: strip.notice == "")
    strip.show(FAULT)
    assert until(lambda: pico.lit == [16, 17, 24, 25])
    assert {p for _, p in pico.strip.lamps.values()} == {"slow", "fast"}
    strip.show(CALM)
    assert until(lambda: pico.lit == [])
    strip.show(FAULT)
    assert until(lambda: pico.lit)
    strip.close()
    assert until(lambda: pico.lit == []), "dark when the program ends"


def test_unplugged_and_plugged_in_again(pico: Pico) -> None:
    strip = connect(pico)
    strip.show(FAULT)
    assert until(lambda: pico.lit == [16, 17, 24, 25])
    pico.unplug()
    began = time.monotonic()
    for i in range(200):
        strip.show(replace(CALM, time=2.0 + i))
    assert time.monotonic() - began < 20, "the game waited for the strip"
    assert until(lambda: strip.notice != "")
    strip.show(FAULT)
    pico.plug()
    assert until(lambda: pico.lit == [16, 17, 24, 25]), "not back"
    assert strip.connections == 2
    strip.close()


def test_not_there_at_first(tmp_path: Path) -> None:
    strip = LightStrip(replace(OPTIONS, strip=str(tmp_path / "strip")), retry=0.1)
    assert until(lambda: "cannot be opened" in strip.notice)
    pico = Pico(tmp_path / "strip")
    assert until(lambda: strip.notice == "")
    strip.close()
    pico.unplug()


def test_hung_up(pico: Pico) -> None:
    """The device takes everything and answers nothing, then wakes up."""
    pico.silent = True
    strip = connect(pico)
    assert until(lambda: "no answer for 1 s" in strip.notice)
    strip.show(FAULT)
    pico.silent = False
    assert until(lambda: pico.lit == [16, 17, 24, 25])
    strip.close()


@pytest.mark.parametrize(
    ("device", "notice"),
    [
        (strip_protocol.Strip("pico", 30), "the strip has 30 lamps, settings say 48"),
        (None, "the strip speaks version 2, expected 1: update hardware/firmware"),
    ],
)
def test_a_strip_that_does_not_fit(
    tmp_path: Path, device: strip_protocol.Strip | None, notice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if device is None:
        monkeypatch.setattr(strip_protocol, "VERSION", 2)
    pico = Pico(tmp_path / "strip", strip=device)
    strip = connect(pico)
    assert until(lambda: notice in strip.notice), strip.notice
    strip.close()
    pico.unplug()


def test_text_display(tmp_path: Path) -> None:
    pico = Pico(tmp_path / "text")
    pico.silent = True
    text = TextDisplay(replace(OPTIONS, text=str(pico.port)), load_language("de"), retry=0.1)
    text.show(Moment(1.0, SCENES["illegal"].view))
    wanted = "Regelwidrig: der\r\nStein auf der Bar\r\nmuss zuerst\r\neingesetzt werden.\r\n"
    assert until(lambda: wanted.encode("latin-1") in pico.raw), pico.raw
    assert pico.raw.count(b"\x0c") >= 1
    text.close()
    pico.unplug()


def test_a_long_message_is_turned_page_by_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pico = Pico(tmp_path / "text")
    pico.silent = True
    monkeypatch.setattr(strip, "PAGE", 0.2)
    monkeypatch.setattr(strip, "QUIET", 0.1)
    text = TextDisplay(replace(OPTIONS, text=str(pico.port), rows=2), load_language("de"), retry=0.1)
    text.show(Moment(1.0, SCENES["illegal"].view))
    first, second = (
        b"\x0cRegelwidrig: der\r\nStein auf der Bar\r\n",
        b"\x0cmuss zuerst\r\neingesetzt werden.\r\n",
    )
    assert until(lambda: first in pico.raw and second in pico.raw[pico.raw.index(first) :]), pico.raw
    assert until(lambda: first in pico.raw[pico.raw.index(second) :]), pico.raw
    text.close()
    pico.unplug()


def test_a_verdict_comes_before_a_hint_and_the_cube_is_translated() -> None:
    illegal = replace(SCENES["hint"], view=SCENES["illegal"].view)
    assert text_pages(illegal, load_language("en"), 20, 4)[0][0].startswith("Illegal")
    assert text_pages(SCENES["hint_cube"], load_language("nl"), 40, 2)[0][0] == "Verdubbelen, accepteren"


@pytest.mark.parametrize("size", [(16, 2), (20, 4), (8, 1)])
@pytest.mark.parametrize("scene", SCENES)
def test_text_rows_fit(size: tuple[int, int], scene: str) -> None:
    for rows in text_pages(SCENES[scene], load_language("en"), *size):
        assert len(rows) <= size[1] and all(len(r) <= size[0] for r in rows) and any(rows)


@pytest.mark.parametrize(
    "values", [{"lights": 10}, {"baud": 1}, {"brightness": 256}, {"columns": 4}, {"rows": 0}]
)
def test_options(values: dict) -> None:
    with pytest.raises(InvalidSettingsError):
        SerialOptions(**values)


def test_no_view_yet() -> None:
    assert lamps_of(Showing(TableView())) == ()
