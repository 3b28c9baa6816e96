"""Which of a sentence's nouns are verbs, and which of its participles qualify a noun.

"We report star formation", "the reported star formation", "ionizing photons", "by ionizing the gas": a
word list has one tag for each word, these rules have its neighbours.
"""

from collections.abc import Callable, Sequence

from pathfinder.corpus.wordlists import words

NOUNS = words("NN NNS NNP NNPS")
"""Tags of nouns and names."""

_AUXILIARIES = words("am is are was were be been being has have had having get gets got do does did done cannot")
_QUALIFIED = NOUNS | words("JJ VBN VBG CD")
_OPENS_OBJECT = words("DT PRP$ WDT WRB PRP")
_BEFORE_NOUN = words("DT PRP$ JJ CD")
_NO_INFINITIVE = words("due respect addition compared relative sensitive similar according related subject close owing")
_METHOD = words("by while when after before without upon")
_VERBAL = words(
    "using combining including excluding applying comparing assuming considering containing allowing employing "
    "exploiting leveraging incorporating providing suggesting indicating implying revealing showing finding making "
    "leading resulting enabling yielding requiring reaching having being becoming giving taking corresponding "
    "constraining probing measuring exploring investigating understanding studying searching detecting discovering "
    "unveiling characterizing characterising improving predicting estimating identifying analyzing analysing "
    "simulating revisiting reconciling explaining describing addressing presenting introducing developing performing "
    "obtaining reporting discussing building creating generating producing reducing increasing decreasing enhancing "
    "achieving covering spanning ranging involving affecting influencing causing hosting exhibiting displaying "
    "reflecting representing testing confirming supporting ruling accounting tracing mapping quantifying determining "
    "deriving inferring calculating adopting avoiding bringing carrying demonstrating depending examining extending "
    "focusing following highlighting maintaining offering outperforming preserving proposing reproducing resolving "
    "selecting solving starting treating utilizing utilising working regarding concerning disentangling deciphering "
    "uncovering assessing evaluating rethinking bridging unlocking ensuring facilitating placing looking going "
    "adding removing updating computing keeping getting helping trying aiming seeking"
)
"""Present participles that abstracts use as verbs; "ionizing" and "merging" are not among them."""


def in_context(sentence: Sequence[str], tags: Sequence[str], can_be_verb: Callable[[str], bool]) -> list[str]:
    """`tags` after a look at each word's neighbours."""
    lower = ["", *(word.lower() for word in sentence), ""]
    fixed = ["", *tags, ""]
    for i in range(1, len(lower) - 1):
        tag = fixed[i]
        if tag == "VBG":
            fixed[i] = _gerund(i, lower, fixed)
        elif tag in ("VBN", "VBD"):
            fixed[i] = _participle(i, lower, fixed)
        elif tag in ("VB", "VBP", "VBZ"):
            fixed[i] = _noun_after_determiner(i, lower, fixed)
        elif tag in ("NN", "NNS", "JJ") and can_be_verb(lower[i]):
            fixed[i] = _verb_after_subject(i, lower, fixed)
    return fixed[1:-1]


def _before_adverbs(i: int, tags: Sequence[str]) -> int:
    i -= 1
    while i > 0 and tags[i] == "RB":
        i -= 1
    return i


def _gerund(i: int, lower: Sequence[str], tags: Sequence[str]) -> str:
    """`VBG` qualifies the noun that follows, `NN` is a noun ("weak lensing"), `VB` is neither."""
    before = _before_adverbs(i, tags)
    is_verb = lower[i] in _VERBAL or lower[before] in _AUXILIARIES or lower[i - 1] in _METHOD
    if is_verb or tags[i + 1] in _OPENS_OBJECT or (tags[i - 1] in ("NNS", "NNPS")):
        return "VB"
    if tags[i + 1] in _QUALIFIED:
        return "VBG"
    return "NN" if tags[i - 1] in ("NN", "JJ", "VBN", "DT") else "VB"


def _participle(i: int, lower: Sequence[str], tags: Sequence[str]) -> str:
    """`VBN` qualifies the noun that follows, `VBD` is a predicate."""
    before = _before_adverbs(i, tags)
    follows_subject = tags[before] in NOUNS or tags[before] in ("PRP", "WDT")
    if lower[before] in _AUXILIARIES or follows_subject or tags[i + 1] not in _QUALIFIED:
        return "VBD"
    return "VBN"


def _noun_after_determiner(i: int, lower: Sequence[str], tags: Sequence[str]) -> str:
    if lower[i] in _AUXILIARIES or tags[i - 1] not in _BEFORE_NOUN:
        return tags[i]
    return "NNS" if tags[i] == "VBZ" else "NN"


def _verb_after_subject(i: int, lower: Sequence[str], tags: Sequence[str]) -> str:
    before = _before_adverbs(i, tags)
    subject, following = tags[before], tags[i + 1]
    if subject == "PRP" or (subject == "WDT" and lower[before] != "what"):
        return "VBP"
    if tags[i] == "NNS":
        has_object = following in _OPENS_OBJECT or lower[i + 1] in ("into", "how")
        return "VBZ" if subject in ("NN", "NNP") and has_object else "NNS"
    if subject == "MD" or (subject == "TO" and lower[before - 1] not in _NO_INFINITIVE):
        return "VB"
    if subject in ("NNS", "NNPS") and following in _OPENS_OBJECT:
        return "VBP"
    # "We present ... and report ...": a list of what the authors did.
    if subject in ("CC", "SYM") and following in _OPENS_OBJECT and lower[before] in ("and", "or", "but", ","):
        return "VBP"
    return tags[i]
