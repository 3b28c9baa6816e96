"""Options shared by `search`, `ask` and `consensus`, and the request built from them."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from pathfinder.errors import UsageError
from pathfinder.retrieval.factors import factor_settings
from pathfinder.types import Region, SearchRequest, Weighting
from pathfinder.types import setting_kinds as kinds
from pathfinder.types.settings import Setting, settings_of
from pathfinder.types.several import Several
from pathfinder.types.steers import Steers

JsonFlag: TypeAlias = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
CorpusFolder: TypeAlias = Annotated[
    Path | None,
    typer.Option("--corpus", metavar="DIR", help="Folder of the corpus; by default the one in PATHFINDER_CORPUS."),
]

FOLDER_HELP = "Folder of the corpus."
Folder: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", help=FOLDER_HELP)]
"""First argument of commands that also take `--corpus` in its place (`corpus_folder.py`)."""
NewFolder: TypeAlias = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Folder of the corpus; papers are added to it.")
]


Own = Mapping[str, tuple[Any, Any]]
"""Options that only one command has: annotation and default, by name."""

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


def option(setting: Setting) -> Any:
    """Return the annotation of a setting's command-line option."""
    return Annotated[_type(setting.kind), _option(setting)]


def _option(setting: Setting) -> Any:
    kind = type(setting.kind)
    formats: dict[str, Any] = {"formats": ["%Y-%m-%d"]} if kind is kinds.Day else {}
    return typer.Option(*str(setting.option).split(), help=_help(setting), metavar=_METAVARS.get(kind), **formats)


def _option_of(name: str) -> Any:
    return next(_option(setting) for setting in settings_of(SearchRequest) if setting.name == name)


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


YearFrom: TypeAlias = Annotated[int | None, _option_of("year_from")]
YearTo: TypeAlias = Annotated[int | None, _option_of("year_to")]


_SHELF = "within_shelf"
WithinShelf: TypeAlias = Annotated[
    str | None,
    typer.Option("--within-shelf", metavar="SHELF", help="Only papers on this shelf that are not marked as out."),
]
_STRENGTH = "strength_"
"""Prefix of the parameters for the strengths of those factors whose names come from the packages that provide them."""


@dataclass
class SearchCommand:
    """A command with the options of a search. It calls `run` with the request, the corpus and the JSON flag.

    `own` holds the options specific to this command, or a function that returns them; `run` receives them by name. The
    signature is built only when Typer parses the command line, so that no plug-in is loaded and no environment variable
    is read before that.
    """

    run: Callable[..., None]
    own: Own | Callable[[], Own] = field(default_factory=dict)
    needs_question: bool = True
    """False if the question may be left out; `run` then gets `None` in place of a request."""
    settings: Sequence[str] | None = None
    """Names of the settings of a search that a command without a question takes; `run` receives them by name."""
    folder: Any = CorpusFolder
    """How a command without a question names its corpus; `None` if it reads none."""

    def __post_init__(self) -> None:
        self.__name__, self.__doc__ = self.run.__name__.strip("_"), self.run.__doc__

    def __call__(self, as_json: bool, corpus: Path | None = None, **options: Any) -> None:
        if self.settings is not None:
            self.run(None, corpus, as_json, **options)
            return
        question = options.pop("question")
        own = {name: options.pop(name) for name in self._own}
        if (shelf := options.pop(_SHELF)) is not None:
            options["within"] = _on_shelf(corpus, shelf, options["within"])
        self.run(None if question is None else request_of(question, options), corpus, as_json, **own)

    @property
    def __signature__(self) -> inspect.Signature:
        if self.settings is None:
            return inspect.Signature([*_parameters(self._own, needs_question=self.needs_question)])
        chosen = {each.name: (option(each), each.default) for each in settings_of(SearchRequest)}
        options = {name: chosen[name] for name in self.settings}
        entries = {**self._own, **options, "as_json": (JsonFlag, False)}
        if self.folder is CorpusFolder:
            entries = {**self._own, "corpus": (CorpusFolder, None), **entries}
        elif self.folder is not None:
            entries = {"corpus": (self.folder, inspect.Parameter.empty), **entries}
        return inspect.Signature([_parameter(name, *entry) for name, entry in entries.items()])

    @property
    def _own(self) -> Own:
        return self.own() if callable(self.own) else self.own


def _on_shelf(corpus: Path | None, shelf: str, within: list[str] | None) -> list[str]:
    """Return the ids of the papers on a shelf. Raises `UsageError` if papers are also named one by one."""
    from pathfinder.cli.settings import corpus_folder
    from pathfinder.operations.shelves import ids_on
    from pathfinder.settings import read_settings

    if within:
        raise UsageError(
            f"--within {within[0]!r} and --within-shelf {shelf!r} cannot be used together: use only one of them"
        )
    return list(ids_on(corpus_folder(corpus, read_settings()), shelf))


def request_of(question: str, options: Mapping[str, Any]) -> SearchRequest:
    """Build the request from the options of a command line."""
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
        return _own_synonyms(typer_value)
    if isinstance(setting.kind, kinds.MapRegion):
        return None if typer_value is None else Region.read(typer_value)
    return typer_value.date() if isinstance(typer_value, datetime) else typer_value


def _own_synonyms(path: Path | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if path is None:
        return ()
    from pathfinder.retrieval.expansion.own_synonyms import load_own_synonyms

    return load_own_synonyms(path)


def _parameters(own: Own, *, needs_question: bool) -> Iterator[inspect.Parameter]:
    argument = typer.Argument(metavar="QUESTION", help="A question, a topic or an abstract.")
    kind, default = (str, inspect.Parameter.empty) if needs_question else (str | None, None)
    yield _parameter("question", Annotated[kind, argument], default)
    yield _parameter("corpus", CorpusFolder, None)
    for beginning, settings in (
        ("", settings_of(SearchRequest)),
        (_STRENGTH, factor_settings()),
        ("", settings_of(Weighting)),
    ):
        for setting in settings:
            default = None if setting.default == () else setting.default
            yield _parameter(beginning + setting.name, option(setting), default)
    yield _parameter(_SHELF, WithinShelf, None)
    yield _parameter("as_json", JsonFlag, False)
    for name, (annotation, default) in own.items():
        yield _parameter(name, annotation, default)


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
