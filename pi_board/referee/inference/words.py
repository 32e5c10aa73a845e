"""What is said: a pure function of the posterior, the state of the table and what a person could see besides.

The order is that of a referee: has the game gone on, which dice are played, and then what lies on the board. Red stands in
one place (`_accused`), and asks the same of every fault: that hypotheses in which this player's finished play is outside the law
hold all of the posterior but `risk`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pi_board.referee.explanations import Reconciled, Turn
from pi_board.referee.fault_kinds import PHYSICAL, TOO_SHORT
from pi_board.referee.inference.claims import moved_one_of_theirs
from pi_board.referee.inference.hypotheses import Done, Hypothesis, Posterior, Weighed, turn
from pi_board.referee.inference.model import Model
from pi_board.referee.inference.throws import Throw
from pi_board.referee.messages import change_words, changes
from pi_board.referee.one_turn import is_of_one_turn, may_be_knocked, uses_up_the_dice
from pi_board.referee.options import RefereeOptions
from pi_board.referee.reasons import in_no_hand, reason_of
from pi_board.referee.state import State
from pi_board.rules import Play, Position, RuleSet, Side, opponent
from pi_board.table import Phase

#: Looks for which a roll lies there after which the game goes on, however unclear the board is.
PLAYED_ON = 12
#: A play that fits the picture worse than this (nats) is believed only after so many looks.
POOR_FIT, POOR_LOOKS = -6.0, 6
#: Probability from which other dice are named in a question, and from which it is said whose a repeated roll is. Set.
NAMED, WHOSE = 0.05, 0.9


@dataclass(frozen=True, slots=True)
class Word:
    """One thing to say: the name of a method of `story.Story`, and its arguments."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Facts:
    """looks, held: of the still that lies there (number, seconds). lifted: no dice lie there. over: the dice of this turn lay
    there and were lifted (or those that it repeats); claim: and since then nothing has been moved. roll: the one that lies there, told: the state knows it. turns: finished turns that were said.
    out_of_sight: somebody else may have played unseen. waits: seconds for which this roll or board has been in doubt.
    passed_over: amber was said for an earlier roll of the same side, and they play on.
    searching: the hypotheses are still being looked for.
    put_right: the play of this turn was called illegal and is being corrected.
    """

    looks: int
    held: float
    lifted: bool
    claim: bool
    over: bool
    throw: Throw | None
    told: bool
    turns: tuple[Done, ...]
    out_of_sight: bool
    put_right: bool
    searching: bool = False
    passed_over: bool = False


@dataclass(frozen=True, slots=True)
class Saying:
    """words: to be said now, in order. waiting: more looks at the same picture may decide something."""

    words: tuple[Word, ...] = ()
    waiting: bool = False


WAIT = Saying(waiting=True)


def words(p: Posterior, s: State, f: Facts, options: RefereeOptions, model: Model) -> Saying:
    """What to say after a look."""
    if not p.of:
        return Saying()
    table = _Table(p, s, f, options, model)
    for part in (table.past, table.dice):
        saying = part()
        if saying is not None:
            return saying
    return table.board()


def _say(name: str, /, **args: Any) -> Saying:
    return Saying((Word(name, args),))


