"""Part-of-speech tagger without a model: word shape, lexicon and suffixes, then contextual rules (after Brill 1992).

Tags are those of the Penn Treebank, as far as noun phrases need them; `SYM` stands for punctuation and symbols.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from pathfinder.text.language.contextual_rules import apply_contextual_rules
from pathfinder.text.language.word_shape import DASH, is_title, tag_by_shape
from pathfinder.text.wordlists import words

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
    **dict.fromkeys(words("dozens hundreds thousands"), "CD"),
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
    """Tags words by their shape, the lexicon, their suffix and their neighbours."""

    name = "TextBlob's lexicon"

    def __init__(self, lexicon: Mapping[str, str]) -> None:
        self._lexicon = {**lexicon, **_OWN_TAGS}
        self._cached_can_be_verb = lru_cache(maxsize=1 << 14)(self._can_be_verb)

    def tags(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        return [self._tag_sentence(sentence) for sentence in sentences]

    def _tag_sentence(self, sentence: Sequence[str]) -> list[str]:
        in_title = is_title(sentence)
        tags = [self._tag_word(word, i == 0 or in_title) for i, word in enumerate(sentence)]
        return apply_contextual_rules(sentence, tags, self._cached_can_be_verb)

    def _tag_word(self, word: str, capital_is_expected: bool) -> str:
        tag = tag_by_shape(word)
        if tag is not None:
            return tag
        lower = word.lower()
        own_tag = self._lexicon.get(lower)
        if word == lower:
            return own_tag or self._tag_unlisted(lower, "NN")
        is_function_word = own_tag in _FUNCTION_TAGS and (len(word) == 1 or not word.isupper())
        if own_tag is not None and (capital_is_expected or is_function_word):
            return own_tag
        return self._tag_capitalised(word, capital_is_expected)

    def _tag_capitalised(self, word: str, is_expected: bool) -> str:
        is_kind = DASH.search(word) and word[-1:].islower() and DASH.split(word)[-1].islower()
        if is_kind or (is_expected and word[1:].islower()):
            return self._tag_unlisted(word.lower(), "NNP")  # "Na-rich", "Lyman-break"
        return "NNPS" if _ACRONYMS.fullmatch(word) else "NNP"

    def _tag_unlisted(self, word: str, default: str) -> str:
        *before, last = DASH.split(word.removesuffix("'s"))
        if before and last:
            tag = self._lexicon.get(last) or self._tag_unlisted(last, "NN")
            # "star-forming" and "high-redshift" are modifiers, "cross-correlation" and "follow-up" are nouns.
            if tag == "RB" and last.endswith("ly"):
                return "RB"
            return tag if tag in ("NN", "NNS") else "NN" if tag in ("VB", "RB", "RP", "IN") else "JJ"
        if any(map(str.isdigit, word)):
            return "NNP"
        return next((tag for pattern, tag in _SUFFIXES if pattern.search(word)), default)

    def _can_be_verb(self, word: str) -> bool:
        """Return whether the lexicon lists a participle of `word`: "modeled" for "model", but none for "galaxy"."""
        stems = {word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word)}
        forms = (stem.removesuffix("e") + ending for stem in stems for ending in ("ing", "ed", stem[-1:] + "ed"))
        return any(self._lexicon.get(form, "").startswith("VB") for form in forms)
