"""Words become events: what was said so far, and how it is taken back when a later look shows it otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pi_board import events as ev
from pi_board.events import Dice
from pi_board.referee.explanations import Turn
from pi_board.referee.inference.hypotheses import Done, Hypothesis, turn
from pi_board.referee.inference.throws import Throw
from pi_board.referee.options import RefereeOptions
from pi_board.referee.state import REPEATED, State
from pi_board.rules import STARTING_POSITION, Play, Position, Procedure, RuleSet, Side, opponent, winner
from pi_board.rules.scoring import Score, score_game
from pi_board.table import Phase

FAULTS = {
    "cocked": "A die does not lie flat: roll both again.",
    "on_checker": "A die lies on a checker: roll both again.",
    "outside": "A die lies outside the playing field: roll both again.",
    "wrong_half": "The dice belong in the thrower's right-hand half: roll both again.",
    "too_early": "Roll only after the opponent has lifted the dice: roll again.",
}


class Story:
    """turns: the finished turns that were said since the filter's anchor, oldest first. `say(kind, **fields)` makes an event
    and applies it; `state()` is how things stand after it. One method for each `words.Word`.
    """

    def __init__(self, say: Callable[..., None], state: Callable[[], State], options: RefereeOptions) -> None:
        self.say, self._state, self.options = say, state, options
        self.turns: list[Done] = []
        self.before_seq, self.before_frame = -1, ""
        self.put_right = False

    @property
    def state(self) -> State:
        return self._state()

    @property
    def law(self) -> RuleSet:
        return self.state.match.rules

    # ------------------------------------------------------------------------------------ dice

    def tie(self, opening: tuple[int, int], side: Side | None = None) -> None:
        self.say(ev.OpeningThrown, light=opening[0], dark=opening[1], side=None)

    def opening(self, opening: tuple[int, int], side: Side | None) -> None:
        self.say(ev.OpeningThrown, light=opening[0], dark=opening[1], side=side)

    def roll(
        self, side: Side | None, dice: Dice, confidence: float, opening: tuple[int, int] | None, guessed: bool,
        throw: Throw | None, again: bool = False, note: str = "",
    ) -> None:  # fmt: skip
        """A roll that counts."""
        if opening is not None and side is not None:
            self.say(ev.OpeningThrown, light=opening[0], dark=opening[1], side=side)
            note = "opening"
        self.put_right = False
        if again:
            before = self.state.side
            self.notice(
                "notice_thrown_again", "The dice were rolled again before the play was finished.", before
            )
        note = "taken from the play" if guessed else "thrown again" if again else note
        self.say(
            ev.DiceRolled, side=side, dice=(max(dice), min(dice)), confidence=0.0 if guessed else round(confidence, 3), note=note
        )  # fmt: skip
        if guessed:
            self._dice_from_play(side, dice)
        elif throw is not None and opening is None:
            self._notice_place(throw, side)

    def _dice_from_play(self, side: Side | None, dice: Dice) -> None:
        words = f"The dice could not be read; {max(dice)}-{min(dice)} is taken from the play."
        self.notice("notice_dice_from_play", words, side)

    def _notice_place(self, throw: Throw, side: Side | None) -> None:
        if self.options.dice_half != "advise" or side is None:
            return
        procedure = Procedure.of(self.law)
        faults = [procedure.die_fault(side, half=half) for half in throw.halves]
        if any(f is not None and f.code == "wrong_half" for f in faults):
            self.notice("notice_wrong_half", f"The dice belong in {side}'s right-hand half.", side)

    def reject(self, code: str) -> None:
        self.say(ev.DiceRejected, side=self.state.side, code=code, reason=FAULTS[code])

    def correct_dice(self, side: Side, dice: Dice, by: str) -> None:
        self.say(ev.DiceCorrected, side=side, dice=(max(dice), min(dice)), by=by)
        if by == "play":
            self._dice_from_play(side, dice)

    def notice(self, code: str, reason: str, side: Side | None) -> None:
        self.say(ev.Noticed, code=code, reason=reason, side=side)

    # ------------------------------------------------------------------------------------ the board

    def as_left(self) -> None:
        """Nothing has been moved; what was unclear is well."""
        self.clear()

    def clear(self) -> None:
        if self.state.trouble is not None:
            self.say(ev.Resolved)
        if self.state.question == "abandon_game":
            self.say(ev.Answered, code="abandon_game", yes=False)

    def take_back(self, side: Side, position: Position) -> None:
        self.say(ev.PlayTakenBack, side=side, position=position)

    def play(
        self, turn: Turn, play: Play, margin: float = 0.0, probability: float = 0.0, late: bool = False
    ) -> None:
        """A complete legal play lies on the board."""
        self.clear()
        s = self.state
        if s.phase is Phase.PLAYED and s.board == play.result and s.side == turn.side:
            return
        fields: dict[str, Any] = {"margin": round(margin, 2), "probability": round(probability, 6) or None}
        kind: type[ev.Event] = ev.PlayMade
        if s.illegal is not None:
            kind, fields = ev.PlayCorrected, {}
            # A player who corrects his play lifted the dice long ago. He may be only half done.
            self.put_right |= late
        self.say(
            kind, side=turn.side, dice=turn.dice, play=str(play), moves=tuple(play.moves), position=play.result, **fields
        )  # fmt: skip
        if winner(play.result) is not None:
            self.end(turn, play.result)

    def accuse(
        self,
        turn: Turn,
        code: str,
        reason: str,
        nearest: tuple[str, ...],
        seen: Position,
        margin: float,
        probability: float,
    ) -> None:
        self.clear()
        self.say(
            ev.PlayIllegal, side=turn.side, dice=turn.dice, code=code, reason=reason, position=turn.before, seen=seen,
            nearest=nearest, margin=round(margin, 2), probability=round(probability, 6), before_seq=self.before_seq, before_frame=self.before_frame,
        )  # fmt: skip

    def missing(self, side: Side, count: int, expected: Position) -> None:
        kind = ev.CheckerMissing if count > 0 else ev.CheckerAdded
        code = "checker_missing" if count > 0 else "checker_added"
        trouble = self.state.trouble
        if trouble is not None and (trouble.code, trouble.side, trouble.count) == (code, side, abs(count)):
            return
        word = "missing" if count > 0 else "too many"
        reason = f"{abs(count)} {side} checker(s) {word}."
        self.say(kind, side=side, count=abs(count), expected=expected, reason=reason)

    def doubt(
        self, doubts: str, reason: str, expected: Position | None, seen: Position | None, code: str = ""
    ) -> None:
        trouble = self.state.trouble
        if trouble is not None and (trouble.doubts, trouble.reason) == (doubts, reason):
            return
        self.say(ev.Unclear, doubts=doubts, reason=reason, expected=expected, seen=seen, code=code)

    # ------------------------------------------------------------------------------------ the end of a turn

    def end(self, turn: Turn, position: Position, legal: bool = True) -> None:
        """The turn is over with `position` on the board."""
        self.put_right = False
        first, play = self.state.opening, turn.play_to(position) if legal else None
        if not legal:
            kind = "illegal"
        else:
            kind = "legal"
        self.say(
            ev.TurnEnded, side=turn.side, position=position, dice=turn.dice,
            play="" if play is None or not play.moves else str(play), moves=() if play is None else tuple(play.moves), legal=legal,
        )  # fmt: skip
        self.turns.append(Done(turn.side, turn.dice, turn.before, position, kind, play))
        if winner(position) is not None:
            match = self.state.match
            self.win(score_game(position, self.law, cube=match.cube.value, jacoby=match.jacoby), position)
        elif first and self.law.second_player_repeats and turn.dice[0] != turn.dice[1]:
            self.say(ev.DiceRolled, side=opponent(turn.side), dice=turn.dice, confidence=1.0, note=REPEATED)

    def stand(self, turn: Turn, position: Position, by: str = "rolled") -> None:
        """A play outside the law stands; the game goes on from the board."""
        self.say(ev.PlayStands, side=turn.side, dice=turn.dice, position=position, by=by)
        self.end(turn, position, legal=False)

    def win(self, result: Score, position: Position | None, kind: str = "") -> None:
        light, dark = self.state.match.score
        score = (light + result.points, dark) if result.winner == "light" else (light, dark + result.points)
        self.say(
            ev.GameWon, side=result.winner, points=result.points, kind=kind or result.kind, cube=result.cube, score=score,
            position=position,
        )  # fmt: skip
        if self.state.match.winner is not None:
            self.say(ev.MatchWon, side=self.state.match.winner, score=score)

    # ------------------------------------------------------------------------------------ another story

    def bring(self, hypothesis: Hypothesis) -> None:
        """Says what is needed so that the finished turns that were said are those of `hypothesis`."""
        told = [d.key for d in self.turns]
        now = [d.key for d in hypothesis.past]
        same = 0
        while same < min(len(told), len(now)) and told[same] == now[same]:
            same += 1
        while len(self.turns) > same:
            was = self.turns.pop()
            self.say(ev.TurnReopened, side=was.side, dice=was.dice, position=was.before)
        for done in hypothesis.past[same:]:
            self._tell(done)
            if self.state.phase is Phase.OVER:
                return

    def _tell(self, done: Done) -> None:
        s = self.state
        if s.dice is None:
            self.roll(done.side, done.dice, 0.0, None, True, None)
        elif tuple(sorted(s.dice)) != tuple(sorted(done.dice)) or s.side not in (None, done.side):
            self.correct_dice(done.side, done.dice, "play")
        of = turn(done.before, done.dice, done.side, self.law)
        if done.kind != "legal":
            self.stand(of, done.result)
            return
        play = of.play_to(done.result)
        if play is not None and play.moves:
            self.play(of, play)
        if self.state.phase is not Phase.OVER:
            self.end(of, done.result)

    def start(self, position: Position = STARTING_POSITION) -> None:
        match = self.state.match
        self.turns = []
        self.say(
            ev.GameStarted, game=match.game, position=position, score=match.score, crawford_game=match.crawford_game
        )  # fmt: skip
