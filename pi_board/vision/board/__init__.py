"""Where the board lies in the picture, and which point is where."""
