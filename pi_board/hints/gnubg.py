"""GNU Backgammon as a second opinion, where it is installed: the same answers as our own engine's, from its process.

The program is started once (`gnubg -t -q -p script`) and kept; a small script inside it answers one JSON line per
question over a pair of pipes. Every answer has a deadline; a process that misses it or dies is ended, the
caller gets `GnubgError` and may go on with the own engine (`backend.Backend` does, with a notice).
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pi_board.errors import DeviceError
from pi_board.hints.cube_advice import CubeAdvice, CubeEquities, judged
from pi_board.hints.ranking import Level, RankedPlay, check_level, outcomes_of
from pi_board.hints.rows import Rows, encode, flip
from pi_board.hints.search import Progress
from pi_board.hints.stakes import MatchScore, stakes, worth_of
from pi_board.rules import Play, Position, RuleSet, Side, legal_plays, opponent, rule_set

#: Runs inside GNU Backgammon's Python, so it stands here as text. One JSON list per line in, one per line out.
_SCRIPT = """
import json, os, gnubg
source = os.fdopen(int(os.environ["PI_BOARD_IN"]), "r")
sink = os.fdopen(int(os.environ["PI_BOARD_OUT"]), "w")
for line in source:
    try:
        ask = json.loads(line)
        cube = dict(gnubg.cubeinfo(ask["cube"], ask["owner"], 0, ask["length"], tuple(ask["score"]), ask["crawford"], 0))
        cube["jacoby"], cube["beavers"] = ask["jacoby"], 0
        context = {"cubeful": 1, "plies": ask["plies"], "deterministic": 1, "prune": 1 if ask["plies"] else 0, "noise": 0.0}
        answers = []
        for other, mine in ask["boards"]:
            board = (tuple(other), tuple(mine))
            full = gnubg.cfevaluate(board, cube, context)
            answers.append([list(full[:4]), list(gnubg.evaluate(board, cube, context))])
        reply = {"answers": answers}
    except Exception as error:
        reply = {"error": repr(error)}
    sink.write(json.dumps(reply) + "\\n")
    sink.flush()
os._exit(0)
"""

#: Plies for plays (all at 0, the best `keep` deeper) and for the cube.
_PLIES = {"fast": (0, 0), "normal": (1, 8), "deep": (2, 6)}
_CUBE_PLIES = {"fast": 0, "normal": 2, "deep": 2}


class GnubgError(DeviceError):
    """GNU Backgammon is not installed, does not answer in time, or ended."""


def find_gnubg(path: str = "") -> str | None:
    """The program's path: `path` itself when given, else where systems put it; None when there is none."""
    places = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", "/usr/local/bin", "/usr/local/games"])
    return shutil.which(path or "gnubg", path=places)


