"""Lowering of code that steps many games together and writes what learners see into arrays."""
