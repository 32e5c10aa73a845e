"""`SupervisedCamera`: a camera in a process of its own, watched, killed and restarted when it fails.

Drivers hang: in open, in read, in stop(). A thread cannot be killed, a process can. Pictures come through shared memory, everything
else through a pipe.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing import shared_memory
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from pi_board.camera.backend import open_backend
from pi_board.camera.base import Camera, FrameSource
from pi_board.camera.options import CameraOptions
from pi_board.camera.rest import MOST_KEPT, RestWatch, worth_reading
from pi_board.errors import CameraError, PiBoardError
from pi_board.frame import Frame

#: Pictures in flight; the reader always takes the newest, so a slot is overwritten only this many frames later.
_SLOTS = 4
#: More of them, in turn, for the last pictures of rests, which wait until the reader has time.
_RESTS = MOST_KEPT
#: Seconds that a child gets to end by itself before it is killed.
_GRACE = 1.0
#: A start that took too long is given twice the time at the next attempt, up to this many times: a machine so busy that the process
#: itself is slow to begin would otherwise kill it over and over.
_MOST_PATIENCE = 4

Opener = Callable[[CameraOptions], Camera]


@dataclass(frozen=True, slots=True)
class CameraHealth:
    """restarts: since construction. problem: what is wrong now, "" = nothing."""

    restarts: int
    problem: str


class SupervisedCamera(FrameSource):
    """`options`' camera in a child process.

    `read` raises CameraError while the camera is down, with what is wrong and what is being done; read again and it
    comes back by itself. opener: makes the camera in the child; a module-level function.
    """

    recovers = True

    def __init__(
        self,
        options: CameraOptions,
        *,
        opener: Opener = open_backend,
        wait_for_device: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._options = options
        self._opener = opener
        self._clock = clock
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._pipe: Connection | None = None
        self._memory: shared_memory.SharedMemory | None = None
        self._closed = False
        self._ended = False
        self._restarts = 0
        self._delay = options.restart_delay
        self._start_timeout = options.start_timeout
        self._not_before = 0.0
        self._started = 0.0
        self._opened = False
        self._asks = False
        self._problem = ""
        self._seq = -1
        self._pending: tuple[Any, ...] | None = None
        #: The last pictures of the rests that have ended since something was read.
        self._rests: deque[tuple[Any, ...]] = deque(maxlen=_RESTS)
        self._lost = 0
        self._still = _StillWatch(options.frozen_after)
        self._black = _BlackWatch(options.black_after)
        self.description = f"{options.backend} {options.source}"
        self._start()
        if not wait_for_device:
            try:
                self._await_opened()
            except CameraError as error:
                self.close()
                # Do not restart here: the first failure is reported to the caller that opened the camera.
                raise CameraError(self._problem or str(error)) from None

    @property
    def health(self) -> CameraHealth:
        return CameraHealth(self._restarts, self._problem)

    # ------------------------------------------------------------------------------------------ the child

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        self._pipe = ours
        self._opened = False
        self._started = self._clock()
        self._process = self._context.Process(
            target=_serve, args=(theirs, self._options, self._opener), name="camera", daemon=True
        )
        self._process.start()
        theirs.close()

    def _kill(self) -> None:
        """End the child whatever it is doing."""
        if self._pipe is not None:
            with contextlib.suppress(OSError):
                self._pipe.close()
            self._pipe = None
        process, self._process = self._process, None
        if process is not None:
            process.join(timeout=0.0 if self._problem else _GRACE)
            if process.is_alive():
                process.terminate()
                process.join(timeout=_GRACE)
            if process.is_alive():
                process.kill()
                process.join(timeout=_GRACE)
        self._drop_memory()

    def _drop_memory(self) -> None:
        memory, self._memory = self._memory, None
        if memory is not None:
            memory.close()
            with contextlib.suppress(FileNotFoundError):
                memory.unlink()

    def _fail(self, problem: str) -> CameraError:
        """The camera is down: kill it and plan its return."""
        self._problem = problem
        self._pending = None
        self._rests.clear()
        self._kill()
        self._restarts += 1
        self._not_before = self._clock() + self._delay
        error = CameraError(f"{problem}; starting it again in {self._delay:g} s (attempt {self._restarts})")
        self._delay = min(max(self._delay * 2, 0.1), self._options.restart_delay_max)
        return error

    def _await_opened(self) -> None:
        deadline = self._started + self._options.start_timeout
        while not self._opened:
            left = deadline - self._clock()
            if left <= 0:
                raise CameraError(
                    f"camera {self._options.source}: did not open within {self._options.start_timeout:g} s"
                )
            self._pending = self._receive(left)

    # ------------------------------------------------------------------------------------------- reading

    def read(self, timeout: float | None = None) -> Frame | None:
        if self._closed or self._ended:
            return None
        wait = self._options.timeout if timeout is None else timeout
        deadline = self._clock() + wait
        if self._process is None:
            pause = self._not_before - self._clock()
            if pause > wait:
                time.sleep(max(0.0, wait))
                raise CameraError(f"{self._problem}; starting it again in {pause - wait:.1f} s")
            if pause > 0:
                time.sleep(pause)
            self._start()
            self._still.reset()
        while True:
            if not self._opened:
                if self._clock() - self._started > self._start_timeout:
                    error = self._fail(
                        f"camera {self._options.source}: did not open within {self._start_timeout:g} s"
                    )
                    self._start_timeout = min(
                        2 * self._start_timeout, _MOST_PATIENCE * self._options.start_timeout
                    )
                    raise error
                if self._clock() >= deadline:
                    raise CameraError(f"camera {self._options.source}: being started")
                self._pending = self._receive(min(0.2, max(0.01, deadline - self._clock())))
                continue
            if self._clock() >= deadline:
                raise self._fail(f"camera {self._options.source}: no picture for {wait:g} s")
            # The first picture may have come together with the news that the camera is open.
            message, self._pending = self._pending, None
            if message is None:
                message = self._receive(max(0.01, deadline - self._clock()))
            if self._ended:
                return None
            if message is None:
                continue
            # Rests that have come to their ends meanwhile. (What is newest now waits no longer than its own period.)
            missed = [rest for rest in self._rests if self._lost + rest[4] > self._seq]
            self._rests = deque(worth_reading(missed, [rest[7] for rest in missed]), _RESTS)
            frame = self._frame(self._rests.popleft() if self._rests else message)
            if frame is None:
                continue
            now = self._clock()
            if self._still.stuck(frame.image, now):
                raise self._fail(f"camera {self._options.source}: the picture is frozen")
            if self._black.stuck(frame.image, now):
                raise self._fail(f"camera {self._options.source}: the picture is black")
            self._problem = ""
            self._delay, self._start_timeout = self._options.restart_delay, self._options.start_timeout
            return frame

    def _receive(self, wait: float) -> tuple[Any, ...] | None:
        """The newest picture message within `wait` seconds; handles all other messages. Raises CameraError."""
        assert self._pipe is not None
        newest = None
        try:
            if not self._pipe.poll(wait):
                return None
            while self._pipe.poll(0):
                message = self._pipe.recv()
                kind = message[0]
                if kind == "frame":
                    newest = message
                    if self.finite:
                        break
                elif kind == "rest":
                    self._rests.append(message)
                elif kind == "opened":
                    self._opened = True
                    self.description, self.finite, self._asks = message[1], message[2], message[3]
                elif kind == "memory":
                    self._drop_memory()
                    self._memory = shared_memory.SharedMemory(name=message[1])
                elif kind == "error":
                    raise self._fail(message[1])
                elif kind == "end":
                    self._ended = newest is None
                    if newest is not None:
                        # Return the last picture first; the next read sees the end again.
                        return tuple(newest)
                    return None
        except (EOFError, OSError) as error:
            if isinstance(error, CameraError):
                raise
            code = self._process.exitcode if self._process is not None else None
            raise self._fail(
                f"camera {self._options.source}: its process ended unexpectedly (exit code {code})"
            ) from None
        return tuple(newest) if newest is not None else None

    def _frame(self, message: tuple[Any, ...]) -> Frame | None:
        _, slot, shape, when, seq, controls, name, rested = message
        if self._memory is None:
            return None
        count = int(np.prod(shape))
        image = np.ndarray(shape, np.uint8, self._memory.buf, slot * count).copy()
        if self.finite or self._asks:
            assert self._pipe is not None
            # Tell the child that this slot is free again: a finite source must not lose pictures.
            with contextlib.suppress(OSError):
                self._pipe.send("next")
        # Sequence numbers continue across restarts.
        if seq == 0 and self._seq >= 0:
            self._lost = self._seq + 1
        self._seq = self._lost + seq
        return Frame(image, when, self._seq, controls, name, rested=rested)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._pipe is not None:
            with contextlib.suppress(OSError):
                self._pipe.send("stop")
        self._kill()


class _StillWatch:
    """Bit-identical pictures for `seconds`: no sensor delivers them, a stuck driver does."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.reset()

    def reset(self) -> None:
        self._last: bytes = b""
        self._since = 0.0

    def stuck(self, image: np.ndarray, now: float) -> bool:
        if self._seconds <= 0:
            return False
        sample = image[::16, ::16].tobytes()
        if sample != self._last:
            self._last, self._since = sample, now
        return now - self._since >= self._seconds


