"""Whose are the checkers? Both sides of one set, told apart by their look over the whole board at once.

The slot network judges each point alone and calls the brighter side light. When the sides differ in hue but not in brightness, it
often gets the side wrong, though hardly ever the number of checkers. So its answer is split in two: the count is believed, the side
is only a vote. The colours of all tops are then clustered in two, guided by the votes, and the clusters decide whose each point is.
Which cluster is "light" is asked once for the whole board: the brighter one. If both are about as bright, either may be meant.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from pi_board.sighting import ZERO
from pi_board.vision.checkers.set_colours import TOP_FROM, linear
from pi_board.vision.checkers.slot_network import BAR_CELLS, BAR_FIRST, PITCH, STRIDE, STRIP_CENTRES

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SideModel:
    """least_cells: cells (4 x 4 px of the canvas) of tops on a point from which on its colour counts, and some: the chance that any
    checker lies there. spread: how far the tops of one
    side lie apart in brightness and in both hues (natural logarithms) before anything is known, and worth how many points. vote: what
    of the network's word on a point's side counts, and its most (nats). most: of what the clusters may say of one point. lit: share
    of points on which a lamp is mirrored, and of those in shade; mirrored: shares of white that such a lamp adds; shaded: logarithms
    of the light that is left. fuzzy: nats from which on a colour is as far from either cluster. neither: nats
    from which on a place beside the board has no side's colour (a checker in a tray's shade has 20). unknown: nats by which one
    colour of all is less likely than the middle of a known cluster. odd: nats from which on the colour of a point's only top is no side's (a
    cup, a coin), as far as the other points tell; odd_nats: per how many of them nothing is likelier by one nat, odd_most: by how many at most;
    odd_cells: from how many cells on; odd_hand: share of the picture that is a hand from which on nothing is concluded. On 279 traced rooms and
    all shared stills without a hand no checker had more than 33 nats (of some 800 lone ones), and 70 cups and marks had 40 to 590.
    glaring: linear light from which on a pixel is overexposed. apart: spreads between the clusters'
    middles, below which they are one. brighter: nats per CIE L* between the clusters for the brighter one being light; naming: most
    that the votes together may say to that; alone: nats for the network's name where one side is seen alone. left: least weight of
    a cluster (points) once the point in question is left out of it. mixed_bar: share of the bar's tops in the rarer cluster from which
    on the bar holds both sides.
    Source: `bench_stills.py`, `bench_stills.py --rooms`, `bench_stills.py --drawn 120`.
    """

    least_cells: float = 12.0
    some: float = 0.5
    spread: tuple[float, float, float] = (0.3, 0.07, 0.07)
    spread_points: float = 8.0
    vote: float = 0.5
    most_vote: float = 3.0
    most: float = 8.0
    lit: float = 0.04
    mirrored: tuple[float, ...] = (0.12, 0.3, 0.6)
    shaded: tuple[float, ...] = (-0.7, -1.4)
    fuzzy: float = 12.0
    neither: float = 30.0
    unknown: float = 6.0
    odd: float = 36.0
    odd_nats: float = 4.0
    odd_most: float = 12.0
    odd_cells: float = 5.0
    odd_hand: float = 0.003
    glaring: float = 0.93
    apart: float = 2.5
    brighter: float = 0.4
    naming: float = 1.5
    alone: float = 2.5
    left: float = 0.3
    mixed_bar: float = 0.15
    rounds: int = 12


MODEL = SideModel()
#: Points with checkers below which there is nothing to part.
_FEW = 2
#: Rows of cells on each side of the middle line that are of neither point: the sixth checker of a row reaches across it, onto the other
#: side's point. One checker.
_EITHER_ROW = PITCH // STRIDE
#: Nats of the network for a side being on the bar from which on it may be, whatever is said of the other.
_BOTH = -0.5
#: Nats of the network for any checker on the bar, at least, for what is seen there to be one's.
_ANY = 0.0
#: What is added to linear light (0..1) before logarithms are taken: noise and haze.
_HAZE = 0.012
#: Share of red, green and blue in luminance (Rec. 709), and the luminance (0..1) below which lightness falls no further: L* 0 lies
#: at 0.0026, so that nothing darker can be told apart.
_LUMINANCE, _BLACK = (0.2126, 0.7152, 0.0722), 1e-3


def look_of(light: Floats) -> Floats:
    """(..., 3) logarithms of brightness, of red over green and of blue over green, of linear RGB 0..1."""
    r, g, b = np.moveaxis(light + _HAZE, -1, 0)
    return np.stack([np.log((r + g + b) / 3), np.log(r / g), np.log(b / g)], axis=-1)


def _light_of(look: Floats) -> Floats:
    """The linear RGB that looks so."""
    sum_, red, blue = np.moveaxis(look, -1, 0)
    g = 3 * np.exp(sum_) / (1 + np.exp(red) + np.exp(blue))
    return np.asarray(np.maximum(np.stack([g * np.exp(red), g, g * np.exp(blue)], axis=-1) - _HAZE, 0))


@dataclass(frozen=True, slots=True)
class Sides:
    """points: (2, 12, 31), bar: (2, 8), as in `slot_network.Scores`, with sides as the clusters have them. named: nats for the
    cluster that is called light being the light one, as far as brightness and votes tell. colours: (2, 3) mean BGR of the light and
    the dark tops, None where too few are seen. clusters: ((2, 3), (3, 3)) their middles and inverse spread as `look_of` has them."""

    points: Floats
    bar: Floats
    named: float = np.inf
    colours: Floats | None = None
    clusters: tuple[Floats, Floats] | None = None

    def shares(self, light: Floats) -> tuple[Floats, Floats] | None:
        """(...) 0..1 how much more each linear RGB (..., 3) looks like a light top than like a dark one, and 0..1 whether it looks like
        either; None when nothing is known."""
        if self.clusters is None:
            return None
        like, _ = _like(look_of(light).reshape(-1, 3), *self.clusters)
        brighter = 1 / (1 + np.exp(np.clip(like[1] - like[0], -30, 30)))
        either = 1 / (1 + np.exp(np.clip(-MODEL.neither - like.max(axis=0), -30, 30)))
        return brighter.reshape(light.shape[:-1]), either.reshape(light.shape[:-1])


def tell_sides(
    canvas: npt.NDArray[np.uint8],
    cells: npt.NDArray[np.floating],
    points: Floats,
    bar: Floats,
    prior: Floats,
) -> Sides:
    """canvas (312, 352, 3), cells (78, 88, 4), points (2, 12, 31) and bar (2, 8) as in `slot_network.Scores`; prior: (31,) log
    chance of each count."""
    rows, columns = cells.shape[:2]
    small = np.asarray(cv2.resize(canvas, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)
    plane = linear(small)
    weight = np.maximum(cells[..., 1] + cells[..., 2] - TOP_FROM, 0).astype(np.float64) / (1 - TOP_FROM)
    area, light = _of_points(weight, plane)
    on_bar, bar_light, bar_vote = _of_bar(weight, plane, bar)
    colour = look_of(np.concatenate([light, bar_light[None]]))
    votes = np.append(votes_of(points, prior), bar_vote)
    flat = points.reshape(24, -1)
    # A striped point, or a die on one, has a few cells that look like tops, and would be a side of its own.
    some = np.append(area, on_bar) >= MODEL.least_cells
    some[:24] &= _chance_of_some(flat + prior) >= MODEL.some
    seen = np.flatnonzero(some)
    parted = _part(colour[seen], votes[seen])
    if parted is None:
        # Only one side is seen, so there is nothing to compare its brightness with.
        alone = len(seen) > 0 and len(set(np.sign(votes[seen]))) == 1
        return Sides(points, bar, MODEL.alone if alone else np.inf)
    chance, share, spread = parted
    says = np.zeros(25)
    # An overexposed top has no colour left; only its vote counts.
    glare = (plane.min(axis=2, keepdims=True) > MODEL.glaring).astype(np.float64)
    glaring = np.append(_of_points(weight, glare)[1][:, 0], 0.0)
    says[seen] = _leave_one_out(colour[seen], share, spread) * (1 - glaring[seen])
    means = _means(colour[seen], share)
    # The brighter cluster is the light one, unless the votes disagree strongly.
    lightness = _lightness(_light_of(means))
    brighter = MODEL.brighter * float(lightness[0] - lightness[1])
    agreed = float(np.clip(np.sum(MODEL.vote * votes[seen] * (2 * chance - 1)), -MODEL.naming, MODEL.naming))
    named = brighter + agreed
    out = _split(flat, votes, says, seen[seen < 24])
    hand = float((cells[..., 3] > MODEL.some).mean())
    out[:, ZERO] += _odd(out, area, colour, seen, share, hand)
    out = out.reshape(points.shape)
    cells_look = look_of(plane)
    bars = _split_bar(bar, weight, cells_look, means, _inverse(spread))
    if named < 0:
        named, means, out, bars = -named, means[::-1], out[..., ::-1], bars[::-1]
    bgr = _bgr(small.astype(np.float64), weight, cells_look, means, _inverse(spread))
    clusters = (means, _inverse(spread))
    return Sides(np.ascontiguousarray(out), np.ascontiguousarray(bars), named, bgr, clusters)


def _of_points(weight: Floats, plane: Floats) -> tuple[Floats, Floats]:
    """(24,) cells of tops on each point but for the middle of the board, and (24, 3) their mean light."""
    rows = weight.shape[0]
    around = np.array(STRIP_CENTRES)[:, None] + np.arange(-2, 2)
    areas, colours = [], []
    for part in (slice(0, rows // 2 - _EITHER_ROW), slice(rows // 2 + _EITHER_ROW, rows)):
        w, c = weight[part][:, around], plane[part][:, around]
        area = w.sum(axis=(0, 2))
        areas.append(area)
        colours.append((w[..., None] * c).sum(axis=(0, 2)) / np.maximum(area, 1e-9)[:, None])
    return np.concatenate(areas), np.concatenate(colours)


def _of_bar(weight: Floats, plane: Floats, bar: Floats) -> tuple[float, Floats, float]:
    """(cells of tops on the bar, (3,) their mean light, nats for light against dark); no cells where both sides may be on it, or
    where most likely none is: a red doubling cube has a few, and would be a side of its own."""
    part = slice(BAR_FIRST, BAR_FIRST + BAR_CELLS)
    w = weight[:, part]
    some = np.logaddexp.reduce(bar[:, 1:], axis=1) - bar[:, 0]
    area = 0.0 if some.min() > _BOTH or some.max() < _ANY else float(w.sum())
    return area, (w[..., None] * plane[:, part]).sum(axis=(0, 1)) / max(area, 1e-9), float(some[0] - some[1])


def _chance_of_some(flat: Floats) -> Floats:
    """(24,) 0..1 for any checker to lie on each point, of (24, 31) log chances of each count."""
    return np.asarray(1 - np.exp(flat[:, ZERO] - np.logaddexp.reduce(flat, axis=1)))


def votes_of(points: Floats, prior: Floats | float = 0.0) -> Floats:
    """(24,) nats for light against dark, each point by itself, as far as the network may say."""
    flat = points.reshape(24, -1) + prior
    return np.asarray(
        np.logaddexp.reduce(flat[:, ZERO + 1 :], axis=1) - np.logaddexp.reduce(flat[:, :ZERO], axis=1)
    )


def _means(colour: Floats, share: Floats) -> Floats:
    """(2, 3) of light and dark. share: (2, N) of each point in them."""
    share = share + 1e-6
    return np.asarray(share @ colour / share.sum(axis=1, keepdims=True))


def _spread(colour: Floats, share: Floats, means: Floats) -> Floats:
    """(3, 3) covariance about the clusters' means; what is usual counts as some points."""
    total = np.diag(np.square(MODEL.spread)) * MODEL.spread_points
    for mine, mean in zip(share, means, strict=True):
        off = colour - mean
        total = total + (mine[:, None] * off).T @ off
    return np.asarray(total / (MODEL.spread_points + share.sum()))


