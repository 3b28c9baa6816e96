from pathfinder.assessment.values.candidate import value_as_text
from pathfinder.types import StatedValue


def value(number: float, plus: float | None, minus: float | None, limit: str | None = None) -> StatedValue:
    return StatedValue("riess", "H_0", number, plus, minus, "km/s/Mpc", limit, "SH0ES", 6, 20)


def test_uncertainties_and_limits_are_written_as_astronomers_do() -> None:
    assert value_as_text(value(73.04, 1.04, 1.04)) == "73.04 ± 1.04 km/s/Mpc"
    assert value_as_text(value(2.9, 1.9, 0.6)) == "2.9 +1.9 −0.6 km/s/Mpc"
    assert value_as_text(value(0.12, None, None, "upper")) == "< 0.12 km/s/Mpc"
    assert value_as_text(value(70, None, None, "about")) == "about 70 km/s/Mpc"
