"""A thesaurus as a part of a corpus: two Arrow files, memory-mapped; nothing is unpickled."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from pathfinder.corpus.thesaurus.concepts import Concept, Thesaurus, key_of
from pathfinder.errors import CorpusDamaged

CONCEPTS_FILE, NAMES_FILE = "concepts.arrow", "names.arrow"
_TEXTS = pa.list_(pa.string())
_CONCEPTS = pa.schema(
    [
        ("concept_id", pa.string()),
        ("label", pa.string()),
        ("alternatives", _TEXTS),
        ("broader", _TEXTS),
        ("narrower", _TEXTS),
        ("definition", pa.string()),
    ]
)
_NAMES = pa.schema([("key", pa.string()), ("name", pa.string()), ("row", pa.int32()), ("is_label", pa.bool_())])
_TITLE = b"title"


def write_thesaurus(name: str, concepts: Sequence[Concept], folder: Path) -> None:
    """Write `concepts` and the index of their names into `folder`; the same input always produces the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    columns = [pa.array([getattr(concept, f.name) for concept in concepts], f.type) for f in _CONCEPTS]
    _write(pa.table(columns, schema=_CONCEPTS.with_metadata({_TITLE: name.encode()})), folder / CONCEPTS_FILE)
    entries = sorted(
        (key, row, place, text)
        for row, concept in enumerate(concepts)
        for place, text in enumerate(concept.names)
        if (key := key_of(text))
    )
    keys, rows, places, texts = ([entry[i] for entry in entries] for i in range(4))
    names = [pa.array(keys), pa.array(texts), pa.array(rows, pa.int32()), pa.array([place == 0 for place in places])]
    _write(pa.table(names, schema=_NAMES), folder / NAMES_FILE)


def open_thesaurus(folder: Path) -> Thesaurus:
    """Open the files written by `write_thesaurus`. Raises `CorpusDamaged` for anything else."""
    concepts, names = _table(folder / CONCEPTS_FILE, _CONCEPTS), _table(folder / NAMES_FILE, _NAMES)
    title = (concepts.schema.metadata or {}).get(_TITLE, b"")
    return Thesaurus(title.decode(errors="replace"), concepts, names)


def _write(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        for batch in table.combine_chunks().to_batches():
            writer.write_batch(batch)


def _table(path: Path, schema: pa.Schema) -> pa.Table:
    try:
        with pa.memory_map(str(path)) as file:
            table = pa.ipc.open_file(file).read_all()
        table.validate(full=True)
    except (OSError, pa.ArrowInvalid) as error:
        why = " ".join(str(error).split())
        raise CorpusDamaged(f"{path} is damaged ({why}): build again with --thesaurus FILE") from error
    if not table.schema.equals(schema):
        raise CorpusDamaged(
            f"{path} has columns that this version of Pathfinder does not write: build again with --thesaurus FILE"
        )
    return table
