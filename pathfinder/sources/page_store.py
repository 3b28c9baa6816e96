"""The pages fetched from a source, kept until the corpus is complete.

Each page is a file that also holds the cursor of the next one. A page is stored as a whole or not at all, so that an
interrupted download resumes after the last page stored: nothing is read twice, and nothing is lost.
"""

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from pathfinder.corpus.schemas.fields import Record
from pathfinder.sources.json_pages import json_object
from pathfinder.text.files import write_file


@dataclass(frozen=True, slots=True)
class RecordPage:
    """A page of records."""

    records: tuple[Record, ...]
    """Records as plain data, usable or not."""
    next: str | None = None
    """Cursor of the next page; `None` after the last."""
    total: int | None = None
    """Number of records on all pages, if the host states it."""
    state: str | None = None
    """State to be stored for the source once the list has been read to its end; only that of the first page counts."""
    day: str = ""
    """Day on which the page was fetched, as YYYY-MM-DD."""


@dataclass(frozen=True, slots=True)
class PageStore:
    """Pages in a folder; without a folder, nothing is kept."""

    folder: Path | None
    request: str
    """Everything that determines the list; pages from any other request are removed."""

    def pages(self) -> Iterator[RecordPage]:
        """Yield the stored pages in order, up to the first one that is missing or damaged."""
        number = 0
        while (page := self._read(number)) is not None:
            yield page
            number += 1
        if number == 0 and self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def add(self, page: RecordPage, number: int, day: date) -> RecordPage:
        """Store page `number`, counted from 0; return it with the day on which it was fetched."""
        dated_page = RecordPage(page.records, page.next, page.total, page.state, day.isoformat())
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            content = {"request": self.request, **asdict(dated_page)}
            write_file(self._file(self.folder, number), json.dumps(content, ensure_ascii=False))
        return dated_page

    def _read(self, number: int) -> RecordPage | None:
        if self.folder is None:
            return None
        try:
            content = dict(json_object(self._file(self.folder, number).read_bytes()))
            is_ours = content.pop("request") == self.request
            return RecordPage(tuple(content.pop("records")), **content) if is_ours else None
        except (OSError, ValueError, TypeError, KeyError):
            return None

    @staticmethod
    def _file(folder: Path, number: int) -> Path:
        return folder / f"page-{number:06d}.json"
