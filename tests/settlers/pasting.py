"""The value of a `repr` that is evaluated after `from ludograph.settlers import *`."""

import ludograph.settlers

NAMES = {name: getattr(ludograph.settlers, name) for name in ludograph.settlers.__all__}


def pasted(value: object) -> object:
    return eval(repr(value), {"__builtins__": {}}, NAMES)
