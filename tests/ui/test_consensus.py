import re

from streamlit.testing.v1 import AppTest

from pathfinder.types import ConsensusLevel

STRONG, MODERATE, WEAK, NONE, LESS_WEAK, LESS_MODERATE, LESS_STRONG = ConsensusLevel


def consensus_page(n_supports, n_refutes, over_time=False, hostile=False):
    """The panel, drawn by Streamlit: what it shows is read off the page."""
    import json

    from pathfinder.answering.assessment.consensus.consensus import consensus_of
    from pathfinder.answering.assessment.consensus.history import history_of
    from pathfinder.types import Paper
    from pathfinder.ui import consensus
    from tests.answering.assessment.consensus.literature import model, opinion_reply, paper, papers, stances_reply
    from tests.answering.results import result
    from tests.answering.scripts import drain

    def lie(prompt):
        reply = json.loads(stances_reply(prompt, stance_of=lambda text: "supports"))["stances"]
        return json.dumps(
            {"stances": [{**entry, "quote": "<b>Made</b> up ![x](http://x.y/z.png) here."} for entry in reply]}
        )

    papers_ = papers(n_supports, n_refutes, 1, 1)
    if hostile:
        papers_ = [Paper("evil", "<img src=x onerror=alert(1)> [link](http://x.y)", "<b>We</b> lie.", year=2000)]
    search_result = result(tuple(papers_[:3]), query="Are cold disks stable?")
    hostile_words = {"statement": "**Yes** ![x](http://x.y/z.png)", "explanation": "<script>alert(1)</script>"}
    chat = model(opinion_reply(**hostile_words) if hostile else None, lie if hostile else stances_reply)
    consensus.consensus_options()
    _, consensus_ = drain(consensus_of("Are cold disks stable?", papers_, chat))
    history = None
    if over_time:
        flip = [paper(f"h{year}", "refutes" if year < 2000 else "supports", year) for year in range(1990, 2010)]
        _, history = drain(history_of("Are cold disks stable?", flip, chat))
    consensus.consensus_panel(search_result, consensus_, history)


def page(*arguments, **options):
    page_ = AppTest.from_function(consensus_page, args=arguments, kwargs=options).run()
    assert not page_.exception
    return page_


def text(page_):
    return "\n".join(element.value for element in (*page_.markdown, *page_.caption))


def test_too_little_evidence_is_no_level():
    words = text(page(2, 1))
    assert "### Not enough evidence" in words
    assert "4 of the papers bear on the statement" in words.replace("\\", "")


def test_the_level_its_counts_and_the_models_own_are_shown():
    words = text(page(8, 1)).replace("\\", "")
    assert "### Moderate Agreement" in words
    assert "8 for it, 1 against it, 1 mixed, of 11 papers read by fake:scripted · score +0.70" in words
    assert "The model itself says **Weak Agreement**, relevance 70%" in words


def test_every_paper_has_its_sentence_and_those_listed_lead_to_their_cards():
    words = text(page(8, 1))
    assert words.count("Our sample shows that the cold disks are stable") == 8
    assert [f"(#paper-{n})" in words for n in (1, 2, 3, 4)] == [True, True, True, False]
    assert "**:orange[Against it]** · 1" in words


def test_the_papers_that_the_level_hangs_on_are_named_with_the_level_without_them():
    # (9 - 1) / 11 = 0.73; without the one against 9 / 10 = 0.9, strong.
    words = text(page(9, 1))
    assert "**Strong Agreement**" in words
    assert "Disks of field refutes\\-0" in words


def test_opinion_over_time_is_drawn_and_said():
    page_ = page(8, 1, over_time=True)
    words = text(page_).replace("\\", "")
    assert "The field changed its mind in 2000: until then Strong Disagreement (0 for, 10 against, 0 mixed)" in words
    assert len(page_.get("plotly_chart")) == 1


def test_nothing_that_a_paper_or_a_model_says_acts_on_the_page():
    words = text(page(0, 0, hostile=True))
    assert re.findall(r"(?<!\\)(?:<\w|!\[|\*\*Yes|\[link)", words) == []
    assert "alert" in words  # what the model said is shown, its signs escaped
    assert "not counted" in words
    assert "is not in the paper" in words
