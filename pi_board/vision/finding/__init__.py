"""Where in a picture a board lies: from the picture alone, from given corners, or from printed markers."""