class _BlackWatch:
    """Black pictures for `seconds`; reported once until light has been seen (a dark room is no fault of the driver's)."""

    def __init__(self, seconds: float, level: float = 3.0) -> None:
        self._seconds = seconds
        self._level = level
        self._since: float | None = None
        self._told = False

    def stuck(self, image: np.ndarray, now: float) -> bool:
        if self._seconds <= 0:
            return False
        if float(image[::16, ::16].mean()) > self._level:
            self._since, self._told = None, False
            return False
        if self._since is None:
            self._since = now
        if self._told or now - self._since < self._seconds:
            return False
        self._told = True
        return True


def _send(pipe: Connection, memory: shared_memory.SharedMemory, kind: str, slot: int, frame: Frame) -> None:
    image = frame.image
    np.ndarray(image.shape, np.uint8, memory.buf, slot * image.nbytes)[:] = image
    what = (slot, image.shape, frame.time, frame.seq, dict(frame.controls), frame.name, frame.rested)
    pipe.send((kind, *what))


def _serve(pipe: Connection, options: CameraOptions, opener: Opener) -> None:
    """The child: opens the camera and sends what it sees until told to stop."""
    # Ctrl-C belongs to the parent, which closes this process in its own time.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    memory: shared_memory.SharedMemory | None = None
    camera: Camera | None = None
    try:
        camera = opener(replace(options, supervise=False))
        asks = bool(getattr(camera, "waits_for_reader", False))
        pipe.send(("opened", camera.description, camera.finite, asks))
        # A camera runs at most one picture ahead, because more would be wasted work. A source that must not lose pictures runs
        # a few ahead.
        ahead = _SLOTS - 1 if camera.finite else 1
        # Who asks for each picture, or may lose none, has seen them all.
        rests = None if camera.finite or asks else RestWatch(keep=0)
        count = rested = 0
        in_flight = 0
        while True:
            while pipe.poll(0 if in_flight < ahead else None):
                if pipe.recv() == "stop":
                    return
                in_flight -= 1
            frame = camera.read()
            if frame is None:
                pipe.send(("end",))
                # Stay until the parent has fetched what is in flight.
                while pipe.poll(None):
                    if pipe.recv() == "stop":
                        return
                return
            image = frame.image
            size = (_SLOTS + (_RESTS if rests is not None else 0)) * image.nbytes
            if memory is None or memory.size < size:
                if memory is not None:
                    memory.close()
                memory = shared_memory.SharedMemory(create=True, size=size)
                pipe.send(("memory", memory.name))
            for rest in rests.see(frame) if rests is not None else ():
                _send(pipe, memory, "rest", _SLOTS + rested % _RESTS, rest)
                rested += 1
            _send(pipe, memory, "frame", count % _SLOTS, frame)
            count += 1
            in_flight += camera.finite or asks
    except PiBoardError as error:
        with contextlib.suppress(OSError):
            pipe.send(("error", str(error)))
    except (EOFError, OSError, KeyboardInterrupt):
        # The parent is gone.
        pass
    except Exception as error:
        text = str(error).strip().splitlines() or [type(error).__name__]
        with contextlib.suppress(OSError):
            pipe.send(("error", f"camera {options.source}: {text[0]}"))
    finally:
        if memory is not None:
            memory.close()
        if camera is not None:
            camera.close()
