"""Tables of Hexil on a server: scenes of the island, and moves in HAN."""
