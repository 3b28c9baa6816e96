"""Reads a question about papers as a query for the Astrophysics Data System (ADS), from ADS's own vocabulary.

The tables below say which words mean which part of a query; they are tried in the order of `_READERS`, and the words
that one part has taken are out of reach for the next. What is left over is the topic, split where an English phrase
splits; words that say nothing about papers are dropped, and those that would change the query but cannot be put are
returned as unread.

The vocabulary is that of ADS's help pages ("Search Syntax", "Second Order Operators", "Bibliographic Groups" and the
"Comprehensive List of Solr Fields & Operators", as of 2026) and of the Canonical Affiliations list.
"""

import datetime
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from pathfinder.missions import gazetteer_of
from pathfinder.retrieval.years.in_questions import years_named
from pathfinder.text.author_names import PARTICLE, TEAM, is_family_name, parse_name
from pathfinder.text.author_year import CITED_YEAR
from pathfinder.text.english import MONTHS
from pathfinder.text.identifiers import Identifier, IdentifierKind, identifiers_in
from pathfinder.types import AdsPart

MAX_READ = 1000
"""Number of characters of a question that are read; questions about papers are shorter."""

N_TOP = 10
"""Number of papers that "the most cited" stands for, if the question gives none."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A function of ADS that turns the papers of one query into other papers."""

    name: str
    words: str
    n: int = N_TOP
    sort: str = ""

    def around(self, query: str) -> str:
        """Return the function with its query: `topn(10, QUERY, citation_count desc)`."""
        return f"topn({self.n}, {query}, {self.sort} desc)" if self.name == "topn" else f"{self.name}({query})"


@dataclass(frozen=True, slots=True)
class AdsReading:
    """A question as ADS would put it."""

    parts: tuple[AdsPart, ...]
    """In the order of the question."""
    operator: Operator | None
    unread: tuple[str, ...]
    """Words that may matter and are not part of the query."""

    @property
    def query(self) -> str | None:
        """The query; `None` if the question names nothing to search for."""
        return write_query(self.parts, self.operator)


def write_query(parts: tuple[AdsPart, ...], operator: Operator | None) -> str | None:
    """Join `parts`, those of the operator within its parentheses; `None` if there is nothing to search for."""
    inner, outer = (_join([part for part in parts if part.is_inner is side]) for side in (True, False))
    if operator is not None and inner:
        inner = operator.around(inner)
    query = " ".join(filter(None, (inner, outer)))
    return query if any(not part.term.startswith("-") for part in parts) else None


def _join(parts: list[AdsPart]) -> str:
    """Write parts one after the other; those joined by "or" share parentheses."""
    groups: list[list[str]] = []
    for part in parts:
        if part.is_alternative and groups:
            groups[-1].append(part.term)
        else:
            groups.append([part.term])
    terms = [group[0] if len(group) == 1 else f"({' OR '.join(group)})" for group in groups]
    return " ".join(dict.fromkeys(terms))


# The vocabulary -----------------------------------------------------------------------------------------------------

_PAPER = (
    r"(?:papers?|articles?|publications?|works?|studies|study|research|literature|results|records?|entries|documents?|"
    r"preprints?|topics?|science|collection|database|items?|observations|contributions?)"
)

# Each value of a field, and the words that mean it. Longer words come before those that they contain.
_VALUES: tuple[tuple[str, str], ...] = (
    ("property:notrefereed", r"(?:not|non|un)[- ]?(?:peer[- ]reviewed|refereed)"),
    ("property:refereed", r"peer[- ]reviewed|refereed"),
    ("property:pub_openaccess", r"(?:gold|publisher'?s?) open[- ]access"),
    ("property:eprint_openaccess", r"(?:green|e-?print|preprint) open[- ]access|(?:freely available|free) on arxiv"),
    ("property:author_openaccess", r"author'?s? open[- ]access"),
    ("property:ads_openaccess", r"(?:scanned by ads|ads open[- ]access|free (?:on|at|from) ads)"),
    ("property:openaccess", r"open[- ]access(?:ible)?|freely (?:available|accessible)|free to read"),
    ("property:associated", r"(?:with )?(?:associated|companion) (?:papers|articles|works)"),
    ("property:data", r"(?:with|has|have|having) (?:associated |linked |available )?data(?: links?| products?)?|data links"),
    ("property:ocr_abstract", r"ocr(?:-processed|ed| generated)?(?: abstracts?)?|abstracts? (?:generated )?from ocr"),
    ("property:toc", r"tables? of contents"),
    ("property:inspire", r"(?:in |on )?inspire(?:[- ]?hep)?(?:[- ]indexed| records?)?|indexed (?:by|in) inspire"),
    ("property:library_catalog", r"(?:in |from )?(?:a |the )?library catalog(?:ue)?s?"),
    ("property:presentation", r"(?:with )?(?:media|video|recorded) presentations?"),
    ("property:esource", r"(?:with )?(?:electronic sources?|full[- ]text (?:available|links?|sources?))"),
    ("property:nonarticle", r"non-?articles?"),
    ("doctype:bookreview", r"book reviews?"),
    ("doctype:phdthesis", r"(?:ph\.?d\.?|doctoral)[- ](?:thes[ie]s|dissertations?)|dissertations?"),
    ("doctype:mastersthesis", r"(?:master'?s?|msc|m\.sc\.)[- ]thes[ie]s"),
    ("doctype:inproceedings", r"(?:conference|proceedings|workshop|symposium) (?:papers?|proceedings|contributions?|articles?)"),
    ("doctype:inbook", r"book chapters?|chapters (?:in|of) books"),
    ("doctype:techreport", r"tech(?:nical)? (?:reports?|memos?|memoranda)"),
    ("doctype:pressrelease", r"press[- ]releases?|news releases?"),
    ("doctype:erratum", r"(?:errat(?:um|a)|corrigend(?:um|a))(?: (?:(?:and|or) )?(?:corrections?|notices?))?"),
    ("doctype:abstract", r"(?:meeting|conference|poster) abstracts?"),
    ("doctype:catalog", r"data catalog(?:ue)?s?|catalog(?:ue)? (?:papers?|records?|entries)|^catalog(?:ue)?s(?= (?:of|on|for)\b)"),
    ("doctype:circular", r"(?:gcn |iau |observing )?circulars?"),
    ("doctype:editorial", r"editorials?"),
    ("doctype:newsletter", r"newsletters?"),
    ("doctype:obituary", r"obituar(?:y|ies)"),
    ("doctype:proposal", r"(?:telescope|observing|funding|grant) proposals?|proposals"),
    ("doctype:software", r"software (?:packages?|records?|papers?|codes?|releases?)|(?:article )?software(?= (?:on|for|about|in)\b)"),
    ("doctype:talk", r"(?:(?:invited|conference|research) )?talks|^talk(?= (?:on|about)\b)"),
    ("doctype:proceedings", r"proceedings(?: (?:books?|volumes?))?"),
    ("doctype:book", r"(?:text)?books?|monographs?"),
    ("doctype:eprint", r"(?:arxiv |e-?print )?(?:preprints?|e-?prints?)|arxiv (?:papers?|articles?|submissions?)"),
    ("doctype:article", r"(?:journal|regular|research|refereed journal) articles?|journal papers?"),
)

