"""Resident memory of `pi-board run` in play, as a Pi has it: the pictures are rendered beforehand, by another process.

    python tests/bench/bench_memory.py [--frames 2000] [--slow 15] [--no-page] [--recording FILE] [--arrays]

A simulated game (1280 x 720; its players hear a referee as slow as a Zero 2 W's) is rendered to a file of JPEGs, or taken from there. A
second process, which never loads the simulator, plays it: the program itself with its journal, evidence and page, and its camera in a
process of its own, which shows the file at four times its pace; the program sleeps after each look, so that it misses what it would miss.

Said are, in MB, the means (and the most) since the line before: what is resident; of that the program's own, libraries and files (which
the system can drop and fetch again), the pictures that it shares with the camera's process; and that one's own. (On a Pi libcamera's
buffers are added.) `--arrays` says which objects hold numpy arrays in the end, and what of the C library's heap is in use.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(os.environ.get("PI_BOARD_BENCH_ROOT") or Path(__file__).resolve().parents[2])
sys.path.insert(0, str(ROOT))

PORT = 8097
#: Before each JPEG: seconds on the camera's clock, and bytes.
HEAD = struct.Struct("<dI")
#: Pictures after which the memory is said, and then every so many.
EARLY, EVERY = (1, 10, 100, 300), 500
#: Times as fast as it was taken that the recording is shown.
SPEED = 4.0


def memory(process: int | str = "self") -> dict[str, float]:
    """MB: resident, its own, libraries and files, shared with the camera's process."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    own, files, shared = (int(lines[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile", "RssShmem"))
    return {"resident": own + files + shared, "own": own, "files": files, "shared": shared}


def say(what: str, seen: list[dict[str, float]] | None = None, camera: int | None = None) -> None:
    """seen: what the `memory` was at each picture since it was said last (else now): said are the means and the most. camera: the
    camera's process."""
    seen = seen or [memory()]
    row: dict[str, Any] = {"what": what} | {
        name: sum(each[name] for each in seen) / len(seen) for name in seen[0]
    }
    row["most"] = max(each["resident"] for each in seen)
    if camera is not None:
        row["camera"] = memory(camera)["own"]
    print(json.dumps(row), flush=True)


def render(path: Path, frames: int, slow: float, seed: int) -> None:
    """A file of pictures of simulated games whose players hear a referee that is `slow` times slower than this machine."""
    import cv2

    from pi_board.camera.simulated import SimulatedCamera
    from pi_board.commands.run import make_sitting
    from pi_board.frame import Frame
    from pi_board.session.demo import run_demo
    from pi_board.session.sitting import Sitting
    from pi_board.simulator import SimulatorOptions

    class Recorder(SimulatedCamera):
        shown = 0

        def read(self, timeout: float | None = None) -> Frame | None:
            frame = super().read(timeout) if self.shown < frames else None
            if frame is not None:
                self.shown += 1
                jpeg = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
                file.write(HEAD.pack(frame.time, len(jpeg)) + jpeg)
            return frame

    options = SimulatorOptions(
        seed=seed, games=0, width=1280, height=720, patience=120.0, cheat=0.1, style="travel"
    )
    with tempfile.TemporaryDirectory() as folder, path.open("wb") as file:
        sitting = make_sitting(settings_in(Path(folder), page=False), log_dir=Path(folder))
        assert isinstance(sitting, Sitting)
        run_demo(Recorder(options), sitting, slow=slow)
        sitting.close()


def settings_in(folder: Path, *, page: bool) -> Any:
    from pi_board.setup.settings import Settings

    settings = Settings()
    return replace(
        settings,
        board=replace(settings.board, profile="jumbo-travel"),
        web=replace(
            settings.web, enabled=page, host="127.0.0.1", port=PORT, token_file=str(folder / "token")
        ),
        record=replace(settings.record, folder=str(folder)),
    )


class Recording:
    """A camera that shows a file's pictures at its own pace, `SPEED` times as fast as they were taken. For the camera's process."""

    finite = False

    def __init__(self, path: str) -> None:
        self.description = path
        self._file = Path(path).open("rb")  # noqa: SIM115 (closed by `close`)
        self._began, self._before, self._last, self._number = float("nan"), 0.0, 0.0, 0

    def read(self, timeout: float | None = None) -> Any:
        import cv2
        import numpy as np

        from pi_board.frame import Frame

        head = self._file.read(HEAD.size)
        if len(head) < HEAD.size:
            # A camera has no end.
            self._file.seek(0)
            self._began += self._last / SPEED
            self._before += self._last
            head = self._file.read(HEAD.size)
        taken, size = HEAD.unpack(head)
        self._last = taken
        if not self._number:
            self._began = time.monotonic() - taken / SPEED
        image = cv2.imdecode(np.frombuffer(self._file.read(size), np.uint8), cv2.IMREAD_COLOR)
        time.sleep(max(0.0, self._began + taken / SPEED - time.monotonic()))
        self._number += 1
        return Frame(np.asarray(image, np.uint8), self._before + taken, self._number - 1)

    def close(self) -> None:
        self._file.close()


def recorded(options: Any) -> Recording:
    """Opens the camera in its process."""
    return Recording(options.source)


