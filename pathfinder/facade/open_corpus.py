"""An open corpus with the models that read it, and the budget of a question."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import fields, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from threading import Lock, RLock
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from pathfinder.answering.assessment.assess import OutlierCalibration
from pathfinder.answering.assessment.relevance import RelevanceModel
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.errors import CorpusDamaged, CorpusError
from pathfinder.llm.chat import Chat
from pathfinder.llm.usage import BudgetTracker, CallLog, Prices, ReplyCache, UsagePolicy
from pathfinder.models.loading import load_chat, load_embedder, load_moderator, load_reranker, load_usage_policy
from pathfinder.models.ports import ChatModel, Embedder, KeylessEmbedder, Moderator, Reranker
from pathfinder.profile import Profile
from pathfinder.retrieval.stages import Models
from pathfinder.settings import LOCAL_EMBEDDER, Settings
from pathfinder.sources.live.access import LiveAccess
from pathfinder.types import (
    LOCAL_RERANKER,
    NO_RERANKER,
    Budget,
    Call,
    Candidates,
    PaperCitations,
    SearchRequest,
    SearchResult,
    Stage,
    StageOutcome,
    StageStatus,
)

if TYPE_CHECKING:
    from pathfinder.fulltext.adding import FileOutcome
    from pathfinder.fulltext.store import FullTexts
    from pathfinder.landscape.data.landscape import Atlas, Landscape
    from pathfinder.landscape.data.map_data import MapData


MAX_BYTES = 64 * 1024 * 1024
"""Memory for results, in bytes; a result with 1,000 candidates of 384 dimensions takes 1.7 MB, so about 38 fit."""
STAGE = "memory"
_BYTES_A_TEXT = 200
"""Estimated size, in bytes, of a string or a small object in a result."""


class SearchCache:
    """The most recent search results, within a limit on memory. Threads may share it.

    A request holds all settings and weights of its search, so requests that differ in any of them have separate
    results. A result is kept only if neither a chat model nor a vendor took part in the search: results paid for with
    one visitor's key are not shown to others, and a failed call is tried again.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes, self._n_bytes, self._lock = max_bytes, 0, Lock()
        self._results: OrderedDict[tuple[str, SearchRequest], SearchResult] = OrderedDict()

    def get(self, version: str, request: SearchRequest) -> SearchResult | None:
        """Return the stored result of `request` on this version of a corpus, with a stage that says that the search was
        run before; `None` if none is stored. The times of the other stages are left out, because they did not run
        again.
        """
        start = perf_counter()
        with self._lock:
            result = self._results.get((version, request))
            if result is None:
                return None
            self._results.move_to_end((version, request))
        stage = Stage(STAGE, "the same search was run before", perf_counter() - start)
        return replace(
            result,
            stages=(*(replace(earlier, seconds=None) for earlier in result.stages), stage),
            stage_status=(*result.stage_status, StageStatus(STAGE, None, StageOutcome.RAN)),
        )

    def store(self, version: str, request: SearchRequest, result: SearchResult) -> None:
        """Store `result`; above the limit, the least recently used results are dropped."""
        with self._lock:
            earlier = self._results.pop((version, request), None)
            self._n_bytes += size_of(result) - (size_of(earlier) if earlier else 0)
            self._results[version, request] = result
            while self._n_bytes > self._max_bytes:
                _, oldest = self._results.popitem(last=False)
                self._n_bytes -= size_of(oldest)

    def __len__(self) -> int:
        with self._lock:
            return len(self._results)


def is_repeatable(request: SearchRequest, *, has_chat: bool) -> bool:
    """Return whether a search always gives the same result: it uses no chat model, vendor, live source or plug-in
    factor.
    """
    is_local = request.reranker in (NO_RERANKER, LOCAL_RERANKER) and not request.weighting.extra
    return is_local and not request.live and not (request.uses_chat and has_chat)


def size_of(result: SearchResult) -> int:
    """Estimate the memory that a result takes, in bytes: the size of its arrays, plus a fixed amount per string."""
    pool = result.candidates
    arrays = [getattr(pool, entry.name) for entry in fields(Candidates)] + [*pool.extra.values()]
    if pool.activations is not None:
        arrays += [pool.activations.numbers, pool.activations.strengths]
    n_bytes = sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
    n_texts = sum(map(len, pool.passages)) + sum(map(len, pool.found_by)) + 20 * len(result.hits)
    return n_bytes + _BYTES_A_TEXT * n_texts


