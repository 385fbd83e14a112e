"""The syntax tree: plain data with one class for each form of the grammar.

Read `expressions` first, then `statements`, `actions`, `appearance`, `rule_tests` and `declarations`. Other
packages write `tree.Call`.
"""

from ludograph.tgdl.syntax.tree.actions import *
from ludograph.tgdl.syntax.tree.appearance import *
from ludograph.tgdl.syntax.tree.declarations import *
from ludograph.tgdl.syntax.tree.expressions import *
from ludograph.tgdl.syntax.tree.rule_tests import *
from ludograph.tgdl.syntax.tree.statements import *
