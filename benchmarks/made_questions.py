"""Questions made from the papers of a collection: titles, sentences, and the titles of papers that cite others."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pathfinder.building.fitted_parts import TitleQuestion, Trial
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import Paper, Rows

N_MADE, N_CITING = 150, 200
MIN_SENTENCES, MIN_WORDS, MIN_REFERENCES = 4, 8, 2
SEED_OF_PAPERS, SEED_OF_CITING = 3, 4


@dataclass(frozen=True, slots=True, eq=False)
class MadeQuestion:
    """A question with the rows of the papers that answer it."""

    text: str
    relevant: frozenset[int]
    hidden: TitleQuestion | None = None
    without: str | None = None
    """Id of the paper that the search leaves out."""


def titles(trial: Trial) -> Iterator[MadeQuestion]:
    """Yield titles, each of which should find the rest of its paper."""
    _, rows = _sample(trial)
    papers = [trial.corpus.papers[row] for row in rows]
    vectors = trial.embedder.embed([paper.abstract for paper in papers], "document")
    for row, paper, vector in zip(rows, papers, vectors, strict=True):
        yield MadeQuestion(paper.title, frozenset({row}), TitleQuestion(row, paper.abstract, vector))


def sentences(trial: Trial) -> Iterator[MadeQuestion]:
    """Yield sentences of abstracts, one per paper, each of which should find the rest of its paper."""
    chance, rows = _sample(trial)
    for row in rows:
        paper = trial.corpus.papers[row]
        spans = sentence_spans(paper.abstract)
        long = [
            place for place, (start, end) in enumerate(spans) if len(paper.abstract[start:end].split()) >= MIN_WORDS
        ]
        if long:
            place = chance.choice(long)
            start, end = spans[place]
            rest = f"{paper.title}. {paper.abstract[:start]}{paper.abstract[end:]}"
            (vector,) = trial.embedder.embed([rest], "document")
            title_question = TitleQuestion(row, rest, vector, frozenset({place + 1}))
            yield MadeQuestion(paper.abstract[start:end], frozenset({row}), title_question)


def citations(trial: Trial, source: Path) -> Iterator[MadeQuestion]:
    """Yield titles of papers that cite at least two others in the collection; a title should find the cited papers."""
    rows = {paper_id: row for row, paper_id in enumerate(trial.corpus.papers.paper_ids())}
    records = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    citing = [record for record in records if len(record.get("references", ())) >= MIN_REFERENCES]
    random.Random(SEED_OF_CITING).shuffle(citing)  # noqa: S311  a sample, not a secret
    for record in citing[:N_CITING]:
        cited_rows = frozenset(rows[name] for name in record["references"] if name in rows and name != record["_id"])
        if cited_rows:
            paper: Paper = trial.corpus.papers[rows[record["_id"]]]
            yield MadeQuestion(paper.title, cited_rows, without=paper.paper_id)


def _sample(trial: Trial) -> tuple[random.Random, list[int]]:
    """Draw papers whose abstracts have at least four sentences; also return the random generator, for further draws."""
    chance, papers = random.Random(SEED_OF_PAPERS), trial.corpus.papers  # noqa: S311  a sample, not a secret
    rows = [
        row
        for row, paper in enumerate(papers)
        if paper.has_abstract and len(sentence_spans(paper.abstract)) >= MIN_SENTENCES
    ]
    chance.shuffle(rows)
    return chance, rows[:N_MADE]


def grades_of(question: MadeQuestion, rows: Rows) -> list[float]:
    """Return 1 for the papers that answer the question, 0 for the others."""
    return [float(int(row) in question.relevant) for row in rows]
