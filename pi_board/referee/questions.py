"""What cannot be told is asked: amber, with what is expected."""

from __future__ import annotations

from typing import Any

from pi_board import events as ev
from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import (
    ALIKE,
    SLOT_CAP,
    Evidence,
    Reconciled,
    Turn,
    likeliest_play,
    may_have_no_move,
    turn_of,
    vector,
)
from pi_board.referee.messages import change_words, changes, point_words, sentence
from pi_board.referee.one_turn import is_of_one_turn
from pi_board.referee.reasons import reason_of
from pi_board.referee.seeing_part import SeeingPart
from pi_board.rules import Position, Side, opponent

#: Looks at the opponent's roll after which the game goes on even if the board is unclear; and looks without it after which it is taken for
#: played: sooner than elsewhere, or nobody would remember it.
PLAYED_ON, LIFTED = 12, 2
#: Changes that can be asked for in words.
FEW_CHANGES = 6


class Questions(SeeingPart):
    """Words about what is not understood, until it is."""

    def notice_once(self, code: str, reason: str, side: Side | None = None) -> None:
        """A word that stands until something happens."""
        if self.state.noticed is None or self.state.noticed[0] != code:
            self.say(ev.Noticed, code=code, reason=reason, side=side)

    def clear(self) -> None:
        """Everything is as it should be."""
        self.looks.doubt_since = None
        if self.state.trouble is not None:
            self.say(ev.Resolved)
        if self.state.question == "abandon_game":
            self.say(ev.Answered, code="abandon_game", yes=False)
            self.start.refused_start = False

    def not_understood(self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None) -> None:
        """Neither a legal play nor surely an illegal one: look on, then say what is expected."""
        s = self.state
        if found.kind == "unclear":
            self.looks.agreed.forget("turn")
        if s.side is not None and found.kind == "unclear":
            theirs = self.looks.reconcile(
                evidence, turn_of(turn.before, turn.dice, opponent(turn.side), self.rules)
            )
            # (Where the dice lay in the other half, his turn may have gone by unseen: nothing could be moved in it.)
            if theirs.kind == "legal" and (s.opening or self._passed_unseen(turn)):
                self.turns.lawful_play(
                    turn_of(turn.before, turn.dice, opponent(turn.side), self.rules), theirs
                )
                return
        # Amber has been said, but the players roll or play on: they do not wait for the referee.
        gone_on = fresh is not None and (s.trouble is not None or self._played_on(fresh))
        # (What was played is finished and something hides it: the sooner it is moved the better, for soon the opponent plays on.)
        hides = found.veiled and self.looks.claimed_by_lifting
        if not self.looks.doubting(self.options.lift_patience if hides else None) and not gone_on:
            return
        if fresh is not None:
            # The board that was asked about may lie there still, and the opponent be playing from it: a checker that he has hit may lie
            # nowhere yet.
            position = self.going_on.seen_before(fresh, evidence, turn)
            if position is None:
                evidence, position = self._most_likely(evidence, found, turn, fresh)
            self.going_on.goes_on_from(turn, _with_all_dice(evidence, turn, position), fresh)
            return
        if found.missing != (0, 0) or found.in_hand:
            self.something_missing(found, turn)
            return
        if found.kind == "illegal" and found.position is not None:
            code, reason, _ = reason_of(turn, found, found.position, self.rules)
            self.unclear("position", reason, found.nearest, found.position, code)
            return
        expected = found.nearest or turn.before
        if found.veiled:
            points = point_words(found.veiled)
            self.looks.asked_for_a_thing = True
            words = sentence("view_thing", {"points": points}, self.state.names)
            self.unclear("thing", words, expected, found.seen, points=points)
            return
        words = change_words(_changes_few(found.seen, expected))
        told = f": {words}." if words else "."
        self.unclear("position", f"I can't tell what was played{told}", expected, found.seen)

    def _played_on(self, fresh: Pair) -> bool:
        """Whether the opponent goes on from what is not understood: his roll `fresh` has been seen often, or it has been seen and lifted."""
        lifted = fresh.looks >= self.options.agree_looks and self.looks.dice.absent >= LIFTED
        return fresh.looks >= PLAYED_ON or (lifted and not self.options.key_frames)

    def _most_likely(
        self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair
    ) -> tuple[Evidence, Position]:
        """(The evidence, perhaps without what is doubtful, and what the opponent, who has rolled `fresh`, has most likely seen.)"""
        seen, fit = self.looks.read_board(evidence, turn.before, found.nearest)
        if seen is None:
            seen, fit = self.looks.read_nearly(evidence, turn.before, found.nearest)
        if seen is None:
            # Most likely a stack of the side that was not to play is misread.
            evidence = evidence.keeping(vector(turn.before), opponent(turn.side))
            seen, fit = self.looks.read_board(evidence, turn.before, found.nearest)
        lawful = self.going_on.played_before(evidence, turn, fresh, fit if seen is not None else None)
        if lawful is None and seen is not None and not is_of_one_turn(turn, seen):
            # Nobody makes such a board with one roll, so a lawful play of which one place is misread is likelier.
            play = likeliest_play(evidence, turn, fit - SLOT_CAP)
            lawful = None if play is None else play.result
        return evidence, lawful or seen or found.nearest or turn.before

    def _passed_unseen(self, turn: Turn) -> bool:
        """The dice lie where the opponent of `turn` rolls, and `turn`'s player may have rolled others with which he could not move."""
        return self.looks.grounds.doubts("other_half") and may_have_no_move(
            turn.before, turn.side, self.rules
        )

    def something_missing(self, found: Reconciled, turn: Turn) -> None:
        expected = found.nearest or turn.before
        light, dark = found.missing
        side: Side = "light" if light else "dark"
        count = light or dark
        if not count:
            side, count = found.hand_of or opponent(turn.side), 1
        trouble = self.state.trouble
        kind = ev.CheckerMissing if count > 0 else ev.CheckerAdded
        code = "checker_missing" if count > 0 else "checker_added"
        if (
            trouble is not None
            and trouble.code == code
            and trouble.side == side
            and trouble.count == abs(count)
        ):
            return
        word = "missing" if count > 0 else "too many"
        self.say(
            kind,
            side=side,
            count=abs(count),
            expected=expected,
            reason=f"{abs(count)} {side} checker{'s' if abs(count) > 1 else ''} {word}.",
        )

    def board_differs(self, expected: Position, seen: Position | None, evidence: Evidence) -> None:
        """Between turns the board is not as it was left."""
        todo = changes(seen, expected)
        words = change_words(todo) if 0 < len(todo) <= FEW_CHANGES else "the position shown"
        self.unclear("position", f"Expected: {words}.", expected, seen)

    def unclear(
        self,
        doubts: str,
        reason: str,
        expected: Position | None,
        seen: Position | None,
        code: str = "",
        points: str = "",
    ) -> None:
        trouble = self.state.trouble
        if trouble is not None and (trouble.doubts, trouble.reason) == (doubts, reason):
            return
        self.say(
            ev.Unclear, doubts=doubts, reason=reason, expected=expected, seen=seen, code=code, points=points
        )


def _with_all_dice(evidence: Evidence, turn: Turn, position: Position) -> Position:
    """`position`, or the lawful play that the picture shows as well and that uses more of the dice: where a leaflet lets a player stop
    early, few do."""
    play = turn.play_to(position)
    if play is None:
        return position
    scores = evidence.scores(turn.legal_counts)
    least = evidence.score(position) - ALIKE
    alike = [p for p, score in zip(turn.legal, scores, strict=True) if score >= least]
    most = max(alike, key=lambda p: len(p.moves))
    return most.result if len(most.moves) > len(play.moves) else position


def _changes_few(seen: Position | None, expected: Position | None) -> list[dict[str, Any]]:
    """What to put right, when it is little enough to be said."""
    todo = changes(seen, expected)
    return todo if len(todo) <= 4 else []
