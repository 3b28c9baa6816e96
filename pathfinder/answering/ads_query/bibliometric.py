"""A question about papers answered with a query for ADS: written by the chat model or by rules, checked either way."""

from collections.abc import Generator

from pathfinder.answering.ads_query.check import check_ads_query
from pathfinder.answering.ads_query.rules import query_by_rules
from pathfinder.answering.reply import Means, Reply, Replying
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.question import in_words
from pathfinder.retrieval.replies import REFUSALS, complete, in_brief
from pathfinder.retrieval.years.named import years_named
from pathfinder.types import AdsQuery, AnswerRequest, SearchResult, Step, StepKind

COUNTING = "counting"
"""What a question is led to ADS as."""
BY_RULES = "rules"
MAX_REPLY_TOKENS = 300
N_TRIES = 2
"""A query with faults is shown to the model once, with its faults."""

WHERE = "Pathfinder holds a part of the literature and does not count papers, authors or citations; ADS does."
NO_QUERY = (
    f"{WHERE} The question names nothing that a query could search for: name a subject, an author, a journal or years, "
    'as in "refereed papers by Vera Rubin on dark matter, 1970 to 1990".'
)


def stream_ads_query(result: SearchResult, _request: AnswerRequest, means: Means) -> Replying:
    """Answer with an ADS query, with or without a chat model, and whatever was found; no failure is raised."""
    query, ran, notes = yield from _written(result, means.chat)
    return (yield from _said(query, ran, notes))


def ads_query_by_rules(result: SearchResult) -> AdsQuery | None:
    """The query that the question's own words make; `None` where they name nothing to search for."""
    query = query_by_rules(result.request, result.keywords)
    return None if query is None else check_ads_query(query)


def in_text(query: AdsQuery | None) -> str:
    """A query as an answer gives it."""
    if query is None:
        return NO_QUERY
    if query.faults:
        faults = "\n".join(f"- {fault}" for fault in query.faults)
        return f"{WHERE} This query has faults, so no link is given:\n\n{query.query}\n\n{faults}"
    return f"{WHERE} Its query for this question:\n\n{query.query}"


def _written(
    result: SearchResult, chat: ChatModel | None
) -> Generator[str | Step, None, tuple[AdsQuery | None, str, tuple[str, ...]]]:
    by_rules = ads_query_by_rules(result)
    if chat is None:
        return by_rules, BY_RULES, ()
    try:
        query = yield from _asked(result, chat)
    except REFUSALS as error:
        return by_rules, f"{BY_RULES} ({in_brief(error, chat.name)})", (str(error),)
    if query.faults and by_rules is not None and not by_rules.faults:
        note = f"{chat.name} wrote a query with faults, which is not shown as an answer: {'; '.join(query.faults)}"
        return by_rules, f"{BY_RULES} (the query of {chat.name} had faults)", (note,)
    return query, in_words(chat.name), ()


def _asked(result: SearchResult, chat: ChatModel) -> Generator[str | Step, None, AdsQuery]:
    """The model's query; where it has faults, its second try."""
    question = " ".join(result.request.query.split())
    named = years_named(question, result.request.today)
    faults: tuple[str, ...] = ()
    query = AdsQuery("", ("no query was written",), None)
    for _ in range(N_TRIES):
        prompt = render("ads_query", question=_quoted(question), faults=_as_list(query.query, faults))
        reply = complete(chat, render("ads_query_system"), prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS)
        query = check_ads_query(_bare(reply), named, result.request.today)
        faults = query.faults
        if not faults:
            break
        yield Step(StepKind.NOTICE, f"the query {query.query} has faults: {'; '.join(faults)}")
    return query


def _as_list(query: str, faults: tuple[str, ...]) -> str:
    if not faults:
        return ""
    listed = "\n".join(f"- {_quoted(fault)}" for fault in faults)
    return (
        f"Your query was\n\n{_quoted(query)}\n\nand ADS would not take it:\n\n{listed}\n\n"
        "Write it without these faults."
    )


def _bare(reply: str) -> str:
    """The query of a reply without the fence, the backticks or the "q=" that models put around it."""
    lines = [line for line in reply.strip().splitlines() if not line.strip().startswith("```")]
    return " ".join(" ".join(lines).split()).strip("`").removeprefix("q=").strip()


def _quoted(text: str) -> str:
    return text.replace("<", "&lt;").replace(">", "&gt;")


def _said(query: AdsQuery | None, ran: str, notes: tuple[str, ...]) -> Replying:
    text = in_text(query)
    yield text
    return Reply(text, (), f"ADS query, {ran}", abstained=True, notes=notes, ads_query=query, redirect=COUNTING)
