"""The driver: the exported functions of the code, which Python calls."""
