"""Measures how well PDFs that other people made are read: their titles, and their reference lists.

    python -m benchmarks.real_pdfs FOLDER [--half HALF] [--table TABLE.csv] [--details]

`real_pdfs.csv` lists public PDFs: repository, path, title, number of references (empty if not known), the path of a
file that lists them (.bbl, .tex, or TEI), and the half that a PDF belongs to: the rules were mended on one half, and
the other was read once at the end; later sets likewise, and fitting, fifth and sixth with a model, seventh to ninth
with lists, tenth to thirteenth and theses by pictures. FOLDER holds the files, as OWNER+NAME+PATH with a plus for each
slash, a reference list as the same name with its own suffix appended. A title is right if nearly all of its letters are
(small differences in symbols are not counted). A reference of a listed file is right if one reference of the PDF has
80% of its words, and at most 40% of others (of TEI, which GROBID completed elsewhere, JATS and biblatex, only the title
and the first surname are compared, and 80% of others are allowed); where only the number of references is known, the
share is the smaller number divided by the larger.
"""

import argparse
import csv
import re
import unicodedata
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from statistics import mean

from lxml import etree

from pathfinder.errors import CorpusError
from pathfinder.fulltext.document import Document
from pathfinder.fulltext.formats import read_document

TABLE = Path(__file__).with_name("real_pdfs.csv")
_COMMAND = re.compile(
    r"\\hskip 1em plus\s+0\.5em minus 0\.4em\\relax|\\(?:begin|end)\s*\{[^{}]*\}|\\bibitemNoStop|\{?NoStop\}?|"
    r"\\(?:bibinfo|bibfield|bibnamefont|bibfnamefont|natexlab|href|Eprint|url|doi|eprint)\s*(?:@noop\s*)?(?:\{[^{}]*\}\s*(?=\{))?"
    r"|\\[A-Za-z@]+\*?|%[^\n]*\n"
)
_ACCENT = re.compile(r"\\[\"'`^~=.]\s*\{?\\?([A-Za-z])\}?|\\[cuvHkr]\s*\{([A-Za-z])\}")

WHOLE, TITLE_AND_NAME = 0.6, 0.2
"""Least share of the words of a reference that those of the authors' list are, by what is known of it."""
_BIBLATEX = "\\entry{"
_FIELD = re.compile(r"(family=|\\field\{title\})\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")


@dataclass(frozen=True, slots=True)
class RealPdf:
    """A row of the table."""

    repository: str
    path: str
    half: str
    title: str
    n_references: int | None
    listed_in: str

    def file(self, folder: Path) -> Path:
        """Return where the PDF is."""
        return folder / f"{self.repository}/{self.path}".replace("/", "+")

    def listed(self, folder: Path) -> tuple[list[set[str]], float]:
        """Return the words of each reference that the authors list, none if their list is not public, and the least
        share of the words of a reference that they are.
        """
        if not self.listed_in:
            return [], WHOLE
        path = self.file(folder)
        source = path.with_name(path.name + Path(self.listed_in).suffix)
        if source.suffix in (".xml", ".jats"):
            tree = etree.fromstring(source.read_bytes(), etree.XMLParser(resolve_entities=False))
            items = [*tree.iterfind(".//{*}listBibl/{*}biblStruct"), *tree.iterfind(".//{*}ref-list/{*}ref")]
            title = "(.//*[local-name()='title' or local-name()='article-title' or local-name()='source'])[1]//text()"
            return [words(" ".join((*item.xpath(title), *_first_surname(item)))) for item in items], TITLE_AND_NAME
        text = source.read_text(encoding="utf-8", errors="replace")
        if _BIBLATEX in text:
            entries = re.split(r"\\entry\{", re.split(r"\\end(?:datalist|sortlist)", text)[0])[1:]
            fields = (_FIELD.findall(entry.partition("\\endentry")[0]) for entry in entries)
            texts = [_ACCENT.sub(r"\1\2", _COMMAND.sub(" ", _biblatex(each))) for each in fields]
            return [words(text) for text in texts], TITLE_AND_NAME
        items = re.split(r"\\bibitem\b", text.partition(r"\end{thebibliography}")[0])[1:]
        return [words(_ACCENT.sub(r"\1\2", _without_key(item))) for item in items], WHOLE


