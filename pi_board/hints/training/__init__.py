"""Training of the hint networks (a desktop with GNU Backgammon, a C compiler and torch; never part of a run)."""
