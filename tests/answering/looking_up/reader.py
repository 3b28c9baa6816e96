"""A scripted model that reads: what it says next depends on nothing but what it was shown."""

import json
import re

from pathfinder.text.sentences import split_sentences

SOURCE = re.compile(
    r'<source key="(?P<key>\w+)">\nTitle: (?P<title>.*)\nYear: .*\n(?:Abstract|Summary): (?P<text>.*)\n</source>'
)
FINDING = re.compile(r"<finding>\nSub-question: (?P<question>.*)\nFound: (?P<found>.*)\n</finding>")


def sources(prompt):
    """Return the key and the last sentence of each source in a prompt."""
    return [(match["key"], split_sentences(match["text"])[-1]) for match in SOURCE.finditer(prompt)]


def titles_of(prompt):
    return re.search(r"<titles>\n(.*)\n</titles>", prompt, re.DOTALL)[1].splitlines()


def as_json(thought, questions):
    return json.dumps({"thought": thought, "sub_questions": questions})


def deep_research(prompt):
    """Plan from the titles, then ask further questions after the findings, until there are four."""
    if "<titles>" in prompt:
        return as_json("One for each paper.", [f"What is found in {title}?" for title in titles_of(prompt)[:2]])
    if "<sub_question>" in prompt:
        return "{1} [{0}]".format(*sources(prompt)[0])
    findings = FINDING.findall(prompt)
    if "The findings end here." in prompt:
        return " ".join(finding for _, finding in findings)
    missing = [f"Why is it said that {finding.partition(' [')[0]}?"[:200] for _, finding in findings[-2:]]
    return as_json("Why is that so?", missing if len(findings) < 4 else [])


def self_feedback(prompt):
    """Write a draft from two sources, ask why the last two sentences are true, and add what the searches found."""
    draft = re.search(r"<draft>\n(.*)\n</draft>", prompt, re.DOTALL)
    if draft is None:
        return " ".join(f"{sentence} [{key}]" for key, sentence in sources(prompt)[:2])
    if "<point>" in prompt:
        new = [f" {sentence} [{key}]" for key, sentence in sources(prompt) if sentence not in draft[1]]
        return draft[1] + "".join(new[:1])
    sentences = re.findall(r"(?:^|\] )([^\[]+) \[", draft[1])
    return "\n\n".join(
        f"Feedback: This needs a reason.\nQuestion: Why is it that {sentence}?" for sentence in sentences[-2:]
    )
