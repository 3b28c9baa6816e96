"""A chat model that judges by a rule that can be checked."""

import re
from collections.abc import Iterator


class WordJudge:
    """Judges text with the word "old" as relevant, critical and of grade 2, and text with "aged" as of grade 1; "?"
    makes its reply malformed.
    """

    name = "fake:word-judge"

    def __init__(self) -> None:
        self.n_calls = 0

    def stream(self, system: str, prompt: str, *, temperature=None, max_tokens=None) -> Iterator[str]:
        self.n_calls += 1
        text = prompt.partition("Text:\n")[2].partition("</context>")[0].strip()
        yield "I do not know" if "?" in text else self._verdict(system, text)

    def _verdict(self, system: str, text: str) -> str:
        if "<grade>" in system:
            return f"<grade>{2 if 'old' in text else int('aged' in text)}</grade>"
        if "<highly_relevant>" in system:
            return "<highly_relevant>" if "old" in text else "<not_relevant>"
        lines = re.findall(r"^(\d+)\. (.*)$", text, re.MULTILINE)
        return "\n".join(f"{number}. <{'' if 'old' in line else 'not_'}critical>" for number, line in lines)
