"""The flow of a live search.

request -> ask live sources -> find papers that the corpus lacks -> extract keywords, embed, index, place on the map
        -> search as in any corpus
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from pathfinder.corpus.as_of import without_citations
from pathfinder.corpus.store import Corpus
from pathfinder.errors import ProviderError, UsageError
from pathfinder.live.joined_corpus import join
from pathfinder.live.new_papers import NewPaper, new_papers
from pathfinder.retrieval.stages import StageLog, StageReport, failed_stage
from pathfinder.retrieval.stages.models import Models
from pathfinder.retrieval.strategies.dispatch import dispatch_search
from pathfinder.sources.live.access import LiveAccess
from pathfinder.sources.live.allowance import LiveReply
from pathfinder.sources.live.asking import ask_side_by_side
from pathfinder.types import LIVE_SOURCE_LABELS, SearchRequest, SearchResult

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
    result = dispatch_search(request, joined_corpus, models)
    return replace(
        result,
        stages=(*log.stages, *result.stages),
        stage_status=(*log.stage_status, *result.stage_status),
    )


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
    unusable = f", and {_describe_count(reply.n_rejected, 'record')} that cannot be used" if reply.n_rejected else ""
    return StageReport(f"{_describe_count(len(reply.papers), 'paper')}{unusable}", name)


def _summary(replies: Sequence[LiveReply], papers: Sequence[NewPaper], n_later: int) -> StageReport:
    """Report how many papers were added to the search, or that no live source answered. In a corpus as of a given year,
    also report how many papers were left out because they are dated later or undated.
    """
    n_replies, n_papers = sum(reply.problem is None for reply in replies), sum(len(reply.papers) for reply in replies)
    if not n_replies:
        return failed_stage("no live source answered, so only the corpus was searched")
    later = f"; {_describe_count(n_later, 'paper')} left out (dated later or undated)" if n_later else ""
    return StageReport(
        f"{_describe_count(n_papers, 'record')}, {_describe_count(len(papers), 'paper')} that the corpus lacks{later}"
    )


def _describe_count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
