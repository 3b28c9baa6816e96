"""The features of an open corpus: their cards, and the features by which a search is steered."""

from dataclasses import replace

from pathfinder.corpus.features import FeatureDictionary, feature_called, with_full_names
from pathfinder.errors import UsageError
from pathfinder.session.map_session import MapSession
from pathfinder.types import SearchRequest, Weighting
from pathfinder.types.features import Feature, FeatureCard


class FeatureSession(MapSession):
    """An open corpus with its map and its features."""

    def features(self) -> tuple[Feature, ...]:
        """List the features of the corpus, named ones first, by number of papers. Raises `UsageError` if it has
        none.
        """
        dictionary = self._dictionary()
        unnamed = (feature for feature in dictionary.features if not feature.is_named)
        return (*dictionary.named, *sorted(unnamed, key=lambda feature: -feature.n_papers))

    def feature_card(self, feature: Feature | str, n_papers: int = 10) -> FeatureCard:
        """Return the card of a feature, given as such, by its name or by one of its phrases, with the `n_papers` papers
        in which it is most active.

        Raises `UsageError`, with similar names, for a name that no feature of this corpus has.
        """
        from pathfinder.landscape.statistics.patches import middle

        dictionary = self._dictionary()
        if isinstance(feature, str):
            feature = feature_called(feature, dictionary.features)
        rows = dictionary.rows_of(feature)[:n_papers]
        strengths = (dictionary.strengths[rows] * (dictionary.numbers[rows] == feature.number)).max(axis=1)
        place = middle(self.map_data, rows) if self.map_data is not None and len(rows) else None
        papers = zip(self.corpus.papers.take(rows), map(float, strengths), strict=True)
        return FeatureCard(feature, tuple(papers), place)

    def steered(self, weighting: Weighting) -> Weighting:
        """Return `weighting` with the full names of the features by which it steers. Raises `UsageError` for a feature
        that this corpus does not have.
        """
        return with_full_names(weighting, self._dictionary().features) if weighting.steers else weighting

    def _with_full_names(self, request: SearchRequest) -> SearchRequest:
        return replace(request, weighting=self.steered(request.weighting)) if request.weighting.steers else request

    def _dictionary(self) -> FeatureDictionary:
        if self.corpus.features is None:
            raise UsageError(self.corpus.absent["features"])
        return self.corpus.features
