"""Cocked dice told from flat ones, on boards of the simulator: `python tests/bench/bench_cocked.py [--boards N] [--seed S] [--sheet FILE]`.

Every board holds dice that lean on a checker, the rim, the bar's edge or another die, dice upon checkers, and flat ones that touch
the same things or lie free. Leaning dice rest as bodies do: an edge on the field, the underside on a brim. Corners are the
truth's and checkers those of the position, as in play. Aim: of the cocked 90 % called cocked, of the flat at most 0.5 %; and none is
taken for the top of a checker (`Faces.look_like`), which is no die.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.dice.faces import Faces
from pi_board.vision.dice.footprint import against_checkers
from pi_board.vision.dice.reading import find_dice
from pi_board.vision.training.cocked_boards import COCKED, FLAT, boards

#: A die was found when its middle was seen within so many of its edges.
_NEAR = 0.75


def measure(count: int, seed: int, sheet: Path | None) -> None:
    found, called, total, faces = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    tiles = []
    for board in boards(count, seed):
        geometry = BoardGeometry(board.profile, board.corners, board.image.shape[1::-1])
        seen = [
            against_checkers(d, board.checkers, geometry, board.profile)
            for d in find_dice(board.image, geometry, Orientation(), checkers=board.checkers)
        ]
        tops = Faces(board.image, geometry, board.checkers)
        for lies in board.dice:
            total[lies.kind] += 1
            near = [d for d in seen if np.hypot(d.x - lies.at[0], d.y - lies.at[1]) < _NEAR * lies.edge]
            if not near:
                continue
            found[lies.kind] += 1
            cocked = any(d.cocked for d in near)
            called[lies.kind] += cocked
            faces[lies.kind] += any(tops.look_like(d.x, d.y) for d in near)
            if cocked != lies.die.cocked and sheet is not None:
                reach = max(8, round(2 * lies.edge))
                tile = cv2.resize(
                    cv2.getRectSubPix(
                        board.image, (2 * reach, 2 * reach), (float(lies.at[0]), float(lies.at[1]))
                    ),
                    (150, 150),
                )
                tile = cv2.copyMakeBorder(tile, 16, 2, 0, 2, cv2.BORDER_CONSTANT)
                cv2.putText(tile, f"{lies.kind} {lies.edge:.0f}", (1, 11), 0, 0.38, (255, 255, 255), 1)
                tiles.append(tile)
    print(f"{'':24}{'n':>6}{'found':>7}{'called cocked':>15}{'':>9}{'a top':>8}")
    for kinds, name in ((COCKED, "cocked"), (FLAT, "flat")):
        for kind in kinds:
            print(
                f"{kind:24}{total[kind]:>6}{found[kind]:>7}{called[kind]:>15}{called[kind] / max(1, found[kind]):>9.1%}{faces[kind]:>8}"
            )
        n, c = sum(found[k] for k in kinds), sum(called[k] for k in kinds)
        print(f"{name + ' together':24}{sum(total[k] for k in kinds):>6}{n:>7}{c:>15}{c / max(1, n):>9.1%}")
    if sheet is not None and tiles:
        tiles = tiles[:140] + [np.zeros_like(tiles[0])] * (-len(tiles[:140]) % 10)
        cv2.imwrite(str(sheet), np.vstack([np.hstack(tiles[i : i + 10]) for i in range(0, len(tiles), 10)]))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sheet", type=Path, help="tiles of what was told wrong")
    args = parser.parse_args()
    measure(args.boards, args.seed, args.sheet)
    return 0


if __name__ == "__main__":
    sys.exit(main())