class Gnubg:
    """One kept process. Use as a context manager or call `close`. Raises GnubgError when it cannot be started."""

    def __init__(self, path: str = "", timeout: float = 20.0) -> None:
        found = find_gnubg(path)
        if found is None:
            raise GnubgError(
                f"GNU Backgammon: {path or 'gnubg'} is not installed (Debian: apt install gnubg)"
            )
        self.timeout = timeout
        self._folder = tempfile.TemporaryDirectory(prefix="pi-board-gnubg-")
        script = Path(self._folder.name) / "answer.py"
        script.write_text(_SCRIPT, encoding="utf-8")
        to_child, self._ask = os.pipe()
        self._answer, from_child = os.pipe()
        env = {
            **os.environ,
            "PI_BOARD_IN": str(to_child),
            "PI_BOARD_OUT": str(from_child),
            "HOME": self._folder.name,
        }
        try:
            self._process = subprocess.Popen(
                [found, "-t", "-q", "-p", str(script)],
                env=env,
                cwd=self._folder.name,
                pass_fds=(to_child, from_child),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            for fd in (self._ask, self._answer):
                os.close(fd)
            self._folder.cleanup()
            raise GnubgError(f"GNU Backgammon: {found}: {error.strerror}") from None
        finally:
            os.close(to_child)
            os.close(from_child)
        self._pending = b""
        self._closed = False

    def __enter__(self) -> Gnubg:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        os.close(self._ask)
        try:
            self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._answer)
        self._folder.cleanup()

    def _question(self, ask: dict[str, Any]) -> list[Any]:
        if self._closed:
            raise GnubgError("GNU Backgammon: the process has ended")
        deadline = time.monotonic() + self.timeout
        data = (json.dumps(ask) + "\n").encode()
        try:
            while data:
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([], [self._ask], [], left)[1]:
                    raise TimeoutError
                data = data[os.write(self._ask, data[:4096]) :]
            while b"\n" not in self._pending:
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([self._answer], [], [], left)[0]:
                    raise TimeoutError
                part = os.read(self._answer, 1 << 16)
                if not part:
                    raise BrokenPipeError
                self._pending += part
        except TimeoutError:
            self.close()
            raise GnubgError(f"GNU Backgammon: no answer within {self.timeout:g} s") from None
        except OSError:
            self.close()
            raise GnubgError("GNU Backgammon: the process has ended") from None
        line, _, self._pending = self._pending.partition(b"\n")
        reply = json.loads(line)
        if "error" in reply:
            raise GnubgError(f"GNU Backgammon: {reply['error']}")
        answers: list[Any] = reply["answers"]
        return answers

    def _evaluate(
        self,
        rows: Rows,
        plies: int,
        cube: tuple[int, int],
        jacoby: bool,
        match: MatchScore | None,
        side: Side,
        progress: Progress | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """For rows seen from the player on roll: (equities (N, 4): optimal, no double, take, pass; probabilities (N, 5)).

        cube: (value, owner: -1 middle, 0 the player on roll, 1 the other). side: who is on roll.
        """
        boards = []
        for row in rows.tolist():
            mine = [max(n, 0) for n in row[:24]] + [row[24]]
            other = [max(-n, 0) for n in row[23::-1]] + [row[25]]
            boards.append([other, mine])
        ask: dict[str, Any] = {
            "cube": cube[0],
            "owner": cube[1],
            "plies": plies,
            "jacoby": int(jacoby and match is None),
            "length": match.length if match else 0,
            "score": list(match.score if match is None or side == "light" else match.score[::-1])
            if match
            else [0, 0],
            "crawford": int(match.crawford) if match else 0,
        }
        found: list[Any] = []
        step = 4 if plies else 16
        for i in range(0, len(boards), step):
            found += self._question({**ask, "boards": boards[i : i + step]})
            if progress:
                progress(min(1.0, (i + step) / len(boards)))
        return (
            np.array([f[0] for f in found], np.float64).reshape(-1, 4),
            np.array([f[1][:5] for f in found], np.float64).reshape(-1, 5),
        )

    def rank_plays(
        self,
        position: Position,
        dice: tuple[int, int],
        side: Side = "light",
        *,
        cube: tuple[int, Side | None] = (1, None),
        level: Level = "normal",
        rules: str | RuleSet = "international",
        jacoby: bool | None = None,
        match: MatchScore | None = None,
        progress: Progress | None = None,
        listed: int = 0,
    ) -> list[RankedPlay]:
        """As `hints.rank_plays`; "normal" is its 1-ply, "deep" its 2-ply. Gammons count as in its money or match play."""
        check_level(level)
        stakes(side, cube, rules=rules, jacoby=jacoby, match=match)
        plays: Sequence[Play] = legal_plays(position, dice, side, rules)
        results = encode([p.result for p in plays], side)
        rows = flip(results)
        value, owner = cube
        held = (value, -1 if owner is None else 1 if owner == side else 0)
        law = rule_set(rules)
        use_jacoby = law.jacoby if jacoby is None else jacoby
        other = opponent(side)
        over = results[:, 26] == 15
        equity = np.empty(len(rows))
        chances = np.empty((len(rows), 5))
        for i in np.flatnonzero(over):
            gammon = results[i, 27] == 0
            back = gammon and (results[i, 25] > 0 or (results[i, :6] < 0).any())
            chances[i] = (0, 0, 0, gammon, back)
            equity[i] = -(1 + gammon + back)
        live = np.flatnonzero(~over)
        plies = np.zeros(len(rows), int)
        if len(live):
            found, chances[live] = self._evaluate(rows[live], 0, held, use_jacoby, match, other)
            equity[live] = found[:, 0]
        depth, keep = _PLIES[level]
        if depth and len(live):
            best = live[np.argsort(equity[live], kind="stable")][: max(keep, listed)]
            found, chances[best] = self._evaluate(rows[best], depth, held, use_jacoby, match, other, progress)
            equity[best] = found[:, 0]
            plies[best] = depth
            plies[over] = depth
        mine = np.column_stack(
            [1 - chances[:, 0], chances[:, 3], chances[:, 4], chances[:, 1], chances[:, 2]]
        )
        cubeless = worth_of(rules).equity(mine.astype(np.float32))
        order = np.lexsort((equity, -plies))
        top = -equity[order[0]]
        return [
            RankedPlay(
                plays[i],
                float(-equity[i]),
                outcomes_of(mine[i]),
                float(cubeless[i]),
                max(0.0, float(top + equity[i])),
                int(plies[i]),
            )
            for i in order
        ]

    def cube_action(
        self,
        position: Position,
        side: Side = "light",
        *,
        cube: tuple[int, Side | None] = (1, None),
        level: Level = "normal",
        jacoby: bool | None = False,
        rules: str | RuleSet = "international",
        match: MatchScore | None = None,
        progress: Progress | None = None,
    ) -> CubeAdvice:
        """As `hints.cube_action`."""
        check_level(level)
        model, state = stakes(side, cube, rules=rules, jacoby=jacoby, match=match)
        value, owner = cube
        held = (value, -1 if owner is None else 0 if owner == side else 1)
        use_jacoby = rule_set(rules).jacoby if jacoby is None else jacoby
        found, chances = self._evaluate(
            encode([position], side), _CUBE_PLIES[level], held, use_jacoby, match, side, progress
        )
        _, no_double, take, passed = (float(x) for x in found[0])
        may = model.may_double(state)
        return CubeAdvice(
            judged(may, no_double, take, passed),
            CubeEquities(no_double, take, passed),
            outcomes_of(chances[0]),
            float(worth_of(rules).equity(chances.astype(np.float32))[0]),
            may,
        )

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()
