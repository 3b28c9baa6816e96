"""How many questions of astronomers are led elsewhere instead of being answered, and which.

    python -m benchmarks.redirects QUESTIONS.jsonl

One object a line, its question under "text". To reach: none of those that ask about the sky; each that is led
elsewhere is printed, to be read. A question after an inventor is counted as if no paper told of one.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from pathfinder.answering.redirects import redirect_of


def main() -> None:
    """Count them, and print each."""
    parser = argparse.ArgumentParser(description="How many questions are led elsewhere.")
    parser.add_argument("questions", type=Path)
    lines = parser.parse_args().questions.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["text"] for line in lines if line.strip()]
    led = [(kind, question) for question in questions if (kind := redirect_of(question)) is not None]
    for kind, question in led:
        print(f"{kind}: {question}")
    counts = Counter(kind for kind, _ in led)
    print(json.dumps({"questions": len(questions), "led_elsewhere": len(led), "by_kind": dict(counts)}))


if __name__ == "__main__":
    main()
