"""Front of a paper: its title, and the blocks of authors, dates and addresses before the first heading."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pathfinder.fulltext.citing import REFERENCE_LIST
from pathfinder.fulltext.pdf.layout.blocks import SAME_SIZE, Block
from pathfinder.fulltext.pdf.layout.glyphs import SOFT_HYPHEN
from pathfinder.fulltext.pdf.layout.page_model import PdfPage, Run, TextLine
from pathfinder.fulltext.pdf.roles import KNOWN_HEADING, NUMBER, STATEMENT, BlockRole, BodyStyle
from pathfinder.text.english import MONTHS, any_of

FEWEST_ABSTRACT_WORDS = 40
"""Minimum number of words in a paragraph before the first heading for it to count as an abstract."""
LEAST_SMALL = 0.5
"""Minimum share of words without a capital in a paragraph that is not a list of names."""
MOST_TITLE_BLOCKS = 6
SUBTITLE, CLOSE = 0.75, 0.6
"""Least size of a subtitle as a share of that of the title, and greatest gap above it as a share of the gap below it.
"""
MOSTLY_SAID = 0.6
"""Least share of the words of a title that the text on the first `SAID_PAGES` pages with text has too."""
SAID_PAGES = 3
MOST_BETWEEN = 3
"""Maximum number of characters, such as those of an index, between two parts of a title."""
LONGEST_COVER = 4000
"""Maximum number of characters on the cover page of an archive."""

_INTRODUCTION = re.compile(r"(?:1\.?|I\.)?\s*introduction", re.IGNORECASE)
_COVER = re.compile(
    r"to cite this version|hal id ?:|hal is a multi-?disciplinary|your use of the jstor archive|"
    r"see discussions, stats,? and author profiles|this (?:content|article) (?:has been|was) downloaded (?:from|by)|"
    r"this (?:is|may be) (?:the|an?) (?:\w+ )?(?:author.?s?.?|accepted|published|post-?print|peer.reviewed)(?:[ -]\w+)?"
    r" (?:\w+ )?(?:version|manuscript|copy)|this is a repository copy of|author produced version|"
    r"this article appeared in a journal published by|citation for published version|link to publication|"
    r"permanent repository link|document version|take ?down policy|copies of full items can be used|"
    r"previously published works",
    re.IGNORECASE,
)
"""Words on the cover pages of archives (HAL, JSTOR, institutional repositories), publishers and ResearchGate."""
_AROUND = re.compile(rf"(?:the )?(?:\w+ ){{0,3}}journal\b|(?:\d{{1,2}} )?{any_of(MONTHS)},? \d", re.IGNORECASE)
"""Beginnings of lines above or below a title: journals and dates."""
_SERIES = re.compile(r"[IVX]+[.:] (?!(?i:introduction))")
"""Beginning of the second line of a title that numbers the papers of a series, as in astronomy."""


@dataclass(frozen=True, slots=True)
class Front:
    """The blocks of the title, the position of the first block of the text, and whether that block is an abstract
    without a heading.
    """

    title: tuple[Block, ...]
    start: int
    has_bare_abstract: bool = False


def front_of(blocks: Sequence[Block], roles: Sequence[BlockRole], body: BodyStyle, about: str = "") -> Front:
    """Find the title and the beginning of the text; `about` is the title that the file gives itself, which counts only
    if it is printed on the first page. If nothing shows where the text begins, it is taken to begin after
    the title, or with the first block if there is no title.
    """
    prose = [block for block in blocks if is_prose(block.text)]
    said_pages = sorted({block.page for block in prose})[:SAID_PAGES]
    said = _stems(" ".join(block.text for block in prose if block.page in said_pages))
    title = _title(blocks, body, about, said)
    n_first = sum(block.page == blocks[0].page for block in blocks)
    if not title and not any(is_prose(block.text) for block in blocks[:n_first]):  # perhaps a page of notes
        title = [n_first + place for place in _title(blocks[n_first:], body, about, said)]
    after = max(title) + 1 if title else 0
    title_blocks = tuple(blocks[place] for place in title)
    for index in range(after, len(blocks)):
        block, role = blocks[index], roles[index]
        if (role is BlockRole.HEADING and _begins_text(block)) or (role is BlockRole.TEXT and split_run_in(block)):
            return Front(title_blocks, index)
        if role is BlockRole.TEXT and is_prose(block.text):
            has_heading = index > after and roles[index - 1] is BlockRole.HEADING
            return Front(title_blocks, index - 1) if has_heading else Front(title_blocks, index, bool(title))
    return Front(title_blocks, after)


def front_lines(
    pages: Sequence[PdfPage], text_pages: Sequence[PdfPage], front: Front, pairs: Iterable[tuple[Block, BlockRole]]
) -> Iterator[str]:
    """Yield the lines of the first page other than running text: heads and stamps, everything above the text, and small
    print below it to which no mark in the text refers.

    `text_pages` are the pages without their heads and stamps.
    """
    for page, text_page in zip(pages[:1], text_pages[:1], strict=False):
        in_text = set(map(id, text_page.lines))
        yield from (line.text for line in page.lines if page.number == text_page.number and id(line) not in in_text)
    first = pages[0].number if pages else 0
    for place, (block, role) in enumerate(pairs):
        if block.page != first or (role is BlockRole.HEADING and REFERENCE_LIST.fullmatch(block.text.strip())):
            return
        if place < front.start or role is BlockRole.LABEL:
            yield from (line.text for line in block.lines)


def _begins_text(block: Block) -> bool:
    """Return whether a heading cannot be the name of an author, because it is a common heading or has a number."""
    number = None if block.lines[0].runs[0].raised else NUMBER.match(block.text)
    return bool(KNOWN_HEADING.fullmatch(block.text.strip())) or bool(number and not number["letter"])


def is_cover(page: PdfPage) -> bool:
    """Return whether a page was put in front of a paper by an archive, a publisher or a network of researchers: it says
    so, and the text does not begin on it.
    """
    text = " ".join(line.text for line in page.lines)
    begins = any(_INTRODUCTION.fullmatch(line.text.strip()) for line in page.lines)
    return not begins and len(text) < LONGEST_COVER and _COVER.search(text) is not None


def _title(blocks: Sequence[Block], body: BodyStyle, about: str, said: Collection[str]) -> list[int]:
    """Return the positions of the blocks that form the title: those that the file itself gives as its title, or those
    in the largest type on the first page, or the first that could be a title. If the text has `said` the words of some,
    the others are names of journals, numbers of reports, addresses and the like.
    """
    first = blocks[0].page if blocks else 0
    on_first = [block for block in blocks if block.page == first]
    upper: list[int] = []
    for place, block in enumerate(on_first):
        is_larger = block.size > body.size + SAME_SIZE
        may_be_numbered = is_larger and not upper  # a chapter
        is_of_series = is_larger and upper and _SERIES.match(block.text)
        if _begins_text(block) and not (may_be_numbered or is_of_series or _AROUND.match(block.text)):
            break
        if (not is_larger and is_prose(block.text)) or (upper and "@" in block.text):
            break
        if block.size >= body.size - SAME_SIZE and not is_prose(block.text) and _could_be_title(block.text):
            upper.append(place)
    wanted = _letters(about)
    for first_place in range(len(upper) if len(about.split()) > 2 else 0):
        for last_place in range(first_place, min(len(upper), first_place + MOST_TITLE_BLOCKS)):
            run = upper[first_place : last_place + 1]
            if _letters(" ".join(blocks[place].text for place in run)) == wanted:
                return run
    if not upper:
        return []
    apart = [place for place in upper if _share(blocks[place].text, said) >= MOSTLY_SAID]
    largest = max(blocks[place].size for place in apart or upper)
    is_larger = largest > body.size + SAME_SIZE
    if not is_larger and not apart and not (blocks[upper[0]].share(bold=True) > 0.8 or blocks[upper[0]].text.isupper()):
        return []
    start = next(place for place in apart or upper if not is_larger or blocks[place].size > largest - SAME_SIZE)
    look = blocks[start]
    while is_larger and start - 1 in upper and _is_below(blocks[start], blocks[start - 1], look.size):
        start -= 1
    title = [start]
    for place in upper[upper.index(start) + 1 :]:
        between = " ".join(blocks[each].text for each in range(title[-1] + 1, place))
        gap = blocks[place].box.top - blocks[title[-1]].box.bottom
        is_near = gap < look.size or not apart or _share(blocks[place].text, said) >= MOSTLY_SAID
        is_alike = is_larger and is_near and abs(blocks[place].size - look.size) <= SAME_SIZE
        below = blocks[place + 1].box.top - blocks[place].box.bottom if place + 1 < len(on_first) else 0.0
        is_subtitle = (
            is_larger
            and blocks[place].size > max(body.size + SAME_SIZE, SUBTITLE * look.size)
            and abs(gap) < min(look.size, CLOSE * below)
        )
        is_part = is_larger and _SERIES.match(blocks[place].text) is not None
        if not (is_alike or is_part or is_subtitle) or len(between) > MOST_BETWEEN:
            break
        title += range(title[-1] + 1, place + 1)
    return title


def _is_below(block: Block, above: Block, size: float) -> bool:
    """Return whether a block follows the one above it closely, in type of the same size."""
    return abs(above.size - block.size) <= SAME_SIZE and 0 < block.box.top - above.box.bottom < CLOSE * size


def _stems(text: str) -> set[str]:
    """Return the first five letters of each word of at least four."""
    return {word[:5] for word in re.findall(r"[^\W\d_]{4,}", text.replace(f"{SOFT_HYPHEN} ", "").casefold())}


def _share(text: str, said: Collection[str]) -> float:
    """Return the share of the words of a text that are among those `said` elsewhere, [0, 1]."""
    stems = _stems(text)
    return len(stems.intersection(said)) / len(stems) if stems else 0.0


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _could_be_title(text: str) -> bool:
    """Return whether a text has words, more letters than anything else, and does not open like a line around titles."""
    plain = text.strip()
    letters = sum(letter.isalpha() for letter in plain)
    is_wording = letters > 3 and letters > 0.55 * len(plain.replace(" ", ""))
    return is_wording and not _AROUND.match(plain)


def is_prose(text: str) -> bool:
    """Return whether a text is an abstract rather than a list of authors or addresses: long, and with fewer words that
    begin with a capital than others.
    """
    all_words = [word for word in text.split() if word[0].isalpha()]
    n_small = sum(len(word) > 1 and not word[0].isupper() for word in all_words)
    return len(text.split()) >= FEWEST_ABSTRACT_WORDS and n_small > LEAST_SMALL * len(all_words)


# Headings: their titles without numbers, and their levels, judged by numbering and appearance.

MOST_RUN_IN_WORDS = 14
DEEPEST = 4
"""Deepest level that a heading can have."""

_DEEP = re.compile(r"\d{1,2}(?:\.\d{1,2}){2,3}\.?\s+[A-Z][^.]{2,80}\.(?=\s)")
"""A heading with three numbers or more, which needs no type of its own."""
_ABSTRACT = re.compile(r"(abstract|summary|zusammenfassung|résumé|resumen)\s*(?:[.:—–-]+)\s*", re.IGNORECASE)
_LETTER = re.compile(r"([A-Z])\.?\s+(?=\S)")
_APPENDIX = re.compile(r"(?:appendix|anhang|annexe|apéndice)\b[\s:.]*(?:[A-Z]\b[\s:.]*)?", re.IGNORECASE)
_BARE_APPENDIX = re.compile(r"(?:appendix|appendices|anhang|annexes?|apéndices?)[:.]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading as printed, with its appearance: size [points], bold, italic, capitals, and whether text follows it on
    the same line.
    """

    text: str
    look: tuple[float, bool, bool, bool]
    runs_in: bool = False

    @property
    def title(self) -> str:
        """Words of the heading without its number."""
        number = NUMBER.match(self.text)
        words = self.text[number.end() :] if number else self.text
        appendix = _APPENDIX.match(words)
        if appendix and appendix.end() < len(words):
            words = words[appendix.end() :]
        return words.strip().rstrip(".:" if self.runs_in or number else ":").strip()

    @property
    def begins_appendix(self) -> bool:
        """True if the heading calls itself an appendix."""
        return bool(_APPENDIX.match(self.text))

    @property
    def is_bare_appendix(self) -> bool:
        """True if the heading only announces appendices."""
        return bool(_BARE_APPENDIX.fullmatch(self.text.strip()))


