"""Printed ArUco markers around the board: a registration that a hand on the board cannot spoil.

Four cards (DICT_4X4_50, id 0 far left, 1 far right, 2 near right, 3 near left) lie on the table, the notch of each
against an outer corner of the board's frame (`standard_layout`, printed by `marker_sheet`).
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
#: The printed sheet, cm: A4 (ISO 216), and an inch. The page's middle line and the middle of the four cards; half the space
#: between cards; widths of thin lines and of the notch; the rule's left end, its height on the page and its marks' length.
_A4, _INCH = (21.0, 29.7), 2.54
_MIDDLE, _CARDS, _BETWEEN = 10.5, 9.0, 1.5
_THIN, _NOTCH, _LABEL = 0.02, 0.18, 0.15
_RULE_LEFT, _RULE, _MARK = 5.5, 17.0, 0.4
#: Lines of text: left edge, first line and distance of the lines, cm; cm of type size 1 of OpenCV's font, for labels and text.
_TEXT_LEFT, _TEXT, _LINE = 3.0, 18.2, 0.8
_LABEL_TYPE, _TEXT_TYPE = 75, 65
#: Sign of x and y of the corner where marker 0..3 lies.
_CORNERS = ((-1, 1), (1, 1), (1, -1), (-1, -1))


@dataclass(frozen=True)
class MarkerLayout:
    """Where markers lie. corners: id → (4, 2) cm, board frame x and y, in ArUco's order (from its top left, clockwise
    as printed); all lie on the table, board_thickness below the field."""

    corners: Mapping[int, Floats]


def standard_layout(profile: BoardProfile, size: float = MARKER_SIZE) -> MarkerLayout:
    """The cards of `marker_sheet` laid against the four outer corners of the board's frame."""
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


def marker_sheet(dots_per_inch: int = 300, size: float = MARKER_SIZE) -> Image:
    """(H, W) uint8: an A4 sheet with the four cards to cut out, and a 10 cm rule to check the printer's scale.

    Each card has a notch mark: lay it against the board's outer corner, number towards the outside.
    """
    cm = dots_per_inch / _INCH
    sheet: Any = np.full((round(_A4[1] * cm), round(_A4[0] * cm)), 255, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    pixels = round(size * cm)
    card = size + 2 * QUIET_RIM
    thin = max(1, round(_THIN * cm))

    def px(x: float, y: float) -> tuple[int, int]:
        return round(x * cm), round(y * cm)

    for marker, (sx, sy) in enumerate(_CORNERS):
        # On the sheet as on the table: far cards above, left cards left.
        x = _MIDDLE + sx * (card / 2 + _BETWEEN) - card / 2
        y = _CARDS - sy * (card / 2 + _BETWEEN) - card / 2
        cv2.rectangle(sheet, px(x, y), px(x + card, y + card), 170, thin)
        left, top = px(x + QUIET_RIM, y + QUIET_RIM)
        sheet[top : top + pixels, left : left + pixels] = cv2.aruco.generateImageMarker(
            dictionary, marker, pixels
        )
        notch = (x + (card if sx < 0 else 0.0), y + (card if sy > 0 else 0.0))
        cv2.circle(sheet, px(*notch), round(_NOTCH * cm), 0, -1)
        label = ("far left", "far right", "near right", "near left")[marker]
        cv2.putText(
            sheet, f"{marker} {label}", px(x, y - _LABEL), cv2.FONT_HERSHEY_SIMPLEX, cm / _LABEL_TYPE, 0, thin
        )
    for tick in range(11):
        cv2.line(sheet, px(_RULE_LEFT + tick, _RULE), px(_RULE_LEFT + tick, _RULE - _MARK), 0, thin)
    cv2.line(sheet, px(_RULE_LEFT, _RULE), px(_RULE_LEFT + 10, _RULE), 0, thin)
    for line, text in enumerate(
        (
            "This rule must measure 10 cm: print at 100 %, not 'fit to page'.",
            "Cut out along the grey lines. Lay each card flat on the table,",
            "its black dot touching the board's outer corner.",
        )
    ):
        cv2.putText(
            sheet,
            text,
            px(_TEXT_LEFT, _TEXT + _LINE * line),
            cv2.FONT_HERSHEY_SIMPLEX,
            cm / _TEXT_TYPE,
            0,
            thin,
        )
    return sheet  # type: ignore[no-any-return]
