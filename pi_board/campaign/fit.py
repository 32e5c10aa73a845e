"""Measures `ReaderNoise` in the kept looks of rendered games:

pi-board bench campaign --games 40 --keep DIR --looks
python -m pi_board.campaign.fit DIR pi_board/campaign/reader_noise.json

What happens in one game of twenty must not be spread over a third of all: of 39 dice that the last twenty games saw where none
was, 37 were in one game, and so were 5 of 9 dice that were not seen. So only the slots are taken from these twenty games,
of which each game has thousands of readings; dice, gates and the cube are those of the ten games before.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pi_board.campaign.looks import LookRecord, LookTruth, load_looks
from pi_board.campaign.noise import COUNTS, DISTANCES, LEVELS, ZERO, bucket
from pi_board.sighting import OFF_LIGHT, DieSeen, Sighting

NAMES = ("clear", "fair", "poor")


def signed(truth: LookTruth) -> npt.NDArray[np.int64]:
    """(28,) true signed counts in the order of `Sighting`'s slots."""
    return np.array((*truth.points, truth.bar[0], -truth.bar[1], truth.off[0], -truth.off[1]))


def kind_of(slot: int) -> str:
    return "point" if slot < 24 else "bar" if slot < 26 else "off"


def fresh(record: LookRecord) -> Iterator[tuple[Sighting, LookTruth]]:
    """Looks that were really taken (not repeated) at whole, untouched scenes."""
    last = None
    for sighting, truth in zip(record.sightings, record.truths, strict=True):
        table = sighting.log_likelihood
        if table is None or table is last:
            continue
        last = table
        if not truth.hands and not truth.held and not truth.clutter and sum(map(abs, truth.points)) <= 30:
            yield sighting, truth


def _says_something(row: npt.NDArray[np.float64]) -> bool:
    """Not all possible counts are equally likely."""
    return bool(np.ptp(row[row > -1e4]) > 0)


class GameLooks:
    """What one game's looks say about vision."""

    def __init__(self, record: LookRecord) -> None:
        self.margins: dict[str, list[float]] = defaultdict(list)
        self.wrong: dict[str, Counter[int]] = defaultdict(Counter)
        self.second: dict[str, Counter[int]] = defaultdict(Counter)
        self.depth: dict[str, list[list[float]]] = defaultdict(list)
        self.within: list[tuple[float, float]] = []
        self.across: list[tuple[float, float]] = []
        self.dice: dict[str, Counter[str]] = defaultdict(Counter)
        #: (how it lies, what was said) → what is said at the next look; how it lies → what is said at the first.
        self.then: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self.first: dict[str, Counter[str]] = defaultdict(Counter)
        self.confidence: dict[tuple[str, bool], list[float]] = defaultdict(list)
        self.confused: Counter[tuple[int, int]] = Counter()
        self.scenes, self.ghosts = 0, 0
        self.trays: list[bool] = []
        self.cube: Counter[str] = Counter()
        self._slots(record)
        self._gates(record)
        self.quality = float(np.percentile(self.margins_of_points(), 1)) if self.margins else -99.0

    def margins_of_points(self) -> list[float]:
        return [m for k, v in self.margins.items() if not k.startswith(("bar", "off")) for m in v] or [-99.0]

    def _slots(self, record: LookRecord) -> None:
        before: tuple[LookTruth, npt.NDArray[np.float64], list[str]] | None = None
        for sighting, truth in fresh(record):
            table = np.asarray(sighting.log_likelihood, np.float64)
            true = signed(truth)
            self.trays.append(_says_something(table[OFF_LIGHT]))
            margins = np.full(28, np.nan)
            mixed = {slot for slot, _ in sighting.mixed}
            for slot in range(28):
                row = table[slot]
                if not _says_something(row) or slot in mixed:
                    continue
                margins[slot] = self._slot(kind_of(slot), int(true[slot]), row)
            said = self._dice(sighting, truth)
            if before is not None:
                old, were, _ = before
                same = old == truth
                still = signed(old) == true
                both = ~np.isnan(were) & ~np.isnan(margins) & still
                (self.within if same else self.across).extend(zip(were[both], margins[both], strict=True))
            # Dice lie there until all are lifted: the same ones in the same order are the same roll.
            went_on = before is not None and before[0].dice == truth.dice
            for i, (_, _, lies) in enumerate(truth.dice):
                if went_on and before is not None:
                    self.then[lies, before[2][i]][said[i]] += 1
                else:
                    self.first[lies][said[i]] += 1
            if before is None or before[0] != truth:
                self.scenes += 1
                self.ghosts += len(sighting.dice) > len(truth.dice)
                if truth.cube[1] != "none":
                    seen = sighting.cube
                    right = seen is not None and (seen.value, seen.place) == truth.cube
                    self.cube[
                        "unseen" if seen is None or seen.place == "none" else "right" if right else "wrong"
                    ] += 1
            before = truth, margins, said

    def _slot(self, kind: str, count: int, row: npt.NDArray[np.float64]) -> float:
        name = bucket(kind, count)
        at = count + ZERO
        others = row.copy()
        others[at] = -np.inf
        best = int(others.argmax())
        margin = float(row[at] - others[best])
        sign = -1 if count < 0 else 1
        offset = sign * (best - at)
        offset = abs(offset) if count == 0 else offset
        (self.wrong if margin < 0 else self.second)[name][offset] += 1
        self.margins[name].append(margin)
        top = int(row.argmax())
        depth = []
        for d in DISTANCES:
            near = [
                row[k]
                for k in (top - d, top + d)
                if 0 <= k < COUNTS and (k - ZERO) * (top - ZERO) >= 0 and row[k] > -1e4
            ]
            depth.append(float(row[top] - max(near)) if near else np.nan)
        self.depth[name].append(depth)
        return margin

    def _dice(self, sighting: Sighting, truth: LookTruth) -> list[str]:
        """What was said of each true die: right, wrong, none, unseen, cocked or on_checker."""
        left: list[DieSeen] = list(sighting.dice)
        said = [""] * len(truth.dice)
        for exact in (True, False):
            for i, (value, _, lies) in enumerate(truth.dice):
                if said[i]:
                    continue
                found = next((d for d in left if d.value == value), None) if exact else next(iter(left), None)
                if found is None:
                    continue
                left.remove(found)
                if found.on_checker:
                    said[i] = "on_checker"
                elif found.cocked:
                    said[i] = "cocked"
                elif found.value is None:
                    said[i] = "none"
                else:
                    right = found.value == value
                    said[i] = "right" if right else "wrong"
                    self.confidence[lies, right].append(found.confidence)
                    if not right and lies == "flat":
                        self.confused[value, found.value] += 1
        for i, (_, _, lies) in enumerate(truth.dice):
            said[i] = said[i] or "unseen"
            self.dice[lies][said[i]] += 1
        return said

    def _gates(self, record: LookRecord) -> None:
        """Scene by scene (a stretch in which nothing changes): what the first second look after 0.6 s of stillness came to."""
        self.gates: dict[str, Counter[str]] = defaultdict(Counter)
        #: What the scene after a refused one came to: some things are in the way for long.
        self.after_refusal: Counter[bool] = Counter()
        begin, truth = 0.0, None
        done = refused = False
        for sighting, now in zip(record.sightings, record.truths, strict=True):
            if now != truth:
                truth, begin, done = now, sighting.time, False
            elif not done and sighting.time - begin >= 0.6:
                done = True
                kind = "hand" if now.hands else "clutter" if now.clutter else "free"
                if kind == "free" and refused:
                    self.after_refusal[not sighting.settled] += 1
                elif kind == "hand" or not now.held:
                    self.gates[kind][sighting.gate.value] += 1
                if kind == "free":
                    refused = not sighting.settled


