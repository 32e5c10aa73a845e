"""One room of the campaign: simulated camera, vision, referee and files, then the score of what was said."""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.camera.simulated import SimulatedCamera
from pi_board.campaign.looks import LookRecord, what_lies_there
from pi_board.campaign.noise import models
from pi_board.campaign.rooms import Room
from pi_board.campaign.unseen import UnseenCamera, UnseenReader
from pi_board.events import Event, PlayIllegal, PlayMade
from pi_board.output import Moment
from pi_board.record.journal import Journal
from pi_board.record.match import Rolled
from pi_board.referee import RefereeOptions
from pi_board.session.demo import DemoRun, run_demo
from pi_board.session.finding_reader import FindingReader
from pi_board.session.score import (
    delays,
    differences,
    events_of,
    pair_accusations,
    questions,
    right_reason,
    score_games,
)
from pi_board.session.sitting import Sitting
from pi_board.sighting import Gate
from pi_board.simulator import GameTruth
from pi_board.vision.loading import load_networks
from pi_board.vision.profile import load_profile

#: Seconds of pictures kept before and after a false or missing word, and between two kept pictures.
AROUND, SECONDS_BETWEEN = 5.0, 0.6


@dataclass
class GameScore:
    """What one room came to. seconds: CPU of the whole game; worked: of vision and referee in it; clock: on the camera.

    why: what was wrong, in words; empty when nothing was. green, red: seconds from the claim to the light.
    ready: seconds from the first picture, the board standing there set up, to the light that says so; empty when it never came.
    amber: illegal plays that nobody was accused of, but about which the table was asked.
    verdicts: ("green" or "red", the probability that it was said with, whether it was right).
    blind: seconds in which vision said that a hand or a thing hides the board, and there was neither.
    """

    seed: int
    games: int = 0
    turns: int = 0
    false: int = 0
    exact: int = 0
    shown: int = 0
    flagged: int = 0
    amber: int = 0
    reasons: int = 0
    questions: int = 0
    asked: dict[str, int] = field(default_factory=dict)
    green: list[float] = field(default_factory=list)
    red: list[float] = field(default_factory=list)
    ready: list[float] = field(default_factory=list)
    fps: float = 10.0
    frames: int = 0
    clock: float = 0.0
    seconds: float = 0.0
    worked: float = 0.0
    why: list[str] = field(default_factory=list)
    room: str = ""
    verdicts: list[tuple[str, float, bool]] = field(default_factory=list)
    blind: float = 0.0

    def to_document(self) -> dict[str, Any]:
        return asdict(self)


class _Witness:
    """An output that keeps verdicts with what really lay there then, a few pictures, and, if wanted, every look."""

    def __init__(self, camera: SimulatedCamera, pictures: bool, looks: bool) -> None:
        self.camera, self.scene = camera, camera.scene
        self.greens: list[tuple[float, bool]] = []
        self.pictures: list[tuple[float, npt.NDArray[np.uint8]]] = []
        self.looks = LookRecord() if looks else None
        self.blind = 0.0
        self._blind_since: float | None = None
        self._keep = pictures
        self._next = float("-inf")

    def show(self, moment: Moment) -> None:
        if moment.frame is None or moment.sighting is None:
            return
        if self._blind_since is not None:
            self.blind += moment.time - self._blind_since
        nothing = not self.scene.hands and not self.scene.clutter
        hidden = moment.sighting.gate in (Gate.HAND, Gate.BLOCKED)
        self._blind_since = moment.time if nothing and hidden else None
        self.greens += [(sureness(e), self._lies_there(e)) for e in moment.events if isinstance(e, PlayMade)]
        if self.looks is not None:
            self.looks.add(moment.sighting, what_lies_there(self.scene))
        worth_it = moment.events or (moment.time >= self._next and moment.sighting.settled)
        if self._keep and worth_it:
            self._next = moment.time + SECONDS_BETWEEN
            done, jpeg = cv2.imencode(".jpg", moment.frame.image, [cv2.IMWRITE_JPEG_QUALITY, 72])
            if done:
                self.pictures.append((moment.time, np.asarray(jpeg, np.uint8)))

    def _lies_there(self, event: PlayMade) -> bool:
        """The named play is on the board, and its side has rolled these dice, in this turn or the one before."""
        game = self.camera.truth.games[-1]
        rolled = [(t.side, sorted(t.dice)) for t in game.turns[-2:]]
        return (event.side, sorted(event.dice)) in rolled and list(
            event.position.points
        ) == self.scene.counts()[0]

    def close(self) -> None:
        """Nothing is open."""


