"""The files of capsules: how a question with all that led to its answer is packed, without secrets and without texts
that may not be passed on, and how it is opened.
"""

import datetime
import hashlib
import io
import json
import os
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import SecretStr, TypeAdapter

from pathfinder.addons.capsules.contents import (
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
    Capsule,
    CapsuleCard,
    FileHash,
    LeftOut,
    MapPlace,
    SavedSearch,
    listed_papers,
    read_table,
    write_table,
)
from pathfinder.corpus.links import is_open_licence, may_be_passed_on, terms
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.llm.providers import KEY_VARIABLES
from pathfinder.settings import EnvironmentSettings, Settings, installed_version, read_settings
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.strict_json import parse_as, parse_json, to_json
from pathfinder.types import (
    Answer,
    CallText,
    Consensus,
    Digest,
    FullTextPassage,
    Hit,
    Paper,
    SearchResult,
    without_control_characters,
)

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

Value = TypeVar("Value")

MAX_PACKED, MAX_UNPACKED = 50_000_000, 200_000_000
"""Maximum sizes in bytes of a capsule and of its unpacked files; a question with 1,000 candidates takes about 1 MB."""
_FILE_NAMES = {CARD_FILE, TABLE_FILE, *FILES.values()}
_NEEDED_FILES = {CARD_FILE, TABLE_FILE, FILES["search"], FILES["listed"]}


def open_capsule(source: Path | bytes, name: str | None = None) -> Capsule:
    """Read a capsule from a file or from its bytes; `name` is what error messages call it.

    Raises `UsageError`, with the place and the fault, for anything other than a capsule.
    """
    file_name = name or (str(source) if isinstance(source, Path) else "the file")
    try:
        if isinstance(source, Path):
            with source.open("rb") as file:
                capsule_bytes = file.read(MAX_PACKED + 1)
        else:
            capsule_bytes = source
        if len(capsule_bytes) > MAX_PACKED:
            raise ValueError(f"it is larger than {MAX_PACKED:,} bytes")
        return _capsule(_unpack(capsule_bytes))
    except (ValueError, PathfinderError, RecursionError) as error:
        reason = without_control_characters(str(error))
        raise UsageError(f"{file_name} is not a capsule that this version can open: {reason}") from error


def _unpack(capsule_bytes: bytes) -> dict[str, bytes]:
    """Return the files in the zip, by name; the sizes stated in the zip's headers are not trusted."""
    contents: dict[str, bytes] = {}
    bytes_left = MAX_UNPACKED
    try:
        with zipfile.ZipFile(io.BytesIO(capsule_bytes)) as archive:
            names = archive.namelist()
            if unknown_names := [name for name in names if name not in _FILE_NAMES]:
                raise ValueError(f"it contains a file that does not belong in a capsule: {unknown_names[0][:80]!r}")
            if len(set(names)) != len(names):
                raise ValueError("it contains two files with the same name")
            if missing := sorted(_NEEDED_FILES - set(names)):
                raise ValueError(f"it has no {missing[0]}")
            _check_methods(archive.infolist())
            for entry in names:
                with archive.open(entry) as file:
                    contents[entry] = file.read(bytes_left + 1)
                bytes_left -= len(contents[entry])
                if bytes_left < 0:
                    raise ValueError(f"its files are larger than {MAX_UNPACKED:,} bytes in total")
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"it is not a zip file that can be read ({error})") from error
    return contents


def _check_methods(entries: list[zipfile.ZipInfo]) -> None:
    """Raise `ValueError` for a file packed with a method that capsules do not use: other methods raise errors of their
    own.
    """
    for entry in entries:
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(
                f"{entry.filename} is packed with zip method {entry.compress_type}; capsules use only methods 0 and 8"
            )


def _capsule(contents: Mapping[str, bytes]) -> Capsule:
    _check_version(contents[CARD_FILE])
    card = _parse(CARD, contents, CARD_FILE)
    search = _parse(SEARCH, contents, FILES["search"])
    listed_candidates = _parse(CANDIDATES, contents, FILES["listed"])
    try:
        candidates = read_table(contents[TABLE_FILE].decode(), listed_candidates, search.hits)
    except ValueError as error:
        raise ValueError(f"{TABLE_FILE}: {error}") from error
    answer = _optional(ANSWER, contents, FILES["answer"])
    if answer is not None and answer.digest is not None:
        _check_digest(answer, answer.digest)
    actual = {FileHash(name, hashlib.sha256(text).hexdigest()) for name, text in contents.items() if name != CARD_FILE}
    return Capsule(
        card,
        search.with_candidates(candidates),
        answer,
        _optional(CONSENSUS, contents, FILES["consensus"]),
        _optional(TEXTS, contents, FILES["texts"]) or (),
        _optional(PLACES, contents, FILES["places"]) or (),
        _optional(SHELF, contents, FILES["shelf"]),
        altered_files=tuple(sorted({entry.name for entry in actual ^ set(card.files)})),
    )


def _check_digest(answer: Answer, digest: Digest) -> None:
    """Raise `ValueError` for a digest that quotes a paper that is not a source, or that has more values than lines."""
    sources = {paper.paper_id for paper in answer.sources}
    for parts in (digest.findings, digest.values, digest.named):
        for paper_id in sorted({part.paper_id for part in parts} - sources):
            raise ValueError(f"{FILES['answer']}: a line quotes {paper_id[:80]!r}, which is not a source")
    if len(digest.values) > len(digest.findings):
        raise ValueError(f"{FILES['answer']}: {len(digest.values)} values have {len(digest.findings)} lines")


