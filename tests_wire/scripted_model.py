"""A chat model by rules: what it does next depends on what it was shown, and on nothing else.

It tells from the prompt which part it plays, takes titles and sentences out of the sources that it is shown, searches
for them, and cites what it took them from. So another corpus leads it elsewhere. It does as it is asked and knows
nothing: whether its answers are any good is not the point.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SOURCE = re.compile(
    r'<source key="(?P<key>[a-z0-9]+)">\nTitle: (?P<title>.*)\nYear: .*\n(?:Abstract|Summary|Passages): (?P<text>.*)\n'
)
FINDING = re.compile(r"<finding>(.*?)</finding>", re.DOTALL)
KEY = re.compile(r"\[([a-z][0-9][a-z][0-9][a-z])\]")
N_SEARCHES = 5
"""As many as an agent makes before it answers, the reader's own question among them."""
N_POINTS = 3
"""As many as a critique raises."""
N_SOURCES = 3
"""As many as an answer cites."""
CHARACTERS_PER_TOKEN = 4
STANCES = ("supports", "supports", "refutes", "irrelevant")
"""In turn, for the papers as they stand in the prompt."""


@dataclass(frozen=True)
class Call:
    """A tool that the model asks for."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Source:
    """A paper as it stands in a prompt."""

    key: str
    title: str
    text: str

    @property
    def sentence(self) -> str:
        """Its first sentence, word for word, without the full stop."""
        return re.split(r"(?<=[a-z0-9)])[.!?](?:\s|$)", self.text, maxsplit=1)[0].strip().rstrip(".")


def say(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> tuple[str, Call | None]:
    """The reply to `messages`: words, and a tool to call, if any."""
    if tools:
        return agent(messages)
    return part_of(messages)(_text(messages, "user")), None


def part_of(messages: list[dict[str, Any]]) -> Callable[[str], str]:
    """The part that it plays where it has no tools."""
    system = _text(messages, "system")
    return next(part for phrase, part in PARTS if phrase in system)


def agent(messages: list[dict[str, Any]]) -> tuple[str, Call | None]:
    """One step: search for what the last paper seen is about that was not searched for, or answer from all of them."""
    text = "\n".join(str(message.get("content") or "") for message in messages if message["role"] != "system")
    sources_ = sources(text)
    calls = [call for message in messages if message["role"] == "assistant" for call in message.get("tool_calls") or []]
    n_done = len(calls)
    if not sources_:
        return "Answer: I don't know: nothing was found.", None
    if n_done >= N_SEARCHES:
        return f"Answer: {cite(sources_[-N_SOURCES:])}", None
    searched = [json.loads(call["function"]["arguments"]).get("query") for call in calls]
    titles = [source.title for source in sources_ if f"What follows from {source.title}?" not in searched]
    latest = (titles or [sources_[-1].title])[-1]
    query = json.dumps({"query": f"What follows from {latest}?"})
    return f"I have seen {len(sources_)} papers; I look for what {latest} leads to.", Call(
        f"call_{n_done + 1}", "search", query
    )


def plan(prompt: str) -> str:
    """Sub-questions after the titles that a first search found."""
    titles = [line.strip("- ") for line in _between(prompt, "titles").splitlines() if line.strip("- ")]
    return _sub_questions("I take the first papers one by one.", titles[:2])


def after_findings(prompt: str) -> str:
    """Further sub-questions after what the findings say; none once there are enough."""
    findings = [" ".join(KEY.sub("", finding).split()) for finding in FINDING.findall(prompt)]
    if len(findings) >= N_SEARCHES:
        return _sub_questions("It is enough.", [])
    return _sub_questions("I ask on from what was found.", [finding[-90:] for finding in findings[-2:]])


def answer(prompt: str) -> str:
    """The first sentences of the first sources, each with its key."""
    sources_ = sources(prompt)
    return cite(sources_[:N_SOURCES]) if sources_ else "I don't know: there is no source."


def finding(prompt: str) -> str:
    """The same from one source."""
    sources_ = sources(prompt)
    return cite(sources_[:1]) if sources_ else "I don't know: there is no source."


def critique(prompt: str) -> str:
    """Points on the sources that none was raised on before, each with a question to search for."""
    raised = _between(prompt, "raised_before")
    titles = [source.title for source in sources(prompt) if source.title not in raised]
    points = [f"Feedback: Say more on {title}.\nQuestion: What follows from {title}?" for title in titles]
    return "\n\n".join(points[:N_POINTS]) or "Feedback: none"


def edit(prompt: str) -> str:
    """The draft, and a sentence of a source that it does not cite yet."""
    draft = _between(prompt, "draft").strip()
    new = [source for source in sources(prompt) if f"[{source.key}]" not in draft]
    return f"{draft} {cite(new[:1])}".strip()


def opinion(prompt: str) -> str:
    """How far the papers agree."""
    return json.dumps(
        {
            "rewritten_statement": f"It is so that: {_between(prompt, 'question').strip()}",
            "consensus": "Weak Agreement",
            "explanation": "More papers speak for it than against it.",
            "relevance_score": 0.8,
        }
    )


def stances(prompt: str) -> str:
    """What each paper says of the statement: `STANCES` in turn, each with its first sentence."""
    entries = [_stance(source, STANCES[place % len(STANCES)]) for place, source in enumerate(sources(prompt))]
    return json.dumps({"stances": entries})


def _stance(source: Source, stance: str) -> dict[str, str]:
    return {"key": source.key, "stance": stance, "quote": "" if stance == "irrelevant" else source.sentence}


def broad(prompt: str) -> str:
    """A first answer from one source, what is wrong with it, and a better one from three."""
    sources_ = sources(prompt)
    first, refined = cite(sources_[:1]), cite(sources_[:3])
    return f"<first>{first}</first><check>1. It rests on one paper.</check><refined>{refined}</refined>"


def follow_up(prompt: str) -> str:
    """A follow-up with what it leans on."""
    return json.dumps({"question": f"What sets the Hubble constant, {_between(prompt, 'last').strip()}"})


def kind(_: str) -> str:
    """The kind of any question."""
    return '{"category": "multi-paper", "flags": [], "reason": "the script says so"}'


def at_a_loss(_: str) -> str:
    """What is said in a part that has not been written."""
    return "I have no part in this play."


PARTS = (
    ("judges how far papers agree", opinion),
    ("stances", stances),
    ("The question is broad", broad),
    ("You turn the last question of a conversation", follow_up),
    ("You plan how a question is researched", plan),
    ("You direct the research of a question", after_findings),
    ("You read papers for a colleague", finding),
    ("You review the draft", critique),
    ("You edit the draft", edit),
    ("who puts findings together", answer),
    ("who answers from", answer),
    ('"category"', kind),
    ("", at_a_loss),
)
"""Parts by a phrase of the system prompt; the first that is found."""


def sources(text: str) -> list[Source]:
    """The sources in a prompt, in their order, each once."""
    by_key = {match["key"]: Source(match["key"], match["title"], match["text"]) for match in SOURCE.finditer(text)}
    return list(by_key.values())


def cite(sources_: list[Source]) -> str:
    """Their first sentences, each with its key."""
    return " ".join(f"{source.sentence} [{source.key}]." for source in sources_)


def about_tokens(content: object) -> int:
    """Four characters of what was read or written."""
    return len(str(content)) // CHARACTERS_PER_TOKEN


def _sub_questions(thought: str, topics: list[str]) -> str:
    return json.dumps({"thought": thought, "sub_questions": [f"What is known of {topic}?" for topic in topics]})


def _between(prompt: str, tag: str) -> str:
    match = re.search(rf"<{tag}>(.*?)</{tag}>", prompt, re.DOTALL)
    return match[1] if match else ""


def _text(messages: list[dict[str, Any]], role: str) -> str:
    return "\n".join(str(message["content"]) for message in messages if message["role"] == role)
