"""The command `pathfinder ads`: looks up papers in a corpus in NASA ADS."""

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pathfinder.cli.options import CorpusFolder, JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import corpus_folder
from pathfinder.errors import UsageError
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from pathfinder.sources.ads_lookup import AdsRecord

_PaperIds: TypeAlias = Annotated[list[str], typer.Argument(metavar="PAPER_ID...", help="Ids of papers in the corpus.")]


def ads(paper_ids: _PaperIds, corpus: CorpusFolder = None, as_json: JsonFlag = False) -> None:
    """Look up papers in NASA ADS: bibcode, current citation count, references. Nothing is stored."""
    from pathfinder.corpus.store import open_corpus
    from pathfinder.sources.ads_lookup import look_up
    from pathfinder.sources.http.pace import Clock
    from pathfinder.sources.http.web import surroundings_of

    settings = read_settings()
    papers = open_corpus(corpus_folder(corpus, settings)).papers
    rows = papers.rows_of(paper_ids)
    for paper_id, row in zip(paper_ids, rows, strict=True):
        if row < 0:
            raise UsageError(f"no paper in this corpus has the id {paper_id!r}: `pathfinder search` shows ids")
    around = surroundings_of(settings, Clock(), lambda text: write_notes((text,)))
    records = look_up([papers[int(row)] for row in rows], settings, around)
    write_notes(f"ADS has no record of {paper_id}" for paper_id in paper_ids if paper_id not in records)
    wanted_records = {paper_id: records[paper_id] for paper_id in paper_ids if paper_id in records}
    if as_json:
        write_json({"papers": [_json(*item) for item in wanted_records.items()]})
    else:
        write_lines(_line(*item) for item in wanted_records.items())


def _json(paper_id: str, record: "AdsRecord") -> dict[str, object]:
    return {
        "paper_id": paper_id,
        "bibcode": record.bibcode,
        "citation_count": record.citation_count,
        "references": list(record.references),
    }


def _line(paper_id: str, record: "AdsRecord") -> str:
    count = "unknown" if record.citation_count is None else f"{record.citation_count:,}"
    return f"{paper_id}  {record.bibcode}  citations {count}  references {len(record.references):,}"
