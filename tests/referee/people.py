"""People at a synthetic table: they play, dither, knock checkers over, lift dice early, and some of them cheat.

`PlayedGame` drives a `Table` and a `Referee` move by move and keeps the truth beside it, so that a bench or a
test can compare. Whatever an honest player does here happens at real tables.
"""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pi_board import events as ev
from pi_board.events import Event
from pi_board.referee import RefereeOptions, engine_of
from pi_board.rules import (
    STARTING_POSITION,
    Play,
    Position,
    RuleSet,
    Side,
    explain,
    legal_plays,
    opponent,
    rule_set,
    winner,
)
from pi_board.sighting import BAR_DARK, BAR_LIGHT, CubeSeen, DieSeen, Gate
from tests.referee.synthetic import Noise, Table, slot_of

#: What may happen in an honest turn, with its chance.
HABITS: dict[str, float] = {
    "take_back": 0.08,
    "held_hit": 0.3,
    "held_checker": 0.15,
    "knock": 0.05,
    "knock_between": 0.03,
    "lift_early": 0.04,
    "throw_without_lifting": 0.1,
    "throw_before_lifting": 0.04,
    "cocked": 0.05,
    "wrong_half": 0.08,
    "long_think": 0.1,
    "misread_flicker": 0.1,
    "die_unseen": 0.1,
    "nudged_die": 0.08,
    "phone": 0.02,
    "dark": 0.02,
    "bump": 0.01,
    "resting_hand": 0.03,
    "tray_mess": 0.1,
    "one_hand_two_checkers": 0.3,
}
CHEATS = (
    "wrong_number",
    "must_enter_first",
    "point_blocked",
    "moved_backwards",
    "not_all_home",
    "bear_off_too_high",
    "must_play_both",
    "must_play_more",
    "must_play_larger",
    "could_have_moved",
    "no_legal_play",
    "too_many_moves",
    "hit_checker_not_on_bar",
    "checker_missing",
    "checker_added",
    "moved_opponent",
)
#: Faults that a question answers: of the board rather than of the play, and dice lifted with nothing played (perhaps to roll again).
ASKED_ABOUT = {
    "hit_checker_not_on_bar",
    "checker_missing",
    "checker_added",
    "moved_opponent",
    "could_have_moved",
}


