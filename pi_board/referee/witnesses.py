"""What a slot says, weighed by what it said before: at accepted positions (`contradictions`), and of the board from which the roll is played.

Vision errs about a place in the same way for as long as nobody touches it. So what has been proved wrong once is not heard again, and
whether a place reads and looks as it did before the roll tells more than what it reads.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pi_board.referee.contradictions import CONTRADICTS, Contradictions
from pi_board.referee.elsewhere import one_elsewhere
from pi_board.referee.explanations import SLOT_CAP, Evidence, Turn, position_of, vector
from pi_board.referee.stack_heights import HEIGHT, IN_A_ROW, change_of
from pi_board.referee.touches import BAR, ROWS, TOUCH, Changes, changes, neighbours, relit
from pi_board.rules import Position
from pi_board.rules.side import CHECKERS
from pi_board.sighting import BAR_DARK, BAR_LIGHT, OFF_DARK, OFF_LIGHT, SLOTS, ZERO

#: Nats by which it counts against a board that a tray, which is hardly read, would hold one more or one fewer. Source: as of
#: `premises.ELSEWHERE`.
TRAY = 4.0
#: Nats by which a slot must read right at a roll to be believed when it reads otherwise afterwards, and nats that it must say then.
STEADY, CHANGED = 2.0, 4.0
#: Nats by which the rows that changed may speak against a play for which the others speak: less than one of them tells.
AGAINST = 1.0
#: Such a slot says so many times as much against its being untouched: errors of vision stay while nobody touches what they are made
#: of. (Kept looks of 69 synthetic games: of twelve that spoke against a lawful play by 4 to 10 nats and were not believed, ten were right.)
NEWS = 2.0
#: No count of a point.
UNKNOWN = 2 * ZERO


@dataclass(frozen=True, slots=True)
class Told:
    """What looks tell of slots beside what is read there. as_before: slots of which it can be told whether they hold what they held before
    the roll, and no more; how_many: slots of which it can be told how many checkers have come or gone."""

    as_before: frozenset[int]
    how_many: frozenset[int]

    def between(self, slot: int, before: int, one: int, other: int) -> bool:
        """Whether it can be told which of two counts the slot holds, in which `before` lay."""
        return slot in self.how_many or (slot in self.as_before and before in (one, other))


class Witnesses:
    """`learn` at each accepted position; `hear` gives a look's evidence without what has been proved wrong."""

    def __init__(self) -> None:
        self._contradictions = Contradictions()
        # (SLOTS, counts) nats: the most that each slot said for another count, while nothing of this roll had been played.
        self._leaned = np.full((SLOTS, 2 * ZERO + 1), -np.inf)
        # Slot → signed count that lay there at the roll and was read without doubt.
        self._steady: dict[int, int] = {}
        # Slot → (count of a stack that lay there before the roll, (counts,) nats of those looks, whether they had no doubt of it).
        self._stacks: dict[int, tuple[int, np.ndarray, bool]] = {}
        # (26,) signed counts where fewer checkers lay than in a stack, or none, and on the bar, where those looks did not contradict it; and
        # bool, where they had no doubt of it.
        self._low = np.full(OFF_LIGHT, UNKNOWN)
        self._low_sure = np.zeros(OFF_LIGHT, dtype=bool)
        # (26,) signed counts of points and bar from which the roll is played, and (26, counts) nats of those looks.
        self._rest: tuple[np.ndarray, np.ndarray] | None = None
        # What the points looked like then, and, of the last look that was compared with it, what it looked like and each point's change.
        self._strips: np.ndarray | None = None
        self._compared: tuple[np.ndarray | None, Changes | None] = None, None
        # Slot → signed count that lies there by the rules and by the rows that changed, whatever it reads since.
        self._moved: dict[int, int] = {}

    def learn(self, evidence: Evidence, position: Position) -> None:
        """`position` lies there, by the rules; evidence: the same look as vision gave it."""
        self._contradictions.learn(evidence, position)

    def asked(self, evidence: Evidence, position: Position) -> None:
        """A roll is to be played from `position`; evidence: this look as vision gave it."""
        counts = vector(position)
        self._contradictions.asked(evidence, position)
        self._leaned[:] = -np.inf
        self.unplayed(evidence, position)
        second = np.sort(evidence.rows, axis=1)[:, -2]
        sure = evidence.rows[np.arange(SLOTS), counts + ZERO] - second >= STEADY
        self._steady = {int(slot): int(counts[slot]) for slot in np.flatnonzero(sure[:OFF_LIGHT])}

    def lay_at_rest(self, evidence: Evidence, position: Position, hidden: Sequence[int]) -> None:
        """`position` is what a roll will be played from; evidence: the mean of all looks at it that were taken before the dice came."""
        counts, slots = vector(position)[:OFF_LIGHT], np.arange(OFF_LIGHT)
        rows = evidence.rows[:OFF_LIGHT]
        self._rest = counts.copy(), rows.copy()
        self._note_what_moved(evidence, counts)
        sure = rows[slots, counts + ZERO] - np.sort(rows, axis=1)[:, -2] >= STEADY
        stacks = np.abs(counts) >= HEIGHT.least
        stacks[BAR_LIGHT:] = False
        stacks[[slot for slot in hidden if slot < BAR_LIGHT]] = False
        self._strips, self._compared = evidence.strips, (None, None)
        self._stacks = {
            int(slot): (int(counts[slot]), rows[slot].copy(), bool(sure[slot]))
            for slot in np.flatnonzero(stacks)
        }
        low = (rows[slots, counts + ZERO] > -CONTRADICTS) & (np.abs(counts) < HEIGHT.least)
        # (The bar may be as dark as what lies there, so it need not be read without doubt.)
        low[BAR_LIGHT:] = rows[slots, counts + ZERO][BAR_LIGHT:] > -STEADY
        self._low_sure = sure
        low[[slot for slot in hidden if slot < OFF_LIGHT]] = False
        self._low = np.where(low, counts, UNKNOWN)

    def _note_what_moved(self, evidence: Evidence, counts: np.ndarray) -> None:
        """Of a place that reads otherwise than `counts` (26,), by which a checker has come or gone, its looks may tell that one has."""
        changed = self._changed(evidence)
        if changed is None:
            return
        self._moved = {
            slot: count
            for slot, count in self._moved.items()
            if changed.points[slot] < TOUCH.touched and count == counts[slot]
        }
        said = evidence.rows[:OFF_LIGHT].argmax(axis=1) - ZERO
        for slot in np.flatnonzero((changed.points >= TOUCH.touched) & (said != counts)[:BAR_LIGHT]).tolist():
            was = self._lay(slot)
            if was is None or was == counts[slot]:
                continue
            nats = changed.of_point(slot, was)
            if nats[counts[slot] + ZERO] - nats[said[slot] + ZERO] >= STEADY:
                self._moved[slot] = int(counts[slot])

    def may_have_lain(self, position: Position, margin: float) -> Iterator[Position]:
        """`position`, from which the roll is played, with one checker more or less in a stack (and less or more off), which all looks
        before the roll told from it by less than `margin` nats."""
        counts = vector(position)
        for slot, (count, before, _) in self._stacks.items():
            if counts[slot] != count:
                continue
            sign, tray = (1, OFF_LIGHT) if count > 0 else (-1, OFF_DARK)
            for more in (-sign, sign):
                if before[count + ZERO] - before[count + more + ZERO] < margin:
                    other = counts.copy()
                    other[slot] += more
                    other[tray] -= more
                    found = position_of(other) if other[tray] * sign >= 0 else None
                    if found is not None:
                        yield found

    def may_have_lain_elsewhere(self, position: Position, margin: float) -> Iterator[tuple[Position, float]]:
        """`position`, from which the roll is played, with one checker in another place, as all looks before the roll may have it by two
        places that they told from it by less than `margin` nats together; and by how many (less than none: they rather had it so). What surely
        reads as neither says nothing: those looks were of another board."""
        board = vector(position)
        if self._rest is None or not np.array_equal(self._rest[0], board[:OFF_LIGHT]):
            return
        for other, behind in one_elsewhere(self._rest[1], board, margin, contradicts=CONTRADICTS, tray=TRAY):
            found = position_of(other)
            if found is not None:
                yield found, behind

    def rules_out(self, evidence: Evidence, before: Position, seen: Position) -> bool:
        """Whether a point that holds another number in `seen` than in `before`, from which the roll would have been played, looks as it did
        when the roll came: nobody has touched it, so this is not what was played. evidence: this look."""
        changed = self._changed(evidence)
        if changed is None:
            return False
        was, now = vector(before)[:BAR_LIGHT], vector(seen)[:BAR_LIGHT]
        differs = was != now
        differs[[slot for slot in evidence.hidden if slot < BAR_LIGHT]] = False
        piled = np.maximum(np.abs(was), np.abs(now)) > IN_A_ROW
        certain = np.where(piled, TOUCH.certain_of_piles, TOUCH.certain)
        return bool((changed.points < certain)[differs].any())

    def seen_to_change(self, evidence: Evidence, slot: int, before: int, now: int) -> bool:
        """Whether all looks before the roll told that `before` lay in a slot rather than `now`, and this one tells the contrary: what something
        covers there was covered then, or would say nothing."""
        if self._rest is None or slot >= BAR_LIGHT or self._rest[0][slot] != before:
            return False
        rest, row = self._rest[1][slot], evidence.rows[slot]
        lay = rest[before + ZERO] - rest[now + ZERO]
        lies = row[now + ZERO] - row[before + ZERO]
        return bool(min(lay, lies) >= CHANGED)

    def changed_to(self, evidence: Evidence, turn: Turn, seen: Position) -> np.ndarray:
        """bool (N, SLOTS): which points look touched since the roll, and of them the rows that changed tell `seen` from each of the plays of
        `turn` plainly. evidence: this look."""
        return self._told_by_changes(self._changed(evidence), turn, seen) <= -STEADY

    def changed_otherwise(self, evidence: Evidence, turn: Turn, seen: Position) -> bool:
        """Whether the rows that changed since the roll speak for a lawful play of `turn` rather than for `seen`: all points in which the two
        differ are full and look touched, together they say so, and none plainly speaks against it. (Then what is read there may be an error
        of reading: somebody was at these points, and did what the play says.)"""
        changed, now = self._changed(evidence), vector(seen)
        if changed is None:
            return False
        told = self._told_by_changes(changed, turn, seen)
        differs = (turn.legal_counts != now)[:, :OFF_LIGHT]
        full = np.maximum(np.abs(turn.legal_counts), np.abs(now))[:, :BAR_LIGHT] >= IN_A_ROW
        may_be = full & (changed.points >= TOUCH.touched) & (told[:, :BAR_LIGHT] > -AGAINST)
        differs[:, :BAR_LIGHT] &= ~may_be
        return bool((~differs.any(axis=1) & (told.sum(axis=1) >= STEADY)).any())

    def reaches_over_the_middle(self, evidence: Evidence, turn: Turn, seen: Position) -> bool:
        """Whether `seen` is a lawful play of `turn` but for one checker, which lies by the middle of the board and counts on the point opposite
        there: what has changed on its point begins further from the edge than its row would reach with it. (Whose long row ends there, that
        one's it is.)"""
        changed, was, now = self._changed(evidence), vector(turn.before), vector(seen)
        if changed is None:
            return False
        side = 1 if turn.side == "light" else -1
        more = (now - turn.legal_counts)[:, :BAR_LIGHT] * side
        # (Points opposite each other add up to 23.)
        rows, slots = np.nonzero((more == 1) & (more[:, ::-1] == -1))
        only_these = (np.abs(more).sum(axis=1) == 2) & (turn.legal_counts == now)[:, BAR_LIGHT:].all(axis=1)
        beyond = changed.first[slots] >= ROWS.a_checker * np.abs(now[slots])
        arrived = (changed.points[slots] >= TOUCH.touched) & ((now - was)[slots] * side > 0)
        return bool((only_these[rows] & beyond & arrived).any())

    def _told_by_changes(self, changed: Changes | None, turn: Turn, seen: Position) -> np.ndarray:
        """(N, SLOTS) nats by which the rows that changed say each of the plays of `turn` rather than `seen`, in points that look touched."""
        told, was, now = np.zeros((len(turn.legal), SLOTS)), vector(turn.before), vector(seen)
        if changed is not None:
            for slot in np.flatnonzero(changed.points >= TOUCH.touched).tolist():
                nats = changed.of_point(slot, int(was[slot]))
                told[:, slot] = nats[turn.legal_counts[:, slot] + ZERO] - nats[now[slot] + ZERO]
        return told

    def rolled_from(self, position: Position) -> None:
        """A roll is to be played from `position`: what is remembered of stacks that held another number then is of an earlier turn."""
        counts = vector(position)
        self._stacks = {slot: was for slot, was in self._stacks.items() if was[0] == counts[slot]}
        self._low[self._low != counts[:OFF_LIGHT]] = UNKNOWN

    def unplayed(self, evidence: Evidence, position: Position) -> None:
        """Nothing of this roll has been played yet; evidence: this look as vision gave it, of `position`."""
        counts = vector(position)
        # A slot that has been proved wrong must not make a checker seem missing.
        said = self._contradictions.corrected(evidence.rows.argmax(axis=1) - ZERO)
        slots = np.arange(OFF_LIGHT)
        seen, lie = said[:OFF_LIGHT], counts[:OFF_LIGHT]
        if seen[seen > 0].sum() == lie[lie > 0].sum() and seen[seen < 0].sum() == lie[lie < 0].sum():
            # No checker too many and none missing: if the slots say something else, one has been moved.
            return
        leans = evidence.rows[:OFF_LIGHT] - evidence.rows[slots, lie + ZERO][:, None]
        leans[slots, lie + ZERO] = -np.inf
        self._leaned[:OFF_LIGHT] = np.maximum(self._leaned[:OFF_LIGHT], leans)

    def played_already(self) -> None:
        """The roll that was asked about last was being played by then: nobody knows what the picture said before."""
        self._leaned[:] = -np.inf
        self._steady, self._stacks, self._strips, self._rest = {}, {}, None, None
        self._low[:] = UNKNOWN

    def put_back(self, evidence: Evidence, *, dice_lie: bool) -> None:
        """What was played of this roll has been taken back; evidence: this look as vision gave it. The places that were touched hold what
        they held and look otherwise all the same: what is played next is compared with how they look now, if they are read without doubt;
        else, or where dice lie that will be lifted, their looks tell nothing more in this turn."""
        changed = self._changed(evidence)
        if changed is None or self._strips is None or evidence.strips is None:
            return
        strips, now = self._strips.astype(np.float32), relit(self._strips, evidence.strips)
        for slot in np.flatnonzero(changed.points >= TOUCH.untouched).tolist():
            row, lay = evidence.rows[slot], self._lay(slot)
            if not dice_lie and lay is not None and row[lay + ZERO] - np.sort(row)[-2] >= STEADY:
                strips[slot] = now[slot]
                if slot in self._stacks:
                    self._stacks[slot] = lay, row.copy(), True
                continue
            self._stacks.pop(slot, None)
            self._low[slot] = UNKNOWN
        self._strips, self._compared = strips, (None, None)

    def said_before(self, position: Position) -> np.ndarray:
        """bool (SLOTS,): where the picture said what `position` says before anything was played. What it says of it now is no news."""
        return self._leaned[np.arange(SLOTS), vector(position) + ZERO] > 0

    @property
    def contradict(self) -> dict[int, int]:
        """Slot → signed checkers by which it goes on saying more than the accepted board holds, from turn to turn: perhaps it is right."""
        return self._contradictions.contradict

    def as_contradicted(self, before: Position, seen: Position) -> Iterator[tuple[Position, Position]]:
        """As `Contradictions.as_contradicted`."""
        return self._contradictions.as_contradicted(before, seen)

    def instead(self, position: Position, misread: Collection[int] = ()) -> Position | None:
        """What lies there rather than `position`, if places have said so for many rolls. misread: slots of which it is known better."""
        return self._contradictions.instead(position, {*self._moved, *misread})

    def forget(self) -> None:
        self._contradictions.forget()
        self._moved = {}
        self._leaned[:] = -np.inf
        self._steady, self._stacks, self._strips, self._rest = {}, {}, None, None
        self._low[:] = UNKNOWN

    def hear(self, evidence: Evidence) -> Evidence:
        """`evidence` in which a slot that says what it wrongly said before says the truth as well."""
        return self._contradictions.hear(evidence)

    def unchanged(self, evidence: Evidence) -> Evidence:
        """`evidence` in which a stack that reads as it did before the roll is as high as then: surely so where it was read without doubt,
        perhaps where it was not. (That nobody has touched it is far surer than how high it is: see `HeightModel`.) And a point that looks
        quite as it did holds what it held then, whatever is read."""
        rows: np.ndarray | None = None
        changed = self._changed(evidence)
        looks = changed.points if changed is not None else None
        if changed is not None:
            evidence = self._unmixed(evidence, changed)
            rows = self._low_as_before(evidence, changed)
        for slot, (count, before, sure) in self._stacks.items():
            if slot in evidence.hidden or evidence.mixed[slot]:
                continue
            if looks is not None and looks[slot] >= TOUCH.touched:
                continue
            as_before = looks is not None and looks[slot] < TOUCH.untouched
            change, high = change_of(before, evidence.rows[slot], count), abs(count) >= HEIGHT.high
            certain = as_before and sure and looks is not None and looks[slot] < TOUCH.certain
            if change >= (HEIGHT.other if as_before else HEIGHT.least_touched) and not certain:
                continue
            rows = evidence.rows.copy() if rows is None else rows
            row = rows[slot]
            if sure or as_before:
                there = 0.0 if as_before else row[count + ZERO]
                # (What was sure, and both looks and reads as then, is as sure as anything can be.)
                surely = sure and as_before and change < HEIGHT.least_touched
                np.minimum(row, -SLOT_CAP if surely else -HEIGHT.untouched[high], out=row)
                row[count + ZERO] = there
                row -= row.max()
            else:
                row[count + ZERO] = 0.0
        return evidence if rows is None else replace(evidence, rows=rows)

    def _unmixed(self, evidence: Evidence, changed: Changes) -> Evidence:
        """`evidence` in which a point that looks quite as before the roll does not hold both sides' checkers: then it held one's."""
        slots = [
            int(slot)
            for slot in np.flatnonzero(evidence.mixed[:BAR_LIGHT])
            if changed.points[slot] < TOUCH.certain and self._lay(int(slot)) is not None
        ]
        if not slots:
            return evidence
        mixed = evidence.mixed.copy()
        mixed[slots] = 0.0
        return replace(evidence, mixed=mixed)

    def _low_as_before(self, evidence: Evidence, changed: Changes) -> np.ndarray | None:
        """The rows of `evidence`, in which the bar, and points with fewer checkers than a stack, hold as many as before the roll where they
        look so; None if none does."""
        as_before = (self._low != UNKNOWN) & _looks_as_before(changed) & (evidence.mixed[:OFF_LIGHT] == 0)
        as_before[[slot for slot in evidence.hidden if slot < OFF_LIGHT]] = False
        slots = as_before.nonzero()[0]
        if not len(slots):
            return None
        rows, counts = evidence.rows.copy(), self._low[slots]
        said = rows[slots]
        reads_so = said.argmax(axis=1) - ZERO == counts
        np.minimum(said, np.where(reads_so, -SLOT_CAP, -HEIGHT.untouched[0])[:, None], out=said)
        said[np.arange(len(slots)), counts + ZERO] = 0.0
        rows[slots] = said
        return rows

    def looks_otherwise(self, evidence: Evidence, slot: int) -> bool:
        """Whether a stack surely does not look as it did at the roll, whatever it reads."""
        lay = self._stacks.get(slot)
        return lay is not None and change_of(lay[1], evidence.rows[slot], lay[0]) >= HEIGHT.other

    def touched(self, evidence: Evidence) -> Evidence:
        """`evidence` in which a stack that looks touched, and does not read quite as before the roll, is rather not as high as then. Not for
        a look at which dice lie there, since they change what a point looks like; and whoever straightens a stack touches it too."""
        changed = self._changed(evidence)
        if changed is None:
            return evidence
        rows, looks = self._come_or_gone(evidence, changed), changed.points
        for slot in np.flatnonzero(looks >= TOUCH.touched).tolist():
            if slot in evidence.hidden or evidence.mixed[slot] or self._beside_a_touched_pile(slot, looks):
                continue
            rows = self._as_touched(slot, evidence, changed, rows)
        if rows is None or (_too_many(rows) and not _too_many(evidence.rows)):
            # (What makes sixteen checkers of fifteen was a shadow, or the side of a checker that lies beside.)
            return evidence
        return replace(evidence, rows=rows)

    def _as_touched(
        self, slot: int, evidence: Evidence, changed: Changes, rows: np.ndarray | None
    ) -> np.ndarray | None:
        """`rows`, those of `evidence` by default, in which a point that looks touched holds rather what goes with the rows that changed."""
        was = self._lay(slot)
        nats = changed.of_point(slot, was) if was is not None else None
        if nats is None:
            if slot not in self._stacks:
                return rows
            count, before, _ = self._stacks[slot]
            if change_of(before, evidence.rows[slot], count) < HEIGHT.least_touched:
                return rows
            nats = np.zeros(2 * ZERO + 1)
            nats[count + ZERO] = -HEIGHT.looks[1]
        rows = evidence.rows.copy() if rows is None else rows
        rows[slot] += nats
        _bound(rows[slot])
        return rows

    def _lay(self, slot: int) -> int | None:
        """The signed count that surely lay there before the roll."""
        if slot in self._stacks:
            count, _, sure = self._stacks[slot]
            return count if sure else None
        return int(self._low[slot]) if self._low_sure[slot] and self._low[slot] != UNKNOWN else None

    def _come_or_gone(self, evidence: Evidence, changed: Changes) -> np.ndarray | None:
        """The rows of `evidence`, in which as many checkers have come to the bar or left it as it looks; None where that is not known, or
        both sides' are read without doubt."""
        least, most = changed.come_or_gone
        if (
            not least
            or {BAR_LIGHT, BAR_DARK} & set(evidence.hidden)
            or (self._low[BAR_LIGHT:] == UNKNOWN).any()
        ):
            return None
        said = evidence.rows[BAR_LIGHT:OFF_LIGHT]
        sure = np.sort(said, axis=1)[:, -2] <= -BAR.doubtful
        if sure[0] == sure[1]:
            return None
        # (Whose checkers can be told from the bar has so many of them.)
        plain = int(sure[1])
        theirs = abs(int(said[plain].argmax()) - ZERO - int(self._low[BAR_LIGHT + plain]))
        least, most = max(0, least - theirs), most - theirs
        if most <= 0:
            return None
        slot = BAR_DARK - plain
        change = np.abs(np.arange(said.shape[1]) - ZERO - self._low[slot])
        rows = evidence.rows.copy()
        rows[slot, (change < least) | (change > most)] -= BAR.nats
        _bound(rows[slot])
        return rows

    def touched_as_before(self, evidence: Evidence, before: Position, seen: Position) -> np.ndarray:
        """bool (SLOTS,): which points look touched since the roll, and hold in `seen` what they held in `before`. evidence: this look."""
        out = np.zeros(SLOTS, dtype=bool)
        changed = self._changed(evidence)
        if changed is not None:
            out[:BAR_LIGHT] = (changed.points >= TOUCH.touched) & (vector(before) == vector(seen))[:BAR_LIGHT]
        return out

    def light_has_changed(self, evidence: Evidence) -> bool:
        """Whether it can't be told which points have been touched since the roll, for all look otherwise. evidence: this look."""
        return self._strips is not None and evidence.strips is not None and self._changed(evidence) is None

    def _changed(self, evidence: Evidence) -> Changes | None:
        """What looks otherwise than before the roll; None where that tells nothing."""
        if self._strips is None or evidence.strips is None:
            return None
        if self._compared[0] is not evidence.strips:
            self._compared = evidence.strips, changes(self._strips, evidence.strips)
        return self._compared[1]

    def _beside_a_touched_pile(self, slot: int, looks: np.ndarray) -> bool:
        """Whether the next point holds checkers in layers and has been touched: they cover and shade a part of this one."""
        return any(
            near in self._stacks and abs(self._stacks[near][0]) > IN_A_ROW and looks[near] >= TOUCH.touched
            for near in neighbours(slot)
        )

    def news(self, evidence: Evidence) -> np.ndarray:
        """bool (SLOTS,): which points read right at the roll, look touched since, and read otherwise now. evidence: this look."""
        out = np.zeros(SLOTS, dtype=bool)
        changed = self._changed(evidence)
        if changed is not None:
            for slot, _ in self._read_otherwise(evidence):
                out[slot] = slot < BAR_LIGHT and changed.points[slot] >= TOUCH.touched
        return out

    def _read_otherwise(self, evidence: Evidence) -> list[tuple[int, int]]:
        """(slot, the signed count that lay there) of those that read right at the roll and otherwise now."""
        return [
            (slot, count)
            for slot, count in self._steady.items()
            if evidence.rows[slot, count + ZERO] <= -CHANGED and not evidence.mixed[slot]
        ]

    def stress_news(self, evidence: Evidence) -> Evidence:
        """`evidence` in which a slot that read right at the roll, and reads otherwise now, says so more strongly."""
        news = self._read_otherwise(evidence)
        if not news:
            return evidence
        rows = evidence.rows.copy()
        for slot, count in news:
            rows[slot, count + ZERO] = max(NEWS * rows[slot, count + ZERO], -SLOT_CAP)
        return replace(evidence, rows=rows)

    def as_at_the_roll(self, evidence: Evidence, mean: Evidence, left: Evidence) -> tuple[Evidence, Told]:
        """`evidence` in which a stack is as high as before the roll where it looks or reads as it did then, and is not where it was read
        without doubt and reads otherwise, or looks so; and the slots of which either can be told. mean: of the looks that `evidence` is
        made of; left: of those before the dice came that lie there now (dice change what a point looks like)."""
        rows, told = evidence.rows.copy(), set()
        changed = self._changed(left)
        looks = changed.points if changed is not None else None
        if changed is not None:
            for slot in ((self._low != UNKNOWN) & _looks_as_before(changed)).nonzero()[0].tolist():
                told.add(slot)
                row = rows[slot]
                row[self._low[slot] + ZERO] = max(row[self._low[slot] + ZERO], HEIGHT.looks[0])
                _bound(row)
        counted = self._as_rows_changed(rows, changed) if changed is not None else set()
        for slot, (count, before, sure) in self._stacks.items():
            if slot in counted:
                continue
            row, high = rows[slot], abs(count) >= HEIGHT.high
            change = change_of(before, mean.rows[slot], count)
            if looks is not None and looks[slot] < TOUCH.untouched and change < HEIGHT.plainly:
                told.add(slot)
                row[count + ZERO] = max(row[count + ZERO], HEIGHT.looks[0])
                _bound(row)
                continue
            if looks is not None and change >= HEIGHT.alike and self._beside_a_touched_pile(slot, looks):
                continue
            if looks is not None and looks[slot] >= TOUCH.touched and change >= HEIGHT.alike:
                told.add(slot)
                row[count + ZERO] -= HEIGHT.looks[1]
                _bound(row)
                continue
            if HEIGHT.alike <= change < HEIGHT.other:
                continue
            if not sure:
                if change < HEIGHT.alike:
                    # What it said wrongly before is no news.
                    row[count + ZERO] = 0.0
                continue
            told.add(slot)
            if change < HEIGHT.alike:
                there = row[count + ZERO]
                row -= HEIGHT.as_before[high]
                row[count + ZERO] = there
            else:
                row[count + ZERO] -= (HEIGHT.plain if change >= HEIGHT.plainly else HEIGHT.otherwise)[high]
            _bound(row)
        return replace(evidence, rows=rows), Told(frozenset(told - counted), frozenset(counted))

    def _as_rows_changed(self, rows: np.ndarray, changed: Changes) -> set[int]:
        """The slots that look touched, and of which the rows that changed tell how many checkers have come or gone; so `rows` (28, counts)
        say, in place."""
        told = set()
        for slot in np.flatnonzero(changed.points >= TOUCH.touched).tolist():
            was = self._lay(slot)
            if was is not None and not self._beside_a_touched_pile(slot, changed.points):
                rows[slot] += changed.of_point(slot, was)
                _bound(rows[slot])
                told.add(slot)
        return told


def _looks_as_before(changed: Changes) -> np.ndarray:
    """bool (26,): where nobody has touched anything."""
    return np.append(changed.points < TOUCH.certain, [changed.untouched] * 2)


def _too_many(rows: np.ndarray) -> bool:
    """Whether more checkers of a side lie on points and bar than it has, by what each slot of `rows` (28, counts) likeliest holds."""
    said = rows[:OFF_LIGHT].argmax(axis=1) - ZERO
    return bool(said[said > 0].sum() > CHECKERS or said[said < 0].sum() < -CHECKERS)


def _bound(row: np.ndarray) -> None:
    """(counts,) nats, in place: 0 for the best count, and no other below what one slot may say."""
    row -= row.max()
    np.maximum(row, -SLOT_CAP, out=row)
