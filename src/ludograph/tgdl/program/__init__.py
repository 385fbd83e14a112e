"""The typed program: the checker's output and the input of both engines.

Every name is resolved and every expression has a type. The reference engine compiles this tree to closures
and the native engine lowers it to LLVM. Values are stored in slots of an instance (attributes), in slots of
a frame (inputs, parameters, variables) and in constants. Every node keeps its source span for runtime errors
and traces. `file` of a declaration is the index of the source file that its spans refer to.
"""

from ludograph.tgdl.program.actions import *
from ludograph.tgdl.program.boards import *
from ludograph.tgdl.program.declarations import *
from ludograph.tgdl.program.expressions import *
from ludograph.tgdl.program.rule_tests import *
from ludograph.tgdl.program.statements import *
