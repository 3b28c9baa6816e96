"""What notebooks of 0.1.0 import and call is there, under the same names and with the same defaults."""

import json

import pytest

from tests.contract.signatures import broken_promises, public_api
from tests.contract.workspace import HERE

EXPECTED = json.loads((HERE / "api.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", EXPECTED["exports"])
def test_what_pathfinder_exports_is_called_as_before(name):
    exports = public_api()["exports"]
    assert name in exports
    assert not list(broken_promises(EXPECTED["exports"][name], exports[name]))


@pytest.mark.parametrize("name", EXPECTED["enums"])
def test_an_enumeration_keeps_its_members_and_their_values(name):
    members = public_api()["enums"].get(name, {})
    assert {member: members.get(member) for member in EXPECTED["enums"][name]} == EXPECTED["enums"][name]
