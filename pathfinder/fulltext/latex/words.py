"""Turns a piece of LaTeX into a paragraph: plain words, formulas as TeX, and citations with their keys."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from pathfinder.fulltext.citing import CitedAt
from pathfinder.text.identifiers import IdentifierKind, identifiers_in
from pathfinder.text.latex.display import unescape_tex

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
    is_named: bool
    r"""True for \cref and the like, which also write what it is: "Figure 3"."""


@dataclass(frozen=True, slots=True)
class BibliographyEntry:
    """An entry in the list, and how the text refers to it."""

    key: str
    text: str
    """The entry as written, without markup."""
    doi: str | None
    arxiv_id: str | None
    names: str
    """Its authors as citations name them, such as "Trumpler et al."; empty if the document cites by number."""
    year: str


@dataclass(slots=True)
class Words:
    """Holds everything that is not plain text while the text is converted."""

    items: list[str | Citation | CrossReference] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    """What each label stands for, with its number: "Figure 3", "Section 2.1"."""

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
            labels = [item.label] if item.label in self.labels else item.label.split(",")
            names = [self.labels.get(label.strip(), "??") for label in labels]
            return ", ".join(name if item.is_named else name.rpartition(" ")[2] for name in names)
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


# Finds the arguments of macros. Each text is scanned only once, so even a file with nothing but braces is read
# quickly.

_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_SPACE = re.compile(r"[ \t]*\n?[ \t]*")
_OPTION = re.compile(r"\[([^\[\]]{0,2000})\]")


@dataclass(frozen=True, slots=True)
class Braces:
    """A text, and the end of each of its groups."""

    text: str
    closing: dict[int, int]
    """Position of each closing brace, by that of its opening brace; unmatched braces are not listed."""

    def group(self, position: int) -> tuple[str, int] | None:
        """Return the content of the group at `position`, after any spaces, and the position after it; `None` if there
        is no group.
        """
        start = self.after_space(position)
        end = self.closing.get(start)
        return (self.text[start + 1 : end], end + 1) if end is not None else None

    def option(self, position: int) -> tuple[str, int] | None:
        """Return the content of the optional argument in brackets at `position`, after any spaces, and the position
        after it; `None` if there is none.
        """
        match = _OPTION.match(self.text, self.after_space(position))
        return (match[1], match.end()) if match else None

    def after_options(self, position: int) -> int:
        """Return the position after up to four optional arguments."""
        for _ in range(4):
            option = self.option(position)
            if option is None:
                break
            position = option[1]
        return position

    def after_space(self, position: int) -> int:
        """Return the position of the next character, skipping spaces and at most one line break."""
        match = _SPACE.match(self.text, position)
        return match.end() if match else position


def find_braces(text: str) -> Braces:
    """Pair the braces of `text`; escaped braces are ordinary characters."""
    closing: dict[int, int] = {}
    open_braces: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            open_braces.append(match.start())
        elif match[0] == "}" and open_braces:
            closing[open_braces.pop()] = match.start()
    return Braces(text, closing)


# Reads the reference list: \bibitem entries, in the document or in a .bbl file.

BEGIN, END = r"\begin{thebibliography}", r"\end{thebibliography}"
_ITEM = re.compile(r"\\bibitem(?![A-Za-z])")
_LABEL = re.compile(r"^(.*?)(?:(?<!\s)\s+)?\((\d{4}[a-z]?)\)")
_DROPPED_COMMANDS = re.compile(
    r"\\(?:newblock|bibinfo|bibfield|bibnamefont|bibfnamefont|natexlab|BibitemOpen|BibitemShut|Eprint)\b"
)
_LINK = re.compile(r"\\(?:href|doi)(?:@noop)?\s*\{([^{}]*)\}")


def entries(text: str) -> Iterator[BibliographyEntry]:
    r"""Yield the entries in `text`, starting from its \begin{thebibliography}, each key only once."""
    start = text.find(BEGIN)
    end = text.find(END, start)
    if start < 0:
        return
    keys: set[str] = set()
    source = find_braces(text[start : end if end >= 0 else len(text)])
    items = [match.end() for match in _ITEM.finditer(source.text)]
    for position, following in zip(items, [*items[1:], len(source.text) + len(r"\bibitem")], strict=False):
        label, behind = _label(source.text, position, source.closing)
        key = source.group(behind)
        if key is None or not key[0].strip() or key[0].strip() in keys:
            continue
        keys.add(key[0].strip())
        entry = source.text[key[1] : following - len(r"\bibitem")]
        names = _LABEL.match(_words(label))
        links = " ".join(match[1] for match in _LINK.finditer(entry))
        ids = {each.kind: each.text for each in reversed(identifiers_in(f"{_words(entry)} {links}"))}
        yield BibliographyEntry(
            key[0].strip(),
            _words(entry),
            ids.get(IdentifierKind.DOI),
            ids.get(IdentifierKind.ARXIV),
            names[1] if names else "",
            names[2] if names else "",
        )


def _label(text: str, position: int, closing: dict[int, int]) -> tuple[str, int]:
    """Return the optional label at `position` and the position after it; brackets within groups do not end it."""
    start = position + len(text[position : position + 50]) - len(text[position : position + 50].lstrip())
    if not text.startswith("[", start):
        return "", start
    place = start + 1
    while place < len(text) and text[place] != "]":
        place = closing.get(place, place) + 1
    return text[start + 1 : place], place + 1


def _words(text: str) -> str:
    plain = _DROPPED_COMMANDS.sub("", text).replace("{\\ ", "{ ")
    return " ".join(unescape_tex(_LINK.sub("", plain).replace("\n", " ")).replace("{", "").replace("}", "").split())


@lru_cache(maxsize=64)
def environment_ends(text: str, name: str) -> Mapping[int, int]:
    """Return the position of the end of each environment of this name, by that of its beginning; one may contain
    others.
    """
    ends: dict[int, int] = {}
    open_environments: list[int] = []
    for match in re.finditer(rf"\\(?:(begin)\s*|end\s*)\{{{re.escape(name)}\}}", text):
        if match[1]:
            open_environments.append(match.start())
        elif open_environments:
            ends[open_environments.pop()] = match.start()
    return ends
