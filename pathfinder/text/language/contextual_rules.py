"""Contextual rules of the part-of-speech tagger: they distinguish nouns from verbs, and tag participles by what they
modify.

A lexicon gives each word a single tag. These rules correct that tag by looking at the word's neighbours: compare "we
report star formation" with "the reported star formation", or "ionizing photons" with "by ionizing the gas".
"""

from collections.abc import Callable, Sequence

from pathfinder.text.author_names import PARTICLES
from pathfinder.text.wordlists import words

NOUNS = words("NN NNS NNP NNPS")
"""Penn Treebank tags of nouns and proper nouns."""

_AUXILIARIES = words("am is are was were be been being has have had having get gets got do does did done cannot")
_MODIFIABLE = NOUNS | words("JJ VBN VBG CD")
_OPENS_OBJECT = words("DT PRP$ WDT PRP")
_BEFORE_NOUN = words("DT PRP$ JJ")
_BEFORE_OR_IN_NOUN = _BEFORE_NOUN | NOUNS
_BEFORE_PREPOSITION_TO = words(
    "due respect addition compared relative sensitive similar according related subject close owing"
)
_MOTION_PARTICIPLES = words(
    "originating arising stemming emerging appearing occurring lying residing coming falling moving orbiting "
    "extending forming accreting passing growing rotating propagating traveling travelling escaping streaming "
    "flowing peaking ranging starting ending pointing living resulting varying evolving belonging serving acting "
    "looking depending"
)
"""Participles that describe where the preceding noun is or is going, if a preposition of place follows."""
_PLACE_PREPOSITIONS = words("from in at on to with within between around into onto through near along over under")
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
_MOSTLY_VERBS = words("balances influences affects hosts causes flags impacts acts spans links leaves benefits")
_BEFORE_GERUND = words("by while when after before without upon")
_COMPOUND_PARTICIPLES = words(
    "dominated driven powered obscured heated induced enhanced selected supported limited stripped mediated "
    "triggered assisted aligned resolved integrated averaged weighted corrected embedded enriched depleted "
    "polluted loaded bound confined trapped locked processed cooled shielded"
)
"""Past participles that form a compound with the preceding noun: "radiation driven winds"."""
_DEMONSTRATIVES = words("this that these those it")
_VERBAL_PARTICIPLES = words(
    "according remaining extending exceeding using including following containing considering assuming given "
    "regarding concerning involving requiring providing leading resulting corresponding combining comparing "
    "enabling allowing being having making showing finding describing presenting exploring investigating studying "
    "understanding constraining probing measuring improving"
)
"""Present participles that are always verbs."""
_ADJECTIVAL_PARTICIPLES = words(
    "absorbing microlensing ascending descending missing evaporating corotating refracting occulting grazing "
    "osculating nonrotating pointing accelerating accreting binding blazing braking breaking bursting clustering "
    "coding coexisting collapsing colliding competing contaminating converging cooling counting crossing damping "
    "decaying decoding diverging driving dying eclipsing emitting encoding embedding evolving expanding exploding "
    "fading falling filtering flaring fluctuating forming freezing glowing heating imaging infalling inflowing "
    "inspiraling inspiralling interacting intervening ionizing ionising learning lensing limiting living masking "
    "matching melting merging migrating mining mixing moving nesting normalizing orbiting oscillating outflowing "
    "overlapping parsing planning precessing propagating pulsating pulsing quenching radiating reasoning receding "
    "recurring reflecting repeating rising rotating routing running scaling scattering scheduling sensing "
    "shearing shielding shining shrinking sliding smoothing spinning splitting stacking standing steering "
    "stopping streaming striking sublimating surviving swapping switching tagging timing tracking training "
    "transiting traveling travelling tumbling turning underlying vanishing vibrating wandering warping winding"
)
"""Present participles that can open a noun phrase: "merging galaxies", but not "classifying galaxies"."""

_SENTENCE_INITIAL_VERBS = words("understanding testing mapping modeling modelling processing monitoring computing")
"""Nouns that are read as verbs when a noun follows and nothing modifies them: "Understanding reionization"."""


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
        revised_tags[i] = _tag_by_neighbour(i, lower, revised_tags)
        if revised_tags[i] == "VBG":
            revised_tags[i] = _tag_gerund(i, lower, revised_tags)
        elif revised_tags[i] in ("VBN", "VBD"):
            revised_tags[i] = _tag_past_participle(i, lower, revised_tags)
        elif revised_tags[i] in ("VB", "VBP", "VBZ"):
            revised_tags[i] = _tag_verb(i, lower, revised_tags, is_inverted)
        elif revised_tags[i] in ("NN", "NNS", "JJ") and can_be_verb(lower[i]):
            revised_tags[i] = _tag_possible_verb(i, lower, revised_tags, is_inverted)
    return revised_tags[1:-1]


