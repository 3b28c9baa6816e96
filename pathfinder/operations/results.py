"""What programs get: models derived from the frozen types of outcomes, with papers in a few words."""

import ast
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import cleandoc, getsource
from itertools import pairwise
from textwrap import dedent
from types import GenericAlias, UnionType
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, GetJsonSchemaHandler, create_model

from pathfinder.export.plain_json import JsonObject
from pathfinder.types import Paper


class Result(BaseModel):
    """A result, read from the attributes of an outcome. OpenAPI describes its fields by their docstrings."""

    model_config = ConfigDict(
        frozen=True, use_enum_values=True, from_attributes=True, populate_by_name=True, defer_build=True
    )
    written: ClassVar[type[Any] | None] = None
    """Class that has the docstrings, if it is another one."""

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: GetJsonSchemaHandler) -> Any:
        record = handler(schema)
        properties, texts = handler.resolve_ref_schema(record)["properties"], _docstrings(cls.written or cls)
        for name, field in cls.model_fields.items():
            if text := texts.get(str(field.validation_alias or name)):
                properties[name]["description"] = text
        return record


def _of_paper(*names: str) -> Any:
    return Field(validation_alias=AliasChoices(*(AliasPath("paper", name) for name in names), *names))


class PaperLine(Result):
    """A paper in a few words, read from a `Paper` or from what has a `paper`."""

    paper_id: str = _of_paper("paper_id")
    title: str = _of_paper("title")
    year: int | None = _of_paper("known_year", "year")
    status: str | None = _of_paper("status")
    """"withdrawn" or "retracted"; null if no source says so."""


def result_of(kind: type[Any], without: str = "", **others: Any) -> Any:
    """Derive a model from a frozen dataclass or a named tuple: its fields, except those named in `without`. A `Paper`
    becomes a `PaperLine`, which stands in the place of a field `paper`, and other classes become models likewise.

    `others` are further or changed fields: the name of the attribute or property that holds it; its type, `[type]` for
    a list; or the list with the path of its attribute, which may be missing.
    """
    hints = get_type_hints(kind)
    renamed = {name for name in others.values() if isinstance(name, str)}
    names = [each.name for each in fields(kind)] if is_dataclass(kind) else hints
    left_out = {*without.split(), "paper", *renamed}
    entries: dict[str, Any] = {name: (_in_json(hints[name]), ...) for name in names if name not in left_out}
    for name, other in others.items():
        if isinstance(other, str):
            hint = hints.get(other) or get_type_hints(getattr(kind, other).fget)["return"]
            entries[name] = (_in_json(hint), Field(validation_alias=other))
        elif isinstance(other, tuple):
            (part,), path = other
            entries[name] = (GenericAlias(list, (part,)) | None, Field(default=None, validation_alias=path))
        else:
            entries[name] = (GenericAlias(list, tuple(other)) if isinstance(other, list) else other, ...)
    base = PaperLine if hints.get("paper") is Paper else Result
    model = create_model(kind.__name__, __base__=base, __doc__=kind.__doc__, **entries)
    model.written = kind
    return model


def _in_json(hint: Any) -> Any:
    if hint is Paper:
        return PaperLine
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        return _nested(hint)
    if not (parts := get_args(hint)):
        return hint
    parts = tuple(map(_in_json, parts))
    return Union[parts] if get_origin(hint) is UnionType else get_origin(hint)[parts]  # noqa: UP007  made of parts


_nested = cache(result_of)


def _docstrings(kind: type[Any]) -> dict[str, str]:
    """Return the docstrings of the fields of a class, by their names."""
    (definition,) = ast.parse(dedent(getsource(kind))).body
    texts = {}
    for entry, text in pairwise(definition.body if isinstance(definition, ast.ClassDef) else ()):
        if isinstance(entry, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            texts[ast.unparse(entry.target)] = cleandoc(str(text.value.value)).replace("`None`", "null")
    return texts


def only(record: JsonObject, names: Iterable[str]) -> JsonObject:
    """Return the fields of `record` with these names, in this order."""
    return {name: record[name] for name in names}
