"""Styles of tables: how games look and read there. `special_games` knows the games that bring their own."""