def sureness(event: PlayMade | PlayIllegal) -> float:
    """The probability that a verdict carries: its own, or what its margin in nats over everything else comes to."""
    own = getattr(event, "probability", None)
    return float(own) if own is not None else 1.0 / (1.0 + math.exp(-min(50.0, event.margin)))


def play_room(
    seed: int,
    room: Room,
    *,
    referee: RefereeOptions | None = None,
    slow: float = 0.0,
    synthetic: bool = False,
    keep: Path | None = None,
    looks: bool = False,
    turns: int = 0,
) -> GameScore:
    """Play, referee and score the game (or two) of `room`.

    turns: stop when the first game has had so many (0 = play on to the end).
    synthetic: nothing is rendered, looks are drawn from a measured model of vision, one of `models` for the whole room.
    keep: where a failing game's journal, pictures and looks go (`looks`: every game's looks). slow: see `run_demo`.
    """
    began = time.process_time()
    # A slow processor takes a while to find the board, so the players wait longer for the light.
    options = replace(room.simulator, patience=120.0) if slow else room.simulator
    # Files that nobody will read: in memory where the system has such a place.
    memory = "/dev/shm" if synthetic and os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix=f"pi-board-room-{seed}-", dir=memory))
    camera = UnseenCamera(options) if synthetic else SimulatedCamera(options)
    vision = ""
    try:
        if synthetic:
            rng = np.random.default_rng((seed, 31))
            noise = models()[int(rng.integers(len(models())))]
            vision = f"vision={noise.name} "
            reader: FindingReader = UnseenReader(camera.scene, noise, rng)
        else:
            reader = FindingReader(load_profile(room.profile), near=room.told_near, home=room.told_home)
        sitting = Sitting.at_the_table(
            reader,
            rules=room.rules,
            options=referee or RefereeOptions(),
            match_length=options.match_length,
            names=("Light", "Dark"),
            folder=folder,
            go_on=False,
            event="campaign",
        )
        if slow and not synthetic:
            # `pi-board run` does so while its camera opens.
            load_networks()
        witness = _Witness(camera, keep is not None and not synthetic, keep is not None or looks)
        run = DemoRun()
        with contextlib.suppress(_EnoughSeen):
            run_demo(
                camera,
                sitting,
                [witness],
                slow=slow,
                run=run,
                progress=_until(camera, turns) if turns else None,
            )
        sitting.close()
        score = score_of(seed, room, camera.truth.games, run, sitting, turns)
        score.verdicts += [("green", round(p, 6), right) for p, right in witness.greens]
        score.blind = round(witness.blind, 1)
        score.room = vision + score.room
        score.seconds = round(time.process_time() - began, 2)
        if keep is not None and (score.why or looks):
            _keep(keep / str(seed), score, camera.truth.games, run, sitting.journal, witness)
    finally:
        camera.close()
        shutil.rmtree(folder, ignore_errors=True)
    return score


class _EnoughSeen(Exception):
    """The turns that were asked for have been played."""


def _until(camera: SimulatedCamera, turns: int) -> Callable[[DemoRun, Moment], None]:
    def check(run: DemoRun, moment: Moment) -> None:
        # Play one turn more: only the next roll ends a turn for certain.
        if sum(t.position is not None for t in camera.truth.games[0].turns) > turns:
            raise _EnoughSeen

    return check


