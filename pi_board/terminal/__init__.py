"""The table in a terminal: the live view and the text diagram."""
