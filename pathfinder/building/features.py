"""The features of a corpus as one of its parts."""

from pathlib import Path

from pathfinder.building.tools import Tools
from pathfinder.corpus.features import FeatureDictionary, write_features
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile
from pathfinder.features import MIN_PAPERS, fit_features
from pathfinder.index.terms import KeywordIndex
from pathfinder.models.ports import Vectors


def features_part(
    tools: Tools, vectors: Vectors, papers: PaperTable, terms: Path, previous: FeatureDictionary | None
) -> CorpusFile | str:
    """Fit, name and test the features of all papers, or bring those of `previous` up to date; return the reason if
    there are too few papers.
    """
    if len(papers) < MIN_PAPERS:
        return f"features need at least {MIN_PAPERS} papers: add papers"  # earlier years have even fewer
    tools.progress.start("fitting features", None)
    dictionary = fit_features(vectors, papers, KeywordIndex.open(terms), previous)
    part = tools.make_part("features", "features", lambda folder: write_features(dictionary, folder))
    tools.progress.finish()
    return part
