"""The pipeline sees frames only: it runs in a process of its own that is handed arrays and cannot import the simulator."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from pi_board.simulator import SimulatedTable, SimulatorOptions

ROOT = Path(__file__).resolve().parents[2]

#: Reads pictures (height, width, time as text lines, then raw bytes) from stdin; prints the events as JSON lines.
CHILD = """
import json, sys

class NoSimulator:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(("pi_board.simulator", "pi_board.camera")):
            raise ImportError("the pipeline may not know " + name)

sys.meta_path.insert(0, NoSimulator())
import numpy as np
from pi_board.frame import Frame
from pi_board.session.pipeline import Pipeline
from pi_board.referee import Referee
from pi_board.session.finding_reader import FindingReader
from pi_board.vision.profile import load_profile

pipeline = Pipeline(FindingReader(load_profile("jumbo-travel")), Referee())
seq = 0
while line := sys.stdin.buffer.readline():
    height, width, time = line.split()
    data = sys.stdin.buffer.read(int(height) * int(width) * 3)
    image = np.frombuffer(data, np.uint8).reshape(int(height), int(width), 3)
    for event in pipeline.feed(Frame(image, float(time), seq)).events:
        print(json.dumps(event.to_document()), flush=True)
    seq += 1
assert not [m for m in sys.modules if m.startswith("pi_board.simulator")]
"""


def test_pipeline_in_a_process_that_gets_arrays_only() -> None:
    table = SimulatedTable(SimulatorOptions(seed=4, pace="brisk"))
    pictures = []
    while len(pictures) < 45 and (frame := table.next_frame()) is not None:
        pictures.append((frame.time, np.ascontiguousarray(frame.image)))
    stream = b"".join(f"{p.shape[0]} {p.shape[1]} {t}\n".encode() + p.tobytes() for t, p in pictures)
    done = subprocess.run(
        [sys.executable, "-c", CHILD], input=stream, capture_output=True, timeout=300, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr.decode()
    events = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [e["type"] for e in events]
    assert kinds[:2] == ["match_started", "game_started"]
    opening = table.truth.games[0].opening
    thrown = [(e["light"], e["dark"]) for e in events if e["type"] == "opening_thrown"]
    assert thrown and thrown == opening[: len(thrown)]
