"""Random sightings and commands: nothing breaks, nothing sticks, and the journal always tells the same story."""

from __future__ import annotations

import numpy as np
import pytest

from pi_board import events as ev
from pi_board.referee import Referee, RefereeOptions
from pi_board.rules import RULE_SETS, STARTING_POSITION, Position, legal_plays
from pi_board.sighting import COUNTS, SLOTS, CubeSeen, DieSeen, Gate, Sighting
from pi_board.table import Phase, VerdictColour
from tests.referee.synthetic import Noise, Table

SIDES = ("light", "dark")


def random_position(rng: np.random.Generator) -> Position:
    points = [0] * 24
    bar, off = [0, 0], [0, 0]
    for i, sign in ((0, 1), (1, -1)):
        for _ in range(15):
            place = int(rng.integers(0, 27))
            if place < 24 and points[place] * sign >= 0:
                points[place] += sign
            elif place == 24:
                bar[i] += 1
            else:
                off[i] += 1
    if 15 in off:
        return STARTING_POSITION
    return Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))


def random_die(rng: np.random.Generator) -> DieSeen:
    value = None if rng.random() < 0.1 else int(rng.integers(1, 7))
    half = str(rng.choice(["light", "dark", "outside"]))
    x, y = rng.uniform(0, 600, 2)
    return DieSeen(value, float(rng.uniform(0, 1)), float(x), float(y), 24.0, half, bool(rng.random() < 0.1))  # type: ignore[arg-type]


def random_command(rng: np.random.Generator) -> ev.Command:
    side = str(rng.choice(SIDES))
    dice = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
    choices: list[ev.Command] = [
        ev.LetStand(),
        ev.TakeBack(),
        ev.EndTurn(),
        ev.EndTurn(side=side),  # type: ignore[arg-type]
        ev.SetPosition(position=random_position(rng), side=side),  # type: ignore[arg-type]
        ev.SetPosition(position=random_position(rng)),
        ev.SetPosition(position=STARTING_POSITION),
        ev.SetDice(dice=dice),
        ev.SetDice(dice=(0, 9)),
        ev.SetDice(dice=dice, side=side),  # type: ignore[arg-type]
        ev.OfferDouble(),
        ev.OfferDouble(side=side),  # type: ignore[arg-type]
        ev.TakeDouble(),
        ev.PassDouble(),
        ev.Resign(side=side, kind=int(rng.integers(0, 5))),  # type: ignore[arg-type]
        ev.AcceptResignation(yes=bool(rng.integers(2))),
        ev.Answer(yes=bool(rng.integers(2))),
        ev.NewGame(),
        ev.NewMatch(rules=str(rng.choice([*RULE_SETS, "nonsense"])), match_length=int(rng.integers(0, 4))),
        ev.Pause(),
        ev.Continue(),
    ]
    return choices[int(rng.integers(len(choices)))]


