"""What changes a corpus: it is built, papers are added or removed, sources read again, merges undone, and any of it
taken back.
"""

import datetime
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field

from pathfinder.corpus.manifest import is_corpus, read_manifest
from pathfinder.errors import UsageError
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.operations.complete import file_lines
from pathfinder.operations.operation import AnyOperation, Declarer, Need, Operation, Options, Shell, declare, result_of
from pathfinder.operations.sources import EmbedderName, MaxPapers, Since, Until
from pathfinder.settings import LOCAL_EMBEDDER, Settings, read_settings
from pathfinder.text.english import counted

if TYPE_CHECKING:
    from pathfinder.building import BuildReport, Progress, ReEmbeddingReport, RemovalReport, RollbackReport, UndoReport
    from pathfinder.building.paper_files import PaperFile
    from pathfinder.building.update import UpdateReport
    from pathfinder.corpus.history.merges import Merge
    from pathfinder.index.engines import Collection

_declare: Declarer = partial(declare, settings=(), folder_first=True, opens="folder", changes=lambda _: True)


class BuildOptions(Options):
    """What a corpus is built from, and what is made of its papers."""

    sources: Annotated[
        list[str] | None, Shell("SOURCE...", "Files or folders of papers, or SCHEME:QUERY; see `pathfinder sources`.")
    ] = None
    embedder: EmbedderName = None
    snapshot: datetime.date | None = Field(
        default=None,
        description="Date from which the ages of papers are measured; by default, that of the newest paper.",
    )
    thesaurus: Annotated[
        str | None,
        Shell(
            "--thesaurus FILE",
            "Synonyms of concepts: SKOS (RDF/XML, JSON-LD) or JSON; uat: fetch the astronomy thesaurus.",
        ),
    ] = None
    reviews: Annotated[
        Path | None, Shell("--reviews FILE", "Review articles, for the map: JSON lines with title and year.")
    ] = None
    profile: Annotated[
        Path | None, Shell("--profile FILE", "Profile of the papers' field of science, as TOML; astronomy by default.")
    ] = None
    no_passages: bool = Field(
        default=False,
        description="Leave out the indexes of passages, titles and tokens: the build is faster and the corpus smaller, "
        "but searches cannot use passages, titles or the local reranker.",
    )
    tokens: Annotated[
        Literal["full", "small"] | None,
        Shell(
            "--token-vectors --tokens",
            "Form of a new corpus's token vectors, which the local reranker reads: small ones take a seventh "
            "of the space, but reranking helps less. An existing corpus keeps its own.",
        ),
    ] = None
    new_map: bool = Field(
        default=False,
        description="Make a new map; links to places on the old one become meaningless. By default, papers keep their "
        "places.",
    )
    name_labels: bool = Field(
        default=False,
        description="Let the chat model name the clusters of the map; any that it leaves unnamed are named after their "
        "keywords.",
    )
    open_early: bool = Field(
        default=False,
        description="Make a new corpus searchable as soon as its papers are indexed, before its map is finished.",
    )
    complete: bool = Field(
        default=False,
        description="Then fetch what the papers lack, as `pathfinder complete` does: abstracts, references, counts, "
        "open full texts.",
    )
    since: Since = None
    until: Until = None
    max_papers: MaxPapers = None
    vectors: Annotated[
        str | None,
        Shell(
            "--vectors COLUMN",
            "Parquet column with the papers' vectors: they are checked and used as they are, and nothing is "
            "embedded. --embedder names the model that made them.",
        ),
    ] = None
    engine: Annotated[
        str | None,
        Shell(
            "--engine NAME",
            "Engine that holds the vectors in place of files; needs --uri and --collection. Updates and removals use "
            "it too.",
        ),
    ] = None
    uri: Annotated[
        str | None,
        Shell(
            "--uri URI",
            "Address of the engine, such as http://localhost:19530; its token is read from the environment.",
        ),
    ] = None
    collection: Annotated[
        str | None, Shell("--collection NAME", "Collection in the engine: letters, digits and underscores.")
    ] = None


class Built(NamedTuple):
    """The result of a build, and what became of PDFs among its sources."""

    report: "BuildReport | None"
    """`None` if no PDF was recognised, and there were no other sources."""
    files: "tuple[PaperFile, ...]" = ()


