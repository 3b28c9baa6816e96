"""Every answer mode over the proxy; stepwise ones make at least four real searches, whose results change the next."""

from pathlib import Path

import pytest

from pathfinder import Pathfinder, Settings
from pathfinder.answering.modes.registry import MODES, mode_names
from pathfinder.types import Answer, Ended, ModeName, StepKind
from tests_wire.conftest import KEY, QUESTION

STEPWISE = [name for name in mode_names() if MODES.get(name).is_stepwise]
N_SEARCHES = 4


@pytest.fixture(scope="module")
def halves(corpora: tuple[Path, Path], proxy: str) -> tuple[Pathfinder, Pathfinder]:
    """Both corpora, open, with the scripted model behind the proxy."""
    settings = Settings(_env_file=None, chat_model="openai:scripted", chat_base_url=proxy, openai_api_key=KEY)
    first, other = (Pathfinder.open(folder, settings=settings) for folder in corpora)
    return first, other


def answer_question(pf: Pathfinder, generation: str) -> Answer:
    return pf.answer(pf.search(QUESTION, top_k=3), generation=generation)


def searches(answer: Answer) -> list[str]:
    """What was searched on the way, in its order."""
    assert answer.trace is not None
    actions = [step for step in answer.trace.steps if step.kind is StepKind.ACTION and step.tool == "search"]
    return [str(dict(step.arguments)["query"]) for step in actions]


def cited_ids(answer: Answer) -> set[str]:
    return {paper_id for claim in answer.claims for paper_id in claim.citations}


@pytest.mark.parametrize("generation", STEPWISE)
def test_it_searches_and_cites_what_it_found(halves, generation: str) -> None:
    answer = answer_question(halves[0], generation)
    queries = searches(answer)
    assert answer.trace.ended is Ended.ANSWERED
    assert len(set(queries)) == len(queries) >= N_SEARCHES
    assert cited_ids(answer)
    assert cited_ids(answer) <= {paper.paper_id for paper in answer.sources}
    assert not [note for note in answer.notes if "invented" in note]
    assert {call.model for call in answer.calls} == {"openai:scripted"}
    assert all(call.usage.tokens_in > 0 and not call.usage.is_estimated for call in answer.calls)


@pytest.mark.parametrize("generation", STEPWISE)
def test_what_is_found_decides_what_is_searched_next(halves, generation: str) -> None:
    first_answer, other = (answer_question(pf, generation) for pf in halves)
    first = searches(first_answer)[0] == QUESTION
    assert not set(searches(first_answer)[first:]) & set(searches(other)[first:])
    assert not cited_ids(first_answer) & cited_ids(other)


def test_an_answer_from_the_hits_cites_them(halves) -> None:
    answer = answer_question(halves[0], ModeName.RAG)
    assert cited_ids(answer)
    assert len(answer.calls) == 1


@pytest.mark.parametrize("generation", STEPWISE)
def test_the_same_run_again_asks_nothing(halves, generation: str) -> None:
    first, again = (answer_question(halves[1], generation) for _ in range(2))
    assert again.text == first.text
    assert all(call.is_cached for call in again.calls)
