"""Reports how many of the questions that astronomers ask are redirected instead of answered, and which ones.

    python -m benchmarks.redirects QUESTIONS.jsonl

QUESTIONS has one JSON object per line, with the question under "text". Target: no question about the sky is redirected;
each redirected question is printed for inspection. A question about an inventor is counted as if no paper mentioned
any inventor.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from pathfinder.answering.redirects import redirect_kind


def main() -> None:
    """Count the redirected questions, and print each of them."""
    parser = argparse.ArgumentParser(description="How many questions are led elsewhere.")
    parser.add_argument("questions", type=Path)
    lines = parser.parse_args().questions.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["text"] for line in lines if line.strip()]
    redirects = [(kind, question) for question in questions if (kind := redirect_kind(question)) is not None]
    for kind, question in redirects:
        print(f"{kind}: {question}")
    counts = Counter(kind for kind, _ in redirects)
    print(json.dumps({"questions": len(questions), "led_elsewhere": len(redirects), "by_kind": dict(counts)}))


if __name__ == "__main__":
    main()
