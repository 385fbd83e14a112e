"""Help while writing: completion, snippets, signatures, formatting, and changes of the text."""
