"""Answer modes, each in a file or folder of its own with its prompts in `llm/prompts`, and the registry of modes."""
