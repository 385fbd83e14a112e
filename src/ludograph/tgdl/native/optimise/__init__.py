"""Analyses of a program that let the lowering leave out work: effects, length bounds, the call graph."""
