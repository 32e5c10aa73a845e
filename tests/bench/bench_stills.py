"""Stills with no history: whole boards and slots right, by difficulty and style, with and without corners.

    python tests/bench/bench_stills.py [--auto] [--games | --rooms] [--sheet failures.png] [--csv out.csv] [--held-out | --tuning]
    python tests/bench/bench_stills.py --folder DIR [--auto] [--sheet failures.png]
    python tests/bench/bench_stills.py --drawn 120 --seed 1 [--auto] [--sheet failures.png] [--csv out.csv]

Reads ../shared/data/scenes beside the checkout. --drawn: boards of our own simulator instead, which no network was trained
on: sets of any colour, tilts up to 35 degrees, hands, stacks of six to nine, men borne off into a tray or beside the board. Pictures whose number is divisible by three are kept away from all
tuning ("held out"). A board counts as right when all 24 points and both bar halves are; slots are those 26. Open slots are
the points of which a hand covers nothing and whose checkers all show by 0.3 or more; what lies under a hand can only be guessed.
--rooms: the pictures of sets that people own instead. --folder: pictures with their truth beside them, as `trace_rooms.py` makes
them. Dice: an invented one has a value where no die lies.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from pi_board.rules import Position
from pi_board.simulator.still import random_position, render_still
from pi_board.simulator.style import STYLES, BoardStyle, style_named
from pi_board.vision import still
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.training.boards import checker_colours, random_colour

SCENES = Path(__file__).resolve().parents[3] / "shared" / "data" / "scenes"


@dataclass
class Result:
    name: str
    style: str
    difficulty: str
    hand: bool
    held_out: bool
    right: bool
    wrong_slots: int
    confidence: float
    refused: bool
    hand_seen: bool
    open_slots: int
    open_wrong: int
    corner_error: float
    seconds: float
    missing: int = 0
    note: str = ""
    dice: int = 0
    dice_right: int = 0
    cocked: int = 0
    cocked_right: int = 0
    flat_called_cocked: int = 0
    invented: int = 0
    invented_at: str = ""


Picture = np.ndarray
DRAWN = {"easy": (0.0, 0.15), "medium": (0.2, 0.5), "hard": (0.6, 1.0)}


def coloured(rng: np.random.Generator) -> BoardStyle:
    """A set of one of the known shapes in colours that none of them has."""
    light, dark = checker_colours(rng)
    colours = {
        k: tuple(float(v) for v in random_colour(rng))
        for k in ("field", "triangle_a", "triangle_b", "rim", "table")
    }
    base = style_named(list(STYLES)[int(rng.integers(len(STYLES)))])
    return replace(
        base, name="any colours", light=tuple(map(float, light)), dark=tuple(map(float, dark)), **colours
    )  # type: ignore[arg-type]


def stacked(rng: np.random.Generator) -> Position:
    """Both sides with a point or two of six to nine, the rest anywhere; sometimes men off."""
    points, off = [0] * 24, [0, 0]
    for i, sign in enumerate((1, -1)):
        left = 15
        if rng.random() < 0.3:
            off[i] = int(rng.integers(1, 6))
            left -= off[i]
        for low, high in ((6, 10), (2, 8)):
            free = [p for p in range(24) if points[p] == 0]
            n = min(left, int(rng.integers(low, high)))
            points[free[int(rng.integers(len(free)))]] = sign * n
            left -= n
        while left:
            free = [p for p in range(24) if points[p] * sign >= 0 and abs(points[p]) < 3]
            points[free[int(rng.integers(len(free)))]] += sign
            left -= 1
    return Position(tuple(points), (0, 0), (off[0], off[1]))


def homeward(rng: np.random.Generator) -> Position:
    """Both sides at home, bearing off: one to fourteen men of a side are off."""
    points, off = [0] * 24, [0, 0]
    for i, sign in enumerate((1, -1)):
        off[i] = int(rng.choice([0, 1, 1, 2, 3, 5, 8, 11, 13]))
        for p in rng.choice(6, 15 - off[i], p=rng.dirichlet(np.full(6, 1.5))):
            points[int(p) if sign > 0 else 23 - int(p)] += sign
    return Position(tuple(points), (0, 0), (off[0], off[1]))


def drawn(count: int, seed: int) -> Iterator[tuple[str, Picture, dict[str, Any], int]]:
    """(name, picture, truth, number): difficulty, hand, set and kind of position take turns, all else is random."""
    for number in range(count):
        rng = np.random.default_rng((seed, number))
        difficulty = list(DRAWN)[number % 3]
        hand = difficulty != "easy" and number // 3 % 3 == 0
        style = coloured(rng) if number % 2 else None
        position = (random_position, stacked, random_position, homeward)[number // 2 % 4](rng)
        image, truth = render_still(
            rng, style, position=position, hand=hand, difficulty=float(rng.uniform(*DRAWN[difficulty]))
        )
        yield f"drawn/{seed}-{number:03d}", image, truth | {"difficulty": difficulty}, number


def truth_slots(document: dict[str, Any]) -> tuple[list[int], tuple[int, int]]:
    """Absolute signed counts (24) and (light, dark) on the bar. The scenes count from the near player, whoever that is."""
    orientation = Orientation(document["near_color"])
    seen_from_near = Orientation("light")
    points = [0] * 24
    for i, p in enumerate(document["points"]):
        column, row = seen_from_near.column_of(i + 1)
        points[orientation.point_at(column, row) - 1] = p["light"] - p["dark"]
    return points, (document["bar"]["light"], document["bar"]["dark"])


def open_to_view(document: dict[str, Any]) -> list[bool]:
    """(24) points of which the hand covers nothing and whose checkers all show; absolute numbering, as `truth_slots`."""
    orientation, seen_from_near = Orientation(document["near_color"]), Orientation("light")
    shown = [True] * 24
    for i, share in enumerate(document["point_hidden_by_hand"]):
        column, row = seen_from_near.column_of(i + 1)
        here = [c["visible"] for c in document["checkers"] if c["loc"] == "point" and c["point"] == i + 1]
        shown[orientation.point_at(column, row) - 1] = share == 0 and min(here, default=1.0) >= 0.3
    return shown


def scenes(
    games: bool, rooms: bool = False, folder: Path | None = None
) -> Iterator[tuple[str, Picture, dict[str, Any], int]]:
    folders = (
        [folder]
        if folder
        else [SCENES / "rooms"]
        if rooms
        else [SCENES / "stills"] + ([SCENES / "game_dev", SCENES / "game_wood"] if games else [])
    )
    for place in folders:
        for number, path in enumerate(sorted(place.glob("*.json"))):
            document = json.loads(path.read_text())
            picture = path.with_suffix(".jpg")
            if "points" in document and picture.is_file():
                yield f"{picture.parent.name}/{picture.stem}", cv2.imread(str(picture)), document, number


#: A die is found when its middle is seen within this share of its size.
NEAR = 0.75
#: A die counts when at least this share of its top face shows.
SHOWS = 0.6


def compare_dice(result: Result, reading: still.Reading, document: dict[str, Any]) -> None:
    """Fills in what was read of the dice that lie there, and what was read where none lies."""
    seen = list(reading.dice)
    for die in document["dice"]:
        corners = np.array(die["corner_px"], float)
        size = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())
        here = [
            d
            for d in seen
            if np.hypot(d.x - die["center_px"][0], d.y - die["center_px"][1]) < max(NEAR * size, 6.0)
        ]
        seen = [d for d in seen if d not in here]
        if die.get("visible", 1.0) < SHOWS:
            continue
        result.dice += 1
        result.dice_right += any(d.value == die["value"] and d.cocked == die["cocked"] for d in here)
        if die["cocked"]:
            result.cocked += 1
            result.cocked_right += any(d.cocked for d in here)
        else:
            result.flat_called_cocked += any(d.cocked for d in here)
    cube = document.get("cube") or {}
    at = cube.get("center_px")
    false = [
        d for d in seen if d.value is not None and not (at and np.hypot(d.x - at[0], d.y - at[1]) < d.size)
    ]
    result.invented = len(false)
    result.invented_at = " ".join(f"{d.value}@{d.x:.0f},{d.y:.0f}:{d.confidence:.2f}" for d in false)


def measure(
    name: str, image: Picture, document: dict[str, Any], number: int, auto: bool
) -> tuple[Result, still.Reading]:
    corners = np.array(document["corners_px"], float)
    began = time.perf_counter()
    reading = still.read_image(image, corners=None if auto else corners, near=document["near_color"])
    seconds = time.perf_counter() - began
    points, bar = truth_slots(document)
    wrong: list[str] = []
    shown = open_to_view(document)
    open_wrong = sum(shown) if reading.position is None else 0
    if reading.position is not None:
        got = [*reading.position.points, *reading.position.bar]
        for i, (a, b) in enumerate(zip([*points, *bar], got, strict=True)):
            if a != b:
                slot = str(i + 1) if i < 24 else ("barL", "barD")[i - 24]
                wrong.append(f"{slot}:{a}->{b}")
                open_wrong += i < 24 and shown[i]
    error = -1.0
    if reading.corners is not None:
        width = np.linalg.norm(corners[1] - corners[0])
        error = float(np.linalg.norm(reading.corners - corners, axis=1).max() / width)
    refused = reading.position is None
    result = Result(
            name, document["style"], document["difficulty"],
            bool(document.get("hand", {}).get("present")), number % 3 == 0, not refused and not wrong,
            26 if refused else len(wrong), reading.confidence, refused, reading.hand, sum(shown), open_wrong, error, seconds,
            document["off"]["light"] + document["off"]["dark"], reading.refusal or " ".join(wrong),
    )  # fmt: skip
    if "dice" in document:
        compare_dice(result, reading, document)
    return result, reading


def table(results: list[Result], title: str) -> None:
    print(f"\n{title}")
    print(
        f"{'':<22}{'n':>5}{'boards':>9}{'slots':>9}{'open':>9}{'refused':>9}{'sure':>6}{'sure wrong':>12}{'ms':>7}"
    )
    groups: list[tuple[str, list[Result]]] = [("all", results)]
    for d in ("easy", "medium", "hard"):
        groups.append((d, [r for r in results if r.difficulty == d]))
        groups.append((f"{d}, no hand", [r for r in results if r.difficulty == d and not r.hand]))
    groups.append(("hand", [r for r in results if r.hand]))
    groups.append(("no hand, 30 men", [r for r in results if not r.hand and not r.missing]))
    groups.append(("no hand, men off", [r for r in results if not r.hand and r.missing]))
    for s in sorted({r.style for r in results}):
        groups.append((s, [r for r in results if r.style == s]))
    for name, rows in groups:
        if not rows:
            continue
        sure = [r for r in rows if r.confidence >= 0.9]
        print(
            f"{name:<22}{len(rows):>5}{np.mean([r.right for r in rows]):>9.1%}"
            f"{1 - np.mean([r.wrong_slots for r in rows]) / 26:>9.2%}"
            f"{1 - sum(r.open_wrong for r in rows) / sum(r.open_slots for r in rows):>9.2%}{sum(r.refused for r in rows):>9}"
            f"{len(sure):>6}{sum(not r.right for r in sure):>12}{1000 * np.median([r.seconds for r in rows]):>7.0f}"
        )
    if found := [r.corner_error for r in results if r.corner_error >= 0]:
        print(f"registered: {sum(e <= 0.015 for e in found)} of {len(results)} within 1.5 % of the width")
    hands = [r for r in results if r.hand]
    none = [r for r in results if not r.hand]
    total = {
        k: sum(getattr(r, k) for r in results)
        for k in ("dice", "dice_right", "cocked", "cocked_right", "flat_called_cocked", "invented")
    }
    print(
        f"dice: {total['dice_right']} of {total['dice']} right, cocked called cocked {total['cocked_right']} of {total['cocked']}, "
        f"flat called cocked {total['flat_called_cocked']} of {total['dice'] - total['cocked']}, invented {total['invented']}"
    )
    print(
        f"hand: seen in {sum(r.hand_seen for r in hands)} of {len(hands)}, imagined in {sum(r.hand_seen for r in none)} of {len(none)}"
    )


def sheet(failures: list[tuple[Picture, Result, still.Reading]], out: Path) -> None:
    """The picture with the field's outline, what was wrong written under it."""
    tiles = []
    for picture, result, reading in failures:
        image = picture.copy()
        if reading.corners is not None:
            cv2.polylines(image, [np.round(reading.corners).astype(np.int32)], True, (0, 255, 255), 1)
        scale = 800 / image.shape[1]
        image = cv2.resize(image, None, fx=scale, fy=scale)[:600]
        tile = np.zeros((640, 800, 3), np.uint8)
        tile[: image.shape[0]] = image
        for k, text in enumerate(
            (f"{result.name} {result.style} {result.difficulty} conf {result.confidence:.2f}", result.note)
        ):
            cv2.putText(tile, text, (4, 614 + 19 * k), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 255, 255), 1)
        tiles.append(tile)
    if tiles:
        while len(tiles) % 2:
            tiles.append(np.zeros_like(tiles[0]))
        cv2.imwrite(str(out), np.vstack([np.hstack(tiles[i : i + 2]) for i in range(0, len(tiles), 2)]))


