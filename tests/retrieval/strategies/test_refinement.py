import pytest

from pathfinder.errors import ProviderError
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import ScriptedChat
from pathfinder.retrieval.strategies.recursion import refined_by_chat, refined_by_rule
from pathfinder.types import Paper

QUESTION = "How do Cepheids measure the Hubble constant?"
PAPER = Paper(paper_id="p", title="Masers of water", abstract="Masers of water orbit a black hole at $1.2 km/s.")


def by_rule(pf: Pathfinder, question: str, **fields: object) -> str | None:
    paper = Paper(**({"paper_id": "p", "title": "Masers", "abstract": ""} | fields))
    return refined_by_rule(question, paper, pf.corpus.sparse, pf.models.extractor)


# A chat model ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("reply", ["Cepheids beyond masers", "<query>Cepheids", "</query>Cepheids<query>"])
def test_a_reply_without_a_query_is_an_error(reply):
    with pytest.raises(ProviderError, match=r"fake:scripted did not reply .* \(no <query>\)"):
        refined_by_chat(QUESTION, PAPER, ScriptedChat([reply]))


@pytest.mark.parametrize(
    ("reply", "query"),
    [
        ("<query></query>", None),
        ("<query> \n</query>", None),
        ("So: <QUERY>Cepheid\n distances</QUERY>", "Cepheid distances"),
        ("<query>one</query> <query>two</query>", "one"),
    ],
)
def test_the_first_query_counts_and_an_empty_one_ends_the_search(reply, query):
    assert refined_by_chat(QUESTION, PAPER, ScriptedChat([reply])) == query


def test_the_prompt_holds_question_and_paper_and_the_settings_are_sent():
    chat = ScriptedChat(["<query>Cepheids</query>"])
    refined_by_chat(QUESTION, PAPER, chat)
    ((_, prompt),) = chat.received
    assert all(text in prompt for text in (QUESTION, PAPER.title, PAPER.abstract))
    assert chat.settings == [(0.7, 120)]


# Rules ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", ["?", "what is it?", "🌌"])
def test_a_question_without_content_words_uses_the_papers_phrases_alone(pf, question):
    assert by_rule(pf, question, keywords=("galaxies",)) == "galaxies"


@pytest.mark.parametrize("keywords", [("zzyzx",), ("Cepheid variables",), ("hubble",)])
def test_phrases_of_one_paper_or_of_the_question_are_not_used(pf, keywords):
    assert by_rule(pf, QUESTION, title="", keywords=keywords) is None


def test_missing_words_are_joined_with_the_rarest_phrases(pf):
    refined = by_rule(pf, QUESTION, title="The Hubble constant", keywords=("galaxies", "masers", "black hole"))
    df = dict(
        zip(
            ("galaxi", "maser", "hole"), pf.corpus.sparse.document_frequencies(("galaxi", "maser", "hole")), strict=True
        )
    )
    assert df["maser"] < df["galaxi"]
    assert refined.startswith("cepheids measure ")
    assert "masers" in refined
    assert len(refined.split()) <= 5


def test_a_paper_that_lacks_nothing_keeps_the_whole_question(pf):
    refined = by_rule(pf, "Cepheids and the Hubble constant", title="Cepheids, Hubble constant", keywords=("masers",))
    assert refined == "cepheids hubble constant masers"


def test_the_title_replaces_missing_keywords(pf):
    assert by_rule(pf, QUESTION, title="Masers of galaxies").startswith("cepheids measure hubble constant ")
