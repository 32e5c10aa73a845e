"""Many recorded games put to the coach on every core there is: cut into decisions, each judged once, added up in their order.

A decision is judged the same wherever that happens, and the figures are added in the order of the games: one core, eight, or a
Dask cluster give the same answer to the bit. A worker that dies costs its piece, which is done again.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING

from pi_board.errors import DeviceError
from pi_board.record.match import GameRecord, MatchRecord
from pi_board.session.look_back import Decision, coached_rules, decisions, put

if TYPE_CHECKING:
    from pi_board.hints import Coach

#: Decisions in one piece: a second or two of work, so that a lost piece costs little and sending it costs nothing.
PIECE = 32
#: How often a piece is tried before its failure is taken for the piece's own.
TRIES = 5


@dataclass(frozen=True, slots=True)
class Judgment:
    """What one decision adds to one player's account. counts: an unforced decision. grade: fine, doubtful, error, blunder.

    loss, luck: equity per unit cube. kind: play, double, no_double, take or pass.
    """

    side: str
    kind: str
    counts: bool
    loss: float
    luck: float
    grade: str
    best: str


Piece = tuple[Decision, ...]


def judge(piece: Piece) -> tuple[Judgment, ...]:
    """The coach on each decision of a piece. Runs in any process."""
    from pi_board.hints import Coach

    found = []
    for decision in piece:
        coach = Coach(level="fast", rules=decision.rules)
        found.append(_judged(coach, decision))
    return tuple(found)


def _judged(coach: Coach, decision: Decision) -> Judgment:
    from pi_board.hints import PlayReview

    review = put(coach, decision)
    if isinstance(review, PlayReview):
        kind, best = "play", str(review.best.play)
    else:
        kind, best = review.choice, review.advice.action
    account = coach.accounts[review.side]
    return Judgment(
        review.side,
        kind,
        bool(account.decisions + account.cube_decisions),
        account.play_loss + account.cube_loss,
        account.luck,
        review.grade,
        best,
    )


def judgments(
    games: Sequence[tuple[GameRecord, MatchRecord]],
    *,
    workers: int = 1,
    scheduler: str = "",
    progress: Callable[[float], None] | None = None,
) -> list[list[Judgment]]:
    """Per game, the judgments of its decisions in order. scheduler: a Dask cluster's address instead of own processes.

    Raises DeviceError when the cluster does not answer or the library is missing.
    """
    asked = [
        [d for said in decisions(game, match, coached_rules(match)) for d in said] for game, match in games
    ]
    # A winter's opening rolls come to the same few hundred positions, so each is analysed only once.
    different = list(dict.fromkeys(d for game in asked for d in game))
    pieces = [tuple(different[i : i + PIECE]) for i in range(0, len(different), PIECE)]
    if scheduler:
        found = _on_cluster(pieces, scheduler, progress)
    elif workers > 1:
        found = _on_cores(pieces, workers, progress)
    else:
        found = []
        for number, piece in enumerate(pieces, 1):
            found.append(judge(piece))
            if progress:
                progress(number / len(pieces))
    known = {
        d: j for piece, said in zip(pieces, found, strict=True) for d, j in zip(piece, said, strict=True)
    }
    return [[known[d] for d in game] for game in asked]


def _on_cores(
    pieces: Sequence[Piece], workers: int, progress: Callable[[float], None] | None
) -> list[tuple[Judgment, ...]]:
    found: dict[int, tuple[Judgment, ...]] = {}
    for _ in range(TRIES):
        left = [i for i in range(len(pieces)) if i not in found]
        if not left:
            break
        with (
            contextlib.suppress(BrokenProcessPool),
            ProcessPoolExecutor(workers, get_context("spawn")) as pool,
        ):
            # When a worker dies, keep the results of the others and send the rest to a fresh pool.
            for i, said in _done(pool, pieces, left):
                found[i] = said
                if progress:
                    progress(len(found) / len(pieces))
    if len(found) < len(pieces):
        raise DeviceError(
            f"coach: {len(pieces) - len(found)} pieces of work ended their process {TRIES} times"
        )
    return [found[i] for i in range(len(pieces))]


def _on_cluster(
    pieces: Sequence[Piece], scheduler: str, progress: Callable[[float], None] | None
) -> list[tuple[Judgment, ...]]:
    try:
        from distributed import Client
    except ImportError:
        raise DeviceError("coach: Dask is missing; install it with: pip install 'pi-board[farm]'") from None
    try:
        client = Client(scheduler, timeout=10, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise DeviceError(f"coach: {scheduler}: no Dask scheduler answers there ({error})") from None
    found: dict[int, tuple[Judgment, ...]] = {}
    with client, client.get_executor(retries=TRIES) as pool:
        for i, said in _done(pool, pieces, range(len(pieces))):
            found[i] = said
            if progress:
                progress(len(found) / len(pieces))
    return [found[i] for i in range(len(pieces))]


def _done(
    pool: Executor, pieces: Sequence[Piece], which: Sequence[int]
) -> Iterator[tuple[int, tuple[Judgment, ...]]]:
    """(number, judgments) of each piece as it is done."""
    waiting = {pool.submit(judge, pieces[i]): i for i in which}
    for future in concurrent.futures.as_completed(waiting):
        yield waiting[future], future.result()
