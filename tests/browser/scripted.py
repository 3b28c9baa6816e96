"""A chat model that plays its part: what it says depends on what it is shown, and its citations are of real keys."""

import json
import re
from typing import Any

from tests.wire import Act, Answers, Says

SOURCE = re.compile(r'<source key="([a-z0-9]{5})">(.*?)</source>', re.DOTALL)
PAUSE = 0.0


def scripted(pause: float = PAUSE) -> Answers:
    """A model whose words come `pause` seconds apart."""
    return Answers(lambda body: _reply(body, pause))


def prompt_of(body: dict[str, Any]) -> str:
    """All that the model was shown, message by message."""
    return "\n".join(str(message["content"]) for message in body["messages"])


def _reply(body: dict[str, Any], pause: float) -> Act:
    prompt = prompt_of(body)
    if "You sort questions" in prompt:
        return Says(json.dumps({"category": "multi-paper", "flags": [], "reason": "it asks for a summary"}))
    if "expert astronomer who answers" in prompt:
        return Says(*_words(_answer(prompt)), pause=pause)
    return _lost()


def _lost() -> Act:
    return Says("I was not told what to say to this.")


def _answer(prompt: str) -> str:
    """A sentence of each of the first three sources, cited."""
    sentences = [f"{_first_sentence(text)} [{key}]." for key, text in SOURCE.findall(prompt)[:3]]
    whole = " ".join(sentences)
    if "<refined>" in prompt:
        return f"<first>{sentences[0]}</first><check>1. It leaves out a side.</check><refined>{whole}</refined>"
    return whole


def _first_sentence(source: str) -> str:
    return source.strip().splitlines()[-1].partition(". ")[0].strip().rstrip(".")


def _words(text: str) -> list[str]:
    return re.findall(r"\s*\S+", text)
