"""Matches with careless players in each way to referee: the record, the clocks, and what was told unasked.

    PYTHONPATH=. python tests/bench/bench_match.py [--length 3] [--seeds 1 2] [--fps 10] [--modes legal responsible recorder]
        [--every 4] [--cut 60] [--rendered [--style travel]]

Nothing is rendered (looks are drawn from the measured model of vision) unless it is asked for: then the camera takes pictures and
vision reads them, which costs about seven times as much. Errors of the clock are seconds a turn, against the simulator's own
time between two lifts of dice without what the clock stood for. That time is as fine as `--fps`, so a slow camera's error shows
when people move faster than it takes pictures: `--fps 12 --every 4` is a camera of 3 pictures a second.

`--cut 60` cuts the power about every 60 s, whatever is going on: program, reader and referee are dropped as they are, and new ones go on
from the journal and the clock's file. The people wait meanwhile. Turns into which a cut fell are counted apart: a second may be lost.
"""

from __future__ import annotations

import argparse
import itertools
import json
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np

from pi_board import events as ev
from pi_board.camera.simulated import SimulatedCamera
from pi_board.campaign.noise import models
from pi_board.campaign.rooms import PROFILES
from pi_board.campaign.unseen import UnseenCamera, UnseenReader
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.panel.signals import Lights, lights_of, melody_of
from pi_board.record.journal import read_journal
from pi_board.referee import RefereeOptions
from pi_board.referee.match_options import ClockOptions, MatchOptions, Mode
from pi_board.rules import rule_set
from pi_board.session.demo import DemoRun, heard, run_demo
from pi_board.session.finding_reader import FindingReader
from pi_board.session.score import differences, events_of, pair_accusations
from pi_board.session.sitting import Sitting
from pi_board.simulator import GameTruth, SimulatorOptions
from pi_board.table import Phase, VerdictColour
from pi_board.vision.profile import load_profile
from pi_board.web.hub import LiveHub

#: Words that tell players what the referee thinks of a play.
TELLING = {
    "play_illegal",
    "play_made",
    "play_corrected",
    "play_stands",
    "unclear",
    "checker_missing",
    "checker_added",
}


@dataclass
class Match:
    """What one match came to. errors: seconds a turn; stopped: seconds charged while the table was amber, asked or paused."""

    mode: str
    seed: int
    fps: float
    games: int = 0
    turns: int = 0
    exact: int = 0
    shown: int = 0
    false: int = 0
    stood: int = 0
    stood_marked: int = 0
    challenged: int = 0
    answered_right: int = 0
    unclear: int = 0
    wrong_answers: list[str] = field(default_factory=list)
    refused: int = 0
    leaks: list[str] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    far: list[str] = field(default_factory=list)
    charged_while_stopped: float = 0.0
    cuts: int = 0
    #: Errors of the turns in which the power failed; `errors` has the others.
    cut_errors: list[float] = field(default_factory=list)
    why: list[str] = field(default_factory=list)
    seconds: float = 0.0
    journal: Path | None = None


class SeldomCamera(UnseenCamera):
    """Takes one look in `every`: the people at the table do not wait for it."""

    def __init__(self, options: SimulatorOptions, every: int) -> None:
        super().__init__(options)
        self._between = every - 1

    def read(self, timeout: float | None = None) -> Frame | None:
        if not all(self.skip() for _ in range(self._between)):
            return None
        return super().read(timeout)


class FailingPower:
    """`camera` until the power fails: then `read` gives None once, and `cut` is when. The table is the same afterwards."""

    def __init__(self, camera: SimulatedCamera, every: float, rng: np.random.Generator) -> None:
        self._camera, self._every, self._rng = camera, every, rng
        self._next = self._draw(0.0) if every else float("inf")
        self.cut: float | None = None

    def _draw(self, now: float) -> float:
        return now + self._every * float(self._rng.uniform(0.5, 1.5))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._camera, name)

    def read(self, timeout: float | None = None) -> Frame | None:
        self.cut = None
        if self._camera.next_time >= self._next:
            self.cut, self._next = self._camera.time, self._draw(self._camera.next_time)
            return None
        return self._camera.read(timeout)


