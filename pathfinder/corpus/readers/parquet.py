"""Records from Parquet files: shards of arXiv's dump, the published Pathfinder set, or tables with plainly
named columns.

Only one batch of rows is in memory at a time. Vector columns are read separately, and only on request.
"""

import datetime
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pathfinder.corpus.readers.guessed_columns import guessed_fields, plainly_named, with_author_lists
from pathfinder.corpus.readers.reader import Reader, RejectedRow
from pathfinder.corpus.schemas.fields import Record
from pathfinder.errors import CorpusError

ROWS_PER_BATCH = 2048


def read_parquet_records(path: Path) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the rows of `path` in order, each with its number, counted from 1.

    Columns that another program named are renamed as in a CSV file. Raises `CorpusError` if the file is damaged.
    """
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            columns = [field.name for field in file.schema_arrow if not _is_vector(field.type)]
            fields = guessed_fields(columns)
            for batch in file.iter_batches(ROWS_PER_BATCH, columns=columns):
                for row in batch.to_pylist():
                    number += 1
                    yield number, plainly_named({fields.get(name, name): _plain(value) for name, value in row.items()})
    except (pa.ArrowException, OSError) as error:
        raise CorpusError(
            f"{path} is not a complete Parquet file (after row {number}: {type(error).__name__}): fetch it again"
        ) from error


def _is_vector(kind: pa.DataType) -> bool:
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    return bool(is_list and pa.types.is_floating(kind.value_type))


def _plain(value: object) -> object:
    """Return a value as JSON would hold it: dates as text, whole numbers without a fraction."""
    if isinstance(value, datetime.datetime):
        return value.date().isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    return int(value) if isinstance(value, float) and value.is_integer() else value


PARQUET = Reader("Parquet", (".parquet",), with_author_lists(read_parquet_records))


def read_parquet_vectors(path: Path, column: str) -> Iterator[NDArray[np.float32] | None]:
    """Yield the vector of each row of `path` in order, from `column`; `None` for a row without one.

    A vector is returned as stored: it may be of any length, and a missing number becomes NaN. Raises `CorpusError` if
    there is no such column, if it holds anything but lists of numbers, or if the file is damaged.
    """
    try:
        with pq.ParquetFile(path) as file:
            columns = [field.name for field in file.schema_arrow if _is_vector(field.type)]
            others = f"its columns of vectors are {', '.join(columns)}" if columns else "it has no column of vectors"
            if column not in file.schema_arrow.names:
                raise CorpusError(f"{path} has no column {column!r}: {others}")
            if column not in columns:
                kind = file.schema_arrow.field(column).type
                raise CorpusError(
                    f"the column {column!r} of {path} holds {kind}, not lists of floating-point numbers: {others}"
                )
            for batch in file.iter_batches(ROWS_PER_BATCH, columns=[column]):
                for vector in batch.column(0):
                    numbers = vector.values.to_numpy(zero_copy_only=False) if vector.is_valid else None
                    yield None if numbers is None else numbers.astype(np.float32)
    except (pa.ArrowException, OSError) as error:
        raise CorpusError(
            f"{path} is not a complete Parquet file ({type(error).__name__} in column {column!r}): fetch it again"
        ) from error
