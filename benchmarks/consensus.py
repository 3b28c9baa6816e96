"""Accuracy of the stances guessed without a chat model, and of the detection of changes of mind.

    python -m benchmarks.consensus --claims CLAIMS.jsonl --abstracts CORPUS.jsonl [--fit] [--json FILE]
    python -m benchmarks.consensus [--json FILE]

The claims are SciFact's, each with the abstracts that it cites, labelled SUPPORT, REFUTE or not at all; the abstracts
are in BEIR's layout. Five-fold cross-validation is repeated three times; claims that share an abstract are in the same
fold. `--fit` writes the model that ships with the package, fitted on all claims. Target: a macro-F1 score 0.25 above
that of always giving the most frequent answer.

The changes are planted in synthetic literatures: three papers a year over thirty years, a fixed share of which hold the
opinion of their time. Without CLAIMS and CORPUS, only the detection of changes is measured.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, precision_score, recall_score
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.report import Figure, machine, print_figures
from pathfinder.answering.assessment.consensus import local
from pathfinder.answering.assessment.consensus.history import find_change
from pathfinder.answering.assessment.consensus.local import PREDICTORS, predictors_of
from pathfinder.index.words import content_stems
from pathfinder.models.minilm import MiniLM
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Floats, StanceLabel

MARGIN = 0.25
SEEDS = (0, 1, 2)
N_FOLDS = 5
STRENGTH = 0.03
LABELS = {"SUPPORT": StanceLabel.SUPPORTS, "REFUTE": StanceLabel.REFUTES}
MODEL_PATH = Path(local.__file__).parent / local.MODEL_FILE

N_LITERATURES = 200
YEARS = range(1985, 2015)
FLIP = 2000
A_YEAR = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim, an abstract that it cites, and the abstract's stance on it."""

    claim: str
    doc_id: str
    label: StanceLabel


