"""How well photographs of 37-hole boards of any make are read: `python tests/bench/bench_holes.py [--boards 60] [--seed 1]`.

Simulated boards (printed, marbles, pegs) that the network was not trained on, and, when they are here, the rendered scenes of
../shared/data/scenes/solitaire. A board is right when all 37 holes are; "sure" means a confidence of 0.9 or more.

`--sweep rings|likeness|signs` moves the numbers of that model one at a time by FACTORS on the simulated boards and prints what
becomes of the boards that are right, and of those that are wrong and sure.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import pi_board.vision.solitaire.occupancy as occupancy
from pi_board.errors import AmbiguousError, InvalidError
from pi_board.simulator.solitaire_still import SolitaireScene
from pi_board.vision.solitaire.lattice import find_lattice
from pi_board.vision.solitaire.occupancy import HolesReading, holes_at, read_holes

SCENES = Path(__file__).resolve().parents[3] / "shared" / "data" / "scenes" / "solitaire"
#: Apart from the seeds of the training pictures.
SEEDS = 990
SURE = 0.9
#: Of a sweep.
FACTORS = (0.7, 1.4)


def simulated(boards: int, seed: int) -> Iterator[tuple[str, Any, list[int], Any]]:
    for i in range(boards):
        scene = SolitaireScene(np.random.default_rng((SEEDS, seed, i)))
        image, truth = scene.picture(hand=False)
        kind = f"{truth['hole']}, {'hard' if truth['difficulty'] > 0.5 else 'easy'}"
        yield kind, image, truth["holes"], np.array(truth["places"])


def rendered() -> Iterator[tuple[str, Any, list[int], Any]]:
    for path in sorted(SCENES.glob("*.json")):
        holes = json.loads(path.read_text())["solitaire"]["holes"]
        image = cv2.imread(str(path.with_suffix(".jpg")))
        yield (
            "shared scenes",
            image,
            [int(h["occupied"]) for h in holes],
            np.array([h["center_px"] for h in holes]),
        )


def moved(value: Any, factor: float) -> Any:
    """`value` of a model times `factor`; whole numbers move by 1 at least."""
    if isinstance(value, tuple):
        return tuple(moved(v, factor) for v in value)
    if isinstance(value, int):
        return max(1, value + (round(value * factor) - value or (1 if factor > 1 else -1)))
    return value * factor


def sweep(model: str, boards: int, seed: int) -> None:
    """Prints, for each number of `model`, how many boards are right and how many are wrong and sure at each factor."""
    found = []
    for _, image, truth, _ in simulated(boards, seed):
        with contextlib.suppress(AmbiguousError):
            found.append((image, find_lattice(image), truth))
    # The network sees the same canvas again and again; what it says of one is kept.
    ask, known = occupancy.holes_network.score_mirrored, {}

    def score(canvas: Any) -> Any:
        key = canvas.tobytes()
        if key not in known:
            known[key] = ask(canvas)
        return known[key]

    def result() -> tuple[int, int]:
        readings: list[tuple[HolesReading | None, list[int]]] = []
        for image, lattice, truth in found:
            try:
                readings.append((holes_at(image, lattice), truth))
            except (InvalidError, ValueError, IndexError, cv2.error):
                readings.append((None, truth))
        right = [r is not None and list(r.holes) == list(t) for r, t in readings]
        sure = [r is not None and r.confidence >= SURE for r, _ in readings]
        return sum(right), sum(s and not ok for s, ok in zip(sure, right, strict=True))

    now = getattr(occupancy, model)
    occupancy.holes_network.score_mirrored = score
    try:
        usual = result()
        print(
            f"{model}: {len(found)} boards with a lattice, right {usual[0]}, wrong and sure {usual[1]}",
            flush=True,
        )
        for number in fields(now):
            value = getattr(now, number.name)
            row = []
            for factor in FACTORS:
                # A number that cannot be so (a percentile beyond 100) reads no board.
                setattr(occupancy, model, replace(now, **{number.name: moved(value, factor)}))
                row.append(result())
            same = "same" if all(r == usual for r in row) else ""
            print(
                f"{number.name:<18}{value!s:<44}{'  '.join(f'{a} {b}' for a, b in row)}  {same}", flush=True
            )
    finally:
        setattr(occupancy, model, now)
        occupancy.holes_network.score_mirrored = ask


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--boards", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--failures", type=Path, help="write a contact sheet of what went wrong here")
    parser.add_argument("--sweep", choices=("rings", "likeness", "signs"))
    args = parser.parse_args()
    if args.sweep:
        sweep(args.sweep.upper(), args.boards, args.seed)
        return
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    seconds, sheet = [], []
    for kind, image, truth, places in [*rendered(), *simulated(args.boards, args.seed)]:
        count = counts[kind]
        begin = time.process_time()
        try:
            reading = read_holes(image)
        except AmbiguousError:
            reading = None
        seconds.append(time.process_time() - begin)
        count["boards"] += 1
        if reading is None:
            count["refused"] += 1
            sheet.append((image, None, truth))
            continue
        wrong = sum(a != b for a, b in zip(reading.holes, truth, strict=True))
        pitch = float(np.hypot(*(places[1] - places[0])))
        off = float(np.hypot(*(reading.places - places).T).max()) / pitch > 0.35
        count["right"] += wrong == 0
        count["holes wrong"] += wrong
        count["elsewhere"] += off
        count["sure"] += reading.confidence >= SURE
        count["sure, wrong"] += wrong > 0 and reading.confidence >= SURE
        if wrong:
            sheet.append((image, reading, truth))
    columns = ("boards", "right", "refused", "elsewhere", "holes wrong", "sure", "sure, wrong")
    print(f"{'':<16}" + "".join(f"{c:>13}" for c in columns))
    for kind, count in sorted(counts.items()):
        print(f"{kind:<16}" + "".join(f"{count[c]:>13}" for c in columns))
    print(f"seconds of a core per picture: median {np.median(seconds):.2f}, most {max(seconds):.2f}")
    if args.failures and sheet:
        cv2.imwrite(str(args.failures), contact_sheet(sheet))


def contact_sheet(failures: list[tuple[Any, Any, list[int]]]) -> Any:
    """Red: a piece was seen where none is; blue: none was seen where one is; green: right."""
    tiles = []
    for image, reading, truth in failures[:24]:
        image = image.copy()
        if reading is not None:
            for (x, y), seen, real in zip(reading.places, reading.holes, truth, strict=True):
                color = (0, 200, 0) if seen == real else (0, 0, 255) if seen else (255, 0, 0)
                cv2.circle(image, (round(x), round(y)), 4, color, -1)
        tiles.append(cv2.resize(image, (400, 300)))
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 4)
    return np.vstack([np.hstack(tiles[i : i + 4]) for i in range(0, len(tiles), 4)])


if __name__ == "__main__":
    main()
