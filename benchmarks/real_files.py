"""Files of papers as people have them, read by Pathfinder and counted by another library.

    python -m benchmarks.real_files FOLDER [--json FILE] [--show]

FOLDER holds one folder for each public repository (OWNER+NAME), with its files at their own paths, all of them named in
benchmarks/real_files.tsv. Nothing of them is part of this project. Each file is read by Pathfinder's reader and by a
library that shares no code with it: pybtex (`pip install pybtex`) for BibTeX, rispy for RIS and for Web of Science's
plain text, pandas for tables, lxml for EndNote's XML, the standard library for JSON, a line count for MEDLINE.

For each file: entries with a title that the other library finds; how many of their titles Pathfinder has; and, of the
papers with the same title, how many agree on the number of authors, on the first author's letters, on the year, on the
DOI and on whether there is an abstract. `--show` prints what differs. Titles are compared by their letters and digits,
without case, accents, tags and TeX, so that a difference is a loss and not a way of writing.
"""

import argparse
import csv
import json
import re
import unicodedata
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pathfinder.corpus.readers import read_papers
from pathfinder.errors import PathfinderError
from pathfinder.types import Paper


@dataclass(frozen=True)
class Entry:
    """What a library says of one entry; `None` for what it has no way to say."""

    title: str
    n_authors: int | None
    first_author: str | None
    year: int | None
    doi: str | None
    has_abstract: bool | None


def letters(text: str) -> str:
    """The letters and digits of a text, without case, accents, tags and TeX commands."""
    text = re.sub(r"<[^<>]{1,60}>", "", text)
    if "\\" in text or "$" in text:
        text = tex_to_text(text)
    text = re.sub(r"\\[a-zA-Z]+|[{}$\\]", "", text)
    plain = unicodedata.normalize("NFKD", text).translate({0xDF: "ss", 0xF8: "o", 0xD8: "O", 0x142: "l", 0x141: "L"})
    return "".join(char for char in plain.lower() if char.isalnum())


@cache
def tex_to_text(text: str) -> str:
    """Read LaTeX with pylatexenc."""
    from pylatexenc.latex2text import LatexNodes2Text  # type: ignore[import-not-found]

    return str(LatexNodes2Text(strict_latex_spaces=False, keep_comments=True).latex_to_text(text))


def year_in(text: object) -> int | None:
    """The first year in a date, however it is written."""
    found = re.search(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)", str(text or ""))
    return int(found[1]) if found else None


def doi_in(text: object) -> str | None:
    """The DOI in a field, in lower case."""
    found = re.search(r"10\.\d{4,9}/[^\s\"{}]+", str(text or "").replace("\\", ""))
    return found[0].rstrip(".,;").lower() if found else None


def bibtex(path: Path) -> Iterator[Entry]:
    """Read BibTeX with pybtex, and LaTeX with pylatexenc."""
    from pybtex import errors  # type: ignore[import-not-found]
    from pybtex.database.input import bibtex as pybtex  # type: ignore[import-not-found]

    errors.set_strict_mode(False)
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    for entry in pybtex.Parser().parse_string(text).entries.values():
        fields = {name.lower(): value for name, value in entry.fields.items()}
        if "title" not in fields:
            continue
        people = entry.persons.get("author", entry.persons.get("Author", []))
        first = tex_to_text(" ".join(people[0].last_names)) if people else None
        yield Entry(
            tex_to_text(fields["title"]),
            sum(str(person).lower() != "others" for person in people),
            first,
            year_in(fields.get("year") or fields.get("date")),
            doi_in(fields.get("doi")),
            bool(fields.get("abstract", "").strip()),
        )


def ris(path: Path) -> Iterator[Entry]:
    """Read RIS with rispy."""
    import rispy

    with path.open(encoding="utf-8-sig", errors="replace") as file:
        records = rispy.load(file, skip_unknown_tags=True)
    for record in records:
        title = record.get("title") or record.get("primary_title") or record.get("short_title") or ""
        people = record.get("authors") or record.get("first_authors") or []
        yield Entry(
            title,
            len(people),
            people[0].split(",")[0] if people else None,
            year_in(record.get("year") or record.get("publication_year") or record.get("date")),
            doi_in(record.get("doi")),
            bool(record.get("abstract") or record.get("notes_abstract")),
        )


