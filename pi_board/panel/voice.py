"""Spoken verdicts on the Pi itself: Debian's espeak-ng, a program of its own, so that speech never holds up the table."""

from __future__ import annotations

import contextlib
import queue
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterable, Sequence

from pi_board.errors import DeviceError
from pi_board.events import Event
from pi_board.output import Moment
from pi_board.panel.language import Language
from pi_board.panel.options import VoiceOptions

PROGRAM = "espeak-ng"
#: Voices of espeak-ng by our languages.
VOICES = {"en": "en-gb", "nl": "nl", "de": "de", "fr": "fr", "es": "es", "it": "it"}
#: Seconds after which a sentence that is still being spoken is cut off: a sound card may hang.
LONGEST = 15.0
#: Events that are spoken: what the view says in that moment. Everything else is silence.
VERDICTS = (
    "play_illegal", "dice_rejected", "play_corrected", "challenge_answered", "unclear", "asked", "time_out", "jump_illegal",
)  # fmt: skip
MATCH = (
    "cube_offered",
    "resignation_offered",
    "game_won",
    "match_won",
    "match_agreed",
    "game_started",
    "noticed",
)
#: Of what is noticed, only what begins a game.
NOTICES = ("notice_crawford", "notice_post_crawford")


def spoken(events: Iterable[Event], words: str) -> bool:
    """Whether a moment with these events is spoken. words: of the settings."""
    kinds = {"off": (), "verdicts": VERDICTS, "all": (*VERDICTS, *MATCH)}[words]
    return any(e.type in kinds and (e.type != "noticed" or getattr(e, "code", "") in NOTICES) for e in events)


def command(options: VoiceOptions, language: str, text: str) -> list[str]:
    """The program's words. text is one argument after "--", so nothing in a player's name is an option."""
    return [
        PROGRAM, "-v", VOICES[language], "-a", str(2 * options.volume), "-s", str(options.speed), "--", text,
    ]  # fmt: skip


def say(words: Sequence[str]) -> None:
    """Runs the program to its end, LONGEST seconds at most. Raises OSError when it is not there."""
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as program:
        try:
            program.wait(LONGEST)
        except subprocess.TimeoutExpired:
            program.kill()


class Voice:
    """An output that speaks. Of what comes while it speaks only the newest is said.

    clock: local time as "HH:MM", for the quiet hours. quiet_at: whether it is to be silent then. Raises DeviceError without the
    program. say: runs the program.
    """

    def __init__(
        self,
        options: VoiceOptions,
        language: Language,
        *,
        clock: Callable[[], str],
        quiet_at: Callable[[str], bool],
        say: Callable[[Sequence[str]], None] = say,
        find: Callable[[str], str | None] = shutil.which,
    ) -> None:
        if find(PROGRAM) is None:
            raise DeviceError(f"voice: {PROGRAM} is not installed: sudo apt install {PROGRAM}")
        self.options, self.language = options, language
        self._clock, self._quiet_at, self._say = clock, quiet_at, say
        self._waiting: queue.Queue[str | None] = queue.Queue(maxsize=1)
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def show(self, moment: Moment) -> None:
        if not spoken(moment.events, self.options.words) or moment.view.mode == "recorder":
            return
        if self._quiet_at(self._clock()):
            return
        self._put(self.language.sentence(moment.view))

    def _put(self, text: str | None) -> None:
        with contextlib.suppress(queue.Empty):
            self._waiting.get_nowait()
        self._waiting.put(text)

    def _run(self) -> None:
        while (text := self._waiting.get()) is not None:
            try:
                self._say(command(self.options, self.language.code, text))
            except OSError:  # a program that was taken away must not end the game
                return

    def close(self) -> None:
        self._put(None)
        self._thread.join(timeout=1)
