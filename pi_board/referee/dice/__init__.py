"""Which dice lie there: one die, a pair, what only looks like a die, and the watch that follows them from look to look.

Perception, not state of the game: nothing in here needs to survive a power cut.
"""
