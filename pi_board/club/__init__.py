"""Many boards, one evening: what a board publishes, the hub that keeps it, the evening's tournament. Needed on no single board."""
