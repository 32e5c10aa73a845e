"""A traced game as a live camera would see it: its pictures held, with noise that changes, and hands that reach for what differs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from traced_moments import Moment, moments

from pi_board.frame import Frame
from pi_board.rules import Side, explain, opponent
from pi_board.simulator.hands import PPC, TIP, hand_texture
from pi_board.simulator.truth import GameTruth, IllegalShown, Truth, TurnTruth

Image = npt.NDArray[np.uint8]
Point = npt.NDArray[np.float64]
#: Grey levels (of a picture blurred by so many px) by which two pictures of one place differ where something was moved; px that
#: belong to it around, and the least size of such a patch, px².
LEVELS, BLUR, AROUND, SMALLEST = 9.0, 1.5, 6, 40
#: Seconds from the edge of the picture or a patch to the next one, and at a patch; the hand is at work there in the middle of them.
TRAVEL, AT_WORK = 0.4, 0.4
#: Pictures of noise that are used in turns.
NOISES = 7
#: Seconds for which an illegal play lies there beside its dice, and after these were lifted. Players of the campaign listen for 12.
ILLEGAL, LIFTED = (3.0, 8.0), (3.0, 7.0)
SKINS = ((0.52, 0.66, 0.88), (0.35, 0.5, 0.74), (0.2, 0.3, 0.46))


def changed(before: Image, after: Image) -> list[npt.NDArray[np.bool_]]:
    """Masks of the patches in which two pictures differ."""
    apart = np.abs(
        cv2.GaussianBlur(before.astype(np.float32), (0, 0), BLUR)
        - cv2.GaussianBlur(after.astype(np.float32), (0, 0), BLUR)
    ).max(2)
    found = (apart > LEVELS).astype(np.uint8)
    grown = cv2.dilate(found, np.ones((2 * AROUND + 1, 2 * AROUND + 1), np.uint8))
    count, labels = cv2.connectedComponents(grown)
    masks = [labels == i for i in range(1, count)]
    return [m for m in masks if (found[m] > 0).sum() >= SMALLEST]


def on_dice(patches: Sequence[npt.NDArray[np.bool_]], dice: Sequence[dict[str, Any]]) -> list[int]:
    """Which of the patches have one of these dice in them."""
    places = [np.round(d["center_px"]).astype(int) for d in dice]
    return [i for i, m in enumerate(patches) if any(m[y, x] for x, y in places)]


class TracedCamera:
    """What `run_demo` needs of a camera. Raises nothing: the folder is one of `trace_games.py`'s own.

    fps: pictures a second. Players are deaf, so an illegal play lies there for a while and is taken back whatever is said.
    """

    def __init__(self, folder: Path, seed: int, fps: float) -> None:
        self.description, self.fps = f"traced game {folder.name}", fps
        self._pictures = sorted(folder.glob("*.jpg"))
        self._told = [json.loads(p.with_suffix(".json").read_text()) for p in self._pictures]
        self.near: Side = self._told[0]["near"]
        named, number = (int(part) for part in folder.name.split("_")[1:])
        game = moments(np.random.default_rng((named, number, 1)), len(self._pictures))
        self._moments: list[Moment] = [m for m, _ in zip(game, self._pictures, strict=False)]
        self.truth = Truth(games=[GameTruth()])
        self.time, self.seq = -1.0 / fps, -1
        rng = self._rng = np.random.default_rng((seed, named, number))
        # (Several exposures of one scene are as noisy as each other, the picture's own noise included.)
        shape = self._picture(0).shape
        self.noise = float(rng.uniform(0.8, 2.5))
        self._noises = [rng.normal(0, self.noise, shape).astype(np.float32) for _ in range(NOISES)]
        skin = SKINS[int(rng.integers(len(SKINS)))]
        sleeve = (0.2, 0.25, 0.3) if rng.random() < 0.5 else None
        self._hand = hand_texture(skin, sleeve, bool(rng.random() < 0.5), (0.2, 0.3, 0.9, 0.5, 0.6))
        corners = np.asarray(self._told[0]["corners_px"], np.float64)
        self._center = corners.mean(0)
        self._edge = {self.near: corners[2:].mean(0), opponent(self.near): corners[:2].mean(0)}
        across = np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])
        self._px_per_cm = float(across / 2 / self._told[0]["geometry_cm"]["field_w"])
        self._frames = self._play()

    @property
    def next_time(self) -> float:
        return self.time + 1.0 / self.fps

    def read(self, timeout: float | None = None) -> Frame | None:
        del timeout
        return next(self._frames, None)

    def pressed(self) -> tuple[str, ...]:
        return ()

    def tell(self, word: str) -> None:
        """Nothing: players are deaf."""

    def close(self) -> None:
        """Nothing is open."""

    def _picture(self, i: int) -> Image:
        return np.asarray(cv2.imread(str(self._pictures[i])), np.uint8)

    def _frame(self, image: npt.NDArray[np.float32]) -> Frame:
        self.seq += 1
        self.time += 1.0 / self.fps
        noise = np.roll(self._noises[self.seq % NOISES], int(self._rng.integers(image.shape[1])), axis=1)
        self.truth.games[0].frames = self.seq + 1
        return Frame(np.clip(image + noise, 0, 255).astype(np.uint8), round(self.time, 4), self.seq)

    def _hold(self, image: Image, least: float, most: float = 0.0) -> Iterator[Frame]:
        seconds = float(self._rng.uniform(least, max(least, most)))
        as_float = image.astype(np.float32)
        for _ in range(max(1, round(seconds * self.fps))):
            yield self._frame(as_float)

    def _reached(self, image: Image, tip: Point, side: Side) -> npt.NDArray[np.float32]:
        """The picture with `side`'s hand at `tip`, and the shadow it throws."""
        color, alpha = self._hand
        down = self._edge[side] - self._center
        down /= np.linalg.norm(down)
        scale = self._px_per_cm / PPC
        # (The texture's arm runs down, its x axis to the right of that.)
        turn = scale * np.array([[down[1], down[0]], [-down[0], down[1]]])
        # The fingers reach a little beyond what they take.
        at = tip - down * self._px_per_cm * 1.2
        warp = np.hstack([turn, (at - turn @ np.asarray(TIP))[:, None]])
        size = image.shape[1], image.shape[0]
        cover = cv2.warpAffine(alpha, warp, size, flags=cv2.INTER_AREA)[:, :, None]
        hand = cv2.warpAffine(color, warp, size, flags=cv2.INTER_AREA).astype(np.float32)
        aside = np.float32([[1, 0, 0.9 * self._px_per_cm], [0, 1, 0.5 * self._px_per_cm]])
        shade = cv2.GaussianBlur(cv2.warpAffine(cover, aside, size), (0, 0), 0.5 * self._px_per_cm)
        lit = image * (1 - 0.35 * shade[:, :, None])
        return np.asarray(lit * (1 - cover) + hand * cover, np.float32)

    def _reach(
        self, shown: Image, after: Image, patches: Sequence[npt.NDArray[np.bool_]], side: Side
    ) -> Iterator[Frame]:
        """`side`'s hand goes from patch to patch, each of which is as in `after` once it has been there; `shown` is changed."""
        down = self._edge[side] - self._center
        rim = self._edge[side] + down * 0.9
        centers = [np.argwhere(m).mean(0)[::-1] for m in patches]
        at, left = rim, list(range(len(patches)))
        steps = max(1, round(TRAVEL * self.fps))
        while left:
            i = min(left, key=lambda k: float(np.linalg.norm(centers[k] - at)))
            left.remove(i)
            for k in range(1, steps + 1):
                yield self._frame(self._reached(shown, at + (centers[i] - at) * k / steps, side))
            at = centers[i]
            for k in range(max(2, round(AT_WORK * self.fps))):
                if k == 1:
                    shown[patches[i]] = after[patches[i]]
                yield self._frame(self._reached(shown, at, side))
        if patches:
            for k in range(1, steps):
                yield self._frame(self._reached(shown, at + (rim - at) * k / steps, side))

    def _play(self) -> Iterator[Frame]:
        game = self.truth.games[0]
        shown = self._picture(0)
        yield from self._hold(shown, 3.0)
        game.opened = self.time
        turn: TurnTruth | None = None
        # The dice of this roll, and the picture without them; no patches where the dice before lay in the same place.
        rolled: list[npt.NDArray[np.bool_]] = []
        bare = shown
        for i, m in enumerate(self._moments[1:], start=1):
            assert m.side is not None
            after = self._picture(i)
            patches = changed(shown, after)
            if m.event == "dice_thrown":
                if turn is not None:
                    lifted = on_dice(patches, self._told[i - 1]["dice"])
                    yield from self._reach(shown, after, [patches[k] for k in lifted], turn.side)
                    patches = [p for k, p in enumerate(patches) if k not in lifted]
                    if turn.lifted < 0:
                        turn.lifted = self.time
                    yield from self._hold(shown, 0.3, 1.2)
                    turn.ended = self.time
                bare = shown.copy()
                new = on_dice(patches, self._told[i]["dice"])
                rolled = [patches[k] for k in new] if len(new) == 2 else []
                yield from self._reach(shown, after, patches, m.side)
                shown = after
                turn = TurnTruth(m.side, m.dice, thrown=self.next_time)
                game.turns.append(turn)
                yield from self._hold(shown, 0.8, 2.5)
                continue
            assert turn is not None
            begun = self.next_time
            if m.event != "play_done" or m.played:
                yield from self._reach(shown, after, patches, m.side)
            shown = after
            if m.event == "play_done_illegal":
                before = self._moments[i - 1].position
                verdict = explain(before, m.position.to_document(), m.dice, m.side)
                board = m.position.to_document()
                illegal = IllegalShown(
                    m.cheat, verdict.code or "", board, begun=begun, claimed=self.next_time
                )
                illegal.outcome = "corrected"
                turn.illegal.append(illegal)
                yield from self._hold(shown, *ILLEGAL)
                if rolled:
                    # (They come back with the next picture, in which the play has been taken back.)
                    yield from self._reach(shown, bare, rolled, m.side)
                    illegal.lifted = self.time
                    yield from self._hold(shown, *LIFTED)
                illegal.gone = self.time
            elif m.event == "taken_back":
                yield from self._hold(shown, 0.6, 1.5)
            else:
                assert m.play is not None
                turn.position, turn.moves = m.position, m.play.moves
                turn.claimed = self.next_time if m.played else -1.0
                yield from self._hold(shown, 1.0, 3.0)
        yield from self._hold(shown, 4.0)