_DATABASES = {
    "astronomy": r"astronomy|astrophysics|astronomical|astrophysical",
    "physics": r"physics",
    "general": r"general(?: science)?",
    "earthscience": r"(?:earth|geo) ?sciences?",
}

# Bibliographic groups: the papers that used a telescope, or that an institution counts as its own.
_BIBGROUPS = {
    "Chandra": r"Chandra(?: X-ray(?: Observatory)?)?|CXO",
    "ESO/Telescopes": r"ESO(?: telescopes?)?|VLT",
    "HST": r"HST|Hubble Space Telescope|Hubble(?= (?:[Tt]elescope|observations|images|imaging|data|papers|spectra|spectroscopy)\b)",
    "JWST": r"JWST|James Webb(?: Space Telescope)?|Webb(?: Space)? [Tt]elescope|Webb(?= (?:observations|images|data|papers)\b)",
    "K2": r"K2(?: mission)?(?!-?\d)",
    "Kepler": r"Kepler(?: [Ss]pace [Tt]elescope| mission|(?= (?:exo)?planet|(?= (?:papers|data|results|observations|light)\b)))",
    "LIGO": r"LIGO",
    "Fermi": r"Fermi(?:-LAT|[- ]GBM| LAT| [Gg]amma-ray(?: Space Telescope)?|(?= (?:papers|data|results|observations|telescope)\b))",
    "NOIRLab": r"NOIRLab",
    "NRAO": r"NRAO",
    "Pan-STARRS": r"Pan-?STARRS",
    "Solar Dynamics Observatory": r"SDO|Solar Dynamics Observatory",
    "Swift": r"Swift(?: mission| satellite| observatory)?",
    "XMM": r"XMM(?:-Newton)?",
    **{
        name: rf"{name}(?:(?: [Ss]pace| [Xx]-ray)?(?: [Tt]elescopes?| [Mm]ission| [Oo]bservatory))?"
        for name in (
            "ALMA ARI CFHT CfA EUVE FUSE GALEX Gaia Gemini Herschel INT ISO IUE JCMT Keck Leiden Magellan NOAO NTRS "
            "ROSAT SETI SMA SOHO STEREO Spitzer Subaru TESS UKIRT USGS USNO WHT"
        ).split()
    },
}

# Abbreviations of publications, and the names under which people know them.
_JOURNALS = {
    "ApJL": r"ApJL|ApJ Lett(?:ers|\.)?|Astrophysical Journal Letters",
    "ApJS": r"ApJS|Astrophysical Journal Supplement(?: Series)?",
    "ApJ": r"ApJ|Astrophysical Journal",
    "AJ": r"AJ|Astronomical Journal",
    "MNRAS": r"MNRAS|Monthly Notices(?: of the Royal Astronomical Society)?",
    "A&ARv": r"A&ARv|Astronomy (?:and|&) Astrophysics Review",
    "ARA&A": r"ARA&?A|Annual Reviews? of Astronomy (?:and|&) Astrophysics",
    "A&A": r"A&A|Astronomy (?:and|&) Astrophysics",
    "PASP": r"PASP|Publications of the Astronomical Society of the Pacific",
    "PASJ": r"PASJ|Publications of the Astronomical Society of Japan",
    "PASA": r"PASA|Publications of the Astronomical Society of Australia",
    "NatAs": r"Nature Astronomy",
    "NatPh": r"Nature Physics",
    "NatGe": r"Nature Geoscience",
    "NatCo": r"Nature Communications",
    "SciA": r"Science Advances",
    "PhRvL": r"PRL|Physical Review Letters|Phys\.? Rev\.? Lett\.?",
    "PhRvD": r"PRD|Physical Review D|Phys\.? Rev\.? D",
    "PhRvX": r"PRX|Physical Review X",
    "RvMP": r"Reviews of Modern Physics",
    "JCAP": r"JCAP|Journal of Cosmology and Astroparticle Physics",
    "JHEP": r"JHEP|Journal of High Energy Physics",
    "CQGra": r"CQG|Classical and Quantum Gravity",
    "SSRv": r"Space Science Reviews",
    "Icar": r"Icarus",
    "SoPh": r"Solar Physics(?= journal)|(?<=journal )Solar Physics",
    "PSJ": r"PSJ|Planetary Science Journal",
    "P&SS": r"Planetary and Space Science",
    "JGR": r"JGR|Journal of Geophysical Research",
    "GeoRL": r"GRL|Geophysical Research Letters",
    "E&PSL": r"Earth and Planetary Science Letters",
    "Ap&SS": r"Astrophysics and Space Science",
    "AN": r"Astronomische Nachrichten",
    "AcA": r"Acta Astronomica",
    "NewA": r"New Astronomy(?! Reviews)",
    "NewAR": r"New Astronomy Reviews",
    "LRR": r"Living Reviews in Relativity",
    "RNAAS": r"RNAAS|Research Notes of the AAS",
    "PNAS": r"PNAS|Proceedings of the National Academy of Sciences",
    "SPIE": r"SPIE(?: [Pp]roceedings)?|Proceedings of (?:the )?SPIE",
    "Natur": r"(?<=\bin )Nature|Nature(?= (?:paper|article|journal|letter)s?\b)|(?<=journal )Nature",
    "Sci": r"(?<=\bin )Science|Science(?= (?:paper|article|journal)s?\b)|(?<=journal )Science",
}

