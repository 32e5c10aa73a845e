"""Bodies of a traced room as triangles: checkers, dice, cups, boxes. Centimetres, z up."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Rng = np.random.Generator


@dataclass
class Mesh:
    """Triangles with texture coordinates; u right, v up."""

    vertices: Doubles = field(default_factory=lambda: np.zeros((0, 3)))
    faces: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    uv: Doubles = field(default_factory=lambda: np.zeros((0, 2)))

    def add(self, other: Mesh, turn: Doubles | None = None, at: npt.ArrayLike = (0.0, 0.0, 0.0)) -> None:
        moved = other.vertices if turn is None else other.vertices @ turn.T
        self.faces = np.vstack([self.faces, other.faces + len(self.vertices)])
        self.vertices = np.vstack([self.vertices, moved + np.asarray(at, float)])
        self.uv = np.vstack([self.uv, other.uv])


def about(axis: npt.ArrayLike, angle: float) -> Doubles:
    """(3, 3) the turn by an angle (radians) about an axis."""
    a = np.asarray(axis, float)
    a = a / np.linalg.norm(a)
    k = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def lathe(profile: list[tuple[float, float]], steps: int = 48, reach: float = 1.0) -> Mesh:
    """A body turned about z from (radius, height) pairs, seen from above in its texture; `reach` is the texture's radius."""
    a = 2 * np.pi * np.arange(steps) / steps
    ring = np.stack([np.cos(a), np.sin(a)], axis=1)
    vertices, uv, faces = [], [], []
    for r, z in profile:
        vertices.append(np.column_stack([ring * r, np.full(steps, z)]))
        uv.append(0.5 + 0.5 * np.clip(ring * r / reach, -1, 1))
    n = len(profile)
    for i in range(n - 1):
        for k in range(steps):
            p, q = i * steps + k, i * steps + (k + 1) % steps
            faces += [(p, q, q + steps), (p, q + steps, p + steps)]
    return Mesh(np.vstack(vertices), np.array(faces), np.vstack(uv))


def checker(rng: Rng, radius: float, height: float, kind: str) -> tuple[Mesh, float]:
    """A checker standing on z = 0 and the height of its top in the middle."""
    b = min(0.25 * height, 0.12 * radius) * float(rng.uniform(0.4, 1.4))
    side = [(radius - b, 0.0), (radius, b), (radius, height - b), (radius - 0.3 * b, height - 0.3 * b)]
    top = [(radius - b, height), (radius - 1.2 * b, height)]
    if kind == "dish":
        d = 0.22 * height
        top += [
            (0.72 * radius, height),
            (0.66 * radius, height - d),
            (0.4 * radius, height - 1.1 * d),
            (0.001, height - 1.2 * d),
        ]
    elif kind == "ring":
        d = 0.16 * height
        top += [
            (0.74 * radius, height),
            (0.71 * radius, height - d),
            (0.62 * radius, height - d),
            (0.59 * radius, height),
            (0.001, height),
        ]
    elif kind == "dome":
        top += [
            (0.6 * radius, height + 0.1 * height),
            (0.3 * radius, height + 0.15 * height),
            (0.001, height + 0.17 * height),
        ]
    elif kind == "hole":
        top += [(0.3 * radius, height), (0.28 * radius, 0.3 * height), (0.001, 0.3 * height)]
    else:
        top += [(0.5 * radius, height), (0.001, height)]
    return lathe(side + top, reach=radius), height


def rounded_box(half: npt.ArrayLike, bevel: float, cells: int = 12) -> Mesh:
    """A box about the origin with rounded edges."""
    h = np.asarray(half, float)
    t = np.sin(np.pi / 2 * np.linspace(-1, 1, cells + 1))
    u, v = np.meshgrid(t, t)
    vertices, faces, uv = [], [], []
    for axis in range(3):
        for sign in (-1, 1):
            p = np.zeros((u.size, 3))
            p[:, axis] = sign
            p[:, (axis + 1) % 3] = u.ravel() * sign
            p[:, (axis + 2) % 3] = v.ravel()
            p = p * h
            inner = np.clip(p, -(h - bevel), h - bevel)
            out = p - inner
            length = np.linalg.norm(out, axis=1, keepdims=True)
            p = inner + bevel * out / np.maximum(length, 1e-9)
            base = sum(len(x) for x in vertices)
            vertices.append(p)
            uv.append(np.stack([u.ravel() * 0.5 + 0.5, v.ravel() * 0.5 + 0.5], axis=1))
            for i in range(cells):
                for k in range(cells):
                    a = base + i * (cells + 1) + k
                    faces += [(a, a + 1, a + cells + 2), (a, a + cells + 2, a + cells + 1)]
    return Mesh(np.vstack(vertices), np.array(faces), np.vstack(uv))


#: Outward direction of each of a die's faces; opposite faces add up to seven.
NORMALS = {1: (0, 0, 1), 6: (0, 0, -1), 2: (0, 1, 0), 5: (0, -1, 0), 3: (1, 0, 0), 4: (-1, 0, 0)}
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def pips(edge: float, size: float, spread: float, lift: float = 0.004) -> Mesh:
    """The pips of a die about the origin: thin discs upon its faces; size and spread as shares of its edge."""
    disc = lathe([(size * edge, 0.0), (0.0005, 0.0)], 20, size * edge)
    out = Mesh()
    for value, normal in NORMALS.items():
        n = np.array(normal, float)
        u = np.array([0, 0, 1.0]) if abs(n[2]) < 0.5 else np.array([1.0, 0, 0])
        v = np.cross(n, u)
        for a, b in PIPS[value]:
            at = n * (edge / 2 + lift * edge) + (u * a + v * b) * spread * edge
            out.add(disc, np.stack([u, v, n], axis=1), at)
    return out


def with_up(value: int, spin: float) -> Doubles:
    """(3, 3) the turn that brings a die's face up."""
    n = np.array(NORMALS[value], float)
    z = np.array([0, 0, 1.0])
    if n @ z > 0.5:
        up = np.eye(3)
    elif n @ z < -0.5:
        up = about((1, 0, 0), np.pi)
    else:
        up = about(np.cross(n, z), np.pi / 2)
    return about(z, spin) @ up


def cup(radius: float, height: float) -> Mesh:
    """An open dice cup that stands on z = 0."""
    wall = 0.12 * radius
    return lathe(
        [
            (0.9 * radius, 0.0),
            (radius, height),
            (radius - 0.3 * wall, height + 0.3 * wall),
            (radius - wall, height),
            (0.9 * radius - wall, 0.1 * height),
            (0.001, 0.1 * height),
        ],
        reach=radius,
    )
