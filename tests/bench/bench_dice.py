"""Dice and the doubling cube on the pictures of `../shared/data`: `python tests/bench/bench_dice.py [--sheets FOLDER] [--registered]`.

Stills whose number divides by 3, and every third photograph, were kept from tuning: they are the "kept" rows. Board corners are
the truth's (this measures the dice, not the registration); `--registered` lets `find_board` find them.
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

from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.dice.cube import find_cube
from pi_board.vision.dice.read_die import read_die
from pi_board.vision.dice.reading import find_dice
from pi_board.vision.profile import load_profile

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
#: Labels that we dispute: (file, x, y) → what we see (0 = nobody can tell from these pixels).
DISPUTED: dict[tuple[str, int, int], int] = {
    ("die_041.jpg", 250, 292): 5,
    **{
        (f"die_{number:03d}.jpg", x, y): 0
        for number, x, y in (
            (2, 373, 280),
            (2, 279, 365),
            (3, 332, 496),
            (5, 272, 280),
            (7, 271, 323),
            (8, 287, 161),
            (8, 394, 311),
            (9, 94, 420),
            (9, 337, 435),
            (13, 268, 285),
            (13, 190, 319),
            (13, 292, 304),
            (13, 460, 320),
            (13, 162, 380),
            (14, 232, 492),
            (14, 250, 255),
            (14, 304, 442),
            (14, 407, 316),
            (23, 221, 302),
        )
    },
}
#: A die counts when at least this share of its top face is in view; fainter ones are neither asked for nor held against us.
VISIBLE = 0.6


class Sheet:
    """Tiles of failures."""

    def __init__(self) -> None:
        self.tiles: list[np.ndarray] = []

    def add(self, image: np.ndarray, x: float, y: float, reach: float, text: str) -> None:
        side = max(8, int(reach * 2))
        tile = cv2.resize(
            cv2.getRectSubPix(image, (side, side), (float(x), float(y))),
            (140, 140),
            interpolation=cv2.INTER_CUBIC,
        )
        tile = cv2.copyMakeBorder(tile, 28, 2, 0, 2, cv2.BORDER_CONSTANT)
        for i, line in enumerate(text.split("\n")[:2]):
            cv2.putText(tile, line, (1, 11 + 13 * i), 0, 0.38, (255, 255, 255), 1)
        self.tiles.append(tile)

    def write(self, path: Path) -> None:
        if self.tiles:
            tiles = self.tiles[:120] + [np.zeros_like(self.tiles[0])] * (-len(self.tiles[:120]) % 10)
            cv2.imwrite(
                str(path), np.vstack([np.hstack(tiles[i : i + 10]) for i in range(0, len(tiles), 10)])
            )


def scenes() -> list[tuple[str, Path]]:
    """(group, truth file) of every board picture."""
    out = []
    for path in sorted((DATA / "scenes" / "stills").glob("*.json")):
        out.append(("stills kept" if int(path.stem[-3:]) % 3 == 0 else "stills", path))
    for folder in ("game_dev", "game_wood"):
        out += [(folder, path) for path in sorted((DATA / "scenes" / folder).glob("*.json"))]
    return out


def geometry_of(truth: dict, picture: np.ndarray, registered: bool) -> BoardGeometry | None:
    """The board, from the truth's corners or found."""
    profile = load_profile("generic")
    if registered:
        from pi_board.errors import PiBoardError
        from pi_board.vision.finding.find_board import find_board

        try:
            found = find_board(picture, profile)
        except PiBoardError:
            return None
        return BoardGeometry(found.profile, found.corners, picture.shape[1::-1], bar_edges=found.bar_edges)
    return BoardGeometry(profile, np.array(truth["corners_px"]), picture.shape[1::-1])


def checkers_of(truth: dict, geometry: BoardGeometry) -> np.ndarray:
    """(N, 2) cm of `geometry`, as a reader in play knows them from the accepted position."""
    places = np.array(
        [c["xyz_cm"][:2] for c in truth["checkers"] if c["loc"] in ("point", "bar")], float
    ).reshape(-1, 2)
    true, ours = truth["geometry_cm"], geometry.profile
    return places * (ours.field_width / true["field_w"], ours.field_height / true["field_h"])