def _build(folder: Path, progress: "Progress | None", options: BuildOptions) -> Built:
    from pathfinder.building import MapOptions, Silent, build
    from pathfinder.sources import Window

    sources, progress, settings = options.sources or [], progress or Silent(), read_settings()
    made = (options.thesaurus, options.reviews, options.profile, options.new_map, options.name_labels)
    if not sources and not (is_corpus(folder) and any(made)):
        raise UsageError(
            "no source was given: name files of papers; only a thesaurus, reviews or a profile may come alone, "
            "into a corpus that exists"
        )
    pdfs, others = _pdfs_among(sources) if options.complete else ([], sources)
    embedder = _embedder(options, others or [*map(str, pdfs)], folder, settings)
    collection, files = _collection(options), _take_in(pdfs, folder, embedder, progress)
    if pdfs and not others and not is_corpus(folder):
        return Built(None, files)
    report = build(
        others,
        folder,
        embedder,
        progress=progress,
        map_options=MapOptions(options.new_map, _chat_for_names(settings) if options.name_labels else None),
        snapshot=options.snapshot,
        thesaurus=options.thesaurus,
        reviews=options.reviews,
        profile=options.profile,
        passages=not options.no_passages,
        tokens=options.tokens,
        opens_early=options.open_early,
        window=Window(options.since, options.until, options.max_papers),
        vectors=options.vectors,
        collection=collection,
    )
    return Built(report, files)


def _pdfs_among(sources: Sequence[str]) -> tuple[list[Path], list[str]]:
    """Return the PDFs in `sources` and their folders, and the sources without those that have PDFs but no records."""
    from pathfinder.fulltext.adding import files_in
    from pathfinder.sources.kinds.files import has_records

    pdfs: list[Path] = []
    others: list[str] = []
    for source in sources:
        files = files_in([Path(source)]) if Path(source).exists() else ()
        own = [path for path in files if path.suffix.lower() == ".pdf"]
        pdfs += own
        if not own or has_records(Path(source)):
            others.append(source)
    return pdfs, others


def _take_in(pdfs: Sequence[Path], folder: Path, embedder: Embedder, progress: "Progress") -> "tuple[PaperFile, ...]":
    from pathfinder.building.filling import guests_of
    from pathfinder.building.paper_files import take_in_files

    return take_in_files(folder, embedder, guests_of(read_settings(), progress), pdfs, progress) if pdfs else ()


def _embedder(options: BuildOptions, sources: Sequence[str], folder: Path, settings: Settings) -> Embedder:
    """Return the embedder for a build; its key may be missing if nothing will be embedded.

    Raises `UsageError` if vectors are to be read but the command does not name their source or the model that made
    them.
    """
    from pathfinder.building import embedder_for
    from pathfinder.building.embedding import embedder_of_sources

    name, vectors = options.embedder, options.vectors
    if vectors is not None and not sources:
        raise UsageError("--vectors names a column of the sources, but no source was given: name the Parquet files")
    if vectors is not None and not name and not is_corpus(folder):
        raise UsageError(
            "--vectors needs the model that made the vectors, because questions are embedded with it: name it, for "
            "example with --embedder openai:text-embedding-3-small"
        )
    if name is None and not is_corpus(folder):
        name = embedder_of_sources(sources)
    return embedder_for(name, folder, settings, needs_key=bool(sources) and vectors is None)


def _collection(options: BuildOptions) -> "Collection | None":
    from pathfinder.index.engines import Collection

    if options.engine is not None and options.uri is not None and options.collection is not None:
        return Collection(options.engine, options.uri, options.collection)
    if options.engine or options.uri or options.collection:
        raise UsageError("an engine needs all three of --engine NAME, --uri URI and --collection NAME")
    return None


def _chat_for_names(settings: Settings) -> ChatModel:
    """Return the chat model that names the parts of the map. Raises `UsageError` if there is none."""
    from pathfinder.models.loading import load_chat

    chat = load_chat(settings)
    if chat is None:
        raise UsageError(
            "--name-labels needs a chat model, and none is set: set PATHFINDER_CHAT_MODEL, for example to "
            "openai:gpt-4o-mini, and the provider's key, or leave the option out to name clusters after their keywords"
        )
    return chat


def _built_lines(built: Built) -> Iterator[str]:
    yield from file_lines(built.files)
    if built.report is not None:
        yield from _report_lines(built.report)


MOST_TWINS = 5
"""Number of pairs that the report of a build names."""


