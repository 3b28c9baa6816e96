"""Single-paper questions written by a chat model: cached and resumable; failures are counted, not replaced."""

import re
from dataclasses import dataclass, field

from pydantic import ConfigDict

from pathfinder.corpus.journal import Journal, journal_key
from pathfinder.errors import MissingKey, ProviderError, RejectedKey
from pathfinder.evaluation.single_paper import Question, QuestionWriter
from pathfinder.llm.prompts import render
from pathfinder.llm.replies import complete, json_or_none
from pathfinder.models.ports import ChatModel
from pathfinder.types import Paper

TEMPERATURE = 0.5
MAX_TOKENS = 200
MAX_FAILURES_IN_A_ROW = 5
"""Number of consecutive failures that are treated as an outage rather than bad luck."""

_MARKED_QUESTION = re.compile(r"<question>\s*(\S[^<>]*?)\s*</question>", re.DOTALL)


@dataclass(frozen=True)
class _WrittenQuestion:
    __pydantic_config__ = ConfigDict(extra="forbid")

    question: str


def chat_question_writer(chat: ChatModel, journal: Journal) -> QuestionWriter:
    """Make a writer that has `chat` write questions. Replies are stored in `journal`, so a command that is repeated
    later continues where it stopped, at no extra cost.

    After a failed call, or a reply without exactly one question, the paper is skipped and counted. Raises a
    `ProviderError` at once for a missing or rejected key, and for an outage at the fifth consecutive failure.
    """
    return QuestionWriter(f"written by {chat.name}", _QuestionWriter(chat, journal).write)


@dataclass(slots=True)
class _QuestionWriter:
    chat: ChatModel
    journal: Journal
    _n_failed: int = field(default=0)

    def write(self, paper: Paper) -> Question:
        if not paper.has_abstract:
            return None, "a paper without an abstract"
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
            return None, "a failed call to the chat model"
        self._n_failed = 0
        parsed_reply = json_or_none(reply, _WrittenQuestion)
        questions = (
            _MARKED_QUESTION.findall(reply)
            if parsed_reply is None
            else [parsed_reply.question]
            if parsed_reply.question.strip()
            else []
        )
        return (
            (" ".join(questions[0].split()), "")
            if len(questions) == 1
            else (None, "a reply that is not exactly one question")
        )

    def _reply(self, system: str, prompt: str) -> str:
        key = journal_key("single-paper question", self.chat.name, system, prompt)
        if key not in self.journal:
            reply = complete(
                self.chat, system, prompt, temperature=TEMPERATURE, max_tokens=MAX_TOKENS, form=_WrittenQuestion
            )
            self.journal.append([(key, reply.encode("utf-8", "surrogatepass"))])
        return self.journal[key].decode("utf-8", "surrogatepass")
