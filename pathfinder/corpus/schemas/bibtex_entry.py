r"""BibTeX and BibLaTeX entries as papers: names, LaTeX, identifiers, journal macros.

Names are split before LaTeX is resolved, because resolving it removes the braces that hold the name of a group
together: "{The LIGO Collaboration}".
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from pathfinder.corpus.schemas.ads import provenance_in_file, without_categories
from pathfinder.corpus.schemas.author_lists import authors_in, leaves_out_authors, listed_authors, split_at_and
from pathfinder.corpus.schemas.fields import Record, clean, text_field
from pathfinder.corpus.schemas.journal_macros import JOURNALS
from pathfinder.corpus.schemas.markup import without_markup
from pathfinder.corpus.schemas.placeholders import is_placeholder
from pathfinder.corpus.schemas.tidy import tidy_paper
from pathfinder.text.author_names import is_group, parse_name
from pathfinder.text.identifiers import arxiv_id_in, is_arxiv_id
from pathfinder.text.latex.display import unescape_tex
from pathfinder.text.latex.letters import letters
from pathfinder.types import Paper

_MACRO = re.compile(r"\\([A-Za-z]+)\s*")
_PREPRINT = re.compile(r"arxiv\b|corr$", re.IGNORECASE)
_PLACES_OF_IDS = (
    *("adsurl", "bibcode", "key", "url", "link", "bdsk-url-1", "biburl", "eprint", "howpublished"),
    *("eid", "journal", "number", "publisher", "ee"),
)
_MACROS_IN_IDS = (
    (re.compile(r"\\href\s*\{([^{}]*)\}"), r" \1 "),
    (re.compile(r"\\(?:url|doi|path|nolinkurl)(?![A-Za-z])\s*"), " "),
    (re.compile(r"\\(?:textless|lt)(?![A-Za-z])\s*"), "<"),
    (re.compile(r"\\(?:textgreater|gt)(?![A-Za-z])\s*"), ">"),
    (re.compile(r"\\textunderscore(?![A-Za-z])\s*"), "_"),
    (re.compile(r"\\([^A-Za-z\s])"), r"\1"),
    (re.compile(r"[{}$]"), ""),
)
_MATHS_SIGNS = {"less": "<", "greater": ">", "mathplus": "+", "mathsemicolon": ";"}
_MATHS_SIGN = re.compile(rf"\$\\({'|'.join(_MATHS_SIGNS)})\$|\{{?\$([<>])\$\}}?")
r"""How Crossref and Better BibTeX write signs: "$\less$i$\greater$" and "{$<$}i{$>$}" for a tag."""
_TAGS = {"i": ("emph", "textit"), "b": ("textbf",), "sub": ("textsubscript",), "sup": ("textsuperscript",)}
"""Macros that Better BibTeX writes for tags."""
_WRITTEN_TAG = re.compile(rf"(\{{?\$)?<\$(\}}?)({'|'.join(_TAGS)})/(\{{?)\$>(\$\}}?)?")
r"""A tag with its signs in formulas: "{$<$}i/{$>$}", or "{$\beta<$}i/{$>=$}" in the formulas beside it."""
_BRACE_OR_TAG = re.compile(rf"\\([A-Za-z]+)\s*\{{|\\.|([{{}}])|<({'|'.join(_TAGS)})/>", re.DOTALL)
_ESCAPED_MACRO = re.compile(
    r"\{\\textbackslash\}(?:backslash(?=[a-z]))?|\\textbackslash(?:\{\}| )(?:backslash(?=[a-z]))?"
)
_ESCAPED = {"circum": "^", "tilde": "~", "less": "<", "greater": ">"}
_ESCAPED_SIGN = re.compile(
    r"\\([$_^{}%&])(?:\{\})?|\{?\\text(?:ascii)?(circum|tilde|less|greater)(?:\}|\{\}| )|\{?\$([<>])\$\}?"
)
_TIE = re.compile(r"(\\.)|~", re.DOTALL)
_SEPARATORS = re.compile(r"[;\n]")
OTHER_FIELDS = (
    *("key", "kind", "number", "eid", "url", "howpublished", "note", "editor", "edition", "chapter", "series"),
    *("publisher", "address", "school", "institution", "organization", "isbn", "issn", "volume", "pages", "month"),
    *("language", "urldate", "annote", "translator"),
)
"""Fields of an entry that come back in an export although no field of a paper holds them, or holds them alone."""
_ADDRESS = re.compile(r"https?://[^\s<>\"]{1,990}")
_WRITTEN_ADDRESS = re.compile(r"\\(?:url|path|nolinkurl)\s?\{[^{}]{1,990}\}|https?://[^\s<>\"{}]{1,990}")
_LONGEST_FIELD = 1000
_PART_OF_NAME = re.compile(r"\b(family|given|prefix|suffix)\s*=\s*(\{[^{}]*\}|[^,\"]*)")
_IN_BRACES = re.compile(r"\{[^{},]*\}")


def bibtex_paper(entry: Record) -> Paper:
    """Return the paper that an entry describes, with its key as the id of the record. Raises `Unusable`."""
    value = {name: clean(_plain(str(text))) for name, text in entry.items()}
    author_text = str(entry.get("author") or "")
    title = ": ".join(part for part in (value.get("title"), value.get("subtitle")) if part)
    venue = _venue(entry, value)
    verbatim = {name: _verbatim(str(text)) for name, text in entry.items()}
    kind = (value.get("archiveprefix") or value.get("eprinttype") or "arxiv").lower()
    # Before 2007, the archive stood beside the number.
    eprint = value.get("eprint") or value.get("arxivid") or value.get("arxiv") or ""
    archives = (kind, (value.get("primaryclass") or value.get("eprintclass") or "").partition(".")[0])
    old = (f"{archive}/{eprint}" for archive in archives if is_arxiv_id(f"{archive}/{eprint}"))
    record = {
        "own_id": value.get("key"),
        "arxiv_id": (next(old, None) or (arxiv_id_in(eprint) if kind == "arxiv" else None)),
        "doi": verbatim.get("doi"),
        "pmid": value.get("pmid") or (value.get("eprint") if kind in ("pubmed", "pmid") else None),
        "pmcid": value.get("pmcid") or value.get("pmc"),
        "url": [verbatim[name] for name in _PLACES_OF_IDS if name in verbatim],
        "note": [verbatim[name] for name in ("note", "annote", "addendum") if name in verbatim],
        "citation_count": value.get("times-cited"),
        "title": title,
        "abstract": value.get("abstract"),
        "authors": _names(author_text),
        "omits_authors": leaves_out_authors(author_text),
        **{name: value.get(name) for name in ("date", "year", "month", "day", "status", "status_from")},
        "journal": venue,
        "venue": venue,
        "volume": value.get("volume"),
        "pages": value.get("pages") or value.get("eid"),
        "categories": value.get("primaryclass") or value.get("eprintclass"),
        "keywords": _keywords(without_markup(value.get("keywords", ""))),
    }
    paper = tidy_paper(record)
    record_id = text_field(value, "key") or paper.paper_id
    return replace(
        paper,
        authors=_with_groups(paper.authors, author_text),
        record_fields=tuple(_other_fields(entry, value)),
        provenance=provenance_in_file(record_id, (value.get("adsnote"),)),
    )


def _other_fields(entry: Record, value: dict[str, str]) -> Iterator[str]:
    """Yield what no field of a paper holds, as `name:value`; the key and addresses as they were written."""
    for name in OTHER_FIELDS:
        text = str(entry.get(name) or "")
        if name == "url" and (address := _ADDRESS.search(_verbatim(text))):
            text = address[0] if address[0] == _verbatim(text).strip() else address[0].rstrip(".,;")
        elif name == "howpublished":
            text = clean(_with_addresses(text))
        elif name not in ("key", "kind"):
            text = value.get(name, "")
        if (text := clean(text)) and len(text) <= _LONGEST_FIELD and not is_placeholder(text):
            yield f"{name}:{text}"


def _with_addresses(text: str) -> str:
    """Return a text without its LaTeX, and the addresses in it as they were written."""
    pieces, end = [], 0
    for address in _WRITTEN_ADDRESS.finditer(text):
        pieces += [_plain(text[end : address.start()]), _verbatim(address[0]).strip()]
        end = address.end()
    return "".join((*pieces, _plain(text[end:])))


def _plain(text: str) -> str:
    text = _with_closed_tags(_escaped_once(text))
    return unescape_tex(_MATHS_SIGN.sub(lambda sign: sign[2] or _MATHS_SIGNS[sign[1]], text))


def _with_closed_tags(text: str) -> str:
    r"""Return a text in which "<sub/>" closes the group of a tag: some publishers end "R<sub>500" so, of which Better
    BibTeX makes "R\textsubscript{500<sub/>", and a brace at the end of the text.
    """
    open_groups: list[str] = []
    text, n_tags = _WRITTEN_TAG.subn(
        lambda tag: f"{'' if tag[1] else f'${tag[2]}'}<{tag[3]}/>{'' if tag[5] else f'{tag[4]}$'}", text
    )

    def close(mark: re.Match[str]) -> str:
        macro, brace, tag = mark.groups()
        if macro or brace == "{":
            open_groups.append(macro or "")
        elif open_groups and (brace == "}" or (tag and open_groups[-1] in _TAGS[tag])):
            open_groups.pop()
            return "}"
        return "" if brace == "}" else mark[0]

    return _BRACE_OR_TAG.sub(close, text) if n_tags else text


def _with_groups(authors: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return the authors with no-break spaces in each name that braces hold together, which would be read as that of a
    person otherwise: "{CDS Strasbourg}".
    """
    groups = {clean(unescape_tex(part[1:-1])) for part in split_at_and(letters(text)) if _IN_BRACES.fullmatch(part)}
    return tuple(
        author.replace(" ", "\N{NO-BREAK SPACE}") if author in groups and not is_group(author) else author
        for author in authors
    )


