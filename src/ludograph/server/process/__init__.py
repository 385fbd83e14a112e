"""The process of the server: what it does with its memory."""
