"""Identifiers of papers: DOI, arXiv id and bibcode, without the prefixes and web addresses with which they are often
written.
"""

import re

_DOI_PREFIX = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_ARXIV_PREFIX = re.compile(r"(?:https?://arxiv\.org/abs/|arxiv:\s*)", re.IGNORECASE)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.", re.IGNORECASE)
_VERSION = re.compile(r"(?<=\d)v\d+$", re.IGNORECASE)


def bare_doi(written: str | None) -> str | None:
    """Return `10.1/X` for `https://doi.org/10.1/X` or `doi: 10.1/X`; `None` if `written` is empty or `None`."""
    return _without(_DOI_PREFIX, written) if written else None


def doi_key(written: str | None) -> str | None:
    """Return a bare DOI in lower case, for comparison: DOIs are case-insensitive. `None` if `written` is empty or
    `None`.
    """
    doi = bare_doi(written)
    return doi.lower() if doi else None


def bare_arxiv_id(written: str | None) -> str | None:
    """Return `2408.01556` for `arXiv:2408.01556` or its arxiv.org address; `None` if `written` is empty or `None`."""
    return _without(_ARXIV_PREFIX, written) if written else None


def identifier_key(written: str) -> str:
    """Normalise a DOI, an arXiv id or a bibcode for comparison: lower case, no prefix, no arXiv version."""
    plain = _without(_ARXIV_PREFIX, _without(_DOI_PREFIX, written.strip()))
    return _VERSION.sub("", _without(_ARXIV_DOI, plain)).casefold()


def _without(prefix: re.Pattern[str], written: str) -> str:
    match = prefix.match(written)
    return written[match.end() :] if match else written
