"""Titles and abstracts as hosts and publishers mark them up, in HTML, JATS or MathML, read as plain text.

Only what is certainly a tag counts as one: "z<zmax and M>10" and "<B> is the mean field" stay as they are, and so does
TeX. Every character is looked at a fixed number of times, whatever the text.
"""

import html
import re
from collections.abc import Callable, Sequence
from xml.etree.ElementTree import Element

from lxml import etree

from pathfinder.text.latex.mathematics import bare_formula
from pathfinder.text.latex.unicode import plain

_LAYERS = 3
"""Number of times that a text may have been escaped: "&amp;lt;i&amp;gt;" is "<i>", escaped twice."""

_TAG = re.compile(
    r"<(?P<closes>/?)(?P<prefix>[A-Za-z][\w.-]{0,20}+:)?(?P<name>[A-Za-z][\w.-]{0,40}+)"
    r"(?P<attributes>(?>(?:\s++[\w:.-]++\s*+=\s*+(?:\"[^\"<]*+\"|'[^'<]*+'|[^\s\"'<>]++))*))\s*+(?P<is_empty>/?)>"
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_NOT_SHOWN = (("<!--", "-->"), ("<?", "?>"))
_CERTAIN = frozenset(
    "abstract bold br div em emphasis font formula img inf inline-formula italic math para sec small span strong sub "
    "sup tex-math title underline".split()
)
"""Names of tags that count without their closing tag, because a text may be cut short. Others may be the mean of a
quantity: "<p>", "<Li>".
"""
_BLOCKS = frozenset(
    "abstract abstracttext article-title blockquote br dd disp-formula div dl dt h1 h2 h3 h4 h5 h6 hr item label li "
    "list list-item ol p para sec section simple-para table tbody td th title tr ul".split()
)
"""Elements that stand apart from the words around them."""
_FORMULAS = frozenset({"alternatives", "math", "tex-math"})
_HEADING = re.compile(
    r"(?:\s*<(?:[a-z]{1,9}:)?(?:abstract|sec|div|p)>)?\s*<((?:[a-z]{1,9}:)?(?:title|h[1-6]|b|strong))>\s*abstract[.:]?\s*</\1>",
    re.IGNORECASE,
)
_LONGEST_SCRIPT = 60

_INVISIBLE = dict.fromkeys(map(ord, "\u2061\u2062\u2063\u2064\u200b\ufeff"))
_ACCENTS = dict(
    zip("¯‾ˆ^˜~˙→¨´`˘ˇ", "\u0304\u0304\u0302\u0302\u0303\u0303\u0307\u20d7\u0308\u0301\u0300\u0306\u030c", strict=True)
)
_TEX_CHARACTERS = re.compile(r"[\\{}$^_]")


def without_markup(text: str) -> str:
    """Return `text` without tags, comments and entities, which may have been escaped up to twice.

    A formula in MathML becomes its text, "z<3"; where it is also given in TeX, it stays TeX.
    """
    if "<" not in text and "&" not in text:
        return text
    for _ in range(_LAYERS):
        heading = _HEADING.match(text)
        bare = text[heading.end() :] if heading else text
        before, text = text, _ENTITY.sub(_character, _without_tags(bare) if "<" in bare else bare)
        if text == before:
            break
    return text


def _character(entity: re.Match[str]) -> str:
    return html.unescape(entity[0])


def _without_tags(text: str) -> str:
    text = text.replace("<![CDATA[", "").replace("]]>", "") if "<![CDATA[" in text else text
    for start, end in _NOT_SHOWN:
        text = _without(text, start, end) if start in text else text
    tags = list(_TAG.finditer(text))
    # Where the last closing tag of each name stands, with and without its prefix.
    closed = {name: tag.start() for tag in tags if tag["closes"] for name in (_name(tag), _full_name(tag))}
    starts_with_paragraph = text.lstrip()[:3].lower() == "<p>"
    writer, position = _Writer(), 0
    for tag in tags:
        name = _name(tag)
        is_certain = tag["closes"] or tag["is_empty"] or tag["prefix"] or tag["attributes"]
        is_certain = is_certain or name in closed or name in _CERTAIN or (name == "p" and starts_with_paragraph)
        if tag.start() < position or not is_certain:
            continue
        writer.add(text[position : tag.start()])
        position = tag.end()
        if name in _FORMULAS and not tag["closes"] and closed.get(_full_name(tag), -1) >= position:
            closing = f"</{tag['prefix'] or ''}{tag['name']}>"
            if (place := text.find(closing, position)) >= 0:
                position = place + len(closing)
                writer.add(_formula(text[tag.start() : position]))
        elif name in ("sub", "inf", "sup") and not tag["is_empty"]:
            writer.script("^" if name == "sup" else "_", closes=bool(tag["closes"]))
        elif name in _BLOCKS:
            writer.add(" ")
    writer.add(text[position:])
    return writer.text()


def _name(tag: re.Match[str]) -> str:
    return tag["name"].lower()


def _full_name(tag: re.Match[str]) -> str:
    return f"{tag['prefix'] or ''}{tag['name']}".lower()


class _Writer:
    """Collects the text between tags; what stands inside `sub` or `sup` becomes a script."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._open: list[tuple[str, int]] = []

    def add(self, text: str) -> None:
        self._pieces.append(text)

    def script(self, kind: str, *, closes: bool) -> None:
        """Open a subscript or superscript, or close the last one that is open."""
        if not closes:
            self._open.append((kind, len(self._pieces)))
        elif self._open:
            kind, start = self._open.pop()
            n_pieces = len(self._pieces) - start
            if n_pieces < _LONGEST_SCRIPT and sum(map(len, self._pieces[start:])) < _LONGEST_SCRIPT:
                self._pieces[start:] = [_script(kind, _ENTITY.sub(_character, "".join(self._pieces[start:])))]

    def text(self) -> str:
        return "".join(self._pieces)


def _without(text: str, start: str, end: str) -> str:
    """Remove every stretch from `start` to `end`; one that does not end stays."""
    pieces, position = [], 0
    while (opening := text.find(start, position)) >= 0 and (closing := text.find(end, opening)) >= 0:
        pieces += [text[position:opening], " "]
        position = closing + len(end)
    return "".join((*pieces, text[position:]))


def _formula(element: str) -> str:
    """Return a formula in MathML or JATS as text or, if it is given in TeX, between dollar signs."""
    _, opening, rest = element.partition("tex-math")
    if opening:
        tex = " ".join(bare_formula(html.unescape(rest.partition(">")[2].partition("</")[0])).split())
        return f"${tex}$" if tex else ""
    entities = _ENTITY.sub(lambda entity: html.escape(html.unescape(entity[0])), element)
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, remove_comments=True)
    root = etree.fromstring(entities.encode(), parser)
    return _mathml(root).translate(_INVISIBLE) if root is not None else ""


def _mathml(element: Element) -> str:
    """Return an element of MathML as text, as `plain` writes TeX."""
    name = element.tag.rpartition("}")[2].rpartition(":")[2] if isinstance(element.tag, str) else ""
    if name in _WRITERS:
        return _WRITERS[name](list(element))
    if name in ("annotation", "annotation-xml", "mphantom"):
        return ""
    if name == "mspace":
        return " "
    own = (element.text or "") if name in ("mi", "mn", "mo", "mtext", "ms") else (element.text or "").strip()
    return " ".join(own.split()) + "".join(map(_mathml, element))


def _all(parts: Sequence[Element]) -> str:
    return "".join(map(_mathml, parts))


def _scripted(*kinds: str) -> Callable[[Sequence[Element]], str]:
    def write(parts: Sequence[Element]) -> str:
        base, *scripts = map(_mathml, parts) if parts else ("",)
        mark = _ACCENTS.get(scripts[0].strip()) if kinds[0] == "over" and scripts else None
        if mark is not None:
            return base + mark
        pairs = zip(kinds, scripts, strict=False)
        return base + "".join(_script("_" if kind in ("_", "under") else "^", text) for kind, text in pairs)

    return write


def _prescripted(parts: Sequence[Element]) -> str:
    """Return the isotope in `mmultiscripts`: the base and its scripts, in pairs, then those that come before it."""
    names = [part.tag.rpartition("}")[2].rpartition(":")[2] for part in parts if isinstance(part.tag, str)]
    cut = names.index("mprescripts") if "mprescripts" in names else len(parts)
    behind, before = parts[1:cut], parts[cut + 1 :]
    scripts = [
        "".join(_script("_^"[n % 2], _mathml(part)) for n, part in enumerate(group)) for group in (before, behind)
    ]
    return scripts[0] + _all(parts[:1]) + scripts[1]


def _fraction(parts: Sequence[Element]) -> str:
    return "/".join(_closed(_mathml(part)) for part in parts)


def _closed(term: str) -> str:
    return term if len(term) < 2 or term.isalnum() else f"({term})"


_WRITERS: dict[str, Callable[[Sequence[Element]], str]] = {
    "msub": _scripted("_"),
    "msup": _scripted("^"),
    "msubsup": _scripted("_", "^"),
    "mover": _scripted("over"),
    "munder": _scripted("under"),
    "munderover": _scripted("under", "^"),
    "mmultiscripts": _prescripted,
    "mfrac": _fraction,
    "msqrt": lambda parts: f"√{_closed(_all(parts))}",
    "mroot": lambda parts: f"{_script('^', _all(parts[1:]))}√{_all(parts[:1])}",
    "mfenced": lambda parts: f"({', '.join(map(_mathml, parts))})",
    "semantics": lambda parts: _all(parts[:1]),
}


def _script(kind: str, argument: str) -> str:
    """Return a subscript or superscript as `plain` writes it; digits below a letter stay on the line: "H2O"."""
    text = argument.strip()
    if not text or _TEX_CHARACTERS.search(text) or (kind == "_" and text.isdecimal()):
        return text
    return plain(f"{kind}{{{text}}}", is_mathematics=True).strip()
