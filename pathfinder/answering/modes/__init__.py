"""Answer modes, each in its own file or folder with its prompts in `llm/prompts`, and the registry of modes."""
