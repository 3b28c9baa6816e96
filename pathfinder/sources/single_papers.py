"""Sources that consist of individual papers, named by their ids: this is how papers found by a live source join a
corpus.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from pathfinder.corpus.merging import identifier_keys
from pathfinder.errors import UsageError
from pathfinder.sources.opening import SOURCES
from pathfinder.text.identifiers import IdentifierKind, identifiers_in
from pathfinder.types import Paper

_PUBMED = re.compile(r"pmid:\s?(\d{1,8})", re.IGNORECASE)
_WORK = re.compile(r"(?:openalex:)?(W\d+)", re.IGNORECASE)
_FORMS: Mapping[str, tuple[str, str]] = {
    "arxiv": ("arxiv:id:{}", " OR id:"),
    "doi": ("crossref:doi:{}", ",doi:"),
    "openalex": ("openalex:ids.openalex:{}", "|"),
    "pmid": ("openalex:ids.pmid:{}", "|"),
}
"""For each kind of id, the source that serves papers by such ids, and the separator between the ids; the best kind is
first.
"""


def keepable_id(paper: Paper) -> str | None:
    """Return the id by which a source can deliver `paper` to a corpus, such as "arxiv:2601.00001"; `None` if there is
    none: ADS allows no copies, and a web page is not a record of a paper.
    """
    keys = identifier_keys(paper)
    return next((f"{kind}:{min(keys[kind])}" for kind in _FORMS if keys.get(kind)), None)


def sources_of(paper_ids: Sequence[str]) -> tuple[str, ...]:
    """Return sources that hold exactly the papers `paper_ids`, one for each kind of id: arXiv ids, DOIs and OpenAlex
    ids, with or without a prefix, and PubMed ids with one.

    Raises `UsageError` for any other id.
    """
    by_kind: dict[str, list[str]] = defaultdict(list)
    for identifier in dict.fromkeys(paper_ids):
        kind, name = _parse(identifier.strip())
        if name not in by_kind[kind]:
            by_kind[kind].append(name)
    return tuple(form.format(between.join(by_kind[kind])) for kind, (form, between) in _FORMS.items() if by_kind[kind])


def _parse(text: str) -> tuple[str, str]:
    """Return the kind of an id and the id without its prefix."""
    scheme, _, rest = text.partition(":")
    if scheme.lower() == "ads":
        SOURCES.get("ads").check(rest)  # Raises the error that explains what ADS's terms allow.
    if work := _WORK.fullmatch(text):
        return "openalex", work[1].upper()
    if number := _PUBMED.fullmatch(text):
        return "pmid", number[1]
    kinds = {IdentifierKind.ARXIV: "arxiv", IdentifierKind.DOI: "doi"}
    for identifier in identifiers_in(text):
        is_whole = (identifier.start, identifier.end) == (0, len(text))
        if identifier.kind in kinds and is_whole and not set(identifier.key) & set(' ,|()"'):
            return kinds[identifier.kind], identifier.key
    raise UsageError(
        f"{text!r} is not an id by which a paper can be added: use an arXiv id (arxiv:2601.00001), a DOI "
        "(doi:10.1/x), an id of OpenAlex (openalex:W2741809807) or of PubMed (pmid:8813041)"
    )
