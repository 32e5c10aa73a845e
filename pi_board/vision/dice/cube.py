"""The doubling cube: what it shows and where it stands.

The dice finder's network marks cubes as well; a reader of its own tells the numeral, at any turn. 64 up in the middle
means 1 (the cube has not been turned yet); on a side it means 64.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.sighting import CubeSeen, DieSeen
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.orientation import Orientation
from pi_board.vision.changes import Change
from pi_board.vision.convolutions import Floats
from pi_board.vision.dice import pips
from pi_board.vision.dice.finder import CELL
from pi_board.vision.dice.finder_view import FINDER_WIDTH, margin_of
from pi_board.vision.dice.found import Found, Look
from pi_board.vision.dice.memory import Memory
from pi_board.vision.dice.numerals import FACES, SIZES, numeral_patches, read_closely, read_numeral
from pi_board.vision.dice.reading import find_dice
from pi_board.vision.dice.survey import survey
from pi_board.vision.picture import checked_picture

Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class CubeSearch:
    """When a candidate is the cube. Source: chosen by eye on the pictures of `tests/bench/bench_dice.py` (cubes), not swept.

    beside: cm inside the left and right edge from which a cube lies beside the board: it leans against the rim. on_bar: share of
    its own edge by which its middle may lie off the bar. apart: share of its edge within which two candidates are one.
    numeral, heat: exponents of the numeral's probability and of the finder's heat in a score: they judge the same
    pixels, so neither counts in full. sure_of_score: confidence that a score of 1 gives, 1 at most.
    """

    beside: float = 0.9
    on_bar: float = 0.35
    apart: float = 0.4
    numeral: float = 0.75
    heat: float = 0.25
    sure_of_score: float = 1.3


CUBE = CubeSearch()
#: How far outside the field (x, y) the cube may stand: over rim and tray plus its own size. Share of the
#: field's width.
AROUND = (0.15, 0.07)
#: Heat of the finder from which something may be the cube.
LEAST_HEAT = 0.08
#: Half height of the zone that counts as "in the middle", share of the field's height.
_MIDDLE = 0.14
#: Prior of each face, in the order of `FACES`. In the middle the cube shows 64, and few games see more than
#: two doubles.
_PRIOR_CENTRE = np.array([0.01, 0.01, 0.01, 0.01, 0.01, 0.95])
_PRIOR_SIDE = np.array([0.42, 0.22, 0.12, 0.09, 0.07, 0.08])
#: Score from which a candidate is the cube beyond doubt.
_SURELY_CUBE = 0.8
#: Probability of "no cube" at first glance above which a candidate is not read more closely.
_SURELY_NONE = 0.97
#: How likely a cube stands there: on a playing half it is rare (it is being offered) but a checker that resembles one is not;
#: beside the board near its corners people put markers, glasses and clocks.
_LIKELY = {
    "center": 1.0,
    "light": 1.0,
    "dark": 1.0,
    "offered": 0.65,
    "none": 0.0,
    "corner light": 0.75,
    "corner dark": 0.75,
}
#: A place where a printed marker may lie is cut out so many px wide, the cube's edge so many px of them. It is a marker where the
#: patch's middle lies in one, or no more px beside it. Chosen by eye, not swept.
_MARKER_PATCH, _MARKER_EDGE, _MARKER_BESIDE = 160, 40, 8
#: From this share of the field's height on a place beside the board is near a corner.
_CORNER = 0.4
#: Candidates whose numeral is read, and of which closely.
_MOST, _CLOSELY = 10, 3

#: Heat below which nothing need be read once the cube has been found; and the probabilities of what is no cube.
_COLD = 0.35
_NONE = np.eye(7, dtype=np.float32)[0]

Place = Literal["center", "light", "dark", "offered", "none"]


def place_of(x: float, y: float, geometry: BoardGeometry, orientation: Orientation) -> Place:
    """The owner of the cube from its place (cm): on the bar or beside the board it is in the middle or owned;
    on a playing half it is being offered.
    """
    profile = geometry.profile
    across, along = abs(x), abs(y)
    beside = across > profile.field_width / 2 - CUBE.beside or along > profile.field_height / 2
    on_bar = across <= profile.bar_width / 2 + CUBE.on_bar * profile.cube_size
    if not (beside or on_bar):
        return "offered"
    if along <= _MIDDLE * profile.field_height:
        return "center"
    return orientation.near if y < 0 else orientation.far


def find_cube(
    bgr: npt.NDArray,
    geometry: BoardGeometry,
    orientation: Orientation | None = None,
    *,
    least_cube: float = 0.44,
    least_heat: float = LEAST_HEAT,
    least_confidence: float = 0.9,
    seen: Look | None = None,
    memory: Memory | None = None,
) -> CubeSeen | None:
    """The doubling cube on or beside the board, None when none is in view.

    bgr: (H, W, 3) uint8. The value is None when the numeral cannot be read with `least_confidence`. seen: a
    `survey` of the same picture with the margin `AROUND`, to save a second one. memory: of the pictures before.
    """
    picture = checked_picture(bgr, what="picture", least=4)
    orientation = orientation or Orientation()
    seen = seen or survey(picture, geometry, AROUND, least_heat, memory)
    places, stands = _candidates(seen, geometry, orientation, least_heat)
    if not places:
        return None
    probabilities = _faces(picture, seen, places, stands, memory)
    pixels = seen.places(places)
    scores = _scores(probabilities, places, stands)
    if memory is not None:
        # Skip what resembled a cube while the real one stood elsewhere.
        scores[[memory.is_scenery(f) for f in places]] = 0.0
    i = int(np.argmax(scores))
    if scores[i] < least_cube:
        return None
    if memory is not None and scores[i] > _SURELY_CUBE:
        memory.keep_scenery([f for f in places if f is not places[i]])
    px, place = pixels[i], _place(stands[i])
    faces = probabilities[i][1:] * (_PRIOR_CENTRE if place == "center" else _PRIOR_SIDE)
    faces = faces / faces.sum()
    face, confidence = FACES[int(np.argmax(faces))], float(faces.max())
    value = 1 if face == 64 and place == "center" else face
    return CubeSeen(
        value if confidence >= least_confidence else None,
        place,
        float(confidence * min(1.0, CUBE.sure_of_score * scores[i])),
        float(px[0]),
        float(px[1]),
    )


#: Where a candidate stands; "corner": beside the board near a corner.
Stand = Literal["center", "light", "dark", "offered", "none", "corner light", "corner dark"]


def _place(stand: Stand) -> Place:
    if stand == "corner light":
        return "light"
    return "dark" if stand == "corner dark" else stand


def _candidates(
    seen: Look, geometry: BoardGeometry, orientation: Orientation, least_heat: float
) -> tuple[list[Found], list[Stand]]:
    """Candidates for the cube and where each stands, likeliest first."""
    found = [f for f in seen.found if f.kind == "cube" and f.heat >= least_heat]
    centres = (
        geometry.unproject(seen.places(found), geometry.profile.cube_size) if found else np.zeros((0, 2))
    )
    stands: list[Stand] = []
    for x, y in centres.tolist():
        at: Stand = place_of(x, y, geometry, orientation)
        if abs(x) > geometry.profile.field_width / 2 and abs(y) > _CORNER * geometry.profile.field_height:
            at = "corner light" if at == "light" else "corner dark"
        stands.append(at)
    if not found:
        return [], []
    x, y, edge = np.array([(f.x, f.y, f.edge) for f in found]).T
    apart = np.hypot(x[:, None] - x, y[:, None] - y) > CUBE.apart * edge
    left = np.ones(len(found), bool)
    kept: list[int] = []
    for i in sorted(range(len(found)), key=lambda i: -found[i].heat * _LIKELY[stands[i]] ** 3):
        if left[i] and len(kept) < _MOST:
            kept.append(i)
            left &= apart[:, i]
    return [found[i] for i in kept], [stands[i] for i in kept]


def _is_marker(picture: Image, seen: Look, place: Found, stand: Stand) -> bool:
    """Whether what looks like a cube is (part of) a printed marker, as they lie at the board's corners."""
    if not stand.startswith("corner"):
        return False
    patch = pips.cut_patch(
        picture, seen.to_picture, (place.x, place.y), place.edge, _MARKER_PATCH, _MARKER_EDGE
    )
    corners, _, _ = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    ).detectMarkers(patch)
    middle = ((_MARKER_PATCH - 1) / 2, (_MARKER_PATCH - 1) / 2)
    return any(
        cv2.pointPolygonTest(c.reshape(-1, 1, 2).astype(np.float32), middle, True) > -_MARKER_BESIDE
        for c in corners
    )


