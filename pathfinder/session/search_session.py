"""Searches of an open corpus, the features by which they are steered, its map and its layers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pathfinder.assessment.assess import assess
from pathfinder.corpus.features import FeatureDictionary, find_feature, with_full_names
from pathfinder.errors import UsageError
from pathfinder.index.file_maps import return_pages
from pathfinder.llm.chat import Chat, finalise_calls
from pathfinder.models.ports import ChatModel
from pathfinder.session.corpus_session import CorpusSession
from pathfinder.session.search_cache import is_repeatable
from pathfinder.types import AnswerRequest, Likeness, SearchRequest, SearchResult, Weighting
from pathfinder.types.features import Feature, FeatureCard

if TYPE_CHECKING:
    from pathfinder.landscape.data.landscape import Atlas, Landscape
    from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer
    from pathfinder.landscape.data.map_data import MapData


class SearchSession(CorpusSession):
    """An open corpus that can be searched, and steered by its features, with its map."""

    def search(self, question: str | SearchRequest, **fields: Any) -> SearchResult:
        """Find and rank papers. `fields` are those of `SearchRequest`: `pf.search("...", top_k=5, year_from=2020)`."""
        request = request_of_fields(question, fields)
        request = replace(request, weighting=self.with_feature_names(request.weighting))
        if request.as_of not in (None, self.year):
            return self.as_of(request.as_of).search(request)
        self.moderate(request.query, request.likeness.text if request.likeness else None)
        version, searches = self.corpus.name.version, self.searches
        keeps = searches is not None and is_repeatable(request, has_chat=self.chat is not None)
        if searches is not None and keeps and (stored_result := searches.get(version, request)) is not None:
            return stored_result
        chat = self.metered_chat("search")
        result = replace(self._search(request, chat), calls=finalise_calls(chat))
        return_pages()
        if searches is not None and keeps:
            searches.store(version, request, result)
        return result

    def _search(self, request: SearchRequest, chat: ChatModel | None) -> SearchResult:
        from pathfinder.retrieval.similar import similar
        from pathfinder.retrieval.strategies.recursion import dispatch_search

        models, request = replace(self.models, chat=chat), replace(request, as_of=self.year)
        if request.likeness is not None:
            landscape = self.landscape if request.likeness.place else None
            return similar(request, self.corpus, models, landscape.coordinates if landscape else None)
        if request.live:
            from pathfinder.live import search_live

            return self._assess(search_live(request, self.corpus, models, self.live))
        return self._assess(dispatch_search(request, self.corpus, models))

    def similar(
        self,
        *more: str,
        less: Sequence[str] = (),
        text: str | None = None,
        place: tuple[float, float] | None = None,
        **fields: Any,
    ) -> SearchResult:
        """Find papers that resemble the papers `more`, a pasted `text` or the papers at `place` on the map, and differ
        from `less`.

        `fields` are those of `SearchRequest`: `pf.similar("riess-2022", less=["hubble-1929"], top_k=5)`. The given
        papers themselves are left out. Relevance is not judged: the result has no assessment.
        """
        from pathfinder.retrieval.likeness import describe

        likeness, own = Likeness(more, tuple(less), text, place), self.as_of(fields.get("as_of") or self.year)
        return own.search(describe(likeness, own.corpus.papers), likeness=likeness, **fields)

    def reweigh(self, result: SearchResult, weighting: Weighting) -> SearchResult:
        """Reorder the candidates of `result` with another weighting, without using a model or an index."""
        from pathfinder.retrieval.weighting import reweigh

        return self._assess(reweigh(result, self.with_feature_names(weighting)))

    def _search_for(self, result: SearchResult, chat: Chat | None) -> Callable[[SearchRequest], SearchResult]:
        """Return the search function for an operation on `result`, under its budget and one time limit for live
        sources.
        """
        own = self.of(result).for_answer()
        return partial(SearchSession._search, own, chat=chat and chat.for_purpose("search"))

    def _assess(self, result: SearchResult) -> SearchResult:
        if result.request.likeness is not None:
            return result
        return assess(result, self.of(result).corpus.sparse, self._calibration, self._relevance)

    def features(self) -> tuple[Feature, ...]:
        """List the features of the corpus: first those with names, then the others, each group by number of papers.
        Raises `UsageError` if it has none.
        """
        dictionary = self._dictionary()
        unnamed_features = (feature for feature in dictionary.features if not feature.is_named)
        return (*dictionary.named_features, *sorted(unnamed_features, key=lambda feature: -feature.n_papers))

    def feature_card(self, feature: Feature | str, n_papers: int = 10) -> FeatureCard:
        """Return the card of a feature, with the `n_papers` papers in which it is most active. The feature may be given
        as a `Feature`, by its name or by one of its phrases.

        Raises `UsageError`, which lists similar names, for a name that no feature of this corpus has.
        """
        from pathfinder.landscape.statistics.windows import middle

        dictionary = self._dictionary()
        if isinstance(feature, str):
            feature = find_feature(feature, dictionary.features)
        rows = dictionary.rows_of(feature)[:n_papers]
        strengths = (dictionary.strengths[rows] * (dictionary.numbers[rows] == feature.number)).max(axis=1)
        place = middle(self.map_data, rows) if self.map_data is not None and len(rows) else None
        papers = zip(self.corpus.papers.take(rows), map(float, strengths), strict=True)
        return FeatureCard(feature, tuple(papers), place)

    def with_feature_names(self, weighting: Weighting) -> Weighting:
        """Return `weighting` with the full names of the features by which it steers. Raises `UsageError` for a feature
        that this corpus does not have.
        """
        return with_full_names(weighting, self._dictionary().features) if weighting.steers else weighting

    def _dictionary(self) -> FeatureDictionary:
        if self.corpus.features is None:
            raise UsageError(self.corpus.absent["features"])
        return self.corpus.features

    @property
    def landscape(self) -> "Landscape | None":
        """The map of the corpus; `None` if the corpus is too small to have one. The map as of a given year has the same
        frame as the whole map.
        """
        return self.view.landscape

    @property
    def atlas(self) -> "Atlas | None":
        """The drawn parts of the map; `None` if there are none: `corpus.absent["atlas"]` says how to get them.

        As of a given year, they are drawn from the papers up to that year.
        """
        return self.view.atlas

    @property
    def map_data(self) -> "MapData | None":
        """Positions, years and papers of the map, from which layers are computed; `None` if there is no map."""
        return self.view.map_data

    @property
    def drawn_map(self) -> "MapData":
        """`map_data` together with the drawn parts (tiles, names, peaks), for pictures and cards. Raises `CorpusError`
        for a corpus without a map.
        """
        return self.view.drawn_map

    @property
    def survey(self) -> "MapData | None":
        """Alias of `map_data`, under its name in 0.1.0."""
        return self.map_data

    @property
    def chart(self) -> "MapData":
        """Alias of `drawn_map`, under its name in 0.1.0."""
        return self.drawn_map

    def layers(self) -> "tuple[LayerInfo | UnavailableLayer, ...]":
        """List the layers that are available for the map and, with the reason and the way to get them, those that are
        not.
        """
        from pathfinder.landscape.layers.registry import list_layers

        return list_layers(self.map_data) if self.map_data else (self._no_map("map"),)

    def layer(self, slug: str, years: tuple[int | None, int | None] | None = None) -> "Layer | UnavailableLayer":
        """Read or compute a layer of the map, such as "growth", "mission:jwst", "topic:galaxies" or "author:Riess, A".

        Layers without options were computed when the corpus was built; the others are computed on request, for `years`
        (both inclusive) if they depend on years. Raises `UsageError` for an unknown slug.
        """
        from pathfinder.landscape.layers.registry import layer

        return layer(self.map_data, slug, years) if self.map_data else self._no_map(slug)

    def found_layer(self, result: SearchResult) -> "Layer | UnavailableLayer":
        """Show the hits of `result` on the map, with their ranks, and mark the outliers among them."""
        from pathfinder.landscape.layers.own_papers import found_layer

        map_data = self.of(result).map_data
        return found_layer(map_data, result) if map_data else self._no_map("found")

    def _no_map(self, slug: str) -> "UnavailableLayer":
        from pathfinder.landscape.data.layer import UnavailableLayer

        return UnavailableLayer(slug, "The map", self.corpus.absent.get("landscape", "this corpus has no map"))


def request_of_fields(question: str | SearchRequest, fields: dict[str, Any]) -> SearchRequest:
    """Return the request for `question` with its `fields` changed. Raises `UsageError` for an unknown field."""
    checked_fields = known_fields(fields, SearchRequest, "a search")
    return (
        replace(question, **checked_fields)
        if isinstance(question, SearchRequest)
        else SearchRequest(question, **checked_fields)
    )


def known_fields(fields: dict[str, Any], kind: type[AnswerRequest | SearchRequest], noun: str) -> dict[str, Any]:
    """Return `fields`. Raises `UsageError` if one is not a field of the request class `kind`, which messages call
    `noun`.
    """
    if unknown := set(fields) - set(kind.__dataclass_fields__):
        raise UsageError(f"{noun} has no setting {', '.join(sorted(unknown))}: see {kind.__name__}")
    return fields
