"""The coach: what a play cost, how lucky a roll was, and why, in words that a beginner understands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from pi_board.hints.cube_advice import CubeAdvice, cube_action
from pi_board.hints.equity import CubeModel, CubeState
from pi_board.hints.evaluator import Evaluator, shared_evaluator
from pi_board.hints.ranking import Level, RankedPlay, check_level, rank_plays, rank_rows
from pi_board.hints.rows import ROLL_WEIGHTS, ROLLS, encode, expand_rolls, flip
from pi_board.hints.search import Search
from pi_board.hints.stakes import MatchScore, stakes
from pi_board.rules import Play, Position, RuleSet, Side, opponent

Grade = Literal["fine", "doubtful", "error", "blunder"]

#: Equity lost from which a choice is doubtful, an error, a blunder: GNU Backgammon's customary thresholds.
DOUBTFUL, ERROR, BLUNDER = 0.04, 0.08, 0.16

#: Upper ends of the error rate (thousandths per unforced decision) of the ratings that players know.
RATINGS = (
    (2.0, "supernatural"),
    (5.0, "world class"),
    (8.0, "expert"),
    (12.0, "advanced"),
    (18.0, "intermediate"),
    (26.0, "casual player"),
    (35.0, "beginner"),
)

_BELOW = {word: top / 2 for top, word in RATINGS}
#: RATINGS as PRs, in words.
SCALE = (
    f"World class players stay below {_BELOW['world class']:g}, advanced ones below {_BELOW['advanced']:g}, "
    f"casual ones below {_BELOW['casual player']:g}."
)
#: Decisions below which a PR is said to be mostly chance; players' own advice, not measured here.
FEW = 100

#: A roll's luck in words: GNU Backgammon's thresholds, equity.
LUCK = ((0.6, "very lucky"), (0.3, "lucky"), (-0.3, "average"), (-0.6, "unlucky"))


def grade(loss: float) -> Grade:
    """The customary word for an equity loss."""
    if loss >= BLUNDER:
        return "blunder"
    if loss >= ERROR:
        return "error"
    return "doubtful" if loss >= DOUBTFUL else "fine"


def luck_word(luck: float) -> str:
    """Luck of one roll (equity against the mean of all rolls) in words."""
    for least, word in LUCK:
        if (luck >= least) if least > 0 else (luck > least):
            return word
    return "very unlucky"


def rating(error_rate: float) -> str:
    """A player's standard by the error rate (thousandths of equity per unforced decision)."""
    for top, word in RATINGS:
        if error_rate < top:
            return word
    return "learner"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


@dataclass(frozen=True, slots=True)
class PlayReview:
    """What the coach says after a play.

    loss: equity given away against the best play (0 for the best). grade: its word. best: the best play. luck: equity of
    this roll against the mean roll. forced: nothing to decide. words: one or two sentences for the display.
    """

    side: Side
    play: str
    best: RankedPlay
    equity: float
    loss: float
    grade: Grade
    luck: float
    forced: bool
    words: str


@dataclass(frozen=True, slots=True)
class CubeReview:
    """A cube decision looked back on. choice: double, no_double, take or pass."""

    side: Side
    choice: str
    advice: CubeAdvice
    loss: float
    grade: Grade
    words: str
    forced: bool = False


@dataclass(slots=True)
class Account:
    """One player's record over a game or session. Losses and luck in points of equity per unit cube."""

    decisions: int = 0
    cube_decisions: int = 0
    play_loss: float = 0.0
    cube_loss: float = 0.0
    luck: float = 0.0
    grades: dict[str, int] = field(
        default_factory=lambda: {"fine": 0, "doubtful": 0, "error": 0, "blunder": 0}
    )

    @property
    def error_rate(self) -> float:
        """Thousandths of equity lost per unforced decision (plays and close cube decisions); 0 with none yet."""
        n = self.decisions + self.cube_decisions
        return 1000 * (self.play_loss + self.cube_loss) / n if n else 0.0

    @property
    def performance_rating(self) -> float:
        """The PR that players know: 500 × equity lost per unforced decision."""
        return self.error_rate / 2

    @property
    def rating(self) -> str:
        return rating(self.error_rate)


