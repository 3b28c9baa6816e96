"""NASA ADS, which cannot be the source of a corpus: its terms allow no copies, in whole or in part.
`sources/ads_lookup.py` looks up papers there.
"""

from collections.abc import Iterator

from pathfinder.errors import UsageError
from pathfinder.sources.kind import Access, Row, SourceKind, Window
from pathfinder.sources.spec import SourceSpec


def _refuse(rest: str) -> None:
    raise UsageError(
        f"ads:{rest} cannot become a corpus, because the terms of ADS do not allow copies of its records: build from "
        "arxiv:, oai: or openalex:, or export the list from ADS yourself as BibTeX and build from that file"
    )


def _open(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:  # noqa: ARG001 - a port
    _refuse(spec.rest)
    return iter(())


ADS = SourceKind(
    scheme="ads",
    label="NASA ADS",
    form="ads:QUERY",
    examples=('ads:author:"Hubble, E"',),
    gives="nothing for a corpus; for the papers in an answer: citation counts, references and bibcodes",
    terms="Records may not be copied, even in part, or redistributed; users look up papers with their own token.",
    cost="none; 5,000 requests a day",
    open=_open,
    check=_refuse,
    key="ADS_API_TOKEN",
    needs_key=True,
    may_be_shared=False,
)
