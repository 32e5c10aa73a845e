"""How well boards are found, sizes fitted and bumps followed, on the scenes of ../shared/data.

    python tests/bench/bench_registration.py [--every N] [--csv FILE] [--sheet FILE]

Stills whose number is divisible by 3 are reported on their own line. Only three numbers (where points end) were
chosen without them; their errors were on screen while the rest was made: no clean hold-out. Prints tables;
the sheet shows every still that failed (truth yellow, found magenta).
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

from pi_board.errors import AmbiguousError
from pi_board.vision.board.bump import BumpWatch
from pi_board.vision.board.geometry import transform
from pi_board.vision.board.registration import Registration
from pi_board.vision.finding.find_board import find_board
from pi_board.vision.finding.given_corners import fit_bar

SCENES = Path(__file__).resolve().parents[3] / "shared" / "data" / "scenes"
GOOD = 1.5  # % of the field's width


def load(path: Path) -> tuple[np.ndarray, dict]:
    image = cv2.imread(str(path.with_suffix(".jpg")))
    assert image is not None, path
    return image, json.loads(path.read_text())


def corner_error(corners: np.ndarray, truth: np.ndarray) -> float:
    """Largest corner distance, % of the far edge's length."""
    return float(np.linalg.norm(corners - truth, axis=1).max() / np.linalg.norm(truth[1] - truth[0]) * 100)


def bench_stills(every: int, table: Path | None, sheet: Path | None) -> None:
    rows, failures = [], []
    for path in sorted((SCENES / "stills").glob("*.json"))[::every]:
        image, truth = load(path)
        corners = np.array(truth["corners_px"])
        start = time.perf_counter()
        found: Registration | None
        try:
            found, reason = find_board(image), ""
        except AmbiguousError as error:
            found, reason = None, str(error)
        seconds = time.perf_counter() - start
        error = corner_error(found.corners, corners) if found else float("nan")
        given = fit_bar(image, corners)
        g = truth["geometry_cm"]
        shape = given.profile.field_height / given.profile.field_width / (g["field_h"] / g["field_w"]) - 1
        rows.append(
            (
                path.stem,
                truth["style"],
                truth["difficulty"],
                error,
                found.confidence if found else 0.0,
                seconds,
                abs(shape) * 100,
                reason,
            )
        )
        if not error <= GOOD:
            failures.append((path.stem, image, corners, found))
    groups: dict[str, list[tuple]] = defaultdict(list)
    for row in rows:
        for key in (row[1], row[2], "held out" if int(row[0][-3:]) % 3 == 0 else "tuned on", "all"):
            groups[key].append(row)
    print(
        f"{'':14}{'n':>4}{'found':>8}{'refused':>9}{'median':>9}{'90 %':>7}{'sure+wrong':>12}{'shape':>8}{'s':>6}"
    )
    for key, group in groups.items():
        e = np.array([r[3] for r in group])
        known = e[~np.isnan(e)]
        wrong = sum(1 for r in group if r[4] >= 0.9 and not r[3] <= GOOD)
        print(
            f"{key:14}{len(e):4}{np.mean(e <= GOOD):8.1%}{np.isnan(e).mean():9.1%}{np.median(known):8.2f}%"
            f"{np.percentile(known, 90):6.2f}%{wrong:12}{np.mean([r[6] for r in group]):7.2f}%{np.median([r[5] for r in group]):6.2f}"
        )
    if table:
        with table.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(
                (
                    "still",
                    "style",
                    "difficulty",
                    "error_percent",
                    "confidence",
                    "seconds",
                    "shape_percent",
                    "refusal",
                )
            )
            writer.writerows(rows)
    if sheet and failures:
        tiles = []
        for name, image, corners, found in failures:
            cv2.polylines(image, [np.round(corners).astype(np.int32)], True, (0, 255, 255), 1, cv2.LINE_AA)
            if found:
                cv2.polylines(
                    image, [np.round(found.corners).astype(np.int32)], True, (255, 0, 255), 1, cv2.LINE_AA
                )
            tile = cv2.resize(image, (800, 600))
            cv2.putText(tile, name, (8, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 255, 0), 2)
            tiles.append(tile)
        cv2.imwrite(str(sheet), np.vstack(tiles))


def bench_bumps(trials: int = 60) -> None:
    rng = np.random.default_rng(7)
    print(
        f"\n{'sequence':12}{'frames':>8}{'false':>7}{'unsure':>8}{'bumps':>7}{'followed':>10}{'error px':>10}{'ms':>7}{'x warp':>8}"
    )
    for folder in ("game_dev", "game_wood"):
        scenes = [load(p) for p in sorted((SCENES / folder).glob("*.json"))]
        image, truth = scenes[0]
        watch = BumpWatch(fit_bar(image, truth["corners_px"]).geometry(), image)
        false = unsure = 0
        times, warps, errors, followed, bumps = [], [], [], 0, 0
        last = np.array(truth["corners_px"])
        for image, truth in scenes[1:]:
            start = time.perf_counter()
            look = watch.compare(image)
            times.append(time.perf_counter() - start)
            start = time.perf_counter()
            cv2.warpPerspective(image, np.eye(3), image.shape[1::-1])
            warps.append(time.perf_counter() - start)
            here = np.array(truth["corners_px"])
            bumped = bool(np.abs(here - last).max() > 1)
            last = here
            unsure += look.state == "unsure"
            if bumped:
                bumps += 1
                followed += look.state == "moved"
                errors.append(np.linalg.norm(watch.geometry.corners - here, axis=1).max())
            else:
                false += look.state == "moved"
        plain = [(i, t) for i, t in scenes[:40] if not t["hand"]["present"]]
        for _ in range(trials // 2):
            k = int(rng.integers(0, len(plain) - 1))
            (before, truth), (after, _) = plain[k], plain[k + 1]
            height, width = before.shape[:2]
            angle = np.radians(rng.uniform(1, 3) * rng.choice([-1, 1])) if rng.random() < 0.5 else 0.0
            away = rng.uniform(2, 20) * np.exp(1j * rng.uniform(0, 2 * np.pi))
            centre = np.array([width, height]) / 2
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            h = np.vstack(
                [np.column_stack([turn, centre - turn @ centre + [away.real, away.imag]]), [0, 0, 1]]
            )
            moved = cv2.warpPerspective(after, h, (width, height), borderMode=cv2.BORDER_REFLECT)
            moved = np.clip(moved * rng.uniform(0.7, 1.25) + rng.normal(0, 3, moved.shape), 0, 255).astype(
                np.uint8
            )
            watch = BumpWatch(fit_bar(before, truth["corners_px"]).geometry(), before)
            look = watch.compare(moved)
            bumps += 1
            followed += look.state == "moved"
            errors.append(
                np.linalg.norm(
                    watch.geometry.corners - transform(h, np.array(truth["corners_px"])), axis=1
                ).max()
            )
        print(
            f"{folder:12}{len(scenes) - 1:8}{false:7}{unsure:8}{bumps:7}{followed / bumps:10.0%}{np.max(errors):10.2f}"
            f"{np.median(times) * 1e3:7.2f}{np.median(times) / np.median(warps):8.1f}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="only every N-th still")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--sheet", type=Path)
    arguments = parser.parse_args()
    if not SCENES.is_dir():
        print(f"{SCENES}: not there; this benchmark needs the shared scenes", file=sys.stderr)
        return 2
    cv2.setNumThreads(1)
    bench_stills(arguments.every, arguments.csv, arguments.sheet)
    bench_bumps()
    return 0


if __name__ == "__main__":
    sys.exit(main())
