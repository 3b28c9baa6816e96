"""Finds the insertions that a quoted sentence needs to be complete: who "we" are, what "it" is, what an abbreviation
stands for.

Everything inserted is taken from the same paper. If there is any doubt, nothing is inserted.
"""

import re
from collections.abc import Set
from functools import lru_cache
from itertools import pairwise

from pathfinder.profile import Names, Profile, astronomy
from pathfinder.text.author_names import PARTICLE, is_group, parse_name
from pathfinder.text.english import MONTHS, OPENERS, PREPOSITIONS, SCIENTIST, any_of
from pathfinder.text.sentences import readable_spans
from pathfinder.types import Insertion, Paper

_PRONOUN = re.compile(r"(?:It|They|These|This)(?=\s+(?:\w+ly\s+)?(?:also\s+)?{verb})".replace("{verb}", (
    r"(?:is|are|was|were|has|have|had|can|could|may|might|will|would|does|do|did|shows?|suggests?|implies|imply|"
    r"indicates?|provides?|allows?|leads?|makes?|gives?|explains?|reveals?|supports?|confirms?|requires?|exceeds?|"
    r"reaches|reach|appears?|seems?|corresponds?|extends?|contains?|results? (?:in|from))\b"
)))  # fmt: skip
"""A pronoun that is the whole subject of a verb."""

_EXPLETIVE = re.compile(
    r"It\s+(?:is|was|has been|can be|may be|could be|remains|appears|seems|follows)\s+(?:\w+ly\s+)?"
    r"(?:that|known|shown|found|clear|unclear|possible|likely|unlikely|important|necessary|essential|crucial|"
    r"difficult|expected|argued|suggested|proposed|believed|thought|estimated|concluded|noted|well|also|therefore)\b"
)
"""Openings in which "it" refers to nothing: "It is known that"."""

_SUBJECT = re.compile(
    r"(?:(?:However|Here|Additionally|Furthermore|Moreover|Finally),\s+)?"
    r"((?:The|A|An|Our|These|Both)\s+(?:[\w/+-]{1,60}\s+){0,4}?[\w/+-]{1,60}|[A-Z][\w-]{0,60}\d[\w-]{0,60})\s+"
    r"(?:is|are|was|were|has|have|had|can|will|shows?|provides?|exhibits?|contains?|covers?|reveals?)\b"
)
"""The subject at the start of a sentence: a short noun phrase before its verb, without a preposition."""

_DOES = re.compile(
    r"It(?=\s+(?:also\s+|then\s+|now\s+)?(?:finds?|found|covers?|covered|measures|measured|maps|mapped|observes|observed|"
    r"detected|detects|lists|listed|includes|reports|reported|contains|uses|used|carries|carried|scans|scanned|solves|"
    r"computes|supports|reads|runs|offers|returns|works|treats|discovered|fits|reviews|catalogues)\b)"
)
""""It" with a verb that fits something that observes, computes or reports, but not a star or a spectral line."""

_NOT_IN_A_SUBJECT = re.compile(rf"\b{any_of(PREPOSITIONS, 'that which and or than as we when where'.split())}\b")

_DEFINITION = re.compile(r"\(\s*([A-Z][\w/&-]{1,9}?)(s?)\s*[;,)]")
"""An abbreviation in brackets, with its plural s, if any."""

_MAX_INSERTED = 3


@lru_cache(maxsize=8)
def _doer(names: Names) -> re.Pattern[str]:
    """Compile a pattern for the subject at the start of a sentence, before its verb, if it is a thing that observes,
    computes or reports.
    """
    own = "".join(f"{noun}|" for kind in names.facilities for noun in kind)
    return re.compile(
        r"(?:(?:However|Here|Finally),\s+)?"
        rf"((?:The|A|An|This)\s+(?:[\w/+-]+\s+){{0,3}}?(?:{own}release|survey|catalogue|catalog|\w*scope|\w*craft|code|"
        r"instrument|review|paper|experiment|database|package|library|pipeline)|"
        r"[A-Z][A-Z-]{2,}[A-Z\d-]*)\s+(?:(?:now|also)\s+)?[a-z]+(?:s|ed)\b(?<!ss)"
    )