def _like(
    colour: Floats, means: Floats, inverse: Floats, wider: Floats | float = 1.0
) -> tuple[Floats, Floats]:
    """((2, N) log-likelihood of each cluster, (2, N) share of it that is its own colour rather than glare or shade).

    A lamp's reflection draws every colour towards white, shade towards black. wider: (2, 1) by which variances grow.
    """
    light = _light_of(means)
    mirrored = look_of(light + np.reshape(MODEL.mirrored, (-1, 1, 1)) * (1 - light))
    shaded = means + np.array([[[dim, 0.0, 0.0]] for dim in MODEL.shaded])
    # Its own colour comes first, then the mirrored and shaded ones. One array for all: this is called many times per picture.
    every = np.concatenate([means[None], mirrored, shaded])
    parts = -_distances(colour, every.reshape(-1, 3), inverse).reshape(*every.shape[:2], -1) / wider / 2
    parts[0] += np.log(1 - 2 * MODEL.lit)
    parts[1:] += np.log(2 * MODEL.lit / (len(every) - 1))
    most = parts.max(axis=0)
    total = most + np.log(np.exp(parts - most).sum(axis=0))
    return total, np.exp(parts[0] - total)


def _lightness(light: Floats) -> Floats:
    """CIE L* of linear RGB (N, 3)."""
    return np.asarray(116 * np.cbrt(np.maximum(light @ _LUMINANCE, _BLACK)) - 16)


