"""Settings: what is wrong is named with file, section, key, value and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_board.errors import InvalidSettingsError
from pi_board.setup.settings import Settings, load_settings, parse_settings

FILE = Path("settings.toml")


def test_defaults_without_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("PI_BOARD_CONFIG", raising=False)
    monkeypatch.setattr("pi_board.setup.settings.SEARCH", (str(tmp_path / "none.toml"),))
    assert load_settings() == Settings()


def test_a_whole_file() -> None:
    settings = parse_settings(
        """
        [board]
        profile = "classic-wood"
        near = "dark"
        [game]
        rules = "schmidt"
        match_length = 5
        [camera]
        backend = "folder"
        source = "pictures"
        fps = 5
        [referee]
        strictness = "tournament"
        [house_rules]
        jacoby = true
        """,
        FILE,
    )
    assert settings.board.near == "dark" and settings.camera.fps == 5.0
    assert settings.rule_set().jacoby is True and settings.rule_set().name == "schmidt"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[board", ["settings.toml", "not valid TOML"]),
        ("[bord]\nx=1", ["[bord]", "did you mean [board]"]),
        ("[board]\nnaer='light'", ["[board] naer", "did you mean near"]),
        ("[board]\nnear='left'", ["[board] near", "'light', 'dark'", "'left'"]),
        ("[camera]\nfps='fast'", ["[camera] fps", "expected a number", "'fast'"]),
        ("[camera]\nfps=true", ["[camera] fps", "expected a number"]),
        ("[camera]\nfps=0", ["[camera] fps", "expected 0.1 to 240"]),
        ("[game]\nrules='chess'", ["[game] rules", "international", "'chess'"]),
        ("[game]\nmatch_length=-1", ["match_length", "-1"]),
        ("[house_rules]\njacobi=true", ["[house_rules]", "jacobi"]),
        ("board = 3", ["[board]", "table"]),
        ("[panel]\nquiet_from='25:00'", ["[panel] quiet_from", "22:30"]),
    ],
)
def test_mistakes_are_named(text: str, words: list[str]) -> None:
    with pytest.raises(InvalidSettingsError) as error:
        parse_settings(text, FILE)
    message = str(error.value)
    assert "\n" not in message
    for word in words:
        assert word in message


def test_all_mistakes_of_a_file_are_named_at_once() -> None:
    text = "[bord]\nx=1\n[board]\nnaer='light'\nhome='up'\n[camera]\nfps=0\n[house_rules]\njacobi=true\n[game]\nmatch_length=5\n"
    with pytest.raises(InvalidSettingsError) as error:
        parse_settings(text, FILE)
    message = str(error.value)
    assert "\n" not in message and message.count("settings.toml") == 1 and message.count(" | also ") == 4
    for word in ("[bord]", "did you mean near", "[board] home", "[camera] fps", "jacobi"):
        assert word in message


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettingsError, match="no such settings file"):
        load_settings(tmp_path / "none.toml")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidSettingsError, match="UTF-8"):
        load_settings(binary)
