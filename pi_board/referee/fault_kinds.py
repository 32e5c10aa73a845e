"""Kinds of faults, by what they ask of the referee's manners."""

from __future__ import annotations

#: Faults of the board rather than of the play: amber with what is expected, never red. People put them right.
PHYSICAL = frozenset({"hit_checker_not_on_bar", "checker_missing", "checker_added", "moved_opponent"})
#: Faults by having stopped too early: nobody is accused of them while he may still be playing.
TOO_SHORT = frozenset({"must_play_more", "must_play_both", "must_play_larger", "could_have_moved"})
#: Faults that cannot be a checker that its player has set down for a moment while counting.
NO_SLIP = frozenset({"moved_backwards", "must_enter_first", "no_legal_play"})
#: Faults in taking checkers off the board.
BEARING_OFF = frozenset({"not_all_home", "bear_off_too_high", "exact_number_needed"})
#: What may be wrong with a play after which a checker of the home board has left the board.
TAKEN_OFF = BEARING_OFF | {"too_many_moves"}
