"""The fields of a collection, the records that fill them, and the filters that select from them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pathfinder.index.engines import Filterable, VectorsOf
from pathfinder.index.predicate import PaperColumns, Predicate
from pathfinder.index.words import INDEX_STOP_WORDS, stems, words
from pathfinder.models.ports import Vectors
from pathfinder.types import Rows

SCHEMA_VERSION = 2
MOST_BYTES = 65_535
"""Length to which a text is cut in the collection, in bytes: no field on the server can be longer."""


def schema(client: Any, dimension: int, *, has_words: bool) -> Any:
    """Return the fields of a collection; with `has_words`, the server ranks papers by their words too."""
    from pymilvus import DataType, Function, FunctionType

    collection_schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    collection_schema.add_field("row", DataType.INT64, is_primary=True)
    collection_schema.add_field("paper", DataType.INT64)
    collection_schema.add_field("year", DataType.INT16)
    collection_schema.add_field("has_abstract", DataType.BOOL)
    # Version 2.3 accepts 16-bit floats, but returns wrong distances for them.
    collection_schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimension)
    collection_schema.add_field("text", DataType.VARCHAR, max_length=MOST_BYTES)
    collection_schema.add_field("facts", DataType.JSON)
    if has_words:
        # We prepare the words: stems without stop words, joined by spaces, so that the server only has to split them.
        collection_schema.add_field(
            "stems", DataType.VARCHAR, max_length=MOST_BYTES, enable_analyzer=True, analyzer_params=ANALYZER
        )
        collection_schema.add_field("words", DataType.SPARSE_FLOAT_VECTOR)
        collection_schema.add_function(
            Function(
                name="bm25",
                function_type=FunctionType.BM25,
                input_field_names=["stems"],
                output_field_names=["words"],
            )
        )
    return collection_schema


ANALYZER = {"tokenizer": "standard"}
"""The server's analyzer for our stems, which it splits at spaces."""


def records(rows: Rows, vectors: Vectors | VectorsOf, papers: Filterable, *, has_words: bool) -> list[dict[str, Any]]:
    """Return what the server stores for the vectors at `rows`."""
    owners = rows if papers.papers is None else papers.papers[rows]
    years = np.nan_to_num(papers.years[owners], nan=YEAR_UNKNOWN)
    float_vectors = np.asarray(vectors[rows], dtype=np.float32)
    texts, facts = papers.texts(rows), papers.facts(rows)
    rows_of_server = [
        {
            "row": int(row),
            "paper": int(owner),
            "year": int(year),
            "has_abstract": bool(has_abstract),
            "vector": vector,
            "text": cut(text),
            "facts": dict(entry),
        }
        for row, owner, year, has_abstract, vector, text, entry in zip(
            rows, owners, years, papers.has_abstract[owners], float_vectors, texts, facts, strict=True
        )
    ]
    if has_words:
        for record, text in zip(rows_of_server, texts, strict=True):
            record["stems"] = cut(" ".join(stems(words(text), INDEX_STOP_WORDS)))
    return rows_of_server


def cut(text: str) -> str:
    """Return `text`, cut to the maximum length of a field."""
    return text.encode()[:MOST_BYTES].decode(errors="ignore")


def types(fields: Iterable[Mapping[str, Any]]) -> set[tuple[str, int, int | None]]:
    """Return the name, type and dimension of each field."""
    return {(field["name"], int(field["type"]), (field.get("params") or {}).get("dim")) for field in fields}


def field_names(fields: Iterable[Mapping[str, Any]]) -> str:
    """Return the names of `fields`."""
    return ", ".join(sorted(str(field["name"]) for field in fields))


YEAR_UNKNOWN = -32_768
"""Year that the server stores for papers without one: below any year that a filter can name."""
_LATEST = 32_767


def expression(predicate: Predicate, n_papers: int, columns: PaperColumns | None) -> str:
    """Return `predicate` in the language of Milvus; an empty text admits every paper.

    The server itself checks years and whether there is an abstract. Papers that satisfy the other conditions are looked
    up in `columns` and listed by their rows in the corpus; if most papers do, those that do not are listed instead.
    """
    conditions = []
    if predicate.year_from is not None:
        conditions.append(f"year >= {max(predicate.year_from, YEAR_UNKNOWN + 1)}")
    if predicate.year_to is not None:
        conditions.append(f"year > {YEAR_UNKNOWN} and year <= {min(predicate.year_to, _LATEST)}")
    if predicate.has_abstract is not None:
        conditions.append(f"has_abstract == {str(predicate.has_abstract).lower()}")
    others = replace(predicate, year_from=None, year_to=None, has_abstract=None)
    mask = others.mask(n_papers, columns)
    if mask is not None:
        inside, outside = np.flatnonzero(mask), np.flatnonzero(~mask)
        conditions.append(
            f"paper in {inside.tolist()}" if len(inside) <= len(outside) else f"paper not in {outside.tolist()}"
        )
    return " and ".join(f"({condition})" for condition in conditions)