# An open corpus as it is now and as of earlier years, each with its map; the years requested most recently stay open
# for whoever asks next.

MAX_YEARS = 3
"""Number of years kept open besides the whole corpus: each has its own copy of the table of papers in memory."""


class CorpusView:
    """A corpus, whole or as of a given year, with its map, which is opened or drawn when it is first needed."""

    def __init__(self, corpus: Corpus, whole: "CorpusView | None" = None) -> None:
        self.corpus = corpus
        self._whole = whole
        self._lock = RLock()

    @cached_property
    def landscape(self) -> "Landscape | None":
        from pathfinder.landscape.data.landscape import landscape_as_of, open_landscape

        if self._whole is not None:
            whole = self._whole.landscape
            return None if whole is None else landscape_as_of(whole, self.corpus)
        folder = self.corpus.path("landscape")
        return None if folder is None else open_landscape(folder)

    def draw(self) -> None:
        """Draw the map now, if that has not been done."""
        with self._lock:
            self._atlas  # noqa: B018  it is drawn when it is first read

    @property
    def atlas(self) -> "Atlas | None":
        with self._lock:  # drawing takes seconds, and two visitors may ask for the map at once
            return self._atlas

    @cached_property
    def _atlas(self) -> "Atlas | None":
        from pathfinder.landscape.drawing.terrain import open_atlas

        if self._whole is not None:
            from pathfinder.building.map import draw

            if self._whole.atlas is None or self.landscape is None:
                return None
            return draw(self.landscape, self.corpus.papers, self.corpus.terms)
        folder = self.corpus.path("atlas")
        return None if folder is None else open_atlas(folder)

    @cached_property
    def map_data(self) -> "MapData | None":
        from pathfinder.landscape.data.map_data import map_data_as_of, map_data_of

        if self.landscape is None:
            return None
        if self._whole is not None and self._whole.map_data is not None:
            return map_data_as_of(self._whole.map_data, self.corpus, self.landscape)
        return map_data_of(self.corpus, self.landscape)

    @cached_property
    def drawn_map(self) -> "MapData":
        map_data, atlas = self.map_data, self.atlas
        if map_data is None or atlas is None:
            missing = "landscape" if map_data is None else "atlas"
            raise CorpusError(f"this corpus has no map to draw: {self.corpus.absent.get(missing, 'build it again')}")
        return replace(map_data, opened_atlas=atlas)


class CorpusViews:
    """The whole corpus, and the years requested most recently. Threads may share it."""

    def __init__(self, corpus: Corpus) -> None:
        self.whole = CorpusView(corpus)
        self._years: OrderedDict[int, CorpusView] = OrderedDict()
        self._lock, self._making = Lock(), Lock()

    def as_of(self, year: int | None, make: Callable[[Corpus, int], Corpus]) -> CorpusView:
        """Return the corpus as of the end of `year`; `None` is the whole corpus. `make` creates it if necessary."""
        if year is None:
            return self.whole
        if (view := self._open(year)) is not None:
            return view
        with self._making:  # making a view takes seconds; meanwhile, others may still read the years that are open
            view = self._open(year) or CorpusView(make(self.whole.corpus, year), self.whole)
            with self._lock:
                self._years[year] = view
                while len(self._years) > MAX_YEARS:
                    self._years.popitem(last=False)
            return view

    def _open(self, year: int) -> CorpusView | None:
        """Return the view of a year if it is open; it then counts as the one requested most recently."""
        with self._lock:
            if year in self._years:
                self._years.move_to_end(year)
            return self._years.get(year)


ParsedPart = TypeVar("ParsedPart")

PREPARATION = ("follow-up", "route", "search")
"""Operations whose calls are charged to the budget of the answer that they prepare."""

N_RERANKERS = 2
"""Number of rerankers kept in memory, so that two settings can be compared side by side."""


