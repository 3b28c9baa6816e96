"""What a Zotero library on this machine has besides papers: attached files, notes, and collections as shelves.

The papers come through the source `zotero:`; all else is matched to them by the keys of their items. Taken in twice, a
library leaves no doubles: a file is known by its content, a note by its words, and a shelf by its name.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pathfinder.building.flow import build
from pathfinder.building.full_texts import index_full_texts
from pathfinder.building.paper_files import PaperFile
from pathfinder.building.progress import Progress
from pathfinder.corpus.history.merges import open_merges
from pathfinder.corpus.manifest import corpus_name
from pathfinder.corpus.schemas.fields import inner, text_field, texts
from pathfinder.corpus.schemas.markup import without_markup
from pathfinder.corpus.store import open_corpus
from pathfinder.errors import ProviderError, StoreError, UsageError
from pathfinder.fulltext.adding import SUFFIXES, add_files
from pathfinder.fulltext.fetching import Guests
from pathfinder.models.ports import Embedder
from pathfinder.shelves.shelf import MAX_NAME, MAX_NOTE, Shelf, ShelfStore, joined_notes
from pathfinder.sources.http.web import FetchReply, Web
from pathfinder.sources.json_pages import json_value
from pathfinder.sources.kinds.zotero import local_zotero_host
from pathfinder.user_data import data_folder

SOURCE = "zotero:"
NOTES_SHELF = "Zotero"
"""Shelf of the papers that have a note but are in no collection."""
_MOST_OF_NAME = MAX_NAME - len(" (999)")
_ITEMS = "api/users/0/items"
_END_OF_PARAGRAPH = re.compile(r"</(?:p|div|h\d|li)>|<br\s*/?>", re.IGNORECASE)
_BLANK = re.compile(r"(?<!\s)\s*\n\s*")


@dataclass(frozen=True, slots=True)
class ZoteroReport:
    """What was taken from a library."""

    n_papers: int
    """Papers of the corpus that are items of the library."""
    files: tuple[PaperFile, ...]
    """The attached files, with their papers."""
    n_notes: int
    shelves: Mapping[str, int]
    """Number of papers on each shelf that stands for a collection."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Why a shelf could not be stored, by its name."""


def take_in_zotero(folder: Path, embedder: Embedder, guests: Guests, progress: Progress) -> ZoteroReport:
    """Add the library of the Zotero on this machine to the corpus in `folder`: papers, attached files as full texts,
    and notes and collections as shelves of whoever runs this. Raises a `ProviderError` if Zotero does not answer.
    """
    build([SOURCE], folder, embedder, settings=guests.settings, progress=progress)
    corpus = open_corpus(folder)
    merges = open_merges(corpus.path("merges"))  # a paper that was here before does not name the item in its provenance
    papers = {
        entry.record_id: paper.paper_id
        for paper in corpus.papers
        for record in (paper, *merges.records.get(paper.paper_id, ()))
        for entry in record.provenance
        if entry.source == "zotero"
    }
    with Web(local_zotero_host(guests.settings), guests.around) as web:
        attachments = web.get(_ITEMS, {"format": "json", "itemType": "attachment"}, _objects)
        notes = web.get(_ITEMS, {"format": "json", "itemType": "note"}, _objects)
        collections = web.get("api/users/0/collections", {"format": "json"}, _objects)
        items = web.get(_ITEMS, {"format": "json", "itemType": "-attachment"}, _objects)
        files = [_file(web, each, papers, folder, guests) for each in attachments]
    index_full_texts(folder, embedder, progress)
    store = ShelfStore(data_folder(guests.settings), corpus_name(folder))
    names = _shelf_names(collections)
    on_shelf: dict[str, list[str]] = defaultdict(list)
    for item in items:
        paper_id = papers.get(str(item.get("key")))
        for key in texts(inner(item, "data"), "collections") if paper_id else ():
            if key in names:
                on_shelf[names[key]].append(str(paper_id))
    refused: dict[str, str] = {}
    for name, paper_ids in tuple(on_shelf.items()):
        try:
            store.change(name, lambda shelf, paper_ids=paper_ids: shelf.add(paper_ids))  # type: ignore[misc]
        except (StoreError, UsageError) as error:
            refused[name] = str(error)
            del on_shelf[name]
    n_notes = sum(_take_note(each, papers, on_shelf, store) for each in notes)
    shelves = {name: len(set(paper_ids)) for name, paper_ids in on_shelf.items()}
    return ZoteroReport(len(set(papers.values())), tuple(filter(None, files)), n_notes, shelves, refused)


