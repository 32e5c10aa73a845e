"""How a single checker may move with a single die, and every play of a roll under any rule set (the general generator).

A *state* is a tuple of 28 ints from the mover's side, the same layout as the batched arrays of `batch`:
index 0-23 the mover's points 1-24 (own checkers positive, the opponent's negative), 24 own bar, 25 the opponent's
bar, 26 own off, 27 the opponent's off.
"""

from __future__ import annotations

from collections.abc import Iterator

from pi_board.rules.position import Position
from pi_board.rules.rule_set import RuleSet
from pi_board.rules.side import Side

State = tuple[int, ...]
#: (from, to, hit): mover's numbering, 25 = bar, 0 = off.
Move = tuple[int, int, bool]

BAR, BAR_OPPONENT, OFF, OFF_OPPONENT = 24, 25, 26, 27


def state_of(position: Position, side: Side) -> State:
    """`position` seen from `side`."""
    points, bar, off = position.seen_from(side)
    return (*points, *bar, *off)


def position_of(state: State, side: Side) -> Position:
    """Inverse of `state_of`."""
    if side == "light":
        return Position.trusted(tuple(state[:24]), (state[24], state[25]), (state[26], state[27]))
    return Position.trusted(
        tuple([-n for n in state[23::-1]]), (state[25], state[24]), (state[27], state[26])
    )


def all_home(state: State) -> bool:
    """All of the mover's checkers are home or off."""
    return not state[24] and not any(n > 0 for n in state[6:24])


def single_moves(
    state: State, die: int, law: RuleSet, *, may_bear_off: bool = True
) -> Iterator[tuple[Move, State]]:
    """Every move of one checker by `die`, from the highest point down, with the state after it.

    may_bear_off: False forbids bearing off whatever stands where (see `RuleSet.bear_off_in_mid_roll`).
    """
    if state[BAR]:
        target = state[24 - die]
        if target >= 0 or (target == -1 and not law.blot_blocks_entry):
            yield moved(state, 25, 25 - die)
        return
    home = may_bear_off and all_home(state)
    for source in range(24, 0, -1):
        if state[source - 1] <= 0:
            continue
        to = source - die
        if to > 0:
            if state[to - 1] >= -1:
                yield moved(state, source, to)
        elif home and (
            to == 0
            or law.large_die_bears_off == "always"
            or (law.large_die_bears_off == "from_highest" and not any(n > 0 for n in state[source:6]))
        ):
            yield moved(state, source, 0)


def moved(state: State, source: int, to: int) -> tuple[Move, State]:
    """One checker from `source` to `to`, hitting a blot there. No rule is checked."""
    after = list(state)
    after[BAR if source == 25 else source - 1] -= 1
    hit = False
    if to == 0:
        after[OFF] += 1
    else:
        hit = after[to - 1] == -1
        if hit:
            after[to - 1] = 0
            after[BAR_OPPONENT] += 1
        after[to - 1] += 1
    return (source, to, hit), tuple(after)


class _Roll:
    """The tree of one roll: nodes are (state, dice left); equal nodes are visited once."""

    def __init__(self, state: State, dice: tuple[int, ...], law: RuleSet) -> None:
        self.law = law
        self.root = (state, dice)
        self.may_bear_off = law.bear_off_in_mid_roll or all_home(state)
        self._children: dict[
            tuple[State, tuple[int, ...]], list[tuple[int, Move, State, tuple[int, ...]]]
        ] = {}
        self._depth: dict[tuple[State, tuple[int, ...]], int] = {}

    def children(self, state: State, left: tuple[int, ...]) -> list[tuple[int, Move, State, tuple[int, ...]]]:
        """(die, move, state, dice left) of every move possible now, the larger die first."""
        key = (state, left)
        found = self._children.get(key)
        if found is None:
            found = []
            dice = left[:1] if left and left[0] == left[-1] else left
            if state[BAR] and key == self.root and self.law.entering == "larger_die_first":
                dice = left[:1]
            for die in dice:
                rest = list(left)
                rest.remove(die)
                for move, after in single_moves(state, die, self.law, may_bear_off=self.may_bear_off):
                    found.append((die, move, after, tuple(rest)))
            self._children[key] = found
        return found

    def depth(self, state: State, left: tuple[int, ...]) -> int:
        """How many dice can be played from here at most."""
        if not left:
            return 0
        key = (state, left)
        if key not in self._depth:
            self._depth[key] = max(
                (1 + self.depth(s, rest) for _die, _move, s, rest in self.children(state, left)), default=0
            )
        return self._depth[key]

    def dutiful(self, state: State, left: tuple[int, ...]) -> list[tuple[int, Move, State, tuple[int, ...]]]:
        """The moves with which the duty to play lets one go on from here; empty = the play is complete."""
        children = self.children(state, left)
        if not children:
            return children
        only_one = (state, left) == self.root and left[0] != left[-1] and self.depth(state, left) == 1
        larger = [c for c in children if c[0] == left[0]]
        if only_one and (
            self.law.if_only_one == "larger_only" or (self.law.if_only_one == "larger_first" and larger)
        ):
            children = larger
        if self.law.must_play == "most":
            best = self.depth(state, left) - 1
            children = [c for c in children if self.depth(c[2], c[3]) == best]
        return children

    def plays(self) -> dict[State, tuple[Move, ...]]:
        """Distinct resulting states with the moves that lead there."""
        found: dict[State, tuple[Move, ...]] = {}
        seen: set[tuple[State, tuple[int, ...], bool]] = set()
        rule = self.law.when_all_home

        def walk(state: State, left: tuple[int, ...], moves: tuple[Move, ...], free: bool) -> None:
            if (state, left, free) in seen:
                return
            seen.add((state, left, free))
            if rule != "duty" and all_home(state):
                found.setdefault(state, moves)
                free = free or rule == "free"
            children = self.children(state, left) if free else self.dutiful(state, left)
            if not children:
                found.setdefault(state, moves)
            for _die, move, after, rest in children:
                walk(after, rest, (*moves, move), free)

        walk(*self.root, (), False)
        return found


def roll_dice(dice: tuple[int, int]) -> tuple[int, ...]:
    """The numbers to play, the larger first; a double four times."""
    a, b = dice
    return (a,) * 4 if a == b else (max(a, b), min(a, b))


def plays_of_roll(state: State, dice: tuple[int, int], law: RuleSet) -> dict[State, tuple[Move, ...]]:
    """Every distinct resulting state of the roll under `law`, with the moves (in playable order) that lead there."""
    return _Roll(state, roll_dice(dice), law).plays()
