"""Part-of-speech tagger without a model: word shape, lexicon and suffixes, then contextual rules (after Brill 1992).

Tags are those of the Penn Treebank, as far as noun phrases need them; `SYM` stands for punctuation and symbols.
"""

import importlib.util
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from pathfinder.errors import DATA_REMEDY, LEXICON_WHEEL, ModelError
from pathfinder.text.author_names import PARTICLES
from pathfinder.text.english import MONTHS, words
from pathfinder.text.quantities.unit_table import WORD_UNITS


@lru_cache(maxsize=1)  # the search for the package is not repeated either: among fifty visitors it once found none
def read_lexicon() -> Mapping[str, str]:
    """Return the Penn Treebank tag of each word in the installed lexicon.

    Raises `ModelError` when the lexicon is not installed or cannot be read.
    """
    spec = importlib.util.find_spec("textblob")
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(f"the part-of-speech lexicon of {LEXICON_WHEEL} is not installed: {DATA_REMEDY}")
    path = Path(spec.submodule_search_locations[0], "en", "en-lexicon.txt")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ModelError(
            f"the part-of-speech lexicon {path} cannot be read ({error.strerror}): {DATA_REMEDY}"
        ) from error
    entries = (line.split(" ") for line in lines if line and not line.startswith(";;;"))
    return MappingProxyType({entry[0]: entry[1].split("|")[0] for entry in entries if len(entry) > 1})


# Word shape: what the characters of a word reveal (punctuation, numbers, units, symbols, capitals), regardless of its
# meaning.

DASH = re.compile("[-‐‑–]")

_UNITS = WORD_UNITS | words("Å µm µJy µK GB TB wt")  # with the micro sign, U+00B5, as well as the Greek letter
_NUMBER = re.compile(rf"\d+x\d+|[\d.,–-]*\d(?:st|nd|rd|th|s|x|m|A|K|M|Msun|σ|{'|'.join(sorted(_UNITS))})?")
"""Numbers, including forms such as "30km", "29th", "1990s", "5σ" and "20x5"; "21-cm" is a name."""
_NAMED_SYMBOL = re.compile(
    r"(?=\w+\Z)\w+?_\d(?!\d)\w*|[^\W_]{3,}_\w+|f_NL|[NT]_eff|Ω_[mMkΛ]|f_esc|[RA]_V|[Xα]_CO|ξ_ion|X_max"
)
"""Symbols that serve as names ("f_NL"), and names that contain an underscore."""
_LETTER_SYMBOL = re.compile(r"[B-Zb-zα-ω]\*|[Δδ∂][A-Za-z]|d[A-Z]")
"""Symbols for quantities ("M*", "Δt"), but not the star of "Sgr A*"."""
_CONTRACTION = re.compile(r".*(?:'d|'ll|'ve|'re|'m|n't)", re.IGNORECASE)
_ADDRESS = re.compile(r"://|\.(?:com|org|net|edu|gov|io|html|github)\b")
_OTHER_SCRIPT = re.compile(r"[\u0400-\u1cff\u2c00-\ua6ff\ua800-\ufaff\U00020000-\U0003ffff]")


def tag_by_shape(word: str) -> str | None:
    """Return `SYM` for punctuation, units and formulas, `CD` for numbers, `FW` for other scripts, `None` for words."""
    if _OTHER_SCRIPT.search(word):
        return "FW"
    if _NUMBER.fullmatch(word):
        return "CD"
    if "_" in word:
        return "NNP" if _NAMED_SYMBOL.fullmatch(word) else "SYM"
    if _LETTER_SYMBOL.fullmatch(word) or _CONTRACTION.fullmatch(word) or word in _UNITS or word in MONTHS:
        return "SYM"
    is_word = any(map(str.isalnum, word)) and "^" not in word and not _ADDRESS.search(word) and not word.endswith(".")
    return None if is_word else "SYM"


def is_symbol(word: str) -> bool:
    """Return whether `word` is the symbol for a quantity, such as "H_0" or "α"."""
    return "_" in word or (len(word) == 1 and "α" <= word.lower() <= "ω")