def run(
    auto: bool = False,
    games: bool = False,
    part: str = "",
    boards: int = 0,
    seed: int = 1,
    rooms: bool = False,
    folder: Path | None = None,
) -> list[tuple[Picture, Result, still.Reading]]:
    out = []
    for name, image, document, number in drawn(boards, seed) if boards else scenes(games, rooms, folder):
        if part and (part == "held out") != (number % 3 == 0):
            continue
        result, reading = measure(name, image, document, number, auto)
        out.append((image, result, reading))
    return out


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--auto", action="store_true", help="find the board instead of using the true corners"
    )
    parser.add_argument("--games", action="store_true", help="also the frames of both games, each on its own")
    parser.add_argument("--rooms", action="store_true", help="the pictures of sets that people own instead")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="pictures with their truth instead")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--tuning", action="store_true")
    parser.add_argument(
        "--drawn", type=int, default=0, metavar="N", help="N boards of our own simulator instead"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the drawn boards")
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--csv", type=Path)
    args = parser.parse_args()
    if not args.drawn and not (args.folder or SCENES).is_dir():
        print(f"skipped: {args.folder or SCENES} is not there")
        return 0
    rows = run(
        args.auto,
        args.games,
        "held out" if args.held_out else "tuning" if args.tuning else "",
        args.drawn,
        args.seed,
        args.rooms,
        args.folder,
    )
    results = [r for _, r, _ in rows]
    for r in results:
        if r.invented:
            print(f"{r.name:<28}dice invented: {r.invented_at}")
        if not r.right:
            print(
                f"{r.name:<28}{r.style:<13}{r.difficulty:<7}{'hand ' if r.hand else '     '}{r.confidence:.2f} {r.note}"
            )
    parts = (
        (("tuning part", False), ("held out", True))
        if not args.drawn and not args.folder
        else ((str(args.folder) if args.folder else f"drawn boards of seed {args.seed}", None),)
    )
    for part, held in parts:
        chosen = [r for r in results if held is None or r.held_out == held]
        if chosen:
            table(chosen, f"{part}, {'found by itself' if args.auto else 'corners given'}")
    if args.csv:
        with args.csv.open("w", newline="") as f:
            writer = csv.writer(f)
            writer.writerow(Result.__dataclass_fields__)
            writer.writerows([[getattr(r, k) for k in Result.__dataclass_fields__] for r in results])
    if args.sheet:
        sheet([row for row in rows if not row[1].right], args.sheet)
    return 0


if __name__ == "__main__":
    sys.exit(main())
