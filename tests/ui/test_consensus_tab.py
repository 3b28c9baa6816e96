"""The Consensus tab: what it draws from the facade."""

from streamlit.testing.v1 import AppTest

from pathfinder.assessment.consensus.local import FITTED_FOR


def drawn_without_model(embedder):
    """The tab, of a facade that has no chat model; how often it guessed is written at its end."""
    from types import SimpleNamespace

    import streamlit as st

    from pathfinder.assessment.consensus.local import FITTED_FOR, Guess
    from pathfinder.errors import UsageError
    from pathfinder.types import StanceLabel
    from pathfinder.ui import consensus as consensus_tab
    from tests.answering.results import result
    from tests.assessment.consensus.literature import papers

    def guess_stances(search_result, statement):
        if embedder != FITTED_FOR:
            raise UsageError(f"stances can be guessed only with {FITTED_FOR}, but this corpus uses {embedder}")
        st.session_state["guessed"] = st.session_state.get("guessed", 0) + 1
        return tuple(Guess(hit.paper, StanceLabel.REFUTES, "It is warm.") for hit in search_result.hits)

    search_result = result(papers(3))
    view = SimpleNamespace(result=search_result, order=tuple(hit.paper.paper_id for hit in search_result.hits))
    consensus_tab.panel(SimpleNamespace(chat=None, guess_stances=guess_stances), view)
    st.caption(f"guessed {st.session_state.get('guessed', 0)} times")


def tab(embedder=FITTED_FOR):
    page = AppTest.from_function(drawn_without_model, args=(embedder,)).run()
    assert not page.exception
    return page


def words(page):
    return "\n".join(element.value for element in (*page.markdown, *page.caption))


def test_without_a_chat_model_a_guess_is_offered_and_worked_out_once_a_statement():
    page = tab()
    assert "guessed 0 times" in words(page)
    page.text_input(key="consensus-statement").input("Disks are cold.").run()
    page.run()
    assert "Against it" in words(page)
    assert "The rules have not been tested on papers like these" in words(page)
    assert "guessed 1 times" in words(page)
    page.text_input(key="consensus-statement").input("Disks are warm.").run()
    assert "guessed 2 times" in words(page)


def test_where_nothing_can_be_guessed_the_reason_is_given():
    page = tab("fake:hash")
    page.text_input(key="consensus-statement").input("Disks are cold.").run()
    assert "stances can be guessed only with" in words(page)
    assert "Against it" not in words(page)