def _objects(reply: FetchReply) -> list[dict[str, Any]]:
    """Read a list of objects. Raises `ValueError` for anything else."""
    objects = json_value(reply.content)
    if not isinstance(objects, list) or not all(isinstance(each, dict) for each in objects):
        raise ValueError("JSON that is not a list of objects")
    return objects


def _file(
    web: Web, attachment: Mapping[str, Any], papers: Mapping[str, str], folder: Path, guests: Guests
) -> PaperFile | None:
    """Store an attached file as the full text of its paper; `None` if it belongs to none, or is no text."""
    data, key = inner(attachment, "data"), text_field(attachment, "key") or ""
    paper_id, name = papers.get(text_field(data, "parentItem") or ""), text_field(data, "filename", "title") or key
    if paper_id is None or text_field(data, "linkMode") == "linked_url" or Path(name).suffix.lower() not in SUFFIXES:
        return None
    try:
        address = web.get(f"{_ITEMS}/{key}/file/view/url", {}, lambda reply: reply.content.decode())
    except ProviderError as error:
        return PaperFile(name, why=str(error))
    parts = urlsplit(address.strip())
    path = Path(unquote(parts.path))
    if parts.scheme != "file" or not path.is_file():
        return PaperFile(name, why="Zotero has not downloaded it to this machine: open it in Zotero once")
    (outcome,) = add_files(folder, [path], paper_id=paper_id, read=guests.read)
    return PaperFile(name, paper_id, outcome.match.by if outcome.match else None, outcome.reason)


def _shelf_names(collections: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the names of shelves by the keys of collections; that of a collection in another begins with the latter's
    name, and collections of one name are numbered.
    """
    data = {str(each.get("key")): inner(each, "data") for each in collections}

    def path(key: str, seen: tuple[str, ...] = ()) -> list[str]:
        parent = text_field(data[key], "parentCollection") if data[key].get("parentCollection") else None
        before = path(parent, (*seen, key)) if parent in data and parent not in seen else []
        return [*before, text_field(data[key], "name") or key]

    names: dict[str, str] = {}
    n_named: Counter[str] = Counter()
    for key in sorted(data):
        name = "".join(filter(str.isprintable, " / ".join(path(key))))[:_MOST_OF_NAME].strip() or key
        n_named[name] += 1
        names[key] = name if n_named[name] == 1 else f"{name} ({n_named[name]})"
    return names


def _take_note(
    note: Mapping[str, Any], papers: Mapping[str, str], on_shelf: Mapping[str, Sequence[str]], store: ShelfStore
) -> bool:
    """Put a note on the shelves that its paper is on, or on `NOTES_SHELF`; return whether it has a paper and words."""
    data = inner(note, "data")
    paper_id, text = papers.get(text_field(data, "parentItem") or ""), str(data.get("note") or "")
    paragraphs = [without_markup(part) for part in _END_OF_PARAGRAPH.split(text)]
    words = "\n\n".join(_BLANK.sub(" ", part).strip() for part in paragraphs if part.strip())
    if paper_id is None or not words:
        return False
    for name in [name for name, paper_ids in on_shelf.items() if paper_id in paper_ids] or [NOTES_SHELF]:
        store.change(name, partial(_with_note, paper_id, words))
    return True


def _with_note(paper_id: str, words: str, shelf: Shelf) -> Shelf:
    shelf = shelf.add([paper_id])
    return shelf.set_note(paper_id, joined_notes(shelf.paper(paper_id).note, words)[:MAX_NOTE])
