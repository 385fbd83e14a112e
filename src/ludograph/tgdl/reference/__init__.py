"""The reference interpreter: a checked program in, a world that carries out choices out. It is the law.

Expressions and statements are compiled once for a configuration (players and options) into closures that
take a run and a frame. Read downward. What runs: `faults`, `values`, `world`, `run`, `keys`, `instances`,
`sight`, `naming`, `asking`, `actions`, `turns`, `moving`, `digest`. What compiles: `invariants`, `numbers`,
`lists`, `things`, `expressions`, `places`, `statements`, `compiler`, `analysis`, `declarations`, `building`.
What is asked from outside: `transactions`, `views`, `explain`.
"""
