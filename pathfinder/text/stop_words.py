"""The stop words of languages, as listed by bm25s."""

from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType


def _lists() -> ModuleType:
    """Import only the lists, because bm25s imports Numba, which takes longer than everything else in a search."""
    package = find_spec("bm25s")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("bm25s, whose stop words are used, is not installed: pip install bm25s")
    spec = spec_from_file_location("bm25s_stop_words", Path(package.submodule_search_locations[0], "stopwords.py"))
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError("bm25s has no stopwords.py: install the version that requirements.txt names")
    lists = module_from_spec(spec)
    spec.loader.exec_module(lists)
    return lists


LISTS = _lists()
"""Stop words, under the names used by bm25s: `STOPWORDS_EN`, `STOPWORDS_GERMAN` and so on."""
