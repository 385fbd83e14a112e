"""Checking of declarations: constructs, boards, actions, verbs, turns and settings."""
