"""Pictures of known positions from the simulator, for the tests and benches of in-play reading."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pi_board.frame import Frame
from pi_board.rules import STARTING_POSITION, Position, legal_plays
from pi_board.simulator import Renderer, Scene
from pi_board.simulator.lens import ViewPose
from pi_board.simulator.light import PRESETS
from pi_board.simulator.things import Hand
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.options import VisionOptions
from pi_board.vision.profile import load_profile
from pi_board.vision.reader import BoardReader, signed_counts

PROFILES = {"travel": "jumbo-travel", "wood": "classic-wood", "felt": "club-felt"}


class SimulatedBoard:
    """One simulated board and camera; `frame` is what the camera sees of the scene as it is now."""

    def __init__(
        self,
        style="travel",
        *,
        light="mixed",
        tilt=8.0,
        size=(960, 540),
        seed=1,
        noise=2.2,
        near="light",
        home="right",
    ):
        self.scene = Scene(
            style,
            near=near,
            home=home,
            rng=np.random.default_rng(seed),
            pose=ViewPose(tilt=tilt),
            light=PRESETS[light],
        )
        self.scene.effects = replace(self.scene.effects, noise=noise)
        self.renderer = Renderer(size, seed)
        self.near, self.home, self.style, self.seq = near, home, style, -1

    def frame(self, hands: tuple[Hand, ...] = (), name: str = "") -> Frame:
        self.seq += 1
        scene = self.scene
        image = self.renderer.render(scene.view, scene.things(), hands, scene.effects)
        return Frame(image, self.seq * 0.1, self.seq, name=name)

    def play_to(self, position: Position) -> None:
        """Only what must move moves; every other checker lies as it lay."""
        scene = self.scene
        places = [("point", p) for p in range(1, 25)] + [
            (where, side) for where in ("bar", "off") for side in ("light", "dark")
        ]

        def missing(place, side) -> int:
            kind, where = place
            if kind == "point":
                n = position.points[where - 1] * (1 if side == "light" else -1)
            else:
                n = (
                    (position.bar if kind == "bar" else position.off)[0 if side == "light" else 1]
                    if where == side
                    else 0
                )
            return max(0, n) - sum(c.side == side for c in scene.places.get(place, []))

        steps = [(place, side, missing(place, side)) for place in places for side in ("light", "dark")]
        for place, side, n in steps:
            for _ in range(-n):
                scene.take(place, side)
        for place, side, n in steps:
            for _ in range(n):
                scene.put(side, place)

    def corners(self) -> np.ndarray:
        """(4, 2) px; needs a frame before."""
        return self.renderer.lens.project(self.scene.layout.corners())

    def reader(self, **options) -> BoardReader:
        """A reader of this board with given corners, one picture at a time."""
        frame = self.frame()
        h, w = frame.image.shape[:2]
        geometry = BoardGeometry(load_profile(PROFILES.get(self.style, "generic")), self.corners(), (w, h))
        options.setdefault("motion", False)
        return BoardReader(
            geometry.profile,
            near=self.near,
            home=self.home,
            geometry=geometry,
            options=VisionOptions(**options),
        )


def board_without_cube(*args, **kwargs) -> SimulatedBoard:
    board = SimulatedBoard(*args, **kwargs)
    board.scene.cube = None
    return board


def random_positions(n: int, seed: int = 0, plies: int = 4) -> list[Position]:
    """Positions along random games: each `plies` plays further than the one before."""
    rng = np.random.default_rng(seed)
    position, side, out = STARTING_POSITION, 0, []
    while len(out) < n:
        for _ in range(plies):
            dice = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
            plays = legal_plays(position, dice, ("light", "dark")[side])
            position = plays[int(rng.integers(len(plays)))].result
            side = 1 - side
        if 15 in position.off:
            position = STARTING_POSITION
        out.append(position)
    return out


def best_counts(log_likelihood: np.ndarray) -> np.ndarray:
    """(28,) signed counts of the most likely position with 15 + 15 checkers."""
    table = np.full((16, 16), -1e9)
    table[0, 0] = 0.0
    choices = []
    for row in log_likelihood:
        new, chosen = np.full((16, 16), -1e9), np.zeros((16, 16), int)
        for n in range(-15, 16):
            a, b = max(n, 0), max(-n, 0)
            other = np.full((16, 16), -1e9)
            other[a:, b:] = table[: 16 - a, : 16 - b] + row[n + 15]
            better = other > new
            new[better], chosen[better] = other[better], n
        table = new
        choices.append(chosen)
    a = b = 15
    counts = []
    for chosen in reversed(choices):
        n = int(chosen[a, b])
        counts.append(n)
        a, b = a - max(n, 0), b - max(-n, 0)
    return np.array(counts[::-1])


def wrong_slots(log_likelihood: np.ndarray, position: Position) -> list[tuple[int, int, int]]:
    """(slot, true, read) where the best 15 + 15 reading differs; empty = the whole position is right."""
    truth, read = signed_counts(position), best_counts(log_likelihood)
    return [(int(i), int(truth[i]), int(read[i])) for i in np.flatnonzero(truth != read)]
