"""A chat model that plays every part on the Ask page: what it says depends on what it is shown."""

import re
from typing import Any

from tests.wire import Act, Answers, Says
from tests_wire.scripted_model import answer, part_of, say


def scripted_answers(pause: float = 0.0) -> Answers:
    """The model, its words `pause` seconds apart."""
    return Answers(lambda body: _text_reply(body, pause))


def answering(reply: Act) -> Answers:
    """The model, but what it answers to the question itself is `said`: the kind and the consensus come at once."""
    return Answers(lambda body: reply if part_of(body["messages"]) is answer else _text_reply(body, 0.0))


def _text_reply(body: dict[str, Any], pause: float) -> Act:
    text, call = say(body["messages"], body.get("tools") or [])
    calls = []
    if call is not None:
        function = {"name": call.name, "arguments": call.arguments}
        calls = [{"index": 0, "id": call.call_id, "type": "function", "function": function}]
    words = re.findall(r"\s*\S+", text)
    return Says(*words, pause=pause, calls=calls, finish_reason="tool_calls" if calls else "stop", usage=(900, 60))
