"""pi_board: a camera above a real backgammon board that referees, hints and keeps the record."""

__version__ = "0.1.0"
