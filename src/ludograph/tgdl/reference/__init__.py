"""The reference engine. It defines the semantics of the language.

The engine compiles expressions and statements once per configuration (players and options) into closures that
take a run and a frame. Three groups of modules, each in reading order:

- run time: `run`, `instances`, `visibility`, `naming`, `inputs`, `actions`, `turns`, `moving`, `positions`;
- compilation: the package `compile`, then `building`, which makes a world with it;
- entry points: `transactions`, `views`, `refusals`.
"""
