from pi_board.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
