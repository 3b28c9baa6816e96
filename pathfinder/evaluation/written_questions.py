"""Single-paper questions that a chat model writes: cached, resumable, failures counted and never made up for."""

import re
from dataclasses import dataclass, field

from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.errors import MissingKey, ProviderError, RejectedKey
from pathfinder.evaluation.single_paper import Asker, Question
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.types import Paper

TEMPERATURE = 0.5
MAX_TOKENS = 200
MAX_FAILURES_IN_A_ROW = 5
"""So many calls that fail one after the other are an outage, not bad luck."""

_MARKED = re.compile(r"<question>\s*(\S[^<>]*?)\s*</question>", re.DOTALL)


def written(chat: ChatModel, journal: Journal) -> Asker:
    """Questions by `chat`. Replies are kept in `journal`: the same command goes on where it was stopped, and is free.

    A call that fails, and a reply without exactly one question, pass the paper over and are counted. Raises the
    `ProviderError` of a key that is missing or refused at once, of an outage at the fifth failure in a row.
    """
    return Asker(f"written by {chat.name}", _Writer(chat, journal).ask)


@dataclass(slots=True)
class _Writer:
    chat: ChatModel
    journal: Journal
    _n_failed: int = field(default=0)

    def ask(self, paper: Paper) -> Question:
        system = render("single_paper_system")
        prompt = render("single_paper_question", title=paper.title, abstract=paper.abstract)
        try:
            reply = self._reply(system, prompt)
        except (MissingKey, RejectedKey):
            raise
        except ProviderError:
            self._n_failed += 1
            if self._n_failed == MAX_FAILURES_IN_A_ROW:
                raise
            return None, "a call to the chat model that failed"
        self._n_failed = 0
        found = _MARKED.findall(reply)
        return (" ".join(found[0].split()), "") if len(found) == 1 else (None, "a reply without one question")

    def _reply(self, system: str, prompt: str) -> str:
        key = journal_key("single-paper question", self.chat.name, system, prompt)
        if key not in self.journal:
            pieces = self.chat.stream(system, prompt, temperature=TEMPERATURE, max_tokens=MAX_TOKENS)
            reply = "".join(pieces)
            self.journal.append([(key, reply.encode("utf-8", "surrogatepass"))])
        return self.journal[key].decode("utf-8", "surrogatepass")