def heading_of(block: Block, text: str) -> Heading:
    """Return a block as a heading, with its words as running text."""
    letters = [letter for letter in text if letter.isalpha()]
    capitals = sum(letter.isupper() for letter in letters) > 0.8 * len(letters)
    look = round(block.size), block.share(bold=True) > 0.7, block.share(italic=True) > 0.7, capitals
    return Heading(text, look)


def split_run_in(block: Block) -> tuple[Heading, Block] | None:
    """Return the heading at the start of a paragraph and the rest of the paragraph; `None` if there is no heading."""
    line = block.lines[0]
    abstract = _ABSTRACT.match(line.text)
    if abstract and len(block.text.split()) > MOST_RUN_IN_WORDS:
        return Heading(abstract[1], (round(block.size), False, False, False), True), _cut(block, abstract.end())
    deep = _DEEP.match(line.text)
    prefix = deep[0] if deep else _marked_prefix(line)
    words = prefix.split()
    if not words or STATEMENT.match(prefix) or len(words) > MOST_RUN_IN_WORDS or len(prefix) >= len(line.text):
        return None
    if not prefix.rstrip().endswith((".", ":", "—")) or sum(letter.isalpha() for letter in prefix) < 4:
        return None
    style = line.runs[0].style
    heading = Heading(prefix.strip().rstrip("—"), (round(block.size), style.bold, style.italic, False), True)
    return heading, _cut(block, len(prefix))


