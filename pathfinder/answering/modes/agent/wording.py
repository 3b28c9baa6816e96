"""Messages that Pathfinder itself adds to a run of the agent."""

from pathfinder.types import Ended

ENDINGS = {
    Ended.STEPS: "The step budget is spent: the answer is given with what was found.",
    Ended.SECONDS: "The time budget is spent: the answer is given with what was found.",
    Ended.TOKENS: "The token budget is spent: the answer is given with what was found.",
    Ended.CALLS: "The call budget is spent: the answer is given with what was found.",
}
LOOP = "It asked for the same again after it was told: the answer is given with what was found."
FAILED = "The chat model failed: "
EMPTY = "The chat model said nothing: it is asked once more, without tools, for what it can say."
LAST_FAILED = "The last call of the chat model failed: "
REFUSED = "Refused: "
NOT_RELEVANT = "By Pathfinder's own measure, none of these bears on the query."
GO_ON = "Go on from there."
