"""The shell around the filter: looks and commands in, events out; the same interface as `pi_board.referee.referee.Referee`.

A pure state machine: time is passed in. The state changes only through events, so a journal replayed gives the same
table. Everything else in here is perception and belief; a fresh referee builds it up again within a second.
"""

from __future__ import annotations

from dataclasses import replace

from pi_board import events as ev
from pi_board.events import Command, Event
from pi_board.referee import orders
from pi_board.referee.dice.pair import Pair
from pi_board.referee.dice.watch import DiceWatch
from pi_board.referee.explanations import Evidence, read_position, shows
from pi_board.referee.inference.commands import FilterCommands
from pi_board.referee.inference.cube import CubeWatch
from pi_board.referee.inference.hypotheses import Posterior
from pi_board.referee.inference.inference import Filter
from pi_board.referee.inference.model import Model
from pi_board.referee.inference.still import Still, StillWatch
from pi_board.referee.inference.story import Story
from pi_board.referee.inference.throws import Throw
from pi_board.referee.inference.words import Facts, Saying, Word, words
from pi_board.referee.options import RefereeOptions
from pi_board.referee.shell import Shell
from pi_board.referee.state import State
from pi_board.rules import SIDES, STARTING_POSITION, RuleSet, Side
from pi_board.sighting import Gate, Sighting
from pi_board.table import Phase

#: Slots of 28 that must say something before a look counts.
INFORMED = 12
#: Gates that mean somebody is busy at the board (everything else that is unsettled is a bad picture).
BUSY = (Gate.MOVING, Gate.HAND)
#: What may be said after one look, one thing leading to the next: a turn is over, the next dice, its play.
STEPS = 4
JOINED = "I did not see how this game began: it goes on from the board as it lies."
#: Words after which the hypotheses are asked anew.
TELLING = frozenset({"bring", "roll", "opening", "tie", "correct_dice"})


