"""Papers that say aloud what they find, and a chat model that reads nothing but what it is shown."""

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
    """One paper, with the sentence of its stance in the middle."""
    return Paper(
        name, f"Disks of field {name}", f"We observe field {name}. {SENTENCES[stance]} More to come.", year=year
    )


def papers(supports=0, refutes=0, mixed=0, irrelevant=0, year=2000):
    """So many of each, in this order."""
    wanted = {"supports": supports, "refutes": refutes, "mixed": mixed, "irrelevant": irrelevant}
    return [paper(f"{stance}-{i}", stance, year) for stance, n in wanted.items() for i in range(n)]


def literature(first, flip, last, *, a_year=3, share=0.85, seed=1):
    """`a_year` papers a year: until `flip` a `share` of them refutes, from it on that share supports; rest otherwise.

    Seeded, and shuffled: the order tells nothing.
    """
    rng = random.Random(seed)
    found = []
    for year in range(first, last + 1):
        with_side, against = ("supports", "refutes") if year >= flip else ("refutes", "supports")
        for i in range(a_year):
            stance = with_side if rng.random() < share else rng.choice([against, "mixed"])
            found.append(paper(f"{year}-{i}", stance, year))
    rng.shuffle(found)
    return found


def told(abstract):
    """The stance that an abstract says aloud."""
    return next(stance for stance, sentence in SENTENCES.items() if sentence in abstract)


def stances_reply(prompt, told=told):
    """What the model replies to a batch: read off the prompt and nothing else."""
    said = []
    for key, _, _, abstract in SOURCE.findall(prompt):
        stance = told(abstract)
        said.append({"key": key, "stance": stance, "quote": "" if stance == "irrelevant" else SENTENCES[stance]})
    return json.dumps({"stances": said})


def opinion_reply(level="Weak Agreement", statement="Cold disks are stable.", **fields):
    """What the model replies when it is asked for its own level."""
    explanation, relevance = "Some find it, some do not.", 0.7
    reply = {"rewritten_statement": statement, "consensus": level, "explanation": explanation}
    return json.dumps({**reply, "relevance_score": relevance, **fields})


def model(opinion=None, stances=stances_reply):
    """A chat model that replies as above; `stances` makes a reply of a batch's prompt."""
    return ScriptedChat(lambda prompt: stances(prompt) if "<statement>" in prompt else opinion or opinion_reply())


def drained(steps):
    """What a generator yields, and what it returns."""
    yielded = []
    while True:
        try:
            yielded.append(next(steps))
        except StopIteration as end:
            return yielded, end.value
