"""Vision figures: in-play reading of game sequences, simulated boards, speed; stills and dice by their own benches.

    python tests/bench/bench_vision.py [--out FOLDER] [--only sequences|simulated|speed|memory|stills|dice] [--against COMMIT]

`--only speed --against COMMIT` measures that commit in the same run, in turns, so that a busy machine is busy for both.
`--only memory` referees 2,000 frames of a simulated game as a Zero 2 W would and says how much memory the process holds on the way, the
simulator's included (`bench_memory.py`: without).

Writes vision.csv and a contact sheet of every failure to FOLDER (default: a temporary one). Sequences come from
../shared/data/scenes: corners of the first picture are given, every picture is one settled look, and the true
position of every settled picture is what the referee would have accepted.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

#: The checkout that is measured: this one, unless `_speed_of` says another.
ROOT = Path(os.environ.get("PI_BOARD_BENCH_ROOT") or Path(__file__).resolve().parents[2])
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from pi_board.errors import InvalidPositionError  # noqa: E402
from pi_board.frame import Frame  # noqa: E402
from pi_board.rules import Position  # noqa: E402
from pi_board.sighting import ZERO, Gate  # noqa: E402
from pi_board.vision.finding.find_board import find_board  # noqa: E402
from pi_board.vision.finding.given_corners import fit_bar  # noqa: E402
from pi_board.vision.options import VisionOptions  # noqa: E402
from pi_board.vision.overlay import draw_overlay, slot_confidence  # noqa: E402
from pi_board.vision.profile import load_profile  # noqa: E402
from pi_board.vision.reader import BoardReader, signed_counts  # noqa: E402
from tests.bench.contact_sheet import contact_sheet  # noqa: E402
from tests.vision.simulated_board import SimulatedBoard, best_counts, random_positions, wrong_slots  # noqa: E402

SCENES = ROOT.parent / "shared" / "data" / "scenes"


@dataclass
class Result:
    """Of one sequence. settled: pictures without a hand; right: with the whole position right under 15 + 15; blind: with
    every slot right on its own; refused: settled pictures that the gate did not let through; slots: (right, all);
    sure_wrong: slots read with a confidence of 0.9 and more, and wrong."""

    name: str
    settled: int = 0
    right: int = 0
    blind: int = 0
    refused: int = 0
    hands: int = 0
    hands_read: int = 0
    mixed: int = 0
    slots: list[int] = field(default_factory=lambda: [0, 0])
    sure: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=list)
    failures: list[tuple[str, np.ndarray]] = field(default_factory=list)

    def row(self) -> list[object]:
        ms = 1000 * float(np.median(self.seconds)) if self.seconds else 0.0
        return [
            self.name, self.settled, self.right, self.blind, self.refused, self.mixed, f"{self.hands_read}/{self.hands}",
            f"{self.slots[0] / max(1, self.slots[1]):.4f}", f"{self.sure[1] - self.sure[0]}/{self.sure[1]}", f"{ms:.1f}",
        ]  # fmt: skip


HEAD = [
    "sequence",
    "settled",
    "right",
    "blind",
    "refused",
    "mixed point",
    "hands read",
    "slots right",
    "sure but wrong",
    "CPU ms",
]


def true_counts(truth: dict) -> tuple[np.ndarray, bool]:
    """((28,) signed counts, whether a point holds both colours, which no position can say)."""
    points = [p["light"] - p["dark"] for p in truth["points"]]
    if truth["near_color"] == "dark":
        points.reverse()
    mixed = any(p["light"] and p["dark"] for p in truth["points"])
    bar, off = truth["bar"], truth["off"]
    return np.array([*points, bar["light"], -bar["dark"], off["light"], -off["dark"]]), mixed


def position_of(counts: np.ndarray) -> Position | None:
    v = [int(n) for n in counts]
    try:
        return Position(tuple(v[:24]), (v[24], -v[25]), (v[26], -v[27]))
    except InvalidPositionError:
        return None


def judge(result: Result, log_likelihood: np.ndarray, counts: np.ndarray) -> bool:
    read = best_counts(log_likelihood)
    alone = log_likelihood[:26].argmax(axis=1) - ZERO
    confidence = slot_confidence(log_likelihood)[:26]
    good = bool((read == counts).all())
    result.right += good
    result.blind += bool((alone == counts[:26]).all())
    result.slots[0] += int((alone == counts[:26]).sum())
    result.slots[1] += 26
    sure = confidence >= 0.9
    result.sure[0] += int((sure & (alone == counts[:26])).sum())
    result.sure[1] += int(sure.sum())
    return good


def run_sequence(folder: Path, profile: str = "generic", *, corners_given: bool = True) -> Result:
    """One folder of pictures with truth, read from the first to the last."""
    result = Result(folder.name + ("" if corners_given else " (found)"))
    reader: BoardReader | None = None
    for path in sorted(folder.glob("*.jpg")):
        truth = json.loads(path.with_suffix(".json").read_text())
        image = cv2.imread(str(path))
        if reader is None:
            board = load_profile(profile)
            found = (
                fit_bar(image, np.array(truth["corners_px"]), board)
                if corners_given
                else find_board(image, board)
            )
            reader = BoardReader(
                board, near=truth["near_color"], registration=found, options=VisionOptions(motion=False)
            )
        frame = Frame(image, 0.0, result.settled + result.hands, name=path.stem)
        begin = time.thread_time()
        sighting = reader.look(frame)
        if sighting.gate is Gate.BOARD_MOVED:
            sighting = reader.look(frame)
        else:
            result.seconds.append(time.thread_time() - begin)
        if truth["hand"].get("present"):
            result.hands += 1
            result.hands_read += sighting.settled
            good = not sighting.settled
        else:
            counts, mixed = true_counts(truth)
            result.settled += 1
            result.mixed += mixed
            good = False
            if sighting.log_likelihood is None:
                result.refused += 1
            else:
                good = judge(result, sighting.log_likelihood, counts) or mixed
                position = position_of(counts)
                if position is not None:
                    reader.learn(position)
        if not good:
            result.failures.append(
                (path.stem, draw_overlay(image, sighting, reader.geometry, reader.orientation))
            )
    return result


def run_simulated(style: str, light: str, tilt: float, *, n: int = 8, seed: int = 7) -> Result:
    """Positions of random games on one simulated board; checkers all laid anew each time, so nothing helps but looks."""
    board = SimulatedBoard(style, light=light, tilt=tilt, size=(1280, 720), seed=seed)
    reader = board.reader()
    result = Result(f"{style}, {light}, {tilt:.0f} degrees")
    for position in [board.scene.position(), *random_positions(n, seed, 2)]:
        board.scene.set_position(position)
        frame = board.frame(name=f"{style}-{light}-{result.settled}")
        begin = time.thread_time()
        sighting = reader.look(frame)
        if sighting.gate is Gate.BOARD_MOVED:
            sighting = reader.look(frame)
        else:
            result.seconds.append(time.thread_time() - begin)
        result.settled += 1
        good = False
        if sighting.log_likelihood is None:
            result.refused += 1
        else:
            good = judge(result, sighting.log_likelihood, signed_counts(position))
            reader.learn(position)
        if not good:
            wrong = (
                wrong_slots(sighting.log_likelihood, position)
                if sighting.log_likelihood is not None
                else sighting.gate.value
            )
            result.failures.append(
                (
                    f"{frame.name} {wrong}",
                    draw_overlay(frame.image, sighting, reader.geometry, reader.orientation),
                )
            )
    return result


#: What `speed` measures, and the aim as a multiple of one warpPerspective of the frame (ms for a photo, None: nothing is asked).
AIMS = {
    "gate, unsettled frame": 1.0,
    "settled look": 2.0,
    "first look after a play": 4.0,
    "first look after a throw": 4.0,
    "learning a position": None,
    "photo with corners, ms": 150.0,
    "finding the board, ms": None,
    "first look of all, ms": None,
    "Python calls, settled look": 3000,
    "Python calls, first look after a play": 3000,
    "Python calls, first look after a throw": 3000,
}


def speed() -> dict[str, float]:
    """CPU time at 1280 x 720, ms; keys as `AIMS`, and "warpPerspective" of the same frame. Calls: of Python and C functions."""
    import cProfile
    import pstats

    from pi_board.vision import read_image
    from pi_board.vision.loading import load_networks

    load_networks()  # as `pi-board run` does while its camera opens

    def timed(work, *args) -> float:
        begin = time.thread_time()
        work(*args)
        return 1000 * (time.thread_time() - begin)

    def calls(work, *args) -> int:
        profile = cProfile.Profile()
        profile.enable()
        work(*args)
        profile.disable()
        return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]

    board = SimulatedBoard("travel", size=(1280, 720))
    settled = board.reader()
    frames = [board.frame() for _ in range(12)]
    h, w = frames[0].image.shape[:2]
    turn = cv2.getPerspectiveTransform(
        np.float32([[0, 0], [w, 0], [w, h], [0, h]]), np.float32([[9, 4], [w - 7, 0], [w, h - 5], [3, h]])
    )
    out: dict[str, float] = {}
    profile = load_profile("jumbo-travel")
    out["finding the board, ms"] = timed(find_board, frames[0].image, profile)
    out["first look of all, ms"] = timed(settled.look, frames[0])
    moving = board.reader(motion=True)

    # Each play is looked at for a while, as in a game; the first looks at them are timed, and those from the fifth on.
    played = board.reader()
    played.look(frames[0])
    firsts, first_calls, rested, rested_calls, learned, warps = [], [], [], [], [], []
    for i, position in enumerate(random_positions(len(frames), seed=4, plies=1)):
        board.play_to(position)
        frame = board.frame()
        warps.append(timed(cv2.warpPerspective, frame.image, turn, (w, h)))
        if i % 3 == 2:
            first_calls.append(calls(played.look, frame))
        else:
            firsts.append(timed(played.look, frame))
        for k in range(15 if i % 3 == 1 else 3):
            frame = board.frame()
            if k < 3:
                played.look(frame)
            elif k < 11:  # two whole turns of what is kept and made anew, and one more for the calls
                rested.append(timed(played.look, frame))
            else:
                rested_calls.append(calls(played.look, frame))
        learned.append(timed(played.learn, position))
        played.look(board.frame())
    # Dice are lifted, seen to be gone, and thrown again.
    rng, thrown, thrown_calls = np.random.default_rng(6), [], []
    for i in range(9):
        board.scene.dice = []
        for _ in range(3):
            played.look(board.frame())
        x, y = rng.uniform(4.0, 9.0), rng.uniform(-1.5, 1.5)
        board.scene.dice = [
            board.scene.flat_die("light", int(rng.integers(1, 7)), x + dx, y + dy)
            for dx, dy in ((0.0, 0.0), (2.6, rng.uniform(-2.0, 2.0)))
        ]
        frame = board.frame()
        if i % 3 == 2:
            thrown_calls.append(calls(played.look, frame))
        else:
            thrown.append(timed(played.look, frame))
        played.look(board.frame())
    shifted = [Frame(np.roll(f.image, 40 * (f.seq % 7), axis=1), f.time, f.seq) for f in frames]
    photos = [timed(lambda f: read_image(f.image, corners=settled.geometry.corners), f) for f in frames[:3]]
    out["warpPerspective"] = float(np.median(warps))
    out["gate, unsettled frame"] = float(np.median([timed(moving.look, f) for f in shifted]))
    # Of looks at a scene that rests most are kept and some made anew: the mean is what they cost.
    out["settled look"] = float(np.mean(rested))
    out["first look after a play"] = float(np.median(firsts))
    out["first look after a throw"] = float(np.median(thrown))
    out["learning a position"] = float(np.median(learned))
    out["photo with corners, ms"] = float(np.median(photos[1:]))
    out["Python calls, settled look"] = float(np.mean(rested_calls))
    out["Python calls, first look after a play"] = float(np.median(first_calls))
    out["Python calls, first look after a throw"] = float(np.median(thrown_calls))
    return out


def _speed_of(folder: Path) -> dict[str, float]:
    """`speed`, this bench's, of the checkout in `folder`, in a process of its own."""
    code = f"import json, runpy; m = runpy.run_path({str(Path(__file__))!r}); print(json.dumps(m['speed']()))"
    env = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "OPENBLAS_NUM_THREADS": "1",
        "PI_BOARD_BENCH_ROOT": str(folder),
    }
    done = subprocess.run(
        [sys.executable, "-c", f"import cv2; cv2.setNumThreads(1); {code}"],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{folder}: {done.stderr.strip().splitlines()[-1]}")
    return dict(json.loads(done.stdout.splitlines()[-1]))


def speeds(against: str | None, rounds: int = 2) -> tuple[list[str], list[list[object]]]:
    """Table of this checkout's speed and, when named, of another commit's."""
    folders = {"now": ROOT}
    with tempfile.TemporaryDirectory(prefix="bench_vision_") as other:
        if against:
            subprocess.run(
                ["git", "worktree", "add", "--detach", f"{other}/tree", against],
                cwd=ROOT,
                check=True,
                capture_output=True,
            )
            folders = {against: Path(other) / "tree", "now": ROOT}
        try:
            runs: dict[str, list[dict[str, float]]] = {name: [] for name in folders}
            for _ in range(rounds):
                for name, folder in folders.items():
                    runs[name].append(_speed_of(folder))
        finally:
            if against:
                subprocess.run(
                    ["git", "worktree", "remove", "--force", f"{other}/tree"],
                    cwd=ROOT,
                    check=False,
                    capture_output=True,
                )
    best = {name: {key: min(r[key] for r in of) for key in of[0]} for name, of in runs.items()}
    head = (
        ["at 1280 x 720, one core"]
        + [f"{name}: {what}" for name in folders for what in ("CPU ms", "x warp")]
        + ["aim"]
    )
    rows: list[list[object]] = []
    for key in ("warpPerspective", *AIMS):
        row: list[object] = [key]
        for name in folders:
            value, warp = best[name][key], best[name]["warpPerspective"]
            row += (
                [f"{value:.0f}", ""]
                if "calls" in key or "ms" in key
                else [f"{value:.1f}", f"{value / warp:.1f}"]
            )
        aim = AIMS.get(key)
        rows.append([*row, "" if aim is None else f"{aim:g}"])
    return head, rows


def memory(frames: int = 2000, slow: float = 15.0) -> list[list[object]]:
    """Resident memory (MB) of a process that renders and referees a simulated game, on the way.

    slow: as of `run_demo`, so that pictures of rests are kept while the processor is busy. (Their memory is this process's here;
    at the table most of it is the camera's.)"""
    from pi_board.camera.rest import RestWatch
    from pi_board.camera.simulated import SimulatedCamera
    from pi_board.referee import Referee, RefereeOptions
    from pi_board.rules import RULE_SETS
    from pi_board.session.demo import heard
    from pi_board.session.finding_reader import FindingReader
    from pi_board.session.heap import keep_pictures_apart
    from pi_board.session.pipeline import Pipeline
    from pi_board.simulator import SimulatorOptions
    from pi_board.vision.loading import load_networks

    def megabytes() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    keep_pictures_apart()  # as `pi-board run` does
    rows: list[list[object]] = [["after the imports", f"{megabytes():.0f}"]]
    camera = SimulatedCamera(SimulatorOptions(seed=3, games=0, width=1280, height=720, patience=120.0))
    pipeline = Pipeline(
        FindingReader(load_profile("jumbo-travel")), Referee(RefereeOptions(), RULE_SETS["international"])
    )
    pipeline.slower = slow
    load_networks()
    rows.append(["with all networks", f"{megabytes():.0f}"])
    rests, seen, busy_until, plays = RestWatch(), -1, float("-inf"), 0
    for i in range(1, frames + 1):
        frame = camera.read()
        rests.see(frame)
        if frame.time >= busy_until:
            begun = frame.time
            frame = rests.take(seen) or frame
            seen = frame.seq
            worked = time.thread_time()
            for event in pipeline.feed(frame).events:
                plays += event.type == "play_made"
                if word := heard(event):
                    camera.tell(word)
            busy_until = begun + slow * (time.thread_time() - worked)
        if i in (10, 100, 300) or i % 500 == 0:
            rows.append([f"after {i} frames, {plays} plays", f"{megabytes():.0f}"])
    return rows


def table(head: list[str], rows: list[list[object]]) -> None:
    cells = [head, *[[str(c) for c in row] for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    for k, row in enumerate(cells):
        print("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip(), flush=True)
        if k == 0:
            print("  ".join("-" * w for w in widths))
    print()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--only", choices=["sequences", "simulated", "speed", "memory", "stills", "dice"])
    parser.add_argument("--against", help="a commit whose speed is measured beside this one's")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    out = args.out or Path(tempfile.mkdtemp(prefix="bench_vision_"))
    out.mkdir(parents=True, exist_ok=True)
    results: list[Result] = []
    if args.only in (None, "sequences"):
        folders = [
            p
            for p in sorted(SCENES.glob("*"))
            if (p.is_dir() and any(p.glob("*_000.json")) and p.name.startswith("game"))
        ]
        if not folders:
            print(f"sequences: skipped, nothing in {SCENES}\n")
        for folder in folders:
            results.append(run_sequence(folder))
        table(HEAD, [r.row() for r in results])
    if args.only in (None, "simulated"):
        simulated = [
            run_simulated(style, light, tilt)
            for style in ("travel", "wood", "felt")
            for light, tilt in (("mixed", 8.0), ("desk_lamp", 20.0), ("window", 30.0), ("sun", 10.0))
        ]
        table(HEAD, [r.row() for r in simulated])
        results += simulated
    if args.only in (None, "speed"):
        table(*speeds(args.against))
    if args.only == "memory":
        table(["simulated game", "RSS MB"], memory())
    with (out / "vision.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEAD)
        writer.writerows(r.row() for r in results)
    failures = [f for r in results for f in r.failures]
    cv2.imwrite(str(out / "failures.png"), contact_sheet(failures))
    print(f"{len(failures)} failures drawn in {out / 'failures.png'}; figures in {out / 'vision.csv'}")
    for name in ("stills", "dice"):
        if args.only == name:
            import runpy

            sys.argv = [f"bench_{name}.py"]
            runpy.run_path(str(Path(__file__).with_name(f"bench_{name}.py")), run_name="__main__")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
