"""A text split into words, with their parts of speech, its sentences and its noun phrases."""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Protocol

from pathfinder.text.english import phrases, words
from pathfinder.text.inflection import base_form
from pathfinder.text.language.lexicon_tagger import DASH, NOUNS, is_symbol
from pathfinder.text.latex.search_text import subscripts_written_on
from pathfinder.text.spelling import without_possessive

# Repetitions are bounded, so that 20,000 characters without a space take no longer than any other text of that length.
_TOKEN = re.compile(
    r"""
    https?://\S+|\b[\w-]{1,60}(?:\.[\w-]{1,60}){0,4}\.(?:com|org|net|edu|gov|io|html|github)\b\S*
  | [^\s,;()^]{0,40}\^[^\s,;()]{0,40}[^\s,;().]                                  # 10^-3, s^-1
  | (?:e\.g|i\.e|et\ al|cf|vs|viz|resp|approx|ca|Figs?|Eqs?|Sect?|Sec|No|St)\.(?!\w)
  | (?:(?<![^\W_])[A-Z]\.){2,}                                        # U.S.
  | \[(?:[A-Z][a-z]?\s?[IVX]{1,4}|[A-Z][a-z]?/[A-Z][a-z]?)\](?:λ+\d+|-\w[\w-]*)?  # [O III], [Fe/H]
  | \b(?:H|He|C|N|O|S|Si|Mg|Ca|Fe|Ne|Na|Al|Ar|Ti)\s(?:I{1,3}|IV|VI{0,3})\b(?!\s*[a-z]\.)
  | \b[A-Z0-9]+/[A-Z][\w-]*\w                                         # ACS/WFC, 12P/Pons-Brooks
  | \b[A-Za-z]\([A-Za-z0-9](?:,\s?[A-Za-z0-9])?\)                     # f(R), H(z), U(1)
  | \d+(?:[.,]\d+)*(?![^\W_])(?![-‐–][^\W\d_])
  | \ba\*(?!\w)                                                       # sgr a*
  | [^\W_]+(?:(?:['’](?=[^\W\d_])|[.](?=\d)|[+](?=\d)|[-‐‑–](?=[^\W_])|_)[^\W_]+)*(?:(?<=[A-Z0-9])\*+)?
  | \S
    """,
    re.VERBOSE,
)
_SENTENCE_ENDS = frozenset(".?!")


class Token(NamedTuple):
    """A word, a number or a punctuation mark: `text[start:end]` of the original text."""

    text: str
    start: int
    end: int


def tokenise(text: str) -> Iterator[list[Token]]:
    """Split `text` into sentences, and each sentence into tokens."""
    sentence: list[Token] = []
    for match in _TOKEN.finditer(text):
        if sentence and sentence[-1].text in _SENTENCE_ENDS and not match[0][0].islower():
            yield sentence
            sentence = []
        sentence.append(Token(match[0], match.start(), match.end()))
    if sentence:
        yield sentence


# Stop words for keyword extraction: words that occur in papers on every subject and so characterise none of them.

