"""What an accusation rests on (`grounds`), asked of the looks before each: whether any of it was only guessed."""

from __future__ import annotations

import numpy as np

from pi_board.referee.alternatives import misread
from pi_board.referee.explanations import Reconciled, Turn, turn_of, vector
from pi_board.referee.explanations.counts import slot_of
from pi_board.referee.looks import OUT_OF_SIGHT
from pi_board.referee.messages import point_words, sentence
from pi_board.referee.one_turn import (
    dice_to_play,
    is_of_one_turn,
    moved_by,
    moved_one_of_theirs,
    own_checkers_lie_lawfully,
    touched_nothing,
)
from pi_board.referee.other_dice import OtherDice
from pi_board.referee.seeing_part import SeeingPart, SeeingTableInterface
from pi_board.rules import Play, Position, Side
from pi_board.sighting import BAR_LIGHT, OFF_DARK, OFF_LIGHT

#: Nats by which the picture must tell how many checkers lie on an empty point for it to be in view. (An empty point that nothing covers
#: is told by 4 and more; beside a sleeve that was taken for checkers it was .2 and 0, `bench campaign --seed 710025`.)
UNREADABLE = 1.0
#: Nats in all by which the looks before the roll and this one must tell that no checker lay elsewhere. Source: kept looks. Of 2160005, 2170001
#: and 2190017, accused from a wrong board by 58667b6, two are not with 11, all with 12 and no cost of a tray. 102 games (2110000, 2120000,
#: 2190000), flagged of 665: 597 with 6 and points alone, 593 with 11, 576 with 12 and no cost of a tray.
ELSEWHERE = 11.0


