"""`RuleSet`: the law of one leaflet as data, and the five leaflets as presets.

Nothing in this package asks for a rule set's name: every difference between leaflets is one option below, so a
house rule is one line (`RULE_SETS["jumbo"].with_options(jacoby=True)`, or `[house_rules]` in the settings file).
"""

from __future__ import annotations

import dataclasses
import difflib
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from pi_board.errors import InvalidSettingsError


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """Every option of the game; the defaults are the international game (leaflet 002).

    name, title: how people choose it. No rule depends on them.

    **Colours and numbering**

    light_colour, dark_colour: what the leaflet calls the two sides ("" = it names none).
    numbering: who runs 24→1 in the leaflet's own text. "light_down": light 24→1, dark 1→24 (our absolute
        numbering); "mirrored": any of the four mirrored set-ups, from the picture.

    **Opening**

    opening: "one_die_each" (higher number begins) or "highest_throw" (both roll the dice, higher total begins;
        one die each is accepted too). Ties are rolled again.
    opening_numbers: what the beginner plays: "rolled" (the numbers of the opening roll) or "new_roll".
    second_player_repeats: the second player plays the same two numbers before normal rolling begins.

    **How much must be played**

    must_play: "most" (as many dice as possible; of a double up to four) or "each_in_turn" (the dice one after
        the other in any order; each is played if it can be at that moment; no duty to look ahead).
    if_only_one: when no play uses both dice: "larger_first" (the larger if it can be, else the smaller),
        "either", or "larger_only" (the smaller alone is never played).
    when_all_home: once all of the mover's checkers are home: "duty" (nothing changes), "free" (each die may be
        played or left), or "may_stop" (the player may stop at any moment, but what is played must be
        the beginning of a play that the duty would allow).

    **Entering**

    entering: "any_die", or "larger_die_first" (if the larger cannot enter, the whole roll is lost).
    blot_blocks_entry: a single opposing checker already blocks entering (literal reading of leaflet 001).

    **Bearing off**

    large_die_bears_off: a die larger than needed takes a checker off: "from_highest" (only from the highest point,
        when nothing stands on the die's point or above), "always", or "never" (exact number only).
    bear_off_in_mid_roll: with the rest of a roll whose first part brought the last checker home.

    **What a win is worth**

    scoring: "levels" (single 1, gammon 2, backgammon 3, × cube), "per_checker" (1 per checker that the loser
        still has) or "game" (the game only: 1).
    backgammon_although_borne_off: a loser's checker in the winner's home or on the bar makes it a backgammon even
        when others are off.
    doubled_outside: per_checker only: "all" (one checker outside its home doubles the sum) or "those_outside".
    jacoby: in a game without an accepted double, gammon and backgammon count 1 (money sessions only).

    **Cube**

    cube: "yes", "several_games" (only when a match or session of several games is agreed) or "no".
    cube_limit: highest value, 0 = none (64 is only the highest that the cube shows).
    crawford: in a match, no doubling in the first game after a player stands at match point.

    **Procedure at the table**

    dice_place: "right_half" (the roller's right-hand half), "board" (anywhere on it) or "beside" (a dice capsule).
    dice_flat, dice_off_checkers: leaning dice, dice on a checker are rolled again.
    turn_ends: "dice_lifted" (lifting the dice ends the turn; before that nobody rolls) or "opponent_rolls".
    illegal_play: "opponent_decides" (corrected on demand or left: his roll lets it stand) or "must_correct" (his roll does not; if
        he plays it, they have agreed).
    correctable_until: "opponent_rolled" or "turn_ended" (where lifting the dice ends the turn, that makes the play final).
    """

    name: str = "international"
    title: str = "International rules"

    light_colour: str = "white"
    dark_colour: str = "black"
    numbering: Literal["light_down", "mirrored"] = "mirrored"

    opening: Literal["one_die_each", "highest_throw"] = "one_die_each"
    opening_numbers: Literal["thrown", "new_roll"] = "thrown"
    second_player_repeats: bool = False

    must_play: Literal["most", "each_in_turn"] = "most"
    if_only_one: Literal["larger_first", "either", "larger_only"] = "larger_first"
    when_all_home: Literal["duty", "may_stop", "free"] = "duty"

    entering: Literal["any_die", "larger_die_first"] = "any_die"
    blot_blocks_entry: bool = False

    large_die_bears_off: Literal["from_highest", "always", "never"] = "from_highest"
    bear_off_in_mid_roll: bool = True

    scoring: Literal["levels", "per_checker", "game"] = "levels"
    backgammon_although_borne_off: bool = False
    doubled_outside: Literal["all", "those_outside"] = "all"
    jacoby: bool = False

    cube: Literal["yes", "several_games", "no"] = "yes"
    cube_limit: int = 0
    crawford: bool = True

    dice_place: Literal["right_half", "board", "beside"] = "right_half"
    dice_flat: bool = True
    dice_off_checkers: bool = True
    turn_ends: Literal["dice_lifted", "opponent_rolls"] = "dice_lifted"
    illegal_play: Literal["opponent_decides", "must_correct"] = "opponent_decides"
    correctable_until: Literal["opponent_rolled", "turn_ended"] = "opponent_rolled"

    def __post_init__(self) -> None:
        for name, kind in _kinds().items():
            value = getattr(self, name)
            if typing.get_origin(kind) is Literal:
                choices = typing.get_args(kind)
                if value not in choices:
                    raise InvalidSettingsError(f"{name}: expected one of {', '.join(choices)}, got {value!r}")
            elif type(value) is not kind:
                expected = {bool: "true or false", int: "a whole number", str: "a text"}[kind]
                raise InvalidSettingsError(f"{name}: expected {expected}, got {value!r}")
        if self.cube_limit < 0 or self.cube_limit & (self.cube_limit - 1):
            raise InvalidSettingsError(
                f"cube_limit: expected 0 (none) or a power of two, got {self.cube_limit}"
            )

    def with_options(self, **options: Any) -> RuleSet:
        """This rule set with house rules. Raises InvalidSettingsError naming the unknown option or bad value."""
        known = _kinds()
        for option in options:
            if option not in known:
                near = difflib.get_close_matches(option, known, 1)
                raise InvalidSettingsError(
                    f"{option}: no such rule"
                    + (f" (did you mean {near[0]}?)" if near else f", expected one of {', '.join(known)}")
                )
        return dataclasses.replace(self, **options)

    @property
    def plays_international(self) -> bool:
        """True when exactly the plays of the international game are legal (then the fast generator serves)."""
        return (
            self.must_play == "most"
            and self.if_only_one == "larger_first"
            and self.when_all_home == "duty"
            and self.entering == "any_die"
            and not self.blot_blocks_entry
            and self.large_die_bears_off == "from_highest"
            and self.bear_off_in_mid_roll
        )

    def to_document(self) -> dict[str, Any]:
        """All options as plain JSON values."""
        return dataclasses.asdict(self)