STOP_MODIFIERS = words(
    # Words of praise: new, good or worth reading.
    "new novel recent current present previous future modern upcoming ongoing existing emerging latest newly "
    "recently "
    "previously currently already first second third last next unprecedented unique interesting surprising "
    "remarkable "
    "notable promising powerful important crucial key major significant essential vital critical central fundamental "
    "comprehensive detailed systematic extensive careful thorough in-depth rigorous robust reliable consistent "
    "inconsistent accurate inaccurate precise state-of-the-art cutting-edge next-generation so-called first-ever "
    "aforementioned above-mentioned well-known well-established long-standing longstanding outstanding preliminary "
    "tentative plausible viable feasible appropriate suitable efficient competitive superior useful valuable "
    "effective natural satisfactory excellent compelling intriguing exciting fascinating timely unexpected expected "
    # Quantities and selections: how much, how many, which.
    "different various diverse several numerous multiple many few additional further similar same other such certain "
    "particular specific general overall total complete entire full whole relevant respective corresponding possible "
    "potential likely able unable available clear unclear obvious evident apparent good better best great greater "
    "large larger largest small smaller smallest high higher highest low lower lowest strong stronger weak weaker "
    "wide wider broad broader long longer short shorter substantial considerable sufficient insufficient necessary "
    "modest moderate typical usual common standard conventional traditional basic simple complex difficult hard easy "
    "direct indirect independent dependent final initial original primary secondary main true real actual proper "
    "valid "
    "only alone own single individual open remaining underlying increasing decreasing growing varying resulting "
    "following leading challenging prior proposed presented obtained used known unknown measured estimated derived "
    "predicted detected identified selected reported found shown updated improved required given based related "
    "associated observed assumed considered generated chosen determined developed planned retained called named "
    "designed customized constructed introduced discussed described integrated simplified upper relative right "
    "separate existing applied adopted combined desired so-called "
    "highly particularly especially extremely relatively significantly strongly approximately nearly roughly fully "
    "largely mainly mostly widely commonly simultaneously respectively potentially well poorly completely generally "
    "typically exactly precisely directly finally overly carefully firmly clearly easily greatly newly truly early "
    "late "
)
"""Modifiers that are removed from the front of a phrase, unless `TECHNICAL_BIGRAMS` lists them with the noun that
follows.
"""

GENERIC_MODIFIERS = words(
    "theoretical numerical analytical analytic observational experimental computational physical functional "
    "practical finite limited realistic empirical statistical mathematical technical scientific sophisticated "
    "subtle enhanced innovative dedicated demonstrative intricate tight marginal conservative quantitative "
    "qualitative astrophysical"
)
"""Modifiers that carry meaning, but not before a stop noun ("theoretical model")."""

STOP_NOUNS = words(
    "epoch epochs i ii iii iv v vi vii viii ix cent sight start availability conception astronomer astronomers "
    "introduction image images content interplay exercise detail details aid access meaning tolerance tolerances "
    "paper papers work works study studies letter article articles manuscript thesis review report reports result "
    "results finding findings conclusion conclusions discussion section sections chapter author authors "
    "colleague colleagues collaborator collaborators co-worker co-workers coworker coworkers co-author co-authors "
    "researcher researchers community literature analysis analyses approach approaches method methods methodology "
    "methodologies technique techniques procedure procedures scheme schemes strategy strategies framework "
    "frameworks tool tools model models modeling modelling simulation simulations calculation calculations theory "
    "theories experiment experiments measurement measurements observation observations data dataset datasets "
    "sample samples set sets subset catalog catalogue value values number numbers amount amounts range ranges "
    "level levels degree rate rates ratio ratios fraction fractions percent percentage total size sizes scale "
    "scales order orders factor factors case cases example examples instance instances type types kind kinds "
    "class classes category categories form forms way ways manner mode part parts portion component components "
    "element elements aspect aspects feature features property properties characteristic characteristics quantity "
    "quantities parameter parameters variable variables condition conditions state states situation scenario "
    "scenarios context problem problems issue issues question questions challenge challenges difficulty task "
    "tasks goal goals aim aims objective objectives purpose idea ideas concept concepts basis role roles effect "
    "effects impact influence importance contribution contributions evidence information knowledge understanding "
    "insight insights interpretation explanation implication implications consequence consequences hypothesis "
    "assumption assumptions presence absence existence occurrence lack need possibility ability capability "
    "potential opportunity advantage advantages limitation limitations limit limits bound bounds constraint "
    "constraints uncertainty uncertainties error errors accuracy precision performance quality efficiency "
    "significance confidence agreement disagreement consistency comparison difference differences similarity "
    "similarities relation relations relationship relationships correlation correlations connection link "
    "dependence trend trends change changes variation variations increase decrease improvement improvements "
    "development developments progress advance advances origin origins nature cause causes source sources "
    "mechanism mechanisms process processes production generation formation evolution structure structures system "
    "systems object objects target targets candidate candidates event events region regions area areas location "
    "locations position positions place point points line lines side end center centre time times period periods "
    "year years day days hour hours minute minutes month months decade decades moment era future past today "
    "history step steps stage stages phase phases use usage application applications implementation test tests "
    "testing investigation investigations exploration search searches survey surveys detection detections "
    "discovery discoveries identification classification determination estimation estimate estimates prediction "
    "predictions description selection addition contrast fact thing things term terms name names list table "
    "figure version choice option options solution solutions answer response outcome outcomes output outputs "
    "input inputs performances group groups pair pairs series variety majority minority half third quarter rest "
    "bit lot population populations distribution distributions function functions behavior behaviour activity "
    "environment environments space field fields domain domains world people person human humans user users code "
    "codes program project projects team mission missions instrument instruments telescope telescopes facility "
    "facilities observatory package software"
)
"""Nouns that do not form a keyword, alone or combined with each other ("sample size")."""

