"""Abstention: how often Pathfinder says "I don't know" when it should, and when it should not.

    python benchmarks/abstention.py build/astro --answerable QUERIES.jsonl --off-topic benchmarks/off_topic_held_out.txt

`--answerable` is a `queries.jsonl` in BEIR's layout; `--off-topic` is a text file with one question per line, none of
which was used to fit the decision to abstain. Targets: Pathfinder abstains on at most 10% of the answerable questions
and on at least 85% of the off-topic ones.
"""

import argparse
import json
from pathlib import Path
from time import perf_counter

from pathfinder.facade import Pathfinder

MOST_ANSWERABLE, LEAST_OFF_TOPIC = 0.10, 0.85


def judge(pathfinder: Pathfinder, questions: list[str]) -> dict[str, object]:
    """Return the share of `questions` that are not answered, and the share judged to be off topic."""
    start = perf_counter()
    relevances = {}
    are_abstentions = []
    for question in questions:
        assessment = pathfinder.search(question).assessment
        assert assessment is not None
        relevances[question] = round(assessment.relevance, 3)
        if not assessment.is_relevant:
            are_abstentions.append(question)
    seconds = (perf_counter() - start) / len(questions)
    return {
        "n": len(questions),
        "abstained": len(are_abstentions) / len(questions),
        "seconds_each": seconds,
        "relevances": relevances,
    }


def main() -> None:
    """Measure how often one corpus abstains on each kind of question."""
    parser = argparse.ArgumentParser(description="How often the corpus's decision abstains.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--answerable", type=Path, required=True)
    parser.add_argument("--off-topic", type=Path, required=True)
    arguments = parser.parse_args()
    pathfinder = Pathfinder.open(arguments.corpus)
    lines = arguments.answerable.read_text(encoding="utf-8").splitlines()
    kinds = {
        "answerable": [json.loads(line)["text"] for line in lines if line.strip()],
        "off-topic": [line for line in arguments.off_topic.read_text(encoding="utf-8").splitlines() if line.strip()],
    }
    outcomes = {kind: judge(pathfinder, questions) for kind, questions in kinds.items()}
    print(f"{'questions':<12}{'n':>5}{'abstained':>11}{'to reach':>10}")
    limits = {"answerable": f"<= {MOST_ANSWERABLE:.0%}", "off-topic": f">= {LEAST_OFF_TOPIC:.0%}"}
    for kind, figures in outcomes.items():
        print(f"{kind:<12}{figures['n']:>5}{figures['abstained']:>11.1%}{limits[kind]:>10}")
    print(json.dumps({"corpus": pathfinder.corpus.name.name, **outcomes}))


if __name__ == "__main__":
    main()
