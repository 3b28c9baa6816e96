import pytest

from pathfinder.errors import ProviderError, RateLimited
from pathfinder.explorer import Pathfinder
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.retrieval.strategies.refinement import refined_by_chat, refined_by_rule
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


def test_a_failure_is_raised():
    with pytest.raises(RateLimited):
        refined_by_chat(QUESTION, PAPER, ScriptedChat([Reply("", RateLimited("slow down"))]))


@pytest.mark.parametrize(
    ("reply", "query"),
    [
        ("<query></query>", None),
        ("<query> \n</query>", None),
        ("So: <QUERY>Cepheid\n distances</QUERY>", "Cepheid distances"),
        ("<query>one</query> <query>two</query>", "one"),
    ],
)
def test_the_first_query_counts_and_an_empty_one_says_that_nothing_is_left(reply, query):
    assert refined_by_chat(QUESTION, PAPER, ScriptedChat([reply])) == query


def test_the_prompt_holds_question_and_paper_and_the_settings_are_sent():
    chat = ScriptedChat(["<query>Cepheids</query>"])
    refined_by_chat(QUESTION, PAPER, chat)
    ((_, prompt),) = chat.asked
    assert all(text in prompt for text in (QUESTION, PAPER.title, PAPER.abstract))
    assert chat.settings == [(0.7, 120)]


# Rules ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", ["?", "what is it?", "🌌"])
def test_a_question_without_content_is_led_on_by_the_papers_phrases_alone(pf, question):
    assert by_rule(pf, question, keywords=("galaxies",)) == "galaxies"


@pytest.mark.parametrize("keywords", [("zzyzx",), ("Cepheid variables",), ("hubble",)])
def test_phrases_that_nobody_else_has_or_that_were_asked_for_lead_nowhere(pf, keywords):
    assert by_rule(pf, QUESTION, title="", keywords=keywords) is None


def test_what_the_paper_lacks_is_asked_with_its_rarest_phrases(pf):
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


def test_a_paper_that_lacks_nothing_leads_on_from_the_whole_question(pf):
    refined = by_rule(pf, "Cepheids and the Hubble constant", title="Cepheids, Hubble constant", keywords=("masers",))
    assert refined == "cepheids hubble constant masers"


def test_the_title_stands_in_for_keywords(pf):
    assert by_rule(pf, QUESTION, title="Masers of galaxies").startswith("cepheids measure hubble constant ")
