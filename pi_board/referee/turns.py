"""A turn: from the roll to its end."""

from __future__ import annotations

from typing import Any

from pi_board import events as ev
from pi_board.events import Dice
from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import (
    SLOT_CAP,
    Evidence,
    Reconciled,
    Turn,
    as_played,
    shows,
    turn_of,
)
from pi_board.referee.fault_kinds import TOO_SHORT
from pi_board.referee.looks import POOR_FIT
from pi_board.referee.reasons import in_no_hand
from pi_board.referee.seeing_part import SeeingPart
from pi_board.referee.state import REPEATED
from pi_board.rules import STARTING_POSITION, Play, Position, Side, opponent, winner
from pi_board.rules.scoring import Score, score_game
from pi_board.table import Phase

#: Nats by which a lawful play may be behind what is seen, which one stack or nothing new tells from it, to be carried on. Source:
#: `bench campaign --seed 500091` (10 nats, and it was the wrong board); 187 kept games, none of which it made worse.
CARRIED_ON = 8.0


class Turns(SeeingPart):
    """A roll is to be played, has been played, or was played wrongly."""

    def in_turn(self, evidence: Evidence) -> None:
        """A roll is to be played, has been played, or was played wrongly; the dice lie there or have been lifted."""
        position = self.state.position
        if position != STARTING_POSITION and shows(evidence, STARTING_POSITION, slack=self.options.slack):
            self.start.ask_to_abandon()
            return
        if self.looks.is_claimed and self.state.board is not None:
            self.looks.watch_the_board(evidence.score(self.state.board) >= -self.options.slack)
        if self.next_turns.next_played_unread(evidence) or self.next_turns.next_has_played(evidence):
            return
        if self.next_turns.next_played_without_dice(evidence):
            return
        if self.next_turns.next_played_beside_one(evidence) or self.next_turns.both_played_unseen(evidence):
            return
        if self.next_turns.next_played_glimpsed(evidence) or self.next_turns.both_played_glimpsed(evidence):
            return
        if self.unseen_turns.rolled_again_and_plays(evidence) or self.faults.too_late_to_correct():
            return
        found, turn = self.looks.explained(evidence)
        fresh = self.rolls.roll_of_the_next(found, turn)
        s = self.state
        if s.phase is Phase.ILLEGAL and fresh is not None and self.looks.as_claimed(evidence, found):
            assert s.board is not None
            self.faults.opponent_rolled(turn, s.board, fresh)
            return
        if self.faults.other_dice.first_reading_fits(evidence, found, turn, fresh):
            return
        if self.looks.dice_lie:
            self.looks.wrong_with_dice = found if found.kind in ("illegal", "unclear") else None
        elif found.kind == "before" and self.looks.dice_lay and self.looks.dice.absent:
            self.looks.taken_back_since = True
        if found.kind == "unclear":
            self.questions.not_understood(evidence, found, turn, fresh)
            return
        count, held = self.looks.steady("turn", found.key)
        # A play that hardly fits may be another one with a checker too many or too few, or taken back. Two lucky looks must
        # not decide that.
        announced = s.phase in (Phase.PLAYED, Phase.ILLEGAL)
        news = found.kind == "legal" or (found.kind == "partial" and announced and found.position is not None)
        poor = news and found.fit < POOR_FIT and s.board != found.position
        if not self.looks.seen_often(count, held, poor=poor):
            self.looks.waiting = True
            return
        if fresh is None and self.looks.fresh() is None and not self.looks.dice.coming:
            self.looks.lay_there = found
            clear = found.position is not None and self.looks.clearly_shows(evidence, found.position)
            self.looks.clear_there = found.position if clear else None
        if self.looks.dice_lie:
            self.looks.lay_with_dice = found
        otherwise = s.phase is Phase.PLAYED and found.kind in ("partial", "illegal")
        if otherwise and fresh is not None and self._was_lawful(evidence, turn):
            self.turn_may_end(fresh)
        elif fresh is not None and (play := self._hardly_told(turn, found)) is not None:
            self.going_on.goes_on_from(turn, play.result, fresh)
        elif found.kind == "before":
            self._nothing_moved(evidence, found, turn, fresh, held)
        elif found.kind == "partial":
            self._on_the_way(evidence, found, turn, fresh, held)
        elif found.kind == "legal":
            self.lawful_play(turn, found)
            self.turn_may_end(fresh)
        else:
            self.faults.illegal(evidence, found, turn, fresh, held)

    def _was_lawful(self, evidence: Evidence, turn: Turn) -> bool:
        """The light was green when the opponent rolled, and what the last looks show otherwise may be one slot that is misread."""
        assert self.state.board is not None
        one_slot = evidence.score(self.state.board) >= -SLOT_CAP - self.options.slack
        return one_slot and self.second_opinion.holds_lawful(turn, on_the_way=True)

    def _hardly_told(self, turn: Turn, found: Reconciled) -> Play | None:
        """The lawful play that the opponent, who has rolled, has most likely seen: too little speaks against it."""
        if found.kind != "illegal" or found.position is None or self.state.phase is not Phase.PLAY:
            return None
        if self.state.side is None:
            return None
        play = self.faults.hardly_told(turn, found.position, aloud=True)
        evidence = self.looks.evidence
        if play is None or evidence is None:
            return play
        behind = evidence.score(found.position) - evidence.score(play.result)
        return play if behind < CARRIED_ON else None

    def repeats(self, dice: Dice) -> bool:
        """By this leaflet the second player plays the opening numbers too."""
        return self.rules.second_player_repeats and dice[0] != dice[1]

    def _nothing_moved(
        self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None, held: float
    ) -> None:
        s = self.state
        if self._nobody_put_back(found):
            return
        self.looks.before_seq, self.looks.before_frame = self.seq, self.frame
        if self.looks.raw is not None:
            self.looks.witnesses.unplayed(self.looks.raw, turn.before)
        # Nothing has been played, whatever was hidden.
        self.looks.out_of_sight = 0.0
        self.looks.grounds.dispel("otherwise_left", "hidden")
        not_begun = (
            self.looks.claimed_by_lifting
            and s.phase is Phase.PLAY
            and s.illegal is None
            and not turn.may_pass
        )
        self.looks.unplayed |= self.looks.dice_lay and self.looks.dice.absent > 0
        if fresh is not None or not (self.faults.doubted(found) or (not_begun and found.veiled)):
            self.questions.clear()
        if (
            s.phase is Phase.ILLEGAL
            and s.board == turn.before
            and s.illegal is not None
            and s.illegal.code in TOO_SHORT
        ):
            # The red light already said that nothing was played, and nothing has changed.
            if fresh is not None:
                self.faults.opponent_rolled(turn, turn.before, fresh)
            return
        if s.trouble is not None and s.trouble.seen not in (None, turn.before):
            # What was asked about has been taken back.
            self.looks.another_due |= turn.can_move
        if s.phase in (Phase.PLAYED, Phase.ILLEGAL):
            self.looks.another_due |= s.phase is Phase.ILLEGAL and turn.can_move
            self.say(ev.PlayTakenBack, side=turn.side, position=turn.before)
            if self.looks.raw is not None:
                self.looks.witnesses.put_back(self.looks.raw, dice_lie=self.looks.dice_lie)
        put_back = self.state.said == "taken_back" and turn.before != STARTING_POSITION
        if put_back and self.looks.grounds.doubts("guessed_dice"):
            self.unseen_turns.forget_the_guess(turn.side, turn.before)
            return
        if s.side is None and self._passed_by_either(turn, fresh):
            return
        if turn.may_pass and s.side is not None:
            # (A player who corrects his play lifted his dice long ago. He has not passed; he is about to play.)
            if fresh is not None or (self.looks.ended_by_lifting and not self.looks.another_due):
                if found.may_be_lawful(self.options.slack):
                    # The picture can hardly tell, and who may play although he need not hardly ever passes.
                    self._believe(turn, found, fresh)
                else:
                    self.end_turn(turn, turn.play_to(turn.before), turn.before, fresh)
            return
        if fresh is not None and s.side is not None and self._opponent_went_on(found, fresh, s.side):
            self._believe(turn, found, fresh)
            return
        theirs = fresh is not None and s.side is not None and self.rolls.is_the_opponents(fresh, s.side)
        if fresh is not None and theirs and self.looks.custom:
            # At this table everybody rolls into his own half, so something was played, and too little of it is visible.
            position = (
                self._lay_otherwise(evidence, turn)
                or self.looks.read_board(evidence, turn.before)[0]
                or turn.before
            )
            self.going_on.goes_on_from(turn, position, fresh)
            return
        if fresh is not None:
            # The dice were rolled again and nothing was played. The play will tell whose roll it is.
            self.looks.used = fresh.serial
            self.rolls.notice_thrown_again(s.side, "anything was played")
            self.rolls.roll(None, fresh.values or turn.dice, fresh.confidence, "thrown again")
            return
        if not_begun and s.side is not None:
            self.looks.waiting = True
            if held < self.options.rethrow_patience:
                return
            if found.veiled:
                self.questions.not_understood(evidence, found, turn, fresh)
                return
            if found.may_be_lawful(self.options.red_margin):
                # The picture can hardly tell whether anything was moved, so believe the player.
                self._believe(turn, found, fresh)
                return
            # Who lifts the dice before he has touched a checker may be about to roll again (he saw a die leaning that I took
            # for flat). In a folder of finished moments nobody is about to do anything.
            self.looks.grounds.doubt("not_begun", not self.options.key_frames)
            self.faults.accuse(turn, found, turn.before)

    def _passed_by_either(self, turn: Turn, fresh: Pair | None) -> bool:
        """Nothing was played, and the roll may be either side's: it belonged to the side without a legal move, whose turn ends. (Where nobody
        is known to have rolled twice, only the next roll ends it: its player may still be about to move.) True when it was so."""
        again, due = self.looks.again, self.looks.due
        ends = fresh is not None or (again is not None and self.looks.claimed_by_lifting)
        if due is None or not ends:
            return False
        them = opponent(due)
        if again is None and fresh is not None and set(fresh.halves) == {due}:
            return False
        both = [turn_of(turn.before, turn.dice, side, self.rules) for side in (due, them)]
        passing = next((t for t in both if t.may_pass), None)
        if passing is None or (again is None and passing.side != due):
            return False
        if all(t.may_pass for t in both):
            # Neither can move: where the next dice lie tells whose these were.
            if fresh is None:
                return True
            passing = both[set(fresh.halves) != {them}]
        self.rolls.rolled_again(passing.side)
        self.end_turn(passing, passing.play_to(turn.before), turn.before, fresh)
        return True

    def _lay_otherwise(self, evidence: Evidence, turn: Turn) -> Position | None:
        """What lay there before the opponent rolled, if it is still seen rather than nothing: a checker that seemed to be in a hand is in
        none then, even if it was taken off against the rules. (Where it was plain then that something is gone, this look must only not
        speak for the board before: his dice hide what has changed of a stack, see `Witnesses.touched`.)"""
        lay = self.looks.lay_there
        if lay is None:
            return None
        seen = [board for board in lay.boards if board != turn.before]
        plain = min(lay.margin, lay.unmoved) >= self.options.red_margin
        best = max(seen, key=evidence.score, default=None)
        needed = 0.0 if plain else self.options.slack
        sure = best is not None and evidence.score(best) - evidence.score(turn.before) >= needed
        return best if sure else None

    def _believe(self, turn: Turn, found: Reconciled, fresh: Pair | None) -> None:
        """The legal play that the picture allows nearly as well is what was played."""
        self.lawful_play(turn, as_played(found))
        self.turn_may_end(fresh)

    def _opponent_went_on(self, found: Reconciled, fresh: Pair, side: Side) -> bool:
        """The picture can hardly tell whether `side` has moved anything, and the dice lie where the opponent rolls: so the opponent has seen a play.
        (Who repeats the opening numbers rolls none.)"""
        hardly_told = found.may_be_lawful(self.options.red_margin)
        rolls_none = self.state.second_dice is not None
        return hardly_told and (self.looks.custom or rolls_none) and set(fresh.halves) == {opponent(side)}

    def _nobody_put_back(self, found: Reconciled) -> bool:
        """The looks waver between what was announced and something nearly as likely: without a hand nothing is put back."""
        wavers = found.margin < self.options.red_margin and not self.looks.hands_since
        return wavers and self.looks.is_claimed and not self.options.key_frames

    def _on_the_way(
        self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None, held: float
    ) -> None:
        """A play in progress is nobody's fault, until the dice are lifted or the opponent rolls."""
        s = self.state
        if fresh is None and self._nobody_put_back(found):
            return
        whole = found.position is not None
        lies_still = None if fresh is None or whole else self._asked_about(turn, evidence, fresh)
        asked = bool(found.veiled) and s.trouble is not None and s.trouble.doubts == "thing"
        in_hand = found.in_hand and s.trouble is not None and s.trouble.code.startswith("checker")
        if s.trouble is not None and not in_hand and not asked and not self.faults.doubted(found):
            self.questions.clear()
        if whole and s.phase in (Phase.PLAYED, Phase.ILLEGAL) and found.position != s.board:
            self.say(ev.PlayTakenBack, side=turn.side, position=turn.before)
            s = self.state
        # (A player who stopped early may have lifted the dice too early and still play on.)
        lift_patience = self.options.lift_patience
        lifted = fresh is not None or self.looks.claimed_by_lifting
        claimed = fresh is not None or (lifted and held >= lift_patience)
        if lifted and whole and found.veiled:
            self.questions.not_understood(evidence, found, turn, fresh)
            return
        # (What was called illegal and lies there still is not corrected by a hand that lies before it.)
        still_wrong = fresh is None and s.phase is Phase.ILLEGAL and found.position == s.board
        if claimed and whole and not still_wrong and found.may_be_lawful(self.options.red_margin):
            # The picture can hardly tell whether the last checker was moved, so believe the player.
            self._believe(turn, found, fresh)
            return
        if (
            turn.may_pass
            and s.side is not None
            and s.phase is Phase.PLAY
            and found.unmoved < self.options.red_margin
        ):
            # The picture can hardly tell whether anything was moved, and nothing had to be: the player is believed.
            if claimed or (self.looks.ended_by_lifting and held >= lift_patience):
                self.end_turn(turn, turn.play_to(turn.before), turn.before, fresh)
            return
        if fresh is not None:
            if whole:
                wrong = self._in_no_hand(turn, found) or found.position
                assert wrong is not None
                self.faults.accuse(turn, found, wrong)
                self.faults.opponent_rolled(turn, wrong, fresh)
            elif (
                s.phase is Phase.ILLEGAL
                and s.board is not None
                and s.board != turn.before
                and self.looks.as_claimed(evidence, found)
            ):
                self.faults.opponent_rolled(turn, s.board, fresh)
            elif lies_still is not None:
                self.going_on.goes_on_from(turn, lies_still, fresh)
            elif (wrong := self._in_no_hand(turn, found)) is not None:
                if self.looks.lay_so_before(found):
                    self.faults.accuse(turn, found, wrong)
                self.faults.opponent_rolled(turn, wrong, fresh)
            else:
                self.questions.not_understood(evidence, found, turn, fresh)
            return
        if s.side is None and self.looks.may_be_play_of(turn.dice, opponent(turn.side), evidence):
            return
        # The dice were lifted before the player began to correct his play (I saw it wrong beside them, or taken back since, if only once), so
        # lifted dice say nothing about this position.
        wrong_then = self.looks.wrong_with_dice
        as_then = wrong_then is None or wrong_then.position in found.boards
        says_so = lifted and s.illegal is None and as_then and not self.looks.taken_back_since
        if whole and found.margin >= self.options.slack and s.phase is not Phase.ILLEGAL:
            patience = self.options.short_patience
            self.looks.waiting = lifted or patience > 0
            if (says_so and held >= lift_patience) or (patience and held >= patience):
                assert found.position is not None
                self.faults.accuse(turn, found, found.position)
        elif lifted:
            # Part of a play, or a checker in a hand: which of the two may be open, a finished lawful play it is not.
            self.looks.waiting = True
            if s.phase is Phase.ILLEGAL:
                return
            if found.left_on is not None:
                # The hit checker is seen beside the one that hit it and the dice are lifted, so no hand holds
                # it.
                if says_so and held >= self.looks.patience_after_lifting(found, lift_patience):
                    self.faults.accuse(turn, found, turn.before)
            elif held >= self.looks.patience_after_lifting(found, self.options.doubt_patience):
                # (Where a finished lawful play is nearly as likely, the player is believed as soon as he has claimed it.)
                lawful = found.may_be_lawful(self.options.red_margin)
                wrong = (self._in_no_hand(turn, found) or found.position) if says_so and not lawful else None
                if wrong is not None:
                    # The dice are lifted and no hand has been near for a while.
                    self.faults.accuse(turn, found, wrong)
                elif found.in_hand:
                    self.questions.something_missing(found, turn)

    def _asked_about(self, turn: Turn, evidence: Evidence, fresh: Pair) -> Position | None:
        """The whole board that was asked about before the opponent rolled, if it may still lie there: a checker that came to a full stack
        then is not gone because his dice hide what has changed of it."""
        asked = self.state.trouble.seen if self.state.trouble is not None else None
        if asked is None or asked == turn.before:
            return None
        return asked if self.going_on.seen_before(fresh, evidence, turn) == asked else None

    def _in_no_hand(self, turn: Turn, found: Reconciled) -> Position | None:
        """The wrong play of `in_no_hand`, if the picture says clearly enough that anything has been moved."""
        evidence = self.looks.evidence
        if evidence is None:
            return None
        wrong = in_no_hand(turn, found, self.rules, evidence)
        if wrong is None:
            return None
        clear = evidence.score(wrong) - evidence.score(turn.before)
        return wrong if clear >= self.looks.margin_of_a_claim else None

    def lawful_play(self, turn: Turn, found: Reconciled) -> None:
        """A complete legal play lies on the board."""
        self.rolls.rolled_again(turn.side)
        s = self.state
        self.questions.clear()
        assert found.play is not None
        raw, result = self.looks.raw, found.play.result
        fits = raw is not None and raw.score(result) >= -self.options.slack
        shown = raw is not None and fits and (raw.tells_the_bar or self.looks.clearly_shows(raw, result))
        self.looks.grounds.played(shown=shown)
        if s.phase is Phase.PLAYED and s.board == found.position and s.side == turn.side:
            return
        kind = ev.PlayCorrected if s.illegal is not None else ev.PlayMade
        # A player who corrects his play lifted the dice long ago. He may be only half done.
        self.looks.put_right |= s.illegal is not None and self.looks.dice_lifted
        fields: dict[str, Any] = {} if kind is ev.PlayCorrected else {"margin": round(found.margin, 2)}
        self.say(
            kind,
            side=turn.side,
            dice=turn.dice,
            play=str(found.play),
            moves=tuple(found.play.moves),
            position=found.play.result,
            **fields,
        )
        self.looks.as_left_at, self.looks.changed_before, self.looks.hands_since = self.now, False, False
        if self.looks.raw is not None and self.looks.evidence is not None:
            if not self.looks.grounds.doubts("guessed_start"):
                # (Against a wrongly guessed board, correct readings would count as misreadings.)
                self.looks.witnesses.learn(self.looks.raw, found.play.result)
            self.looks.alternatives.accept(self.looks.raw, turn, found.play.result, self.options.red_margin)
        if winner(found.play.result) is not None:
            self.end_turn(turn, found.play, found.play.result, None)

    def goes_on_putting_right(self, evidence: Evidence) -> bool:
        """A player corrected his play after lifting the dice and was only half done; another lawful play of the same roll lies there now:
        his turn is open again. True when it is so."""
        s, last = self.state, self.state.last
        if not self.looks.was_put_right or last is None or not last.legal or self.looks.dice.coming:
            return False
        turn = turn_of(last.position, last.dice, last.side, self.rules)
        found = self.looks.reconcile(evidence, turn)
        if found.kind != "legal" or found.position == s.position or found.fit < POOR_FIT:
            return False
        if self.looks.agree_on("goes_on", found.key):
            self.say(ev.TurnReopened, side=last.side, dice=last.dice, position=last.position)
            self.lawful_play(turn, found)
            self.looks.put_right = True
        return True

    def turn_may_end(self, fresh: Pair | None) -> None:
        """Lifting the dice, or the opponent's roll, makes the play final."""
        s = self.state
        if s.phase is not Phase.PLAYED or s.position is None or s.dice is None or s.side is None:
            return
        turn = turn_of(s.position, s.dice, s.side, self.rules)
        assert s.board is not None
        thrown = self.looks.fresh()
        unread = thrown is not None and thrown.values is None and thrown.looks >= self.options.agree_looks
        if fresh is not None:
            if self.looks.dice.crowded and self.options.dice_half == "enforce":
                self.rolls.reject(fresh, "too_early")
                return
            early = self.looks.dice.crowded
            self.end_turn(turn, turn.play_to(s.board), s.board, fresh)
            if early and self.options.dice_half != "ignore":
                self.say(
                    ev.Noticed,
                    code="notice_too_early",
                    reason="Rolled before the other dice were lifted.",
                    side=opponent(turn.side),
                )
        elif unread and not self.looks.dice.crowded and not self.looks.dice_lie:
            # The opponent has rolled, but his dice cannot be read yet.
            known = self.looks.used
            self.end_turn(turn, turn.play_to(s.board), s.board, None)
            self.looks.used = known
        elif self.looks.ended_by_lifting:
            self.looks.waiting = (
                self.looks.put_right and self.looks.agreed.held("turn", self.now) < self.options.lift_patience
            )
            if not self.looks.waiting:
                self.end_turn(turn, turn.play_to(s.board), s.board, None)

    def end_played(self, turn: Turn, play: Play, fresh: Pair | None) -> None:
        """`turn` was over before anything was said of its `play`: both are said."""
        if play.moves:
            self.say(
                ev.PlayMade, side=turn.side, dice=turn.dice, play=str(play), moves=tuple(play.moves), position=play.result
            )  # fmt: skip
        self.end_turn(turn, play, play.result, fresh)

    def end_turn(
        self, turn: Turn, play: Play | None, position: Position, fresh: Pair | None, legal: bool = True
    ) -> None:
        self.looks.was_put_right = self.looks.put_right and fresh is None
        self.looks.put_right = False
        if fresh is None:
            self.looks.as_left_at, self.looks.changed_before = self.now, False
        if legal and play is not None and play.moves and not self.looks.grounds.doubts("guessed_dice"):
            self.looks.halves.played(turn.side)
        if legal and self.looks.raw is not None:
            # (The play was made some looks ago; a checker that has been moved since may hardly be seen.)
            self.looks.alternatives.accept(self.looks.raw, turn, position, self.options.red_margin)
        s = self.state
        first = s.opening
        self.say(
            ev.TurnEnded,
            side=turn.side,
            position=position,
            dice=turn.dice,
            play="" if play is None or not play.moves else str(play),
            moves=() if play is None else tuple(play.moves),
            legal=legal,
        )
        if legal and play is not None and play.moves and self.looks.grounds.premise is None:
            self.second_opinion.played()
        if fresh is None and self.looks.dice.pair is not None:
            self.looks.used = self.looks.dice.pair.serial
        self.looks.agreed.forget()
        self.looks.dice.turn_over(opponent(turn.side))
        if winner(position) is not None:
            self.win(
                score_game(
                    position, self.rules, cube=self.state.match.cube.value, jacoby=self.state.match.jacoby
                ),
                position,
            )
            return
        other = opponent(turn.side)
        if first and self.repeats(turn.dice):
            self.rolls.roll(other, turn.dice, 1.0, REPEATED)
            if fresh is not None:
                self.looks.used = fresh.serial
                # This side has no dice to roll. They may be the first player's next ones, after a play that
                # was not understood.
                self.looks.grounds.doubt("otherwise_left")
            return
        clear, self.looks.clear_there = self.looks.clear_there == position, None
        if fresh is not None and not (self.rules.dice_flat and fresh.cocked):
            self.rolls.rolled(fresh)
        if clear:
            self.looks.grounds.dispel("guessed_start")

    def win(self, result: Score, position: Position | None, kind: str = "") -> None:
        match = self.state.match
        light, dark = match.score
        score = (light + result.points, dark) if result.winner == "light" else (light, dark + result.points)
        self.say(
            ev.GameWon,
            side=result.winner,
            points=result.points,
            kind=kind or result.kind,
            cube=result.cube,
            score=score,
            position=position,
        )
        self.looks.touched()
        won = self.state.match.winner
        if won is not None:
            self.say(ev.MatchWon, side=won, score=score)
