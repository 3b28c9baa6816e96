"""Collections of judged questions in BEIR's layout: corpus.jsonl, queries.jsonl, qrels/test.tsv or qrels.tsv."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pathfinder.corpus.readers import RejectedRow, reader_of
from pathfinder.corpus.readers.json_lines import JSON_LINES
from pathfinder.corpus.schemas.any_paper import any_paper
from pathfinder.corpus.schemas.fields import Record, Unusable, list_field, shorten, text_field
from pathfinder.corpus.schemas.tidy import stated_id
from pathfinder.errors import CorpusError
from pathfinder.operations.evaluation.metrics import Judgements
from pathfinder.text.strict_json import parse_json
from pathfinder.types import Paper

_CORPUS_NAMES = ("corpus.jsonl", "corpus.jsonl.gz")
_QUESTION_NAMES = ("queries.jsonl", "queries.jsonl.gz")
_JUDGEMENT_NAMES = ("qrels/test.tsv", "qrels.tsv")
ABOUT_NAME, CAVEAT_KEY = "about.json", "caveat"
"""Name of the file that describes a set of questions made by Pathfinder, and the key in that file under which a
limitation of the figures is stated.
"""
_HEADER = (
    {"query-id", "queryid", "qid", "query", "question-id", "question", "topic", "topic-id"},
    {"corpus-id", "corpusid", "doc-id", "docid", "did", "pid", "document", "document-id", "paper", "paper-id"},
    {"score", "grade", "relevance", "rel", "label", "judgement", "judgment"},
)
"""Names that the columns of judgements may have, in lower case with hyphens; a first line with any other name in it
is read as a judgement.
"""
LEFT_OUT = "left_out"
"""Key in a question's `metadata` for the ids of documents that it must not find."""
MAX_GRADE = 1000
"""Highest grade of a judgement; the lowest is minus this number."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Questions, each with the documents that are relevant to it."""

    name: str
    """Name of the collection's folder."""
    questions: Mapping[str, str]
    """Text of each judged question, by id, in the order of the judgements."""
    judgements: Judgements
    corpus: Path
    """A file of documents, or the folder of a corpus that has already been built."""
    left_out: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Documents that a question must not find, by the question's id, such as the review from which it was made."""
    caveat: str | None = None
    """Limitation of the figures, as stated by whoever made the collection; `None` if none is known."""


def read_collection(folder: Path, corpus: Path | None = None, judgements: Path | None = None) -> Collection:
    """Read the collection in `folder`; `corpus` and `judgements` replace the collection's own.

    Raises `CorpusError` if a file does not exist or cannot be read, or if a judged question has no text.
    """
    if not folder.is_dir():
        raise CorpusError(
            f"{folder} is not a folder: name one that contains {_QUESTION_NAMES[0]} and {_JUDGEMENT_NAMES[1]}"
        )
    if corpus is None:
        corpus = _first_of(folder, _CORPUS_NAMES, "name the documents with --corpus")
    elif not corpus.exists():
        raise CorpusError(f"{corpus} does not exist: check the path")
    grades = read_judgements(judgements or _first_of(folder, _JUDGEMENT_NAMES, "name the judgements with --qrels"))
    questions_path = _first_of(folder, _QUESTION_NAMES, "put the questions there")
    left_out: dict[str, frozenset[str]] = {}
    texts = dict(_questions(questions_path, left_out))
    if missing := [question for question in grades if question not in texts]:
        raise CorpusError(
            f"{questions_path} lacks {len(missing)} of the judged questions, such as {missing[0]!r}: use questions and "
            "judgements from the same collection"
        )
    questions = {question: texts[question] for question in grades}
    return Collection(folder.resolve().name, questions, grades, corpus, left_out, _caveat(folder))


def _caveat(folder: Path) -> str | None:
    """Return the caveat in the description of a set of questions that Pathfinder made; `None` if there is none."""
    path = folder / ABOUT_NAME
    if not path.is_file():
        return None
    try:
        about = parse_json(_text_of(path))
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{path} is not JSON ({error}): make the questions again") from error
    caveat = about.get(CAVEAT_KEY) if isinstance(about, dict) else None
    return caveat if isinstance(caveat, str) else None


