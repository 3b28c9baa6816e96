"""Fits the model that judges whether the first line of an answer answers, and says what it tells apart.

    python -m benchmarks.judgement build/landmarks --marked FILE --abstracts CORPUS [--fit]

Every question is asked twice: of the whole corpus, where the first line is right if it is from a paper that belongs,
and of the corpus without the papers that belong, where it is wrong. Asked are the first questions of visitors
(`first_questions*.jsonl`) of the demo corpus, and those of the marked file, see `benchmarks/answers.py`, of a corpus
of abstracts that holds their papers; the model is fitted on the first questions and on the first 57 marked ones.
Reported are, for several limits, the shares of right and of wrong lines that are doubted, each question judged by a
model that had not seen it. `--fit` writes the model that ships with the package. Answers by a table of values or names
are judged as if sentences were quoted.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

from benchmarks.answers import N_CHOSEN_ON
from pathfinder import Pathfinder, SearchRequest
from pathfinder.answering.digest import judgement
from pathfinder.answering.digest.digest import in_order
from pathfinder.answering.digest.form import choose_form
from pathfinder.answering.digest.lines import choose_lines
from pathfinder.types import Floats

N_FOLDS = 10
LIMITS = (0.25, 0.3, 0.35, 0.4, 0.45)
DECIMALS = 4

Asked = tuple[str, frozenset[str]]
"""A question, and the ids of the papers that belong to it."""


class Judged(NamedTuple):
    """First lines, in order."""

    questions: list[str]
    predictors: Floats
    is_right: NDArray[np.bool_]


def first_questions() -> Iterator[Asked]:
    """Yield the stored questions of visitors."""
    for file in sorted(Path(__file__).parent.glob("first_questions*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield row["question"], frozenset((*row["best"], *row["also"]))


def marked_questions(path: Path) -> Iterator[Asked]:
    """Yield the marked questions that their paper answers."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return ((row["question"], frozenset((row["paper"],))) for row in rows if row["answered"])


def judged(pf: Pathfinder, asked: Iterable[Asked]) -> Judged:
    """Ask each question with and without its papers."""
    found = []
    for question, right in dict(asked).items():
        for left_out in (frozenset[str](), right):
            result = pf.search(SearchRequest(question, top_k=10, excluded_ids=left_out))
            if not result.hits or result.hits[0].known_as is not None:
                continue
            words, form = result.words, choose_form(result.words, None, pf.profile).form
            lines = choose_lines(words, result.hits, pf.sentence_embedder, pf.corpus.tokens, form, pf.profile)
            if lines:
                line = in_order(words, form, lines, pf.profile)[0]
                is_right = not left_out and line.paper.paper_id in right
                found.append((question, judgement.predictors_of(words, line), is_right))
    questions, predictors, marks = zip(*found, strict=True)
    return Judged(list(questions), np.array(predictors), np.array(marks))


def main() -> None:
    """Ask every question, and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--marked", type=Path, required=True)
    parser.add_argument("--abstracts", type=Path, required=True)
    parser.add_argument("--fit", action="store_true", help="write the model")
    given = parser.parse_args()
    marked = [*marked_questions(given.marked)]
    visitors = judged(Pathfinder.open(given.corpus), first_questions())
    abstracts = Pathfinder.open(given.abstracts)
    chosen_on, kept_apart = judged(abstracts, marked[:N_CHOSEN_ON]), judged(abstracts, marked[N_CHOSEN_ON:])
    predictors = np.vstack([visitors.predictors, chosen_on.predictors])
    is_right = np.concatenate([visitors.is_right, chosen_on.is_right])
    centres, scales = predictors.mean(axis=0), predictors.std(axis=0)
    scaled, model = (predictors - centres) / scales, LogisticRegression()
    groups = [*visitors.questions, *chosen_on.questions]
    held = cross_val_predict(model, scaled, is_right, groups=groups, cv=GroupKFold(N_FOLDS), method="predict_proba")
    model.fit(scaled, is_right)
    of_apart = model.predict_proba((kept_apart.predictors - centres) / scales)
    n = len(visitors.questions)
    for name, marks, probabilities in (
        ("first questions", visitors.is_right, held[:n, 1]),
        ("abstracts, fitted on", chosen_on.is_right, held[n:, 1]),
        ("abstracts, kept apart", kept_apart.is_right, of_apart[:, 1]),
    ):
        for limit in LIMITS:
            doubted = probabilities < limit
            print(f"{name}, {limit:.2f}: doubted are {doubted[marks].mean():.3f} of {marks.sum()} right lines", end="")
            print(f" and {doubted[~marks].mean():.3f} of {(~marks).sum()} wrong ones")
    if given.fit:
        record = {
            "features": judgement.PREDICTORS,
            "centres": np.round(centres, DECIMALS).tolist(),
            "scales": np.round(scales, DECIMALS).tolist(),
            "weights": np.round(model.coef_[0], DECIMALS).tolist(),
            "intercept": round(float(model.intercept_[0]), DECIMALS),
        }
        path = Path(judgement.__file__).with_name(judgement.MODEL_FILE)
        path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
