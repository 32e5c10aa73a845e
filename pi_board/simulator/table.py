"""`SimulatedTable`: scene, players and renderer joined; pictures come out, words go in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pi_board.frame import Frame
from pi_board.simulator.arm import Arm, Sway, arm_number
from pi_board.simulator.game import make_table
from pi_board.simulator.options import Habits, SimulatorOptions
from pi_board.simulator.renderer import Renderer
from pi_board.simulator.sky import Sky, sky_number
from pi_board.simulator.truth import Truth

Image = npt.NDArray[np.uint8]


class SimulatedTable:
    """A table in simulated time. `next_frame` is what a camera above it delivers; `tell` is what its players hear.

    `truth` is for scoring after the game: a pipeline must never be given this object, only its frames.
    """

    def __init__(self, options: SimulatorOptions, *, habits: Habits | None = None) -> None:
        self.options = options
        self.scene, self.script = make_table(options, habits=habits)
        self._renderer: Renderer | None = None
        arm, sky = arm_number(options.arm), sky_number(options.sky)
        self._arm = None if arm is None else Arm(arm, options.width / 1280)
        self._sky = None if sky is None else Sky(sky)
        self._frames = self.script.frames()
        self._seq = -1

    @property
    def truth(self) -> Truth:
        return self.script.truth

    def tell(self, word: str) -> None:
        """The players hear the referee; see `Scene.tell`."""
        self.scene.tell(word)

    def pressed(self) -> list[str]:
        """Buttons of the panel that players pressed since the last call: "pass" (a refused double)."""
        return self.scene.pressed()

    @property
    def seq(self) -> int:
        """Number of the last picture; -1 before the first."""
        return self._seq

    def next_frame(self) -> Frame | None:
        """The next picture, `1 / fps` seconds after the one before; None when the last game is over."""
        if not self.pass_by():
            return None
        if self._renderer is None:
            self._renderer = Renderer((self.options.width, self.options.height), self.options.seed)
        scene, time = self.scene, self._seq / self.options.fps
        effects = scene.effects
        if self._sky is not None:
            effects = replace(effects, gain=effects.gain * self._sky.gain(time))
        sway = Sway() if self._arm is None else self._arm.sway(time)
        image = self._renderer.render(scene.view, scene.things(), scene.hands, effects, sway)
        return Frame(image, time, self._seq)

    def pass_by(self) -> bool:
        """The table goes on by one picture that nobody takes; False when the last game is over."""
        self.script.clock = self.next_time
        if next(self._frames, _OVER) is _OVER:
            return False
        self._seq += 1
        if self._arm is not None:
            self._arm.feel(self.scene.dice, self.scene.places, self._seq / self.options.fps)
        while self.script.drop:
            # Dropped frames: time passes, nothing is delivered.
            self.script.drop -= 1
            self._seq += 1
        return True

    @property
    def next_time(self) -> float:
        """Seconds on the camera's clock at which the next picture is due."""
        return (self._seq + 1) / self.options.fps


_OVER = object()


def play_game(
    options: SimulatorOptions,
    *,
    habits: Habits | None = None,
    tell: Callable[[Callable[[str], None]], None] | None = None,
) -> Iterator[tuple[Frame, Truth]]:
    """For benches: every frame of the options' games with the truth log so far (compare only after the last one).

    tell: called once with the table's `tell`, so that the bench's referee can be heard by the players.
    """
    table = SimulatedTable(options, habits=habits)
    if tell is not None:
        tell(table.tell)
    while (frame := table.next_frame()) is not None:
        yield frame, table.truth
