"""Illegal plays: what is one, when it is said, and what becomes of it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pi_board import events as ev
from pi_board.events import Dice
from pi_board.referee.alternatives import misread
from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import Evidence, Reconciled, Turn, turn_of, vector
from pi_board.referee.explanations.counts import slot_of
from pi_board.referee.fault_kinds import BEARING_OFF, NO_SLIP, PHYSICAL
from pi_board.referee.looks import OUT_OF_SIGHT
from pi_board.referee.messages import point_words, sentence
from pi_board.referee.one_turn import (
    EXCLUDED,
    hardly_blocked,
    is_of_one_turn,
    may_be_knocked,
    moved_by,
    moved_one_of_theirs,
    nothing_new,
    one_stack_off,
    touched_nothing,
    uses_up_the_dice,
    with_theirs_on_the_bar,
)
from pi_board.referee.reasons import onto_a_held_point, reason_of
from pi_board.referee.seeing_part import SeeingPart
from pi_board.rules import SIDES, Play, Position, Side, opponent
from pi_board.rules.movement import all_home, state_of
from pi_board.sighting import BAR_LIGHT, OFF_LIGHT
from pi_board.table import Phase

#: Nats by which the picture must tell how many checkers lie on an empty point for it to be in view. (An empty point that nothing covers
#: is told by 4 and more; beside a sleeve that was taken for checkers it was .2 and 0, `bench campaign --seed 710025`.)
UNREADABLE = 1.0
#: Nats in all by which the looks before the roll and this one must tell that no checker lay elsewhere. Source: kept looks. Of 2160005, 2170001
#: and 2190017, accused from a wrong board by 58667b6, two are not with 11, all with 12 and no cost of a tray. 102 games (2110000, 2120000,
#: 2190000), flagged of 665: 597 with 6 and points alone, 593 with 11, 576 with 12 and no cost of a tray.
ELSEWHERE = 11.0


class Faults(SeeingPart):
    """What lies there is no play of this roll."""

    def illegal(
        self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None, held: float
    ) -> None:
        """The board shows no play of this roll. A player who is still in the middle of his play is not accused."""
        s = self.state
        if self._another_explanation(evidence, found, turn, fresh, held):
            return
        code, _, _ = reason_of(turn, found, found.position, self.rules)
        if fresh is not None and self._is_the_opponents_doing(turn, found):
            assert s.board is not None
            self.let_it_stand(turn, s.board, fresh)
            return
        if found.position is not None and not is_of_one_turn(turn, found.position):
            code = "moved_opponent"
        if code in PHYSICAL:
            self.looks.waiting = True
            theirs_too = (
                code == "moved_opponent"
                and found.position is not None
                and moved_one_of_theirs(turn, found.position)
                and s.phase is not Phase.ILLEGAL
            )
            if fresh is not None and found.position is not None and self.looks.lay_so_before(found):
                # The board lay so before these dice, so nobody has played them yet. With his roll the
                # opponent ends the turn.
                if theirs_too:
                    self.accuse(turn, found, found.position)
                self.opponent_rolled(turn, found.position, fresh)
                self.looks.alternatives.may_be_set_right(found.nearest)
            elif fresh is not None:
                # The other player has seen the board and rolled, so it stands. Do not accuse anybody of a
                # nudge.
                seen = self.unseen_turns.seen_before(
                    fresh, evidence, turn
                ) or self.unseen_turns.played_before(evidence, turn, fresh)
                self.unseen_turns.goes_on_from(turn, seen or found.position or turn.before, fresh)
            elif theirs_too and self.looks.claimed_by_lifting and found.position is not None:
                # Lifting the dice claims the play. Until then a nudged checker is nobody's fault.
                if held >= self.looks.patience_after_lifting(found, self.options.lift_patience):
                    self.accuse(turn, found, found.position)
                    self._second_player_repeats(turn, found, found.position)
            elif not self.looks.as_claimed(evidence, found):
                self.questions.not_understood(evidence, found, turn, fresh)
            return
        if (
            s.phase is Phase.ILLEGAL
            and s.board == (found.position or turn.before)
            and s.illegal is not None
            and s.illegal.code == code
        ):
            self.questions.clear()
            if fresh is not None:
                self.opponent_rolled(turn, found.position or turn.before, fresh)
            return
        lay = s.board if s.phase is Phase.PLAYED else None
        claimed = (
            (self.looks.claimed_by_lifting and s.illegal is None)
            or fresh is not None
            or uses_up_the_dice(found, turn, lay)
        )
        if not claimed:
            self.looks.waiting = True
            if held < (self.options.claim_patience / 3 if code in NO_SLIP else self.options.claim_patience):
                return
            if may_be_knocked(found, turn, lay) and not self.options.key_frames:
                # This may be a checker that was pushed aside. While the dice lie there, nobody has claimed a
                # play.
                self.questions.not_understood(evidence, found, turn, fresh)
                return
        if s.illegal is not None and fresh is not None and self.must_be_put_right():
            # Both have been told, and the opponent has rolled all the same: what has changed since may be his doing.
            self.questions.not_understood(evidence, found, turn, fresh)
            return
        seen = found.position or turn.before
        if s.phase is Phase.PLAYED and not self._in_doubt(turn, found, seen):
            # The light was green, so the claim has changed.
            self.questions.clear()
            self.say(ev.PlayTakenBack, side=turn.side, position=turn.before)
        self.accuse(turn, found, seen)
        if fresh is not None:
            self.opponent_rolled(turn, seen, fresh)

    def _second_player_repeats(self, turn: Turn, found: Reconciled, seen: Position) -> None:
        """The opening numbers were played with one of the other's checkers, and too much is in doubt for red. It is asked; but the second
        player rolls no dice that would end this turn, so it ends here, and he plays on from the board."""
        if self.state.phase is Phase.ILLEGAL or not (self.state.opening and self.turns.repeats(turn.dice)):
            return
        code, reason, _ = reason_of(turn, found, seen, self.rules)
        self.questions.unclear("position", reason, found.nearest, seen, code)
        self.unseen_turns.goes_on_from(turn, seen, None)

    def _another_explanation(
        self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None, held: float
    ) -> bool:
        """Before anyone is accused: did the other side move, or are the dice misread?"""
        s = self.state
        assert s.position is not None
        if fresh is None and self.unseen_turns.repeated_unseen(evidence, turn, found, held):
            return True
        other = turn_of(s.position, turn.dice, opponent(turn.side), self.rules)
        theirs = self.looks.reconcile(evidence, other)
        if theirs.kind == "legal":
            gone_on = fresh is not None and not self._would_roll_twice(fresh, turn)
            if s.opening or gone_on or self.looks.grounds.doubts("other_half"):
                # If nobody has finished a turn yet, or the game has gone on, the players know better whose
                # roll it was. The same holds where the dice lay in the half of the player who moved.
                self.turns.lawful_play(other, theirs)
                self.turns.turn_may_end(fresh)
                return True
            self.looks.waiting = True
            if fresh is not None:
                return False
            if (
                self.looks.agreed.held("turn", self.now) >= self.options.claim_patience
                or self.looks.claimed_by_lifting
            ):
                self.questions.unclear(
                    "side",
                    f"It is {turn.side}'s throw, but {other.side} has moved.",
                    turn.before,
                    theirs.position,
                )
            return True
        if (
            theirs.kind == "partial"
            and self.looks.grounds.doubts("other_half")
            and not self.looks.dice_lifted
            and not fresh
        ):
            # Most likely the opponent is playing dice of his own.
            self.looks.waiting = True
            return True
        still_playing = not self.looks.dice_lifted and fresh is None
        if still_playing and found.position is not None and self._on_first_reading(turn, found.position):
            self.looks.waiting = True
            return True
        fits = self._otherwise_read(turn, found.position)
        if not fits:
            return False
        if len(fits) == 1 and self._may_be_misread(turn) and (fresh is not None or self.looks.dice_lifted):
            # The dice are gone and cannot be read again, and only one reading of them makes this a legal
            # play.
            return self._take_other_dice(evidence, turn, fits[0], fresh)
        if fresh is not None:
            return False
        if self.looks.doubting():
            words = " or ".join(f"{a}-{b}" for a, b in fits)
            self.questions.unclear(
                "dice",
                f"read as {turn.dice[0]}-{turn.dice[1]}, but the play fits {words}.",
                turn.before,
                found.position,
            )
        return True

    def _would_roll_twice(self, fresh: Pair, turn: Turn) -> bool:
        """At a table where everybody rolls into his own half `turn`'s dice lay in its player's, and `fresh` lies in the other's: if `turn`
        had been the other's, he would have rolled twice in a row."""
        own = self.looks.custom and self.looks.halves.last == turn.side
        return own and set(fresh.halves) == {opponent(turn.side)}

    def _otherwise_read(self, turn: Turn, seen: Position | None) -> list[Dice]:
        """The rolls of which `seen` is a legal play, if the dice were not surely read; a sure die keeps its number."""
        doubted = self.state.dice_confidence < self.options.dice_doubt or self._read_otherwise(turn)
        if not doubted or seen is None:
            return []
        sure = self.looks.sure if self.looks.sure and self.looks.sure in turn.dice else None
        return [
            (a, b)
            for a in range(1, 7)
            for b in range(1, a + 1)
            if ((a in turn.dice or b in turn.dice) if sure is None else sure in (a, b))
            and (a, b) != tuple(turn.dice)
            and turn_of(turn.before, (a, b), turn.side, self.rules).play_to(seen) is not None
        ]

    def _may_be_misread(self, turn: Turn) -> bool:
        """Whether `turn`'s dice were read so badly that a play rather tells what they were."""
        return self.state.dice_confidence < self.options.dice_misread or self._read_otherwise(turn)

    def _read_otherwise(self, turn: Turn) -> bool:
        """`turn`'s dice were read otherwise at first, or are now."""
        pair = self.looks.dice.pair
        read = pair.values if pair is not None and pair.serial == self.looks.used else None
        return self.looks.read_first is not None or (read is not None and sorted(read) != sorted(turn.dice))

    def _on_first_reading(self, turn: Turn, seen: Position) -> bool:
        """`seen` is a lawful play, or on the way to one, of what the dice were first taken for."""
        first = self.looks.read_first
        return first is not None and turn_of(turn.before, first, turn.side, self.rules).may_lead_to(seen)

    def first_reading_fits(
        self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None
    ) -> bool:
        """The dice were read otherwise at first, are gone now, and of that reading a whole lawful play lies there, as none does of the
        later one: the first was right. True when it was so."""
        first = self.looks.read_first
        if first is None or turn.side != self.state.side or not (self.looks.dice_lifted or fresh):
            return False
        if found.kind in ("legal", "before"):
            return False
        other = self.looks.reconcile(evidence, turn_of(turn.before, first, turn.side, self.rules))
        count, _ = self.looks.steady("read_first", (first, other.key))
        if other.kind != "legal" or count < self.options.agree_looks:
            return False
        return self._take_other_dice(evidence, turn, first, fresh)

    def _take_other_dice(self, evidence: Evidence, turn: Turn, dice: Dice, fresh: Pair | None) -> bool:
        """The doubtful die is given the number that was played, and it is said; False if the board then fits no better."""
        other = turn_of(turn.before, dice, turn.side, self.rules)
        found = self.looks.reconcile(evidence, other)
        if found.kind != "legal" or found.play is None:
            return False
        self._say_other_dice(other)
        self.turns.lawful_play(other, found)
        self.turns.turn_may_end(fresh)
        return True

    def accuse(self, turn: Turn, found: Reconciled, seen: Position) -> None:
        code, reason, nearest = reason_of(turn, found, seen, self.rules)
        if code in BEARING_OFF and (move := self._onto_a_held_point(turn, seen)) is not None:
            put = replace(found, blocked=move, seen=turn.before)
            code, reason, nearest = reason_of(turn, put, seen, self.rules)
        if self.state.phase is Phase.ILLEGAL and self.state.board == seen:
            return
        if self._in_doubt(turn, found, seen) or self._is_awaited(turn, found, seen, code, reason):
            return
        self.questions.clear()
        self.say(
            ev.PlayIllegal,
            side=turn.side,
            dice=turn.dice,
            code=code,
            reason=reason,
            position=turn.before,
            seen=seen,
            nearest=nearest,
            margin=round(found.margin, 2),
            before_seq=self.looks.before_seq,
            before_frame=self.looks.before_frame,
        )
        self.looks.as_left_at, self.looks.changed_before, self.looks.hands_since = self.now, False, False

    def _onto_a_held_point(self, turn: Turn, seen: Position) -> tuple[int, int] | None:
        """The move of what seems borne off against the rules and was put onto a point that the other holds, where that one looks otherwise."""
        raw, witnesses = self.looks.raw, self.looks.witnesses
        if raw is None:
            return None
        return onto_a_held_point(turn, seen, lambda slot: witnesses.looks_otherwise(raw, slot))

    def _is_awaited(self, turn: Turn, found: Reconciled, seen: Position, code: str, reason: str) -> bool:
        """Whether more looks are needed, as all of them together leave a lawful play possible, or too little speaks against it.
        In the end it is asked."""
        if (
            self.hardly_told(turn, seen, aloud=False) is None
            and not self._hardly_blocked(turn, found)
            and not self.second_opinion.holds_lawful(turn)
            and not self._rests_on_touches(turn, seen)
            and not self._changed_otherwise(turn, found, seen)
            and not self._reaches_over_the_middle(turn, seen)
        ):
            return False
        if self.looks.fresh() is not None or self.looks.doubting():
            self.questions.unclear("position", reason, found.nearest, seen, code)
        return True

    def _hardly_blocked(self, turn: Turn, found: Reconciled) -> bool:
        """Whether only one place tells of a checker on a point that the other side holds."""
        told = self.looks.compared
        if found.blocked is None or told is None:
            return False
        return hardly_blocked(told, turn, found.seen or turn.before, found.blocked)

    def _changed_otherwise(self, turn: Turn, found: Reconciled, seen: Position) -> bool:
        """Whether full points have changed as by a lawful play rather than as by `seen`, where that is a whole board on which something was
        moved (not what lay there before two sides' checkers came to lie on one point)."""
        raw = self.looks.raw
        if raw is None or found.blocked is not None or found.left_on is not None or seen == turn.before:
            return False
        return self.looks.witnesses.changed_otherwise(raw, turn, seen)

    def _reaches_over_the_middle(self, turn: Turn, seen: Position) -> bool:
        """Whether all that makes it a fault is which of two points a checker by the middle of the board belongs to."""
        raw = self.looks.raw
        return raw is not None and self.looks.witnesses.reaches_over_the_middle(raw, turn, seen)

    def _rests_on_touches(self, turn: Turn, seen: Position) -> bool:
        """Whether a lawful play, or nothing moved, is left as nearly as likely by what the slots say alone: that a stack looks touched, or
        reads otherwise than at the roll, is no ground for red, since whoever straightens it does that as well."""
        told, alone = self.looks.evidence, self.looks.compared
        if told is None or alone is None or told.rows is alone.rows or not len(turn.legal_counts):
            return False
        ahead = [
            evidence.score(seen)
            - max(float(evidence.scores(turn.legal_counts).max()), evidence.score(turn.before))
            for evidence in (told, alone)
        ]
        return ahead[1] < min(ahead[0], self.looks.margin_of_a_claim)

    def hardly_told(self, turn: Turn, seen: Position, *, aloud: bool) -> Play | None:
        """The lawful play from which the picture tells `seen` only by what is often misread: the height of one stack, or slots that
        said the same before anything was played. aloud: to be carried on, not for red: what is news is heard as such. A
        lenient referee accuses nobody because of one stack, however surely it is read."""
        evidence = self.looks.evidence if aloud else self.looks.compared
        if evidence is None:
            return None
        two_places = self.options.strictness == "lenient" and not aloud
        excluded = math.inf if two_places else EXCLUDED
        turn = self._of_touched_points(turn)
        said_before = self._said_before(turn, seen)
        one_stack = one_stack_off(evidence, turn, seen, said_before, excluded=excluded)
        return one_stack or nothing_new(evidence, turn, seen, said_before)

    def _said_before(self, turn: Turn, seen: Position) -> np.ndarray:
        """bool (N, SLOTS): where the picture said what `seen` says before anything was played, and what has changed since does not say so
        as well against each of the plays of `turn`."""
        witnesses, raw = self.looks.witnesses, self.looks.raw
        said = np.tile(witnesses.said_before(seen), (len(turn.legal), 1))
        if raw is not None and said.any():
            said &= ~witnesses.changed_to(raw, turn, seen)
        return said

    def _of_touched_points(self, turn: Turn) -> Turn:
        """`turn` without the plays of which nobody has touched a point that they change."""
        raw = self.looks.raw
        if raw is None:
            return turn
        rules_out = self.looks.witnesses.rules_out
        may_be = [not rules_out(raw, turn.before, play.result) for play in turn.legal]
        return turn if all(may_be) else turn.only(may_be)

    def _in_doubt(self, turn: Turn, found: Reconciled, seen: Position) -> bool:
        """Whether anything that an accusation would rest on was only guessed. It is said, and the light is amber."""
        grounds = self.looks.grounds
        guessed = self._guessed_places(turn, seen)
        grounds.doubt("hidden", self.looks.out_of_sight >= OUT_OF_SIGHT or bool(guessed))
        theirs = self.looks.begins == turn.side and (
            is_of_one_turn(turn, seen) or moved_one_of_theirs(turn, seen)
        )
        grounds.doubt(
            "open_side", (self.state.side is None and not theirs) or self._may_be_repeated(turn, found, seen)
        )
        grounds.doubt(
            "others_moved",
            (touched_nothing(turn.before, seen, turn.side) and not self._in_his_own_turn(turn, found))
            or self.unseen_turns.next_has_begun(turn, seen)
            or (
                self.looks.asked_for_a_thing and _moved_theirs(turn, seen) and not self._beside_his_dice(seen)
            ),
        )
        grounds.doubt(
            "open_dice", bool(self._otherwise_read(turn, seen)) or self._on_first_reading(turn, seen)
        )
        # (No position holds a checker on a made point, so there `seen` is the position before.)
        moved = seen != turn.before or found.blocked is not None
        grounds.doubt("lifted_unplayed", self.looks.unplayed and moved and not self.options.key_frames)
        grounds.doubt("contradicted_start", self._of_what_contradicts(turn, found, seen))
        otherwise = self._lawful_from(turn, found, seen)
        grounds.doubt("open_start", otherwise is not None)
        if self.second_opinion.dispute(turn):
            return True
        premise = grounds.premise
        if premise is None:
            return False
        code, points = f"doubt_{premise}", ""
        if premise == "position" and (hides := self._hides(turn, guessed, otherwise)):
            # People can do something about it, and then the play can be judged.
            code, points = "doubt_hidden", point_words(hides)
            self.looks.asked_for_a_thing = True
        args = {"side": turn.side, "dice": turn.dice, "points": points}
        words = sentence(code, args, self.state.names)
        self.questions.unclear("position", words, found.nearest, seen, code, points)
        return True

    def _lawful_from(self, turn: Turn, found: Reconciled, seen: Position) -> Position | None:
        """A board that may have lain there before the roll instead, and from which the play is lawful."""
        for before in self.looks.alternatives.of(turn.before):
            if not self._may_be_played_from(before, turn.side, seen, found):
                continue
            other = turn_of(before, turn.dice, turn.side, self.rules)
            if other.may_lead_to(seen) or self._is_nearly_of(other, seen):
                return before
        return self._lawful_if_misread(turn, found, seen)

    def _of_what_contradicts(self, turn: Turn, found: Reconciled, seen: Position) -> bool:
        """Whether the fault may come of a place that has said something else of the board than was written down since the turn before: it was
        touched, something may hide where its checkers are, or with what it says the play is lawful."""
        witnesses, raw = self.looks.witnesses, self.looks.raw
        against = witnesses.contradict
        if not against:
            return False
        touched = vector(turn.before) != vector(seen)
        if found.blocked is not None:
            touched[[slot_of(point, turn.side) for point in found.blocked]] = True
        if raw is None or raw.hidden or touched[list(against)].any():
            return True
        if found.blocked is not None:
            return False
        return any(
            self._is_lawful_from(before, turn, found, now)
            for before, now in witnesses.as_contradicted(turn.before, seen)
        )

    def _is_lawful_from(self, before: Position, turn: Turn, found: Reconciled, seen: Position) -> bool:
        """Whether `seen` is a lawful play of `turn`'s roll from `before`, or on the way to one where it is not known for half a play."""
        other = turn_of(before, turn.dice, turn.side, self.rules)
        return other.play_to(seen) is not None or (found.kind != "partial" and other.may_lead_to(seen))

    def _hides(self, turn: Turn, guessed: list[int], otherwise: Position | None) -> list[int]:
        """The slots that something covers, and of which the doubt about where the play began or ended is: what lies there is `guessed`, or would
        be another number in `otherwise`."""
        raw = self.looks.raw
        if otherwise is None or raw is None:
            return guessed
        differs = vector(otherwise) != vector(turn.before)
        return sorted({*guessed, *(slot for slot in raw.hidden if differs[slot])})

    def _may_be_played_from(self, before: Position, side: Side, seen: Position, found: Reconciled) -> bool:
        """Whether `before`, which may have lain there instead, can be what `side` played from: not where nobody has touched a point that
        would have changed, nor where a checker stands on a point that the other side holds in it too."""
        raw = self.looks.raw
        if found.blocked is not None and before.seen_from(side)[0][found.blocked[1] - 1] <= -2:
            return False
        return raw is None or not self.looks.witnesses.rules_out(raw, before, seen)

    def _guessed_places(self, turn: Turn, seen: Position) -> list[int]:
        """The slots of which `seen` says what nobody could see: those that must have changed for this fault, are partly covered by something
        that stands there, and were not seen to change beside it; and those that cannot be read beside a point that has more than before. What
        lies there is a guess, and may have been one in the turns before."""
        raw = self.looks.raw
        if raw is None:
            return []
        was, now = vector(turn.before)[:OFF_LIGHT], vector(seen)[:OFF_LIGHT]
        seen_to_change = self.looks.witnesses.seen_to_change
        covered = {
            slot
            for slot in raw.hidden
            if was[slot] != now[slot] and not seen_to_change(raw, slot, int(was[slot]), int(now[slot]))
        }
        more = np.flatnonzero(np.abs(now[:BAR_LIGHT]) > np.abs(was[:BAR_LIGHT])).tolist()
        return sorted(
            covered
            | {
                near
                for slot in more
                for near in (slot - 1, slot + 1)
                if near // 6 == slot // 6 and was[near] == now[near] == 0 and self._is_unreadable(near)
            }
        )

    def _is_unreadable(self, slot: int) -> bool:
        """An empty point of which nobody can say how many checkers lie there: a sleeve lies on it, or the like."""
        assert self.looks.raw is not None
        best, second = np.sort(self.looks.raw.rows[slot])[:-3:-1]
        return bool(best - second < UNREADABLE)

    def _is_nearly_of(self, turn: Turn, seen: Position) -> bool:
        """Whether what lies there is nearly as well a lawful play of `turn`, or nothing moved yet."""
        evidence = self.looks.heard
        if evidence is None:
            return False
        best = evidence.score(turn.before)
        if turn.can_move:
            best = max(best, float(evidence.scores(turn.legal_counts).max()))
        return best > evidence.score(seen) - self.options.red_margin

    def _may_be_repeated(self, turn: Turn, found: Reconciled, seen: Position) -> bool:
        """Checkers of the second player, who repeats the opening numbers, were moved after the first one had lifted his dice: it may be
        the second player's work."""
        if not (self.state.opening and self.turns.repeats(turn.dice)) or self.state.second_dice is not None:
            return False
        lay = self.looks.lay_with_dice
        beside_his_dice = lay is not None and lay.key == found.key
        return self.looks.dice_lifted and not beside_his_dice and _moved_theirs(turn, seen)

    def _lawful_from_elsewhere(self, turn: Turn, seen: Position) -> Position | None:
        """The board with one checker on another point before the roll, by two places that could hardly be told, if a lawful play from there
        explains this look as well. (Where the board was guessed from such places, a neighbour that leans over may look like the play.)"""
        raw = self.looks.raw
        if raw is None:
            return None
        # (No position holds a checker on a made point: `seen` is the one before then, and fits badly.)
        margin = self.options.red_margin if seen == turn.before else ELSEWHERE
        for before, behind in self.looks.witnesses.may_have_lain_elsewhere(turn.before, margin):
            other = turn_of(before, turn.dice, turn.side, self.rules)
            if (
                other.can_move
                and float(raw.scores(other.legal_counts).max()) - behind > raw.score(seen) - margin
            ):
                return before
        return None

    def _lawful_if_misread(self, turn: Turn, found: Reconciled, seen: Position) -> Position | None:
        """The board from which the play is lawful, if points that nobody has touched in this turn can hardly be read, or stacks could hardly
        be before it, and hold something else."""
        if self.looks.heard is None:
            return None
        for before in self.looks.witnesses.may_have_lain(turn.before, self.options.red_margin):
            if not self._may_be_played_from(before, turn.side, seen, found):
                continue
            if self._is_lawful_from(before, turn, found, seen):
                return before
        if (elsewhere := self._lawful_from_elsewhere(turn, seen)) is not None:
            return elsewhere
        for before, now in misread(self.looks.heard, turn.before, seen, self.options.red_margin):
            if not self._may_be_played_from(before, turn.side, now, found):
                continue
            if self._is_lawful_from(before, turn, found, now):
                return before
        return None

    def _beside_his_dice(self, seen: Position) -> bool:
        """`seen` lay there while the dice of this turn did, so that the opponent cannot have rolled yet."""
        lay = self.looks.lay_with_dice
        return lay is not None and seen in lay.boards

    def _in_his_own_turn(self, turn: Turn, found: Reconciled) -> bool:
        """What lies there was done while `turn`'s dice lay beside it, and where they lay says whose they are."""
        before = self.looks.lay_with_dice
        lay = before is not None and before.key == found.key
        return lay and self.looks.custom and self.looks.halves.last == turn.side

    def doubted(self, found: Reconciled) -> bool:
        """What lies there has been asked about already."""
        trouble = self.state.trouble
        if trouble is None:
            return False
        # (Of half a play it is asked what was taken off instead, where that is seen rather.)
        lies_there = trouble.seen in found.boards
        if trouble.doubts == "position" and lies_there:
            return True
        if not trouble.code.startswith("doubt_"):
            return False
        if found.left_on is not None and trouble.seen == self.state.position:
            # (A hit checker beside the one that hit it can't be written down, so the board before was named.)
            return True
        return lies_there or trouble.seen == found.position

    def too_late_to_correct(self) -> bool:
        """At a table where the end of the turn makes an illegal play final, lifting the dice does. True when it was so."""
        s = self.state
        final = self.rules.correctable_until == "turn_ended" and self.looks.claimed_by_lifting
        if not final or s.phase is not Phase.ILLEGAL or s.board is None:
            return False
        self.let_it_stand(self.looks.turn(), s.board, None, "rules")
        return True

    def must_be_put_right(self) -> bool:
        """At a table where an illegal play has to be corrected, the opponent's roll alone does not let it stand (his play does, for
        then they have agreed). It is said."""
        s = self.state
        told = s.illegal is not None and s.phase in (Phase.PLAY, Phase.ILLEGAL)
        if self.rules.illegal_play != "must_correct" or not told or self.options.key_frames:
            return False
        reason = sentence("notice_put_right", {"side": s.side}, s.names)
        self.questions.notice_once("notice_put_right", reason, s.side)
        return True

    def _is_the_opponents_doing(self, turn: Turn, found: Reconciled) -> bool:
        """The opponent has rolled beside a fault that had been named, and since then `turn.side` has moved none of his: what lies there
        otherwise has been done with that roll, rightly or not."""
        named, seen = self.state.board, found.position
        if self.state.phase is not Phase.ILLEGAL or named is None or seen is None:
            return False
        return touched_nothing(named, seen, turn.side) and not self.must_be_put_right()

    def opponent_rolled(self, turn: Turn, position: Position, fresh: Pair) -> None:
        """The opponent has rolled beside an illegal play: by the law of most tables it stands."""
        otherwise = self.state.phase is Phase.ILLEGAL and position != self.state.board
        if otherwise or not self.must_be_put_right():
            self.let_it_stand(turn, position, fresh)

    def _may_lie_on_a_pile(self, turn: Turn, position: Position) -> None:
        """What is missing in `position`, where nothing could be borne off, may have come to lie on a full point that somebody has touched."""
        if all_home(state_of(turn.before, turn.side)):
            return
        i = SIDES.index(turn.side)
        lost = position.off[i] - turn.before.off[i]
        raw, rules_out = self.looks.raw, self.looks.witnesses.rules_out
        self.looks.alternatives.missing(
            position, turn.side, lost, lambda there: raw is None or not rules_out(raw, turn.before, there)
        )

    def let_it_stand(self, turn: Turn, position: Position, fresh: Pair | None, by: str = "rolled") -> None:
        """An illegal play stands; the game goes on from the board."""
        named = self.state.phase is Phase.ILLEGAL and self.state.board == position
        position = with_theirs_on_the_bar(turn, position)
        if not named and fresh is not None and self._was_lawful_of_other_dice(turn, position, fresh):
            return
        self.rolls.threw_again(turn.side)
        guessed = bool(self._guessed_places(turn, position))
        self._may_lie_on_a_pile(turn, position)
        self.say(ev.PlayStands, side=turn.side, dice=turn.dice, position=position, by=by)
        self.turns.end_turn(turn, None, position, fresh, legal=False)
        if guessed:
            # No law tells what lies under a thing then: the next turn begins from a guess.
            self.looks.grounds.doubt("guessed_start")
        if named:
            self.second_opinion.follow()

    def _was_lawful_of_other_dice(self, turn: Turn, position: Position, fresh: Pair) -> bool:
        """A die was read doubtfully, only one other reading makes a lawful play of what lies there, and the opponent has gone on from it: so it
        was that one (few plays are illegal, and few of those lawful with one die read otherwise). It is said."""
        fits = self._otherwise_read(turn, position)
        if len(fits) != 1 or not self._may_be_misread(turn):
            return False
        other = turn_of(turn.before, fits[0], turn.side, self.rules)
        play = other.play_to(position)
        if play is None:
            return False
        self._say_other_dice(other)
        self.turns.end_played(other, play, fresh)
        return True

    def _say_other_dice(self, turn: Turn) -> None:
        """`turn`'s dice are taken from the play."""
        a, b = turn.dice
        self.say(ev.DiceCorrected, side=turn.side, dice=turn.dice, by="play")
        self.looks.grounds.doubt("guessed_dice")
        words = f"The dice could not be read well; {a}-{b} is taken from the play."
        self.say(ev.Noticed, code="notice_dice_from_play", reason=words, side=turn.side)


def _moved_theirs(turn: Turn, seen: Position) -> bool:
    """Whether more of the opponent's checkers have left their points than were hit."""
    _, _, theirs, hits = moved_by(turn, seen)
    return theirs > max(0, hits)
