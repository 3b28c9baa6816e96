"""A full text as an Arrow file: a table of one row, with a column for each field of `Document`.

The columns follow from the types in `document.py`. If a field with a default is added there, it takes its default when
files written by earlier versions are read.
"""

from dataclasses import asdict, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import pyarrow as pa
from pydantic import TypeAdapter, ValidationError

from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged
from pathfinder.fulltext.document import Document
from pathfinder.fulltext.pdf.layout.box import Box
from pathfinder.text.strict_json import first_fault

_DOCUMENT = TypeAdapter(Document)
_PLAIN = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


def document_bytes(document: Document) -> bytes:
    """Return the content of the Arrow file for `document`; the same document always gives the same bytes."""
    table = pa.Table.from_pylist([asdict(document)], _schema())
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def read_document_bytes(content: bytes, path: Path) -> Document:
    """Read what `document_bytes` returned; `path` is named in error messages. Raises `CorpusDamaged` if `content` is
    anything else.
    """
    try:
        table = pa.ipc.open_file(pa.py_buffer(content)).read_all()
        table.validate(full=True)
        (row,) = table.to_pylist()
        return _DOCUMENT.validate_python(row)
    except ValidationError as error:
        raise CorpusDamaged(f"{path}: {first_fault(error)}: {CORPUS_REMEDY}") from error
    except (OSError, ValueError) as error:
        raise CorpusDamaged(f"{path} is not the Arrow file of a full text ({error}): {CORPUS_REMEDY}") from error


def _schema() -> pa.Schema:
    return pa.schema(_fields_of(Document))


def _fields_of(kind: type) -> list[pa.Field]:
    hints = get_type_hints(kind)
    return [pa.field(field.name, _column(hints[field.name])) for field in fields(kind)]


def _column(hint: Any) -> pa.DataType:
    """Return the type of the column for values of the type `hint`."""
    if NoneType in get_args(hint):
        (hint,) = (other for other in get_args(hint) if other is not NoneType)
    if get_origin(hint) is tuple:
        return pa.list_(_column(get_args(hint)[0]))
    if hint is Box:
        return pa.list_(pa.float64())
    if isinstance(hint, type) and is_dataclass(hint):
        return pa.struct(_fields_of(hint))
    return _PLAIN[str if issubclass(hint, StrEnum) else hint]
