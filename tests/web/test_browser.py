"""The page in a real Chromium: wizard, a game watched, an illegal play put right, history, download."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pi_board.camera.simulated import SimulatedCamera
from pi_board.commands.page import WinCurve
from pi_board.events import GameStarted, GameWon, PlayCorrected, PlayIllegal, TurnEnded
from pi_board.frame import Frame
from pi_board.output import Moment
from pi_board.record.formats import load
from pi_board.record.match import Rolled
from pi_board.record.options import RecordOptions
from pi_board.referee import RefereeOptions
from pi_board.rules import RULE_SETS, Position
from pi_board.session.demo import run_demo
from pi_board.session.finding_reader import FindingReader
from pi_board.session.look_back import LookBack
from pi_board.session.sitting import Sitting
from pi_board.setup.desk import SetupDesk
from pi_board.setup.picture_checks import dice_in
from pi_board.setup.settings import load_settings
from pi_board.simulator import SimulatorOptions
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.finding.find_board import find_board
from pi_board.vision.profile import load_profile
from pi_board.web.hub import LiveHub
from pi_board.web.options import WebOptions
from pi_board.web.server import PageServer
from tests.web.browser import (
    DESKTOP,
    PHONE,
    PROJECTOR,
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
from tests.web.site import a_moment, write_session
from tests.web.test_setup import Program

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pictures() -> dict[str, np.ndarray]:
    """Of one simulated table: the starting position, and two throws lying on it."""
    camera = SimulatedCamera(SimulatorOptions(seed=5, pace="brisk"))
    first = camera.read()
    assert first is not None
    geometry = find_board(first.image, load_profile("jumbo-travel")).geometry()
    found = {"start": first.image}
    seen: set[Any] = set()
    for i in range(400):
        frame = camera.read()
        if frame is None or i % 4:
            continue
        dice = [d for d in dice_in(frame.image, geometry, Orientation()) if d.value and not d.cocked]
        key = tuple(sorted((round(d.x / 40), round(d.y / 40)) for d in dice))
        if len(dice) == 2 and key not in seen:
            seen.add(key)
            found[f"throw{len(seen)}"] = frame.image
        if len(seen) == 2:
            break
    return found


class Table:
    """A page over pictures that the test chooses."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "settings.toml"
        self.file.write_text('[board]\nprofile = "jumbo-travel"\n')
        games = folder / "games"
        games.mkdir()
        write_session(games)
        self.hub, self.program = LiveHub(), Program()
        options = WebOptions(port=free_port(), trust_this_machine=True, token_file=str(folder / "token"))
        desk = SetupDesk(load_settings(self.file), self.program, self.hub)
        self.server = PageServer(options, self.hub, self.program, games=games, setup=desk)
        self.server.start()
        self.url = self.server.player_url.rstrip("/")

    def tell(self, image: Any = None, **view: Any) -> None:
        """To the page only."""
        moment = a_moment(0.0, image=image)
        self.hub.show(replace(moment, view=replace(moment.view, **view)))

    def show(self, image: Any, **view: Any) -> None:
        """To the page, and to the reader that the wizard asks."""
        self.tell(image, **view)
        self.program.sitting.reader.look(Frame(image, time.monotonic(), 0))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.hub.close()
    table.server.close()


@pytest.fixture(params=[PHONE, DESKTOP], ids=["phone", "desktop"])
def browser(request: pytest.FixtureRequest) -> Iterator[Any]:
    browser = open_browser(request.param)
    browser.kind = request.node.callspec.id
    yield browser
    browser.quit()


def healthy(browser: Any) -> None:
    assert no_sideways_scrolling(browser)
    assert not axe_findings(browser)
    assert not console_errors(browser)


#: Under load a step of the set-up now and then never comes in the driven browser (cause not found); three times in a row
#: is a failure.
FLAKY = pytest.mark.flaky(reruns=2, only_rerun=["AssertionError"])


def shown_step(browser: Any) -> str:
    """Id of the set-up step in view."""
    steps = browser.find_elements("css selector", "section.step")
    return next((step.get_attribute("data-step") for step in steps if step.is_displayed()), "")


