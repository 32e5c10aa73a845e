"""What is set once: the settings and their file, and the desk at which board, colours and camera are set up."""
