"""Which papers of the sources are new, and what becomes of the others."""

import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from pathfinder.building.progress import Progress, counted
from pathfinder.building.workplace import REJECTED_NAME, Workplace
from pathfinder.corpus.papers import PAPER_SCHEMA, PaperTable, batch_of
from pathfinder.corpus.readers import Rejected, read_rows
from pathfinder.types import Paper

PAPERS_PER_BATCH = 2048
"""Papers in one record batch: few enough to hold as objects, many enough for a table of few pieces."""


@dataclass(slots=True)
class Intake:
    """What the sources brought; filled while they are read."""

    n_new: int = 0
    n_known: int = 0
    """In the corpus already, and the same."""
    n_changed: int = 0
    """In the corpus already, and different now; the corpus keeps what it had."""
    rejected: list[Rejected] = field(default_factory=list)


Source = tuple[str, Iterator[tuple[int, Paper | Rejected]]]
"""A file's name, and its rows with their lines."""


def open_sources(paths: Sequence[Path]) -> list[Source]:
    """The sources in order. Raises `CorpusError` where one is absent or of another kind, before any is read."""
    return [(path.name, read_rows(path)) for path in paths]


def take_in(sources: Sequence[Source], known: PaperTable | None, new: Path, progress: Progress) -> Intake:
    """Read `sources` in order, write the papers that are not `known` to `new`, and count the others."""
    intake = Intake()
    progress.start("reading", None)
    papers = _new_papers(counted(_unique_rows(sources), progress), known, intake)
    with pa.OSFile(str(new), "wb") as file, pa.ipc.new_file(file, PAPER_SCHEMA) as writer:
        for batch in _batches(papers):
            writer.write_batch(batch_of(batch))
            intake.n_new += len(batch)
    progress.finish()
    return intake


def write_rejected(place: Workplace, sources: Sequence[Source], rejected: Sequence[Rejected]) -> None:
    """Put the rejected rows of `sources` in the place of those that earlier builds rejected in them.

    The file is a report for the reader of the build: no answer depends on it. Rows of other sources
    stay. A file that would say the same is not written.
    """
    names = {name for name, _ in sources}
    before = place.rejected.read_text(encoding="utf-8", errors="replace") if place.rejected.is_file() else None
    kept = [line for line in (before or "").split("\n") if line and _source_of(line) not in names]
    lines = [json.dumps(dataclasses.asdict(row), ensure_ascii=False) for row in rejected]
    content = "".join(f"{line}\n" for line in (*kept, *lines))
    if content != before:
        staged = place.staging / place.rejected.name
        staged.write_text(content, encoding="utf-8")
        staged.replace(place.rejected)


def count_rejected(folder: Path) -> int:
    """How many rows the corpus in `folder` has rejected."""
    path = folder / REJECTED_NAME
    return len(path.read_bytes().splitlines()) if path.is_file() else 0


def _unique_rows(sources: Sequence[Source]) -> Iterator[Paper | Rejected]:
    """Every row; a paper whose id came before is rejected, with the place where it came."""
    first: dict[str, tuple[str, int]] = {}
    for name, rows in sources:
        for line, row in rows:
            if isinstance(row, Paper) and row.paper_id in first:
                file, first_line = first[row.paper_id]
                reason = f"the id {row.paper_id!r} came before, in line {first_line} of {file}"
                yield Rejected(name, line, reason, row.paper_id)
                continue
            if isinstance(row, Paper):
                first[row.paper_id] = (name, line)
            yield row


def _new_papers(rows: Iterator[Paper | Rejected], known: PaperTable | None, intake: Intake) -> Iterator[Paper]:
    places = {} if known is None else {paper_id: row for row, paper_id in enumerate(known.paper_ids())}
    for row in rows:
        if isinstance(row, Rejected):
            intake.rejected.append(row)
        elif known is None or row.paper_id not in places:
            yield row
        elif _as_read(known[places[row.paper_id]]) == _as_read(row):
            intake.n_known += 1
        else:
            intake.n_changed += 1


def _as_read(paper: Paper) -> Paper:
    """A paper as its source tells it, before the build adds keywords."""
    return dataclasses.replace(paper, keywords=())


def _batches(papers: Iterator[Paper]) -> Iterator[list[Paper]]:
    batch: list[Paper] = []
    for paper in papers:
        batch.append(paper)
        if len(batch) == PAPERS_PER_BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _source_of(line: str) -> object:
    try:
        return json.loads(line).get("file")
    except (ValueError, AttributeError, RecursionError):
        return None
