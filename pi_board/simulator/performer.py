"""Hands at work: throwing, moving, lifting, setting up. Every method is a generator that yields once a frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pi_board.rules import STARTING_POSITION, Side, opponent
from pi_board.simulator.options import Pace
from pi_board.simulator.players import Counts, Step
from pi_board.simulator.scene import Place, Scene, Spots, nearest
from pi_board.simulator.things import Checker, Cup, Die, Hand, Slab

Frames = Iterator[None]

SKINS = ((0.50, 0.62, 0.82), (0.42, 0.55, 0.76), (0.30, 0.42, 0.62), (0.20, 0.28, 0.42), (0.12, 0.17, 0.27))
#: Leather, felt, plastic, china, steel; BGR 0..1.
CUPS = (
    (0.10, 0.15, 0.25),
    (0.16, 0.28, 0.42),
    (0.08, 0.08, 0.09),
    (0.82, 0.86, 0.88),
    (0.20, 0.16, 0.55),
    (0.60, 0.60, 0.62),
)
#: Words that tell people to do something, so that they wait no longer.
ASKED = frozenset({"illegal", "throw_again", "move_thing"})
SLEEVES = (None, None, (0.20, 0.18, 0.18), (0.42, 0.30, 0.20), (0.55, 0.55, 0.58), (0.25, 0.22, 0.55))


class Performer:
    """Moves things in `scene` as people do. scale: frames per frame of `Pace` (fps / 10 / speed)."""

    def __init__(self, scene: Scene, pace: Pace, rng: np.random.Generator, scale: float = 1.0) -> None:
        self.scene = scene
        self.pace = pace
        self.rng = rng
        self.scale = scale
        self.skin = {s: SKINS[int(rng.integers(len(SKINS)))] for s in ("light", "dark")}
        self.sleeve = {s: SLEEVES[int(rng.integers(len(SLEEVES)))] for s in ("light", "dark")}
        self.left_handed = {s: bool(rng.random() < 0.15) for s in ("light", "dark")}
        #: The points that something hid when they were asked to move it last ("8-10, 13"); "": a die.
        self.about = ""
        self._at: dict[str, tuple[float, float] | None] = {"light": None, "dark": None}

    # ------------------------------------------------------------------------------------------- waiting

    def frames(self, count: float, *, spread: float = 0.0) -> int:
        n = count * self.scale
        if spread:
            n *= 1 + float(self.rng.uniform(-spread, spread))
        return max(1, round(n)) if count > 0 else 0

    def still(
        self, count: float, until: frozenset[str] = frozenset(), *, spread: float = 0.15
    ) -> Iterator[str | None]:
        """Nothing moves for `count` paced frames; yields the first word of `until` heard at its end (see `listen`)."""
        for _ in range(self.frames(count, spread=spread)):
            yield None

    def listen(self, count: float, words: dict[str, int], *, attentive: bool = False) -> Frames:
        """Wait and note in `words` how often each word was said; attentive players go on once something was."""
        for _ in range(self.frames(count, spread=0.15)):
            yield
            for heard in self.scene.hear():
                word, _, about = heard.partition(" ")
                if word == "move_thing":
                    self.about = about
                if word == "ready":
                    continue  # about the set-up, not about what is waited for
                words[word] = words.get(word, 0) + 1
            if words and (attentive or not ASKED.isdisjoint(words)):
                return

    def wait_for_referee(self, most: int) -> Frames:
        """Nobody throws before the referee has seen the set-up, or `most` frames have passed."""
        for _ in range(most):
            if "ready" in self.scene.hear():
                return
            yield

    # ---------------------------------------------------------------------------------------------- hands

    def _hand(self, side: Side, x: float, y: float, z: float = 1.2, blur: float = 0.0) -> Hand:
        """The hand of `side` with its fingertips at (x, y); the forearm comes from its edge of the table."""
        s = self.scene.style
        edge = self.scene.edge(side)
        shoulder_x = x * 0.35 + (4.0 if self.left_handed[side] == (edge < 0) else -4.0) * -1
        reach = s.field_height * 0.5 + 26
        angle = float(np.degrees(np.arctan2(y - edge * reach, x - shoulder_x)))
        return Hand(
            round(x, 2),
            round(y, 2),
            z,
            round(angle, 1),
            self.skin[side],
            self.sleeve[side],
            self.left_handed[side],
            blur,
        )

    def reach(self, side: Side, x: float, y: float, count: int, *, z: float = 1.2) -> Frames:
        """The hand travels to (x, y), from outside the picture when it is not over the board yet."""
        edge = self.scene.edge(side)
        start = self._at[side] or (x * 0.8, edge * (self.scene.style.field_height / 2 + 6))
        n = self.frames(count)
        for i in range(1, n + 1):
            t = i / n
            t = t * t * (3 - 2 * t)
            px, py = start[0] + (x - start[0]) * t, start[1] + (y - start[1]) * t
            step = float(np.hypot(x - start[0], y - start[1])) / n
            self._show(
                self._hand(side, px, py, z + 2.0 * np.sin(np.pi * t), min(2.0, step * 0.18) if i < n else 0.0)
            )
            yield
        self._at[side] = (x, y)
        self._show(self._hand(side, x, y, z))

    def _show(self, hand: Hand) -> None:
        self.scene.hands = [hand]

    def away(self, side: Side) -> Frames:
        """The hand goes back to its edge."""
        at = self._at[side]
        self._at[side] = None
        n = self.frames(self.pace.away)
        if at is not None:
            edge = self.scene.edge(side)
            out = edge * (self.scene.style.field_height / 2 + 9)
            for i in range(1, n + 1):
                t = i / (n + 1)
                self._show(self._hand(side, at[0], at[1] + (out - at[1]) * t, 2.5, 0.8))
                yield
        self.scene.hands = []

    # ------------------------------------------------------------------------------------------- checkers

    def carry(self, actor: Side, step: Step, *, keep_hit: int = 0, lift_hand: bool = False) -> Frames:
        """`actor` takes one checker from `step.source` to `step.to`; keep_hit: frames that a hit one stays in the hand."""
        scene = self.scene
        stack = scene.places.get(step.source, [])
        picked = next(c for c in reversed(stack) if c.side == step.side)
        yield from self.reach(actor, picked.x, picked.y, self.pace.reach)
        if self.frames(self.pace.reach):
            yield
        checker = scene.take(step.source, step.side)
        target = scene.spot(step.side, step.to)
        yield from self._clear_cup(actor, target)
        victim = self._victim(step)
        if victim is not None:
            target = replace(target, x=victim.x, y=victim.y, z=victim.z)
        yield from self._clear_die(target)
        n = self.frames(self.pace.carry)
        for i in range(1, n + 1):
            t = i / (n + 1)
            x, y = picked.x + (target.x - picked.x) * t, picked.y + (target.y - picked.y) * t
            scene.held = [Checker(step.side, round(x, 2), round(y, 2), 1.6, held=True)]
            self._show(self._hand(actor, x, y, 2.4, 0.5))
            yield
        self._at[actor] = (target.x, target.y)
        if victim is not None:
            scene.take(step.to, victim.side)
            if not keep_hit:
                yield from self._to_bar(actor, victim.side)
        scene.held = []
        scene.places.setdefault(step.to, []).append(
            target if victim is not None else checker_at(checker, target)
        )
        self._at[actor] = (target.x, target.y)
        self._show(self._hand(actor, target.x, target.y))
        yield
        if victim is not None and keep_hit:
            yield from self.away(actor)
            for _ in range(self.frames(keep_hit)):
                yield
            scene.places.setdefault(("bar", victim.side), []).append(
                scene.spot(victim.side, ("bar", victim.side))
            )
            bar = scene.places["bar", victim.side][-1]
            yield from self.reach(actor, bar.x, bar.y, self.pace.reach)
        if lift_hand:
            yield from self.away(actor)

    def _victim(self, step: Step) -> Checker | None:
        if not step.hit or step.to[0] != "point":
            return None
        theirs = [c for c in self.scene.places.get(step.to, []) if c.side != step.side]
        return theirs[0] if len(theirs) == 1 else None

    def _to_bar(self, actor: Side, side: Side) -> Frames:
        """A hit checker goes to the bar."""
        bar = self.scene.put(side, ("bar", side))
        yield from self.reach(actor, bar.x, bar.y, max(1, self.pace.carry))

    def _clear_die(self, target: Checker) -> Frames:
        """A die in the way is pushed aside, its number kept."""
        scene = self.scene
        radius = scene.style.checker_diameter / 2
        for i, die in enumerate(list(scene.dice)):
            if (die.x - target.x) ** 2 + (die.y - target.y) ** 2 < (
                radius + die.size * 0.62
            ) ** 2 and not die.on_checker:
                half: Side = "light" if scene.layout.right_half_sign("light") * die.x > 0 else "dark"
                # Reserve the checker's own place, so that the die is not moved onto it.
                scene.loose.append(target)
                x, y = scene.free_spot(half)
                scene.loose.remove(target)
                scene.dice[i] = replace(die, x=x, y=y)
                yield

    def _clear_cup(self, actor: Side, target: Checker) -> Frames:
        """A cup that stands where the checker is to lie is moved away first."""
        reach = self.scene.style.checker_diameter / 2
        for cup in [c for c in self.scene.clutter if isinstance(c, Cup)]:
            if (cup.x - target.x) ** 2 + (cup.y - target.y) ** 2 < (reach + cup.radius) ** 2:
                self.scene.loose.append(target)
                yield from self.move_cup(actor, cup)
                self.scene.loose.remove(target)

    def put_cup(self, side: Side) -> Frames:
        """A dice cup is put down where nothing lies."""
        # The cups of a small board are smaller.
        size = min(1.0, self.scene.style.field_width / 42)
        radius = float(self.rng.uniform(2.6, 4.0)) * size
        spot = self.scene.spot_for_cup(radius)
        if spot is None:
            return
        color = CUPS[int(self.rng.integers(len(CUPS)))]
        cup = Cup(*spot, radius=radius, height=float(self.rng.uniform(5.0, 10.0)) * size, color=color)
        yield from self.reach(side, cup.x, cup.y, self.pace.reach, z=cup.height)
        self.scene.clutter.append(cup)
        yield
        yield from self.away(side)

    def move_cup(
        self, side: Side, cup: Cup | None = None, *, lift: bool = False, away_from: Spots = ()
    ) -> Frames:
        """A cup (default the first that stands there) is moved to another free place, or taken away for good."""
        scene = self.scene
        standing = [c for c in scene.clutter if isinstance(c, Cup)]
        if not standing:
            return
        cup = cup or standing[0]
        yield from self.reach(side, cup.x, cup.y, self.pace.reach, z=cup.height)
        scene.clutter.remove(cup)
        spot = None if lift else scene.spot_for_cup(cup.radius, away_from)
        yield
        if spot is not None:
            yield from self.reach(side, *spot, self.pace.reach, z=cup.height)
            scene.clutter.append(replace(cup, x=spot[0], y=spot[1]))
            yield
        yield from self.away(side)

    def make_room(self, side: Side) -> Frames:
        """Asked to, somebody moves the cup that stands nearest to what it is said to hide, away from that and from the dice."""
        runs = [run.split("-") for run in self.about.split(", ") if run and run != "bar"]
        points = [point for run in runs for point in range(int(run[0]), int(run[-1]) + 1)]
        hidden = [self.scene.layout.point_place(point, index)[:2] for point in points for index in range(5)]
        dice = [(die.x, die.y) for die in self.scene.dice]
        standing = [c for c in self.scene.clutter if isinstance(c, Cup)]
        cup = min(standing, key=lambda c: nearest(c.x, c.y, hidden or dice), default=None)
        yield from self.move_cup(side, cup, away_from=[*hidden, *dice])

    def arrange(self, actor: Side, target: Counts) -> Frames:
        """Carry checkers, one at a time, until every place holds what `target` says."""
        for side in ("light", "dark"):
            who: Side = "light" if side == "light" else "dark"
            j = 0 if who == "light" else 1

            def have(place: Place, who: Side = who) -> int:
                return sum(1 for c in self.scene.places.get(place, []) if c.side == who)

            surplus = [p for p, pair in target.items() for _ in range(max(0, have(p) - pair[j]))]
            wanted = [p for p, pair in target.items() for _ in range(max(0, pair[j] - have(p)))]
            for source, to in zip(surplus, wanted, strict=True):
                yield from self.carry(actor, Step(who, source, to))
        yield from self.away(actor)

    def knock(self, actor: Side) -> Frames:
        """A checker is slid off its place by a sleeve, seen, and put back; nothing where every top lies on another checker."""
        scene = self.scene
        stacks = [p for p, st in scene.places.items() if p[0] == "point" and st and st[-1].z == 0]
        if not stacks:
            return
        place = stacks[int(self.rng.integers(len(stacks)))]
        checker = scene.places[place][-1]
        d = scene.style.checker_diameter
        dx, dy = self.rng.uniform(0.3, 0.7, 2) * self.rng.choice([-1, 1], 2) * d
        yield from self.reach(actor, checker.x, checker.y, self.pace.reach)
        yield
        limit_x = scene.style.field_width / 2 - d / 2
        limit_y = scene.style.field_height / 2 - d / 2
        slid = replace(
            checker,
            x=float(np.clip(checker.x + dx, -limit_x, limit_x)),
            y=float(np.clip(checker.y + dy, -limit_y, limit_y)),
        )
        scene.places[place][-1] = slid
        yield from self.away(actor)
        yield from self.wait(4)
        yield from self.reach(actor, slid.x, slid.y, self.pace.reach)
        scene.places[place][-1] = checker
        yield
        yield from self.away(actor)

    def wait(self, count: float) -> Frames:
        for _ in range(self.frames(count, spread=0.15)):
            yield

    def rest_hand(self, side: Side, count: int) -> Frames:
        """A hand lies on the board for a while."""
        s = self.scene.style
        x = float(self.rng.uniform(-0.4, 0.4)) * s.field_width
        y = self.scene.edge(side) * s.field_height * float(self.rng.uniform(0.05, 0.3))
        yield from self.reach(side, x, y, self.pace.reach, z=0.3)
        for _ in range(self.frames(count)):
            yield
        yield from self.away(side)

    def lay_phone(self, side: Side, count: int) -> Frames:
        """A phone is laid on the board for `count` paced frames."""
        s = self.scene.style
        x = float(self.rng.uniform(-0.3, 0.3)) * s.field_width
        y = self.scene.edge(side) * s.field_height * float(self.rng.uniform(0.0, 0.25))
        yield from self.reach(side, x, y, self.pace.reach, z=1.5)
        self.scene.clutter = [Slab(x, y, 2 * s.checker_height, float(self.rng.uniform(0, 180)))]
        yield from self.away(side)
        yield from self.wait(count)
        yield from self.reach(side, x, y, self.pace.reach, z=1.5)
        self.scene.clutter = []
        yield
        yield from self.away(side)

    def stand_in_the_light(self, count: int) -> Frames:
        """A person's shadow comes over the board, stays for `count` paced frames, and goes."""
        scene = self.scene
        depth, share = float(self.rng.uniform(0.2, 0.5)), float(self.rng.uniform(0.2, 1.0))
        direction = float(self.rng.uniform(0, 360))
        steps = self.frames(5)
        for i in range(1, steps + 1):
            scene.effects = replace(scene.effects, shadow=(depth, share * i / steps, direction))
            yield
        yield from self.wait(count)
        for i in range(steps - 1, -1, -1):
            scene.effects = replace(scene.effects, shadow=(depth if i else 0.0, share * i / steps, direction))
            yield

    def talk(self, side: Side, seconds: float, fps: float) -> Frames:
        """People talk; a hand lies on the board meanwhile, and shifts now and then."""
        s = self.scene.style
        count = max(1, round(seconds * fps))
        x = float(self.rng.uniform(-0.4, 0.4)) * s.field_width
        y = self.scene.edge(side) * s.field_height * float(self.rng.uniform(0.05, 0.35))
        yield from self.reach(side, x, y, self.pace.reach, z=0.3)
        for i in range(count):
            if i % max(1, round(7 * fps)) == 0:
                x, y = x + float(self.rng.normal(0, 0.8)), y + float(self.rng.normal(0, 0.5))
                yield from self.reach(side, x, y, 1, z=0.3)
            yield
        yield from self.away(side)

    def lose_checker(self, side: Side, count: int) -> Frames:
        """A checker falls off the table and is put back after `count` paced frames."""
        scene = self.scene
        stacks = [p for p, st in scene.places.items() if p[0] == "point" and st]
        place = stacks[int(self.rng.integers(len(stacks)))]
        checker = scene.places[place][-1]
        yield from self.reach(side, checker.x, checker.y, self.pace.reach)
        scene.places[place].pop()
        yield
        yield from self.away(side)
        yield from self.wait(count)
        yield from self.reach(side, checker.x, checker.y, self.pace.reach)
        scene.places[place].append(checker)
        yield
        yield from self.away(side)

    # ----------------------------------------------------------------------------------------------- dice

    def throw(self, thrower: Side, values: list[int], fault: str = "") -> Frames:
        """`thrower` throws dice of its colour into its right-hand half; fault: cocked, on_checker or outside."""
        scene = self.scene
        x0, x1, _, _ = scene.layout.dice_area(thrower)
        edge = scene.edge(thrower)
        at = (x0 + x1) / 2, edge * scene.style.field_height * 0.3
        yield from self.reach(thrower, at[0], at[1], self.pace.reach, z=4.0)
        n = self.frames(2)
        lying = list(scene.dice)
        for i in range(n):
            t = (i + 1) / (n + 1)
            y = at[1] * (1 - 1.6 * t)
            scene.dice = lying + [
                scene.tumbling_die(
                    thrower,
                    at[0] + float(self.rng.normal(0, 2)),
                    y + float(self.rng.normal(0, 1)),
                    2.2 * (1 - t) + 0.6,
                    0.8,
                )
                for _ in values
            ]
            yield
        scene.dice = lying
        for k, value in enumerate(values):
            wrong = fault if k == 0 else ""
            if wrong == "cocked":
                scene.dice.append(scene.cocked_die(thrower, value, thrower))
            elif wrong == "on_checker":
                scene.dice.append(scene.die_on_checker(thrower, value, thrower))
            elif wrong == "outside":
                scene.dice.append(scene.outside_die(thrower, value))
            else:
                scene.lay_die(thrower, value)
        yield from self.away(thrower)

    def straighten(self) -> Frames:
        """Each owner sets its dice down again as they lie, turned a little and drawn towards the middle of the table."""
        scene = self.scene
        for side in sorted({d.owner for d in scene.dice}):
            for i, die in enumerate(list(scene.dice)):
                if die.owner != side:
                    continue
                yield from self.reach(side, die.x, die.y, self.pace.reach)
                yield
                scene.straighten_die(i)
            yield from self.away(side)

    def lift(self, side: Side, dice: list[Die] | None = None) -> Frames:
        """`side` picks up `dice` (default: all)."""
        scene = self.scene
        mine = list(scene.dice) if dice is None else dice
        if mine:
            x, y = float(np.mean([d.x for d in mine])), float(np.mean([d.y for d in mine]))
            yield from self.reach(side, x, y, self.pace.reach)
            yield
        scene.dice = [d for d in scene.dice if d not in mine]
        yield from self.away(side)

    # ----------------------------------------------------------------------------------- cube and set-up

    def offer_cube(self, side: Side, value: int) -> Frames:
        """`side` turns the cube to `value` and puts it before the opponent."""
        scene = self.scene
        if scene.cube is not None:
            yield from self.reach(side, scene.cube.x, scene.cube.y, self.pace.reach)
            yield
        scene.cube = None
        scene.set_cube(value, None, offered_to=opponent(side))
        assert scene.cube is not None
        yield from self.reach(side, scene.cube.x, scene.cube.y, max(1, self.pace.carry))
        yield from self.away(side)

    def keep_cube(self, side: Side, value: int, owner: Side | None) -> Frames:
        """`side` takes the cube to its own end of the bar (or back to the middle)."""
        scene = self.scene
        if scene.cube is not None:
            yield from self.reach(side, scene.cube.x, scene.cube.y, self.pace.reach)
            yield
        scene.cube = None
        scene.set_cube(value, owner)
        assert scene.cube is not None
        yield from self.reach(side, scene.cube.x, scene.cube.y, max(1, self.pace.carry))
        yield from self.away(side)

    def set_up(self, *, cube: bool) -> Frames:
        """Both players set up a new game; hands over the whole board meanwhile."""
        scene = self.scene
        s = scene.style
        n = self.frames(max(3, self.pace.reach * 4))
        scene.dice = []
        for i in range(n):
            t = (i + 0.5) / n
            x = s.field_width * (0.42 - 0.84 * t)
            scene.hands = [
                self._hand("light", x, scene.edge("light") * s.field_height * 0.2, 1.0, 0.6),
                self._hand("dark", -x, scene.edge("dark") * s.field_height * 0.2, 1.0, 0.6),
            ]
            if i == n // 2:
                scene.set_position(STARTING_POSITION)
                if cube:
                    scene.set_cube(1, None)
            yield
        if n <= 1:
            scene.set_position(STARTING_POSITION)
        scene.hands = []
        self._at = {"light": None, "dark": None}


def checker_at(checker: Checker, target: Checker) -> Checker:
    return replace(target, side=checker.side)
