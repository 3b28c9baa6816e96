"""Answer modes, each in its own file or folder, and the registry of modes. Their prompts are in `llm/prompts`."""
