"""Is the board found, where, how surely and how fast: invented sets (any number, any seed) and the path-traced stills.

    python tests/bench/bench_finding.py [--drawn N] [--seed S] [--start] [--sheet FILE]
    python tests/bench/bench_finding.py --folder rooms|stills [--every N] [--first K] [--sheet FILE]
    python tests/bench/bench_finding.py --nothing N [--seed S] [--sheet FILE]

Errors are the farthest corner's, in per cent of the far edge's length; "wrong" is a board found more than 2 % off.
--start: the starting position, nothing set up; counts where the seating is found too, and the look is learned. --sheet: pictures
that failed, truth yellow, found magenta. --nothing: pictures without a board (`no_board`), of which none should be found.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from drawn_sets import drawn_sets
from no_board import no_board

from pi_board.errors import AmbiguousError
from pi_board.frame import Frame
from pi_board.session.finding_reader import FindingReader
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.board.registration import Registration
from pi_board.vision.board.seating import find_seating
from pi_board.vision.finding.find_board import find_board
from pi_board.vision.profile import load_profile

SCENES = Path(__file__).resolve().parents[3] / "shared" / "data" / "scenes"
Image = npt.NDArray[np.uint8]
#: Frames of the first minute, two a second.
_FRAMES = 24


@dataclass
class Row:
    name: str
    groups: tuple[str, ...]
    error: float  # per cent, nan when refused
    confidence: float
    seconds: float
    note: str
    seated: bool = False
    learned: bool = False


def pictures(
    args: argparse.Namespace,
) -> Iterator[tuple[str, Image, np.ndarray, Orientation | None, tuple[str, ...]]]:
    if args.folder:
        for path in sorted((SCENES / args.folder).glob("*.json"))[args.first :: args.every]:
            truth = json.loads(path.read_text())
            picture = cv2.imread(str(path.with_suffix(".jpg")))
            assert picture is not None, path
            yield (
                path.stem,
                np.asarray(picture, np.uint8),
                np.array(truth["corners_px"]),
                None,
                (truth["style"],),
            )
        return
    for name, s in drawn_sets(args.drawn, args.seed, start=args.start):
        yield name, s.image, s.corners, s.orientation, (s.kind, s.shape)


def first_minute(image: Image, orientation: Orientation) -> tuple[bool, bool, str]:
    """(seated right, learned, note) after a few seconds of this very picture, with nothing set up."""
    reader = FindingReader(load_profile("generic"))
    rng = np.random.default_rng(0)
    for i in range(_FRAMES):
        noisy = np.clip(image + rng.normal(0, 1.5, image.shape), 0, 255).astype(np.uint8)
        reader.look(Frame(noisy, 0.5 * i, i))
        if reader.reader is not None and reader.reader.appearance is not None:
            break
    seated = (reader.near, reader.home) == (orientation.near, orientation.home) and reader.reader is not None
    known = reader.reader is not None and reader.reader.appearance is not None
    return seated, seated and known, f"{reader.near} {reader.home}"


def measure(args: argparse.Namespace) -> list[Row]:
    rows, tiles = [], []
    for name, image, corners, orientation, groups in pictures(args):
        began = time.process_time()
        found: Registration | None = None
        note = ""
        try:
            found = find_board(image, thorough=True)
        except AmbiguousError as refusal:
            note = str(refusal)
        seconds = time.process_time() - began
        error = float("nan")
        if found is not None:
            error = float(
                np.linalg.norm(found.corners - corners, axis=1).max()
                / np.linalg.norm(corners[1] - corners[0])
                * 100
            )
        row = Row(name, groups, error, found.confidence if found else 0.0, seconds, note)
        if found is not None and orientation is not None:
            seating = find_seating(image, found.geometry())
            row.seated, row.learned, note = first_minute(image, orientation)
            note += f", margin {seating.margin:.0f} fit {seating.fit:.0f}"
        rows.append(row)
        good = error <= 2.0 and (orientation is None or row.learned)
        if args.verbose or not good:
            print(
                f"{name:18}{'/'.join(groups):22}{error:7.2f} {row.confidence:.2f} {seconds:5.1f}s  {note}",
                flush=True,
            )
        if args.sheet and not good:
            tile = image.copy()
            cv2.polylines(tile, [np.round(corners).astype(np.int32)], True, (0, 255, 255), 1, cv2.LINE_AA)
            if found is not None:
                cv2.polylines(
                    tile, [np.round(found.corners).astype(np.int32)], True, (255, 0, 255), 2, cv2.LINE_AA
                )
            tile = cv2.resize(tile, (480, 360))
            cv2.putText(tile, f"{name} {'/'.join(groups)} {error:.1f}", (6, 18), 0, 0.5, (0, 255, 0), 1)
            tiles.append(tile)
    if args.sheet and tiles:
        while len(tiles) % 4:
            tiles.append(np.zeros_like(tiles[0]))
        cv2.imwrite(
            str(args.sheet), np.vstack([np.hstack(tiles[i : i + 4]) for i in range(0, len(tiles), 4)])
        )
    return rows


def nothing(args: argparse.Namespace) -> None:
    """Prints, for each kind of picture without a board, how often one is found there, and how surely."""
    sure: dict[str, list[float]] = defaultdict(list)
    seconds: dict[str, list[float]] = defaultdict(list)
    tiles = []
    for name, image in no_board(args.nothing, args.seed):
        began = time.process_time()
        kind = name.split("-")[0]
        try:
            found = find_board(image, thorough=True)
            sure[kind].append(found.confidence)
            print(f"{name:18}{image.shape[1]:6} px: found, {found.confidence:.2f}", flush=True)
            tile = image.copy()
            cv2.polylines(
                tile, [np.round(found.corners).astype(np.int32)], True, (255, 0, 255), 2, cv2.LINE_AA
            )
            tiles.append(cv2.resize(tile, (480, 360)))
        except AmbiguousError:
            pass
        seconds[kind].append(time.process_time() - began)
    print(f"{'':12}{'n':>4}{'found':>7}{'surest':>8}{'s':>7}")
    for kind, took in seconds.items():
        surest = f"{max(sure[kind]):8.2f}" if sure[kind] else f"{'':8}"
        print(f"{kind:12}{len(took):4}{len(sure[kind]):7}{surest}{np.mean(took):7.2f}")
    if args.sheet and tiles:
        cv2.imwrite(str(args.sheet), np.vstack(tiles))


def table(rows: list[Row], start: bool) -> None:
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        for key in (*row.groups, "all"):
            groups[key].append(row)
    print(
        f"{'':12}{'n':>4}{'1 %':>7}{'2 %':>7}{'wrong':>7}{'refused':>9}{'sure+wrong':>12}"
        + (f"{'seated':>8}{'learned':>9}" if start else "")
        + f"{'s':>7}{'s 90 %':>8}"
    )
    for key, group in groups.items():
        e = np.array([r.error for r in group])
        t = np.array([r.seconds for r in group])
        print(
            f"{key:12}{len(e):4}{np.mean(e <= 1):7.0%}{np.mean(e <= 2):7.0%}{int((e > 2).sum()):7}{int(np.isnan(e).sum()):9}"
            f"{sum(r.confidence >= 0.9 and r.error > 2 for r in group):12}"
            + (
                f"{np.mean([r.seated for r in group]):8.0%}{np.mean([r.learned for r in group]):9.0%}"
                if start
                else ""
            )
            + f"{np.mean(t):7.2f}{np.percentile(t, 90):8.2f}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--drawn", type=int, default=64, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", action="store_true")
    parser.add_argument("--folder", choices=("rooms", "stills"))
    parser.add_argument("--nothing", type=int, default=0, metavar="N")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--sheet", type=Path)
    parser.add_argument(
        "--verbose", action="store_true", help="a line for every picture, not for failures only"
    )
    args = parser.parse_args()
    if args.folder and not SCENES.is_dir():
        print(f"skipped: {SCENES} is not there")
        return 0
    cv2.setNumThreads(1)
    if args.nothing:
        nothing(args)
        return 0
    table(measure(args), args.start)
    return 0


if __name__ == "__main__":
    sys.exit(main())