class Coach:
    """Reviews plays and cube decisions as they happen and keeps both players' accounts.

    Pure: positions in, reviews out. level: how far it looks ahead.
    """

    def __init__(
        self,
        *,
        level: Level = "normal",
        rules: str | RuleSet = "international",
        evaluator: Evaluator | None = None,
    ) -> None:
        check_level(level)
        self.level: Level = level
        self.rules = rules
        self.evaluator = evaluator or shared_evaluator()
        self.accounts: dict[Side, Account] = {"light": Account(), "dark": Account()}

    def review_play(
        self,
        position: Position,
        dice: tuple[int, int],
        after: Position,
        side: Side,
        *,
        cube: tuple[int, Side | None] = (1, None),
        match: MatchScore | None = None,
        jacoby: bool | None = None,
    ) -> PlayReview:
        """`side` had `position`, rolled `dice` and left `after`. An `after` that no legal play gives (an illegal play that
        stood) is valued as it lies, but counts as no decision."""
        ranked = rank_plays(
            position,
            dice,
            side,
            cube=cube,
            level=self.level,
            rules=self.rules,
            jacoby=jacoby,
            match=match,
            evaluator=self.evaluator,
        )
        model, state = stakes(side, cube, rules=self.rules, jacoby=jacoby, match=match)
        best = ranked[0]
        made = next((r for r in ranked if r.play.result == after), None)
        if made is not None and made.plies < best.plies:
            made = self._looked_at(made, best.plies, side, model, state)
        if made is None:
            value = self._value(after, best.plies, side, model, state)
            name, loss, legal = "an illegal play", max(0.0, best.equity - value), False
        else:
            value, name, legal = made.equity, str(made.play), True
            loss = 0.0 if made.play.result == best.play.result else max(0.0, best.equity - value)
        forced = len(ranked) == 1
        luck = self._luck(position, dice, side, model, state)
        account = self.accounts[side]
        account.luck += luck
        word = grade(loss)
        if not forced and legal:
            account.decisions += 1
            account.play_loss += loss
            account.grades[word] += 1
        words = self._words(position, best, made, after, side, loss, word, forced, legal)
        return PlayReview(side, name, best, value, loss, word, luck, forced, words)

    def review_double(
        self,
        position: Position,
        side: Side,
        doubled: bool,
        *,
        cube: tuple[int, Side | None] = (1, None),
        match: MatchScore | None = None,
        jacoby: bool | None = None,
    ) -> CubeReview:
        """`side`, about to roll, doubled or did not."""
        advice = self._cube(position, side, cube, match, jacoby)
        e = advice.equities
        turned = min(e.double_take, e.double_pass)
        best = max(e.no_double, turned)
        loss = max(0.0, best - (turned if doubled else e.no_double)) if advice.may_double else 0.0
        word = grade(loss)
        # A decision counts when it was close enough to be one (GNU Backgammon: within 0.16).
        close = (advice.may_double and abs(e.no_double - turned) < 0.16) or loss > 0
        if close:
            account = self.accounts[side]
            account.cube_decisions += 1
            account.cube_loss += loss
            account.grades[word] += 1
        if loss < DOUBTFUL:
            words = "Right, double." if doubled else "Right, no double."
        elif doubled:
            words = (
                f"Too early to double: {_cost(loss)}."
                if e.double_take < e.double_pass
                else f"Too good to double: {_cost(loss)}."
            )
        else:
            words = f"Should have doubled: {_cost(loss)}. " + (
                "It is a take." if advice.take else "It is a pass."
            )
        return CubeReview(side, "double" if doubled else "no_double", advice, loss, word, words, not close)

    def review_answer(
        self,
        position: Position,
        doubler: Side,
        took: bool,
        *,
        cube: tuple[int, Side | None] = (1, None),
        match: MatchScore | None = None,
        jacoby: bool | None = None,
    ) -> CubeReview:
        """The other side took or passed `doubler`'s double. cube: as it was before the double."""
        advice = self._cube(position, doubler, cube, match, jacoby)
        e = advice.equities
        chosen = e.double_take if took else e.double_pass
        loss = max(0.0, chosen - min(e.double_take, e.double_pass))
        word = grade(loss)
        side = opponent(doubler)
        account = self.accounts[side]
        account.cube_decisions += 1
        account.cube_loss += loss
        account.grades[word] += 1
        chance = percent(1 - advice.probabilities[0])
        if loss < DOUBTFUL:
            words = f"Right to {'take' if took else 'pass'} (winning chance {chance})."
        else:
            words = f"Should have {'passed' if took else 'taken'} (winning chance {chance}): {_cost(loss)}."
        return CubeReview(side, "take" if took else "pass", advice, loss, word, words)

    def summary(self, side: Side) -> str:
        """One line for the end of a game."""
        a = self.accounts[side]
        n = a.decisions + a.cube_decisions
        if not n:
            return f"{side}: no decisions yet"
        bad = ", ".join(
            f"{a.grades[g]} {g}{'s' if a.grades[g] != 1 and g != 'doubtful' else ''}"
            for g in ("blunder", "error", "doubtful")
            if a.grades[g]
        )
        return (
            f"{side}: {a.rating}, PR {a.performance_rating:.1f} ({a.error_rate:.1f} thousandths lost per decision, "
            f"{n} decisions{', ' + bad if bad else ''}), luck {a.luck:+.2f}"
        )

    def explanation(self, side: Side) -> str:
        """What the figures of `summary` mean, for somebody who has never heard of a PR."""
        a = self.accounts[side]
        n = a.decisions + a.cube_decisions
        if not n:
            return f"{side.capitalize()} had nothing to decide."
        few = (
            f" {n} decision{'s' if n > 1 else ''} say{'' if n > 1 else 's'} little yet: the PR settles after some hundred."
            if n < FEW
            else ""
        )
        return (
            f"{side.capitalize()}'s PR of {a.performance_rating:.1f} means that each decision gave away {a.error_rate / 1000:.3f} points "
            f"on average, measured against the best choice each time; 0 would be without any error.{few}"
        )

    # -- inside

    def _cube(
        self,
        position: Position,
        side: Side,
        cube: tuple[int, Side | None],
        match: MatchScore | None,
        jacoby: bool | None,
    ) -> CubeAdvice:
        return cube_action(
            position,
            side,
            cube=cube,
            level=self.level,
            jacoby=jacoby,
            rules=self.rules,
            match=match,
            evaluator=self.evaluator,
        )

    def _value(self, after: Position, plies: int, side: Side, model: CubeModel, state: CubeState) -> float:
        search = Search(self.evaluator)
        values, _ = search.values(flip(encode([after], side)), model.flipped(), [state.flipped()], plies)
        return float(model.equity(-values[state.flipped()], state.value)[0])

    def _looked_at(
        self, made: RankedPlay, plies: int, side: Side, model: CubeModel, state: CubeState
    ) -> RankedPlay:
        """The play that was made, looked at as deeply as the best one, so that their difference is fair."""
        value = self._value(made.play.result, plies, side, model, state)
        return RankedPlay(made.play, value, made.probabilities, made.cubeless, made.loss, plies)

    def _luck(
        self, position: Position, dice: tuple[int, int], side: Side, model: CubeModel, state: CubeState
    ) -> float:
        """Equity of the best play of this roll less the mean over all rolls (no look-ahead, as is customary)."""
        rolls = expand_rolls(encode([position], side))
        utility, _, _ = rank_rows(Search(self.evaluator), rolls.results, model, state, ())
        best = model.equity(np.maximum.reduceat(utility, rolls.starts[:-1]), state.value)
        return float(best[ROLLS.index((max(dice), min(dice)))] - best @ ROLL_WEIGHTS)

    def _words(
        self,
        position: Position,
        best: RankedPlay,
        made: RankedPlay | None,
        after: Position,
        side: Side,
        loss: float,
        word: Grade,
        forced: bool,
        legal: bool,
    ) -> str:
        if forced:
            return "The only play." if best.play.moves else "No play."
        if legal and loss < DOUBTFUL:
            return "The best play." if loss == 0 else "A good play."
        name = {"fine": "Fine", "doubtful": "Doubtful", "error": "An error", "blunder": "A blunder"}[word]
        reason = " and ".join(reasons(position, after, best.play, side, made, best))
        return f"{name}: {_cost(loss)}. {'It ' + reason + '. ' if reason else ''}Better: {best.play}."