class OpenCorpus:
    """An open corpus, whole or as of a given year, with the models that read it."""

    def __init__(
        self,
        corpus: Corpus,
        embedder: Embedder,
        extractor: KeywordExtractor,
        chat: ChatModel | None = None,
        load_reranker: Callable[[str], Reranker] | None = None,
        terms: UsagePolicy | None = None,
        live: LiveAccess | None = None,
    ) -> None:
        corpus.check_embedder(embedder)
        self._views = CorpusViews(corpus)
        self.view, self.corpus = self._views.whole, corpus
        self.embedder = embedder
        self.chat, self.policy = chat, terms or UsagePolicy(cache=ReplyCache())
        self.budget: Budget | None = None
        self.call_log: CallLog | None = None
        self.searches: SearchCache | None = None
        self.models = Models(embedder, extractor, chat, load_reranker)
        self.live = live
        self.moderator: Moderator | None = None
        self._load_spare: Callable[[], Embedder] | None = None
        self._calibration = _parse_part(corpus, "outliers", OutlierCalibration.from_json)
        self._relevance = _parse_part(corpus, "relevance", RelevanceModel.from_json)

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        chat: ChatModel | None = None,
    ) -> Self:
        """Open the corpus in `folder` with the embedder that it was built with, and with the chat model in `settings`,
        if any.

        If the key of its embedder is missing, the corpus can be searched by words alone, and every search says so.
        Raises `CorpusError` if the folder is not a complete corpus, and `ModelError` if its embedder is not installed.
        """
        settings = settings or Settings()
        corpus = open_corpus(Path(folder))
        embedder = embedder or load_embedder(corpus.manifest.embedder, settings, needs_key=False)
        rerankers = lru_cache(N_RERANKERS)(partial(load_reranker, settings=settings))
        chat = chat or load_chat(settings)
        extractor = KeywordExtractor.load(profile=corpus.profile)
        session = cls(corpus, embedder, extractor, chat, rerankers, load_usage_policy(settings), LiveAccess(settings))
        session.moderator = load_moderator(settings)
        if isinstance(embedder, KeylessEmbedder):
            session._load_spare = lru_cache(1)(partial(load_embedder, LOCAL_EMBEDDER, settings))
        return session

    @property
    def sentence_embedder(self) -> Embedder:
        """Embedder that compares sentences with questions and with one another: that of the corpus or, if its key is
        missing, the local one. Its vectors are never compared with those of the corpus.
        """
        return self._load_spare() if self._load_spare is not None else self.embedder

    @property
    def profile(self) -> Profile:
        """Profile of the corpus's field."""
        return self.corpus.profile

    @property
    def year(self) -> int | None:
        """The year as of which the corpus is open; `None` for the whole corpus."""
        return self.corpus.as_of.year if self.corpus.as_of else None

    @property
    def notes_on_year(self) -> tuple[str, ...]:
        """Notes on what the year leaves out, and on what still rests on all papers; none for the whole corpus."""
        from pathfinder.corpus.as_of import describe_as_of, still_later

        if self.year is None:
            return ()
        still = "; ".join(still_later(self.corpus))
        return (f"as of {self.year}: {describe_as_of(self.corpus)}", f"still as of today: {still}")

    def as_of(self, year: int | None) -> Self:
        """Return the same open corpus as of the end of `year`, as if no paper dated later, or undated, were in it; with
        `None`, the whole corpus.

        Words are weighted, citations are counted and ages are measured using only the remaining papers, and the map is
        drawn from them; `still_later` in `corpus/as_of.py` lists what rests on the whole corpus. The three years
        requested most recently stay open. Raises `UsageError` for anything but a year, and for a year before that of
        the first dated paper.
        """
        from pathfinder.corpus.as_of import corpus_as_of

        view = self._views.as_of(year, corpus_as_of)
        return self if view is self.view else self._with(view=view, corpus=view.corpus)

    def _with(self, **changed: Any) -> Self:
        other = copy(self)
        vars(other).update(changed)
        return other

    @property
    def full_texts(self) -> "FullTexts":
        """Full texts of the papers, as they are on disk now."""
        from pathfinder.fulltext.store import FullTexts

        texts = FullTexts.open(self.corpus.folder)
        if self.corpus.as_of is None:
            return texts
        paper_ids = set(self.corpus.papers.paper_ids())
        return replace(texts, texts={name: text for name, text in texts.texts.items() if name in paper_ids})

    def add_full_texts(self, *paths: Path | str, paper_id: str | None = None) -> "tuple[FileOutcome, ...]":
        """Add files, or folders of files, as full texts of the papers to which they belong, index them, and return the
        outcome for each file. Searches use them only once the corpus has been opened again.

        With `paper_id`, there must be only one file, the text of that paper. Raises `UsageError` for a paper that is
        not in the corpus.
        """
        from pathfinder.fulltext.adding import add_files, files_in

        outcomes = tuple(add_files(self.corpus.folder, files_in(map(Path, paths)), paper_id=paper_id))
        self._index_full_texts()
        return outcomes

    def remove_full_texts(self, *paper_ids: str) -> None:
        """Remove the full texts of papers; the papers stay. Raises `UsageError` for a paper without a full text."""
        from pathfinder.fulltext.store import remove

        remove(self.corpus.folder, paper_ids)
        self._index_full_texts()

    def _index_full_texts(self) -> None:
        from pathfinder.building.full_texts import index_full_texts
        from pathfinder.building.progress import Silent

        index_full_texts(self.corpus.folder, self.embedder, Silent())

    def citations_of(self, paper_id: str) -> PaperCitations:
        """Return what a paper cites and what cites it in this corpus, and the papers closest to it by citations.

        Raises `UsageError` for a paper that is not in the corpus, and for a corpus without a citation network.
        """
        from pathfinder.retrieval.citations.ties import citations_of

        return citations_of(paper_id, self.corpus)

    def with_searches(self, searches: SearchCache) -> Self:
        """Return the same open corpus, with results of repeated searches taken from `searches`."""
        return self._with(searches=searches)

    def with_live(self, access: LiveAccess) -> Self:
        """Return the same open corpus, with `access` to live sources."""
        return self._with(live=access)

    def for_answer(self) -> Self:
        """Return the same open corpus for one answer, whose searches share one time limit for live sources."""
        return self if self.live is None else self.with_live(self.live.for_answer())

    def with_chat(self, chat: ChatModel | None, prices: Prices | None = None) -> Self:
        """Return the same open corpus with another chat model, or with none, as for a reader who supplies a key of
        their own.

        Its replies are cached separately from those of any other model, and the former model's prices are dropped.
        """
        policy = replace(self.policy, prices=prices, cache=ReplyCache())
        return self._with(chat=chat, models=replace(self.models, chat=chat), policy=policy)

    def for_question(self, budget: Budget | None = None, calls: CallLog | None = None) -> Self:
        """Return the same open corpus for one question, whose operations share one budget and one log of calls.

        Follow-up, routing, query expansion, answers, consensus and rewrites all draw on the same `budget`, and whatever
        a failed or stopped operation has used counts too. Without a `budget`, each operation has its own, from which
        the operations that prepared it are also paid. `calls` collects every call, including failed and stopped ones.
        """
        return self._with(budget=budget, call_log=calls or CallLog())

    def moderate(self, *texts: str | None) -> None:
        if self.moderator is not None:
            for text in filter(None, texts):
                self.moderator.check(text)

    def metered_chat(self, purpose: str, budget: Budget | None = None, earlier: Sequence[Call] = ()) -> Chat | None:
        """Return the chat model for one operation, if there is one; `finalise_calls` ends the operation.

        `earlier` contains calls already made for the question, in case no log has recorded them.
        """
        if self.chat is None:
            return None
        log = self.call_log or CallLog(earlier)
        tracker = BudgetTracker(
            self.policy,
            self.budget or budget,
            log=log,
            is_preparation=purpose in PREPARATION,
            is_shared=self.budget is not None,
        )
        return replace(Chat.of(self.chat), terms=self.profile.field).metered(purpose, tracker)


def _parse_part(corpus: Corpus, role: str, parse: Callable[[bytes], ParsedPart]) -> ParsedPart:
    """Read one part of the corpus; a `CorpusDamaged` error names the file."""
    content = corpus.read(role)
    try:
        return parse(content)
    except CorpusDamaged as error:
        raise CorpusDamaged(f"{corpus.path(role)}: {error}") from error
