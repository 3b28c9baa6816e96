"""Sets of judged questions made from a corpus, and the folder to which they are written."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from pathfinder.corpus.store import open_corpus
from pathfinder.errors import UsageError
from pathfinder.operations.evaluation.collections import (
    ABOUT_NAME,
    CAVEAT_KEY,
    LEFT_OUT,
    Collection,
    distinct_documents,
)
from pathfinder.text.files import write_file
from pathfinder.types import Paper

QUESTIONS_NAME, JUDGEMENTS_NAME = "queries.jsonl", "qrels.tsv"
_NAMES = {ABOUT_NAME, QUESTIONS_NAME, JUDGEMENTS_NAME}


@dataclass(frozen=True, slots=True)
class SyntheticSet:
    """Questions made from a corpus, with their judgements and a description of how they were made."""

    questions: Mapping[str, str]
    """Text of each question, by id."""
    judgements: Mapping[str, Mapping[str, int]]
    """Papers that answer each question, all with grade 1."""
    about: Mapping[str, str | int]
    """Origin of the set: the settings, and the number of papers left out for each reason."""
    left_out: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Papers that a question must not find, such as the paper from which it was made, by the question's id."""

    def collection(self, name: str, corpus: Path) -> Collection:
        """Return the set as a collection that can be evaluated without being written to disk."""
        caveat = self.about.get(CAVEAT_KEY)
        return Collection(
            name, self.questions, self.judgements, corpus, self.left_out, None if caveat is None else str(caveat)
        )

    def write(self, folder: Path) -> Self:
        """Write `queries.jsonl`, `qrels.tsv` and `about.json` to `folder`, replacing those of an earlier set, and
        return it.

        Raises `UsageError` for a folder that contains anything else, so that no collection is overwritten.
        """
        check_out(folder)
        folder.mkdir(parents=True, exist_ok=True)
        questions = ({"_id": name, "text": text, **self._metadata(name)} for name, text in self.questions.items())
        write_file(folder / QUESTIONS_NAME, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in questions))
        rows = (f"{q}\t{paper}\t{grade}\n" for q, grades in self.judgements.items() for paper, grade in grades.items())
        write_file(folder / JUDGEMENTS_NAME, "query-id\tcorpus-id\tscore\n" + "".join(rows))
        write_file(folder / ABOUT_NAME, json.dumps(dict(self.about), ensure_ascii=False, indent=1) + "\n")
        return self

    def _metadata(self, question: str) -> dict[str, dict[str, list[str]]]:
        """Return the part of a question's line in `queries.jsonl` that names the papers that it must not find."""
        left_out = self.left_out.get(question)
        return {"metadata": {LEFT_OUT: sorted(left_out)}} if left_out else {}


def check_out(folder: Path) -> None:
    """Raise `UsageError` unless a set may be written to `folder`."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: name a folder for the questions")
    others = sorted(path.name for path in folder.iterdir() if path.name not in _NAMES) if folder.is_dir() else []
    if others or (folder.is_dir() and any(folder.iterdir()) and not (folder / ABOUT_NAME).is_file()):
        stranger = others[0] if others else QUESTIONS_NAME
        raise UsageError(
            f"{folder} contains {stranger}, which does not belong to a question set made by Pathfinder: name a new "
            "folder"
        )


def check_draw(seed: int, n: int = 1) -> None:
    """Raise `UsageError` unless one question or more can be drawn with `seed`, which must not be negative."""
    if n < 1:
        raise UsageError(f"the number of questions must be at least 1, got {n}")
    if seed < 0:
        raise UsageError(f"the seed must be 0 or more, got {seed}: choose another")


def papers_of(source: Path) -> Sequence[Paper]:
    """Read the papers of a built corpus, or the distinct papers in a file of documents."""
    if source.is_dir():
        return open_corpus(source).papers
    return distinct_documents(source)[0]
