"""Whole games without pictures: what lies on the board agrees with the truth log, and the truth log with the rules."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from pi_board.errors import InvalidSettingsError
from pi_board.rules import (
    STARTING_POSITION,
    Position,
    decide_opening,
    explain,
    legal_plays,
    opponent,
    score_game,
)
from pi_board.simulator import (
    FAULTS,
    GameTruth,
    Habits,
    Scene,
    SimulatedTable,
    SimulatorOptions,
    Truth,
    make_table,
    play_game,
)


def play(
    options: SimulatorOptions, watch: Callable[[Scene], None] | None = None, habits: Habits | None = None
) -> list[GameTruth]:
    scene, script = make_table(options, habits=habits)
    for _ in script.frames():
        if watch is not None:
            watch(scene)
    return script.truth.games


def check_game(game: GameTruth, rules: str = "international") -> None:
    """Every turn follows from the one before by a legal play, except where the log says that an illegal one stood."""
    assert game.winner is not None
    opening = decide_opening(*game.opening[-1], rules)
    assert all(a == b for a, b in game.opening[:-1])
    assert game.turns == [] or game.turns[0].side == opening.side
    before = STARTING_POSITION
    side = opening.side
    for turn in game.turns:
        assert turn.side == side and turn.position is not None
        if turn.legal:
            results = {p.result: str(p) for p in legal_plays(before, turn.dice, side, rules)}
            assert turn.position in results and turn.play == results[turn.position]
        else:
            assert turn.illegal[-1].outcome == "stands"
        for shown in turn.illegal:
            assert shown.code and not explain(before, shown.board, turn.dice, side, rules).legal
        before, side = turn.position, opponent(side)
    if game.kind != "pass":
        cube = max([c.value for c in game.cube if c.action == "taken"], default=1)
        score = score_game(before, rules, cube=cube)
        assert (score.winner, score.points, score.kind) == (game.winner, game.points, game.kind)


@pytest.mark.parametrize("seed", range(8))
def test_honest_games_are_legal_and_end(seed: int) -> None:
    (game,) = play(SimulatorOptions(seed=seed, pace="sparse"))
    check_game(game)
    assert game.illegal_shown == 0


@pytest.mark.parametrize("rules", ["jumbo", "schmidt", "classique", "orange-white"])
def test_every_rule_set_can_be_played(rules: str) -> None:
    games = play(SimulatorOptions(seed=5, rules=rules, pace="sparse", games=2))
    for game in games:
        check_game(game, rules)


def test_games_are_of_natural_length_and_end_in_all_ways() -> None:
    games = play(SimulatorOptions(seed=3, games=40, pace="sparse"))
    kinds = Counter(g.kind for g in games)
    assert kinds["single"] and kinds["gammon"] and kinds["pass"]
    played = [len(g.turns) for g in games if g.kind == "single"]
    assert 35 < np.mean(played) < 75
    assert any(c.action == "taken" for g in games for c in g.cube)
    assert any(len(g.opening) > 1 for g in games), "ties happen"
    assert 5 < sum(g.winner == "light" for g in games) < 35


def test_same_seed_same_game_whatever_the_pace() -> None:
    def dice(pace: str, style: str) -> list[tuple[int, int]]:
        (game,) = play(SimulatorOptions(seed=11, pace=pace, style=style))
        return [t.dice for t in game.turns]

    assert dice("sparse", "travel") == dice("sparse", "felt") == dice("brisk", "travel")


def test_sparse_games_are_short() -> None:
    games = play(SimulatorOptions(seed=1, games=6, pace="sparse"))
    # Nobody speaks to these players: they wait the whole time they would listen.
    per_turn = [g.frames / len(g.turns) for g in games]
    assert max(per_turn) < 65


def test_careless_players_still_play_by_the_rules() -> None:
    habits = Habits(cocked=0.2, take_back=0.4, hesitate=0.3, keep_hit=0.8, knock=0.2, untidy=0.8, rest=0.1)
    (game,) = play(SimulatorOptions(seed=2, pace="sparse"), habits=habits)
    check_game(game)
    assert {q for t in game.turns for q in t.quirks} >= {"take_back", "hesitate"}
    assert sum(len(t.thrown_again) for t in game.turns) > 0


def test_cheats_stand_when_nobody_speaks() -> None:
    games = play(SimulatorOptions(seed=4, pace="sparse", cheat=0.4, games=2))
    shown = [i for g in games for t in g.turns for i in t.illegal]
    assert len(shown) > 10 and not any(i.told for i in shown)
    assert Counter(i.outcome for i in shown)["stands"] > 5
    for game in games:
        check_game(game)


def test_cheats_who_are_told_off_put_it_right() -> None:
    def speak(scene: Scene) -> None:
        # A referee that objects all the time; only those who cheat take it to heart.
        scene.tell("illegal")

    games = play(
        SimulatorOptions(seed=4, pace="sparse", cheat=0.5, games=2), watch=speak, habits=Habits(relent=1.0)
    )
    shown = [i for g in games for t in g.turns for i in t.illegal]
    assert len(shown) > 8 and all(i.told and i.outcome == "corrected" for i in shown)
    for game in games:
        assert all(t.legal for t in game.turns)
        check_game(game)


@pytest.mark.parametrize("told", [False, True])
def test_who_throws_too_early_throws_again_when_told(told: bool) -> None:
    def speak(scene: Scene) -> None:
        if told:
            scene.tell("throw_again")

    (game,) = play(
        SimulatorOptions(seed=9, pace="sparse", cube=0.0, faults=((3, "early_roll"),)), watch=speak
    )
    check_game(game)
    assert "early_roll" in game.turns[2].quirks


def test_checkers_never_get_lost() -> None:
    def count(scene: Scene) -> None:
        lying = sum(len(s) for s in scene.places.values())
        in_hand = 30 - lying
        assert in_hand in (0, 1, 2)
        if not scene.hands:
            # A hit checker may be kept in a closed hand that has been drawn back.
            assert in_hand <= 1

    play(SimulatorOptions(seed=6, pace="natural", cheat=0.1, players="careless"), watch=count)


def test_scripted_faults_all_happen() -> None:
    faults = tuple((2 + i, f) for i, f in enumerate(FAULTS))
    (game,) = play(SimulatorOptions(seed=1, pace="sparse", faults=faults, cube=0.0))
    assert FAULTS[-1] == "new_game" and game.winner is None and game.kind == "abandoned"
    wrong, cheated = (i for t in game.turns for i in t.illegal)
    assert wrong.kind == "wrong_side" and cheated.outcome in ("corrected", "stands")
    happened = (
        {f for _, f in game.faults}
        | {c for t in game.turns for c in t.thrown_again}
        | {q for t in game.turns for q in t.quirks}
    )
    assert happened >= set(FAULTS) - {"wrong_side", "cheat"}


def test_a_game_set_up_anew_is_followed_by_another() -> None:
    games = play(SimulatorOptions(seed=1, pace="sparse", games=2, cube=0.0, faults=((4, "new_game"),)))
    assert [g.kind for g in games] == ["abandoned", "abandoned"] and len(games[0].turns) == 4
    assert games[1].opening


def test_a_refused_double_is_said_with_the_button() -> None:
    scene, script = make_table(SimulatorOptions(seed=3, games=30, pace="sparse", cube=1.0))
    presses = []
    for _ in script.frames():
        presses += scene.pressed()
    passed = sum(g.kind == "pass" for g in script.truth.games)
    assert passed > 3 and presses == ["pass"] * passed


def test_match_with_score() -> None:
    scene, script = make_table(SimulatorOptions(seed=2, games=0, match_length=3, pace="sparse"))
    for _ in script.frames():
        pass
    assert script.match.winner is not None and script.truth.score == script.match.score
    assert max(script.truth.score) >= 3


def test_pictures_carry_simulated_time() -> None:
    options = SimulatorOptions(seed=1, pace="sparse", fps=4, width=320, height=180, faults=((0, "dropped"),))
    frames = []
    truth = Truth()
    for frame, truth in play_game(options):  # noqa: B007 - the last one is looked at below
        frames.append(frame)
        if len(frames) == 60:
            break
    assert truth.games and truth.games[0].winner is None
    assert frames[0].time == 0 and all(f.time == pytest.approx(f.seq / 4) for f in frames)
    gaps = [b.seq - a.seq for a, b in itertools.pairwise(frames)]
    assert min(gaps) == 1 and max(gaps) > 1, "dropped frames leave a gap"
    assert not any(f.controls or f.name for f in frames)


def test_start_from_a_position() -> None:
    near_end = Position((2, 2, *([0] * 20), -2, -2), off=(11, 11))
    options = SimulatorOptions(seed=1, pace="sparse", cube=0.0)
    scene, _ = make_table(options)
    from pi_board.simulator import GameScript

    script = GameScript(scene, options, start=near_end)
    for _ in script.frames():
        pass
    (game,) = script.truth.games
    assert game.winner is not None and len(game.turns) < 12


def test_a_sleeve_finds_nothing_to_slide_where_every_top_lies_on_another_checker() -> None:
    stacked = Position((8, 7, *([0] * 20), -7, -8))
    options = SimulatorOptions(seed=1, pace="sparse", cube=0.0, faults=((0, "knocked"),))
    scene, _ = make_table(options)
    from pi_board.simulator import GameScript

    script = GameScript(scene, options, start=stacked)
    for _ in script.frames():
        pass
    (game,) = script.truth.games
    assert game.winner is not None


@pytest.mark.parametrize(
    ("changes", "key"),
    [({"style": "glass"}, "style"), ({"cheat": 2}, "cheat"), ({"pace": "slow"}, "pace"), ({"games": -1}, "games"),
     ({"faults": ((1, "flood"),)}, "faults"), ({"fps": 0}, "fps"), ({"players": "drunk"}, "players")],
)  # fmt: skip
def test_settings_are_checked(changes: dict, key: str) -> None:
    with pytest.raises(InvalidSettingsError, match=f"^{key}: expected"):
        SimulatorOptions(**changes)


def test_a_lens_out_of_focus_stays_so_but_for_a_knock() -> None:
    scene, script = make_table(
        SimulatorOptions(seed=3, blur=2.0, width=640, height=480, faults=((0, "blur"),))
    )
    seen = set()
    for _ in zip(range(200), script.frames(), strict=False):
        seen.add(scene.effects.blur)
    assert seen == {1.0, 4.0}
    assert scene.effects.blur == 1.0


def test_table_ends() -> None:
    table = SimulatedTable(SimulatorOptions(seed=1, pace="sparse", width=160, height=120))
    table._frames = iter(())
    assert table.next_frame() is None


def test_patient_players_wait_until_the_set_up_was_seen() -> None:
    for told, first in ((None, 10.0), (4.0, 4.0)):
        table = SimulatedTable(SimulatorOptions(seed=3, pace="sparse", patience=10.0, fps=5))
        thrown = 0.0
        while not table.scene.dice and table.pass_by():
            thrown = table.script.clock
            if told is not None and thrown >= told:
                table.tell("ready")
        assert first <= thrown < first + 4
