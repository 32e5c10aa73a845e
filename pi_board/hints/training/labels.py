"""Labels from GNU Backgammon: the probabilities that it gives to the player on roll.

gnubg's Python waits in 10 ms steps for each evaluation. A three-line library that shortens that sleep is compiled and
preloaded: tens of thousands of labels a second at 0-ply instead of 100.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pi_board.hints.rows import Rows

# A short time slice lets its two threads hand over to each other quickly on a busy machine, without more processor time.
_NAP = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <semaphore.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
__attribute__((constructor)) static void short_slice(void) {
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; } a =
        {48, 0, 0, getpriority(PRIO_PROCESS, 0), 0, 100000, 0, 0};
    syscall(SYS_sched_setattr, 0, &a, 0);
    prctl(PR_SET_TIMERSLACK, 1000UL);
}
static sem_t idle;
void g_cond_wait(void *condition, void *mutex) {
    static void (*wait)(void *, void *);
    if (!wait) wait = (void (*)(void *, void *))dlsym(RTLD_NEXT, "g_cond_wait");
    sem_post(&idle);
    wait(condition, mutex);
}
void g_usleep(unsigned long us) {
    struct timespec until;
    (void)us;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 1000000;
    if (until.tv_nsec >= 1000000000) { until.tv_sec++; until.tv_nsec -= 1000000000; }
    sem_timedwait(&idle, &until);
}
"""


def find_gnubg() -> str:
    found = shutil.which("gnubg", path=os.environ.get("PATH", "") + ":/usr/games:/usr/local/bin")
    if not found:
        raise SystemExit("training needs GNU Backgammon (Debian: apt install gnubg)")
    return found


class Labeller:
    """One GNU Backgammon process."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        (folder / "nap.c").write_text(_NAP)
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-o", folder / "nap.so", folder / "nap.c", "-ldl"], check=True
        )
        to_child, self._sink = os.pipe()
        self._source, from_child = os.pipe()
        env = {
            **os.environ,
            "LD_PRELOAD": str(folder / "nap.so"),
            "PI_BOARD_IN": str(to_child),
            "PI_BOARD_OUT": str(from_child),
            "HOME": str(folder),
        }
        script = Path(__file__).with_name("gnubg_side.py")
        command = [find_gnubg(), "-t", "-q", "-p", str(script)]
        self._process = subprocess.Popen(
            command,
            env=env,
            pass_fds=(to_child, from_child),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(to_child)
        os.close(from_child)
        self._in = os.fdopen(self._source, "rb")

    def label(self, rows: Rows, plies: int = 0) -> NDArray[np.float32]:
        """(N, 5) float32 for the mover of `rows`, who is on roll; cubeless money."""
        boards = np.zeros((len(rows), 2, 25), np.uint8)
        points = rows[:, :24]
        boards[:, 1, :24] = np.where(points > 0, points, 0)
        boards[:, 1, 24] = rows[:, 24]
        boards[:, 0, :24] = np.where(points < 0, -points, 0)[:, ::-1]
        boards[:, 0, 24] = rows[:, 25]
        parts = []
        for i in range(0, len(rows), 512):
            part = boards[i : i + 512]
            os.write(self._sink, struct.pack("ii", len(part), plies) + part.tobytes())
            data = self._in.read(20 * len(part))
            parts.append(np.frombuffer(data, np.float32).reshape(-1, 5))
        return np.concatenate(parts) if parts else np.zeros((0, 5), np.float32)

    def close(self) -> None:
        os.close(self._sink)
        self._process.wait(10)
        self._folder.cleanup()
