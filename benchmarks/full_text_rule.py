"""Measures the effect of full-text passages on the ranking of papers, and whether they favour long texts.

    python -m benchmarks.full_text_rule COLLECTION [--others 40] [--seed 1]

COLLECTION is a folder in BEIR's layout (corpus.jsonl, queries.jsonl, qrels.tsv). A paper's abstract is the part of its
document that the embedder reads (for BM25, the first 190 words); its full text is the whole document, cut into
passages. In a second run, half of the papers, drawn at random, also get passages from other papers among the 100
nearest: no rule should give those papers a larger share of the first ten places than their share of the relevant
papers.
"""

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from pathfinder.fulltext.document import Document, Paragraph, Section, TextFormat, TextProvenance
from pathfinder.fulltext.passages import cut_full_text
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.models.loading import load_embedder
from pathfinder.retrieval.fusion import fuse
from pathfinder.retrieval.lookup.full_texts import BM25_PER_LOG, COSINE_PER_LOG, GAIN
from pathfinder.settings import LOCAL_EMBEDDER, Settings
from pathfinder.types import SectionKind

N_FIRST, N_NEAR, WORDS_READ, N_DRAWS = 10, 100, 190, 2000


def main() -> None:
    """Measure both runs, and print a line for each rule."""
    parser = argparse.ArgumentParser()
    parser.add_argument("collection", type=Path)
    parser.add_argument("--others", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    collection = Collection(options.collection)
    own = [np.flatnonzero(collection.owners == paper) for paper in range(len(collection.papers))]
    collection.compare("own passages", own)
    random = np.random.default_rng(options.seed)
    near = np.argsort(-(collection.vectors @ collection.vectors.T))[:, 1 : N_NEAR + 1]
    more = [
        np.concatenate([[random.choice(own[other])] for other in random.choice(each, options.others, replace=False)])
        for each in near
    ]
    is_own = random.random(len(own)) < 0.5
    both = [np.concatenate([mine, others]) if c else mine for mine, others, c in zip(own, more, is_own, strict=True)]
    collection.compare(f"half have {options.others} passages of others too", both)


class Collection:
    """A collection with the scores of its documents and passages for every question."""

    def __init__(self, folder: Path) -> None:
        self.papers, questions = _lines(folder / "corpus.jsonl"), _lines(folder / "queries.jsonl")
        places = {paper["_id"]: place for place, paper in enumerate(self.papers)}
        self.relevant: list[dict[int, int]] = [{} for _ in questions]
        numbers = {question["_id"]: number for number, question in enumerate(questions)}
        for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
            question, paper, grade = line.split("\t")
            if int(grade) > 0 and question in numbers and paper in places:
                self.relevant[numbers[question]][places[paper]] = int(grade)
        passages_of_papers = [_passages(paper) for paper in self.papers]
        self.owners = np.repeat(np.arange(len(passages_of_papers)), [len(each) for each in passages_of_papers])
        embedder = load_embedder(LOCAL_EMBEDDER, Settings())
        titles = [f"{paper['title'].rstrip('.')}. " for paper in self.papers]
        texts = [question["text"] for question in questions]
        vectors_of_questions = embedder.embed(texts, "query")
        documents = [title + paper["text"] for title, paper in zip(titles, self.papers, strict=True)]
        passages = [title + text for title, own in zip(titles, passages_of_papers, strict=True) for text in own]
        self.vectors = embedder.embed(documents, "document")
        self.cosines = vectors_of_questions @ self.vectors.T
        self.passage_cosines = vectors_of_questions @ embedder.embed(passages, "document").T
        beginnings = [
            title + " ".join(paper["text"].split()[:WORDS_READ])
            for title, paper in zip(titles, self.papers, strict=True)
        ]
        self.bm25 = _bm25(beginnings, texts)
        self.passage_bm25 = _bm25([text for own in passages_of_papers for text in own], texts)

    def compare(self, label: str, passages: list[np.ndarray]) -> None:
        """Print nDCG@10 of each rule, with the difference from abstracts alone and its 95% interval."""
        n = np.array([len(own) for own in passages])
        near = np.stack([self.passage_cosines[:, own].max(axis=1) for own in passages], axis=1)
        word_scores = np.stack([self.passage_bm25[:, own].max(axis=1) for own in passages], axis=1)
        best = self.bm25.max(axis=1, keepdims=True)
        cosines = self.cosines + GAIN * np.maximum(near - self.cosines - COSINE_PER_LOG * np.log(n), 0)
        bm25 = self.bm25 + GAIN * np.maximum(word_scores - self.bm25 - BM25_PER_LOG * best * np.log(n), 0)
        rules = {
            "abstracts alone": (self.cosines, self.bm25),
            "the better of abstract and passage": (np.maximum(self.cosines, near), np.maximum(self.bm25, word_scores)),
            "the rule": (cosines, bm25),
        }
        baseline = None
        for name, (dense, sparse) in rules.items():
            scores = np.stack([_fuse(*pair) for pair in zip(dense, sparse, strict=True)])
            values = np.array([_ndcg(own, self.relevant[q]) for q, own in enumerate(scores)])
            values = values[[bool(relevant) for relevant in self.relevant]]
            baseline = values if baseline is None else baseline
            low, high = _interval(values - baseline)
            first = np.argsort(-scores, axis=1, kind="stable")[:, :N_FIRST]
            print(
                f"{label}; {name}: {values.mean():.4f}, {(values - baseline).mean():+.4f} [{low:+.4f}, {high:+.4f}]; "
                f"papers with several passages: {(n > 1)[first].mean():.3f} of the first ten, "
                f"{(n > 1)[[p for own in self.relevant for p in own]].mean():.3f} of the relevant"
            )


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _passages(paper: dict[str, str]) -> list[str]:
    section = Section("", 1, SectionKind.OTHER, (Paragraph(paper["text"]),))
    document = Document(paper["title"], (section,), (), (), TextProvenance(TextFormat.TEXT, "", ""))
    return [passage.text for passage in cut_full_text(document)] or [""]


def _bm25(texts: list[str], questions: list[str]) -> np.ndarray:
    with TemporaryDirectory() as folder:
        write_sparse(texts, Path(folder))
        index = SparseIndex.open(Path(folder))
        scores = np.zeros((len(questions), len(texts)))
        for number, question in enumerate(questions):
            ranking = index.search(question, len(texts))
            scores[number, ranking.rows] = ranking.scores
    return scores


def _fuse(dense: np.ndarray, sparse: np.ndarray) -> np.ndarray:
    return fuse(dense, np.where(sparse > 0, sparse, np.nan), float(dense.min()))


def _ndcg(scores: np.ndarray, relevant: dict[int, int]) -> float:
    grades = [relevant.get(int(place), 0) for place in np.argsort(-scores, kind="stable")[:N_FIRST]]
    ideal = _dcg(sorted(relevant.values(), reverse=True)[:N_FIRST])
    return _dcg(grades) / ideal if ideal else 0.0


def _dcg(grades: list[int]) -> float:
    return float(sum(grade / np.log2(place + 2) for place, grade in enumerate(grades)))


def _interval(differences: np.ndarray) -> tuple[float, float]:
    random = np.random.default_rng(0)
    means = [random.choice(differences, len(differences)).mean() for _ in range(N_DRAWS)]
    return float(np.percentile(means, 2.5)), float(np.percentile(means, 97.5))


if __name__ == "__main__":
    main()