_INSTITUTIONS = (
    "Caltech|MIT|Harvard|Princeton|Stanford|Berkeley|UC Berkeley|Cambridge|Oxford|STScI|Yale|Columbia|Cornell|Chicago|"
    "UCLA|UCSC|JPL|NASA(?: Goddard| Ames)?|Goddard|CfA|MPIA|MPE|MPA|Durham|Edinburgh|ETH|EPFL|CNRS|CEA|INAF|CSIC|"
    "Fermilab|CERN|Carnegie|Johns Hopkins|Penn State|Ohio State|Steward Observatory|ASTRON|RIKEN|Kavli IPMU|CSIRO"
)
_INSTITUTION_NOUN = r"(?:University|Institut[eo]?|Observatory|Laboratory|Centre|Center|College|School|Universit[éàä]t?)"
_PLACE = rf"(?:{_INSTITUTIONS}|(?:University|Institute) of(?: [A-Z][\w-]+){{1,3}}|(?:[A-Z][\w-]+ ){{1,4}}{_INSTITUTION_NOUN})"

_COUNTED = {
    "citation_count": (r"citations?|cites", 0),
    "author_count": (r"(?:co-?)?authors?", 1),
    "read_count": (r"reads?|readers", 0),
    "page_count": (r"pages?(?! \d)(?: long)?", 1),
}

_FIELDS_BEFORE = {
    "title": r"(?:en)?titled|title (?:contains?|containing|includ(?:es|ing)|has|having|with|mentions)|with titles? (?:containing|like)",
    "keyword": r"(?:with |having |under )?(?:the )?keywords?(?: of)?",
    "ack": r"acknowledg(?:e|es|ing|ed)|(?:in|with) acknowledge?ments? (?:of|to|mentioning)",
    "full": r"full[- ]text (?:mentions?|mentioning|contain(?:s|ing))|mentioning anywhere",
    "abstract": r"abstracts? (?:contain(?:s|ing)?|mention(?:s|ing)?|includ(?:es|ing))",
    "object": r"(?:about |on )?(?:the )?(?:astronomical |simbad )?objects? (?:named |called )?(?=[A-Z0-9])",
    "grant": r"(?:funded by|with|under|supported by) (?:the )?grants?(?: number)?",
    "facility": r"facility:? ",
}
_FIELDS_AFTER = {
    "title": r"in (?:the |their |its )?titles?",
    "abstract": r"in (?:the |their |its )?abstracts?",
    "keyword": r"(?:in|as|among) (?:the |their |a )?keywords?",
    "ack": r"in (?:the |their )?acknowledge?ments?",
    "full": r"in (?:the |their )?full[- ]?texts?|anywhere in the text",
    "body": r"in (?:the |their )?(?:body|main text)",
}

_NUMBER_WORDS = {
    **{word: n for n, word in enumerate("one two three four five six seven eight nine ten".split(), start=1)},
    **{"twenty": 20, "fifty": 50, "a hundred": 100, "hundred": 100, "a thousand": 1000, "thousand": 1000},
}
_N = rf"(\d[\d,]{{0,9}}|{'|'.join(_NUMBER_WORDS)})"
_SMALL = rf"(?:\d{{1,4}}|{'|'.join(_NUMBER_WORDS)})"

