"""Count the expert answers that would be folded as non-answers, with their own sources and with those of other answers.

    python -m benchmarks.folding ANSWERS.jsonl [--seeds 3] [--short QUESTIONS.jsonl]

ANSWERS are those of `benchmarks.evidence`. Each answer is judged as if a chat model had written it: as it is, and with
another answer's sources in place of its own (in an order drawn with a seed; the nth source becomes the nth of the other
answer, counting again from the first if there are too few). At most 3 of 108 may be folded as they are, and at least
100 must be folded with other sources. QUESTIONS gives a short answer to each question (`short`, `paper`, `title`,
`sentences`); the number of these that are folded is the cost of folding, reported without a target.
"""

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

from benchmarks.evidence import Expert, Remembering, read_half
from pathfinder.answering.checking import why_no_answer
from pathfinder.assessment.evidence.ledger import check_sentences
from pathfinder.models.minilm import MiniLM
from pathfinder.models.ports import Embedder
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Source

FIRST_SEED = 20261122
HALVES = ("tuning", "judging")


def is_folded(expert: Expert, embedder: Embedder | None) -> bool:
    """Return whether an answer with its sources would be folded."""
    ledger = check_sentences(expert.sentences, tuple(expert.sources.values()), embedder)
    text = " ".join(sentence for sentence, _ in expert.sentences)
    return why_no_answer("", text, ledger) is not None


def with_other_sources(experts: Sequence[Expert], rng: random.Random) -> list[Expert]:
    """Give each answer the sources of another answer, never its own."""
    order = list(range(len(experts)))
    rng.shuffle(order)
    other = dict(zip(order, [*order[1:], order[0]], strict=True))
    return [_with_sources(expert, experts[other[place]].sources) for place, expert in enumerate(experts)]


def _with_sources(expert: Expert, sources: dict[str, Source]) -> Expert:
    names = list(sources)
    sentences = tuple(
        (text, tuple(dict.fromkeys(names[int(name) % len(names)] for name in ids))) for text, ids in expert.sentences
    )
    return Expert(sentences, sources)


def short_answers(path: Path, embedder: Embedder | None) -> tuple[int, int]:
    """Return how many short answers are folded, and how many there are; each cites the paper that answers its
    question.
    """
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines_answered = [line for line in lines if line["answered"]]
    n_folded = 0
    for line in lines_answered:
        source = Source("1", line["title"], " ".join(line["sentences"].values()))
        sentences = [(sentence, ("1",)) for sentence in split_sentences(line["short"])]
        ledger = check_sentences(sentences, (source,), embedder)
        n_folded += why_no_answer(line["question"], line["short"], ledger) is not None
    return n_folded, len(lines_answered)


def main() -> None:
    """Count the folded answers, first comparing both meanings and words, then words only."""
    parser = argparse.ArgumentParser(description="How many answers are folded, and how many with other sources.")
    parser.add_argument("answers", type=Path)
    parser.add_argument("--seeds", type=int, default=3, help="orders of the sources to draw")
    parser.add_argument("--short", type=Path, help="questions that are answered in a few words")
    arguments = parser.parse_args()
    experts = [expert for half in HALVES for expert in read_half(arguments.answers, half)]
    figures: dict[str, object] = {"n": len(experts)}
    for name, embedder in (("meanings", Remembering(MiniLM())), ("words alone", None)):
        row: dict[str, object] = {"as they are": sum(is_folded(expert, embedder) for expert in experts)}
        for seed in range(FIRST_SEED, FIRST_SEED + arguments.seeds):
            rng = random.Random(seed)  # noqa: S311 - an order that repeats
            other_experts = with_other_sources(experts, rng)
            row[f"other sources, {seed}"] = sum(is_folded(expert, embedder) for expert in other_experts)
        if arguments.short:
            row["short answers"] = "{} of {}".format(*short_answers(arguments.short, embedder))
        figures[name] = row
        print(f"{name}: {row}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