def _tag_by_neighbour(i: int, lower: Sequence[str], tags: Sequence[str]) -> str:
    """Tag a word whose part of speech is decided by a single neighbour."""
    word, tag, next_tag = lower[i], tags[i], tags[i + 1]
    if lower[i + 1] == "et al.":
        return "SYM"  # an author
    if word in _PARTICLES and next_tag == "NNP":
        return "NNP"  # "de Sitter"
    if word in ("near", "far") and lower[i + 1] in _BANDS:
        return "JJ"
    if tag == "JJ" and word in _ADJECTIVES_OR_NOUNS and next_tag not in _MODIFIABLE:
        return "NN"
    is_verb = tag == "NN" and word in _SENTENCE_INITIAL_VERBS and tags[i - 1] not in _BEFORE_OR_IN_NOUN
    return "VBG" if is_verb else tag


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
    before = _skip_adverbs_back(i, tags)
    is_verb = lower[i] in _VERBAL_PARTICIPLES or lower[before] in _AUXILIARIES or lower[i - 1] in _BEFORE_GERUND
    if is_verb or tags[i + 1] in _OPENS_OBJECT or (tags[i - 1] in ("NNS", "NNPS")):
        return "VB"
    if tags[i + 1] in _MODIFIABLE:
        is_inside = tags[i - 1] in ("DT", "PRP$", "JJ", "CD", "VBN")
        return "VBG" if is_inside or lower[i] in _ADJECTIVAL_PARTICIPLES else "VB"
    # "carbon burning in stars", but not "light coming from stars".
    moves_to_place = lower[i] in _MOTION_PARTICIPLES and lower[i + 1] in _PLACE_PREPOSITIONS
    is_moving = moves_to_place or tags[i + 1] in ("RB", "JJR", "RP")
    return "NN" if tags[i - 1] in ("NN", "NNP", "JJ", "VBN", "DT") and not is_moving else "VB"


def _tag_past_participle(i: int, lower: Sequence[str], tags: Sequence[str]) -> str:
    """Tag an -ed form: `VBN` if it modifies the noun that follows, `VBD` if it is a predicate."""
    before = _skip_adverbs_back(i, tags)
    follows_subject = tags[before] in NOUNS or tags[before] in ("PRP", "WDT")
    if lower[i] in _COMPOUND_PARTICIPLES and tags[i - 1] == "NN" and tags[i + 1] in _MODIFIABLE:
        return "VBN"
    is_predicate = lower[before] in _AUXILIARIES and lower[before] not in ("do", "does", "did")
    if is_predicate or follows_subject or tags[i + 1] not in _MODIFIABLE:
        return "VBD"
    return "VBN"


def _tag_verb(i: int, lower: Sequence[str], tags: Sequence[str], is_inverted: bool) -> str:
    """Tag a word that is a verb according to the lexicon; after a determiner it is a noun."""
    if lower[i] in _AUXILIARIES:
        return tags[i]
    if tags[i] == "VBZ":
        return "NNS" if tags[i - 1] in ("DT", "PRP$", "CD") and lower[i - 1] not in _DEMONSTRATIVES else "VBZ"
    is_question_verb = is_inverted and lower[i - 1] in _DEMONSTRATIVES  # "What does this reveal?"
    return "NN" if tags[i - 1] in _BEFORE_NOUN | {"IN"} and not is_question_verb else tags[i]


def _tag_possible_verb(i: int, lower: Sequence[str], tags: Sequence[str], is_inverted: bool) -> str:
    """Tag a noun or adjective that can also be a verb; it is a verb if it follows its subject."""
    before = _skip_adverbs_back(i, tags)
    subject, next_tag = tags[before], tags[i + 1]
    if tags[i] == "NNS":
        is_changing = lower[i] in _VERBS_OF_CHANGE and subject in ("NNS", "NNPS")  # "the share of galaxies drops"
        is_verb = is_changing or (subject in ("NN", "NNP") and _has_object(i, lower, tags))
    elif subject == "TO":
        is_verb = lower[before - 1] not in _BEFORE_PREPOSITION_TO
    elif subject in ("NNS", "NNPS"):
        is_verb = tags[i] == "NN" and next_tag not in ("VBZ", "VBP", "VBD", "MD")
    else:
        # "We present ... and report ...": a list of the authors' actions.
        is_coordinated = lower[before] in ("and", "or", "but", ",") and next_tag in _OPENS_OBJECT
        is_verb = subject == "MD" or is_coordinated
    is_question_verb = is_inverted and lower[i] in _QUESTION_VERBS and tags[i - 1] in NOUNS and next_tag in _OBJECT
    has_pronoun = subject == "PRP" or (subject == "WDT" and lower[before] != "what")
    return "VB" if is_verb or is_question_verb or has_pronoun else tags[i]


def _has_object(i: int, lower: Sequence[str], tags: Sequence[str]) -> bool:
    """Return whether an object follows word `i`: "feedback drives the", "the model embeds massive halos"."""
    # "that" is left out because it introduces a clause just as often ("jets that").
    if tags[i + 1] in _OPENS_OBJECT - {"WDT"} or lower[i + 1] in ("into", "how", "whether", "why", "as"):
        return True
    if lower[i] in _MOSTLY_VERBS:
        return tags[i + 1] in _MODIFIABLE
    return tags[i + 1] == "JJ" and i + 2 < len(tags) and tags[i + 2] in _MODIFIABLE