def is_title(sentence: Sequence[str]) -> bool:
    """Return whether most long words in `sentence` begin with a capital, as in a title."""
    long_words = [word for word in sentence if len(word) > 3 and word.isalpha()]
    return 2 * sum(word[0].isupper() for word in long_words) > len(long_words) > 2 or is_in_capitals(sentence)


def is_in_capitals(sentence: Sequence[str]) -> bool:
    """Return whether `sentence` is mostly in capitals, so that capitals do not mark names in it."""
    letters = [word for word in sentence if word.isalpha() and len(word) > 1]
    return 2 * sum(map(str.isupper, letters)) > len(letters) > 2


# Contextual rules of the part-of-speech tagger: they distinguish nouns from verbs, and tag participles by what they
# modify.

NOUNS = words("NN NNS NNP NNPS")
"""Penn Treebank tags of nouns and proper nouns."""

_AUXILIARIES = words("am is are was were be been being has have had having get gets got do does did done cannot")
_MODIFIABLE = NOUNS | words("JJ VBN VBG CD")
_OPENS_OBJECT = words("DT PRP$ WDT PRP")
_MOTION_PARTICIPLES = words(
    "originating arising stemming emerging appearing occurring lying residing coming falling moving orbiting "
    "extending forming accreting passing growing rotating propagating traveling travelling escaping streaming "
    "flowing peaking ranging starting ending pointing living resulting varying evolving belonging serving acting "
    "looking depending"
)
"""Participles that say where the noun before them is or goes: "light coming from stars"."""
_OBJECT = NOUNS | words("JJ DT PRP$ VBN VBG WDT CD IN")
_INVERTERS = words("do does did can could would will may might should must how why")
_QUESTION_VERBS = words(
    "influence impact shape change cause drive limit form trace benefit compare probe test study look play power "
    "trigger vary inform aid need address reveal model measure feature contrast evolve scale map"
)
"""Nouns that act as the verb in a question: "How does feedback shape galaxies?"."""
_ADJECTIVES_OR_NOUNS = words(
    "constant potential transient binary infrared optical ultraviolet visible interior exterior ambient invariant "
    "differential integral material residual excess metric minimum maximum spiral elliptical giant"
)
_PARTICLES = PARTICLES - words("bin den ten")
"""Particles that cannot be English words: in "ten CH emission lines", "ten" is a number."""
_BANDS = words("infrared ultraviolet ir uv")
_VERBS_OF_CHANGE = words("decreases increases changes drops peaks rises falls scales ranges extends")
_BEFORE_GERUND = words("by while when after before without upon")
_DEMONSTRATIVES = words("this that these those it")


def apply_contextual_rules(
    sentence: Sequence[str], tags: Sequence[str], can_be_verb: Callable[[str], bool]
) -> list[str]:
    """Return the tags of `sentence`, corrected by looking at each word's neighbours.

    `can_be_verb` returns whether a lower-case noun or adjective also exists as a verb.
    """
    lower = ["", *(word.lower() for word in sentence), ""]
    revised_tags = ["", *tags, ""]
    is_inverted = not _INVERTERS.isdisjoint(lower)
    for i in range(1, len(lower) - 1):
        if lower[i + 1] == "et al.":
            revised_tags[i] = "SYM"  # an author
        elif lower[i] in _PARTICLES and revised_tags[i + 1] == "NNP":
            revised_tags[i] = "NNP"  # "de Sitter"
        elif lower[i] in ("near", "far") and lower[i + 1] in _BANDS:
            revised_tags[i] = "JJ"
        elif revised_tags[i] == "JJ" and lower[i] in _ADJECTIVES_OR_NOUNS and revised_tags[i + 1] not in _MODIFIABLE:
            revised_tags[i] = "NN"
        elif revised_tags[i] == "VBG":
            revised_tags[i] = _tag_gerund(i, lower, revised_tags)
        elif revised_tags[i] in ("VBN", "VBD"):
            revised_tags[i] = _tag_past_participle(i, lower, revised_tags)
        elif revised_tags[i] in ("VB", "VBP", "VBZ"):
            revised_tags[i] = _tag_verb(i, lower, revised_tags)
        elif revised_tags[i] in ("NN", "NNS", "JJ") and can_be_verb(lower[i]):
            revised_tags[i] = _tag_possible_verb(i, lower, revised_tags, is_inverted)
    return revised_tags[1:-1]


