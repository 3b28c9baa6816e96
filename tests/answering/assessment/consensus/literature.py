"""Papers that state their stance openly, and a chat model that reads nothing but what it is shown."""

import json
import random
import re

from pathfinder.models.fake import ScriptedChat
from pathfinder.types import Paper

SENTENCES = {
    "supports": "Our sample shows that the cold disks are stable.",
    "refutes": "Our sample shows that the cold disks are not stable.",
    "mixed": "Cold disks are stable in one half of our sample only.",
    "irrelevant": "We count the masers of a northern field.",
}
SOURCE = re.compile(r'<source key="([^"]+)">\nTitle: (.*)\nYear: (.*)\n(?:Abstract|Summary): (.*)\n</source>')


def paper(name, stance, year=None):
    """Make a paper, with the sentence of its stance in the middle."""
    return Paper(
        name, f"Disks of field {name}", f"We observe field {name}. {SENTENCES[stance]} More to come.", year=year
    )


def papers(supports=0, refutes=0, mixed=0, irrelevant=0, year=2000):
    """Make the given number of papers of each stance, in this order."""
    counts = {"supports": supports, "refutes": refutes, "mixed": mixed, "irrelevant": irrelevant}
    return [paper(f"{stance}-{i}", stance, year) for stance, n in counts.items() for i in range(n)]


def literature(first, flip, last, *, a_year=3, share=0.85, seed=1):
    """Make `a_year` papers a year: before `flip`, a `share` of them refutes the statement, and from then on the same
    share supports it; the others do the opposite.

    They are drawn and shuffled with a seed, so their order says nothing.
    """
    rng = random.Random(seed)
    papers_ = []
    for year in range(first, last + 1):
        with_side, against = ("supports", "refutes") if year >= flip else ("refutes", "supports")
        for i in range(a_year):
            stance = with_side if rng.random() < share else rng.choice([against, "mixed"])
            papers_.append(paper(f"{year}-{i}", stance, year))
    rng.shuffle(papers_)
    return papers_


def stance_in(abstract):
    """Return the stance that an abstract states."""
    return next(stance for stance, sentence in SENTENCES.items() if sentence in abstract)


def stances_reply(prompt, stance_of=stance_in):
    """Return the model's reply to a batch, read from the prompt alone."""
    entries = []
    for key, _, _, abstract in SOURCE.findall(prompt):
        stance = stance_of(abstract)
        entries.append({"key": key, "stance": stance, "quote": "" if stance == "irrelevant" else SENTENCES[stance]})
    return json.dumps({"stances": entries})


def opinion_reply(level="Weak Agreement", statement="Cold disks are stable.", **fields):
    """Return the model's reply when it is asked for its own level."""
    explanation, relevance = "Some find it, some do not.", 0.7
    reply = {"rewritten_statement": statement, "consensus": level, "explanation": explanation}
    return json.dumps({**reply, "relevance_score": relevance, **fields})


def model(opinion=None, stances=stances_reply):
    """Make a chat model that replies as above; `stances` makes a reply from the prompt of a batch."""
    return ScriptedChat(lambda prompt: stances(prompt) if "<statement>" in prompt else opinion or opinion_reply())
