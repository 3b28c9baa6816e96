"""The build: the flow, and only the flow.

read -> keywords -> papers -> embed and cut -> tokens, passages, titles -> dense, sparse and keyword index
     -> outliers, relevance, map -> check -> reviews, groups, layers, atlas -> manifest
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from pathfinder.building.derived import outliers_part, relevance_part, thesaurus_part
from pathfinder.building.given import Given, read_given
from pathfinder.building.indexes import add_papers, index_papers
from pathfinder.building.intake import Intake, open_sources, take_in, write_rejected
from pathfinder.building.mapped import MapWish, atlas_part, landscape_part
from pathfinder.building.overlaid import layers_part, overlays_part
from pathfinder.building.passages import absent_pieces, has_pieces, make_pieces
from pathfinder.building.progress import Progress, Silent
from pathfinder.building.reviewed import reviews_part
from pathfinder.building.tables import count
from pathfinder.building.tools import Tools
from pathfinder.building.workplace import Workplace, clear_away, open_workplace
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import SCHEMA_VERSION, Manifest, is_corpus, part_names, write_manifest
from pathfinder.corpus.papers import PaperTable, read_table
from pathfinder.corpus.parts import Part
from pathfinder.corpus.store import Corpus, open_parts, verify_corpus, verify_parts
from pathfinder.models.ports import Embedder


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did."""

    folder: Path
    n_papers: int
    """In the corpus now."""
    n_new: int
    n_known: int
    """Already there, and the same."""
    n_changed: int
    """Already there, and different in the sources; the corpus kept what it had."""
    n_rejected: int
    """Rows of the sources, and entries of the thesaurus and of the list of reviews."""
    rejected_path: Path
    """Why each rejected row is no paper, no concept or no review, with file and line."""
    n_concepts: int | None = None
    """Of the thesaurus that was given; `None` where none was."""
    n_reviews: int | None = None
    """Of the list of reviews that was given; `None` where none was."""


def build(  # noqa: PLR0913  each keyword is a choice of whoever builds
    sources: Sequence[Path],
    out: Path,
    embedder: Embedder,
    *,
    snapshot: datetime.date | None = None,
    thesaurus: Path | None = None,
    reviews: Path | None = None,
    extractor: KeywordExtractor | None = None,
    progress: Progress | None = None,
    passages: bool = True,
    map_wish: MapWish | None = None,
) -> BuildReport:
    """Make a corpus of `sources` in the folder `out`, or add their papers to the corpus that is there.

    Papers are added by id and never changed. The corpus is complete once its manifest is replaced, as
    the last step; a build that was stopped goes on where it stood. `snapshot` is the day that ages are
    counted to, by default the newest paper's. `thesaurus` is a file that `read_thesaurus` reads; without
    one the corpus keeps the thesaurus that it has. `reviews` is a list that `read_reviews` reads, and is kept
    likewise. Without `passages`, papers are not cut, and neither their tokens nor their titles are kept apart.
    Papers keep their places on the map unless `map_wish` says otherwise. Raises `CorpusError` where a source cannot
    be read, where `out` holds another thing or was made with another embedder, and where another build is at work.
    """
    progress, wish = progress or Silent(), map_wish or MapWish()
    opened = open_sources(sources)
    given = read_given(thesaurus, reviews)
    with open_workplace(out) as place:
        before = _corpus_before(out, embedder)
        intake = take_in(opened, before.papers if before else None, place.new_papers, progress)
        opened += [(name, iter(())) for name in given.files]
        intake.rejected += given.rejected
        write_rejected(place, opened, intake.rejected)
        pieces = make_pieces(embedder, before) if passages else None
        if before and not intake.n_new and has_pieces(before, pieces) and not wish.afresh:
            manifest = replace(before.manifest, snapshot=snapshot or before.snapshot)
        else:
            tools = Tools(place, embedder, extractor or KeywordExtractor.load(), progress, pieces)
            manifest = _make(tools, before, snapshot, wish)
        manifest = _with_part(manifest, "thesaurus", thesaurus_part(place, before, given.thesaurus))
        reviewed = reviews_part(place, manifest, before, given.reviews, embedder, progress)
        manifest = _overlaid(_with_part(manifest, "reviews", reviewed), place, before, progress, wish)
        _publish(manifest, before, out)
    return _report(place, manifest, intake, given)


