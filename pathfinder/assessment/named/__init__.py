"""Things that papers name: codes, surveys, missions, methods and others that a question asks for."""
