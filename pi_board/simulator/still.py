"""`render_still`: one picture of any set in any room with its full truth, for training and for tests.

The truth follows the schema of the reference scenes (pixels are OpenCV's: pixel centres are integers).
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.rules import SIDES, Position, Side
from pi_board.simulator.lens import Projection, ViewPose
from pi_board.simulator.light import varied_light
from pi_board.simulator.performer import SKINS, SLEEVES
from pi_board.simulator.renderer import Effects, Renderer
from pi_board.simulator.scene import Scene
from pi_board.simulator.style import STYLES, BoardStyle, style_named, varied
from pi_board.simulator.things import DIE_NORMALS, Checker, Die, Hand

Image = npt.NDArray[np.uint8]


def random_position(rng: np.random.Generator) -> Position:
    """A position that need not come from a game: stacks of all heights, bar and borne-off checkers included."""
    points = [0] * 24
    bar, off = [0, 0], [0, 0]
    for i, sign in enumerate((1, -1)):
        left = 15
        if rng.random() < 0.3:
            off[i] = int(rng.integers(0, 12))
            left -= off[i]
        if rng.random() < 0.25 and left > 2:
            bar[i] = int(rng.integers(1, 4 if rng.random() < 0.2 else 2))
            left -= bar[i]
        while left > 0:
            free = [p for p in range(24) if points[p] * sign >= 0]
            weight = np.ones(len(free))
            for k, p in enumerate(free):
                home = p if sign > 0 else 23 - p
                weight[k] = 2.0 if home < 6 else 1.2 if home < 12 else 0.6
                if points[p]:
                    weight[k] *= 1.6
            p = free[int(rng.choice(len(free), p=weight / weight.sum()))]
            n = min(left, int(rng.choice([1, 2, 3, 4], p=[0.45, 0.35, 0.13, 0.07])))
            points[p] += sign * n
            left -= n
    return Position(tuple(points), (bar[0], bar[1]), (off[0], off[1]))


def render_still(
    rng: np.random.Generator,
    style: str | BoardStyle | None = None,
    *,
    position: Position | None = None,
    size: tuple[int, int] | None = None,
    difficulty: float | None = None,
    near: Side | None = None,
    hand: bool | None = None,
) -> tuple[Image, dict[str, Any]]:
    """(picture (H, W, 3) uint8 BGR, truth) of a freshly made up scene.

    style None: any. difficulty 0 (soft light, little tilt) … 1 (hard shadows, glare, strong tilt, noise, blur);
    None: any. Everything follows from `rng`.
    """
    hard = float(rng.beta(1.2, 1.6)) if difficulty is None else difficulty
    base = style_named(list(STYLES)[int(rng.integers(len(STYLES)))]) if style is None else style
    board = varied(style_named(base) if isinstance(base, str) else base, rng)
    pose = ViewPose(
        hfov=float(rng.uniform(54, 74)),
        fill=float(rng.uniform(0.62, 0.93)),
        tilt=float(rng.uniform(0, 8 + 26 * hard)),
        azimuth=float(rng.normal(0, 35)),
        roll=float(rng.normal(0, 1 + 5 * hard)),
        shift_x=float(rng.normal(0, 0.02)),
        shift_y=float(rng.normal(0, 0.02)),
        k1=float(rng.uniform(-0.12, 0.03)),
        k2=float(rng.uniform(-0.01, 0.02)),
    )
    light = varied_light(rng, None if hard > 0.25 else ("diffuse", "mixed", "warm")[int(rng.integers(3))])
    sizes = ((800, 600), (1024, 576), (960, 720), (1280, 720), (640, 480))
    size = size or sizes[int(rng.integers(len(sizes)))]
    near = near or ("light" if rng.random() < 0.5 else "dark")
    scene = Scene(
        board,
        near=near,
        rng=rng,
        pose=pose,
        light=light,
        jitter=float(rng.uniform(0.4, 1 + 1.5 * hard)),
        cube=False,
    )
    scene.set_position(position or random_position(rng))
    if rng.random() < 0.85:
        value = int(2 ** rng.integers(0, 7))
        owner = None if value == 1 else SIDES[int(rng.integers(2))]
        if rng.random() < 0.12 and value > 1 and owner is not None:
            scene.set_cube(value, None, offered_to=owner)
        else:
            scene.set_cube(value, owner)
    _throw(scene, rng, hard)
    if hand if hand is not None else rng.random() < 0.1 + 0.35 * hard:
        scene.hands = [_hand(scene, rng)]
    renderer = Renderer(size, int(rng.integers(1 << 31)))
    effects = Effects(
        gain=float(np.exp(rng.normal(0, 0.1 + 0.25 * hard))),
        noise=float(rng.uniform(0.8, 2.5 + 5 * hard)),
        blur=float(rng.uniform(0.3, 0.7 + 1.2 * hard)) * size[0] / 1280,
        shake=float(rng.uniform(2, 5)) if rng.random() < 0.15 * hard else 0.0,
    )
    image = renderer.render(scene.view, scene.things(), scene.hands, effects)
    image = develop(image, rng, hard)
    return image, truth_of(scene, renderer) | {"difficulty": round(hard, 3)}


def _throw(scene: Scene, rng: np.random.Generator, hard: float) -> None:
    if rng.random() < 0.12:
        return
    side = SIDES[int(rng.integers(2))]
    owners: list[Side] = [side, side] if rng.random() < 0.75 else ["light", "dark"]
    if rng.random() < 0.08:
        owners = ["light", "light", "dark", "dark"]
    for owner in owners:
        value = int(rng.integers(1, 7))
        what = float(rng.random())
        if what < 0.02 + 0.10 * hard:
            scene.dice.append(scene.cocked_die(owner, value, owner))
        elif what < 0.03 + 0.16 * hard:
            scene.dice.append(scene.die_on_checker(owner, value, owner))
        elif what < 0.06 + 0.16 * hard:
            scene.dice.append(scene.outside_die(owner, value))
        else:
            scene.lay_die(owner, value)


def _hand(scene: Scene, rng: np.random.Generator) -> Hand:
    s = scene.style
    side = SIDES[int(rng.integers(2))]
    edge = scene.edge(side)
    x = float(rng.uniform(-0.45, 0.45)) * s.field_width
    y = float(rng.uniform(-0.4, 0.5)) * s.field_height * -edge
    angle = float(90 if edge < 0 else 270) + float(rng.normal(0, 22))
    return Hand(
        x, y, float(rng.uniform(0.5, 4)), angle, SKINS[int(rng.integers(len(SKINS)))],
        SLEEVES[int(rng.integers(len(SLEEVES)))], bool(rng.random() < 0.3),
        float(rng.uniform(0.2, 1.2)) if rng.random() < 0.4 else 0.0,
    )  # fmt: skip


def develop(image: Image, rng: np.random.Generator, hard: float) -> Image:
    """White balance, contrast, sharpening and JPEG, as cameras leave them."""
    balance = np.exp(rng.normal(0, 0.03 + 0.04 * hard, 3))
    contrast = float(rng.uniform(0.9, 1.15))
    level = np.arange(256)
    curves = [
        np.clip(((level / 255 - 0.5) * contrast + 0.5) * 255 * b, 0, 255).astype(np.uint8) for b in balance
    ]
    image = np.asarray(cv2.LUT(image, np.stack(curves, axis=1)[None].reshape(1, 256, 3)), np.uint8)
    if rng.random() < 0.5:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = np.asarray(cv2.addWeighted(image, 1.4, soft, -0.4, 0), np.uint8)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(72, 96))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


# ------------------------------------------------------------------------------------------------- truth


def truth_of(scene: Scene, renderer: Renderer) -> dict[str, Any]:
    """Everything there is to know about the last picture that `renderer` made of `scene`."""
    lens, layout, s = renderer.lens, scene.layout, scene.style
    covered = renderer.hand_cover(scene.hands)
    position = scene.position()

    def numbered(point: int) -> int:
        """From the near player's side, whichever colour it has."""
        return point if layout.near == "light" else 25 - point

    points = [{"light": 0, "dark": 0} for _ in range(24)]
    for p, n in enumerate(position.points, 1):
        points[numbered(p) - 1]["light" if n > 0 else "dark"] = abs(n)
    everything = [(place, c) for place, stack in scene.places.items() for c in stack]
    checkers = []
    for (kind, where), c in everything:
        top = (c.x, c.y, c.z + s.checker_height)
        center = lens.project([top])[0]
        radius = lens.pixels_per_cm(top) * s.checker_diameter / 2
        base = -s.board_thickness if c.z < 0 else s.bar_height if kind == "bar" else 0.0
        checkers.append(
            {
                "color": c.side,
                "loc": kind,
                "point": numbered(int(where)) if kind == "point" else None,
                "layer": round((c.z - base) / s.checker_height),
                "center_px": _px(center),
                "radius_px": round(float(radius), 2),
                "visible": _visible(c, scene, lens, covered, radius),
                "xyz_cm": [c.x, c.y, c.z],
            }
        )
    cube = scene.cube
    side_of: dict[str, Any] = {"place": "none", "value": 0, "face": 0}
    if cube is not None:
        owner = "center" if abs(cube.y) < 0.2 * s.field_height else "near" if cube.y < 0 else "far"
        offered = abs(cube.x) > s.bar_width
        side_of = {
            "place": "offered" if offered else owner,
            "face": cube.face,
            "value": 1 if cube.face == 64 and owner == "center" and not offered else cube.face,
            "center_px": _px(lens.project([(cube.x, cube.y, cube.z + cube.size / 2)])[0]),
            "size_cm": cube.size,
            "visible": _uncovered(covered, lens.project([(cube.x, cube.y, cube.z + cube.size / 2)])[0]),
        }
    return {
        "style": s.name,
        "image": {"width": renderer.size[0], "height": renderer.size[1]},
        "near_color": layout.near,
        "corners_px": [_px(p) for p in lens.project(layout.corners())],
        "points": points,
        "bar": {"light": position.bar[0], "dark": position.bar[1]},
        "off": {"light": position.off[0], "dark": position.off[1]},
        "checkers": checkers,
        "dice": [_die_truth(d, scene, lens, covered) for d in scene.dice],
        "cube": side_of,
        "point_hidden_by_hand": _hidden_shares(scene, lens, covered),
        "hand": {"present": bool(scene.hands), "covered": round(float(covered.mean()), 4) if covered is not None else 0.0},
        "geometry_cm": {
            "field_w": s.field_width, "field_h": s.field_height, "bar_w": s.bar_width, "rim_w": s.rim_width,
            "rim_h": s.rim_height, "board_t": s.board_thickness, "tray": s.tray, "tray_w": s.tray_width,
            "checker_d": s.checker_diameter, "checker_h": s.checker_height, "bar_h": s.bar_height,
        },
        "camera": {
            "K": lens.K.tolist(), "dist_k1k2p1p2k3": lens.distortion.tolist(),
            "R_world_to_cam": lens.R.tolist(), "t_cm": lens.t.tolist(),
        },
    }  # fmt: skip


