"""Fits the model that scores sentences as answers, and evaluates it without running a search.

    python -m benchmarks.answers --marked FILE --claims FILE --abstracts FILE [--fit] [--held-out]

The marked file holds questions, each with the sentences of its paper's abstract and the numbers of those that answer
it. The claims are SciFact's, each with the abstracts that it cites and the sentences that support or refute it; the
abstracts are in BEIR's layout, with their sentences. All choices are made on the first 57 answered questions, by
tenfold cross-validation, repeated eight times. `--held-out` scores the other questions, once a choice has been made;
`--fit` writes the model and the cut-off that ship with the package. `pathfinder evaluate answers` measures the search
and the choice of sentences together.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.report import machine
from pathfinder.answering.digest import scoring
from pathfinder.answering.digest.scoring import (
    PREDICTORS,
    Abstract,
    Closeness,
    SentenceModel,
    closeness_of,
    predictors_of,
)
from pathfinder.models.minilm import MiniLM
from pathfinder.types import Floats

N_CHOSEN_ON = 57
STRENGTH = 0.01
"""Inverse strength of the L2 penalty (`C` in scikit-learn)."""
N_FOLDS, N_REPEATS, SEED = 10, 8, 3
N_ABSTRACTS, SENTENCES_OF_AN_ABSTRACT = 300, range(4, 17)
MISSES = 0.05
"""Maximum share of papers whose best line may score below the cut-off, among papers that contain an answer."""
MODEL_PATH = Path(scoring.__file__).parent / scoring.MODEL_FILE


@dataclass(frozen=True, slots=True)
class Example:
    """A question or claim, the sentences of an abstract, and which of them answer it."""

    question: str
    title: str
    sentences: tuple[str, ...]
    gold: frozenset[int]


@dataclass(frozen=True, slots=True)
class Measured:
    """An example with its predictors."""

    predictors: Floats
    is_gold: Floats
    closeness: Closeness

    def best_is_gold(self, model: SentenceModel) -> bool:
        return bool(self.is_gold[int(np.argmax(model.probabilities(self.predictors)))])


def marked_examples(path: Path) -> list[Example]:
    """Return the questions that have an answer, in file order."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [
        Example(
            row["question"],
            row["title"],
            tuple(row["sentences"][number] for number in sorted(row["sentences"], key=int)),
            frozenset(row["gold"]),
        )
        for row in rows
        if row["answered"]
    ]


def claim_examples(claims: Path, abstracts: Path) -> list[Example]:
    """Return claims, each with an abstract and its rationale sentences; no abstract occurs twice, and the order is
    random.
    """
    texts = {row["_id"]: row for row in map(json.loads, abstracts.read_text(encoding="utf-8").splitlines())}
    rows = [json.loads(line) for line in claims.read_text(encoding="utf-8").splitlines()]
    Random(7).shuffle(rows)  # noqa: S311 - no secret depends on it
    examples: dict[str, Example] = {}
    for row in rows:
        for evidence in row["evidence"]:
            text = texts[evidence["doc_id"]]
            example = Example(
                row["claim"], text["title"], tuple(text["metadata"]["sentences"]), frozenset(evidence["sentences"])
            )
            examples.setdefault(evidence["doc_id"], example)
    return [e for e in list(examples.values())[:N_ABSTRACTS] if len(e.sentences) in SENTENCES_OF_AN_ABSTRACT]


def measure(example: Example, embedder: MiniLM) -> Measured:
    """Compute the predictors of an example."""
    (closeness,) = closeness_of(example.question, [Abstract(0, example.title, example.sentences)], embedder)
    is_gold = np.array([float(place in example.gold) for place in range(len(example.sentences))])
    return Measured(predictors_of(example.question, example.sentences, closeness), is_gold, closeness)


