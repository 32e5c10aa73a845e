"""A real headless Chromium for the tests; tests skip visibly where it or Selenium is missing.

PI_BOARD_SCREENSHOTS: a folder for screenshots to look at. PI_BOARD_AXE: path of axe.min.js (npm axe-core), which is
needed only while the page is worked on and is not kept here.
"""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PHONE, DESKTOP, PROJECTOR = (360, 740), (1280, 800), (1920, 1080)
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
)


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def open_browser(size: tuple[int, int], downloads: Path | None = None, *, dark: bool = False) -> Any:
    selenium = pytest.importorskip(
        "selenium.webdriver", reason="selenium is not installed (pip install selenium)"
    )
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("no chromium with chromedriver here")
    options = selenium.ChromeOptions()
    options.binary_location = chromium
    for flag in FLAGS.split():
        options.add_argument(flag)
    options.add_argument(f"--window-size={size[0]},{size[1]}")
    # The screen that full-screen mode fills.
    options.add_argument(f"--screen-info={{{size[0]}x{size[1]}}}")
    if size == PHONE:
        metrics = {"width": size[0], "height": size[1], "pixelRatio": 2.0, "touch": True, "mobile": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    if downloads is not None:
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = selenium.ChromeService(driver)
    browser = selenium.Chrome(options=options, service=service)
    if dark:
        scheme = [{"name": "prefers-color-scheme", "value": "dark"}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
    return browser


def by_id(browser: Any, name: str) -> Any:
    return browser.find_element("id", name)


def click(browser: Any, name: str) -> None:
    element = by_id(browser, name)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def wait_for(what: Callable[[], Any], seconds: float = 60.0, why: str = "") -> Any:
    """The first true value of `what`. Elements that are just being replaced are looked at again."""
    end = time.monotonic() + seconds
    problem: Exception | None = None
    while time.monotonic() < end:
        try:
            if found := what():
                return found
        except Exception as error:  # stale elements
            problem = error
        time.sleep(0.2)
    raise AssertionError(f"waited {seconds:g} s for {why or what}: {problem or 'it never came'}")


def shot(browser: Any, name: str) -> None:
    folder = os.environ.get("PI_BOARD_SCREENSHOTS")
    if folder:
        height = browser.execute_script("return document.documentElement.scrollHeight")
        clip = {
            "x": 0,
            "y": 0,
            "width": browser.execute_script("return innerWidth"),
            "height": min(height, 3000),
            "scale": 1,
        }
        import base64

        data = browser.execute_cdp_cmd(
            "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip}
        )["data"]
        Path(folder, f"{name}.png").write_bytes(base64.b64decode(data))


def console_errors(browser: Any) -> list[str]:
    return [e["message"] for e in browser.get_log("browser") if e["level"] in ("SEVERE", "ERROR")]


def axe_findings(browser: Any) -> list[str]:
    """Serious and critical findings of axe-core; nothing is checked without PI_BOARD_AXE."""
    path = os.environ.get("PI_BOARD_AXE")
    if not path:
        return []
    browser.execute_cdp_cmd("Runtime.evaluate", {"expression": Path(path).read_text(encoding="utf-8")})
    result = browser.execute_async_script(
        "const done = arguments[0]; axe.run().then(r => done(r.violations));"
    )
    return [
        f"{v['id']} ({v['impact']}): {[n['html'][:120] for n in v['nodes'][:3]]}"
        for v in result
        if v["impact"] in ("serious", "critical")
    ]


def no_sideways_scrolling(browser: Any) -> bool:
    return bool(browser.execute_script("return document.documentElement.scrollWidth <= innerWidth + 1"))
