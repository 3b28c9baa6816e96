"""Identifiers by which records of the same paper are recognised, each in a standard form."""

from pathfinder.text.identifiers import arxiv_id_of_doi, identifier_key
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
