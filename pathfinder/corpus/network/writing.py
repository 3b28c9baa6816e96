"""Makes the citation network from the references that papers list."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.corpus.network.arrays import (
    CITED_ROWS,
    CITED_STARTS,
    CITING_ROWS,
    CITING_STARTS,
    OUTSIDE,
    OUTSIDE_STARTS,
    WORKS,
    CitationNetwork,
    Lists,
)
from pathfinder.corpus.network.works import rows_by_work, work_key
from pathfinder.types import Rows


def has_references(table: pa.Table) -> bool:
    """Return whether any paper lists references."""
    return bool(pc.any(pc.greater(pc.list_value_length(table.column("references")), 0)).as_py())


def write_network(table: pa.Table, folder: Path) -> None:
    """Resolve the references of all papers and write the network to a new folder."""
    folder.mkdir()
    network = network_of(table)
    for lists, starts_name, name in (
        (network.references, CITED_STARTS, CITED_ROWS),
        (network.citing, CITING_STARTS, CITING_ROWS),
        (network.outside, OUTSIDE_STARTS, OUTSIDE),
    ):
        np.save(folder / starts_name, lists.starts, allow_pickle=False)
        np.save(folder / name, lists.values, allow_pickle=False)
    table = pa.table({"work": network.works})
    with pa.OSFile(str(folder / WORKS), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def network_of(table: pa.Table) -> CitationNetwork:
    """Resolve the references of all papers in `table`.

    A work counts once for each paper that cites it; a reference from a paper to itself is left out.
    """
    lists = table.column("references")
    lengths = np.array(pc.list_value_length(lists).to_pylist(), dtype=np.int64)
    codes, spellings = _distinct(lists)
    citing = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    keys = [work_key(work) for work in spellings]
    rows = rows_by_work(table)
    row_of = np.array([rows.get(key, -1) for key in keys], dtype=np.int64)
    cited_rows = row_of[codes]
    is_inside = (cited_rows >= 0) & (cited_rows != citing)
    pairs = _unique_pairs(citing[is_inside], cited_rows[is_inside])
    place_of, works = _outside_works(keys, spellings, row_of)
    is_outside = cited_rows < 0
    return CitationNetwork(
        references=_lists(*pairs, len(lengths)),
        citing=_lists(*_unique_pairs(pairs[1], pairs[0]), len(lengths)),
        outside=_lists(*_unique_pairs(citing[is_outside], place_of[codes[is_outside]]), len(lengths)),
        works=pa.array(works, pa.string()),
    )


def _distinct(lists: pa.ChunkedArray) -> tuple[Rows, list[str]]:
    """Return all references, paper by paper, as places in a list of distinct references."""
    # Join the chunks first, because each would otherwise have a dictionary of its own.
    reference_codes = pc.list_flatten(lists).combine_chunks().dictionary_encode()
    # Not `to_numpy`, because it imports pandas.
    codes = np.frombuffer(reference_codes.indices.buffers()[1], dtype=np.int32)[: len(reference_codes)]
    return codes.astype(np.int64), reference_codes.dictionary.to_pylist()


def _unique_pairs(first: Rows, second: Rows) -> tuple[Rows, Rows]:
    """Return the pairs without repetition, sorted by the first number and then by the second."""
    order = np.lexsort((second, first))
    first, second = first[order], second[order]
    is_new = np.ones(len(first), dtype=np.bool_)
    is_new[1:] = (np.diff(first) != 0) | (np.diff(second) != 0)
    return first[is_new], second[is_new]


def _outside_works(keys: list[str], works: list[str], row_of: Rows) -> tuple[Rows, list[str]]:
    """Number the works outside the corpus in the order of their keys; return the number of each reference (-1 for one
    to a paper in the corpus) and the works.
    """
    spelling: dict[str, str] = {}
    for key, work, row in zip(keys, works, row_of.tolist(), strict=True):
        if row < 0:
            spelling.setdefault(key, work)
    sorted_keys = sorted(spelling)
    place = {key: n for n, key in enumerate(sorted_keys)}
    return np.array([place.get(key, -1) for key in keys], dtype=np.int64), [spelling[key] for key in sorted_keys]


def _lists(owners: Rows, values: Rows, n_papers: int) -> Lists:
    starts: NDArray[np.int64] = np.searchsorted(owners, np.arange(n_papers + 1)).astype(np.int64)
    return Lists(starts, values.astype(np.int32))
