"""The main job: camera, sitting and outputs in one loop that nothing outside can stop or slow down."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pi_board.camera.base import Camera
from pi_board.errors import CameraError
from pi_board.events import (
    AcceptResignation,
    Answer,
    Command,
    Event,
    GameStarted,
    LetStand,
    PositionCorrected,
    Resign,
    TakeBack,
    TurnEnded,
)
from pi_board.hints.options import HintsOptions
from pi_board.output import CoachNote, Hint, Moment, Output
from pi_board.rules import Position, opponent
from pi_board.session.advice import Advice
from pi_board.session.service import NO_CAMERA
from pi_board.session.sitting import Sitting
from pi_board.sighting import Gate, Sighting
from pi_board.table import Phase, TableView

if TYPE_CHECKING:
    from pi_board.session.solitaire import SolitaireSitting

#: Words of the buttons, which may be submitted besides commands.
WORDS = ("hint", "stands", "take_back", "next", "evidence", "resign", "director", "shutdown")
#: What the table is shown of a call for the club's director.
DIRECTOR = {"": "", "called": "The director has been called.", "coming": "The director is on the way."}
#: The loop's own thread calls a submitted callable; the set-up replaces the reader that way.
Request = Command | str | Callable[[], None]


def resignation(view: TableView) -> tuple[Command, ...]:
    """What the long press of *take back* says: whose turn it is resigns; pressed again, a gammon, then a backgammon."""
    if view.phase is Phase.RESIGNED and view.side is not None:
        kinds = ("single", "gammon", "backgammon")
        offered = (
            kinds.index(view.message_args.get("kind", "single"))
            if view.message_args.get("kind") in kinds
            else 0
        )
        again = Resign(side=opponent(view.side), kind=(offered + 1) % 3 + 1)
        return AcceptResignation(yes=False), again
    return (Resign(side=view.side),) if view.side is not None else ()


class App:
    """`submit` may be called from any thread; everything else happens in the thread that calls `run`.

    open_camera: called again after the camera was lost. on_shutdown: the long press. heartbeat: called after every
    frame, and once a second while there is no camera (progress for a watchdog). went_back: a sentence about an update that was
    taken back, shown until a game starts or `next` is pressed; then on_read is called. clock: monotonic seconds.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        sitting: Sitting | SolitaireSitting,
        outputs: Sequence[Output] = (),
        *,
        hints: HintsOptions | None = None,
        on_shutdown: Callable[[], None] | None = None,
        heartbeat: Callable[[str], None] | None = None,
        went_back: str = "",
        on_read: Callable[[], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open_camera, self.sitting, self.outputs = open_camera, sitting, list(outputs)
        self._on_shutdown, self._heartbeat, self._clock = on_shutdown, heartbeat, clock
        self._requests: queue.Queue[Request] = queue.Queue(maxsize=100)
        self._answers: queue.Queue[Hint | CoachNote | str] = queue.Queue()
        self._advice = Advice(hints or HintsOptions(), self._answers.put)
        #: Saves the pictures of the last seconds as evidence; None when evidence is switched off.
        self.keep_evidence: Callable[[], None] | None = None
        self._stop = threading.Event()
        #: Whether a club's director can be called from here, and whether he is; see `Moment.director`.
        self.has_director = False
        self._director: Literal["", "called", "coming"] = ""
        self._page = 0
        self._camera_fault = ""
        self._notice = "; ".join(sitting.notices)
        self._went_back, self._on_read = went_back, on_read
        self._before: Position | None = None
        # Time that moments carry: the camera's clock, so that a recording runs at its own pace.
        self._now = 0.0
        self._last = clock()

    # ------------------------------------------------------------------------------ from other threads

    def submit(self, request: Request) -> bool:
        """A command or one of WORDS; False when too many wait already (nothing is lost but the press)."""
        try:
            self._requests.put_nowait(request)
        except queue.Full:
            return False
        return True

    def stop(self) -> None:
        """Ends `run` after the frame in hand."""
        self._stop.set()

    def director_comes(self) -> None:
        """The director has seen the call. In the loop's own thread."""
        if self._director == "called":
            self._director = "coming"
            self._show(self.sitting.moment(self._now))

    def announce(self, words: str) -> None:
        """Words from outside for everybody at the table, until others come; "" takes them away. In the loop's own thread."""
        self._notice = words

    def view(self) -> TableView:
        return self.sitting.moment(self._now).view

    # --------------------------------------------------------------------------------------- the loop

    def run(self) -> None:
        """Until `stop`, the end of a finite source, or an interrupt. Files are complete when it returns."""
        camera: Camera | None = None
        retry_at = 0.0
        try:
            while not self._stop.is_set():
                self._handle_requests()
                if camera is None:
                    if self._clock() < retry_at:
                        self._without_camera()
                        continue
                    try:
                        camera = self._open_camera()
                    except CameraError as error:
                        self._lose(error)
                        retry_at = self._clock() + 2.0
                        continue
                try:
                    frame = camera.read()
                except CameraError as error:
                    self._lose(error)
                    if getattr(camera, "recovers", False):
                        continue
                    retry_at = self._clock() + 1.0
                    with contextlib.suppress(Exception):
                        camera.close()
                    camera = None
                    continue
                if frame is None:
                    break
                self._camera_fault = ""
                self._now, self._last = frame.time, self._clock()
                self._show(self.sitting.pipeline.feed(frame))
                self._beat("frame")
        finally:
            if camera is not None:
                camera.close()
            self._advice.close()
            for output in self.outputs:
                with contextlib.suppress(Exception):
                    output.close()
            self.sitting.close()

    def _without_camera(self) -> None:
        """One step of a table that nobody can see: buttons work, the journal is retried, the watchdog is fed."""
        time.sleep(0.1)
        # Advance the table's clock by the time that really passed, whatever clock the camera's pictures carry.
        passed = self._clock() - self._last
        self._now, self._last = self._now + passed, self._last + passed
        sighting = Sighting(-1, self._now, Gate.BLOCKED, registered=False, quality=0.0, note="no_camera")
        self._show(self.sitting.pipeline.judge(sighting))
        self._beat(NO_CAMERA)

    def _lose(self, error: CameraError) -> None:
        self._camera_fault = str(error)
        self._without_camera()

    def _beat(self, what: str) -> None:
        if self._heartbeat is not None:
            self._heartbeat(what)

    # --------------------------------------------------------------------------------------- requests

    def _handle_requests(self) -> None:
        while True:
            try:
                request = self._requests.get_nowait()
            except queue.Empty:
                break
            self._handle(request)
        while True:
            try:
                answer = self._answers.get_nowait()
            except queue.Empty:
                break
            moment = self.sitting.moment(self._now)
            if isinstance(answer, Hint):
                self._show(replace(moment, hint=answer))
            elif isinstance(answer, CoachNote):
                self._show(replace(moment, coach=answer))
            else:
                self._notice = answer

    def _handle(self, request: Request) -> None:
        view = self.view()
        if callable(request):
            request()
        elif isinstance(request, Command):
            self._show(self.sitting.pipeline.command(request, self._now))
        elif request == "stands":
            # One button means every "yes": it answers an open question first, and otherwise accepts the board.
            command: Command = Answer(yes=True) if view.question else LetStand()
            self._show(self.sitting.pipeline.command(command, self._now))
        elif request == "take_back":
            undo: Command = Answer(yes=False) if view.question else TakeBack()
            self._show(self.sitting.pipeline.command(undo, self._now))
        elif request == "resign":
            for command in resignation(view):
                self._show(self.sitting.pipeline.command(command, self._now))
        elif request == "director" and self.has_director:
            # The button was pressed again after calling the director: the call is withdrawn.
            self._director = "" if self._director == "called" else "called"
            self._show(self.sitting.moment(self._now))
        elif request in ("hint", "director"):
            if (asked := self.sitting.ask_hint(self._advice, self._now)) is not None:
                self._show(asked)
        elif request == "evidence":
            if self.keep_evidence is not None:
                self.keep_evidence()
        elif request == "next":
            self._page += 1
            self._director = "" if self._director == "coming" else self._director
            self._forget_update()
            self._show(self.sitting.moment(self._now))
        elif request == "shutdown":
            self.stop()
            if self._on_shutdown is not None:
                self._on_shutdown()

    # ---------------------------------------------------------------------------------------- outputs

    def _show(self, moment: Moment) -> None:
        for event in moment.events:
            self._follow(event)
        self.sitting.retry(moment.time)
        if isinstance(self.sitting, Sitting):
            self.sitting.keep_clock(moment.time)
        failing = self.sitting.failing
        banner = self._camera_fault or failing or self._went_back or DIRECTOR[self._director] or self._notice
        fault = "other" if banner else ""
        if self._camera_fault:
            fault = "camera"
        elif failing:
            fault = "record"
        elif self._went_back:
            fault = "version"
        moment = replace(
            moment,
            banner=banner,
            fault=fault,
            page=self._page,
            director=self._director if self.has_director else None,
        )
        for output in list(self.outputs):
            try:
                output.show(moment)
            except Exception as error:  # an output must never end the game
                self.outputs.remove(output)
                self._notice = f"{type(output).__name__} was switched off: {error}"

    def _forget_update(self) -> None:
        if self._went_back:
            self._went_back = ""
            if self._on_read is not None:
                self._on_read()

    def _follow(self, event: Event) -> None:
        """Asks the coach about every finished play."""
        if isinstance(event, GameStarted):
            self._forget_update()
        if isinstance(event, GameStarted | PositionCorrected):
            self._before = event.position
        elif isinstance(event, TurnEnded):
            self._director = "" if self._director == "coming" else self._director
            before, self._before = self._before, event.position
            if not isinstance(self.sitting, Sitting) or self.sitting.hints_locked:
                return
            if before is not None and event.dice is not None and event.legal and event.moves:
                rules = self.sitting.referee.rules
                self._advice.ask_note(self.view(), before, event.side, event.dice, event.position, rules)
