"""`ludograph show`: a picture in the terminal."""

from argparse import Namespace

from ludograph.cli.output import FINE
from ludograph.cli.pictures import Motif, read_motif_for_people, write_motif_json
from ludograph.cli.terminal import print_picture, speaks_unicode
from ludograph.render import CoordinateSystem, TerminalPicture, terminal


def run(arguments: Namespace) -> int:
    def draw(motif: Motif) -> TerminalPicture:
        return terminal(
            motif.subject,
            action=motif.action_on_it,
            player=motif.player,
            coordinates=CoordinateSystem(arguments.coordinates) if arguments.coordinates else None,
            unicode=not arguments.ascii and speaks_unicode(),
        )

    if arguments.json:
        return write_motif_json(arguments, "picture", lambda motif: draw(motif).plain())
    print_picture(draw(read_motif_for_people(arguments)))
    return FINE
