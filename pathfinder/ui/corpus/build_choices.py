"""Choices for a build besides its papers: the profile of the field, a thesaurus, and the form of the tokens."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject
from pathfinder.index.token_codecs import TokenForm
from pathfinder.operations.child.orders import Order
from pathfinder.profile import parse_profile
from pathfinder.sources import SOURCES, SourceKind, parse_source, spec
from pathfinder.sources.published_lists import LICENCE, TITLE, UAT, VERSION
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.corpus import uploads
from pathfinder.ui.corpus.permissions import Permissions
from pathfinder.ui.shared.resources import is_in_ads

KEEP, FILE = "keep", "file"
_THESAURUS_ENDINGS = tuple(
    f"{plain}{suffix}" for plain in (".rdf", ".xml", ".jsonld", ".json", ".jsonl") for suffix in ("", ".gz")
)
_PROFILE_ENDINGS = (".toml",)
_PROFILE_HELP = (
    "Everything that is true only of one field: its examples, names, quantities and services. docs/profiles.md "
    "explains how to write one."
)
_THESAURUS_HELP = (
    "Synonyms and topics of a field: synonyms widen searches on request, and topics are layers of the map."
)
_VECTORS_HELP = (
    "The vectors are checked and used as they are, and nothing is embedded. Without a column, papers are embedded."
)
_MODEL = "openai:text-embedding-3-small"
_TOKENS_HELP = (
    "The local reranker reads token vectors, which take up most of the space per paper. This choice cannot "
    "be changed later."
)
COSTS: dict[TokenForm, str] = {
    "full": "15.9 kB per paper, in addition to its text and its share of the map",
    "small": (
        "4.0 kB per paper. Reranking helps less on some collections: nDCG@10 changes by −0.012 on cisi, −0.007 on "
        "scifact, −0.004 on scholarqa_multi_closed, 0.000 on astro_single_paper and +0.008 on cacm. A search takes a "
        "third more CPU time, and a digest has fewer lines."
    ),
}
"""Space that a paper takes up with each form of tokens, and the cost in quality (see Bytes in benchmarks/SCALE.md)."""


def draw(order: Order, may: Permissions, home: Path, place: str, *, is_new: bool) -> Order | None:
    """Draw the fields, and return `order` with the choices made; `None` while a file is missing.

    `place` is the prefix of the fields' keys; `is_new` is true for a new corpus, which has nothing to keep.

    Only someone at this machine can supply a profile: its patterns run in this process, and a hostile
    pattern could block it. Raises `CorpusError` for a broken profile.
    """
    thesaurus = _thesaurus(may, home, place, is_new=is_new)
    profile = _profile(home, place, is_new=is_new) if may.is_owner else KEEP
    tokens = None
    if is_new:
        tokens = st.radio(
            "Space per paper",
            [*COSTS],
            key=uploads.key(f"{place}-tokens"),
            format_func=lambda form: f"{form.capitalize()} tokens",
            captions=[*COSTS.values()],
            help=_TOKENS_HELP,
        )
    if FILE in (thesaurus, profile):
        st.caption("Drop the file here to continue.")
        return None
    chosen = {
        "thesaurus": None if thesaurus == KEEP else thesaurus,
        "profile": None if profile == KEEP else profile,
        "tokens": tokens,
    }
    return replace(order, options=order.options | chosen)


def with_vectors(order: Order) -> Order:
    """Draw the fields for vectors that come with the papers, if all files are Parquet, and return `order` with them.

    Raises `UsageError` if a column is given without the model that made its vectors.
    """
    if not all(path.endswith(".parquet") for path in order.options["sources"]):
        return order
    left, right = st.columns(2)
    column = left.text_input("Column with vectors, if any", key=uploads.key("new-vectors"), help=_VECTORS_HELP).strip()
    embedder = right.text_input(
        "Model that made the vectors", key=uploads.key("new-embedder"), placeholder=_MODEL
    ).strip()
    if not column:
        return order
    if not embedder:
        raise UsageError(
            f"the vectors in {column!r} need the model that made them, because questions are embedded with it: "
            f"name it, for example {_MODEL}"
        )
    return replace(order, options=order.options | {"vectors": column, "embedder": embedder})


def keep_files(order: Order, home: Path) -> Order:
    """Return `order` with its uploaded files moved to where a resumed build and later updates will find them."""

    def move(paths: Sequence[str]) -> list[str]:
        if not any(uploads.UPLOADS in Path(path).parts for path in paths):
            return [*paths]
        return [*map(str, uploads.keep([Path(path) for path in paths], home, order.folder))]

    moved: JsonObject = {"sources": move(order.options.get("sources", ()))}
    moved |= {name: move([path])[0] for name in ("profile", "thesaurus") if (path := order.options.get(name))}
    return replace(order, options=order.options | moved)


def _thesaurus(may: Permissions, home: Path, place: str, *, is_new: bool) -> str:
    """Draw the choice of a thesaurus, and return `KEEP`, `UAT` or the path of a file; `FILE` until one is supplied."""
    names = {KEEP: "None" if is_new else "As it is"}
    names |= {UAT: f"{TITLE} {VERSION}"} if may.may("sources") and (is_new or is_in_ads()) else {}
    names |= {FILE: "From a file"} if may.may("files") else {}
    choice = st.selectbox(
        "Thesaurus",
        list(names),
        key=uploads.key(f"{place}-thesaurus"),
        format_func=names.__getitem__,
        help=_THESAURUS_HELP,
    )
    if choice == UAT:
        st.caption(f"Fetched once from its authors. {LICENCE}: if you share the library, do so under the same terms.")
    return (
        _file(f"{place}-thesaurus", "SKOS (RDF/XML, JSON-LD) or JSON", _THESAURUS_ENDINGS, home)
        if choice == FILE
        else choice
    )


def _profile(home: Path, place: str, *, is_new: bool) -> str:
    """Draw the choice of a profile, and return `KEEP` or the path of a file; `FILE` until a file is supplied."""
    names = {KEEP: "Astronomy" if is_new else "As it is", FILE: "From a file (profile.toml)"}
    key = uploads.key(f"{place}-profile")
    if st.selectbox("Field", list(names), key=key, format_func=names.__getitem__, help=_PROFILE_HELP) == KEEP:
        return KEEP
    path = _file(f"{place}-profile", "The profile of the field, as TOML", _PROFILE_ENDINGS, home)
    if path != FILE:
        profile = parse_profile(Path(path).read_bytes(), Path(path).name)
        st.caption(for_markdown(f"{profile.name}: {profile.title}, with {len(profile.examples)} examples."))
    return path


def _file(name: str, label: str, endings: tuple[str, ...], home: Path) -> str:
    """Draw the field for a file, and return the path where it was stored; `FILE` until one is supplied."""
    types = [ending.removeprefix(".") for ending in endings]
    file = st.file_uploader(label, types, key=uploads.key(f"{name}-file"), max_upload_size=uploads.MAX_FILE_MB)
    return FILE if file is None else str(uploads.paths_of(name, [file], home, endings)[0])


# The kinds of sources, as explained in the form, and the kind of a source in a manifest.

KIND_HELP = "SCHEME:QUERY, as on the command line, such as arxiv:cat:astro-ph.GA"


def kind_list(kinds: Sequence[SourceKind]) -> None:
    """List the kinds of sources, each with an example, what it provides and needs, and its terms."""
    for kind in kinds:
        needs = f" Needs {kind.key}." if kind.needs_key and kind.key else ""
        st.markdown(
            f"**{for_markdown(kind.label)}**: `{kind.examples[0]}`  \n"
            f"{for_markdown(f'Gives {kind.gives}.{needs} Terms: {kind.terms}')}"
        )


def is_path(source: str) -> bool:
    """Return whether a source in a manifest is a file or folder."""
    return parse_source(source, SOURCES).scheme == spec.FILE


def is_upload(source: str) -> bool:
    """Return whether a source is an uploaded file; uploaded files are in hidden folders."""
    return any(part.startswith(".") and part != ".." for part in Path(source).parts)
