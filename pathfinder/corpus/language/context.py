"""Which of a sentence's nouns are verbs, and which of its participles qualify a noun.

"We report star formation", "the reported star formation", "ionizing photons", "by ionizing the gas": a
word list has one tag for each word, these rules have its neighbours.
"""

from collections.abc import Callable, Sequence

from pathfinder.corpus.language.wordlists import words

NOUNS = words("NN NNS NNP NNPS")
"""Tags of nouns and names."""

_AUXILIARIES = words("am is are was were be been being has have had having get gets got do does did done cannot")
_QUALIFIED = NOUNS | words("JJ VBN VBG CD")
_OPENS_OBJECT = words("DT PRP$ WDT PRP")
_BEFORE_NOUN = words("DT PRP$ JJ")
_NAMES_A_NOUN = _BEFORE_NOUN | NOUNS
_NO_INFINITIVE = words("due respect addition compared relative sensitive similar according related subject close owing")
_MOVING = words(
    "originating arising stemming emerging appearing occurring lying residing coming falling moving orbiting "
    "extending forming accreting passing growing rotating propagating traveling travelling escaping streaming "
    "flowing peaking ranging starting ending pointing living resulting varying evolving belonging serving acting "
    "looking depending"
)
"""Participles that say where the noun before them goes, when a place follows."""
_PLACES = words("from in at on to with within between around into onto through near along over under")
_OBJECT = NOUNS | words("JJ DT PRP$ VBN VBG WDT CD IN")
_INVERTS = words("do does did can could would will may might should must how why")
_QUESTION_VERBS = words(
    "influence impact shape change cause drive limit form trace benefit compare probe test study look play power "
    "trigger vary inform aid need address reveal model measure feature contrast evolve scale map"
)
"""Nouns that are the verb of a question: "How does feedback shape galaxies?"."""
_NOUNS_TOO = words(
    "constant potential transient binary infrared optical ultraviolet visible interior exterior ambient invariant "
    "differential integral material residual excess metric minimum maximum spiral elliptical giant"
)
_PARTICLES = words("de von van der di la le al")
_BANDS = words("infrared ultraviolet ir uv")
_CHANGES = words("decreases increases changes drops peaks rises falls scales ranges extends")
_MOSTLY_VERBS = words("balances influences affects hosts causes flags impacts acts spans links leaves benefits")
_METHOD = words("by while when after before without upon")
_COMPOUNDED = words(
    "dominated driven powered obscured heated induced enhanced selected supported limited stripped mediated "
    "triggered assisted aligned resolved integrated averaged weighted corrected embedded enriched depleted "
    "polluted loaded bound confined trapped locked processed cooled shielded"
)
"""Past participles that join with the noun before them: "radiation driven winds"."""
_POINTERS = words("this that these those it")
_VERBAL = words(
    "according remaining extending exceeding using including following containing considering assuming given "
    "regarding concerning involving requiring providing leading resulting corresponding combining comparing "
    "enabling allowing being having making showing finding describing presenting exploring investigating studying "
    "understanding constraining probing measuring improving"
)
"""Present participles that are verbs whatever stands before them."""
_QUALIFYING = words(
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
"""Present participles that open a phrase: "merging galaxies", but not "classifying galaxies"."""


_VERBS_IN_FRONT = words("understanding testing mapping modeling modelling processing monitoring computing")
"""Nouns that are verbs when a noun follows and nothing qualifies them: "Understanding reionization"."""


def in_context(sentence: Sequence[str], tags: Sequence[str], can_be_verb: Callable[[str], bool]) -> list[str]:
    """`tags` after a look at each word's neighbours."""
    lower = ["", *(word.lower() for word in sentence), ""]
    fixed = ["", *tags, ""]
    inverted = not _INVERTS.isdisjoint(lower)
    for i in range(1, len(lower) - 1):
        fixed[i] = _by_company(i, lower, fixed)
        if fixed[i] == "VBG":
            fixed[i] = _gerund(i, lower, fixed)
        elif fixed[i] in ("VBN", "VBD"):
            fixed[i] = _participle(i, lower, fixed)
        elif fixed[i] in ("VB", "VBP", "VBZ"):
            fixed[i] = _noun_after_determiner(i, lower, fixed, inverted)
        elif fixed[i] in ("NN", "NNS", "JJ") and can_be_verb(lower[i]):
            fixed[i] = _verb_after_subject(i, lower, fixed, inverted)
    return fixed[1:-1]


def _by_company(i: int, lower: Sequence[str], tags: Sequence[str]) -> str:
    """The tag of words that one neighbour decides."""
    word, tag, following = lower[i], tags[i], tags[i + 1]
    if lower[i + 1] == "et al.":
        return "SYM"  # an author
    if word in _PARTICLES and following == "NNP":
        return "NNP"  # "de Sitter"
    if word in ("near", "far") and lower[i + 1] in _BANDS:
        return "JJ"
    if tag == "JJ" and word in _NOUNS_TOO and following not in _QUALIFIED:
        return "NN"
    return "VBG" if tag == "NN" and word in _VERBS_IN_FRONT and tags[i - 1] not in _NAMES_A_NOUN else tag


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
        is_inside = tags[i - 1] in ("DT", "PRP$", "JJ", "CD", "VBN")
        return "VBG" if is_inside or lower[i] in _QUALIFYING else "VB"
    # "carbon burning in stars", but not "light coming from stars".
    is_moving = (lower[i] in _MOVING and lower[i + 1] in _PLACES) or tags[i + 1] in ("RB", "JJR", "RP")
    return "NN" if tags[i - 1] in ("NN", "NNP", "JJ", "VBN", "DT") and not is_moving else "VB"


def _participle(i: int, lower: Sequence[str], tags: Sequence[str]) -> str:
    """`VBN` qualifies the noun that follows, `VBD` is a predicate."""
    before = _before_adverbs(i, tags)
    follows_subject = tags[before] in NOUNS or tags[before] in ("PRP", "WDT")
    if lower[i] in _COMPOUNDED and tags[i - 1] == "NN" and tags[i + 1] in _QUALIFIED:
        return "VBN"
    is_predicate = lower[before] in _AUXILIARIES and lower[before] not in ("do", "does", "did")
    if is_predicate or follows_subject or tags[i + 1] not in _QUALIFIED:
        return "VBD"
    return "VBN"


def _noun_after_determiner(i: int, lower: Sequence[str], tags: Sequence[str], inverted: bool) -> str:
    if lower[i] in _AUXILIARIES:
        return tags[i]
    if tags[i] == "VBZ":
        return "NNS" if tags[i - 1] in ("DT", "PRP$", "CD") and lower[i - 1] not in _POINTERS else "VBZ"
    is_asked = inverted and lower[i - 1] in _POINTERS  # "What does this reveal?"
    return "NN" if tags[i - 1] in _BEFORE_NOUN | {"IN"} and not is_asked else tags[i]


def _verb_after_subject(i: int, lower: Sequence[str], tags: Sequence[str], inverted: bool) -> str:
    before = _before_adverbs(i, tags)
    subject, following = tags[before], tags[i + 1]
    if tags[i] == "NNS":
        is_changing = lower[i] in _CHANGES and subject in ("NNS", "NNPS")  # "the share of galaxies drops with mass"
        is_verb = is_changing or (subject in ("NN", "NNP") and _has_object(i, lower, tags))
    elif subject == "TO":
        is_verb = lower[before - 1] not in _NO_INFINITIVE
    elif subject in ("NNS", "NNPS"):
        is_verb = tags[i] == "NN" and following not in ("VBZ", "VBP", "VBD", "MD")
    else:
        # "We present ... and report ...": a list of what the authors did.
        goes_on = lower[before] in ("and", "or", "but", ",") and following in _OPENS_OBJECT
        is_verb = subject == "MD" or goes_on
    is_asked = inverted and lower[i] in _QUESTION_VERBS and tags[i - 1] in NOUNS and following in _OBJECT
    has_pronoun = subject == "PRP" or (subject == "WDT" and lower[before] != "what")
    return "VB" if is_verb or is_asked or has_pronoun else tags[i]


def _has_object(i: int, lower: Sequence[str], tags: Sequence[str]) -> bool:
    """Whether what follows is the object of a verb: "feedback drives the", "the model embeds massive halos"."""
    # Not before "that", which opens a clause as often: "jets that".
    if tags[i + 1] in _OPENS_OBJECT - {"WDT"} or lower[i + 1] in ("into", "how", "whether", "why", "as"):
        return True
    if lower[i] in _MOSTLY_VERBS:
        return tags[i + 1] in _QUALIFIED
    return tags[i + 1] == "JJ" and i + 2 < len(tags) and tags[i + 2] in _QUALIFIED
