"""Many rooms in several processes: results are kept as they come, so that a campaign goes on where it was stopped."""

from __future__ import annotations

import json
import multiprocessing
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from pi_board.campaign.noise import models
from pi_board.campaign.play import GameScore, play_room
from pi_board.campaign.rooms import draw_room
from pi_board.referee import RefereeOptions

#: Begins the reason of a room in which the program broke.
_BROKEN = "broken: "


@dataclass(frozen=True)
class Plan:
    """What a campaign is. fixed: of the rooms, instead of drawn. referee: options other than the defaults."""

    games: int
    seed: int
    slow: float = 0.0
    synthetic: bool = False
    fixed: Mapping[str, Any] = field(default_factory=dict)
    referee: Mapping[str, Any] = field(default_factory=dict)
    keep: Path | None = None
    looks: bool = False

    def seeds(self) -> Iterator[int]:
        """Rooms until there are `games`: a few rooms play two."""
        seed, games = self.seed, 0
        while games < self.games:
            games += draw_room(seed, self.fixed).table.games
            yield seed
            seed += 1

    def same(self) -> str:
        """What must be equal for results to belong to the same campaign."""
        # Results with another model of vision belong to another campaign.
        vision = models()[0].source if self.synthetic else ""
        parts = [self.slow, self.synthetic, vision, sorted(self.fixed.items()), sorted(self.referee.items())]
        return json.dumps(parts, default=str)

    @property
    def results(self) -> Path | None:
        return None if self.keep is None else self.keep / "results.jsonl"


def play_seed(plan: Plan, seed: int) -> GameScore:
    """The room of one seed, played as `plan` says (in a process of its own, perhaps).

    A program that breaks in one room has failed in that room and is tried in the next: its traceback is kept beside the game.
    """
    room = draw_room(seed, plan.fixed)
    options = RefereeOptions(**dict(plan.referee))
    try:
        return play_room(
            seed,
            room,
            referee=options,
            slow=plan.slow,
            synthetic=plan.synthetic,
            keep=plan.keep,
            looks=plan.looks,
        )
    except OSError:
        raise  # A full disk is no fault of this room.
    except Exception as error:
        if plan.keep is not None:
            (plan.keep / str(seed)).mkdir(parents=True, exist_ok=True)
            (plan.keep / str(seed) / "traceback.txt").write_text(traceback.format_exc(), encoding="utf-8")
        why = [f"{_BROKEN}{type(error).__name__}: {error}"]
        return GameScore(seed, room.table.games, fps=room.table.fps, room=room.describe(), why=why)


def _settle_down() -> None:
    """A worker is one of several: one thread each."""
    import cv2

    cv2.setNumThreads(1)


def kept(plan: Plan) -> dict[int, GameScore]:
    """Results of an earlier, stopped run of the same campaign, by seed; rooms in which the program broke are played again."""
    out: dict[int, GameScore] = {}
    path = plan.results
    if path is None or not path.exists():
        return out
    names = {f.name for f in fields(GameScore)}
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            entry = json.loads(line)
            if entry["plan"] == plan.same():
                score = GameScore(**{k: v for k, v in entry["score"].items() if k in names})
                if not any(why.startswith(_BROKEN) for why in score.why):
                    out[score.seed] = score
        except (ValueError, KeyError, TypeError):
            continue  # The last line was being written when the power failed.
    return out


def run_campaign(
    plan: Plan, *, workers: int = 1, done: Callable[[GameScore, int, int], None] | None = None
) -> list[GameScore]:
    """Play every room that has no result yet; scores in the order of their seeds, all of them.

    done: called with each new score, how many rooms have one, and how many there are.
    """
    seeds = list(plan.seeds())
    scores = {seed: score for seed, score in kept(plan).items() if seed in set(seeds)}
    todo = [s for s in seeds if s not in scores]
    if plan.keep is not None:
        plan.keep.mkdir(parents=True, exist_ok=True)

    def note(score: GameScore) -> None:
        scores[score.seed] = score
        if plan.results is not None:
            with plan.results.open("a", encoding="utf-8") as f:
                f.write(json.dumps({"plan": plan.same(), "score": score.to_document()}) + "\n")
        if done is not None:
            done(score, len(scores), len(seeds))

    if workers <= 1:
        _settle_down()
        for seed in todo:
            note(play_seed(plan, seed))
    else:
        _play_together(plan, todo, workers, note)
    return [scores[s] for s in seeds if s in scores]


def _play_together(plan: Plan, todo: Sequence[int], workers: int, note: Callable[[GameScore], None]) -> None:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_settle_down) as pool:
        waiting: set[Future[GameScore]] = set()
        ahead = iter(todo)
        try:
            while True:
                while len(waiting) < workers and (seed := next(ahead, None)) is not None:
                    waiting.add(pool.submit(play_seed, plan, seed))
                if not waiting:
                    return
                over, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in over:
                    note(future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
