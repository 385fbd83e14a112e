"""`ludograph render`: a picture as SVG."""

from argparse import Namespace

from ludograph.cli.output import FINE, write_text
from ludograph.cli.pictures import Motif, read_motif_for_people, write_motif_json
from ludograph.render import CoordinateSystem, PlaceKind, svg


def run(arguments: Namespace) -> int:
    system = arguments.coordinates or ("han" if arguments.names else None)

    def draw(motif: Motif) -> str:
        return svg(
            motif.subject,
            action=motif.action_on_it,
            player=motif.player,
            coordinates=CoordinateSystem(system) if system else None,
            coordinates_of=[PlaceKind(name) for name in arguments.names or ("tiles",)],
            width=arguments.width,
        )

    if arguments.json:
        return write_motif_json(arguments, "svg", draw)
    write_text(draw(read_motif_for_people(arguments)), arguments.output)
    return FINE
