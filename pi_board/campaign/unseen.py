"""A table that nobody renders: the same people as on the simulated camera, and looks drawn from a measured model of vision."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.camera.simulated import SimulatedCamera
from pi_board.campaign.looks import LookTruth, how_it_lies, what_lies_there
from pi_board.campaign.noise import ReaderNoise, drawn
from pi_board.frame import Frame
from pi_board.rules import Position
from pi_board.session.finding_reader import FindingReader
from pi_board.sighting import (
    BAR_LIGHT,
    COUNTS,
    OFF_LIGHT,
    SLOTS,
    ZERO,
    CubeSeen,
    DieSeen,
    Gate,
    Sighting,
)
from pi_board.simulator import Scene, SimulatorOptions
from pi_board.simulator.things import Cup, Die
from pi_board.vision.occluders import MODEL
from pi_board.vision.options import VisionOptions
from pi_board.vision.profile import load_profile
from pi_board.vision.reader import FULL_LOOKS, LONGEST_REST, MOST_HIDDEN, REST_SECONDS

#: Pixels a centimetre: dice have places and sizes as in a picture of the usual size.
SCALE = 24.0
#: Of its foot's radius, what a cup hides of a board that is seen at an angle (rendered rooms: 3 to 7 points a cup, the median is 4).
LEANING = 1.25
#: Confidence of a die whose number is not read, at 5, 25, 50, 75 and 95 % (34 rendered ones that lay in pairs; only surer ones are read).
UNREAD = (0.51, 0.69, 0.87, 0.87, 0.87)
_NOTHING = np.zeros((1, 1, 3), np.uint8)
#: What changes a scene for a camera although nothing on the board does.
_Surroundings = tuple[Any, ...]


class UnseenCamera(SimulatedCamera):
    """Frames with a time and no picture."""

    def __init__(self, options: SimulatorOptions) -> None:
        super().__init__(options)
        self.description = f"simulated table without pictures, seed {options.seed}"

    def read(self, timeout: float | None = None) -> Frame | None:
        if not self.skip():
            return None
        return Frame(_NOTHING, self.time, self.seq)


@dataclass
class _SeenDie:
    """How one die is read for as long as it lies as it does."""

    said: str
    value: int
    confidence: float


class UnseenReader(FindingReader):
    """Says of `scene` what vision, by `noise`, would say. It is told the truth in order to blur it: a stand-in for vision
    in synthetic campaigns, and nothing else."""

    def __init__(self, scene: Scene, noise: ReaderNoise, rng: np.random.Generator) -> None:
        super().__init__(load_profile("generic"))
        self.scene, self.noise, self.rng = scene, noise, rng
        self._still = VisionOptions().still_seconds
        self._trays = bool(rng.random() < noise.trays)
        self._before: tuple[LookTruth, _Surroundings] | None = None
        self._pose = scene.view.pose
        self._moved_at = 0.0
        self._last: Sighting | None = None
        self._looks, self._read_at = 0, float("-inf")
        self._latent = rng.normal(0, 1, SLOTS)
        self._held = np.zeros(SLOTS, np.int64) - 99
        self._dice: dict[Die, _SeenDie] = {}
        self._ghost: DieSeen | None = None
        #: Why this scene gives no evidence, and why the last one without hands gave none.
        self._gate: Gate | None = None
        self._refused: Gate | None = None
        # When vision knows what stands there for a thing (rendered games: blocked for 0.7 to 1.7 s).
        self._known_at = 0.0
        self._cube: CubeSeen | None = None
        self._scene_of: LookTruth | None = None

    def look(self, frame: Frame) -> Sighting:
        """One look, gates first, as `BoardReader.look`."""
        now = what_lies_there(self.scene), (self.scene.effects, tuple(self.scene.hands), self.scene.view)
        moved = now != self._before
        self._before = now
        effects = self.scene.effects
        if moved:
            self._moved_at = frame.time
            self._last = None
            self._looks = 0
        if self.scene.view.pose is not self._pose and not effects.shake and not moved:
            self._pose = self.scene.view.pose
            return self._refuse(frame, Gate.BOARD_MOVED)
        if effects.gain < 0.01:
            return self._refuse(frame, Gate.DARK)
        if frame.time - self._moved_at < self._still:
            return self._refuse(frame, Gate.MOVING)
        if effects.blocked > 0.15:
            return self._refuse(frame, Gate.BLOCKED)
        if effects.blur > 1.5:
            return self._refuse(frame, Gate.BLURRED)
        rested = self._looks - FULL_LOOKS + 1
        if (
            self._last is not None
            and rested > 0
            and frame.time - self._read_at < min(rested * REST_SECONDS, LONGEST_REST)
        ):
            return replace(self._last, seq=frame.seq, time=frame.time)
        self._looks += 1
        self._read_at = frame.time
        self._last = self._read(frame, now[0])
        return self._last

    def learn(self, position: Position) -> None:
        """Nothing: the measured model has learned all that it will."""

    def expect_start(self) -> None:
        """Nothing to do."""

    def _refuse(self, frame: Frame, gate: Gate) -> Sighting:
        return Sighting(frame.seq, frame.time, gate, registered=gate is not Gate.BOARD_MOVED, quality=0.5)

    # -- a full look

    def _read(self, frame: Frame, truth: LookTruth) -> Sighting:
        if truth != self._scene_of:
            self._new_scene(truth)
            self._known_at = frame.time + float(self.rng.uniform(MODEL.seconds, MODEL.edge_seconds))
        if self._gate is not None and (frame.time < self._known_at or not truth.clutter):
            return self._refuse(frame, self._gate)
        covered = self._covered()
        if sum(map(bool, covered)) > MOST_HIDDEN:
            return self._refuse(frame, Gate.BLOCKED)
        table, mixed = self._table()
        hidden = tuple(slot for slot, places in enumerate(covered) if places)
        for slot in hidden:
            self._veil(table[slot], slot, covered[slot])
        lie_behind = [d for d in self.scene.dice if self._is_covered(d.x, d.y, 0.3 * d.size)]
        dice = tuple(d for d in map(self._die, self.scene.dice) if d is not None)
        if self._ghost is not None:
            dice = (*dice, self._ghost)
        return Sighting(
            frame.seq, frame.time, Gate.SETTLED, table, dice, self._cube, quality=0.9,
            mixed=tuple(m for m in mixed if m[0] not in hidden), hidden=hidden, dice_hidden=bool(lie_behind),
        )  # fmt: skip

    # -- things that stand there

    def _is_covered(self, x: float, y: float, most: float) -> bool:
        """A cup or a phone hides (x, y), cm, or comes within `most` cm of it."""
        for thing in self.scene.clutter:
            if isinstance(thing, Cup):
                # Seen at an angle it hides more than it stands on.
                reach = LEANING * thing.radius + most
                if (thing.x - x) ** 2 + (thing.y - y) ** 2 < reach**2:
                    return True
            else:
                turn = np.deg2rad(thing.angle)
                across = (x - thing.x) * np.cos(turn) + (y - thing.y) * np.sin(turn)
                along = (y - thing.y) * np.cos(turn) - (x - thing.x) * np.sin(turn)
                if abs(across) < thing.width / 2 + most and abs(along) < thing.length / 2 + most:
                    return True
        return False

    def _covered(self) -> list[tuple[int, ...]]:
        """For each of the points 1-24 the places, of the five from the edge, of which something hides a part."""
        if not self.scene.clutter:
            return [()] * 24
        layout, radius = self.scene.layout, 0.3 * self.scene.style.checker_diameter
        return [
            tuple(i for i in range(5) if self._is_covered(*layout.point_place(point, i)[:2], radius))
            for point in range(1, 25)
        ]

    def _veil(self, row: npt.NDArray[np.float64], slot: int, places: tuple[int, ...]) -> None:
        """Counts that differ only where nobody can see are as likely as the one that is said."""
        said = int(row.argmax()) - ZERO
        seen = [i for i in range(5) if i not in places]
        for count in range(-15, 16):
            other = count * said < 0 and any(i < min(abs(count), abs(said)) for i in seen)
            alike = all((i < abs(count)) == (i < abs(said)) for i in seen)
            if alike and not other and (abs(count) <= 5 or abs(said) > 5):
                row[count + ZERO] = row[said + ZERO]

    def _new_scene(self, truth: LookTruth) -> None:
        """What is decided once for as long as nothing changes."""
        noise, rng = self.noise, self.rng
        self._scene_of = truth
        if truth.hands:
            self._gate = None if rng.random() < noise.hidden else Gate.HAND
        elif self._refused is None or rng.random() > noise.stuck:
            self._gate = None
            chances = noise.cluttered if truth.clutter else noise.refused
            at = rng.random()
            for name, share in chances.items():
                at -= share
                if at < 0:
                    self._gate = Gate(name)
                    break
            self._refused = self._gate
        else:
            self._gate = self._refused
        self._dice = {d: s for d, s in self._dice.items() if d in self.scene.dice}
        self._ghost = None
        if rng.random() < noise.ghosts:
            x, y = rng.uniform(-0.4, 0.4, 2) * (self.scene.style.field_width, self.scene.style.field_height)
            self._ghost = self._as_seen(float(x), float(y), int(rng.integers(1, 7)), 0.7)
        value, place = truth.cube
        at = rng.random()
        right, unseen = noise.cube
        if place == "none" or at > 1 - unseen:
            self._cube = None
        elif at < right:
            self._cube = CubeSeen(value, place, 0.9)  # type: ignore[arg-type]
        else:
            self._cube = CubeSeen(None, place, 0.4)  # type: ignore[arg-type]

    def _table(self) -> tuple[npt.NDArray[np.float64], tuple[tuple[int, float], ...]]:
        """((28, 31) log-likelihoods, points that seem to hold both colours)."""
        noise, rng = self.noise, self.rng
        pairs = self._pairs()
        net = np.array([a - b for a, b in pairs])
        same = net == self._held
        # Errors of untouched slots persist and drift; a touched slot gets a new, independent error.
        keep = np.where(same, noise.within if self._looks > 1 else noise.across, 0.0)
        self._latent = keep * self._latent + np.sqrt(1 - keep**2) * rng.normal(0, 1, SLOTS)
        self._held = net
        out = np.zeros((SLOTS, COUNTS))
        mixed = []
        for slot, (light, dark) in enumerate(pairs):
            kind = "point" if slot < BAR_LIGHT else "bar" if slot < OFF_LIGHT else "off"
            if kind == "off" and not self._trays:
                continue
            z = float(self._latent[slot])
            if light and dark:
                # Counted for one colour, and noticed as both most of the time.
                both = (light + dark) * (1 if light > dark else -1)
                out[slot] = 0.5 * noise.row(kind, both, z, rng)
                mixed.append((slot, float(rng.normal(16.0, 4.0))))
                continue
            out[slot] = noise.row(kind, light - dark, z, rng)
            if kind != "point":
                # Bar and tray slots can hold one side's checkers only.
                wrong = (
                    slice(0, COUNTS // 2)
                    if slot in (BAR_LIGHT, OFF_LIGHT)
                    else slice(COUNTS // 2 + 1, COUNTS)
                )
                out[slot, wrong] = -1e6
        return out, tuple(mixed)

    def _pairs(self) -> list[tuple[int, int]]:
        pairs = [[0, 0] for _ in range(SLOTS)]
        for (kind, where), stack in self.scene.places.items():
            for c in stack:
                i = 0 if c.side == "light" else 1
                slot = int(where) - 1 if kind == "point" else (BAR_LIGHT if kind == "bar" else OFF_LIGHT) + i
                pairs[slot][i] += 1
        return [(a, b) for a, b in pairs]

    # -- dice

    def _die(self, die: Die) -> DieSeen | None:
        noise, rng = self.noise, self.rng
        lies = how_it_lies(die, self.scene)
        if lies == "rolling":
            return None
        model = noise.dice[lies]
        seen = self._dice.get(die)
        shares = model.first if seen is None else model.then.get(seen.said, model.first)
        said: str = drawn(shares, rng)
        if seen is None or said != seen.said:
            value = noise.die(die.value, rng) if said == "wrong" else die.value
            quantiles = model.mistaken if said == "wrong" else model.sure
            quantiles = UNREAD if said == "none" else quantiles
            confidence = float(np.interp(rng.random(), (0.05, 0.25, 0.5, 0.75, 0.95), quantiles))
            seen = self._dice[die] = _SeenDie(said, value, confidence)
        if seen.said == "unseen":
            return None
        if seen.said == "none":
            return self._as_seen(die.x, die.y, None, seen.confidence, die)
        return self._as_seen(
            die.x, die.y, seen.value, seen.confidence, die,
            cocked=seen.said in ("cocked", "on_checker"), on_checker=seen.said == "on_checker",
        )  # fmt: skip

    def _as_seen(
        self, x: float, y: float, value: int | None, confidence: float, die: Die | None = None,
        *, cocked: bool = False, on_checker: bool = False,
    ) -> DieSeen:  # fmt: skip
        style, layout = self.scene.style, self.scene.layout
        inside = abs(x) < style.field_width / 2 and abs(y) < style.field_height / 2
        near = layout.near
        far = "dark" if near == "light" else "light"
        half: Any = (near if x * layout.right_half_sign(near) > 0 else far) if inside else "outside"
        owner = die.owner if die is not None else "light"
        body = (style.dice_light if owner == "light" else style.dice_dark)[0]
        jitter = self.rng.normal(0, 0.4, 2)
        return DieSeen(
            value,
            confidence,
            640 + SCALE * x + float(jitter[0]),
            360 - SCALE * y + float(jitter[1]),
            style.die_size * SCALE,
            half,
            cocked,
            on_checker,
            tuple(int(255 * v) for v in body),  # type: ignore[arg-type]
        )
