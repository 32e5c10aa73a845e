"""The small display's screens against pictures that were looked at; nothing runs off the edge in any language."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
import segno
from PIL import Image, ImageChops

from pi_board.events import TurnEnded
from pi_board.output import Hint, Moment
from pi_board.panel.canvas import DisplayCanvas, fit, scannable, wrap
from pi_board.panel.language import LANGUAGES, load_language
from pi_board.panel.screens import (
    COACH_SECONDS,
    HINT_SECONDS,
    MENU_SECONDS,
    PAGES,
    Showing,
    draw,
    faces,
    lay_out,
    reason_of,
)
from pi_board.rules import STARTING_POSITION
from pi_board.rules.verdict import CODES
from pi_board.web.access import Gatekeeper
from tests.panel.make_screens import FOLDER, KINDS, sheet
from tests.panel.scenes import HINT, ILLEGAL, SCENES, VIEW


@pytest.mark.parametrize("kind", [k[0] for k in KINDS])
def test_golden(kind: str) -> None:
    """Pixel for pixel but for 0.5 %: Pillow's circles differ a little between versions."""
    golden = Image.open(FOLDER / f"{kind}.png").convert("RGB")
    difference = np.asarray(ImageChops.difference(sheet(kind).convert("RGB"), golden)).max(axis=2) > 40
    assert difference.mean() < 0.005


@pytest.mark.parametrize("kind", [k[0] for k in KINDS])
def test_golden_notices_a_change(kind: str) -> None:
    """The tolerance is far below what one wrong word changes on its screen."""
    _, size, colour, code = next(k for k in KINDS if k[0] == kind)
    right = draw(SCENES["play"], load_language(code), size, colour=colour).convert("RGB")
    wrong = draw(SCENES["roll"], load_language(code), size, colour=colour).convert("RGB")
    assert (np.asarray(ImageChops.difference(right, wrong)).max(axis=2) > 40).mean() > 0.02


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_an_example_stands_beside_every_reason(language: str, code: str) -> None:
    """In every language the OLED has room for the reason and a play that would have been right."""
    words = load_language(language)
    view = replace(ILLEGAL, message_args=ILLEGAL.message_args | {"code": code})
    said = [p.what for p in lay_out(Showing(view), words, (128, 64), colour=False).placed]
    assert f"{words.screens['for_example']} bar/24 13/10" in said
    text = " ".join(said)
    assert any(reason_of(view, words, brief=b) in text for b in (True, False))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(128, 64), (240, 240)])
def test_every_screen_in_every_language(language: str, size: tuple[int, int]) -> None:
    for name, showing in SCENES.items():
        image = draw(showing, load_language(language), size, colour=size[0] > 128)
        ink = np.asarray(image.convert("L")) > 0
        assert 0.02 < ink.mean() < 0.9, name


def test_verdicts_differ_without_colour() -> None:
    """Green, amber and red are told apart by icon and word on a display that knows only white."""
    english = load_language("en")
    bars = [
        np.asarray(draw(SCENES[n], english, (128, 64), colour=False))[:13, :60]
        for n in ("legal", "illegal", "throw_again")
    ]
    assert (
        (bars[0] ^ bars[1]).sum() > 30 and (bars[1] ^ bars[2]).sum() > 30 and (bars[0] ^ bars[2]).sum() > 30
    )


@pytest.mark.parametrize("size", [(128, 64), (240, 240)])
def test_the_address_can_be_scanned(size: tuple[int, int]) -> None:
    image = draw(SCENES["address"], load_language("en"), size, colour=False).convert("L")
    # What a phone sees: larger, with some dark around it.
    seen = np.pad(np.asarray(image.resize((size[0] * 4, size[1] * 4), Image.Resampling.BILINEAR)), 60)
    words, *_ = cv2.QRCodeDetector().detectAndDecode(seen)
    assert words == scannable(SCENES["address"].address)


def test_the_longest_address_of_a_player_fits_two_pixels_a_module() -> None:
    """Scheme and host in capitals mean the same to a browser; path and token are capitals already."""
    keeper = Gatekeeper("any token of the page", ())
    address = f"http://192.168.178.142:65535{keeper.short_path}"
    assert scannable(address).removeprefix("HTTP://") == address.removeprefix("http://")
    assert scannable("http://board.local/Q?a=b") == "HTTP://BOARD.LOCAL/Q?a=b" and scannable("abc") == "abc"
    canvas = DisplayCanvas((128, 64), colour=False)
    assert canvas.code(0, 0, 64, address)
    white = np.argwhere(np.asarray(canvas.image.convert("L")) > 0)
    corner, side = white.min(0), int(np.ptp(white[:, 0])) + 1
    modules = len(list(segno.make(scannable(address), error="l", micro=False).matrix))
    assert tuple(corner) == (0, 0) and modules * 2 + 4 <= side <= 64, (
        "two pixels a module, a margin all round"
    )


