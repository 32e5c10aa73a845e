"""Letters are OpenCV's, are read on anything, and stay within the picture."""

from __future__ import annotations

import subprocess
import sys

import cv2
import numpy as np
import pytest

from pi_board.vision.lettering import FIRST, LAST, write
from pi_board.vision.training.letters import drawn_letters

#: OpenCV 4 drew with strokes.
with_outlines = pytest.mark.skipif(int(cv2.__version__.split(".")[0]) < 5, reason="letters of OpenCV 5")


@with_outlines
@pytest.mark.parametrize("text", ["+15 0.85", "cube ? center 0.44", "The quick brown fox: 12!", "{j} ~|_^ %"])
def test_a_line_looks_as_opencv_would_draw_it(text: str) -> None:
    ours, theirs = (np.zeros((60, 500, 3), np.uint8) for _ in range(2))
    write(ours, text, 10, 40, (255, 255, 255), 1.0)
    cv2.putText(theirs, text, (10, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (255, 255, 255), 2, cv2.LINE_AA)
    ours, theirs = (cv2.GaussianBlur(p[..., 0].astype(np.float32), (5, 5), 0) for p in (ours, theirs))
    assert np.corrcoef(ours.ravel(), theirs.ravel())[0, 1] > 0.9


@with_outlines
def test_letters_are_kept_as_they_are_drawn() -> None:
    """`weights/letters.npz` is what `training/letters.py` makes; another OpenCV may draw them a little differently."""
    from pi_board.vision.lettering import _letters

    ink, steps = drawn_letters()
    kept, kept_steps = _letters()
    assert len(kept) == LAST - FIRST + 1 and (kept > 0).any(axis=(1, 2))[1:].all()
    assert np.abs(np.array(kept_steps) - steps).max() <= 1
    assert np.abs(ink[:, :, : kept.shape[2]].astype(int) - kept).mean() < 4


@pytest.mark.parametrize("grey", [0, 120, 255])
def test_a_word_is_seen_on_anything(grey: int) -> None:
    picture = np.full((40, 120, 3), grey, np.uint8)
    write(picture, "6+6", 10, 30, (200, 200, 200), 0.8)
    levels = {int(v) for v in picture[..., 0].ravel()}
    assert min(levels) < 30 and max(levels) >= 195 and 200 in levels


@pytest.mark.parametrize(
    ("x", "y"), [(-500, 20), (-15, 5), (95, 39), (500, 20), (10, -50), (10, 200), (50, 0)]
)
@pytest.mark.parametrize("text", ["", "über 7", "a long line that does not fit"])
def test_what_does_not_fit_is_left_out(x: float, y: float, text: str) -> None:
    room = np.full((240, 300, 3), 50, np.uint8)
    picture = room[100:140, 100:200]
    write(picture, text, x, y, (0, 255, 255), 0.6)
    room[100:140, 100:200] = 50
    assert (room == 50).all()


def test_what_is_not_ascii_is_a_question_mark() -> None:
    ours, theirs = (np.zeros((40, 120, 3), np.uint8) for _ in range(2))
    write(ours, "a→ü", 5, 30, (9, 99, 199), 0.7)
    write(theirs, "a??", 5, 30, (9, 99, 199), 0.7)
    assert (ours == theirs).all() and ours.any()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_no_thread_keeps_letters_of_its_own() -> None:
    """OpenCV's own take 5 MB for each thread that has written."""
    code = """
import os, threading
import numpy as np
from pi_board.vision.lettering import write

def held():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6

picture = np.zeros((720, 1280, 3), np.uint8)
write(picture, "a word", 10, 30, (255, 255, 255), 0.8)
before = held()
for _ in range(2):
    thread = threading.Thread(target=write, args=(picture, "a word", 10, 30, (255, 255, 255), 0.8))
    thread.start()
    thread.join()
print(held() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 3.0
