"""The session of an answer: what every answer mode works with."""