def _check_version(card: bytes) -> None:
    """Raise `ValueError` for a card of another format or version, before its other fields are read."""
    record = parse_json(card.decode())
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ValueError(f"its {CARD_FILE} does not say that it is a {FORMAT}")
    if record.get("version") != VERSION:
        version = str(record.get("version"))[:20]
        raise ValueError(f"its version is {version}, but this Pathfinder reads version {VERSION}: update Pathfinder")


def _parse(adapter: TypeAdapter[Value], contents: Mapping[str, bytes], name: str) -> Value:
    try:
        return parse_as(adapter, contents[name], strict=True, extra="forbid")
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _optional(adapter: TypeAdapter[Value], contents: Mapping[str, bytes], name: str) -> Value | None:
    return _parse(adapter, contents, name) if name in contents else None


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
    texts_of = _contents(result, contents_to_share, tuple(places), shelf)
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


def _contents(
    result: SearchResult, contents_to_share: SharedContents, places: tuple[MapPlace, ...], shelf: Shelf | None
) -> dict[str, str]:
    search = SavedSearch.of(replace(result, hits=contents_to_share.hits))
    optional_parts: tuple[tuple[str, TypeAdapter[Any], object], ...] = (
        ("answer", ANSWER, contents_to_share.answer),
        ("consensus", CONSENSUS, contents_to_share.consensus),
        ("texts", TEXTS, contents_to_share.texts),
        ("places", PLACES, places),
        ("shelf", SHELF, shelf),
    )
    return {
        FILES["search"]: to_json(SEARCH, search),
        FILES["listed"]: to_json(CANDIDATES, listed_papers(result.candidates)),
        TABLE_FILE: write_table(result),
        **{FILES[name]: to_json(adapter, part) for name, adapter, part in optional_parts if part},
    }


def _zip(contents: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in contents.items():
            archive.writestr(zipfile.ZipInfo(name, _SAME_TIME), text.encode(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


# Leaves out of a capsule any texts that must not be shared, as well as any secrets, and any paths on this machine.


REPLACEMENT = "[left out]"
"""Text that replaces a secret or a path."""
_NOT_OPEN = "its licence is not open, or not known"


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
        note("", "prompts", "they quote texts that are left out")
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


_SHORTEST_PATH = 4
"""Minimum length of a path that is replaced; the shortest paths, such as "/", occur in every address."""


def capsule_of(
    pf: "Pathfinder",
    result: SearchResult,
    *,
    answer: Answer | None = None,
    consensus: Consensus | None = None,
    shelf: Shelf | None = None,
) -> bytes:
    """Return a capsule of the question of `result`: the bytes of a file that `open_capsule` opens anywhere, with the
    candidates, the answer, the consensus and a shelf.

    Prompts and replies of the chat model are included if the corpus was opened `for_question`. Texts that must not be
    passed on are left out, and so is every key and path that this process knows.
    """
    own = pf.of(result)
    return pack(
        result,
        CapsuleOrigin(installed_version(), datetime.datetime.now(datetime.UTC).date(), own.corpus.manifest.embedder),
        answer=answer,
        consensus=consensus,
        texts=pf.call_log.texts if pf.call_log is not None else (),
        places=tuple(_places(None if own.landscape is None else own.landscape.coordinates, result)),
        shelf=shelf,
        licences={paper_id: text.licence for paper_id, text in own.full_texts.texts.items()},
        secrets=tuple(_secrets(own.corpus.folder, read_settings())),
    )


def shelf_in(path: Path) -> Shelf:
    """Return the shelf in a capsule. Raises `UsageError` for a capsule without a shelf."""
    shelf = open_capsule(path).shelf
    if shelf is None:
        raise UsageError(f"the capsule {path} has no shelf: save it again, with the shelf (--shelf)")
    return shelf


def _places(coordinates: NDArray[np.float32] | None, result: SearchResult) -> Iterator[MapPlace]:
    if coordinates is None:
        return
    for paper, row in zip(result.candidates.papers, result.candidates.rows.tolist(), strict=True):
        x, y = coordinates[row] if row < len(coordinates) else result.candidates.places.get(row, (None, None))
        if x is not None and y is not None:
            yield MapPlace(paper.paper_id, float(x), float(y))


def _secrets(folder: Path, settings: Settings) -> Iterator[str]:
    """Yield the keys that this process knows, and the paths that reveal where it runs."""
    addons = (kind for kind in EnvironmentSettings.__subclasses__() if kind is not Settings)
    for known in (settings, *map(read_settings, addons)):
        for _, value in known:
            if isinstance(value, SecretStr):
                yield value.get_secret_value()
    # An add-on that is not loaded has declared none of its settings yet.
    others = (name for name in os.environ if name.startswith("PATHFINDER_") and name.endswith(("_KEY", "_TOKEN")))
    yield from filter(None, map(os.environ.get, (*KEY_VARIABLES.values(), *others)))
    yield from (path for path in (str(folder.resolve()), str(Path.home())) if len(path) >= _SHORTEST_PATH)