def _kinds() -> dict[str, Any]:
    if not _KINDS:
        hints = typing.get_type_hints(RuleSet)
        _KINDS.update((f.name, hints[f.name]) for f in dataclasses.fields(RuleSet))
    return _KINDS


_KINDS: dict[str, Any] = {}


def rule_set(rules: str | RuleSet) -> RuleSet:
    """The preset called `rules`, or `rules` itself when it is one already. Raises InvalidSettingsError."""
    if isinstance(rules, RuleSet):
        return rules
    try:
        return RULE_SETS[rules]
    except (KeyError, TypeError):
        raise InvalidSettingsError(f"rules: expected one of {', '.join(RULE_SETS)}, got {rules!r}") from None


def _international() -> RuleSet:
    """Leaflet 002 ("Die international üblichen Regeln des modernen Backgammon"); other leaflets' silence is filled from it."""
    return RuleSet()


def _jumbo() -> RuleSet:
    """Leaflet 004, Jumbo Backgammon & Solitaire Travel: white 24→1, dice capsule beside the board, cube for several
    games only, three points for a checker in the winner's home or on the bar even when others are off."""
    return RuleSet(
        name="jumbo",
        title="Jumbo Backgammon & Solitaire Travel",
        numbering="light_down",
        opening="highest_throw",
        backgammon_although_borne_off=True,
        cube="several_games",
        dice_place="beside",
        # The capsule keeps the dice off the board; its glass decides what lies flat.
        dice_off_checkers=False,
    )


def _schmidt() -> RuleSet:
    """Leaflet 000 (Schmidt, eight languages): dice one after the other without looking ahead, any checker that gets past
    the edge may come off, one point per checker left, doubled if one stands outside its home; no cube.
    The English text doubles only those outside: `doubled_outside="those_outside"`."""
    return RuleSet(
        name="schmidt",
        title="Schmidt family rules",
        light_colour="",
        dark_colour="",
        must_play="each_in_turn",
        if_only_one="either",
        large_die_bears_off="always",
        scoring="per_checker",
        cube="no",
    )


def _classique() -> RuleSet:
    """Leaflet 001, Collection Classique: the second player repeats the opening numbers; both dice or the larger, never
    the smaller alone; the larger die enters first or the roll is lost; bearing off by the exact number only; no duty
    once all are home. Its "one or more" opposing checkers that block entering: `blot_blocks_entry=True`."""
    return RuleSet(
        name="classique",
        title="Collection Classique",
        second_player_repeats=True,
        if_only_one="larger_only",
        when_all_home="free",
        entering="larger_die_first",
        large_die_bears_off="never",
    )


def _orange_white() -> RuleSet:
    """Leaflet 003 (orange and white): orange 1→24, white 24→1; plays as international; only the game counts, no cube."""
    return RuleSet(
        name="orange-white",
        title="Orange and white",
        light_colour="white",
        dark_colour="orange",
        numbering="light_down",
        scoring="game",
        cube="no",
    )


#: The five leaflets by name.
RULE_SETS: Mapping[str, RuleSet] = MappingProxyType(
    {r.name: r for r in (_international(), _jumbo(), _schmidt(), _classique(), _orange_white())}
)