class Onlooker:
    """Watches everything that leaves the table, as a player would who looks for a hint; asks in responsible mode."""

    def __init__(
        self, camera: SimulatedCamera, sitting: Sitting, out: Match, rng: np.random.Generator, ask: float
    ) -> None:
        self.camera, self.sitting, self.out, self.rng, self.ask = camera, sitting, out, rng, ask
        self.hub = LiveHub()
        self.asked_of = -1
        self.open = False
        self.stopped: list[tuple[float, float]] = []
        self._last: Moment | None = None

    def begin_again(self) -> None:
        """After a power cut: what was shown before is no longer to be compared with."""
        self._last = None
        self.hub = LiveHub()

    def show(self, moment: Moment) -> None:
        self._clock(moment)
        self.hub.show(moment)
        if self.out.mode == "legal":
            return
        was_open = self.open
        for event in moment.events:
            if isinstance(event, ev.ChallengeAnswered | ev.Challenged):
                self.open = True
            elif event.type in ("dice_rolled", "game_started", "game_won"):
                self.open = False
        if (was_open or self.open) and self.out.mode == "responsible":
            self.hub._news.clear()
            return
        lamps, said = lights_of(moment.view), [e.type for e in moment.events if e.type in TELLING]
        if self.out.mode == "recorder" and lamps != Lights():
            self.out.leaks.append(f"{moment.time:.1f}: lamp {lamps}")
        asked = self.sitting.match_play is not None and self.sitting.match_play.announcer.open
        if not asked and moment.view.verdict in (VerdictColour.GREEN, VerdictColour.RED):
            self.out.leaks.append(f"{moment.time:.1f}: {moment.view.verdict} {moment.view.message}")
        if not asked and [w for w in said if w != "unclear"]:
            self.out.leaks.append(f"{moment.time:.1f}: told {said}")
        if not asked and (moment.view.seen is not None or moment.view.expected is not None):
            self.out.leaks.append(f"{moment.time:.1f}: board {moment.view.message}")
        if melody_of(moment.events) in ("illegal", "corrected") and not asked:
            self.out.leaks.append(f"{moment.time:.1f}: buzzer")
        page = json.dumps(self.hub.state()).lower()
        news = " ".join(text for _, text in self.hub._news).lower()
        if not asked and ('"illegal' in page or "play_illegal" in news):
            self.out.leaks.append(f"{moment.time:.1f}: page")
        self.hub._news.clear()
        if moment.view.hints_locked is False:
            self.out.leaks.append("hints open")

    def _clock(self, moment: Moment) -> None:
        """Nothing may be charged while the told view is amber, paused or between games."""
        last, self._last = self._last, moment
        if last is None or self.sitting.match_play is None:
            return
        view = last.view
        stands = (
            view.verdict is VerdictColour.AMBER or view.question or view.phase in (Phase.PAUSED, Phase.OVER)
        )
        if not stands or last.time == moment.time:
            return
        self.stopped.append((last.time, moment.time))
        before, after = last.view.clock, moment.view.clock
        news = [e for e in moment.recorded if e.type not in ("clock_changed", "turn_timed")]
        if before is not None and after is not None and not news:
            self.out.charged_while_stopped += max(0, before.light - after.light) + max(
                0, before.dark - after.dark
            )

    def progress(self, run: DemoRun, moment: Moment) -> None:
        """In responsible mode the opponent asks now and then once the dice are lifted; always of an illegal play's turn half."""
        sitting = self.sitting
        # As `App` does after every picture.
        sitting.keep_clock(moment.time)
        if (
            self.out.mode != "responsible"
            or sitting.match_play is None
            or moment.view.phase is not Phase.ROLL
        ):
            return
        truth = self.camera.truth.games[-1]
        number = len(truth.turns)
        if number == self.asked_of or (
            not sitting.match_play.announcer.over
            and moment.view.dice is None
            and not sitting.match_play.announcer.dice
        ):
            return
        self.asked_of = number
        illegal = bool(truth.turns and truth.turns[-1].illegal and truth.turns[-1].illegal[-1].gone < 0)
        if self.rng.random() < (0.7 if illegal else self.ask):
            self.tell(sitting.pipeline.command(ev.LetStand(), moment.time))

    def tell(self, moment: Moment) -> None:
        self.show(moment)
        for event in moment.events:
            if word := heard(event):
                self.camera.tell(word)

    def close(self) -> None:
        return


