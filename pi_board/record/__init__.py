"""Keeping the game: journal, standard game files, evidence, statistics."""
