"""Writes a capsule: a zip of JSON and CSV files."""

import datetime
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeVar

from pathfinder.capsules.contents import (
    ANSWER,
    CANDIDATES,
    CARD,
    CARD_FILE,
    CONSENSUS,
    FILES,
    FORMAT,
    PLACES,
    SEARCH,
    SHELF,
    TABLE_FILE,
    TEXTS,
    VERSION,
    CapsuleCard,
    FileHash,
    LeftOut,
    MapPlace,
    SavedSearch,
    listed_papers,
    write_table,
)
from pathfinder.capsules.reading import open_capsule
from pathfinder.export.terms import is_open_licence, may_be_passed_on, terms
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.strict_json import to_json
from pathfinder.types import Answer, CallText, Consensus, FullTextPassage, Hit, Paper, SearchResult

_SAME_TIME = (1980, 1, 1, 0, 0, 0)
"""Timestamp of every file in the zip; it is fixed so that the same contents produce the same bytes."""


@dataclass(frozen=True, slots=True)
class CapsuleOrigin:
    """Facts about the run that are not in the result."""

    by: str
    """Version of Pathfinder that writes the capsule."""
    on: datetime.date
    embedder: str


def pack(
    result: SearchResult,
    origin: CapsuleOrigin,
    *,
    answer: Answer | None = None,
    consensus: Consensus | None = None,
    texts: Sequence[CallText] = (),
    places: Sequence[MapPlace] = (),
    shelf: Shelf | None = None,
    licences: Mapping[str, str | None] | None = None,
    secrets: Collection[str] = (),
) -> bytes:
    """Return the bytes of a capsule.

    `licences` holds the licences of the full texts, by paper; texts that must not be passed on are left out, and listed
    as left out. `secrets` are keys and paths, which are replaced wherever they occur.
    """
    contents_to_share = share(result.hits, answer, consensus, tuple(texts), licences or {})
    texts_of = _contents(result, contents_to_share, tuple(places)) | (
        {FILES["shelf"]: to_json(SHELF, shelf)} if shelf else {}
    )
    contents = {name: without_secrets(text, secrets) for name, text in texts_of.items()}
    card = CapsuleCard(
        FORMAT,
        VERSION,
        origin.by,
        origin.on,
        without_secrets(result.request.query, secrets),
        result.corpus,
        origin.embedder,
        contents_to_share.left_out,
        tuple(FileHash(name, hashlib.sha256(text.encode()).hexdigest()) for name, text in contents.items()),
    )
    capsule_bytes = _zip({CARD_FILE: without_secrets(to_json(CARD, card), secrets), **contents})
    open_capsule(capsule_bytes, "the new capsule")  # make sure that what is written can be read back
    return capsule_bytes


@dataclass(frozen=True, slots=True)
class SharedContents:
    """The parts of a capsule that may be shared, and a list of the texts that may not."""

    hits: tuple[Hit, ...]
    answer: Answer | None
    consensus: Consensus | None
    texts: tuple[CallText, ...]
    left_out: tuple[LeftOut, ...]


def _contents(result: SearchResult, contents_to_share: SharedContents, places: tuple[MapPlace, ...]) -> dict[str, str]:
    search = SavedSearch.of(replace(result, hits=contents_to_share.hits))
    texts = {
        FILES["search"]: to_json(SEARCH, search),
        FILES["listed"]: to_json(CANDIDATES, listed_papers(result.candidates)),
        TABLE_FILE: write_table(result),
    }
    if contents_to_share.answer is not None:
        texts[FILES["answer"]] = to_json(ANSWER, contents_to_share.answer)
    if contents_to_share.consensus is not None:
        texts[FILES["consensus"]] = to_json(CONSENSUS, contents_to_share.consensus)
    if contents_to_share.texts:
        texts[FILES["texts"]] = to_json(TEXTS, contents_to_share.texts)
    if places:
        texts[FILES["places"]] = to_json(PLACES, places)
    return texts


def _zip(contents: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in contents.items():
            archive.writestr(zipfile.ZipInfo(name, _SAME_TIME), text.encode(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


# Leaves out of a capsule any texts that must not be shared, as well as any secrets, and any paths on this machine.

Value = TypeVar("Value")

REPLACEMENT = "[left out]"
"""Text that replaces a secret or a path."""
_NOT_OPEN = "its licence is not open, or not known"
_IN_PROMPTS = "they quote texts that are left out"


def share(
    hits: tuple[Hit, ...],
    answer: Answer | None,
    consensus: Consensus | None,
    texts: tuple[CallText, ...],
    licences: Mapping[str, str | None],
) -> SharedContents:
    """Remove abstracts for which no source states a licence, and full-text passages that are not openly licensed;
    quotations stay.

    `licences` holds the licences of the full texts, by paper. Prompts are removed if any text is removed, because they
    may contain it.
    """
    open_passages = {
        passage.text for hit in hits if is_open_licence(licences.get(hit.paper.paper_id)) for passage in hit.full_text
    }
    left_out: dict[tuple[str, str], LeftOut] = {}

    def note(paper_id: str, text: str, reason: str) -> None:
        left_out.setdefault((paper_id, text), LeftOut(paper_id, text, reason))

    def change(part: object) -> object:
        if isinstance(part, Paper) and part.has_abstract and not may_be_passed_on(part):
            note(part.paper_id, "abstract", terms(part) or _NOT_OPEN)
            return replace(part, abstract="")
        if isinstance(part, FullTextPassage) and part.text not in open_passages:
            return replace(part, text="")
        return part

    for hit in hits:
        if any(passage.text not in open_passages for passage in hit.full_text):
            note(hit.paper.paper_id, "full text", _NOT_OPEN)
    parts = _map_values(hits, change), _map_values(answer, change), _map_values(consensus, change)
    if texts and left_out:
        texts = tuple(replace(text, prompt="") for text in texts)
        note("", "prompts", _IN_PROMPTS)
    return SharedContents(*parts, texts, tuple(left_out.values()))


def _map_values(value: Value, change: Callable[[object], object]) -> Value:
    """Apply `change` to every dataclass in `value`, from the outside in."""
    if isinstance(value, tuple):
        return tuple(_map_values(part, change) for part in value)  # type: ignore[return-value]  # of the same length
    if not is_dataclass(value) or isinstance(value, type):
        return value
    new_value = change(value)
    parts = {entry.name: getattr(new_value, entry.name) for entry in fields(value)}
    new_parts = {name: _map_values(part, change) for name, part in parts.items()}
    differing = {name: part for name, part in new_parts.items() if part is not parts[name]}
    return replace(new_value, **differing) if differing else new_value  # type: ignore[type-var, return-value]


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """Replace every secret in a JSON text."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(json.dumps(secret, ensure_ascii=False)[1:-1], REPLACEMENT)
    return text