def boards(sheets: Path | None, registered: bool, every: int, known: bool = False) -> None:
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    cubes: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    failures, cube_failures = Sheet(), Sheet()
    spent, warps = [], []
    for number, (group, path) in enumerate(scenes()):
        if every > 1 and number % every and not group.startswith("stills"):
            continue
        truth = json.loads(path.read_text())
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        geometry = geometry_of(truth, picture, registered)
        if geometry is None:
            continue
        orientation = Orientation()
        checkers = checkers_of(truth, geometry) if known else None
        dice = find_dice(picture, geometry, orientation, checkers=checkers)
        began = time.perf_counter()
        find_dice(picture, geometry, orientation, checkers=checkers)
        spent.append(time.perf_counter() - began)
        big = cv2.resize(picture, (1280, 720))
        began = time.perf_counter()
        cv2.warpPerspective(big, np.eye(3) + 1e-4, (1280, 720))
        warps.append(time.perf_counter() - began)
        name = path.stem.replace("game_dev_wood", "gw").replace("game_dev", "gd").replace("dev_", "s")
        left = list(dice)
        groups = [group, "all", *([f"stills {truth['difficulty']}"] if group.startswith("stills") else [])]

        def note(key: str, groups: list[str] = groups, table: dict = counts) -> None:
            for g in groups:
                table[g][key] += 1

        for t in truth["dice"]:
            corners = np.array(t["corner_px"])
            size = float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())
            x, y = t["center_px"]
            near = sorted(left, key=lambda d: np.hypot(d.x - x, d.y - y))
            die = near[0] if near and np.hypot(near[0].x - x, near[0].y - y) < 0.8 * size else None
            if die is not None:
                left.remove(die)
            if t["visible"] < VISIBLE:
                continue
            if t["cocked"]:
                note("cocked")
                if die is not None and die.cocked:
                    note("cocked right")
                else:
                    failures.add(
                        picture,
                        x,
                        y,
                        2 * size,
                        f"{name} cocked {t['value']} {t['cocked_kind']}\n{'-' if die is None else 'flat'}",
                    )
                if die is not None and die.value not in (None, t["value"]) and not die.cocked:
                    note("wrong")
                continue
            note("flat")
            if die is None:
                failures.add(picture, x, y, 2 * size, f"{name} {t['value']} {size:.0f}px\nnot found")
                continue
            note("found")
            if die.cocked:
                note("flat called cocked")
            if (die.half == "right") == (t["half"] == "right") or (die.half == "light") == (
                t["half"] == "right"
            ):
                note("half right")
            if die.value == t["value"]:
                note("right")
            elif die.value is None:
                note("unsure")
            else:
                note("wrong")
            if die.value != t["value"] or die.cocked:
                failures.add(
                    picture,
                    x,
                    y,
                    2 * size,
                    f"{name} {t['value']} {size:.0f}px\nsaid {die.value}{'c' if die.cocked else ''} {die.confidence:.2f}",
                )
        note("pictures")
        for d in left:
            note("false")
            if d.value is not None and not d.cocked:
                note("false with value")
            failures.add(
                picture,
                d.x,
                d.y,
                2 * d.size,
                f"{name} false {d.value}{'c' if d.cocked else ''}\n{d.confidence:.2f} {d.size:.0f}px",
            )

        t = truth["cube"]
        cube = find_cube(picture, geometry, orientation)
        if t["place"] == "none":
            note("none", table=cubes)
            if cube is not None and cube.place != "none":
                note("false", table=cubes)
                cube_failures.add(
                    picture,
                    cube.x,
                    cube.y,
                    40,
                    f"{name} none\nsaid {cube.value} {cube.place} {cube.confidence:.2f}",
                )
        elif t["visible"] >= VISIBLE:
            note("cubes", table=cubes)
            place = {"near": "light", "far": "dark"}.get(t["place"], t["place"])
            value = 1 if t["face"] == 64 and t["place"] == "center" else t["face"]
            good = cube is not None and cube.place == place
            note("place right" if good else "place wrong", table=cubes)
            if cube is not None and cube.value == value:
                note("value right", table=cubes)
            elif cube is not None and cube.value is not None:
                note("value wrong", table=cubes)
            if not good or cube is None or cube.value != value:
                said = "-" if cube is None else f"{cube.value} {cube.place[:6]} {cube.confidence:.2f}"
                cube_failures.add(
                    picture, *t["center_px"], 50, f"{name} {t['face']} {place} {t['site']}\n{said}"
                )
    columns = [
        "pictures",
        "flat",
        "found",
        "right",
        "unsure",
        "wrong",
        "flat called cocked",
        "half right",
        "cocked",
        "cocked right",
        "false",
        "false with value",
    ]
    print(
        f"{'dice':<16}"
        + "".join(
            f"{c.replace('flat called cocked', 'as cocked').replace('false with value', 'f.valued')[:12]:>13}"
            for c in columns
        )
    )
    for group in (
        "stills",
        "stills kept",
        "stills easy",
        "stills medium",
        "stills hard",
        "game_dev",
        "game_wood",
        "all",
    ):
        c = counts[group]
        print(
            f"{group:<16}"
            + "".join(f"{c[k]:>13}" for k in columns)
            + f"   found {c['found'] / max(1, c['flat']):.3f} right {c['right'] / max(1, c['flat']):.3f}"
        )
    columns = ["cubes", "place right", "place wrong", "value right", "value wrong", "none", "false"]
    print(f"{'cube':<16}" + "".join(f"{c:>13}" for c in columns))
    for group in ("stills", "stills kept", "game_dev", "game_wood", "all"):
        print(f"{group:<16}" + "".join(f"{cubes[group][k]:>13}" for k in columns))
    print(
        f"find_dice {1000 * np.median(spent):.1f} ms = {np.median(spent) / np.median(warps):.1f} x warpPerspective at 1280x720"
    )
    if sheets:
        failures.write(sheets / "dice_failures.png")
        cube_failures.write(sheets / "cube_failures.png")


