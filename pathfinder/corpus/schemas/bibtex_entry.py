r"""BibTeX and BibLaTeX entries as papers: names, LaTeX, identifiers, journal macros.

Names are split before LaTeX is resolved, because resolving it removes the braces that hold the name of a group
together: "{The LIGO Collaboration}".
"""

import re
from dataclasses import replace

from pathfinder.corpus.schemas.ads import provenance_in_file
from pathfinder.corpus.schemas.author_lists import authors_in, listed_authors, split_at_and
from pathfinder.corpus.schemas.fields import Record, clean, text_field
from pathfinder.corpus.schemas.journal_macros import JOURNALS
from pathfinder.corpus.schemas.loose_fields import chosen_id, loose_date
from pathfinder.corpus.schemas.tidy import tidy_paper
from pathfinder.text.identifiers import arxiv_id_in, bare_doi, bibcode_in
from pathfinder.text.latex.letters import letters
from pathfinder.text.latex.unescape import unescape_tex
from pathfinder.types import Paper

_MACRO = re.compile(r"\\([A-Za-z]+)\s*")
_PREPRINT = re.compile(r"arxiv\b|corr$", re.IGNORECASE)
_TIE = re.compile(r"(\\.)|~", re.DOTALL)
_SEPARATORS = re.compile(r"[;\n]")


def bibtex_paper(entry: Record) -> Paper:
    """Return the paper that an entry describes, with its key as the id of the record. Raises `Unusable`."""
    value = {name: clean(unescape_tex(str(text))) for name, text in entry.items()}
    title = ": ".join(part for part in (value.get("title"), value.get("subtitle")) if part)
    year, date = loose_date(value.get("date"), value.get("year"), value.get("month"), value.get("day"))
    venue = _venue(entry, value)
    places = ("adsurl", "bibcode", "key", "url")
    record = {
        "arxiv_id": _arxiv_id(value),
        "doi": bare_doi(value.get("doi")),
        "bibcode": next(filter(None, (bibcode_in(value.get(place)) for place in places)), None),
        "pmid": value.get("pmid"),
        "title": title,
        "abstract": value.get("abstract"),
        "authors": list(_names(str(entry.get("author") or ""))),
        "year": year,
        "date": date,
        "journal": venue,
        "venue": venue,
        "categories": value.get("primaryclass") or value.get("eprintclass"),
        "keywords": _keywords(value.get("keywords", "")),
        "status": value.get("status"),
        "status_from": value.get("status_from"),
    }
    paper = tidy_paper({**record, "id": chosen_id(record, value.get("key"))})
    record_id = text_field(value, "key") or paper.paper_id
    return replace(paper, provenance=provenance_in_file(record_id, (value.get("adsnote"),)))


def _names(text: str) -> list[str]:
    """Split a list of names; "and others" ends it. Names that are separated by commas or semicolons are split too if
    BibTeX would make one name of them.
    """
    from bibtexparser.middlewares.names import InvalidNameError, parse_single_name_into_parts

    text = letters(_TIE.sub(lambda match: match[1] or " ", text)).strip()
    parts = split_at_and(text)
    if len(parts) == 1 and text.startswith("{") and text.endswith("}"):  # braces around the whole list, by mistake
        inside = split_at_and(text[1:-1])
        parts = inside if len(inside) > 1 and all("," in part for part in inside) else parts
    names: list[str] = []
    for part in parts:
        several = authors_in(part) if len(parts) == 1 and part.count(",") > 1 else listed_authors([part])
        if len(several) > 1:
            names += several
            continue
        try:
            name = parse_single_name_into_parts(part)
        except InvalidNameError:
            names.append(clean(unescape_tex(part)))
            continue
        last, first, suffix = " ".join((*name.von, *name.last)), " ".join(name.first), " ".join(name.jr)
        names.append(", ".join(clean(unescape_tex(each)) for each in (last, first, suffix) if each))
    return names


def _venue(entry: Record, value: dict[str, str]) -> str | None:
    """Return the name of the journal or of the proceedings, with AAS macros written out; `None` for arXiv."""
    for name in ("journaltitle", "journal", "booktitle", "series"):
        macro = _MACRO.fullmatch(str(entry.get(name) or "").strip(" {}"))
        venue = JOURNALS.get(macro[1].lower()) if macro else None
        venue = venue or value.get(name)
        if venue and not _PREPRINT.match(venue):
            return venue
    return None


def _arxiv_id(value: dict[str, str]) -> str | None:
    """Return the arXiv id from any field in which people write it, whether alone or among other words."""
    eprint = value.get("eprint") or value.get("arxivid") or value.get("arxiv")
    kind = (value.get("archiveprefix") or value.get("eprinttype") or "arxiv").lower()
    if eprint and kind == "arxiv" and (identifier := arxiv_id_in(eprint)):
        return identifier
    places = [value.get(name) or "" for name in ("doi", "eid", "journal", "number", "url", "note", "howpublished")]
    return next(filter(None, (arxiv_id_in(place, is_marked=True) for place in places)), None)


def _keywords(text: str) -> list[str]:
    parts = _SEPARATORS.split(text)
    return text.split(",") if len(parts) == 1 else parts
