"""Samples of traced pictures to learn from, for the dice finder, for the dice readers, for the network of long points and for that of all points.

    python tests/bench/trace_rooms.py --count 200 --seed 1000 --dice 14 --samples 8 --out DIR
    python tests/bench/traced_samples.py DIR FILE.npz
    python -m pi_board.vision.training.finder_train learn DRAWN.npz OUT.npz --also FILE.npz

    python tests/bench/trace_rooms.py --count 200 --seed 2000 --rows --samples 8 --out DIR
    python tests/bench/traced_samples.py DIR SHARDS/stacks-900.npz --rows
    python -m pi_board.vision.training.stack_train SHARDS --start pi_board/vision/weights/stacks.npz --out OUT.npz

    python tests/bench/traced_samples.py DIR SHARDS/shard-900.npz --canvases
    python -m pi_board.vision.training.train SHARDS --start pi_board/vision/weights/slots.npz --out OUT.npz

    python tests/bench/traced_samples.py DIR DICE/traced_0001.npz --dice
    python -m pi_board.vision.training.dice_train second DICE DRAWN --start pi_board/vision/weights/dice_second.npz --keep

A finder's sample is a piece of the rectified field and what lies there, as `dice_data.draw` gives them; one of the second is a strip as
`stack_samples` cuts it, one of the third a canvas as `pictures.make_sample` makes it; a reader's is a patch as `pips.cut_patch` cuts it in play,
of the picture as it is and of smaller ones. Seeds below 1000 are for proof: learn from none of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.checkers.slot_network import PITCH, STRIDE, canvas_from_corners
from pi_board.vision.checkers.stacks import LEAST
from pi_board.vision.dice import pips
from pi_board.vision.dice.finder_view import FinderView, margin_of
from pi_board.vision.profile import load_profile
from pi_board.vision.training.boards import scale
from pi_board.vision.training.dice_data import FINDER_SIZE
from pi_board.vision.training.dice_photographs import missed
from pi_board.vision.training.pictures import cells_of
from pi_board.vision.training.stack_samples import packed, seen_board, strip_of
from pi_board.vision.training.textures import marble

Rng = np.random.Generator
#: Pieces of a picture. Corners are never found exactly: each piece has errors of its own, shares of the field's width. The same of the
#: strips, each of which is cut so many times; as in `stack_samples.strips_of`.
_PIECES, _SLIP = 8, 0.004
_SLIPS = 0.0005, 0.002, 0.005
#: The same of canvases, and of the bar's share of the width; as in `pictures.make_sample`.
_CANVAS_SLIPS = 0.0005, 0.0005, 0.0005, 0.0025, 0.0025, 0.0025, 0.006
_BAR_SLIPS = 0.002, 0.006, 0.012
#: How often a canvas after the first is dressed anew; how many colours of its ground then, how often in another colour, and how close
#: (levels, BGR) a colour counts as the same.
_DRESSED, _GROUNDS, _RECOLOURED, _ALIKE = 0.6, 3, 0.5, (14.0, 40.0)
#: What shows less of its top than this is not asked for, as in `dice_samples.finder_sample`.
_SHOWS = 0.45
_MOST_THINGS = 10
#: A picture is shown to the readers as it is and so many times smaller, so that its dice come to be so long, px; of a die there are so many
#: patches of the first, so many of each of the others. The smaller ones are softer by up to so many px at times, and compressed anew, with so
#: much of the quality. Dice of the pictures themselves are 7 to 30 px long; those that were read wrong with confidence were 9 to 10.
_SMALLER, _SMALL, _CUTS = 3, (6.5, 14.0), (4, 2)
_SOFT, _QUALITY = 0.6, (70, 96)
#: How the colours may be sampled: as most cameras do (four pixels share one), two, or each has its own.
_COLOURS = (
    cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420,
    cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420,
    cv2.IMWRITE_JPEG_SAMPLING_FACTOR_422,
    cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
)


def mean_edge(corners: npt.ArrayLike) -> float:
    """Of a face with these corners (4, 2), px."""
    of = np.asarray(corners, np.float64)
    return float(np.linalg.norm(np.roll(of, -1, axis=0) - of, axis=1).mean())


def things_of(document: dict[str, Any], view: FinderView) -> npt.NDArray[np.float32]:
    """(N, 5) kind, x, y, edge (px of the view), on a checker."""
    back = np.linalg.inv(view.to_picture)

    def flat(points: Any) -> npt.NDArray[np.float64]:
        return cv2.perspectiveTransform(np.array(points, np.float64).reshape(1, -1, 2), back)[0]

    def row(kind: int, thing: dict[str, Any], on_checker: bool = False) -> list[float]:
        return [kind, *flat(thing["center_px"])[0], mean_edge(flat(thing["corner_px"])), on_checker]

    rows = [
        row(1, die, die["cocked_kind"] == "on_checker")
        for die in document["dice"]
        if die["visible"] >= _SHOWS
    ]
    if document["cube"].get("corner_px"):
        rows.append(row(2, document["cube"]))
    return np.array(rows, np.float32).reshape(-1, 5)


def pieces(rng: Rng, picture: npt.NDArray[np.uint8], document: dict[str, Any]) -> list[tuple[Any, Any]]:
    """(FINDER_SIZE, FINDER_SIZE, 3) uint8 and its (10, 5) table, some of one picture."""
    out = []
    corners = np.array(document["corners_px"], np.float64)
    width = float(np.linalg.norm(corners[1] - corners[0]))
    for _ in range(_PIECES):
        slipped = corners + rng.normal(0, _SLIP * width, corners.shape)
        geometry = BoardGeometry(load_profile("generic"), slipped, (picture.shape[1], picture.shape[0]))
        view = FinderView(geometry, margin_of(geometry))
        flat = view.flat(picture)
        things = things_of(document, view)
        free = np.array(flat.shape[1::-1]) - FINDER_SIZE
        at = rng.integers(0, np.maximum(free, 0) + 1)
        table = np.zeros((_MOST_THINGS, 5), np.float32)
        inside = things[((things[:, 1:3] > at - 2) & (things[:, 1:3] < at + FINDER_SIZE + 2)).all(axis=1)]
        inside = inside[:_MOST_THINGS]
        table[: len(inside)] = inside - [0, *at, 0, 0]
        out.append((flat[at[1] : at[1] + FINDER_SIZE, at[0] : at[0] + FINDER_SIZE], table))
    return out


def smaller(rng: Rng, picture: npt.NDArray[np.uint8], times: float) -> npt.NDArray[np.uint8]:
    """The picture of a coarser camera."""
    height, width = picture.shape[:2]
    small = cv2.resize(picture, (round(width / times), round(height / times)), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.2, _SOFT)))
    how = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*_QUALITY))]
    how += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, int(rng.choice(_COLOURS))]
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", small, how)[1], cv2.IMREAD_COLOR), np.uint8)


def die_patches(
    rng: Rng, picture: npt.NDArray[np.uint8], document: dict[str, Any]
) -> list[tuple[npt.NDArray[np.uint8], list[float]]]:
    """(48, 48, 3) uint8 and its row, of every die of a picture some times over. The row is as `dice_data` has it: value, cocked, on a checker, share
    that is seen, edge px, and two of the drawn camera, which are nothing here; then how far the patch misses the die, as `dice_photographs.Aim`."""
    dice = [d for d in document["dice"] if d["visible"] >= _SHOWS]
    if not dice:
        return []
    usual = float(np.median([mean_edge(d["corner_px"]) for d in dice]))
    wanted = np.exp(rng.uniform(np.log(_SMALL[0]), np.log(_SMALL[1]), _SMALLER))
    seen = [
        (picture, 1.0),
        *((smaller(rng, picture, usual / w), usual / w) for w in wanted if w < 0.9 * usual),
    ]
    corners = np.array(document["corners_px"], np.float64)
    width = float(np.linalg.norm(corners[1] - corners[0]))
    out = []
    for image, times in seen:
        real = picture.shape[1] / image.shape[1], picture.shape[0] / image.shape[0]
        # (The middle of the first pixel lies at 0.)
        shrink = np.array(
            [[1 / real[0], 0, 0.5 / real[0] - 0.5], [0, 1 / real[1], 0.5 / real[1] - 0.5], [0, 0, 1.0]]
        )
        for _ in range(_CUTS[image is not picture]):
            slipped = corners + rng.normal(0, _SLIP * width, corners.shape)
            geometry = BoardGeometry(load_profile("generic"), slipped, (picture.shape[1], picture.shape[0]))
            view = FinderView(geometry, margin_of(geometry))
            for die, (_, x, y, edge, on_checker) in zip(
                dice, things_of({"dice": dice, "cube": {}}, view).tolist(), strict=True
            ):
                aim = missed(rng)
                middle = x + aim.right * edge, y + aim.down * edge
                patch = pips.cut_patch(
                    image, shrink @ view.to_picture, middle, edge * float(np.exp(aim.wide))
                )
                row = [
                    die["value"],
                    die["cocked"],
                    on_checker,
                    die["visible"],
                    mean_edge(die["corner_px"]) / times,
                    0.0,
                    0.0,
                ]
                out.append((patch, [*map(float, row), aim.right, aim.down, aim.wide]))
    return out


def strips(rng: Rng, picture: npt.NDArray[np.uint8], document: dict[str, Any]) -> list[tuple[Any, ...]]:
    """(strip, lift, count, upper layer at stride 8) of every long row of one picture, some times over."""
    corners = np.array(document["corners_px"], np.float64)
    width = float(np.linalg.norm(corners[1] - corners[0]))
    upper = np.zeros(picture.shape, np.uint8)
    for checker in document["checkers"]:
        if checker["loc"] == "point" and checker["layer"]:
            x, y = (round(v * 16) for v in checker["center_px"])
            cv2.circle(upper, (x, y), round(checker["radius_px"] * 16), (255, 255, 255), -1, cv2.LINE_AA, 4)
    sizes = document["geometry_cm"]
    bar = sizes["bar"] / sizes["field_w"]
    out = []
    for slip in _SLIPS:
        slipped = corners + rng.normal(0, slip * width, corners.shape)
        share = float(np.clip(bar + rng.normal(0, 0.003), 0.01, 0.2))
        board = seen_board(slipped, (picture.shape[1], picture.shape[0]), share)
        for i, point in enumerate(document["points"]):
            n = point["light"] + point["dark"]
            if n < LEAST:
                continue
            column, _ = Orientation("light").column_of(i + 1)
            strip, lifted, small = strip_of(picture, upper, board, column, i >= 12)
            out.append((strip, lifted, n, small))
    return out


def tops_of(document: dict[str, Any], size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """As `pictures.project_labels`, of a traced picture; no hand reaches into one. size: (width, height)."""
    tops = np.zeros((size[1], size[0], 3), np.uint8)
    # Upper layers last; of one layer the nearer ones, which are lower in the picture, hide the others.
    for checker in sorted(document["checkers"], key=lambda c: (c["layer"], c["center_px"][1])):
        if checker["visible"] > 0:
            x, y = (round(v * 16) for v in checker["center_px"])
            colour = (255, 0, 0) if checker["color"] == "light" else (0, 255, 0)
            cv2.circle(tops, (x, y), round(checker["radius_px"] * 16), colour, -1, cv2.LINE_AA, 4)
    return tops


def dressed(rng: Rng, canvas: npt.NDArray[np.uint8], cells: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The canvas with other colours, clouds and veins on what looks like some spots of its bare ground; checkers stay as they are."""
    size = canvas.shape[1::-1]
    near = cv2.dilate((cells > 0).astype(np.uint8), np.ones((3, 3), np.uint8))
    bare = 1 - cv2.resize(near.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    spots = np.argwhere(near == 0)
    out = canvas.astype(np.float32)
    smooth = cv2.GaussianBlur(canvas, (0, 0), 1.5).astype(np.float32)
    for _ in range(int(rng.integers(1, _GROUNDS + 1))):
        y, x = spots[rng.integers(len(spots))] * STRIDE + STRIDE // 2
        away = np.square(smooth - smooth[y, x]).sum(2) / rng.uniform(*_ALIKE) ** 2
        part = np.exp(-np.square(away)) * bare
        tone = marble(rng, canvas.shape[:2], PITCH) if rng.random() < 0.7 else np.ones_like(bare)
        new = out.copy()
        if rng.random() < _RECOLOURED:
            new += (np.exp(rng.normal(0, 0.4)) - 1) * new.mean((0, 1)) + rng.normal(0, 30, 3).astype(
                np.float32
            )
        scale(new, tone)
        out += part[..., None].astype(np.float32) * (new - out)
    return np.clip(out, 0, 255).astype(np.uint8)


def canvases(rng: Rng, picture: npt.NDArray[np.uint8], document: dict[str, Any]) -> list[dict[str, Any]]:
    """What `samples` keeps of a picture, of one of ours some times over."""
    size = picture.shape[1], picture.shape[0]
    corners = np.array(document["corners_px"], np.float64)
    width = float(np.linalg.norm(corners[1] - corners[0]))
    sizes = document["geometry_cm"]
    points = np.zeros((2, 12), np.int8)
    hidden = np.zeros((2, 12), np.float16)
    for i, point in enumerate(document["points"]):
        column, row = Orientation("light").column_of(i + 1)
        at = int(row), column
        points[at] = point["light"] - point["dark"]
        hidden[at] = document["point_hidden_by_hand"][i]
    bar = np.array([document["bar"][side] for side in ("light", "dark")], np.int8)
    tops = tops_of(document, size)
    out: list[dict[str, Any]] = []
    for slip in _CANVAS_SLIPS:
        slipped = corners + rng.normal(0, slip * width, corners.shape)
        share = sizes["bar"] / sizes["field_w"] + rng.normal(0, rng.choice(_BAR_SLIPS))
        share = float(np.clip(share, 0.01, 0.2))
        cells = cells_of(canvas_from_corners(tops, slipped, share))
        canvas = canvas_from_corners(picture, slipped, share)
        if out and rng.random() < _DRESSED:
            canvas = dressed(rng, canvas, cells)
        out.append({"canvas": canvas, "points": points, "bar": bar, "hidden": hidden, "cells": cells})
    return out


def pictures_of(folder: Path) -> Iterator[tuple[Rng, npt.NDArray[np.uint8], dict[str, Any]]]:
    """Every picture of a folder with its truth and a generator of its own."""
    for number, path in enumerate(sorted(folder.glob("*.json"))):
        picture = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
        yield np.random.default_rng(number), picture, json.loads(path.read_text())


def write_canvases(folder: Path, out: Path) -> int:
    """A shard for `train` of all pictures of a folder; returns how many canvases."""
    kept = [c for rng, picture, document in pictures_of(folder) for c in canvases(rng, picture, document)]
    np.savez(out, **{k: np.stack([c[k] for c in kept]) for k in kept[0]})
    return len(kept)


def write_rows(folder: Path, out: Path) -> int:
    """A shard for `stack_train` of all pictures of a folder; returns how many strips."""
    rows: list[tuple[Any, ...]] = []
    for rng, picture, document in pictures_of(folder):
        rows += strips(rng, picture, document)
    np.savez(out, **packed(rows))
    return len(rows)


def write_pieces(folder: Path, out: Path) -> int:
    """What `finder_train learn --also` takes, of all pictures of a folder; returns how many pieces."""
    images, labels, numbers = [], [], []
    for number, (rng, picture, document) in enumerate(pictures_of(folder)):
        for image, table in pieces(rng, picture, document):
            if image.shape[:2] == (FINDER_SIZE, FINDER_SIZE):
                images.append(image)
                labels.append(table.ravel())
                numbers.append(number)
    np.savez(out, images=np.stack(images), labels=np.stack(labels), number=np.array(numbers))
    return len(images)


def write_dice(folder: Path, out: Path) -> int:
    """A file of samples for `dice_train` of all pictures of a folder; returns how many patches."""
    kept = [s for rng, picture, document in pictures_of(folder) for s in die_patches(rng, picture, document)]
    np.savez(
        out, images=np.stack([p for p, _ in kept]), labels=np.array([row for _, row in kept], np.float32)
    )
    return len(kept)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.set_defaults(write=write_pieces)
    others = parser.add_mutually_exclusive_group()
    for flag, write, what in (
        ("--rows", write_rows, "strips of long rows"),
        ("--canvases", write_canvases, "canvases of the whole field"),
        ("--dice", write_dice, "patches of single dice"),
    ):
        others.add_argument(flag, dest="write", action="store_const", const=write, help=f"{what} instead")
    args = parser.parse_args()
    print(f"{args.out}: {args.write(args.folder, args.out)} samples")
    return 0


if __name__ == "__main__":
    sys.exit(main())