def _inverse(spread: Floats) -> Floats:
    return np.asarray(np.linalg.inv(spread), np.float64)


def _distances(colour: Floats, means: Floats, inverse: Floats) -> Floats:
    """(K, N) squared, in spreads, of (N, 3) colours from (K, 3) means."""
    off = colour[None] - means[:, None]
    return np.asarray((off @ inverse * off).sum(axis=2))


def _part(colour: Floats, votes: Floats) -> tuple[Floats, Floats, Floats] | None:
    """((N,) chance that each is of the light cluster, (2, N) its share in the clusters' colours, (3, 3) spread) of the parting that
    explains colours and votes best; None when all look like one side's."""
    if len(colour) < _FEW:
        return None
    votes = np.clip(MODEL.vote * votes, -MODEL.most_vote, MODEL.most_vote)
    priors = np.stack([-np.logaddexp(0, -votes), -np.logaddexp(0, votes)])
    halves = _two_means(colour)
    best: tuple[float, Floats, Floats, Floats] | None = None
    for chance in (np.exp(priors[0]), halves, 1 - halves):
        share = np.stack([chance, 1 - chance])
        for _ in range(MODEL.rounds):
            means = _means(colour, share)
            spread = _spread(colour, share, means)
            like, own = _like(colour, means, _inverse(spread))
            like = like + priors
            total = np.logaddexp(like[0], like[1])
            chance = np.exp(like[0] - total)
            share = own * np.stack([chance, 1 - chance])
        score = float(total.sum()) - _cost(spread, len(colour))
        apart = float(_distances(means[:1], means[1:], _inverse(spread))[0, 0]) ** 0.5
        if apart > MODEL.apart and share.sum(axis=1).min() > 0.5 and (best is None or score > best[0]):
            best = score, chance, share, spread
    one = np.ones((1, len(colour)))
    alone = _spread(colour, one, _means(colour, one))
    like, _ = _like(colour, _means(colour, one), _inverse(alone))
    single = float(like.sum() + priors.sum(axis=1).max()) - _cost(alone, len(colour))
    return None if best is None or best[0] < single else best[1:]


