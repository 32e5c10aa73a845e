"""The page for phones and projectors: the door, what it may ask for, the last moment for any number of readers."""
