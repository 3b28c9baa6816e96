"""Messages that Pathfinder itself adds to a run of the agent."""

from pathfinder.types import Ended

ENDINGS = {
    Ended.STEPS: "The step budget is spent: the answer is based on what has been found so far.",
    Ended.SECONDS: "The time budget is spent: the answer is based on what has been found so far.",
    Ended.TOKENS: "The token budget is spent: the answer is based on what has been found so far.",
    Ended.CALLS: "The call budget is spent: the answer is based on what has been found so far.",
}
LOOP = "The chat model repeated itself after a warning: the answer is based on what has been found so far."
FAILURE = "The chat model failed: "
EMPTY = "The chat model said nothing: it was asked once more, without tools, to answer as best it could."
LAST_FAILED = "The last call of the chat model failed: "
REFUSAL = "Refused: "
NOT_RELEVANT = "By Pathfinder's own measure, none of these is relevant to the query."
GO_ON = "Continue from there."
