"""The checked program: every name resolved, every expression typed, nothing left to look up by name.

The interpreter walks it and the compiler lowers it, so both mean the same. Values live in slots
of an instance (attributes), in slots of a frame (inputs, parameters, variables), and in constants.
Every node keeps the span of the text it came from, for runtime errors and traces; `file` of a
declaration tells which source the spans inside it belong to.
"""

from ludograph.tgdl.program.actions import *
from ludograph.tgdl.program.boards import *
from ludograph.tgdl.program.declarations import *
from ludograph.tgdl.program.expressions import *
from ludograph.tgdl.program.statements import *
