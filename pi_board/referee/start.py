"""Before a game and at its opening: the starting position, one die each, and a start that nobody saw."""

from __future__ import annotations

from pi_board import events as ev
from pi_board.referee.dice.pair import Pair
from pi_board.referee.explanations import Evidence, Reconciled, Turn, read_position, shows
from pi_board.referee.looks import STILL_PATIENCE
from pi_board.referee.messages import change_words, changes, sentence
from pi_board.referee.questions import FEW_CHANGES
from pi_board.referee.seeing_part import SeeingPart, SeeingTableInterface
from pi_board.rules import SIDES, STARTING_POSITION, Position, Side, decide_opening, opponent

#: So many boards that come and go while no dice are read mean that a game is being played: three turns, as each checker may be one. Set.
PLAYED_UNREAD = 6
#: The starting position with the players' seats changed: each side's checkers lie where the other's should.
SEATS_CHANGED = Position(tuple(-n for n in STARTING_POSITION.points), (0, 0), (0, 0))


class Start(SeeingPart):
    """The starting position is awaited, the opening roll read; a start set up in mid-game is asked about."""

    def __init__(self, table: SeeingTableInterface) -> None:
        super().__init__(table)
        #: Since when the starting position has lain there in the middle of a game.
        self.set_up_since: float | None = None
        #: A person has said that the game goes on.
        self.refused_start = False
        # Serial of a roll that lay beside a board whose history is unknown.
        self._passed_over: int | None = None
        # The last board that lay there before the opening roll was read, and how many others before it.
        self._lay_last: Position | None = None
        self._boards = 0

    def await_start(self, evidence: Evidence) -> None:
        """Waiting for the starting position; twice in a row, and nothing else fits better."""
        if self.state.match.winner is not None:
            return
        turned = evidence.score(SEATS_CHANGED)
        margin = self.options.red_margin
        if turned >= -margin and turned - evidence.score(STARTING_POSITION) >= margin:
            # Everything would be reported under the wrong player's name, including whose half the dice lie in.
            count, _ = self.looks.steady("start", "seats changed")
            if count >= self.options.agree_looks:
                words = "The seating seems turned: light lies where dark should. Is dark sitting here?"
                self.questions.notice_once("notice_seating", words)
            return
        seen = shows(evidence, STARTING_POSITION, slack=self.options.slack)
        count, held = self.looks.steady("start", seen)
        self.looks.waiting = seen
        if seen and count >= self.options.agree_looks:
            self.start_game(STARTING_POSITION)
        elif not seen and held < STILL_PATIENCE and self.state.trouble is not None:
            self.say(ev.Resolved)
        elif not seen and held >= STILL_PATIENCE:
            self._not_the_start(evidence)

    def _not_the_start(self, evidence: Evidence) -> None:
        """A still board that is not the starting position: which points differ, where it is nearly set up; and if somebody rolls
        beside another position, that this is not refereed."""
        board, _ = read_position(evidence, STARTING_POSITION)
        todo = changes(board, STARTING_POSITION)
        if 0 < len(todo) <= FEW_CHANGES:
            self.questions.unclear("position", f"Expected: {change_words(todo)}.", STARTING_POSITION, board)
        elif self.looks.dice.pair is not None and self.looks.dice.in_sight:
            self.questions.notice_once(
                "notice_not_start",
                "The starting position is not recognised: is it complete, and do the players sit as set?",
            )

    def start_game(self, position: Position) -> None:
        match = self.state.match
        self.say(
            ev.GameStarted,
            game=match.game,
            position=position,
            score=match.score,
            crawford_game=match.crawford_game,
        )
        self.looks.witnesses.forget()
        self.looks.alternatives.forget()
        pair = self.looks.dice.pair
        # Dice that lie there while the game is set up were rolled for the last one, unless this is a first look.
        self.looks.used = pair.serial if pair is not None and self.looks.used is not None else 0
        self.refused_start = False
        self._lay_last, self._boards = None, 0

    def opening(self, evidence: Evidence) -> None:
        """One die each; or simply the first roll, when nobody saw the opening roll: then the play tells who rolled."""
        pair = self.looks.fresh() or self._tie_rolled_again()
        if pair is None:
            self._before_the_opening(evidence)
            return
        if self._opened_unseen(evidence, pair):
            return
        if not self.rolls.roll_is_read(pair):
            self.unseen_turns.unread_but_played(evidence, pair, SIDES)
            return
        values = pair.values
        assert values is not None
        self.looks.used = pair.serial
        one_each = set(pair.halves) == set(SIDES)
        light, dark = (values[1], values[0]) if one_each and pair.halves[0] == "dark" else values
        decided = decide_opening(light, dark, self.rules)
        # Where the place of the dice says nothing, the play will tell who rolled. Equal numbers are a tie
        # wherever they lie, unless two dice each are rolled and the highest roll begins.
        tie = decided.side is None and (one_each or self.rules.opening == "one_die_each")
        if tie or (one_each and self.rules.dice_place == "right_half"):
            self.say(ev.OpeningThrown, light=light, dark=dark, side=decided.side)
            if decided.side is not None and decided.dice is not None:
                self.looks.remember_roll(pair)
                otherwise = self.rolls.lies_otherwise(pair) and not pair.came_apart
                self.rolls.roll(decided.side, decided.dice, pair.confidence, "opening")
                self.looks.grounds.doubt("otherwise_left", otherwise)
            return
        self.rolls.roll(None, values, pair.confidence)
        self.looks.begins = decided.side if one_each else self._lie_before(pair)

    def _lie_before(self, pair: Pair) -> Side | None:
        """The side in whose half both dice of an opening of one die each lie. Who begins they do not tell, but where this side moves now, it
        has played them: they lay beside the starting position, so the other can't have rolled them for a second turn."""
        (half, *others) = set(pair.halves)
        return half if half in SIDES and not others and self.rules.opening == "one_die_each" else None

    def _before_the_opening(self, evidence: Evidence) -> None:
        """No dice yet. A board that has been changed and left so is asked about."""
        position = self.state.position
        if position is None:
            return
        as_left = shows(evidence, position, slack=self.options.slack)
        _, held = self.looks.steady("as_left", as_left)
        if as_left:
            self.questions.clear()
        elif self._was_opened() and self._opened_beside_one(evidence, position):
            return
        elif held >= STILL_PATIENCE:
            self.questions.board_differs(position, self.looks.read_board(evidence, position)[0], evidence)
        else:
            self._goes_on_unread(self.looks.read_board(evidence, position)[0])

    def _goes_on_unread(self, seen: Position | None) -> None:
        """Boards come and go, none for long, and no dice are read: who plays without a word is told why."""
        if seen is None or not self.looks.agree_on("played_unread", seen) or seen == self._lay_last:
            return
        self._lay_last, self._boards = seen, self._boards + 1
        if self._boards >= PLAYED_UNREAD:
            self.questions.notice_once(
                "notice_dice_unread", sentence("notice_dice_unread", {}, self.state.names)
            )

    def _was_opened(self) -> bool:
        """The picture is known to show a finished play, or one die of the opening was read and has been lifted."""
        dice = self.looks.dice
        return self.options.key_frames or (dice.lifted_unread and dice.lone is not None)

    def _opened_beside_one(self, evidence: Evidence, position: Position) -> bool:
        """No more than one of the dice of a finished play was read: the play tells the roll, if only one fits."""
        lone = self.looks.dice.lone
        fits = self._opening_fits(evidence, position)
        fits = [(t, f) for t, f in fits if f.play is not None and (lone is None or lone in t.dice)]
        if len(fits) != 1:
            return False
        [(turn, found)] = fits
        if self.looks.agree_on("opened_unseen", (turn.dice, turn.side)):
            self.unseen_turns.take_from_play(None, turn, found)
        return True

    def _opening_fits(self, evidence: Evidence, position: Position) -> list[tuple[Turn, Reconciled]]:
        """`looks.fitting` of an opening that nobody read: a double cannot be one."""
        fits = self.looks.fitting(evidence, None, position, SIDES)
        return [(turn, found) for turn, found in fits if turn.dice[0] != turn.dice[1]]

    def _opened_unseen(self, evidence: Evidence, pair: Pair) -> bool:
        """The first dice that are read lie beside a board on which more has been played than they allow: the opening roll was
        never seen, and its play tells it, if it can. Until then this roll is nobody's (and nobody is accused by it)."""
        position = self.state.position
        if position is None or pair.values is None or evidence.score(position) >= -self.options.slack:
            return False
        if set(pair.halves) == set(SIDES):
            # One die each is the opening roll, whatever has been played of it.
            return False
        if any(self.looks.may_be_play_of(pair.values, side, evidence) for side in SIDES):
            return False
        # The side that rolled just now did not play before.
        fits = self._opening_fits(evidence, position)
        others = [f for f in fits if set(pair.halves) == {opponent(f[0].side)}]
        if not self.looks.agree_on("opened_unseen", frozenset((t.dice, t.side, f.position) for t, f in fits)):
            return True
        if len(fits) == 1 or others:
            self.unseen_turns.take_from_play(None, *(others or fits)[0])
        elif fits:
            # Several rolls lead to this board, so the roll stays unknown but the board does not.
            likeliest = max(fits, key=lambda fit: fit[1].fit)[1]
            self._join(likeliest.position or position, pair)
        elif self._passed_over not in (None, pair.serial):
            # They play on, roll after roll. The referee goes on from the board as it lies.
            seen, _ = self.looks.read_board(evidence, position)
            if seen is not None:
                self._join(seen, pair)
        else:
            self._passed_over = pair.serial
            if self.looks.doubting():
                seen, _ = self.looks.read_board(evidence, position)
                self.questions.board_differs(position, seen, evidence)
        return True

    def _join(self, position: Position, pair: Pair) -> None:
        """Nobody saw how the game began: it goes on from the board as it lies, and this roll's play will tell whose it is."""
        assert pair.values is not None
        self._passed_over = None
        self.say(ev.PositionCorrected, position=position, by="vision")
        self.looks.used = pair.serial
        self.rolls.roll(None, pair.values, pair.confidence)
        self.looks.grounds.doubt("guessed_start")
        words = "I did not see how this game began: it goes on from the board as it lies."
        self.say(ev.Noticed, code="notice_joined", reason=words)

    def _tie_rolled_again(self) -> Pair | None:
        """After equal numbers both roll again, and the dice may come to lie where they lay: then only the numbers tell."""
        pair, tie = self.looks.dice.pair, self.state.tie
        if pair is None or tie is None or pair.values is None or pair.confidence < self.options.dice_doubt:
            return None
        return None if pair.shows(tie) else pair

    def ask_to_abandon(self) -> None:
        """The starting position in the middle of a game: a new game, or somebody showing something?"""
        if self.set_up_since is None:
            self.set_up_since = self.now
        self.looks.waiting = True
        pair = self.looks.fresh()
        if pair is not None and pair.values is not None and set(pair.halves) == set(SIDES):
            # Set up, and one die rolled on each side: that is an answer.
            self.say(
                ev.GameAbandoned, position=self.state.on_board, reason="a new game was set up and rolled for"
            )
            self.start_game(STARTING_POSITION)
            self.looks.used = 0
            return
        long_enough = self.now - self.set_up_since >= self.options.doubt_patience
        if long_enough and not self.refused_start and self.state.question != "abandon_game":
            self.say(
                ev.Asked,
                code="abandon_game",
                reason="The starting position is set up: is this game abandoned?",
            )
