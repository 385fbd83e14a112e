"""Lowering of tree search: selection, expansion, play-outs and backing up in native code."""
