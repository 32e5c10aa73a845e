"""How often the referee is wrong, and how much it sees.

    python tests/bench/bench_referee.py                          # synthetic looks: quick, hundreds of games
    python tests/bench/bench_referee.py --risk --games 100       # risk against coverage, and calibration, in drawn rooms
    python tests/bench/bench_referee.py --kept DIR               # the same of a campaign that was kept: only what was said can be left unsaid

Synthetic games need no pictures: `people.PlayedGame` plays with all that people do (one checker at a time, taken back,
hit checkers kept in the hand, checkers knocked over, dice lifted early, phones on the board …) and gives noisy
likelihoods. Rendered frames through the whole pipeline: `pi-board bench campaign`.
Seeds are printed with every failure; the same seed gives the same game.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pi_board.campaign.bound import upper_bound
from pi_board.campaign.play import GameScore
from pi_board.campaign.run import Plan, play_seed
from pi_board.campaign.table import document
from pi_board.referee import RefereeOptions
from pi_board.referee.options import MARGINS
from tests.referee.people import CHEATS, Outcome, PlayedGame
from tests.referee.synthetic import Noise

#: What vision is like, from a good evening to a bad one.
VISION = {
    "good": Noise(),
    "noisy": Noise(sharp=6.0, sigma=0.8),
    "slips": Noise(wrong=0.01, sigma=0.8),
    "dusk": Noise(sharp=4.0, sigma=1.0, wrong=0.01),
    "no trays": Noise(trays=False),
}


def one_game(job: tuple[int, float, str, str, str]) -> Outcome:
    """A synthetic game: (seed, chance of a cheat per turn, key of VISION, strictness, engine)."""
    seed, cheat, vision, strictness, engine = job
    # Each game begins its round of cheats elsewhere, so that every kind comes up.
    wanted = Counter({code: (7 * i + seed) % 5 for i, code in enumerate(CHEATS)})
    options = RefereeOptions(strictness=strictness, engine=engine)  # type: ignore[arg-type]
    return PlayedGame(seed, cheat=cheat, noise=VISION[vision], options=options, wanted=wanted).run()


def synthetic(
    games: int,
    first: int,
    cheat: float,
    visions: list[str],
    strictness: str,
    workers: int,
    verbose: bool,
    engine: str,
) -> None:
    print(
        f"synthetic looks, seeds {first}-{first + games - 1}, strictness {strictness}, engine {engine}, cheats {cheat:.0%} of turns"
    )
    print(
        "vision    games turns  exact  false alarms  questions/game  cheats flagged     reason right  delay s  ms/look"
    )
    for vision in visions:
        total = Outcome()
        jobs = [(seed, cheat, vision, strictness, engine) for seed in range(first, first + games)]
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


def in_a_room(job: tuple[int, str, float, str]) -> GameScore:
    """A synthetic room of the campaign: (seed, knob, its value, engine)."""
    seed, knob, value, engine = job
    options: dict[str, object] = {knob: value, "engine": engine}
    if knob == "margin":
        MARGINS[f"{value:g}"] = (value, value / 2)
        options = {"strictness": f"{value:g}", "engine": engine}
    return play_seed(Plan(1, seed, synthetic=True, referee=options, fixed={"games": 1}), seed)


def knob(engine: str) -> tuple[str, tuple[float, ...]]:
    """What a table can be turned on, and the values that are tried: the chance of a false accusation where the engine
    knows it, else the nats by which an illegal play must beat every legal one."""
    if engine == "filter":
        return "epsilon", (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
    return "margin", (1.0, 2.0, 4.0, 6.0, 9.0, 14.0, 20.0)


def risk(games: int, first: int, workers: int, engine: str) -> None:
    """Risk against coverage: what each value of the knob costs and brings, on the same rooms; then whether verdicts are
    as sure as they say."""
    name, values = knob(engine)
    print(f"synthetic rooms of the campaign, seeds {first}-{first + games - 1}, engine {engine}")
    print(
        f"{name:<9} false (95 % below a turn)   flagged              exact     questions/game  green s p50 p95  red s p50 p95"
    )
    verdicts: list[tuple[str, float, bool]] = []
    with ProcessPoolExecutor(workers) as pool:
        for value in values:
            scores = list(
                pool.map(in_a_room, [(seed, name, value, engine) for seed in range(first, first + games)])
            )
            d = document(scores)
            shown, flagged = d["illegal_shown"], d["illegal_flagged"]
            times = ["  ".join(f"{t:5.1f}" for t in d["delay_s"][c]) or "    -" for c in ("green", "red")]
            print(
                f"{value:<9g} {d['false_accusations']:>5} ({d['bound95']:.1e})            {flagged:>4}/{shown:<4} {flagged / max(1, shown):6.1%}"
                f"  {d['exact']:>4}/{d['games']:<4}  {d['questions'] / max(1, d['games']):>14.2f}  {times[0]:>15}  {times[1]:>13}",
                flush=True,
            )
            verdicts += [v for s in scores for v in s.verdicts]
    reliability(verdicts)


def coverage(folder: Path) -> None:
    """Risk against coverage of a kept campaign: what is left if nothing is called illegal with a larger chance of being wrong."""
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    scores = {score["seed"]: score for score in (json.loads(line)["score"] for line in lines)}.values()
    turns, shown = (sum(score[name] for score in scores) for name in ("turns", "shown"))
    verdicts = [(color, p, right) for score in scores for color, p, right in score["verdicts"]]
    print(f"{sum(score['games'] for score in scores)} games, {turns} turns, {shown} illegal plays")
    print("epsilon   false (95 % below a turn)   flagged")
    for epsilon in (1.0, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
        # (Probabilities are kept to six digits.)
        said = [right for color, p, right in verdicts if color == "red" and 1 - p <= epsilon + 5e-7]
        false, flagged = said.count(False), said.count(True)
        print(
            f"{epsilon:<8g} {false:>6} ({upper_bound(false, turns):.1e})             {flagged:>5}  {flagged / max(1, shown):6.1%}"
        )
    reliability(verdicts)


def reliability(verdicts: Sequence[tuple[str, float, bool]]) -> None:
    """Of verdicts said with a probability, how many were right."""
    print("\nsaid with        verdict  how many  said on average  were right")
    edges = (0.0, 0.9, 0.99, 0.999, 0.9999, 1.0 + 1e-9)
    for color in ("green", "red"):
        for low, high in itertools.pairwise(edges):
            some = [(p, right) for c, p, right in verdicts if c == color and low <= p < high]
            if some:
                said, right = float(np.mean([p for p, _ in some])), float(np.mean([r for _, r in some]))
                print(
                    f"{low:<6g} to {min(1.0, high):<6g}  {color:<7} {len(some):>9}  {said:>15.4f}  {right:>10.4f}"
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
    parser.add_argument("--engine", choices=("steps", "filter"), default="steps")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--risk",
        action="store_true",
        help="risk against coverage over the table's knob, and the reliability of verdicts",
    )
    parser.add_argument(
        "--kept", type=Path, metavar="DIR", help="risk against coverage of a campaign kept there"
    )
    parser.add_argument("--verbose", action="store_true", help="by code, and every failure")
    args = parser.parse_args()
    if args.kept is not None:
        coverage(args.kept)
        return
    if args.risk:
        risk(args.games, args.seed, args.workers, args.engine)
        return
    for cheat in [args.cheat] if args.cheat is not None else [0.0, 0.3]:
        visions = list(VISION) if args.vision == "all" else [args.vision]
        synthetic(
            args.games, args.seed, cheat, visions, args.strictness, args.workers, args.verbose, args.engine
        )


if __name__ == "__main__":
    main()
