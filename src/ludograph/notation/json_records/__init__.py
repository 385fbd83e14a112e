"""The code that CGN and SGN share: JSON with spans, codes of items, balanced transfers, the writing loop."""
