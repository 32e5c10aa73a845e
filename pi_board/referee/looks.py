"""What the looks show: the board, the dice and what they have agreed on since. Perception, not state of the game."""

from __future__ import annotations

import math

from pi_board import events as ev
from pi_board.events import Dice
from pi_board.referee.agreement import Agreements, Question
from pi_board.referee.alternatives import Alternatives
from pi_board.referee.dice.pair import Pair
from pi_board.referee.dice.watch import DiceWatch
from pi_board.referee.explanations import (
    IN_HAND,
    IN_HAND_KEY_FRAME,
    IN_HAND_LATE,
    SLOT_CAP,
    Evidence,
    Reconciled,
    Turn,
    read_position,
    reconcile,
    shows,
    turn_of,
)
from pi_board.referee.grounds import Grounds
from pi_board.referee.halves import Halves
from pi_board.referee.interfaces import TableInterface
from pi_board.referee.messages import point_words
from pi_board.referee.one_turn import bore_off_too_soon, is_of_one_turn
from pi_board.referee.part import Part
from pi_board.referee.witnesses import Witnesses
from pi_board.rules import SIDES, Position, Side, opponent
from pi_board.sighting import DIE_HIDDEN, Gate, Sighting
from pi_board.table import Phase

#: Seconds without dice, seen at least twice, after which they count as lifted (a slow processor looks once a second).
LIFT_SECONDS = 1.2
#: Readings without dice, however often each is told, before they count as lifted. Source: `bench_looks.py --worse 22`, 2840010.
BARE_READINGS = 2
#: The chance that so many readings in a row overlooked dice that lie there, below which they are lifted. (Twice is enough where nothing is
#: known of that yet. `bench_looks.py --worse 21`, 3250001: dice of which two in five were missed "were lifted" in the middle of a play.)
OVERLOOKED_ALL = 3e-3
#: Seconds without a readable look after which somebody else may have played (a turn takes longer than this).
OUT_OF_SIGHT = 6.0
#: Times as long for a turn of both. Set.
BOTH_TURNS = 3
#: Longest time (s) that a still board may go unrefereed without a message.
STILL_PATIENCE = 10.0
#: No more than so many seconds are counted from one look to the next (a hand may have been there, or nobody looked).
LONGEST_STEP = 2.0
#: Times `doubt_patience` after which players who leave the board as it is have shown that they see it otherwise. Set.
DOUBTS_PATIENTLY = 3
#: Share of the usual margin for red that is enough once the player has claimed his play. Set.
CLAIMED = 0.75
#: Reason of a blocked view: vision knows no position to learn this board's colours from.
UNTAUGHT = "untaught"
#: Gates that mean somebody is busy at the board (everything else that is unsettled is a bad picture).
BUSY = (Gate.MOVING, Gate.HAND)
#: A play that fits the picture worse than this (nats) must be seen in as many looks on end, or in fewer over so many seconds: a small
#: processor has no more until the next roll, and the errors of looks that are further apart are less correlated.
POOR_FIT, POOR_LOOKS = -6.0, 6
FEW_POOR_LOOKS, POOR_SECONDS = 3, 1.0