def test_an_address_too_long_for_the_code_is_still_written() -> None:
    long = "http://a-very-long-name-of-a-machine.local:8064/?" + "x" * 300
    assert not DisplayCanvas((128, 64), colour=False).code(0, 0, 64, long)
    image = draw(replace(SCENES["address"], address=long), load_language("en"), (128, 64), colour=False)
    assert np.asarray(image).any()


# ---------------------------------------------------------------------------- what is shown, and for how long


def moment(time: float, **values: object) -> Moment:
    return Moment(time, VIEW, **values)  # type: ignore[arg-type]


def test_a_hint_goes_when_its_time_or_its_turn_is_over() -> None:
    shown = Showing(VIEW).after(moment(1.0, hint=HINT))
    assert shown.hint is HINT
    assert shown.after(moment(HINT_SECONDS)).hint is HINT
    assert shown.after(moment(1.0 + HINT_SECONDS)).hint is None
    ended = TurnEnded(side="light", position=STARTING_POSITION)
    assert shown.after(moment(2.0, events=(ended,))).hint is None


def test_the_coach_speaks_only_of_mistakes_and_briefly() -> None:
    note = SCENES["coach"].coach
    assert note is not None
    assert Showing(VIEW).after(moment(1.0, coach=replace(note, grade="fine"))).coach is None
    shown = Showing(VIEW).after(moment(1.0, coach=note))
    assert shown.coach is note and shown.after(moment(1.0 + COACH_SECONDS)).coach is None


def test_next_turns_the_pages_and_the_game_comes_back() -> None:
    shown, seen = Showing(VIEW), []
    for press in range(1, len(PAGES) + 1):
        shown = shown.after(moment(float(press), page=press))
        seen.append(PAGES[shown.page])
    assert seen == ["score", "plays", "address", "game"]
    shown = shown.after(moment(10.0, page=5))
    assert PAGES[shown.page] == "score"
    assert PAGES[shown.after(moment(10.0 + MENU_SECONDS, page=5)).page] == "game"


def test_next_turns_a_hint_to_its_list_and_then_away() -> None:
    shown = Showing(VIEW).after(moment(1.0, hint=HINT))
    assert faces(shown) == ("play", "list") and shown.turned == 0 and shown.hint_on == VIEW.position
    shown = shown.after(moment(2.0, page=1))
    assert shown.hint is HINT and shown.turned == 1
    shown = shown.after(moment(3.0, page=2))
    assert shown.hint is None and PAGES[shown.page] == "game"


def test_next_puts_a_hint_without_a_picture_away_at_once() -> None:
    cube = Hint("light", None, (), "double, take")
    shown = Showing(VIEW).after(moment(1.0, hint=cube)).after(moment(2.0, page=1))
    assert shown.hint is None and PAGES[shown.page] == "game"


def test_next_turns_a_verdict_round_and_a_new_one_begins_anew() -> None:
    illegal = replace(SCENES["illegal"].view)
    shown = Showing(VIEW).after(Moment(1.0, illegal))
    assert faces(shown) == ("fault", "expected", "words") and faces(shown, roomy=False) == (
        "words",
        "fault",
        "expected",
    )
    seen = []
    for press in range(1, 5):
        shown = shown.after(Moment(float(press), illegal, page=press))
        seen.append(shown.turned % 3)
        assert PAGES[shown.page] == "game"
    assert seen == [1, 2, 0, 1]
    # The same verdict at the next look leaves it as it is; another one shows its first face.
    assert shown.after(Moment(9.0, illegal, page=4)).turned == shown.turned
    other = replace(illegal, message_args=illegal.message_args | {"code": "point_blocked"})
    assert shown.after(Moment(9.0, other, page=4)).turned == 0


def test_next_turns_pages_again_when_the_verdict_is_only_words() -> None:
    cocked = SCENES["throw_again"].view
    shown = Showing(VIEW).after(Moment(1.0, cocked)).after(Moment(2.0, cocked, page=1))
    assert PAGES[shown.page] == "score"


@pytest.mark.parametrize(("size", "colour"), [((128, 64), False), ((240, 240), True)])
@pytest.mark.parametrize("scene", ["illegal", "put_back", "hint", "checker_missing"])
def test_every_face_is_another_picture(scene: str, size: tuple[int, int], colour: bool) -> None:
    showing = SCENES[scene]
    count = len(faces(showing, roomy=size[1] > 100))
    pictures = {
        draw(replace(showing, turned=n), load_language("en"), size, colour=colour).tobytes()
        for n in range(count)
    }
    assert len(pictures) == count >= 2


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("one two", ["one two"]),
        ("one two three", ["one two", "three"]),
        ("abcdefghijkl", ["abcdefgh", "ijkl"]),
        ("a abcdefghijkl b", ["a", "abcdefgh", "ijkl b"]),
        ("un deux ? oui", ["un", "deux ?", "oui"]),
    ],
)
def test_wrap(text: str, lines: list[str]) -> None:
    assert wrap(text, 8) == lines


def test_fit() -> None:
    assert fit("abcdef", 6) == "abcdef" and fit("abcdefg", 6) == "abcd.."
