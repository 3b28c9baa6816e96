"""The profile of a corpus: one frozen value that holds everything specific to one field."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, StringConstraints, with_config
from pydantic import Field as Bounds
from pydantic_core import PydanticCustomError

from pathfinder.profile.names import Names, Owners, Phrase
from pathfinder.profile.quantity import FieldQuantity, NamePattern, check_names

_PICTURES = (
    r"[\U0001f000-\U0001faff©®"
    r"\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9-\u21aa\u231a-\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa"
    r"\u24c2\u25aa-\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2604\u260e\u2611\u2614-\u2615\u2618\u261d\u2620"
    r"\u2622-\u2623\u2626\u262a\u262e-\u262f\u2638-\u263a\u2640\u2642\u2648-\u2653\u265f-\u2660\u2663"
    r"\u2665-\u2666\u2668\u267b\u267e-\u267f\u2692-\u2697\u2699\u269b-\u269c\u26a0-\u26a1\u26a7\u26aa-\u26ab"
    r"\u26b0-\u26b1\u26bd-\u26be\u26c4-\u26c5\u26c8\u26ce-\u26cf\u26d1\u26d3-\u26d4\u26e9-\u26ea\u26f0-\u26f5"
    r"\u26f7-\u26fa\u26fd\u2702\u2705\u2708-\u270d\u270f\u2712\u2714\u2716\u271d\u2721\u2728\u2733-\u2734\u2744"
    r"\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2764\u2795-\u2797\u27a1\u27b0\u27bf\u2934-\u2935"
    r"\u2b05-\u2b07\u2b1b-\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299"
    r"]"
)
"""Characters that are emoji by themselves (Unicode Technical Standard 51), and the block of pictographs."""
_MODIFIERS = r"[\ufe0f\U0001f3fb-\U0001f3ff\U000e0062-\U000e007f]*"
_EMOJI = re.compile(
    rf"[\U0001f1e6-\U0001f1ff]{{2}}|[0-9#*]\ufe0f?\u20e3|{_PICTURES}{_MODIFIERS}(?:\u200d{_PICTURES}{_MODIFIERS})*"
)
_SYMBOL = re.compile(r":material/[a-z0-9_]+:")


def check_icon(icon: str) -> str:
    """Return `icon` if it is a single emoji or `:material/name:`; otherwise, validation fails and states this rule."""
    if _EMOJI.fullmatch(icon) is None and _SYMBOL.fullmatch(icon) is None:
        raise PydanticCustomError("icon", "an icon must be a single emoji, or ':material/name:'")
    return icon


_STRICT = ConfigDict(extra="forbid")
_NO_NAMES = Names()
_NO_OWNERS = Owners()

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]


TableLanguage = Literal["Spanish", "French", "German", "Italian", "Portuguese"]
"""Languages in which questions can be read by a table of terms."""


class FacilityCatalogue(Enum):
    """Catalogue of telescopes and missions whose papers the map can show."""

    ASTRONOMY = "astronomy"
    NONE = "none"


class Bibliography(Enum):
    """Service that counts and lists papers; papers without an identifier are searched for there."""

    ADS = "ADS"
    NONE = "none"


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Field:
    """Names of a field and of the people who work in it."""

    names: Annotated[tuple[Phrase, ...], Bounds(min_length=1, max_length=20)]
    """Name of the field, followed by other names for it or for parts of it, in lower case: "astronomy", "cosmology"."""
    adjective: Phrase
    """Adjective for the field, as in "the astronomical literature"."""
    experts: Annotated[tuple[Phrase, ...], Bounds(min_length=1, max_length=20)]
    """Nouns for the people who work in the field, in the singular; prompts use the first. The plural is formed by
    adding an s.
    """
    student: Phrase | None = None
    """A student of the field, for whom answers are rewritten: "physics student"; if not set, the field's name followed
    by "student".
    """
    named_things: Phrase = "instruments, data sets"
    """Kinds of things in the field whose names a rewrite keeps: "telescopes, surveys"."""
    computed: tuple[NamePattern, ...] = ()
    """Patterns for what is computed from a number, and not stated in any paper: "lookback time"."""

    @property
    def name(self) -> str:
        """Name of the field: "astronomy"."""
        return self.names[0]

    @property
    def expert(self) -> str:
        """A person who works in the field: "astronomer"."""
        return self.experts[0]


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Abstention:
    """Questions that teach a corpus of this field to say "I don't know"."""

    own_fields: tuple[Phrase, ...] = ()
    """Fields whose shipped off-topic questions are left out because papers in this corpus may answer them."""
    questions: tuple[Phrase, ...] = ()
    """Additional questions that papers in this field do not answer."""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Services:
    """Catalogues and services available for this field."""

    facilities: FacilityCatalogue = FacilityCatalogue.NONE
    bibliography: Bibliography = Bibliography.NONE


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class RedirectTexts:
    """Texts shown instead of an answer if papers cannot answer the question."""

    counting: Text = (
        "Pathfinder does not count papers, authors or citations. Ask a bibliographic database that covers the field."
    )
    """Shown if the field has no bibliographic service for which a query could be written."""
    listing: Text = (
        "Pathfinder lists the papers nearest to a question: it did not list them all, nor sort them. Ask for a subject "
        "in a few words; a click on a heading of the table of papers sorts it."
    )
    these_days: Text = (
        "Pathfinder did not look for what is new: it knows the papers in its corpus. The morning, in Library, reads "
        "the new papers of arXiv and shows those close to what you keep."
    )
    subfields: Text = (
        "Papers can't tell you which subfields are promising. The map shows where papers lie close together, where "
        "there are few, and where the newest are: look there, and ask about what you find."
    )
    calculation: Text = (
        "Pathfinder does no calculations: a number that no paper states cannot be checked against any paper. Ask what "
        "values papers report, under what conditions and by what method."
    )
    address: Text = (
        "Pathfinder does not open web addresses: it reads only the papers in its corpus. Paste the "
        "abstract instead of the address, or ask about the paper by its title."
    )
    opinion: Text = (
        "Pathfinder has no opinions. Ask what the papers say, how far they agree, or what supports or "
        "contradicts a claim: such an answer can be checked."
    )
    order: Text = (
        "Pathfinder answers questions from the papers in its corpus and does nothing else. Ask about the subject of "
        "these papers, or about how it is studied."
    )
    greeting: Text = (
        "Hello. Pathfinder answers questions from the papers in its corpus, and names the paper behind each sentence. "
        "Ask about their subject, for example:"
    )
    everyday: Text = (
        "Pathfinder knows the papers in its corpus and nothing else: not the weather, the time or the news. Ask about "
        "the subject of these papers."
    )
    follow_up: Text = (
        "This asks about something that was said before, and there is no question before it. Name the subject, for "
        "example:"
    )
    current_count: Text = (
        "Papers cannot say how many are known today: each gives the number of its own time, and the corpus ends with "
        "its newest paper."
    )
    inventor: Text = (
        "I don't know: none of the papers found says who invented, built or named it. Abstracts seldom tell the "
        "history of instruments and words; an encyclopedia or a book on the history of the field does."
    )


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Meaning:
    """One of the meanings of a term."""

    where: Phrase
    """Subject in which the term has this meaning."""
    means: Phrase


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class OverloadedTerm:
    """A term with different meanings in different subjects of the field."""

    term: Phrase
    meanings: Annotated[tuple[Meaning, ...], Bounds(min_length=2, max_length=20)]
    settled_by: tuple[Phrase, ...] = ()
    """Phrases in which its meaning is clear."""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class CheckExample:
    """Example filled in on the Check page: a short text with citation marks, and its sources."""

    text: Text
    """Sentences: one with a supported value, one with a value that differs from its source, and one that contradicts a
    source.
    """
    sources: Text
    """The sources, each after its mark."""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class PageExamples:
    """Examples shown on the pages, in empty fields and explanations."""

    keywords: Phrase = "a term, another term"
    synonyms: Phrase = "short form: full name, another name"
    authors: Phrase = "Smith, J; ^Jones"
    categories: Phrase = "an arXiv category"
    venues: Phrase = "name of a journal"
    follow_up: Phrase = "and what has been learned since then?"
    years: Phrase | None = None
    """Phrase that defines a period by an event in the field, given as an example on the About page: "before JWST"."""
    facilities: tuple[Phrase, ...] = ()
    """Facilities, named as in links ("jwst"), that the World page lists first if papers mention them."""
    check: CheckExample | None = None

    @property
    def placeholders(self) -> dict[str, str]:
        """Text shown in the empty field of a search setting, by the name of the setting."""
        return {
            "extra_keywords": self.keywords,
            "own_synonyms": self.synonyms,
            "authors": self.authors,
            "categories": self.categories,
            "venues": self.venues,
        }


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Alias:
    """A thing that is called by different names in questions and papers."""

    in_questions: NamePattern
    """Pattern for its names in questions, in lower case."""
    in_papers: NamePattern
    """Pattern for the same thing in papers, in lower case."""
    is_wide: bool = False
    """True for a thing, such as the Milky Way, whose name also occurs in many texts that are not about it."""
    mistaken_for: NamePattern | None = None
    """Pattern for its names in papers, if they often give its values next to those of the thing that a question asks
    about.
    """


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Landmark:
    """A thing from which distances are measured, or with which values are compared: "sun"."""

    word: Phrase
    """Its name in questions, in lower case."""
    in_papers: NamePattern
    """Pattern for its names in papers, in lower case."""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Designation:
    """The form that the names of one kind of thing have in catalogues or closed lists."""

    nouns: Annotated[tuple[Phrase, ...], Bounds(min_length=1, max_length=20)]
    """Nouns, in the singular, with which questions ask for such things; they need not be next to a name."""
    pattern: NamePattern
    """Pattern of the names: `PSR\\s?[BJ]?\\d{4}[+−-]\\d{2,4}`."""


Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\n]+$")]
Cell = Annotated[str, StringConstraints(max_length=500)]


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Translations:
    """Terms of the field in other languages, by which a question is searched in the words of English papers."""

    languages: tuple[TableLanguage, ...] = ()
    """English names of the languages, in the order of the columns of `terms`."""
    terms: Annotated[tuple[tuple[Cell, ...], ...], Bounds(max_length=5000)] = ()
    """Rows of an English term and the same term in each language; a bar separates several forms, and a form may be
    missing.
    """

    def __post_init__(self) -> None:
        for row in self.terms:
            if len(row) != len(self.languages) + 1 or not row[0].strip():
                raise ValueError(f"{row[:1]} must have an English term and one column for each of {self.languages}")

    def entries(self, language: str) -> Iterator[tuple[str, str]]:
        """Yield each form of a term in `language`, with the English term."""
        column = self.languages.index(language) + 1
        for row in self.terms:
            yield from ((form.strip(), row[0]) for form in row[column].split("|") if form.strip())


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class CountKept:
    """A service that keeps the current number of certain things, which papers cannot know."""

    things: Annotated[tuple[Phrase, ...], Bounds(min_length=1, max_length=20)]
    """Nouns, in the singular, with which questions ask for them: "exoplanet"."""
    kept_by: Phrase
    """Name of the service, with its article: "the NASA Exoplanet Archive"."""
    address: Phrase | None = None
    """Web address of the service, without "https://"."""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Profile:
    """Everything specific to the field of a corpus."""

    name: Phrase
    """Short name, shown by `pathfinder info`."""
    title: Phrase
    """Title of the browser tab."""
    icon: Annotated[str, AfterValidator(check_icon)]
    """A single emoji, or `:material/name:`."""
    field: Field
    examples: Annotated[tuple[Phrase, ...], Bounds(min_length=1, max_length=20)]
    """Example questions on the first page."""
    page: PageExamples = PageExamples()
    names: Names = _NO_NAMES
    owners: Owners = _NO_OWNERS
    quantities: Annotated[tuple[FieldQuantity, ...], Bounds(max_length=100), AfterValidator(check_names)] = ()
    """Kinds of quantities that only this field has, narrower kinds before wider ones."""
    designations: Annotated[tuple[Designation, ...], Bounds(max_length=100)] = ()
    """Forms of names in the field's catalogues."""
    aliases: Annotated[tuple[Alias, ...], Bounds(max_length=100)] = ()
    """Things that are called by different names in questions and papers."""
    landmarks: Annotated[tuple[Landmark, ...], Bounds(max_length=100)] = ()
    """Things that a paper need not mention even if the question does; if the question names nothing else, the paper
    must mention them.
    """
    counts: Annotated[tuple[CountKept, ...], Bounds(max_length=100)] = ()
    """Things whose number grows, with the services that keep it."""
    other_names: Annotated[tuple[Annotated[tuple[Name, ...], Bounds(min_length=2)], ...], Bounds(max_length=5000)] = ()
    """Names of the same thing, in rows: ["M31", "NGC 224", "Andromeda Galaxy"]. A question with one of them also finds
    papers with another.
    """
    everyday: Annotated[tuple[tuple[Name, Cell], ...], Bounds(max_length=5000)] = ()
    """What people say for a term, in rows: ["meteor", "shooting star|falling star"]. The term is
    searched beside the words.
    """
    translations: Translations = Translations()
    """Terms of the field in other languages."""
    abstention: Abstention = Abstention()
    services: Services = Services()
    redirects: RedirectTexts = RedirectTexts()
    overloaded_terms: tuple[OverloadedTerm, ...] = ()
