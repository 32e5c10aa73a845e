"""The 37-hole board."""
