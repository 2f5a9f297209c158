"""A range of lines that is not shown → the line in its place, with the very call that brings it back."""


def placeholder(ref: str, start: int, lines: int, inside_a_line: bool) -> str:
    """`[760 lines not shown: read_result(ref="…", start=121, lines=760)]`."""
    where = " (cut inside a line)" if inside_a_line else ""
    call = f'read_result(ref="{ref}", start={start}, lines={lines})'
    return f"[{lines} line{'s' if lines != 1 else ''} not shown{where}: {call}]"