def _scores(probabilities: Floats, places: list[Found], stands: list[Stand]) -> npt.NDArray:
    """(N,) how much each candidate looks like the cube. The numeral counts more than the finder: a hinge, a
    checker or a marker shows none that all sizes agree on. A smeared numeral, or one half hidden by the rim,
    may be unsure.
    """
    numerals = (1.0 - probabilities[:, 0]) * np.maximum.reduce(probabilities[:, 1:], axis=1) ** CUBE.numeral
    return (
        numerals * np.array([f.heat for f in places]) ** CUBE.heat * np.array([_LIKELY[at] for at in stands])
    )


def _faces(
    picture: Image,
    seen: Look,
    places: list[Found],
    stands: list[Stand],
    memory: Memory | None,
) -> Floats:
    """(N, 7) probabilities as of `read_numeral`. All candidates get one glance, the likeliest are read closely,
    and the rest count as no cube.
    """
    known: list[Any] = [memory.recall("cube", f) if memory is not None else None for f in places]
    found = any(
        k is not None and _scores(k[None], [places[i]], [stands[i]])[0] > _SURELY_CUBE
        for i, k in enumerate(known)
    )

    def patches(place: Found, sizes: tuple[float, ...]) -> npt.NDArray[np.uint8]:
        return numeral_patches(picture, seen.to_picture, (place.x, place.y), place.edge, sizes)

    def settle(i: int, what: Floats) -> None:
        known[i] = what
        if memory is not None:
            memory.keep("cube", places[i], what, nothing=bool(what[0] > 0.5))

    fresh = [i for i, k in enumerate(known) if k is None]
    if found:
        for i in fresh:
            if places[i].heat < _COLD:
                settle(i, _NONE)
        fresh = [i for i in fresh if known[i] is None]
    glances = (
        read_numeral(np.concatenate([patches(places[i], SIZES[1:2]) for i in fresh]), turns=1)
        if fresh
        else np.zeros((0, 7), np.float32)
    )
    ranks = np.argsort(-_scores(glances, [places[i] for i in fresh], [stands[i] for i in fresh]))
    left = _CLOSELY
    for k in ranks:
        i = fresh[k]
        none = (
            glances[k, 0] > _SURELY_NONE
            or (found and places[i].heat < _COLD)
            or _is_marker(picture, seen, places[i], stands[i])
        )
        if none:
            settle(i, _NONE)
        elif left:
            left -= 1
            settle(i, read_closely(patches(places[i], SIZES)))
            found |= bool(_scores(known[i][None], [places[i]], [stands[i]])[0] > _SURELY_CUBE)
        else:
            known[i] = _NONE
            if memory is not None:
                memory.ask_again()  # its turn comes with the next picture
    return np.array(known)


