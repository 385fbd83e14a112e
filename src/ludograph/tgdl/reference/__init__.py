"""The reference engine. It defines the semantics of the language.

The engine compiles expressions and statements once per configuration (players and options) into closures that
take a run and a frame. Three groups of modules, each in reading order:

- run time: `run`, `instances`, `visibility`, `naming`, `inputs`, `actions`, `turns`, `moving`, `positions`;
- compilation: `loop_invariants`, `numbers`, `lists`, `library`, `expressions`, `targets`, `statements`,
  `compiler`, `declarations`, `building`;
- entry points: `transactions`, `views`, `refusals`.
"""
