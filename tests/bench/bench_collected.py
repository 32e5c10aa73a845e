"""The reader on samples of one's own evenings (`[record] collect = true`).

    python tests/bench/bench_collected.py FOLDER [--learned] [--sheet failures.png]

Each picture is read by itself, with its corners; --learned: with the look learned from the first sample of the same evening,
as in a game. A board is right when all 24 points and both bar halves are. Dice count where the referee knew them.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

from pi_board.frame import Frame
from pi_board.record.samples import Sample, samples
from pi_board.rules import Position
from pi_board.vision import read_image
from pi_board.vision.finding.given_corners import fit_bar
from pi_board.vision.options import VisionOptions
from pi_board.vision.profile import load_profile
from pi_board.vision.reader import BoardReader


def profile_of(sample: Sample) -> str:
    try:
        load_profile(sample.document["profile"])
    except Exception:  # a set of somebody else's, described in a file that did not come along
        return "generic"
    return str(sample.document["profile"])


def slots(position: Position) -> np.ndarray:
    return np.array([*position.points, position.bar[0], -position.bar[1]])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--learned", action="store_true", help="look learned from each evening's first sample"
    )
    parser.add_argument("--sheet", type=Path, help="pictures of the boards that were read wrong, in one")
    args = parser.parse_args()
    evenings: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples(args.folder):
        evenings[sample.path.stem.rpartition("-")[0]].append(sample)
    wrong: list[np.ndarray] = []
    print(
        f"{'evening':<26} {'boards':>6} {'right':>6} {'slots right':>12} {'refused':>8} {'sure, wrong':>12} {'dice':>5} {'right':>6}"
    )
    for evening, kept in evenings.items():
        reader: BoardReader | None = None
        boards = right = refused = sure_wrong = slots_right = dice = dice_right = 0
        for number, sample in enumerate(kept):
            image = cv2.imread(str(sample.path))
            near, home = sample.document["near"], sample.document["home"]
            found: Position | None = None
            confidence = 0.0
            if args.learned:
                if reader is None or number == 0:
                    profile = load_profile(profile_of(sample))
                    reader = BoardReader(
                        profile,
                        near=near,
                        home=home,
                        registration=fit_bar(image, sample.corners, profile),
                        options=VisionOptions(motion=False),
                    )
                    reader.look(Frame(image, 0.0, 0))
                    reader.learn(sample.position)
                    continue
                looked = reader.look(Frame(image, float(number), number))
                seen = looked.dice
                if looked.log_likelihood is not None:
                    best = looked.log_likelihood[:26].argmax(axis=1) - 15
                    same = int((best == slots(sample.position)).sum())
                else:
                    same, refused = 0, refused + 1
            else:
                reading = read_image(
                    image, corners=sample.corners, profile=profile_of(sample), near=near, home=home
                )
                found, confidence, seen = reading.position, reading.confidence, reading.dice
                same = 0 if found is None else int((slots(found) == slots(sample.position)).sum())
                refused += found is None
            boards += 1
            right += same == 26
            slots_right += same
            sure_wrong += same < 26 and confidence >= 0.9
            if same < 26:
                wrong.append(cv2.resize(image, (480, 360)))
            for die in sample.document["dice"]:
                dice += 1
                dice_right += any(
                    d.value == die["value"]
                    and np.hypot(d.x - die["x"], d.y - die["y"]) < max(8.0, die["size"])
                    for d in seen
                )
        print(
            f"{evening:<26} {boards:>6} {right:>6} {slots_right / max(1, 26 * boards):>12.1%} {refused:>8} {sure_wrong:>12} {dice:>5} {dice_right:>6}"
        )
    if args.sheet is not None and wrong:
        rows = [
            np.hstack([*wrong[i : i + 4], *[np.zeros_like(wrong[0])] * (4 - len(wrong[i : i + 4]))])
            for i in range(0, len(wrong), 4)
        ]
        cv2.imwrite(str(args.sheet), np.vstack(rows[:20]))


if __name__ == "__main__":
    main()
