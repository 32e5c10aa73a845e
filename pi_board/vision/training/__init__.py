"""Training of the stills networks (slots, stacks): synthetic boards, the trainers (torch, extra `train`), their record."""