def press(browser: Any, name: str, happened: Callable[[], object]) -> None:
    """Clicks until it has `happened`. The driver aims before it clicks, so it misses a button that moves in between."""
    for _ in range(3):
        click(browser, name)
        with contextlib.suppress(AssertionError):
            wait_for(happened, 15)
            return
    raise AssertionError(
        f"nothing happened on {name}; the page says: {browser.find_element('tag name', 'main').text}"
    )


def go_on(browser: Any) -> None:
    """To the next step."""
    before = shown_step(browser)
    press(browser, "next", lambda: shown_step(browser) != before)


@FLAKY
def test_the_whole_wizard(browser: Any, table: Table, pictures: dict[str, np.ndarray]) -> None:
    kind = browser.kind
    start = pictures["start"]
    table.show(start)
    browser.get(table.url + "/setup")
    wait_for(lambda: by_id(browser, "light_name").get_attribute("value") == "Light")
    shot(browser, f"{kind}-setup1")
    healthy(browser)
    for name, words in (("light_name", "Anna"), ("dark_name", "Bo"), ("match_length", "5")):
        by_id(browser, name).clear()
        by_id(browser, name).send_keys(words)
    browser.execute_script("document.getElementById('rules').value = 'jumbo'")
    go_on(browser)
    # The board is looked for by itself; its fit is drawn.
    wait_for(lambda: "fit?" in by_id(browser, "found").text, why="the board")
    assert len(browser.find_elements("css selector", "#over .axis")) == 24
    assert len(browser.find_elements("css selector", "#over .ring")) == 30
    assert len(browser.find_elements("css selector", "#over .handle")) == 8
    wait_for(lambda: browser.execute_script("return document.getElementById('picture').naturalWidth > 0"))
    shot(browser, f"{kind}-setup2")
    healthy(browser)
    # A handle is dragged away, with the magnifier on, and back.
    before = fit_corner(browser)
    drag(browser, 30, 20, lambda: shot(browser, f"{kind}-setup2-lens"))
    wait_for(lambda: "by hand" in by_id(browser, "found").text)
    moved = fit_corner(browser)
    assert moved[0] > before[0] + 10 and moved[1] > before[1] + 5
    click(browser, "find")
    wait_for(lambda: "sure" in by_id(browser, "found").text)
    assert np.allclose(fit_corner(browser), before, atol=2)
    go_on(browser)
    wait_for(lambda: "fine" in by_id(browser, "light-word").text, why="light")
    assert len(browser.find_elements("css selector", "#checks .good")) == 6
    shot(browser, f"{kind}-setup3")
    # Loaded again it goes on where it was; a second phone is told whose it is, and finds nothing that it could break.
    browser.refresh()
    wait_for(lambda: by_id(browser, "s3").is_displayed(), why="the step that it was at")
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(table.url + "/setup")
    wait_for(lambda: "Somebody else" in by_id(browser, "el").text)
    assert "at the step “Light”" in by_id(browser, "elsewhere-word").text
    assert not by_id(browser, "wizard").is_displayed()
    shot(browser, f"{kind}-setup-held")
    healthy(browser)
    browser.close()
    browser.switch_to.window(first)
    browser.execute_cdp_cmd("Page.bringToFront", {})  # a page that is not in view does not look
    go_on(browser)

    def all_ticked() -> bool:
        # The camera goes on looking while the player sets up.
        table.show(start)
        return len(browser.find_elements("css selector", "#start-board .tick")) == 24

    try:
        wait_for(all_ticked, why="24 ticks")
    except AssertionError as error:
        hidden = browser.execute_script("return document.hidden")
        raise AssertionError(
            f"{error}; hidden: {hidden}\n{browser.find_element('tag name', 'main').text}"
        ) from error
    for _ in range(6):
        table.show(start)
        time.sleep(0.5)
    wait_for(lambda: "learned" in by_id(browser, "start-word").text, why="colours")
    shot(browser, f"{kind}-setup4")
    healthy(browser)
    # What no step has seen is said, with the way there; nothing is called all set.
    go_on(browser)
    table.show(pictures["throw1"])
    wait_for(partial(browser.find_element, "css selector", "#throws .good"), why="roll 1")
    go_on(browser)
    assert by_id(browser, "s6").text == "Not everything has been seen yet"
    assert [li.text.partition(" were")[0] for li in browser.find_elements("css selector", "#missing li")] == [
        "✕ 1 of 2 rolls"
    ]
    shot(browser, f"{kind}-setup6-missing")
    healthy(browser)
    browser.find_element("css selector", "#missing button").click()
    for n in (1, 2):
        table.show(pictures[f"throw{n}"])
        nth = f"#throws .good:nth-child({n})"
        wait_for(partial(browser.find_element, "css selector", nth), why=f"roll {n}")
    shot(browser, f"{kind}-setup5")
    healthy(browser)
    go_on(browser)
    assert by_id(browser, "s6").text == "All set" and not by_id(browser, "missing").text
    assert "Anna" in by_id(browser, "summary").text
    shot(browser, f"{kind}-setup6")
    click(browser, "save")
    wait_for(lambda: browser.current_url.rstrip("/") == table.url, why="the live view")
    kept = load_settings(table.file)
    assert (kept.game.light_name, kept.game.rules, kept.game.match_length) == ("Anna", "jumbo", 5)
    assert kept.board.corners == "", "found by itself: found again at every start"
    assert [r.type for r in table.program.asked] == ["pause", "continue"] * 2 + ["new_match"]
    assert not console_errors(browser)


