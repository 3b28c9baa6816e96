"""Writes a capsule: a zip of JSON and CSV files."""

import datetime
import hashlib
import io
import zipfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

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
    MapPlace,
    SavedSearch,
)
from pathfinder.capsules.reading import open_capsule
from pathfinder.capsules.sharing import SharedContents, share, without_secrets
from pathfinder.capsules.table import listed_papers, write_table
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.strict_json import to_json
from pathfinder.types import Answer, CallText, Consensus, SearchResult

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
