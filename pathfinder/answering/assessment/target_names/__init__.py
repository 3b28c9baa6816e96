"""Things that papers name and a question may ask for, such as codes, surveys, missions and methods."""
