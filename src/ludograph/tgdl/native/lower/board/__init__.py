"""Lowering of boards: fixed and changing boards, pieces on tiles, bitboards and positions."""