def photographs(sheets: Path | None) -> None:
    rows = list(csv.DictReader((DATA / "dice" / "labels.csv").open()))
    for room in (0.0, 0.2):
        failures = Sheet()
        counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for row in rows:
            picture = cv2.imread(str(DATA / "dice" / row["file"]))
            x, y, w, h = (int(row[k]) for k in "xywh")
            mx, my = round(w * room), round(h * room)
            crop = picture[max(0, y - my) : y + h + my, max(0, x - mx) : x + w + mx]
            reading = read_die(crop)
            truth = int(row["pips"])
            kept = int(row["file"][4:7]) % 3 == 0
            seen = DISPUTED.get((row["file"], x, y))
            for group in ("kept" if kept else "tuned", "all", *(["undisputed"] if seen is None else [])):
                c = counts[group]
                c["n"] += 1
                c["right"] += reading.value == truth
                c["none"] += reading.value is None
                c["sure"] += reading.confidence >= 0.9
                c["sure wrong"] += reading.confidence >= 0.9 and reading.value != truth
            if reading.confidence >= 0.9 and reading.value != truth:
                print(
                    f"  sure and wrong: {row['file']} box {x},{y} {w}x{h} labelled {truth}, read {reading.value} ({reading.confidence:.2f})"
                    + ("" if seen is None else ", a label that we dispute")
                )
            if reading.value != truth:
                failures.add(
                    picture,
                    x + w / 2,
                    y + h / 2,
                    0.7 * max(w, h),
                    f"{row['file'][4:7]} {truth} {w}x{h}\nsaid {reading.value} {reading.confidence:.2f}",
                )
        print(f"photographs, boxes + {room:.0%}")
        for group, c in counts.items():
            print(
                f"  {group:<12} n {c['n']:>4}  right {c['right'] / c['n']:.3f}  none {c['none'] / c['n']:.3f}  sure {c['sure'] / c['n']:.3f}  sure and wrong {c['sure wrong']} ({c['sure wrong'] / c['n']:.3f})"
            )
        if sheets:
            failures.write(sheets / f"photo_failures_{room:.1f}.png")
    print(
        "labels that we dispute: "
        + ", ".join(
            f"{file} {x},{y} ({'nobody can tell' if value == 0 else f'shows {value}'})"
            for (file, x, y), value in sorted(DISPUTED.items())
        )
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=Path, help="write contact sheets of the failures here")
    parser.add_argument("--registered", action="store_true")
    parser.add_argument(
        "--checkers",
        action="store_true",
        help="say where checkers lie, as a reader in play knows it: decides what may lean",
    )
    parser.add_argument("--only", choices=["boards", "photographs"])
    parser.add_argument("--every", type=int, default=1, help="of the game frames take every n-th")
    options = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"{DATA}: not here; this benchmark needs the shared data")
    if options.sheets:
        options.sheets.mkdir(parents=True, exist_ok=True)
    if options.only != "photographs":
        boards(options.sheets, options.registered, options.every, options.checkers)
    if options.only != "boards":
        photographs(options.sheets)
