"""Makes the tables that the solver ships with; not needed to play."""
