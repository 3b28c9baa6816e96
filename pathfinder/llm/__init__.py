"""Chat models: the port, the LangChain adapter, usage, budgets and replies."""