class Chaos:
    """A table that is sometimes the expected position, sometimes a play, sometimes anything."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.table = Table(seed=seed, noise=Noise(sigma=0.3))
        self.now = 0.0
        self.seq = 0
        self.dice: tuple[DieSeen, ...] = ()
        self.cube: CubeSeen | None = None

    def sighting(self, referee: Referee) -> Sighting:
        rng = self.rng
        self.seq += 1
        self.now += float(rng.choice([0.1, 0.1, 0.1, 1.0, 10.0]))
        if rng.random() < 0.15:
            return Sighting(
                self.seq,
                self.now,
                Gate(rng.choice([g.value for g in Gate])),
                registered=bool(rng.integers(2)),
            )
        if rng.random() < 0.25:
            self._change(referee)
        if rng.random() < 0.15:
            self.dice = tuple(random_die(rng) for _ in range(int(rng.choice([0, 0, 1, 2, 2, 2, 3, 4, 6]))))
        if rng.random() < 0.05:
            place = str(rng.choice(["center", "light", "dark", "offered", "none"]))
            value = None if rng.random() < 0.3 else int(2 ** rng.integers(0, 7))
            self.cube = CubeSeen(value, place, float(rng.uniform(0, 1)))  # type: ignore[arg-type]
        log_likelihood = self.table.log_likelihood()
        if rng.random() < 0.03:
            log_likelihood = rng.normal(0, 5, (SLOTS, COUNTS))
        if rng.random() < 0.01:
            log_likelihood = np.full((SLOTS, COUNTS), rng.choice([0.0, np.nan, -np.inf, 1e9]))
        return Sighting(
            self.seq,
            self.now,
            Gate.SETTLED,
            log_likelihood,
            self.dice,
            self.cube,
            registered=rng.random() < 0.98,
        )

    def _change(self, referee: Referee) -> None:
        rng, view = self.rng, referee.view()
        kind = rng.random()
        state = referee.state
        if kind < 0.35 and state.position is not None and state.dice is not None:
            side = state.side or "light"
            plays = legal_plays(state.position, state.dice, side, state.match.rules)
            self.table.put(plays[int(rng.integers(len(plays)))].result)
        elif kind < 0.6 and view.position is not None:
            self.table.put(view.position)
        elif kind < 0.7:
            self.table.put(STARTING_POSITION)
        elif kind < 0.8:
            self.table.put(random_position(rng))
        else:
            i = int(rng.integers(2))
            full = [c for c in self.table.checkers if c[i]]
            if full:
                full[int(rng.integers(len(full)))][i] -= 1
                self.table.checkers[int(rng.integers(28))][i] += 1


def check(referee: Referee) -> None:
    """What must hold at every moment."""
    state, view = referee.state, referee.view()
    view.to_document()
    assert view.message, view.message_code
    if state.phase in (Phase.PLAY, Phase.PLAYED, Phase.ILLEGAL):
        assert state.position is not None and state.dice is not None
    if state.phase in (Phase.PLAYED, Phase.ILLEGAL):
        assert state.side is not None and state.board is not None
    if state.phase in (Phase.ROLL, Phase.DOUBLED):
        assert state.position is not None and state.side is not None
    if view.verdict is VerdictColour.RED:
        assert state.illegal is not None and state.phase is Phase.ILLEGAL
    if state.phase is Phase.PLAYED:
        plays = legal_plays(state.position, state.dice, state.side, state.match.rules)  # type: ignore[arg-type]
        assert any(p.result == state.board for p in plays)


def run(seed: int, steps: int) -> None:
    chaos = Chaos(seed)
    options = RefereeOptions().for_replay() if seed % 2 else RefereeOptions()
    rules = list(RULE_SETS)[seed % len(RULE_SETS)]
    referee = Referee(options, rules, match_length=seed % 4)
    events: list[ev.Event] = []
    for step in range(steps):
        if chaos.rng.random() < 0.06:
            events += referee.command(random_command(chaos.rng), chaos.now)
        else:
            events += referee.observe(chaos.sighting(referee), chaos.now)
        check(referee)
        if step % 500 == 0:
            again = Referee.from_events(
                [ev.Event.from_document(e.to_document()) for e in events], options, rules
            )
            assert again.state == referee.state
    again = Referee.from_events([ev.Event.from_document(e.to_document()) for e in events], options, rules)
    assert again.state == referee.state
    assert again.view() == referee.view()
    unstick(referee, chaos)


def unstick(referee: Referee, chaos: Chaos) -> None:
    """However confused, people who put the board as expected and press the one button can go on."""
    table = chaos.table
    for _ in range(12):
        referee.command(ev.Continue(), chaos.now)
        view = referee.view()
        if view.phase in (Phase.WAITING, Phase.OVER):
            if referee.state.match.winner is not None:
                referee.command(ev.NewGame(), chaos.now)
            table.put(STARTING_POSITION)
        else:
            table.put(view.expected or view.position or STARTING_POSITION)
        for _ in range(60):
            chaos.now += 0.1
            chaos.seq += 1
            referee.observe(
                Sighting(
                    chaos.seq,
                    chaos.now,
                    Gate.SETTLED,
                    table.log_likelihood(),
                    (),
                    CubeSeen(None, "none", 0.0),
                ),
                chaos.now,
            )
        phase, verdict = referee.view().phase, referee.view().verdict
        if phase in (Phase.OPENING, Phase.ROLL, Phase.PLAY) and verdict is VerdictColour.NONE:
            return
        referee.command(ev.LetStand(), chaos.now)
    raise AssertionError(f"stuck: {referee.view()}")


@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=pytest.mark.slow) for s in range(1, 5))])
def test_random_sightings_and_commands(seed: int) -> None:
    run(seed, 300)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_random_sightings_and_commands(seed: int) -> None:
    run(seed, 2500)
