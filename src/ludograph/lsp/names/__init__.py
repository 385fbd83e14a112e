"""Names: what a game declares, what each word refers to, and which names are visible at a place."""
