"""Dice and the doubling cube: where, which value, flat or cocked."""