def _escaped_once(text: str) -> str:
    r"""Return a text without the escapes of mathematics that a program took for text: "\$\textbackslash sim 5\$"."""
    if r"\$" not in text or not _ESCAPED_MACRO.search(text):
        return text
    return _ESCAPED_SIGN.sub(lambda sign: sign[1] or _ESCAPED.get(sign[2]) or sign[3], _ESCAPED_MACRO.sub(r"\\", text))


def _verbatim(text: str) -> str:
    """Return an address or a DOI without the LaTeX around its characters; its dashes are its own."""
    for macro, sign in _MACROS_IN_IDS:
        text = macro.sub(sign, text)
    return text


def _names(text: str) -> list[str]:
    """Split a list of names; "and others" ends it. Names that are separated by commas or semicolons are split too if
    BibTeX would make one name of them.
    """
    from bibtexparser.middlewares.names import InvalidNameError, parse_single_name_into_parts

    text = " ".join(letters(_TIE.sub(lambda match: match[1] or " ", text)).split())  # a name may go on in the next line
    parts = split_at_and(text)
    if len(parts) == 1 and text.startswith("{") and text.endswith("}"):  # braces around the whole list, by mistake
        inside = split_at_and(text[1:-1])
        parts = inside if len(inside) > 1 and all("," in part for part in inside) else parts
    names: list[str] = []
    for part in map(_as_bibtex_writes_it, parts):
        several = authors_in(part) if len(parts) == 1 and part.count(",") > 1 else listed_authors([part])
        if len(several) != 1:  # none for "[No author name available]"
            names += several
            continue
        whole = clean(unescape_tex(part))
        parsed = parse_name(whole)
        try:
            name = parse_single_name_into_parts(part)
        except InvalidNameError:
            name = None
        # Without the comma that BibTeX asks for: "Roe JA", "Robert Roe Jr.", a group without braces.
        is_turned = "," not in part and (parsed.suffix or whole.startswith(parsed.last))
        if name is None or is_turned:
            names.append(whole)
            continue
        last, first, suffix = " ".join((*name.von, *name.last)), " ".join(name.first), " ".join(name.jr)
        names.append(", ".join(clean(unescape_tex(each)) for each in (last, first, suffix) if each))
    return names


def _as_bibtex_writes_it(name: str) -> str:
    """Return "family=Berg, given=Anna, prefix=van den", biblatex' extended format, as "van den Berg, Anna"."""
    values = {part: value.strip() for part, value in _PART_OF_NAME.findall(name)}
    if "given" not in values:
        return f"{{{values['family']}}}" if "family" in values else name
    family = " ".join(filter(None, (values.get("prefix"), values.get("family"))))
    return ", ".join(filter(None, (family, values.get("suffix"), values["given"])))


def _venue(entry: Record, value: dict[str, str]) -> str | None:
    """Return the name of the journal or of the proceedings, with AAS macros written out; `None` for arXiv."""
    for name in ("journaltitle", "journal", "booktitle", "series"):
        macro = _MACRO.fullmatch(str(entry.get(name) or "").strip(" {}"))
        venue = JOURNALS.get(macro[1].lower()) if macro else None
        venue = venue or value.get(name)
        if venue and not _PREPRINT.match(venue):
            return venue
    return None


def _keywords(text: str) -> list[str]:
    parts = _SEPARATORS.split(without_categories(text))
    return parts[0].split(",") if len(parts) == 1 else parts
