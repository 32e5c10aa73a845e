"""Printed ArUco markers around the board: a registration that a hand on the board cannot spoil.

Four cards (DICT_4X4_50, id 0 far left, 1 far right, 2 near right, 3 near left) lie on the table, the notch of each
against an outer corner of the board's frame (`standard_layout`; `calibration/sheets.py` draws them).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.errors import AmbiguousError, InvalidError
from pi_board.vision.board.geometry import BoardGeometry
from pi_board.vision.board.pose import fit_pose
from pi_board.vision.profile import BoardProfile

Floats = npt.NDArray[Any]  # float64
Image = npt.NDArray[np.uint8]

DICTIONARY = cv2.aruco.DICT_4X4_50
#: Edge of a printed marker and the white rim between it and the board, cm.
MARKER_SIZE, QUIET_RIM = 2.4, 0.6
#: Share of a marker's edge by which half of the corners may be off what the layout says: a card laid with the wrong corner at the
#: board is off by a whole edge, a carelessly laid one by a few millimetres. Chosen by eye, not swept.
_LEAST_AGREEMENT = 0.4
#: Spread of the board's proportion that the markers leave: none, as their layout is given in cm.
_GIVEN_PROPORTION = 1e-4
#: Sign of x and y of the corner where marker 0..3 lies.
_CORNERS = ((-1, 1), (1, 1), (1, -1), (-1, -1))


@dataclass(frozen=True)
class MarkerLayout:
    """Where markers lie. corners: id → (4, 2) cm, board frame x and y, in ArUco's order (from its top left, clockwise
    as printed); all lie on the table, board_thickness below the field."""

    corners: Mapping[int, Floats]


def standard_layout(profile: BoardProfile, size: float = MARKER_SIZE) -> MarkerLayout:
    """The printed cards laid against the four outer corners of the board's frame."""
    left = profile.rim_width + (
        profile.tray_width + profile.rim_width if profile.trays in ("left", "both") else 0.0
    )
    right = profile.rim_width + (
        profile.tray_width + profile.rim_width if profile.trays in ("right", "both") else 0.0
    )
    half = size / 2
    square = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
    corners = {}
    for marker, (sx, sy) in enumerate(_CORNERS):
        x = sx * (profile.field_width / 2 + (right if sx > 0 else left) + QUIET_RIM + half)
        y = sy * (profile.field_height / 2 + profile.rim_width + QUIET_RIM + half)
        corners[marker] = square + np.array([x, y])
    return MarkerLayout(corners)


def find_markers(bgr: Image) -> dict[int, Floats]:
    """id → (4, 2) px corners of every marker seen, refined to a part of a pixel. A doubled id is left out."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)
    corners, ids, _ = detector.detectMarkers(bgr)
    found: dict[int, Floats] = {}
    doubled: set[int] = set()
    for marker, quad in zip([] if ids is None else np.ravel(ids), corners, strict=True):
        if int(marker) in found:
            doubled.add(int(marker))
        found[int(marker)] = np.asarray(quad, dtype=np.float64).reshape(4, 2)
    return {k: v for k, v in found.items() if k not in doubled}


def field_by_markers(
    bgr: Image, profile: BoardProfile, layout: MarkerLayout | None = None
) -> tuple[Floats, int]:
    """((4, 2) px TL TR BR BL of the field, how many markers say so) from the markers in view; two are enough.

    layout: `standard_layout` of the profile when None. Raises AmbiguousError when fewer than two known markers are seen, they
    contradict their layout, or the board they describe is not in the picture.
    """
    layout = layout or standard_layout(profile)
    seen = {k: quad for k, quad in find_markers(bgr).items() if k in layout.corners}
    if len(seen) < 2:
        raise AmbiguousError(
            f"markers: expected at least two of {sorted(layout.corners)} in view, found {sorted(seen)}"
        )
    size = (bgr.shape[1], bgr.shape[0])
    board = np.concatenate([np.asarray(layout.corners[k], dtype=np.float64) for k in seen])
    picture = np.concatenate(list(seen.values()))
    pose = fit_pose(board, picture, size, proportion_spread=_GIVEN_PROPORTION)
    table = np.column_stack([board, np.zeros(len(board))])
    error = np.linalg.norm(pose.project(table) - picture, axis=1)
    edge = np.mean([np.linalg.norm(q - np.roll(q, 1, axis=0), axis=1).mean() for q in seen.values()])
    if float(np.median(error)) > _LEAST_AGREEMENT * edge:
        raise AmbiguousError(
            "markers: they do not lie as the layout says; lay them anew or learn the layout again"
        )
    w, h = profile.field_width / 2, profile.field_height / 2
    field = np.array([[-w, h], [w, h], [w, -h], [-w, -h]])
    quad = pose.project(np.column_stack([field, np.full(4, profile.board_thickness)]))
    try:
        BoardGeometry(profile, quad, size)
    except InvalidError:
        raise AmbiguousError("markers: the board they describe is not in the picture") from None
    return quad, len(seen)
