"""An evening at one board: frames in, looks, verdicts, files and outputs; and the same over a recording or a simulated table."""