def _cost(loss: float) -> str:
    return f"costs {loss:.2f} points"


def reasons(
    before: Position,
    after: Position,
    best: Play,
    side: Side,
    made: RankedPlay | None = None,
    top: RankedPlay | None = None,
) -> list[str]:
    """What speaks against leaving `after` instead of the best play's position: at most two short clauses (verb first)."""
    other = opponent(side)
    a, b = encode([after, best.result], other)
    found: list[str] = []
    # The opponent shoots next.
    shots_a, shots_b = hitting_rolls(a), hitting_rolls(b)
    if shots_a >= shots_b + 3:
        blots = _open_blots(a)
        what = "a blot" if blots == 1 else f"{blots} blots"
        found.append(
            f"leaves {what} that {shots_a} of 36 rolls hit (better play: {shots_b})"
            if shots_b
            else f"leaves {what} that {shots_a} of 36 rolls hit"
        )
    bar_a, bar_b = after.bar[_index(other)], best.result.bar[_index(other)]
    if bar_b > bar_a:
        found.append("misses a hit")
    mine_a, mine_b = encode([after, best.result], side)
    made_a, made_b = _made(mine_a), _made(mine_b)
    was = _made(encode([before], side)[0])
    new = sorted(made_b - made_a - was, reverse=True)
    if new and len(found) < 2:
        found.append(f"does not make the {_point(new[0])}")
    lost = sorted((was & made_b) - made_a)
    if lost and len(found) < 2:
        found.append(f"breaks the {_point(lost[0])}")
    if int(mine_b[26]) > int(mine_a[26]) and len(found) < 2:
        n = int(mine_b[26] - mine_a[26])
        found.append(f"bears off {n} checker{'s' if n > 1 else ''} fewer")
    if made is not None and top is not None and len(found) < 2:
        extra = made.probabilities[3] - top.probabilities[3]
        if extra > 0.04:
            found.append(f"loses a gammon {100 * extra:.0f} % more often")
        else:
            missed = top.probabilities[1] - made.probabilities[1]
            if missed > 0.04:
                found.append(f"wins a gammon {100 * missed:.0f} % less often")
    return found[:2]


