"""The one interface that all cameras have."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Protocol, runtime_checkable

from pi_board.frame import Frame


@runtime_checkable
class Camera(Protocol):
    """A source of frames, open from construction until `close`; use it in a `with` statement.

    description: one line for people ("webcam 0, 1280×720"). finite: it ends by itself (folder, file, script).
    """

    description: str
    finite: bool

    def read(self, timeout: float | None = None) -> Frame | None:
        """The next frame, or None at the end of a finite source.

        Waits at most `timeout` seconds (default: the options' own). Raises CameraError with one clear line.
        """
        ...

    def frames(self) -> Iterator[Frame]:
        """Frames until the end or an error."""
        ...

    def close(self) -> None:
        """Let go of the device; harmless when repeated, never raises, never hangs."""
        ...

    def __enter__(self) -> Camera: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class FrameSource:
    """The parts of `Camera` that all backends share."""

    description = "camera"
    finite = False
    #: Comes back by itself after a CameraError: read on instead of closing it and opening another.
    recovers = False
    #: Takes its next picture when asked, without a queue of old ones in its driver.
    waits_for_reader = False

    def read(self, timeout: float | None = None) -> Frame | None:
        raise NotImplementedError

    def frames(self) -> Iterator[Frame]:
        while (frame := self.read()) is not None:
            yield frame

    def close(self) -> None:
        """Nothing to let go of."""

    def __enter__(self) -> FrameSource:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