def _cost(spread: Floats, n: int) -> float:
    """Nats that the spread of n points' colours costs, as usual spreads go."""
    usual = MODEL.spread_points * float(np.square(MODEL.spread) @ np.diag(_inverse(spread)))
    return (n + MODEL.spread_points) * float(np.linalg.slogdet(spread)[1]) / 2 + usual / 2


def _two_means(colour: Floats) -> Floats:
    """(N,) 0 or 1: the halves in which colours lie closest together."""
    scaled = colour / MODEL.spread
    apart = np.linalg.norm(scaled[:, None] - scaled[None], axis=2)
    a, b = np.unravel_index(int(apart.argmax()), apart.shape)
    means = scaled[[a, b]]
    which = np.zeros(len(scaled))
    for _ in range(10):
        away = np.linalg.norm(scaled[:, None] - means[None], axis=2)
        which = (away[:, 0] < away[:, 1]).astype(float)
        if which.min() == which.max():
            break
        means = np.stack([scaled[which == 1].mean(axis=0), scaled[which == 0].mean(axis=0)])
    return which


def _leave_one_out(colour: Floats, share: Floats, spread: Floats) -> Floats:
    """(N,) nats for the light cluster, each point compared with the others only. share: (2, N), as `_means`."""
    inverse = _inverse(spread)
    out = np.zeros(len(colour))
    for i in range(len(colour)):
        others = np.arange(len(colour)) != i
        means = _means(colour[others], share[:, others])
        left = share[:, others].sum(axis=1, keepdims=True)
        wider = 1 + 1 / np.maximum(left, MODEL.left)
        like = _like(colour[i : i + 1], means, inverse, wider)[0][:, 0]
        # The only point of its side: nothing is known of that side's colour, and any is as likely.
        like[left[:, 0] < MODEL.left] = -MODEL.unknown
        either = np.logaddexp(like, -MODEL.fuzzy)
        out[i] = np.clip(either[0] - either[1], -MODEL.most, MODEL.most)
    return out