def _shares(counts: Counter[Any], total: int | None = None) -> list[list[Any]]:
    n = total or sum(counts.values())
    return [[k, round(v / n, 5)] for k, v in counts.most_common() if v]


def _together(games: Sequence[GameLooks], name: str) -> Any:
    out: dict[Any, Any] = {}
    for game in games:
        for key, value in getattr(game, name).items():
            if key in out:
                out[key] = out[key] + value
            else:
                out[key] = value if isinstance(value, Counter) else list(value)
    return out


def _correlation(pairs: list[tuple[float, float]]) -> float:
    """Of the ranks: a few huge margins say nothing."""
    if len(pairs) < 10:
        return 0.9
    a, b = (np.argsort(np.argsort(column)) for column in np.asarray(pairs).T)
    return round(float(np.corrcoef(a, b)[0, 1]), 3)


BUCKETS = ("empty", "one", "few", "many", "tall", "bar_none", "bar_some", "off_none", "off_some")
#: A class of slots that was seen less often than this in a third of the games is taken from all of them.
ENOUGH = 300
#: Likewise scenes with hands, or with things that stand there.
ENOUGH_SCENES = 30
#: Refused scenes after a refused one, and of how many, that are added to those that were counted: refusals are rare. Set.
STUCK = (0.9, 3.0)


