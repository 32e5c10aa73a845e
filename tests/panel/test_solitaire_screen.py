"""The small display during the 37-hole game: every sentence in every language, and what changes on the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from pi_board.output import Moment, SolitaireView
from pi_board.panel.canvas import wrap
from pi_board.panel.language import LANGUAGES, load_language
from pi_board.panel.lettering import LETTER
from pi_board.panel.screens import Showing, draw
from pi_board.panel.solitaire_screen import solitaire_sentence
from pi_board.panel.strip import text_pages
from pi_board.panel.strip_lamps import Lamp, lamps_of
from pi_board.solitaire import BOARD_37, bit
from pi_board.table import TableView

HOLES = tuple(BOARD_37.to_holes(BOARD_37.full ^ bit(19) ^ bit(5)))
SEEN = tuple(BOARD_37.to_holes(BOARD_37.full ^ bit(5) ^ bit(17)))
CODES = ("diagonal", "nothing_jumped", "not_removed", "removed_wrong", "too_far", "piece_added", "piece_removed", "unclear")  # fmt: skip
VIEWS = [
    SolitaireView("set_up", HOLES),
    SolitaireView("play", HOLES, last="17-19"),
    SolitaireView("play", HOLES, last="17-19-33", winnable=False),
    SolitaireView("play", HOLES, winnable=True),
    SolitaireView("won", HOLES),
    SolitaireView("over", HOLES),
    *(SolitaireView("wrong", HOLES, SEEN, code) for code in CODES),
]


def drawn(view: SolitaireView, language: str, size: tuple[int, int], *, colour: bool) -> Image.Image:
    return draw(Showing(TableView(), solitaire=view), load_language(language), size, colour=colour)


@pytest.mark.parametrize("code", LANGUAGES)
def test_same_keys_and_real_words(code: str) -> None:
    english, other = load_language("en").solitaire, load_language(code).solitaire
    assert list(other) == list(english)
    for key, text in other.items():
        text.encode("latin-1")
        assert ("{pieces}" in text) == (key == "over")
    if code != "en":
        assert [k for k in other if other[k] == english[k] and k != "title"] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_sentence_fits_beside_the_board(code: str) -> None:
    """Five lines of ten letters on the OLED, and no word broken."""
    for view in VIEWS:
        sentence = solitaire_sentence(view, load_language(code))
        lines = wrap(sentence, (128 - 66) // LETTER)
        assert len(lines) <= 5 and " ".join(lines) == sentence, (view.state, sentence)


@pytest.mark.parametrize(("size", "colour"), [((128, 64), False), ((240, 240), True)])
def test_every_view_has_its_own_picture(size: tuple[int, int], colour: bool) -> None:
    pictures = [drawn(v, "en", size, colour=colour) for v in VIEWS]
    assert all(p.size == size for p in pictures)
    assert len({p.tobytes() for p in pictures}) == len(VIEWS)


def test_a_piece_less_is_seen() -> None:
    before, after = (
        np.asarray(drawn(SolitaireView("play", h), "en", (128, 64), colour=False))
        for h in (HOLES, tuple(BOARD_37.to_holes(BOARD_37.from_holes(HOLES) ^ bit(37))))
    )
    assert 8 < (before != after)[:, :64].sum() < 64


def test_the_display_shows_solitaire_until_backgammon_goes_on() -> None:
    language = load_language("en")
    backgammon = Showing(TableView())
    playing = backgammon.after(Moment(1.0, TableView(), solitaire=VIEWS[1]))
    args = (language, (128, 64))
    assert draw(playing, *args, colour=False) == drawn(VIEWS[1], "en", (128, 64), colour=False)
    covered = replace(playing, view=TableView(view_blocked="hand", message_code="view_hand"))
    assert draw(covered, *args, colour=False) != draw(playing, *args, colour=False)
    again = playing.after(Moment(2.0, TableView()))
    assert draw(again, *args, colour=False) == draw(backgammon, *args, colour=False)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("size", [(16, 2), (20, 4), (16, 1)])
def test_the_text_display_says_it_too(code: str, size: tuple[int, int]) -> None:
    columns, rows = size
    for view in VIEWS:
        pages = text_pages(Showing(TableView(), solitaire=view), load_language(code), columns, rows)
        assert all(len(lines) <= rows and len(line) <= columns for lines in pages for line in lines)
        sentence = solitaire_sentence(view, load_language(code))
        assert " ".join(" ".join(line for lines in pages for line in lines).split()).startswith(sentence)
    # 35 pieces, and the last jump or the next one.
    view = SolitaireView("play", HOLES, last="17-19", winnable=True)
    assert text_pages(Showing(TableView(), solitaire=view), load_language("en"), 20, 4)[0][-1].split() == [
        "35",
        "17-19",
    ]
    view = replace(view, hint="5-18")
    assert text_pages(Showing(TableView(), solitaire=view), load_language("en"), 20, 4)[0][-1].split() == [
        "35",
        ">",
        "5-18",
    ]


def test_the_strip_shows_columns_at_both_edges() -> None:
    # 19 and 17 lie in the third row of seven: columns 3 and 1 of 0..6, places 6 and 2 of 0..11 from the left.
    wrong = SolitaireView("wrong", HOLES, SEEN, "not_removed")
    lamps = lamps_of(Showing(TableView(), solitaire=wrong))
    assert set(lamps) == {
        Lamp(6, "ff0000", "fast"), Lamp(19, "ff0000", "fast"), Lamp(10, "ff0000", "slow"), Lamp(15, "ff0000", "slow"),
    }  # fmt: skip
    hint = SolitaireView("play", HOLES, hint="17-19")
    assert set(lamps_of(Showing(TableView(), solitaire=hint))) == {
        Lamp(6, "0030ff", "on"), Lamp(19, "0030ff", "on"), Lamp(10, "0030ff", "slow"), Lamp(15, "0030ff", "slow"),
    }  # fmt: skip
    assert lamps_of(Showing(TableView(), solitaire=VIEWS[1])) == ()


def test_a_hint_is_on_the_screen() -> None:
    view = SolitaireView("play", HOLES, last="17-19", winnable=True)
    for size in ((128, 64), (240, 240)):
        without, shown = (
            np.asarray(drawn(v, "en", size, colour=True)) for v in (view, replace(view, hint="5-18"))
        )
        assert (without != shown).any()


def test_the_menu_s_address_page_is_there_too() -> None:
    showing = Showing(TableView(), solitaire=VIEWS[1], address="http://pi-board.local:8080/")
    args = (load_language("en"), (128, 64))
    board = draw(showing, *args, colour=False)
    for page in (1, 2):
        assert draw(replace(showing, page=page), *args, colour=False) == board
    assert draw(replace(showing, page=3), *args, colour=False) != board
