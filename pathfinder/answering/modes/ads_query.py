"""The mode that answers a question about papers with a checked ADS query, written by the chat model or by rules."""

from dataclasses import dataclass, replace

from pydantic import ConfigDict

from pathfinder.answering.ads_query.check import check_ads_query
from pathfinder.answering.ads_query.parser import parse
from pathfinder.answering.ads_query.query_from_question import read_for_ads
from pathfinder.answering.modes.base import AnswerMode
from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.answering.session.draft import AnswerStream, DraftAnswer
from pathfinder.llm.chat import REFUSALS, complete, in_brief, json_or_none
from pathfinder.llm.prompts import render
from pathfinder.profile.profile import Bibliography
from pathfinder.retrieval.lookup.question import describe_model
from pathfinder.retrieval.years.in_questions import years_named
from pathfinder.types import AdsQuery, SearchResult, Specialisation, StageOutcome, Step, StepKind, StepTaken, TextDelta

COUNTING = "counting"
"""Kind of redirect for questions that are sent to ADS."""
MAX_REPLY_TOKENS = 300
N_TRIES = 2
"""Maximum number of attempts: a faulty query is returned to the model once, with its faults."""

WHERE = "Pathfinder covers only part of the literature and does not count papers, authors or citations; ADS does."
NO_QUERY = (
    f"{WHERE} The question names nothing that a query could search for: name a subject, an author, a journal or years, "
    'as in "refereed papers by Vera Rubin on dark matter, 1970 to 1990".'
)


@dataclass(frozen=True)
class _Query:
    __pydantic_config__ = ConfigDict(extra="forbid")

    query: str


def stream_ads_query(session: AnswerSession) -> AnswerStream:
    """Answer with an ADS query, with or without a chat model or hits. Never raises: if a model fails, rules write the
    query.
    """
    profile = session.context.profile
    if profile.services.bibliography is Bibliography.NONE:
        return (yield from _not_counted(profile.redirects.counting))
    by_rules = ads_query_by_rules(session.result)
    if session.context.chat is None:
        return (yield from _answer(by_rules, "rules"))
    chat = session.chat
    try:
        question = " ".join(session.result.request.query.split())
        years = years_named(question, session.result.request.today)
        faulty: tuple[AdsQuery, ...] = ()
        query = AdsQuery("", ("no query was written",), None)
        for _ in range(N_TRIES):
            prompt = render("ads_query", question=_escape(question), faults=_as_list(faulty))
            reply = complete(
                chat, render("ads_query_system"), prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS, form=_Query
            )
            query = check_ads_query(_bare(reply), years, session.result.request.today)
            if not query.faults:
                break
            chat.reject(reply)
            faulty = (*faulty, query)
    except REFUSALS as error:
        notes = (str(error),)
        return (yield from _answer(by_rules, f"rules ({in_brief(error, chat.name)})", notes, reason=str(error)))
    for attempt in faulty:
        yield StepTaken(Step(StepKind.NOTICE, f"the query {attempt.query} has faults: {'; '.join(attempt.faults)}"))
    if query.faults and by_rules is not None and not by_rules.faults:
        note = (
            f"the query that {chat.name} wrote has faults, so it is not shown as an answer: {'; '.join(query.faults)}"
        )
        ran = f"rules (the query from {chat.name} had faults)"
        return (yield from _answer(by_rules, ran, (note,), reason=note))
    return (
        yield from _answer(query, describe_model(chat.name), difference(query, by_rules, chat.name), model=chat.name)
    )


def _not_counted(text: str) -> AnswerStream:
    """Explain that the field has no bibliographic service that could be queried."""
    yield TextDelta(text)
    why = "papers are not counted"
    ran = f"none: {why}"
    return DraftAnswer(text, (), ran, abstained=True, redirect=COUNTING, outcome=StageOutcome.SKIPPED, reason=why)


def ads_query_by_rules(result: SearchResult) -> AdsQuery | None:
    """Write a query from the question's own words; `None` if they name nothing to search for."""
    reading = read_for_ads(result.request.query, result.request.today)
    if reading.query is None:
        return None
    checked = check_ads_query(reading.query)
    return replace(checked, parts=reading.parts, operator=reading.operator, unread=reading.unread)


def difference(query: AdsQuery, by_rules: AdsQuery | None, name: str) -> tuple[str, ...]:
    """Say in which terms the query of the model called `name` and that of the rules differ; nothing if in none."""
    if by_rules is None:
        return ()
    terms, own = (
        {f"{term.field or 'any field'}: {term.value.casefold()}" for term in parse(text).terms}
        for text in (query.query, by_rules.query)
    )
    if terms == own:
        return ()
    only_model, only_rules = (", ".join(sorted(names)) or "nothing" for names in (terms - own, own - terms))
    only = f"only {name} has {only_model}, only the rules have {only_rules}"
    return (f"read by rules, the question gives {by_rules.query}; {only}",)


def in_text(query: AdsQuery | None) -> str:
    """Write a query as the text of an answer."""
    if query is None:
        return NO_QUERY
    if query.faults:
        faults = "\n".join(f"- {fault}" for fault in query.faults)
        return f"{WHERE} This query has faults, so no link is given:\n\n{query.query}\n\n{faults}"
    left = f"\n\nNot part of the query: {', '.join(query.unread)}." if query.unread else ""
    return f"{WHERE} Its query for this question:\n\n{query.query}{left}"


def _as_list(faulty: tuple[AdsQuery, ...]) -> str:
    if not faulty:
        return ""
    fault_list = "\n".join(f"- {_escape(fault)}" for fault in faulty[-1].faults)
    return (
        f"Your query was\n\n{_escape(faulty[-1].query)}\n\nand ADS would not accept it:\n\n{fault_list}\n\n"
        "Write it again without these faults."
    )


def _bare(reply: str) -> str:
    """Extract the query from a reply in JSON or in plain text, without any code fence, backticks or "q=" that models
    put around it.
    """
    parsed_reply = json_or_none(reply, _Query)
    reply = reply if parsed_reply is None else parsed_reply.query
    lines = [line for line in reply.strip().splitlines() if not line.strip().startswith("```")]
    return " ".join(" ".join(lines).split()).strip("`").removeprefix("q=").strip()


def _escape(text: str) -> str:
    return text.replace("<", "&lt;").replace(">", "&gt;")


def _answer(
    query: AdsQuery | None,
    ran: str,
    notes: tuple[str, ...] = (),
    *,
    reason: str | None = None,
    model: str | None = None,
) -> AnswerStream:
    text = in_text(query)
    yield TextDelta(text)
    return DraftAnswer(
        text,
        (),
        f"ADS query, {ran}",
        abstained=True,
        notes=notes,
        ads_query=query,
        redirect=COUNTING,
        outcome=StageOutcome.RAN if reason is None else StageOutcome.SUBSTITUTED,
        reason=reason,
        model=model,
    )


MODE = AnswerMode(
    name="ads-query",
    label="A query for ADS",
    help="Writes a query for the Astrophysics Data System, which can count papers; Pathfinder cannot.",
    icon="query_stats",
    stream=stream_ads_query,
    needs=(),
    styles=(Specialisation.BIBLIOMETRIC,),
)