def survey_photo(bgr: Image, geometry: BoardGeometry) -> Look:
    """One `survey` of a photo for `find_dice` and `find_cube`: the one of the dice, whole cells wider, so that the finder sees the
    field just as it does there. (The same place of the board in other cells is found in other words.)"""
    step = 2 * CELL / FINDER_WIDTH
    ours = margin_of(geometry)
    x, y = (m + max(0, math.ceil((most - m) / step)) * step for m, most in zip(ours, AROUND, strict=True))
    return survey(bgr, geometry, (x, y), LEAST_HEAT)


def survey_in_play(
    bgr: Image, geometry: BoardGeometry, memory: Memory | None, change: Change | None = None
) -> Look:
    """One `survey` of the field with all around it where dice or cube may lie; change: what is new since the picture noted before.
    (Whatever is looked for: a finder that sees the same part of every picture looks at what has changed only.)"""
    ours = margin_of(geometry)
    margin = max(AROUND[0], ours[0]), max(AROUND[1], ours[1])
    return survey(bgr, geometry, margin, memory=memory, change=change)


def find_dice_and_cube(
    bgr: npt.NDArray,
    geometry: BoardGeometry,
    orientation: Orientation | None = None,
    *,
    memory: Memory | None = None,
    still: bool = False,
    change: Change | None = None,
    **dice_arguments: Any,
) -> tuple[list[DieSeen], CubeSeen | None]:
    """`find_dice` and `find_cube` with one run of the finder between them. still: the picture is known to show what the last one that
    `memory` has seen showed; change: what is new since the picture noted before."""
    picture = checked_picture(bgr, what="picture", least=4)
    seen = memory.look_again() if still and memory is not None else None
    if seen is None:
        seen = survey_in_play(picture, geometry, memory, change)
    given = dice_arguments.get("checkers")
    known: tuple[list[DieSeen], CubeSeen | None] | None = (
        memory.answer(seen, given) if memory is not None else None
    )
    if known is not None:
        return known
    cube = find_cube(picture, geometry, orientation, seen=seen, memory=memory)
    dice = find_dice(picture, geometry, orientation, seen=seen, memory=memory, cube=cube, **dice_arguments)
    answer = dice, cube
    if memory is not None:
        # The known checkers only decide how a die may lie, so an answer without dice does not depend on them.
        memory.keep_answer(seen, given if answer[0] else ..., answer)
    return answer
