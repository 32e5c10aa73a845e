"""How often the referee is wrong, and how much it sees.

    python tests/bench/bench_referee.py                          # synthetic looks: quick, hundreds of games
    python tests/bench/bench_referee.py --rendered --games 3     # rendered frames through the whole pipeline

Synthetic games need no pictures: `people.PlayedGame` plays with all that people do (one checker at a time, taken back,
hit checkers kept in the hand, checkers knocked over, dice lifted early, phones on the board …) and gives noisy
likelihoods. Rendered games are the simulator's own, careless and cheating, frame by frame through vision.
Seeds are printed with every failure; the same seed gives the same game.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "referee"))

from people import CHEATS, Outcome, PlayedGame
from synthetic import Noise

from pi_board.referee import RefereeOptions

#: What vision is like, from a good evening to a bad one.
VISION = {
    "good": Noise(),
    "noisy": Noise(sharp=6.0, sigma=0.8),
    "slips": Noise(wrong=0.01, sigma=0.8),
    "dusk": Noise(sharp=4.0, sigma=1.0, wrong=0.01),
    "no trays": Noise(trays=False),
}


def one_game(job: tuple[int, float, str, str]) -> Outcome:
    """A synthetic game: (seed, chance of a cheat per turn, key of VISION, strictness)."""
    seed, cheat, vision, strictness = job
    # Each game begins its round of cheats elsewhere, so that every kind comes up.
    wanted = Counter({code: (7 * i + seed) % 5 for i, code in enumerate(CHEATS)})
    options = RefereeOptions(strictness=strictness)  # type: ignore[arg-type]
    return PlayedGame(seed, cheat=cheat, noise=VISION[vision], options=options, wanted=wanted).run()


def synthetic(
    games: int, first: int, cheat: float, visions: list[str], strictness: str, workers: int, verbose: bool
) -> None:
    print(
        f"synthetic looks, seeds {first}-{first + games - 1}, strictness {strictness}, cheats {cheat:.0%} of turns"
    )
    print(
        "vision    games turns  exact  false alarms  questions/game  cheats flagged     reason right  delay s  ms/look"
    )
    for vision in visions:
        total = Outcome()
        jobs = [(seed, cheat, vision, strictness) for seed in range(first, first + games)]
        begin = time.process_time()
        if workers > 1:
            with ProcessPoolExecutor(workers) as pool:
                for outcome in pool.map(one_game, jobs):
                    total.add(outcome)
        else:
            for job in jobs:
                total.add(one_game(job))
        cost = 1000 * (time.process_time() - begin) / max(1, total.looks)
        cheats, flagged = sum(total.cheats.values()), sum(total.flagged.values())
        right = sum(total.right_reason.values())
        delay = float(np.median(total.delays)) if total.delays else 0.0
        share = f"{flagged}/{cheats} {flagged / cheats:6.1%}" if cheats else "-"
        reason = f"{right}/{flagged} {right / flagged:6.1%}" if flagged else "-"
        print(
            f"{vision:<9} {total.games:>5} {total.turns:>5} {total.games - len(total.wrong_turns):>6}  {len(total.false_accusations):>12}"
            f"  {total.questions / total.games:>14.2f}  {share:<17}  {reason:<17} {delay:>5.1f}  {cost:>7.2f}",
            flush=True,
        )
        if verbose:
            for code in sorted(total.cheats):
                print(
                    f"    {code:<24} {total.flagged[code]:>4}/{total.cheats[code]:<4} reason {total.right_reason[code]}"
                )
            for line in [*total.false_accusations, *total.wrong_turns, *total.missed][:60]:
                print("    " + line)


def rendered(games: int, first: int, cheat: float, pace: str, style: str) -> None:
    """Each seed is a game of the simulator, through camera, vision, referee and files."""
    from pi_board.camera.simulated import SimulatedCamera
    from pi_board.rules import RULE_SETS
    from pi_board.session.demo import run_demo, score_games
    from pi_board.session.sitting import FindingReader, Sitting
    from pi_board.simulator import SimulatorOptions
    from pi_board.vision.profile import load_profile

    profiles = {"travel": "jumbo-travel", "wood": "classic-wood", "felt": "club-felt"}
    print(
        f"rendered frames, seeds {first}-{first + games - 1}, careless players, style {style}, pace {pace}, cheats {cheat:.0%} of turns"
    )
    print("seed  frames  turns  exact  false alarms  flagged  shown  questions  ms/frame")
    for seed in range(first, first + games):
        options = SimulatorOptions(
            seed=seed, games=1, cheat=cheat, style=style, players="careless", pace=pace
        )
        with SimulatedCamera(options) as camera, tempfile.TemporaryDirectory() as folder:
            sitting = Sitting.at_the_table(
                FindingReader(load_profile(profiles.get(style, "generic"))),
                rules=RULE_SETS["international"],
                options=RefereeOptions(),
                match_length=0,
                names=("Light", "Dark"),
                folder=Path(folder),
                go_on=False,
            )
            run = run_demo(camera, sitting)
            sitting.close()
            (game,) = score_games(camera.truth.games, run, sitting)
            asked = sum(
                e.type in ("unclear", "checker_missing", "checker_added", "asked")
                for g in run.games
                for e in g
            )
            turns = len(camera.truth.games[0].turns)
        print(
            f"{seed:>4}  {run.frames:>6}  {turns:>5}  {game['transcript_exact']!s:>5}  {game['false_alarms']:>12}  {game['illegal_flagged']:>7}"
            f"  {game['illegal_shown']:>5}  {asked:>9}  {sum(run.stages.values()):>8.1f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1000, help="of the first game")
    parser.add_argument(
        "--cheat", type=float, help="chance per turn; default: a round of honest and one of cheating games"
    )
    parser.add_argument("--vision", choices=[*VISION, "all"], default="all")
    parser.add_argument("--strictness", choices=("lenient", "normal", "tournament"), default="normal")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--rendered", action="store_true", help="rendered frames through the whole pipeline")
    parser.add_argument("--pace", choices=("natural", "brisk", "sparse"), default="sparse")
    parser.add_argument("--style", default="travel")
    parser.add_argument("--verbose", action="store_true", help="by code, and every failure")
    args = parser.parse_args()
    for cheat in [args.cheat] if args.cheat is not None else [0.0, 0.3]:
        if args.rendered:
            rendered(args.games, args.seed, cheat, args.pace, args.style)
        else:
            visions = list(VISION) if args.vision == "all" else [args.vision]
            synthetic(args.games, args.seed, cheat, visions, args.strictness, args.workers, args.verbose)


if __name__ == "__main__":
    main()
