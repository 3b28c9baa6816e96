"""Capsules: a question with everything that led to its answer, in a file that opens anywhere."""

from pathfinder.capsules.checks import CapsuleCheck, RunComparison, check, check_against, compare
from pathfinder.capsules.contents import SUFFIX, Capsule
from pathfinder.capsules.packing import CapsuleOrigin, pack
from pathfinder.capsules.reading import open_capsule

__all__ = [
    "SUFFIX",
    "Capsule",
    "CapsuleCheck",
    "CapsuleOrigin",
    "RunComparison",
    "check",
    "check_against",
    "compare",
    "open_capsule",
    "pack",
]
