"""The flow of a live search.

request -> ask live sources -> find papers that the corpus lacks -> extract keywords, embed, index, place on the map
        -> search as in any corpus
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pathfinder.building.passage_maker import PassageMaker, embed_texts, passage_maker_of
from pathfinder.corpus.as_of import without_citations
from pathfinder.corpus.coordinates import Coordinates
from pathfinder.corpus.merging import identifier_keys, merged_record, same_paper
from pathfinder.corpus.merging.rule import Finder
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.errors import ProviderError, UsageError
from pathfinder.index import passages, tokens
from pathfinder.index.dense import DenseIndex
from pathfinder.index.passages import PassageIndex
from pathfinder.index.sparse import beside, mean_length
from pathfinder.index.terms import KeywordIndex, keyword_index_of
from pathfinder.index.token_codecs import codec_of
from pathfinder.index.tokens import TokenStore
from pathfinder.index.views import JoinedPassages, JoinedTerms, JoinedTokens, JoinedVectors, JoinedWords
from pathfinder.landscape.projection.projection import N_PLACING, place_papers
from pathfinder.models.ports import Embedder, TokenEmbedder, Vectors
from pathfinder.retrieval.stages import Models, StageLog, StageReport, failed_stage
from pathfinder.retrieval.strategies import search_by_strategy
from pathfinder.sources.live.access import LiveAccess, LiveReply
from pathfinder.sources.live.asking import ask_side_by_side
from pathfinder.text.english import counted
from pathfinder.types import LIVE_SOURCE_LABELS, LiveSource, Paper, SearchRequest, SearchResult

STAGE = "live"


def search_live(request: SearchRequest, corpus: Corpus, models: Models, access: LiveAccess | None) -> SearchResult:
    """Ask the live sources of `request`, and search the corpus together with any papers that they return and the corpus
    lacks. If there are none, the corpus is searched as it is, so the papers are in the same order as without live
    sources. Raises `UsageError` without `access`.
    """
    if access is None:
        raise UsageError("this corpus was opened without access to live sources: open it with Pathfinder.open")
    log = StageLog()
    with ThreadPoolExecutor(1) as pool:
        # TextRank takes a second to load, once per process: it loads while the hosts respond.
        pool.submit(models.extractor.phrases, request.query)
        replies = ask_side_by_side(request.query, request.live, access)
    for reply in replies:
        log.record(reply.source.stage, _report(reply), reply.seconds)
    with log.stage(STAGE) as stage:
        every = new_papers(replies, corpus)
        papers = tuple(new for new in every if corpus.as_of is None or corpus.as_of.includes(new.paper))
        stage.report = _summary(replies, papers, len(every) - len(papers))
        try:
            joined_corpus = _join_papers(corpus, papers, models) if papers else corpus
        except ProviderError as error:  # from an embedder behind an API
            joined_corpus, stage.report = corpus, failed_stage(f"papers from live sources were left out: {error}")
    result = search_by_strategy(request, joined_corpus, models)
    return replace(
        result,
        stages=(*log.stages, *result.stages),
        stage_status=(*log.stage_status, *result.stage_status),
    )


@dataclass(frozen=True, slots=True)
class NewPaper:
    """A paper that is not in the corpus, and the live sources that found it."""

    paper: Paper
    sources: tuple[LiveSource, ...]


def _join_papers(corpus: Corpus, papers: Sequence[NewPaper], models: Models) -> Corpus:
    labels = [", ".join(LIVE_SOURCE_LABELS[source] for source in new.sources) for new in papers]
    new_papers = [replace(new.paper, keywords=models.extractor.phrases(new.paper.text)) for new in papers]
    if corpus.as_of is not None:
        new_papers = [without_citations(paper) for paper in new_papers]
    return join(corpus, new_papers, labels, models.embedder)


def _report(reply: LiveReply) -> StageReport:
    name = LIVE_SOURCE_LABELS[reply.source]
    if reply.problem is not None:
        return failed_stage(f"{name} {reply.problem}")
    unusable = f", and {counted(reply.n_rejected, 'record')} that cannot be used" if reply.n_rejected else ""
    return StageReport(f"{counted(len(reply.papers), 'paper')}{unusable}", name)


def _summary(replies: Sequence[LiveReply], papers: Sequence[NewPaper], n_later: int) -> StageReport:
    """Report how many papers were added to the search, or that no live source answered. In a corpus as of a given year,
    also report how many papers were left out because they are dated later or undated.
    """
    n_replies, n_papers = sum(reply.problem is None for reply in replies), sum(len(reply.papers) for reply in replies)
    if not n_replies:
        return failed_stage("no live source answered, so only the corpus was searched")
    later = f"; {counted(n_later, 'paper')} left out (dated later or undated)" if n_later else ""
    return StageReport(f"{counted(n_papers, 'record')}, {counted(len(papers), 'paper')} that the corpus lacks{later}")


# A corpus to which a few papers are added for one question: they are embedded and indexed in memory.

N_MEASURED = 8
"""Maximum number of papers in the corpus that are tried, one after another, until the mean length of the corpus's texts
can be derived from one of them.
"""


def join(corpus: Corpus, papers: Sequence[Paper], labels: Sequence[str], embedder: Embedder) -> Corpus:
    """Return `corpus` with `papers` appended to its own; `labels` give the origin of each paper, for its badge. As in
    an update, each paper gets a place on the map among the most similar papers in the corpus.
    """
    joined_papers, n = corpus.papers.followed_by(papers), len(corpus.papers)
    columns = joined_papers.take(np.arange(n, n + len(papers)))
    texts = [paper.text for paper in papers]
    length = mean_length(corpus.sparse, corpus.papers[:N_MEASURED]) or max(
        float(np.mean([len(text.split()) for text in texts])), 1.0
    )
    cut_papers = _cut_papers(papers, passage_maker_of(embedder, corpus))
    joined_corpus = replace(
        corpus,
        papers=joined_papers,
        dense=JoinedVectors(corpus.dense, DenseIndex.of(cut_papers.vectors, columns)),
        sparse=JoinedWords(corpus.sparse, beside(corpus.sparse, length, texts, columns)),
        terms=KeywordIndex(JoinedTerms(corpus.terms.papers, keyword_index_of(papers).papers)),
        coordinates=_coordinates(corpus, cut_papers.vectors),
        network=corpus.network.followed_by(len(papers)) if corpus.network else None,
        live=dict(enumerate(labels, start=n)),
    )
    if corpus.passages is not None:
        second = _passage_index(cut_papers, corpus.dense.dimension, columns)
        joined_corpus = replace(joined_corpus, passages=JoinedPassages(corpus.passages, second))
    if corpus.titles is not None:
        titles = np.stack([np.frombuffer(record, np.float16) for record in cut_papers.of("titles")]).astype(np.float32)
        joined_corpus = replace(joined_corpus, titles=JoinedVectors(corpus.titles, DenseIndex.of(titles, columns)))
    if corpus.tokens is not None and cut_papers.maker.projection is not None:
        store = _token_store(cut_papers, cut_papers.maker.projection)
        joined_corpus = replace(joined_corpus, tokens=JoinedTokens(corpus.tokens, store, len(corpus.papers)))
    return joined_corpus


def _coordinates(corpus: Corpus, vectors: Vectors) -> Coordinates | None:
    """Return the places of the corpus's papers on its map, followed by those of new papers with these vectors."""
    if corpus.coordinates is None:
        return None
    near = np.unique(np.concatenate([corpus.dense.search(vector, N_PLACING).rows for vector in vectors]))
    places = place_papers(corpus.dense.vectors(near), corpus.coordinates[near], vectors)
    return np.concatenate([corpus.coordinates, places])