def web_of_science(path: Path) -> Iterator[Entry]:
    """Read Web of Science's plain text with rispy."""
    import rispy

    text = path.read_text(encoding="utf-8-sig", errors="replace")
    for record in rispy.loads(text, implementation=rispy.WokParser, skip_unknown_tags=True):
        people = record.get("authors") or []
        yield Entry(
            record.get("document_title", ""),
            len(people),
            people[0].split(",")[0] if people else None,
            year_in(record.get("year_published") or record.get("publication_year")),
            doi_in(record.get("doi")),
            bool(record.get("abstract")),
        )


def table(path: Path) -> Iterator[Entry]:
    """Read a table with pandas, which finds the separator."""
    import pandas as pd

    frame = pd.read_csv(path, sep=None, engine="python", dtype=str, keep_default_na=False, encoding="utf-8-sig")
    columns = {name.strip().lower(): name for name in frame.columns}

    def column(*names: str) -> str | None:
        return next((columns[name] for name in names if name in columns), None)

    title = column("title", "display_name", "document title", "article title", "primary_title")
    authors = column("authors", "author/s", "authorships.author.display_name", "author names", "author")
    year = column("year", "publication year", "publication_year", "date published")
    doi = column("doi")
    abstract = column("abstract", "notes_abstract")
    for row in frame.to_dict("records"):
        names = re.split(r"\s*[;|]\s*", row[authors]) if authors and row[authors] else []
        yield Entry(
            row[title] if title else "",
            len(names) if len(names) > 1 else None,
            None,
            year_in(row[year]) if year else None,
            doi_in(row[doi]) if doi else None,
            bool(row[abstract].strip()) if abstract else None,
        )


def endnote(path: Path) -> Iterator[Entry]:
    """Read EndNote's XML with lxml."""
    from lxml import etree

    for record in etree.parse(path).iter("record"):
        text = {name: " ".join(record.xpath(f"string({place})").split()) for name, place in PLACES.items()}
        people = ["".join(author.itertext()) for author in record.findall("contributors/authors/author")]
        yield Entry(
            text["title"],
            len(people),
            people[0].split(",")[0] if people else None,
            year_in(text["year"]),
            doi_in(text["doi"]),
            bool(text["abstract"]),
        )


PLACES = {
    "title": "titles/title",
    "year": "dates/year",
    "doi": "electronic-resource-num",
    "abstract": "abstract",
}


def medline(path: Path) -> Iterator[Entry]:
    """Read MEDLINE line by line."""
    for text in re.split(r"\n(?=PMID- )", path.read_text(encoding="utf-8-sig")):
        fields = defaultdict(list)
        for tag, value in re.findall(r"^([A-Z]{2,4}) *- (.*(?:\n {6}.*)*)", text, re.MULTILINE):
            fields[tag].append(re.sub(r"\s+", " ", value))
        people = fields["FAU"] or fields["AU"]
        dois = [value for value in fields["LID"] + fields["AID"] if "[doi]" in value]
        yield Entry(
            " ".join(fields["TI"]),
            len(people),
            people[0].split(",")[0] if people else None,
            year_in(" ".join(fields["DP"])),
            doi_in(dois[0].split(" [")[0]) if dois else None,
            bool(fields["AB"]),
        )


def json_entries(path: Path) -> Iterator[Entry]:
    """Read CSL-JSON, and Crossref's messages."""
    data = json.loads(path.read_text(encoding="utf-8"))
    items = data if isinstance(data, list) else data.get("items") or [data.get("message", data)]
    for item in items:
        title = item.get("title") or ""
        people = item.get("author") or []
        first = people[0] if people else {}
        dates = item.get("issued") or item.get("published") or {}
        yield Entry(
            title[0] if isinstance(title, list) and title else str(title),
            len(people),
            first.get("family") or first.get("literal") or first.get("name"),
            year_in(dates.get("date-parts", [[None]])[0][0] if "date-parts" in dates else dates),
            doi_in(item.get("DOI")),
            bool(item.get("abstract")),
        )


