"""The coach's words and accounts."""

import pytest

from pi_board.hints import Coach, rank_plays
from pi_board.hints.coach import grade, luck_word, rating, reasons
from pi_board.rules import STARTING_POSITION, Play, Position, legal_plays

from .test_bearoff import race


def after(text: str, dice: tuple[int, int], position: Position = STARTING_POSITION) -> Position:
    return next(
        p.result for p in legal_plays(position, dice) if sorted(str(p).split()) == sorted(text.split())
    )


@pytest.mark.parametrize(
    ("loss", "word"),
    [
        (0, "fine"),
        (0.039, "fine"),
        (0.04, "doubtful"),
        (0.08, "error"),
        (0.159, "error"),
        (0.16, "blunder"),
        (2, "blunder"),
    ],
)
def test_thresholds(loss: float, word: str) -> None:
    assert grade(loss) == word


@pytest.mark.parametrize(
    ("luck", "word"),
    [(0.7, "very lucky"), (0.4, "lucky"), (0, "average"), (-0.4, "unlucky"), (-0.9, "very unlucky")],
)
def test_luck_words(luck: float, word: str) -> None:
    assert luck_word(luck) == word


def test_ratings_go_down_with_the_error_rate() -> None:
    assert rating(0) == "supernatural" and rating(9) == "advanced" and rating(100) == "learner"


def test_a_good_and_a_bad_play() -> None:
    coach = Coach()
    good = coach.review_play(STARTING_POSITION, (3, 1), after("8/5 6/5", (3, 1)), "light")
    assert good.loss == 0 and good.words == "The best play." and good.luck > 0.05
    bad = coach.review_play(STARTING_POSITION, (3, 1), after("13/10 6/5", (3, 1)), "light")
    assert bad.grade == "blunder" and "of 36 rolls hit" in bad.words and "Better: 8/5 6/5" in bad.words
    account = coach.accounts["light"]
    assert (
        account.decisions == 2
        and account.grades["blunder"] == 1
        and account.play_loss == pytest.approx(bad.loss)
    )
    assert account.error_rate == pytest.approx(
        500 * bad.loss
    ) and account.performance_rating == pytest.approx(250 * bad.loss)
    assert coach.accounts["dark"].decisions == 0
    assert "1 blunder" in coach.summary("light") and coach.summary("dark") == "dark: no decisions yet"
    # In words: half of thousandths is a PR, and two decisions are few.
    said = coach.explanation("light")
    assert (
        f"PR of {account.performance_rating:.1f}" in said
        and f"{account.error_rate / 1000:.3f} points" in said
    )
    assert "2 decisions say little" in said and coach.explanation("dark") == "Dark had nothing to decide."


def test_the_play_made_is_looked_at_as_deeply_as_the_best() -> None:
    for dice, made in (((3, 1), "13/10 6/5"), ((6, 5), "13/7 13/8")):
        result = after(made, dice)
        coach = Coach(level="fast")
        review = coach.review_play(STARTING_POSITION, dice, result, "light")
        deep = rank_plays(STARTING_POSITION, dice, level="deep")
        wanted = next(p.loss for p in deep if p.play.result == result)
        assert review.best.plies == 1 and review.loss == pytest.approx(wanted, abs=0.05)


def test_luck_adds_up_to_nothing_over_all_rolls() -> None:
    coach, total = Coach(level="fast"), 0.0
    for a in range(1, 7):
        for b in range(1, a + 1):
            play = legal_plays(STARTING_POSITION, (a, b))[0]
            total += coach.review_play(STARTING_POSITION, (a, b), play.result, "light").luck * (
                1 if a == b else 2
            )
    assert total == pytest.approx(0, abs=1e-4)


def test_forced_plays_are_no_decisions() -> None:
    coach = Coach(level="fast")
    position = race({1: 1}, {1: 1})
    review = coach.review_play(position, (2, 1), legal_plays(position, (2, 1))[0].result, "light")
    assert review.forced and review.words == "The only play." and coach.accounts["light"].decisions == 0


def test_an_illegal_play_that_stood_is_no_decision() -> None:
    coach = Coach(level="fast")
    review = coach.review_play(STARTING_POSITION, (3, 1), after("24/18", (4, 2)), "light")
    assert review.play == "an illegal play" and coach.accounts["light"].decisions == 0


def test_words_tell_what_was_missed() -> None:
    blot = Position((0, 0, 0, 0, -1, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, -1, 0, 0, 0, 2))
    plays = {str(p): p for p in legal_plays(blot, (3, 1))}
    hit = next(p for text, p in plays.items() if "8/5*" in text and "6/5" in text)
    quiet = plays["13/10 24/23"] if "13/10 24/23" in plays else plays["24/23 13/10"]
    found = reasons(blot, quiet.result, hit, "light")
    assert "misses a hit" in found


def test_breaking_a_point_is_named() -> None:
    keep, broken = after("13/10 6/5", (3, 1)), after("8/5 8/7", (3, 1))
    clauses = reasons(STARTING_POSITION, broken, Play((), keep), "light")
    assert any("8 point" in c or "of 36 rolls" in c for c in clauses)


def test_cube_reviews() -> None:
    coach = Coach(level="fast")
    early = coach.review_double(STARTING_POSITION, "light", True)
    assert early.grade == "blunder" and early.words.startswith("Too early")
    right = coach.review_double(STARTING_POSITION, "light", False)
    assert right.loss == 0
    passed = coach.review_answer(STARTING_POSITION, "light", False)
    assert passed.side == "dark" and passed.grade == "blunder" and "Should have taken" in passed.words
    win = race({1: 1}, {1: 1})
    missed = coach.review_double(win, "light", False)
    assert missed.loss == pytest.approx(0, abs=1e-6)  # this roll wins anyway, with or without the cube
    taken = coach.review_answer(win, "light", True)
    assert taken.loss == pytest.approx(1, abs=1e-6) and "Should have passed" in taken.words
