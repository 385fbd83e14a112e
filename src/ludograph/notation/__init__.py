"""The five notations: one module each, parse and format; and the translation between them."""