def fit(examples: Sequence[Measured]) -> SentenceModel:
    """Fit the model, without its cut-off, on `examples`."""
    predictors = np.concatenate([example.predictors for example in examples])
    is_gold = np.concatenate([example.is_gold for example in examples])
    centres, scales = predictors.mean(axis=0), predictors.std(axis=0) + 1e-9
    regression = LogisticRegression(C=STRENGTH, max_iter=1000).fit((predictors - centres) / scales, is_gold)
    return SentenceModel(centres, scales, regression.coef_[0], float(regression.intercept_[0]), 0.0)


def cross_validate(marked: Sequence[Measured], others: Sequence[Measured]) -> float:
    """Return the share of questions whose best sentence is gold, according to models that were fitted without them."""
    rng, shares = np.random.default_rng(SEED), []
    for _ in range(N_REPEATS):
        n_gold = 0
        for fold in np.array_split(rng.permutation(len(marked)), N_FOLDS):
            left_out = set(fold.tolist())
            model = fit([*(m for place, m in enumerate(marked) if place not in left_out), *others])
            n_gold += sum(marked[place].best_is_gold(model) for place in left_out)
        shares.append(n_gold / len(marked))
    return float(np.mean(shares))


def best_matches(examples: Sequence[Measured], model: SentenceModel) -> Iterator[float]:
    """Yield the token match of the best sentence of each example."""
    for example in examples:
        yield float(example.closeness.token_match[int(np.argmax(model.probabilities(example.predictors)))])


def elsewhere(examples: Sequence[Example]) -> list[Example]:
    """Pair each question with the abstract of another question."""
    shift = len(examples) // 2
    return [
        Example(example.question, other.title, other.sentences, frozenset())
        for example, other in zip(examples, [*examples[shift:], *examples[:shift]], strict=True)
    ]


def record_of(model: SentenceModel) -> dict[str, Any]:
    """Return the model in the form in which it is stored."""
    return {
        "features": list(PREDICTORS),
        "centres": [round(float(x), 6) for x in model.centres],
        "scales": [round(float(x), 6) for x in model.scales],
        "weights": [round(float(x), 6) for x in model.weights],
        "intercept": round(model.intercept, 6),
        "least_token_match": round(model.least_token_match, 4),
    }


def main() -> None:
    """Print the figures, and write the model if requested."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    for name in ("marked", "claims", "abstracts"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--fit", action="store_true", help="write the model of the package")
    parser.add_argument("--held-out", action="store_true", help="score the questions that nothing was chosen on")
    options = parser.parse_args()
    embedder, examples = MiniLM(), marked_examples(options.marked)
    marked_questions = [measure(example, embedder) for example in examples[:N_CHOSEN_ON]]
    claims = [measure(example, embedder) for example in claim_examples(options.claims, options.abstracts)]
    print(machine())
    print(f"{len(marked_questions)} questions, {len(claims)} claims")
    print(f"best sentence is gold, cross-validated: {cross_validate(marked_questions, claims):.3f}")
    model = fit([*marked_questions, *claims])
    answering = np.array(list(best_matches(marked_questions, model)))
    others = [measure(example, embedder) for example in elsewhere(examples[:N_CHOSEN_ON])]
    least = float(np.quantile(answering, MISSES))
    below = float(np.mean(np.array(list(best_matches(others, model))) < least))
    print(f"cut-off of the token match {least:.3f}: {MISSES:.0%} of answering papers below, {below:.0%} of others")
    model = SentenceModel(model.centres, model.scales, model.weights, model.intercept, least)
    for name, weight in sorted(zip(PREDICTORS, model.weights, strict=True), key=lambda pair: -abs(pair[1])):
        print(f"  {name:22}{weight:+.3f}")
    if options.fit:
        MODEL_PATH.write_text(json.dumps(record_of(model), indent=1) + "\n", encoding="utf-8")
    if options.held_out:
        held_out = [measure(example, embedder) for example in examples[N_CHOSEN_ON:]]
        share = np.mean([example.best_is_gold(model) for example in held_out])
        print(f"best sentence is gold, {len(held_out)} held-out questions: {share:.3f}")


if __name__ == "__main__":
    main()
