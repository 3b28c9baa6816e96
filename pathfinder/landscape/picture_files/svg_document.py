"""Turns a matplotlib figure into an SVG that describes itself, with a title, a description and tooltips; text stays
text.
"""

import io
from xml.etree import ElementTree

from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

from pathfinder.landscape.picture_files.figure_text import FONT, HALO, HALO_PIXELS, TOOLTIP, clean

FALLBACK_FONTS = "Verdana, sans-serif"
"""Fonts for readers who lack the picture's font; Verdana is equally wide."""
NAMESPACE = "http://www.w3.org/2000/svg"
_NAMESPACES = {"": NAMESPACE, "xlink": "http://www.w3.org/1999/xlink"}
_TEXT = f"{{{NAMESPACE}}}text"
_HALO = {"stroke-width": f"{HALO_PIXELS:g}", "stroke-linejoin": "round", "paint-order": "stroke"}
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def figure_as_svg(figure: Figure, title: str, description: str) -> str:
    """Write the figure as an SVG document with as many pixels as the figure has points; it refers to no other file."""
    root = _plain_svg(figure)
    for name in ("width", "height"):
        root.set(name, root.get(name, "").removesuffix("pt"))
    root.set("role", "img")
    root.set("aria-labelledby", "title desc")
    halo = _HALO | {"stroke": to_hex(figure.get_facecolor())}
    for element in list(root.iter()):
        _annotate(element, halo)
    for place, (name, text) in enumerate((("title", title), ("desc", clean(description)))):
        root.insert(place, _element(name, text, id=name))
    for prefix, address in _NAMESPACES.items():
        ElementTree.register_namespace(prefix, address)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _plain_svg(figure: Figure) -> ElementTree.Element:
    for text in figure.findobj(Text):
        text.set_path_effects([])  # Path effects would turn text into outlines.
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata=_NO_METADATA)
    return ElementTree.fromstring(file.getvalue())  # noqa: S314 matplotlib wrote it just now


def _annotate(element: ElementTree.Element, halo: dict[str, str]) -> None:
    """Replace the group id of `element` with the plain SVG that it stands for, and give text its fallback fonts."""
    group = element.get("id", "")
    if group.startswith(TOOLTIP):
        del element.attrib["id"]
        element.insert(0, _element("title", group.removeprefix(TOOLTIP)))
    elif group == HALO:
        del element.attrib["id"]
        for text in element.iter(_TEXT):
            text.attrib.update(halo)
    elif element.tag == _TEXT:
        element.set("style", element.get("style", "").replace(f"'{FONT}'", f"'{FONT}', {FALLBACK_FONTS}"))


def _element(name: str, text: str, **attributes: str) -> ElementTree.Element:
    element = ElementTree.Element(f"{{{NAMESPACE}}}{name}", attributes)
    element.text = text
    return element
