"""TextBlob's part-of-speech lexicon: the most likely tag of each of 94,000 everyday English words.

This is Brill's lexicon, derived from the Brown corpus and the Wall Street Journal. It is read as a data file and
TextBlob itself is never imported, so TextBlob's own dependencies, such as NLTK, are not needed.
"""

import importlib.util
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from pathfinder.errors import ModelError

LEXICON_WHEEL = "textblob==0.20.1"

REMEDY = f"install it with `pip install --no-deps {LEXICON_WHEEL}` (`make` does this)"


def read_lexicon() -> Mapping[str, str]:
    """Return the Penn Treebank tag of each word in the installed lexicon.

    Raises `ModelError` when the lexicon is not installed or cannot be read.
    """
    spec = importlib.util.find_spec("textblob")
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(f"the part-of-speech lexicon of {LEXICON_WHEEL} is not installed: {REMEDY}")
    return _read(Path(spec.submodule_search_locations[0], "en", "en-lexicon.txt"))


@lru_cache(maxsize=1)
def _read(path: Path) -> Mapping[str, str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ModelError(f"the part-of-speech lexicon {path} cannot be read ({error.strerror}): {REMEDY}") from error
    entries = (line.split(" ") for line in lines if line and not line.startswith(";;;"))
    return MappingProxyType({entry[0]: entry[1].split("|")[0] for entry in entries if len(entry) > 1})