_CITED = r"(?:cit(?:e|es|ing|ed)|referenc(?:e|es|ing))"
_OPERATORS: tuple[tuple[str, str], ...] = (
    # A whole question whose object stands in the middle.
    ("citations", r"how (?:often|many times|much) (?:has|have|was|were|is|are) (?P<inner>.{2,120}?) (?:been )?cited\b(?: by)?"),
    ("references", rf"what (?:{_PAPER} )?(?:do|does|did) (?P<inner>.{{2,120}}?) (?:cite|reference)\b"),
    ("references", rf"{_PAPER} (?:that )?(?P<inner>[A-Z][\w.' -]{{1,60}}?) (?:cites|cited|references)\b"),
    # Operators whose object follows.
    ("references", rf"{_PAPER} (?:that (?:are|were) )?(?:cited|referenced) (?:in|by)|(?:cited|referenced) by(?= (?:the|[A-Z]))"),
    ("references", r"(?:the )?(?:references?|bibliograph(?:y|ies)|reference lists?) (?:of|in|from)(?= (?:the|this|these|[A-Z]))"),
    ("citations", rf"{_PAPER} (?:that |which |who )?(?:have )?{_CITED}(?! (?:by|in|more|at|less|fewer|over|between)\b)"),
    ("citations", r"(?:who|what) (?:has |have )?(?:cites|cited)"),
    ("citations", r"citations (?:to|of)"),
    ("similar", rf"(?:{_PAPER} )?(?:most )?(?:similar|comparable) (?:{_PAPER} )?(?:to|with)"),
    ("similar", rf"(?:^|(?<=find )|(?<=show )|(?<=list ))related (?:{_PAPER} )?to"),
    ("similar", rf"{_PAPER} like (?:this|that|these|those)(?: ones?)?|{_PAPER} (?:resembling|that resemble)|more like"),
    ("reviews", r"(?:a |an |the )?(?:state[- ]of[- ]the[- ]art |recent |good |comprehensive )?(?:literature |critical )?"
     rf"(?:reviews?|overviews?|tutorials?|introductions?)(?: {_PAPER})?(?= (?:of|on|to|about|for|in)\b)"),
    ("reviews", r"(?:review|overview|survey|tutorial|summary) (?:papers?|articles?)"),
    ("useful", rf"(?:the )?(?:most )?(?:foundational|seminal|must[- ]reads?|landmark|important|essential|classic|influential|"
     rf"fundamental|useful|helpful|pioneering|groundbreaking|breakthrough|core|key)(?: {_PAPER}| reading)(?= (?:on|of|in|about|for|by|from)\b)|must[- ]reads(?= (?:on|in|about)\b)"),
    ("trending", rf"(?:what(?:'s| is| are) )?(?:currently )?(?:trending|popular|hot)(?: right now)? (?:{_PAPER} )?(?:in|on|about)\b"),
    ("trending", rf"{_PAPER} (?:that (?:are|is) )?(?:trending|gaining (?:attention|traction)|people are reading)(?: (?:right )?now)? (?:in|on|about)"),
    ("trending", rf"trending(?= (?:[\w-]+ ){{0,4}}{_PAPER}\b)(?! citations| references)"),
)
_TOP = re.compile(
    rf"\b(?:the )?(?:top[- ](?P<n1>{_SMALL})(?: (?P<how1>(?:most |highly |best )[\w-]+))?(?= )|"
    rf"(?P<n2>{_SMALL}) (?P<how2>(?:most|best|highly)(?: highly)?[- ](?:cited|read|recent|viewed))|"
    rf"(?P<n3>{_SMALL}) (?P<how3>latest|newest)|(?P<how4>(?:most|top|best)(?: highly)?[- ](?:cited|read|viewed)|latest|newest|most recent)(?= (?:\d{{1,3}} )?(?:[\w-]+ ){{0,4}}{_PAPER}\b))",
    re.IGNORECASE,
)
_SORTS = (("read", "read_count"), ("viewed", "read_count"), ("recent", "date"), ("latest", "date"), ("newest", "date"))

_VAGUE = {
    "citation_count": r"(?:highly|moderately|well|frequently|widely|heavily|rarely|poorly)[- ]cited",
    "read_count": r"(?:highly|widely|frequently)[- ]read|popular",
    "page_count": r"(?:short|long|brief|lengthy)(?= (?:papers?|articles?))",
    "author_count": r"(?:large|big|small)[- ](?:collaborations?|teams?|author lists?)",
    "year": r"recent|recently|new|latest|newest|modern|current|old|early",
    "": r"top|best|good|interesting|similar|trending|hot|useful|important|seminal|citing|cited|most",
}

_LEAD = re.compile(
    rf"^(?:(?:please|can you|could you|i want|i need|find|show|list|give|get|search|look(?:ing)?|me|us|for|all|any|every|"
    rf"some|the|a|an|{_PAPER}|of|in|by|from|that|which|are|is|what|who|how many|and|or|,)\s+)*$",
    re.IGNORECASE,
)
_DROPPED = frozenset(
    "paper papers article articles publication publications author authors astronomer astronomers people journal journals "
    "number numbers count list lists literature citation citations research work works preprint preprints study studies "
    "science sciences result results record records item items document documents observation observations finding findings "
    "topic topics subject team teams group groups collection database editions "
    "find show give get search looking look tell me us i we want need please can could would you your "
    "all any every some each many much more the a an this that these those its their his her what which who whom whose when "
    "where why how there here is are was were be been being am has have had do does did done will should may might "
    "written published publish publishes write wrote written appeared appearing released submitted mention mentions mentioning mentioned "
    "contain contains containing discuss discussing discusses describing describe studying studied using used use "
    "concerning covering related relating dealing focused focusing investigating exploring "
    "also only just exact phrase volume vol issue page pages year years during exactly named called titled "
    "affiliation affiliations affiliated institution institutions keyword keywords title titles abstract abstracts bibcode doi "
    "arxiv orcid identifier ads nasa/ads journal".split()
)
_SPLITTING = frozenset(
    "about on of in with for from by to at via and or but between through across against into over under within without than as per toward "
    "towards near around during regarding versus vs not excluding except".split()
)
_WORD = re.compile(r"[^\s\x00,;:?!()\[\]{}\"“”]+|[,;:?!()\[\]{}\"“”]")
_GENERIC_ENDS = frozenset("observations results detections discoveries data images measurements astronomy".split())

_COMPARISONS: tuple[tuple[str, int, int], ...] = (
    (rf"(?:between|from) {_N} (?:and|to) {_N}|{_N}(?: ?[-–] ?| to ){_N}", 0, 0),
    (rf"(?:more than|over|above|greater than|exceeding|>) ?{_N}", 1, +1),
    (rf"(?:at least|no fewer than|no less than|(?:a )?minimum(?: of)?|>=|≥) ?{_N}|{_N} or more|{_N}\+", 0, +1),
    (rf"(?:fewer than|less than|under|below|<) ?{_N}", -1, -1),
    (rf"(?:at most|no more than|up to|(?:a )?maximum(?: of)?|<=|≤) ?{_N}|{_N} or (?:fewer|less)", 0, -1),
    (rf"(?:exactly )?{_N}", 0, 0),
)
"""What stands around numbers, what is added to them, and whether they are a least (+1) or a most (-1)."""

_CAPITAL = r"[A-ZÀ-Þ]\.|[A-ZÀ-Þ][\w'’-]{0,40}"
_PERSON = rf"(?:{PARTICLE} ){{0,3}}(?:{_CAPITAL})(?: ?(?:[A-Z]\.|{_CAPITAL}|{PARTICLE}(?= )))" r"{0,4}(?:, ?(?:[A-Z]\.[ -]?){1,3}|, [A-Z][a-z]{1,20}(?![\w,]))?"