def insertions_for(paper: Paper, start: int, end: int, profile: Profile | None = None) -> tuple[Insertion, ...]:
    """Return the insertions that make the sentence `paper.abstract[start:end]` complete, in order of position.

    `profile`, by default that of astronomy, lists the field's facilities, and capitalised words that do not name a
    person.
    """
    sentence = paper.abstract[start:end]
    insertions = [
        *who(paper, start, sentence, profile),
        *_noun(paper, start, sentence, (profile or astronomy()).names),
        *_long_forms(paper.abstract, sentence),
    ]
    return tuple(sorted(insertions, key=lambda insertion: insertion.position)[:_MAX_INSERTED])


def _noun(paper: Paper, start: int, sentence: str, names: Names) -> list[Insertion]:
    """Resolve a pronoun at the start of the sentence to the subject of the previous one, if they agree in number."""
    previous = _sentence_before(paper.abstract, start)
    if (match := _DOES.match(sentence)) and (doer := _doer(names).match(previous)):
        return [] if _NOT_IN_A_SUBJECT.search(doer[1]) else [_insertion(match, doer[1])]
    match = _PRONOUN.match(sentence)
    if match is None or _EXPLETIVE.match(sentence) or sentence.startswith("This"):
        return []
    subject = _SUBJECT.match(previous)
    if subject is None or _NOT_IN_A_SUBJECT.search(subject[1]):
        return []
    is_plural = re.search(r"\b(?:are|were|have)$", subject[0]) is not None or subject[1].startswith(("These", "Both"))
    if is_plural != (not match[0].startswith("It")):
        return []
    return [_insertion(match, subject[1])]


def _sentence_before(abstract: str, start: int) -> str:
    spans = readable_spans(abstract)
    return next((abstract[first[0] : first[1]] for first, second in pairwise(spans) if second[0] == start), "")


def _insertion(pronoun: re.Match[str], subject: str) -> Insertion:
    noun = re.sub(r"^(?:The|A|An|Our|These|This|Both)\s+", "the ", subject)
    return Insertion(pronoun.end(), f" {noun}")


def _long_forms(abstract: str, sentence: str) -> list[Insertion]:
    """Write out abbreviations that the abstract defines, each as where it is defined first, but not in the sentence."""
    insertions = []
    known = {definition[1] for definition in _DEFINITION.finditer(sentence)}
    for definition in _DEFINITION.finditer(abstract):
        short = definition[1]
        if short in known or not (long := long_form(abstract[: definition.start()], short)):
            continue
        known.add(short)
        use = re.search(rf"(?<![\w-]){re.escape(short)}s?(?![\w-])", sentence)
        if use and long.lower() not in sentence.lower():
            insertions.append(Insertion(use.end(), f" {long}"))
    return insertions


def long_form(text: str, short: str) -> str | None:
    """Return the words at the end of `text` that `short` abbreviates; `None` if its letters do not fit.

    The letters are matched from the last to the first, which must be at the start of a word (Schwartz & Hearst 2003,
    doi:10.1142/9789812776303_0042).
    """
    letters = [letter for letter in short.lower() if letter.isalnum()]
    words = text.rstrip().split()
    tail = " ".join(words[-min(len(letters) + 5, 2 * len(letters)) :])
    place = len(tail)
    for n, letter in enumerate(reversed(letters), start=1):
        is_first = n == len(letters)
        place = tail.lower().rfind(letter, 0, place)
        while place > 0 and is_first and tail[place - 1].isalnum():
            place = tail.lower().rfind(letter, 0, place)
        if place < 0:
            return None
    long = tail[place:].strip(" ,;\"'“”`")
    is_phrase = len(long.split()) > 1 and not re.search(r"[.:()$\\]", long)
    return long if is_phrase else None