def _report_lines(report: "BuildReport") -> Iterator[str]:
    yield f"new: {report.n_new}"
    yield f"already there: {report.n_known}"
    remedy = f" (`pathfinder update {report.folder}` takes the new one)" if report.n_changed else ""
    yield f"changed, but the old version was kept: {report.n_changed}{remedy}"
    why = f" ({report.rejected_path} says why)" if report.n_rejected else ""
    yield f"rejected: {report.n_rejected}{why}"
    if report.renamed:
        first, others = report.renamed[0], len(report.renamed) - 1
        rest = f" and {others:,} more" if others else ""
        yield f"other papers with the id of a paper, stored under ids of their own: {first}{rest}"
    if report.twins:
        pairs = [" and ".join(pair) for pair in report.twins[:MOST_TWINS]]
        others = len(report.twins) - len(pairs)
        rest = f"; and {others:,} more" if others else ""
        names = f"{'; '.join(pairs)}{rest}"
        yield f"look like the same paper twice in one file, and are kept apart: {names} (those of two files are merged)"
    if report.n_merged:
        yield (
            f"merged with papers from other sources: {report.n_merged}; conflicting fields in the corpus: "
            f"{report.n_conflicts} (see `pathfinder merges {report.folder}`)"
        )
    for name, n in (
        ("left out, because somebody removed these papers", report.n_left_out or None),
        ("thesaurus concepts", report.n_concepts),
        ("review articles", report.n_reviews),
        ("papers without an abstract", report.n_without_abstract or None),
    ):
        if n is not None:
            yield f"{name}: {n}"
    yield f"papers in {report.folder}: {report.n_papers}"


BUILD: AnyOperation = Operation(
    name="build",
    needs=(Need.CHAT_IF_ASKED, Need.NETWORK),
    help="Build a corpus from papers, or add papers to a corpus.",
    settings=(),
    makes_folder=True,
    opens="folder",
    changes=lambda _: True,
    options=BuildOptions,
    run=_build,
    result=lambda: result_of(Built, flat="report", if_any="files"),
    lines=_built_lines,
    failures=lambda built: (
        ("no PDF was recognised, so there is no corpus: the reason is beside each of them above",)
        if built.report is None
        else ()
    ),
    then=lambda options: ("complete", {"zotero": "zotero:" in (options.sources or ())}) if options.complete else None,
)


@_declare("add", needs=(Need.NETWORK,), lines=_report_lines)
def add(
    folder: Path,
    paper_ids: Annotated[
        list[str],
        Shell(
            "ID...",
            "arXiv ids, DOIs or ids of OpenAlex or PubMed, such as arxiv:2601.00001 doi:10.1/x openalex:W2741809807 "
            "pmid:8813041.",
        ),
    ],
    progress: "Progress | None" = None,
) -> "BuildReport":
    """Add individual papers to a corpus: their records come from arXiv, Crossref or OpenAlex, never from ADS."""
    from pathfinder.building import build, embedder_for
    from pathfinder.sources.single_papers import sources_of

    sources = sources_of(paper_ids)
    read_manifest(folder)  # The corpus must exist already: `pathfinder build` makes a new one.
    return build(sources, folder, embedder_for(None, folder, read_settings()), progress=progress)


_COUNTS = "new changed withdrawn retracted unchanged rejected left_out merged conflicts".split()


def _update_result() -> Any:
    from pathfinder.building import ReEmbeddingReport
    from pathfinder.building.update import UpdateReport

    seconds = Annotated[float, AfterValidator(lambda seconds: round(seconds, 1))]
    counts = {name: f"n_{name}" for name in _COUNTS}
    updated = result_of(UpdateReport, **counts, seconds=seconds, failed="failed_sources")
    return updated | result_of(ReEmbeddingReport, seconds=seconds)


def _update_lines(report: "UpdateReport | ReEmbeddingReport") -> Iterator[str]:
    from pathfinder.building import ReEmbeddingReport

    if isinstance(report, ReEmbeddingReport):
        yield f"{counted(report.n_papers, 'paper')} embedded with {report.embedder}, in {report.seconds:.1f} s"
        yield f"`pathfinder rollback` goes back to the version with {report.embedder_before}"
        return
    counts = [f"{getattr(report, f'n_{name}'):,} {name.replace('_', ' ')}" for name in _COUNTS]
    yield f"{', '.join(counts)}, in {report.seconds:.1f} s"


