"""How many checkers of whom stand on each place."""
