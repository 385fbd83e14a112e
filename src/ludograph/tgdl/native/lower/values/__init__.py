"""Lowering of values: expressions, statements, numbers, lists, tables, objects, verbs and assignments."""