def _split(flat: Floats, votes: Floats, says: Floats, seen: npt.NDArray[np.int64]) -> Floats:
    """(24, 31): on seen points how many as the network has it whoever they are, and whose by vote and cluster; others as they were."""
    out = flat.copy()
    vote = np.clip(MODEL.vote * votes, -MODEL.most_vote, MODEL.most_vote)
    for i in seen:
        many = np.logaddexp(flat[i], flat[i, ::-1]) + np.log(0.5)
        whose = vote[i] + says[i]
        sign = np.sign(np.arange(len(many)) - ZERO)
        # Keep the total weight of both signs: knowing who owns a checker does not make it more likely that there is one.
        out[i] = many - np.logaddexp(0, -sign * whose) + np.log(2) * (sign != 0)
        out[i, ZERO] = flat[i, ZERO]
    return out


def _odd(
    flat: Floats, area: Floats, colour: Floats, seen: npt.NDArray[np.int64], share: Floats, hand: float
) -> Floats:
    """(24,) nats by which nothing is likelier on each point, because its only top has neither side's colour. seen: points (24: the bar)
    whose colours are known; share: (2, N) of each in the clusters; hand: share of the picture that is one, whose shade changes colours."""
    out = np.zeros(len(flat))
    if hand > MODEL.odd_hand:
        return out
    some = flat.copy()
    some[:, ZERO] = -np.inf
    lone = (np.abs(some.argmax(axis=1) - ZERO) == 1) & (area >= MODEL.odd_cells)
    for i in np.flatnonzero(lone):
        others = seen != i
        if share[:, others].sum(axis=1).min() < MODEL.left:
            continue  # It may be the only one of its side.
        means = _means(colour[seen[others]], share[:, others])
        inverse = _inverse(_spread(colour[seen[others]], share[:, others], means))
        like = float(_like(colour[i : i + 1], means, inverse)[0].max())
        out[i] = np.clip((-MODEL.odd - like) / MODEL.odd_nats, 0, MODEL.odd_most)
    return out


def _split_bar(bar: Floats, weight: Floats, plane: Floats, means: Floats, inverse: Floats) -> Floats:
    """(2, 8): where all tops on the bar are of one cluster, however many the network sees there are of that side."""
    part = slice(BAR_FIRST, BAR_FIRST + BAR_CELLS)
    w = weight[:, part].ravel()
    if w.sum() < MODEL.least_cells:
        return bar
    far = _distances(plane[:, part].reshape(-1, 3), means, inverse)
    one = (far[0] < far[1]).astype(float)
    share = float(w @ one / w.sum())
    if MODEL.mixed_bar < share < 1 - MODEL.mixed_bar:
        return bar
    clear = abs(float(w @ (far[1] - far[0]) / w.sum())) / 2
    gain = min(clear, MODEL.most)
    # Take the count from whichever side's row saw it, and give it to the one cluster; the other side has none on the bar.
    many = np.logaddexp(bar[0] - bar[0, 0], bar[1] - bar[1, 0])
    none = np.full_like(many, -gain)
    many[0] = none[0] = 0.0
    return np.stack([many, none] if share > 0.5 else [none, many])


def _bgr(small: Floats, weight: Floats, plane: Floats, means: Floats, inverse: Floats) -> Floats:
    """(2, 3) mean BGR of the cells of tops that are nearer to each cluster."""
    far = _distances(plane.reshape(-1, 3), means, inverse)
    w = weight.ravel() * np.stack([far[0] < far[1], far[1] <= far[0]])
    return np.asarray(w @ small.reshape(-1, 3) / np.maximum(w.sum(axis=1, keepdims=True), 1e-9))
