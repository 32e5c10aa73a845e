"""Figures over recorded games, from events whose truth is written down here."""

from __future__ import annotations

import math
import random
import xml.etree.ElementTree as ET

import pytest

from pi_board.events import (
    DiceCorrected,
    DiceRolled,
    Event,
    GameAbandoned,
    GameStarted,
    GameWon,
    MatchStarted,
    OpeningThrown,
    Paused,
    PlayIllegal,
    PlayStands,
    TurnEnded,
    TurnReopened,
)
from pi_board.record.plots import bars, lines
from pi_board.record.statistics import Statistics, fairness, fairness_words, trend, trend_words
from pi_board.rules import STARTING_POSITION, Position, Side, legal_plays


def turn(side: Side, dice: tuple[int, int], position: Position, begin: float, seconds: float) -> list[Event]:
    play = legal_plays(position, dice, side)[0]
    return [
        DiceRolled(side=side, dice=dice, time=begin),
        TurnEnded(
            side=side,
            position=play.result,
            dice=dice,
            play=str(play),
            moves=tuple(play.moves),
            time=begin + seconds,
        ),
    ]


def evening() -> list[Event]:
    """Two games: Anna (light) wins a gammon on a 2-cube; the second is left after one turn."""
    first = legal_plays(STARTING_POSITION, (3, 1), "light")[0].result
    second = legal_plays(first, (6, 6), "dark")[0].result
    wrong = PlayIllegal(
        side="light", dice=(5, 2), code="wrong_number", reason="", position=second, seen=STARTING_POSITION
    )
    return [
        MatchStarted(rules="international", light_name="Anna", dark_name="Bob"),
        GameStarted(game=1, position=STARTING_POSITION),
        OpeningThrown(light=4, dark=4, time=0),
        OpeningThrown(light=3, dark=1, side="light", time=5),
        *turn("light", (3, 1), STARTING_POSITION, 5, 4.0),
        *turn("dark", (6, 6), first, 20, 10.0),
        DiceRolled(side="light", dice=(5, 1), time=40),
        DiceCorrected(side="light", dice=(5, 2), by="vision", time=41),
        wrong,
        PlayStands(side="light", dice=(5, 2), position=STARTING_POSITION),
        TurnEnded(side="light", position=STARTING_POSITION, dice=(5, 2), legal=False, time=46),
        GameWon(side="light", points=4, kind="gammon", cube=2, score=(4, 0)),
        GameStarted(game=2, position=STARTING_POSITION, score=(4, 0)),
        DiceRolled(side=None, dice=(2, 1), time=60),
        TurnEnded(side="dark", position=STARTING_POSITION, dice=(2, 1), time=62),
    ]


def test_results_verdicts_dice_and_times() -> None:
    statistics = Statistics()
    statistics.add(evening(), "session-1")
    document = statistics.to_document()
    anna, bob = document["players"]["Anna"], document["players"]["Bob"]
    assert (anna["games"], anna["won"], anna["points"], anna["turns"]) == (1, 1, 4, 2)
    assert (bob["games"], bob["won"], bob["points"], bob["turns"]) == (1, 0, 0, 2)
    assert anna["illegal"] == {"wrong_number": 1} and anna["stood"] == 1 and not bob["illegal"]
    assert (anna["seconds_per_turn"], anna["longest_turn"], bob["longest_turn"]) == (6.0, 6.0, 10.0)
    # Thrown: 4 4 (tie), 3 1 (one die each), 6 6, 5 2 (misread as 5 1 at first), 2 1.
    assert document["dice"] == {"1": 2, "2": 2, "3": 1, "4": 2, "5": 1, "6": 2}
    assert document["rolls"] == 4 and document["doubles"] == 1
    assert anna["dice"] == {"1": 0, "2": 1, "3": 1, "4": 1, "5": 1, "6": 0}
    assert bob["dice"] == {"1": 2, "2": 1, "3": 0, "4": 1, "5": 0, "6": 2}
    one, two = document["games"]
    assert (one["winner"], one["points"], one["kind"], one["players"]["Bob"]["turns"]) == (
        "Anna",
        4,
        "gammon",
        1,
    )
    assert two["winner"] is None and two["players"]["Bob"]["turns"] == 1


def test_sums_over_sessions() -> None:
    statistics = Statistics()
    for n in range(3):
        statistics.add(evening(), f"session-{n}")
    anna = statistics.players["Anna"]
    assert (anna.games, anna.points, anna.turns, anna.illegal["wrong_number"]) == (3, 12, 6, 3)
    assert [g.session for g in statistics.games] == [f"session-{n}" for n in range(3) for _ in range(2)]


def test_a_turn_taken_back_counts_once() -> None:
    events = evening()[:6]
    after = events[-1]
    assert isinstance(after, TurnEnded) and after.dice is not None
    reopened = TurnReopened(side="light", dice=after.dice, position=STARTING_POSITION, time=10)
    statistics = Statistics()
    transcript = statistics.add([*events, reopened, after])
    assert statistics.players["Anna"].turns == 1
    assert len(transcript.result().games[0].actions) == 1


