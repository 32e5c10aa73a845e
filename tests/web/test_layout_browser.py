"""Layouts in a real Chromium: the projector's cards, the overlay, the page of devices, small windows, coming back."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pi_board.output import CoachNote, Hint, HintLine
from pi_board.rules import STARTING_POSITION, legal_plays
from pi_board.table import Phase, VerdictColour
from pi_board.web.hub import LiveHub
from pi_board.web.options import WebOptions
from pi_board.web.server import PageServer
from tests.web.browser import (
    DESKTOP,
    PHONE,
    axe_findings,
    by_id,
    click,
    console_errors,
    free_port,
    no_sideways_scrolling,
    open_browser,
    shot,
    wait_for,
)
from tests.web.site import Desk, Setup, a_moment, write_session
from tests.web.test_history import write_evidence

pytestmark = pytest.mark.slow
PLAY = legal_plays(STARTING_POSITION, (3, 1), "light")[0]
PLAYS = tuple(("light" if i % 2 else "dark", "64", "24/14*/8(2) 6/5") for i in range(9))
LONG = "Light moved a checker from point 24 to point 11 with a 6 and a 4, which no way of playing the two dice allows."


class Served:
    """A page of its own; what is seen is told by the test."""

    def __init__(self, folder: Path, **more: Any) -> None:
        self.folder, self.options = folder, WebOptions(port=free_port(), token_file=str(folder / "token"))
        self.more = more
        write_session(folder)
        self.open()

    def open(self) -> None:
        self.hub = LiveHub()
        self.tell()
        self.server = PageServer(
            self.options, self.hub, Desk(), games=self.folder, setup=Setup(), **self.more
        )
        self.server.start()

    def close(self) -> None:
        self.hub.close()
        self.server.close()

    def url(self, path: str = "") -> str:
        return f"http://127.0.0.1:{self.options.port}{path}"

    def tell(self, *, hint: Any = None, coach: Any = None, banner: str = "", **view: Any) -> None:
        picture = np.full((720, 1280, 3), 90, np.uint8)
        moment = a_moment(0.0, message=view.pop("message", "Light to roll."), image=picture)
        self.hub.show(
            replace(moment, view=replace(moment.view, **view), hint=hint, coach=coach, banner=banner)
        )


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.close()


def healthy(browser: Any) -> None:
    assert no_sideways_scrolling(browser)
    assert axe_findings(browser) == []
    assert console_errors(browser) == []


RECTANGLES = """return [...document.querySelectorAll('main .card, #banner, #offline, header button, h1')].filter(e => e.offsetParent && e.getBoundingClientRect().right > 0)
    .map(e => { const r = e.getBoundingClientRect(); return [e.id || e.className || e.tagName, r.left, r.top, r.right, r.bottom]; })"""


def overlaps(browser: Any) -> list[str]:
    """Cards that lie on one another, or reach out of the screen."""
    found = browser.execute_script(RECTANGLES)
    height = browser.execute_script("return Math.max(innerHeight, document.documentElement.scrollHeight)")
    wrong = [
        f"{name} leaves the screen" for name, _, top, _, bottom in found if top < -1 or bottom > height + 1
    ]
    for (a, *p), (b, *q) in itertools.combinations(found, 2):
        if p[0] < q[2] - 1 and q[0] < p[2] - 1 and p[1] < q[3] - 1 and q[1] < p[3] - 1:
            wrong.append(f"{a} on {b}")
    return wrong


SIZES = [(1920, 1080), (1280, 720), (1024, 768), (3840, 2160), (1080, 1920)]


@pytest.mark.parametrize("size", SIZES, ids=[f"{w}x{h}" for w, h in SIZES])
def test_nothing_overlaps_on_the_projector(served: Served, size: tuple[int, int]) -> None:
    browser = open_browser(size, dark=True)
    try:
        browser.get(served.server.player_url.replace(served.server.player_url.split("/P/")[0], served.url()))
        wait_for(lambda: "Light to roll" in by_id(browser, "verdict").text)
        click(browser, "show-camera")
        click(browser, "full")
        wait_for(lambda: browser.execute_script("return document.body.classList.contains('projector')"))
        lines = tuple(
            HintLine("24/14*/8(2) 6/5", 0.123 - 0.1 * n, 0.5, 0.1 * n, PLAY.moves) for n in range(5)
        )
        shown: dict[str, Any] = {"phase": Phase.PLAY, "side": "light", "dice": (3, 1), "last_plays": PLAYS}
        served.tell(**shown)
        wait_for(lambda: "24/14" in by_id(browser, "plays").text)
        served.tell(hint=Hint("light", (3, 1), lines), coach=CoachNote("dark", "24/14", "8/4 6/4", 0.21, "blunder", LONG), banner="The card is nearly full.", **shown)  # fmt: skip
        wait_for(lambda: by_id(browser, "advice").is_displayed() and by_id(browser, "banner").is_displayed())
        wait_for(lambda: browser.execute_script("return document.getElementById('camera').naturalWidth > 9"))
        shot(browser, f"projector-everything-{size[0]}")
        assert overlaps(browser) == []
        if size[0] > size[1]:
            assert browser.execute_script("return document.documentElement.scrollHeight <= innerHeight")
            legible = (
                "return parseFloat(getComputedStyle(document.getElementById('%s')).fontSize) / innerHeight"
            )
            for name, least in (("verdict", 0.045), ("players", 0.039), ("plays", 0.034), ("hint", 0.031)):
                assert browser.execute_script(legible % name) >= least, name
            # Not only a card that does not overlap, but one in which something can be read.
            for card in (".plays-card", "#advice", ".camera"):
                at = f"return document.querySelector('{card}').getBoundingClientRect().height / innerHeight"
                assert browser.execute_script(at) > 0.08, card
        served.tell(**{**shown, "phase": Phase.ILLEGAL, "verdict": VerdictColour.RED, "expected": STARTING_POSITION, "seen": PLAY.result, "message": LONG})  # fmt: skip
        wait_for(lambda: by_id(browser, "expected").is_displayed())
        shot(browser, f"projector-illegal-{size[0]}")
        assert overlaps(browser) == []
        assert browser.execute_script("return document.querySelectorAll('h1').length") == 1
        healthy(browser)
    finally:
        browser.quit()


def test_the_overlay_paints_only_what_it_says(served: Served) -> None:
    browser = open_browser((1920, 1080), dark=True)
    try:
        watch = served.server.keeper.spectator_word
        served.tell(
            names=("Anna", "Bo"),
            score=(3, 2),
            match_length=7,
            dice=(3, 1),
            phase=Phase.PLAY,
            last_plays=PLAYS[:1],
        )
        browser.get(served.url(f"/overlay?watch={watch}"))
        wait_for(lambda: "Anna" in by_id(browser, "light").text)
        text = by_id(browser, "bar").text
        assert all(word in text for word in ("Anna", "Bo", "3", "2", "to 7", "167 pips", "0:0"))
        assert "Bo 64: 24/14" in by_id(browser, "last").text
        assert [
            d.get_attribute("aria-label") for d in browser.find_elements("css selector", "#dice svg")
        ] == ["3", "1"]
        for where in ("html", "body", "main", "#bar"):
            ground = f"return getComputedStyle(document.querySelector('{where}')).backgroundColor"
            assert browser.execute_script(ground) == "rgba(0, 0, 0, 0)", where
        assert (
            browser.execute_script("return getComputedStyle(document.documentElement).colorScheme")
            == "normal"
        )
        # All in the band of which the page of devices speaks.
        assert (
            browser.execute_script("return document.querySelector('main').getBoundingClientRect().bottom")
            <= 160
        )
        shot(browser, "overlay")
        served.tell(names=("Anna", "Bo"), verdict=VerdictColour.RED, phase=Phase.ILLEGAL, message=LONG)
        wait_for(lambda: LONG in by_id(browser, "last").text)
        shot(browser, "overlay-illegal")
        healthy(browser)
    finally:
        browser.quit()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_page_of_devices(served: Served, size: tuple[int, int]) -> None:
    browser, other = (
        open_browser(size),
        served.server.keeper.devices.admit("Mozilla/5.0 (Linux; Android 14) Chrome/130.0"),
    )
    try:
        path = served.server.keeper.short_path
        browser.get(served.url(path))
        wait_for(lambda: by_id(browser, "verdict").text)
        browser.get(served.url("/devices"))
        rows = "#devices li"
        wait_for(lambda: len(browser.find_elements("css selector", rows)) == 2)
        loaded = (
            "return ['player-code', 'spectator-code'].every(i => document.getElementById(i).naturalWidth > 0)"
        )
        wait_for(lambda: browser.execute_script(loaded), 20, "the codes")
        shot(browser, f"devices-{size[0]}")
        assert by_id(browser, "only-here").is_displayed(), "this one listens on this machine only"
        click(browser, "spectator")
        browser.find_element("css selector", "[data-copy=spectator]").click()
        wait_for(lambda: "Copied" in by_id(browser, "done").text, 10)
        browser.find_element("css selector", '[aria-label^="Remove Chrome on Android"]').click()
        wait_for(lambda: len(browser.find_elements("css selector", rows)) == 1)
        assert served.server.keeper.devices.find(other) is None
        old = by_id(browser, "player").get_attribute("value")
        click(browser, "renew")
        browser.switch_to.alert.accept()
        wait_for(lambda: "New addresses" in by_id(browser, "done").text)
        assert by_id(browser, "player").get_attribute("value") not in ("", old)
        assert served.server.keeper.short_path != path
        healthy(browser)
    finally:
        browser.quit()


@pytest.mark.parametrize("size", [(1280, 800), (640, 400), PHONE], ids=["1280x800", "at 200 %", "phone"])
def test_the_correction_s_buttons_are_in_reach(served: Served, size: tuple[int, int]) -> None:
    browser = open_browser(PHONE if size == PHONE else DESKTOP)
    try:
        if size != PHONE:
            metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        browser.get(served.url(served.server.keeper.short_path))
        wait_for(lambda: "Light to roll" in by_id(browser, "verdict").text)
        browser.execute_script("document.getElementById('more').open = true")
        click(browser, "correct")
        wait_for(lambda: by_id(browser, "edit").is_displayed())
        shot(browser, f"correct-{size[0]}")
        for name in ("edit-save", "edit-close"):
            box = browser.execute_script(
                f"const r = document.getElementById('{name}').getBoundingClientRect(); return [r.top, r.bottom, innerHeight]"
            )
            assert box[0] >= 0 and box[1] <= box[2], (name, box)
            hit = f"const b = document.getElementById('{name}'), r = b.getBoundingClientRect(); return b.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2))"
            assert browser.execute_script(hit), name
        assert axe_findings(browser) == []
    finally:
        browser.quit()


@pytest.mark.parametrize("path", ["/", "/history", "/devices", "/setup", "/overlay"])
def test_a_narrow_window_does_not_scroll_sideways(served: Served, path: str) -> None:
    browser = open_browser(DESKTOP)
    try:
        metrics = {"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": True}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        browser.get(served.url(served.server.keeper.short_path))
        browser.get(served.url(path))
        wait_for(lambda: browser.execute_script("return document.readyState === 'complete'"))
        if path == "/setup":
            wait_for(lambda: by_id(browser, "light_name").is_displayed())
        browser.execute_script("for (const d of document.querySelectorAll('details')) d.open = true")
        wide = """const w = document.documentElement.clientWidth, inside = e => e.closest('.scroll, .steps, .skip');
            return [document.documentElement.scrollWidth - w, ...[...document.querySelectorAll('main *, header *')].filter(e => !inside(e) && e.getBoundingClientRect().right > w + 1).map(e => e.id || e.tagName)]"""
        assert browser.execute_script(wide) == [0]
        shot(browser, f"narrow{path.replace('/', '-')}")
    finally:
        browser.quit()


def test_a_lost_connection_is_forgotten_when_it_is_back(served: Served) -> None:
    browser = open_browser(DESKTOP)
    try:
        browser.get(served.url(served.server.keeper.short_path))
        wait_for(lambda: "Light to roll" in by_id(browser, "verdict").text)
        served.close()
        wait_for(lambda: by_id(browser, "offline").is_displayed(), 30, "the loss")
        browser.execute_script("document.getElementById('ask-hint').click()")
        wait_for(
            lambda: (
                "No connection"
                in browser.execute_script("return document.getElementById('answer').textContent")
            )
        )
        served.open()
        wait_for(lambda: not by_id(browser, "offline").is_displayed(), 30, "the way back")
        wait_for(lambda: "No connection" not in browser.execute_script("return document.body.textContent.replace(document.getElementById('offline').textContent, '')"), 10)  # fmt: skip
    finally:
        browser.quit()


def test_a_clip_waits_and_arrow_keys_step(served: Served) -> None:
    write_evidence(served.folder)
    browser = open_browser(DESKTOP)
    try:
        browser.get(served.url(served.server.keeper.short_path))
        browser.get(served.url("/history"))
        wait_for(lambda: browser.find_elements("css selector", "#sessions button"))
        browser.find_elements("css selector", "#sessions button")[0].click()
        wait_for(lambda: browser.find_elements("css selector", "#plays .illegal"))
        browser.find_element("css selector", "#plays .illegal").click()
        wait_for(lambda: by_id(browser, "clip-box").is_displayed())
        assert by_id(browser, "clip").get_attribute("src") == "data:,"
        # The arrow keys step through the game.
        game = browser.find_element("tag name", "body")
        game.send_keys("\ue010")  # End
        wait_for(
            lambda: browser.execute_script(
                "return document.getElementById('slider').value === document.getElementById('slider').max"
            ),
            10,
        )
        last = by_id(browser, "slider").get_attribute("value")
        game.send_keys("\ue012")  # Left
        wait_for(lambda: by_id(browser, "slider").get_attribute("value") == str(int(last) - 1), 10)
        game.send_keys("\ue014")  # Right
        wait_for(lambda: by_id(browser, "slider").get_attribute("value") == last, 10)
        assert not by_id(browser, "clip-box").is_displayed(), "the pictures belong to the illegal play"
        browser.find_element("css selector", "#plays .illegal").click()
        click(browser, "play-clip")
        wait_for(
            lambda: browser.execute_script("return document.getElementById('clip').naturalWidth > 0"),
            20,
            "the clip",
        )
    finally:
        browser.quit()
