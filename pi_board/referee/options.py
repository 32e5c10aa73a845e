"""What a table may set about its referee."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

from pi_board.errors import InvalidSettingsError

#: strictness → (nats by which an illegal explanation must beat every legal one before red,
#: nats by which it may be ahead while the legal play is still accepted). Green and red never overlap;
#: what lies between is amber. "normal" was chosen from `bench_referee --kept`: see `RefereeOptions`.
MARGINS: dict[str, tuple[float, float]] = {
    "lenient": (9.0, 5.0),
    "normal": (6.0, 3.0),
    "tournament": (4.0, 1.5),
}


@dataclass(frozen=True, slots=True)
class RefereeOptions:
    """strictness: how sure the referee must be before it says "illegal": lenient (two places must say so), normal, tournament.
        By risk against coverage (`bench_referee --kept`): of 677 illegal plays in 107 synthetic games (seed 400000) normal called 92 %,
        and with at most one chance in 10^2, 10^3, 10^4, 10^5, 10^6 of being wrong 89, 87, 80, 49, 45 % would have been left; of 86 in 25
        rendered games (390000) 99 %, and 95, 93, 85, 48, 43 %. None was wrong at any of them: what wrong ones rested on in earlier
        campaigns were premises (whose turn, which dice, from which board), which no margin tells. So normal stands before the curve falls.
    dice_half: dice in the other half than the roller's right-hand one: advise (say so, play on), enforce (roll again),
        ignore. Dice beside the board are rolled again unless ignored.
    agree_looks: settled looks that must agree before anything is said.
    lift_looks: settled looks without dice before they count as lifted.
    claim_patience: seconds an illegal position that could still be a slip (a knocked checker, a move in two steps)
        must lie there untouched before red; a play that has used up the dice needs only `agree_looks`.
    short_patience: seconds after which a play that stopped too early is called illegal although the dice still
        lie there; 0 = only when the dice are lifted.
    lift_patience: seconds of untouched board after the dice are lifted before a play is called too short. Range 0.5-2. In the looks of
        65 games (4010000 to 4052000, `bench_looks.py`) as many illegal plays are flagged with 1.0 as with 1.5 (376 of 386) and no lawful one;
        half of the reds come within 1.2 to 1.5 s of the claim instead of 1.7 to 2.0.
    rethrow_patience: the same where nothing was played at all: the player may be about to throw again. Range 2-4.
    doubt_patience: seconds of a board or dice that cannot be explained before amber says so.
    blocked_patience: seconds without a readable picture before "I can't see"; twenty times that with hands at the board.
    dice_doubt: dice read with less confidence than this are doubted before the play is. Of 19,720 rolls of flat dice in 377 rendered
        games (740000-079, 745000-299) one was misread, with .91; 120 were read with less than .94.
    dice_red: dice read with less confidence than this are no ground for red if what was played is lawful with one other number. (A five
        of nine pixels, on a path-traced board, was a four in every look, with .961, and a lawful play was accused. Of 589 dice on 240
        path-traced boards 576 are read with more, none wrongly; of the 13 others three are misread. Of 453 accusations of 69 rendered
        games all but three rest on dice read with .985.)
    dice_other: the same of one number, where each number's own chance is known: one that is less likely than this is not what the die shows.
        (Of 788 flat dice on path-traced boards three are misread; the chance of what they show is .036 to .06, and always that of the
        number next in line. In one more set, of nine pixels, it was .004 and more of fives read as fours: vision says more of such small ones.)
    key_frames: the pictures show finished moments only (a folder of key frames): nobody holds a checker in them.
    epsilon: largest chance of being wrong with which the filter calls a play illegal; 0 = as strictness says.
    second_opinion: how likely the turn that is judged must be (its player, dice and position) by an account of the game that is
        made in another way, before red; below it amber asks. 0 = not asked. Range 0.4-0.9: of 85 accusations of ten synthetic
        games the three wrong ones had at most 0.37, and 80 of the 82 right ones at least 0.9. In 20 rendered and 46 synthetic games
        no wrong one lay between 0.37 and 0.9, and six right ones did, at 0.63-0.74: the opponent had rolled just before.
    engine: "steps" decides step by step; "filter" weighs hypotheses about what happened between the looks.
    """

    strictness: Literal["lenient", "normal", "tournament"] = "normal"
    dice_half: Literal["advise", "enforce", "ignore"] = "advise"
    agree_looks: int = 2
    lift_looks: int = 4
    claim_patience: float = 3.0
    short_patience: float = 0.0
    lift_patience: float = 1.0
    rethrow_patience: float = 3.0
    doubt_patience: float = 2.5
    blocked_patience: float = 1.5
    dice_doubt: float = 0.95
    dice_red: float = 0.965
    dice_other: float = 0.01
    dice_misread: float = 0.85
    key_frames: bool = False
    second_opinion: float = 0.6
    engine: Literal["steps", "filter"] = "steps"
    epsilon: float = 0.0

    def __post_init__(self) -> None:
        for name, known in (
            ("strictness", tuple(MARGINS)),
            ("dice_half", ("advise", "enforce", "ignore")),
            ("engine", ("steps", "filter")),
        ):
            if getattr(self, name) not in known:
                raise InvalidSettingsError(
                    f"{name}: expected {', '.join(known)}, got {getattr(self, name)!r}"
                )
        for name, least, most in (("agree_looks", 2, 50), ("lift_looks", 2, 100)):
            if not least <= getattr(self, name) <= most:
                raise InvalidSettingsError(f"{name}: expected {least} to {most}, got {getattr(self, name)}")
        for name in (
            "claim_patience",
            "short_patience",
            "lift_patience",
            "rethrow_patience",
            "doubt_patience",
            "blocked_patience",
        ):
            if not 0 <= getattr(self, name) <= 3600:
                raise InvalidSettingsError(f"{name}: expected 0 to 3600 seconds, got {getattr(self, name)}")
        if not 0 <= self.epsilon < 0.5:
            raise InvalidSettingsError(f"epsilon: expected 0 to below 0.5, got {self.epsilon}")
        if not 0 <= self.second_opinion < 1:
            raise InvalidSettingsError(f"second_opinion: expected 0 to below 1, got {self.second_opinion}")
        for name in ("dice_doubt", "dice_red", "dice_other", "dice_misread"):
            if not 0 <= getattr(self, name) < 1:
                raise InvalidSettingsError(f"{name}: expected 0 to below 1, got {getattr(self, name)}")

    @property
    def red_margin(self) -> float:
        return MARGINS[self.strictness][0]

    @property
    def slack(self) -> float:
        return MARGINS[self.strictness][1]

    def for_replay(self) -> RefereeOptions:
        """The same table looking at a folder of key frames: each picture is a finished claim, nobody is mid-move."""
        return dataclasses.replace(
            self,
            lift_looks=2,
            claim_patience=0.5,
            short_patience=1.0,
            lift_patience=0.5,
            rethrow_patience=1.0,
            doubt_patience=1.0,
            blocked_patience=1.0,
            key_frames=True,
        )