def play(
    mode: Mode, length: int, seed: int, *, fps: float = 10.0, folder: Path, cheat: float = 0.06, ask: float = 0.1,
    players: str = "careless", engine: str = RefereeOptions().engine, kind: str = "delay",
    style: str = "", pace: str = "natural", every: int = 1, cut: float = 0.0,
) -> Match:  # fmt: skip
    """cut: seconds from one power cut to the next, about, 0 = none. style: of the set that is rendered, "" for none. every: of the pictures, one in so many is taken (where none is rendered)."""
    began = time.perf_counter()
    options = SimulatorOptions(
        seed=seed,
        games=0,
        match_length=length,
        players=players,
        cheat=cheat,
        fps=fps,
        pace=pace,
        patience=20.0,
        style=style or SimulatorOptions().style,
    )
    camera: SimulatedCamera
    if style:
        camera = SimulatedCamera(options)
    else:
        camera = SeldomCamera(options, every)
    rng = np.random.default_rng((seed, 31))
    noise = models()[int(rng.integers(len(models())))]

    def sit_down(*, go_on: bool = False) -> Sitting:
        """A program that has just been started."""
        reader = (
            FindingReader(load_profile(PROFILES[style])) if style else UnseenReader(camera.scene, noise, rng)
        )
        return Sitting.at_the_table(
            reader, rules=rule_set("international"),
            options=RefereeOptions(engine=engine),  # type: ignore[arg-type]
            match_length=length, names=("Light", "Dark"), folder=folder, go_on=go_on,
            match=MatchOptions(mode=mode, ask=False), match_clock=ClockOptions(kind=kind, minutes=300),  # type: ignore[arg-type]
        )  # fmt: skip

    out = Match(mode, seed, fps)
    sitting = sit_down()
    onlooker = Onlooker(camera, sitting, out, np.random.default_rng((seed, 77)), ask)
    power = FailingPower(camera, cut, np.random.default_rng((seed, 53)))
    cuts: list[tuple[float, int]] = []
    while True:
        run_demo(cast(SimulatedCamera, power), sitting, [onlooker], progress=onlooker.progress)
        if power.cut is None:
            break
        if sitting.referee.state.match.winner is not None:
            # Nothing is left to go on with.
            continue
        assert sitting.journal is not None
        cuts.append((power.cut, len(read_journal(sitting.journal.path).events)))
        sitting = onlooker.sitting = sit_down(go_on=True)
        onlooker.begin_again()
    sitting.close()
    assert sitting.journal is not None and sitting.files is not None
    out.journal = sitting.journal.path
    score(
        out,
        camera.truth.games,
        list(read_journal(sitting.journal.path).events),
        sitting,
        onlooker,
        length,
        cuts,
    )
    out.seconds = time.perf_counter() - began
    return out


def score(
    out: Match,
    truths: list[GameTruth],
    events: list[ev.Event],
    sitting: Sitting,
    onlooker: Onlooker,
    length: int,
    cuts: list[tuple[float, int]],
) -> None:
    """cuts: (seconds of the last picture before it, events in the journal then)."""
    assert sitting.files is not None
    games = sitting.files.transcript.result().games
    spoken = events_of(truths, [events])
    out.games = len(truths)
    for i, truth in enumerate(truths):
        out.turns += len(truth.turns)
        wrong = differences(truth, games[i] if i < len(games) else None)
        out.exact += not wrong
        out.why += [f"game {i + 1}: {w}" for w in wrong]
        paired = pair_accusations(truth, spoken[i] if len(truths) > 1 else events)
        out.false += len(paired.false)
        out.shown += truth.illegal_shown
        out.stood += sum(not t.legal for t in truth.turns)
    out.stood_marked = sum(isinstance(e, ev.TurnEnded) and not e.legal for e in events)
    challenges(out, truths, events)
    clock(out, truths, events, cuts)