@_declare(
    "update",
    needs=(Need.NETWORK,),
    result=_update_result,
    lines=_update_lines,
    failures=lambda report: (
        f"{failure.source} could not be read: {failure.reason}" for failure in getattr(report, "failed_sources", ())
    ),
)
def update_corpus(
    folder: Path,
    new_map: Annotated[
        bool, Field(description="Make a new map; links to places on the old map then become meaningless.")
    ] = False,
    retractions: Annotated[
        Path | None,
        Shell(
            "--retractions FILE",
            "Mark as retracted the papers listed in this CSV file from Retraction Watch, now and in later "
            "updates; `crossref` fetches the list that Crossref publishes.",
        ),
    ] = None,
    re_embed: Annotated[
        bool,
        Field(
            description="Embed all papers again with the local embedder, which needs no key, and recompute everything "
            "that depends on vectors, including the map; no source is read."
        ),
    ] = False,
    progress: "Progress | None" = None,
) -> "UpdateReport | ReEmbeddingReport":
    """Read the sources of a corpus again: add new papers, apply changes, mark withdrawn and retracted papers."""
    from pathfinder.building import Silent, embedder_for
    from pathfinder.building.re_embedding import re_embed as embed_again
    from pathfinder.building.update import update
    from pathfinder.sources.published_lists import CROSSREF, fetch_retractions

    progress, settings, listed = progress or Silent(), read_settings(), retractions
    if re_embed:
        if listed is not None:
            raise UsageError("--re-embed reads no source: run --retractions as a separate update")
        return embed_again(folder, embedder_for(LOCAL_EMBEDDER, folder, settings), progress=progress)
    embedder = embedder_for(None, folder, settings, needs_key=False)
    if listed == Path(CROSSREF):
        listed = fetch_retractions(settings, progress.say)
    return update(folder, embedder, new_map=new_map, retractions=listed, progress=progress)


@_declare(
    "rollback",
    lines=lambda report: (
        f"{counted(report.n_papers, 'paper')}, {report.n_papers_before:,} before",
        f"the other version stays on disk ({report.n_bytes:,} bytes) until the next build or update",
    ),
)
def roll_back(folder: Path) -> "RollbackReport":
    """Go back to the version of a corpus before its last build, update or removal; run it again to undo that."""
    from pathfinder.building import rollback

    return rollback(folder)


@_declare(
    "remove",
    lines=lambda report: (
        f"removed: {report.n_removed:,}; papers now: {report.n_papers:,}",
        f"the earlier version, which still contains them, takes {report.n_bytes:,} extra bytes; --purge deletes it"
        if report.n_bytes
        else "no trace of them is left in the folder",
    ),
)
def remove_papers(
    folder: Path,
    paper_ids: Annotated[list[str], Shell("ID...", "Ids of the papers to remove.")],
    purge: Annotated[
        bool,
        Field(
            description="Delete the earlier version too, so that no trace of the papers is left in the folder; a "
            "rollback is then impossible."
        ),
    ] = False,
    progress: "Progress | None" = None,
) -> "RemovalReport":
    """Remove papers from a corpus, along with everything made from them; later builds and updates leave them out."""
    from pathfinder.building import embedder_for, remove

    embedder = embedder_for(None, folder, read_settings(), needs_key=False)
    return remove(folder, paper_ids, embedder, purge=purge, progress=progress)


class MergedRecords(NamedTuple):
    """Records that became part of papers from other sources."""

    merges: "tuple[Merge, ...]"

    @property
    def conflicts(self) -> int:
        """Number of fields on which records of the same paper disagree."""
        from pathfinder.corpus.history.merges import n_conflicts

        return n_conflicts(self.merges)


def _merges_result() -> Any:
    from pathfinder.building import UndoReport

    return result_of(UndoReport) | result_of(MergedRecords, conflicts="conflicts")


def _merges_lines(outcome: "UndoReport | MergedRecords") -> Iterator[str]:
    if not isinstance(outcome, MergedRecords):
        yield f"{outcome.merged_id} and {outcome.paper_id} are two papers; papers now: {outcome.n_papers:,}"
        return
    for merge in outcome.merges:
        yield f"{merge.paper_id} <- {merge.merged_id} ({merge.source}, line {merge.line}): {merge.reason}"
        yield from (f"    {c.field} differs: {c.value!r}, in the record {c.other!r}" for c in merge.conflicts)
    yield f"merged records: {len(outcome.merges)}; conflicting fields: {outcome.conflicts}"


@_declare("merges", changes=lambda options: options.undo is not None, result=_merges_result, lines=_merges_lines)
def merges(
    folder: Path,
    undo: Annotated[
        str | None,
        Shell("--undo ID", "Make this record a separate paper again; later builds and updates keep it separate."),
    ] = None,
    progress: "Progress | None" = None,
) -> "UndoReport | MergedRecords":
    """List the records that were merged with papers from other sources, with the reasons and conflicts."""
    from pathfinder.building import embedder_for, undo_merge
    from pathfinder.corpus.history.merges import read_merges

    if undo is None:
        return MergedRecords(read_merges(folder))
    embedder = embedder_for(None, folder, read_settings(), needs_key=False)
    return undo_merge(folder, undo, embedder, progress=progress)
