"""A guess at stances without a chat model: measured, marked as a guess, and counted in no level."""
