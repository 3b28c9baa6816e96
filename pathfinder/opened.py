"""An open corpus with the models that read it: what every operation on it stands on."""

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Self, TypeVar

from pathfinder.assessment.outliers import OutlierCalibration
from pathfinder.assessment.relevance import RelevanceModel
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.errors import CorpusDamaged, CorpusError
from pathfinder.landscape.atlas import Atlas
from pathfinder.landscape.atlas_files import open_atlas
from pathfinder.landscape.chart import Chart
from pathfinder.landscape.landscape import Landscape, open_landscape
from pathfinder.landscape.layers.surveying import survey_of
from pathfinder.landscape.survey import Survey
from pathfinder.models.account import Account, Prices, Terms
from pathfinder.models.loading import load_chat, load_embedder, load_reranker, load_terms
from pathfinder.models.metered import MeteredChat
from pathfinder.models.ports import ChatModel, Embedder, Reranker
from pathfinder.models.reply_cache import ReplyCache
from pathfinder.retrieval.models import Models
from pathfinder.settings import Settings

Parsed = TypeVar("Parsed")

N_RERANKERS = 2
"""How many are kept in memory: two settings may be compared side by side."""


class Opened:
    """What `Pathfinder` does its work with. It keeps nothing between questions, so threads may share it."""

    def __init__(
        self,
        corpus: Corpus,
        embedder: Embedder,
        extractor: KeywordExtractor,
        chat: ChatModel | None = None,
        load_reranker: Callable[[str], Reranker] | None = None,
        terms: Terms | None = None,
    ) -> None:
        corpus.check_embedder(embedder)
        self.corpus = corpus
        self.embedder = embedder
        self.chat, self.terms = chat, terms or Terms(cache=ReplyCache())
        self.models = Models(embedder, extractor, chat, load_reranker)
        self._calibration = _parsed(corpus, "outliers", OutlierCalibration.from_json)
        self._relevance = _parsed(corpus, "relevance", RelevanceModel.from_json)

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        chat: ChatModel | None = None,
    ) -> Self:
        """Open the corpus in `folder` with the embedder that made it, and the chat model of `settings`, if any.

        Raises `CorpusError` for a folder that is no whole corpus, `ModelError` for an embedder that is not here.
        """
        settings = settings or Settings()
        corpus = open_corpus(Path(folder))
        embedder = embedder or load_embedder(corpus.manifest.embedder, settings)
        rerankers = lru_cache(N_RERANKERS)(partial(load_reranker, settings=settings))
        chat = chat or load_chat(settings)
        return cls(corpus, embedder, KeywordExtractor.load(), chat, rerankers, load_terms(settings))

    @cached_property
    def landscape(self) -> Landscape | None:
        """The map of the corpus; `None` for a corpus that is too small for one."""
        folder = self.corpus.path("landscape")
        return None if folder is None else open_landscape(folder)

    @cached_property
    def atlas(self) -> Atlas | None:
        """What was drawn of the map; `None` where there is none: `corpus.absent["atlas"]` has the way to it."""
        folder = self.corpus.path("atlas")
        return None if folder is None else open_atlas(folder)

    @cached_property
    def survey(self) -> Survey | None:
        """What layers of the map are counted from; `None` where there is no map."""
        return None if self.landscape is None else survey_of(self.corpus, self.landscape)

    @cached_property
    def chart(self) -> Chart:
        """What pictures and cards of the map are made from. Raises `CorpusError` for a corpus that has none."""
        landscape, atlas = self.landscape, self.atlas
        if landscape is None or atlas is None:
            missing = "landscape" if landscape is None else "atlas"
            raise CorpusError(f"this corpus has no map to draw: {self.corpus.absent.get(missing, 'build it again')}")
        return Chart(atlas, landscape.coordinates, self.corpus.papers)

    def with_chat(self, chat: ChatModel | None, prices: Prices | None = None) -> Self:
        """The same open corpus with another chat model, or none: for one reader's own key.

        Its replies are remembered apart from those of any other; the prices of the model before do not go with it.
        """
        other = copy(self)
        other.chat, other.models = chat, replace(self.models, chat=chat)
        other.terms = replace(self.terms, prices=prices, cache=ReplyCache())
        return other

    def _meter(self, purpose: str, limit_tokens: int | None = None) -> MeteredChat | None:
        """The chat model for one operation, if there is one; `settled` ends the operation."""
        if self.chat is None:
            return None
        terms = self.terms if limit_tokens is None else replace(self.terms, limit_tokens=limit_tokens)
        return MeteredChat(self.chat, purpose, account=Account(terms))


def _parsed(corpus: Corpus, role: str, parse: Callable[[bytes], Parsed]) -> Parsed:
    """One part of the corpus, read; damage is told with the file's name."""
    try:
        return parse(corpus.read(role))
    except CorpusDamaged as error:
        raise CorpusDamaged(f"{corpus.path(role)}: {error}") from error