# Decides whether a pronoun in an abstract refers to the authors of the paper; doubtful pronouns do not count.

_DOING = (
    r"(?:find|found|present(?:ed)?|report(?:ed)?|obtain(?:ed)?|deriv(?:e|ed)|conclud(?:e|ed)|propos(?:e|ed)|"
    r"argu(?:e|ed)|suggest(?:ed)?|estimat(?:e|ed)|determin(?:e|ed)|analy[sz]ed?|investigat(?:e|ed)|stud(?:y|ied)|"
    r"us(?:e|ed)|appl(?:y|ied)|develop(?:ed)?|compar(?:e|ed)|calculat(?:e|ed)|comput(?:e|ed)|infer(?:red)?|"
    r"constrain(?:ed)?|discuss(?:ed)?|examin(?:e|ed)|explor(?:e|ed)|fit(?:ted)?|identif(?:y|ied)|demonstrat(?:e|ed)|"
    r"confirm(?:ed)?|model(?:led|ed)?|simulat(?:e|ed)|discover(?:ed)?|rul(?:e|ed) out|perform(?:ed)?|review(?:ed)?|"
    r"describ(?:e|ed)|introduc(?:e|ed)|test(?:ed)?|combin(?:e|ed)|select(?:ed)?|measured?|detect(?:ed)?|observed|"
    r"show(?:ed)?(?= (?:that|how|why|the)\b)|provid(?:e|ed)|search(?:ed)?|catalogued?|searched|consider(?:ed)?)"
)
"""Verbs for scientific work. "Observe" and "see" are left out, because "we observe" often means that anyone can."""

_BETWEEN = (
    r"(?:(?:also|then|further|first|here|now|thus|therefore|instead|again|next|only|[a-z]+ly|have|had|do not|did not|"
    r"can|cannot|could|will)\s+){0,3}"
)

_WE = re.compile(rf"(?<!\bif )(?<!\bwhen )(?<!\bwhat )(?<!\bhow )(?<!\bas )\b([Ww]e)\s+{_BETWEEN}{_DOING}\b")

_PERSONAL = (
    r"(?:adds?|added|asks?|asked|weigh(?:s|ed)?|took|takes?|take stock|guess(?:ed)?|turned|works?|worked|wrote|"
    r"writes?|gives?|gave|chose|inferred|ascribed?|ascribes|saw|thought|set|sets|explains?|explained|interpret(?:s|ed)?|count(?:ed|s)?|"
    r"removed|named|drew|judged|persuaded|noticed|noted|goes|go|went|warned?|warns|reckoned|doubted|wanted|hesitated|"
    r"tried|plot(?:ted|s)?|looked|predict(?:s|ed)|point(?:s|ed)? out|assum(?:e|es|ed)|expected|recommend(?:s|ed)?|"
    r"warn|list(?:s|ed)?|invented|built|collected|gathered|treat(?:s|ed)?|call(?:s|ed)?|published|solved|"
    r"finds|presents|reports|obtains|derives|concludes|proposes|argues|suggests|estimates|determines|analy[sz]es|"
    r"investigates|studies|uses|applies|develops|compares|calculates|computes|infers|discusses|examines|explores|fits|"
    r"identifies|demonstrates|confirms|describes|introduces|tests|combines|selects|measures|"
    r"shows(?= (?:that|how|why)\b))"
)
"""Further verbs whose subject can only be people, as used with "he", "she" and "they"."""

_HE = re.compile(rf"\b([Hh]e|[Ss]he)\s+{_BETWEEN}(?:{_DOING}|{_PERSONAL})\b")

