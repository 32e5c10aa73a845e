"""Training of the networks for checkers (slots, stacks, piles): synthetic boards, the trainers (torch, extra `train`), their record."""