# Reading ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Found:
    """A part of the query, with the place of its words."""

    start: int
    end: int
    terms: tuple[str, ...]
    """Several are alternatives: `author:"A" OR author:"B"`."""
    kind: str


class _Text:
    """A question, some of whose words are taken: they are replaced by null characters, so that nothing reads across."""

    def __init__(self, question: str) -> None:
        self.question = question
        self.left = question
        self.found: list[_Found] = []

    def take(self, start: int, end: int) -> None:
        """Put `question[start:end]` out of reach."""
        self.left = self.left[:start] + "\x00" * (end - start) + self.left[end:]

    def add(self, start: int, end: int, kind: str, *terms: str) -> None:
        """Take the words and keep what they mean."""
        self.take(start, end)
        if terms:
            self.found.append(_Found(start, end, terms, kind))


def read_for_ads(question: str, today: datetime.date | None = None) -> AdsReading:
    """Read a question; at most `MAX_READ` characters of it. `today` is the day that "the last five years" ends with."""
    text = _Text(" ".join(question.replace("’", "'").split())[:MAX_READ].rstrip("?!. "))
    operator, inner = _read_operator(text)
    for reader in _READERS:
        reader(text, today)
    unread = list(_read_vague(text))
    _read_topics(text, unread)
    found = sorted(text.found, key=lambda part: part.start)
    if any(part.kind == "identifier" for part in found):
        found = [part for part in found if part.kind not in ("topic", "bibstem", "author", "object")]
    parts: list[AdsPart] = []
    end_before = 0
    for part in found:
        between = text.question[end_before : part.start].strip(" ,").casefold()
        is_negated = re.search(r"(?:^|\s)(?:not|without|excluding|except|but not|nor|no)(?: (?:in|by|on|about|from|the|using|any)){0,2}$", between)
        for place, term in enumerate(part.terms):
            is_or = place > 0 or (between in ("or", "and/or") and bool(parts))
            parts.append(
                AdsPart(
                    f"-{term}" if is_negated else term,
                    text.question[part.start : part.end],
                    is_inner=operator is not None and _is_inner(part, operator, inner, found),
                    is_alternative=is_or,
                )
            )
        end_before = part.end
    if operator is not None and not any(part.is_inner and not part.term.startswith("-") for part in parts):
        unread.append(operator.words)
        operator, parts = None, [replace(part, is_inner=False) for part in parts]
    return AdsReading(tuple(parts), operator, tuple(dict.fromkeys(unread)))


def _is_inner(part: _Found, operator: Operator, inner: tuple[int, int], found: list[_Found]) -> bool:
    """Whether a part belongs to the query of the operator, and not to what is asked of the papers that it finds."""
    if operator.name == "topn":
        return True
    if not inner[0] <= part.start < inner[1]:
        return False
    if operator.name in ("citations", "references"):
        before = [other for other in found if other.end <= part.start]
        # "Papers citing Riess et al. 2016": the year is that of the paper cited.
        return part.kind != "year" or bool(before and before[-1].kind == "author" and part.start - before[-1].end < 4)
    return part.kind in ("topic", "author", "bibgroup", "object", "identifier", "field")


def _read_operator(text: _Text) -> tuple[Operator | None, tuple[int, int]]:
    """Find the function that the question asks for, and the span of its object."""
    end = len(text.question)
    if match := _TOP.search(text.left):
        how = next((match[f"how{n}"] for n in (1, 2, 3, 4) if match[f"how{n}"]), "")
        sort = next((field for word, field in _SORTS if word in how.casefold()), "citation_count")
        text.take(*match.span())
        n = next((_number(match[f"n{n}"]) for n in (1, 2, 3) if match[f"n{n}"]), N_TOP)
        return Operator("topn", match[0], max(n, 1), sort), (0, end)
    if _taken_doctype := re.search(r"\bbook reviews?\b", text.left, re.IGNORECASE):
        return None, (0, end)
    for name, pattern in _operators():
        match = pattern.search(text.left)
        if match is None or (name == "trending" and _LEAD.match(f"{text.left[: match.start()].strip()} ".lstrip()) is None):
            continue
        if "inner" in pattern.groupindex:
            start, inner_end = match.span("inner")
            text.take(match.start(), start)
            text.take(inner_end, match.end())
            if re.fullmatch(_PERSON, match["inner"]) and not _is_thing(match["inner"]):
                text.add(start, inner_end, "author", f'author:"{_last_first(match["inner"])}"')
            return Operator(name, match[0]), (start, inner_end)
        text.take(*match.span())
        return Operator(name, match[0]), (match.end(), end)
    return None, (0, end)


@cache
def _operators() -> tuple[tuple[str, re.Pattern[str]], ...]:
    flags = re.IGNORECASE
    return tuple((name, re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", flags)) for name, words in _OPERATORS)


def _words(words: str, *, has_case: bool = False) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w&-])(?:{words})(?![\w&]|-\w)", 0 if has_case else re.IGNORECASE)


def _read_identifiers(text: _Text, _today: datetime.date | None) -> None:
    fields = {IdentifierKind.DOI: "doi", IdentifierKind.ARXIV: "arxiv", IdentifierKind.BIBCODE: "bibcode"}
    lead = re.compile(r"(?:(?:arxiv|doi|bibcode|preprint|e-?print|paper|number|id)[ :/]*){1,4}$", re.IGNORECASE)
    for found in identifiers_in(text.question):
        before = lead.search(text.left[: found.start])
        value = found.text if re.fullmatch(r"[\w./&+-]+", found.text) else f'"{found.text}"'
        start = before.start() if before else found.start
        text.add(start, found.end, "identifier", f"{fields[found.kind]}:{value}")
    for match in re.finditer(r"(?:orcid(?: id)?:? ?)?(?<!\d)(\d{4}-\d{4}-\d{4}-\d{3}[\dX])(?!\d)", text.left, re.IGNORECASE):
        text.add(*match.span(), "orcid", f"orcid:{match[1]}")
    archive = r"(?:astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|nucl-(?:ex|th)|physics|quant-ph)"
    for match in re.finditer(rf"(?<![\w-])({archive}\.[A-Za-z-]{{2,8}}|(?:astro-ph|gr-qc|hep-\w\w))(?![\w./-])", text.left):
        text.add(*match.span(), "arxiv_class", f'arxiv_class:"{match[1]}"')


