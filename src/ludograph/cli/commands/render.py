"""`ludograph render`: draw a picture as SVG."""

from argparse import Namespace

from ludograph.cli.output import SUCCESS, write_text
from ludograph.cli.pictures import PictureContent, read_content_for_people, write_picture_json
from ludograph.render import CoordinateSystem, PlaceKind, svg


def run(arguments: Namespace) -> int:
    system = arguments.coordinates or ("han" if arguments.names else None)

    def draw(content: PictureContent) -> str:
        return svg(
            content.subject,
            action=content.overlaid_action,
            player=content.player,
            coordinates=CoordinateSystem(system) if system else None,
            coordinates_of=[PlaceKind(name) for name in arguments.names or ("tiles",)],
            width=arguments.width,
        )

    if arguments.json:
        return write_picture_json(arguments, "svg", draw)
    write_text(draw(read_content_for_people(arguments)), arguments.output)
    return SUCCESS
