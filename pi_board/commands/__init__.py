"""One module per command of `pi-board`: `add_arguments(parser)` and `run(args) -> exit code`."""
