"""Works that papers cite, each recognised by any of its identifiers."""

import re

import pyarrow as pa

from pathfinder.corpus.merging.identifiers import identifier_keys
from pathfinder.text.identifiers import identifier_key
from pathfinder.types import Paper

ID_SCHEME = "id"
"""Scheme of a reference that names a paper by its id in the corpus."""

SCHEMES = frozenset({"arxiv", "doi", "bibcode", "openalex", "pmid", "pmcid", ID_SCHEME})
"""Schemes of identifiers."""

_IDENTIFIERS = ("paper_id", "bibcode", "arxiv_id", "doi", "openalex_id", "pmid", "other_ids")
_PREPRINT = re.compile(r"\d{4}arxiv(\d{4})\.?(\d{4,5})[a-z.]")
_OLD_PREPRINT = re.compile(r"\d\d(\d\d)(astro\.ph|gr\.qc|hep\.(?:ex|lat|ph|th)|nucl\.(?:ex|th))\.*(\d{3,5})[a-z.]")


def work_key(work: str) -> str:
    """Write a reference, `scheme:id`, in the form in which references are compared.

    The DOI that arXiv made from its own id, and the bibcode that ADS made from that id (2020arXiv200413832K,
    1998astro.ph..5201R), count as the id.
    """
    scheme, _, name = work.partition(":")
    scheme, name = scheme.strip().lower(), name.strip()
    if scheme == ID_SCHEME:
        return f"{ID_SCHEME}:{name}"
    if scheme == "bibcode" and (arxiv_id := _preprint_of(name.lower())):
        return f"arxiv:{arxiv_id}"
    kinds = identifier_keys(Paper("", "", "", other_ids=(f"{scheme}:{name}",)))
    return next((f"{kind}:{key}" for kind, keys in kinds.items() for key in keys), f"{scheme}:{name.lower()}")


def rows_by_work(table: pa.Table) -> dict[str, int]:
    """Map every identifier of each paper in `table`, written as `work_key` writes it, to the paper's row. If two papers
    share an identifier, it stands for the first.
    """
    rows: dict[str, int] = {}
    row = 0
    for batch in table.select(_IDENTIFIERS).to_batches():
        for record in batch.to_pylist():
            names = {**record, "other_ids": tuple(record["other_ids"])}
            rows.setdefault(f"{ID_SCHEME}:{names['paper_id']}", row)
            for kind, keys in identifier_keys(Paper(title="", abstract="", **names)).items():
                for key in keys:
                    rows.setdefault(f"{kind}:{key}", row)
            row += 1
    return rows


def _preprint_of(bibcode: str) -> str | None:
    """Return the arXiv id in the bibcode of a preprint; `None` for any other bibcode."""
    if (match := _PREPRINT.fullmatch(bibcode)) is not None:
        return f"{match[1]}.{match[2]}"
    if (match := _OLD_PREPRINT.fullmatch(bibcode)) is not None:
        return identifier_key(f"{match[2].replace('.', '-')}/{match[1]}{match[3]:0>5}")
    return None
