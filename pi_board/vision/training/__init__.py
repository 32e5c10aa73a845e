"""Training of the stills network: synthetic boards, the trainer (torch, extra `train`) and its record."""
