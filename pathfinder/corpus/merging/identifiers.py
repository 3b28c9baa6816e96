"""Identifiers, titles and names by which records of the same paper are recognised, each in a standard form, however
they are written.
"""

import re
import unicodedata
from dataclasses import dataclass

from pathfinder.text.author_names import parse_name
from pathfinder.text.english import ARTICLES, PREPOSITIONS
from pathfinder.text.identifiers import arxiv_id_of_doi, identifier_key
from pathfinder.text.latex.display import readable
from pathfinder.text.latex.letters import GREEK_NAMES
from pathfinder.types import Paper

SINGLE_KINDS = frozenset({"arxiv", "doi", "pmid"})
"""Kinds of identifiers of which a paper has only one: two records that differ in one of them are two papers. Other
kinds are not listed: a bibcode changes when a preprint is published, and OpenAlex lists some papers twice.
"""


def identifier_keys(paper: Paper) -> dict[str, frozenset[str]]:
    """Return the identifiers of a paper by kind, in lower case and without prefixes or versions.

    A DOI that arXiv made from its own id counts as that id.
    """
    keys: dict[str, set[str]] = {}
    identifiers = [("arxiv", paper.arxiv_id), ("doi", paper.doi), ("bibcode", paper.bibcode)]
    identifiers += [("openalex", paper.openalex_id), ("pmid", paper.pmid)]
    identifiers += [(kind, other) for kind, _, other in (name.partition(":") for name in paper.other_ids)]
    for kind, name in identifiers:
        if not name:
            continue
        is_of_arxiv = kind == "doi" and arxiv_id_of_doi(name)
        keys.setdefault("arxiv" if is_of_arxiv else kind, set()).add(identifier_key(name))
    return {kind: frozenset(names) for kind, names in keys.items()}


def identifier_names(paper: Paper) -> set[str]:
    """Return all identifiers of `paper` as `kind:name`."""
    return {f"{kind}:{name}" for kind, names in identifier_keys(paper).items() for name in names}


def shared_identifier(first: Paper, second: Paper) -> str | None:
    """Return an identifier that both papers have, as `kind:id`; `None` if there is none."""
    others = identifier_keys(second)
    for kind, names in identifier_keys(first).items():
        if common := sorted(names & others.get(kind, frozenset())):
            return f"{kind}:{common[0]}"
    return None


def are_contradictory(first: Paper, second: Paper) -> bool:
    """Return whether the papers have different identifiers of a kind of which a paper has only one."""
    keys, others = identifier_keys(first), identifier_keys(second)
    return any(keys[kind].isdisjoint(others[kind]) for kind in SINGLE_KINDS & keys.keys() & others.keys())


_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
_SUBTITLE = re.compile(r"(?:(?<!\s)\s+)?(?::\s|\s[-–—]+\s|\?\s|\.\s)")
_ROMAN = re.compile(r"[ivxl]{1,6}")
_FUNCTION_WORDS = frozenset((*ARTICLES, *PREPOSITIONS, *"and or its is are as via using".split()))
_MARKERS = frozenset(
    "erratum errata corrigendum corrigenda correction addendum comment comments reply response retraction retracted "
    "withdrawn editorial review supplement discussion".split()
)
"""Words that show that a title belongs to a different paper, such as a correction, a comment or a reply."""


@dataclass(frozen=True, slots=True)
class TitleKey:
    """A title as words without accents, markup, capitals or punctuation."""

    words: tuple[str, ...]
    cuts: frozenset[int]
    """Positions, counted in words, of a colon, a dash or a full stop, after which a subtitle may begin."""
    numbers: tuple[str, ...]
    """Numbers, single letters and Roman numerals, sorted: they denote parts, years and objects."""
    markers: frozenset[str]

    @property
    def letters(self) -> str:
        """The title without spaces."""
        return "".join(self.words).replace(".", "")

    @property
    def n_telling(self) -> int:
        """Number of words that are not function words."""
        return sum(word not in _FUNCTION_WORDS for word in self.words)


def title_key(title: str) -> TitleKey:
    """Return the key of a title."""
    text = _plain(title)
    words = tuple(_WORD.findall(text))
    cuts = frozenset(len(_WORD.findall(text[: match.start()])) for match in _SUBTITLE.finditer(text))
    numbers = sorted(word for word in words if word[0].isdigit() or _ROMAN.fullmatch(word) or len(word) == 1)
    return TitleKey(words, cuts, tuple(word for word in numbers if word != "a"), _MARKERS.intersection(words))


def name_key(author: str) -> str:
    """Return the surname of an author in plain lower case, without particles: "marel" for "van der Marel, R. P."."""
    words = _WORD.findall(_plain(parse_name(readable(author)).last))
    return words[-1] if words else ""


def _plain(text: str) -> str:
    """Return text in lower case without accents; Greek letters are replaced by their names."""
    lowercase_text = readable(text).casefold()
    if lowercase_text.isascii():
        return lowercase_text
    in_latin_letters = "".join(
        f" {GREEK_NAMES[letter]} " if letter in GREEK_NAMES else letter for letter in lowercase_text
    )
    letters = unicodedata.normalize("NFKD", in_latin_letters)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
