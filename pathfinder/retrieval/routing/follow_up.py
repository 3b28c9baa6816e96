"""Rewrite a follow-up as a standalone question, which the reader sees before the search. No state is kept."""

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.index.words import QUESTION_STOP_WORDS, words
from pathfinder.llm.chat import REFUSALS, complete, in_brief, parse_json, unreadable
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel
from pathfinder.retrieval.exclusions import unread_exclusion
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.retrieval.routing.route import BY_RULES, NO_CHAT
from pathfinder.retrieval.stages import StageReport, substituted_stage
from pathfinder.retrieval.years.in_questions import topic, years_named
from pathfinder.text.english import QUESTION_WORDS, any_of
from pathfinder.text.english import words as word_set
from pathfinder.types import Call, StageOutcome, StageStatus

MAX_EARLIER = 4
"""Number of earlier questions that the chat model sees, counted from the latest."""

FEW_CONTENT_WORDS = 6
"""Number of content words below which a question with a pronoun is taken to depend on the previous one."""

MAX_REPLY_TOKENS = 200
_ANY_DAY = datetime.date(2099, 1, 1)
"""Arbitrary date, because only the positions of phrases that name years matter here."""

_OF_ANY_SUBJECT = word_set(
    "again agree agreed agrees bit certain clearer continue detail details differ disagree disagreed disagrees earlier "
    "easier elaborate else explain explanation first give go greater important know last later like longer more newer "
    "next older one ones other others please right said same say says short shorter show similar simple simpler simply "
    "sure tell thing things third true wrong"
)
"""Words that say what to do with a subject, and name none."""
_BESIDE_A_PRONOUN = word_set(
    "answer discovered evidence example examples found mean measure measured paper papers proof question second source "
    "sources"
)
"""Words that name none beside a word for what was said before; alone, they may be the subject of another field."""
_ORDERS = word_set("continue elaborate explain give go more please say show tell")
"""First words by which more is asked for."""

