"""Things that papers name: codes, surveys, missions, methods and others that a question may ask for."""
