"""Replay of records by the rules: each action is played, and each fault is reported with its place.

Read in this order: `hidden`, `negotiation`, `faults`, `assertions`, `replaying`, `records`.
"""
