"""A paper whose abstract takes no stance is read again with the best passage of its full text."""

import json
import re

from pathfinder.answering.assessment.consensus.consensus import consensus_of, read
from pathfinder.operations.consensus import consensus as operation
from pathfinder.types import FullTextPassage, SectionKind, StanceLabel
from tests.answering.assessment.consensus.literature import SENTENCES, model, papers
from tests.answering.scripts import drain

STATEMENT = "Cold disks are stable."
TEXT = f"We observed for two nights. {SENTENCES['refutes']} The rest is noise."
PASSAGE = FullTextPassage(TEXT, "3. Results", SectionKind.RESULT, 5, 2, 0, 0, 0, len(TEXT), 0.8)
SOURCE = re.compile(r'<source key="([^"]+)">\n.*\n.*\nAbstract: (.*)\n(?:Full text \(([^)]*)\): (.*)\n)?</source>')


def reads_all(prompt):
    """Take the stance of the full text where the prompt shows one, and of the abstract elsewhere."""
    entries = []
    for key, abstract, _, full_text in SOURCE.findall(prompt):
        read_text = full_text or abstract
        stance = next(stance for stance, sentence in SENTENCES.items() if sentence in read_text)
        entries.append({"key": key, "stance": stance, "quote": "" if stance == "irrelevant" else SENTENCES[stance]})
    return json.dumps({"stances": entries})


def test_only_papers_without_a_stance_are_read_again_and_the_stance_names_its_passage():
    papers_ = papers(supports=1, irrelevant=2)
    passages = {"supports-0": PASSAGE, "irrelevant-1": PASSAGE}
    steps, stances = drain(read(STATEMENT, papers_, model(stances=reads_all), passages))
    assert [stance.label for stance in stances] == [
        StanceLabel.SUPPORTS,
        StanceLabel.IRRELEVANT,
        StanceLabel.REFUTES,
    ]
    assert [stance.passage for stance in stances] == [None, None, PASSAGE]
    assert (stances[2].quote, stances[2].is_counted) == (SENTENCES["refutes"], True)
    assert steps == ["3 of 3 papers read", "1 of 1 full texts read"]


def test_a_quote_that_neither_text_has_is_not_counted():
    def invents(prompt):
        return reads_all(prompt).replace(SENTENCES["refutes"], "Our sample has long been lost at sea.")

    _, (stance,) = drain(read(STATEMENT, papers(irrelevant=1), model(stances=invents), {"irrelevant-0": PASSAGE}))
    assert (stance.is_quote_found, stance.passage) == (False, None)


def test_the_result_says_which_text_was_read():
    papers_ = papers(supports=2, irrelevant=1)
    _, outcome = drain(
        consensus_of("Are cold disks stable?", papers_, model(stances=reads_all), None, {"irrelevant-0": PASSAGE})
    )
    assert "1 paper takes its stance in a passage of the full text, not in the abstract." in outcome.notes
    record = operation.write(outcome)
    assert [stance["passage"] and stance["passage"]["heading"] for stance in record["stances"]] == [
        None,
        None,
        "3. Results",
    ]
    assert f"    “{SENTENCES['refutes']}” (3. Results, page 5)" in list(operation.lines(outcome))