def _marked_prefix(line: TextLine) -> str:
    """Return the words in bold at the beginning of a line, or in bold or italics if the line begins with a number."""
    is_numbered = bool(NUMBER.match(line.text))
    prefix = ""
    for run in line.runs:
        is_number = is_numbered and not prefix.strip(" .0123456789")
        if not (run.style.bold or (is_numbered and (run.style.italic or is_number))):
            break
        prefix += run.text
    return prefix if len(prefix.strip(" .0123456789")) > 1 else ""


def _cut(block: Block, count: int) -> Block:
    """Return a block without the first `count` characters of its first line."""
    runs: list[Run] = []
    for run in block.lines[0].runs:
        rest = run.text[count:]
        count = max(0, count - len(run.text))
        if rest:
            runs.append(replace(run, text=rest if runs else rest.lstrip()))
    first = (replace(block.lines[0], runs=tuple(runs)),) if runs else ()
    return replace(block, lines=first + block.lines[1:])


def with_appendices(headings: Sequence[Heading]) -> list[Heading]:
    """Return `headings`, with each lettered heading marked as an appendix if it follows numbered headings of the same
    appearance.
    """
    numbers = [NUMBER.match(heading.text) for heading in headings]
    looks = {each.look for each, number in zip(headings, numbers, strict=True) if number and number["decimal"]}
    if any(number and number["roman"] for number in numbers):
        looks = set()
    appendices: list[Heading] = []
    next_letter = "A"
    for heading in headings:
        letter = _LETTER.match(heading.text)
        is_next = bool(letter and letter[1] == next_letter and heading.look in looks and len(appendices) > 1)
        appendices.append(replace(heading, text=f"Appendix {heading.text}") if is_next else heading)
        next_letter = chr(ord(next_letter) + is_next)
    return appendices