TRAILING_STOP_NOUNS = words(
    "paper papers work works study studies letter article result results finding findings case cases"
)
"""Nouns that are removed from the end of a phrase: "JWST results" becomes "JWST"."""

TECHNICAL_BIGRAMS = phrases(
    "broad band, central charge, central limit, common origin, common sense, complete graph, complex molecule, small "
    "molecule, potential energy, robust regression, time series, phase space, parameter space, model selection, "
    "feature extraction, feature selection, state space, data analysis, data set, upper atmosphere, complex network, "
    "complex number, complex organic, complex plane, critical current, critical density, critical exponent, critical "
    "line, critical phenomenon, critical point, direct detection, direct image, direct imaging, direct numerical, "
    "early stopping, early time, early warning, effective area, effective field, effective potential, effective "
    "radius, effective spin, effective temperature, few body, few shot, final state, first order, first principle, "
    "full configuration, full waveform, full width, fundamental constant, fundamental frequency, fundamental mode, "
    "general circulation, general purpose, general relativistic, general relativity, hard negative, hard problem, "
    "hard scattering, hard sphere, hard x, high contrast, high dimensional, high eccentricity, high energy, high "
    "frequency, high latitude, high mass, high resolution, high velocity, independent cascade, independent component, "
    "independent set, initial condition, initial data, initial guess, initial mass, initial state, initial value, key "
    "distribution, key exchange, key frame, key management, key point, key value, large area, large eddy, large "
    "language, large scale, large vision, late stage, late time, long baseline, long context, long period, long "
    "range, long tail, long term, low energy, low frequency, low latitude, low mass, low rank, low resource, major "
    "axis, minor axis, multiple access, multiple input, multiple instance, multiple scattering, natural frequency, "
    "natural gradient, natural language, natural unit, next generation, open set, open source, open vocabulary, open "
    "world, present day, primary beam, primary mass, primary school, prior distribution, prior knowledge, proper "
    "time, real number, real space, real time, real world, second law, second moment, second order, secondary mass, "
    "secondary school, secondary structure, short baseline, short period, short range, short term, simple group, "
    "simple harmonic, single cell, single crystal, single photon, single shot, small language, small scale, specific "
    "angular, specific entropy, specific heat, specific intensity, standard deviation, standard model, strong "
    "coupling, strong field, strong force, strong interaction, third order, total electron, total energy, total flux, "
    "total intensity, total mass, total probability, total variance, total variation, true north, typical set, weak "
    "interaction, weak supervision, weak value, wide angle, wide area, wide field"
)
"""Pairs of a stop modifier and a following noun, given as a lemma, that together form a technical term in any field;
those of a single field are in its profile (`names.bigrams`).
"""


# Noun phrases in a tagged sentence, without stop words at the beginning or the end.

MAX_PHRASE_WORDS = 5