def _px(p: npt.NDArray[np.float64]) -> list[float]:
    return [round(float(p[0]), 2), round(float(p[1]), 2)]


def _uncovered(covered: npt.NDArray[np.float32] | None, p: npt.NDArray[np.float64]) -> float:
    if covered is None:
        return 1.0
    x, y = round(float(p[0])), round(float(p[1]))
    if not (0 <= x < covered.shape[1] and 0 <= y < covered.shape[0]):
        return 0.0
    return round(1 - float(covered[y, x]), 2)


def _hidden_shares(scene: Scene, lens: Projection, covered: npt.NDArray[np.float32] | None) -> list[float]:
    """Per point, from the near player's side, the share of its five checker places that hands cover."""
    layout, d = scene.layout, scene.style.checker_diameter
    ring = np.array([(0.0, 0.0), (0.3, 0), (-0.3, 0), (0, 0.3), (0, -0.3)]) * d
    shares = []
    for i in range(24):
        point = i + 1 if layout.near == "light" else 24 - i
        places = np.array([layout.point_place(point, k)[:2] for k in range(5)])
        spots = (places[:, None] + ring[None]).reshape(-1, 2)
        px = lens.project(np.c_[spots, np.full(len(spots), scene.style.checker_height)])
        shares.append(
            round(1 - float(np.mean([_uncovered(covered, p) for p in px])), 2) if covered is not None else 0.0
        )
    return shares


