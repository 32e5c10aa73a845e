"""The club's page in a real Chromium, on a phone and on a desktop: boards, one board large, a tournament from names to standings."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
import uvicorn

from pi_board.club.archive import Archive
from pi_board.club.collector import BoardNow
from pi_board.club.service import Desk, Service, make_app
from pi_board.rules import STARTING_POSITION
from pi_board.table import ClockView, Phase, TableView, VerdictColour
from pi_board.web.access import Gatekeeper
from tests.club.test_service import Heard
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

pytestmark = pytest.mark.slow


def view(number: int, verdict: VerdictColour, message: str = "") -> BoardNow:
    table = TableView(
        phase=Phase.PLAY,
        position=STARTING_POSITION,
        side="dark",
        dice=(3, 1),
        names=(f"Ann {number}", "<b>Bob</b>"),
        score=(number, 2),
        match_length=5,
        verdict=verdict,
        message=message,
        last_plays=(("light", "31", "8/5 6/5"),),
        clock=ClockView("delay", 605, -7, running=True),
    )
    return BoardNow(f"table-{number}", online=True, state={"view": table.to_document()})


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    archive, heard = Archive(str(tmp_path_factory.mktemp("club") / "club.db")), Heard()
    heard.boards = {f"table-{i}": view(i, VerdictColour.NONE) for i in (1, 2, 10)}
    heard.boards["table-2"] = view(2, VerdictColour.RED, "Moved 5 with a 4.")
    desk = Desk(archive, heard, clock=lambda: 100.0)  # type: ignore[arg-type]
    keeper, port = Gatekeeper("t" * 24, ()), free_port()
    service = Service(desk)
    server = uvicorn.Server(uvicorn.Config(make_app(service, keeper), port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield SimpleNamespace(
        url=f"http://localhost:{port}", keeper=keeper, heard=heard, service=service, archive=archive
    )
    server.should_exit = True
    thread.join(timeout=10)
    archive.close()


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_an_evening_at_the_directors_desk(club: SimpleNamespace, size: tuple[int, int]) -> None:
    browser = open_browser(size)
    try:
        browser.get(club.url + club.keeper.short_path)
        cards = wait_for(lambda: browser.find_elements("css selector", "#grid button"), why="the boards")
        assert [c.text.split()[0] for c in cards] == ["table-2", "table-1", "table-10"]
        assert "<b>Bob</b>" in cards[0].text and "illegal play" in cards[0].text
        assert "10:05 - -0:07" in cards[0].text
        assert "table-2" in by_id(browser, "summary").text
        # A board that speaks is seen without a reload.
        club.heard.boards["table-1"] = view(1, VerdictColour.AMBER, "I cannot see point 8.")
        club.service.changed()
        wait_for(lambda: "I cannot see point 8." in by_id(browser, "grid").text, why="news of a board")
        browser.find_elements("css selector", "#grid button")[0].click()
        wait_for(lambda: by_id(browser, "large").get_attribute("open") is not None)
        assert by_id(browser, "large-board").find_elements("tag name", "svg")
        assert not axe_findings(browser)
        shot(browser, f"club-large-{size[0]}")
        click(browser, "close")
        # A table calls: it comes first, and the director answers.
        club.heard.boards["table-10"].state["director"] = "called"
        club.heard.boards["table-10"].called = 90.0
        club.service.changed()
        wait_for(lambda: "wants the director, 10 s" in by_id(browser, "grid").text, why="the call")
        called = browser.find_elements("css selector", "#grid button")[0]
        assert called.text.startswith("table-10") and "table-10" in by_id(browser, "summary").text
        shot(browser, f"club-called-{size[0]}")
        called.click()
        assert not axe_findings(browser)
        click(browser, "come")
        wait_for(lambda: ("table-10", {"director": "coming"}) in club.heard.asked, why="the answer")
        club.heard.boards["table-10"].state["director"] = "coming"
        club.service.changed()
        wait_for(lambda: not by_id(browser, "come").is_displayed(), why="the answer to be shown")
        assert "on the way" in by_id(browser, "grid").text
        del club.heard.boards["table-10"].state["director"]
        click(browser, "close")
        browser.find_element("css selector", "details summary").click()
        by_id(browser, "name").send_keys(f"Cup {size[0]}")
        by_id(browser, "players").send_keys("Ann\nBob\nCid\n")
        browser.find_element("css selector", "#new button").click()
        name = f"Cup {size[0]}"
        card = wait_for(
            lambda: next(c for c in browser.find_elements("css selector", "#cups article") if name in c.text),
            why="the tournament",
        )
        assert "(free)" in card.text
        boxes = card.find_elements("css selector", "input")
        boxes[0].clear()
        boxes[0].send_keys("5")
        card.find_element("css selector", "form button").click()
        wait_for(
            lambda: "5:0" in browser.find_element("css selector", "#cups article").text, why="the result"
        )
        assert no_sideways_scrolling(browser) and not axe_findings(browser)
        shot(browser, f"club-{size[0]}")
        assert not console_errors(browser)
    finally:
        browser.quit()


def test_a_guest_sees_and_changes_nothing(club: SimpleNamespace) -> None:
    browser = open_browser(DESKTOP)
    try:
        browser.get(f"{club.url}/enter?watch={club.keeper.spectator_word}")
        wait_for(lambda: browser.find_elements("css selector", "#grid button"), why="the boards")
        assert not by_id(browser, "notice").is_displayed() and not by_id(browser, "new").is_displayed()
        assert not console_errors(browser)
    finally:
        browser.quit()