class FilterReferee(Shell):
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
        model: Model | None = None,
    ) -> None:
        super().__init__(options, rules, match_length=match_length, names=names)
        self.model = model or Model()
        self.story = Story(self._say, self._as_it_stands, self.options)
        self._commands = FilterCommands(self)
        self.forget()

    def _as_it_stands(self) -> State:
        # (A method and no lambda: a copy of this referee tells its own state.)
        return self.state

    def forget(self) -> None:
        """Starts perception afresh."""
        self.filter = Filter(self.model, self.options)
        self.stills = StillWatch()
        self.dice = DiceWatch(self.options.agree_looks)
        self.cube = CubeWatch(self.options)
        self.story.turns = []
        self.evidence: Evidence | None = None
        self.used: int | None = None  # serial of the last roll that the filter knows; None = not told yet
        self.unseen = 0.0
        self._last_look: float | None = None
        self._hidden = False
        self.refused_start = False
        self._told: int = 0  # serial of the roll that the state knows
        self._of_turn: int = -1  # serial of the roll of the turn in hand; -1: its dice were not seen
        self._doubted = 0  # serial of the roll beside which the board was not understood
        self._claimed: Still | None = None  # what lay there when the dice were lifted
        # Sides whose checkers were taken for what they most likely are, until a lawful play of theirs shows that it was so.
        self._guessed: set[Side] = set()
        self._stayed = False  # the opening dice lie there for the second player
        self._lay = False  # those dice have been seen there
        self._unread_since: float | None = None
        self._start_since: float | None = None
        self._waiting = False
        self._believed: State | None = None  # the state that the hypotheses were made from or have led to
        #: What the last look left of the hypotheses; None before the first one of a game.
        self.posterior: Posterior | None = None

    def believe(self, state: State) -> None:
        """Goes on from `state`, which is beyond doubt."""
        self.state, self._believed, self.posterior = state, None, None
        if state.dice is None and state.last is not None:
            # The next roll may lie there already: dice that do not show the last numbers are new.
            self.used = None

    # ------------------------------------------------------------------------------------ what a person asks for

    def command(self, command: Command, now: float) -> list[Event]:
        """The events that a button or page leads to; a command that makes no sense now gives one `Refused`."""
        self._begin(now, -1, "")
        before = self.state.what_is_played
        orders.obey(self._commands, command)
        self._touched()
        if isinstance(command, ev.LetStand):
            # A person has decided, so missing dice no longer claim a play.
            self._lay = self._stayed = False
        if self.state.what_is_played != before:
            self._believed = None
        return self._new

    # ------------------------------------------------------------------------------------ a look at the board

    def observe(self, sighting: Sighting, now: float, evidence: Evidence | None = None) -> list[Event]:
        """The events that this look leads to; most looks lead to none. evidence: of this sighting, where more is known of it."""
        self._begin(now, sighting.seq, sighting.name)
        self._waiting = False
        readable = self._readable(sighting)
        if not readable and self._last_look is not None:
            self.unseen += max(0.0, now - self._last_look)
        self._last_look = now
        if readable and not self.state.paused:
            evidence = evidence or Evidence.of(sighting)
            if evidence.informed >= INFORMED:
                self._look(evidence, sighting)
        return self._new

    def _readable(self, sighting: Sighting) -> bool:
        """Keeps track of what hides the board; True when this look shows it."""
        gate, s = sighting.gate, self.state
        if gate is Gate.BOARD_MOVED:
            self._touched()
            self.dice.board_moved()
            if not s.board_moved:
                self._say(ev.BoardMoved, reason=sighting.note or "the board or the camera was moved")
            return False
        if sighting.settled and sighting.registered:
            self._unread_since = None
            if s.board_moved:
                self._say(ev.BoardFound)
            if s.view_blocked:
                self._say(ev.ViewCleared)
            return True
        if gate in BUSY:
            if sighting.dice:
                self.dice.beside_a_hand(sighting.dice, self._now)
            self._touched()
        if self._unread_since is None:
            self._unread_since = self._now
        # Players think with a hand on the board, so wait long before saying anything.
        patience = self.options.blocked_patience * (20 if gate in BUSY else 1)
        reason = gate.value if gate is not Gate.SETTLED else "no_board"
        if sighting.note == "no_camera":
            # Say this at once: the source of this sighting has already waited for the camera.
            reason, patience = "no_camera", 0.0
        if self._now - self._unread_since >= patience and s.view_blocked != reason:
            self._say(ev.ViewBlocked, reason=reason)
        return False

    def _touched(self) -> None:
        """Somebody was at the board: looks before and after do not add up."""
        self.dice.touched()
        self.stills.touched()
        self.cube.touched()
        self._start_since = None

    def _look(self, evidence: Evidence, sighting: Sighting) -> None:
        self.evidence = evidence
        phase = self.state.phase
        still = self.stills.observe(evidence, self._now, self._seq, self._frame, self.options.agree_looks)
        self.dice.one_by_one = phase is Phase.OPENING
        self.dice.observe(sighting.dice)
        pair = self.dice.pair
        if self._lifted:
            self.dice.gone()
        elif (
            self.dice.in_sight and pair is not None and pair.serial in (self._of_turn, self._told, self.used)
        ):
            self.unseen = 0.0
            self._lay |= pair.serial == self._of_turn
        if not self._lifted:
            self._claimed = None
        if phase in (Phase.WAITING, Phase.OVER):
            if still is not None:
                self._await_start(still)
            return
        if phase is Phase.RESIGNED:
            return
        if still is None:
            self._waiting = True
        else:
            self._follow(still)
        if self.state.in_game:
            self._waiting |= self.cube.observe(sighting.cube, self.state, self._say)

    @property
    def _lifted(self) -> bool:
        return self.dice.absent >= self.options.lift_looks

    # ------------------------------------------------------------------------------------ before a game

    def _await_start(self, still: Still) -> None:
        """Waiting for the starting position; twice in a row, and nothing else fits better."""
        if self.state.match.winner is not None:
            return
        seen = shows(still.evidence, STARTING_POSITION, slack=self.options.slack)
        self._waiting = seen
        if seen and still.looks >= self.options.agree_looks:
            self.story.start()
            # Discard everything believed about the game before.
            self._believed = None
            pair = self.dice.pair
            # Dice that lie there while the game is set up were rolled for the last one, unless this is a first look.
            self.used = pair.serial if pair is not None and self.used is not None else 0
            self.refused_start = False

    def _ask_to_abandon(self, still: Still) -> bool:
        """The starting position in the middle of a game: a new game, or somebody showing something? True while it lies there."""
        s = self.state
        if s.position == STARTING_POSITION or s.position is None:
            return False
        if still.evidence.score(STARTING_POSITION) < -20 or not shows(
            still.evidence, STARTING_POSITION, slack=self.options.slack
        ):
            return False
        if self._start_since is None:
            self._start_since = self._now
        self._waiting = True
        pair = self._fresh()
        if pair is not None and pair.values is not None and set(pair.halves) == set(SIDES):
            # The board is set up and each side has rolled a die, so the players are ready.
            self._say(ev.GameAbandoned, position=s.on_board, reason="a new game was set up and thrown for")
            self.story.start()
            self.used, self._believed = 0, None
            return True
        long_enough = self._now - self._start_since >= self.options.doubt_patience
        if long_enough and not self.refused_start and s.question != "abandon_game":
            reason = "The starting position is set up: is this game abandoned?"
            self._say(ev.Asked, code="abandon_game", reason=reason)
        return True

    # ------------------------------------------------------------------------------------ the game

    def _fresh(self) -> Pair | None:
        """A roll that the filter does not know yet."""
        pair = self.dice.pair
        if pair is None or pair.serial == self.used:
            return None
        if self.used is None:
            # After a power cut: the same numbers as the game remembers are the same dice.
            self.used = 0
            s = self.state
            known = s.dice or (s.last.dice if s.last is not None else None)
            if s.dice is None and pair.gap >= self.options.lift_looks:
                # The turn of those dice is over, and the board has been seen without them.
                return pair
            if pair.shows(known):
                self.used = self._told = pair.serial
                if s.dice is not None:
                    self._of_turn = pair.serial
                return None
        return pair

    def _follow(self, still: Still) -> None:
        """The look against every hypothesis, and what there is to say about it."""
        if self._ask_to_abandon(still):
            return
        law = self.rules
        self._trust()
        self.filter.opening_turn = self.state.opening
        pair = self._fresh()
        if pair is not None and self.state.phase is not Phase.DOUBLED:
            if pair.seen >= self.options.agree_looks:
                throw = Throw.of(pair, self.model.eyes, crowded=self.dice.crowded)
                self.filter.thrown(throw, law, still, self.stills.before, self.state.phase is Phase.OPENING)
                self.used = pair.serial
            else:
                self._waiting = True
        elif self.dice.pair is not None and self.dice.pair.serial in self.filter.throws:
            self.filter.throws[self.dice.pair.serial] = Throw.of(
                self.dice.pair, self.model.eyes, crowded=self.dice.crowded
            )
        hidden = self.unseen >= self.model.people.out_of_sight_after
        if hidden and not self._hidden:
            self.filter.hidden()
        self._hidden = hidden
        for _ in range(STEPS):
            posterior = self.posterior = self.filter.weigh(still, law, lifted=self._lifted)
            searching = False
            if (
                posterior.of
                and posterior.best.fit < -self.options.slack
                and still.looks >= self.options.agree_looks
            ):
                searching = self.filter.look_for_unseen(law, still, self.stills.before)
                self._waiting |= searching
            facts = self._facts(still, searching)
            said = words(posterior, self.state, facts, self.options, self.model)
            self._waiting |= said.waiting
            if not self._speak(said, posterior, still):
                return

    def _trust(self) -> None:
        """After a command, a set-up or a resumed journal the state is beyond doubt: belief begins anew from it."""
        if self._believed is None:
            self.story.turns = []
            self.filter.restart(self.state)
            if self.used is None:
                self._fresh()
            self._told = self.used or 0
            self._of_turn = self.used if self.used and self.state.dice is not None else -1
            self._lay = self._of_turn >= 0
            self._believed = self.state

    def _facts(self, still: Still, searching: bool) -> Facts:
        pair = self.dice.pair
        throw = (
            self.filter.throws.get(self.used or 0) if pair is not None and pair.serial == self.used else None
        )
        return Facts(
            looks=still.looks,
            held=self._now - still.since,
            lifted=self._lifted,
            claim=self._lifted and self._lay and self._as_claimed(still),
            over=self._lifted and (self._lay or self._stayed),
            throw=throw,
            told=throw is None or throw.serial == self._told,
            turns=tuple(self.story.turns),
            out_of_sight=self.unseen >= self.model.people.out_of_sight_after
            or self.state.side in self._guessed,
            put_right=self.story.put_right,
            searching=searching,
            passed_over=self._doubted not in (0, self.used) and self.state.trouble is not None,
        )

    def _as_claimed(self, still: Still) -> bool:
        """Lifting the dice claims the board at that moment. A player who has moved checkers since is playing on or correcting."""
        if self._claimed is None and still.looks >= self.options.agree_looks:
            self._claimed = still
        return self._claimed is None or self._claimed is still or self._claimed.agrees(still.mean)

    def _speak(self, said: Saying, posterior: Posterior, still: Still) -> bool:
        """Says it; True when what was said may lead to more at once."""
        again = False
        for word in said.words:
            if self.state.phase is Phase.OVER:
                break
            self._one_word(word, still)
            again |= word.name in TELLING
        return again and self.state.in_game

    def _one_word(self, word: Word, still: Still) -> None:
        turns = len(self.story.turns)
        self._mind_guesses(word)
        if word.name == "join":
            self._join(still)
            return
        getattr(self.story, word.name)(**word.args)
        if word.name in ("doubt", "missing"):
            self._doubted = self._doubted or self.used or 0
        elif word.name in ("as_left", "roll", "play"):
            self._doubted = 0
        if word.name == "as_left":
            self.story.before_seq, self.story.before_frame = still.seq, still.frame
            if still.looks == self.options.agree_looks:
                self.filter.found_again()
            if self.state.dice is not None:
                # Nothing has been played, even where points were hidden.
                self.unseen = 0.0
        elif word.name in ("roll", "tie", "opening"):
            throw = word.args.get("throw") or self.filter.throws.get(self.used or 0)
            self._told = self.used or 0
            if word.name == "roll":
                self._took(throw if word.args.get("throw") is not None else None)
            else:
                self.filter.only(lambda h: h.opening == word.args["opening"])
                if word.name == "tie":
                    self.filter.alive = [replace(h, opening=None, serial=0) for h in self.filter.alive]
        elif word.name == "end":
            self.filter.finish(self.rules, still)
        if word.name == "bring":
            self._told = 0
        if word.name == "bring" or len(self.story.turns) != turns:
            self._turn_over()

    def _mind_guesses(self, word: Word) -> None:
        """A guess is never a ground for red: what was not seen well, or nobody saw, is minded until it is borne out."""
        accused = self.state.phase is Phase.ILLEGAL
        if word.name == "bring":
            done = word.args["hypothesis"].past
            if done and (done[-1].unseen or (done[-1].kind != "legal" and not accused)):
                self._guessed = set(SIDES)
        elif word.name == "join":
            self._guessed = set(SIDES)
        elif word.name == "play" and word.args["play"].moves:
            self._guessed.discard(word.args["turn"].side)

    def _join(self, still: Still) -> None:
        """Nobody saw how it came to this, and they play on: the game goes on from the board as it lies, and the play of the
        roll that lies there tells whose it is."""
        position, _ = read_position(still.evidence, self.state.position or STARTING_POSITION)
        self._doubted = 0
        if position is None:
            # The number of checkers is wrong. The game continues as if the board were the one left there.
            self.filter.found_again(all_of_it=True)
            return
        self._say(ev.PositionCorrected, position=position, by="vision")
        self._say(ev.Noticed, code="notice_joined", reason=JOINED)
        self.story.turns = []
        self.filter.anew(position)
        self.used, self._told = 0, 0

    def _took(self, throw: Throw | None) -> None:
        """A roll was said: that of `throw`, or of dice that nobody saw."""
        self._of_turn = throw.serial if throw is not None else -1
        self._lay, self._stayed = throw is not None, False
        self.unseen = 0.0
        side = self.state.side
        if throw is not None and side is not None and throw.halves[0] == throw.halves[1]:
            self.filter.halves[throw.halves[0] == side] += 1

    def _turn_over(self) -> None:
        """What was said so far is beyond doubt up to the turn before the last."""
        self.unseen = 0.0
        self._of_turn, self._lay, self._claimed = -1, False, None
        # The opening dice may stay for the second player: lifting them ends his turn, and accuses him of nothing.
        self._stayed = (
            self.state.second_dice is not None and self.dice.pair is not None and self.dice.absent == 0
        )
        self.filter.agreed(self.story.turns)
        self.story.turns = self.story.turns[-1:]
