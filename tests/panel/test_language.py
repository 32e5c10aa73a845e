"""Every message in every language, with the referee's own placeholders."""

from __future__ import annotations

import string

import pytest

from pi_board.errors import InvalidSettingsError
from pi_board.panel.language import LANGUAGES, load_language
from pi_board.panel.options import PanelOptions
from pi_board.referee.messages import MESSAGES
from pi_board.rules.verdict import CODES
from pi_board.table import TableView


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_english_is_the_referees_own() -> None:
    assert dict(load_language("en").messages) == MESSAGES


@pytest.mark.parametrize("code", LANGUAGES)
def test_complete(code: str) -> None:
    """The same keys everywhere, the same placeholders; only an English-only {reason} may be left out."""
    english, other = load_language("en"), load_language(code)
    assert set(other.reasons) == set(CODES)
    assert set(other.brief) == set(CODES) | {"missing", "too_many", "expected"}
    for section in ("messages", "reasons", "brief", "words", "screens", "sheet"):
        ours, theirs = getattr(english, section), getattr(other, section)
        assert list(theirs) == list(ours), section
        for key, template in theirs.items():
            assert template.strip(), f"{code} {section} {key} is empty"
            missing = placeholders(ours[key]) - placeholders(template)
            assert placeholders(template) <= placeholders(ours[key]), f"{code} {section} {key}"
            assert missing <= ({"reason"} if key != "illegal" else set()), (
                f"{code} {section} {key}: {missing}"
            )


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_really_translated(code: str) -> None:
    english, other = load_language("en"), load_language(code)
    same = [k for k in english.messages if english.messages[k] == other.messages[k]]
    assert same == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_latin_1_only(code: str) -> None:
    """The small display's font knows Latin-1 and nothing else."""
    language = load_language(code)
    for section in ("messages", "reasons", "brief", "words", "screens", "solitaire", "sheet"):
        for text in getattr(language, section).values():
            text.encode("latin-1")


CASES = [
    ("en", "to_roll", {"side": "light"}, "Light to roll."),
    ("de", "to_roll", {"side": "light"}, "Hell würfelt."),
    ("nl", "to_play", {"side": "dark", "dice": [3, 1]}, "Donker speelt 3-1."),
    ("fr", "illegal", {"reason": "…", "code": "must_enter_first"},
     "Coup interdit : le pion sur la barre doit d'abord rentrer."),
    ("es", "game_won", {"side": "dark", "points": 4, "kind": "gammon"},
     "Oscuro gana 4 (gammon). Preparar la siguiente partida."),
    ("es", "opening_tie", {"light": 4, "dark": 4}, "4-4: empate, repetir la tirada."),
    ("es", "put_back", {"changes": [{"side": "dark", "from": "bar", "to": 8}]},
     "Se espera: poner en la casilla 8 una ficha oscura de la barra."),
    ("it", "put_back", {"changes": [{"side": "dark", "from": 9, "to": 8}]},
     "Atteso: rimettere una pedina scura dalla punta 9 sulla punta 8."),
    ("nl", "doubled", {"side": "dark", "other": "light", "value": 2}, "Licht verdubbelt naar 2: Donker accepteert of weigert."),
    ("de", "checker_missing", {"side": "dark", "count": 1, "changes": [{"side": "dark", "from": None, "to": "bar"}]},
     "1 dunkler Stein zu wenig: einen dunklen Stein auf die Bar."),
    ("de", "checker_added", {"side": "light", "count": 1, "changes": [{"side": "light", "from": 13, "to": None}]},
     "1 heller Stein zu viel: einen hellen Stein von Feld 13 wegnehmen."),
    ("nl", "checker_missing", {"side": "light", "count": 2, "changes": []}, "2 lichte stenen te weinig."),
    ("fr", "checker_missing", {"side": "light", "count": 2, "changes": []}, "2 pions clairs en moins."),
    ("en", "checker_added", {"side": "dark", "count": 1, "changes": []}, "1 dark checker too many."),
]  # fmt: skip


@pytest.mark.parametrize(("language", "code", "args", "sentence"), CASES)
def test_sentences(language: str, code: str, args: dict, sentence: str) -> None:
    assert load_language(language).fill(code, args) == sentence


#: Words that read wrong to a player: match points for pips, a double roll for a doubled stake, advice for a verdict, words of two leaflets
#: that nobody uses at the table.
WRONG = {
    "de": ["RICHTIG", "(e)"],
    "nl": ["doublet", "doubleer", "steen/stenen"],
    "fr": ["doublet", "(s)"],
    "es": ["fila central", "Claras", "Oscuras", "tirad ", "falta(n)", "tira otra"],
    "it": ["striscia", "triangolo", "area di arrivo", "pedina/e", "rilancia"],
}


@pytest.mark.parametrize("code", WRONG)
def test_words_of_the_table(code: str) -> None:
    language = load_language(code)
    texts = [
        t for s in ("messages", "reasons", "brief", "words", "screens") for t in getattr(language, s).values()
    ]
    assert [(word, text) for word in WRONG[code] for text in texts if word in text] == []
    assert language.screens["pips"].lower() == "pips"


def test_players_names_are_not_translated() -> None:
    view = TableView(
        message_code="doubled",
        message_args={"side": "dark", "other": "light", "value": 2},
        message="Anna doubles to 2: Dark takes or passes.",
        names=("Anna", "Dark"),
    )
    assert load_language("de").sentence(view) == "Anna verdoppelt auf 2: Dunkel nimmt an oder lehnt ab."
    assert load_language("en").sentence(view) == view.message


def test_a_code_that_is_not_in_the_table_falls_back_to_the_referees_sentence() -> None:
    view = TableView(message_code="something_new", message="Something new.")
    assert load_language("it").sentence(view) == "Something new."
    incomplete = TableView(
        message_code="to_play", message_args={"side": "light"}, message="Light to play 3-1."
    )
    assert load_language("it").sentence(incomplete) == "Light to play 3-1."


def test_unknown_language() -> None:
    with pytest.raises(InvalidSettingsError, match="expected one of en, nl, de, fr, es, it, got 'jp'"):
        load_language("jp")
    assert PanelOptions().language in LANGUAGES


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("message", ["view_thing", "doubt_hidden"])
def test_what_hides_the_bar_alone_hides_no_points(code: str, message: str) -> None:
    language = load_language(code)
    points, bar = (language.fill(message, {"points": of}) for of in ("8-10", "bar"))
    assert "8-10" in points and points != bar
    assert bar == language.messages[f"{message}_bar"]