_MODIFIER_TAGS = words("JJ VBN VBG")
_POSSESSIVES = ("'s", "’s")
_AFTER_LETTER = words("mode modes process band bands type")
"""Nouns, in any field, that form one term with the letter before them: "B mode"."""


@dataclass(frozen=True, slots=True)
class FieldTerms:
    """Terms of a field whose first part would otherwise be left out of noun phrases."""

    lettered_nouns: frozenset[str] = frozenset()
    """Nouns, in the singular, that form one term with the letter before them: "M dwarfs"."""
    bigrams: frozenset[str] = frozenset()
    """A stop modifier and a noun, in the singular, that form one term: "main sequence"."""

    def is_term(self, modifier: str, noun: str) -> bool:
        """Return whether a stop modifier and a noun, in the singular, form a term, either of this field or of every
        field.
        """
        return (modifier, noun) in TECHNICAL_BIGRAMS or f"{modifier} {noun}" in self.bigrams


NO_TERMS = FieldTerms()


def noun_runs(sentence: Sequence[str], tags: Sequence[str], terms: FieldTerms = NO_TERMS) -> Iterator[tuple[int, int]]:
    """Yield the index of the first word and the end (exclusive) of each run of nouns and their modifiers."""
    start = 0
    for end in range(len(sentence) + 1):
        if end == len(sentence) or not _is_in_run(end, sentence, tags, terms.lettered_nouns):
            if end > start:
                yield start, end
            start = end + 1


def _is_in_run(i: int, sentence: Sequence[str], tags: Sequence[str], lettered_nouns: Container[str]) -> bool:
    if tags[i] == "RB":  # "tidally locked", but not "typically found"
        return i + 1 < len(tags) and tags[i + 1] in _MODIFIER_TAGS and sentence[i].lower().endswith("ally")
    if tags[i] == "CD":
        return i > 0 and tags[i - 1] == "NNP" and sentence[i].isdigit()
    if len(sentence[i]) == 1 and sentence[i].isascii() and sentence[i].isalpha():
        is_name = sentence[i].isupper() and tags[i] in NOUNS and tags[i + 1 : i + 2] == ["NNP"]
        following = sentence[i + 1].lower() if i + 1 < len(sentence) else ""
        is_kind = following in _AFTER_LETTER or following.removesuffix("s") in lettered_nouns
        return is_name or (is_kind and tags[i] not in ("DT", "PRP"))
    return tags[i] in NOUNS or tags[i] in _MODIFIER_TAGS