def _read_fields(text: _Text, _today: datetime.date | None) -> None:
    """Read phrases in quotation marks, and words for which the question names a field."""
    after = "|".join(f"(?P<{field}>{words})" for field, words in _FIELDS_AFTER.items())
    before = "|".join(f"(?P<before_{field}>{words})" for field, words in _FIELDS_BEFORE.items())
    phrase = re.compile(rf'(?:(?:{before}):? ?)?(?P<exact>(?:the )?exact phrase )?["“](?P<words>[^"“”]{{2,200}})["”](?: (?:{after}))?', re.IGNORECASE)
    for match in phrase.finditer(text.left):
        named = [name for name in _FIELDS_AFTER if match[name]] + [name for name in _FIELDS_BEFORE if match[f"before_{name}"]]
        text.add(*match.span(), "field", _term(named[0] if named else "abs", match["words"], is_exact=bool(match["exact"])))
    for match in _words(after).finditer(text.left):
        field = next(name for name in _FIELDS_AFTER if match[name])
        words = list(_words_before(text.left, match.start()))
        if words:
            start = words[-1].start()
            exact = re.search(r"(?:the )?exact (?:phrase )?$", text.left[:start], re.IGNORECASE)
            phrase_words = text.left[start : match.start()]
            text.add(exact.start() if exact else start, match.end(), "field", _term(field, phrase_words, is_exact=bool(exact)))
    for field, words in _FIELDS_BEFORE.items():
        pattern = re.compile(rf"(?<![\w-])(?:{words})\s*:?\s*(?P<words>[\w'+./-]+(?: (?!(?:{'|'.join(_SPLITTING)})\b)[\w'+.-]+){{0,5}})", re.IGNORECASE)
        for match in pattern.finditer(text.left):
            if match["words"].casefold() not in _SPLITTING:
                text.add(*match.span(), "field", _term(field, match["words"]))


def _words_before(text: str, end: int) -> Iterator[re.Match[str]]:
    """Yield the words of a topic that stand before `end`, the last one first."""
    for word in reversed(list(_WORD.finditer(text[:end]))):
        plain = word[0].casefold()
        if plain in _SPLITTING or plain in _DROPPED or not re.search(r"\w", plain) or text[word.end() : end].strip(" ") != text[word.end() : end].replace("\x00", "").strip(" "):
            return
        yield word


def _term(field: str, words: str, *, is_exact: bool = False) -> str:
    plain = " ".join(re.sub(r'["\\“”\x00]', " ", words).split())
    return f'{"=" if is_exact else ""}{field}:"{plain}"'


def _read_counts(text: _Text, _today: datetime.date | None) -> None:
    for match in _words(r"(?:single|sole|solo)[- ]author(?:ed)?").finditer(text.left):
        text.add(*match.span(), "author_count", "author_count:1")
    for match in _words(r"uncited|(?:with )?(?:no|zero) citations|never (?:been )?cited").finditer(text.left):
        text.add(*match.span(), "citation_count", "citation_count:0")
    for field, (noun, least) in _COUNTED.items():
        verb = {"citation_count": "cited", "read_count": "read"}.get(field, noun)
        for numbers, added, side in _COMPARISONS:
            form = rf"(?:with |having |has |have )?(?:{numbers}) (?:{noun})|(?:that (?:are|were) )?{verb} (?:{numbers}) times"
            while match := _words(form).search(text.left):
                values = [_number(group) + added for group in match.groups() if group is not None]
                low, high = max(values[0], least), max(values[-1], least)
                value = str(low) if low == high else f"[{low} TO {high}]"
                if side:
                    value = f"[{low} TO *]" if side > 0 else f"[{least} TO {high}]"
                text.add(*match.span(), field, f"{field}:{value}")


def _number(text: str) -> int:
    return _NUMBER_WORDS.get(text.casefold()) or int(text.replace(",", ""))


def _read_dates(text: _Text, today: datetime.date | None) -> None:
    """Read years, months, and the days on which ADS learned of papers."""
    added = re.compile(r"(?:added|entered|indexed|new) (?:to|into|in|on) (?:the )?ads (?:in|during|since|after) (?P<year>[12]\d{3})", re.IGNORECASE)
    for match in added.finditer(text.left):
        last = "*" if re.search(r"since|after", match[0], re.IGNORECASE) else f"{match['year']}-12-31"
        text.add(*match.span(), "year", f"entry_date:[{match['year']}-01-01 TO {last}]")
    month = rf"({'|'.join(MONTHS)}|{'|'.join(name[:3] for name in MONTHS)})\.? (?:of )?([12]\d{{3}})"
    for words, form in (
        (rf"(?:between|from) {month} (?:and|to|until) {month}", "[{0} TO {1}]"),
        (rf"(?:since|after|from) {month}(?: on(?:wards?)?)?(?= |$)(?<!from {month[:0]})", "[{0} TO *]"),
        (rf"(?:before|until|up to) {month}", "[* TO {0}]"),
        (rf"(?:published |submitted )?(?:(?:in|during|of) )?{month}", "{0}"),
    ):
        for match in _words(words).finditer(text.left):
            groups = [group for group in match.groups() if group]
            dates = [
                f"{year}-{[name[:3] for name in MONTHS].index(name[:3].capitalize()) + 1:02d}"
                for name, year in zip(groups[::2], groups[1::2], strict=True)
            ]
            if match[0].casefold().startswith("from") and form.endswith("*]") and not match[0].rstrip().endswith(("on", "onward", "onwards")):
                form = "{0}"  # noqa: PLW2901 - "from March 2015" is that month
            text.add(*match.span(), "year", f"pubdate:{form.format(*dates)}")
    filled = re.sub("\x00{6,}", lambda taken: "papers".ljust(len(taken[0])), text.left)
    years = years_named(filled, today)
    if years is not None and not re.search(r"[^\W\d_][\w-]* $", text.left[: years.spans[0][0]] if years.words[0].isdigit() else ""):
        value = f"[{years.first or '*'} TO {years.last or '*'}]"
        if years.first and years.last:
            value = f"{years.first}" if years.first == years.last else f"{years.first}-{years.last}"
        start, end = years.spans[0]
        start += len(re.match(rf"(?:{_PAPER} )*", text.question[start:end], re.IGNORECASE)[0])  # type: ignore[index]
        for span in ((start, end), *years.spans[1:]):
            text.take(*span)
        text.found.append(_Found(start, end, (f"year:{value}",), "year"))
    for match in _words(rf"(?:(?:from|in|of|for|published in) )({CITED_YEAR})").finditer(text.left):
        text.add(*match.span(), "year", f"year:{match[1]}")


