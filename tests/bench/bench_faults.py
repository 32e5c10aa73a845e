"""What becomes of a camera that fails at the table: seconds until it is said, seconds until play goes on, what was recorded meanwhile.

    python tests/bench/bench_faults.py [--lasting 6] [--repeat 3] [--fault frozen]

The main job as `pi-board run --headless` puts it together, by the wall clock, with a camera in its own process under the default options: one
rendered scene (dice thrown, nothing played yet) with fresh sensor noise. `--lasting` seconds of fault, then the device is well again.
"said": from the fault's begin to the first moment whose view is blocked. "back": from its end to the first picture that is read
again. "recorded": events of the game that came in between; any would be false.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from bench_idle import NOISE, PICTURES, SCENES

from pi_board.camera.base import FrameSource
from pi_board.camera.options import CameraOptions
from pi_board.camera.pacing import Metronome
from pi_board.camera.simulated import SimulatedCamera
from pi_board.camera.supervised import SupervisedCamera
from pi_board.commands.run import make_sitting
from pi_board.errors import CameraError
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.session.app import App
from pi_board.setup.settings import load_settings
from pi_board.simulator import SimulatorOptions
from pi_board.table import Phase

FAULTS = ("unplugged", "hangs", "process dies", "frozen", "black", "covered")
#: Seconds of undisturbed play before the fault, from the moment the throw has been read.
SETTLING = 3.0


class FailingCamera(FrameSource):
    """The scene `options.source` (.npy); does what the file "fault" beside it says for as long as that file is there."""

    def __init__(self, options: CameraOptions) -> None:
        self._note = Path(options.source).with_name("fault")
        image = np.load(options.source)
        # Quickly made, as a device opens quickly; another process has other noise.
        noise = np.rint(np.random.default_rng(os.getpid()).normal(0, NOISE, image.shape)).astype(np.int16)
        scenes = {"": image, "covered": np.full_like(image, 110), "black": np.zeros_like(image)}
        self._pictures = {
            name: [
                np.clip(scene + np.roll(noise, 7919 * i), 0, 255).astype(np.uint8)
                for i in range(PICTURES // 2)
            ]
            for name, scene in scenes.items()
        }
        self._beat = Metronome(options.fps, True)
        self._seq = -1
        self.description = "a scene"
        if self._fault() in ("unplugged", "process dies"):
            raise CameraError("camera 0: not connected")

    def _fault(self) -> str:
        try:
            return self._note.read_text()
        except FileNotFoundError:
            return ""

    def read(self, timeout: float | None = None) -> Frame | None:
        self._beat.wait()
        fault = self._fault()
        if fault == "unplugged":
            raise CameraError("camera 0: not connected")
        if fault == "process dies":
            os._exit(1)
        if fault == "hangs":
            time.sleep(600)
        self._seq += fault != "frozen"
        shown = self._pictures.get(fault, self._pictures[""])
        return Frame(shown[self._seq % len(shown)], time.monotonic(), self._seq)


@dataclass
class Watch:
    """An output that lets the fault begin and end and writes down what the table shows."""

    note: Path
    fault: str
    lasting: float
    app: App | None = None
    began: float = 0.0
    ended: float = 0.0
    said: float = 0.0
    back: float = 0.0
    word: str = ""
    recorded: list[str] = field(default_factory=list)
    _first: float = 0.0

    def show(self, moment: Moment) -> None:
        now = time.monotonic()
        if not self.began:
            if moment.view.phase is Phase.PLAY:
                self._first = self._first or now
                if now - self._first > SETTLING:
                    self._begin()
            return
        self.recorded += [e.type for e in moment.events if not e.type.startswith("view_")]
        if moment.view.view_blocked and not self.said:
            self.said, self.word = now - self.began, moment.view.message
        settled = moment.sighting is not None and moment.sighting.settled
        if self.ended and settled and not moment.view.view_blocked and not moment.banner:
            self.back = now - self.ended
            assert self.app is not None
            self.app.stop()

    def _begin(self) -> None:
        fresh = self.note.with_suffix(".new")
        fresh.write_text(self.fault)
        fresh.rename(self.note)
        self.began = time.monotonic()
        threading.Timer(self.lasting, self._end).start()

    def _end(self) -> None:
        self.note.unlink()
        self.ended = time.monotonic()

    def close(self) -> None: ...


def measure(image: np.ndarray, folder: Path, fault: str, lasting: float) -> Watch:
    folder.mkdir()
    np.save(folder / "scene.npy", image)
    (folder / "settings.toml").write_text('[board]\nprofile = "jumbo-travel"\n[hints]\ncoach = false\n')
    settings = load_settings(folder / "settings.toml")
    options = CameraOptions("folder", str(folder / "scene.npy"))
    sitting = make_sitting(settings, log_dir=folder / "games", go_on=False)
    app = App(lambda: SupervisedCamera(options, opener=FailingCamera), sitting)
    watch = Watch(folder / "fault", fault, lasting, app)
    app.outputs.append(watch)
    app.run()
    return watch


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lasting", type=float, default=6.0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--fault", choices=FAULTS)
    args = parser.parse_args()
    source = SimulatedCamera(SimulatorOptions(seed=1, games=1, pace="brisk"))
    for _ in range(SCENES["dice thrown, to be played"] + 1):
        frame = source.read()
        assert frame is not None
    print(f"{'fault':<13} {'said after (s)':<20} {'back after (s)':<20} {'recorded':<9} what is said")
    with tempfile.TemporaryDirectory() as name:
        for fault in [args.fault] if args.fault else FAULTS:
            runs = [
                measure(frame.image, Path(name) / f"{fault}-{i}", fault, args.lasting)
                for i in range(args.repeat)
            ]
            said, back = (" ".join(f"{getattr(r, key):5.2f}" for r in runs) for key in ("said", "back"))
            recorded = [event for r in runs for event in r.recorded]
            print(
                f"{fault:<13} {said:<20} {back:<20} {len(recorded):<9} {runs[0].word} {' '.join(recorded)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
