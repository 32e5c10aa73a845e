"""Rolls: whether they can be read, whether they count, and whose they are."""

from __future__ import annotations

from pi_board import events as ev
from pi_board.events import Dice
from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import (
    ROLLS,
    Evidence,
    Reconciled,
    Turn,
    may_have_no_move,
    one_too_many,
    shows,
    turn_of,
)
from pi_board.referee.grounds import Doubt
from pi_board.referee.seeing_part import SeeingPart
from pi_board.rules import SIDES, STARTING_POSITION, Position, Procedure, Side, opponent
from pi_board.table import Phase

#: Least confidence (0..1) of dice that are taken for a roll. Chosen by eye, not swept.
READ = 0.3
#: Dice that later looks read otherwise are corrected from this confidence on, if it is no more than `LESS_SURE` below that of the first
#: reading. Chosen by eye, not swept.
READ_AGAIN, LESS_SURE = 0.6, 0.2


class Rolls(SeeingPart):
    """Between two turns: the side to roll thinks, doubles or rolls."""

    def roll(self, side: Side | None, dice: Dice, confidence: float = 1.0, note: str = "") -> None:
        self.looks.due = side or self.state.side
        self.looks.out_of_sight, self.looks.asked_for_a_thing = 0.0, False
        self.looks.put_right, self.looks.another_due, self.looks.lay_there, self.looks.lay_with_dice = (
            False,
            False,
            None,
            None,
        )
        self.looks.dice_lay, self.looks.unplayed, self.looks.begins = self.looks.dice_lie, False, None
        self.looks.wrong_with_dice, self.looks.taken_back_since = None, False
        self.looks.read_first = None
        self.looks.rolled = self.looks.pair_of_turn
        self.looks.shoved, self.looks.rejected = None, None
        self.looks.rolled_beside, self.looks.unread = None, None
        self.looks.was_put_right = False
        self.looks.grounds.new_roll()
        if self.state.position is not None:
            self.looks.witnesses.rolled_from(self.state.position)
            if self.looks.raw is not None and self.looks.grounds.doubts("guessed_start"):
                # (Once a look shows all of what was guessed, another that is read wrongly in each look is possible still.)
                self.looks.alternatives.guessed(self.looks.raw, self.state.position)
        self.say(
            ev.DiceRolled, side=side, dice=(max(dice), min(dice)), confidence=round(confidence, 3), note=note
        )  # fmt: skip

    def roll_is_read(self, pair: Pair) -> bool:
        """Whether the roll can be taken as it lies; asks for better dice after a while."""
        if pair.seen < self.options.agree_looks:
            self.looks.waiting = True
            return False
        if self.rules.dice_flat and pair.cocked:
            self.looks.rejected = pair
            self.reject(pair, "on_checker" if pair.on_checker else "cocked")
            return False
        if pair.values is not None and pair.confidence >= READ:
            return True
        self.looks.unread = pair
        if self.looks.doubting():
            self.questions.unclear(
                "dice",
                "The dice can't be read: straighten them or set them by hand.",
                None,
                None,
                "dice_unread",
            )
        return False

    def reject(self, pair: Pair, code: str) -> None:
        """Roll again. Said once per roll, after a third look (a die may just be coming to rest)."""
        self.looks.waiting = pair.looks <= self.options.agree_looks
        if pair.looks > self.options.agree_looks and self.state.waits_for != code:
            fault = {
                "cocked": "A die does not lie flat: roll both again.",
                "on_checker": "A die lies on a checker: roll both again.",
                "outside": "A die lies outside the playing field: roll both again.",
                "wrong_half": "The dice belong in the thrower's right-hand half: roll both again.",
                "too_early": "Roll only after the opponent has lifted the dice: roll again.",
            }[code]
            self.say(ev.DiceRejected, side=self.state.side, code=code, reason=fault)

    def to_roll(self, evidence: Evidence) -> None:
        """The side to roll thinks, doubles or rolls; the board must not change meanwhile."""
        s = self.state
        position = s.position
        assert position is not None
        pair = self.looks.fresh()
        as_left = shows(evidence, position, slack=self.options.slack)
        self.looks.watch_the_board(as_left)
        if s.phase is Phase.ROLL and (
            self.unseen_turns.guess_taken_back(evidence)
            or self.unseen_turns.played_unseen(evidence, pair)
            or self.unseen_turns.played_unknown(evidence, pair)
        ):
            return
        if s.phase is Phase.ROLL and pair is None:
            if not as_left and self.turns.goes_on_putting_right(evidence):
                return
            if self.unseen_turns.played_glimpsed(evidence):
                return
        if pair is not None and s.phase is Phase.DOUBLED and self.doubling.rolled_after_an_offer(pair):
            return
        if pair is not None and s.phase is Phase.ROLL and self._passed_with_a_rejected_roll(evidence, pair):
            return
        if pair is not None and s.phase is Phase.ROLL and as_left and self._danced_unread(pair):
            return
        if pair is not None and s.phase is Phase.ROLL:
            if self.roll_is_read(pair) and self._procedure(pair):
                self.rolled(pair)
            elif pair.values is None:
                self.unseen_turns.unread_but_played(evidence, pair, SIDES if s.side is None else (s.side,))
            else:
                self.unseen_turns.played_a_rejected_roll(evidence, pair)
            return
        if pair is None and not self.looks.dice.coming:
            self.looks.alternatives.suppose(evidence, position)
        if as_left:
            count, _ = self.looks.steady("as_left", True)
            if not self.looks.dice.coming:
                # (If dice have just been seen, somebody may already be playing them.)
                if count >= self.options.agree_looks and self.looks.clearly_shows(evidence, position):
                    self.looks.grounds.dispel("guessed_start")
                if (raw := self.looks.raw) is not None:
                    self.looks.alternatives.tell_apart(raw, position, self.options.red_margin)
            self.looks.before_seq, self.looks.before_frame = self.seq, self.frame
            self.questions.clear()
            return
        if position != STARTING_POSITION and shows(evidence, STARTING_POSITION, slack=self.options.slack):
            self.start.ask_to_abandon()
            return
        count, changed = self.looks.steady("as_left", False)
        # The next dice may still be rolling while somebody tidies his checkers: twice the patience.
        if (
            count >= self.options.agree_looks
            and self.looks.doubting()
            and changed >= 2 * self.options.doubt_patience
        ):
            seen, _ = self.looks.read_board(evidence, position)
            self.questions.board_differs(position, seen, evidence)

    def _procedure(self, pair: Pair) -> bool:
        """Where the dice must lie (leaflet 002): enforced, advised or ignored, as the table wishes."""
        s, wish = self.state, self.options.dice_half
        if wish == "ignore" or s.side is None:
            return True
        fault = self._place_fault(pair, s.side)
        if fault is not None and (wish == "enforce" or fault == "outside"):
            self.reject(pair, fault)
            return False
        return True

    def _place_fault(self, pair: Pair, side: Side) -> str | None:
        """ "outside" or "wrong_half" by where `side`'s dice lie, None when they lie well. (How they lie is not asked.)"""
        law = Procedure.of(self.rules)
        faults = [law.die_fault(side, half=half) for half in pair.halves]
        return next((f.code for f in faults if f is not None), None)

    def _notice_place(self, pair: Pair) -> None:
        s = self.state
        if self.options.dice_half != "advise" or s.side is None:
            return
        if self._place_fault(pair, s.side) == "wrong_half":
            # In a badly seen room these were the opponent's own dice about half the time. In pictures of single moments
            # the place of the dice means nothing, and not every player keeps to his half.
            habit = self.looks.halves.tell_nothing_of(s.side) or self.options.key_frames
            self.looks.grounds.doubt("other_half", not habit)
            reason = f"The dice belong in {s.side}'s right-hand half."
            self.say(ev.Noticed, code="notice_wrong_half", reason=reason, side=s.side)

    def notice_thrown_again(self, side: Side | None, before: str) -> None:
        self.say(
            ev.Noticed,
            code="notice_thrown_again",
            reason=f"The dice were rolled again before {before}.",
            side=side,
        )

    def rolled(self, pair: Pair, side: Side | None = None, note: str = "") -> None:
        """A roll that counts."""
        assert pair.values is not None
        put_right = self._put_right_what_was_left()
        again = side is None and not note and self._may_be_rolled_again(pair)
        self.looks.used = pair.serial
        self.looks.doubt_since = None
        whose = side or self.state.side
        self.looks.again = opponent(whose) if again and whose is not None else None
        if again or (side is None and whose is not None and self._may_be_the_others(pair, whose)):
            # The play will tell whose roll it is.
            whose = None
        self.looks.remember_roll(pair)
        # Amber was already asking about this board before these dice were rolled, so it is not the roller's
        # fault.
        trouble = self.state.trouble
        asked = trouble is not None and trouble.doubts == "position"
        otherwise = asked or (side is None and not note and self.lies_otherwise(pair))
        put_right |= self._hear_what_contradicts()
        left, position = self.hindsight.left, self.state.position
        if left is not None and position is not None:
            hidden = self.looks.raw.hidden if self.looks.raw is not None else ()
            self.looks.witnesses.lay_at_rest(left, position, hidden)
        self.roll(whose, pair.values, pair.confidence, note)
        if put_right:
            # (It knows of these dice already, so it must hear that they were rolled from here.)
            self.second_opinion.follow()
        self.looks.grounds.doubt("otherwise_left", otherwise)
        self._notice_place(pair)
        heard = self.looks.witnesses.hear(left) if left is not None else None
        seen = heard is not None and position is not None and self.looks.clearly_shows(heard, position)
        sure = self.looks.grounds.premise is None and not self.looks.witnesses.contradict
        if seen and sure and self.second_opinion.is_lost:
            self.second_opinion.follow()

    def _put_right_what_was_left(self) -> bool:
        """The board that the last turn left is what all looks at it say together. (Red needs a fault from what was written down as well.)"""
        instead = self.hindsight.instead() if self.state.phase is Phase.ROLL else None
        if instead is None:
            return False
        self._put_right(instead)
        return True

    def _hear_what_contradicts(self) -> bool:
        """A board that places go on speaking against is in doubt, and after some turns it is put right."""
        s, witnesses = self.state, self.looks.witnesses
        if self.looks.raw is None or s.position is None or s.phase is not Phase.ROLL:
            return False
        witnesses.asked(self.looks.raw, s.position)
        instead = witnesses.instead(s.position, self.hindsight.misread)
        if instead is None:
            return False
        self._put_right(instead)
        return True

    def _put_right(self, position: Position) -> None:
        written = self.state.position
        self.say(ev.PositionCorrected, position=position, by="vision")
        self.looks.witnesses.forget()
        self.looks.alternatives.forget()
        if written is not None:
            self.looks.alternatives.put_right(written, position)
        if self.looks.raw is not None:
            self.looks.alternatives.guessed(self.looks.raw, position)

    def lies_otherwise(self, pair: Pair) -> bool:
        """Something has been played since the last turn that I saw, and not with these dice."""
        s, evidence = self.state, self.looks.evidence
        if (
            s.position is None
            or evidence is None
            or pair.values is None
            or shows(evidence, s.position, slack=self.options.slack)
        ):
            return False
        if one_too_many(evidence, s.position):
            # A play must take a checker from somewhere, so this is one misread slot.
            return False
        if self.looks.changed_before:
            # It changed before these dice lay there, so it is not a play of theirs.
            return True
        if self.looks.no_turn_since_as_left(pair, s.side):
            # It lay as it was left until a moment ago: what has been moved since was moved with these dice.
            return False
        return not any(self.looks.may_be_play_of(pair.values, side, evidence) for side in SIDES)

    def _may_be_the_others(self, pair: Pair, side: Side) -> bool:
        """A roll against the custom of the table may be of `side`'s opponent, if a turn can have passed unseen: checkers lie
        elsewhere than they were left, or `side` may have danced, or the dice show what they showed before."""
        s = self.state
        if (
            not self.looks.custom
            or set(pair.halves) != {opponent(side)}
            or s.position is None
            or pair.values is None
        ):
            return False
        dice = (max(pair.values), min(pair.values))
        if self.looks.evidence is None or not shows(
            self.looks.evidence, s.position, slack=self.options.slack
        ):
            return True
        if s.last is not None and sorted(dice) == sorted(s.last.dice):
            return True
        return may_have_no_move(s.position, side, self.rules)

    def _may_be_rolled_again(self, pair: Pair) -> bool:
        """A player who could not move may roll once more in his own half (he saw a die leaning that I took for flat): at a
        table where everybody rolls in his own half that need be no opponent's roll."""
        s = self.state
        if s.phase is not Phase.ROLL or s.side is None or s.last is None or pair.values is None:
            return False
        them = opponent(s.side)
        return self._has_passed(them) and self.looks.lies_again_with(pair, them)

    def _has_passed(self, side: Side) -> bool:
        """The last turn was `side`'s, it could not move, and nothing has been moved since."""
        last = self.state.last
        return (
            last is not None
            and last.side == side
            and last.legal
            and not last.play
            and last.position == self.state.position
        )

    def rolled_again(self, side: Side) -> None:
        """The roll turns out to have been `side`'s second one: the turn that it had passed is open again. It is said."""
        s = self.state
        if s.last is None or s.dice is None or s.position is None:
            return
        # (Nobody plays twice in a row, unless the other had nothing to play in between.)
        twice = (
            s.side == opponent(side)
            and self._has_passed(side)
            and not may_have_no_move(s.position, opponent(side), self.rules)
        )
        if not twice and (self.looks.again != side or s.side is not None):
            return
        dice, confidence = s.dice, s.dice_confidence
        self.looks.again = None
        self.say(ev.TurnReopened, side=side, dice=s.last.dice, position=s.last.position)
        self.notice_thrown_again(side, "anything was played")
        self.roll(side, dice, confidence, "thrown again")

    def _turn_with(self, was: Pair) -> Turn | None:
        """The turn of the side to roll with dice that have counted for no roll; None where they were not surely read, or may be the
        opponent's."""
        s = self.state
        if was.values is None or was.confidence < self.options.dice_doubt:
            return None
        if s.side is None or s.position is None or opponent(s.side) in was.halves:
            return None
        return turn_of(s.position, (max(was.values), min(was.values)), s.side, self.rules)

    def _turn_of_the_next(self, pair: Pair) -> Turn | None:
        """The turn of the opponent of the side to roll with `pair`, if by the custom of the table he has rolled it."""
        s = self.state
        if pair.values is None or pair.cocked or s.side is None or s.position is None:
            return None
        if not self.looks.custom or set(pair.halves) != {opponent(s.side)}:
            return None
        return turn_of(s.position, (max(pair.values), min(pair.values)), opponent(s.side), self.rules)

    def _danced_with(self, was: Pair | None, pair: Pair | None, note: str, doubt: Doubt) -> bool:
        """The side to roll could move nothing with `was`, dice that have counted for no roll. Its turn is passed, if so, as
        `_pass_once_agreed` says. True when it was so."""
        turn = self._turn_with(was) if was is not None else None
        if was is None or turn is None or turn.can_move:
            return False
        self._pass_once_agreed(turn, was, pair, note, doubt)
        return True

    def _passed_with_a_rejected_roll(self, evidence: Evidence, pair: Pair) -> bool:
        """The players took a roll that was to be repeated, nothing had to be moved with it, and by the custom of the table the
        opponent has rolled: their agreement counts. True when it was so."""
        was = self.looks.rejected
        if was is None or was.serial == pair.serial:
            return False
        turn, theirs = self._turn_with(was), self._turn_of_the_next(pair)
        if turn is None or theirs is None or set(was.halves) != {turn.side} or not turn.may_pass:
            return False
        if self.looks.reconcile(evidence, theirs).kind not in ("before", "partial", "legal"):
            return False
        self._pass_once_agreed(turn, was, pair, "taken although to be thrown again", "rejected_dice")
        return True

    def _danced_with_a_glimpse(self, pair: Pair) -> bool:
        """Dice were seen to lie beside a hand and were lifted at once, for nothing can be played with them; by the custom of the table
        the opponent has rolled since: so the turn has been passed. True when it was so."""
        side = self.state.side
        was = self.looks.dice.passed_by
        if was is None and side is not None:
            was = self.looks.dice.in_passing.get(side)
        if was is None or was.cocked or self.state.waits_for or self._turn_of_the_next(pair) is None:
            return False
        return self._danced_with(was, pair, "seen once", "guessed_dice")

    def danced_before_a_double(self) -> None:
        """Somebody doubles. Where the side to roll has rolled already, dice that were seen only once or were to be rolled again, and
        could move nothing with them, it is the opponent: the turn is passed."""
        s = self.state
        if s.phase is not Phase.ROLL or s.side is None or self.looks.fresh() is not None:
            return
        if not s.match.may_double(opponent(s.side), on_roll=opponent(s.side)):
            return
        glimpse = self.looks.dice.glimpse
        # (What was seen while a roll was to be repeated is the next one only if the first had been lifted before.)
        if glimpse is not None and (glimpse.cocked or (s.waits_for and not glimpse.gap)):
            glimpse = None
        rejected = self.looks.rejected if s.waits_for else None
        if not self._danced_with(glimpse, None, "seen once", "guessed_dice"):
            self._danced_with(rejected, None, "taken although to be thrown again", "rejected_dice")

    def _danced_unread(self, pair: Pair) -> bool:
        """`pair` ends a turn in which nothing could be moved, and whose dice could not be read as they lay."""
        return (
            self._danced_with_a_glimpse(pair)
            or self._danced_with_an_unread_roll(pair)
            or self._danced_beside_one(pair)
        )

    def _danced_with_an_unread_roll(self, pair: Pair) -> bool:
        """A die of the roll could not be read, the dice were lifted with nothing played, and by the custom of the table the opponent has
        rolled since: with the number that was read, and one that leaves no move, the turn has been passed. True when it was so. (Where
        several leave none, any is as likely as the others.)"""
        s, was = self.state, self.looks.unread
        if was is None or was.serial == pair.serial or s.side is None or s.position is None:
            return False
        if s.waits_for or set(was.halves) != {s.side} or self._turn_of_the_next(pair) is None:
            return False
        numbers = [d.reading[0] for d in was.dice]
        known = [number for number in numbers if number]
        turns = [turn_of(s.position, roll, s.side, self.rules) for roll in ROLLS if _may_show(roll, known)]
        turn = next((turn for turn in turns if not turn.can_move), None)
        if turn is None:
            return False
        self._pass_once_agreed(turn, was, pair, "taken from the play", "guessed_dice")
        return True

    def _danced_beside_one(self, pair: Pair) -> bool:
        """The same where only one of the dice was seen, the other behind a cup."""
        s, dice = self.state, self.looks.dice
        if dice.lone is None or dice.lone_half != s.side or s.side is None or s.position is None:
            return False
        if s.waits_for or self._turn_of_the_next(pair) is None:
            return False
        # (Two different numbers come up twice as often as a given double.)
        rolls = sorted((roll for roll in ROLLS if dice.lone in roll), key=lambda roll: roll[0] == roll[1])
        turns = [turn_of(s.position, roll, s.side, self.rules) for roll in rolls]
        turn = next((turn for turn in turns if not turn.can_move), None)
        if turn is None:
            return False
        self._pass_once_agreed(turn, None, pair, "taken from the play", "guessed_dice")
        return True

    def _pass_once_agreed(
        self, turn: Turn, was: Pair | None, pair: Pair | None, note: str, doubt: Doubt
    ) -> None:
        """`turn` was rolled with `was` (None = not both dice were seen), and nothing was moved: said as soon as the opponent's dice `pair`
        have been looked at often enough; at once where something else shows that he goes on."""
        if pair is not None:
            self.looks.waiting = True
            if pair.looks < self.options.agree_looks:
                return
        if was is not None:
            self.looks.remember_roll(was)
        self.roll(turn.side, turn.dice, was.confidence if was is not None else 0.0, note)
        self.looks.grounds.doubt(doubt)
        self.turns.end_turn(turn, turn.play_to(turn.before), turn.before, pair)

    def roll_again(self, side: Side, pair: Pair, before: str) -> None:
        """`side` has rolled once more: these dice count instead. It is said."""
        assert pair.values is not None
        self.looks.used = pair.serial
        self.looks.remember_roll(pair)
        self.notice_thrown_again(side, before)
        self.roll(side, pair.values, pair.confidence, "thrown again")

    def roll_of_the_next(self, found: Reconciled, turn: Turn) -> Pair | None:
        """The opponent's roll while this turn is still open; nudged or re-read dice of this turn are no roll."""
        s, pair = self.state, self.looks.dice.pair
        fresh = self.looks.fresh()
        if fresh is None:
            # The same dice read differently after more looks. Say so, and only while nothing has been played.
            if (
                pair is not None
                and pair.serial == self.looks.used
                and s.phase is Phase.PLAY
                and s.second_dice is None
                and found.kind == "before"
                and pair.values is not None
                and not pair.shows(turn.dice)
                and pair.looks >= 2 * self.options.agree_looks
                and pair.confidence > max(READ_AGAIN, s.dice_confidence - LESS_SURE)
                and s.side is not None
            ):
                self.looks.read_first = turn.dice
                self.say(
                    ev.DiceCorrected, side=s.side, dice=(max(pair.values), min(pair.values)), by="vision"
                )
            return None
        if fresh.values is None or fresh.looks < self.options.agree_looks:
            self.looks.waiting = True
            return None
        danced = s.phase is Phase.PLAY and found.kind == "before" and turn.may_pass
        if not danced and self.faults.must_be_put_right() and not self._have_gone_on(found, turn, fresh):
            # (Who has taken it back and cannot move otherwise has put it right.)
            return None
        same = fresh.shows(turn.dice)
        if same and fresh.gap == 0 and self.looks.in_the_same_half(fresh, turn.side):
            # The dice were shoved aside to make room for a checker. They were never lifted.
            self.looks.used = fresh.serial
            self.looks.shoved = max(fresh.values), min(fresh.values)
            return None
        if (
            same
            and s.phase is not Phase.PLAYED
            and (found.kind in ("before", "partial") and not turn.may_pass)
            and not (found.kind == "partial" and fresh.gap >= 2)
            and not self.is_the_opponents(fresh, turn.side)
        ):
            self.looks.used = fresh.serial
            return None
        # (The turn of a side without a legal move ends with the next roll, no matter whose.)
        passed = turn.may_pass and found.kind == "before"
        open_turn = (
            s.phase is Phase.PLAY
            and s.side is not None
            and found.kind in ("before", "partial")
            and not passed
        )
        if open_turn and not self.looks.dice.crowded and self.looks.lies_again_with(fresh, turn.side):
            # The same player rolled again: he saw that a die leaned which vision took for flat.
            assert s.side is not None
            self.roll_again(s.side, fresh, "the play was finished")
            return None
        if self.looks.dice.crowded and s.phase is Phase.PLAY and not turn.may_pass:
            if s.noticed is None or s.noticed[0] != "notice_too_early":
                self.say(
                    ev.Noticed,
                    code="notice_too_early",
                    reason="Rolled before the play was finished and the dice were lifted.",
                    side=opponent(turn.side),
                )
            return None
        return fresh

    def _have_gone_on(self, found: Reconciled, turn: Turn, fresh: Pair) -> bool:
        """The players have gone on although the illegal play had to be put right: what lies there is neither it nor any play of `turn`,
        or dice have been rolled once more beside it and with the first ones the opponent could not move. (Then it stands, and he danced.)"""
        s, first = self.state, self.looks.rolled_beside
        evidence = self.looks.evidence
        if evidence is None:
            return False
        if s.board is None or s.phase is not Phase.ILLEGAL:
            return found.kind in ("illegal", "unclear")
        as_claimed = self.looks.as_claimed(evidence, found)
        if not as_claimed and found.kind not in ("illegal", "unclear"):
            return False
        if first is None or first.values is None or first.serial == fresh.serial:
            self.looks.rolled_beside = fresh if as_claimed and first is None else first
            return not as_claimed
        dice = (max(first.values), min(first.values))
        if turn_of(s.board, dice, opponent(turn.side), self.rules).can_move:
            return not as_claimed
        self.faults.let_it_stand(turn, s.board, first)
        return False

    def is_the_opponents(self, fresh: Pair, side: Side) -> bool:
        """`side`'s dice had lain in his half and been lifted, and these lie in the other one."""
        lifted = self.looks.rolled_after_lifting(fresh)
        return lifted and self.looks.halves.last == side and set(fresh.halves) == {opponent(side)}


def _may_show(roll: Dice, known: list[int]) -> bool:
    """The dice may show `roll`, of which the numbers `known` could be read (none to two)."""
    left = list(roll)
    for number in known:
        if number not in left:
            return False
        left.remove(number)
    return True
