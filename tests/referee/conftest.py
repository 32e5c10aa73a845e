"""Every story of a game is told to both engines of the referee."""

from __future__ import annotations

import sys

import pytest

from pi_board.referee import Referee
from pi_board.referee.inference import FilterReferee

ENGINES = {"steps": Referee, "filter": FilterReferee}
#: Modules of this folder that make referees by this name.
TELLERS = ("synthetic", "test_game", "test_fuzz")
#: What the filter does not do (yet), or does otherwise and as well, and why.
STEPS_ONLY = {
    "test_a_throw_beside_a_board_that_is_not_as_it_was_left_accuses_nobody": "the filter tells the turn that nobody saw",
    "test_a_second_throw_that_cannot_be_played_either": "whose roll it was stays open until the next one",
    "test_the_opponent_may_have_danced_unseen_before_this_roll": "the filter weighs the turn that nobody saw when it is played",
    "test_a_dance_rolled_in_the_other_half_is_a_dance_once_the_opponent_rolls": "likewise",
    "test_without_a_custom_the_next_throw_is_the_opponents": "the filter leaves open whose roll it was until it is played",
    "test_the_play_tells_who_threw_in_the_half_of_a_player_who_danced": "likewise",
    "test_an_illegal_play_stood_and_the_next_dice_were_never_seen": "two turns of which one was not seen: amber",
    "test_an_illegal_first_play_is_not_explained_by_another_opening_throw": "amber where the die was read doubtfully",
    "test_a_throw_that_was_to_be_repeated_and_is_played_counts": "asks about the play and not about the dice",
    "test_a_beginning_that_nobody_saw_costs_a_turn_or_two": "the filter tells the unseen turn where it can, with its own words",
    "test_what_is_done_after_the_first_player_has_lifted_the_opening_dice_is_not_held_against_him": "silent, or amber",
    "test_a_whole_play_tells_the_roll_once_what_looked_like_dice_is_lifted": "waits for the next roll",
    "test_a_whole_first_play_tells_the_opening_once_the_die_that_was_read_is_lifted": "likewise",
    "test_a_cube_seen_once_at_the_takers_and_dice_seen_twice_say_that_the_double_was_taken": "counts looks only",
    "test_a_double_may_be_passed_before_its_offer_was_seen": "not yet",
    "test_a_board_that_is_nearly_set_up_is_told_what_differs": "not yet",
    "test_a_board_whose_start_is_not_recognised_says_so": "not yet",
    "test_a_board_whose_players_have_changed_seats_is_asked_about": "not yet",
    "test_a_game_that_vision_cannot_follow_says_so": "not yet",
    "test_a_throw_beside_another_position_says_that_it_is_not_refereed": "not yet",
    "test_who_plays_while_no_dice_can_be_read_is_told_so": "not yet",
    "test_who_doubles_lets_the_illegal_play_stand": "not yet",
    "test_what_becomes_of_an_illegal_play_is_a_rule_of_the_table": "follows the law of most tables",
    "test_a_play_that_has_to_be_put_right_is_waited_for": "likewise",
    "test_nobody_is_accused_from_one_of_two_boards_that_look_alike": "accuses here: the board before is one board",
    "test_a_start_seen_once_before_and_once_after_a_hand_is_seen_twice": "not yet",
    "test_dice_are_lifted_after_a_few_quick_looks_or_two_slow_ones": "counts looks only",
    "test_a_play_that_fits_badly_is_believed_after_many_looks_or_a_few_slow_ones": "counts looks only",
    "test_who_has_rolled_and_lifted_was_playing_however_few_looks_saw_it": "counts looks only",
    "test_dice_that_were_seen_beside_the_hand_only_are_the_roll_that_was_played": "not yet",
    "test_who_puts_a_play_right_may_pause_where_every_part_of_it_is_lawful": "not yet",
    "test_of_dice_one_of_which_lay_behind_a_cup_the_other_tells_which_they_were": "not yet",
    "test_a_turn_that_was_seen_on_the_board_counts_though_the_next_player_has_moved": "silent",
    "test_a_roll_of_which_one_die_lay_behind_a_cup_has_been_played_when_the_other_is_lifted": "not yet",
    "test_what_was_moved_beside_the_only_die_of_the_next_roll_is_not_held_against_who_rolled_before": "not yet",
    "test_half_a_repeated_play_beside_dice_that_lie_there_is_the_second_players": "takes it for his at once",
    "test_who_lifts_the_dice_from_beside_his_play_and_half_of_the_others_has_moved_the_others_checker": "likewise",
    "test_a_checker_that_was_taken_off_too_soon_is_off_when_the_opponent_rolls": "not yet",
    "test_a_seventh_checker_that_was_asked_about_lies_there_when_the_opponent_rolls": "not yet",
    "test_who_puts_a_play_right_that_was_seen_wrong_once_may_pause_halfway": "not yet",
    "test_a_die_that_was_read_nearly_surely_is_asked_about_when_only_another_number_makes_the_play_lawful": "silent",
    "test_a_processor_that_looks_once_between_two_hands_follows_the_game": "not yet",
    "test_a_die_is_doubted_for_another_number_by_the_chance_of_that_number": "weighs the confidence alone",
    "test_whose_checkers_move_beside_both_opening_dice_in_his_half_has_played_them": "named where two dice each are rolled, too",
    "test_of_finished_moments_an_opening_is_taken_from_its_play_where_one_die_was_seen": "not yet",
    "test_of_finished_moments_a_game_is_followed_though_nobody_can_see_its_dice": "not yet",
    "test_of_finished_moments_a_play_with_another_number_was_right_when_the_opponent_has_played_on": "not yet",
    "test_of_finished_moments_a_dance_that_nobody_saw_is_passed_over": "not yet",
    "test_who_puts_back_a_play_from_which_his_dice_were_taken_rolled_others": "not yet",
    "test_however_long_hands_move_beside_dice_that_lay_there_from_the_start_it_is_this_turn": "asks",
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Both engines, where a module makes referees; the one that no table has, unless it is asked for, among the slow tests."""
    if metafunc.module.__name__.rpartition(".")[2] in TELLERS:
        both = [pytest.param("filter", marks=pytest.mark.slow), "steps"]
        metafunc.parametrize("engine", both, indirect=True)


@pytest.fixture(autouse=True)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The engine by name; "steps" where a module makes no referees."""
    name_of_it = getattr(request, "param", "steps")
    reason = STEPS_ONLY.get(getattr(request.node, "originalname", ""))
    if reason is not None and name_of_it == "filter":
        pytest.skip(f"the filter: {reason}")
    for name in TELLERS:
        module = (
            sys.modules.get(name)
            or sys.modules.get(f"referee.{name}")
            or sys.modules.get(f"tests.referee.{name}")
        )
        if module is not None and hasattr(module, "Referee"):
            monkeypatch.setattr(module, "Referee", ENGINES[name_of_it])
    return str(name_of_it)
