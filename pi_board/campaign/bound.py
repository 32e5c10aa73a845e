"""What a count of errors proves: the exact binomial upper bound (Clopper and Pearson)."""

from __future__ import annotations

from math import exp, inf, lgamma, log, log1p


def upper_bound(errors: int, trials: int, confidence: float = 0.95) -> float:
    """The largest rate that `errors` in `trials` does not contradict, one-sided; 1 without trials.

    It is the p at which so few errors have a chance of 1 - confidence: without an error 1 - 0.05^(1/n), about 3/n.
    """
    if trials <= 0 or errors >= trials:
        return 1.0
    low, high = errors / trials, 1.0
    for _ in range(100):
        p = (low + high) / 2
        if at_most(errors, trials, p) > 1 - confidence:
            low = p
        else:
            high = p
    return (low + high) / 2


def at_most(errors: int, trials: int, p: float) -> float:
    """Chance of `errors` or fewer in `trials` at rate `p`."""
    if p <= 0:
        return 1.0
    if p >= 1:
        return float(errors >= trials)
    terms = [
        lgamma(trials + 1) - lgamma(k + 1) - lgamma(trials - k + 1) + k * log(p) + (trials - k) * log1p(-p)
        for k in range(errors + 1)
    ]
    top = max(terms, default=-inf)
    return exp(top) * sum(exp(t - top) for t in terms)
