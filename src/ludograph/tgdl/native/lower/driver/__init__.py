"""The driver: everything of the code that is called from outside."""
