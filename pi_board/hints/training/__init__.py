"""Training of the hint networks: on a desktop with GNU Backgammon, a C compiler and torch; never part of a run.

The order, with seeds (`python -m pi_board.hints.training.…`):

    generate --stage wide  --seed 2  --decisions 190000 --out wide.npz       # 0-ply labels of what any roll leaves
    train --class meeting --data wide.npz --epochs 4 --seed 1 --out first.npz
    train --class meeting --data wide.npz --start first.npz --epochs 18 --rate 1.5e-3 --seed 2 --out second.npz
    train --class meeting --data wide.npz --start second.npz --epochs 18 --rate 1.5e-3 --half --seed 3 --out third.npz
    train --class race --data wide.npz --hidden 96,24 --epochs 8 --seed 1 --out race.npz
    ship third.npz third.npz race.npz
    generate --stage close --seed 13 --decisions 500000 --out close.npz      # what our own plays choose between
    train --class meeting --data wide.npz close.npz --start third.npz --half --seed 4 …

and so on as `weights/README.md` says for the shipped files. `calibrate` finds the cube life, `linear` fits the
benchmark's opponent, `ship` packs weights and bear-off table into `weights/`.
"""
