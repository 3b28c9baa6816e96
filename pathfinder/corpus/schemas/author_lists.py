"""Lists of authors in one text, as tables, bibliographies and hosts write them, divided into names.

Line breaks, semicolons, bars, "and" and commas are read as separators. A comma may also stand within a name, and only
the other rows of a column show which it is: "Roe, Jane" is one author, "Roe J, Doe B" two, "Roe, J., Doe, B." two.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pathfinder.corpus.schemas.placeholders import is_missing_name
from pathfinder.text.author_names import SUFFIX, is_group, is_initials, is_particle
from pathfinder.text.latex.display import unescape_tex

_STRONG = re.compile(r"[;；，、\t‖•|]| / |(?<!:)//")
_ANY_SEPARATOR = re.compile(r"[,;&|]|\band\b")
_LINE_BREAK = re.compile(r"[\r\n]")
_AND = re.compile(r"(?>(?:(?:^|(?<![\s,])[\s,]++|(?<=\s))(?:and|&|\\&)(?=\s|$))+)\s*", re.IGNORECASE)
_TRAILING = re.compile(r"(?<![,;\s])[,;\s]*+(?:\bet\.?\s+al\b\.?|\band others\b|\.\.\.|…)[\s.,;]*$", re.IGNORECASE)
_ELIDED = re.compile(
    r"(?:^|(?<![,;\s])(?=[,;\s])\s*+([,;]?)[,;\s]*+)(?:\.\.\.|…|\. \. \.)[,;\s]*+(?!and\b)(?=[^\W\d_]|&)"
)
"""Dots for names that are left out before the last one, as in the style of the APA: "Roe, J., ... Poe, C."."""
_NUMBERED = re.compile(
    r"(?<=[^\W\dA-Z_]{2}|[\s.][A-Z]|[A-Z]\.)\d{1,2}(?:\s?,\s?(?:\d{1,2}(?!\d)|[*†‡§#])){0,9}[*†‡§#]{0,5}"
    r"(?=\s{0,9}(?:[,;&|\r\n]|and\b|$))"
)
"""Numbers of affiliations behind a name: "Jane Roe1,2"."""
_OTHERS = re.compile(
    r"\W*+(?:and\s++)?(?:(?:\d++\s++)?(?:others?|other\s++authors?|more(?:\s++authors?)?)|et\.?\s+al)\W*+",
    re.IGNORECASE,
)
"""An entry that stands for the authors that a list leaves out."""
_NOBODY = re.compile(rf"{_OTHERS.pattern}|[\W_]*", re.IGNORECASE)
_NOTES = re.compile(r"\s*(?:\((?:[^()]*)\)|\[[^\[\]]*\]|<[^<>]*>|\d{4}(?<=\s\d{4})|[*†‡§¶✉⁎#]|[⁰¹²³⁴-⁹]+)\s*$")
"""What follows a name: an affiliation, a role, an address, the number of a namesake in DBLP, a sign for a footnote."""
_LONGEST_NAME = 500
"""Number of characters above which a text is no name, and no notes are looked for behind it."""
_NAMESAKE = re.compile(r"\s\d{4}$")
_SPACES = re.compile(r"[^\S\r\n\t]+")
_LITERAL = re.compile(r"(?:array|list|tuple|set|c)?\s*+[\[({]")
_QUOTED = re.compile(r"""'((?>(?:[^'\\]|\\.|'(?=\w)){0,300}))'|"((?>(?:[^"\\]|\\.){0,300}))\"""", re.DOTALL)
_BARE_VALUE = re.compile(r"(?<=['\"]):\s?[\w.+-]+")
_WHOLE_NAMES = ("name", "displayname", "fullname", "literal", "author", "rawauthorname")
_PARTS_OF_NAMES = (("family", "last", "lastname", "surname"), ("given", "first", "firstname", "forename"), ("suffix",))
_HELD, _GIVEN_BACK = "\ue000{}\ue001", re.compile("\ue000(\\d+)\ue001")


@dataclass(frozen=True, slots=True)
class CommaStyle:
    """What commas mean in a column of author lists, as far as its rows show."""

    n_lists: int = 0
    """Rows in which they surely stand between whole names: "Roe J, Doe B, Poe C"."""
    n_pairs: int = 0
    """Rows in which they stand between and within names: "Roe, J., Doe, B."."""
    n_words: int = 0
    """Rows in which they stand between family names: "Roe, Doe, Poe"."""
    n_single: int = 0
    """Rows with one name: "Roe, Jane"."""
    is_run_together: bool = False
    """True if nothing at all stands between names, as in tables of Springer Link: "Jane RoeJohn Doe"."""


def comma_style(cells: Iterable[str]) -> CommaStyle:
    """Return what commas mean in a column with these `cells`, or whether names stand there without any."""
    counts = {"list": 0, "pairs": 0, "words": 0, "single": 0}
    n_long = n_separated = n_joined = n_joints = 0
    for cell in cells:
        n_long += len(cell.split()) > 2
        is_separated = _ANY_SEPARATOR.search(cell) is not None
        n_separated += is_separated
        joints = 0 if is_separated else len(_run_together(cell)) - 1
        n_joined, n_joints = n_joined + (joints > 0), n_joints + joints
        for piece in _pieces(_held(_SPACES.sub(" ", _NUMBERED.sub("", cell)))[0], is_listed=False)[0]:
            if kind := _kind(_tokens(piece)):
                counts[kind] += 1
    is_run_together = n_joints > 1 and 2 * n_joined >= n_long >= 10 * n_separated
    return CommaStyle(counts["list"], counts["pairs"], counts["words"], counts["single"], is_run_together)


def _run_together(cell: str) -> list[str]:
    """Divide "Jane DoeJohn Roe" where a capital follows a small letter, but in no name such as "McDonald", "DaSilva" or
    "DeAnna", and only if each part is more than one word.
    """
    names, start = [], 0
    for at in (place for place in range(1, len(cell)) if cell[place].isupper()):
        words = cell[max(start, at - _LONGEST_NAME) : at].split()
        if len(words) < 2 or cell[at - 1].isspace() or _begins_word(words[-1], cell[at : at + _LONGEST_NAME]):
            continue
        if cell[at - 1].islower() or SUFFIX.fullmatch(words[-1]):
            names.append(cell[start:at])
            start = at
    names.append(cell[start:])
    return names if all(len(name.split()) > 1 for name in names) and not is_group(cell) else [cell]


def _begins_word(prefix: str, following: str) -> bool:
    """Return whether `prefix` only begins a word that `following` goes on with, as in "MacArthur"; "Le" may be a whole
    name too, and is one if a name of two words follows.
    """
    word = re.match(r"\w[^\W\dA-Z]*", following)
    is_alone = word is not None and following[word.end() : word.end() + 1] in (" ", ".")
    return prefix in ("Mc", "Mac", "Fitz") or (is_particle(prefix.lower()) and not is_alone)


def authors_in(text: str, style: CommaStyle | None = None) -> tuple[str, ...]:
    """Return the authors in a list, in order, each as written; two of one name stay two, and "et al." ends the list.

    `style` is that of the column, as from `comma_style`; without it, `text` must speak for itself. Braces hold the name
    of a group together. LaTeX and HTML's names of letters become letters.
    """
    text = "; ".join(_run_together(text.strip())) if style and style.is_run_together else text.strip()
    if _LITERAL.match(text) and text[-1] in "])}" and (names := tuple(_quoted_names(text))):
        return listed_authors(names)
    if text.startswith("[") and text.endswith("]") and not is_missing_name(text):
        text = text[1:-1]
    return tuple(_names(text, style or CommaStyle(), is_listed=False))


def listed_authors(names: Iterable[str]) -> tuple[str, ...]:
    """Return the authors in a list of names; an entry that surely holds several is divided."""
    return tuple(author for name in names for author in _names(name, CommaStyle(), is_listed=True))


def _names(text: str, style: CommaStyle, *, is_listed: bool) -> Iterator[str]:
    text = html.unescape(text).strip()
    if is_missing_name(text):
        return
    text = _ELIDED.sub(lambda dots: f"{dots[1] or ','} " if dots.start() else "", _NUMBERED.sub("", text))
    held_text, held = _held(_SPACES.sub(" ", text))
    pieces, has_strong = _pieces(held_text, is_listed=is_listed)
    for piece in pieces:
        for each in _by_comma(piece, style, has_strong):
            if name := _tidy(_GIVEN_BACK.sub(lambda mark: held[int(mark[1])], each)):
                yield name


def split_at_and(text: str) -> list[str]:
    """Divide a list of names as BibTeX does, at each "and" outside braces; "and others" is left out."""
    held_text, held = _held(_SPACES.sub(" ", text))
    parts = (_NAMESAKE.sub("", _without_trailing(part.strip())) for part in _AND.split(held_text))
    return [_GIVEN_BACK.sub(lambda mark: held[int(mark[1])], part) for part in parts if not _NOBODY.fullmatch(part)]


def leaves_out_authors(value: object) -> bool:
    """Return whether a list of authors, as a text or a list of texts, ends in "et al." or "and others", or has dots for
    some of them.
    """
    if any(isinstance(each, str) and _ELIDED.search(each) for each in (value if isinstance(value, list) else [value])):
        return True
    last = value[-1] if isinstance(value, list) and value else value
    if not isinstance(last, str):
        return False
    end = last[-_LONGEST_NAME:].rstrip(" \t\r\n;,")
    parts = [part for part in _AND.split(end) if part]
    last = _STRONG.split(parts[-1])[-1] if parts else ""
    return _TRAILING.search(end) is not None or _OTHERS.fullmatch(last) is not None


def _held(text: str) -> tuple[str, list[str]]:
    """Put a mark in place of each outermost group in braces or parentheses; return them too."""
    depth = start = position = 0
    pieces: list[str] = []
    held: list[str] = []
    for match in re.finditer(r"\\.|[{}()]", text, re.DOTALL):
        if match[0] in "{(":
            start = match.start() if depth == 0 else start
            depth += 1
        elif match[0] in "})" and depth:
            depth -= 1
            if depth == 0:
                pieces += [text[position:start], _HELD.format(len(held))]
                held.append(text[start : match.end()])
                position = match.end()
    return "".join([*pieces, text[position:]]), held


def _pieces(text: str, *, is_listed: bool) -> tuple[list[str], bool]:
    """Divide a text at the separators that stand in no name; return also whether only sure signs may divide it more."""
    pieces = _STRONG.split(text)
    if len(pieces) == 1 and not is_listed and not re.search(r"(?:,|\band|&) ?[\r\n]", text):
        pieces = _LINE_BREAK.split(text)
    has_strong = is_listed or len(pieces) > 1
    return [part for piece in pieces for part in _at_and(" ".join(piece.split()), has_strong)], has_strong


def _at_and(piece: str, has_strong: bool) -> list[str]:
    parts = [part for part in _AND.split(_without_trailing(piece)) if part]
    if len(parts) < 2:
        return parts
    if has_strong and not all("," in part or is_initials(part.split()[-1]) for part in parts):
        return [piece]
    if "," not in parts[-1] and len(parts[-1].split()) > 1 and not is_initials(parts[-1].split()[-1]):
        # "Ann Mary Roe, Jan Doe and Kim Poe": given names come first, so that commas stand between whole names.
        named = [tokens for part in parts[:-1] if (tokens := _tokens(part))]
        if all(len(token.split()) > 1 and not is_particle(token.split()[0]) for tokens in named for token in tokens):
            return [*(token for tokens in named for token in tokens), parts[-1]]
    is_one_group = is_group(parts[0]) and "," not in piece and len(parts[-1].split()) == 1
    return [piece] if is_one_group else parts


def _tokens(piece: str) -> list[str]:
    """Divide a piece at its commas; a suffix stays with its name."""
    tokens: list[str] = []
    for token in filter(None, map(str.strip, piece.split(","))):
        before = tokens[-1] if tokens else ""
        is_after_name = len(before.split()) > 1 and not is_particle(before.split()[0])
        if (
            before
            and "," not in before
            and SUFFIX.fullmatch(token)
            and (is_after_name or is_initials(before) or not is_initials(token))
        ):
            tokens[-1] += f", {token}" if is_after_name or is_initials(before) else f" {token}"
        else:
            tokens.append(token)
    return tokens


def _kind(tokens: list[str]) -> str:
    """Return what the commas between `tokens` surely are; empty if nothing shows it."""
    n_tokens = len(tokens)
    if n_tokens < 2:
        return ""
    given, families = tokens[1::2], tokens[::2]
    if n_tokens % 2 == 0 and all(map(_is_given, given)) and not any(_has_initials(name) for name in families):
        return "pairs" if n_tokens > 2 else "single"
    if all(map(_has_initials, tokens)) or (n_tokens > 2 and all(len(token.split()) > 1 for token in tokens)):
        return "list"
    if all(len(token.split()) == 1 for token in tokens):
        return "single" if n_tokens == 2 else "words" if n_tokens % 2 else ""
    if n_tokens == 2:
        return "single" if len(tokens[0].split()) == 1 else ""
    return "list" if n_tokens % 2 or sum(len(token.split()) > 1 for token in tokens) > n_tokens / 2 else ""


def _by_comma(piece: str, style: CommaStyle, has_strong: bool) -> list[str]:
    """Divide a piece at the commas that stand between names."""
    tokens = _tokens(piece)
    if not has_strong and len(tokens) > 1 and (groups := [token for token in tokens if is_group(token)]):
        people = ", ".join(token for token in tokens if not is_group(token))
        named = _by_comma(people, style, has_strong) if people else []
        return [*groups, *named] if is_group(tokens[0]) else [*named, *groups]
    kind = _kind(tokens)
    if len(tokens) < 2 or (has_strong and not (kind == "pairs" or (kind == "list" and _has_initials(tokens[0])))):
        return [piece]
    if kind in ("list", "words"):
        return tokens
    if kind == "single":
        is_word_list = style.n_words > style.n_single and not is_initials(tokens[1])
        return tokens if is_word_list and all(len(token.split()) == 1 for token in tokens) else [", ".join(tokens)]
    if kind == "pairs" or (len(tokens) > 2 and style.n_words <= style.n_pairs):
        return [", ".join(tokens[n : n + 2]) for n in range(0, len(tokens), 2)]
    if len(tokens) > 2:
        return tokens
    # Two tokens, the first of several words: "Jane Roe, John Doe", but "Souza Lima, Ana Maria" among such names.
    is_list = style.n_lists > 0 or style.n_single == 0
    is_list = is_list and len(tokens[1].split()) > 1 and not is_particle(tokens[0].split()[0]) and not is_group(piece)
    return tokens if is_list else [", ".join(tokens)]


def _is_given(token: str) -> bool:
    """Return whether a token is nothing but initials: "J.", "J. A.", "J.-P.", "JA"; perhaps with a particle."""
    words = _names_and_initials(token.partition(",")[0])
    is_alone = len(words) == 1 and is_initials(words[0])
    return token.startswith(words[0]) and (is_alone or all(map(_is_surely_initials, words)))


def _has_initials(token: str) -> bool:
    """Return whether a token is a whole name with initials before or after the family name: "Roe J.A.", "J. Roe", "LI
    J", "KIM SY".
    """
    words = _names_and_initials(token)
    ends = words[:1] + words[1:][-1:]
    return len(ends) > 1 and any(map(is_initials, ends)) and not all(map(_is_surely_initials, ends))


def _names_and_initials(token: str) -> list[str]:
    """Return the words without suffixes and particles; "DA" may be initials, and "LE" before an initial a name."""
    words = [word.rstrip(",") for word in token.split() if not SUFFIX.fullmatch(word) or is_initials(word)]
    return [
        word
        for word, following in zip(words, [*words, ""][1:], strict=True)
        if not is_particle(word) or not (word.islower() or (following and not _is_surely_initials(following)))
    ] or [token]


def _is_surely_initials(word: str) -> bool:
    """Return whether initials are no short name in capitals, as "LI", "KIM" and "JA" may be."""
    return is_initials(word) and ("." in word or len(word) == 1)


def _without_trailing(text: str) -> str:
    """Return `text` without the "et al." at its end; only its end is looked at, because it may be long."""
    return text[:-_LONGEST_NAME] + _TRAILING.sub("", text[-_LONGEST_NAME:])


def _tidy(name: str) -> str:
    """Return a name without what is none; empty if nothing is left."""
    name = _without_trailing(" ".join(unescape_tex(name).replace("{", "").replace("}", "").split()))
    while len(name) <= _LONGEST_NAME and (shorter := _NOTES.sub("", name)) != name and not is_group(name):
        name = shorter
    name = _AND.sub("", name.strip(" ,;"), count=1) if _AND.match(name) else name.strip(" ,;")
    return "" if _NOBODY.fullmatch(name) else name


def name_in(entry: object) -> str:
    """Return the name in an object with a name or with its parts, as "Last, First"; empty if there is none."""
    if not isinstance(entry, Mapping):
        return ""
    fields = {key.lower().replace("_", ""): value.strip() for key, value in entry.items() if isinstance(value, str)}
    whole = next((fields[key] for key in _WHOLE_NAMES if fields.get(key)), "")
    parts = [next((fields[key] for key in keys if fields.get(key)), "") for keys in _PARTS_OF_NAMES]
    return whole if not parts[0] else ", ".join(filter(None, parts))


def _quoted_names(text: str) -> Iterator[str]:
    """Yield the names in a list as Python, R or JSON print it, of texts or of objects with names."""
    if not re.search(r"""['"]\s?:""", text):
        yield from map(_unquoted, _QUOTED.finditer(text))
        return
    for entry in re.findall(r"\{[^{}]*\}", text):
        words = list(map(_unquoted, _QUOTED.finditer(_BARE_VALUE.sub(":''", entry))))
        yield name_in(dict(zip(words[::2], words[1::2], strict=False)))


def _unquoted(match: re.Match[str]) -> str:
    return re.sub(r"\\(.)", r"\1", match[1] or match[2] or "")
