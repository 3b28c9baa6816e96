"""The trace, on a page of its own."""

from itertools import pairwise

from streamlit.testing.v1 import AppTest

from tests.places import page_text, ran


def page_of_the_trace() -> None:
    import streamlit as st

    from pathfinder.answering.modes.agent.agent import Replay
    from pathfinder.errors import UsageError
    from pathfinder.types import Answer, Ended, Paper, Step, StepKind, Trace
    from pathfinder.ui.answer.trace import trace_panel

    hostile = "<b>Dust</b> ![x](http://x.y/z.png) [a link](http://x.y) :red[x]"
    steps = (
        Step(StepKind.ACTION, 'search(query="dust?")', "search", (("query", "dust?"),)),
        Step(StepKind.OBSERVATION, "2 papers were found.\n\n" + "Long. " * 200, paper_ids=("a", "unlisted")),
        Step(StepKind.THOUGHT, hostile, seconds=1.25),
        Step(StepKind.ACTION, 'search(query="cold", top_k=3)', "search", (("query", "cold"), ("top_k", 3))),
        Step(StepKind.OBSERVATION, "Nothing new.", is_edited=True),
        Step(StepKind.NOTICE, "The step budget is spent."),
        Step(StepKind.FINAL, "It is cold [k3q7z]."),
    )
    run_trace = Trace("dust?", st.session_state.get("way", "agent"), steps, Ended.STEPS, 4)
    answer = Answer("dust?", "Cold [1].", (), False, (), sources=(Paper("a", "Dust", "Cold."),), trace=run_trace)

    def go_on(trace: Trace, place: int, step: Step) -> None:
        if step.text == "no":
            raise UsageError("that is **no** step")
        st.session_state["went"] = [*st.session_state.get("went", []), (place, step)]

    def play(trace: Trace) -> Replay:
        return Replay(trace, st.session_state.get("differences", ()))

    trace_panel(None if st.session_state.get("nothing") else answer, go_on, play)


def page() -> AppTest:
    return ran(AppTest.from_function(page_of_the_trace).run())


def test_every_step_is_shown_in_its_order_with_what_is_known_of_it():
    text = page_text(page())
    heads = ["1. Action", "2. Observation", "3. Thought", "4. Action", "5. Observation", "6. Notice", "7. Final"]
    assert all(text.index(head) < text.index(other) for head, other in pairwise(heads))
    assert "1. Action** · your own search" in text
    assert "3. Thought** · 1.2 s" in text
    assert "5. Observation** · written by you" in text
    assert "agent · 2 actions · 1.2 s · ended: step budget spent · continues from step 5, which you wrote" in text
    assert "[1](#paper-1)" in text
    assert "unlisted" in text


def test_nothing_in_a_step_acts():
    (thought,) = [part.value for part in page().markdown if "Dust" in part.value and "http" in part.value]
    assert "<b>" not in thought.replace("\\<b\\>", "")
    assert "](http" not in thought
    assert ":red[" not in thought


def test_a_long_observation_is_folded_up_and_whole():
    lids = [lid for lid in page().expander if lid.label == "As shown to the model"]
    assert len(lids) == 1
    assert "Long\\. " * 199 in lids[0].markdown[0].value


def test_only_thoughts_observations_and_the_models_own_actions_can_be_edited():
    keys = [button.key for button in page().button if button.key and button.key.startswith("trace-edit-")]
    assert keys == ["trace-edit-1", "trace-edit-2", "trace-edit-3", "trace-edit-4"]


def test_a_rewritten_action_is_gone_on_from():
    it = page()
    it = ran(it.button(key="trace-edit-3").click().run())
    assert it.text_input(key="trace-query-3").value == "cold"
    assert it.text_input(key="trace-top_k-3").value == "3"
    it.text_input(key="trace-query-3").input("warm dust")
    it.text_input(key="trace-year_from-3").input("1998")
    it.text_input(key="trace-top_k-3").input("")
    it = ran(go_on(it))
    ((place, step),) = it.session_state["went"]
    assert place == 3
    assert step.arguments == (("query", "warm dust"), ("year_from", 1998))
    assert "trace-text-3" not in [field.key for field in it.text_input]


def test_a_number_that_is_none_is_said_and_nothing_is_gone_on_from():
    it = ran(page().button(key="trace-edit-3").click().run())
    it.text_input(key="trace-year_from-3").input("soon")
    it = ran(go_on(it))
    assert "from year must be a whole number, got 'soon'" in page_text(it)
    assert "went" not in it.session_state


def test_a_rewritten_thought_is_gone_on_from_or_left():
    it = ran(page().button(key="trace-edit-2").click().run())
    it.text_area(key="trace-text-2").input("Look for snow.")
    it = ran(go_on(it))
    assert it.session_state["went"][0][1].text == "Look for snow."
    it = ran(it.button(key="trace-edit-2").click().run())
    (leave,) = [button for button in it.button if button.label == "Cancel"]
    it = ran(leave.click().run())
    assert len(it.session_state["went"]) == 1
    assert not it.text_area


def test_what_cannot_be_gone_on_from_is_said():
    it = ran(page().button(key="trace-edit-4").click().run())
    it.text_area(key="trace-text-4").input("no")
    assert "that is **no** step" in page_text(ran(go_on(it)))


def test_a_replay_says_whether_it_came_out_the_same():
    it = ran(page().button(key="trace-play").click().run())
    assert "Every step matched the recording." in page_text(it)
    it.session_state["differences"] = ("step 2 (observation) found different papers",)
    it = ran(it.button(key="trace-play").click().run())
    assert "The replay differed from the recording: step 2 (observation) found different papers." in page_text(it)


def test_a_trace_of_another_way_is_shown_but_cannot_be_gone_on_from():
    it = AppTest.from_function(page_of_the_trace)
    it.session_state["way"] = "deep-research"
    it = ran(it.run())
    assert "3. Thought" in page_text(it)
    assert not [button for button in it.button if button.key and button.key.startswith(("trace-edit", "trace-play"))]


def test_without_steps_a_saved_trace_can_still_be_opened():
    it = AppTest.from_function(page_of_the_trace)
    it.session_state["nothing"] = True
    it = ran(it.run())
    assert "Open a saved trace" in [lid.label for lid in it.expander]


def go_on(page: AppTest) -> AppTest:
    (button,) = [button for button in page.button if button.label == "Continue from here"]
    return button.click().run()
