"""The filter: hypotheses are expanded by what may happen next, weighed by what is seen, merged, and the best are kept.

Nothing is decided in here and nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from pi_board.events import Dice
from pi_board.referee.explanations import (
    IN_HAND,
    IN_HAND_KEY_FRAME,
    IN_HAND_LATE,
    Evidence,
    Reconciled,
    Turn,
    free_positions,
    position_of,
    reconcile,
    vector,
)
from pi_board.referee.inference.claims import moved_one_of_theirs
from pi_board.referee.inference.hypotheses import Done, Hypothesis, Lawful, Posterior, Weighed, lawful, turn
from pi_board.referee.inference.model import Model, nats
from pi_board.referee.inference.still import Still
from pi_board.referee.inference.throws import CHANCE, ROLLS, Throw
from pi_board.referee.one_turn import is_of_one_turn
from pi_board.referee.options import RefereeOptions
from pi_board.referee.state import State
from pi_board.rules import SIDES, Position, Procedure, RuleSet, Side, opponent

#: Results of a turn that are kept when it may be over, and nats behind the best at which one is not.
RESULTS, BEHIND = 4, 9.0
#: Nats behind the likeliest roll at which a roll is none: less likely than what is not modelled at all.
DICE_REACH = 9.5
#: Nats behind the best at which an open turn is not followed to its end.
FOLLOWED = 10.0
#: Nats behind the best within which hypotheses are looked at before anything else is.
LEADING = 14.0
#: Hypotheses looked at in full, outside the law as well.
IN_FULL = 3
#: Rolls that nobody saw which are tried in one look (they cost milliseconds each).
ROLLS_A_LOOK = 6
#: Nats that a board which nobody has played costs: something was pushed, or lies on it.
DISTURBED = 8.0
#: Nats that a board costs which cannot be the work of the player whose turn it is.
FOREIGN = 6.0
#: Nats by which "something else happened" explains a board worse than the best reading of it.
UNEXPLAINED = 1.0
#: Nats by which "something else happened" loses when a new still shows what was expected.
FOUND_AGAIN = 3.0
#: Probability that one player's dice come to lie in both halves, or beside the board. Set.
APART_OR_OUTSIDE = 0.1
#: Probability that a roll does not count where nothing in the rules speaks against how it lies. Set.
VOID_WITHOUT_REASON = 1e-4
#: Nats that what all accounts together leave out loses with each roll. Set.
FADES = 3.0
#: Looks of a still at which its explanations are made anew; between them they would hardly change.
REREAD = frozenset({1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64})


def total(logs: Iterable[float]) -> float:
    """Log of the sum of exponentials."""
    values = list(logs)
    high = max(values, default=-math.inf)
    return high if math.isinf(high) else high + math.log(sum(math.exp(v - high) for v in values))


#: Rolls that are remembered: no account of the game lags so far behind the dice. (All of an evening's 3,045 were 2 MB.)
THROWS_KEPT = 32


class Filter:
    """`restart` from a state that is sure, `thrown` when dice have come to rest, `weigh` for every look, `finish` when a turn is over."""

    def __init__(self, model: Model, options: RefereeOptions) -> None:
        self.model, self.options = model, options
        self.alive: list[Hypothesis] = []
        self.throws: dict[int, Throw] = {}
        self.lost = nats(model.people.unmodelled)
        #: No finished turn of this game has been announced yet.
        self.opening_turn = False
        #: Rolls elsewhere, and in the roller's own half.
        self.halves = [0, 0]
        #: What may be expanded by turns whose dice nobody saw: (hypothesis, roll, roll that came after it).
        self._unseen: list[tuple[Hypothesis, Dice, Throw | None]] = []
        self._tried: set[tuple[object, ...]] = set()
        self._before_throw: list[Hypothesis] = []
        self._at_throw: Still | None = None
        self._cache: dict[tuple[object, ...], Reconciled] = {}
        self._laws: dict[tuple[object, ...], tuple[Evidence, Lawful]] = {}
        self._evidence: Evidence | None = None
        self._cached_for: tuple[object, ...] = ()

    def restart(self, state: State) -> None:
        """Starts from a state that is certain, with one hypothesis."""
        sides: tuple[Side, ...] = SIDES if state.side is None else (state.side,)
        self.alive = []
        self._unseen, self._before_throw = [], []
        self._tried.clear()
        self.lost = nats(self.model.people.unmodelled)
        if state.position is not None and state.in_game:
            self.alive = [
                Hypothesis(state.position, side, state.dice, weight=-math.log(len(sides))) for side in sides
            ]

    def anew(self, position: Position) -> None:
        """Whatever happened before, this lies there now; whose turn it is, a play will tell. Nothing can be held against anybody
        until one has."""
        self.alive = [Hypothesis(position, side, weight=-math.log(2)) for side in SIDES]
        self._unseen, self._before_throw = [], []
        self.opening_turn = False
        self.lost = nats(self.model.people.hidden)

    # ------------------------------------------------------------------------------------ how likely what was read is

    def _half(self, throw: Throw, side: Side, law: RuleSet) -> float:
        """Log-likelihood of where the dice lie if `side` rolled them."""
        if law.dice_place != "right_half" or self.options.dice_half == "ignore" or self.options.key_frames:
            return 0.0
        people = self.model.people
        elsewhere, own = self.halves
        share = (people.own_half * people.half_looks + own) / (people.half_looks + own + elsewhere)
        if throw.halves[0] != throw.halves[1] or throw.halves[0] == "outside":
            return nats(APART_OR_OUTSIDE)
        return math.log(share if throw.halves[0] == side else 1 - share)

    def _void(self, throw: Throw, side: Side, law: RuleSet) -> tuple[float, float]:
        """Log-likelihoods of the roll as one that counts, and as one that does not."""
        people = self.model.people
        cocked = (
            people.cocked
            if law.dice_flat or (throw.on_checker and law.dice_off_checkers)
            else VOID_WITHOUT_REASON
        )
        counts = math.log(
            (1 - cocked) * math.exp(throw.flat) + cocked * math.exp(throw.cocked) * people.played_cocked
        )
        void = math.log(cocked) + throw.cocked + math.log(1 - people.played_cocked)
        if self.misplaced(throw, side, law):
            void, counts = (
                total((void, nats(1 - people.counts_outside))),
                counts + nats(people.counts_outside),
            )
        return counts, void

    def misplaced(self, throw: Throw, side: Side | None, law: RuleSet) -> str:
        """Why this roll does not count because of where it lies: outside, wrong_half; "" when it does."""
        wish = self.options.dice_half
        if wish == "ignore" or side is None:
            return ""
        faults = [Procedure.of(law).die_fault(side, half=half) for half in throw.halves]
        codes = {f.code for f in faults if f is not None}
        if "outside" in codes:
            return "outside"
        return "wrong_half" if "wrong_half" in codes and wish == "enforce" else ""

    def read(self, h: Hypothesis, law: RuleSet) -> float:
        """Log-likelihood of the roll of the turn in hand."""
        throw = self.throws.get(h.serial)
        if throw is None:
            return 0.0
        counts, void = self._void(throw, h.side, law)
        if h.void:
            return void + self._half(throw, h.side, law)
        if h.opening is not None:
            light, dark = h.opening
            return counts + (
                throw.of_each(light, dark) if throw.halves[0] == "light" else throw.of_each(dark, light)
            )
        if h.dice is None:
            return 0.0
        return counts + throw.of_roll(h.dice) + self._half(throw, h.side, law)

    # ------------------------------------------------------------------------------------ what may happen next

    def thrown(
        self, throw: Throw, law: RuleSet, now: Still | None, before: Still | None, opening: bool
    ) -> None:
        """Two dice that were not there before have come to rest."""
        self.throws[throw.serial] = throw
        if len(self.throws) > THROWS_KEPT:
            del self.throws[min(self.throws)]
        people = self.model.people
        earlier = now if now is not None and now.looks > throw.looks + 1 else before
        to_roll: list[Hypothesis] = []
        new: list[Hypothesis] = []
        for h in self._followed(law, now):
            if h.dice is None:
                read = self.read(h, law) if h.void else 0.0
                to_roll.append(replace(h, weight=h.weight + read + self._lay_there(h.before, earlier)))
                continue
            read = self.read(h, law)
            open_turn = replace(h, weight=h.weight + read)
            to_roll += self._over(open_turn, law, earlier, now)
            # The same player once more; the same dice taken for new ones; something that is no roll at all.
            again = replace(open_turn, opening=None, said="again")
            new += self._rolls(again, throw, nats(people.again))
            if throw.values is not None and throw.values == h.dice and not self._lay_elsewhere(h, throw):
                new.append(
                    replace(
                        h,
                        serial=throw.serial,
                        opening=None,
                        weight=open_turn.weight
                        - self._read_as(h, throw, law)
                        + nats(people.same_dice)
                        + math.log(36),
                    )
                )
            new.append(
                replace(h, weight=h.weight + nats(people.withdrawn if throw.crowded else people.stray))
            )
        to_roll = self._kept(to_roll, law)
        self._before_throw, self._at_throw = to_roll, now
        for h in to_roll:
            if opening and not h.past:
                new += self._opening(h, throw, law)
                continue
            new += self._rolls(h, throw, 0.0)
            new.append(replace(h, serial=throw.serial, void=True))
            last = h.past[-1] if h.past else None
            if last is not None and last.result == last.before:
                back = replace(h, before=last.before, side=last.side, past=h.past[:-1], said="again")
                new += self._rolls(back, throw, nats(people.again))
        self.lost = total((self.lost - FADES, nats(people.unmodelled)))
        self._unseen, self._tried = [], set()
        self._keep([self._in_time(h, throw, now) for h in new], law)

    def _in_time(self, h: Hypothesis, throw: Throw, now: Still | None) -> Hypothesis:
        """Prior that a player has already played when the dice are first seen; few have."""
        at_once = now is not None and now.looks <= throw.looks + 1
        if (
            h.dice is None
            or not at_once
            or now is None
            or now.evidence.score(h.before) >= -self.options.slack
        ):
            return h
        return replace(h, weight=h.weight + nats(self.model.people.hasty))

    def _lay_there(self, position: Position, earlier: Still | None) -> float:
        """Log-likelihood of what was seen just before the roll if nobody had played from `position`."""
        if earlier is None or earlier.looks < self.options.agree_looks:
            return 0.0
        score = earlier.evidence.score(position)
        return 0.0 if score >= -self.options.slack else max(score, nats(self.model.people.moved_before))

    def _followed(self, law: RuleSet, still: Still | None) -> list[Hypothesis]:
        """The hypotheses worth following: likely by all that has been seen, the present board included."""
        if still is None or len(self.alive) < 2:
            return self.alive
        scored = []
        for h in self.alive:
            board = self._lawful(h, still.evidence, law, IN_HAND_LATE).score if h.dice is not None else 0.0
            scored.append((h.weight + self.read(h, law) + max(board, -DISTURBED), h))
        best = max(score for score, _ in scored)
        return [h for score, h in scored if score >= best - FOLLOWED]

    def _lay_elsewhere(self, h: Hypothesis, throw: Throw) -> bool:
        """Equal numbers, but the dice had been lifted and now lie in the other half."""
        was = self.throws.get(h.serial)
        return (
            throw.gap >= self.options.lift_looks and was is not None and set(was.halves) != set(throw.halves)
        )

    def _read_as(self, h: Hypothesis, throw: Throw, law: RuleSet) -> float:
        h = replace(h, serial=throw.serial, opening=None)
        return self.read(h, law) - self._half(throw, h.side, law)

    def _rolls(self, h: Hypothesis, throw: Throw, cost: float) -> list[Hypothesis]:
        out = [h.rolled(roll, throw.serial, cost) for roll in throw.likely(DICE_REACH)]
        danced = bool(h.past) and h.past[-1].result == h.past[-1].before
        if throw.values is not None and not h.said and not danced:
            # The other side takes the roll for its own, or a turn was forgotten.
            out.append(
                replace(h, side=opponent(h.side), said="other side").rolled(
                    throw.values, throw.serial, cost + nats(self.model.people.other_side)
                )
            )
        return out

    def _opening(self, h: Hypothesis, throw: Throw, law: RuleSet) -> list[Hypothesis]:
        """One die each, or simply the first roll of a game whose opening nobody saw."""
        people = self.model.people
        each = set(throw.halves) == set(SIDES) and law.dice_place == "right_half"
        halves = set(throw.halves) == set(SIDES)
        tie = people.tie if halves or law.dice_place == "board" else people.tie_in_one_half
        if law.opening == "highest_throw" and not halves:
            # Two dice each, and the higher total begins: a double may well be a roll.
            tie = people.tie_of_two_dice
        out: list[Hypothesis] = []
        for roll in throw.likely(DICE_REACH):
            a, b = roll
            if each:
                for light, dark in {(a, b), (b, a)}:
                    if light == dark:
                        out.append(
                            replace(
                                h, serial=throw.serial, opening=(light, dark), weight=h.weight + nats(tie)
                            )
                        )
                    elif (light > dark) == (h.side == "light"):
                        dice = roll if law.opening_numbers == "thrown" else None
                        out.append(
                            replace(
                                h,
                                dice=dice,
                                serial=throw.serial,
                                opening=(light, dark),
                                weight=h.weight + math.log(2),
                            )
                        )
                continue
            if a == b:
                out.append(replace(h, serial=throw.serial, opening=roll, weight=h.weight + nats(tie)))
                out.append(h.rolled(roll, throw.serial, nats(1 - tie)))
            else:
                # Where halves say little, the higher number still lies most likely before who rolled it.
                higher = throw.halves[0] if throw.first[a - 1] >= throw.first[b - 1] else throw.halves[1]
                cost = (
                    0.0 if not halves else nats(people.own_half if h.side == higher else 1 - people.own_half)
                )
                out.append(h.rolled(roll, throw.serial, cost))
        out.append(replace(h, serial=throw.serial, void=True, opening=None))
        return out

    def _over(
        self, h: Hypothesis, law: RuleSet, earlier: Still | None, now: Still | None, *, lawfully: bool = False
    ) -> list[Hypothesis]:
        """The turn in hand is over: by which of its plays, lawful or (unless `lawfully`) not."""
        assert h.dice is not None
        people = self.model.people
        of = turn(h.before, h.dice, h.side, law)
        unseen = h.serial == 0 and h.said == "unseen"
        then = earlier.evidence if earlier is not None else None
        here = now.evidence if now is not None else None
        out: list[Hypothesis] = []

        def seen(counts: np.ndarray) -> np.ndarray:
            """Log-likelihood of having been finished like this, in time to be seen or out of sight."""
            if then is None:
                return (
                    np.zeros(len(counts))
                    if here is None
                    else np.maximum(here.scores(counts), nats(people.out_of_sight))
                )
            return np.logaddexp(then.scores(counts), nats(people.out_of_sight))

        scores = seen(of.legal_counts)
        if not of.may_pass:
            moved = np.array([p.result != of.before for p in of.legal])
            scores = np.where(moved, scores, -np.inf)
        order = list(np.argsort(-scores)[:RESULTS])
        for evidence in (then, here):
            if evidence is not None:
                order += list(np.argsort(-evidence.scores(of.legal_counts))[:RESULTS])
        best = float(scores.max())
        for i in dict.fromkeys(int(i) for i in order):
            if scores[i] >= best - BEHIND:
                play = of.legal[i]
                out.append(
                    h.finished(
                        Done(h.side, h.dice, h.before, play.result, "legal", play, unseen), float(scores[i])
                    )
                )
        if lawfully:
            return out
        out += self._stopped_short(h, of, seen, unseen)
        for evidence in (then, here) if then is not here else (here,):
            if evidence is None or lawful(evidence, of, IN_HAND_LATE).score >= -self.options.slack:
                continue
            found = reconcile(
                evidence, of, red_margin=self.options.slack, slack=self.options.slack, in_hand=IN_HAND_LATE
            )
            result = found.position or (found.unlawful if found.kind != "unclear" else None) or found.seen
            if result is None and found.kind == "illegal":
                result = h.before
            # A checker that was borne off and is on the board again contradicts the earlier belief; it is no play.
            back = result is not None and any(a < b for a, b in zip(result.off, h.before.off, strict=True))
            if result is not None and not back and result != h.before and of.play_to(result) is None:
                cost = found.fit if found.kind == "illegal" else -DISTURBED + max(found.fit, -DISTURBED)
                out.append(
                    h.finished(
                        Done(h.side, h.dice, h.before, result, "illegal", None, unseen),
                        nats(people.illegal) + cost,
                    )
                )
        if self.opening_turn and not h.past and law.second_player_repeats and h.dice[0] != h.dice[1]:
            # Leaflet 001: the second player plays the same two numbers without rolling.
            out = [
                *(o.rolled(h.dice, 0, 0.0, said="repeats") for o in out),
                *(replace(o, weight=o.weight + nats(people.throws_instead)) for o in out),
            ]
        return out

    def _stopped_short(self, h: Hypothesis, of: Turn, seen: object, unseen: bool) -> list[Hypothesis]:
        """Nothing played, or only a part, though more was possible."""
        assert h.dice is not None
        if not of.can_move:
            return []
        people, counts = self.model.people, []
        if not of.may_pass:
            counts.append(vector(of.before))
        counts += list(of.partial_counts)
        if not counts:
            return []
        scores = seen(np.array(counts))  # type: ignore[operator]
        best = int(scores.argmax())
        result = position_of(counts[best])
        if result is None:
            return []
        cost = float(scores[best]) + nats(people.illegal) - 2.0
        return [h.finished(Done(h.side, h.dice, h.before, result, "short", None, unseen), cost)]

    # ------------------------------------------------------------------------------------ dice that nobody saw

    def look_for_unseen(self, law: RuleSet, now: Still, before: Still | None) -> bool:
        """Nothing explains the board: perhaps a turn was played whose dice nobody saw. True while there is more to try."""
        if not self._unseen:
            self._repeat_without_lifting(law, now, before)
            throw = (
                self.throws.get(max((h.serial for h in self.alive), default=0))
                if self._before_throw
                else None
            )
            roots = (
                self._before_throw
                if throw is not None
                else [h for h in self.alive if h.dice is None and not h.void]
            )
            roots = sorted(roots, key=lambda h: -h.weight)[:2]
            for h in roots:
                key = (h.key, now.since, throw.serial if throw is not None else 0)
                if key not in self._tried:
                    self._tried.add(key)
                    self._unseen += [(replace(h, void=False, serial=0), roll, throw) for roll in ROLLS]
        if not self._unseen:
            return False
        some, self._unseen = self._unseen[:ROLLS_A_LOOK], self._unseen[ROLLS_A_LOOK:]
        new = []
        for h, roll, throw in some:
            cost = nats(self.model.people.unseen_throw) + CHANCE[roll]
            if h.dice is not None or (self.opening_turn and not h.past and roll[0] == roll[1]):
                # Nobody begins with a double.
                continue
            open_turn = replace(h, dice=roll, weight=h.weight + cost, said="unseen", opening=None)
            if throw is None:
                new.append(open_turn)
                continue
            for done in self._over(open_turn, law, self._at_throw, now, lawfully=True):
                new += self._rolls(done, throw, 0.0)
        self._keep([*self.alive, *new], law)
        return bool(self._unseen)

    def _repeat_without_lifting(self, law: RuleSet, now: Still, before: Still | None) -> None:
        """The opening dice may stay for the second player, who repeats them: then nothing but his play ends the first turn."""
        key = ("repeats", now.since)
        if not (self.opening_turn and law.second_player_repeats) or key in self._tried:
            return
        self._tried.add(key)
        new = [
            o
            for h in self.alive
            if h.dice is not None and not h.past
            for o in self._over(replace(h, weight=h.weight + self.read(h, law)), law, before, now)
            if o.said == "repeats"
        ]
        self._keep([*self.alive, *new], law)

    # ------------------------------------------------------------------------------------ what lies there

    def weigh(self, still: Still, law: RuleSet, *, lifted: bool) -> Posterior:
        """Weighs every hypothesis against the board as it is now."""
        if not self.alive:
            return Posterior((), 1.0)
        slack = self.options.slack
        in_hand = IN_HAND_KEY_FRAME if self.options.key_frames else IN_HAND_LATE if lifted else IN_HAND
        stamp = (still.since, max((n for n in REREAD if n <= still.looks), default=still.looks // 64), lifted)
        if stamp != self._cached_for or self._evidence is None:
            self._cache, self._laws, self._cached_for, self._evidence = {}, {}, stamp, still.evidence
        evidence = self._evidence
        base = [h.weight + self.read(h, law) for h in self.alive]
        top = max(base)
        laws: dict[int, Lawful] = {}
        near = [i for i, b in enumerate(base) if b >= top - LEADING]
        for i in near:
            laws[i] = self._lawful(self.alive[i], evidence, law, in_hand)
        best = max(base[i] + laws[i].score for i in near)
        explained = best >= top - slack
        if not explained:
            for i in range(len(base)):
                laws.setdefault(i, self._lawful(self.alive[i], evidence, law, in_hand))
        typical = best - top
        score = [base[i] + (laws[i].score if i in laws else typical) for i in range(len(base))]
        order = sorted(range(len(base)), key=lambda i: -score[i])
        full = order[:1] if explained else order[:IN_FULL]
        if not explained:
            # For illegal plays the likeliest roll explains the board as well as any other would.
            leaders: dict[tuple[object, ...], int] = {}
            for i in sorted(range(len(base)), key=lambda i: -base[i]):
                leaders.setdefault((self.alive[i].before, self.alive[i].side, self.alive[i].dice is None), i)
            full = list(dict.fromkeys([*list(leaders.values())[:IN_FULL], *full]))
        return self._shares(base, laws, full, evidence, law, in_hand, typical)

    def _shares(
        self, base: Sequence[float], laws: dict[int, Lawful], full: Sequence[int], evidence: Evidence, law: RuleSet,
        in_hand: float, typical: float,
    ) -> Posterior:  # fmt: skip
        found: dict[int, Reconciled] = {}
        sums: list[float] = []
        illegal = [0.0] * len(base)
        outside = nats(self.model.people.illegal)
        freest = -math.inf
        for i, b in enumerate(base):
            inside = laws[i].score if i in laws else typical
            weight = b + inside
            if i in full:
                one = found[i] = self._in_full(self.alive[i], evidence, law, in_hand)
                if one.kind == "illegal":
                    wrong = one.fit + outside - self._foreign(self.alive[i], one, law)
                    weight = b + total((inside, wrong))
                    illegal[i] = math.exp(b + wrong - weight)
                    freest = max(freest, one.fit + 2.0)
                elif one.kind == "unclear":
                    weight = b + max(inside, one.fit - DISTURBED)
                    freest = max(freest, one.fit)
            freest = max(freest, inside)
            sums.append(weight)
        lost = self.lost + max(base) + min(0.0, freest) - UNEXPLAINED
        whole = total([*sums, lost])
        weighed = [
            Weighed(h, math.exp(sums[i] - whole), found[i].kind if i in found else laws[i].kind if i in laws else "",
                    found.get(i), illegal[i], laws[i].score if i in laws else typical)
            for i, h in enumerate(self.alive)
        ]  # fmt: skip
        return Posterior(tuple(sorted(weighed, key=lambda w: -w.share)), math.exp(lost - whole))

    def _foreign(self, h: Hypothesis, found: Reconciled, law: RuleSet) -> float:
        """Nats against a board that this player cannot have made in one turn."""
        if h.dice is None or found.position is None:
            return 0.0
        of = turn(h.before, h.dice, h.side, law)
        if is_of_one_turn(of, found.position):
            return 0.0
        return FOREIGN / 2 if moved_one_of_theirs(of, found.position) else FOREIGN

    def _lawful(self, h: Hypothesis, evidence: Evidence, law: RuleSet, in_hand: float) -> Lawful:
        if h.dice is None:
            return Lawful("before", evidence.score(h.before))
        key = (h.before, h.side, h.dice, id(evidence), in_hand)
        of, found = self._laws.get(key, (None, None))
        if found is None or of is not evidence:
            # (The evidence is kept with it: another one might get its number.)
            found = lawful(evidence, turn(h.before, h.dice, h.side, law), in_hand)
            self._laws[key] = evidence, found
        return found

    def _in_full(self, h: Hypothesis, evidence: Evidence, law: RuleSet, in_hand: float) -> Reconciled:
        key = (h.before, h.side, h.dice)
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = self._explain(h, evidence, law, in_hand)
        return found

    def _explain(self, h: Hypothesis, evidence: Evidence, law: RuleSet, in_hand: float) -> Reconciled:
        slack = self.options.slack
        if h.dice is not None:
            of = turn(h.before, h.dice, h.side, law)
            return reconcile(evidence, of, red_margin=slack, slack=slack, in_hand=in_hand)
        score = evidence.score(h.before)
        if score >= -slack:
            return Reconciled("before", h.before, score, score, nearest=h.before, seen=h.before)
        free, other = free_positions(evidence, vector(h.before))
        if score >= max(free.score, other.score) - slack:
            return Reconciled("before", h.before, score, score, nearest=h.before, seen=h.before)
        missing = (0, 0) if free.score >= other.score else (15 - other.light, 15 - other.dark)
        seen = free.position if missing == (0, 0) else None
        return Reconciled(
            "unclear", None, 0.0, max(free.score, other.score), missing=missing, nearest=h.before, seen=seen
        )

    # ------------------------------------------------------------------------------------ what is over

    def finish(self, law: RuleSet, still: Still | None) -> None:
        """The turn in hand was said to be over with no next roll: what may lie there from now on."""
        new: list[Hypothesis] = []
        for h in self._followed(law, still):
            if h.dice is None:
                new.append(h)
                continue
            now = replace(h, weight=h.weight + self.read(h, law))
            new += self._over(now, law, still, still)
            new.append(replace(h, weight=h.weight + nats(self.model.people.goes_on)))
        self._before_throw, self._unseen = [], []
        self._tried = set()
        self._keep(new, law)

    def hidden(self) -> None:
        """The board was out of sight for so long that others may have played."""
        self.lost = max(self.lost, nats(self.model.people.hidden))

    def found_again(self, *, all_of_it: bool = False) -> None:
        """The expected position is on the board, which makes unseen turns less likely."""
        floor = nats(self.model.people.unmodelled)
        self.lost = floor if all_of_it else max(floor, self.lost - FOUND_AGAIN)
        self._before_throw, self._unseen = [], []

    def agreed(self, told: Sequence[Done]) -> None:
        """All but the last of `told` is beyond doubt: accounts that say otherwise are dropped, and so are those turns."""
        keys = [d.key for d in told[:-1]]
        n = len(keys)
        if not n:
            return
        same = [h for h in self.alive if [d.key for d in h.past[:n]] == keys]
        self.alive = [replace(h, past=h.past[n:]) for h in same]

    def only(self, wanted: Callable[[Hypothesis], bool]) -> None:
        """Drops what is not `wanted(hypothesis)`, unless nothing would be left."""
        left = [h for h in self.alive if wanted(h)]
        self.alive = left or self.alive

    def _kept(self, hypotheses: Sequence[Hypothesis], law: RuleSet) -> list[Hypothesis]:
        """Equal ones merged, the unlikely ones dropped."""
        merged: dict[tuple[object, ...], Hypothesis] = {}
        for h in hypotheses:
            known = merged.get(h.key)
            merged[h.key] = h if known is None else replace(
                known if known.weight >= h.weight else h, weight=total((known.weight, h.weight))
            )  # fmt: skip
        scored = sorted(
            ((h.weight + self.read(h, law), h) for h in merged.values()), key=lambda item: -item[0]
        )
        if not scored:
            return []
        best = scored[0][0]
        return [h for s, h in scored[: self.model.alive] if s >= best - self.model.reach]

    def _keep(self, hypotheses: Sequence[Hypothesis], law: RuleSet) -> None:
        kept = self._kept(hypotheses, law)
        best = max((h.weight + self.read(h, law) for h in kept), default=0.0)
        # The likeliest weighs nothing; "something else happened" gains where everything known explains little.
        self.lost = min(0.0, max(nats(self.model.people.unmodelled), self.lost - min(0.0, best + 0.0)))
        self.alive = [replace(h, weight=h.weight - best) for h in kept]