def _visible(
    c: Checker, scene: Scene, lens: Projection, covered: npt.NDArray[np.float32] | None, radius: float
) -> float:
    """Share of the top face that nothing covers: hand, checkers of a higher layer, dice and cube on top."""
    s = scene.style
    ring = np.array(
        [(0.0, 0.0)] + [(q * np.cos(a), q * np.sin(a)) for q in (0.5, 0.9) for a in np.arange(8) * np.pi / 4]
    )
    z = c.z + s.checker_height
    spots = np.c_[ring * s.checker_diameter / 2 + (c.x, c.y), np.full(len(ring), z)]
    px = lens.project(spots)
    seen = np.ones(len(px), bool)
    for stack in scene.places.values():
        for o in stack:
            if o is not c and o.z >= z - 1e-6:
                for level in (o.z, o.z + s.checker_height):
                    middle = lens.project([(o.x, o.y, level)])[0]
                    seen &= np.hypot(*(px - middle).T) > radius
    for d in scene.dice:
        if d.z - d.size / 2 >= c.z:
            middle = lens.project([(d.x, d.y, d.z)])[0]
            seen &= np.hypot(*(px - middle).T) > d.size * 0.6 * lens.pixels_per_cm((d.x, d.y, d.z))
    if covered is not None:
        seen &= np.array([_uncovered(covered, p) > 0.5 for p in px])
    h, w = lens.size[1], lens.size[0]
    seen &= (px[:, 0] >= 0) & (px[:, 0] < w) & (px[:, 1] >= 0) & (px[:, 1] < h)
    return round(float(seen.mean()), 2)


def _die_truth(
    d: Die, scene: Scene, lens: Projection, covered: npt.NDArray[np.float32] | None
) -> dict[str, Any]:
    turn = np.asarray(d.turn)
    n = np.asarray(DIE_NORMALS[d.value], np.float64)
    a = np.array([1.0, 0, 0]) if abs(n[0]) < 0.5 else np.array([0, 1.0, 0])
    b = np.cross(n, a)
    half = d.size / 2
    face = np.array([n + a + b, n + a - b, n - a - b, n - a + b]) * half
    corners = lens.project(face @ turn.T + (d.x, d.y, d.z))
    center = lens.project([np.array([d.x, d.y, d.z]) + turn @ n * half])[0]
    s = scene.style
    outside = abs(d.x) > s.field_width / 2 or abs(d.y) > s.field_height / 2
    return {
        "value": d.value,
        "owner": d.owner,
        "cocked": d.cocked,
        "cocked_kind": ("on_checker" if d.on_checker else "lean") if d.cocked else None,
        "half": "outside" if outside else "right" if d.x > 0 else "left",
        "center_px": _px(center),
        "corner_px": [_px(p) for p in corners],
        "size_cm": d.size,
        "visible": _uncovered(covered, center),
    }
