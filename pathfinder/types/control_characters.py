"""Control characters, which are removed from texts written by readers and models."""


def without_control_characters(text: str) -> str:
    """Remove NUL and other control characters from `text`, along with characters that change the direction of the
    surrounding text; line breaks and tabs become spaces.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or not _is_control(c) else " " if c in "\n\r\t" else "" for c in text)


def _is_control(character: str) -> bool:
    code = ord(character)
    # Lone surrogates cannot be encoded: tokenizers and files reject them.
    turns_text = 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069
    return code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code <= 0xDFFF or turns_text