def _read_places_in_journals(text: _Text, _today: datetime.date | None) -> None:
    """Read journals, volumes, issues and pages."""
    for stem, words in _JOURNALS.items():
        while match := re.search(rf"(?:(?:published )?(?:in|from|by) )?(?:the )?(?<![\w&])(?:{words})(?![\w&]|-\w)(?: journal)?", text.left):
            text.add(*match.span(), "bibstem", f'bibstem:"{stem}"')
    number = r"(?:numbers? |no\.? )?(\w{0,2}\d[\d.]{0,6})(?:(?: to | and | ?[-–] ?| through )(\d{1,6}))?"
    for field, words in (("volume", r"vol(?:ume|\.)?s?"), ("issue", r"issues?"), ("page", r"(?:on |at )?pages?")):
        for match in _words(rf"(?:in )?{words} {number}(?: of)?").finditer(text.left):
            value = f"[{match[1]} TO {match[2]}]" if match[2] else match[1]
            text.add(*match.span(), field, f"{field}:{value}")


def _read_values(text: _Text, _today: datetime.date | None) -> None:
    """Read properties, types of documents and databases."""
    for term, words in _VALUES:
        for match in _words(rf"(?:{words})(?: {_PAPER})?").finditer(text.left):
            text.add(*match.span(), "value", term)
    for name, words in _DATABASES.items():
        pattern = _words(rf"(?:the )?(?:{words}) {_PAPER}|in (?:the )?(?:{words})(?: (?:database|collection))?(?= ?(?:$|[,\x00]| (?:from|in|on|since|with|about|by)\b))")
        for match in pattern.finditer(text.left):
            before = text.left[: match.start()].rpartition("\x00")[2].strip()
            if match[0].casefold().startswith("in ") or _LEAD.match(f"{before} " if before else ""):
                text.add(*match.span(), "value", f"database:{name}")


def _read_bibgroups(text: _Text, _today: datetime.date | None) -> None:
    ends = "|".join(sorted(_GENERIC_ENDS))
    for name, words in _BIBGROUPS.items():
        for match in re.finditer(rf"(?<![\w&/-])(?:{words})(?![\w&/]|-\w| ?(?:Collaboration|\d))(?: (?:team|archive|archival|{ends})\b)?", text.left):
            text.add(*match.span(), "bibgroup", f'bibgroup:"{name}"' if re.search(r"\W", name) else f"bibgroup:{name}")


def _read_institutions(text: _Text, _today: datetime.date | None) -> None:
    by = re.compile(rf"\b(?P<how>from|at|by (?:researchers|authors|scientists|astronomers|people|groups?|teams?) (?:at|from|of|in)|or|and) (?:the )?(?P<name>{_PLACE})(?![\w-])")
    position = 0
    while match := by.search(text.left, position):
        position = match.end()
        follows = any(part.kind == "inst" and part.end == match.start() - 1 for part in text.found)
        if match["how"] in ("or", "and") and not follows:
            continue
        start = match.start("name") if match["how"] in ("or", "and") else match.start()
        text.add(start, match.end(), "inst", _term("inst", match["name"]))
    raw = _words(r"(?:with |having )?(?:an? |the )?affiliations? (?:with |to |at |of |in |containing |mentioning )?(?:the )?(?P<name>(?:[A-ZÀ-Þ][\w.&'-]* ?){1,6})|(?:affiliated|based) (?:with|to|at|in) (?:the )?(?P<name2>(?:[A-ZÀ-Þ][\w.&'-]* ?){1,6})")
    raw = re.compile(raw.pattern)
    for match in raw.finditer(text.left):
        text.add(*match.span(), "inst", _term("aff", match["name"] or match["name2"]))