@dataclass(frozen=True, slots=True, eq=False)
class _CutPapers:
    """Papers with their vectors, and with the records of their titles, passages and tokens."""

    papers: Sequence[Paper]
    vectors: Vectors
    maker: PassageMaker
    records: Mapping[bytes, bytes]

    def of(self, role: str) -> list[bytes]:
        """Return each paper's record for `role`, a part of the corpus such as "titles"."""
        return [self.records[self.maker.key(role, paper)] for paper in self.papers]


def _cut_papers(papers: Sequence[Paper], maker: PassageMaker) -> _CutPapers:
    """Embed papers as a build does."""
    texts, embedder = [paper.text for paper in papers], maker.embedder
    if isinstance(embedder, TokenEmbedder):
        vectors, first = embedder.embed_with_tokens(texts, "document")
    else:
        vectors, first = embed_texts(texts, embedder), None
    return _CutPapers(papers, vectors, maker, dict(maker.records(papers, vectors, first)))


def _passage_index(cut_papers: _CutPapers, dimension: int, columns: PaperTable) -> PassageIndex:
    records = [passages.from_bytes(record, dimension) for record in cut_papers.of("passages")]
    starts = np.concatenate([[0], np.cumsum([len(own.spans) for own in records])]).astype(np.int64)
    vectors = np.concatenate([own.vectors for own in records]).astype(np.float32)
    return PassageIndex(DenseIndex.of(vectors), starts, np.concatenate([own.spans for own in records]), columns)


