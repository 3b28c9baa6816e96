"""Options shared by `search`, `ask` and `consensus`, and the request built from them."""

import inspect
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from pathfinder.errors import UsageError
from pathfinder.retrieval.factors import factor_settings
from pathfinder.settings import read_settings
from pathfinder.types import Region, SearchRequest, Weighting
from pathfinder.types import setting_kinds as kinds
from pathfinder.types.setting_kinds import Several
from pathfinder.types.settings import Setting, settings_of
from pathfinder.types.weighting import Steers

JsonFlag: TypeAlias = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
CorpusFolder: TypeAlias = Annotated[
    Path | None,
    typer.Option("--corpus", metavar="DIR", help="Folder of the corpus; by default the one in PATHFINDER_CORPUS."),
]

FOLDER_HELP = "Folder of the corpus."
Folder: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", help=FOLDER_HELP)]
"""First argument of commands that also take `--corpus` in its place."""
NewFolder: TypeAlias = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Folder of the corpus; papers are added to it.")
]


_TYPES: dict[type, Any] = {
    kinds.Switch: bool,
    kinds.Strength: float,
    kinds.ModelName: str,
    Several: str | None,
    Steers: list[str] | None,
    kinds.PhraseList: list[str] | None,
    kinds.NameList: list[str] | None,
    kinds.Synonyms: Path | None,
    kinds.MapRegion: str | None,
    kinds.Day: datetime | None,
}
"""Type that Typer uses for each kind of setting; numbers and choices define their own."""

_METAVARS: dict[type, str] = {
    kinds.ModelName: "NAME",
    Several: "NAME,NAME...",
    Steers: "FEATURE=STRENGTH",
    kinds.Synonyms: "FILE",
    kinds.MapRegion: "X,Y;X,Y;...",
    kinds.Day: "YYYY-MM-DD",
}


@cache
def option(setting: Setting) -> Any:
    """Return the annotation of a setting's command-line option."""
    kind = type(setting.kind)
    formats: dict[str, Any] = {"formats": ["%Y-%m-%d"]} if kind is kinds.Day else {}
    names, metavar = str(setting.option).split(), _METAVARS.get(kind)
    return Annotated[_type(setting.kind), typer.Option(*names, help=_help(setting), metavar=metavar, **formats)]


def _type(kind: kinds.Kind) -> Any:
    if isinstance(kind, kinds.Alternatives):
        return kind.members
    if isinstance(kind, kinds.WholeNumber):
        return int | None if kind.is_optional else int
    if isinstance(kind, kinds.Number):
        return float | None if kind.is_optional else float
    return _TYPES[type(kind)]


def _help(setting: Setting) -> str:
    """Return the help text of the setting, with the parts that Typer does not add itself."""
    if isinstance(setting.kind, kinds.PhraseList | kinds.NameList):
        return f"{setting.help} May be repeated."
    kind = setting.kind
    if isinstance(kind, Steers):
        return f"{setting.help} Strengths range from -1 to 1; see `pathfinder features`. May be repeated."
    has_range = isinstance(kind, kinds.Strength | Several) or (
        isinstance(kind, kinds.WholeNumber | kinds.Number) and not kind.is_optional
    )
    return f"{setting.help.rstrip('.')}: {kind.values}." if has_range else setting.help


_SHELF = "within_shelf"
_STRENGTH = "strength_"
"""Prefix of the parameters for the strengths of those factors whose names come from the packages that provide them."""


def question_options(*, needs_question: bool) -> dict[str, tuple[Any, Any]]:
    """Return the options of a question, with their annotations and defaults."""
    argument = typer.Argument(metavar="QUESTION", help="A question, a topic or an abstract.")
    kind, default = (str, inspect.Parameter.empty) if needs_question else (str | None, None)
    shelf = typer.Option(
        "--within-shelf", metavar="SHELF", help="Only papers on this shelf that are not marked as out."
    )
    groups = ("", settings_of(SearchRequest)), (_STRENGTH, factor_settings()), ("", settings_of(Weighting))
    return {
        "question": (Annotated[kind, argument], default),
        "corpus": (CorpusFolder, None),
        **{
            beginning + each.name: (option(each), None if each.default == () else each.default)
            for beginning, settings in groups
            for each in settings
        },
        _SHELF: (Annotated[str | None, shelf], None),
        "as_json": (JsonFlag, False),
    }


def request_of(corpus: Path | None, options: dict[str, Any]) -> SearchRequest | None:
    """Build the request from the options of a command line; `None` without a question."""
    question, shelf = options["question"], options[_SHELF]
    if shelf is not None:
        from pathfinder.cli.open_corpus import corpus_folder
        from pathfinder.shelves.shelf import ShelfStore

        if within := options["within"]:
            raise UsageError(
                f"--within {within[0]!r} and --within-shelf {shelf!r} cannot be used together: use only one of them"
            )
        options["within"] = list(ShelfStore.of(corpus_folder(corpus, read_settings())).inside(shelf))
    if question is None:
        return None
    weighting = Weighting(**{each.name: _value(each, options[each.name]) for each in settings_of(Weighting)})
    for setting in factor_settings():
        if (strength := options[_STRENGTH + setting.name]) != setting.default:
            weighting = weighting.with_strength(setting.name, strength)
    values = {setting.name: _value(setting, options[setting.name]) for setting in settings_of(SearchRequest)}
    return SearchRequest(question, weighting=weighting, **values)


def _value(setting: Setting, typer_value: Any) -> Any:
    if isinstance(setting.kind, kinds.PhraseList | kinds.NameList):
        return tuple(typer_value or ())
    if isinstance(setting.kind, Several):
        return setting.kind.read(typer_value or "")
    if isinstance(setting.kind, Steers):
        return setting.kind.read("; ".join(typer_value or ()))
    if isinstance(setting.kind, kinds.Synonyms):
        if typer_value is None:
            return ()
        from pathfinder.retrieval.expansion.synonyms import load_own_synonyms

        return load_own_synonyms(typer_value)
    if isinstance(setting.kind, kinds.MapRegion):
        return None if typer_value is None else Region.read(typer_value)
    return typer_value.date() if isinstance(typer_value, datetime) else typer_value
