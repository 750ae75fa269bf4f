"""A bar chart as SVG, for documents: groups of horizontal bars, each with its figure.

In: a title, and groups: a name and bars, each a name and a figure. Out: the text of an SVG. Bars have lengths in proportion,
with their names beside them, so that nothing depends on color alone.
"""
import html

WIDTH, LEFT, RIGHT, BAR, GAP = 760, 250, 70, 18, 14
COLORS = ["#20639b", "#d98200", "#6b7280"]
TEXT = "font-family='sans-serif' font-size='13' fill='#1f2937'"


def bars(title, groups, unit):
    """The chart; figures are written with one decimal and the unit before them."""
    longest = max(figure for _, of in groups for _, figure in of)
    height = 40 + sum(BAR * len(of) + GAP for _, of in groups)
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}' role='img' aria-label='{html.escape(title, True)}'>",
        f"<rect width='{WIDTH}' height='{height}' fill='#ffffff'/>",
        f"<text x='10' y='22' font-weight='bold' {TEXT}>{html.escape(title)}</text>",
    ]
    y = 40
    for name, of in groups:
        parts.append(f"<text x='10' y='{y + 13}' {TEXT}>{html.escape(name)}</text>")
        for index, (of_bar, figure) in enumerate(of):
            length = max((WIDTH - LEFT - RIGHT) * figure / longest, 1)
            parts.append(f"<text x='{LEFT - 8}' y='{y + 13}' text-anchor='end' {TEXT}>{html.escape(of_bar)}</text>")
            parts.append(f"<rect x='{LEFT}' y='{y + 2}' width='{length:.1f}' height='{BAR - 4}' fill='{COLORS[index % len(COLORS)]}'/>")
            parts.append(f"<text x='{LEFT + length + 6:.1f}' y='{y + 13}' {TEXT}>{unit}{figure:.1f}</text>")
            y += BAR
        y += GAP
    return "\n".join([*parts, "</svg>"]) + "\n"
