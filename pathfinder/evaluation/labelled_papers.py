"""Papers with labels in the layout of ASReview: a CSV table with a title, an abstract and a column of 0s and 1s."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

from pathfinder.errors import CorpusError
from pathfinder.text.files import write_file

LABELS = ("label_included", "included", "label", "included_label", "final_included")
"""Possible names of the column that says whether a paper is included, in the order in which they are looked for; 1
means yes, 0 means no.
"""
_IDS = ("record_id", "openalex_id", "id")
_TITLES = ("title", "primary_title")
_ABSTRACTS = ("abstract", "notes_abstract")
_QUESTION = "review"
"""Id of the collection's only question."""


def write_collection(path: Path, question: str, folder: Path) -> None:
    """Write the papers from a table in ASReview's layout to `folder`, as a collection in BEIR's layout with a single
    question.

    Rows without a label, or with neither a title nor an abstract, are left out. Raises `CorpusError` if the table
    lacks a column or cannot be read.
    """
    rows = list(_rows(path))
    documents = [{"_id": name, "title": title, "text": abstract} for name, title, abstract, _ in rows]
    judgements = "".join(f"{_QUESTION}\t{name}\t{label}\n" for name, _, _, label in rows)
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / "corpus.jsonl", "".join(f"{json.dumps(row)}\n" for row in documents))
    write_file(folder / "queries.jsonl", json.dumps({"_id": _QUESTION, "text": question}) + "\n")
    write_file(folder / "qrels.tsv", judgements)


def _rows(path: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield the id, title, abstract and label of each usable row; a paper without an id is numbered."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            columns = {name.strip().casefold(): name for name in table.fieldnames or ()}
            label = _column(path, columns, LABELS)
            title, abstract = _column(path, columns, _TITLES), _column(path, columns, _ABSTRACTS)
            key = next((columns[name] for name in _IDS if name in columns), None)
            for number, row in enumerate(table, start=1):
                name = (row[key] or "").strip() if key else ""
                cells = [" ".join((row[column] or "").split()) for column in (title, abstract, label)]
                if cells[2] in ("0", "1") and (cells[0] or cells[1]):
                    yield name or f"row-{number}", cells[0], cells[1], cells[2]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CorpusError(f"{path} cannot be read ({error}): check the file") from error


def _column(path: Path, columns: dict[str, str], names: tuple[str, ...]) -> str:
    for name in names:
        if name in columns:
            return columns[name]
    choices = " or ".join(names)
    raise CorpusError(f"{path} has no column {choices}: ASReview's layout has a title, an abstract and a label")