def levels_of(headings: Sequence[Heading]) -> tuple[int, ...]:
    """Return the level of each heading, counted from 1: determined by its number, or else by numbered headings of the
    same appearance, or else by its size.
    """
    has_roman = any((number := NUMBER.match(heading.text)) and number["roman"] for heading in headings)
    levels_by_number = [_numbered_level(heading.text, has_roman) for heading in headings]
    looks = {heading.look: level for heading, level in zip(headings, levels_by_number, strict=True) if level}
    sizes = sorted({heading.look[0] for heading in headings if not heading.runs_in}, reverse=True)
    levels: list[int] = []
    for heading, by_number in zip(headings, levels_by_number, strict=True):
        is_known = not heading.text or heading.begins_appendix or KNOWN_HEADING.fullmatch(heading.text)
        known_level = 1 if is_known else looks.get(heading.look)
        by_size = DEEPEST - 1 if heading.runs_in else sizes.index(heading.look[0]) + 1
        levels.append(min(by_number or known_level or by_size, DEEPEST))
    return tuple(levels)


def _numbered_level(text: str, has_roman: bool) -> int | None:
    number = NUMBER.match(text)
    if number is None:
        return None
    if number["decimal"]:
        return number["decimal"].count(".") + 1
    if number["item"]:
        return 3
    if number["roman"] and has_roman:
        return 1
    return 2 if has_roman else 1
