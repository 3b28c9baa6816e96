import json

from pathfinder.assessment.consensus.consensus import consensus_of
from pathfinder.assessment.consensus.history import history_of
from pathfinder.operations.consensus import consensus as operation
from tests.answering.scripts import drain
from tests.assessment.consensus.literature import SENTENCES, literature, model, papers

QUESTION = "Are cold disks stable?"


def test_a_consensus_as_programs_read_it():
    _, consensus = drain(consensus_of(QUESTION, papers(6, 2, 1, 1), model()))
    record = json.loads(json.dumps(operation.write(consensus), allow_nan=False))
    assert (record["level"], record["model_level"]) == ("Weak Agreement", "Weak Agreement")
    assert record["interval"] == [level.value for level in consensus.interval]
    assert record["stances"][0] == {
        "paper_id": "supports-0",
        "title": "Disks of field supports-0",
        "year": 2000,
        "stance": "supports",
        "quote": SENTENCES["supports"],
        "quote_found": True,
        "counted": True,
        "passage": None,
    }
    assert [stance["stance"] for stance in record["stances"]] == ["supports"] * 6 + ["refutes"] * 2 + [
        "mixed",
        "irrelevant",
    ]


def test_no_level_is_null():
    _, consensus = drain(consensus_of(QUESTION, papers(2), model()))
    record = json.loads(json.dumps(operation.write(consensus), allow_nan=False))
    assert (record["level"], record["interval"], record["score"]) == (None, None, 1.0)


def test_a_history_as_programs_read_it():
    _, history = drain(history_of(QUESTION, literature(1985, 2000, 2015, share=1.0), model()))
    record = json.loads(json.dumps(operation.write(history), allow_nan=False))
    assert (record["changed_in"], record["before"], record["after"]) == (
        2000,
        "Strong Disagreement",
        "Strong Agreement",
    )
    assert record["years"][0] == {
        "year": 1985,
        "supports": 0,
        "refutes": 3,
        "mixed": 0,
        "score": -1.0,
        "level": None,
    }
    assert len(record["stances"]) == 31 * 3
