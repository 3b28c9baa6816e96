"""The concepts of a thesaurus, which can be looked up by row or by the lemmas of a name; a part of a corpus, as two
Arrow files that are memory-mapped.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from pathfinder.errors import CorpusDamaged
from pathfinder.text.language.lemmas import lemmas


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept, under the name preferred by the thesaurus."""

    concept_id: str
    """Last part of the concept's URI: "104" for `http://example.org/thesaurus/104`."""
    label: str
    alternatives: tuple[str, ...] = ()
    """Other names, in the order of the file."""
    broader: tuple[str, ...] = ()
    """Ids of the broader concepts; none for a top concept."""
    narrower: tuple[str, ...] = ()
    definition: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All names, the preferred one first."""
        return (self.label, *self.alternatives)


@dataclass(frozen=True, slots=True, eq=False)
class Thesaurus:
    """The concepts of a thesaurus in the order of its file, memory-mapped; a `Concept` is created only when read."""

    name: str
    """Title, such as "Unified Astronomy Thesaurus"."""
    concepts: pa.Table
    names: pa.Table
    """Every name, sorted by its lemmas, with the columns `key`, `name`, `row` (of its concept) and `is_label`."""

    def __len__(self) -> int:
        return int(self.concepts.num_rows)

    def concept(self, row: int) -> Concept:
        """Return the concept at `row`."""
        (fields,) = self.concepts.slice(row, 1).to_pylist()
        return Concept(**{k: tuple(v) if isinstance(v, list) else v for k, v in fields.items()})  # type: ignore[arg-type]

    def concepts_called(self, phrase: str) -> tuple[tuple[str, Concept], ...]:
        """Return the concepts that have a name with the same lemmas as `phrase`, each with that name as spelled in the
        thesaurus.

        If the name is the label of some concepts and a synonym of others, only the former are returned.
        """
        entries = self._entries(key_of(phrase))
        labels = [entry for entry in entries if entry[2]]
        return tuple((name, self.concept(row)) for name, row, _ in labels or entries)

    def has_word(self, word: str) -> bool:
        """Return whether a name contains `word`, which has only letters; case is ignored."""
        names = self.names.column("name")
        return bool(pc.any(pc.match_substring_regex(names, rf"\b{word}\b", ignore_case=True)).as_py())

    def _entries(self, key: str) -> list[tuple[str, int, bool]]:
        keys = self.names.column("key")
        place = bisect_left(range(len(keys)), key, key=lambda i: str(keys[i].as_py()))
        entries = []
        while key and place < len(keys) and keys[place].as_py() == key:
            entry = self.names.slice(place, 1).to_pylist()[0]
            entries.append((str(entry["name"]), int(entry["row"]), bool(entry["is_label"])))
            place += 1
        return entries


def key_of(phrase: str) -> str:
    """Return the lemmas of a name, joined by spaces; two spellings of the same name have the same key."""
    return " ".join(lemmas(phrase))


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
