"""What is spoken, when, and with which words of the program."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pi_board import events as ev
from pi_board.errors import DeviceError, InvalidSettingsError
from pi_board.output import Moment
from pi_board.panel.language import LANGUAGES, load_language
from pi_board.panel.options import PanelOptions, VoiceOptions
from pi_board.panel.voice import VOICES, Voice, command, spoken
from pi_board.rules import STARTING_POSITION
from tests.panel.scenes import ILLEGAL

TOLD = ev.PlayIllegal(
    side="light",
    dice=(3, 1),
    code="wrong_number",
    reason="no",
    position=STARTING_POSITION,
    seen=STARTING_POSITION,
)


class Heard:
    def __init__(self) -> None:
        self.words: list[Sequence[str]] = []
        self.said = threading.Event()

    def __call__(self, words: Sequence[str]) -> None:
        self.words.append(words)
        self.said.set()


def voice(heard: Any, **more: Any) -> Voice:
    terms: dict[str, Any] = {
        "clock": lambda: "20:00",
        "quiet_at": lambda at: False,
        "find": lambda name: f"/usr/bin/{name}",
    }
    return Voice(VoiceOptions("verdicts"), load_language("de"), say=heard, **terms | more)


def test_a_verdict_is_spoken_in_the_players_language() -> None:
    heard = Heard()
    one = voice(heard)
    one.show(Moment(1.0, ILLEGAL, (TOLD,)))
    assert heard.said.wait(5)
    one.close()
    (words,) = heard.words
    assert words[:3] == ["espeak-ng", "-v", "de"] and words[-2] == "--"
    assert words[-1] == load_language("de").sentence(ILLEGAL)


@pytest.mark.parametrize("why", ["quiet hours", "recorder", "nothing to say"])
def test_silence(why: str) -> None:
    heard = Heard()
    one = voice(heard, quiet_at=lambda at: why == "quiet hours")
    view = replace(ILLEGAL, mode="recorder") if why == "recorder" else ILLEGAL
    one.show(Moment(1.0, view, () if why == "nothing to say" else (TOLD,)))
    one.close()
    assert heard.words == []


def test_the_table_never_waits_and_only_the_newest_is_said() -> None:
    go_on, heard = threading.Event(), Heard()

    def slow(words: Sequence[str]) -> None:
        heard(words)
        go_on.wait(5)

    one = voice(slow)
    one.show(Moment(1.0, ILLEGAL, (TOLD,)))
    assert heard.said.wait(5)
    for n in range(50):
        one.show(Moment(2.0 + n, replace(ILLEGAL, names=(f"Anna {n}", "Bob")), (TOLD,)))
    go_on.set()
    one._thread.join(0.2)
    one.close()
    assert len(heard.words) <= 2


def test_without_the_program() -> None:
    with pytest.raises(DeviceError, match="sudo apt install espeak-ng"):
        voice(Heard(), find=lambda name: None)


def test_every_language_has_a_voice() -> None:
    assert set(VOICES) == set(LANGUAGES)
    assert command(VoiceOptions(volume=100), "fr", "-x")[-4:] == ["-s", "160", "--", "-x"]


def test_what_is_spoken() -> None:
    assert spoken([TOLD], "verdicts") and not spoken([TOLD], "off")
    won = ev.GameWon(side="light", points=1, kind="single")
    assert spoken([won], "all") and not spoken([won], "verdicts")
    assert not spoken([ev.Noticed(code="notice_thrown_again", reason="")], "all")
    assert spoken([ev.Noticed(code="notice_crawford", reason="")], "all")


@pytest.mark.parametrize("wrong", [{"words": "some"}, {"volume": 101}, {"speed": 10}])
def test_settings(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidSettingsError):
        VoiceOptions(**wrong)


def test_quiet_hours_are_the_panels() -> None:
    assert PanelOptions(quiet_from="22:00", quiet_to="07:00").quiet_at("23:30")
