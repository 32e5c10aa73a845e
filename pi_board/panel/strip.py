"""Serial outputs: the light strip around the board and a serial text display, each on a thread of its own (pyserial).

Devices come and go: a port that is missing, unplugged, hung up or silent is closed and tried again every second.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any

from pi_board.errors import DeviceError
from pi_board.output import Moment, SolitaireView
from pi_board.panel.canvas import fit, wrap
from pi_board.panel.language import Language
from pi_board.panel.options import SerialOptions
from pi_board.panel.screens import Showing, cube_words
from pi_board.panel.solitaire_screen import solitaire_sentence
from pi_board.panel.strip_lamps import VERSION, frame, lamps_of, show_line, strip_order, unframe
from pi_board.table import TableView, VerdictColour

#: Seconds between attempts, of silence after which the strip is asked, and that an answer may take.
RETRY, QUIET, ANSWER = 1.0, 3.0, 1.0
#: Seconds that one page of a long message stays on a text display.
PAGE = 3.0


def open_port(port: str, baud: int) -> Any:
    """A serial port that never blocks for long. Raises DeviceError."""
    import serial

    try:
        return serial.Serial(port, baud, timeout=0.1, write_timeout=1.0, exclusive=True)
    except (serial.SerialException, OSError, ValueError) as error:
        raise DeviceError(f"{port}: cannot be opened ({_line(error)})") from None


def _line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


class SerialOutput:
    """Base of both: `show` keeps the newest moment, the thread says it. notice: what is wrong, "" = connected."""

    def __init__(
        self, port: str, baud: int, *, retry: float = RETRY, open: Callable[[str, int], Any] = open_port
    ) -> None:
        self.port, self._baud, self._retry, self._open = port, baud, retry, open
        self.notice = f"{port}: being opened"
        self.connections = 0
        self._showing = Showing(TableView())
        self._lock = threading.Condition()
        self._closing = False
        self._changed = True
        self._thread = threading.Thread(target=self._run, name=f"serial {port}", daemon=True)

    def show(self, moment: Moment) -> None:
        with self._lock:
            self._showing = self._showing.after(moment)
            self._changed = True
            self._lock.notify()

    def close(self) -> None:
        with self._lock:
            self._closing = True
            self._lock.notify()
        self._thread.join(timeout=3)

    def _run(self) -> None:
        while not self._closing:
            line: Any = None
            try:
                line = self._open(self.port, self._baud)
                self._greet(line)
                self.notice = ""
                self.connections += 1
                self._speak(line)
            except Exception as error:
                # pyserial, termios and the operating system each have errors of their own for a plug that was pulled.
                self.notice = str(error) if isinstance(error, DeviceError) else f"{self.port}: {_line(error)}"
            finally:
                if line is not None:
                    with contextlib.suppress(Exception):
                        line.close()
            with self._lock:
                if not self._closing:
                    self._lock.wait_for(lambda: self._closing, timeout=self._retry)

    def _speak(self, line: Any) -> None:
        """Says what changed until closed; raises when the device is gone."""
        said, at = b"", 0.0
        while True:
            with self._lock:
                self._lock.wait_for(lambda: self._closing or self._changed, timeout=QUIET / 2)
                showing, closing, self._changed = self._showing, self._closing, False
            if closing:
                with contextlib.suppress(Exception):
                    self._say(line, self._farewell())
                return
            words = self._words(showing)
            now = time.monotonic()
            if words != said or now - at >= self._repeat:
                self._say(line, words if words != said or self._repeats_itself else self._ping())
                said, at = words, now

    _repeat = QUIET
    _repeats_itself = False

    def _greet(self, line: Any) -> None: ...

    def _words(self, showing: Showing) -> bytes:
        raise NotImplementedError

    def _ping(self) -> bytes:
        return b""

    def _farewell(self) -> bytes:
        return b""

    def _say(self, line: Any, words: bytes) -> None:
        line.write(words)


class LightStrip(SerialOutput):
    """The strip on `options.strip`. near, home: how the board lies, as in the settings."""

    def __init__(
        self, options: SerialOptions, *, near: str = "light", home: str = "right", **more: Any
    ) -> None:
        super().__init__(options.strip, 115_200, **more)
        self._order, self._lights, self._brightness = (
            strip_order(near, home),
            options.lights,
            options.brightness,
        )
        self._thread.start()

    def _greet(self, line: Any) -> None:
        line.reset_input_buffer()
        answer = self._ask(line, f"HELLO {VERSION}".encode())
        words = answer.split(" ")
        if len(words) != 4 or words[0] != "HELLO" or not words[3].isdigit():
            raise DeviceError(f"{self.port}: answers {answer!r}, expected HELLO {VERSION}")
        if words[1] != str(VERSION):
            raise DeviceError(
                f"{self.port}: the strip speaks version {words[1]}, expected {VERSION}: update hardware/firmware"
            )
        if int(words[3]) < self._lights:
            raise DeviceError(f"{self.port}: the strip has {words[3]} lamps, settings say {self._lights}")

    def _ask(self, line: Any, body: bytes) -> str:
        """The body of the answer. Raises DeviceError when none comes in time."""
        line.write(frame(body.decode("ascii")))
        deadline = time.monotonic() + ANSWER
        heard = b""
        while time.monotonic() < deadline:
            heard += line.read(line.in_waiting or 1)
            while b"\n" in heard:
                first, _, heard = heard.partition(b"\n")
                answer = unframe(first)
                # MicroPython echoes nothing, but a boot message may come first.
                if answer is not None:
                    return answer
        raise DeviceError(f"{self.port}: no answer for {ANSWER:g} s")

    def _words(self, showing: Showing) -> bytes:
        # The 37-hole board has no seating: its lamps are meant for the strip's usual order.
        order = self._order if showing.solitaire is None else strip_order("light", "right")
        return show_line(lamps_of(showing), order, self._lights, self._brightness).encode("ascii")

    def _ping(self) -> bytes:
        return b"PING"

    def _farewell(self) -> bytes:
        return b"OFF"

    def _say(self, line: Any, words: bytes) -> None:
        answer = self._ask(line, words)
        if answer == "ERR checksum":
            answer = self._ask(line, words)
        if answer != "OK":
            # The strip was replugged between two lines, or is another device; the error leads to a new handshake.
            raise DeviceError(f"{self.port}: answers {answer!r}")


class TextDisplay(SerialOutput):
    """A display of `options.columns` × `options.rows` characters on `options.text`; a message that is longer is turned page by page."""

    _repeat = 10.0
    _repeats_itself = True

    def __init__(self, options: SerialOptions, language: Language, **more: Any) -> None:
        super().__init__(options.text, options.baud, **more)
        self._columns, self._rows, self._language = options.columns, options.rows, language
        self._pages: list[list[str]] = []
        self._since = 0.0
        self._thread.start()

    def _words(self, showing: Showing) -> bytes:
        pages = text_pages(showing, self._language, self._columns, self._rows)
        now = time.monotonic()
        if pages != self._pages:
            self._pages, self._since = pages, now
        rows = pages[int((now - self._since) / PAGE) % len(pages)]
        return b"\x0c" + "".join(row + "\r\n" for row in rows).encode("latin-1", "replace")


def text_pages(showing: Showing, language: Language, columns: int, rows: int) -> list[list[str]]:
    """What the text display says, in as many pages as it takes: the message, or a hint's plays; pips and score below where there is room."""
    view = showing.view
    if showing.solitaire is not None and not view.view_blocked:
        lines, status = _solitaire_lines(showing.solitaire, language, columns)
    else:
        lines, status = _lines(showing, language, columns), _status(view, columns)
    if rows > 1 and len(lines) < rows:
        lines = [*lines, *[""] * (rows - 1 - len(lines)), status]
    return [lines[i : i + rows] for i in range(0, len(lines), rows)] or [[]]


def _lines(showing: Showing, language: Language, columns: int) -> list[str]:
    view, hint = showing.view, showing.hint
    judged = view.verdict in (VerdictColour.RED, VerdictColour.AMBER) or view.question
    if hint is None or judged:
        lines = wrap(language.sentence(view), columns)
        return [*lines, *wrap(language.screens["yes_no"], columns)] if view.question else lines
    cube = wrap(cube_words(hint, language), columns)
    return cube + [part for line in hint.lines for part in wrap(f"{line.equity:+.2f} {line.play}", columns)]


def _status(view: TableView, columns: int) -> str:
    score = f"{view.score[0]}-{view.score[1]}"
    if view.pips is None or len(pips := f"{view.pips[0]}:{view.pips[1]}") + 1 + len(score) > columns:
        return score
    return pips.ljust(columns - len(score)) + score


def _solitaire_lines(view: SolitaireView, language: Language, columns: int) -> tuple[list[str], str]:
    """The sentence; the pieces that are left and the last jump, or the next one when it was asked for."""
    lines = wrap(solitaire_sentence(view, language), columns)
    jump = f"> {view.hint}" if view.hint else view.last
    return lines, fit(str(view.pieces).ljust(max(3, columns - len(jump))) + jump, columns)
