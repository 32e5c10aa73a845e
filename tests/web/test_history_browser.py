"""Looking back on a game in a real Chromium: board, moves and graph together, filters, keys, pictures, the other board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pi_board.commands.page import WinCurve
from pi_board.session.look_back import LookBack
from tests.web.browser import (
    DESKTOP,
    PHONE,
    axe_findings,
    by_id,
    click,
    console_errors,
    no_sideways_scrolling,
    open_browser,
    shot,
    wait_for,
)
from tests.web.site import write_long_game, write_solitaire
from tests.web.test_layout_browser import Served

pytestmark = pytest.mark.slow
UP, DOWN, LEFT, RIGHT, END = "\ue013", "\ue015", "\ue012", "\ue014", "\ue010"
#: How many pixels of an element are on the screen.
SEEN = "const r = document.querySelector('%s').getBoundingClientRect(); return Math.min(r.bottom, innerHeight) - Math.max(r.top, 0)"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    write_long_game(tmp_path)
    write_solitaire(tmp_path)
    served = Served(tmp_path, curve=WinCurve(), coach=LookBack())
    yield served
    served.close()


def healthy(browser: Any) -> None:
    assert no_sideways_scrolling(browser)
    assert axe_findings(browser) == []
    assert console_errors(browser) == []
    assert by_id(browser, "fault").text == ""


def choose(browser: Any, name: str, value: str) -> None:
    browser.execute_script(
        f"const s = document.getElementById('{name}'); s.value = '{value}'; s.dispatchEvent(new Event('change'))"
    )


def listed(browser: Any) -> list[str]:
    found = "return [...document.querySelectorAll('#plays > li > button')].map(b => b.className || b.dataset.grade || '')"
    return list(browser.execute_script(found))


def session(browser: Any, words: str) -> Any:
    rows = browser.find_elements("css selector", "#sessions li")
    return next((li for li in rows if words in li.text), None)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_game_is_looked_back_on(served: Served, size: tuple[int, int]) -> None:
    browser, kind = open_browser(size), "phone" if size == PHONE else "desktop"
    try:
        if size == DESKTOP:
            metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        browser.get(served.url(served.server.keeper.short_path))
        browser.get(served.url("/history"))
        wait_for(lambda: session(browser, "(to 5)"))
        # Nothing to be downloaded is cut off, and the other board's game is there.
        cut = "return [...document.querySelectorAll('#sessions a')].filter(a => a.getBoundingClientRect().right > innerWidth).length"
        assert browser.execute_script(cut) == 0 and session(browser, "Solitaire")
        shot(browser, f"{kind}-sessions")
        session(browser, "(to 5)").find_element("css selector", "button").click()
        wait_for(lambda: by_id(browser, "curve-box").is_displayed())
        # Board, graph and list in one view.
        least = {"#board svg": 240, "#curve svg": 70, "#plays": 60 if size == PHONE else 250}
        for what, pixels in least.items():
            assert browser.execute_script(SEEN % what) >= pixels, what
        # What each turn took, what was left on the clock, and both players' times.
        took = browser.execute_script(
            "return [...document.querySelectorAll('#plays .took')].map(s => s.textContent)"
        )
        assert took[:5] == ["4.0 s", "5.5 s", "7.0 s", "8.5 s", "10 s"] and len(took) == 30
        by_id(browser, "last").click()
        assert "(48 s, -1:07 left)" in by_id(browser, "action").text
        by_id(browser, "first").click()
        assert "with less than a minute left" in by_id(browser, "summary").text
        # Errors: in the list and on the graph, once the coach has been asked.
        choose(browser, "what", "errors")
        assert "when the coach has been asked" in by_id(browser, "plays").text
        click(browser, "ask-coach")
        wait_for(lambda: "PR of" in by_id(browser, "summary").text, 60, "the coach")
        assert "World class" in by_id(browser, "summary").text
        errors = listed(browser)
        assert errors and set(errors) <= {"doubtful", "error", "blunder"}
        marks = "return document.querySelectorAll('#curve .fault-mark').length"
        assert browser.execute_script(marks) == len(errors)
        choose(browser, "by", "dark")
        assert 0 < len(listed(browser)) < len(errors) and browser.execute_script(marks) == len(
            listed(browser)
        )
        # Up and down go through what is listed, left and right through all moves.
        body, slider = browser.find_element("tag name", "body"), by_id(browser, "slider")
        body.send_keys(DOWN)
        first = browser.execute_script(
            "return document.querySelector('#plays button[aria-current]').dataset.at"
        )
        assert slider.get_attribute("value") == first
        body.send_keys(RIGHT)
        assert slider.get_attribute("value") == str(int(first) + 1)
        body.send_keys(UP)
        assert slider.get_attribute("value") == first
        # An illegal play: as it lay there, with what was wrong marked, its pictures in its place.
        choose(browser, "by", "")
        browser.execute_script("document.getElementById('first').click()")
        choose(browser, "what", "illegal")
        assert listed(browser) == ["illegal"] and browser.execute_script(marks) == 1
        body.send_keys(DOWN)
        wait_for(lambda: by_id(browser, "after").is_displayed())
        assert browser.execute_script(
            "return document.querySelector('#plays li').contains(document.getElementById('after'))"
        )
        wait_for(lambda: browser.execute_script("return document.getElementById('after').naturalWidth > 100"))
        assert browser.find_elements("css selector", "#board .wrong") and browser.find_elements(
            "css selector", "#board .ghost"
        )
        assert "no five" in by_id(browser, "action").text
        choose(browser, "what", "all")
        browser.execute_script(
            "document.querySelector('#plays .illegal').click(); scrollTo(0, document.getElementById('replay').offsetTop)"
        )
        shot(browser, f"{kind}-review")
        healthy(browser)
        body.send_keys(LEFT)
        assert not by_id(browser, "after").is_displayed() and not browser.find_elements(
            "css selector", "#board .wrong"
        )
        # The other board's game.
        session(browser, "Solitaire").find_element("css selector", "button").click()
        wait_for(lambda: len(browser.find_elements("css selector", "#board .piece")) == 36)
        body.send_keys(END)
        assert len(browser.find_elements("css selector", "#board .piece")) == 34
        assert "34 pieces left" in by_id(browser, "action").text
        body.send_keys(UP)
        assert len(browser.find_elements("css selector", "#board .wrong, #board .missing")) == 2
        shot(browser, f"{kind}-review-solitaire")
        healthy(browser)
    finally:
        browser.quit()
