"""Turns a piece of LaTeX into a paragraph: plain words, formulas as TeX, and citations with their keys."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pathfinder.fulltext.citing.cited_at import CitedAt
from pathfinder.fulltext.latex.bibliography import BibliographyEntry
from pathfinder.text.latex.unescape import unescape_tex

_OPEN, _CLOSE = "\ue000", "\ue001"
_MARK = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_LINE_BREAK = re.compile(r"\\\\\*?(?:\[[^\]\n]{0,20}\])?")


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation as written in the source."""

    keys: tuple[str, ...]
    is_textual: bool
    r"""True for \citet, whose author is part of the sentence."""
    is_bare: bool
    r"""True for \citealt and the like, which have no brackets."""
    before: str = ""
    behind: str = ""


@dataclass(frozen=True, slots=True)
class CrossReference:
    """A reference to a figure, a table, a section or a formula by its label."""

    label: str


@dataclass(slots=True)
class Words:
    """Holds everything that is not plain text while the text is converted."""

    items: list[str | Citation | CrossReference] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    """Number that each label stands for, such as that of a figure or a section."""

    def keep(self, item: str | Citation | CrossReference) -> str:
        """Return the mark that stands for a formula (in its final form), a citation or a cross-reference."""
        self.items.append(item)
        return f"{_OPEN}{len(self.items) - 1}{_CLOSE}"

    def plain(
        self, source: str, bibliography: Mapping[str, BibliographyEntry], numbers: Mapping[str, int]
    ) -> tuple[str, tuple[CitedAt, ...]]:
        """Convert `source` to text, and return it with its citations; `bibliography` maps keys to references."""
        text = " ".join(unescape_tex(_LINE_BREAK.sub(" ", source)).replace("{", "").replace("}", "").split())
        pieces: list[str] = []
        citations: list[CitedAt] = []
        length = position = 0
        for match in _MARK.finditer(text):
            item = self.items[int(match[1])] if int(match[1]) < len(self.items) else ""
            words = self._write(item, bibliography, numbers)
            pieces += [text[position : match.start()], words]
            length += match.start() - position
            if isinstance(item, Citation):
                keys = tuple(key for key in item.keys if key in bibliography)
                citations.append(CitedAt(length, length + len(words), keys))
            length += len(words)
            position = match.end()
        return "".join([*pieces, text[position:]]), tuple(citations)

    def _write(
        self,
        item: str | Citation | CrossReference,
        bibliography: Mapping[str, BibliographyEntry],
        numbers: Mapping[str, int],
    ) -> str:
        if isinstance(item, CrossReference):
            return self.labels.get(item.label, "??")
        return item if isinstance(item, str) else citation_text(item, bibliography, numbers)


def without_private_use(text: str) -> str:
    """Return `text` without private-use characters, which would be taken for marks of stored parts."""
    return _PRIVATE.sub("", text)


def citation_text(citation: Citation, bibliography: Mapping[str, BibliographyEntry], numbers: Mapping[str, int]) -> str:
    """Return a citation as a reader sees it: "Trumpler (1930)", "(Trumpler 1930; Spitzer 1942)", or "[1, 2]" if the
    reference list has no names; an unknown key becomes "?", as in LaTeX.
    """
    entries = [bibliography.get(key) for key in citation.keys]
    if not any(entry is not None and entry.year for entry in entries):
        return f"[{', '.join(str(numbers.get(key, '?')) for key in citation.keys)}]"
    joint = " ({})" if citation.is_textual else " {}"
    if citation.is_textual and citation.is_bare:
        joint = " {}"
    names = [entry.names + joint.format(entry.year) if entry is not None else "?" for entry in entries]
    inner = " ".join(filter(None, (citation.before, ("; " if not citation.is_textual else ", ").join(names))))
    inner = ", ".join(filter(None, (inner, citation.behind)))
    return inner if citation.is_textual or citation.is_bare else f"({inner})"