def _token_store(cut_papers: _CutPapers, projection: tokens.Projection) -> TokenStore:
    codec = codec_of(cut_papers.maker.form, projection.shape[1], DenseIndex.of(cut_papers.vectors))
    records = [tokens.from_bytes(record, codec) for record in cut_papers.of("tokens")]
    starts = np.concatenate([[0], np.cumsum([len(own) for own in records])]).astype(np.int64)
    return TokenStore(projection, starts, np.concatenate(records), codec)


# Papers from live sources that are not in the corpus, without duplicates.

N_ALIKE = 5
"""Number of papers in the corpus with which a new paper is compared by the merging rule: those that best match the
words of its title.
"""

_COLUMNS = {
    "arxiv": ("arxiv_id", "paper_id"),
    "doi": ("doi", "paper_id"),
    "bibcode": ("bibcode", "paper_id"),
    "openalex": ("openalex_id", "paper_id"),
    "pmid": ("pmid",),
}
"""Columns of the corpus that hold each kind of identifier."""


def new_papers(replies: Sequence[LiveReply], corpus: Corpus) -> tuple[NewPaper, ...]:
    """Return the papers in `replies` that are not in the corpus; records of one paper in several replies are merged."""
    records: dict[str, list[Paper]] = {}
    sources: dict[str, list[LiveSource]] = {}
    finder = Finder()
    for group, reply in enumerate(replies):
        for paper in reply.papers:
            earlier = finder.same(paper, group)
            name = earlier[0].paper_id if earlier else paper.paper_id
            if earlier is None and name not in records:
                finder.add(paper, group)
            records.setdefault(name, []).append(paper)
            sources.setdefault(name, []).append(reply.source)
    merged_papers = ((merged_record(own), tuple(dict.fromkeys(sources[name]))) for name, own in records.items())
    return tuple(NewPaper(paper, found_in) for paper, found_in in merged_papers if not is_in(paper, corpus))


def is_in(paper: Paper, corpus: Corpus) -> bool:
    """Return whether the corpus has `paper`, recognised by an identifier or by the rule for merging records."""
    if corpus.papers.rows_of([paper.paper_id])[0] >= 0 or _has_identifier(paper, corpus.papers):
        return True
    alike = corpus.sparse.search(paper.title, N_ALIKE).rows
    return any(same_paper(other, paper) is not None for other in corpus.papers.take(alike))


def _has_identifier(paper: Paper, papers: PaperTable) -> bool:
    keys = identifier_keys(paper)
    for kind, names in keys.items():
        for column in _COLUMNS.get(kind, ()):
            if _occurs(papers.column(column), sorted(names)):
                return True
    identifiers = [f"{kind}:{name}" for kind, names in keys.items() for name in names]
    others = papers.column("other_ids")
    return any(_occurs(pc.list_flatten(chunk), identifiers) for chunk in others.iterchunks())


def _occurs(column: pa.ChunkedArray | pa.Array, names: Sequence[str]) -> bool:
    """Return whether a column contains one of `names`, which are in lower case; case in the column is ignored."""
    is_named = pc.is_in(pc.utf8_lower(column), value_set=pa.array(names, pa.string()))
    return bool(pc.any(is_named).as_py())
