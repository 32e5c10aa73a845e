"""Many boards, one evening: what a board publishes, the hub that keeps it, the evening's tournament. Needed on no single board.

How far one hub carries (`tests/bench/bench_club.py --boards 500 --processes 2`): 500 boards, 56 lines a second, nothing lost;
the hub took about 3 ms of a desktop's core for a line. On paper, not measured: 10,000 boards with a line every 5 s are 2,000
lines a second, so about 6 cores of hub. A line carries its board, session and number, by which the archive keeps it once,
whoever writes it; so eight collectors can share the boards out (MQTT's shared subscriptions) and write to one PostgreSQL,
and the page is then fed with what has changed instead of with all boards.
"""
