"""How good answers, judged hits and other services' searches are: Lumina's and OpenScholar's measures, and more."""
