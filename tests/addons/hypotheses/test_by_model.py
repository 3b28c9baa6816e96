"""Statements by a chat model: what it cites is checked, and the rest is marked as a conjecture."""

import json
import re
from collections.abc import Callable

from pathfinder.addons.hypotheses.find import stream_among
from pathfinder.addons.hypotheses.hypothesis import ClauseKind, Hypothesis, write_statement
from pathfinder.addons.hypotheses.writing import clause_text
from pathfinder.llm.stopping import drain
from pathfinder.models.fake import ScriptedChat
from pathfinder.types import Verdict
from tests.addons.hypotheses.planted_concepts import OIL, VISCOSITY, corpus

SOURCE = re.compile(r'<source key="(\w+)">(.*?)</source>', re.DOTALL)
REPORT = f"{OIL.capitalize()} changes {VISCOSITY} in patients."
INVENTION = "Comets are made of ice and dust."
GUESS = "It may help patients with cold hands."


def hypothesis() -> Hypothesis:
    papers, index = corpus()
    report = drain(stream_among(papers, index, None, None, 5))
    return next(each for each in report.hypotheses if OIL in each.concepts)


def reply_with(clauses: Callable[[str], list[dict[str, object]]]) -> ScriptedChat:
    """A model that writes `clauses`, given the key of the paper on fish oil and blood viscosity."""

    def reply(prompt: str) -> str:
        key = next(key for key, text in SOURCE.findall(prompt) if f"{OIL} changes {VISCOSITY}" in text)
        return json.dumps({"clauses": clauses(key)})

    return ScriptedChat(reply)


def test_a_clause_is_cited_and_judged_or_marked_as_a_conjecture() -> None:
    chat = reply_with(
        lambda key: [
            {"text": REPORT, "keys": [key]},
            {"text": INVENTION, "keys": [key]},
            {"text": GUESS, "keys": []},
            {"text": GUESS, "keys": ["a2b3c"]},
        ]
    )
    hypothesis_in_words = write_statement(hypothesis(), chat, None)
    assert hypothesis_in_words.model == "fake:scripted"
    report, invention, guess, unknown_key = hypothesis_in_words.clauses
    assert (report.kind, report.verdict) == (ClauseKind.CITED, Verdict.SUPPORTED)
    assert report.paper_ids[0].startswith("fish-blood-")
    assert (invention.kind, invention.verdict) == (ClauseKind.CITED, Verdict.NOT_FOUND)
    assert not invention.is_borne_out
    # A key that the model was not shown cites nothing.
    assert (guess.kind, unknown_key.kind) == (ClauseKind.CONJECTURE, ClauseKind.CONJECTURE)
    assert [clause_text(clause) for clause in hypothesis_in_words.clauses] == [
        REPORT,
        f"{INVENTION} [not in the cited papers]",
        f"{GUESS} [conjecture]",
        f"{GUESS} [conjecture]",
    ]


def test_if_the_model_fails_the_statement_stays_and_a_note_says_why() -> None:
    before = hypothesis()
    for reply in ("no JSON", '{"clauses": []}'):
        after = write_statement(before, ScriptedChat(lambda _, reply=reply: reply), None)
        assert (after.clauses, after.model) == (before.clauses, None)
        assert after.notes[0].startswith("the chat model wrote no statement: ")
