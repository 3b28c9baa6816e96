"""Readers' work, in the folder PATHFINDER_DATA: listed, backed up, moved to another corpus, deleted."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from pathfinder import user_data
from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject
from pathfinder.operations.operation import Declarer, Shell, declare
from pathfinder.settings import read_settings

_declare: Declarer = partial(declare, settings=(), opens="nothing")


def _folder() -> Path:
    return user_data.data_folder(read_settings())


def _list_lines(record: JsonObject) -> Sequence[str]:
    lines = [
        f"{each['id']}: {', '.join(f'{n} {table}' for table, n in each['rows'].items())}" for each in record["corpora"]
    ]
    return lines or [f"{record['folder']} contains no readers' work yet"]


@_declare("data list", lines=_list_lines)
def list_data(_: None) -> JsonObject:
    """Count what is stored, for each corpus id."""
    counts = user_data.contents(_folder())
    return {"folder": str(_folder()), "corpora": [{"id": each, "rows": rows} for each, rows in counts.items()]}


@_declare("data backup", lines=lambda record: (f"{record['archive']}: {', '.join(record['files'])}",))
def back_up(_: None, archive: Annotated[Path, Shell("FILE", "New zip archive.")]) -> JsonObject:
    """Copy everything to one file, even while readers continue to work."""
    return {"archive": str(archive), "files": [*user_data.back_up(_folder(), archive)]}


@_declare("data restore", lines=lambda record: (f"{record['folder']}: {', '.join(record['files'])}",))
def restore(_: None, archive: Annotated[Path, Shell("FILE", "Archive made by `data backup`.")]) -> JsonObject:
    """Unpack a backup into a folder that contains no work yet."""
    return {"folder": str(_folder()), "files": [*user_data.restore(archive, _folder())]}


@_declare("data move", lines=lambda record: (f"{record['n']} moved",))
def move(
    _: None,
    old: Annotated[str, Shell("ID", "Id that `data list` shows; in older data, the name of the corpus.")],
    new: Annotated[str, Shell("NEW", "Id that `pathfinder info` prints for the other corpus.")],
) -> JsonObject:
    """Move what is stored for one corpus to another, such as the same corpus built again elsewhere."""
    return {"n": _some(user_data.move_corpus(_folder(), old, new), old)}


@_declare("data delete", lines=lambda record: (f"{record['n']} {'files ' if record['all'] else ''}deleted",))
def delete(
    _: None,
    corpus_id: Annotated[str | None, Shell("ID", "Id of the corpus, as `data list` shows it.")] = None,
    everything: Annotated[bool, Shell("--all", "Everything, including files of earlier versions.")] = False,
) -> JsonObject:
    """Delete what is stored for a corpus, or everything. A backup is the only way back."""
    if (corpus_id is None) != everything:
        raise UsageError("name one of the corpora that `pathfinder data list` shows, or give --all")
    if corpus_id is None:
        return {"n": user_data.delete_all(_folder()), "all": True}
    return {"n": _some(user_data.delete_corpus(_folder(), corpus_id), corpus_id), "all": False}


def _some(n: int, corpus: str) -> int:
    if n == 0:
        raise UsageError(f"nothing is stored for {corpus!r}: `pathfinder data list` shows what is")
    return n
