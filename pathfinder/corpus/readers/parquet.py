"""Records from Parquet files: shards of arXiv's dump, the published Pathfinder set, or plainly named columns.

Only one batch of rows is in memory at a time. Columns of vectors are not read.
"""

import datetime
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pathfinder.corpus.readers.guessed_columns import guessed_fields
from pathfinder.corpus.readers.reader import Reader
from pathfinder.corpus.readers.rejected import Rejected
from pathfinder.corpus.schemas.any_paper import any_paper
from pathfinder.corpus.schemas.fields import Record
from pathfinder.corpus.schemas.loose_fields import chosen_id, loose_date
from pathfinder.errors import CorpusError
from pathfinder.types import Paper

ROWS_PER_BATCH = 2048
_IDS = ("id", "_id", "paper_id")


def read_parquet_records(path: Path) -> Iterator[tuple[int, Record | Rejected]]:
    """Yield the rows of `path` in order, each with its number, from 1.

    Columns with foreign names are renamed like those of a CSV file. Raises `CorpusError` if the file is damaged.
    """
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            columns = [field.name for field in file.schema_arrow if not _is_vector(field.type)]
            fields = guessed_fields(columns)
            for batch in file.iter_batches(ROWS_PER_BATCH, columns=columns):
                for row in batch.to_pylist():
                    number += 1
                    yield number, {fields.get(name, name): _plain(value) for name, value in row.items()}
    except (pa.ArrowException, OSError) as error:
        raise CorpusError(
            f"{path} is no whole Parquet file (after row {number}: {type(error).__name__}): fetch it again"
        ) from error


def parquet_paper(record: Record) -> Paper:
    """Return the paper in a row. Raises `Unusable` with the reason."""
    if any(record.get(name) for name in _IDS):
        return any_paper(record)
    year, date = loose_date(str(record.get("date") or ""), str(record.get("year") or ""))
    row = {**record, "year": year, "date": date}
    return any_paper({**row, "id": chosen_id(row)})


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


PARQUET = Reader("Parquet", (".parquet",), read_parquet_records, parquet_paper)