def challenges(out: Match, truths: list[GameTruth], events: list[ev.Event]) -> None:
    """Every answer against what lay there when it was asked for. Whoever asked has no secret to be kept until the next throw."""
    asked: ev.Challenged | None = None
    turns = [t for g in truths for t in g.turns]
    for event in events:
        if isinstance(event, ev.DiceRolled) and asked is not None:
            # The referee could not tell either, and was amber.
            out.unclear += 1
            asked = None
        if isinstance(event, ev.Challenged):
            out.challenged += 1
            asked = event
        elif isinstance(event, ev.ChallengeAnswered) and asked is not None:
            turn = max((t for t in turns if 0 <= t.thrown <= asked.time), key=lambda t: t.thrown)
            # What stands lies there until the next throw, also while a double is offered and taken.
            lay = any(
                s.claimed <= asked.time and (s.gone < 0 or s.gone >= asked.time or s.outcome == "stands")
                for s in turn.illegal
            )
            right = event.legal != lay
            out.answered_right += right
            if not right:
                out.wrong_answers.append(
                    f"{event.time:.1f}: {turn.side} {turn.dice} said legal={event.legal} {event.code}"
                )
            asked = None
        elif isinstance(event, ev.Refused) and event.code.startswith("refused_challenge"):
            out.refused += 1


