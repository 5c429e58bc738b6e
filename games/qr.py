"""A link as a QR code, for the camera of the friend beside you. Knows no room."""

from io import BytesIO

import segno

_INK = "#16231e"


def draw(link: str) -> bytes:
    """An SVG: one path of dark modules on white, with the quiet zone that cameras need."""
    svg = BytesIO()
    segno.make_qr(link, error="m").save(
        svg, kind="svg", dark=_INK, light="#fff", omitsize=True, xmldecl=False, svgclass=None, lineclass=None
    )
    return svg.getvalue()