_THEY = re.compile(
    rf"\b([Tt]hey)\s+{_BETWEEN}(?:"
    rf"(?!provid|suggest|confirm|constrain|demonstrat|identif|show|fit|us|combin){_DOING}|"
    r"ask(?:ed)?|weigh(?:ed)?|took|guess(?:ed)?|set (?!in\b)|interpret(?:ed)?|plot(?:ted)?|explain(?:ed)? (?:why|how)|"
    r"saw|looked|noticed|noted|warn(?:ed)?|recommend(?:ed)?|assum(?:e|ed)|ascribed?|built|collected|gathered|published|"
    r"solved|used|fitted|insist|coined|remark(?:ed)?|added|named|try|tried|trained|mapped|reproduced|go (?:on|through)|"
    r"check(?:ed)?|started|expect|look for|separated|show(?:ed)? (?:that|how)|suggested that)\b"
)
"""Verbs that show that "they" means people; verbs that can also describe stars, such as "suggest" and "fit", are left
out.
"""

_AUTHORS = re.compile(r"\b([Tt]he(?: present)? authors)\b(?!')")

LONGEST_OPENING = 60
"""Maximum number of characters before a pronoun in its sentence: a later pronoun may refer to somebody named before it.
"""

_PEOPLE = re.compile(
    rf"\b(?:{SCIENTIST}s|observers|theorists|researchers|engineers|amateurs|volunteers|groups|teams|others|workers|"
    r"authors|critics|students|opponents|colleagues|participants|citizens|people|users|readers|experts)\b",
    re.IGNORECASE,
)
_TEAM = re.compile(r"\b(?:team|group|collaboration|colleagues|coauthors|co-authors|and others)\b", re.IGNORECASE)

_OWN_TEAM = re.compile(
    r"^(?:['’]s? (?:team|group)|,? and (?:(?:his|her) )?(?:colleagues|coauthors|co-authors|others))\b"
)
"""Words after an author's name that make it stand for all authors."""

_OF_OTHERS = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|et al|(?:recent|previous|earlier) (?:paper|publication|article|stud(?:y|ies)))\b"
)
"""Words that show that "the authors" in an abstract may be those of another paper, because its own authors call
themselves "we" or it mentions another paper.
"""

_CAPITAL_WORD = r"[A-ZÀ-Þ][\w'’-]{0,60}[a-zß-ÿ]"
_PAIR = re.compile(rf"\b({_CAPITAL_WORD})(?:,| and|, and) (?:{_CAPITAL_WORD} )?({_CAPITAL_WORD})\b")
"""Two capitalised words joined by "and": "Townes and Shklovsky"."""

_SOMEBODY = re.compile(
    rf"\b(?:{_CAPITAL_WORD} (?:[A-Z]\. ?|{PARTICLE} )*({_CAPITAL_WORD})\b|"
    rf"({_CAPITAL_WORD})(?='s? (?:team|group|idea|theory|law|rule|curve|value|formula|work|model|proposal|students?))|"
    rf"({_CAPITAL_WORD}) (?:et al|had|and (?:colleagues|others)|{_DOING}|{_PERSONAL}))",
)
"""Words that may name a person: two capitalised words, a name as in "Hubble's law", or a personal verb's subject."""

_NO_PERSON = frozenset((*OPENERS, *MONTHS)) | frozenset(
    "Survey System Field Institute University Camera Center Centre Group Key Project Release Catalogue Catalog "
    "Belgrade Islands Africa America Hill Mountain Kingdom States Ocean But And Yet So Where How What Why Which Only "
    "Each All Every Some Two Three Four One His Her Then Later Not No".split()
)
"""Capitalised words that do not name a person in any field."""


