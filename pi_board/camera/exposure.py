"""Which exposure to hold: long enough for whole flickers of the lamps, short enough that a hand is not a smear."""

from __future__ import annotations

from dataclasses import dataclass

#: Time zones (the first words of an IANA name) where the mains have 60 Hz. Japan has both; its east with Tokyo has 50.
#: Source: list of mains electricity by country, IEC world plugs.
_SIXTY = (
    *(
        "America/",
        "US/",
        "Canada/",
        "Asia/Seoul",
        "Asia/Taipei",
        "Asia/Manila",
        "Asia/Riyadh",
        "Pacific/Honolulu",
    ),
    *("Pacific/Guam", "Pacific/Saipan", "Pacific/Pago_Pago", "Brazil/", "Mexico/"),
)
#: Exceptions in the Americas.
_FIFTY = (
    *(
        "America/Argentina",
        "America/Buenos_Aires",
        "America/Santiago",
        "America/Punta_Arenas",
        "America/Montevideo",
    ),
    *("America/Asuncion", "America/La_Paz", "America/Jamaica", "America/Barbados", "America/Martinique"),
    *("America/Guadeloupe", "America/Cayenne", "America/Curacao", "America/Nuuk", "America/Godthab"),
)


def mains_hertz(time_zone: str) -> int:
    """50 or 60, from a time zone's IANA name; 50 where nothing is known."""
    return 60 if time_zone.startswith(_SIXTY) and not time_zone.startswith(_FIFTY) else 50


def flicker_period_us(hertz: int) -> int:
    """Microseconds between two maxima of a lamp's light: it is brightest twice in each period of the mains."""
    return round(1_000_000 / (2 * hertz))


@dataclass(frozen=True, slots=True)
class ExposureLimits:
    """longest_us: microseconds; a hand moves some 30 cm a second, which at 30 cm over 800 pixels is 0.8 pixels a millisecond:
    30 ms smear it by 24 pixels, a checker's width, which the gate still calls motion. most_gain: of the sensor, above which
    noise costs dice (bench_simulator's noise of 4 is about a gain of 16)."""

    longest_us: int = 30_000
    most_gain: float = 16.0


def held_exposure(
    exposure_us: int, gain: float, period_us: int, limits: ExposureLimits | None = None
) -> tuple[int, float]:
    """(microseconds, gain) as bright as (`exposure_us`, `gain`), in whole flicker periods and no longer than the limits
    allow; in a room that is too dark for that the gain is the most there is and the time as long as it must be."""
    limits = limits or ExposureLimits()
    light = exposure_us * max(1.0, gain)
    longest = max(period_us, limits.longest_us // period_us * period_us)
    least = light / limits.most_gain
    if least > longest:
        # It is dark and the exposure is long anyway, so it need not be a whole number of mains periods.
        return round(least), limits.most_gain
    if exposure_us < period_us:
        # So bright that not even one period fits: there is nothing to average.
        return exposure_us, max(1.0, gain)
    time = min(longest, exposure_us // period_us * period_us)
    while light / time > limits.most_gain:
        time += period_us
    return time, light / time
