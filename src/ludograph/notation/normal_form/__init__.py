"""The normal form of a record: the intermediate representation between any two notations."""