def library_of(path: Path) -> tuple[str, Callable[[Path], Iterator[Entry]]]:
    """The library for a file, by its ending and its first bytes."""
    head = path.read_bytes()[:200].lstrip(b"\xef\xbb\xbf\r\n ")
    if head.startswith((b"FN ", b"PT ")):
        return "rispy (WoK)", web_of_science
    if path.suffix == ".bib":
        return "pybtex", bibtex
    if path.suffix in (".csv", ".tsv", ".tab"):
        return "pandas", table
    if path.suffix == ".xml":
        return "lxml", endnote
    if path.suffix == ".nbib" or head.startswith(b"PMID-"):
        return "lines", medline
    if path.suffix == ".json":
        return "json", json_entries
    return "rispy", ris


def compare(path: Path, show: bool) -> dict[str, object]:
    """Read a file twice and count where the two agree."""
    name, library = library_of(path)
    row: dict[str, object] = {"library": name}
    try:
        entries = [entry for entry in library(path) if letters(entry.title)]
    except Exception as fault:  # noqa: BLE001 - any library may fail in any way on these files: that is what is counted
        row["library fails"] = f"{type(fault).__name__}: {fault}"[:120]
        entries = []
    try:
        rows = list(read_papers(path))
    except PathfinderError as fault:
        return row | {"entries": len(entries), "refused": str(fault)[:200]}
    papers = [paper for paper in rows if isinstance(paper, Paper)]
    row |= {"entries": len(entries), "papers": len(papers), "rejected": len(rows) - len(papers)}
    reasons = Counter(re.sub(r"'.*?'|\d+", "..", reject.reason) for reject in rows if not isinstance(reject, Paper))
    row["reasons"] = dict(reasons.most_common(4))
    by_title: dict[str, list[Paper]] = defaultdict(list)
    for paper in papers:
        by_title[letters(paper.title)].append(paper)
    counts: Counter[str] = Counter()
    for entry in entries:
        key = letters(entry.title)
        same = by_title.get(key) or next(  # biblatex has subtitles in a field of their own
            (found for title, found in by_title.items() if len(key) > 4 and title.startswith(key)), None
        )
        if not same:
            if show:
                print(f"  title missing: {entry.title[:100]!r}")
            continue
        paper = same.pop(0) if len(same) > 1 else same[0]
        counts["titles"] += 1
        for field, wanted, found in fields_of(entry, paper):
            if wanted is not None:
                counts[f"{field} known"] += 1
                counts[field] += wanted == found
                if show and wanted != found:
                    print(f"  {field}: {wanted!r} there, {found!r} here: {entry.title[:60]!r}")
    return row | dict(counts)


def fields_of(entry: Entry, paper: Paper) -> Iterator[tuple[str, object, object]]:
    """What the other library says, and what Pathfinder says, field by field."""
    yield "authors", entry.n_authors, len(paper.authors)
    if entry.first_author is not None and paper.authors and letters(entry.first_author):
        first = letters(entry.first_author)
        yield "first author", first, first if first in letters(paper.authors[0]) else letters(paper.authors[0])
    yield "year", entry.year, paper.year
    yield "doi", entry.doi, (paper.doi or "").lower() or None
    yield "abstract", entry.has_abstract, bool(paper.abstract)


FIELDS = ("authors", "first author", "year", "doi", "abstract")


def main() -> None:
    """Print a table, a row for each file, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    csv.field_size_limit(10**9)
    results = {}
    print("| repository | file | by | entries | papers | rejected | titles | " + " | ".join(FIELDS) + " |")
    print("|---|---|---|" + "---|" * (4 + len(FIELDS)))
    totals: Counter[str] = Counter()
    for path in sorted(given.folder.rglob("*")):
        if not path.is_file():
            continue
        repository, _, place = path.relative_to(given.folder).as_posix().partition("/")
        if given.show:
            print(f"== {place}")
        row = results[f"{repository}/{place}"] = compare(path, given.show)
        cells = [str(row.get(name, row.get("refused", 0))) for name in ("papers", "rejected", "titles")]
        cells += [f"{row.get(field, 0)}/{row.get(f'{field} known', 0)}" for field in FIELDS]
        print(
            f"| {repository.replace('+', '/')} | {place} | {row['library']} | {row['entries']} | {' | '.join(cells)} |"
        )
        if given.show and (row.get("reasons") or row.get("library fails")):
            print("  ", row.get("reasons"), row.get("library fails", ""))
        totals.update({name: value for name, value in row.items() if isinstance(value, int)})
    print("\n" + ", ".join(f"{name} {value}" for name, value in totals.items()))
    if given.json:
        given.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
