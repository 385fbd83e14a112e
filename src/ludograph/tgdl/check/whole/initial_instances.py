"""Instances that initial values create: `king k = new king;` as an attribute.

Each king may create further instances with its own initial values. This must end: no construct may create
instances of itself in this way, and the chain has a limit, because each link of it is a nested call.
"""

from ludograph.tgdl import program as p
from ludograph.tgdl.check.graphs import components
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.syntax.traversal import walk

MAX_LINKS = 20


def check_initial_instances(world: SymbolTable, program: p.Program) -> None:
    """Report initial values that would create instances without end, or in a chain that is too long."""
    number = {construct.name: index for index, construct in enumerate(program.constructs)}
    created = [
        [
            (attribute, node)
            for attribute in construct.attributes
            for node in walk(attribute.initial)
            if isinstance(node, p.New)
        ]
        for construct in program.constructs
    ]
    if not any(created):
        return
    graph = {index: [number[node.construct] for _, node in made] for index, made in enumerate(created)}
    length = dict.fromkeys(graph, 0)  # of the longest chain that begins with a construct
    reported: set[int] = set()
    for component in components(graph):
        for index in component:
            for attribute, node in created[index]:
                target = number[node.construct]
                length[index] = max(length[index], length[target] + 1)
                if id(attribute) in reported:
                    continue
                if target in component:
                    message = f"each {node.construct} would create another {node.construct}, without end"
                    world.error("TG0360", message, node.span, attribute.file)
                    reported.add(id(attribute))
                elif length[target] == MAX_LINKS:
                    message = f"initial values create a chain of more than {MAX_LINKS} instances"
                    world.error("TG0396", message, node.span, attribute.file)
                    reported.add(id(attribute))
