"""What the program says, recorded before a change and compared after it."""
