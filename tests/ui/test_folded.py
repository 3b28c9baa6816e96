"""A reply that is no answer, on the page: closed, with its reason, and inert."""

from streamlit.testing.v1 import AppTest

SCRIPT = """
from pathfinder.types import Answer, CheckedSentence, FoldedReply, Ledger, Paper, Verdict
from pathfinder.ui.answer.panel import _folded_reply

sentence = CheckedSentence("Bananas <b>grow</b>.", ("a",), Verdict.NOT_FOUND, ())
ledger = Ledger((sentence,), 0.0, 0.0, 0.0)
text = "Bananas <b>grow</b> [1]. ![x](http://example.org/p.png)"
folded = FoldedReply(text, "its only sentence is not found", "gguf:small", ("it cited [9]",), ledger)
answer = Answer("why?", "Dust is cold. [1]", (), False, (), sources=(Paper("a", "Dust", "Dust is cold."),))
_folded_reply(folded, answer)
"""


def test_what_the_model_wrote_is_closed_and_says_why() -> None:
    app = AppTest.from_string(SCRIPT).run()
    assert not app.exception
    (expander,) = app.expander
    assert expander.label == "What the model wrote"
    assert not expander.proto.expanded
    captions = " ".join(caption.value for caption in app.caption).replace("\\", "")
    assert "small: not shown as the answer, because its only sentence is not found" in captions
    assert "it cited [9]" in captions
    written = " ".join(markdown.value for markdown in app.markdown)
    assert "[1](#paper-1)" in written
    assert "<b>" not in written
    assert "![x](http" not in written
