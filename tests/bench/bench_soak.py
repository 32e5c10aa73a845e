"""Evenings without attention: the product for hours of simulated table, sped up, and what it costs in memory, descriptors and disk.

    python tests/bench/bench_soak.py [--frames 200000] [--seconds 0] [--recording FILE] [--games 1] [--held] [--trace]

Rendering hours of pictures would take days, so whole games are rendered once, with players who hear the referee, and then shown again
and again as further games of the same evening, in a light that changes slowly. Everything behind the camera is the product: gate,
vision, referee, journal, game files, evidence, coach, and the page with a visitor who asks and one who watches.
`--held` says what of the memory the C library keeps although nobody holds it, and which Python objects became more (costs next to nothing).
`--trace` says after the warm-up which lines of code hold more memory at the end than at the first line printed (twice as slow).
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import http.client
import json
import math
import os
import struct
import sys
import tempfile
import threading
import time
import tracemalloc
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from pi_board.camera.base import FrameSource
from pi_board.camera.simulated import SimulatedCamera
from pi_board.commands.page import open_page
from pi_board.commands.run import make_sitting
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.session.app import App
from pi_board.session.demo import run_demo
from pi_board.session.sitting import Sitting
from pi_board.setup.settings import Settings
from pi_board.simulator import SimulatorOptions

FPS = 5.0
PORT = 8099
#: Share of the room's light that comes and goes, and in how many seconds.
LIGHT, DAY = 0.06, 2 * 3600.0
#: Memory may grow while everything is loaded for the first time, simulated seconds; from then on it is to stay flat, MB.
WARM_UP, FLAT = 600.0, 5.0


class Recorder(SimulatedCamera):
    """Keeps its pictures: a file of (length, JPEG), one after the other."""

    def __init__(self, options: SimulatorOptions, path: Path) -> None:
        super().__init__(options)
        self._file = path.open("wb")

    def read(self, timeout: float | None = None) -> Frame | None:
        frame = super().read(timeout)
        if frame is None:
            self._file.close()
            return None
        jpeg = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
        self._file.write(struct.pack("<I", len(jpeg)) + jpeg)
        return frame


class Recording(FrameSource):
    """The pictures of a file again and again, at 5 a second of a clock that only goes forward."""

    def __init__(self, path: Path, frames: int, seconds: float) -> None:
        self._file, self._left = path.open("rb"), frames
        self._end = time.monotonic() + seconds if seconds else math.inf
        self.shown = self.rounds = 0

    def read(self, timeout: float | None = None) -> Frame | None:
        if self.shown >= self._left or time.monotonic() > self._end:
            return None
        head = self._file.read(4)
        if len(head) < 4:
            self._file.seek(0)
            self.rounds += 1
            head = self._file.read(4)
        data = np.frombuffer(self._file.read(struct.unpack("<I", head)[0]), np.uint8)
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
        now = self.shown / FPS
        image = cv2.convertScaleAbs(
            image, alpha=1 - LIGHT / 2 + LIGHT / 2 * math.cos(2 * math.pi * now / DAY)
        )
        self.shown += 1
        return Frame(np.asarray(image, np.uint8), now, self.shown)

    def close(self) -> None:
        self._file.close()


def resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def megabytes(folder: Path) -> float:
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6


class Table:
    """An `Output` that prints a line every so often and keeps what the verdict needs."""

    def __init__(
        self,
        camera: Recording,
        folder: Path,
        every: int,
        said: Path,
        *,
        trace: bool = False,
        held: bool = False,
    ) -> None:
        self._trace, self._held = trace, held
        self._objects: Counter[str] = Counter()
        self._first: tracemalloc.Snapshot | None = None
        self._camera, self._folder, self._every, self._said = camera, folder, every, said
        self._next, self._begin = every, time.monotonic()
        self.events: Counter[str] = Counter()
        self.rows: list[tuple[float, float, int, int]] = []
        self.held: list[float] = []
        #: Events of each showing of the recording: the same games must be told in the same words, hours later too.
        self.per_round: dict[int, Counter[str]] = {}
        print(f"{'frames':>8} {'sim h':>6} {'ms/frame':>8} {'RSS MB':>7} {'fds':>4} {'threads':>7} ", end="")
        print(f"{'games':>5} {'plays':>6} {'red':>4} {'asked':>5} {'record MB':>9} {'log kB':>6}", flush=True)

    def show(self, moment: Moment) -> None:
        for event in moment.events:
            self.events[event.type] += 1
            self.per_round.setdefault(self._camera.rounds, Counter())[event.type] += 1
        if self._camera.shown < self._next:
            return
        self._next += self._every
        gc.collect()
        e, n = self.events, self._camera.shown
        row = (n / FPS, resident(), descriptors(), threading.active_count())
        self.rows.append(row)
        said = self._said.stat().st_size / 1e3
        print(
            f"{n:8d} {row[0] / 3600:6.2f} {1000 * (time.monotonic() - self._begin) / n:8.1f} {row[1]:7.1f} {row[2]:4d} {row[3]:7d}"
            f" {e['game_won']:5d} {e['turn_ended']:6d} {e['play_illegal']:4d} {e['unclear']:5d} {megabytes(self._folder):9.2f} {said:6.1f}",
            flush=True,
        )

        if self._held:
            self._say_held()
        if self._trace and row[0] >= WARM_UP:
            self._grown()

    def _say_held(self) -> None:
        """Memory once the C library has given back what it can, and the Python objects that became more since the last line."""
        ctypes.CDLL(None).malloc_trim(0)
        self.held.append(resident())
        now = Counter(type(o).__qualname__ for o in gc.get_objects())
        more = (now - self._objects).most_common(8) if self._objects else []
        print(
            f"         held: {self.held[-1]:.1f} MB;", ", ".join(f"{k} {n:+d}" for k, n in more), flush=True
        )
        self._objects = now

    def _grown(self) -> None:
        """Lines whose allocations grew since the second line after the warm-up: the first one only starts to count."""
        if not tracemalloc.is_tracing():
            tracemalloc.start(3)
        elif self._first is None:
            self._first = tracemalloc.take_snapshot()
        else:
            found = tracemalloc.take_snapshot().compare_to(self._first, "lineno")
            print(f"         traced: {sum(d.size_diff for d in found) / 1e6:+.2f} MB")
            for d in found[:8]:
                at = d.traceback[0]
                print(
                    f"         {d.size_diff / 1e3:+9.1f} kB {d.count_diff:+7d} {at.filename.split('/pi_board/')[-1]}:{at.lineno}"
                )

    def close(self) -> None:
        return


def visit(port: int, stop: threading.Event) -> None:
    """A telephone that asks how things stand, and one that leaves its live view open for a while and comes back."""
    while not stop.wait(0.5):
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/api/state")
            connection.getresponse().read()
            connection.request("GET", "/api/video")
            connection.getresponse().read(20_000)
            connection.close()


def render(path: Path, games: int, seed: int) -> None:
    options = SimulatorOptions(seed=seed, games=games, cheat=0.1, fps=FPS, style="travel", pace="brisk")
    with tempfile.TemporaryDirectory() as folder:
        settings = demo_settings(Path(folder))
        sitting = make_sitting(settings, log_dir=Path(folder))
        assert isinstance(sitting, Sitting)
        run = run_demo(Recorder(options, path), sitting)
        sitting.close()
    print(f"rendered {run.frames} pictures of {games} game(s) in {run.seconds:.0f} s", flush=True)


def demo_settings(folder: Path) -> Settings:
    settings = Settings()
    return replace(
        settings,
        board=replace(settings.board, profile="jumbo-travel"),
        web=replace(settings.web, host="127.0.0.1", port=PORT, token_file=str(folder / "token")),
        record=replace(settings.record, folder=str(folder)),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=200_000)
    parser.add_argument("--seconds", type=float, default=0.0, help="end after so many, whatever was shown")
    parser.add_argument("--recording", type=Path, help="rendered if it is not there yet, and kept")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--every", type=int, default=5_000, help="frames from line to line")
    parser.add_argument(
        "--held", action="store_true", help="say what is held, and what only the C library keeps"
    )
    parser.add_argument("--trace", action="store_true", help="say which lines of code hold more and more")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pi-board-soak-") as scratch:
        folder = Path(scratch) / "games"
        folder.mkdir()
        recording = args.recording or Path(scratch) / "games.jpegs"
        if not recording.is_file():
            render(recording, args.games, args.seed)
        settings = demo_settings(folder)
        camera = Recording(recording, args.frames, args.seconds)
        sitting = make_sitting(settings, log_dir=folder)
        app = App(lambda: camera, sitting, hints=settings.hints)
        # What a service would send to the system's journal.
        said = Path(scratch) / "stderr"
        kept = os.dup(2)
        os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
        page = open_page(settings, app, log_dir=folder, must=True)
        assert page is not None
        from pi_board.commands.log_notices import LogNotices
        from pi_board.commands.spare_memory import SpareMemory
        from pi_board.session.heap import keep_pictures_apart

        # As `pi-board run` does before the first picture.
        keep_pictures_apart()

        table = Table(camera, folder, args.every, said, trace=args.trace, held=args.held)
        app.outputs += [page, LogNotices(), SpareMemory()]
        if (evidence := sitting.evidence(settings.record)) is not None:
            app.keep_evidence = evidence.request
            app.outputs.append(evidence)
        app.outputs.append(table)
        stop = threading.Event()
        visitor = threading.Thread(target=visit, args=(settings.web.port, stop), daemon=True)
        visitor.start()
        app.run()
        stop.set()
        visitor.join()
        os.dup2(kept, 2)
        text = said.read_text(errors="replace")
        print(text[-500:], file=sys.stderr)
    return verdict(table)


def growth(memory: npt.NDArray[np.float64]) -> float:
    """The median of the last fifth of the lines less that of the first: a single line may fall on pictures that are being kept."""
    few = max(1, len(memory) // 5)
    return float(np.median(memory[-few:]) - np.median(memory[:few]))


def verdict(table: Table) -> int:
    """0 when memory and descriptors are flat after the warm-up and every round was told alike."""
    after = [row for row in table.rows if row[0] >= WARM_UP]
    if len(after) < 2:
        print("too short for a verdict")
        return 1
    hours = np.array([row[0] for row in after]) / 3600
    memory = np.array([row[1] for row in after])
    slope = float(np.polyfit(hours, memory, 1)[0]) if len(after) > 2 else 0.0
    grown = growth(memory)
    rounds = [Counter(table.per_round.get(n, Counter())) for n in range(1, max(table.per_round, default=1))]
    told = [
        {k: c[k] for k in ("turn_ended", "game_won", "play_illegal", "unclear", "view_blocked")}
        for c in rounds
    ]
    print(f"memory after warm-up: {grown:+.1f} MB ({slope:+.2f} MB per simulated hour)")
    if table.held:
        print(f"held after warm-up: {growth(np.array(table.held[-len(after) :])):+.1f} MB")
    print(f"descriptors: {min(r[2] for r in after)} to {max(r[2] for r in after)}; threads: {after[-1][3]}")
    print(
        "first round:",
        json.dumps(told[0] if told else {}),
        " last round:",
        json.dumps(told[-1] if told else {}),
    )
    print("all events:", dict(table.events.most_common()))
    return 0 if grown < FLAT and after[-1][2] <= after[0][2] + 2 else 1


if __name__ == "__main__":
    raise SystemExit(main())