def who(paper: Paper, start: int, sentence: str, profile: Profile | None = None) -> list[Insertion]:
    """Name the authors after the first pronoun in the sentence that certainly means them.

    "We" certainly means them if its verb is one of scientific work. "They", "he" and "she" do if they have such a verb,
    come near the beginning and agree in number with the authors, and if nobody else has been named since the authors
    were. `profile` lists capitalised words that do not name a person.
    """
    if not paper.authors:
        return []
    no_person = _NO_PERSON.union((profile or astronomy()).names.no_persons)
    if match := _WE.search(sentence):
        return [Insertion(match.end(1), f" {names_of(paper)}")]
    before = paper.abstract[:start]
    if match := _AUTHORS.search(sentence):
        are_own = _are_several(paper, before) and not _OF_OTHERS.search(paper.abstract)
        return [Insertion(match.end(1), f" {names_of(paper, are_several=True)}")] if are_own else []
    if (
        (match := _THEY.search(sentence))
        and _is_near_the_beginning(match, sentence)
        and _are_authors(paper, before, no_person)
    ):
        return [Insertion(match.end(1), f" {names_of(paper, are_several=True)}")]
    if (match := _HE.search(sentence)) and _is_near_the_beginning(match, sentence):
        name = _single_author(paper, before, no_person)
        return [Insertion(match.end(1), f" {name}")] if name else []
    return []


def names_of(paper: Paper, *, are_several: bool = False) -> str:
    """Return the surnames of one or two authors, or the first with "and others"; a collaboration is named alone."""
    first = parse_name(paper.authors[0]).last
    n_authors = paper.n_authors or len(paper.authors)
    if (n_authors == 1 and not are_several) or is_group(first):
        return first
    if n_authors == 2 and len(paper.authors) == 2:
        return f"{first} & {parse_name(paper.authors[1]).last}"
    return f"{first} and others"


def _is_near_the_beginning(match: re.Match[str], sentence: str) -> bool:
    opening = sentence[: match.start(1)]
    return len(opening) <= LONGEST_OPENING and not re.search(
        rf"\s{_CAPITAL_WORD}|\b(?:that|which|who|and|what|how|why|whether|than|as)\b", opening
    )


def _surnames(paper: Paper) -> set[str]:
    return {parse_name(author).last for author in paper.authors}


def _are_several(paper: Paper, before: str) -> bool:
    """Return whether the paper has several authors. If their number is unknown, the paper's list of authors may name
    only the first; the text must then mention a team.
    """
    n_authors = paper.n_authors or len(paper.authors)
    return n_authors > 1 or (paper.n_authors is None and _TEAM.search(before) is not None)


def _are_authors(paper: Paper, before: str, no_person: Set[str]) -> bool:
    """Return whether "they" after the text `before` means the authors: they do not call themselves "we", and no other
    people have been named since the authors were.
    """
    if not before or not _are_several(paper, before) or _OF_OTHERS.search(paper.abstract):
        return False
    rest = _OWN_TEAM.sub("", before[_last_mention(before, _surnames(paper)) :])
    others = [match for match in _PAIR.finditer(rest) if not no_person & set(match.groups())]
    return not others and not _PEOPLE.search(rest)


def _single_author(paper: Paper, before: str, no_person: Set[str]) -> str | None:
    """Return the author meant by "he" or "she" after the text `before`: the one named last, or the only one, unless
    somebody else has been named since.
    """
    surnames = _surnames(paper)
    place = _last_mention(before, surnames)
    for match in _SOMEBODY.finditer(before, place):
        name = next(filter(None, match.groups()))
        if name not in surnames and name not in no_person and match[0].split()[0] not in no_person:
            return None
    if place:
        surname = next(name for name in surnames if before[:place].endswith(name))
        is_joined = re.search(rf"(?:\band|&)\s+(?:{_CAPITAL_WORD}\s+)*{re.escape(surname)}$", before[:place])
        return None if is_joined else surname
    return parse_name(paper.authors[0]).last if paper.n_authors == 1 else None


def _last_mention(text: str, surnames: set[str]) -> int:
    """Return where the last mention of one of `surnames` ends; 0 if there is none."""
    return max((match.end() for name in surnames for match in re.finditer(rf"\b{re.escape(name)}\b", text)), default=0)