@dataclass
class Outcome:
    """Figures of one or many games."""

    games: int = 0
    turns: int = 0
    looks: int = 0
    false_accusations: list[str] = field(default_factory=list)
    wrong_turns: list[str] = field(default_factory=list)
    questions: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    cheats: Counter[str] = field(default_factory=Counter)
    flagged: Counter[str] = field(default_factory=Counter)
    right_reason: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        for name in ("games", "turns", "looks", "questions"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("false_accusations", "wrong_turns", "missed", "delays"):
            getattr(self, name).extend(getattr(other, name))
        for name in ("asked", "cheats", "flagged", "right_reason"):
            getattr(self, name).update(getattr(other, name))


@dataclass
class Cheat:
    code: str
    moves: tuple[tuple[int, int], ...] = ()
    #: physical act besides: (kind, ...)
    act: str = ""


class PlayedGame:
    """One game. cheat: chance of a cheat per turn. habits: chances of what honest people do."""

    def __init__(
        self,
        seed: int,
        *,
        cheat: float = 0.0,
        noise: Noise | None = None,
        options: RefereeOptions | None = None,
        rules: str | RuleSet = "international",
        habits: dict[str, float] | None = None,
        max_turns: int = 120,
        wanted: Counter[str] | None = None,
    ) -> None:
        self.rng = np.random.default_rng(seed)
        self.seed = seed
        self.table = Table(seed=seed + 1_000_000, noise=noise or Noise())
        self.referee = engine_of(options)(options, rules)
        self.rules = rule_set(rules)
        self.cheat = cheat
        self.habits = HABITS if habits is None else habits
        self.max_turns = max_turns
        self.wanted = wanted if wanted is not None else Counter()
        self.out = Outcome(games=1)
        self.events: list[Event] = []
        self.cheating: Cheat | None = None
        self.accused: list[Event] = []
        self.truth: list[tuple[Side, tuple[int, int], Position]] = []

    # -- looks

    def see(self, looks: int | tuple[int, int], gate: Gate = Gate.SETTLED) -> list[Event]:
        n = looks if isinstance(looks, int) else int(self.rng.integers(looks[0], looks[1] + 1))
        new: list[Event] = []
        for _ in range(n):
            sighting = self.table.look(gate)
            new += self.referee.observe(sighting, sighting.time)
            self.out.looks += 1
        self._watch(new)
        return new

    def hand(self) -> None:
        self.see((1, 4), Gate.HAND if self.rng.random() < 0.7 else Gate.MOVING)

    def does(self, habit: str) -> bool:
        return bool(self.rng.random() < self.habits.get(habit, 0.0))

    def _watch(self, new: list[Event]) -> None:
        self.events += new
        for event in new:
            if isinstance(event, ev.PlayIllegal):
                self.accused.append(event)
                if self.cheating is None:
                    self.out.false_accusations.append(
                        f"seed {self.seed} turn {len(self.truth) + 1} t={event.time:.1f}: {event.code}: {event.reason}"
                    )
            elif isinstance(event, ev.Unclear | ev.CheckerMissing | ev.CheckerAdded):
                if isinstance(event, ev.Unclear):
                    self.out.asked[event.doubts + (":" + event.code if event.code else "")] += 1
                else:
                    self.out.asked[event.type] += 1
                if self.cheating is None:
                    self.out.questions += 1

    def say(self, command: ev.Command) -> list[Event]:
        new = self.referee.command(command, self.table.time)
        self._watch(new)
        return new

    # -- the game

    def run(self) -> Outcome:
        self.see((3, 8))
        side = self._opening()
        while len(self.truth) < self.max_turns:
            dice = self._first_dice or self._throw(side)
            self._first_dice = None
            over = self._turn(side, dice)
            if over:
                break
            side = opponent(side)
        self.see(8)
        self._compare()
        self.out.turns = len(self.truth)
        return self.out

    def _opening(self) -> Side:
        self._lifted = False
        while True:
            a, b = (int(n) for n in self.rng.integers(1, 7, 2))
            self.hand()
            self.table.throw(a, b, halves=("light", "dark"))
            self.see((4, 10))
            if a != b:
                self._first_dice: tuple[int, int] | None = (a, b)
                return "light" if a > b else "dark"

    def _throw(self, side: Side) -> tuple[int, int]:
        a, b = (int(n) for n in self.rng.integers(1, 7, 2))
        half: Any = opponent(side) if self.does("wrong_half") else side
        if self.does("cocked"):
            self.hand()
            self.table.throw(
                int(self.rng.integers(1, 7)), int(self.rng.integers(1, 7)), halves=(half, half), cocked=True
            )
            self.see((6, 12))
            self.hand()
            self.table.lift_dice()
            self.see((0, 6))
        old = list(self.table.dice)
        self.hand()
        self.table.throw(
            a, b, halves=(half, half), body=(40, 40, 200) if side == "light" else (230, 230, 230)
        )
        if old and self.does("throw_before_lifting"):
            fresh = list(self.table.dice)
            self.table.dice = old + fresh
            self.see((3, 8))
            self.hand()
            self.table.dice = fresh
        if self.does("misread_flicker"):
            kept = list(self.table.dice)
            d = kept[0]
            self.see((2, 5))
            self.table.dice = [DieSeen(d.value % 6 + 1, 0.6, d.x, d.y, d.size, d.half, body=d.body), kept[1]]  # type: ignore[operator]
            self.see(1)
            self.table.dice = kept
        if self.does("die_unseen"):
            kept = list(self.table.dice)
            self.table.dice = kept[:1]
            self.see((1, 3))
            self.table.dice = kept
        self.see((4, 10))
        if self.does("long_think"):
            self.see(60)
        return a, b

    def position(self) -> Position:
        c = self.table.checkers
        return Position(
            tuple(c[p][0] - c[p][1] for p in range(24)),
            (c[BAR_LIGHT][0], c[BAR_DARK][1]),
            (c[26][0], c[27][1]),
        )

    def _turn(self, side: Side, dice: tuple[int, int]) -> bool:
        before = self.position()
        # A cheat that was let stand is over once the next dice lie there.
        self.cheating = None
        plays = legal_plays(before, dice, side, self.rules)
        self._disturbances(side)
        cheat = self._plan_cheat(before, dice, side, plays) if self.rng.random() < self.cheat else None
        if cheat is not None:
            return self._cheats(cheat, before, dice, side, plays)
        play = plays[int(self.rng.integers(len(plays)))]
        if play.moves and self.does("take_back"):
            other = plays[int(self.rng.integers(len(plays)))]
            self._make(other, side)
            self.hand()
            self.table.put(before)
            self.see((3, 10))
        early = play.moves and self.does("lift_early")
        self._make(play, side, lift_before_last=bool(early))
        return self._finish(side, dice, play.result)

    def _finish(self, side: Side, dice: tuple[int, int], result: Position) -> bool:
        self.truth.append((side, dice, result))
        if winner(result) is not None:
            self.see(6)
            return True
        # People look at the play before they lift the dice, if only for half a second.
        self.see((4, 10))
        if self.table.dice and not (self.does("throw_without_lifting")):
            self.hand()
            self.table.lift_dice()
            self.see((6, 15))
        if self.does("knock_between"):
            self._knock()
        return False

    def _make(self, play: Play, side: Side, lift_before_last: bool = False) -> None:
        """The moves one after the other, with hands and pauses."""
        i = 0 if side == "light" else 1
        pending_hits = 0
        for n, (source, to) in enumerate(play.moves):
            last = n == len(play.moves) - 1
            self.hand()
            if last and lift_before_last:
                self.table.lift_dice()
                self.see((3, 8))
                self.hand()
            self.table.lift(source, side)
            if self.does("held_checker"):
                self.see((3, 20))
                self.hand()
            slot = slot_of(to, side)
            hit = slot < 24 and self.table.checkers[slot][1 - i] == 1
            if hit and self.does("held_hit"):
                self.table.checkers[slot][1 - i] = 0
                pending_hits += 1
                self.table.set_down(to, side, hit=False)
            else:
                self.table.set_down(to, side)
            if self.does("nudged_die") and self.table.dice:
                d = self.table.dice[0]
                shift = float(self.rng.uniform(15, 60))
                self.table.dice[0] = DieSeen(
                    d.value, d.confidence, d.x + shift, d.y, d.size, d.half, body=d.body
                )
            if not last and self.does("one_hand_two_checkers"):
                continue
            self.see((3, 15))
        if pending_hits:
            self.see((3, 10))
            self.hand()
            self.table.checkers[BAR_DARK if i == 0 else BAR_LIGHT][1 - i] += pending_hits
            self.see((3, 6))

    def _knock(self) -> None:
        """A checker slides to a neighbouring point and is put back."""
        held = [list(c) for c in self.table.checkers]
        points = [p for p in range(24) if sum(self.table.checkers[p])]
        p = int(self.rng.choice(points))
        i = 0 if self.table.checkers[p][0] else 1
        near = [q for q in (p - 1, p + 1) if 0 <= q < 24 and not self.table.checkers[q][1 - i]]
        if not near:
            return
        self.hand()
        self.table.checkers[p][i] -= 1
        self.table.checkers[int(self.rng.choice(near))][i] += 1
        self.see((3, 25))
        self.hand()
        self.table.checkers = held
        self.see((3, 6))

    def _disturbances(self, side: Side) -> None:
        if self.does("knock"):
            self._knock()
        if self.does("dark"):
            self.see((5, 60), Gate.DARK)
            self.see(4)
        if self.does("resting_hand"):
            self.see((20, 60), Gate.HAND)
        if self.does("bump"):
            self.see((3, 10), Gate.BOARD_MOVED)
            dx, dy = self.rng.uniform(-60, 60, 2)
            self.table.dice = [
                DieSeen(d.value, d.confidence, d.x + dx, d.y + dy, d.size, d.half, body=d.body)
                for d in self.table.dice
            ]
            self.see(5)
        if self.does("phone"):
            held = [list(c) for c in self.table.checkers]
            start = int(self.rng.integers(0, 20))
            for p in range(start, start + 4):
                self.table.checkers[p] = [0, 0]
            self.see((5, 60))
            self.hand()
            self.table.checkers = held
            self.see(5)

    # -- cheating

    def _plan_cheat(
        self, before: Position, dice: tuple[int, int], side: Side, plays: list[Play]
    ) -> Cheat | None:
        """A cheat of the rarest kind so far that this position offers."""
        found: dict[str, list[Cheat]] = {}
        i = 0 if side == "light" else 1
        points, bar, off = before.seen_from(side)
        own = [p for p in range(1, 25) if points[p - 1] > 0] + ([25] if bar[0] else [])
        legal = {p.result for p in plays}
        for _ in range(60):
            cheat = self._random_cheat(points, bar, own, dice, plays)
            if cheat is None:
                continue
            code = self._true_code(cheat, before, dice, side, legal)
            if code:
                cheat.code = code
                found.setdefault(code, []).append(cheat)
        found = {c: v for c, v in found.items() if c in CHEATS}
        if not found:
            return None
        least = min(self.wanted[c] for c in found)
        code = str(self.rng.choice(sorted(c for c in found if self.wanted[c] == least)))
        self.wanted[code] += 1
        del i, off
        return found[code][0]

    def _random_cheat(
        self, points: list[int], bar: list[int], own: list[int], dice: tuple[int, int], plays: list[Play]
    ) -> Cheat | None:
        rng = self.rng
        kind = int(rng.integers(0, 9))
        if kind == 0:
            return Cheat("", ()) if any(p.moves for p in plays) else None
        if kind == 1:
            play = plays[int(rng.integers(len(plays)))]
            return Cheat("", play.moves[:-1]) if len(play.moves) > 1 else None
        if kind == 2:
            play = plays[int(rng.integers(len(plays)))]
            extra = int(rng.choice(own))
            return Cheat("", (*play.moves, (extra, max(0, extra - int(rng.integers(1, 7))))))
        if kind == 3:
            act = str(rng.choice(["pocket_own", "pocket_other", "add_own", "move_other"]))
            play = plays[int(rng.integers(len(plays)))]
            return Cheat("", play.moves, act)
        if kind == 4:
            play = plays[int(rng.integers(len(plays)))]
            return Cheat("", play.moves, "keep_hit") if any(play.hits) else None
        moves = []
        n = 2 if kind < 8 else 1
        for die in rng.permutation(list(dice))[:n]:
            source = int(rng.choice(own))
            step = int(die) if rng.random() < 0.5 else int(rng.integers(-3, 9))
            if step == 0:
                return None
            moves.append((source, max(0, min(24, source - step))))
        return Cheat("", tuple(moves))

    def _after(
        self, cheat: Cheat, before: Position, side: Side
    ) -> tuple[list[list[int]], dict[str, Any], bool] | None:
        """(checkers, document for explain, both colours on a point) after the cheat; None when it can't be done."""
        trial = Table(seed=0, position=before)
        i = 0 if side == "light" else 1
        for source, to in cheat.moves:
            slot = slot_of(source, side)
            if trial.checkers[slot][i] == 0 or source == to:
                return None
            trial.lift(source, side)
            trial.set_down(to, side)
        rng = np.random.default_rng(zlib.crc32(repr((cheat.moves, cheat.act, before)).encode()))
        c = trial.checkers
        if cheat.act == "pocket_own":
            places = [p for p in range(24) if c[p][i]]
            if not places:
                return None
            c[int(rng.choice(places))][i] -= 1
        elif cheat.act == "pocket_other":
            places = [p for p in range(24) if c[p][1 - i]]
            if not places:
                return None
            c[int(rng.choice(places))][1 - i] -= 1
        elif cheat.act == "add_own":
            places = [p for p in range(24) if c[p][i] and not c[p][1 - i]]
            if not places:
                return None
            c[int(rng.choice(places))][i] += 1
        elif cheat.act == "move_other":
            places = [p for p in range(24) if c[p][1 - i] and not c[p][i]]
            ends = [p for p in range(24) if not c[p][i]]
            if not places:
                return None
            a, b = int(rng.choice(places)), int(rng.choice(ends))
            if a == b:
                return None
            c[a][1 - i] -= 1
            c[b][1 - i] += 1
        elif cheat.act == "keep_hit":
            bar = c[BAR_DARK if i == 0 else BAR_LIGHT]
            if bar[1 - i] <= before.bar[1 - i]:
                return None
            bar[1 - i] -= 1
        mixed = [p for p in range(24) if c[p][0] and c[p][1]]
        if len(mixed) > 1 or any(c[p][i] != 1 for p in mixed):
            return None
        document = {
            "points": [c[p][0] - c[p][1] for p in range(24)],
            "bar": {"light": c[BAR_LIGHT][0], "dark": c[BAR_DARK][1]},
            "off": {"light": c[26][0], "dark": c[27][1]},
        }
        return c, document, bool(mixed)

    def _true_code(
        self, cheat: Cheat, before: Position, dice: tuple[int, int], side: Side, legal: set[Position]
    ) -> str | None:
        done = self._after(cheat, before, side)
        if done is None:
            return None
        _, document, mixed = done
        if mixed and cheat.act:
            return None
        verdict = explain(before, document, dice, side, self.rules)
        return None if verdict.legal else verdict.code

    def _cheats(
        self, cheat: Cheat, before: Position, dice: tuple[int, int], side: Side, plays: list[Play]
    ) -> bool:
        done = self._after(cheat, before, side)
        assert done is not None
        checkers, _, mixed = done
        self.out.cheats[cheat.code] += 1
        self.cheating = cheat
        asked = Counter(self.out.asked)
        self.accused = []
        for source, to in cheat.moves[:-1]:
            self.hand()
            self.table.move(source, to, side)
            self.see((2, 8))
        self.hand()
        self.table.checkers = [list(c) for c in checkers]
        done_at = self.table.time
        self.see((4, 10))
        if not self.accused and self.table.dice:
            self.hand()
            self.table.lift_dice()
        # The opponent takes a moment before he rolls.
        self.see((35, 45))
        news = self.out.asked - asked
        flagged = bool(self.accused) or (cheat.code in ASKED_ABOUT and bool(news))
        if flagged:
            self.out.flagged[cheat.code] += 1
        else:
            self.out.missed.append(
                f"seed {self.seed} turn {len(self.truth) + 1}: {cheat.code} {cheat.moves} {cheat.act} {dice} {side}: "
                f"{self.referee.view().message} asked {dict(news)}"
            )
        codes = {e.code for e in self.accused if isinstance(e, ev.PlayIllegal)}
        if cheat.code in codes or (cheat.code in ASKED_ABOUT and flagged):
            self.out.right_reason[cheat.code] += 1
        elif flagged:
            self.out.missed.append(
                f"seed {self.seed}: reason {sorted(codes)} for {cheat.code} {cheat.moves} {dice} {side} {before.to_document()}"
            )
        if self.accused:
            self.out.delays.append(self.accused[-1].time - done_at)
        self.cheating = None
        played = self._after(Cheat("", cheat.moves), before, side)
        assert played is not None
        if cheat.act and self._is_legal(played[1], plays):
            # The play itself was right: only the checkers are put in order.
            self.hand()
            self.table.checkers = [list(c) for c in played[0]]
            self.see((6, 10))
            return self._finish(side, dice, self.position())
        whole = not mixed and all(sum(c[i] for c in checkers) == 15 for i in (0, 1))
        if whole and winner(self.position()) is None and (not flagged or self.rng.random() < 0.5):
            # Let stand: by the button, by the next roll, or because nobody noticed.
            self.cheating = cheat
            if self.accused and self.rng.random() < 0.3:
                self.say(ev.LetStand())
            self.truth.append((side, dice, self.position()))
            return False
        self.hand()
        self.table.put(before)
        self.see((4, 8))
        play = plays[int(self.rng.integers(len(plays)))]
        self._make(play, side)
        self.see(8)
        return self._finish(side, dice, play.result)

    def _is_legal(self, document: dict[str, Any], plays: list[Play]) -> bool:
        return any(p.result.to_document() == document for p in plays)

    # -- the verdict on the referee

    def _compare(self) -> None:
        ended = [e for e in self.events if isinstance(e, ev.TurnEnded)]
        told = [(e.side, tuple(sorted(e.dice or ())), e.position) for e in ended]
        true = [(s, tuple(sorted(d)), p) for s, d, p in self.truth]
        # The last turn may still be open when the looks end.
        for n, want in enumerate(true):
            if n >= len(told):
                if n < len(true) - 1:
                    self.out.wrong_turns.append(f"seed {self.seed} turn {n + 1}: not told")
                break
            if told[n] != want:
                self.out.wrong_turns.append(
                    f"seed {self.seed} turn {n + 1}: told {told[n][:2]} {ended[n].play}, true {want[:2]}"
                )
                break


_ = (STARTING_POSITION, CubeSeen)
