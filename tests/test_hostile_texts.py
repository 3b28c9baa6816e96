"""Texts as long as a question may be, of one repeated unit, and abstracts that are longer: each is answered, because no
pattern that reads it takes more than linear time. `python -m benchmarks.patterns` tries every pattern with many more.
"""

import subprocess
import sys
from pathlib import Path

WORST = ("A.", "A-", "Ab-", "à", "A1", "1-", "1,", " 0", "Ab, ", "10.1234/", "中", " A.B. ", "dal à.  des ad-Aa, ")
"""Units with which a question once took from seconds to hours, those of other scripts and identifiers among them."""
AROUND = ("x, ", "a", " 'b")
"""A question that is nothing but a name, if the unit in the middle were not repeated: hours from 400 characters on."""
MINUTES = 5 * 60
"""Seconds after which a text counts as never answered; nothing but the end of its process stops a pattern."""
READ = """
import sys
from pathfinder import Pathfinder
from pathfinder.answering.digest.excerpts import insertions_for
from pathfinder.operations import run
from pathfinder.settings import Settings
from pathfinder.types import Paper
from pathfinder.types.texts import MAX_CHARACTERS

pf = Pathfinder.open(sys.argv[1], settings=Settings(_env_file=None))
before, unit, after = sys.argv[2:5]
pf.search(before + unit * (MAX_CHARACTERS - 10) + after)
for unit in sys.argv[5:]:
    text = (unit * MAX_CHARACTERS)[:MAX_CHARACTERS]
    pf.answer(pf.search(text))
    sources = [{"id": "1", "text": text}]
    run(pf, "check", text=f"{text[:-5]} [1].", sources=sources)
    before = unit * 100_000
    abstract = f"{before}. They found dust."
    insertions_for(Paper("p", "T", abstract, authors=("Roe", "Doe")), len(before) + 2, len(abstract))
    print(unit)
"""


def test_a_text_of_one_repeated_unit_is_searched_for_answered_and_checked(golden_corpus: Path) -> None:
    command = [sys.executable, "-c", READ, str(golden_corpus), *AROUND, *WORST]
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=MINUTES, check=False)
    assert ended.stdout.splitlines() == list(WORST), ended.stderr