def _skip_adverbs_back(i: int, tags: Sequence[str]) -> int:
    """Return the index of the nearest word before `i` that is not an adverb."""
    i -= 1
    while i > 0 and tags[i] == "RB":
        i -= 1
    return i


def _tag_gerund(i: int, lower: Sequence[str], tags: Sequence[str]) -> str:
    """Tag an -ing form: `VBG` if it modifies the noun that follows, `NN` if it is a noun ("weak lensing"), otherwise
    `VB`.
    """
    is_verb = lower[_skip_adverbs_back(i, tags)] in _AUXILIARIES or lower[i - 1] in _BEFORE_GERUND
    if is_verb or tags[i + 1] in _OPENS_OBJECT or tags[i - 1] in ("NNS", "NNPS"):
        return "VB"
    if tags[i + 1] in _MODIFIABLE:
        return "VBG" if tags[i - 1] in ("DT", "PRP$", "JJ", "CD", "VBN") else "VB"
    is_moving = lower[i] in _MOTION_PARTICIPLES or tags[i + 1] in ("RB", "JJR", "RP")
    return "NN" if tags[i - 1] in ("NN", "NNP", "JJ", "VBN", "DT") and not is_moving else "VB"


def _tag_past_participle(i: int, lower: Sequence[str], tags: Sequence[str]) -> str:
    """Tag an -ed form: `VBN` if it modifies the noun that follows, `VBD` if it is a predicate."""
    before = _skip_adverbs_back(i, tags)
    follows_subject = tags[before] in NOUNS or tags[before] in ("PRP", "WDT")
    is_predicate = lower[before] in _AUXILIARIES and lower[before] not in ("do", "does", "did")
    return "VBD" if is_predicate or follows_subject or tags[i + 1] not in _MODIFIABLE else "VBN"


def _tag_verb(i: int, lower: Sequence[str], tags: Sequence[str]) -> str:
    """Tag a word that is a verb according to the lexicon; after a determiner it is a noun."""
    if lower[i] in _AUXILIARIES:
        return tags[i]
    if tags[i] == "VBZ":
        return "NNS" if tags[i - 1] in ("DT", "PRP$", "CD") and lower[i - 1] not in _DEMONSTRATIVES else "VBZ"
    return "NN" if tags[i - 1] in ("DT", "PRP$", "JJ", "IN") else tags[i]


def _tag_possible_verb(i: int, lower: Sequence[str], tags: Sequence[str], is_inverted: bool) -> str:
    """Tag a noun or adjective that can also be a verb; it is a verb if it follows its subject."""
    before = _skip_adverbs_back(i, tags)
    subject, next_tag = tags[before], tags[i + 1]
    if is_inverted and lower[i] in _QUESTION_VERBS and tags[i - 1] in NOUNS and next_tag in _OBJECT:
        return "VB"
    if tags[i] == "NNS":  # "the share of galaxies drops"
        return "VB" if lower[i] in _VERBS_OF_CHANGE and subject in ("NNS", "NNPS") else tags[i]
    if subject in ("NNS", "NNPS"):
        is_verb = tags[i] == "NN" and next_tag not in ("VBZ", "VBP", "VBD", "MD")
    else:
        # "We present ... and report ...": a list of the authors' actions.
        is_coordinated = lower[before] in ("and", "or", "but", ",") and next_tag in _OPENS_OBJECT
        has_pronoun = subject == "PRP" or (subject == "WDT" and lower[before] != "what")
        is_verb = subject in ("TO", "MD") or is_coordinated or has_pronoun
    return "VB" if is_verb else tags[i]


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
        is_kind = DASH.search(word) and word[-1:].islower() and DASH.split(word)[-1].islower()
        if is_kind or (capital_is_expected and word[1:].islower()):
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
