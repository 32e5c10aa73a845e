"""When two finds are one thing, and what of a reading counts: the tuned numbers of finding and reading dice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlaceModel:
    """When two finds are one thing, and what of a reading counts. Edges are those of the die.

    Source: chosen by eye on the pictures of `tests/bench/bench_dice.py`, not swept; that bench shows what a change does. The finder's
    own numbers (`usual_edge`, `most_log_edge`) are part of its training and change with its weights only.

    oblong: ratio of a crop's sides from which it is read stretched as well as square.
    same_place: edges within which two finds are one; least_edge, most_edge: ratio of their edges.
    apart: least distance of two dice, in edges: two tops cannot be closer than 1, less the error of both places. A smeared die may be
    found twice.
    surely_one: probability from which a die that is seen alone may have another one touching it, which is sought at `around` places
    `touching` edges away from it and believed up to `beside` edges. Source: `bench_two_dice.py`, 30 rooms (20 were not used for choosing).
    coarser: how many times the picture may be finer than the rectified field before it is shrunk first. usual_edge: px of the
    finder's picture at which its answer for an edge is 0; most_log_edge: bound of that answer, natural logarithm.
    margin: of the picture beyond field or shaker, share of the field's width.
    other_body: 8-bit levels from the colours of the known dice from which `odd_body` nats speak against a die.
    cube: by how much the finder's heat for a cube must be the greater to take it for one.
    top: edges by which the top of a die seen from the side lies behind what was found and slanted; aside: edges
    by which the top may lie off that line. no_die: probability of "no die" below which such a top is believed.
    certain: probability of "no die" at every size below which a first reading may be clear. clearest: exponent by which the
    clearer sizes outweigh the others; ruled_out: probability added to each value, so that one size cannot forbid it for good,
    and the smaller one for crops of unknown size.
    side_before: a find that lies before a top, as the camera sees it, by at least so much of the way to the middle of its side is that
    side, if it is no further away than that way and `side_error` edges, and its own edge no longer than `side_edge` of the top's or
    itself closer than `no_two_tops` edges. (Of a 1 in a game the five beside it was .81 away; `bench_two_dice.py` is the same with it.)
    narrow_error: the same, of a find whose edge is less than `least_edge` of the top's. (On a set in drawn colours a five on the side of a 6
    was found 1.10 away, with .72 of its edge, where 1.04 was the most.)
    third_error, third_edge: the same, of one of three dice. (2750005, drawn set, a six on the side of a 2 and no die else near: 1.14 away,
    1.08 was the most. Sides that seemed as large as 1.09 and 1.17 of their tops: 3150008, 3170001, both from a low camera.)
    one_pip: so many times larger than it seems a top with one pip counts then. (Beside another die it seems .94 as large in the median of 834
    rolls of three campaigns, others .97 to 1.04; its side seemed 1.07 to 1.13 times as large in the three games where it was a third die.)
    together: looks between the first ones at two places that came to look as they do at the same time. by_its_partner: the most
    confidence of a number that counts because its die lies there as long as a sure one. (Of 10,593 rolls at rest in 192 campaign games
    one of the dice had no number in 17, in 11 of them only because it was not surely enough a die.)
    perhaps_a_die: probability from which what is not surely enough a die is the other one of a roll, if it came together with the only sure one.
    (2750009: a 2 on a blue die whose side shows as large as its top, from 32 degrees: .93 in each look.)
    surely_a_one: probability from which what shows one pip has that value. (An O on `rooms_dev_010` had .978, an R on a traced board .979;
    of the ones of `bench_stills.py`, `--rooms` and 40 traced boards the least sure has .991.)
    pips: a place that the finder rather calls a cube is a die if it reads so many pips at least, with the probability `plain_pips`, and no
    numeral with more than `no_numeral`, or if the cube is seen elsewhere with `cube_elsewhere`. (740007, 740067, 745117, 745187: flat
    dice in plain view, read with .92 to .98, numerals of .21 and less; cubes that are read as dice mostly show one pip, with .75.
    `bench_dice.py` is the same to the last digit with .95 and .2.)
    no_cube: probability of so many pips from which a place that the finder rather calls a die is one whatever numeral it looks like. (87_00 of
    `trace_games.py`: a six on the bar, .991, .8 of a numeral. Of 1,055 traced dice one more is read, and nothing more is invented.)
    """

    oblong: float = 1.18
    same_place: float = 0.25
    least_edge: float = 0.75
    most_edge: float = 1.33
    apart: float = 0.8
    surely_one: float = 0.9
    around: int = 12
    touching: float = 1.1
    beside: float = 1.7
    coarser: float = 1.6
    usual_edge: float = 12.0
    most_log_edge: float = 1.5
    margin: float = 0.02
    other_body: float = 70
    odd_body: float = 1.5
    cube: float = 0.1
    top: float = 0.65
    aside: float = 0.45
    no_die: float = 0.4
    certain: float = 0.01
    clearest: int = 4
    ruled_out: tuple[float, float] = (1e-3, 1e-4)
    side_before: float = 0.5
    side_error: float = 0.15
    narrow_error: float = 0.3
    third_error: float = 0.35
    third_edge: float = 1.25
    side_edge: float = 1.05
    no_two_tops: float = 0.9
    one_pip: float = 1.12
    together: int = 2
    by_its_partner: float = 0.89
    perhaps_a_die: float = 0.9
    surely_a_one: float = 0.988
    pips: int = 3
    plain_pips: float = 0.9
    no_numeral: float = 0.3
    cube_elsewhere: float = 0.9
    no_cube: float = 0.98


@dataclass(frozen=True, slots=True)
class LostPipModel:
    """How likely one pip of a small die is not seen at all, so that a two looks like a one, a three like a two, a five like a four.

    chance: up to `small` px of edge; from there it falls to nothing at `large` px. mistaken: number that is seen, number that it may be.

    Source: dice of path-traced boards that training never saw, read as a one, a two or a four with .9 and more. Of 471 with edges under 10.5 px
    15 had a pip more, where the networks said 2.6: 12 of 249 in games (all of one game, on a set with faint pips), 3 of 222 of rooms with
    fourteen dice each and of pictures made smaller. Three in a hundred more than they say is what they lack. Of 494 with longer edges none
    had; of 438 threes, fives and sixes of that size one was something else, so other numbers get nothing. A number whose chance is .01 and
    more may be what lies there (`dice_other` of the referee).
    """

    chance: float = 0.03
    small: float = 10.5
    large: float = 12.0
    mistaken: tuple[tuple[int, int], ...] = ((1, 2), (2, 3), (4, 5))


LOST_PIP = LostPipModel()
PLACE = PlaceModel()
#: Temperature of the softmax: the mean over several sizes is surer than each of them. Chosen on drawn dice
#: that were kept out of training.
TEMPERATURE = 0.9
#: Where the finder's cube heat exceeds this, the candidate is read as a die too, even if its die heat is low:
#: the finder confuses the two.
CUBE_LIKE = 0.4
#: In a view at least this slanted the side of a die may be mistaken for its top.
STEEP = 0.3
#: Probability from which clear pips overrule the finder's "cube".
SURELY_PIPS = 0.99