def _split_at_possessive(start: int, end: int, sentence: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Split a long phrase after its possessive: "Milky Way's | star formation history"."""
    for i in range(start, end - 1):
        if end - start > 3 and sentence[i].endswith(_POSSESSIVES):
            yield start, i + 1
            start = i + 1
    yield start, end


def noun_phrases(
    start: int, end: int, sentence: Sequence[str], tags: Sequence[str], terms: FieldTerms = NO_TERMS
) -> Iterator[tuple[int, int]]:
    """Yield the noun phrases in the run from `start` to `end`: one to five words, with no stop word at either end."""
    for part_start, part_end in _split_at_possessive(start, end, sentence):
        yield from _trim(part_start, part_end, sentence, tags, terms)


def _trim(
    start: int, end: int, sentence: Sequence[str], tags: Sequence[str], terms: FieldTerms
) -> Iterator[tuple[int, int]]:
    while start < end and not _can_close(end - 1, start, sentence, tags):
        end -= 1
    while end - start > 1 and is_symbol(sentence[end - 1]):
        end -= 1  # "Hubble constant H_0"
    start = max(start, end - MAX_PHRASE_WORDS)
    while start < end and _is_stop_opening(start, end, sentence, tags, terms):
        start += 1
    if start < end and not _is_generic([word.lower() for word in sentence[start:end]], terms):
        yield start, end


def _is_generic(phrase: Sequence[str], terms: FieldTerms) -> bool:
    is_stop = all(word in STOP_NOUNS or word in STOP_MODIFIERS or word in GENERIC_MODIFIERS for word in phrase)
    return is_stop and not any(terms.is_term(first, base_form(second)) for first, second in pairwise(phrase))


def _can_close(i: int, start: int, sentence: Sequence[str], tags: Sequence[str]) -> bool:
    if tags[i] == "CD":
        return i > start
    return tags[i] in NOUNS and not (sentence[i].lower() in TRAILING_STOP_NOUNS and tags[i] != "NNP")


def _is_stop_opening(start: int, end: int, sentence: Sequence[str], tags: Sequence[str], terms: FieldTerms) -> bool:
    word = sentence[start].lower()
    if tags[start] in ("CD", "RB") and end - start == 1:
        return True
    if tags[start] == "RB" and sentence[start + 1].lower() in STOP_MODIFIERS:
        return True
    if tags[start] == "VBN" and start > 0 and tags[start - 1] == "RB":
        return True  # "uniformly distributed": the participle has a different meaning without its adverb
    if word not in STOP_MODIFIERS or tags[start] == "NNP":
        return False
    return start + 1 == end or not terms.is_term(word, base_form(DASH.split(sentence[start + 1].lower())[0]))


Span = tuple[int, int]
"""Index of the first word and end (exclusive) of a run of words."""


class Tagger(Protocol):
    """Assigns a part of speech to each word in a text."""

    @property
    def name(self) -> str:
        """Name of the tagger, for a manifest or a badge."""

    def tags(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the Penn Treebank tag of each word in each sentence."""


@dataclass(frozen=True, slots=True)
class TaggedText:
    """Words, tags, sentences and noun phrases of the text `plain`."""

    plain: str
    words: tuple[str, ...]
    tokens: tuple[Token, ...]
    tags: tuple[str, ...]
    """Penn Treebank tags, one per token."""
    sentences: tuple[Span, ...]
    noun_runs: tuple[Span, ...]
    """Runs of nouns and their modifiers, in text order."""
    terms: FieldTerms = NO_TERMS
    """Terms of the field of the text."""

    def noun_phrases(self) -> tuple[Span, ...]:
        """Return the noun phrases inside the noun runs, in text order."""
        return tuple(phrase for run in self.noun_runs for phrase in self.phrases_between(*run))

    def phrases_between(self, start: int, end: int) -> Iterator[Span]:
        """Yield the noun phrases in a part of a noun run, from its first word `start` to its `end` (exclusive)."""
        return noun_phrases(start, end, self.words, self.tags, self.terms)

    def text_of(self, span: Span) -> str:
        """Return the words of `span` spelled as a keyword: "Jupiter's" as "Jupiter", "H_0" as "H0"."""
        start, end = span
        text = self.plain[self.tokens[start].start : self.tokens[end - 1].end]
        return without_possessive(subscripts_written_on(text))


def tag_text(plain: str, tagger: Tagger, terms: FieldTerms = NO_TERMS) -> TaggedText:
    """Tokenise and tag `plain`, which must not contain LaTeX. `terms` are those of its field."""
    sentences = list(tokenise(plain))
    tokens = tuple(token for sentence in sentences for token in sentence)
    word_lists = [[token.text for token in sentence] for sentence in sentences]
    tags: list[str] = []
    spans: list[Span] = []
    runs: list[Span] = []
    for of_sentence, sentence_tags in zip(word_lists, tagger.tags(word_lists), strict=True):
        first = len(tags)
        runs += ((first + start, first + end) for start, end in noun_runs(of_sentence, sentence_tags, terms))
        spans.append((first, first + len(of_sentence)))
        tags += sentence_tags
    words_of_text = tuple(token.text for token in tokens)
    return TaggedText(plain, words_of_text, tokens, tuple(tags), tuple(spans), tuple(runs), terms)