class _Table:
    """One look's worth of everything that is asked for; holds no memory."""

    def __init__(self, p: Posterior, s: State, f: Facts, options: RefereeOptions, model: Model) -> None:
        self.p, self.s, self.f, self.options, self.model = p, s, f, options, model
        self.law: RuleSet = s.match.rules
        self.told = tuple(d.key for d in f.turns)
        self.same = [w for w in p.of if w.hypothesis.story == self.told]
        self.of_same = sum(w.share for w in self.same)

    # -------------------------------------------------------------------------------- has the game gone on?

    def past(self) -> Saying | None:
        """The turns that are over, where the posterior tells another story than was said so far."""
        share, key, w = self.p.stories()[0]
        if key == self.told:
            return None
        f, sure = self.f, self.model.words
        n = len(self.told)
        if f.looks < self.options.agree_looks:
            return WAIT
        if self.p.lost > 0.5 and f.throw is not None and not f.told:
            return self._lost()
        if key[:n] != self.told:
            # Take back an announced turn only when hardly any other account is left.
            same = sum(a == b for a, b in zip(key, self.told, strict=False))
            explained = w.found is not None and w.found.kind in ("before", "legal", "partial")
            if explained and share >= sure.correct and f.looks > self.options.agree_looks and n - same <= 1:
                return _say("bring", hypothesis=w.hypothesis)
            return WAIT if self.of_same < 1 - sure.correct else None
        new = w.hypothesis.past[n:]
        if sum(d.unseen for d in new) > 1 or any(d.unseen and d.kind != "legal" for d in new):
            # This account would need too many unseen turns.
            return self._lost()
        patient = f.held < self.options.doubt_patience and self.s.trouble is None
        patient = patient and (f.throw is None or f.throw.looks < PLAYED_ON)
        if all(d.kind == "legal" for d in new):
            return WAIT if share < sure.legal and patient else _say("bring", hypothesis=w.hypothesis)
        if self._stands_already(new[0]):
            return _say("bring", hypothesis=w.hypothesis)
        outside = self.p.share(lambda v: self._unlawful_after(v.hypothesis, n))
        accused = self._accused_of(new[0], w.found, outside)
        if accused is not None:
            return Saying((accused, Word("bring", {"hypothesis": w.hypothesis})))
        return WAIT if patient else _say("bring", hypothesis=w.hypothesis)

    def _stands_already(self, done: Done) -> bool:
        s = self.s
        return s.phase is Phase.ILLEGAL and s.board == done.result and s.side == done.side

    def _unlawful_after(self, h: Hypothesis, n: int) -> bool:
        return len(h.past) > n and h.story[:n] == self.told and h.past[n].kind != "legal"

    def _accused_of(self, done: Done, found: Reconciled | None, share: float) -> Word | None:
        """Red for a play that was over when the next dice were rolled."""
        s = self.s
        if s.dice is None or done.side != s.side or tuple(done.dice) != tuple(s.dice) or done.unseen:
            return None
        of = turn(done.before, done.dice, done.side, self.law)
        if not is_of_one_turn(of, done.result):
            return None
        code, reason, nearest = reason_of(
            of, Reconciled("illegal", done.result, 0.0, 0.0), done.result, self.law
        )
        if code in PHYSICAL or not self._sure_enough(share):
            return None
        return Word("accuse", {"turn": of, "code": code, "reason": reason, "nearest": nearest, "seen": done.result,
                               "margin": found.margin if found is not None else 0.0, "probability": share})  # fmt: skip

    def _sure_enough(self, share: float) -> bool:
        return share >= 1 - self._risk and not self.f.out_of_sight

    @property
    def _risk(self) -> float:
        return self.options.epsilon or self.model.words.risk(self.options.strictness)

    # -------------------------------------------------------------------------------- which dice?

    def dice(self) -> Saying | None:
        if not self.same or self.of_same <= 0:
            return WAIT
        return self._new_dice() if self.s.dice is None else self._other_dice()

    def _shares(self, of: Callable[[Hypothesis], object]) -> dict[object, float]:
        sums: dict[object, float] = {}
        for w in self.same:
            key = of(w.hypothesis)
            sums[key] = sums.get(key, 0.0) + w.share / self.of_same
        return sums

    def _new_dice(self) -> Saying | None:
        """Nobody has been told a roll yet."""
        f, throw = self.f, self.f.throw
        if f.searching and f.held < self.options.doubt_patience:
            return WAIT
        kinds = self._shares(lambda h: "void" if h.void else h.opening if h.dice is None else h.dice)
        rolls = {d: share for d, share in kinds.items() if d is not None and d != "void"}
        if throw is None or f.told:
            return self._dice_of_a_play(rolls)
        if throw.seen < self.options.agree_looks:
            return WAIT
        if kinds.get("void", 0.0) > 0.5:
            return self._rejected(throw)
        if self.p.lost > 0.5:
            return self._lost()
        if not rolls:
            return None
        best = max(rolls, key=lambda d: rolls[d])
        if rolls[best] < self.model.words.dice:
            if f.held >= self.options.doubt_patience:
                reason = "The dice can't be read: straighten them or set them by hand."
                return self._doubt("dice", reason, None, None, "dice_unread")
            return WAIT
        w = next(
            w
            for w in self.same
            if not w.hypothesis.void and best in (w.hypothesis.dice, w.hypothesis.opening)
        )
        return self._roll(w.hypothesis, throw)

    def _lost(self) -> Saying:
        """A roll beside a board that nothing explains: asked about, and if they play on, taken as it lies."""
        if self.f.passed_over:
            return _say("join")
        if self.f.held < self.options.doubt_patience or self.s.trouble is not None:
            return WAIT
        return self._doubt("position", "Expected: the position shown.", self.s.on_board, None)

    def _roll(self, h: Hypothesis, throw: Throw) -> Saying:
        if h.dice is None and h.opening is not None:
            return _say(
                "tie" if h.opening[0] == h.opening[1] else "opening",
                opening=h.opening,
                side=None if h.opening[0] == h.opening[1] else h.side,
            )
        rolled = self.p.share(lambda w: w.hypothesis.dice == h.dice and w.hypothesis.serial == h.serial)
        of_side = self.p.share(
            lambda w: (
                w.hypothesis.side == h.side
                and w.hypothesis.dice == h.dice
                and w.hypothesis.serial == h.serial
            )
        )
        side: Side | None = h.side if of_side >= self.model.words.side * rolled else None
        confidence = throw.confidence if throw.values is not None else 0.0
        guessed = throw.values is None
        return _say(
            "roll",
            side=side,
            dice=h.dice,
            confidence=confidence,
            opening=h.opening,
            guessed=guessed,
            throw=throw,
        )

    def _rejected(self, throw: Throw) -> Saying:
        waiting = throw.looks <= self.options.agree_looks
        code = "on_checker" if throw.on_checker else "cocked"
        if throw.flat > throw.cocked:
            faults = set(throw.halves)
            code = "outside" if "outside" in faults else "wrong_half"
        if waiting or self.s.waits_for == code:
            return Saying(waiting=waiting)
        return _say("reject", code=code)

    def _dice_of_a_play(self, rolls: Mapping[object, float]) -> Saying | None:
        """Dice that nobody could see, told from what was played with them: in pictures that show finished plays."""
        w = self.same[0]
        h = w.hypothesis
        if h.said != "unseen" or h.dice is None or w.found is None:
            return None
        if not self.options.key_frames or w.found.kind != "legal":
            return WAIT
        if self.f.looks < self.options.agree_looks or rolls.get(h.dice, 0.0) < self.model.words.dice:
            return WAIT
        return _say("roll", side=h.side, dice=h.dice, confidence=0.0, opening=None, guessed=True, throw=None)

    def _other_dice(self) -> Saying | None:
        """Checks whether the announced roll is still the likeliest one, and the same player's."""
        s, f, w = self.s, self.f, self.same[0]
        h = w.hypothesis
        if h.dice is None:
            # The roll did not count: somebody has said so by rolling again.
            return None
        if h.said == "again" and f.throw is not None and not f.told and h.serial == f.throw.serial:
            if f.throw.looks < self.options.agree_looks or w.share / self.of_same < self.model.words.dice:
                return WAIT
            return self._thrown_again(h, f.throw)
        dice = self._shares(lambda o: o.dice)
        if h.dice == s.dice or f.looks < self.options.agree_looks:
            return None
        kind = w.found.kind if w.found is not None else w.kind
        share = dice.get(h.dice, 0.0)
        if kind == "before" and f.throw is not None:
            longer = f.throw.looks >= 2 * self.options.agree_looks and s.phase is Phase.PLAY
            return (
                _say("correct_dice", side=h.side, dice=h.dice, by="vision")
                if longer and share >= self.model.words.past
                else None
            )
        if kind != "legal" or share < self.model.words.legal:
            return None
        if f.claim or (f.throw is not None and not f.told):
            return _say("correct_dice", side=h.side, dice=h.dice, by="play")
        if f.held < self.options.doubt_patience:
            return WAIT
        likely = sorted(dice.items(), key=lambda item: -item[1])
        fits = [d for d, v in likely if d is not None and d != s.dice and v > NAMED]
        read = f"{s.dice[0]}-{s.dice[1]}" if s.dice else "?"
        reason = f"read as {read}, but the play fits {' or '.join(f'{d[0]}-{d[1]}' for d in fits[:3])}."  # type: ignore[index]
        return self._doubt("dice", reason, h.before, w.found.position if w.found is not None else None)

    def _thrown_again(self, h: Hypothesis, throw: Throw) -> Saying:
        sides = self._shares(lambda o: o.side if o.dice == h.dice else None)
        side = h.side if sides.get(h.side, 0.0) >= WHOSE else None
        return _say(
            "roll",
            side=side,
            dice=h.dice,
            confidence=throw.confidence,
            opening=None,
            guessed=False,
            throw=throw,
            again=True,
        )

    # -------------------------------------------------------------------------------- what lies on the board?

    def board(self) -> Saying:
        w = self.p.best if self.p.best.hypothesis.story == self.told else self.same[0]
        h, found = w.hypothesis, w.found
        if found is None:
            return WAIT
        if h.dice is None or self.s.dice is None:
            return self._to_roll(h, found)
        of = turn(h.before, h.dice, h.side, self.law)
        if self.s.side is not None and h.side != self.s.side:
            return self._other_side(w, of, found)
        if found.kind == "unclear":
            return self._not_understood(found, of)
        poor = found.kind == "legal" and found.fit < POOR_FIT and self.s.board != found.position
        if self.f.looks < (POOR_LOOKS if poor else self.options.agree_looks):
            return WAIT
        if h.dice != self.s.dice and found.kind != "before":
            return WAIT
        match found.kind:
            case "before":
                return self._nothing_moved(of, found)
            case "partial":
                return self._on_the_way(of, found)
            case "legal":
                return self._played(of, found)
        return self._illegal(of, found)

    def _to_roll(self, h: Hypothesis, found: Reconciled) -> Saying:
        if found.kind == "before":
            return _say("as_left")
        looks, patience = self.f.looks, self.options.doubt_patience
        # The next dice may still be rolling while somebody tidies his checkers: twice the patience.
        if looks >= self.options.agree_looks and self.f.held >= 2 * patience and self.s.position is not None:
            todo = changes(found.seen, self.s.position)
            put = change_words(todo) if 0 < len(todo) <= 6 else "the position shown"
            return self._doubt("position", f"Expected: {put}.", self.s.position, found.seen)
        return WAIT

    def _other_side(self, w: Weighed, of: Turn, found: Reconciled) -> Saying:
        """The dice are one side's and the other has moved."""
        if found.kind != "legal" or self.f.looks < self.options.agree_looks:
            return WAIT
        if self.s.opening and w.share / self.of_same >= self.model.words.legal:
            return self._played(of, found)
        if self.f.held >= self.options.claim_patience or self.f.lifted:
            reason = f"It is {self.s.side}'s roll, but {of.side} has moved."
            return self._doubt("side", reason, of.before, found.position)
        return WAIT

    def _nothing_moved(self, of: Turn, found: Reconciled) -> Saying:
        s, f = self.s, self.f
        told = s.trouble is not None and s.trouble.code == "doubt_finished" and f.claim
        out = [] if told else [Word("as_left")]
        if (
            s.phase is Phase.ILLEGAL
            and s.board == of.before
            and s.illegal is not None
            and s.illegal.code in TOO_SHORT
        ):
            return Saying(tuple(out))
        if s.phase in (Phase.PLAYED, Phase.ILLEGAL):
            out.append(Word("take_back", {"side": of.side, "position": of.before}))
            return Saying(tuple(out))
        ends = self.law.turn_ends == "dice_lifted" and f.over and s.side is not None
        if not ends:
            return Saying(tuple(out))
        if of.may_pass:
            out.append(Word("end", {"turn": of, "position": of.before}))
            return Saying(tuple(out))
        if s.illegal is not None or not f.claim or f.held < self.options.rethrow_patience:
            return Saying(tuple(out), waiting=True)
        if found.rival is not None and found.rival[1] < self._margin:
            # The picture can hardly tell whether anything was moved, so believe the player.
            out.append(self._play_word(of, found.rival[0], found))
            return Saying(tuple(out))
        # Perhaps the roll did not count, and the player is about to roll again.
        dice = f"{of.dice[0]}-{of.dice[1]}"
        out = [] if s.trouble is not None and s.trouble.code == "doubt_finished" else out
        out += self._doubt(
            "finished",
            f"Nothing has been played of {dice}: play, or roll again.",
            of.before,
            of.before,
            "doubt_finished",
        ).words
        return Saying(tuple(out), waiting=True)

    @property
    def _margin(self) -> float:
        return self.options.red_margin

    def _stopped(self, found: Reconciled, of: Turn) -> float:
        """Share of the hypotheses in which this roll counts, this is what was played of it, and the player is done."""
        people = self.model.people
        share = self.p.share(
            lambda w: self._is_of(w, of) and (w.found is None or w.found.position == found.position)
        )
        # A player whose roll did not count would have rolled again by now.
        throw = self.f.throw
        leaning = (
            people.cocked * math.exp(throw.cocked)
            if throw is not None
            else people.cocked * (1 - self.model.eyes.cocked_seen)
        )
        again = leaning * math.exp(-self.f.held / people.throws_again_within)
        return share * (1 - again) if of.side == self.s.side else 0.0

    def _is_of(self, w: Weighed, of: Turn) -> bool:
        h = w.hypothesis
        return (
            h.story == self.told
            and h.side == of.side
            and h.dice is not None
            and sorted(h.dice) == sorted(of.dice)
        )

    def _on_the_way(self, of: Turn, found: Reconciled) -> Saying:
        """A play in progress is no fault until the dice are lifted."""
        s, f, options = self.s, self.f, self.options
        whole = found.position is not None
        out: list[Word] = []
        if s.trouble is not None and not (found.in_hand and s.trouble.code.startswith("checker")):
            out.append(Word("clear"))
        if whole and s.phase in (Phase.PLAYED, Phase.ILLEGAL) and found.position != s.board:
            out.append(Word("take_back", {"side": of.side, "position": of.before}))
            return Saying(tuple(out), waiting=True)
        late = f.claim and f.held >= options.lift_patience
        if late and whole and found.rival is not None and found.rival[1] < self._margin:
            out.append(self._play_word(of, found.rival[0], found))
            return Saying(tuple(out))
        lifted = f.claim and self.law.turn_ends == "dice_lifted"
        # The dice were lifted before the player began to correct his play, so lifted dice say nothing about
        # this position.
        says_so = lifted and s.illegal is None
        if whole and found.margin >= options.slack and s.phase is not Phase.ILLEGAL:
            patience = options.short_patience
            if (says_so and f.held >= options.lift_patience) or (patience and f.held >= patience):
                out += self._accused(of, found, found.position, self._stopped(found, of))
            return Saying(tuple(out), waiting=lifted or patience > 0)
        if found.in_hand and lifted and s.phase is not Phase.ILLEGAL:
            return Saying((*out, *self._in_hand(of, found, says_so)), waiting=True)
        return Saying(tuple(out))

    def _in_hand(self, of: Turn, found: Reconciled, says_so: bool) -> list[Word]:
        f, options = self.f, self.options
        if found.left_on is not None:
            # The hit checker is seen beside the one that hit it and the dice are lifted, so no hand holds it.
            if says_so and f.held >= options.lift_patience:
                return self._accused(of, found, of.before, self._stopped(found, of))
        elif f.held >= options.doubt_patience:
            wrong = in_no_hand(of, found, self.law) if says_so else None
            if wrong is not None:
                return self._accused(of, found, wrong, self._stopped(found, of))
            return list(self._something_missing(found, of).words)
        return []

    def _play_word(self, of: Turn, play: Play, found: Reconciled) -> Word:
        share = self.p.share(lambda w: w.illegal < 0.5)
        return Word(
            "play",
            {"turn": of, "play": play, "margin": found.margin, "probability": share, "late": self.f.over},
        )

    def _played(self, of: Turn, found: Reconciled) -> Saying:
        """A complete legal play lies on the board; lifting the dice makes it final."""
        f = self.f
        assert found.play is not None
        out = [self._play_word(of, found.play, found)]
        ends = f.over and self.law.turn_ends == "dice_lifted"
        if not ends:
            return Saying(tuple(out))
        if (f.put_right or self.s.illegal is not None) and f.held < self.options.lift_patience:
            return Saying(tuple(out), waiting=True)
        out.append(Word("end", {"turn": of, "position": found.play.result}))
        return Saying(tuple(out))

    def _illegal(self, of: Turn, found: Reconciled) -> Saying:
        """The board is no legal play of this roll. A player who is still moving is not accused."""
        s, f, options = self.s, self.f, self.options
        code = reason_of(of, found, found.position, self.law)[0]
        if found.position is not None and not is_of_one_turn(of, found.position):
            code = "moved_opponent"
        seen = found.position or of.before
        if code in PHYSICAL:
            if (
                code == "moved_opponent"
                and f.claim
                and found.position is not None
                and moved_one_of_theirs(of, found.position)
            ):
                # Lifting the dice claims the play. Until then a nudged checker is nobody's fault.
                if s.phase is Phase.ILLEGAL or f.held < options.lift_patience:
                    return WAIT
                return Saying(tuple(self._accused(of, found, seen, self._outside(of))), waiting=True)
            if s.phase is Phase.ILLEGAL and s.board == seen:
                return Saying()
            return self._not_understood(found, of)
        if s.phase is Phase.ILLEGAL and s.board == seen and s.illegal is not None and s.illegal.code == code:
            return _say("clear") if s.trouble is not None else Saying()
        lay = s.board if s.phase is Phase.PLAYED else None
        if not ((f.claim and s.illegal is None) or uses_up_the_dice(found, of, lay)):
            if f.held < options.claim_patience:
                return WAIT
            if may_be_knocked(found, of, lay) and not options.key_frames:
                # This may be a checker that was pushed aside. While the dice lie there, nobody has claimed a
                # play.
                return self._not_understood(found, of)
        red = self._accused(of, found, seen, self._outside(of))
        if not red:
            return self._not_understood(found, of) if f.held >= options.claim_patience else WAIT
        if s.phase is Phase.PLAYED and red[0].name == "accuse":
            red.insert(0, Word("take_back", {"side": of.side, "position": of.before}))
        return Saying(tuple(red))

    def _outside(self, of: Turn) -> float:
        """Share of the hypotheses in which this player's play is outside the law, whatever the dice were."""
        total = sum(
            w.share * w.illegal
            for w in self.p.of
            if w.hypothesis.story == self.told and w.hypothesis.side == of.side
        )
        return min(1.0, total)

    def _accused(self, of: Turn, found: Reconciled, seen: Position | None, share: float) -> list[Word]:
        """Red, if it is sure enough; amber when somebody else may have played; nothing else."""
        s = self.s
        if s.phase is Phase.ILLEGAL and s.board == seen:
            return []
        assert seen is not None
        if not self._sure_enough(share):
            return self._question(of, found, seen)
        code, reason, nearest = reason_of(of, found, seen, self.law)
        return [Word("accuse", {"turn": of, "code": code, "reason": reason, "nearest": nearest, "seen": seen,
                                "margin": found.margin, "probability": share})]  # fmt: skip

    def _question(self, of: Turn, found: Reconciled, seen: Position) -> list[Word]:
        """Why this is amber and not red, asked as the question that splits the posterior best."""
        if self.f.held < self.options.claim_patience:
            return []
        share = self.p.share
        rivals = {
            "position": 1.0 if self.f.out_of_sight else self.p.lost,
            "dice": share(lambda w: self._mine(w, of) and w.hypothesis.dice != of.dice and w.illegal < 0.5),
            "thrower": share(lambda w: not self._mine(w, of)),
        }
        doubts = max(rivals, key=lambda name: rivals[name])
        if rivals[doubts] < self._risk / 2:
            return []
        dice = f"{of.dice[0]}-{of.dice[1]}"
        reason = {
            "position": "I did not see all of what happened. Is it right as it lies?",
            "dice": f"I may have misread the dice ({dice}). Is it right as it lies?",
            "thrower": "I am not sure whose roll this was. Is it right as it lies?",
        }[doubts]
        return list(self._doubt(doubts, reason, found.nearest, seen, f"doubt_{doubts}").words)

    def _mine(self, w: Weighed, of: Turn) -> bool:
        return w.hypothesis.story == self.told and w.hypothesis.side == of.side

    # -------------------------------------------------------------------------------- amber

    def _not_understood(self, found: Reconciled, of: Turn) -> Saying:
        """Neither a legal play nor surely an illegal one: look on, then say what is expected."""
        if self.f.held < self.options.doubt_patience or self.f.looks < self.options.agree_looks:
            return WAIT
        if found.missing != (0, 0) or found.in_hand:
            return self._something_missing(found, of)
        expected = found.nearest or of.before
        if found.kind == "illegal" and found.position is not None:
            code, reason, _ = reason_of(of, found, found.position, self.law)
            return self._doubt("position", reason, found.nearest, found.position, code)
        todo = changes(found.seen, expected)
        put = change_words(todo) if len(todo) <= 4 else ""
        return self._doubt(
            "position", "I can't tell what was played" + (f": {put}." if put else "."), expected, found.seen
        )

    def _something_missing(self, found: Reconciled, of: Turn) -> Saying:
        light, dark = found.missing
        side: Side = "light" if light else "dark"
        count = light or dark
        if not count:
            side, count = found.hand_of or opponent(of.side), 1
        return Saying(
            (Word("missing", {"side": side, "count": count, "expected": found.nearest or of.before}),),
            waiting=True,
        )

    def _doubt(
        self, doubts: str, reason: str, expected: Position | None, seen: Position | None, code: str = ""
    ) -> Saying:
        return Saying(
            (
                Word(
                    "doubt",
                    {"doubts": doubts, "reason": reason, "expected": expected, "seen": seen, "code": code},
                ),
            ),
            waiting=True,
        )
