"""The full text of a paper as a JSON object."""

from dataclasses import asdict

from pathfinder.export.plain_json import JsonObject
from pathfinder.fulltext.document import Document


def document_record(document: Document) -> JsonObject:
    """Return {"title", "sections", "figures", "references", "provenance", "identifiers"}; a box is a list of left, top,
    right and bottom [points], or `null` if it is not known.
    """
    record = asdict(document)
    del record["front"]  # It serves to recognise the paper, and is not stored.
    return record