def _biblatex(fields: list[tuple[str, str]]) -> str:
    """Return the first family name and the title of an entry."""
    return " ".join(
        next((value for name, value in fields if name == wanted), "") for wanted in ("family=", "\\field{title}")
    )


def _first_surname(item: etree._Element) -> list[str]:
    return item.xpath("(.//*[local-name()='surname'])[1]//text()")


def _without_key(item: str) -> str:
    """Return an entry without its label and key, which may contain brackets and braces, and without commands."""
    key = re.match(
        r"\s*(?:\[(?:[^\[\]{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|\[[^\]]*\])*\]\s*)?%?\s*\{[^}]*\}", item
    )
    return _COMMAND.sub(" ", item[key.end() if key else 0 :])


def words(text: str) -> set[str]:
    """Return the words of at least three letters or digits, without accents."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return set(re.findall(r"[a-z0-9]{3,}", plain.replace("{", "").replace("}", "").lower()))


def letters(text: str) -> str:
    """Return the letters and digits of a text, without accents, in lower case."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text.lower()) if letter.isalnum())


def has_title(document: Document, title: str) -> bool:
    """Return whether the title was read."""
    read, wanted = letters(document.title), letters(title)
    return SequenceMatcher(None, read, wanted, autojunk=False).ratio() >= 0.94


def share_of_references(document: Document, row: RealPdf, listed: list[set[str]], least: float = WHOLE) -> float | None:
    """Return the share of references that were found and split right, [0, 1]; `None` if nothing is known of them."""
    if listed:
        left = [words(reference.text) for reference in document.references]
        right = 0
        for item in listed:
            fits = (
                each for each in left if len(item & each) >= 0.8 * len(item) and len(item & each) >= least * len(each)
            )
            best = max(fits, key=lambda each: len(item & each), default=None)
            if best is not None:
                left.remove(best)
                right += 1
        return right / max(len(listed), len(document.references))
    if row.n_references is None:
        return None
    return min(row.n_references, len(document.references)) / max(row.n_references, len(document.references), 1)


def rows(table: Path) -> list[RealPdf]:
    """Read the table."""
    with table.open(encoding="utf-8", newline="") as file:
        return [
            RealPdf(
                each["repository"],
                each["path"],
                each["half"],
                each["title"],
                int(each["references"]) if each["references"] else None,
                each["listed_in"],
            )
            for each in csv.DictReader(file)
        ]


def main() -> None:
    """Read the PDFs and print a line for each, then the means."""
    parser = argparse.ArgumentParser(description="How well real PDFs are read.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--table", type=Path, default=TABLE)
    parser.add_argument("--half", help="only the PDFs of this set, such as held")
    parser.add_argument("--details", action="store_true", help="also print titles that differ, and warnings")
    arguments = parser.parse_args()
    shares: dict[bool, list[float]] = {True: [], False: []}
    n_titles = n_right = 0
    for row in rows(arguments.table):
        if arguments.half not in (None, row.half):
            continue
        try:
            document = read_document(row.file(arguments.folder))
        except CorpusError as error:
            print(f"| {row.repository} | {row.path} | {error} | |")
            continue
        right = has_title(document, row.title)
        listed, least = row.listed(arguments.folder)
        share = share_of_references(document, row, listed, least)
        if share is not None:
            shares[bool(listed)].append(share)
        n_titles, n_right = n_titles + 1, n_right + right
        number = len(listed) or row.n_references
        print(
            f"| {row.repository} | {row.path} | {'yes' if right else 'no'} | {len(document.references)} of "
            f"{'?' if number is None else number} | {'' if share is None else f'{share:.2f}'} |"
        )
        if arguments.details:
            if not right:
                print(f"    title: {document.title!r}\n    wanted: {row.title!r}")
            print(f"    ids {document.identifiers}; " + "; ".join(document.provenance.warnings))
    print(f"titles right: {n_right} of {n_titles}")
    for is_listed, name in ((True, "listed by the authors"), (False, "of which the number is known")):
        if shares[is_listed]:
            print(f"references {name}: mean {mean(shares[is_listed]):.3f} of {len(shares[is_listed])} papers")


if __name__ == "__main__":
    main()
