"""Games for other frameworks: any game in, an environment of OpenSpiel, PettingZoo or Gymnasium out.

Each framework has one module, which imports it; `pip install ludograph[adapters]` installs them all. An
action is a single choice, and a move consists of one or more. `encoding` gives choices stable numbers and
turns views into tensors.
"""
