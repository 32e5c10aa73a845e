"""Versions of the program side by side: built beside the running one, checked, switched by one rename, taken back."""
