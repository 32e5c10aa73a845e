"""Ctrl-C at any moment: exit code 130, no traceback, and whatever was announced is whole on disk."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pi_board.record.formats import load
from pi_board.record.journal import read_journal


def wait_for(condition, seconds: float = 240.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("lines", [1, pytest.param(12, marks=pytest.mark.slow)])
def test_an_interrupted_demo_leaves_complete_files(tmp_path: Path, lines: int) -> None:
    demo = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "pi_board",
            "demo",
            "--headless",
            "--cheat",
            "0.3",
            "--log-dir",
            str(tmp_path),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A test run in the background of a shell ignores Ctrl-C, and would hand that down.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )

    def written() -> int:
        return sum(path.read_bytes().count(b"\n") for path in tmp_path.glob("*.jsonl"))

    try:
        assert wait_for(lambda: written() >= lines or demo.poll() is not None)
        demo.send_signal(signal.SIGINT)
        _, errors = demo.communicate(timeout=240)
    finally:
        demo.kill()
    assert demo.returncode == 130
    assert "Traceback" not in errors
    for path in tmp_path.glob("*.jsonl"):
        content = read_journal(path)
        assert path.read_bytes().endswith(b"\n")
        assert len(content.events) >= lines - 1
    for path in tmp_path.glob("*.mat"):
        assert load(path).problems == ()
