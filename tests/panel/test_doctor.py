"""`pi-board doctor`: every line has a state and, unless green, something to do."""

from __future__ import annotations

import json
import os
import sys
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pi_board.camera import CameraOptions
from pi_board.camera.lens import Lens, save_lens
from pi_board.cli import main
from pi_board.commands import doctor
from pi_board.commands.board_share import board_in_use, share_in, share_words
from pi_board.panel.options import DisplayOptions, PanelOptions, SerialOptions
from pi_board.record.options import RecordOptions
from pi_board.session.finding_reader import FindingReader
from pi_board.setup.settings import Settings
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.profile import load_profile
from pi_board.web.access import Gatekeeper, load_token
from pi_board.web.options import WebOptions
from tests.panel.test_header_chip import Lgpio
from tests.panel.test_strip import Pico

NAMES = ["settings", "software", "speed", "camera", "pins", "i2c", "spi", "display", "serial", "voice", "disk", "clock", "power",
         "service", "page", "calibration"]  # fmt: skip


def settings_file(folder: Path, more: str = "") -> str:
    path = folder / "settings.toml"
    path.write_text(
        f'[camera]\nbackend = "simulated"\nwidth = 320\nheight = 240\n[record]\nfolder = "{folder}/games"\n{more}',
        encoding="utf-8",
    )
    return str(path)


def test_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["doctor", "--config", settings_file(tmp_path), "--json"])
    document = json.loads(capsys.readouterr().out)
    checks = {c["name"]: c for c in document["checks"]}
    assert list(checks) == NAMES
    for check in checks.values():
        assert check["state"] in ("green", "amber", "red") and check["found"]
        assert (check["state"] == "green") == (not check["todo"]), check
    assert checks["camera"]["state"] == "green" and "brightness" in checks["camera"]["found"]
    assert document["state"] == max(
        (c["state"] for c in checks.values()), key=("green", "amber", "red").index
    )
    assert code == (document["state"] == "red")


def test_table_without_colour_says_the_state_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = settings_file(tmp_path, '[display]\nkind = "ssd1306"\nbus = 29\n')
    assert main(["doctor", "--config", config]) == 1
    out = capsys.readouterr().out
    assert all(name in out for name in NAMES)
    assert "FAULT" in out and "raspi-config" in out


def test_wrong_settings_are_one_red_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[panel]\nbuzzer = 7\n", encoding="utf-8")
    assert main(["doctor", "--config", str(path), "--json"]) == 1
    first = json.loads(capsys.readouterr().out)["checks"][0]
    assert first["state"] == "red" and "[panel] buzzer: expected" in first["found"]


@pytest.mark.parametrize(
    ("status", "state", "words"),
    [
        ("no camera", "red", "no picture"),
        ("refereeing", "green", "in use by the running service"),
        ("", "green", "in use by the running service"),
        (
            "refereeing; picamera2 camera 0 (imx708), 1280×720 RGB888, sensor mode 2304×1296, all of its width; "
            + share_words(0.62),
            "green",
            "sensor mode 2304×1296, all of its width; the board takes 62% of",
        ),
        (f"refereeing; a webcam; {share_words(0.35)}", "amber", "35%"),
    ],
)
def test_the_running_service_says_what_its_camera_sees(
    status: str, state: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(doctor, "SYSTEMD", tmp_path)
    answers = {"is-active": "active", "show": status}
    monkeypatch.setattr(doctor, "_command", lambda *command: answers[command[1]])
    check = doctor.camera(Settings())
    assert (check.state, words in check.found) == (state, True), check
    assert (check.state == "green") == (not check.todo)


def test_the_share_is_that_of_the_board_that_is_read() -> None:
    profile = load_profile("jumbo-travel")
    corners = np.array([[200.0, 100], [1000, 100], [1000, 600], [200, 600]])
    reader = FindingReader(profile)
    sitting = SimpleNamespace(reader=reader)
    assert board_in_use(sitting) == ""
    reader.reader = SimpleNamespace(geometry=BoardGeometry(profile, corners, (1280, 720)))  # type: ignore[assignment]
    assert share_in(f"a camera; {board_in_use(sitting)}") == pytest.approx(800 / 1280, abs=0.01)


def test_buses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "DEVICES", tmp_path)
    oled = Settings(display=DisplayOptions(kind="sh1106"))
    lcd = Settings(display=DisplayOptions(kind="st7789"))
    assert doctor.i2c(Settings()).state == doctor.spi(Settings()).state == "green"
    assert (doctor.i2c(oled).state, doctor.spi(oled).state) == ("red", "green")
    assert "i2c-1 is missing" in doctor.i2c(oled).found and "spidev0.0 is missing" in doctor.spi(lcd).found
    (tmp_path / "i2c-1").touch()
    (tmp_path / "spidev0.0").touch()
    assert doctor.i2c(oled).state == doctor.spi(lcd).state == "green"


