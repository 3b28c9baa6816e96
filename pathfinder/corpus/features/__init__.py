"""Features of a corpus: a sparse dictionary over its vectors, with names that have been tested."""

from pathfinder.corpus.features.dictionary import FeatureDictionary, open_features, write_features
from pathfinder.corpus.features.names import find_feature, with_full_names

__all__ = ["FeatureDictionary", "find_feature", "open_features", "with_full_names", "write_features"]
