"""Illegal plays: what is one, when it is said, and what becomes of it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pi_board import events as ev
from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import Evidence, Reconciled, Turn, likeliest_play, turn_of
from pi_board.referee.fault_kinds import BEARING_OFF, NO_SLIP, PHYSICAL
from pi_board.referee.messages import sentence
from pi_board.referee.one_turn import (
    EXCLUDED,
    hardly_blocked,
    is_of_one_turn,
    may_be_knocked,
    moved_one_of_theirs,
    nothing_new,
    one_stack_off,
    touched_nothing,
    uses_up_the_dice,
    with_theirs_on_the_bar,
)
from pi_board.referee.other_dice import OtherDice
from pi_board.referee.premises import Premises
from pi_board.referee.reasons import onto_a_held_point, reason_of
from pi_board.referee.seeing_part import SeeingPart, SeeingTableInterface
from pi_board.rules import SIDES, Play, Position, opponent
from pi_board.rules.movement import all_home, state_of
from pi_board.table import Phase

#: Nats by which the picture must prefer a board that no lawful play leads to, for the game to go on from it though nobody was told of a
#: fault. Of 20 such boards in 23 traced games (77-85) the right ones were ahead by 23 and more, misread ones by 7, 7, 7 and 12; of five in
#: kept campaign games (3520003-3801017) in which no tray has a part all by 10 and more, four of them right for sure. (Of ten with a tray nine
#: were right, and ahead by 4 and more.)
LIKELIER_MISREAD = 9.0


class Faults(SeeingPart):
    """What lies there is no play of this roll."""

    def __init__(self, table: SeeingTableInterface) -> None:
        super().__init__(table)
        self.other_dice = OtherDice(table)
        self.premises = Premises(table, self.other_dice)

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
                seen = self.going_on.seen_before(fresh, evidence, turn) or self.going_on.played_before(
                    evidence, turn, fresh
                )
                self.going_on.goes_on_from(turn, seen or found.position or turn.before, fresh)
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
        if s.phase is Phase.PLAYED and not self.premises.in_doubt(turn, found, seen):
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
        self.going_on.goes_on_from(turn, seen, None)

    def _another_explanation(
        self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None, held: float
    ) -> bool:
        """Before anyone is accused: did the other side move, or are the dice misread?"""
        s = self.state
        assert s.position is not None
        if fresh is None and self.going_on.repeated_unseen(evidence, turn, found, held):
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
                    f"It is {turn.side}'s roll, but {other.side} has moved.",
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
        if (
            still_playing
            and found.position is not None
            and self.other_dice.on_first_reading(turn, found.position)
        ):
            self.looks.waiting = True
            return True
        fits = self.other_dice.that_fit(turn, found.position)
        if not fits:
            return False
        if (
            len(fits) == 1
            and self.other_dice.may_be_misread(turn)
            and (fresh is not None or self.looks.dice_lifted)
        ):
            # The dice are gone and cannot be read again, and only one reading of them makes this a legal
            # play.
            return self.other_dice.take(evidence, turn, fits[0], fresh)
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

    def accuse(self, turn: Turn, found: Reconciled, seen: Position) -> None:
        code, reason, nearest = reason_of(turn, found, seen, self.rules)
        if code in BEARING_OFF and (move := self._onto_a_held_point(turn, seen)) is not None:
            put = replace(found, blocked=move, seen=turn.before)
            code, reason, nearest = reason_of(turn, put, seen, self.rules)
        if self.state.phase is Phase.ILLEGAL and self.state.board == seen:
            return
        if self.premises.in_doubt(turn, found, seen) or self._is_awaited(turn, found, seen, code, reason):
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
        raw, witnesses = self.looks.raw, self.looks.witnesses
        news = None if two_places or raw is None else witnesses.news(raw)
        turn = self.premises.of_touched_points(turn)
        said_before = self._said_before(turn, seen)
        one_stack = one_stack_off(evidence, turn, seen, said_before, news=news, excluded=excluded)
        return one_stack or nothing_new(evidence, turn, seen, said_before)

    def _said_before(self, turn: Turn, seen: Position) -> np.ndarray:
        """bool (N, SLOTS): where the picture said what `seen` says before anything was played, and what has changed since does not say so
        as well against each of the plays of `turn`."""
        witnesses, raw = self.looks.witnesses, self.looks.raw
        said = np.tile(witnesses.said_before(seen), (len(turn.legal), 1))
        if raw is not None and said.any():
            said &= ~witnesses.changed_to(raw, turn, seen)
        return said

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

    def _was_lawful_after_all(self, turn: Turn, position: Position, fresh: Pair | None) -> bool:
        """Nobody was told of a fault, and the opponent has gone on: the dice were doubtful and with others the play is lawful, or a single
        place was misread, which is likelier than a fault that nobody minded."""
        if fresh is not None and self.other_dice.lets_stand_as_lawful(turn, position, fresh):
            return True
        heard = self.looks.heard
        if heard is None or self.state.side is None:
            return False
        if len(fits := self.premises.lawful_if_touched_otherwise(turn, position)) == 1:
            self._lies_played(turn, fits[0], fresh)
            return True
        # (Where another board lies there now, the opponent has played already.)
        fit = heard.score(position)
        if fit < -self.options.slack or (play := likeliest_play(heard, turn, fit - LIKELIER_MISREAD)) is None:
            return False
        # (Of a checker that may have been borne off one place alone can tell: it tells.)
        if play.result.off != position.off and all_home(state_of(turn.before, turn.side)):
            return False
        self._lies_played(turn, play, fresh)
        return True

    def _lies_played(self, turn: Turn, play: Play, fresh: Pair | None) -> None:
        """The lawful `play` lies there, though a place says otherwise."""
        self.looks.grounds.doubt("guessed_start")
        self.hindsight.weighed()
        self.turns.end_played(turn, play, fresh)

    def went_on_with_other_dice(self, turn: Turn, position: Position) -> None:
        """The opponent has played on from `position`, which was asked about because the dice seemed to be others: it was right."""
        if not self.other_dice.were_played(turn, position, None):
            self.let_it_stand(turn, position, None)

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
        if not named and by == "rolled" and self._was_lawful_after_all(turn, position, fresh):
            return
        self.rolls.rolled_again(turn.side)
        guessed = bool(self.premises.guessed_places(turn, position))
        self._may_lie_on_a_pile(turn, position)
        self.say(ev.PlayStands, side=turn.side, dice=turn.dice, position=position, by=by)
        self.turns.end_turn(turn, None, position, fresh, legal=False)
        if not named and self.looks.raw is not None:
            self.looks.alternatives.guessed(self.looks.raw, position)
        if guessed:
            # No law tells what lies under a thing then: the next turn begins from a guess.
            self.looks.grounds.doubt("guessed_start")
        if named:
            self.second_opinion.follow()
