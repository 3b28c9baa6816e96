"""What LiteLLM's proxy loads for the provider `scripted`: the scripted model, spoken in LiteLLM's shapes.

This file and `scripted_model.py` run in the proxy's process, which knows nothing of Pathfinder.
"""

import re
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from litellm import CustomLLM

sys.path.insert(0, str(Path(__file__).parent))

from scripted_model import Call, about_tokens, say

Chunk = dict[str, Any]


class Scripted(CustomLLM):
    """Streams what the script says, word by word; Pathfinder always asks for a stream."""

    async def astreaming(self, *, messages: list[Chunk], optional_params: Chunk, **_: Any) -> AsyncIterator[Chunk]:
        """The reply to `messages`, and the tool that it asks for."""
        text, call = say(messages, optional_params.get("tools") or [])
        for word in _words(text):
            yield _chunk(text=word)
        if call is not None:
            yield _chunk(tool_use=_tool_use(call))
        usage = {"prompt_tokens": about_tokens(messages), "completion_tokens": about_tokens(text)}
        usage["total_tokens"] = sum(usage.values())
        yield _chunk(is_finished=True, finish_reason="tool_calls" if call else "stop", usage=usage)


def _words(text: str) -> Iterator[str]:
    return iter(re.findall(r"\s*\S+\s*", text))


def _chunk(**fields: Any) -> Chunk:
    nothing = {"text": "", "tool_use": None, "is_finished": False, "finish_reason": "", "index": 0, "usage": None}
    return nothing | fields


def _tool_use(call: Call) -> Chunk:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.call_id, "type": "function", "function": function, "index": 0}


scripted = Scripted()