@FLAKY
def test_an_unset_board_is_set_up_by_touch_alone(
    table: Table, pictures: dict[str, np.ndarray], capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is known of the board, and the seating is turned round by hand and back; every tap is counted."""
    browser, taps, begun = open_browser(PHONE), 0, time.monotonic()

    def tap(name: str) -> None:
        nonlocal taps
        if name == "next":
            go_on(browser)
        elif name == "turn":
            seat = by_id(browser, "seat").text
            press(browser, name, lambda: not by_id(browser, "found").text.startswith("Found (") or by_id(browser, "seat").text != seat)  # fmt: skip
        else:
            click(browser, name)
        taps += 1

    def see(name: str) -> bool:
        table.show(pictures[name])
        return True

    try:
        table.tell(pictures["start"])
        browser.get(table.url + "/setup")
        wait_for(lambda: by_id(browser, "s1").is_displayed())
        tap("next")
        wait_for(lambda: "% sure" in by_id(browser, "found").text, why="the board")
        assert "Light sits at the bottom" in by_id(browser, "seat").text
        shot(browser, "phone-setup2-seat")
        for who in ("Light", "Dark", "Dark", "Light"):
            tap("turn")
            wait_for(lambda who=who: by_id(browser, "found").text.startswith("Found (") and by_id(browser, "seat").text.startswith(who))  # fmt: skip
        told = "return document.querySelector('#over .number').textContent"
        assert browser.execute_script(told) == "13", "the points are counted from the right side again"
        healthy(browser)
        tap("next")
        wait_for(lambda: "fine" in by_id(browser, "light-word").text, why="light")
        tap("next")
        wait_for(lambda: see("start") and "learned." in by_id(browser, "start-word").text, why="the colours")
        tap("next")
        for n in (1, 2):
            nth = f"#throws .good:nth-child({n})"
            wait_for(lambda n=n, nth=nth: see(f"throw{n}") and browser.find_element("css selector", nth))
        tap("next")
        assert by_id(browser, "s6").text == "All set"
        tap("save")
        wait_for(lambda: browser.current_url.rstrip("/") == table.url, why="the live view")
        assert taps == 6 + 4, "six, and four for turning"
        with capsys.disabled():
            print(f"\nset-up from an unset board: {taps} taps, {time.monotonic() - begun:.0f} s")
    except AssertionError as error:
        raise AssertionError(
            f"{error}\nthe page says: {browser.find_element('css selector', 'main').text}"
        ) from error
    finally:
        browser.quit()


def fit_corner(browser: Any) -> list[float]:
    x, y = browser.execute_script(
        "const c = document.querySelector('#over [data-handle=\"0\"] circle:last-child'); return [c.cx.baseVal.value, c.cy.baseVal.value]"
    )
    return [float(x), float(y)]


def drag(browser: Any, dx: int, dy: int, meanwhile: Any) -> None:
    """By pointer events as a finger makes them."""
    from selenium.webdriver.common.action_chains import ActionChains

    handle = browser.find_element("css selector", '#over [data-handle="0"]')
    browser.execute_script("document.getElementById('handles').scrollIntoView({block: 'center'})")
    ActionChains(browser).click_and_hold(handle).move_by_offset(dx, dy).perform()
    assert by_id(browser, "lens").is_displayed()
    meanwhile()
    ActionChains(browser).release().perform()
    assert not by_id(browser, "lens").is_displayed()


BROKEN = [
    # What is told of the table, the widget that cannot show it, and what must still be there.
    ("the server sends nonsense for one widget", "", {"last_plays": (7,)}, "plays"),
    ("drawing the board throws", "Element.prototype.setAttributeNS = Document.prototype.createElementNS = () => { throw new Error('drawing'); }", {}, "board"),
    ("the score throws", "HTMLTableSectionElement.prototype.insertRow = () => { throw new Error('rows'); }", {}, "score"),
    ("speech throws", "window.SpeechSynthesisUtterance = function () { throw new Error('voice'); }; addEventListener('DOMContentLoaded', () => { document.getElementById('voice').checked = true; })", {}, "voice"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "view", "widget"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_a_fault_in_one_widget_leaves_the_others(
    table: Table, script: str, view: dict[str, Any], widget: str
) -> None:
    browser = open_browser(DESKTOP)
    try:
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        table.tell(**{"message": "Light to roll.", "last_plays": (("light", "31", "8/5 6/5"),), **view})
        browser.get(table.url)
        wait_for(lambda: "Light to roll." in by_id(browser, "verdict").text)
        assert by_id(browser, "fault").is_displayed() and widget in by_id(browser, "fault").text
        # Everything else is there.
        shown = {
            "board": len(browser.find_elements("css selector", "#board circle")) >= 30,
            "score": "167" in by_id(browser, "players").text,
            "plays": "8/5 6/5" in by_id(browser, "plays").text,
        }
        assert {name: there for name, there in shown.items() if not there and name != widget} == {}
        # And goes on, with buttons that work.
        table.tell(message="Still here.", **view)
        wait_for(lambda: "Still here." in by_id(browser, "verdict").text)
        table.program.asked.clear()
        browser.find_element("css selector", '[data-press="hint"]').click()
        wait_for(lambda: table.program.asked == ["hint"], 10, "the button")
    finally:
        browser.quit()


def test_spectators_and_projector(table: Table) -> None:
    browser = open_browser(PROJECTOR, dark=True)
    try:
        plays = (("light", "31", "8/5 6/5"), ("dark", "64", "24/14"))
        table.tell(message="Dark played 24/14.", last_plays=plays, dice=(6, 4))
        browser.get(table.server.spectator_url)
        wait_for(lambda: "24/14" in by_id(browser, "plays").text)
        assert not any(e.is_displayed() for e in browser.find_elements("css selector", ".actions"))
        click(browser, "full")
        wait_for(lambda: browser.execute_script("return innerHeight") > 900, 10, "the full screen")
        # Everything on one screen, large enough for the back of the room.
        assert browser.execute_script("return document.documentElement.scrollHeight <= innerHeight")
        for name, least in (("verdict", 40), ("players", 40), ("plays", 34)):
            size = f"return parseFloat(getComputedStyle(document.getElementById('{name}')).fontSize)"
            assert browser.execute_script(size) >= least, name
        board = "return document.querySelector('#board svg').getBoundingClientRect().height"
        assert browser.execute_script(board) > 700
        shot(browser, "projector-dark")
        healthy(browser)
        browser.get(table.url + "/setup")
        wait_for(lambda: "for the players" in by_id(browser, "el").text)
        assert not by_id(browser, "wizard").is_displayed()
        shot(browser, "spectator-setup")
        healthy(browser)
    finally:
        browser.quit()


# ---------------------------------------------------------------------------------- the real program


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`pi-board serve --demo` with players who cheat a lot."""
    home = tmp_path_factory.mktemp("home")
    (home / "settings.toml").write_text("[web]\ntrust_this_machine = true\n")
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "pi_board",
        "serve",
        "--demo",
        "--port",
        str(port),
        "--cheat",
        "0.7",
        "--seed",
        "4",
    ]
    command += [
        "--pace",
        "brisk",
        "--fps",
        "8",
        "--config",
        str(home / "settings.toml"),
        "--log-dir",
        str(home / "games"),
    ]
    program = subprocess.Popen(
        command, env={**os.environ, "HOME": str(home), "OMP_NUM_THREADS": "1"}, stdout=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        with urllib.request.urlopen(url + "/api/state", timeout=5) as answer:
            return bool(json.load(answer)["view"])

    wait_for(answers, 90, "the demo")
    yield url
    program.terminate()
    assert program.wait(60) == 0, "the program ends well when it is told to"


def test_a_game_is_watched_and_put_right(demo: str, tmp_path: Path) -> None:
    browser = open_browser(DESKTOP, tmp_path)
    try:
        browser.get(demo)
        wait_for(lambda: len(browser.find_elements("css selector", "#board circle")) >= 30, 180, "the board")
        loaded = "return performance.getEntriesByType('resource').reduce((a, e) => a + e.encodedBodySize, 0)"
        assert browser.execute_script(loaded) < 200_000
        click(browser, "show-camera")
        red = "return document.getElementById('verdict').dataset.verdict === 'red'"
        wait_for(lambda: browser.execute_script(red), 300, "an illegal play")
        wait_for(lambda: by_id(browser, "expected").is_displayed(), 20, "the expected position")
        shot(browser, "desktop-illegal")
        reason = by_id(browser, "verdict").text
        assert reason.startswith("✕")
        # A person says that the board is right as it lies: corrected by tapping.
        click(browser, "correct")
        wait_for(lambda: by_id(browser, "edit").is_displayed())
        point = browser.find_element("css selector", '#edit-board [aria-label="point 6"]')
        point.click()
        assert (
            "16 of 15" in by_id(browser, "count-light").text and not by_id(browser, "edit-save").is_enabled()
        )
        browser.find_element("css selector", '[name=brush][value="less"]').click()
        browser.find_element("css selector", '#edit-board [aria-label="point 6"]').click()
        wait_for(lambda: by_id(browser, "edit-save").is_enabled(), 5)
        shot(browser, "desktop-correct")
        assert not axe_findings(browser)
        by_id(browser, "edit-save").click()
        wait_for(
            lambda: by_id(browser, "verdict").text != reason and not browser.execute_script(red),
            60,
            "the correction",
        )
        click(browser, "full")
        click(browser, "full")
        healthy(browser)
        # What was recorded so far can be replayed and downloaded.
        browser.get(demo + "/history")
        wait_for(lambda: browser.find_elements("css selector", "#sessions button"))
        browser.find_elements("css selector", "#sessions button")[0].click()
        wait_for(lambda: by_id(browser, "replay").is_displayed())
        click(browser, "next")
        shot(browser, "desktop-history")
        healthy(browser)
        browser.find_element("css selector", '#sessions a[href$="mat"]').click()
        file = wait_for(lambda: next(iter(tmp_path.glob("*.mat")), None), 20, "the download")
        assert "point match" in file.read_text() or "Game 1" in file.read_text()
    finally:
        browser.quit()


def test_phone_live_and_history(demo: str) -> None:
    browser = open_browser(PHONE)
    try:
        browser.get(demo)
        wait_for(lambda: len(browser.find_elements("css selector", "#board circle")) >= 30, 180, "the board")
        asks = "return document.querySelector('#now [data-press=\"hint\"]') !== null"
        wait_for(lambda: browser.execute_script(asks), 120, "a moment for a hint")
        browser.execute_script("document.querySelector('#now [data-press=\"hint\"]').click()")
        wait_for(lambda: by_id(browser, "advice").is_displayed(), 20, "the hint")
        # What answers a tap is seen without scrolling.
        low = "return document.getElementById('hint').getBoundingClientRect().bottom <= innerHeight && scrollY === 0"
        assert browser.execute_script(low)
        shot(browser, "phone-live")
        healthy(browser)
        browser.get(demo + "/history")
        wait_for(lambda: browser.find_elements("css selector", "#sessions button"))
        browser.find_elements("css selector", "#sessions button")[0].click()
        wait_for(lambda: by_id(browser, "replay").is_displayed())
        shot(browser, "phone-history")
        healthy(browser)
    finally:
        browser.quit()


class Spectator:
    """An `Output` with a browser before it: every event must come to be seen on the page, else the test stops there."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.illegal: list[str] = []
        self.turns = self.corrected = self.won = 0
        self.verdict = "none"

    def show(self, moment: Moment) -> None:
        for event in moment.events:
            if isinstance(event, GameStarted):
                self._board_is(event.position)
            elif isinstance(event, TurnEnded):
                self.turns += 1
                self._board_is(event.position)
                a, b = event.dice or (0, 0)
                line = f"{a}{b}: {event.play}" if event.play else "no play"
                self._until(lambda line=line: line in self._text("#plays li:first-child"), f"the play {line}")
            elif isinstance(event, PlayIllegal):
                self.illegal.append(event.code)
                self._until(lambda: self._verdict() == "red", f"red for {event.reason}")
                self._until(lambda e=event: e.reason in self._text("#verdict"), event.reason)
                self._until(lambda: by_id(self.browser, "before").is_displayed(), "the pictures")
                for name in ("before", "after"):
                    there = partial(self.browser.execute_script, picture_there(name))
                    self._until(there, f"the picture {name}")
                click(self.browser, "play-clip")
                self._until(partial(self.browser.execute_script, picture_there("clip")), "the clip")
                shot(self.browser, "desktop-whole-illegal")
            elif isinstance(event, PlayCorrected):
                self.corrected += 1
                self._until(lambda: self._verdict() != "red", "the correction")
                self._until(lambda: not by_id(self.browser, "expected").is_displayed(), "the pictures to go")
            elif isinstance(event, GameWon):
                self.won += 1
                self._until(lambda: "wins" in self._text("#verdict"), "the winner")
                shot(self.browser, "desktop-won")

    def close(self) -> None:
        return

    def _board_is(self, position: Position) -> None:
        label = board_label(position)
        drawn = "const s = document.querySelector('#board svg'); return s && s.getAttribute('aria-label')"
        self._until(lambda: self.browser.execute_script(drawn) == label, label)
        # Not only said but drawn: checkers that are not stacked beyond five are circles (dice pips are smaller).
        shown = "return [...document.querySelectorAll('#board circle')].filter(c => c.r.baseVal.value > 15).length"
        circles = sum(min(5, n) for n in (*map(abs, position.points), *position.bar))
        self._until(lambda: self.browser.execute_script(shown) == circles, f"{circles} checkers")

    def _text(self, selector: str) -> str:
        return str(self.browser.find_element("css selector", selector).text)

    def _verdict(self) -> str:
        return str(by_id(self.browser, "verdict").get_attribute("data-verdict"))

    @staticmethod
    def _until(what: Any, why: str) -> None:
        wait_for(what, 30, why)


def picture_there(name: str) -> str:
    """A script: whether the <img> of that id shows a real picture."""
    return f"const i = document.getElementById('{name}'); return !i.hidden && i.naturalWidth > 100"


def board_label(position: Position) -> str:
    """What a screen reader is told of the board."""
    words = [f"{i}: {abs(n)} {'light' if n > 0 else 'dark'}" for i, n in enumerate(position.points, 1) if n]
    for side, bar, off in zip(("light", "dark"), position.bar, position.off, strict=True):
        words += [f"bar: {bar} {side}"] if bar else []
        words += [f"off: {off} {side}"] if off else []
    return "Board. " + ", ".join(words)


def test_a_whole_game_is_watched(tmp_path: Path) -> None:
    """From the opening throw to the score: the page follows every play, an illegal one is named and put right, and
    what is offered for download is what was played."""
    folder = tmp_path / "games"
    sitting = Sitting.at_the_table(
        FindingReader(load_profile("jumbo-travel")),
        rules=RULE_SETS["international"],
        options=RefereeOptions(),
        match_length=0,
        names=("Anna", "Bo"),
        folder=folder,
        go_on=False,
    )
    hub, program = LiveHub(), Program()
    options = WebOptions(port=free_port(), trust_this_machine=True, token_file=str(tmp_path / "token"))
    server = PageServer(options, hub, program, games=folder, curve=WinCurve(), coach=LookBack())
    evidence = sitting.evidence(RecordOptions())
    assert evidence is not None
    server.start()
    browser = open_browser(DESKTOP, tmp_path)
    try:
        browser.get(server.player_url)
        # The shortest game that we know of: an illegal play in the first turn, a pass in the tenth.
        camera = SimulatedCamera(SimulatorOptions(seed=1, games=1, cheat=0.15, pace="brisk"))
        spectator = Spectator(browser)
        run_demo(camera, sitting, [hub, evidence, spectator])
        evidence.close()
        sitting.close()
        game = sitting.files.transcript.match.games[0]  # type: ignore[union-attr]
        plays = [a for a in game.actions if isinstance(a, Rolled)]
        assert game.winner is not None and spectator.won == 1
        assert spectator.turns == len(plays) >= 8
        assert spectator.illegal and spectator.corrected == len(spectator.illegal)
        row = f"{'○ Anna' if game.winner == 'light' else '● Bo'} {game.points}"
        wait_for(lambda: row in by_id(browser, "players").text, 20, "the score")
        shot(browser, "desktop-over")
        healthy(browser)
        browser.get(server.player_url + "history")
        wait_for(lambda: browser.find_elements("css selector", "#sessions button"))[0].click()
        wait_for(lambda: by_id(browser, "curve-box").is_displayed())
        click(browser, "last")
        assert "wins" in by_id(browser, "action").text
        # The coach's curve goes with the moves, and the coach says something of each.
        click(browser, "ask-coach")
        wait_for(lambda: "PR" in by_id(browser, "summary").text, 60, "the coach")
        said, places = set(), set()
        for _ in range(len(game.actions)):
            by_id(browser, "prev").click()
            said.add(by_id(browser, "coach").text)
            places.add(
                browser.execute_script("return document.querySelector('#curve .dot').getAttribute('cx')")
            )
        assert len(places) == len(game.actions) and len(said) > 1
        # The pictures of the illegal play are kept with the game.
        assert len(browser.find_elements("css selector", "#plays .illegal")) == len(spectator.illegal)
        browser.find_element("css selector", "#plays .illegal").click()
        for name in ("before", "after"):
            wait_for(partial(browser.execute_script, picture_there(name)), 20, name)
        # The clip waits to be asked for.
        assert not browser.execute_script(picture_there("clip"))
        click(browser, "play-clip")
        wait_for(partial(browser.execute_script, picture_there("clip")), 20, "the clip")
        assert len(browser.find_elements("css selector", "#plots svg")) >= 3
        shot(browser, "desktop-replay")
        healthy(browser)
        browser.find_element("css selector", '#sessions a[href$="mat"]').click()
        file = wait_for(lambda: next(iter(tmp_path.glob("*.mat")), None), 20, "the download")
        assert load(file).match.games[0].actions == game.actions
    finally:
        browser.quit()
        hub.close()
        server.close()
