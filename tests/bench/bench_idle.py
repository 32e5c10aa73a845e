"""What the running board costs while nothing moves: CPU time a second of table time at 10 frames a second of 1280×720.

    python tests/bench/bench_idle.py [--seconds 60] [--fps 10] [--wall]

The main job as `pi-board run --headless` puts it together (camera in its own process, pipeline, journal, page), with a camera that shows one
rendered scene with fresh sensor noise in every picture. Rendering and noise are made beforehand and do not count. The pictures
carry the time of a table and come as fast as they are taken, so that other programs on this machine do not change the figure;
--wall: paced by the wall clock instead, on a machine with nothing else to do.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from pi_board.camera.base import FrameSource
from pi_board.camera.options import CameraOptions
from pi_board.camera.pacing import Metronome
from pi_board.camera.simulated import SimulatedCamera
from pi_board.camera.supervised import SupervisedCamera
from pi_board.commands.page import open_page
from pi_board.commands.run import make_sitting, table_outputs
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.session.app import App
from pi_board.setup.settings import load_settings
from pi_board.simulator import SimulatorOptions

#: Sensor noise of one picture, 8-bit levels, and how many different pictures there are.
NOISE, PICTURES = 1.5, 12
#: Seconds before the measurement: the board is found and learned.
SETTLING = 15.0
#: What lies on the table: picture number of the simulated game of seed 1, and what it shows.
SCENES = {"set up, nobody has thrown": 2, "dice thrown, to be played": 40}


class StillCamera(FrameSource):
    """The picture `options.source` (.npy) with noise, by the wall clock (`options.realtime`) or as fast as it is taken."""

    def __init__(self, options: CameraOptions) -> None:
        image = np.load(options.source)
        rng = np.random.default_rng(1)
        self._pictures = [
            np.clip(image + rng.normal(0, NOISE, image.shape), 0, 255).astype(np.uint8)
            for _ in range(PICTURES)
        ]
        self._beat = Metronome(options.fps, options.realtime)
        self._fps, self._realtime, self._seq = options.fps, options.realtime, -1
        self.finite = not options.realtime
        self.description = "a still scene"

    def read(self, timeout: float | None = None) -> Frame | None:
        self._beat.wait()
        self._seq += 1
        now = time.monotonic() if self._realtime else self._seq / self._fps
        return Frame(self._pictures[self._seq * 7 % PICTURES], now, self._seq)


def cpu_seconds(pid: int) -> float:
    """User and system time of a process and its threads so far."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Watch:
    """An output that looks at the clocks at the first frame after SETTLING and `seconds` later, then ends the program."""

    def __init__(self, app: App, camera: SupervisedCamera, seconds: float) -> None:
        self.app, self.camera, self.seconds = app, camera, seconds
        self.gates: Counter[str] = Counter()
        self.begin: tuple[float, float, float] | None = None
        self.result: dict[str, Any] = {}
        self._zero: float | None = None

    def _clocks(self, moment: Moment) -> tuple[float, float, float]:
        assert self.camera._process is not None, self.camera.health
        return moment.time, time.process_time(), cpu_seconds(self.camera._process.pid)

    def show(self, moment: Moment) -> None:
        if moment.sighting is None or self.result:
            return
        self._zero = moment.time if self._zero is None else self._zero
        if moment.time < self._zero + SETTLING:
            return
        times = self.app.sitting.pipeline.times
        if self.begin is None:
            self.begin = self._clocks(moment)
            times.seconds.clear()
            times.calls.clear()
            return
        self.gates[moment.sighting.gate.value] += 1
        end = self._clocks(moment)
        passed, main, child = (b - a for a, b in zip(self.begin, end, strict=True))
        if passed >= self.seconds:
            self.result = {
                "frames": self.gates.total() / passed,
                "main": main / passed,
                "camera": child / passed,
                "state": f"{moment.view.phase.value} {moment.view.dice or ''}".strip(),
                "gates": dict(self.gates),
            }
            self.app.stop()

    def close(self) -> None: ...


def measure(image: np.ndarray, folder: Path, seconds: float, fps: float, wall: bool) -> dict[str, Any]:
    folder.mkdir()
    np.save(folder / "scene.npy", image)
    (folder / "settings.toml").write_text(
        f'[board]\nprofile = "jumbo-travel"\n[web]\nport = 18964\ntoken_file = "{folder}/token"\n'
    )
    settings = load_settings(folder / "settings.toml")
    options = CameraOptions(
        "folder", str(folder / "scene.npy"), fps=fps, timeout=60.0, start_timeout=60.0, realtime=wall
    )
    camera = SupervisedCamera(options, opener=StillCamera)
    sitting = make_sitting(settings, log_dir=folder / "games", go_on=False)
    app = App(lambda: camera, sitting)
    page = open_page(settings, app, log_dir=folder / "games")
    watch = Watch(app, camera, seconds)
    app.outputs += [*([page] if page else []), *table_outputs(settings, app, headless=True), watch]
    app.run()
    return watch.result


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--fps", type=float, default=10.0)
    parser.add_argument("--wall", action="store_true", help="paced by the wall clock")
    args = parser.parse_args()
    source = SimulatedCamera(SimulatorOptions(seed=1, games=1, pace="brisk"))
    wanted = {n: name for name, n in SCENES.items()}
    images = {}
    for n in range(max(wanted) + 1):
        frame = source.read()
        assert frame is not None
        if n in wanted:
            images[wanted[n]] = frame.image
    print(f"{'scene':<28} {'frames/s':>8} {'main':>7} {'camera':>7} {'both':>7}   of one core; state, gates")
    with tempfile.TemporaryDirectory() as name:
        for i, (scene, image) in enumerate(images.items()):
            r = measure(image, Path(name) / str(i), args.seconds, args.fps, args.wall)
            print(
                f"{scene:<28} {r['frames']:8.1f} {r['main']:7.1%} {r['camera']:7.1%} {r['main'] + r['camera']:7.1%}   "
                f"{r['state']}; {r['gates']}",
                flush=True,
            )


if __name__ == "__main__":
    main()
