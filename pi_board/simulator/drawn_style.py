"""Sets that nobody chose: colours and measures of a board, drawn from a number. A referee that was practised on three sets is tried on these."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pi_board.errors import InvalidSettingsError
from pi_board.simulator.drawn_name import PREFIX, drawn_number
from pi_board.simulator.style import STYLES, BoardStyle, Color, style_named, varied

Floats = npt.NDArray[np.float64]

#: What sets are made of, BGR 0..1: ivory, white, wheat, black, walnut, mahogany, red, burgundy, bottle green, grass, navy, sky, orange, yellow,
#: grey, turquoise, plum, pink.
MATERIALS = np.array(
    [
        (0.78, 0.88, 0.92),
        (0.92, 0.93, 0.94),
        (0.50, 0.74, 0.86),
        (0.09, 0.09, 0.10),
        (0.12, 0.20, 0.32),
        (0.12, 0.16, 0.42),
        (0.14, 0.14, 0.70),
        (0.20, 0.08, 0.38),
        (0.14, 0.28, 0.08),
        (0.25, 0.62, 0.30),
        (0.38, 0.16, 0.08),
        (0.75, 0.55, 0.30),
        (0.12, 0.45, 0.90),
        (0.20, 0.80, 0.88),
        (0.50, 0.50, 0.50),
        (0.70, 0.68, 0.20),
        (0.40, 0.15, 0.35),
        (0.58, 0.40, 0.88),
    ]
)
#: Share of the colours that are one of the materials, and its spread from lot to lot; the others are any colour.
OF_A_MATERIAL, SPREAD = 0.75, 0.05
#: Least difference, in some channel, of both sides' checkers, of checkers from what they stand on, and of points from the field: what people
#: cannot tell apart is no set. Chosen by eye on sheets of a dozen sets.
SIDES, STANDS_OUT, POINTS = 0.3, 0.18, 0.1
#: Least difference in brightness, and what blue, green and red weigh in it: the brighter side is the light one.
BRIGHTER = 0.1
BRIGHTNESS = np.array([0.114, 0.587, 0.299])


def drawn_style(number: int) -> BoardStyle:
    """The set of `number`, always the same one: one of the known shapes in colours and measures of its own."""
    rng = np.random.default_rng((number, 77))
    while True:
        light, dark, field, first, second = (_colour(rng) for _ in range(5))
        if light @ BRIGHTNESS < dark @ BRIGHTNESS:
            light, dark = dark, light
        if (
            (light - dark) @ BRIGHTNESS > BRIGHTER
            and _apart(light, dark) > SIDES
            and min(_apart(c, on) for c in (light, dark) for on in (field, first, second)) > STANDS_OUT
            and min(_apart(field, first), _apart(field, second)) > POINTS
        ):
            break
    shape = varied(style_named(list(STYLES)[int(rng.integers(len(STYLES)))]), rng)
    return replace(
        shape,
        name=f"{PREFIX}{number}",
        light=_plain(light),
        dark=_plain(dark),
        field=_plain(field),
        triangle_a=_plain(first),
        triangle_b=_plain(second),
        rim=_plain(_colour(rng)),
        table=_plain(_colour(rng)),
    )


def style_of(name: str) -> BoardStyle:
    """One of `STYLES`, or the drawn set of that name. Raises InvalidSettingsError naming what there is."""
    if name in STYLES:
        return STYLES[name]
    number = drawn_number(name)
    if number is not None:
        return drawn_style(number)
    raise InvalidSettingsError(f"style: expected one of {', '.join(STYLES)} or {PREFIX}N, got {name!r}")


def _colour(rng: np.random.Generator) -> Floats:
    if rng.random() < OF_A_MATERIAL:
        shade = MATERIALS[rng.integers(len(MATERIALS))] + rng.normal(0, SPREAD, 3)
        return np.asarray(np.clip(shade, 0.03, 0.97))
    return rng.uniform(0.03, 0.97, 3)


def _apart(a: Floats, b: Floats) -> float:
    return float(np.abs(a - b).max())


def _plain(colour: Floats) -> Color:
    b, g, r = (float(v) for v in colour)
    return b, g, r
