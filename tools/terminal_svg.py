"""
Draws the text on standard input as a terminal window, as SVG on standard output.

    tournament run examples/demo.toml --out out/demo 2>&1 | python tools/terminal_svg.py > docs/demo.svg
"""

import sys
from html import escape
from typing import Final

ROW: Final = 18
"""Height of a line, in pixels."""
COLUMN: Final = 7.85
"""Width of a character."""
EDGE: Final = 18


def svg(lines: list[str]) -> str:
    """Return *lines* as a picture."""
    width = max(map(len, lines)) * COLUMN + 2 * EDGE
    height = len(lines) * ROW + 2 * EDGE
    texts = "\n".join(
        f'<text x="{EDGE}" y="{EDGE + ROW * (number + 0.75):.0f}" xml:space="preserve">{escape(line)}</text>'
        for number, line in enumerate(lines)
        if line
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'width="{width:.0f}" height="{height}" role="img">\n'
        '<rect width="100%" height="100%" rx="8" fill="#16202b"/>\n'
        '<g fill="#dbe4ee" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="13">\n'
        f"{texts}\n</g>\n</svg>\n"
    )


if __name__ == "__main__":
    sys.stdout.write(svg(sys.stdin.read().rstrip("\n").split("\n")))
