"""Readers' work, in the folder PATHFINDER_DATA: listed, backed up, moved to another corpus, deleted."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Annotated, NamedTuple

from pathfinder import user_data
from pathfinder.errors import UsageError
from pathfinder.operations.operation import Declarer, Shell, declare
from pathfinder.settings import read_settings

_declare: Declarer = partial(declare, settings=(), opens="nothing")


def _folder() -> Path:
    return user_data.data_folder(read_settings())


class DataOfCorpus(NamedTuple):
    """What is stored for a corpus."""

    id: str
    rows: Mapping[str, int]
    """Number of things of each kind."""


class StoredData(NamedTuple):
    """Readers' work in a folder."""

    folder: Path
    corpora: tuple[DataOfCorpus, ...]


class PackedData(NamedTuple):
    """Files in a backup."""

    archive: Path
    files: tuple[str, ...]


class UnpackedData(NamedTuple):
    """Files from a backup."""

    folder: Path
    files: tuple[str, ...]


class MovedData(NamedTuple):
    """What was moved to another corpus."""

    n: int
    """Number of things."""


class DeletedData(NamedTuple):
    """What was deleted."""

    n: int
    """Number of things, or of files if everything was deleted."""
    all: bool
    """True if everything was deleted."""


def _list_lines(stored: StoredData) -> Sequence[str]:
    lines = [f"{corpus}: {', '.join(f'{n} {table}' for table, n in rows.items())}" for corpus, rows in stored.corpora]
    return lines or [f"{stored.folder} contains no readers' work yet"]


@_declare("data list", lines=_list_lines)
def list_data(_: None) -> StoredData:
    """Count what is stored, for each corpus id."""
    return StoredData(_folder(), tuple(starmap(DataOfCorpus, user_data.contents(_folder()).items())))


@_declare("data backup", lines=lambda packed: (f"{packed.archive}: {', '.join(packed.files)}",))
def back_up(_: None, archive: Annotated[Path, Shell("FILE", "New zip archive.")]) -> PackedData:
    """Copy everything to one file, even while readers continue to work."""
    return PackedData(archive, tuple(user_data.back_up(_folder(), archive)))


@_declare("data restore", lines=lambda unpacked: (f"{unpacked.folder}: {', '.join(unpacked.files)}",))
def restore(_: None, archive: Annotated[Path, Shell("FILE", "Archive made by `data backup`.")]) -> UnpackedData:
    """Unpack a backup into a folder that contains no work yet."""
    return UnpackedData(_folder(), tuple(user_data.restore(archive, _folder())))


@_declare("data move", lines=lambda moved: (f"{moved.n} moved",))
def move(
    _: None,
    old: Annotated[str, Shell("ID", "Id that `data list` shows; in older data, the name of the corpus.")],
    new: Annotated[str, Shell("NEW", "Id that `pathfinder info` prints for the other corpus.")],
) -> MovedData:
    """Move what is stored for one corpus to another, such as the same corpus built again elsewhere."""
    return MovedData(_some(user_data.move_corpus(_folder(), old, new), old))


@_declare("data delete", lines=lambda deleted: (f"{deleted.n} {'files ' if deleted.all else ''}deleted",))
def delete(
    _: None,
    corpus_id: Annotated[str | None, Shell("ID", "Id of the corpus, as `data list` shows it.")] = None,
    everything: Annotated[bool, Shell("--all", "Everything, including files of earlier versions.")] = False,
) -> DeletedData:
    """Delete what is stored for a corpus, or everything. A backup is the only way back."""
    if (corpus_id is None) != everything:
        raise UsageError("name one of the corpora that `pathfinder data list` shows, or give --all")
    if corpus_id is None:
        return DeletedData(user_data.delete_all(_folder()), all=True)
    return DeletedData(_some(user_data.delete_corpus(_folder(), corpus_id), corpus_id), all=False)


def _some(n: int, corpus: str) -> int:
    if n == 0:
        raise UsageError(f"nothing is stored for {corpus!r}: `pathfinder data list` shows what is")
    return n