def _first_of(folder: Path, names: tuple[str, ...], remedy: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise CorpusError(f"{folder} holds no {' or '.join(names)}: {remedy}")


def read_questions(path: Path) -> dict[str, str]:
    """Read questions by id: from JSON lines as in BEIR, or from a text file with one question per line, where the line
    number is the id.

    Raises `CorpusError` if the file cannot be read or contains no questions.
    """
    if path.name.lower().endswith(".txt"):
        lines = enumerate(_text_of(path).splitlines(), start=1)
        questions = {str(number): line.strip() for number, line in lines if line.strip()}
    else:
        questions = dict(_questions(path, {}))
    if not questions:
        raise CorpusError(f"{path} contains no questions: write one per line")
    return questions


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path} cannot be read ({error}): check the file") from error


def _questions(path: Path, left_out: dict[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Yield the id and text of each question, and add to `left_out` the documents that it must not find."""

    def read(record: Record) -> Paper:
        if stated_id(record) is None:
            raise Unusable("no id")
        question = any_paper({**record, "title": "question"})
        if not question.has_abstract:
            raise Unusable("no text")
        metadata = record.get("metadata")
        if ids := (frozenset(list_field(metadata, LEFT_OUT)) if isinstance(metadata, dict) else frozenset()):
            left_out[question.paper_id] = ids
        return question

    for row in (row for _, row in JSON_LINES.read(path, read)):
        if isinstance(row, RejectedRow):
            raise CorpusError(f"{path}, line {row.line}: {row.reason}: correct the line")
        yield row.paper_id, row.abstract


def read_judgements(path: Path) -> dict[str, dict[str, int]]:
    """Read lines that contain a question, a document and a grade, separated by tabs, with or without a header line.

    Raises `CorpusError`, with the line number, for any other line.
    """
    judgements: dict[str, dict[str, int]] = {}
    for number, line in enumerate(_text_of(path).splitlines(), start=1):
        cells = [cell.strip() for cell in line.split("\t")]
        if not line.strip() or (number == 1 and _is_header(cells)):
            continue
        grade = _grade(cells[2]) if len(cells) == 3 else None
        if grade is None:
            raise CorpusError(
                f"{path}, line {number}: {shorten(line)} is not a question, a document and a grade (a whole number up "
                f"to {MAX_GRADE}) separated by tabs: correct the line"
            )
        judgements.setdefault(cells[0], {})[cells[1]] = grade
    if not judgements:
        raise CorpusError(f"{path} contains no judgements: name another file with --qrels")
    return judgements


def _is_header(cells: Sequence[str]) -> bool:
    names = [cell.casefold().replace("_", "-").replace(" ", "-") for cell in cells]
    return len(names) == len(_HEADER) and all(name in header for name, header in zip(names, _HEADER, strict=True))


def _grade(text: str) -> int | None:
    digits = text.removeprefix("-")
    # A text of thousands of digits is rejected before it is converted to a number.
    is_short = digits.isdecimal() and len(digits) <= len(str(MAX_GRADE))
    return int(text) if is_short and int(digits) <= MAX_GRADE else None


def distinct_documents(path: Path) -> tuple[Sequence[Paper], int]:
    """Read the documents in a file, and count the rows that are not documents or repeat an id.

    Raises `CorpusError` if the file does not exist, or contains no documents.
    """
    if not path.exists():
        raise CorpusError(f"{path} does not exist: name a corpus or a file of papers")
    papers: dict[str, Paper] = {}
    n_rejected = 0
    for row in read_documents(path):
        if isinstance(row, RejectedRow) or row.paper_id in papers:
            n_rejected += 1
        else:
            papers[row.paper_id] = row
    if not papers:
        raise CorpusError(f"{path} contains no usable document ({n_rejected} rows are unusable): check the file")
    return list(papers.values()), n_rejected


def read_documents(path: Path) -> Iterator[Paper | RejectedRow]:
    """Read the documents in a file. In some collections, documents have no title; then only their text is used."""
    return (row for _, row in reader_of(path).read(path, _document))


def _document(record: Record) -> Paper:
    text = text_field(record, "text")
    if text is None or text_field(record, "title") is not None:
        return any_paper(record)
    return replace(any_paper({**record, "title": text}), abstract="")
