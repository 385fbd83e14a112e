"""Checking of bodies: statements and expressions, names, members, operators, calls and conversions."""