def together(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The same seconds, none of them twice."""
    out: list[tuple[float, float]] = []
    for a, b in sorted(s for s in spans if s[1] > s[0]):
        if out and a <= out[-1][1]:
            out[-1] = (out[-1][0], max(b, out[-1][1]))
        else:
            out.append((a, b))
    return out


def within(spans: list[tuple[float, float]], start: float, end: float) -> float:
    """Seconds of `spans` between two times (0 where `end` is not later)."""
    return sum(max(0.0, min(b, end) - max(a, start)) for a, b in spans)


def turn_ends(game: GameTruth) -> list[float]:
    """When the first turn began and every turn ended, by the dice that were lifted."""
    ends = [game.opened, *(t.lifted for t in game.turns)]
    if game.kind in ("single", "gammon", "backgammon") and "lift_early" not in game.turns[-1].quirks:
        # Who has borne off the last checker need not lift the dice. Who lifts them in the same movement has pressed by that.
        ends[-1] = game.turns[-1].claimed
    return ends


def clock(out: Match, truths: list[GameTruth], events: list[ev.Event], cuts: list[tuple[float, int]]) -> None:
    """Seconds that each turn was charged, beside what it really took without what the clock stood for."""
    timed = [e for e in events if isinstance(e, ev.TurnTimed)]
    cube = [e.time for e in events if e.type in ("cube_offered", "cube_taken")]
    stood = [(a.since, b.since) for a, b in [*stops(events), *given_back(events)]]
    out.cuts = len(cuts)
    for at, told in cuts:
        on = next((e for e in events[told:] if isinstance(e, ev.ClockChanged)), None)
        if on is None or on.why != "started":
            continue
        stood.append((at, on.since))
    stood = together(stood)

    def far_off(end: float, told: float) -> float:
        """Seconds. The time of an end from before a cut is lost with the machine's clock: the table was dark from there on."""
        end = next((at for at, _ in cuts if end <= at <= told), end)
        return abs(told - end) - within(stood, end, told)

    for game in truths:
        starts = turn_ends(game)
        for turn, (start, end) in zip(game.turns, itertools.pairwise(starts), strict=False):
            if start < 0 or end < 0 or any(start <= c <= end for c in cube):
                continue
            found = [e for e in timed if e.side == turn.side and far_off(end, e.ended) < 6 and e.seconds >= 0]
            if not found:
                out.far.append(f"{end:.1f}: {turn.side} {turn.dice} not timed")
                continue
            best = min(found, key=lambda e: abs(e.ended - end))
            truth = end - start - within(stood, start, end)
            error = best.seconds - truth
            failed = any(start <= at <= end for at, _ in cuts)
            (out.cut_errors if failed else out.errors).append(abs(error))
            if abs(error) > 0.5:
                out.far.append(
                    f"{end:.1f}{' (power cut)' if failed else ''}: {turn.side} {turn.dice} charged {best.seconds:.2f}, was {truth:.2f}"
                    f" (began {best.began - start:+.2f}, ended {best.ended - end:+.2f}) {turn.quirks} {turn.thrown_again}"
                    f" {[(s.kind, s.outcome, round(s.lifted, 1)) for s in turn.illegal]}"
                )


def stops(events: list[ev.Event]) -> list[tuple[ev.ClockChanged, ev.ClockChanged]]:
    """(stopped, started) pairs of the clock's changes."""
    out: list[tuple[ev.ClockChanged, ev.ClockChanged]] = []
    began: ev.ClockChanged | None = None
    for event in events:
        if isinstance(event, ev.ClockChanged):
            if event.stopped_by and began is None:
                began = event
            elif not event.stopped_by and began is not None:
                out.append((began, event))
                began = None
    return out


def given_back(events: list[ev.Event]) -> list[tuple[ev.ClockChanged, ev.ClockChanged]]:
    """(press, what took it back) where the time between was given back after a challenge."""
    out: list[tuple[ev.ClockChanged, ev.ClockChanged]] = []
    press: ev.ClockChanged | None = None
    for event in events:
        if isinstance(event, ev.ClockChanged) and event.why == "pressed":
            press = event
        elif isinstance(event, ev.ClockChanged) and event.why == "given_back" and press is not None:
            out.append((press, event))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--length", type=int, default=3)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--fps", type=float, default=10.0)
    parser.add_argument("--every", type=int, default=1, help="one picture in so many is taken")
    parser.add_argument("--cut", type=float, default=0.0, help="seconds from one power cut to the next")
    parser.add_argument("--modes", nargs="+", default=["legal", "responsible", "recorder"])
    parser.add_argument(
        "--engine", default=RefereeOptions().engine, help="steps or filter (default: the table's)"
    )
    parser.add_argument("--rendered", action="store_true", help="pictures of --style that vision reads")
    parser.add_argument("--style", choices=sorted(PROFILES), default="travel")
    parser.add_argument("--pace", default="natural")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    for mode, seed in itertools.product(args.modes, args.seeds):
        with tempfile.TemporaryDirectory() as name:
            folder = (args.keep / f"{mode}-{seed}") if args.keep else Path(name)
            m = play(
                mode, args.length, seed, fps=args.fps, folder=folder, engine=args.engine, pace=args.pace,
                every=args.every, cut=args.cut, style=args.style if args.rendered else "",
            )  # fmt: skip
        late = np.array(m.errors or [0.0])
        print(
            f"{mode:<12} seed {seed}: {m.games} games, {m.turns} turns, exact {m.exact}/{m.games}, false {m.false},"
            f" illegal {m.shown} (stood {m.stood}, marked {m.stood_marked}), challenged {m.challenged} right {m.answered_right} amber {m.unclear}"
            f" (refused {m.refused}), leaks {len(m.leaks)}; clock of {len(m.errors)} turns: median {np.median(late):.2f} s,"
            f" p99 {np.percentile(late, 99):.2f}, worst {late.max():.2f}, beyond 0.5 s {int((late > 0.5).sum())};"
            + (
                f" power cuts {m.cuts}, worst error of the {len(m.cut_errors)} turns they fell into {max(m.cut_errors, default=0.0):.2f} s,"
                f" beyond 1 s {sum(e > 1.0 for e in m.cut_errors)};"
                if m.cuts
                else ""
            )
            + f" charged while stopped {m.charged_while_stopped:.0f} s; {m.seconds:.0f} s"
        )
        for line in [*m.why, *m.wrong_answers, *m.leaks[:5], *(m.far if args.verbose else m.far[:6])]:
            print("   ", line)


if __name__ == "__main__":
    main()
