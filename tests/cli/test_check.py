"""`pathfinder check FILE`."""

import json

from tests.cli.conftest import only_line

CHECK_INPUT = {
    "text": "Cepheids give a rate of 73.0 km/s/Mpc [1]. The background gives 69.4 km/s/Mpc [2].",
    "sources": [
        {"id": "1", "title": "Ladder", "text": "From Cepheids we measure a rate of 73.0 km/s/Mpc."},
        {"id": "2", "title": "Background", "text": "The microwave background gives 67.4 km/s/Mpc."},
    ],
}


def claim(quantity: str, value: float, start: int, end: int) -> dict[str, object]:
    exact = dict.fromkeys(("plus", "minus", "plus_systematic", "minus_systematic", "interval", "limit", "of"))
    return {"quantity": quantity, "value": value, "unit": "km/s/Mpc", "start": start, "end": end, **exact}


def test_a_file_of_another_shape_is_a_usage_error(run, tmp_path):
    file = tmp_path / "bad.json"
    file.write_text('{"text": "x"}')
    assert "sources: Field required" in only_line(run("check", file, "--json"), 2)


def test_the_json_has_the_shape_that_is_promised(run, tmp_path):
    file = tmp_path / "text.json"
    file.write_text(json.dumps(CHECK_INPUT))
    outcome = run("check", file, "--json")
    assert (outcome.status, outcome.err) == (0, "")
    assert json.loads(outcome.out) == {
        "sentences": [
            {
                "text": "Cepheids give a rate of 73.0 km/s/Mpc.",
                "citations": ["1"],
                "verdict": "supported",
                "evidence": [
                    {"id": "1", "sentence": "From Cepheids we measure a rate of 73.0 km/s/Mpc.", "score": 0.833}
                ],
            },
            {
                "text": "The background gives 69.4 km/s/Mpc.",
                "citations": ["2"],
                "verdict": "contradicted",
                "evidence": [
                    {"id": "2", "sentence": "The microwave background gives 67.4 km/s/Mpc.", "score": 0.8},
                    {"id": "2", "sentence": "Background", "score": 0.2},
                ],
            },
        ],
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
        "values": [
            claim("value", 73.0, 24, 37),
            claim("value", 69.4, 64, 77),
        ],
    }


def test_people_are_told_the_reason_and_the_sentence_of_the_source(run, tmp_path):
    file = tmp_path / "text.json"
    file.write_text(json.dumps(CHECK_INPUT))
    lines = run("check", file).out.splitlines()
    assert "contradicted: The background gives 69.4 km/s/Mpc. [2]" in lines
    assert "    69.4 km/s/Mpc in the text, 67.4 km/s/Mpc in the source" in lines
    assert "claims 73 km/s/Mpc (value)" in lines
    assert lines[-1] == "citation precision 0.50, recall 0.50, F1 0.50"


def test_words_alone_are_compared_where_the_model_is_not_installed(run, tmp_path, monkeypatch):
    monkeypatch.setattr("pathfinder.models.minilm.weights_folder", lambda: tmp_path / "gone")
    file = tmp_path / "text.json"
    file.write_text(json.dumps(CHECK_INPUT))
    outcome = run("check", file, "--meanings", "--json")
    assert outcome.status == 0
    assert [sentence["verdict"] for sentence in json.loads(outcome.out)["sentences"]] == ["supported", "contradicted"]
    assert "is missing" in outcome.err
    assert "only words were compared" in outcome.err
