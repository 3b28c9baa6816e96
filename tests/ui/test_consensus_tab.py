"""The Consensus tab: what it draws from the facade."""

from streamlit.testing.v1 import AppTest

from pathfinder.assessment.consensus.local.scorer import FITTED_FOR


def drawn_without_model(embedder):
    """The tab, of a facade that has no chat model; how often it guessed is written at its end."""
    from types import SimpleNamespace

    import streamlit as st

    from pathfinder.assessment.consensus.local.scorer import FITTED_FOR, Guess
    from pathfinder.errors import UsageError
    from pathfinder.types import StanceLabel
    from pathfinder.ui.consensus import tab as consensus_tab
    from tests.answering.results import result
    from tests.assessment.consensus.literature import papers

    def guess_stances(found, statement):
        if embedder != FITTED_FOR:
            raise UsageError(f"stances can be guessed only with {FITTED_FOR}, but this corpus uses {embedder}")
        st.session_state["guessed"] = st.session_state.get("guessed", 0) + 1
        return tuple(Guess(hit.paper, StanceLabel.REFUTES, "It is warm.") for hit in found.hits)

    found = result(papers(3))
    view = SimpleNamespace(result=found, order=tuple(hit.paper.paper_id for hit in found.hits))
    consensus_tab.panel(SimpleNamespace(chat=None, guess_stances=guess_stances), view)
    st.caption(f"guessed {st.session_state.get('guessed', 0)} times")


def tab(embedder=FITTED_FOR):
    drawn = AppTest.from_function(drawn_without_model, args=(embedder,), default_timeout=30).run()
    assert not drawn.exception
    return drawn


def words(drawn):
    return "\n".join(element.value for element in (*drawn.markdown, *drawn.caption))


def test_without_a_chat_model_a_guess_is_offered_and_worked_out_once_a_statement():
    drawn = tab()
    assert "guessed 0 times" in words(drawn)
    drawn.text_input(key="consensus-statement").input("Disks are cold.").run()
    drawn.run()
    assert "Against it" in words(drawn)
    assert "It has not been tested on papers like these" in words(drawn)
    assert "guessed 1 times" in words(drawn)
    drawn.text_input(key="consensus-statement").input("Disks are warm.").run()
    assert "guessed 2 times" in words(drawn)


def test_where_nothing_can_be_guessed_the_reason_is_given():
    drawn = tab("fake:hash")
    drawn.text_input(key="consensus-statement").input("Disks are cold.").run()
    assert "stances can be guessed only with" in words(drawn)
    assert "Against it" not in words(drawn)
