"""The 37-hole game on the page in a real Chromium: the loop of `pi-board run`, a camera, a player, a spectator, a phone."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pi_board.camera.base import FrameSource
from pi_board.commands.page import open_page
from pi_board.commands.run import make_sitting
from pi_board.frame import Frame
from pi_board.session.app import App
from pi_board.setup.settings import load_settings
from pi_board.simulator.solitaire import SolitaireSimulatorOptions, SolitaireTable
from pi_board.solitaire import BOARD_37, bit, vacancy
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

pytestmark = pytest.mark.slow
START = vacancy(1).start


class Stage(FrameSource):
    """A camera over a board on which the test puts the pieces."""

    finite = True
    description = "a board that the test plays on"

    def __init__(self) -> None:
        self._table = SolitaireTable(SolitaireSimulatorOptions(width=800, height=600))
        self._lock = threading.Lock()
        self._position, self._seq = START, -1
        self.closed = False

    def put(self, position: int) -> None:
        with self._lock:
            self._position = position

    def read(self, timeout: float | None = None) -> Frame | None:
        if self.closed:
            return None
        time.sleep(0.1)
        with self._lock:
            self._seq += 1
            return Frame(self._table.picture(self._position), time.monotonic(), self._seq)

    def close(self) -> None: ...


class Site:
    """Everything that `pi-board run` puts together for a settings file that names the solitaire board."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        file = folder / "settings.toml"
        file.write_text(
            f'[board]\nprofile = "jumbo-solitaire"\n[web]\nport = {port}\n'
            f'token_file = "{folder / "token"}"\n[record]\nfolder = "{folder / "games"}"\n'
        )
        settings = load_settings(file)
        self.stage = Stage()
        sitting = make_sitting(settings)
        app = App(lambda: self.stage, sitting)
        page = open_page(settings, app, must=True)
        assert page is not None
        evidence = sitting.evidence(settings.record)
        assert evidence is not None
        app.outputs += [page, evidence]
        base = f"http://127.0.0.1:{port}"
        self.player = base + "/" + page.player_url.split("/", 3)[3]
        self.spectator = base + "/" + page.spectator_url.split("/", 3)[3]
        self._thread = threading.Thread(target=app.run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.stage.closed = True
        self._thread.join(timeout=20)
        assert not self._thread.is_alive()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.close()


def facts(browser: Any) -> dict[str, str]:
    """What the page says of the game; read at once, since the list is made anew with every news."""
    listed = "return [...document.querySelectorAll('#solitaire-facts dt')].map((t) => [t.textContent, t.nextSibling.textContent])"
    return dict(browser.execute_script(listed))


def drawn(browser: Any) -> list[int]:
    """The numbers of the pieces that the large board shows."""
    kinds = "return [...document.querySelectorAll('#board .piece, #board .hole')].map((c) => c.getAttribute('class'))"
    return [i + 1 for i, kind in enumerate(browser.execute_script(kinds)) if kind == "piece"]


def numbers(position: int) -> list[int]:
    return [n for n in range(1, 38) if position & bit(n)]


def healthy(browser: Any) -> None:
    assert no_sideways_scrolling(browser)
    assert not axe_findings(browser)
    assert by_id(browser, "fault").text == ""
    assert not [e for e in console_errors(browser) if "favicon" not in e]


def test_a_game_on_the_page(site: Site) -> None:
    browser = open_browser(DESKTOP)
    try:
        browser.get(site.player)
        wait_for(lambda: facts(browser).get("Can still be won") == "yes", 60, "the set-up and the answer")
        assert facts(browser)["Problem"] == "Hole 1 empty" and facts(browser)["Pieces left"] == "36"
        assert drawn(browser) == numbers(START)
        assert "can be won" in by_id(browser, "verdict").text
        assert not by_id(browser, "die1").is_displayed(), "nothing of backgammon is shown"
        # A hint, drawn and written, and then done.
        browser.find_element("css selector", '[data-press="hint"]').click()
        hint = wait_for(lambda: facts(browser).get("Next jump"), 30, "the hint").split()[0]
        assert browser.find_elements("css selector", "#board .next")
        shot(browser, "solitaire-hint")
        jump = BOARD_37.parse_jumps(START, [hint])[0]
        after = BOARD_37.after(START, jump)
        site.stage.put(after)
        wait_for(lambda: facts(browser).get("Last jump") == hint, 30, "the jump")
        assert drawn(browser) == numbers(after)
        listed = "return [...document.querySelectorAll('#plays li')].map((li) => li.textContent)"
        assert browser.execute_script(listed) == [hint]
        # A wrong one: the jumped piece is left lying.
        wrong_jump = BOARD_37.legal(after)[0]
        site.stage.put(after ^ bit(wrong_jump.start) ^ bit(wrong_jump.end))
        red = "return document.getElementById('verdict').dataset.verdict"
        wait_for(lambda: browser.execute_script(red) == "red", 30, "the wrong jump")
        said = by_id(browser, "verdict").text
        assert (
            f"take the piece on {wrong_jump.over} off" in said
            and f"put a piece on {wrong_jump.start}" in said
        )
        assert len(browser.find_elements("css selector", "#board .missing, #board .wrong")) == 2
        loaded = "return ['before', 'after'].every((i) => document.getElementById(i).naturalWidth > 100)"
        wait_for(lambda: browser.execute_script(loaded), 20, "the pictures of the jump")
        click(browser, "play-clip")
        played = "return document.getElementById('clip').naturalWidth > 100"
        wait_for(lambda: browser.execute_script(played), 30, "the clip")
        shot(browser, "solitaire-wrong")
        healthy(browser)
        # It is put right, and the verdict goes.
        site.stage.put(after)
        wait_for(lambda: browser.execute_script(red) != "red", 30, "the piece put back")
        # A person says how it really is, by tapping (and the board follows, else it would be called wrong).
        gone = numbers(after)[-1]
        click(browser, "a")
        click(browser, "correct")
        browser.find_element("css selector", f'#edit-board [aria-label="hole {gone}"]').click()
        assert by_id(browser, "count-light").text == "34 pieces"
        site.stage.put(after ^ bit(gone))
        by_id(browser, "edit-save").click()
        wait_for(lambda: facts(browser).get("Pieces left") == "34", 30, "the correction")
        assert drawn(browser) == numbers(after ^ bit(gone))
        healthy(browser)
    finally:
        browser.quit()


def test_a_spectator_on_a_phone_only_watches(site: Site) -> None:
    browser = open_browser(PHONE)
    try:
        browser.get(site.spectator)
        wait_for(lambda: drawn(browser) == numbers(START), 60, "the board")
        wait_for(lambda: facts(browser).get("Can still be won") == "yes", 60, "the answer")
        assert not any(e.is_displayed() for e in browser.find_elements("css selector", ".actions"))
        shot(browser, "solitaire-phone")
        healthy(browser)
        # Whoever has nothing to set up is told what can be done: spectators, and players of this board.
        base = browser.current_url.rstrip("/")
        browser.get(base + "/setup")
        wait_for(lambda: "for the players" in by_id(browser, "el").text)
        browser.get(site.player)
        wait_for(lambda: by_id(browser, "verdict").is_displayed())
        browser.get(base + "/setup")
        wait_for(lambda: "sets itself up" in by_id(browser, "el").text)
        assert len(browser.find_elements("css selector", "#elsewhere-ways li")) == 4
        assert not by_id(browser, "wizard").is_displayed()
        shot(browser, "solitaire-setup")
        healthy(browser)
    finally:
        browser.quit()
