"""Papers compared column by column, in the words of the chat model or in their own sentences."""
