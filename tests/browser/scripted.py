"""A chat model that plays every part on the Ask page: what it says depends on what it is shown."""

import json
import re
from typing import Any

from tests.wire import Act, Answers, Says
from tests_wire.scripted_model import Source, cited, say, sources

STANCES = ("supports", "supports", "refutes", "irrelevant")
"""In turn, for the papers as they stand in the prompt."""


def scripted(pause: float = 0.0) -> Answers:
    """The model, its words `pause` seconds apart."""
    return Answers(lambda body: _said(body, pause))


def _said(body: dict[str, Any], pause: float) -> Act:
    messages, tools = body["messages"], body.get("tools") or []
    system = "\n".join(str(message["content"]) for message in messages if message["role"] == "system")
    prompt = "\n".join(str(message["content"]) for message in messages if message["role"] != "system")
    part = next((part for phrase, part in PARTS if phrase in system), None)
    text, call = (part(prompt), None) if part else say(messages, tools)
    calls = []
    if call is not None:
        function = {"name": call.name, "arguments": call.arguments}
        calls = [{"index": 0, "id": call.call_id, "type": "function", "function": function}]
    words = re.findall(r"\s*\S+", text)
    return Says(*words, pause=pause, calls=calls, finish_reason="tool_calls" if calls else "stop", usage=(900, 60))


def _opinion(prompt: str) -> str:
    return json.dumps(
        {
            "rewritten_statement": f"It is so that: {_between(prompt, 'question')}",
            "consensus": "Weak Agreement",
            "explanation": "More papers speak for it than against it.",
            "relevance_score": 0.8,
        }
    )


def _stances(prompt: str) -> str:
    told = [_stance(source, STANCES[place % len(STANCES)]) for place, source in enumerate(sources(prompt))]
    return json.dumps({"stances": told})


def _stance(source: Source, stance: str) -> dict[str, str]:
    return {"key": source.key, "stance": stance, "quote": "" if stance == "irrelevant" else source.sentence}


def _broad(prompt: str) -> str:
    found = sources(prompt)
    first, refined = cited(found[:1]), cited(found[:3])
    return f"<first>{first}</first><check>1. It rests on one paper.</check><refined>{refined}</refined>"


def _follow_up(prompt: str) -> str:
    return json.dumps({"question": f"What sets the Hubble constant, {_between(prompt, 'last').strip()}"})


def _between(prompt: str, tag: str) -> str:
    found = re.search(rf"<{tag}>(.*?)</{tag}>", prompt, re.DOTALL)
    return found[1].strip() if found else ""


PARTS = (
    ("judges how far papers agree", _opinion),
    ("stances", _stances),
    ("The question is broad", _broad),
    ("You turn the last question of a conversation", _follow_up),
)
"""Those that the model of the wire tests does not play, by a phrase of the system prompt."""
