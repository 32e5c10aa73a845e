"""What the simulated camera costs: ms per frame by kind of frame, first picture, memory; and how long games are.

python tests/bench/bench_simulator.py [--frames N] [--style travel|wood|felt] [--pace natural|brisk|sparse]
"""

from __future__ import annotations

import argparse
import resource
import time

import cv2
import numpy as np

from pi_board.simulator import SimulatedTable, SimulatorOptions, make_table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--style", default="travel")
    parser.add_argument("--pace", default="brisk")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    table = SimulatedTable(
        SimulatorOptions(seed=args.seed, style=args.style, pace=args.pace, players="careless")
    )
    begin = time.process_time()
    table.next_frame()
    print(f"first picture    {1000 * (time.process_time() - begin):7.1f} ms")
    spent: dict[str, list[float]] = {"hand": [], "still": []}
    for _ in range(args.frames):
        begin = time.process_time()
        if table.next_frame() is None:
            break
        spent["hand" if table.scene.hands else "still"].append(1000 * (time.process_time() - begin))
    everything = spent["hand"] + spent["still"]
    for name, values in (*spent.items(), ("all", everything)):
        print(
            f"{name:16} {np.mean(values):7.1f} ms mean, {np.percentile(values, 95):6.1f} ms 95 %, {len(values)} frames"
        )
    print(f"peak memory      {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:7.0f} MB")
    for pace in ("natural", "brisk", "sparse"):
        _, script = make_table(SimulatorOptions(seed=args.seed, pace=pace, games=20))
        for _ in script.frames():
            pass
        games = [g for g in script.truth.games if g.kind != "pass"]
        frames, turns = np.mean([g.frames for g in games]), np.mean([len(g.turns) for g in games])
        print(
            f"{pace:16} {frames:7.0f} frames a game played out, {turns:.0f} turns, {frames / turns:.1f} frames a turn"
        )


if __name__ == "__main__":
    main()