def play(path: Path, frames: int, slow: float, *, page: bool, arrays: bool) -> None:
    """The program itself, for so many pictures of the recording."""
    say("Python")
    import pi_board.commands.run as program
    from pi_board.camera.supervised import SupervisedCamera

    say("the program imported")
    sittings: list[Any] = []

    class Camera(SupervisedCamera):
        """Read by somebody who works as slowly as a small processor."""

        _worked, _lines = time.process_time(), [*EARLY]
        _sizes: list[dict[str, float]] = []  # noqa: RUF012 (there is one camera)

        def read(self, timeout: float | None = None) -> Any:
            self._sizes.append(memory())
            time.sleep((slow / SPEED - 1.0) * (time.process_time() - self._worked) if slow > SPEED else 0.0)
            frame = super().read(timeout)
            if frame is not None and frame.seq >= self._lines[0]:
                say(f"up to picture {frame.seq}", self._sizes, self._process.pid)
                self._sizes.clear()
                self._lines = self._lines[1:] or [frame.seq // EVERY * EVERY + EVERY]
            self._worked = time.process_time()
            if frame is None or frame.seq < frames:
                return frame
            if arrays:
                held(sittings[0])
                heap("at the last picture")
            return None

    make_sitting = program.make_sitting

    def slower_sitting(*given: Any, **named: Any) -> Any:
        sitting = make_sitting(*given, **named)
        sitting.pipeline.slower = slow
        sittings.append(sitting)
        return sitting

    def open_camera(options: Any) -> Any:
        return Camera(replace(options, backend="opencv", source=str(path)), opener=recorded)

    program.open_camera, program.make_sitting = open_camera, slower_sitting
    with tempfile.TemporaryDirectory() as folder:
        program.at_the_table(settings_in(Path(folder), page=page), log_dir=Path(folder), headless=True)
    say("in the end")


class _Mallinfo(ctypes.Structure):
    """glibc's `struct mallinfo2`."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
        )
    ]  # fmt: skip


def heap(what: str) -> None:
    """Prints what of the C library's heap is in use, and the memory once it has given back what it can."""
    library = ctypes.CDLL(None)
    library.mallinfo2.restype = _Mallinfo
    info = library.mallinfo2()
    used, free, apart = (n / 2**20 for n in (info.uordblks, info.fordblks, info.hblkhd))
    print(
        json.dumps({"heap": f"heap {what}: {used:.1f} MB in use, {free:.1f} free; {apart:.1f} apart"}),
        flush=True,
    )
    library.malloc_trim(0)
    say("trimmed")


def held(root: Any) -> None:
    """Prints which kinds of objects hold how much in numpy arrays."""
    import numpy as np

    gc.collect()
    held_by: Counter[str] = Counter()
    seen: set[int] = set()
    for owner in [root, *gc.get_objects()]:
        for child in gc.get_referents(owner):
            array = child
            while isinstance(array, np.ndarray) and isinstance(array.base, np.ndarray):
                array = array.base
            if isinstance(array, np.ndarray) and array.nbytes > 10_000 and id(array) not in seen:
                seen.add(id(array))
                holder = type(owner).__qualname__
                if isinstance(owner, dict):
                    names = [k for k, v in owner.items() if v is child]
                    users = [
                        type(u).__qualname__
                        for u in gc.get_referrers(owner)
                        if getattr(u, "__dict__", None) is owner
                    ]
                    holder = f"{(users or ['dict'])[0]}.{names[0] if names else '?'}"
                elif isinstance(owner, list | tuple):
                    users = [type(u).__qualname__ for u in gc.get_referrers(owner) if not isinstance(u, list)]
                    holder = f"{type(owner).__name__} of {(users or ['?'])[0]}"
                held_by[f"{holder} {array.dtype}"] += array.nbytes
    rows = [[name, round(size / 2**20, 2)] for name, size in held_by.most_common(45)]
    print(json.dumps({"arrays": rows, "sum": round(sum(held_by.values()) / 2**20, 1)}), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frames", type=int, default=2000)
    parser.add_argument("--slow", type=float, default=15.0, help="times slower than this processor")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--no-page", action="store_true", help="without the page for phones")
    parser.add_argument("--recording", type=Path, help="rendered if it is not there yet, and kept")
    parser.add_argument(
        "--arrays", action="store_true", help="say which objects hold numpy arrays in the end"
    )
    parser.add_argument("--do", choices=["render", "play"], help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.do == "render":
        render(args.recording, args.frames, args.slow, args.seed)
        return 0
    if args.do == "play":
        play(args.recording, args.frames, args.slow, page=not args.no_page, arrays=args.arrays)
        return 0
    with tempfile.TemporaryDirectory(prefix="bench_memory_") as folder:
        recording = args.recording or Path(folder) / "game.jpegs"
        rest = ["--slow", str(args.slow), "--recording", str(recording), "--seed", str(args.seed)]
        rest += ["--frames", str(args.frames)]
        here = [sys.executable, str(Path(__file__).resolve())]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        if not recording.is_file():
            subprocess.run(
                [*here, "--do", "render", *rest],
                check=True,
                env=environment,
                stdout=subprocess.DEVNULL,
            )
        more = ["--no-page"] * args.no_page + ["--arrays"] * args.arrays
        played = subprocess.run(
            [*here, "--do", "play", *rest, *more],
            check=True,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
    print(f"{'MB':24} {'resident':>9} {'most':>7} {'own':>7} {'files':>7} {'shared':>7} {'camera':>7}")
    for line in played.stdout.splitlines():
        if not line.startswith("{"):
            continue
        row = json.loads(line)
        if "heap" in row:
            print(row["heap"])
        elif "arrays" in row:
            print(f"numpy arrays of more than 10 kB: {row['sum']} MB")
            for name, size in row["arrays"]:
                print(f"  {size:6.2f}  {name}")
        else:
            numbers = " ".join(f"{row.get(k, 0):7.1f}" for k in ("most", "own", "files", "shared", "camera"))
            print(f"{row['what']:24} {row['resident']:9.1f} {numbers}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