def score_of(
    seed: int, room: Room, truths: Sequence[GameTruth], run: DemoRun, sitting: Sitting, turns: int
) -> GameScore:
    """What a referee's `run` of the games `truths` is worth. turns: of the first game that were asked for, 0 = all of it."""
    out = GameScore(
        seed,
        len(truths),
        fps=room.table.fps,
        frames=run.frames,
        clock=round(run.clock, 1),
        room=room.describe(),
    )
    out.worked = round(run.worked, 2)
    asked: Counter[str] = Counter()
    # Include the unfinished game, so that the score shows how far it came.
    recorded = sitting.files.transcript.result().games if sitting.files is not None else ()
    entries = score_games(truths, run, sitting)
    spoken = events_of(truths, run.games)
    light = {id(e): at for at, e in run.lit}
    out.ready = [round(at, 2) for at, e in run.lit if e.type == "game_started"][:1]
    for i, truth in enumerate(truths):
        events = spoken[i]
        paired = pair_accusations(truth, events)
        out.turns += len(truth.turns)
        out.shown += truth.illegal_shown
        out.flagged += len(paired.flagged)
        out.amber += len(paired.asked)
        out.reasons += paired.right_reasons
        out.false += len(paired.false)
        out.verdicts += [("red", round(sureness(e), 6), True) for _, e in paired.flagged]
        out.verdicts += [("red", round(sureness(e), 6), False) for e in paired.false]
        out.exact += entries[i]["transcript_exact"]
        asked.update(_question(e) for e in questions(truth, events))
        took = delays(truth, [(light.get(id(e), e.time), e) for e in events])
        out.green += [round(d, 2) for d in took.green]
        out.red += [round(d, 2) for d in took.red]
        name = f"game {i + 1}: " if len(truths) > 1 else ""
        for e in paired.false:
            out.why.append(
                f"{name}false accusation at {e.time:.1f} s: {e.side} {e.dice[0]}-{e.dice[1]} {e.code}: {e.reason}"
            )
        game = recorded[i] if i < len(recorded) else None
        if game is not None and turns and truth.winner is None:
            wrong = differences(truth, game, turns)
            out.exact += not wrong
            out.why += [f"not exact: {d}" for d in wrong]
            out.why += [
                f"missed {s.kind} ({s.code}) at {s.claimed:.1f} s" for s in paired.missed if s.gone >= 0
            ]
            continue
        if not run.games:
            out.why.append(f"{name}never started: {_last_words(sitting)}")
        else:
            out.why += [f"{name}not exact: {d}" for d in differences(truth, game)]
            if not entries[i]["transcript_exact"] and not differences(truth, game):
                out.why.append(f"{name}the game file differs from the referee's game")
        out.why += [
            f"{name}{'only asked about' if any(s is a for a in paired.asked) else 'missed'} {s.kind} ({s.code}) at {s.claimed:.1f} s"
            for s in paired.missed
        ]
        out.why += [
            f"{name}wrong reason at {e.time:.1f} s: said {e.code}, was {s.kind} ({s.code})"
            for s, e in paired.flagged
            if not right_reason(s, e)
        ]
        if (
            game is not None
            and game.winner is None
            and sum(isinstance(a, Rolled) for a in game.actions) < len(truth.turns)
        ):
            out.why.append(f"{name}not refereed to the end: {_last_words(sitting)}")
    out.asked = dict(asked)
    out.questions = sum(asked.values())
    return out


def _question(event: Event) -> str:
    doubts, code = getattr(event, "doubts", ""), getattr(event, "code", "")
    return ":".join(p for p in (event.type, doubts, code) if p)


def _last_words(sitting: Sitting) -> str:
    view = sitting.moment(0.0).view
    return view.message or sitting.reader.refusal or "nothing was said"


def _keep(
    folder: Path,
    score: GameScore,
    truths: Sequence[GameTruth],
    run: DemoRun,
    journal: Journal | None,
    witness: _Witness,
) -> None:
    """What one needs to see why: score, truth, journal, looks, and the pictures around each false or missing word."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "score.json").write_text(json.dumps(score.to_document(), indent=1), encoding="utf-8")
    truth = [asdict(t) for t in truths]
    (folder / "truth.json").write_text(
        json.dumps(truth, indent=1, default=lambda p: p.to_document()), encoding="utf-8"
    )
    if journal is not None:
        shutil.copy(journal.path, folder / "journal.jsonl")
    if witness.looks is not None:
        witness.looks.pressed = run.pressed
        witness.looks.save(folder / "looks.gz")
    moments = [(f"{s.kind}-missed", s.claimed) for t in truths for s in pair_accusations(t, _all(run)).missed]
    for i, truth_ in enumerate(truths):
        paired = pair_accusations(truth_, events_of(truths, run.games)[i])
        moments += [(f"{e.code}-false", e.time) for e in paired.false]
        moments += [(f"turn-{n}", t.claimed) for n, t in enumerate(truth_.turns) if _differs_at(score, n)]
    for name, at in moments:
        for then, jpeg in witness.pictures:
            if abs(then - at) <= AROUND:
                (folder / f"{then:07.1f}-{name}.jpg").write_bytes(jpeg.tobytes())


def _all(run: DemoRun) -> list[Event]:
    return [e for game in run.games for e in game]


def _differs_at(score: GameScore, turn: int) -> bool:
    return any(f"turn {turn}:" in why for why in score.why)