def test_a_pause_is_no_thinking() -> None:
    events = evening()[:6]
    statistics = Statistics()
    statistics.add([*events[:-1], Paused(time=6), events[-1]])
    assert statistics.players["Anna"].seconds == []


def test_abandoned_and_second_match() -> None:
    played = evening()[:7]
    statistics = Statistics()
    other = MatchStarted(rules="international", match_length=3, light_name="Carl", dark_name="Dora")
    statistics.add([*played, GameAbandoned(position=STARTING_POSITION), other, *evening()[1:]], "s")
    assert [(g.match, g.game, g.winner, g.names[0]) for g in statistics.games] == [
        (1, 1, "", "Anna"),
        (2, 1, "Carl", "Carl"),
        (2, 2, "", "Carl"),
    ]


def test_players_of_the_same_name_are_kept_apart() -> None:
    statistics = Statistics()
    statistics.add([MatchStarted(light_name="X", dark_name="X", rules="international"), *evening()[1:]])
    assert sorted(statistics.players) == ["X (dark)", "X (light)"]


@pytest.mark.parametrize(
    ("counts", "p"),
    # Against tables of the chi-square distribution with 5 degrees of freedom: 5 % at 11.070, 1 % at 15.086.
    [((10, 10, 10, 10, 10, 10), 1.0), ((0,) * 6, 1.0)],
)
def test_fairness_of_even_dice(counts: tuple[int, ...], p: float) -> None:
    assert fairness(counts) == pytest.approx(p)


@pytest.mark.parametrize(
    ("x", "p"), [(1.145, 0.95), (4.351, 0.5), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001)]
)
def test_fairness_is_the_tail_of_chi_square(x: float, p: float) -> None:
    """Two numbers d above and below the mean of 600 give the statistic 2 d² / 600."""
    d = math.sqrt(x * 600 / 2)
    counts = [600 + d, 600 - d, 600, 600, 600, 600]
    assert fairness(counts) == pytest.approx(p, rel=0.01)  # type: ignore[arg-type]


def test_fair_dice_are_rarely_accused_and_loaded_ones_mostly() -> None:
    rng = random.Random(4)

    def accused(weights: tuple[float, ...]) -> float:
        tries = 400
        found = 0
        for _ in range(tries):
            thrown = rng.choices(range(6), weights, k=600)
            found += fairness([thrown.count(n) for n in range(6)]) < 0.01
        return found / tries

    assert accused((1, 1, 1, 1, 1, 1)) < 0.03
    assert accused((1, 1, 1, 1, 1, 1.6)) > 0.9


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((1, 2, 3, 0, 0, 0), "too few"),
        ((20, 22, 19, 21, 18, 20), "nothing against"),
        ((20, 20, 20, 20, 20, 42), "suspicious"),
        ((10, 10, 10, 10, 10, 60), "very unlikely"),
    ],
)
def test_fairness_words(counts: tuple[int, ...], words: str) -> None:
    assert words in fairness_words(counts)


@pytest.mark.parametrize(
    ("values", "slope", "words"),
    [
        ([], 0.0, "too few"),
        ([9.0], 0.0, "too few"),
        ([10, 8, 6, 4, 2], -2.0, "falling by 20.0 in ten games"),
        ([5, 5, 5, 5, 5], 0.0, "steady"),
        ([1, 2, 3, 4, 5, 6], 1.0, "rising by 10.0"),
    ],
)
def test_trend(values: list[float], slope: float, words: str) -> None:
    assert trend(values) == pytest.approx(slope) and words in trend_words(values)


@pytest.mark.parametrize(
    "plot",
    [
        bars("Dice <&>", [str(n) for n in range(1, 7)], [1, 2, 3, 4, 5, 6], expected=3.5),
        bars("nothing", [], []),
        bars("zeros", ["a"], [0.0]),
        lines("Points", {"Anna & Bob": [0, 1, 3], '"B"': [0, 0, -2]}, unit=" s"),
        lines("nothing", {}),
        lines("one", {"a": [1.0]}),
    ],
)
def test_plots_are_well_formed(plot: str) -> None:
    root = ET.fromstring(plot)
    assert root.tag.endswith("svg") and "nan" not in plot


def test_a_player_keeps_the_colour_where_others_are_missing() -> None:
    both = lines("x", {"Anna": [1.0, 2.0], "Bo": [2.0, 1.0]}, order=["Anna", "Bo"])
    one = lines("x", {"Bo": [2.0, 1.0]}, order=["Anna", "Bo"])
    named = {t.text: t.get("fill") for t in ET.fromstring(both).iter() if t.tag.endswith("text")}
    assert named["Bo"] != named["Anna"] and f'fill="{named["Bo"]}">Bo</text>' in one
    # Red is for what was illegal only.
    assert "#b3261e" in bars("x", ["a"], [1.0], kind="illegal") and "#b3261e" not in both + bars(
        "x", ["a"], [1.0], expected=1
    )


def test_bars_are_as_high_as_their_values() -> None:
    root = ET.fromstring(bars("x", ["a", "b"], [10.0, 5.0]))
    heights = [
        float(r.get("height", "0"))
        for r in root.iter()
        if r.tag.endswith("rect") and r.get("fill") == "#24527a"
    ]
    assert heights[0] == pytest.approx(2 * heights[1], abs=0.11)
