"""Which positions a network is trained on, by the name on the command line."""

from pi_board.hints.features import CONTACT, CRASHED, RACE

CLASSES = {"contact": (CONTACT,), "crashed": (CRASHED,), "race": (RACE,), "meeting": (CONTACT, CRASHED)}
