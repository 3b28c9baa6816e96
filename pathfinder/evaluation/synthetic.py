"""Sets of judged questions that are made from a corpus, and the folder that they are written into."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pathfinder.corpus.store import open_corpus
from pathfinder.errors import UsageError
from pathfinder.evaluation.collections import Collection, distinct_documents
from pathfinder.types import Paper

ABOUT_NAME, QUESTIONS_NAME, JUDGEMENTS_NAME = "about.json", "queries.jsonl", "qrels.tsv"
_NAMES = {ABOUT_NAME, QUESTIONS_NAME, JUDGEMENTS_NAME}


@dataclass(frozen=True, slots=True)
class SyntheticSet:
    """Questions that were made, and how."""

    questions: Mapping[str, str]
    """By id."""
    judgements: Mapping[str, Mapping[str, int]]
    """The papers that answer each question; all of grade 1."""
    about: Mapping[str, str | int]
    """How it was made, and what was left out and why, in counts."""

    def collection(self, name: str, corpus: Path) -> Collection:
        """To be evaluated without being written."""
        return Collection(name, self.questions, self.judgements, corpus)

    def write(self, folder: Path) -> None:
        """Write `queries.jsonl`, `qrels.tsv` and `about.json` into `folder`; those of an earlier set are replaced.

        Raises `UsageError` for a folder that holds other things, so that no collection is written over.
        """
        check_out(folder)
        folder.mkdir(parents=True, exist_ok=True)
        questions = ({"_id": name, "text": text} for name, text in self.questions.items())
        _replace(folder / QUESTIONS_NAME, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in questions))
        rows = (f"{q}\t{paper}\t{grade}\n" for q, grades in self.judgements.items() for paper, grade in grades.items())
        _replace(folder / JUDGEMENTS_NAME, "query-id\tcorpus-id\tscore\n" + "".join(rows))
        _replace(folder / ABOUT_NAME, json.dumps(dict(self.about), ensure_ascii=False, indent=1) + "\n")


def check_out(folder: Path) -> None:
    """Raise `UsageError` unless a set may be written into `folder`."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: name a folder for the questions")
    others = sorted(path.name for path in folder.iterdir() if path.name not in _NAMES) if folder.is_dir() else []
    if others or (folder.is_dir() and any(folder.iterdir()) and not (folder / ABOUT_NAME).is_file()):
        found = others[0] if others else QUESTIONS_NAME
        raise UsageError(f"{folder} holds {found}, which no set of questions that was made here has: name a new folder")


def check_seed(seed: int) -> None:
    """Raise `UsageError` for a seed that nothing can be drawn by."""
    if seed < 0:
        raise UsageError(f"the seed must be 0 or more, got {seed}: name another one")


def _replace(path: Path, text: str) -> None:
    scratch = path.with_name(path.name + ".new")
    scratch.write_text(text, encoding="utf-8")
    scratch.replace(path)


def papers_of(source: Path) -> Sequence[Paper]:
    """The papers of a corpus that is built, or the distinct ones of a file of documents."""
    if source.is_dir():
        return open_corpus(source).papers
    return distinct_documents(source)[0]
