"""Parts of speech from a word list: TextBlob's lexicon, suffixes, and the words on either side.

Tags are the Penn Treebank's, as far as a noun phrase needs them; `SYM` is a mark. The lexicon (Brill's,
from the Brown corpus and the Wall Street Journal) knows one tag a word. `context.py` decides
which of its nouns are verbs where they stand.
"""

import importlib.util
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from pathfinder.corpus.language.context import in_context
from pathfinder.corpus.language.looks import DASH, is_title, tag_by_look
from pathfinder.corpus.language.wordlists import words
from pathfinder.errors import ModelError


class Tagger(Protocol):
    """Gives each word of a text its part of speech."""

    @property
    def name(self) -> str:
        """For a manifest or a badge."""

    def tags(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Penn Treebank tags, one a word, for the words of each sentence."""


_OWN_TAGS = {
    **dict.fromkeys(
        words(
            "novel prior mean transient binary optical dark chemical early late integral nearby fast zero cross "
            "north south east west"
        ),
        "JJ",
    ),
    **dict.fromkeys(
        words("dwarfs equilibria maxima minima spectra voids yields outflows binaries priors transits clusters jets"),
        "NNS",
    ),
    **dict.fromkeys(words("lensing clustering scattering reddening broadening learning training reasoning"), "NN"),
    **dict.fromkeys(words("modelling modeling quenching cooling heating imaging mixing seeing feedback"), "NN"),
    **dict.fromkeys(
        words("monitoring processing engineering programming computing dithering redshift cycle transform bump"), "NN"
    ),
    **dict.fromkeys(
        words(
            "shows drives leads reaches finds gives makes takes helps keeps seeks proceeds aligns exhibits "
            "integrates evolves"
        ),
        "VBZ",
    ),
    **dict.fromkeys(words("show lead find give make take help keep seek remain become reach exhibit"), "VBP"),
    **dict.fromkeys(words("via using within across per vs versus amid"), "IN"),
    **dict.fromkeys(words("however therefore thus hence moreover furthermore respectively yet etc due"), "RB"),
    **dict.fromkeys(words("we they it i you he she them us itself themselves ones"), "PRP"),
    **dict.fromkeys(words("our their its his her your my whose"), "PRP$"),
    **dict.fromkeys(words("which who whom what whatever that"), "WDT"),
    **dict.fromkeys(words("how why when where whether"), "WRB"),
    **dict.fromkeys(words("both either neither many several few some any all each every most such much more"), "DT"),
    **dict.fromkeys(words("these those this the a an no another other same own"), "DT"),
    **dict.fromkeys(words("one two three four five six seven eight nine ten dozens hundreds thousands"), "CD"),
}
_FUNCTION_TAGS = words("DT IN CC PRP PRP$ WDT WRB MD TO RB EX VBZ VBP")
_SUFFIXES = tuple(
    (re.compile(pattern), tag)
    for pattern, tag in (
        (r"..ly$|wise$|wards?$", "RB"),
        (r"[a-z]{2}(?:[^aeiou]|[aeiou]{2})ed$", "VBN"),
        (r"...ing$", "VBG"),
        (r"..(?:ize|ise|ify)$", "VB"),
        (r"..(?:izes|ises|ifies)$", "VBZ"),
        (r"..(?:al|ic|ous|ive|able|ible|ful|less|ary|ular|ish|ian|oid|like)$", "JJ"),
        (r"...[^sui]s$", "NNS"),
    )
)
_ACRONYMS = re.compile(r"[A-Z][A-Z0-9-]*[A-Z]s")


class LexiconTagger:
    """Tags without a model."""

    name = "TextBlob's lexicon"

    def __init__(self, lexicon: Mapping[str, str]) -> None:
        self._lexicon = {**lexicon, **_OWN_TAGS}
        self._verbs = lru_cache(maxsize=1 << 14)(self._can_be_a_verb)

    def tags(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        return [self._of_sentence(sentence) for sentence in sentences]

    def _of_sentence(self, sentence: Sequence[str]) -> list[str]:
        in_title = is_title(sentence)
        tags = [self._tag(word, i == 0 or in_title) for i, word in enumerate(sentence)]
        return in_context(sentence, tags, self._verbs)

    def _tag(self, word: str, may_be_capitalised: bool) -> str:
        by_look = tag_by_look(word)
        if by_look is not None:
            return by_look
        lower = word.lower()
        known = self._lexicon.get(lower)
        if word == lower:
            return known or self._unknown(lower, "NN")
        is_function_word = known in _FUNCTION_TAGS and (len(word) == 1 or not word.isupper())
        if known is not None and (may_be_capitalised or is_function_word):
            return known
        return self._name(word, may_be_capitalised)

    def _name(self, word: str, may_be_capitalised: bool) -> str:
        is_kind = DASH.search(word) and word[-1:].islower() and DASH.split(word)[-1].islower()
        if is_kind or (may_be_capitalised and word[1:].islower()):
            return self._unknown(word.lower(), "NNP")  # "Na-rich", "Lyman-break"
        return "NNPS" if _ACRONYMS.fullmatch(word) else "NNP"

    def _unknown(self, word: str, default: str) -> str:
        *before, last = DASH.split(word.removesuffix("'s"))
        if before and last:
            tag = self._lexicon.get(last) or self._unknown(last, "NN")
            # "star-forming" and "high-redshift" qualify, "cross-correlation" and "follow-up" are things.
            if tag == "RB" and last.endswith("ly"):
                return "RB"
            return tag if tag in ("NN", "NNS") else "NN" if tag in ("VB", "RB", "RP", "IN") else "JJ"
        if any(map(str.isdigit, word)):
            return "NNP"
        return next((tag for pattern, tag in _SUFFIXES if pattern.search(word)), default)

    def _can_be_a_verb(self, word: str) -> bool:
        """Whether the lexicon knows a participle of `word`: "model" has "modeled", "galaxy" has none."""
        stems = {word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word)}
        forms = (stem.removesuffix("e") + ending for stem in stems for ending in ("ing", "ed", stem[-1:] + "ed"))
        return any(self._lexicon.get(form, "").startswith("VB") for form in forms)


def read_lexicon() -> dict[str, str]:
    """The lexicon in the installed TextBlob: the likeliest tag of each of 94,000 words.

    Read from its file: importing TextBlob would load NLTK, which takes seconds and is not needed.
    """
    spec = importlib.util.find_spec("textblob")
    if spec is None or not spec.submodule_search_locations:
        raise ModelError("textblob, whose lexicon tags words, is not installed: pip install textblob")
    path = Path(spec.submodule_search_locations[0], "en", "en-lexicon.txt")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ModelError(f"{path}, which tags words, cannot be read: install textblob again") from error
    entries = (line.split(" ") for line in lines if line and not line.startswith(";;;"))
    return {entry[0]: entry[1].split("|")[0] for entry in entries if len(entry) > 1}