def _overlaid(
    manifest: Manifest, place: Workplace, before: Corpus | None, progress: Progress, wish: MapWish
) -> Manifest:
    """`manifest` with what is drawn of its map and counted over it; what still holds is kept."""
    manifest = _with_part(manifest, "layers", layers_part(place, manifest, before, progress))
    manifest = _with_part(manifest, "overlays", overlays_part(place, manifest, before, progress))
    return _with_part(manifest, "atlas", atlas_part(place, manifest, before, progress, wish.namer))


def _publish(manifest: Manifest, before: Corpus | None, out: Path) -> None:
    """Replace the manifest, where it says something new, and clear away what neither it nor the last one names."""
    if before is None or manifest != before.manifest:
        write_manifest(out, manifest)
        clear_away(out, part_names(manifest) | (part_names(before.manifest) if before else frozenset()))


def _corpus_before(out: Path, embedder: Embedder) -> Corpus | None:
    """The corpus that papers are added to, read to its last byte, so that no damage is carried over."""
    if not is_corpus(out):
        return None
    corpus = verify_corpus(out)
    corpus.check_embedder(embedder)
    return corpus


def _make(tools: Tools, before: Corpus | None, snapshot: datetime.date | None, wish: MapWish) -> Manifest:
    """Put every part in its place; return the manifest that names them, which is not in place yet."""
    folder = tools.place.corpus
    parts, vectors = add_papers(tools, before)
    table = read_table(folder / parts["papers"].name)
    papers = PaperTable(table)
    manifest = Manifest(
        schema_version=SCHEMA_VERSION,
        created_by=_created_by(),
        embedder=tools.embedder.name,
        dimension=tools.embedder.dimension,
        keyword_extractor=_extractor_names(before, tools.extractor),
        snapshot=snapshot or _newest(papers, before),
        counts=count(table),
        parts=parts | index_papers(tools, papers, vectors),
        absent=absent_pieces(tools.embedder, tools.pieces),
    )
    manifest = _with_part(manifest, "outliers", outliers_part(tools, vectors))
    manifest = _with_part(manifest, "relevance", relevance_part(tools, open_parts(folder, manifest, "")))
    manifest = _with_part(manifest, "landscape", landscape_part(tools, vectors, before, wish))
    tools.progress.start("checking", None)
    verify_parts(folder, manifest, "")
    tools.progress.finish()
    return manifest


def _with_part(manifest: Manifest, role: str, part: Part | str) -> Manifest:
    """`manifest` with one more part, or with the reason why it has none."""
    if isinstance(part, str):
        return replace(manifest, absent={**manifest.absent, role: part})
    absent = {name: reason for name, reason in manifest.absent.items() if name != role}
    return replace(manifest, parts={**manifest.parts, role: part}, absent=absent)


def _newest(papers: PaperTable, before: Corpus | None) -> datetime.date | None:
    """The day of the newest paper, or the earlier snapshot where that is later; `None` when nothing is dated."""
    days = papers.published_days()
    known = days[~np.isnan(days)]
    newest = [datetime.date(1970, 1, 1) + datetime.timedelta(days=float(known.max()))] if len(known) else []
    earlier = [before.snapshot] if before and before.snapshot else []
    return max(newest + earlier, default=None)


def _extractor_names(before: Corpus | None, extractor: KeywordExtractor) -> str:
    """Whose keywords the papers have; papers that were there keep theirs when another extractor comes."""
    names = before.manifest.keyword_extractor.split(" + ") if before else []
    return " + ".join(dict.fromkeys([*names, extractor.name]))


def _created_by() -> str:
    try:
        return f"pathfinder {version('pathfinder')}"
    except PackageNotFoundError:
        return "pathfinder, not installed"


def _report(place: Workplace, manifest: Manifest, intake: Intake, given: Given) -> BuildReport:
    return BuildReport(
        folder=place.corpus,
        n_papers=manifest.counts.papers,
        n_new=intake.n_new,
        n_known=intake.n_known,
        n_changed=intake.n_changed,
        n_rejected=len(intake.rejected),
        rejected_path=place.rejected,
        n_concepts=len(given.thesaurus.concepts) if given.thesaurus else None,
        n_reviews=len(given.reviews.reviews) if given.reviews else None,
    )
