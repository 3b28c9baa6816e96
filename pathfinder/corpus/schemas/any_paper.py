"""The schema of records that have plainly named fields or come from arXiv's dump, whatever the format of the file."""

from pathfinder.corpus.schemas.arxiv import arxiv_paper, is_arxiv_record
from pathfinder.corpus.schemas.fields import Record, Unusable
from pathfinder.corpus.schemas.tidy import stated_id, tidy_paper
from pathfinder.types import Paper


def any_paper(record: Record) -> Paper:
    """Return the paper in a record from arXiv's dump or in the tidy schema. Raises `Unusable` with the reason."""
    return arxiv_paper(record) if is_arxiv_record(record) else tidy_paper(record)


def record_id(record: Record) -> str | None:
    """Return the id of a record, even if other fields of the record are broken."""
    try:
        return stated_id(record)
    except Unusable:
        return None