class Counted:
    """Number of abstracts that contain each word."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._n = len(texts)
        self._counts = Counter(word for text in texts for word in content_stems(text))

    def __len__(self) -> int:
        return self._n

    def content_words(self, text: str) -> tuple[str, ...]:
        return tuple(sorted(content_stems(text)))

    def document_frequencies(self, content_words: Sequence[str]) -> NDArray[np.int64]:
        return np.array([self._counts[word] for word in content_words], dtype=np.int64)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def read_pairs(path: Path) -> list[Pair]:
    """Read every claim with every abstract that it cites."""
    pairs = []
    for row in read_lines(path):
        labels = {evidence["doc_id"]: LABELS[evidence["label"]] for evidence in row["evidence"]}
        cited_ids = row["cited_doc_ids"]
        pairs.extend(Pair(row["claim"], doc_id, labels.get(doc_id, StanceLabel.IRRELEVANT)) for doc_id in cited_ids)
    return pairs


def predictors_and_groups(pairs: list[Pair], path: Path) -> tuple[Floats, NDArray[np.intp]]:
    """Return the predictors of each pair, and a group number shared by pairs linked through claims or abstracts."""
    papers = {str(row["_id"]): (str(row["title"]), str(row["text"])) for row in read_lines(path)}
    counts = Counted([f"{title}. {text}" for title, text in papers.values()])
    used_documents = sorted({pair.doc_id for pair in pairs})
    sentences = {doc_id: (papers[doc_id][0], *split_sentences(papers[doc_id][1])) for doc_id in used_documents}
    claims = sorted({pair.claim for pair in pairs})
    embedder = MiniLM()
    directions = dict(zip(claims, embedder.embed(claims, "query"), strict=True))
    vectors = {doc_id: embedder.embed(sentences[doc_id], "document") for doc_id in used_documents}
    rows = []
    for pair in pairs:
        cosines = np.asarray(vectors[pair.doc_id] @ directions[pair.claim], dtype=np.float64)
        rarity = local.rarity_of(pair.claim, counts)
        rows.append(predictors_of(pair.claim, sentences[pair.doc_id], cosines, rarity)[0])
    return np.array(rows), _groups(pairs)


def _groups(pairs: list[Pair]) -> NDArray[np.intp]:
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    for pair in pairs:
        parent[root(f"claim {pair.claim}")] = root(f"doc {pair.doc_id}")
    roots = [root(f"doc {pair.doc_id}") for pair in pairs]
    return np.array([sorted(set(roots)).index(name) for name in roots], dtype=np.intp)


def learner() -> Pipeline:
    """Return the model to be fitted: a linear score for each class, with equal weight for all classes."""
    return make_pipeline(StandardScaler(), LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=2000))


def measure_stances(predictors: Floats, groups: NDArray[np.intp], labels: Sequence[str]) -> list[Figure]:
    """Cross-validate; return macro-F1, and the precision and recall of each class, as means over the seeds."""
    true = np.array(labels)
    most = Counter(labels).most_common(1)[0][0]
    majority = f1_score(true, np.full(len(true), most), average="macro", zero_division=0)
    runs = []
    for seed in SEEDS:
        guess = np.empty(len(true), dtype=true.dtype)
        folds = StratifiedGroupKFold(N_FOLDS, shuffle=True, random_state=seed).split(predictors, true, groups)
        for train, test in folds:
            guess[test] = learner().fit(predictors[train], true[train]).predict(predictors[test])
        runs.append(guess)
    macro = float(np.mean([f1_score(true, guess, average="macro") for guess in runs]))
    figures = [
        Figure("macro-F1 of the most frequent answer", float(majority), ""),
        Figure("macro-F1", macro, "", "at least", float(majority) + MARGIN),
        Figure("right", float(np.mean([np.mean(true == guess) for guess in runs])), ""),
    ]
    for name in sorted(set(labels)):
        for measure, words in ((precision_score, "precision"), (recall_score, "recall")):
            means = [measure(true, guess, labels=[name], average=None)[0] for guess in runs]
            figures.append(Figure(f"{name}: {words}", float(np.mean(means)), ""))
    return figures


def write_model(predictors: Floats, labels: Sequence[str], path: Path) -> None:
    """Fit the model on all pairs, and write the file that `scorer` reads."""
    scaler, model = learner().fit(predictors, np.array(labels)).named_steps.values()
    record = {
        "features": list(PREDICTORS),
        "classes": [str(name) for name in model.classes_],
        "centres": np.round(scaler.mean_, 6).tolist(),
        "scales": np.round(scaler.scale_, 6).tolist(),
        "weights": np.round(model.coef_, 6).tolist(),
        "intercepts": np.round(model.intercept_, 6).tolist(),
    }
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def measure_changes() -> list[Figure]:
    """Measure how often a change is found in literatures with and without a planted one, for each share of papers that
    hold the opinion of their time.
    """
    figures = []
    for share in (0.7, 0.8, 0.9):
        rng = np.random.default_rng(1)
        years = [_plant(share, rng) for _ in range(N_LITERATURES)]
        exact = float(np.mean([year == FLIP for year in years]))
        near = float(np.mean([year is not None and abs(year - FLIP) <= 1 for year in years]))
        figures.append(Figure(f"{share:.0%} of one mind: change found in its year", exact, ""))
        figures.append(Figure(f"{share:.0%} of one mind: change found within a year", near, ""))
        steady = [_plant(share, rng, flips=False) is not None for _ in range(N_LITERATURES)]
        figures.append(
            Figure(f"{share:.0%} of one mind: change found where none is", float(np.mean(steady)), "", "at most", 0.08)
        )
    return figures


def _plant(share: float, rng: np.random.Generator, *, flips: bool = True) -> int | None:
    """Return the year of the change found in one synthetic literature; `None` if no significant change is found."""
    years = np.repeat(list(YEARS), A_YEAR)
    opinion = np.where(flips & (years < FLIP), -1, 1)
    values = np.where(rng.random(len(years)) < share, opinion, rng.choice([0, -1], len(years)) * opinion)
    change = find_change(years.tolist(), values.astype(int).tolist())
    return change.year if change is not None and change.is_significant else None


def main() -> None:
    """Run the measurements requested on the command line."""
    parser = argparse.ArgumentParser(description="Stances without a chat model, and changes of mind.")
    parser.add_argument("--claims", type=Path)
    parser.add_argument("--abstracts", type=Path)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(machine())
    figures = measure_changes()
    if arguments.claims and arguments.abstracts:
        pairs = read_pairs(arguments.claims)
        labels = [pair.label.value for pair in pairs]
        predictors, groups = predictors_and_groups(pairs, arguments.abstracts)
        figures += measure_stances(predictors, groups, labels)
        if arguments.fit:
            write_model(predictors, labels, MODEL_PATH)
    print_figures(figures, arguments.json)


if __name__ == "__main__":
    main()
