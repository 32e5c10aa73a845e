"""The line on the terminal while an answer takes its time."""

import io

import pytest

from pi_board.commands.progress_line import progress_line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_quick_answers_show_nothing_and_slow_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, now = Terminal(), [0.0]
    monkeypatch.setattr("sys.stderr", terminal)
    show = progress_line("looking ahead", lambda: now[0])
    assert show is not None
    for seconds, share, text in (
        (0.9, 0.2, ""),
        (1.5, 0.4, "\rlooking ahead …  40%"),
        (2.0, 1.0, "\r\033[K"),
    ):
        terminal.truncate(0)
        terminal.seek(0)
        now[0] = seconds
        show(share)
        assert terminal.getvalue() == text


def test_pipes_stay_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress_line("looking ahead") is None