def hitting_rolls(row: np.ndarray) -> int:
    """Of 36 rolls, how many give the player on roll (from whom the row of 28 is seen) a legal play that hits."""
    rolls = expand_rolls(np.asarray(row, np.int8)[None])
    hits = np.maximum.reduceat(rolls.results[:, 25] > row[25], rolls.starts[:-1])
    return round(36 * float(hits @ ROLL_WEIGHTS))


def _index(side: Side) -> int:
    return 0 if side == "light" else 1


def _open_blots(row: np.ndarray) -> int:
    """Blots of the other side within reach of the player from whom `row` is seen (not all behind its last checker)."""
    points = row[:24]
    rear = 25 if row[24] else (int(np.flatnonzero(points > 0)[-1]) + 1 if (points > 0).any() else 0)
    return int(((points == -1) & (np.arange(1, 25) < rear)).sum())


def _made(row: Sequence[int] | np.ndarray) -> set[int]:
    return {p + 1 for p in range(24) if row[p] >= 2}


def _point(p: int) -> str:
    names = {7: "bar point", 13: "mid-point", 20: "golden anchor (20 point)", 18: "opposing bar point"}
    return names.get(p, f"{p} point")


__all__ = [
    "BLUNDER",
    "DOUBTFUL",
    "ERROR",
    "Account",
    "Coach",
    "CubeReview",
    "Grade",
    "PlayReview",
    "grade",
    "hitting_rolls",
    "luck_word",
    "percent",
    "rating",
    "reasons",
]
