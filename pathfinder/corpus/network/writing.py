"""Makes the citation network from the references that papers list: works, each recognised by any of its identifiers."""

import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.corpus.merging.identifiers import identifier_keys
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
from pathfinder.text.identifiers import identifier_key
from pathfinder.types import Paper, Rows

ID_SCHEME = "id"
"""Scheme of a reference that names a paper by its id in the corpus."""

SCHEMES = frozenset({"arxiv", "doi", "bibcode", "openalex", "pmid", "pmcid", ID_SCHEME})
"""Schemes of identifiers."""

_IDENTIFIERS = ("paper_id", "bibcode", "arxiv_id", "doi", "openalex_id", "pmid", "other_ids")
_PREPRINT = re.compile(r"\d{4}arxiv(\d{4})\.?(\d{4,5})[a-z.]")
_OLD_PREPRINT = re.compile(r"\d\d(\d\d)(astro\.ph|gr\.qc|hep\.(?:ex|lat|ph|th)|nucl\.(?:ex|th))\.*(\d{3,5})[a-z.]")


def work_key(work: str) -> str:
    """Write a reference, `scheme:id`, in the form in which references are compared.

    The DOI that arXiv made from its own id, and the bibcode that ADS made from that id (2020arXiv200413832K,
    1998astro.ph..5201R), count as the id.
    """
    scheme, _, name = work.partition(":")
    scheme, name = scheme.strip().lower(), name.strip()
    if scheme == ID_SCHEME:
        return f"{ID_SCHEME}:{name}"
    if scheme == "bibcode" and (match := _PREPRINT.fullmatch(name.lower())):
        return f"arxiv:{match[1]}.{match[2]}"
    if scheme == "bibcode" and (match := _OLD_PREPRINT.fullmatch(name.lower())):
        archive = match[2].replace(".", "-")
        return f"arxiv:{identifier_key(f'{archive}/{match[1]}{match[3]:0>5}')}"
    kinds = identifier_keys(Paper("", "", "", other_ids=(f"{scheme}:{name}",)))
    return next((f"{kind}:{key}" for kind, keys in kinds.items() for key in keys), f"{scheme}:{name.lower()}")


def rows_by_work(table: pa.Table) -> dict[str, int]:
    """Map every identifier of each paper in `table`, written as `work_key` writes it, to the paper's row. If two papers
    share an identifier, it stands for the first.
    """
    rows: dict[str, int] = {}
    row = 0
    for batch in table.select(_IDENTIFIERS).to_batches():
        for record in batch.to_pylist():
            names = {**record, "other_ids": tuple(record["other_ids"])}
            rows.setdefault(f"{ID_SCHEME}:{names['paper_id']}", row)
            for kind, keys in identifier_keys(Paper(title="", abstract="", **names)).items():
                for key in keys:
                    rows.setdefault(f"{kind}:{key}", row)
            row += 1
    return rows


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
