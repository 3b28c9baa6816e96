"""Tests with a real chat model of 135 million parameters; they run alone, because they use every core."""
