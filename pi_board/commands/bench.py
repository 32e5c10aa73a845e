"""`pi-board bench`: how fast this machine does what a game needs, each also as a multiple of one picture warp."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from pi_board.commands import bench_campaign
from pi_board.commands.argument_types import number

HELP = "run the benchmarks"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_subparsers(dest="bench", metavar="campaign")
    bench_campaign.add_arguments(
        which.add_parser("campaign", help=bench_campaign.HELP, description=bench_campaign.HELP)
    )
    parser.add_argument(
        "--seconds", type=number(0.01, 3600), default=1.5, help="time spent on each line (default 1.5)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def median_ms(work: Callable[[], Any], seconds: float) -> float:
    """Median milliseconds of `work`, after one warm-up."""
    work()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return 1000 * sorted(times)[len(times) // 2]


def run(args: argparse.Namespace) -> int:
    if args.bench == "campaign":
        return bench_campaign.run(args)
    rows = list(_rows(args.seconds))
    warp = rows[0][1]
    if args.json:
        json.dump(
            {"rows": [{"what": w, "ms": round(ms, 3), "warps": round(ms / warp, 2)} for w, ms in rows]},
            sys.stdout,
        )
        print()
        return 0
    print(f"{'what':<46}{'ms':>10}{'x warp':>10}")
    for what, ms in rows:
        print(f"{what:<46}{ms:>10.2f}{ms / warp:>10.2f}")
    return 0


def _rows(seconds: float) -> list[tuple[str, float]]:
    import cv2
    import numpy as np

    from pi_board.camera.simulated import SimulatedCamera
    from pi_board.frame import Frame
    from pi_board.hints import cube_action, rank_plays
    from pi_board.rules import STARTING_POSITION, explain, legal_plays
    from pi_board.session.finding_reader import FindingReader
    from pi_board.simulator import SimulatorOptions
    from pi_board.vision.profile import load_profile

    rows: list[tuple[str, float]] = []
    with SimulatedCamera(SimulatorOptions(seed=3, pace="brisk")) as camera:
        first = camera.read()
        assert first is not None
        reader = FindingReader(load_profile("jumbo-travel"))
        image, matrix = first.image, np.array([[1.02, 0.01, 3], [0.0, 0.99, 2], [1e-5, 0.0, 1]])
        size = (image.shape[1], image.shape[0])
        rows.append(
            (
                f"warpPerspective {size[0]}x{size[1]}",
                median_ms(lambda: cv2.warpPerspective(image, matrix, size), seconds),
            )
        )
        begin = time.perf_counter()
        reader.look(first)
        rows.append(("find the board and learn it (once)", 1000 * (time.perf_counter() - begin)))
        frames = [f for f in (camera.read() for _ in range(40)) if f is not None]
        clock = [frames[-1].time]

        def settled() -> None:
            clock[0] += 0.5
            reader.look(Frame(frames[3].image, clock[0], 0))

        turn = [0]

        def moving() -> None:
            turn[0] += 1
            clock[0] += 0.1
            shifted = np.roll(frames[turn[0] % 40].image, 25 * (turn[0] % 7), axis=1)
            reader.look(Frame(shifted, clock[0], 0))

        rows.append(("look at a settled frame", median_ms(settled, seconds)))
        rows.append(("gate of a frame in which much moves", median_ms(moving, seconds)))
    rows.append(
        (
            "legal plays of 3-1",
            median_ms(lambda: [p.result for p in legal_plays(STARTING_POSITION, (3, 1))], seconds),
        )
    )
    after = legal_plays(STARTING_POSITION, (3, 1))[0].result
    rows.append(
        ("explain a wrong play", median_ms(lambda: explain(STARTING_POSITION, after, (6, 5)), seconds))
    )
    rows.append(
        ("hint, fast", median_ms(lambda: rank_plays(STARTING_POSITION, (4, 2), level="fast"), seconds))
    )
    rows.append(
        ("hint, normal", median_ms(lambda: rank_plays(STARTING_POSITION, (4, 2), level="normal"), seconds))
    )
    rows.append(("cube advice", median_ms(lambda: cube_action(STARTING_POSITION), seconds)))
    return rows
