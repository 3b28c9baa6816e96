from streamlit.testing.v1 import AppTest

from pathfinder.answering.modes.self_feedback import difference
from pathfinder.ui.answer.trace import difference_html

HOSTILE = '<script>alert(1)</script> <img src=x onerror=alert(1)> ![a](http://x.y/z.png) [b](http://x.y) "q"'


def test_new_and_gone_words_are_marked_by_more_than_their_colour():
    html = difference_html(difference("It is 73 [1].", "It is 67 [1]."))
    assert "<del>73</del>" in html
    assert "<ins>67</ins>" in html
    assert html.endswith(" [1].</div>")


def test_nothing_in_a_text_becomes_a_tag_wherever_it_stands():
    for old, new in ((HOSTILE, HOSTILE), (HOSTILE, "a"), ("a", HOSTILE)):
        html = difference_html(difference(old, new))
        for tag in ("div", "ins", "del"):
            html = html.replace(f"</{tag}>", "").replace(f"<{tag}>", "").replace(f"<{tag} class=", "")
        assert "<" not in html


def page(n_versions):
    from pathfinder.types import Answer, Version
    from pathfinder.ui.answer import trace

    texts = ("It is 73 [1].", "It is about 73 [1].", "It is 67 [1].")
    because = ("", "Say that it is uncertain.", "![seen](http://x.y/z.png)")
    labels = ("draft", "after point 1", "after point 2")
    versions_ = tuple(map(Version, labels, texts, because))[:n_versions]
    trace.versions_panel(Answer("q", texts[-1], (), False, (), versions=versions_))


def versions_page(n_versions):
    app = AppTest.from_function(page, kwargs={"n_versions": n_versions}).run()
    assert not app.exception
    return app


def test_each_version_is_shown_with_the_point_that_led_to_it():
    app = versions_page(3)
    assert [lid.label for lid in app.expander] == [
        "draft",
        "after point 1 (words: 1 added)",
        "after point 2 (words: 1 added, 2 removed)",
    ]
    assert [caption.value for caption in app.caption][1] == "Say that it is uncertain\\."
    assert "![seen](" not in app.caption[2].value


def test_the_reader_may_compare_with_the_draft():
    app = versions_page(3)
    app.button_group(key="versions-against").set_value("the draft").run()
    assert app.expander[2].label == "after point 2 (words: 1 added, 1 removed)"


def test_an_answer_of_one_version_has_no_panel():
    assert not versions_page(1).expander
    assert not versions_page(0).expander
