"""`ludograph show`: draw a picture in the terminal."""

from argparse import Namespace

from ludograph.cli.output import SUCCESS
from ludograph.cli.pictures import PictureContent, read_content_for_people, write_picture_json
from ludograph.cli.terminal import print_picture, supports_unicode
from ludograph.render import CoordinateSystem, TerminalPicture, terminal


def run(arguments: Namespace) -> int:
    def draw(content: PictureContent) -> TerminalPicture:
        return terminal(
            content.subject,
            action=content.overlaid_action,
            player=content.player,
            coordinates=CoordinateSystem(arguments.coordinates) if arguments.coordinates else None,
            unicode=not arguments.ascii and supports_unicode(),
        )

    if arguments.json:
        return write_picture_json(arguments, "picture", lambda content: draw(content).plain())
    print_picture(draw(read_content_for_people(arguments)))
    return SUCCESS