class Looks(Part):
    """What is seen, how long it has been so, and what a picture is taken for."""

    def __init__(self, table: TableInterface) -> None:
        super().__init__(table)
        self.dice = DiceWatch(self.options.agree_looks)
        #: Serial of the roll that the state knows; None = not told yet.
        self.used: int | None = None
        self.agreed = Agreements()
        self.doubt_since: float | None = None
        # The last look whose colours are not known, and for how long such looks have lasted.
        self._untaught_at: float | None = None
        self._untaught_seconds = 0.0
        self._unread_since: float | None = None
        #: The one sure number of the last roll.
        self.sure: int | None = None
        #: Equal dice that came to lie elsewhere in this turn: taken for shoved aside, perhaps the opponent's equal roll.
        self.shoved: Dice | None = None
        self.halves = Halves()
        #: The last look at the board as it was before this play.
        self.before_seq, self.before_frame = -1, ""
        #: What the last look says, as vision gave it, and without what has been proved wrong.
        self.raw: Evidence | None = None
        self.evidence: Evidence | None = None
        # The table behind it: the very same one is not another reading.
        self._read: object = None
        #: As `heard`, and a stack that reads as before the roll is as high as then; as `evidence`, but what is news is not stressed.
        self.compared: Evidence | None = None
        #: What the last look says without what has been proved wrong.
        self.heard: Evidence | None = None
        self.witnesses = Witnesses()
        self.alternatives = Alternatives()
        #: The roll that was to be repeated because a die seemed to lean or to lie on a checker.
        self.rejected: Pair | None = None
        #: The roll that was asked about because a die of it could not be read.
        self.unread: Pair | None = None
        #: The first roll beside an illegal play that has to be put right.
        self.rolled_beside: Pair | None = None
        #: More looks at this same picture may still decide something.
        self.waiting = False
        #: The play of this turn is being put right.
        self.put_right = False
        #: The turn before was put right, and ended by no roll: its player may have been only half done.
        self.was_put_right = False
        #: Seconds unread since this turn's dice were last seen to lie there; the time of the last look.
        self.out_of_sight, self._last_look = 0.0, 0.0
        #: In this turn the table was asked to move something that hides what was played: the opponent's dice may lie behind it too.
        self.asked_for_a_thing = False
        #: Who has the higher die of an opening roll, where the place of the dice says little; until the next roll.
        self.begins: Side | None = None
        #: The roll may be the second one of this side, which could not move with the first.
        self.again: Side | None = None
        #: Who was to roll when the dice were rolled, even if the play is to tell whose they are.
        self.due: Side | None = None
        #: The dice of this turn; None where nobody saw them.
        self.rolled: Pair | None = None
        #: What the dice of this turn were first taken for, where later looks read them otherwise.
        self.read_first: Dice | None = None
        #: The evidence for an accusation.
        self.grounds = Grounds()
        #: The dice of this turn have been seen to lie there; and were lifted, then, with nothing played.
        self.dice_lay = self.unplayed = False
        #: Since when no dice have been seen, and how many looks since then were read for themselves.
        self._absent_since: float | None = None
        self._bare_readings = 0
        #: Seconds for which none had been seen before those that lie there.
        self._gone_for = 0.0
        #: What the looks agreed on in this turn before the opponent's dice came to lie there.
        self.lay_there: Reconciled | None = None
        #: What the last look beside lying dice showed, if no part of a lawful play.
        self.wrong_with_dice: Reconciled | None = None
        #: The dice were lifted, and a look since has shown the board as it was before the roll: what is played after that is not claimed by it.
        self.taken_back_since = False
        #: An illegal play of this turn has been taken back: another one of the same roll is to be expected.
        self.another_due = False
        #: The board that was clearly seen in this turn before the opponent's dice came to lie there.
        self.clear_there: Position | None = None
        #: Somebody was at the board since the last word about this turn's play.
        self.hands_since = False
        #: What they agreed on while this turn's own dice still lay beside it.
        self.lay_with_dice: Reconciled | None = None
        #: Between two turns: when the board was last seen as it was left, and whether it lay otherwise before dice lay there.
        self.as_left_at, self.changed_before = 0.0, False

    def begin(self, sighting: Sighting) -> bool:
        """A look begins: keeps track of what hides the board; True when this look shows it."""
        self.waiting = False
        readable = self._readable(sighting)
        if not readable:
            self.out_of_sight += max(0.0, self.now - self._last_look)
            self.second_opinion.observe(sighting)
        self._last_look = self.now
        return readable

    def take_in(self, evidence: Evidence, sighting: Sighting, *, one_by_one: bool) -> Evidence:
        """What this look says of the board, without what has been proved wrong; the dice are followed. one_by_one: they may come so,
        as in an opening roll."""
        self.raw, self.heard = evidence, self.witnesses.hear(evidence)
        self.compared = self.witnesses.unchanged(self.heard)
        told = self.compared if sighting.dice else self.witnesses.touched(self.compared)
        self.evidence = self.witnesses.stress_news(told)
        self.second_opinion.observe(sighting, self.heard)
        # (A picture of a folder is all there is to be read of its moment.)
        self.agreed.next_look(sighting.log_likelihood is not self._read or self.options.key_frames)
        self._read = sighting.log_likelihood
        self.dice.one_by_one = one_by_one
        if not sighting.dice_hidden:
            # (A thing that hides the dice has not lifted them.)
            self.dice.observe(sighting.dice)
        if not self.dice.absent or sighting.dice_hidden:
            if self._absent_since is not None:
                self._gone_for = self.now - self._absent_since
            self._absent_since, self._bare_readings = None, 0
        else:
            if self._absent_since is None:
                self._absent_since = self.now
            self._bare_readings += self.agreed.anew
        self.hindsight.observe(evidence)
        if self.dice_lifted:
            unused = self.fresh()
            self.dice.gone()
            # (A roll that no turn has begun with may have been played all the same.)
            self.dice.glimpse = self.dice.glimpse or unused
        elif self.dice_lie:
            self.out_of_sight, self.dice_lay, self.unplayed = 0.0, True, False
        return self.evidence

    def untaught(self, sighting: Sighting) -> None:
        """The board lies still in sight, and vision has not learned its colours from a position that it knows: said, since until
        then nothing is refereed."""
        # (People go on playing, so add up the time for which the board has lain still, with or without hands in between.)
        since = self._untaught_at if self._untaught_at is not None else self.now
        self._untaught_seconds += min(LONGEST_STEP, self.now - since)
        self._untaught_at = self.now
        if self._untaught_seconds < STILL_PATIENCE:
            return
        if self.state.in_game and self.state.view_blocked != UNTAUGHT:
            self.say(ev.ViewBlocked, reason=UNTAUGHT)
        elif not self.state.in_game:
            words = "The starting position is not recognised: is it complete, and do the players sit as set?"
            self.questions.notice_once(
                "notice_not_start", f"{words} ({sighting.note})" if sighting.note else words
            )

    def taught(self) -> None:
        self._untaught_at, self._untaught_seconds = None, 0.0
        if self.state.view_blocked == UNTAUGHT:
            self.say(ev.ViewCleared)

    def _readable(self, sighting: Sighting) -> bool:
        """Keeps track of what hides the board; True when this look shows it."""
        gate, s = sighting.gate, self.state
        if gate is Gate.BOARD_MOVED:
            self.touched()
            self.dice.board_moved()
            if not s.board_moved:
                self.say(ev.BoardMoved, reason=sighting.note or "the board or the camera was moved")
            return False
        if sighting.settled and sighting.registered:
            self._unread_since = None
            if s.board_moved:
                self.say(ev.BoardFound)
            if s.view_blocked and s.view_blocked != UNTAUGHT:
                self.say(ev.ViewCleared)
            return True
        if gate in BUSY:
            if sighting.dice:
                self.dice.beside_a_hand(sighting.dice, self.now)
            self.touched()
            self.doubling.rests = False
            self._untaught_at = None
        if self._unread_since is None:
            self._unread_since = self.now
        # Players think with a hand on the board, so wait long before saying anything.
        patience = self.options.blocked_patience * (20 if gate in BUSY else 1)
        reason = gate.value if gate is not Gate.SETTLED else "no_board"
        if sighting.note == "no_camera":
            # Say this at once: the source of this sighting has already waited for the camera.
            reason, patience = "no_camera", 0.0
        points = ""
        if sighting.note == DIE_HIDDEN:
            if s.phase is Phase.OPENING:
                # The other player may not have rolled yet.
                return False
            reason = "die"
        elif gate is Gate.BLOCKED and sighting.hidden:
            reason, points = "thing", point_words(sighting.hidden)
        if self.now - self._unread_since >= patience and (s.view_blocked, s.view_points) != (reason, points):
            self.say(ev.ViewBlocked, reason=reason, points=points)
        return False

    def touched(self) -> None:
        """Somebody was at the board: looks before and after do not add up."""
        self.hands_since = True
        self.dice.touched()
        self.hindsight.touched()
        self.agreed.touched(self.now)
        self.doubt_since = None
        self.start.set_up_since = None
        self.doubling.count = 0

    def steady(self, question: Question, answer: object) -> tuple[int, float]:
        """(looks in a row, seconds) for which `question` has had the same answer."""
        return self.agreed.ask(question, answer, self.now)

    def agree_on(self, question: Question, answer: object) -> bool:
        """Whether enough looks in a row have answered `question` so. Until they have, more looks at this same picture may decide it."""
        count, _ = self.steady(question, answer)
        self.waiting = True
        return count >= self.options.agree_looks

    def seen_often(self, count: int, held: float, *, poor: bool) -> bool:
        """Whether so many looks in a row, over so many seconds, are enough to believe what they show. poor: it hardly fits them."""
        if not poor:
            return count >= self.options.agree_looks
        # (When the next roll lies there, the opponent has seen a play too.)
        rolled = self.dice.coming or self.fresh() is not None
        apart = count >= FEW_POOR_LOOKS and (held >= POOR_SECONDS or rolled) and not self.options.key_frames
        return count >= POOR_LOOKS or apart

    @property
    def dice_lifted(self) -> bool:
        """No dice have lain there for a while: some looks, or fewer that are further apart. (One reading that is told again and again, as of
        a scene at rest, may have missed both; where that happens often, so may two.)"""
        since, readings = self._absent_since, self._bare_readings
        if readings < BARE_READINGS or self.dice.overlooked(readings) >= OVERLOOKED_ALL:
            return False
        return self._lifted(self.dice.absent, self.now - since if since is not None else 0.0)

    def rolled_after_lifting(self, pair: Pair) -> bool:
        """No dice had lain there for a while when `pair`, which lies there now, was first seen."""
        return self._lifted(pair.gap, self._gone_for)

    def _lifted(self, absent: int, seconds: float) -> bool:
        """Whether dice that were not seen in `absent` looks, over so many seconds, are lifted."""
        long = seconds >= LIFT_SECONDS and not self.options.key_frames
        return absent >= self.options.lift_looks or (absent >= 2 and long)

    @property
    def pair_of_turn(self) -> Pair | None:
        """The dice that lie there, or lay there last, if they are those of this turn."""
        pair = self.dice.pair
        return pair if pair is not None and pair.serial == self.used else None

    @property
    def dice_lie(self) -> bool:
        """The dice of this turn lie there."""
        return self.dice.in_sight and self.pair_of_turn is not None

    @property
    def claimed_by_lifting(self) -> bool:
        """The player has lifted the dice of this turn: what lies there is his play. (Where the dice never lay there, as when
        the second player repeats the opening numbers, their absence says nothing.)"""
        return self.dice_lifted and self.dice_lay and self.rules.turn_ends == "dice_lifted"

    @property
    def ended_by_lifting(self) -> bool:
        """No dice lie there any more, so that a whole play is over. Who repeats the opening numbers may still be playing."""
        repeated = self.state.second_dice is not None and not self.dice_lay
        return self.dice_lifted and not repeated and self.rules.turn_ends == "dice_lifted"

    def fresh(self) -> Pair | None:
        """A roll that the state does not know yet."""
        pair = self.dice.pair
        if pair is None or pair.serial == self.used:
            return None
        if self.used is None:
            # After a power cut: the same numbers as the game remembers are the same dice.
            self.used = 0
            s = self.state
            known = s.dice or (s.last.dice if s.last is not None else None)
            if s.dice is None and self.rolled_after_lifting(pair):
                # The turn of those dice is over, and the board has been seen without them.
                return pair
            if pair.shows(known):
                self.used = pair.serial
                return None
        return pair

    def doubting(self, patience: float | None = None) -> bool:
        """True once something has been unclear, untouched, for as long as the table is patient (or for `patience` seconds)."""
        if self.doubt_since is None:
            self.doubt_since = self.now
        self.waiting = True
        return self.now - self.doubt_since >= (self.options.doubt_patience if patience is None else patience)

    @property
    def nobody_minds(self) -> bool:
        """Something has been in doubt for long on an untouched board, or the opponent has rolled beside it."""
        since = self.doubt_since
        long = since is not None and self.now - since >= DOUBTS_PATIENTLY * self.options.doubt_patience
        return long or self.fresh() is not None

    def watch_the_board(self, as_left: bool) -> None:
        """Remembers whether the board that the next roll is played from was changed before that roll lay there."""
        if as_left:
            self.as_left_at, self.changed_before = self.now, False
        elif self.fresh() is None and not self.dice.coming:
            self.changed_before = True

    def no_turn_since_as_left(self, pair: Pair, side: Side | None) -> bool:
        """The board lay as it was left until a moment before `pair` lay there, so no whole turn has gone by unseen before it was rolled. (Both
        players' turns would have to where the dice lie in the half of `side`, whose turn it is.)"""
        own = side is not None and self.custom and set(pair.halves) == {side}
        # (What hands did while these dice lay beside them was done with these dice.)
        unseen = self.now - self.as_left_at - (pair.in_motion or 0.0)
        return unseen < OUT_OF_SIGHT * (BOTH_TURNS if own else 1)

    def remember_roll(self, pair: Pair) -> None:
        """What the roll itself does not tell: which die was surely read, and in which half they were rolled."""
        sure = [
            value
            for value, confidence in (d.reading for d in pair.dice)
            if confidence >= self.options.dice_doubt
        ]
        self.sure = sure[0] if len(sure) == 1 and not pair.chosen else None
        self.halves.rolled(pair.halves, self.state.side)

    @property
    def custom(self) -> bool:
        """Everybody at this table rolls into his own half. (A folder of finished moments shows too little to tell.)"""
        asked = self.options.dice_half != "ignore" and not self.options.key_frames
        return asked and self.halves.are_custom

    def lies_again_with(self, pair: Pair, side: Side) -> bool:
        """By the custom of the table this is `side`'s roll, as the last one was."""
        return self.custom and self.in_the_same_half(pair, side)

    def in_the_same_half(self, pair: Pair, side: Side) -> bool:
        """The last roll lay in `side`'s half, and this one does too."""
        return self.halves.last == side and set(pair.halves) == {side}

    def fitting(
        self,
        evidence: Evidence,
        pair: Pair | None,
        before: Position,
        sides: tuple[Side, ...],
        *,
        under_way: bool = False,
    ) -> list[tuple[Turn, Reconciled]]:
        """The rolls, with the numbers that could be read, of which a legal play lies on the board, and those of which one nearly
        does: what full points and trays hold can hardly be seen, and who guesses dice must be sure. under_way: the dice still lie there,
        so half a play of another roll counts as well."""
        known = [d.reading[0] for d in pair.dice] if pair is not None else [None, None]
        rolls = {
            (max(a, b), min(a, b))
            for a in ([known[0]] if known[0] else range(1, 7))
            for b in ([known[1]] if known[1] else range(1, 7))
        }
        fits: list[tuple[float, Turn, Reconciled]] = []
        near: list[tuple[float, Turn, Reconciled]] = []
        for roll in sorted(rolls):
            for side in sides:
                turn = turn_of(before, roll, side, self.rules)
                found = self.reconcile(evidence, turn)
                if found.kind == "legal" and found.play is not None:
                    fits.append((found.fit, turn, found))
                elif turn.can_move:
                    score = float(evidence.scores(turn.legal_counts).max())
                    if under_way and len(turn.partial_counts):
                        score = max(score, float(evidence.scores(turn.partial_counts).max()))
                    near.append((score, turn, found))
        if fits:
            best = max(fit for fit, _, _ in fits)
            fits += [fit for fit in near if fit[0] > best - self.options.red_margin]
        # (A roll of which a play nearly lies there is in doubt, seen once or not.)
        glimpsed = [f for f in fits if pair is None and f[2].play is not None and self._was_glimpsed(f[1])]

        def likelihood(fit: tuple[float, Turn, Reconciled]) -> tuple[bool, float]:
            # What lay there after all is likeliest, and two different numbers come up twice as often as a given double.
            score, turn, _ = fit
            seen_once = (
                self.glimpsed_by(turn.side) or self.dice.in_passing.get(turn.side) if pair is None else None
            )
            if seen_once is not None:
                score += math.log(seen_once.may_be(turn.dice))
            return turn.dice == self.shoved, score - math.log(2) * (turn.dice[0] == turn.dice[1])

        ordered = sorted(glimpsed or fits, key=likelihood, reverse=True)
        return [(turn, found) for _, turn, found in ordered]

    def glimpsed_by(self, side: Side) -> Pair | None:
        """Dice that were seen in `side`'s half once, and lifted before a second look or before the next dice."""
        for pair in (self.dice.passed_by, self.dice.glimpse):
            if pair is None or pair.values is None or set(pair.halves) != {side}:
                continue
            if not pair.cocked and not pair.chosen:
                return pair
        return None

    def _was_glimpsed(self, turn: Turn) -> bool:
        """`turn`'s dice were seen once, not in the other's half, and lifted before a second look."""
        return any(
            pair is not None
            and not pair.cocked
            and pair.shows(turn.dice)
            and opponent(turn.side) not in pair.halves
            for pair in (self.dice.glimpse, self.dice.passed_by)
        )

    def reconcile(self, evidence: Evidence, turn: Turn) -> Reconciled:
        # (What lies there may be dice that are no roll yet, or one beside the board; those of this turn were lifted.)
        gone = self.dice_lay and self.dice.pair is None
        over = self.dice_lifted or gone or self.fresh() is not None
        return reconcile(
            evidence,
            turn,
            red_margin=self.margin_of_a_claim,
            slack=self.options.slack,
            in_hand=IN_HAND_KEY_FRAME if self.options.key_frames else IN_HAND_LATE if over else IN_HAND,
            nobody_minds=self.nobody_minds,
        )

    def explained(self, evidence: Evidence) -> tuple[Reconciled, Turn]:
        """The best explanation of the board; while it is open who rolled, the side whose play explains it better."""
        s = self.state
        assert s.position is not None and s.dice is not None
        sides = SIDES if s.side is None else (s.side,)
        order = {"legal": 0, "before": 1, "partial": 2, "illegal": 3, "unclear": 4}
        found = [
            (self.reconcile(evidence, turn), turn)
            for turn in (turn_of(s.position, s.dice, side, self.rules) for side in sides)
        ]

        def by_likelihood(item: tuple[Reconciled, Turn]) -> tuple[int, bool, float]:
            seen, turn = item
            foreign = (
                seen.kind == "illegal"
                and seen.position is not None
                and not is_of_one_turn(turn, seen.position)
            )
            # Both illegal readings explain the board alike. The one nearer to a legal play is likelier.
            return order[seen.kind], foreign, seen.margin if seen.kind == "illegal" else -seen.fit

        return min(found, key=by_likelihood)

    def clearly_shows(self, evidence: Evidence, position: Position) -> bool:
        """Nothing else explains the picture: however it came about, this is what lies there."""
        # (What is remembered of the bar is no more than what was guessed of it.)
        told = self.raw is None or self.raw.tells_the_bar
        fits = evidence.score(position) >= -self.options.slack
        return fits and evidence.certainty(position, told_bar=told) >= self.options.red_margin

    def lay_so_before(self, found: Reconciled) -> bool:
        """The looks agreed on the same before the opponent's dice came to lie there."""
        return self.lay_there is not None and self.lay_there.key == found.key

    def patience_after_lifting(self, found: Reconciled, patience: float) -> float:
        """Seconds that the board must lie untouched after the dice are lifted: fewer where it lay just so beside them, untouched, for
        then the lifting is all that has happened since."""
        before = self.lay_with_dice
        return patience / 3 if before is not None and before.key == found.key else patience

    @property
    def is_claimed(self) -> bool:
        """What lies there has been announced as a play, or as an illegal one that can be written down."""
        s = self.state
        if s.phase is Phase.ILLEGAL:
            return s.side is not None and s.board is not None and s.board != s.position
        return s.phase is Phase.PLAYED

    def as_claimed(self, evidence: Evidence, found: Reconciled) -> bool:
        """The illegal play still lies there. (A point held by both sides can't be written down: what nothing else
        explains is taken as such.)"""
        s = self.state
        if s.board is None or s.illegal is None:
            return False
        if s.illegal.code == "point_blocked" and (found.blocked is not None or found.position is None):
            return True
        return shows(evidence, s.board, slack=self.options.slack)

    def may_be_play_of(self, dice: Dice, side: Side, evidence: Evidence) -> bool:
        """Whether what lies there can be `side`'s play of these dice, or part of it."""
        position = self.state.position
        assert position is not None
        turn = turn_of(position, (max(dice), min(dice)), side, self.rules)
        return self.reconcile(evidence, turn).kind in ("before", "partial", "legal")

    @property
    def margin_of_a_claim(self) -> float:
        """Nats that an accusation needs over every lawful explanation. Lifting the dice is a claim in itself, and so is the
        opponent's roll: less is needed to doubt it."""
        claim = CLAIMED if self.dice_lifted or self.fresh() is not None else 1.0
        return max(self.options.slack, claim * self.options.red_margin)

    def read_board(
        self, evidence: Evidence, before: Position, near: Position | None = None, *, whole: bool = False
    ) -> tuple[Position | None, float]:
        """What lies there, and its fit, where `before` was left: what was borne off then comes back only where it was in doubt. whole: as
        in `read_position`. (A checker that cannot be seen has not been borne off while others are not at home: then nobody knows.)"""
        boards = [before, *self.alternatives.of(before)]
        guessed = self.grounds.doubts("guessed_start")
        light, dark = (0 if guessed else min(board.off[i] for board in boards) for i in (0, 1))
        seen, fit = read_position(evidence, near or before, (light, dark), whole=whole)
        return (None if seen is not None and bore_off_too_soon(seen, before) else seen), fit

    def read_nearly(
        self, evidence: Evidence, before: Position, near: Position | None = None
    ) -> tuple[Position | None, float]:
        """`read_board` where a checker seems missing or extra: if one place alone may be misread, the rest is the board."""
        seen, fit = self.read_board(evidence, before, near, whole=True)
        return (None if fit < -SLOT_CAP - self.options.slack else seen), fit

    def turn(self) -> Turn:
        s = self.state
        assert s.position is not None and s.dice is not None and s.side is not None
        return turn_of(s.position, s.dice, s.side, self.rules)
