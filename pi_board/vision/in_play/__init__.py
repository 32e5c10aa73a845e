"""The parts of a `BoardReader`, by role: where the board lies, what is in the way, dice and cube, checkers, and what is learned."""
