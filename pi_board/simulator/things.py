"""What lies on the board and can move: checkers, dice, the doubling cube, hands. Plain values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pi_board.rules import Side

Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class Checker:
    """xyz: middle of the underside, cm. held: in somebody's fingers (above the board)."""

    side: Side
    x: float
    y: float
    z: float
    held: bool = False


@dataclass(frozen=True, slots=True)
class Marble:
    """A ball lying in a hollow. x, y: cm; z: of its centre; radius: cm; color: BGR 0..1. clear: how much of glass it is, 0..1."""

    x: float
    y: float
    z: float
    radius: float
    color: tuple[float, float, float]
    clear: float = 0.0


@dataclass(frozen=True, slots=True)
class Die:
    """x, y, z: centre of the body, cm. turn: body-to-world rotation, rows of a (3, 3) matrix.

    value: the face that counts (most upward). blur: cm travelled while the shutter was open, 0 = at rest.
    """

    owner: Side
    value: int
    x: float
    y: float
    z: float
    turn: Matrix
    size: float
    cocked: bool = False
    on_checker: bool = False
    blur: float = 0.0


@dataclass(frozen=True, slots=True)
class DoublingCube:
    """face: number on top (64 = not yet turned). x, y, z: centre of the body, cm."""

    face: int
    x: float
    y: float
    z: float
    turn: Matrix
    size: float


@dataclass(frozen=True, slots=True)
class Hand:
    """tip: where the fingertips meet, cm. angle: degrees, from the forearm to the fingers (90 = away from near).

    skin: BGR 0..1; sleeve: BGR or None for a bare arm. mirrored: a left hand. spread: 0 pinching … 1 flat.
    """

    x: float
    y: float
    z: float
    angle: float
    skin: tuple[float, float, float] = (0.45, 0.58, 0.78)
    sleeve: tuple[float, float, float] | None = None
    mirrored: bool = False
    blur: float = 0.0


@dataclass(frozen=True, slots=True)
class Slab:
    """A flat thing laid on the board: a phone, a rule card. x, y: middle, cm; z: underside. angle: degrees; sizes cm."""

    x: float
    y: float
    z: float
    angle: float
    width: float = 7.2
    length: float = 14.8
    thickness: float = 0.9
    color: tuple[float, float, float] = (0.09, 0.08, 0.08)


@dataclass(frozen=True, slots=True)
class Cup:
    """A dice cup, a mug or a glass that stands there, open at the top. x, y: middle, cm; z: of its foot; color, inside: BGR 0..1."""

    x: float
    y: float
    z: float = 0.0
    radius: float = 3.4
    height: float = 8.5
    color: tuple[float, float, float] = (0.16, 0.24, 0.38)
    inside: tuple[float, float, float] = (0.05, 0.06, 0.08)


#: Body axes of the faces of a die: opposite faces add up to seven, 1-2-3 run counterclockwise round their corner.
DIE_NORMALS: dict[int, tuple[int, int, int]] = {
    1: (0, 0, 1), 2: (0, -1, 0), 3: (1, 0, 0), 4: (-1, 0, 0), 5: (0, 1, 0), 6: (0, 0, -1),
}  # fmt: skip
#: The same for the doubling cube, by number.
CUBE_NORMALS: dict[int, tuple[int, int, int]] = {
    2: (0, 0, 1), 4: (0, -1, 0), 8: (1, 0, 0), 16: (-1, 0, 0), 32: (0, 1, 0), 64: (0, 0, -1),
}  # fmt: skip


def as_matrix(m: npt.ArrayLike) -> Matrix:
    a = np.asarray(m, np.float64)
    return tuple(tuple(float(v) for v in row) for row in a)  # type: ignore[return-value]


def rotation(axis: npt.ArrayLike, degrees: float) -> npt.NDArray[np.float64]:
    """(3, 3) rotation about `axis` (Rodrigues)."""
    a = np.asarray(axis, np.float64)
    a = a / np.linalg.norm(a)
    k = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    t = np.radians(degrees)
    return np.eye(3) + np.sin(t) * k + (1 - np.cos(t)) * (k @ k)


def lying(face: tuple[int, int, int], yaw: float) -> npt.NDArray[np.float64]:
    """Body-to-world rotation that brings the body's `face` axis up, turned by `yaw` degrees about the vertical."""
    up = np.array([0.0, 0.0, 1.0])
    f = np.asarray(face, np.float64)
    axis = np.cross(f, up)
    if np.linalg.norm(axis) < 1e-9:
        base = np.eye(3) if f[2] > 0 else rotation((1, 0, 0), 180)
    else:
        base = rotation(axis, 90)
    return rotation((0, 0, 1), yaw) @ base


def face_axes(normal: tuple[int, int, int]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """(right, up) of a face as printed, so that right × up looks outward."""
    n = np.asarray(normal, np.float64)
    up = np.array([0.0, 1.0, 0.0]) if abs(n[1]) < 0.5 else np.array([0.0, 0.0, 1.0])
    right = np.cross(up, n)
    return right, up


def upright(face: tuple[int, int, int], heading: float) -> npt.NDArray[np.float64]:
    """`lying`, turned so that the print on the upper face has its top towards `heading` (degrees, 90 = away from near)."""
    turn = lying(face, 0.0)
    up = turn @ face_axes(face)[1]
    return rotation((0, 0, 1), heading - float(np.degrees(np.arctan2(up[1], up[0])))) @ turn
