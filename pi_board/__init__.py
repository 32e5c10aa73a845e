"""pi_board: a camera above a real backgammon board that referees, hints and keeps the record."""


def __getattr__(name: str) -> str:
    """`__version__`: that of the installed package, which git's tags gave it when it was built."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Loading this takes longer than many a command: only who asks for the version pays.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pi-board")
    except PackageNotFoundError:
        return "0+checkout"