def test_pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "DEVICES", tmp_path)
    off = PanelOptions(lights=False, buttons=False, buzzer="off")
    assert (doctor.pins(Settings()).state, doctor.pins(Settings(panel=off)).state) == ("amber", "green")
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setitem(sys.modules, "lgpio", None)
    check = doctor.pins(Settings())
    assert check.state == "red" and "python3-lgpio" in check.todo
    monkeypatch.setitem(sys.modules, "lgpio", Lgpio({0: "pinctrl-bcm2711"}))
    check = doctor.pins(Settings())
    assert check.state == "green" and check.found.endswith("by lgpio on gpiochip0")
    monkeypatch.setitem(sys.modules, "lgpio", Lgpio({0: "a desktop's"}))
    assert doctor.pins(Settings()).state == "amber"
    monkeypatch.setitem(sys.modules, "lgpio", Lgpio({0: "pinctrl-rp1"}))
    twice = tmp_path / "pins.toml"
    twice.write_text("[leds]\nturn_light = 5\n[buttons]\nhint = 5\n", encoding="utf-8")
    check = doctor.pins(Settings(panel=PanelOptions(pins=str(twice))))
    assert check.state == "red" and "leds.turn_light and buttons.hint" in check.found


def test_serial(tmp_path: Path) -> None:
    port = tmp_path / "strip"
    settings = Settings(serial=SerialOptions(strip=str(port)))
    assert doctor.serial(settings).state == "red"
    pico = Pico(port)
    assert doctor.serial(settings).state == "green"
    pico.silent = True
    check = doctor.serial(settings)
    assert check.state == "red" and "no answer" in check.found
    pico.unplug()


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (None, "green"),
        ("throttled=0x0", "green"),
        ("throttled=0x50005", "red"),
        ("throttled=0x50000", "amber"),
        ("throttled=0x2", "amber"),
    ],
)
def test_power(monkeypatch: pytest.MonkeyPatch, answer: str | None, state: str) -> None:
    monkeypatch.setattr(doctor, "_command", lambda *words: answer)
    assert doctor.power(Settings()).state == state


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("LoadState=not-found", "amber"),
        ("LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nNRestarts=0", "green"),
        ("LoadState=loaded\nActiveState=active\nUnitFileState=disabled\nNRestarts=0", "amber"),
        ("LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nNRestarts=9", "amber"),
        ("LoadState=loaded\nActiveState=failed\nUnitFileState=enabled\nNRestarts=2", "red"),
    ],
)
def test_service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: str, state: str) -> None:
    monkeypatch.setattr(doctor, "SYSTEMD", tmp_path)
    monkeypatch.setattr(doctor, "_command", lambda *words: answer)
    assert doctor.service(Settings()).state == state


def test_page(tmp_path: Path) -> None:
    file = tmp_path / "token"
    check = doctor.page(Settings())
    assert check.state == "green" and "on this machine only" in check.found
    assert doctor.page(Settings(web=WebOptions(enabled=False))).found == "switched off ([web] enabled)"
    open_page = Settings(web=WebOptions(host="0.0.0.0", token_file=str(file)))
    check = doctor.page(open_page)
    assert check.state == "amber" and check.todo == "start pi-board once" and not file.exists(), (
        "the token is the service's"
    )
    load_token(file)
    check = doctor.page(open_page)
    assert check.state == "green" and check.found.endswith(Gatekeeper(load_token(file), ()).short_path)


def test_lens(tmp_path: Path) -> None:
    file = tmp_path / "lens.toml"
    settings = Settings(camera=CameraOptions(backend="folder", lens=str(file)))
    check = doctor.calibration(settings)
    assert check.state == "red" and str(file) in check.found and "calibrate --lens" in check.todo
    save_lens(
        Lens((640, 360), np.array([[400.0, 0, 320], [0, 400, 180], [0, 0, 1]]), np.zeros(5), 0.31), file
    )
    assert "; lens measured, 0.3 px left" in doctor.calibration(settings).found


def test_a_check_that_breaks_does_not_end_the_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor, "clock", lambda settings: 1 / 0)
    checks = {c.name: c for c in doctor.examine(Path(settings_file(tmp_path)))}
    assert checks["clock"].state == "red" and list(checks) == NAMES


def test_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "free")
    settings = Settings(record=RecordOptions(folder=str(tmp_path / "games")))
    for free, state in ((10e9, "green"), (200e6, "amber"), (1e6, "red")):
        monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path, free=free: usage(free))
        assert doctor.disk(settings).state == state
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "cannot be written" in doctor.disk(settings).found
