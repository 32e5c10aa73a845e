"""`pi-board run` with the picamera2 backend against `pi-board replay`, on a machine whose camera shows a folder of pictures.

    python tests/camera/rehearse_run.py FOLDER [--fps 3.33] [--limit 3600]

Meant for libcamera's virtual camera (real libcamera, real picamera2, no Pi), set up to show each picture of FOLDER, in name order, a
dozen times (libcamera 0.4 by itself shows each file four times, so three copies of each). Prints both games event by event; exit 1
when they differ.

Debian's libcamera 0.4 hands out uninitialised picture states for its virtual camera, which picamera2 takes for faults: start it with
GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.perturb=255, so that fresh memory is zero.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pi_board.events import Event
from pi_board.record.journal import read_journal

#: What a replay's picture gets of time and patience, as settings of a live board (`RefereeOptions.for_replay`).
SETTINGS = """\
[board]
profile = "{profile}"
[camera]
backend = "picamera2"
fps = {fps}
timeout = 20.0
start_timeout = 300.0
frozen_after = 0.0        # a still picture is bit-identical again and again
[vision]
motion = false
[referee]
key_frames = true
lift_looks = 2
claim_patience = 0.5
short_patience = 1.0
lift_patience = 0.5
rethrow_patience = 1.0
doubt_patience = 1.0
blocked_patience = 1.0
[hints]
coach = false
[web]
enabled = false
"""

#: What happened in the game; whether the view was blocked meanwhile depends on how long a picture was shown.
GAME = {
    "game_started", "opening_thrown", "dice_rolled", "play_made", "play_illegal", "play_taken_back", "play_corrected", "play_stands",
    "cube_offered", "cube_taken", "cube_passed", "turn_ended", "game_won", "position_corrected",
}  # fmt: skip


def story(folder: Path) -> list[str]:
    """The game's events in the newest journal of `folder`, one line each."""
    journals = sorted(folder.glob("*.jsonl"))
    return [line(e) for e in read_journal(journals[-1]).events if e.type in GAME] if journals else []


def line(event: Event) -> str:
    document = event.to_document()
    parts = [event.type] + [
        f"{key}={document[key]}"
        for key in ("side", "dice", "play", "code", "value")
        if document.get(key) not in (None, "", [])
    ]
    if document.get("position"):
        points = document["position"]["points"]
        parts.append("position=" + " ".join(f"{i + 1}:{n}" for i, n in enumerate(points) if n))
    return " ".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--profile", default="generic")
    parser.add_argument("--fps", type=float, default=3.33)
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds of wall time for the run")
    args = parser.parse_args()
    program = [sys.executable, "-m", "pi_board"]
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        subprocess.run(
            [*program, "replay", str(args.folder), "--profile", args.profile, "--log-dir", str(work / "replay"), "--json"],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        wanted = story(work / "replay")
        (work / "settings.toml").write_text(SETTINGS.format(profile=args.profile, fps=args.fps))
        live = work / "run"
        job = subprocess.Popen(
            [
                *program,
                "run",
                "--headless",
                "--new",
                "--config",
                str(work / "settings.toml"),
                "--log-dir",
                str(live),
            ]
        )
        end = time.monotonic() + args.limit
        try:
            while job.poll() is None and time.monotonic() < end and len(story(live)) < len(wanted):
                time.sleep(1.0)
        finally:
            job.send_signal(signal.SIGTERM)
            job.wait(timeout=60)
        # The camera begins its folder anew after the last picture: what follows is another game.
        seen = story(live)[: len(wanted)]
    for i in range(max(len(wanted), len(seen))):
        a, b = (x[i] if i < len(x) else "-" for x in (wanted, seen))
        print(f"{'=' if a == b else '!'} {a}" + ("" if a == b else f"\n  run: {b}"))
    same = wanted == seen
    print(
        f"{len(wanted)} events of the replay, {len(seen)} of the camera: {'the same' if same else 'NOT the same'}"
    )
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
