"""`GameScript`: two people at a simulated table, game after game, one yield per frame."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

import numpy as np

from pi_board.rules import (
    Match,
    Play,
    Position,
    Side,
    decide_opening,
    explain,
    legal_plays,
    opponent,
    rule_set,
    winner,
)
from pi_board.simulator.drawn_style import style_of
from pi_board.simulator.lens import ViewPose
from pi_board.simulator.light import PRESETS, lamp_off
from pi_board.simulator.mount import drawn_pose, mount_number
from pi_board.simulator.options import HABITS, PACES, Habits, SimulatorOptions
from pi_board.simulator.performer import Performer
from pi_board.simulator.players import (
    CHEATS,
    Cheat,
    apply,
    cheats,
    choose,
    counts_of,
    document,
    mixed,
    steps_of,
    takes,
    wants_to_double,
)
from pi_board.simulator.scene import Scene
from pi_board.simulator.truth import CubeTruth, GameTruth, IllegalShown, Truth, TurnTruth

Frames = Iterator[None]
Dice = tuple[int, int]
#: A turn limit that no sensible game reaches.
_LONGEST = 400
#: Paced frames that players wait for a word about their roll or play, and how often they straighten dice that can't be read.
WORD_PATIENCE = 40
STRAIGHTENED = 2
#: Paced frames for which a doubtful play lies there after the dice were lifted, until somebody speaks.
LOOKED_AT = 40


class GameScript:
    """Plays `options.games` games in `scene`. `truth` is for scoring a finished run, and for nothing else."""

    def __init__(
        self,
        scene: Scene,
        options: SimulatorOptions,
        *,
        habits: Habits | None = None,
        start: Position | None = None,
    ) -> None:
        self.scene = scene
        self.options = options
        self.habits = habits or HABITS[options.players]
        # Dice and hands have separate random generators: the same seed rolls the same dice in every style and pace.
        self.luck = np.random.default_rng((options.seed, 1))
        self.mind = np.random.default_rng((options.seed, 2))
        pace = PACES[options.pace]
        scale = 1.0 if pace.attentive else options.fps / 10
        self.hands = Performer(scene, pace, np.random.default_rng((options.seed, 3)), scale)
        # A match to one point is a single game.
        self.match = Match.start(options.rules, options.match_length, several_games=options.match_length != 1)
        self.truth = Truth()
        self.drop = 0
        #: Seconds on the camera's clock at which the next picture is due; whoever takes the pictures keeps it.
        self.clock = 0.0
        self._start = start

    def frames(self) -> Frames:
        """Advances the table by one frame per yield; ends after the last game (or match)."""
        count = 0
        while self.options.games == 0 or count < self.options.games:
            game = GameTruth(began=self.clock)
            self.truth.games.append(game)
            for _ in self._game(game):
                game.frames += 1
                yield
            self.truth.score = self.match.score
            count += 1
            if self.match.winner is not None:
                break
            if self.options.games and count == self.options.games:
                break
            yield from self.hands.set_up(cube=self.match.rules.cube != "no")
        yield from self.hands.wait(6)

    # ----------------------------------------------------------------------------------------------- game

    def _game(self, game: GameTruth) -> Frames:
        scene, hands = self.scene, self.hands
        if self._start is not None:
            scene.set_position(self._start)
        yield from hands.wait(max(6, hands.pace.look))
        yield from hands.wait_for_referee(round(self.options.patience * self.options.fps))
        side, dice, second = yield from self._opening(game)
        dice_lie = dice is not None
        for number in range(_LONGEST):
            yield from self._fault_before(game, number)
            if (number, "new_game") in self.options.faults:
                # Set up anew in mid-game: the game in hand is given up. `frames` does the setting up.
                game.kind = "abandoned"
                game.faults.append((number, "new_game"))
                return
            if not dice_lie:
                ended = yield from self._cube(game, number, side)
                if ended:
                    return
            turn = TurnTruth(side, dice or (0, 0), thrown=self.clock)
            game.turns.append(turn)
            if dice is None:
                turn.dice = yield from self._roll(turn, number)
            early = yield from self._turn(turn, number)
            turn.position = scene.position()
            turn.ended = self.clock
            if winner(turn.position) is not None:
                self.match, score = self.match.finish(turn.position)
                game.winner, game.points, game.kind = score.winner, score.points, score.kind
                yield from hands.wait(max(8, hands.pace.listen))
                return
            side = opponent(side)
            dice, second = second or early, None
            dice_lie = dice is not None
        raise RuntimeError(f"simulated game longer than {_LONGEST} turns (seed {self.options.seed})")

    def _opening(self, game: GameTruth) -> Generator[None, None, tuple[Side, Dice | None, Dice | None]]:
        """One die each until they differ; returns (who begins, its dice, the second player's dice)."""
        while True:
            light, dark = (int(v) for v in self.luck.integers(1, 7, 2))
            first: Side = "light" if self.mind.random() < 0.5 else "dark"
            for who in (first, opponent(first)):
                yield from self.hands.throw(who, [light if who == "light" else dark])
            game.opened = self.clock
            yield from self._look()
            game.opening.append((light, dark))
            opening = decide_opening(light, dark, self.match.rules)
            if opening.side is None:
                yield from self.hands.lift("light", [d for d in self.scene.dice if d.owner == "light"])
                yield from self.hands.lift("dark", [d for d in self.scene.dice if d.owner == "dark"])
                yield from self.hands.wait(self.hands.pace.lifted)
                continue
            if opening.dice is None:
                yield from self.hands.lift(opening.side)
            return opening.side, opening.dice, opening.second_dice

    def _look(self) -> Frames:
        """The dice at rest before the first move: players wait for the referee, and straighten dice that it can't read."""
        hands = self.hands
        self.scene.hear()
        patience = hands.pace.look
        for again in range(STRAIGHTENED + 1):
            words: dict[str, int] = {}
            yield from hands.listen(patience, words, attentive=hands.pace.attentive)
            yield from self._wait_for_a_word(words)
            if "move_thing" in words:
                yield from hands.make_room("light" if self.mind.random() < 0.5 else "dark")
            elif "straighten" not in words or again == STRAIGHTENED:
                return
            else:
                yield from hands.straighten()
            patience = WORD_PATIENCE

    def _make_room_and_listen(self, words: dict[str, int]) -> Frames:
        """Asked to, somebody moves the cup that hides what was played, and they wait for what the referee says then."""
        if words.pop("move_thing", 0):
            yield from self.hands.make_room("light" if self.mind.random() < 0.5 else "dark")
            yield from self.hands.listen(WORD_PATIENCE, words, attentive=self.hands.pace.attentive)

    def _wait_for_a_word(self, words: dict[str, int]) -> Frames:
        """Attentive players whose referee has said nothing yet give it a little longer."""
        if not words and self.hands.pace.attentive and self.scene.spoken_to:
            yield from self.hands.listen(WORD_PATIENCE, words, attentive=True)

    # ----------------------------------------------------------------------------------------------- roll

    def _roll(self, turn: TurnTruth, number: int) -> Generator[None, None, Dice]:
        """Throw until the throw counts; returns the dice."""
        scene, hands = self.scene, self.hands
        scripted = [
            f for n, f in self.options.faults if n == number and f in ("cocked", "on_checker", "outside")
        ]
        while True:
            values = [int(v) for v in self.luck.integers(1, 7, 2)]
            fault = ""
            if scripted:
                fault = scripted.pop(0)
            elif self.mind.random() < self.habits.cocked:
                fault = ("cocked", "on_checker", "outside")[int(self.mind.choice(3, p=(0.6, 0.2, 0.2)))]
            yield from hands.throw(turn.side, values, fault)
            turn.thrown = self.clock
            if not fault:
                if self.mind.random() < self.habits.hasty:
                    turn.quirks.append("hasty")
                else:
                    yield from self._look()
                return max(values), min(values)
            turn.thrown_again.append(fault)
            turn.again.append(self.clock)
            words: dict[str, int] = {}
            scene.hear()
            yield from hands.listen(max(10, hands.pace.listen), words, attentive=True)
            yield from hands.lift(turn.side)
            yield from hands.wait(hands.pace.lifted)

    # ----------------------------------------------------------------------------------------------- turn

    def _turn(self, turn: TurnTruth, number: int) -> Generator[None, None, Dice | None]:
        """One play; returns the opponent's dice when it has already thrown and nobody minded."""
        scene, hands, habits, mind = self.scene, self.hands, self.habits, self.mind
        before = scene.position()
        plays = legal_plays(before, turn.dice, turn.side, self.match.rules)
        chosen = choose(plays, turn.side, mind)
        if (number, "wrong_side") in self.options.faults:
            yield from self._wrong_side(turn, before)
        scripted = (number, "cheat") in self.options.faults
        if scripted or mind.random() < self.options.cheat:
            found = cheats(before, turn.dice, turn.side, self.match.rules, mind)
            # A scripted one is to be understood at a glance: a wrong number where that can be had.
            cheat = (
                min(found, key=lambda c: CHEATS.index(c.kind), default=None)
                if scripted
                else next(found, None)
            )
            if cheat is not None:
                stands = yield from self._cheat(turn, before, cheat, relents=scripted)
                if stands:
                    return None
                # Put right: an honest play of the same roll follows.
        elif mind.random() < habits.take_back and len(plays) > 1:
            other = plays[int(mind.integers(len(plays)))]
            if other.moves and other.result != chosen.result:
                turn.quirks.append("take_back")
                yield from self._play(turn, other)
                yield from hands.wait(int(mind.integers(3, 12)))
                yield from hands.arrange(turn.side, counts_of(before))
                yield from hands.wait(int(mind.integers(2, 8)))
        yield from self._play(turn, chosen)
        turn.play, turn.moves, turn.legal = str(chosen), chosen.moves, True
        turn.claimed = self.clock
        if mind.random() < habits.rest:
            turn.quirks.append("rest")
            yield from hands.rest_hand(turn.side if mind.random() < 0.5 else opponent(turn.side), 20)
        if mind.random() < habits.coffee:
            turn.quirks.append("coffee")
            yield from hands.wait(150)
        if mind.random() < habits.lift_early:
            turn.quirks.append("lift_early")
            yield from hands.wait(2)
        else:
            words: dict[str, int] = {}
            scene.hear()
            yield from hands.listen(hands.pace.listen, words, attentive=hands.pace.attentive)
            yield from self._make_room_and_listen(words)
            yield from self._wait_for_a_word(words)
        early = None
        scripted = (number + 1, "early_roll") in self.options.faults
        if (scripted or mind.random() < habits.early_roll) and winner(scene.position()) is None:
            early = yield from self._throw_early(turn)
        mine = [d for d in scene.dice if early is None or d.owner == turn.side]
        yield from hands.lift(turn.side, mine)
        if mine or chosen.moves:
            turn.lifted = self.clock if mine else turn.claimed
        yield from hands.wait(hands.pace.lifted)
        return early

    def _throw_early(self, turn: TurnTruth) -> Generator[None, None, Dice | None]:
        """The opponent throws while the dice still lie there; told off, it lifts them again."""
        hands, them = self.hands, opponent(turn.side)
        turn.quirks.append("early_roll")
        lying = list(self.scene.dice)
        values = [int(v) for v in self.luck.integers(1, 7, 2)]
        self.scene.hear()
        yield from hands.throw(them, values)
        words: dict[str, int] = {}
        yield from hands.listen(max(10, hands.pace.listen), words, attentive=True)
        if "throw_again" in words or any(d.owner == them for d in lying):
            yield from hands.lift(them, [d for d in self.scene.dice if d not in lying])
            yield from hands.wait(2)
            return None
        return max(values), min(values)

    def _play(self, turn: TurnTruth, play: Play) -> Frames:
        steps = steps_of(play, turn.side)
        for i, step in enumerate(steps):
            if i:
                pause = self.hands.pace.pause
                if self.mind.random() < self.habits.hesitate:
                    turn.quirks.append("hesitate")
                    pause = max(pause, int(self.mind.integers(8, 25)))
                if pause:
                    yield from self.hands.away(turn.side)
                    yield from self.hands.wait(pause)
            keep = int(self.mind.integers(6, 20)) if self.mind.random() < self.habits.keep_hit else 0
            yield from self.hands.carry(turn.side, step, keep_hit=keep)
            if step.to[0] == "off" and self.mind.random() < self.habits.untidy:
                self._leave_about(turn.side)
        yield from self.hands.away(turn.side)

    def _leave_about(self, side: Side) -> None:
        """The checker just borne off lies about on the table instead of in its stack."""
        scene = self.scene
        stack = scene.places["off", side]
        s = scene.style
        if s.tray:
            return
        x = scene.layout.home_sign * (
            s.field_width / 2 + s.rim_width + s.checker_diameter * float(self.mind.uniform(0.8, 3.2))
        )
        y = scene.edge(side) * s.field_height * float(self.mind.uniform(0.02, 0.5))
        if all((c.x - x) ** 2 + (c.y - y) ** 2 > s.checker_diameter**2 for c in stack[:-1]):
            stack[-1] = replace(stack[-1], x=round(x, 3), y=round(y, 3), z=-s.board_thickness)

    def _cheat(
        self, turn: TurnTruth, before: Position, cheat: Cheat, *, relents: bool = False
    ) -> Generator[None, None, bool]:
        """Shows an illegal play; returns True when it stands (the turn is then over). relents: told off, it is put right."""
        scene, hands = self.scene, self.hands
        start = counts_of(before)
        after = apply(start, cheat.steps)
        doc = document(after)
        verdict = explain(before, doc, turn.dice, turn.side, self.match.rules)
        shown = IllegalShown(cheat.kind, verdict.code or "", doc, begun=self.clock)
        turn.illegal.append(shown)
        for i, step in enumerate(cheat.steps):
            if i and hands.pace.pause:
                yield from hands.away(turn.side)
                yield from hands.wait(hands.pace.pause)
            yield from hands.carry(turn.side, step)
        yield from hands.away(turn.side)
        shown.claimed = self.clock
        words: dict[str, int] = {}
        scene.hear()
        # Cheats look innocent for a while; the opponent trusts the referee.
        yield from hands.listen(max(12, hands.pace.listen), words)
        yield from self._make_room_and_listen(words)
        lifted = False
        if "illegal" not in words:
            # Lifting the dice claims the play, so the referee should speak now at the latest.
            lifted = True
            yield from hands.lift(turn.side)
            shown.lifted = self.clock
            yield from hands.listen(LOOKED_AT, words, attentive=True)
            yield from self._make_room_and_listen(words)
        shown.told = "illegal" in words
        shown.gone = self.clock
        representable = not mixed(after)
        if representable and winner(Position.from_document(doc)) is not None:
            representable = False
        if not shown.told and representable:
            shown.outcome = "stands"
        elif shown.told and representable and not relents and self.mind.random() > self.habits.relent:
            shown.outcome = "stands"
            yield from hands.wait(4)
            shown.gone = self.clock
        else:
            shown.outcome = "corrected"
            yield from hands.arrange(turn.side, start)
            turn.lifted = self.clock
            yield from hands.wait(int(self.mind.integers(3, 8)))
            return False
        turn.legal, turn.play, turn.moves = False, "", ()
        if not lifted:
            yield from hands.lift(turn.side)
        turn.lifted = shown.lifted if lifted else self.clock
        yield from hands.wait(hands.pace.lifted)
        # It stays there at least until the next roll.
        shown.gone = self.clock
        return True

    def _wrong_side(self, turn: TurnTruth, before: Position) -> Frames:
        """The opponent takes the throw for its own and plays it; it is seen, and put back."""
        hands, them = self.hands, opponent(turn.side)
        plays = legal_plays(before, turn.dice, them, self.match.rules)
        wrong = choose(plays, them, self.mind)
        if not wrong.moves:
            return
        doc = wrong.result.to_document()
        verdict = explain(before, doc, turn.dice, turn.side, self.match.rules)
        shown = IllegalShown("wrong_side", verdict.code or "", doc, begun=self.clock)
        turn.illegal.append(shown)
        for step in steps_of(wrong, them):
            yield from hands.carry(them, step)
        yield from hands.away(them)
        shown.claimed = self.clock
        words: dict[str, int] = {}
        self.scene.hear()
        yield from hands.listen(max(14, hands.pace.listen), words)
        shown.told = "illegal" in words
        shown.outcome = "corrected"
        shown.gone = self.clock
        yield from hands.arrange(them, counts_of(before))
        yield from hands.wait(4)

    # ----------------------------------------------------------------------------------------------- cube

    def _cube(self, game: GameTruth, number: int, side: Side) -> Generator[None, None, bool]:
        """A double, perhaps; returns True when it was passed."""
        scene, hands = self.scene, self.hands
        if number == 0 or scene.cube is None or not self.match.may_double(side, on_roll=side):
            return False
        position = scene.position()
        if not wants_to_double(position, side, self.mind) or self.mind.random() >= self.options.cube:
            return False
        them = opponent(side)
        self.match = self.match.double(side, on_roll=side)
        value = self.match.cube.next_value
        game.cube.append(CubeTruth(number, side, "offered", value))
        yield from hands.offer_cube(side, value)
        yield from hands.wait(max(15, hands.pace.listen))
        if takes(position, them, self.mind):
            self.match = self.match.take()
            game.cube.append(CubeTruth(number, them, "taken", value))
            yield from hands.keep_cube(them, value, them)
            yield from hands.wait(max(10, hands.pace.listen))
            return False
        owner = self.match.cube.owner
        held = self.match.cube.value
        self.match, score = self.match.pass_double()
        game.cube.append(CubeTruth(number, them, "passed", value))
        game.winner, game.points, game.kind = score.winner, score.points, "pass"
        # Passing: said with the button; the cube is turned back, and the board set up anew.
        scene.press("pass")
        yield from hands.keep_cube(them, held, owner)
        yield from hands.wait(hands.pace.lifted)
        return True

    # --------------------------------------------------------------------------------------------- faults

    def _fault_before(self, game: GameTruth, number: int) -> Frames:
        """Scripted mishaps at the start of turn `number`."""
        scene, hands = self.scene, self.hands
        faults = [f for n, f in self.options.faults if n == number]
        if self.mind.random() < self.habits.knock:
            faults.append("knocked")
        for fault in faults:
            if fault in ("cocked", "on_checker", "outside", "early_roll", "wrong_side", "new_game", "cheat"):
                continue
            game.faults.append((number, fault))
            began = self.clock
            if fault == "knocked":
                yield from hands.knock("light" if self.mind.random() < 0.5 else "dark")
            elif fault == "bump":
                scene.effects = replace(scene.effects, shake=24.0)
                yield
                scene.effects = replace(scene.effects, shake=0.0)
                scene.view = replace(scene.view, pose=scene.view.pose.bumped(self.mind))
                yield from hands.wait(6)
            elif fault == "turned":
                yield from hands.rest_hand("light", 2)
                scene.view = replace(scene.view, turned=not scene.view.turned)
                yield from hands.wait(10)
            elif fault == "lamp":
                light = scene.view.light
                off = light.key < 0.3 * light.ambient
                scene.view = replace(
                    scene.view, light=PRESETS[self.options.light] if off else lamp_off(light)
                )
                yield from hands.wait(6)
            elif fault == "dusk":
                for _ in range(hands.frames(10)):
                    scene.effects = replace(scene.effects, gain=max(0.18, scene.effects.gain * 0.88))
                    yield
            elif fault == "blur":
                kept = scene.effects
                scene.effects = replace(kept, blur=4.0)
                yield from hands.wait(15)
                scene.effects = kept
                yield
            elif fault == "blocked":
                for share in (0.35, 0.8, 1.0, *(1.0,) * hands.frames(12), 0.7, 0.3):
                    scene.effects = replace(scene.effects, blocked=share)
                    yield
                scene.effects = replace(scene.effects, blocked=0.0)
                yield
            elif fault == "dropped":
                self.drop = max(1, hands.frames(8))
                yield
            elif fault == "hand_rests":
                yield from hands.rest_hand("dark", 25)
            elif fault == "phone":
                yield from hands.lay_phone("light", 30)
            elif fault == "cup":
                yield from hands.put_cup("light" if self.mind.random() < 0.5 else "dark")
            elif fault in ("cup_moved", "cup_lifted"):
                yield from hands.move_cup(
                    "light" if self.mind.random() < 0.5 else "dark", lift=fault == "cup_lifted"
                )
            elif fault == "shadow":
                yield from hands.stand_in_the_light(40)
            elif fault == "talk":
                yield from hands.talk("light" if self.mind.random() < 0.5 else "dark", 60.0, self.options.fps)
            elif fault == "missing":
                yield from hands.lose_checker("light", 30)
            elif fault == "lights_off":
                kept = scene.effects
                scene.effects = replace(kept, gain=0.0015)
                yield from hands.wait(30)
                scene.effects = kept
                yield from hands.wait(4)
            elif fault == "coffee":
                yield from hands.wait(200)
            yield from hands.wait(hands.pace.lifted)
            game.mishaps.append((began, self.clock, fault))


def make_table(options: SimulatorOptions, *, habits: Habits | None = None) -> tuple[Scene, GameScript]:
    """A scene and the two people at it, as `options` say."""
    rng = np.random.default_rng((options.seed, 9))
    pose = ViewPose(tilt=options.tilt, azimuth=float(rng.uniform(-25, 25)), roll=float(rng.normal(0, 0.8)))
    style = style_of(options.style)
    number = mount_number(options.mount)
    if number is not None:
        pose = drawn_pose(number, options.tilt, (options.width, options.height), style.extent)
    scene = Scene(
        style,
        near=options.near,
        home=options.home,
        rng=rng,
        pose=pose,
        light=PRESETS[options.light],
        jitter=options.jitter,
        cube=rule_set(options.rules).cube != "no",
    )
    scene.effects = replace(scene.effects, noise=options.noise, blur=options.blur * options.width / 1280)
    return scene, GameScript(scene, options, habits=habits)
