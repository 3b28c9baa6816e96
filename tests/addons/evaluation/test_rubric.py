"""Scores of answers by a weighted rubric."""

import json

import pytest

from pathfinder.addons.evaluation.answers import length_score, score_by_rubric
from pathfinder.addons.evaluation.judges import open_judge
from pathfinder.addons.evaluation.marked_files import Item, read_rubric
from pathfinder.errors import CorpusError
from pathfinder.models.fake import ScriptedChat
from pathfinder.types import Answer, CheckedSentence, Evidence, Ledger, Verdict

SENTENCES = (
    CheckedSentence("Stars spin.", ("p", "q"), Verdict.SUPPORTED, (Evidence("p", "Stars spin.", 1.0),)),
    CheckedSentence("They age.", (), Verdict.NOT_FOUND, ()),
)
ANSWER = Answer("How?", "Stars spin [1, 2]. They age.", (), False, (), ledger=Ledger(SENTENCES, None, None, None))
ITEMS = (Item("names the spin", 0.4, ("stars spin slowly",)), Item("names the age", 0.2))


def score(*marks):
    with open_judge(ScriptedChat([f"<mark>{mark}</mark>" for mark in marks]), None) as judge:
        return score_by_rubric(ANSWER, ITEMS, judge)


def test_the_parts_add_up_with_their_weights():
    rubric_score = score(10, 5, 0, 6)
    items = 0.2 * 1.0 + 0.2 * 0.5 + 0.2 * 0.0  # the first item is divided equally between criterion and evidence
    general = (
        0.05 * 1 + 0.05 * 0.6 + 0.2 * (1 / 2) + 0.1 * (1 / 2)
    )  # one of two sentences has a citation, and one citation has a quotation
    assert rubric_score.total == pytest.approx(general + items)
    assert rubric_score.items == pytest.approx(items / 0.6)


def test_a_mark_that_is_missing_is_no_zero():
    assert score(10, 5, "eleven", 6) is None


@pytest.mark.parametrize(("n_words", "expected"), [(1, 1), (300, 1), (450, 0.5), (600, 0), (900, 0)])
def test_length_counts_in_full_up_to_300_words(n_words, expected):
    assert length_score("word " * n_words) == expected


def write(folder, *rows):
    path = folder / "rubric.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


GOOD = {
    "question": "How?",
    "items": [{"criterion": "a", "weight": 0.4, "evidence": ["x"]}, {"criterion": "b", "weight": 0.2}],
}


def test_a_rubric_is_read(tmp_path):
    assert read_rubric(write(tmp_path, GOOD)) == {"How?": (Item("a", 0.4, ("x",)), Item("b", 0.2))}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": "How?"}, r"line 1 is no rubric \(items: .*each line needs"),
        (
            {"question": "How?", "items": [{"criterion": "a"}]},
            r"line 1 is no rubric \(items.0.weight: .*each line needs",
        ),
        (
            {"question": "How?", "items": [{"criterion": "a", "weight": 1}]},
            "the weights sum to 1, and have to sum to 0.6",
        ),
    ],
)
def test_a_rubric_of_another_layout_is_refused(tmp_path, row, message):
    with pytest.raises(CorpusError, match=message):
        read_rubric(write(tmp_path, row))