class Premises(SeeingPart):
    """`in_doubt` before a play is called illegal."""

    def __init__(self, table: SeeingTableInterface, other_dice: OtherDice) -> None:
        super().__init__(table)
        self._other_dice = other_dice

    def in_doubt(self, turn: Turn, found: Reconciled, seen: Position) -> bool:
        """Whether anything that an accusation would rest on was only guessed. It is said, and the light is amber."""
        grounds = self.looks.grounds
        guessed = self.guessed_places(turn, seen)
        grounds.doubt("hidden", self.looks.out_of_sight >= OUT_OF_SIGHT or bool(guessed))
        grounds.doubt("relit", self._may_be_new_light(turn, seen))
        grounds.doubt("touched_otherwise", bool(self.lawful_if_touched_otherwise(turn, seen)))
        theirs = self.looks.begins == turn.side and (
            is_of_one_turn(turn, seen) or moved_one_of_theirs(turn, seen)
        )
        grounds.doubt(
            "open_side", (self.state.side is None and not theirs) or self.may_be_repeated(turn, found, seen)
        )
        grounds.doubt(
            "others_moved",
            (touched_nothing(turn.before, seen, turn.side) and not self._in_his_own_turn(turn, found))
            or self.next_turns.next_has_begun(turn, seen)
            # (Two faults at once are less likely than one number misread and the opponent's turn gone by unseen.)
            or (_moved_theirs(turn, seen) and not own_checkers_lie_lawfully(turn, seen))
            or (
                self.looks.asked_for_a_thing and _moved_theirs(turn, seen) and not self._beside_his_dice(seen)
            ),
        )
        grounds.doubt(
            "open_dice",
            bool(self._other_dice.that_fit(turn, seen)) or self._other_dice.on_first_reading(turn, seen),
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

    def _may_be_new_light(self, turn: Turn, seen: Position) -> bool:
        """Whether more points hold something else than the moves of a roll change, in light in which nobody can tell which were touched: what
        was learned in it may have been learned wrong. (90_00: two checkers of a point that was misread were taken for part of the play.)"""
        raw = self.looks.raw
        if raw is None or not self.looks.witnesses.light_has_changed(raw):
            return False
        return int((vector(turn.before) != vector(seen))[:BAR_LIGHT].sum()) > 2 * dice_to_play(turn)

    def lawful_if_touched_otherwise(self, turn: Turn, seen: Position) -> list[Play]:
        """The lawful plays that lie there if points that look touched since the roll, and read as before, hold another number. (4008006: a
        checker that had left a point as dark as it was still read there, and looked gone.) Not where `seen` lies on the way to one: half a play
        is what was seen then, and the shadow of a hand or a checker touches much. (Nor of a checker on a made point, which no position holds.)"""
        raw = self.looks.raw
        if raw is None or not turn.can_move or seen == turn.before or turn.may_lead_to(seen):
            return []
        touched = self.looks.witnesses.touched_as_before(raw, turn.before, seen)
        if not touched.any():
            return []
        otherwise = turn.legal_counts != vector(seen)
        # (A tray hardly tells.)
        elsewhere = otherwise & ~touched
        elsewhere[:, [OFF_LIGHT, OFF_DARK]] = False
        fits = ~elsewhere.any(axis=1) & (otherwise & touched).any(axis=1)
        return [play for play, fit in zip(turn.legal, fits, strict=True) if fit]

    def _lawful_from(self, turn: Turn, found: Reconciled, seen: Position) -> Position | None:
        """A board that may have lain there before the roll instead, and from which the play is lawful."""
        for before in self.looks.alternatives.of(turn.before):
            if not self.may_be_played_from(before, turn.side, seen, found):
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

    def may_be_played_from(self, before: Position, side: Side, seen: Position, found: Reconciled) -> bool:
        """Whether `before`, which may have lain there instead, can be what `side` played from: not where nobody has touched a point that
        would have changed, nor where a checker stands on a point that the other side holds in it too."""
        raw = self.looks.raw
        if found.blocked is not None and before.seen_from(side)[0][found.blocked[1] - 1] <= -2:
            return False
        return raw is None or not self.looks.witnesses.rules_out(raw, before, seen)

    def guessed_places(self, turn: Turn, seen: Position) -> list[int]:
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

    def may_be_repeated(self, turn: Turn, found: Reconciled, seen: Position) -> bool:
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
        least = raw.score(seen) - margin

        def explains(other: Turn, behind: float) -> bool:
            return other.can_move and float(raw.scores(other.legal_counts).max()) - behind > least

        for before, behind in self.looks.witnesses.may_have_lain_elsewhere(turn.before, margin):
            other = turn_of(before, turn.dice, turn.side, self.rules)
            # (Most explain nothing, whatever was touched.)
            if explains(other, behind) and explains(self.of_touched_points(other), behind):
                return before
        return None

    def of_touched_points(self, turn: Turn) -> Turn:
        """`turn` without the plays of which nobody has touched a point that they change."""
        raw = self.looks.raw
        if raw is None:
            return turn
        rules_out = self.looks.witnesses.rules_out
        may_be = [not rules_out(raw, turn.before, play.result) for play in turn.legal]
        return turn if all(may_be) else turn.only(may_be)

    def _lawful_if_misread(self, turn: Turn, found: Reconciled, seen: Position) -> Position | None:
        """The board from which the play is lawful, if points that nobody has touched in this turn can hardly be read, or stacks could hardly
        be before it, and hold something else."""
        if self.looks.heard is None:
            return None
        for before in self.looks.witnesses.may_have_lain(turn.before, self.options.red_margin):
            if not self.may_be_played_from(before, turn.side, seen, found):
                continue
            if self._is_lawful_from(before, turn, found, seen):
                return before
        if (elsewhere := self._lawful_from_elsewhere(turn, seen)) is not None:
            return elsewhere
        for before, now in misread(self.looks.heard, turn.before, seen, self.options.red_margin):
            if not self.may_be_played_from(before, turn.side, now, found):
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


def _moved_theirs(turn: Turn, seen: Position) -> bool:
    """Whether more of the opponent's checkers have left their points than were hit."""
    _, _, theirs, hits = moved_by(turn, seen)
    return theirs > max(0, hits)