def _slot_classes(games: Sequence[GameLooks]) -> dict[str, dict[str, Any]]:
    margins, wrong, second = (_together(games, n) for n in ("margins", "wrong", "second"))
    depth = _together(games, "depth")
    slots = {}
    for key, values in sorted(margins.items()):
        v = np.sort(np.asarray(values))
        low = v[: max(2, len(v) // 100)]
        tail = float(np.clip((low[-1] - low[0]) / np.log(len(low) + 1), 0.2, 5.0))
        typical = [round(float(x), 2) for x in np.nanmedian(np.asarray(depth[key]), axis=0)]
        for i in range(1, len(typical)):
            typical[i] = typical[i - 1] if np.isnan(typical[i]) else max(typical[i], typical[i - 1])
        by_one = [[1 if key in ("empty", "bar_none", "off_none") else -1, 1.0]]
        slots[key] = {
            "margins": [round(float(q), 2) for q in np.quantile(v, LEVELS)],
            "tail": round(tail, 2),
            "wrong": _shares(wrong.get(key, Counter())) or by_one,
            "second": _shares(second.get(key, Counter())) or by_one,
            "depth": typical,
            "looks": len(v),
        }
    return slots


def model(name: str, games: Sequence[GameLooks], every: Sequence[GameLooks], source: str) -> dict[str, Any]:
    """The document of one model: of `games`, and of `every` game where those say too little."""
    games = games or every
    own, pooled = _slot_classes(games), _slot_classes(every)
    slots = {
        k: own[k] if k in own and own[k]["looks"] >= ENOUGH else pooled[k] for k in BUCKETS if k in pooled
    }
    for k in BUCKETS:
        slots.setdefault(k, slots["empty" if k.endswith("none") else "one"])
    dice = {}
    for lies in ("flat", "cocked", "on_checker", "outside"):
        enough = sum(_together(games, "dice").get(lies, Counter()).values()) >= ENOUGH
        of = games if enough else every
        first, then, confidence = (_together(of, n) for n in ("first", "then", "confidence"))
        sure = confidence.get((lies, True), [0.95]) or [0.95]
        mistaken = confidence.get((lies, False), [0.8]) or [0.8]
        dice[lies] = {
            "first": _shares(first[lies])
            if lies in first
            else [["unseen" if lies == "outside" else "cocked", 1.0]],
            "then": {said: _shares(counts) for (way, said), counts in sorted(then.items()) if way == lies},
            "sure": [round(float(q), 3) for q in np.quantile(sure, (0.05, 0.25, 0.5, 0.75, 0.95))],
            "mistaken": [round(float(q), 3) for q in np.quantile(mistaken, (0.05, 0.25, 0.5, 0.75, 0.95))],
            "looks": sum(_together(of, "dice").get(lies, Counter()).values()),
        }
    table: Counter[tuple[int, int]] = sum((g.confused for g in every), Counter())
    confused: list[list[float]] = []
    for value in range(1, 7):
        # A pseudo-count for what was never seen: absence in a few hundred rolls proves little.
        counted = [0.0 if v == value else table[value, v] + 0.2 for v in range(1, 7)]
        shares = [round(c / sum(counted), 3) for c in counted]
        most = shares.index(max(shares))
        shares[most] = round(shares[most] + 1 - sum(shares), 3)
        confused.append(shares)
    own, pooled = _together(games, "gates"), _together(every, "gates")

    def scenes(kind: str) -> Counter[str]:
        counts: Counter[str] = own.get(kind, Counter())
        enough = sum(counts.values()) >= ENOUGH_SCENES
        return counts if enough else pooled.get(kind, Counter())

    def refused(kind: str) -> dict[str, float]:
        counts = scenes(kind)
        n = max(1, sum(counts.values()))
        return {g: round(c / n, 4) for g, c in counts.items() if g != "settled"}

    again: Counter[bool] = sum((g.after_refusal for g in every), Counter())
    trays = [t for g in games for t in g.trays]
    cube: Counter[str] = sum((g.cube for g in games), Counter())
    n = max(1, sum(cube.values()))
    hand = scenes("hand")
    return {
        "name": name,
        "source": source,
        "slots": slots,
        "within": _correlation([p for g in games for p in g.within]),
        "across": _correlation([p for g in games for p in g.across]),
        "dice": dice,
        "confused": confused,
        "ghosts": round(sum(g.ghosts for g in games) / max(1, sum(g.scenes for g in games)), 4),
        "refused": refused("free"),
        "stuck": round((again[True] + STUCK[0]) / (sum(again.values()) + STUCK[1]), 3),
        "cluttered": refused("clutter"),
        "hidden": round(hand.get("settled", 0) / max(1, sum(hand.values())), 4),
        "trays": round(float(np.mean(trays)), 3) if trays else 0.0,
        "cube": [round(cube["right"] / n, 4), round(cube["unseen"] / n, 4)],
    }


def main(folder: Path, target: Path) -> None:
    games = [GameLooks(load_looks(path)) for path in sorted(folder.glob("*/looks.gz"))]
    games = sorted((g for g in games if g.margins), key=lambda g: -g.quality)
    looks = sum(len(v) for g in games for v in g.margins.values()) // 28
    parts = np.array_split(np.arange(len(games)), 3)
    source = f"{len(games)} rendered games of the campaign, {looks} fresh looks; the {{}} third by the 1st percentile of the points' margins"
    which = ("best", "middle", "worst")
    document = {
        "models": [
            model(n, [games[i] for i in p], games, source.format(w))
            for n, p, w in zip(NAMES, parts, which, strict=True)
        ]
    }
    target.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    for m in document["models"]:
        wrong = {
            k: f"{np.interp(0, v['margins'], LEVELS):.4f}" if v["margins"][0] < 0 else "0"
            for k, v in m["slots"].items()
        }
        print(
            m["name"],
            "misread",
            wrong,
            "dice",
            {k: v["first"] for k, v in m["dice"].items()},
            "refused",
            m["refused"],
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
