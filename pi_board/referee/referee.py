"""The rules of the table: what each look and each button press means at each moment of a game.

A pure state machine: sightings and commands in, events out; time is passed in. The state (`state.State`) changes
only through events, so a journal replayed gives the same table. What is kept here besides is perception
(which looks agreed, which dice lie there); a fresh referee builds it up again within a second.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pi_board import events as ev
from pi_board.errors import InvalidError
from pi_board.events import Command, Dice, Event
from pi_board.referee.agreement import Agreements, Question
from pi_board.referee.alternatives import Alternatives
from pi_board.referee.dice_watch import DiceWatch, Pair
from pi_board.referee.grounds import Grounds
from pi_board.referee.halves import Halves
from pi_board.referee.messages import change_words, changes, point_words, sentence
from pi_board.referee.options import RefereeOptions
from pi_board.referee.reconcile import (
    ACCUSING_FIT,
    IN_HAND,
    IN_HAND_KEY_FRAME,
    IN_HAND_LATE,
    Evidence,
    Reconciled,
    Turn,
    as_played,
    one_too_many,
    read_position,
    reconcile,
    shows,
    turn_of,
    vector,
)
from pi_board.referee.shell import Shell
from pi_board.referee.state import REPEATED
from pi_board.referee.witnesses import Witnesses
from pi_board.rules import (
    SIDES,
    STARTING_POSITION,
    Match,
    Play,
    Position,
    Procedure,
    RuleSet,
    Side,
    decide_opening,
    explain,
    opponent,
    rule_set,
    score_pass,
    score_resignation,
    winner,
)
from pi_board.rules.scoring import Score, score_game
from pi_board.sighting import CubeSeen, Gate, Sighting
from pi_board.table import Phase

#: Faults of the board rather than of the play: amber with what is expected, never red. People put them right.
PHYSICAL = frozenset({"hit_checker_not_on_bar", "checker_missing", "checker_added", "moved_opponent"})
#: Faults by having stopped too early: nobody is accused of them while he may still be playing.
TOO_SHORT = frozenset({"must_play_more", "must_play_both", "must_play_larger", "could_have_moved"})
#: Faults that cannot be a checker that its player has set down for a moment while counting.
NO_SLIP = frozenset({"moved_backwards", "must_enter_first", "no_legal_play"})
#: Faults in taking checkers off the board.
BEARING_OFF = frozenset({"not_all_home", "bear_off_too_high", "exact_number_needed"})
#: Slots (of 28) that must be informative before a look counts.
INFORMED = 12
#: A play that fits the picture worse than this (nats) must be seen in as many looks on end.
POOR_FIT, POOR_LOOKS = -6.0, 6
#: Looks at the opponent's roll after which the game goes on even if the board is unclear.
PLAYED_ON = 12
#: Lawful plays looked at when the opponent has rolled already.
LIKELY_PLAYS = 8
#: The 21 rolls.
ROLLS = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))
#: Looks for which the cube must lie the same way.
CUBE_LOOKS = 3
#: Seconds without a readable look after which somebody else may have played (a turn takes longer than this).
OUT_OF_SIGHT = 6.0
#: Seconds without dice, seen at least twice, after which they count as lifted (a slow processor looks once a second).
LIFT_SECONDS = 1.2
#: Longest time (s) that a still board may go unrefereed without a message.
STILL_PATIENCE = 10.0
#: No more than so many seconds are counted from one look to the next (a hand may have been there, or nobody looked).
LONGEST_STEP = 2.0
#: The starting position with the players' seats changed: each side's checkers lie where the other's should.
SEATS_CHANGED = Position(tuple(-n for n in STARTING_POSITION.points), (0, 0), (0, 0))
#: Reason of a blocked view: vision knows no position to learn this board's colours from.
UNTAUGHT = "untaught"
#: Changes that can be asked for in words.
FEW_CHANGES = 6
#: Gates that mean somebody is busy at the board (everything else that is unsettled is a bad picture).
BUSY = (Gate.MOVING, Gate.HAND)


class Referee(Shell):
    """options: how strict and how patient; rules: a preset's name or a `RuleSet`; match_length 0 = money session.

    `observe` and `command` return the events of that moment (already applied); `view` is what the table may see.
    """

    def __init__(
        self,
        options: RefereeOptions | None = None,
        rules: str | RuleSet = "international",
        *,
        match_length: int = 0,
        names: tuple[str, str] = ("Light", "Dark"),
    ) -> None:
        super().__init__(options, rules, match_length=match_length, names=names)
        self._forget()

    def _forget(self) -> None:
        """Starts perception afresh."""
        self._dice = DiceWatch(self.options.agree_looks)
        self._used: int | None = None  # serial of the roll that the state knows; None = not told yet
        self._agreed = Agreements()
        self._doubt_since: float | None = None
        self._start_since: float | None = None
        # The last look whose colours are not known, and for how long such looks have lasted.
        self._untaught_at: float | None = None
        self._untaught_seconds = 0.0
        self._unread_since: float | None = None
        self._cube_key: object = None
        self._cube_count = 0
        self._cube_asked: object = None
        #: The cube has been seen in its place since somebody was at the board.
        self._cube_rests = False
        self._cube_places: dict[str, int] = {}
        self._refused_start = False
        #: The one sure number of the last roll.
        self._sure: int | None = None
        #: Equal dice that came to lie elsewhere in this turn: taken for shoved aside, perhaps the opponent's equal roll.
        self._shoved: Dice | None = None
        self._halves = Halves()
        self._before_seq, self._before_frame = -1, ""
        # What the last look says, as vision gave it, and without what has been proved wrong.
        self._raw: Evidence | None = None
        self._evidence: Evidence | None = None
        self._witnesses = Witnesses()
        self._alternatives = Alternatives()
        #: The roll that was to be repeated because a die seemed to lean or to lie on a checker.
        self._rejected: Pair | None = None
        self._waiting = False
        #: The play of this turn is being put right.
        self._put_right = False
        # Seconds unread since this turn's dice were last seen to lie there; the time of the last look.
        self._unseen, self._last_look = 0.0, 0.0
        #: The roll beside a board of which nobody knows how it came about.
        self._passed_over: int | None = None
        #: Who has the higher die of an opening roll, where the place of the dice says little; until the next roll.
        self._begins: Side | None = None
        # The roll may be the second one of this side, which could not move with the first.
        self._again: Side | None = None
        #: The evidence for an accusation.
        self._grounds = Grounds()
        # The dice of this turn have been seen to lie there; and were lifted, then, with nothing played.
        self._lay = self._unplayed = False
        # Since when no dice have been seen.
        self._absent_since: float | None = None
        #: What the looks agreed on in this turn before the opponent's dice came to lie there.
        self._lay_there: Reconciled | None = None
        #: An illegal play of this turn has been taken back: another one of the same roll is to be expected.
        self._another_due = False
        #: The board that was clearly seen in this turn before the opponent's dice came to lie there.
        self._clear_there: Position | None = None
        #: Somebody was at the board since the last word about this turn's play.
        self._hands_since = False
        #: What they agreed on while this turn's own dice still lay beside it.
        self._lay_with_dice: Reconciled | None = None
        # Between two turns: when the board was last seen as it was left, and whether it lay otherwise before dice lay there.
        self._as_left_at, self._changed_before = 0.0, False

    # ------------------------------------------------------------------------------------ a look at the board

    def observe(self, sighting: Sighting, now: float) -> list[Event]:
        """The events that this look leads to; most looks lead to none."""
        self._begin(now, sighting.seq, sighting.name)
        self._waiting = False
        readable = self._readable(sighting)
        if not readable:
            self._unseen += max(0.0, now - self._last_look)
        self._last_look = now
        if readable and not self.state.paused:
            evidence = Evidence.of(sighting)
            if evidence.informed >= INFORMED:
                self._taught()
                self._look(evidence, sighting)
            else:
                self._untaught(sighting)
        return self._new

    def _untaught(self, sighting: Sighting) -> None:
        """The board lies still in sight, and vision has not learned its colours from a position that it knows: said, since until
        then nothing is refereed."""
        # (People play on meanwhile: what counts is for how long it has lain still, hands in between or not.)
        since = self._untaught_at if self._untaught_at is not None else self._now
        self._untaught_seconds += min(LONGEST_STEP, self._now - since)
        self._untaught_at = self._now
        if self._untaught_seconds < STILL_PATIENCE:
            return
        if self.state.in_game and self.state.view_blocked != UNTAUGHT:
            self._say(ev.ViewBlocked, reason=UNTAUGHT)
        elif not self.state.in_game:
            words = "The starting position is not recognised: is it complete, and do the players sit as set?"
            self._notice_once("notice_not_start", f"{words} ({sighting.note})" if sighting.note else words)

    def _taught(self) -> None:
        self._untaught_at, self._untaught_seconds = None, 0.0
        if self.state.view_blocked == UNTAUGHT:
            self._say(ev.ViewCleared)

    def _notice_once(self, code: str, reason: str, side: Side | None = None) -> None:
        """A word that stands until something happens."""
        if self.state.noticed is None or self.state.noticed[0] != code:
            self._say(ev.Noticed, code=code, reason=reason, side=side)

    def _readable(self, sighting: Sighting) -> bool:
        """Keeps track of what hides the board; True when this look shows it."""
        gate, s = sighting.gate, self.state
        if gate is Gate.BOARD_MOVED:
            self._touched()
            self._dice.board_moved()
            if not s.board_moved:
                self._say(ev.BoardMoved, reason=sighting.note or "the board or the camera was moved")
            return False
        if sighting.settled and sighting.registered:
            self._unread_since = None
            if s.board_moved:
                self._say(ev.BoardFound)
            if s.view_blocked and s.view_blocked != UNTAUGHT:
                self._say(ev.ViewCleared)
            return True
        if gate in BUSY:
            self._touched()
            self._cube_rests = False
            self._untaught_at = None
        if self._unread_since is None:
            self._unread_since = self._now
        # Players think with a hand on the board, so wait long before saying anything.
        patience = self.options.blocked_patience * (20 if gate in BUSY else 1)
        reason = gate.value if gate is not Gate.SETTLED else "no_board"
        if sighting.note == "no_camera":
            # Say this at once: the source of this sighting has already waited for the camera.
            reason, patience = "no_camera", 0.0
        points = ""
        if gate is Gate.BLOCKED and sighting.hidden:
            reason, points = "thing", point_words(sighting.hidden)
        if self._now - self._unread_since >= patience and (s.view_blocked, s.view_points) != (reason, points):
            self._say(ev.ViewBlocked, reason=reason, points=points)
        return False

    def _touched(self) -> None:
        """Somebody was at the board: looks before and after do not add up."""
        self._hands_since = True
        self._dice.touched()
        self._agreed.touched(self._now)
        self._doubt_since = None
        self._start_since = None
        self._cube_count = 0

    def _steady(self, question: Question, answer: object) -> tuple[int, float]:
        """(looks in a row, seconds) for which `question` has had the same answer."""
        return self._agreed.ask(question, answer, self._now)

    def _look(self, evidence: Evidence, sighting: Sighting) -> None:
        self._raw, evidence = evidence, self._witnesses.hear(evidence)
        self._evidence = evidence
        self._agreed.next_look()
        phase = self.state.phase
        set_up = self._start_since is not None or self.state.question == "abandon_game"
        self._dice.one_by_one = phase is Phase.OPENING or set_up
        if not sighting.dice_hidden:
            # (What stands over dice does not lift them.)
            self._dice.observe(sighting.dice)
        if not self._dice.absent or sighting.dice_hidden:
            self._absent_since = None
        elif self._absent_since is None:
            self._absent_since = self._now
        if self._lifted:
            self._dice.gone()
        elif self._lies:
            self._unseen, self._lay, self._unplayed = 0.0, True, False
        if phase in (Phase.WAITING, Phase.OVER):
            self._await_start(evidence)
            return
        if phase is Phase.RESIGNED:
            return
        if phase is Phase.OPENING:
            self._opening(evidence)
        elif phase in (Phase.ROLL, Phase.DOUBLED):
            self._to_roll(evidence)
        else:
            self._in_turn(evidence)
        if self.state.in_game:
            self._watch_cube(sighting.cube)

    @property
    def _lifted(self) -> bool:
        """No dice have lain there for a while: some looks, or fewer that are further apart."""
        absent = self._dice.absent
        long = self._absent_since is not None and self._now - self._absent_since >= LIFT_SECONDS
        return absent >= self.options.lift_looks or (absent >= 2 and long and not self.options.key_frames)

    @property
    def _lies(self) -> bool:
        """The dice of this turn lie there."""
        pair = self._dice.pair
        return self._dice.in_sight and pair is not None and pair.serial == self._used

    @property
    def _claimed_by_lifting(self) -> bool:
        """The player has lifted the dice of this turn: what lies there is his play. (Where the dice never lay there, as when
        the second player repeats the opening numbers, their absence says nothing.)"""
        return self._lifted and self._lay and self.rules.turn_ends == "dice_lifted"

    @property
    def _ended_by_lifting(self) -> bool:
        """No dice lie there any more, so that a whole play is over. Who repeats the opening numbers may still be playing."""
        repeated = self.state.second_dice is not None and not self._lay
        return self._lifted and not repeated and self.rules.turn_ends == "dice_lifted"

    def _fresh(self) -> Pair | None:
        """A roll that the state does not know yet."""
        pair = self._dice.pair
        if pair is None or pair.serial == self._used:
            return None
        if self._used is None:
            # After a power cut: the same numbers as the game remembers are the same dice.
            self._used = 0
            s = self.state
            known = s.dice or (s.last.dice if s.last is not None else None)
            if known is not None and pair.values is not None and sorted(pair.values) == sorted(known):
                self._used = pair.serial
                return None
        return pair

    # ------------------------------------------------------------------------------------ before a game

    def _await_start(self, evidence: Evidence) -> None:
        """Waiting for the starting position; twice in a row, and nothing else fits better."""
        if self.state.match.winner is not None:
            return
        turned = evidence.score(SEATS_CHANGED)
        margin = self.options.red_margin
        if turned >= -margin and turned - evidence.score(STARTING_POSITION) >= margin:
            # All would be called by the other's name, the dice that lie in one's half too.
            count, _ = self._steady("start", "seats changed")
            if count >= self.options.agree_looks:
                words = "The seating seems turned: light lies where dark should. Is dark sitting here?"
                self._notice_once("notice_seating", words)
            return
        seen = shows(evidence, STARTING_POSITION, slack=self.options.slack)
        count, held = self._steady("start", seen)
        self._waiting = seen
        if seen and count >= self.options.agree_looks:
            self._start_game(STARTING_POSITION)
        elif not seen and held < STILL_PATIENCE and self.state.trouble is not None:
            self._say(ev.Resolved)
        elif not seen and held >= STILL_PATIENCE:
            self._not_the_start(evidence)

    def _not_the_start(self, evidence: Evidence) -> None:
        """A still board that is not the starting position: which points differ, where it is nearly set up; and if somebody rolls
        beside another position, that this is not refereed."""
        board, _ = read_position(evidence, STARTING_POSITION)
        todo = changes(board, STARTING_POSITION)
        if 0 < len(todo) <= FEW_CHANGES:
            self._unclear("position", f"Expected: {change_words(todo)}.", STARTING_POSITION, board)
        elif self._dice.pair is not None and self._dice.in_sight:
            self._notice_once(
                "notice_not_start",
                "The starting position is not recognised: is it complete, and do the players sit as set?",
            )

    def _start_game(self, position: Position) -> None:
        match = self.state.match
        self._say(
            ev.GameStarted,
            game=match.game,
            position=position,
            score=match.score,
            crawford_game=match.crawford_game,
        )
        self._witnesses.forget()
        self._alternatives.forget()
        pair = self._dice.pair
        # Dice that lie there while the game is set up were rolled for the last one, unless this is a first look.
        self._used = pair.serial if pair is not None and self._used is not None else 0
        self._refused_start = False

    def _opening(self, evidence: Evidence) -> None:
        """One die each; or simply the first roll, when nobody saw the opening roll: then the play tells who rolled."""
        pair = self._fresh() or self._tie_thrown_again()
        if pair is None:
            self._before_the_opening(evidence)
            return
        if self._opened_unseen(evidence, pair):
            return
        if not self._throw_is_read(pair):
            self._unread_but_played(evidence, pair, SIDES)
            return
        values = pair.values
        assert values is not None
        self._used = pair.serial
        one_each = set(pair.halves) == set(SIDES)
        light, dark = (values[1], values[0]) if one_each and pair.halves[0] == "dark" else values
        decided = decide_opening(light, dark, self.rules)
        # Where the place of the dice says nothing, the play will tell who rolled. Equal numbers are a tie
        # wherever they lie, unless two dice each are rolled and the highest roll begins.
        tie = decided.side is None and (one_each or self.rules.opening == "one_die_each")
        if tie or (one_each and self.rules.dice_place == "right_half"):
            self._say(ev.OpeningThrown, light=light, dark=dark, side=decided.side)
            if decided.side is not None and decided.dice is not None:
                self._remember_throw(pair)
                otherwise = self._lies_otherwise(pair) and not pair.came_apart
                self._roll(decided.side, decided.dice, pair.confidence, "opening")
                self._grounds.doubt("otherwise_left", otherwise)
            return
        self._roll(None, values, pair.confidence)
        self._begins = decided.side if one_each else None

    def _before_the_opening(self, evidence: Evidence) -> None:
        """No dice yet. A board that has been changed and left so is asked about."""
        position = self.state.position
        if position is None:
            return
        as_left = shows(evidence, position, slack=self.options.slack)
        _, held = self._steady("as_left", as_left)
        if as_left:
            self._clear()
        elif held >= STILL_PATIENCE:
            self._board_differs(position, self._read_board(evidence, position)[0], evidence)

    def _opened_unseen(self, evidence: Evidence, pair: Pair) -> bool:
        """The first dice that are read lie beside a board on which more has been played than they allow: the opening roll was
        never seen, and its play tells it, if it can. Until then this roll is nobody's (and nobody is accused by it)."""
        position = self.state.position
        if position is None or pair.values is None or evidence.score(position) >= -self.options.slack:
            return False
        if set(pair.halves) == set(SIDES):
            # One die each is the opening roll, whatever has been played of it.
            return False
        if any(self._may_be_play_of(pair.values, side, evidence) for side in SIDES):
            return False
        # A double cannot be the opening roll, and the side that rolled just now did not play before.
        fits = [f for f in self._fitting(evidence, None, position, SIDES) if f[0].dice[0] != f[0].dice[1]]
        others = [f for f in fits if set(pair.halves) == {opponent(f[0].side)}]
        count, _ = self._steady("opened_unseen", tuple((t.dice, t.side, f.position) for t, f in fits))
        self._waiting = True
        if count < self.options.agree_looks:
            return True
        if len(fits) == 1 or others:
            self._take_from_play(None, *(others or fits)[0])
        elif fits:
            # Several rolls lead to this board. The board is known all the same.
            likeliest = max(fits, key=lambda fit: fit[1].fit)[1]
            self._join(likeliest.position or position, pair)
        elif self._passed_over not in (None, pair.serial):
            # They play on, roll after roll. The referee goes on from the board as it lies.
            seen, _ = self._read_board(evidence, position)
            if seen is not None:
                self._join(seen, pair)
        else:
            self._passed_over = pair.serial
            if self._doubting():
                seen, _ = self._read_board(evidence, position)
                self._board_differs(position, seen, evidence)
        return True

    def _join(self, position: Position, pair: Pair) -> None:
        """Nobody saw how the game began: it goes on from the board as it lies, and this roll's play will tell whose it is."""
        assert pair.values is not None
        self._passed_over = None
        self._say(ev.PositionCorrected, position=position, by="vision")
        self._used = pair.serial
        self._roll(None, pair.values, pair.confidence)
        self._grounds.doubt("guessed_start")
        words = "I did not see how this game began: it goes on from the board as it lies."
        self._say(ev.Noticed, code="notice_joined", reason=words)

    def _tie_thrown_again(self) -> Pair | None:
        """After equal numbers both roll again, and the dice may come to lie where they lay: then only the numbers tell."""
        pair, tie = self._dice.pair, self.state.tie
        if pair is None or tie is None or pair.values is None or pair.confidence < self.options.dice_doubt:
            return None
        return pair if sorted(pair.values) != sorted(tie) else None

    def _roll(self, side: Side | None, dice: Dice, confidence: float = 1.0, note: str = "") -> None:
        self._unseen = 0.0
        self._put_right, self._another_due, self._lay_there, self._lay_with_dice = False, False, None, None
        self._lay, self._unplayed, self._begins = self._lies, False, None
        self._shoved, self._rejected = None, None
        self._grounds.new_roll()
        self._say(
            ev.DiceRolled, side=side, dice=(max(dice), min(dice)), confidence=round(confidence, 3), note=note
        )  # fmt: skip

    def _throw_is_read(self, pair: Pair) -> bool:
        """Whether the roll can be taken as it lies; asks for better dice after a while."""
        if pair.looks < self.options.agree_looks:
            self._waiting = True
            return False
        if self.rules.dice_flat and pair.cocked:
            self._rejected = pair
            self._reject(pair, "on_checker" if pair.on_checker else "cocked")
            return False
        if pair.values is not None and pair.confidence >= 0.3:
            return True
        if self._doubting():
            self._unclear(
                "dice",
                "The dice can't be read: straighten them or set them by hand.",
                None,
                None,
                "dice_unread",
            )
        return False

    def _reject(self, pair: Pair, code: str) -> None:
        """Roll again. Said once per roll, after a third look (a die may just be coming to rest)."""
        self._waiting = pair.looks <= self.options.agree_looks
        if pair.looks > self.options.agree_looks and self.state.waits_for != code:
            fault = {
                "cocked": "A die does not lie flat: throw both again.",
                "on_checker": "A die lies on a checker: throw both again.",
                "outside": "A die lies outside the playing field: throw both again.",
                "wrong_half": "The dice belong in the thrower's right-hand half: throw both again.",
                "too_early": "Roll only after the opponent has lifted the dice: throw again.",
            }[code]
            self._say(ev.DiceRejected, side=self.state.side, code=code, reason=fault)

    def _doubting(self) -> bool:
        """True once something has been unclear, untouched, for as long as the table is patient."""
        if self._doubt_since is None:
            self._doubt_since = self._now
        self._waiting = True
        return self._now - self._doubt_since >= self.options.doubt_patience

    def _clear(self) -> None:
        """Everything is as it should be."""
        self._doubt_since = None
        if self.state.trouble is not None:
            self._say(ev.Resolved)
        if self.state.question == "abandon_game":
            self._say(ev.Answered, code="abandon_game", yes=False)
            self._refused_start = False

    # ------------------------------------------------------------------------------------ to roll

    def _to_roll(self, evidence: Evidence) -> None:
        """The side to roll thinks, doubles or rolls; the board must not change meanwhile."""
        s = self.state
        position = s.position
        assert position is not None
        pair = self._fresh()
        as_left = shows(evidence, position, slack=self.options.slack)
        self._watch_the_board(as_left)
        if s.phase is Phase.ROLL and (
            self._played_unseen(evidence, pair) or self._played_unknown(evidence, pair)
        ):
            return
        if s.phase is Phase.ROLL and pair is None and self._played_glimpsed(evidence):
            return
        if pair is not None and s.phase is Phase.DOUBLED and self._rolled_after_an_offer(pair):
            return
        if pair is not None and s.phase is Phase.ROLL and self._passed_with_a_rejected_throw(evidence, pair):
            return
        if pair is not None and s.phase is Phase.ROLL:
            if self._throw_is_read(pair) and self._procedure(pair):
                self._thrown(pair)
            elif pair.values is None:
                self._unread_but_played(evidence, pair, SIDES if s.side is None else (s.side,))
            else:
                self._played_a_rejected_throw(evidence, pair)
            return
        if as_left:
            count, _ = self._steady("as_left", True)
            if count >= self.options.agree_looks and self._clearly_shows(evidence, position):
                self._grounds.dispel("guessed_start")
            self._alternatives.tell_apart(evidence, position, self.options.red_margin)
            self._before_seq, self._before_frame = self._seq, self._frame
            self._clear()
            return
        if position != STARTING_POSITION and shows(evidence, STARTING_POSITION, slack=self.options.slack):
            self._ask_to_abandon()
            return
        count, changed = self._steady("as_left", False)
        # The next dice may still be rolling while somebody tidies his checkers: twice the patience.
        if (
            count >= self.options.agree_looks
            and self._doubting()
            and changed >= 2 * self.options.doubt_patience
        ):
            seen, _ = self._read_board(evidence, position)
            self._board_differs(position, seen, evidence)

    def _watch_the_board(self, as_left: bool) -> None:
        """Remembers whether the board that the next roll is played from was changed before that roll lay there."""
        if as_left:
            self._as_left_at, self._changed_before = self._now, False
        elif self._fresh() is None and not self._dice.coming:
            self._changed_before = True

    def _procedure(self, pair: Pair) -> bool:
        """Where the dice must lie (leaflet 002): enforced, advised or ignored, as the table wishes."""
        s, wish = self.state, self.options.dice_half
        if wish == "ignore" or s.side is None:
            return True
        law = Procedure.of(self.rules)
        faults = [law.die_fault(s.side, half=half) for half in pair.halves]  # type: ignore[arg-type]
        fault = next((f for f in faults if f is not None), None)
        if fault is None or fault.code not in ("outside", "wrong_half"):
            return True
        if wish == "enforce" or fault.code == "outside":
            self._reject(pair, fault.code)
            return False
        return True

    def _notice_place(self, pair: Pair) -> None:
        s = self.state
        if self.options.dice_half != "advise" or s.side is None:
            return
        law = Procedure.of(self.rules)
        faults = [law.die_fault(s.side, half=half) for half in pair.halves]  # type: ignore[arg-type]
        fault = next((f for f in faults if f is not None), None)
        if fault is not None and fault.code == "wrong_half":
            # In a room of bad views these were the opponent's own dice as often as not; in pictures of single moments
            # nobody keeps to the halves, nor does everybody at the board.
            habit = self._halves.tell_nothing_of(s.side) or self.options.key_frames
            self._grounds.doubt("other_half", not habit)
            reason = f"The dice belong in {s.side}'s right-hand half."
            self._say(ev.Noticed, code="notice_wrong_half", reason=reason, side=s.side)

    def _notice_thrown_again(self, side: Side | None, before: str) -> None:
        self._say(
            ev.Noticed,
            code="notice_thrown_again",
            reason=f"The dice were thrown again before {before}.",
            side=side,
        )

    def _thrown(self, pair: Pair, side: Side | None = None, note: str = "") -> None:
        """A roll that counts."""
        assert pair.values is not None
        again = side is None and not note and self._may_be_thrown_again(pair)
        self._used = pair.serial
        self._doubt_since = None
        whose = side or self.state.side
        self._again = opponent(whose) if again and whose is not None else None
        if again or (side is None and whose is not None and self._may_be_the_others(pair, whose)):
            # The play will tell whose roll it is.
            whose = None
        self._remember_throw(pair)
        # Amber was already asking about this board before these dice were rolled, so it is not the roller's
        # fault.
        trouble = self.state.trouble
        asked = trouble is not None and trouble.doubts == "position"
        otherwise = asked or (side is None and not note and self._lies_otherwise(pair))
        self._roll(whose, pair.values, pair.confidence, note)
        self._grounds.doubt("otherwise_left", otherwise)
        self._notice_place(pair)

    def _lies_otherwise(self, pair: Pair) -> bool:
        """Something has been played since the last turn that I saw, and not with these dice."""
        s, evidence = self.state, self._evidence
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
        if self._changed_before:
            # Before these dice lay there: it is nobody's play of them.
            return True
        side = s.side or ""
        own = self._custom and set(pair.halves) == {side}
        if self._now - self._as_left_at < OUT_OF_SIGHT * (3 if own else 1):
            # It lay as it was left until a moment ago: what has been moved since was moved with these dice. (A whole turn of
            # both would have to be missed where the dice lie in the half of the player whose turn it is.)
            return False
        return not any(self._may_be_play_of(pair.values, side, evidence) for side in SIDES)

    def _may_be_the_others(self, pair: Pair, side: Side) -> bool:
        """A roll against the custom of the table may be of `side`'s opponent, if a turn can have passed unseen: checkers lie
        elsewhere than they were left, or `side` may have danced, or the dice show what they showed before."""
        s = self.state
        if (
            not self._custom
            or set(pair.halves) != {opponent(side)}
            or s.position is None
            or pair.values is None
        ):
            return False
        dice = (max(pair.values), min(pair.values))
        if not turn_of(s.position, dice, side, self.rules).can_move:
            return False
        if self._evidence is None or not shows(self._evidence, s.position, slack=self.options.slack):
            return True
        if s.last is not None and sorted(dice) == sorted(s.last.dice):
            return True
        return not all(turn_of(s.position, roll, side, self.rules).can_move for roll in ROLLS)

    def _remember_throw(self, pair: Pair) -> None:
        """What the roll itself does not tell: which die was surely read, and in which half they were rolled."""
        sure = [
            value
            for value, confidence in (d.reading for d in pair.dice)
            if confidence >= self.options.dice_doubt
        ]
        self._sure = sure[0] if len(sure) == 1 else None
        self._halves.rolled(pair.halves, self.state.side)

    @property
    def _custom(self) -> bool:
        """Everybody at this table rolls into his own half. (A folder of finished moments shows too little to tell.)"""
        asked = self.options.dice_half != "ignore" and not self.options.key_frames
        return asked and self._halves.are_custom

    def _lies_again_with(self, pair: Pair, side: Side) -> bool:
        """By the custom of the table this is `side`'s roll, as the last one was."""
        return self._custom and self._in_the_same_half(pair, side)

    def _in_the_same_half(self, pair: Pair, side: Side) -> bool:
        """The last roll lay in `side`'s half, and this one does too."""
        return self._halves.last == side and set(pair.halves) == {side}

    def _may_be_thrown_again(self, pair: Pair) -> bool:
        """A player who could not move may roll once more in his own half (he saw a die leaning that I took for flat): at a
        table where everybody rolls in his own half that need be no opponent's roll."""
        s = self.state
        if s.phase is not Phase.ROLL or s.side is None or s.last is None or pair.values is None:
            return False
        them = opponent(s.side)
        passed = s.last.side == them and s.last.legal and not s.last.play and s.last.position == s.position
        return passed and self._lies_again_with(pair, them)

    def _threw_again(self, side: Side) -> None:
        """The roll turns out to have been `side`'s second one: the turn that it had passed is open again. It is said."""
        s = self.state
        if self._again != side or s.side is not None or s.last is None or s.dice is None:
            return
        dice, confidence = s.dice, s.dice_confidence
        self._again = None
        self._say(ev.TurnReopened, side=side, dice=s.last.dice, position=s.last.position)
        self._notice_thrown_again(side, "anything was played")
        self._roll(side, dice, confidence, "thrown again")

    def _played_a_rejected_throw(self, evidence: Evidence, pair: Pair) -> None:
        """The players took a roll that was to be repeated and play it: their agreement counts. If the play is wrong, perhaps they
        have agreed on another number than I read."""
        s = self.state
        if pair.values is None or s.position is None or s.side is None or not s.waits_for:
            return
        turn = turn_of(s.position, (max(pair.values), min(pair.values)), s.side, self.rules)
        found = self._reconcile(evidence, turn)
        count, _ = self._steady("rejected", found.key)
        theirs = (
            found.kind == "illegal" and found.position is not None and _is_of_one_turn(turn, found.position)
        )
        if not (found.kind in ("legal", "partial") or theirs) or count < self.options.agree_looks:
            return
        self._thrown(pair, note="played although to be thrown again")
        self._grounds.doubt("rejected_dice")
        if found.kind == "legal":
            self._play(turn, found)

    def _passed_with_a_rejected_throw(self, evidence: Evidence, pair: Pair) -> bool:
        """The players took a roll that was to be repeated, nothing could be moved with it, and by the custom of the table the
        opponent has rolled: their agreement counts. True when it was so."""
        s, was = self.state, self._rejected
        if was is None or was.values is None or was.serial == pair.serial or pair.values is None:
            return False
        if s.side is None or s.position is None or was.confidence < self.options.dice_doubt or pair.cocked:
            return False
        side = s.side
        if not self._custom or set(was.halves) != {side} or set(pair.halves) != {opponent(side)}:
            return False
        turn = turn_of(s.position, (max(was.values), min(was.values)), side, self.rules)
        theirs = turn_of(s.position, (max(pair.values), min(pair.values)), opponent(side), self.rules)
        if turn.can_move or self._reconcile(evidence, theirs).kind not in ("before", "partial", "legal"):
            return False
        self._waiting = True
        if pair.looks >= self.options.agree_looks:
            self._remember_throw(was)
            self._roll(side, turn.dice, was.confidence, "taken although to be thrown again")
            self._grounds.doubt("rejected_dice")
            self._end_turn(turn, turn.play_to(s.position), s.position, pair)
        return True

    def _unread_but_played(self, evidence: Evidence, pair: Pair, sides: tuple[Side, ...]) -> None:
        """A die that can't be read, and a play: if exactly one number fits the play, that was the number. It is said."""
        s = self.state
        if (
            s.position is None
            or pair.looks < self.options.agree_looks
            or shows(evidence, s.position, slack=self.options.slack)
        ):
            return
        fits = self._fitting(evidence, pair, s.position, sides)
        count, _ = self._steady("unread", tuple((t.dice, t.side, f.position) for t, f in fits))
        self._waiting = True
        if len(fits) != 1 or count < self.options.agree_looks:
            return
        self._take_from_play(pair, *fits[0])

    def _played_unseen(self, evidence: Evidence, pair: Pair | None) -> bool:
        """Dice that nobody could see were played, and the game has gone on (the next dice lie there, or the picture is
        known to show a finished play): the play tells the dice, if only one roll fits. True when it was so."""
        s = self.state
        went_on = self.options.key_frames or (pair is not None and pair.values is not None)
        if not went_on or s.position is None or s.side is None or s.waits_for:
            return False
        # Borne-off checkers are seen only by their absence, which `shows` would forgive.
        if evidence.score(s.position) >= -self.options.slack:
            return False
        theirs = pair is not None and set(pair.halves) == {opponent(s.side)}
        if (
            pair is not None
            and pair.values is not None
            and not theirs
            and self._may_be_play_of(pair.values, s.side, evidence)
        ):
            return False
        fits = self._fitting(evidence, None, s.position, (s.side,))
        count, _ = self._steady("unseen", tuple((t.dice, f.position) for t, f in fits))
        self._waiting = True
        # Several rolls may lead there. If the next dice lie on the other player's side, it is his turn in any
        # case.
        gone_on = theirs and bool(fits)
        gone_on = gone_on and fits[0][1].play is not None
        if (len(fits) == 1 or gone_on) and count >= self.options.agree_looks:
            self._take_from_play(None, *fits[0])
        return len(fits) == 1 or gone_on

    def _played_glimpsed(self, evidence: Evidence) -> bool:
        """Dice that were seen once, and well, and lifted before a second look: the board shows a whole lawful play of them, so
        it was a roll. True when it was so."""
        s, glimpse = self.state, self._dice.glimpse
        if glimpse is None or glimpse.values is None or s.side is None or s.position is None or s.waits_for:
            return False
        if glimpse.cocked or glimpse.confidence < self.options.dice_doubt or self._dice.coming:
            return False
        if opponent(s.side) in glimpse.halves or evidence.score(s.position) >= -self.options.slack:
            return False
        turn = turn_of(s.position, (max(glimpse.values), min(glimpse.values)), s.side, self.rules)
        found = self._reconcile(evidence, turn)
        if found.kind != "legal" or found.play is None or found.fit < POOR_FIT:
            return False
        count, _ = self._steady("glimpsed", (turn.dice, found.position))
        self._waiting = True
        if count >= self.options.agree_looks:
            self._dice.glimpse = None
            self._remember_throw(glimpse)
            self._roll(s.side, turn.dice, glimpse.confidence, "seen once, and played")
            self._play(turn, found)
        return True

    def _played_unknown(self, evidence: Evidence, pair: Pair | None) -> bool:
        """The side to roll has moved, no roll that I know of explains how, and the other has rolled in his own half: who rolls
        while an amber question stands has answered it, and the game goes on from the board. True when it is so."""
        s = self.state
        if s.trouble is None or s.position is None or s.side is None or pair is None or pair.values is None:
            return False
        if pair.cocked or not self._custom or set(pair.halves) != {opponent(s.side)}:
            return False
        seen, _ = self._read_board(evidence, s.position)
        if (
            seen is None
            or seen == s.position
            or not _is_of_one_turn(turn_of(s.position, (6, 6), s.side, self.rules), seen)
        ):
            return False
        count, _ = self._steady("played_unknown", seen)
        self._waiting = True
        if count >= self.options.agree_looks and pair.looks >= self.options.agree_looks:
            self._say(ev.PositionCorrected, position=seen, side=opponent(s.side), by="vision")
            self._thrown(pair)
            self._grounds.doubt("guessed_start")
        return True

    def _fitting(
        self, evidence: Evidence, pair: Pair | None, before: Position, sides: tuple[Side, ...]
    ) -> list[tuple[Turn, Reconciled]]:
        """The rolls, with the numbers that could be read, of which a legal play lies on the board, and those of which one nearly
        does: what full points and trays hold can hardly be seen, and who guesses dice must be sure."""
        known = [d.reading[0] for d in pair.dice] if pair is not None else [None, None]
        rolls = {
            (max(a, b), min(a, b))
            for a in ([known[0]] if known[0] else range(1, 7))
            for b in ([known[1]] if known[1] else range(1, 7))
        }
        fits: list[tuple[Turn, Reconciled]] = []
        near: list[tuple[float, Turn, Reconciled]] = []
        for roll in sorted(rolls):
            for side in sides:
                turn = turn_of(before, roll, side, self.rules)
                found = self._reconcile(evidence, turn)
                if found.kind == "legal" and found.play is not None:
                    fits.append((turn, found))
                elif turn.can_move:
                    near.append((float(evidence.scores(turn.legal_counts).max()), turn, found))
        if fits:
            best = max(found.fit for _, found in fits)
            fits += [(turn, found) for score, turn, found in near if score > best - self.options.red_margin]
        # Likeliest first: what lay there after all, and two different numbers come up twice as often as a given double.
        return sorted(fits, key=lambda fit: (fit[0].dice != self._shoved, fit[0].dice[0] == fit[0].dice[1]))

    def _take_from_play(self, pair: Pair | None, turn: Turn, found: Reconciled) -> None:
        if pair is not None:
            self._used = pair.serial
        self._sure = None
        self._roll(turn.side, turn.dice, 0.0, "taken from the play")
        self._grounds.doubt("guessed_dice")
        words = f"The dice could not be read; {turn.dice[0]}-{turn.dice[1]} is taken from the play."
        self._say(ev.Noticed, code="notice_dice_from_play", reason=words, side=turn.side)
        self._play(turn, found)

    def _ask_to_abandon(self) -> None:
        """The starting position in the middle of a game: a new game, or somebody showing something?"""
        if self._start_since is None:
            self._start_since = self._now
        self._waiting = True
        pair = self._fresh()
        if pair is not None and pair.values is not None and set(pair.halves) == set(SIDES):
            # Set up, and one die rolled on each side: that is an answer.
            self._say(
                ev.GameAbandoned, position=self.state.on_board, reason="a new game was set up and thrown for"
            )
            self._start_game(STARTING_POSITION)
            self._used = 0
            return
        long_enough = self._now - self._start_since >= self.options.doubt_patience
        if long_enough and not self._refused_start and self.state.question != "abandon_game":
            self._say(
                ev.Asked,
                code="abandon_game",
                reason="The starting position is set up: is this game abandoned?",
            )

    # ------------------------------------------------------------------------------------ the turn

    def _reconcile(self, evidence: Evidence, turn: Turn) -> Reconciled:
        over = self._lifted or self._fresh() is not None
        return reconcile(
            evidence,
            turn,
            red_margin=self._margin_of_a_claim,
            slack=self.options.slack,
            in_hand=IN_HAND_KEY_FRAME if self.options.key_frames else IN_HAND_LATE if over else IN_HAND,
        )

    def _explained(self, evidence: Evidence) -> tuple[Reconciled, Turn]:
        """The best explanation of the board; while it is open who rolled, the side whose play explains it better."""
        s = self.state
        assert s.position is not None and s.dice is not None
        sides = SIDES if s.side is None else (s.side,)
        order = {"legal": 0, "before": 1, "partial": 2, "illegal": 3, "unclear": 4}
        found = [
            (self._reconcile(evidence, turn), turn)
            for turn in (turn_of(s.position, s.dice, side, self.rules) for side in sides)
        ]

        def by_likelihood(item: tuple[Reconciled, Turn]) -> tuple[int, bool, float]:
            seen, turn = item
            foreign = (
                seen.kind == "illegal"
                and seen.position is not None
                and not _is_of_one_turn(turn, seen.position)
            )
            # Both illegal readings explain the board alike. The one nearer to a legal play is likelier.
            return order[seen.kind], foreign, seen.margin if seen.kind == "illegal" else -seen.fit

        return min(found, key=by_likelihood)

    def _in_turn(self, evidence: Evidence) -> None:
        """A roll is to be played, has been played, or was played wrongly; the dice lie there or have been lifted."""
        position = self.state.position
        if position != STARTING_POSITION and shows(evidence, STARTING_POSITION, slack=self.options.slack):
            self._ask_to_abandon()
            return
        if self._is_claimed and self.state.board is not None:
            self._watch_the_board(evidence.score(self.state.board) >= -self.options.slack)
        if self._next_played_unread(evidence) or self._next_has_played(evidence):
            return
        if self._threw_again_and_plays(evidence) or self._too_late_to_correct():
            return
        found, turn = self._explained(evidence)
        fresh = self._throw_of_the_next(found, turn)
        s = self.state
        if s.phase is Phase.ILLEGAL and fresh is not None and self._as_claimed(evidence, found):
            assert s.board is not None
            self._opponent_rolled(turn, s.board, fresh)
            return
        if found.kind == "unclear":
            self._not_understood(evidence, found, turn, fresh)
            return
        count, held = self._steady("turn", found.key)
        # A play that hardly fits may be another one with a checker too many or too few. Two lucky looks must
        # not decide that.
        poor = found.kind == "legal" and found.fit < POOR_FIT and s.board != found.position
        if count < (POOR_LOOKS if poor else self.options.agree_looks):
            self._waiting = True
            return
        if fresh is None and self._fresh() is None and not self._dice.coming:
            self._lay_there = found
            clear = found.position is not None and self._clearly_shows(evidence, found.position)
            self._clear_there = found.position if clear else None
        if self._lies:
            self._lay_with_dice = found
        if found.kind == "before":
            self._nothing_moved(evidence, found, turn, fresh, held)
        elif found.kind == "partial":
            self._on_the_way(evidence, found, turn, fresh, held)
        elif found.kind == "legal":
            self._play(turn, found)
            self._turn_may_end(fresh)
        else:
            self._illegal(evidence, found, turn, fresh, held)

    def _clearly_shows(self, evidence: Evidence, position: Position) -> bool:
        """Nothing else explains the picture: however it came about, this is what lies there."""
        sure = evidence.score(position) >= -self.options.slack
        return sure and evidence.certainty(position) >= self.options.red_margin

    def _lay_so_before(self, found: Reconciled) -> bool:
        """The looks agreed on the same before the opponent's dice came to lie there."""
        return self._lay_there is not None and self._lay_there.key == found.key

    def _patience_after_lifting(self, found: Reconciled, patience: float) -> float:
        """Seconds that the board must lie untouched after the dice are lifted: fewer where it lay just so beside them, untouched, for
        then the lifting is all that has happened since."""
        before = self._lay_with_dice
        return patience / 3 if before is not None and before.key == found.key else patience

    def _threw_again_and_plays(self, evidence: Evidence) -> bool:
        """The dice were lifted with nothing played, others lie where they had lain, and what lies on the board is of a play of
        these: the same player once more (he saw a die leaning that I took for flat). True when it is so."""
        s, pair = self.state, self._fresh()
        if (
            not self._unplayed
            or s.phase is not Phase.PLAY
            or s.side is None
            or s.position is None
            or pair is None
        ):
            return False
        if pair.values is None or self._dice.crowded or not self._in_the_same_half(pair, s.side):
            return False
        turn, dice = self._turn(), (max(pair.values), min(pair.values))
        again = self._reconcile(evidence, turn_of(s.position, dice, s.side, self.rules))
        if again.kind not in ("partial", "legal") or self._reconcile(evidence, turn).kind == "legal":
            return False
        count, _ = self._steady("thrown_again", dice)
        self._waiting = True
        if count >= self.options.agree_looks and pair.looks >= self.options.agree_looks:
            self._throw_again(s.side, pair, "anything was played")
        return True

    def _throw_again(self, side: Side, pair: Pair, before: str) -> None:
        """`side` has rolled once more: these dice count instead. It is said."""
        assert pair.values is not None
        self._used = pair.serial
        self._remember_throw(pair)
        self._notice_thrown_again(side, before)
        self._roll(side, pair.values, pair.confidence, "thrown again")

    def _next_played_unread(self, evidence: Evidence) -> bool:
        """The opponent has rolled dice that can't be read, or were never seen (the next ones lie in the first player's
        half again), and has played them: this turn is over. True when it was so."""
        s, pair = self.state, self._fresh()
        if not self._is_claimed or pair is None or s.board is None:
            return False
        turn = self._turn()
        unread = pair.values is None
        again = not unread and self._in_the_same_half(pair, turn.side)
        if not unread and not (again and pair.gap >= self.options.lift_looks):
            return False
        found = self._reconcile(evidence, turn)
        if found.kind in ("legal", "before", "partial"):
            return False
        fits = self._fitting(evidence, pair if unread else None, s.board, (opponent(turn.side),))
        count, _ = self._steady("next_unread", tuple((t.dice, f.position) for t, f in fits))
        self._waiting = True
        told = len(fits) == 1 or (again and bool(fits) and fits[0][1].play is not None)
        if told and count >= self.options.agree_looks:
            known = self._used
            self._gone_on(turn, s.board, None)
            if not unread:
                self._used = known  # the dice that lie there are of the turn after that
            self._take_from_play(pair if unread else None, *fits[0])
        return told

    def _next_has_played(self, evidence: Evidence) -> bool:
        """The opponent has rolled and already moved before his dice had been looked at twice. True when it was so."""
        s, pair = self.state, self._fresh()
        if not self._is_claimed or s.board is None:
            return False
        turn = self._turn()
        if pair is None and s.opening and self._repeats(turn.dice):
            # The opening dice may stay on the board for the second player.
            dice, seen = turn.dice, self.options.agree_looks
        elif pair is not None and pair.values is not None:
            dice, seen = (max(pair.values), min(pair.values)), pair.looks
        else:
            return False
        if self._reconcile(evidence, turn).kind in ("legal", "before", "partial"):
            return False
        theirs = turn_of(s.board, dice, opponent(turn.side), self.rules)
        found = self._reconcile(evidence, theirs)
        # A player who was told of a fault may be putting his play right. If only the other's checkers moved,
        # the other has played.
        played = (
            found.position is not None
            and _is_of_one_turn(theirs, found.position)
            and not _touched_nothing(s.board, found.position, theirs.side)
        )
        wrongly = found.kind == "illegal" and (played or (pair is not None and s.phase is Phase.PLAYED))
        if found.kind not in ("legal", "partial") and not wrongly:
            return False
        # (A play in progress changes from look to look; a wrong play stays as it is.)
        count, _ = self._steady("next_has_played", (dice, found.key if found.kind == "illegal" else None))
        self._waiting = True
        if count >= self.options.agree_looks and seen >= self.options.agree_looks:
            self._gone_on(turn, s.board, pair)
        return True

    def _repeats(self, dice: Dice) -> bool:
        """By this leaflet the second player plays the opening numbers too."""
        return self.rules.second_player_repeats and dice[0] != dice[1]

    @property
    def _is_claimed(self) -> bool:
        """What lies there has been announced as a play, or as an illegal one that can be written down."""
        s = self.state
        if s.phase is Phase.ILLEGAL:
            return s.side is not None and s.board is not None and s.board != s.position
        return s.phase is Phase.PLAYED

    def _gone_on(self, turn: Turn, board: Position, fresh: Pair | None) -> None:
        """The opponent has rolled and played from `board`: the turn before is over, however it was."""
        if self.state.phase is Phase.ILLEGAL:
            self._let_it_stand(turn, board, fresh)
        else:
            self._end_turn(turn, turn.play_to(board), board, fresh)

    def _as_claimed(self, evidence: Evidence, found: Reconciled) -> bool:
        """The illegal play still lies there. (A point held by both sides can't be written down: what nothing else
        explains is taken as such.)"""
        s = self.state
        if s.board is None or s.illegal is None:
            return False
        if s.illegal.code == "point_blocked" and (found.blocked is not None or found.position is None):
            return True
        return shows(evidence, s.board, slack=self.options.slack)

    def _throw_of_the_next(self, found: Reconciled, turn: Turn) -> Pair | None:
        """The opponent's roll while this turn is still open; nudged or re-read dice of this turn are no roll."""
        s, pair = self.state, self._dice.pair
        fresh = self._fresh()
        if fresh is None:
            # The same dice read differently after more looks. Say so, and only while nothing has been played.
            if (
                pair is not None
                and pair.serial == self._used
                and s.phase is Phase.PLAY
                and s.second_dice is None
                and found.kind == "before"
                and pair.values is not None
                and sorted(pair.values) != sorted(turn.dice)
                and pair.looks >= 2 * self.options.agree_looks
                and pair.confidence > max(0.6, s.dice_confidence - 0.2)
                and s.side is not None
            ):
                self._say(
                    ev.DiceCorrected, side=s.side, dice=(max(pair.values), min(pair.values)), by="vision"
                )
            return None
        if fresh.values is None or fresh.looks < self.options.agree_looks:
            self._waiting = True
            return None
        if self._must_be_put_right():
            return None
        same = sorted(fresh.values) == sorted(turn.dice)
        if same and fresh.gap == 0 and self._in_the_same_half(fresh, turn.side):
            # The dice were shoved aside to make room for a checker. They were never lifted.
            self._used = fresh.serial
            self._shoved = max(fresh.values), min(fresh.values)
            return None
        if (
            same
            and s.phase is not Phase.PLAYED
            and (found.kind in ("before", "partial") and not turn.may_pass)
            and not (found.kind == "partial" and fresh.gap >= 2)
            and not self._is_the_opponents(fresh, turn.side)
        ):
            self._used = fresh.serial
            return None
        # (A side without a legal move is done with the next roll, whoever's it is.)
        passed = turn.may_pass and found.kind == "before"
        open_turn = (
            s.phase is Phase.PLAY
            and s.side is not None
            and found.kind in ("before", "partial")
            and not passed
        )
        if open_turn and not self._dice.crowded and self._lies_again_with(fresh, turn.side):
            # The same player rolled again: he saw that a die leaned which vision took for flat.
            assert s.side is not None
            self._throw_again(s.side, fresh, "the play was finished")
            return None
        if self._dice.crowded and s.phase is Phase.PLAY and not turn.may_pass:
            if s.noticed is None or s.noticed[0] != "notice_too_early":
                self._say(
                    ev.Noticed,
                    code="notice_too_early",
                    reason="Thrown before the play was finished and the dice were lifted.",
                    side=opponent(turn.side),
                )
            return None
        return fresh

    def _is_the_opponents(self, fresh: Pair, side: Side) -> bool:
        """Equal numbers, but `side`'s dice had lain in his half and been lifted, and these lie in the other."""
        lifted = fresh.gap >= self.options.lift_looks
        return lifted and self._halves.last == side and set(fresh.halves) == {opponent(side)}

    def _nothing_moved(
        self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None, held: float
    ) -> None:
        s = self.state
        if self._nobody_put_back(found):
            return
        self._before_seq, self._before_frame = self._seq, self._frame
        # Nothing has been played, whatever was hidden.
        self._unseen = 0.0
        self._grounds.dispel("otherwise_left", "hidden")
        not_begun = (
            self._claimed_by_lifting and s.phase is Phase.PLAY and s.illegal is None and not turn.may_pass
        )
        self._unplayed |= self._lay and self._dice.absent > 0
        if fresh is not None or not (self._doubted(found) or (not_begun and found.veiled)):
            self._clear()
        if (
            s.phase is Phase.ILLEGAL
            and s.board == turn.before
            and s.illegal is not None
            and s.illegal.code in TOO_SHORT
        ):
            # Red said that nothing was played, and nothing has changed since.
            if fresh is not None:
                self._opponent_rolled(turn, turn.before, fresh)
            return
        if s.phase in (Phase.PLAYED, Phase.ILLEGAL):
            self._another_due |= s.phase is Phase.ILLEGAL and turn.can_move
            self._say(ev.PlayTakenBack, side=turn.side, position=turn.before)
        if s.side is None and self._again is not None and (fresh is not None or self._claimed_by_lifting):
            # Nothing was played of a roll that may be either side's: the side without a legal move is done.
            both = [
                turn_of(turn.before, turn.dice, side, self.rules)
                for side in (opponent(self._again), self._again)
            ]
            passing = next((t for t in both if t.may_pass), None)
            if passing is not None:
                self._threw_again(passing.side)
                self._end_turn(passing, passing.play_to(turn.before), turn.before, fresh)
                return
        if turn.may_pass and s.side is not None:
            # (Who puts a play right has lifted his dice long ago: he has not passed, he is going to play.)
            if fresh is not None or (self._ended_by_lifting and not self._another_due):
                self._end_turn(turn, turn.play_to(turn.before), turn.before, fresh)
            return
        if fresh is not None:
            # The dice were rolled again and nothing was played. The play will tell whose roll it is.
            self._used = fresh.serial
            self._notice_thrown_again(s.side, "anything was played")
            self._roll(None, fresh.values or turn.dice, fresh.confidence, "thrown again")
            return
        if not_begun and s.side is not None:
            self._waiting = True
            if held < 2 * self.options.lift_patience:
                return
            if found.veiled:
                self._not_understood(evidence, found, turn, fresh)
                return
            if found.rival is not None and found.rival[1] < self.options.red_margin:
                # The picture can hardly tell whether anything was moved, so believe the player.
                self._play(turn, as_played(found))
                self._turn_may_end(fresh)
                return
            # Who lifts the dice before he has touched a checker may be about to roll again (he saw a die leaning that I took
            # for flat). In a folder of finished moments nobody is about to do anything.
            self._grounds.doubt("not_begun", not self.options.key_frames)
            self._accuse(turn, found, turn.before)

    def _nobody_put_back(self, found: Reconciled) -> bool:
        """The looks waver between what was announced and something nearly as likely: without a hand nothing is put back."""
        wavers = found.margin < self.options.red_margin and not self._hands_since
        return wavers and self._is_claimed and not self.options.key_frames

    def _on_the_way(
        self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None, held: float
    ) -> None:
        """A play in progress is nobody's fault, until the dice are lifted or the opponent rolls."""
        s = self.state
        if fresh is None and self._nobody_put_back(found):
            return
        whole = found.position is not None
        asked = bool(found.veiled) and s.trouble is not None and s.trouble.doubts == "thing"
        in_hand = found.in_hand and s.trouble is not None and s.trouble.code.startswith("checker")
        if s.trouble is not None and not in_hand and not asked and not self._doubted(found):
            self._clear()
        if whole and s.phase in (Phase.PLAYED, Phase.ILLEGAL) and found.position != s.board:
            self._say(ev.PlayTakenBack, side=turn.side, position=turn.before)
            s = self.state
        # (A player who stopped early may have lifted the dice too early and still play on.)
        lift_patience = self.options.lift_patience
        claimed = fresh is not None or (self._claimed_by_lifting and held >= lift_patience)
        if claimed and whole and found.veiled:
            self._not_understood(evidence, found, turn, fresh)
            return
        if claimed and whole and found.rival is not None and found.rival[1] < self.options.red_margin:
            # The picture can hardly tell whether the last checker was moved, so believe the player.
            self._play(turn, as_played(found))
            self._turn_may_end(fresh)
            return
        if (
            turn.may_pass
            and s.side is not None
            and s.phase is Phase.PLAY
            and found.unmoved < self.options.red_margin
        ):
            # The picture can hardly tell whether anything was moved, and nothing had to be: the player is believed.
            if claimed or (self._ended_by_lifting and held >= lift_patience):
                self._end_turn(turn, turn.play_to(turn.before), turn.before, fresh)
            return
        if fresh is not None:
            if whole:
                assert found.position is not None
                self._accuse(turn, found, found.position)
                self._opponent_rolled(turn, found.position, fresh)
            elif (
                s.phase is Phase.ILLEGAL
                and s.board is not None
                and s.board != turn.before
                and self._as_claimed(evidence, found)
            ):
                self._opponent_rolled(turn, s.board, fresh)
            elif (wrong := self._in_no_hand(turn, found)) is not None:
                if self._lay_so_before(found):
                    self._accuse(turn, found, wrong)
                self._opponent_rolled(turn, wrong, fresh)
            else:
                self._not_understood(evidence, found, turn, fresh)
            return
        lifted = self._claimed_by_lifting
        if s.side is None and self._may_be_play_of(turn.dice, opponent(turn.side), evidence):
            return
        # The dice were lifted before the player began to correct his play, so lifted dice say nothing about
        # this position.
        says_so = lifted and s.illegal is None
        if whole and found.margin >= self.options.slack and s.phase is not Phase.ILLEGAL:
            patience = self.options.short_patience
            self._waiting = lifted or patience > 0
            if (says_so and held >= lift_patience) or (patience and held >= patience):
                assert found.position is not None
                self._accuse(turn, found, found.position)
        elif found.in_hand and lifted:
            self._waiting = True
            if s.phase is Phase.ILLEGAL:
                return
            if found.left_on is not None:
                # The hit checker is seen beside the one that hit it and the dice are lifted, so no hand holds
                # it.
                if says_so and held >= self._patience_after_lifting(found, lift_patience):
                    self._accuse(turn, found, turn.before)
            elif held >= self._patience_after_lifting(found, self.options.doubt_patience):
                wrong = self._in_no_hand(turn, found) if says_so else None
                if wrong is not None:
                    # The dice are lifted and no hand has been near for a while.
                    self._accuse(turn, found, wrong)
                else:
                    self._something_missing(found, turn)

    def _may_be_play_of(self, dice: Dice, side: Side, evidence: Evidence) -> bool:
        """Whether what lies there can be `side`'s play of these dice, or part of it."""
        position = self.state.position
        assert position is not None
        turn = turn_of(position, (max(dice), min(dice)), side, self.rules)
        return self._reconcile(evidence, turn).kind in ("before", "partial", "legal")

    def _in_no_hand(self, turn: Turn, found: Reconciled) -> Position | None:
        """The wrong play that lies there if the checker that seems to be in a hand is in none: it was taken off against
        the rules, or lies on a full point, where one more can hardly be seen. None = no such play, or the picture does not say
        clearly enough that anything has been moved."""
        wrong = None
        if found.unlawful is not None and _is_of_one_turn(turn, found.unlawful):
            code = self._code(turn, found.unlawful)
            wrong = found.unlawful if code is not None and code not in PHYSICAL else None
        if wrong is None and found.borne_off is not None and self._code(turn, found.borne_off) in BEARING_OFF:
            wrong = found.borne_off
        if wrong is None or self._evidence is None:
            return None
        clear = self._evidence.score(wrong) - self._evidence.score(turn.before)
        return wrong if clear >= self._margin_of_a_claim else None

    @property
    def _margin_of_a_claim(self) -> float:
        """Nats that an accusation needs over every lawful explanation. Lifting the dice is a claim in itself, and so is the
        opponent's throw: less is needed to doubt it."""
        claim = 0.75 if self._lifted or self._fresh() is not None else 1.0
        return max(self.options.slack, claim * self.options.red_margin)

    def _code(self, turn: Turn, position: Position) -> str | None:
        """What `explain` calls it to have played `position`."""
        return explain(turn.before, position, turn.dice, turn.side, self.rules).code

    def _play(self, turn: Turn, found: Reconciled) -> None:
        """A complete legal play lies on the board."""
        self._threw_again(turn.side)
        s = self.state
        self._clear()
        self._grounds.played()
        assert found.play is not None
        if s.phase is Phase.PLAYED and s.board == found.position and s.side == turn.side:
            return
        kind = ev.PlayCorrected if s.illegal is not None else ev.PlayMade
        # A player who corrects his play lifted the dice long ago. He may be only half done.
        self._put_right |= s.illegal is not None and self._lifted
        fields: dict[str, Any] = {} if kind is ev.PlayCorrected else {"margin": round(found.margin, 2)}
        self._say(
            kind,
            side=turn.side,
            dice=turn.dice,
            play=str(found.play),
            moves=tuple(found.play.moves),
            position=found.play.result,
            **fields,
        )
        self._as_left_at, self._changed_before, self._hands_since = self._now, False, False
        if self._raw is not None and self._evidence is not None:
            self._witnesses.learn(self._raw, found.play.result)
            self._alternatives.accept(self._evidence, turn, found.play.result, self.options.red_margin)
        if winner(found.play.result) is not None:
            self._end_turn(turn, found.play, found.play.result, None)

    def _turn_may_end(self, fresh: Pair | None) -> None:
        """Lifting the dice, or the opponent's roll, makes the play final."""
        s = self.state
        if s.phase is not Phase.PLAYED or s.position is None or s.dice is None or s.side is None:
            return
        turn = turn_of(s.position, s.dice, s.side, self.rules)
        assert s.board is not None
        thrown = self._fresh()
        unread = thrown is not None and thrown.values is None and thrown.looks >= self.options.agree_looks
        if fresh is not None:
            if self._dice.crowded and self.options.dice_half == "enforce":
                self._reject(fresh, "too_early")
                return
            early = self._dice.crowded
            self._end_turn(turn, turn.play_to(s.board), s.board, fresh)
            if early and self.options.dice_half != "ignore":
                self._say(
                    ev.Noticed,
                    code="notice_too_early",
                    reason="Thrown before the other dice were lifted.",
                    side=opponent(turn.side),
                )
        elif unread and not self._dice.crowded and not self._lies:
            # The opponent has rolled, but his dice cannot be read yet.
            known = self._used
            self._end_turn(turn, turn.play_to(s.board), s.board, None)
            self._used = known
        elif self._ended_by_lifting:
            self._waiting = (
                self._put_right and self._agreed.held("turn", self._now) < self.options.lift_patience
            )
            if not self._waiting:
                self._end_turn(turn, turn.play_to(s.board), s.board, None)

    def _end_turn(
        self, turn: Turn, play: Play | None, position: Position, fresh: Pair | None, legal: bool = True
    ) -> None:
        self._put_right = False
        if fresh is None:
            self._as_left_at, self._changed_before = self._now, False
        if legal and play is not None and play.moves and not self._grounds.doubts("guessed_dice"):
            self._halves.played(turn.side)
        s = self.state
        first = s.opening
        self._say(
            ev.TurnEnded,
            side=turn.side,
            position=position,
            dice=turn.dice,
            play="" if play is None or not play.moves else str(play),
            moves=() if play is None else tuple(play.moves),
            legal=legal,
        )
        if fresh is None and self._dice.pair is not None:
            self._used = self._dice.pair.serial
        self._agreed.forget()
        self._dice.glimpse = None
        if winner(position) is not None:
            self._win(
                score_game(
                    position, self.rules, cube=self.state.match.cube.value, jacoby=self.state.match.jacoby
                ),
                position,
            )
            return
        other = opponent(turn.side)
        if first and self._repeats(turn.dice):
            self._roll(other, turn.dice, 1.0, REPEATED)
            if fresh is not None:
                self._used = fresh.serial
                # This side has no dice to roll. They may be the first player's next ones, after a play that
                # was not understood.
                self._grounds.doubt("otherwise_left")
            return
        clear, self._clear_there = self._clear_there == position, None
        if fresh is not None and not (self.rules.dice_flat and fresh.cocked):
            self._thrown(fresh)
        if clear:
            self._grounds.dispel("guessed_start")

    # ------------------------------------------------------------------------------------ illegal plays

    def _illegal(
        self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None, held: float
    ) -> None:
        """What lies there is no play of this roll. Who is in the middle of something is not accused of it."""
        s = self.state
        if self._another_explanation(evidence, found, turn, fresh):
            return
        code, _, _ = self._reason(turn, found, found.position)
        if found.position is not None and not _is_of_one_turn(turn, found.position):
            code = "moved_opponent"
        if code in PHYSICAL:
            self._waiting = True
            theirs_too = (
                code == "moved_opponent"
                and found.position is not None
                and _moved_one_of_theirs(turn, found.position)
                and s.phase is not Phase.ILLEGAL
            )
            if fresh is not None and found.position is not None and self._lay_so_before(found):
                # The board lay so before these dice, so nobody has played them yet. With his roll the
                # opponent ends the turn.
                if theirs_too:
                    self._accuse(turn, found, found.position)
                self._opponent_rolled(turn, found.position, fresh)
                self._alternatives.may_be_set_right(found.nearest)
            elif fresh is not None:
                # The other player has seen the board and rolled, so it stands. Do not accuse anybody of a
                # nudge.
                seen = self._seen_before(fresh, evidence, turn) or self._played_before(evidence, turn, fresh)
                self._goes_on_from(turn, seen or found.position or turn.before, fresh)
            elif theirs_too and self._claimed_by_lifting and found.position is not None:
                # Lifting the dice claims the play. Until then a nudged checker is nobody's fault.
                if held >= self._patience_after_lifting(found, self.options.lift_patience):
                    self._accuse(turn, found, found.position)
            elif not self._as_claimed(evidence, found):
                self._not_understood(evidence, found, turn, fresh)
            return
        if (
            s.phase is Phase.ILLEGAL
            and s.board == (found.position or turn.before)
            and s.illegal is not None
            and s.illegal.code == code
        ):
            self._clear()
            if fresh is not None:
                self._opponent_rolled(turn, found.position or turn.before, fresh)
            return
        claimed = (
            (self._claimed_by_lifting and s.illegal is None)
            or fresh is not None
            or self._is_a_claim(found, turn)
        )
        if not claimed:
            self._waiting = True
            if held < (self.options.claim_patience / 3 if code in NO_SLIP else self.options.claim_patience):
                return
            slip = found.position is not None and self._may_be_knocked(found.position, turn, False)
            if slip and not self.options.key_frames:
                # This may be a checker that was pushed aside. While the dice lie there, nobody has claimed a
                # play.
                self._not_understood(evidence, found, turn, fresh)
                return
        seen = found.position or turn.before
        if s.phase is Phase.PLAYED and not self._in_doubt(turn, found, seen):
            # The light was green, so the claim has changed.
            self._clear()
            self._say(ev.PlayTakenBack, side=turn.side, position=turn.before)
        self._accuse(turn, found, seen)
        if fresh is not None:
            self._opponent_rolled(turn, seen, fresh)

    def _seen_before(self, fresh: Pair, evidence: Evidence, turn: Turn) -> Position | None:
        """The position that there was amber about, if the opponent plays on from it already; None = he does not."""
        trouble, values = self.state.trouble, fresh.values
        if trouble is None or trouble.seen is None or values is None:
            return None
        theirs = turn_of(trouble.seen, (max(values), min(values)), opponent(turn.side), self.rules)
        return trouble.seen if self._reconcile(evidence, theirs).kind in ("partial", "legal") else None

    def _is_a_claim(self, found: Reconciled, turn: Turn) -> bool:
        """Whether the position can only be a finished play: as many checkers moved as there are dice (or as many
        pips), and no single checker one point aside explains it (that is how knocked checkers look)."""
        if found.position is None:
            return True
        was, now = turn.before.seen_from(turn.side), found.position.seen_from(turn.side)
        moved = sum(max(0, max(0, a) - max(0, b)) for a, b in zip(was[0], now[0], strict=True)) + max(
            0, was[1][0] - now[1][0]
        )
        double = turn.dice[0] == turn.dice[1]
        pips = turn.before.pips(turn.side) - found.position.pips(turn.side)
        if moved < (4 if double else 2) and pips < sum(turn.dice) * (2 if double else 1):
            return False
        return not self._may_be_knocked(found.position, turn, moved > (4 if double else 2))

    def _may_be_knocked(self, position: Position, turn: Turn, one_too_many: bool) -> bool:
        """One checker of either side back by one point gives the position before, one on the way, or (when one more
        was moved than there are dice) a legal play."""
        counts = vector(position)
        on_the_way = {tuple(row) for row in turn.partial_counts.tolist()} | {
            tuple(vector(turn.before).tolist())
        }
        if self.state.phase is Phase.PLAYED and self.state.board is not None:
            # The play is done and known. A checker that moves by one point afterwards was pushed.
            on_the_way.add(tuple(vector(self.state.board).tolist()))
        if one_too_many:
            on_the_way |= {tuple(row) for row in turn.legal_counts.tolist()}
        for point in range(24):
            if counts[point] == 0:
                continue
            sign = 1 if counts[point] > 0 else -1
            for near in (point - 1, point + 1):
                if not 0 <= near < 24 or counts[near] * sign < 0:
                    continue
                moved = counts.copy()
                moved[point] -= sign
                moved[near] += sign
                if tuple(moved.tolist()) in on_the_way:
                    return True
        return False

    def _another_explanation(
        self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None
    ) -> bool:
        """Before anyone is accused: did the other side move, or are the dice misread?"""
        s = self.state
        assert s.position is not None
        other = turn_of(s.position, turn.dice, opponent(turn.side), self.rules)
        theirs = self._reconcile(evidence, other)
        if theirs.kind == "legal":
            if s.opening or fresh is not None or self._grounds.doubts("other_half"):
                # If nobody has finished a turn yet, or the game has gone on, the players know better whose
                # roll it was; and so they do where it lay in the half of who played it.
                self._play(other, theirs)
                self._turn_may_end(fresh)
                return True
            self._waiting = True
            if (
                self._agreed.held("turn", self._now) >= self.options.claim_patience
                or self._claimed_by_lifting
            ):
                self._unclear(
                    "side",
                    f"It is {turn.side}'s throw, but {other.side} has moved.",
                    turn.before,
                    theirs.position,
                )
            return True
        if theirs.kind == "partial" and self._grounds.doubts("other_half") and not self._lifted and not fresh:
            # Most likely the other is playing his own dice.
            self._waiting = True
            return True
        fits = self._otherwise_read(turn, found.position)
        if not fits:
            return False
        if len(fits) == 1 and (fresh is not None or self._lifted):
            # The dice are gone and cannot be read again, and only one reading of them makes this a legal
            # play.
            return self._take_other_dice(evidence, turn, fits[0], fresh)
        if fresh is not None:
            return False
        if self._doubting():
            words = " or ".join(f"{a}-{b}" for a, b in fits)
            self._unclear(
                "dice",
                f"read as {turn.dice[0]}-{turn.dice[1]}, but the play fits {words}.",
                turn.before,
                found.position,
            )
        return True

    def _otherwise_read(self, turn: Turn, seen: Position | None) -> list[Dice]:
        """The rolls of which `seen` is a legal play, if the dice were not surely read; a sure die keeps its number."""
        pair = self._dice.pair
        known = pair is not None and pair.serial == self._used and pair.values is not None
        doubted = self.state.dice_confidence < self.options.dice_doubt or (
            known and sorted(pair.values) != sorted(turn.dice)  # type: ignore[union-attr, arg-type]
        )
        if not doubted or seen is None:
            return []
        sure = self._sure if self._sure and self._sure in turn.dice else None
        return [
            (a, b)
            for a in range(1, 7)
            for b in range(1, a + 1)
            if ((a in turn.dice or b in turn.dice) if sure is None else sure in (a, b))
            and (a, b) != tuple(turn.dice)
            and turn_of(turn.before, (a, b), turn.side, self.rules).play_to(seen) is not None
        ]

    def _take_other_dice(self, evidence: Evidence, turn: Turn, dice: Dice, fresh: Pair | None) -> bool:
        """The doubtful die is given the number that was played, and it is said; False if the board then fits no better."""
        other = turn_of(turn.before, dice, turn.side, self.rules)
        found = self._reconcile(evidence, other)
        if found.kind != "legal" or found.play is None:
            return False
        self._say(ev.DiceCorrected, side=turn.side, dice=dice, by="play")
        self._grounds.doubt("guessed_dice")
        words = f"The dice could not be read well; {dice[0]}-{dice[1]} is taken from the play."
        self._say(ev.Noticed, code="notice_dice_from_play", reason=words, side=turn.side)
        self._play(other, found)
        self._turn_may_end(fresh)
        return True

    def _reason(
        self, turn: Turn, found: Reconciled, seen: Position | None
    ) -> tuple[str, str, tuple[str, ...]]:
        """(code, sentence, nearest legal plays) of `explain` for what lies there."""
        after: Any = seen
        if found.blocked is not None:
            after = _with_held_point((found.seen or found.nearest or turn.before), found.blocked, turn.side)
        elif found.left_on is not None and found.nearest is not None:
            after = found.nearest.to_document()
            after["bar"][opponent(turn.side)] -= 1
        elif seen is None:
            after = turn.before
        verdict = explain(turn.before, after, turn.dice, turn.side, self.rules)
        return verdict.code or "wrong_number", verdict.reason or "", tuple(str(p) for p in verdict.nearest)

    def _accuse(self, turn: Turn, found: Reconciled, seen: Position) -> None:
        code, reason, nearest = self._reason(turn, found, seen)
        if self.state.phase is Phase.ILLEGAL and self.state.board == seen:
            return
        if self._in_doubt(turn, found, seen):
            return
        self._clear()
        self._say(
            ev.PlayIllegal,
            side=turn.side,
            dice=turn.dice,
            code=code,
            reason=reason,
            position=turn.before,
            seen=seen,
            nearest=nearest,
            margin=round(found.margin, 2),
            before_seq=self._before_seq,
            before_frame=self._before_frame,
        )
        self._as_left_at, self._changed_before, self._hands_since = self._now, False, False

    def _in_doubt(self, turn: Turn, found: Reconciled, seen: Position) -> bool:
        """Whether anything that an accusation would rest on was only guessed. It is said, and the light is amber."""
        grounds = self._grounds
        grounds.doubt("hidden", self._unseen >= OUT_OF_SIGHT)
        theirs = self._begins == turn.side and (
            _is_of_one_turn(turn, seen) or _moved_one_of_theirs(turn, seen)
        )
        grounds.doubt("open_side", self.state.side is None and not theirs)
        grounds.doubt(
            "others_moved",
            _touched_nothing(turn.before, seen, turn.side) and not self._in_his_own_turn(turn, found),
        )
        grounds.doubt("open_dice", bool(self._otherwise_read(turn, seen)))
        grounds.doubt(
            "lifted_unplayed", self._unplayed and seen != turn.before and not self.options.key_frames
        )
        befores = (
            turn_of(before, turn.dice, turn.side, self.rules) for before in self._alternatives.of(turn.before)
        )
        grounds.doubt("open_start", any(other.may_lead_to(seen) for other in befores))
        premise = grounds.premise
        if premise is None:
            return False
        code = f"doubt_{premise}"
        args = {"side": turn.side, "dice": turn.dice}
        self._unclear("position", sentence(code, args, self.state.names), found.nearest, seen, code)
        return True

    def _in_his_own_turn(self, turn: Turn, found: Reconciled) -> bool:
        """What lies there was done while `turn`'s dice lay beside it, and where they lay says whose they are."""
        before = self._lay_with_dice
        lay = before is not None and before.key == found.key
        return lay and self._custom and self._halves.last == turn.side

    def _doubted(self, found: Reconciled) -> bool:
        """What lies there has been asked about already."""
        trouble = self.state.trouble
        if trouble is None or not trouble.code.startswith("doubt_"):
            return False
        in_hand = (found.unlawful, found.borne_off) if found.in_hand else ()
        return trouble.seen == found.position or (trouble.seen is not None and trouble.seen in in_hand)

    def _too_late_to_correct(self) -> bool:
        """At a table where the end of the turn makes an illegal play final, lifting the dice does. True when it was so."""
        s = self.state
        final = self.rules.correctable_until == "turn_ended" and self._claimed_by_lifting
        if not final or s.phase is not Phase.ILLEGAL or s.board is None:
            return False
        self._let_it_stand(self._turn(), s.board, None, "rules")
        return True

    def _must_be_put_right(self) -> bool:
        """At a table where an illegal play has to be corrected, the opponent's roll alone does not let it stand (his play does, for
        then they have agreed). It is said."""
        s = self.state
        told = s.illegal is not None and s.phase in (Phase.PLAY, Phase.ILLEGAL)
        if self.rules.illegal_play != "must_correct" or not told or self.options.key_frames:
            return False
        reason = sentence("notice_put_right", {"side": s.side}, s.names)
        self._notice_once("notice_put_right", reason, s.side)
        return True

    def _opponent_rolled(self, turn: Turn, position: Position, fresh: Pair) -> None:
        """The opponent has rolled beside an illegal play: by the law of most tables it stands."""
        if not self._must_be_put_right():
            self._let_it_stand(turn, position, fresh)

    def _let_it_stand(self, turn: Turn, position: Position, fresh: Pair | None, by: str = "rolled") -> None:
        """An illegal play stands; the game goes on from the board."""
        self._say(ev.PlayStands, side=turn.side, dice=turn.dice, position=position, by=by)
        self._end_turn(turn, None, position, fresh, legal=False)

    # ------------------------------------------------------------------------------------ not understood

    def _not_understood(self, evidence: Evidence, found: Reconciled, turn: Turn, fresh: Pair | None) -> None:
        """Neither a legal play nor surely an illegal one: look on, then say what is expected."""
        s = self.state
        if found.kind == "unclear":
            self._agreed.forget("turn")
        if s.side is not None and found.kind == "unclear":
            theirs = self._reconcile(
                evidence, turn_of(turn.before, turn.dice, opponent(turn.side), self.rules)
            )
            if theirs.kind == "legal" and s.opening:
                self._play(turn_of(turn.before, turn.dice, opponent(turn.side), self.rules), theirs)
                return
        # Amber has been said, but the players roll or play on: they do not wait for the referee.
        gone_on = fresh is not None and (s.trouble is not None or fresh.looks >= PLAYED_ON)
        if not self._doubting() and not gone_on:
            return
        if fresh is not None:
            seen, fit = self._read_board(evidence, turn.before, found.nearest)
            lawful = self._played_before(evidence, turn, fresh, fit if seen is not None else None)
            position = lawful or seen or found.nearest or turn.before
            self._goes_on_from(turn, position, fresh)
            return
        if found.missing != (0, 0) or found.in_hand:
            self._something_missing(found, turn)
            return
        if found.kind == "illegal" and found.position is not None:
            code, reason, _ = self._reason(turn, found, found.position)
            self._unclear("position", reason, found.nearest, found.position, code)
            return
        expected = found.nearest or turn.before
        if found.veiled:
            points = point_words(found.veiled)
            self._unclear("thing", f"Something hides points {points}.", expected, found.seen, points=points)
            return
        words = change_words(_changes_few(found.seen, expected))
        self._unclear("position", f"I can't tell what was played. {words}".strip(), expected, found.seen)

    def _goes_on_from(self, turn: Turn, position: Position, fresh: Pair) -> None:
        """The opponent has rolled although nobody could tell well what was played: `position` is what it most likely was."""
        self._grounds.doubt("guessed_start")
        play = turn.play_to(position)
        if play is None or not play.moves or self.state.side is None:
            self._let_it_stand(turn, position, fresh)
            return
        self._say(
            ev.PlayMade, side=turn.side, dice=turn.dice, play=str(play), moves=tuple(play.moves), position=position
        )  # fmt: skip
        self._end_turn(turn, play, position, fresh)

    def _played_before(
        self, evidence: Evidence, turn: Turn, fresh: Pair, rival: float | None = None
    ) -> Position | None:
        """The lawful play of `turn` after which the opponent, who has rolled `fresh`, may be playing already: together they
        explain the board. None when no such play does, or when it fits much worse than something else (rival: its fit)."""
        if fresh.values is None or not turn.can_move:
            return None
        roll = (max(fresh.values), min(fresh.values))
        least = ACCUSING_FIT if rival is None else max(ACCUSING_FIT, rival - self.options.red_margin)
        best: tuple[float, Position | None] = (least, None)
        for i in np.argsort(-evidence.scores(turn.legal_counts))[:LIKELY_PLAYS]:
            result = turn.legal[int(i)].result
            then = self._reconcile(evidence, turn_of(result, roll, opponent(turn.side), self.rules))
            if then.kind in ("before", "partial", "legal") and not then.in_hand and then.fit > best[0]:
                best = then.fit, result
        return best[1]

    def _read_board(
        self, evidence: Evidence, before: Position, near: Position | None = None
    ) -> tuple[Position | None, float]:
        """What lies there, and its fit, where `before` was left: what was borne off then comes back only where it was in doubt."""
        boards = [before, *self._alternatives.of(before)]
        guessed = self._grounds.doubts("guessed_start")
        light, dark = (0 if guessed else min(board.off[i] for board in boards) for i in (0, 1))
        return read_position(evidence, near or before, (light, dark))

    def _something_missing(self, found: Reconciled, turn: Turn) -> None:
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
        self._say(
            kind,
            side=side,
            count=abs(count),
            expected=expected,
            reason=f"{abs(count)} {side} checker{'s' if abs(count) > 1 else ''} {word}.",
        )

    def _board_differs(self, expected: Position, seen: Position | None, evidence: Evidence) -> None:
        """Between turns the board is not as it was left."""
        todo = changes(seen, expected)
        words = change_words(todo) if 0 < len(todo) <= FEW_CHANGES else "the position shown"
        self._unclear("position", f"Expected: {words}.", expected, seen)

    def _unclear(
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
        self._say(
            ev.Unclear, doubts=doubts, reason=reason, expected=expected, seen=seen, code=code, points=points
        )

    # ------------------------------------------------------------------------------------ the cube

    def _over_by_doubling(self) -> None:
        """Who doubles takes the opponent's turn for finished, as if he had rolled, and lets stand what lies there."""
        s = self.state
        if s.side is None or not s.match.may_double(opponent(s.side), on_roll=opponent(s.side)):
            return
        if s.phase in (Phase.PLAYED, Phase.ILLEGAL) and s.board is not None:
            self._gone_on(self._turn(), s.board, None)
        elif s.phase is Phase.PLAY and self._lay_there is not None and not self._dice.in_sight:
            turn, found = self._turn(), self._lay_there
            if found.position is None or (found.kind == "before" and not turn.may_pass):
                return
            if found.kind in ("legal", "before"):
                self._end_turn(turn, found.play or turn.play_to(found.position), found.position, None)
            elif found.kind in ("partial", "illegal") and _is_of_one_turn(turn, found.position):
                self._accuse(turn, found, found.position)
                self._let_it_stand(turn, found.position, None)
            elif found.kind == "illegal":
                self._let_it_stand(turn, found.position, None)
                self._alternatives.may_be_set_right(found.nearest)

    def _rolled_after_an_offer(self, pair: Pair) -> bool:
        """Dice lie there although nobody has seen the answer to a double: it was taken, and who rolls has offered it. True while
        that is being made sure of."""
        offerer = self.state.match.cube.offered_by
        half = pair.halves[0]
        if (
            offerer is None
            or pair.values is None
            or pair.cocked
            or set(pair.halves) != {half}
            or half not in SIDES
        ):
            return False
        if pair.confidence < self.options.dice_doubt:
            return False
        self._waiting = True
        if pair.looks >= 2 * self.options.agree_looks:
            who: Side = half if self._custom and self._may_have_offered(half) else offerer  # type: ignore[assignment, arg-type]
            self._double_was_taken(who)
        return True

    def _may_have_offered(self, side: Side) -> bool:
        """The double that lies there may be `side`'s, if it is `side`'s turn."""
        match = self.state.match
        return replace(match, cube=match.cube.withdrawn()).may_double(side, on_roll=side)

    def _double_was_taken(self, offerer: Side) -> None:
        """The double that lies there was `offerer`'s, and was taken. Where it was put down to the other side, a turn has gone by
        unseen (most likely a pass)."""
        cube = self.state.match.cube
        value = cube.next_value
        if cube.offered_by != offerer:
            self._say(ev.CubeOffered, side=offerer, value=value)
            self._grounds.doubt("guessed_turn")
        self._say(ev.CubeTaken, side=opponent(offerer), value=value)

    @property
    def _may_be_offered(self) -> bool:
        """The side to roll may double, and the cube has not been seen in its place since somebody was at the board."""
        s = self.state
        to_roll = s.phase is Phase.ROLL and s.side is not None and s.match.may_double(s.side, on_roll=s.side)
        return to_roll and not self._cube_rests

    def _watch_cube(self, cube: CubeSeen | None) -> None:
        """The cube on the board: offered, taken, or not where it should be."""
        s = self.state
        match = s.match
        if cube is None or cube.place == "none":
            return
        if match.rules.cube == "no" or (match.rules.cube == "several_games" and not match.several_games):
            return
        key = (cube.place, cube.value)
        if key != self._cube_key:
            self._cube_key, self._cube_count = key, 0
        self._cube_count += 1
        self._cube_places[cube.place] = self._cube_places.get(cube.place, 0) + 1
        # Believe a faint cube only if it was seen elsewhere before and has been steady since.
        moved = self._cube_places[cube.place] == self._cube_count and len(self._cube_places) > 1
        faint = self.options.key_frames and moved and cube.place in SIDES and cube.confidence >= 0.12
        if cube.confidence < 0.5 and not faint:
            return
        owner = match.cube.owner
        here = owner if owner is not None else "center"
        self._cube_rests = cube.place == here
        twice = match.cube.next_value
        if cube.place == here and (cube.value in (None, match.cube.value, 64) or cube.confidence < 0.8):
            if self._cube_count >= CUBE_LOOKS and s.question == "cube_differs":
                self._say(ev.Answered, code="cube_differs", yes=False)
            return
        if self._cube_count < CUBE_LOOKS:
            self._waiting = True
            return
        before_play = s.phase is Phase.ROLL or (
            s.phase is Phase.PLAY and s.board is None and s.side is not None
        )
        if cube.place == "offered":
            self._over_by_doubling()
            s = self.state
            if s.phase is Phase.ROLL and s.side is not None and match.may_double(s.side, on_roll=s.side):
                self._say(ev.CubeOffered, side=s.side, value=twice)
            return
        # The cube's place is surer than its numeral, and a taken cube can only show twice the stake.
        believed = cube.value in (None, twice) or self._cube_count >= 2 * CUBE_LOOKS
        if not believed and cube.place in SIDES and cube.place != owner:
            self._waiting = True
        if cube.place in SIDES and cube.place != owner and believed:
            taker: Side = cube.place
            offerer = opponent(taker)
            if s.phase is Phase.DOUBLED and (
                match.cube.offered_by == offerer or self._may_have_offered(offerer)
            ):
                self._double_was_taken(offerer)
                return
            if before_play and s.side == offerer and match.may_double(offerer, on_roll=offerer):
                self._say(ev.CubeOffered, side=offerer, value=twice)
                self._say(ev.CubeTaken, side=taker, value=twice)
                return
        if (
            self._cube_count >= 4 * CUBE_LOOKS
            and self._cube_asked != key
            and s.phase is Phase.ROLL
            and not s.question
        ):
            self._cube_asked = key
            self._say(
                ev.Asked,
                code="cube_differs",
                reason=f"The cube should be at {match.cube.value} ({here}), but lies at {cube.value or '?'} ({cube.place}).",
            )

    # ------------------------------------------------------------------------------------ the end of a game

    def _win(self, result: Score, position: Position | None, kind: str = "") -> None:
        match = self.state.match
        light, dark = match.score
        score = (light + result.points, dark) if result.winner == "light" else (light, dark + result.points)
        self._say(
            ev.GameWon,
            side=result.winner,
            points=result.points,
            kind=kind or result.kind,
            cube=result.cube,
            score=score,
            position=position,
        )
        self._touched()
        won = self.state.match.winner
        if won is not None:
            self._say(ev.MatchWon, side=won, score=score)

    # ------------------------------------------------------------------------------------ what a person asks for

    def command(self, command: Command, now: float) -> list[Event]:
        """The events that a button or page leads to; a command that makes no sense now gives one `Refused`."""
        self._begin(now, -1, "")
        if isinstance(command, ev.NewMatch):
            self._new_match(command)
            return self._new
        s = self.state
        if s.paused and not isinstance(command, ev.Continue | ev.Pause):
            self._say(ev.Continued)
        handler = {
            ev.LetStand: self._command_let_stand,
            ev.TakeBack: self._command_take_back,
            ev.EndTurn: self._command_end_turn,
            ev.SetPosition: self._command_set_position,
            ev.SetDice: self._command_set_dice,
            ev.OfferDouble: self._command_offer_double,
            ev.TakeDouble: self._command_take_double,
            ev.PassDouble: self._command_pass_double,
            ev.Resign: self._command_resign,
            ev.AcceptResignation: self._command_accept_resignation,
            ev.Answer: self._command_answer,
            ev.NewGame: self._command_new_game,
            ev.Pause: self._command_pause,
            ev.Continue: self._command_continue,
        }.get(type(command))
        if handler is None:
            self._refuse("refused_not_now", f"{command.type} is not a command of the referee.")
        else:
            handler(command)  # type: ignore[operator]
        self._touched()
        return self._new

    def _refuse(self, code: str, reason: str) -> None:
        self._say(ev.Refused, code=code, reason=reason)

    def _new_match(self, command: ev.NewMatch) -> None:
        try:
            law = self.rules if command.rules == self.rules.name else rule_set(command.rules)
            match = Match.start(law, command.match_length, several_games=command.match_length != 1)
        except InvalidError as error:
            self._refuse("refused_not_now", str(error))
            return
        if self.state.in_game and self.state.position is not None and self.state.last is not None:
            self._say(ev.GameAbandoned, position=self.state.on_board, reason="a new match was started")
        self._forget()
        self.start_match(match, (command.light_name, command.dark_name))

    def _command_let_stand(self, command: ev.LetStand) -> None:
        """The one button: it stands as it is."""
        s = self.state
        if s.question:
            self._command_answer(ev.Answer(yes=True))
        elif s.phase is Phase.DOUBLED:
            self._command_take_double(ev.TakeDouble())
        elif s.phase is Phase.RESIGNED:
            self._command_accept_resignation(ev.AcceptResignation(yes=True))
        elif s.phase is Phase.ILLEGAL and s.board is not None and s.trouble is None:
            self._let_it_stand(self._turn(), s.board, None, "person")
        elif (
            s.waits_for
            and self._dice.pair is not None
            and self._dice.pair.values is not None
            and s.phase in (Phase.ROLL, Phase.OPENING)
        ):
            self._thrown(self._dice.pair, note="accepted as it lies")
        elif s.trouble is not None and s.in_game:
            self._stand_as_seen()
        elif s.phase is Phase.PLAYED:
            self._turn_over_by_button()
        elif s.phase is Phase.PLAY and s.side is not None and self._turn().may_pass:
            self._turn_over_by_button()
        else:
            self._refuse("refused_nothing", "There is nothing to confirm.")

    def _stand_as_seen(self) -> None:
        """What lies on the board now is what the game goes on from."""
        s = self.state
        trouble = s.trouble
        assert trouble is not None and s.position is not None
        # A person has confirmed the board, which is as good as having seen the turn.
        self._unseen = 0.0
        self._grounds.told()
        self._alternatives.forget()
        base = trouble.expected or s.on_board or s.position
        seen = read_position(self._evidence, base)[0] if self._evidence is not None else None
        seen = seen or trouble.seen
        if trouble.doubts == "side" and s.dice is not None and s.side is not None and seen is not None:
            other = turn_of(s.position, s.dice, opponent(s.side), self.rules)
            play = other.play_to(seen)
            if play is not None:
                self._say(
                    ev.PlayMade, side=other.side, dice=other.dice, play=str(play), moves=tuple(play.moves), position=seen
                )  # fmt: skip
                return
        if seen is None:
            self._refuse(
                "refused_cannot_read", "The board cannot be read well enough: set the position by hand."
            )
            return
        if s.phase in (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL) and s.dice is not None and s.side is not None:
            turn = self._turn()
            play = turn.play_to(seen)
            if play is not None and play.moves:
                self._say(
                    ev.PlayMade, side=turn.side, dice=turn.dice, play=str(play), moves=tuple(play.moves), position=seen
                )  # fmt: skip
            elif seen == turn.before and s.phase is Phase.PLAY and trouble.code != "doubt_finished":
                self._say(ev.Resolved)
            else:
                self._let_it_stand(turn, seen, None, "person")
        else:
            self._say(ev.PositionCorrected, position=seen, side=s.side, by="person")

    def _turn(self) -> Turn:
        s = self.state
        assert s.position is not None and s.dice is not None and s.side is not None
        return turn_of(s.position, s.dice, s.side, self.rules)

    def _turn_over_by_button(self) -> None:
        s = self.state
        turn = self._turn()
        position = s.board or turn.before
        self._end_turn(turn, turn.play_to(position), position, None)

    def _command_end_turn(self, command: ev.EndTurn) -> None:
        """The turn button says what lifting the dice says."""
        s = self.state
        if s.side is None or s.phase not in (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL):
            self._refuse("refused_not_now", "No play is to be finished now.")
        elif command.side is not None and command.side != s.side:
            self._refuse("refused_not_now", f"It is {s.side}'s turn.")
        elif s.phase is Phase.ILLEGAL and s.board is not None:
            self._let_it_stand(self._turn(), s.board, None, "person")
        elif s.phase is Phase.PLAYED or self._turn().may_pass:
            self._turn_over_by_button()
        else:
            turn = self._turn()
            found = self._reconcile(self._evidence, turn) if self._evidence is not None else None
            if found is not None and found.kind == "legal":
                self._play(turn, found)
                if self.state.phase is Phase.PLAYED:
                    self._turn_over_by_button()
            elif found is not None and found.position is not None:
                self._accuse(turn, found, found.position)
            else:
                self._refuse("refused_cannot_read", "The play cannot be read yet.")

    def _command_take_back(self, command: ev.TakeBack) -> None:
        """A play is to be corrected on demand: the turn is open again, unless the opponent has rolled."""
        s = self.state
        if s.phase in (Phase.PLAYED, Phase.ILLEGAL) and s.side is not None and s.position is not None:
            self._say(ev.PlayTakenBack, side=s.side, position=s.position)
        elif s.phase is Phase.ROLL and s.last is not None and self._is_final(s.last.legal):
            self._refuse("refused_not_now", "The turn is over: the play stands.")
        elif s.phase is Phase.ROLL and s.last is not None:
            self._say(ev.TurnReopened, side=s.last.side, dice=s.last.dice, position=s.last.position)
        elif s.phase is Phase.PLAY and s.last is not None:
            self._refuse("refused_rolled", "The dice have been thrown: the play stands.")
        else:
            self._refuse("refused_not_now", "There is no play to take back.")

    def _is_final(self, legal: bool) -> bool:
        """A turn that is over leaves an illegal play final at this table."""
        return not legal and self.rules.correctable_until == "turn_ended"

    def _command_set_position(self, command: ev.SetPosition) -> None:
        s = self.state
        self._unseen = 0.0
        self._grounds.told()
        self._alternatives.forget()
        if not s.in_game:
            self._start_game(command.position)
            if command.side is not None or command.position != STARTING_POSITION:
                side = command.side
                if side is not None:
                    self._say(ev.PositionCorrected, position=command.position, side=side)
            return
        side = command.side
        if side is None and s.phase in (Phase.PLAYED, Phase.ILLEGAL) and s.side is not None:
            side = opponent(s.side)
        if side is None and s.phase in (Phase.ROLL, Phase.DOUBLED, Phase.RESIGNED):
            side = s.side
        if self._dice.pair is not None and side is not None:
            self._used = self._dice.pair.serial
        self._say(ev.PositionCorrected, position=command.position, side=side)

    def _command_set_dice(self, command: ev.SetDice) -> None:
        s = self.state
        try:
            a, b = command.dice
            if not (a in range(1, 7) and b in range(1, 7)):
                raise InvalidError("dice")
        except (TypeError, ValueError):
            self._refuse("refused_not_now", f"dice: expected two numbers from 1 to 6, got {command.dice!r}")
            return
        side = command.side or s.side
        if s.phase not in (Phase.OPENING, Phase.ROLL, Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL):
            self._refuse("refused_not_now", "No dice are to be thrown now.")
            return
        if self._dice.pair is not None:
            self._used = self._dice.pair.serial
        dice = (max(a, b), min(a, b))
        if side is None:
            self._roll(None, dice, 1.0, "set by hand")
        else:
            self._say(ev.DiceCorrected, side=side, dice=dice)
            self._lay, self._unplayed = self._lies, False
        self._grounds.told()
        self._alternatives.forget()

    def _command_offer_double(self, command: ev.OfferDouble) -> None:
        s = self.state
        side = command.side or s.side
        if not s.in_game or side is None:
            self._refuse("refused_no_game", "No game is running in which to double.")
            return
        objection = s.match.objection_to_double(side, on_roll=s.side, rolled=s.phase is not Phase.ROLL)
        if objection is not None:
            self._refuse("refused_cube", objection[1])
            return
        self._say(ev.CubeOffered, side=side, value=s.match.cube.next_value)

    def _command_take_double(self, command: ev.TakeDouble) -> None:
        s = self.state
        offerer = s.match.cube.offered_by
        if s.phase is not Phase.DOUBLED or offerer is None:
            self._refuse("refused_not_now", "No double has been offered.")
            return
        self._say(ev.CubeTaken, side=opponent(offerer), value=s.match.cube.next_value)

    def _command_pass_double(self, command: ev.PassDouble) -> None:
        s = self.state
        offerer = s.match.cube.offered_by
        if offerer is None and not self._cube_rests:
            self._over_by_doubling()
            s = self.state
        if offerer is None and self._may_be_offered and s.side is not None:
            # Hands were at the board since the cube was last seen in its place, so it was offered while
            # hidden from view.
            self._say(ev.CubeOffered, side=s.side, value=s.match.cube.next_value)
            s, offerer = self.state, s.side
        if s.phase is not Phase.DOUBLED or offerer is None:
            self._refuse("refused_not_now", "No double has been offered.")
            return
        value = s.match.cube.value
        position = s.on_board
        self._say(ev.CubePassed, side=opponent(offerer), value=s.match.cube.next_value)
        self._win(score_pass(offerer, self.rules, cube=value), position, "pass")

    def _command_resign(self, command: ev.Resign) -> None:
        s = self.state
        if not s.in_game or s.phase is Phase.OPENING or s.position is None or command.kind not in (1, 2, 3):
            self._refuse("refused_no_game", "No game is running that could be resigned.")
            return
        if s.phase in (Phase.DOUBLED, Phase.RESIGNED):
            self._refuse("refused_not_now", "Answer first what is on the table.")
            return
        self._say(ev.ResignationOffered, side=command.side, kind=command.kind)

    def _command_accept_resignation(self, command: ev.AcceptResignation) -> None:
        s = self.state
        if s.phase is not Phase.RESIGNED or s.resignation is None:
            self._refuse("refused_not_now", "Nobody has resigned.")
            return
        if not command.yes:
            self._say(ev.Answered, code="resignation", yes=False)
            return
        loser, kind = s.resignation
        position = s.on_board or STARTING_POSITION
        score = score_resignation(
            position, loser, kind, self.rules, cube=s.match.cube.value, jacoby=s.match.jacoby
        )
        self._win(score, position, "resigned")

    def _command_answer(self, command: ev.Answer) -> None:
        s = self.state
        if not s.question:
            if s.phase is Phase.RESIGNED:
                self._command_accept_resignation(ev.AcceptResignation(yes=command.yes))
            elif s.phase is Phase.DOUBLED:
                if command.yes:
                    self._command_take_double(ev.TakeDouble())
                else:
                    self._command_pass_double(ev.PassDouble())
            else:
                self._refuse("refused_nothing", "No question is open.")
            return
        code = s.question
        self._say(ev.Answered, code=code, yes=command.yes)
        if code == "abandon_game":
            self._refused_start = not command.yes
            if command.yes:
                self._say(ev.GameAbandoned, position=s.on_board, reason="the starting position was set up")
        elif code == "cube_differs" and command.yes and isinstance(self._cube_key, tuple):
            place, value = self._cube_key
            if value is not None:
                self._say(ev.CubeCorrected, value=value, owner=place if place in SIDES else None)

    def _command_new_game(self, command: ev.NewGame) -> None:
        s = self.state
        if s.in_game:
            self._say(ev.GameAbandoned, position=s.on_board, reason="a new game was asked for")
        elif s.match.winner is not None:
            self._new_match(
                ev.NewMatch(
                    rules=self.rules.name,
                    match_length=s.match.length,
                    light_name=s.names[0],
                    dark_name=s.names[1],
                )
            )

    def _command_pause(self, command: ev.Pause) -> None:
        if not self.state.paused:
            self._say(ev.Paused)

    def _command_continue(self, command: ev.Continue) -> None:
        if self.state.paused:
            self._say(ev.Continued)
        else:
            self._refuse("refused_nothing", "The game is not paused.")


def _changes_few(seen: Position | None, expected: Position | None) -> list[dict[str, Any]]:
    """What to put right, when it is little enough to be said."""
    todo = changes(seen, expected)
    return todo if len(todo) <= 4 else []


def _is_of_one_turn(turn: Turn, seen: Position) -> bool:
    """Whether `seen` can be the work of this player with this roll, however wrongly played: the other side's checkers
    lie still except for hits, none of his own was hit, and few of his own were moved. Else the game has gone on unseen,
    or hands were at the board."""
    was, now = turn.before.seen_from(turn.side), seen.seen_from(turn.side)
    if now[1][0] > was[1][0] or now[1][1] < was[1][1]:
        return False
    moved = sum(max(0, max(0, a) - max(0, b)) for a, b in zip(was[0], now[0], strict=True))
    others = sum(max(0, max(0, -a) - max(0, -b)) for a, b in zip(was[0], now[0], strict=True))
    hits = now[1][1] - was[1][1]
    return moved <= (6 if turn.dice[0] == turn.dice[1] else 4) and others == max(0, hits)


def _touched_nothing(before: Position, seen: Position, side: Side) -> bool:
    """`seen` differs from `before`, and not in one checker of `side`."""
    was, now = before.seen_from(side), seen.seen_from(side)
    same = all(max(0, a) == max(0, b) for a, b in zip(was[0], now[0], strict=True))
    return seen != before and same and was[1][0] == now[1][0] and was[2][0] == now[2][0]


def _moved_one_of_theirs(turn: Turn, seen: Position) -> bool:
    """`seen` is of this turn but for one of the opponent's checkers, which lies elsewhere without having been hit."""
    was, now = turn.before.seen_from(turn.side), seen.seen_from(turn.side)
    moved = sum(max(0, max(0, a) - max(0, b)) for a, b in zip(was[0], now[0], strict=True))
    others = sum(max(0, max(0, -a) - max(0, -b)) for a, b in zip(was[0], now[0], strict=True))
    hit = sum(a == -1 and b > 0 for a, b in zip(was[0], now[0], strict=True))
    return (
        now[1][0] <= was[1][0]
        and moved <= (4 if turn.dice[0] == turn.dice[1] else 2)
        and others in (hit + 1, max(0, now[1][1] - was[1][1]) + 1)
    )


def _with_held_point(position: Position, move: tuple[int, int], side: Side) -> dict[str, Any]:
    """The document of `position` after `side` has put a checker on a point that the other holds: one number per point
    cannot say so, so it is written as `explain` reads it, with one of the others less there."""
    source, target = move
    sign = 1 if side == "light" else -1
    document = position.to_document()
    if source == 25:
        document["bar"][side] = max(0, document["bar"][side] - 1)
    else:
        i = source - 1 if side == "light" else 24 - source
        document["points"][i] -= sign
    j = target - 1 if side == "light" else 24 - target
    document["points"][j] += sign
    return document
