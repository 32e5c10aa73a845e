"""Training of the hint networks: on a desktop with GNU Backgammon, a C compiler and torch; never part of a run.

The order, with seeds (`T="python -m pi_board.hints.training."`), as the shipped weights were made; the schedules were bounded by
`--minutes` on a shared machine, the passes here are about the same amount:

    ${T}generate --stage wide --seed 2 --decisions 180000 --out wide.npz     # 0-ply labels of what any roll can leave
    ${T}train --class meeting --data wide.npz --epochs 3 --seed 1 --out m1.npz
    ${T}train --class meeting --data wide.npz --start m1.npz --rate 1.5e-3 --epochs 18 --seed 2 --out m2.npz
    ${T}train --class meeting --data wide.npz --start m2.npz --rate 1.5e-3 --half --epochs 17 --seed 3 --out m3.npz
    ${T}train --class race --data wide.npz --hidden 96,24 --epochs 8 --seed 1 --out r1.npz
    ${T}ship m3.npz m3.npz r1.npz
    ${T}generate --stage close --seed 13 --decisions 410000 --out close.npz  # what our own plays choose between
    ${T}train --class meeting --data wide.npz close.npz close.npz --start m3.npz --rate 1.5e-3 --half --epochs 13 --seed 4 --out m4.npz
    ${T}train --class meeting --data close.npz --start m4.npz --rate 5e-4 --half --equity 4 --epochs 10 --seed 7 --out m5.npz
    ${T}train --class contact --data wide.npz close.npz --start m5.npz --rate 8e-4 --half --equity 4 --epochs 8 --seed 9 --out m7.npz
    ${T}train --class contact --data wide.npz close.npz --start m7.npz --hidden 384,32 --rate 1.3e-3 --half --equity 4 --epochs 37 --seed 11 --out contact.npz
    ${T}train --class crashed --data wide.npz close.npz --start m5.npz --rate 6e-4 --half --equity 4 --epochs 90 --seed 6 --out c5.npz
    ${T}generate --stage wide --seed 41 --begin wide.npz --class crashed --decisions 35400 --out crashed_games.npz
    ${T}train --class crashed --data wide.npz close.npz crashed_games.npz --start c5.npz --rate 1e-3 --half --equity 4 --epochs 15 --seed 23 --out c6.npz
    ${T}train --class crashed --data wide.npz close.npz crashed_games.npz --start c6.npz --rate 1.5e-3 --half --equity 4 --epochs 36 --seed 24 --out crashed.npz
    ${T}train --class race --data wide.npz close.npz --hidden 192,32 --rate 2e-3 --half --equity 4 --epochs 47 --seed 21 --out race.npz
    ${T}ship contact.npz crashed.npz race.npz

`calibrate` finds the cube life, `linear` fits the benchmark's opponent.
"""