_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d(?:s\b|\b)")
_OPENING = re.compile(
    r"^\W*(?:and|what\s+about|how\s+about|but|also|or|then|same\s+for|the\s+same\s+for|likewise)\b", re.IGNORECASE
)
_PRONOUN = re.compile(
    r"\b(?:(?P<possessive>its|their|his|her)|(?P<person>it|they|them|he|she|him|ones)|theirs|this|these|those|such|both)\b|"
    r"\bthat(?=(?:\s+\w+)?\W*$|\s+(?:is|was|does|did|has|had|can|could|would)\b)|"
    r"(?<=\b(?:of|on|by|in|to)\s)that\b|(?<=\bdoes\s)that\b|(?<=\bdid\s)that\b|"
    r"\b(?:which|that|this|the|first|other|last|each)\s+one\b|\bone(?=\W*$)|"
    r"\bthere(?=\W*$)|(?<!\b(?:is|be)\s)(?<!\b(?:are|was|out)\s)(?<!\bwere\s)\bthere\b",
    re.IGNORECASE,
)
"""Words that may stand for something named before; not "that" before a clause, "there" after "is", or number one."""
_ASKS_LATER = re.compile(
    r"^\W*(?:(?:and|but|so|then)\W+)?what(?:\s+(?:was|has|have|is|else))*"
    r"(?:\s+(?:came|happened|followed|changed|done|found|learned|discovered))?"
    r"\s+(?:later|next|since(?:\s+then)?|afterwards|after(?:\s+(?:that|this|it))?)\W*$",
    re.IGNORECASE,
)
_ASKED_ABOUT = re.compile(
    rf"\b(?:{any_of(QUESTION_WORDS)}|first|discover\w*|detect\w*|invent\w*|found|find)\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"\b(?:and|as|because|before|if|than|when|while)\b", re.IGNORECASE)
FEWEST_BEFORE = 2
"""Number of content words before a pronoun from which it may stand for one of them: "How do stars lose their mass?"."""


@dataclass(frozen=True, slots=True)
class StandaloneQuestion:
    """A question that can be searched on its own."""

    text: str
    ran: str
    """Badge text: the model or rule that wrote the question, or a note that no rewriting was needed."""
    status: StageStatus
    """Outcome of the rewriting, with the model that was used or the reason why a rule replaced it."""
    calls: tuple[Call, ...] = ()
    """Calls to the chat model."""


@dataclass(frozen=True)
class _RewriteReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    question: Annotated[str, Field(min_length=1, max_length=1000)]


def standalone_question(history: Sequence[str], follow_up: str, chat: ChatModel | None) -> StandaloneQuestion:
    """Return `follow_up` as a question that needs no context.

    `history` holds the earlier questions as they were searched, oldest first. A question without history, or one that
    does not depend on it according to the rules, stays as it is. Any other question is rewritten by the chat model;
    without a model, or if its reply is unusable, the previous question is put in front of the new one.
    """
    earlier = tuple(question.strip() for question in history if question.strip())
    follow_up = follow_up.strip()
    if not earlier or not depends_on_history(follow_up):
        why = "it needs no context"
        return _standalone(follow_up, StageReport(f"as asked: {why}", status=StageOutcome.SKIPPED, reason=why))
    if chat is None:
        by_rules = substituted_stage(f"{BY_RULES}: prefixed with the previous question", NO_CHAT)
        return _standalone(_prepend(earlier[-1], follow_up), by_rules)
    try:
        return _standalone(_rewrite(earlier, follow_up, chat), StageReport(describe_model(chat.name), chat.name))
    except REFUSALS as error:
        why = in_brief(error, chat.name)
        by_rules = substituted_stage(f"{BY_RULES} ({why}): prefixed with the previous question", why)
        return _standalone(_prepend(earlier[-1], follow_up), by_rules)


def what_came_later(history: Sequence[str], follow_up: str, year: int | None) -> StandaloneQuestion | None:
    """Return the subject of the last question "after" `year`, that of the paper which answered it, if `follow_up` asks
    what came later; `None` for any other follow-up.
    """
    earlier = [question.strip() for question in history if question.strip()]
    if year is None or not earlier or not _ASKS_LATER.match(" ".join(follow_up[:200].split())):
        return None
    named = years_named(earlier[-1], _ANY_DAY)
    question = earlier[-1] if named is None else topic(earlier[-1], named)
    asked_about = _ASKED_ABOUT.sub(" ", question)
    said = [
        word
        for each in asked_about.split()
        if (word := each.strip("?!.,;:")) and word.lower() not in QUESTION_STOP_WORDS
    ]
    ran = f"{BY_RULES}: the subject of the previous question, after its first paper"
    return _standalone(f"{' '.join(said) or question} after {year}", StageReport(ran))


def _standalone(text: str, report: StageReport) -> StandaloneQuestion:
    return StandaloneQuestion(text, report.words, report.as_status("follow-up"))


def depends_on_history(follow_up: str) -> bool:
    """Return whether `follow_up` needs the previous question: it names no subject, continues that question, or is short
    and contains a pronoun that stands for nothing in it. "Its" may stand for what comes before it, and "it" if a clause
    does.
    """
    if not words(follow_up):
        return False
    if _OPENING.match(follow_up) or _ASKS_LATER.match(follow_up[:200]) or names_no_subject(follow_up):
        return True
    pronoun = _PRONOUN.search(follow_up)
    if pronoun is None or _n_content(follow_up) >= FEW_CONTENT_WORDS:
        return False
    before = follow_up[: pronoun.start()]
    is_inside = pronoun["possessive"] or (pronoun["person"] and _CLAUSE.search(before))
    return not (is_inside and _n_content(before) >= FEWEST_BEFORE)


def names_no_subject(question: str) -> bool:
    """Return whether all that `question` says is what to do with what was said before: "why?", "more like that one"."""
    said = words(_YEAR.sub(" ", question))
    told = set(said) - QUESTION_STOP_WORDS
    if any(map(str.isdigit, _YEAR.sub(" ", question))):
        return False
    points_back = _PRONOUN.search(question) is not None
    is_asked = points_back or _OPENING.match(question) or set(QUESTION_WORDS) & set(said) or set(said[:1]) & _ORDERS
    return bool(is_asked) and told <= (_OF_ANY_SUBJECT | _BESIDE_A_PRONOUN if points_back else _OF_ANY_SUBJECT)


def _n_content(text: str) -> int:
    return sum(word not in QUESTION_STOP_WORDS for word in words(text))


def _rewrite(earlier: Sequence[str], follow_up: str, chat: ChatModel) -> str:
    earlier_questions = "\n".join(f"<earlier>\n{question}\n</earlier>" for question in earlier[-MAX_EARLIER:])
    prompt = render("follow_up", earlier=earlier_questions, follow_up=follow_up)
    system = render("follow_up_system")
    reply = complete(chat, system, prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS, form=_RewriteReply)
    question = " ".join(parse_json(reply, _RewriteReply, chat).question.split())
    if not words(question):
        raise unreadable(reply, "a question without any words", chat)
    return question


def _prepend(previous: str, follow_up: str) -> str:
    """Join the previous question and the follow-up ("What sets the gas content of galaxies? And at higher redshift?");
    years named in the follow-up replace those named before. A question that may leave something out at its end ("solar
    wind, but not by Parker") comes last, where that is read.
    """
    named_before = years_named(previous, _ANY_DAY)
    if named_before is not None and years_named(follow_up, _ANY_DAY) is not None:
        previous = topic(previous, named_before)
    questions = [previous, f"{follow_up[0].upper()}{follow_up[1:]}"]
    if unread_exclusion(previous) is not None:
        questions.reverse()
    first, last = questions
    return f"{first if first.endswith(('?', '!', '.')) else f'{first}?'} {last}"
