"""Items from Zotero's API, version 3, in its own JSON format."""

from pathfinder.corpus.schemas.author_lists import name_in
from pathfinder.corpus.schemas.fields import Record, inner, objects, text_field
from pathfinder.corpus.schemas.tidy import hosted_paper, require
from pathfinder.types import Paper

NOT_PAPERS = frozenset({"attachment", "note", "annotation"})
"""Kinds of items that describe nothing that was published."""
_VENUES = ("publicationTitle", "proceedingsTitle", "bookTitle", "conferenceName", "university", "repository")


def is_paper_item(record: Record) -> bool:
    """Return whether an item describes something that was published, rather than an attachment, note or annotation."""
    return inner(record, "data").get("itemType") not in NOT_PAPERS


def zotero_paper(record: Record) -> Paper:
    """Return the paper that an item describes. Raises `Unusable` with the reason if it describes none."""
    data = inner(record, "data")
    key = require(text_field(record, "key"), "no key")
    venue = text_field(data, *_VENUES)
    fields = {
        "id": f"zotero-{key}",
        "title": data.get("title"),
        "abstract": data.get("abstractNote"),
        # Editors and translators do not count as authors.
        "authors": [
            creator
            for creator in objects(data, "creators")
            if text_field(creator, "creatorType") in (None, "author") and name_in(creator)
        ],
        # Zotero itself reads the date that the user has typed.
        "date": inner(record, "meta").get("parsedDate") or data.get("date"),
        "journal": venue,
        "venue": venue,
        "volume": data.get("volume"),
        "pages": data.get("pages"),
        "keywords": [tag for entry in objects(data, "tags") if (tag := text_field(entry, "tag"))],
        "doi": data.get("DOI"),
        "url": [data.get("archiveID"), data.get("url")],
        "extra": data.get("extra"),
    }
    return hosted_paper(fields, "zotero", key, text_field(record, "version"))
