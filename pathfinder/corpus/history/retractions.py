"""Retracted papers according to Retraction Watch, whose list Crossref publishes as a CSV file every day."""

import csv
import datetime
import io
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.corpus.merging.identifiers import identifier_keys
from pathfinder.corpus.readers.decoding import read_text
from pathfinder.errors import CORPUS_REMEDY, CorpusError
from pathfinder.text.identifiers import identifier_key
from pathfinder.text.strict_json import read_json
from pathfinder.types import Paper

RETRACTION_WATCH = "retraction-watch"
"""Name of Retraction Watch in `Paper.status_from`."""

_NATURE, _DATE = "RetractionNature", "RetractionDate"
_IDENTIFIERS = {"doi": "OriginalPaperDOI", "pmid": "OriginalPaperPubMedID"}
_NONE = frozenset({"", "0", "unavailable"})
"""Entries in the list that stand for a missing identifier."""
_KINDS = {"retraction": True, "reinstatement": False}
"""Kinds of entries that say whether a paper is retracted; corrections and expressions of concern do not."""


@dataclass(frozen=True, slots=True)
class Retractions:
    """Identifiers of retracted papers."""

    names: frozenset[str] = field(default_factory=frozenset)
    """DOIs and PubMed ids as `kind:id`."""

    def mark(self, paper: Paper) -> Paper:
        """Return `paper`, marked as retracted if it is listed; if not, without a mark that came from Retraction Watch
        alone.
        """
        if self.has(paper):
            others = [name for name in (paper.status_from or "").split(", ") if name and name != RETRACTION_WATCH]
            says = others if paper.status == "retracted" else []
            return replace(paper, status="retracted", status_from=", ".join((*says, RETRACTION_WATCH)))
        if paper.status_from == RETRACTION_WATCH:
            return replace(paper, status=None, status_from=None)
        return paper

    def has(self, paper: Paper) -> bool:
        """Return whether one of the identifiers of `paper` is listed."""
        if not self.names:
            return False
        keys = identifier_keys(paper)
        return any(f"{kind}:{name}" in self.names for kind in _IDENTIFIERS for name in keys.get(kind, ()))


def read_retractions(path: Path) -> Retractions:
    """Read Retraction Watch's list. A paper that was reinstated after its retraction does not count as retracted.

    Raises `CorpusError` if the file is not that list.
    """
    rows = csv.DictReader(io.StringIO(read_text(path)))
    missing = [name for name in (_NATURE, _DATE, *_IDENTIFIERS.values()) if name not in (rows.fieldnames or ())]
    if missing:
        raise CorpusError(f"{path} has no column {missing[0]!r}: use the CSV file that Retraction Watch publishes")
    latest: dict[str, tuple[datetime.date, bool]] = {}
    try:
        for row in rows:
            is_retraction = _KINDS.get((row[_NATURE] or "").strip().casefold())
            if is_retraction is None:
                continue
            entry = (_day(row[_DATE] or ""), is_retraction)
            for kind, column in _IDENTIFIERS.items():
                cell = (row[column] or "").strip()
                if cell.casefold() not in _NONE:
                    name = f"{kind}:{identifier_key(cell)}"
                    # If the days are the same or missing, the later row counts.
                    latest[name] = max(entry, latest.get(name, entry), key=lambda dated_notice: dated_notice[0])
    except csv.Error as error:
        raise CorpusError(f"{path} is not a CSV file ({error}): download it again") from error
    return Retractions(frozenset(name for name, (_, is_retracted) in latest.items() if is_retracted))


def _day(text: str) -> datetime.date:
    """Return the day in "5/31/2021 0:00" or "2021-05-31"; the earliest possible day if there is none."""
    day = text.split(" ", maxsplit=1)[0]
    for form in ("%m/%d/%Y", "%Y-%m-%d"):
        try:
            return datetime.datetime.strptime(day, form).replace(tzinfo=datetime.UTC).date()
        except ValueError:
            continue
    return datetime.date.min


_ADAPTER = TypeAdapter(list[str])


def write_list(retractions: Retractions, path: Path) -> None:
    """Write `retractions` to a file; the same retractions always produce the same bytes."""
    path.write_bytes(_ADAPTER.dump_json(sorted(retractions.names), indent=0) + b"\n")


def open_retractions(path: Path | None) -> Retractions:
    """Read what `write_list` wrote, if there is a file. Raises `CorpusDamaged` for anything else."""
    if path is None:
        return Retractions()
    names: list[str] = read_json(_ADAPTER, path, CORPUS_REMEDY)
    return Retractions(frozenset(names))
