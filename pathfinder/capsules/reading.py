"""Reads a capsule. It may come from anyone, so every limit and every type is checked; nothing in it is run."""

import hashlib
import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

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
    Capsule,
    CapsuleCard,
    FileHash,
    read_table,
)
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.text.strict_json import parse_as, parse_json
from pathfinder.types import Answer, Digest, without_control_characters

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
        return _capsule(_unpack(_bytes_of(source)))
    except (ValueError, PathfinderError, RecursionError) as error:
        reason = without_control_characters(str(error))
        raise UsageError(f"{file_name} is not a capsule that this version can open: {reason}") from error


def _bytes_of(source: Path | bytes) -> bytes:
    if isinstance(source, Path):
        with source.open("rb") as file:
            capsule_bytes = file.read(MAX_PACKED + 1)
    else:
        capsule_bytes = source
    if len(capsule_bytes) > MAX_PACKED:
        raise ValueError(f"it is larger than {MAX_PACKED:,} bytes")
    return capsule_bytes


def _unpack(capsule_bytes: bytes) -> dict[str, bytes]:
    """Return the files in the zip, by name; the sizes stated in the zip's headers are not trusted."""
    contents: dict[str, bytes] = {}
    bytes_left = MAX_UNPACKED
    try:
        with zipfile.ZipFile(io.BytesIO(capsule_bytes)) as archive:
            names = archive.namelist()
            _check_names(names)
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


def _check_names(names: list[str]) -> None:
    if unknown_names := [name for name in names if name not in _FILE_NAMES]:
        raise ValueError(f"it contains a file that does not belong in a capsule: {unknown_names[0][:80]!r}")
    if len(set(names)) != len(names):
        raise ValueError("it contains two files with the same name")
    if missing := sorted(_NEEDED_FILES - set(names)):
        raise ValueError(f"it has no {missing[0]}")


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
    return Capsule(
        card,
        search.with_candidates(candidates),
        answer,
        _optional(CONSENSUS, contents, FILES["consensus"]),
        _optional(TEXTS, contents, FILES["texts"]) or (),
        _optional(PLACES, contents, FILES["places"]) or (),
        _optional(SHELF, contents, FILES["shelf"]),
        altered_files=_altered_files(card, contents),
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


def _altered_files(card: CapsuleCard, contents: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return the names of files whose content differs from what the card says, or that the card or the zip lacks."""
    actual = {FileHash(name, hashlib.sha256(text).hexdigest()) for name, text in contents.items() if name != CARD_FILE}
    return tuple(sorted({entry.name for entry in actual ^ set(card.files)}))