def _read_authors(text: _Text, _today: datetime.date | None) -> None:
    """Read the people and groups that wrote the papers, in the forms in which questions name them."""
    is_first = re.compile(r"(?:first|lead|1st)[- ]author(?:ed)?", re.IGNORECASE)
    names = rf"(?P<names>(?:{_PERSON})(?:(?:,? (?:and|or|&) |, )(?:{_PERSON})){{0,4}})"
    team = rf"(?P<names>(?:[A-Z][\w-]+ ){{1,4}}{TEAM})"
    year = rf"(?:,? ?\(?(?P<year>{CITED_YEAR})[a-z]?\)?(?!\w))?"
    for pattern in (
        rf"(?:(?:by|from|of) )?(?:the )?{team}{year}",
        rf"(?:(?:by|from|of) )?(?P<names>{_PERSON})(?:,? et al\.?| and (?:collaborators|colleagues|co-?workers|others)){year}",
        rf"(?:[Ff]irst|[Ll]ead)[- ][Aa]uthor(?:ed)?(?: papers?| articles?)?(?: by| is| was|:)? {names}",
        rf"(?:(?:written |published |led |co-?authored |authored )?by|[Aa]uthors?:?(?: named| is)?|with|not by) {names}{year}",
        rf"(?:has|have|did|does) {names}(?= (?:published?|writ(?:e|ten)|wrote|authored?|co-?authored?)\b)",
        rf"{names}'s?(?: (?:first[- ]author(?:ed)?|own))?(?= [\w-]+)",
        rf"{names}(?: \(?(?P<year>{CITED_YEAR})\)?)(?=$|[ ,]*$)",
        rf"(?:^|(?<=\x00 )){names}(?=$| papers\b| articles\b| publications\b)",
    ):
        position = 0
        while match := re.compile(rf"(?<![\w-]){pattern}(?![\w-])").search(text.left, position):
            position = match.end()
            before = text.left[max(match.start() - 40, 0) : match.end()]
            found = match.groupdict()
            people = [name.strip(" ,.") for name in re.split(r",? (?:and|or|&) |, (?![A-Z]\.|[A-Z][a-z]{1,20}$)", match["names"])]
            is_by = re.match(r"(?:\w+ )?by ", match[0]) is not None
            people = [name for name in people if name and not _is_thing(name, may_be_namesake=is_by)]
            if not people:
                continue
            has_year = found.get("year") is not None
            mark = "^" if is_first.search(before) or is_first.search(text.question) or (has_year and "et al" in match[0]) else ""
            terms = tuple(f'author:"{mark}{_last_first(name)}"' for name in people)
            end = match.end() if not has_year else match.start("year")
            if re.search(r" or ", match["names"]):
                text.add(match.start(), end, "author", *terms)
            else:
                place = match.start()
                for term in terms:
                    text.found.append(_Found(place, end, (term,), "author"))
                    place += 1
                text.take(match.start(), end)
            if has_year:
                text.found.append(_Found(match.start("year"), match.end("year"), (f"year:{found['year']}",), "year"))
                text.take(end, match.end())
    for match in is_first.finditer(text.left):
        text.take(*match.span())


def _last_first(name: str) -> str:
    """Turn "Vera C. Rubin" into "Rubin, Vera C."; leave "van Dokkum" and "Planck Collaboration" as they are."""
    if is_family_name(name):
        return name
    parts = parse_name(name)
    return ", ".join(filter(None, (parts.last, parts.first, parts.suffix)))


_PLACES = frozenset(
    "nasa esa eso europe america asia africa china japan india germany france italy spain britain canada australia "
    "galaxy galaxies stars star earth sun moon mars the a an type".split()
) | {month.casefold() for month in MONTHS}


def _is_thing(name: str, *, may_be_namesake: bool = False) -> bool:
    """Whether a capitalised name is a facility ("Planck", but not "Planck Collaboration"), an object, a place or a
    month. `may_be_namesake`: the question says "by", so that Rubin is a person.
    """
    names, plain = gazetteer_of(), name.casefold()
    things = names.facilities | names.objects | _PLACES | (frozenset() if may_be_namesake else names.ambiguous)
    return plain in things or plain.split()[0] in _DROPPED or any(char.isdigit() for char in name)


def _read_objects(text: _Text, _today: datetime.date | None) -> None:
    """Read designations such as M31, NGC 4258 or HD 209458, which ADS finds as objects too."""
    catalogues = "|".join(sorted(map(re.escape, gazetteer_of().catalogues), key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w-])(?:M ?(?P<messier>\d{{1,3}})|(?P<name>(?i:{catalogues})) ?(?P<number>\d[\d.+-]{{0,12}}[A-Za-z]?))(?![\w-])(?: (?:galaxy|cluster|nebula|system|star|field))?")
    for match in pattern.finditer(text.left):
        name = f"M{match['messier']}" if match["messier"] else f"{match['name']} {match['number']}"
        text.add(*match.span(), "object", f'(object:"{name}" OR abs:"{name}")')


def _read_vague(text: _Text) -> Iterator[str]:
    """Take words such as "highly cited", which name no number; yield those for which the question gives none."""
    counted = {part.kind for part in text.found}
    for field, words in _VAGUE.items():
        for match in _words(words).finditer(text.left):
            is_topic = not field and not re.match(rf" ?(?:$|[,\x00]| {_PAPER}\b)", text.left[match.end() :])
            if is_topic:
                continue
            text.take(*match.span())
            if field not in counted:
                yield match[0]


def _read_topics(text: _Text, unread: list[str]) -> None:
    """Read what is left as phrases of the title, abstract or keywords."""
    run: list[re.Match[str]] = []
    has_bibgroup = any(part.kind == "bibgroup" for part in text.found)

    def end() -> None:
        while run and (run[-1][0].casefold() in _GENERIC_ENDS and (has_bibgroup or run[-1][0].casefold() in ("observations", "results"))):
            run.pop()
        words = [word[0].strip("'.") for word in run]
        if any(re.search(r"[^\W\d_]{2}|[^\W\d_]-|\d-?[^\W\d_]", word) for word in words):
            text.found.append(_Found(run[0].start(), run[-1].end(), (_term("abs", " ".join(words)),), "topic"))
        elif words:
            unread.append(" ".join(words))
        run.clear()

    position = 0
    for word in _WORD.finditer(text.left):
        plain = word[0].casefold().strip("'.")
        is_next = not run or not text.left[position : word.start()].strip(" ")
        if not is_next or plain in _DROPPED or plain in _SPLITTING or not re.search(r"\w", plain):
            end()
        if plain not in _DROPPED and plain not in _SPLITTING and re.search(r"\w", plain):
            run.append(word)
        position = word.end()
    end()


_READERS: tuple[Callable[[_Text, datetime.date | None], None], ...] = (
    _read_identifiers,
    _read_fields,
    _read_counts,
    _read_places_in_journals,
    _read_institutions,
    _read_bibgroups,
    _read_values,
    _read_objects,
    _read_authors,
    _read_dates,
)
