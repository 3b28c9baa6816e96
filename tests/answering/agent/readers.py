"""Scripted chat models whose replies depend on what they were shown, like those of an agent's model."""

import re

from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.models.ports import ToolCall

SOURCE = re.compile(r'<source key="(\w+)">\nTitle: (.*)\n')


def sources(prompt):
    """Return the keys and titles that a prompt shows, in its order, each once."""
    return list(dict.fromkeys(SOURCE.findall(prompt)))


def call(name="search", **arguments):
    return ToolCall("x", name, arguments)


def curious(n_searches):
    """Return a model that searches for the title of the paper it was shown last, `n_searches` times, and then cites
    what it found.
    """

    def reply(prompt):
        sources_ = sources(prompt)
        looked_up = [title for _, title in sources_ if f"I look up {title}." in prompt]
        title = next((title for _, title in reversed(sources_) if title not in looked_up), None)
        if title is not None and len(looked_up) < n_searches:
            return Reply(f"I look up {title}.", calls=(call(query=title),))
        keys = [key for key, title in sources_ if title in looked_up]
        return Reply("Answer: " + " ".join(f"It is told in a paper [{key}]." for key in keys))

    return Talker(reply)


class Talker(ScriptedChat):
    """A scripted model whose prompt is the conversation so far, line by line, including its calls."""

    def __init__(self, script):
        super().__init__(script)
        self.conversations = []

    def converse(self, turns, tools, *, temperature=None, max_tokens=None):
        self.conversations.append((turns, tools))
        return super().converse(turns, tools, temperature=temperature, max_tokens=max_tokens)
