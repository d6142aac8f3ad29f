"""Draws the two pictures of docs/zoo.md as SVGs without a script, for light and dark pages."""
import math
from xml.sax.saxutils import escape

STYLE = """svg.zoo { --ink: #1b1f24; --muted: #5b6572; --line: #dde2e8; --ground: #ffffff; --first: #2563c9; --second: #b3541e; --good: #1a7f4b; --bad: #cf222e; }
@media (prefers-color-scheme: dark) {
  svg.zoo { --ink: #e6edf3; --muted: #98a4b3; --line: #2b333e; --ground: #12171e; --first: #6aa6ff; --second: #f0a06c; --good: #4fc38a; --bad: #ff7b72; }
}
.zoo text { font: 11px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif; fill: var(--muted); }
.zoo .ground { fill: var(--ground); }
.zoo .title { font-size: 18px; font-weight: 600; fill: var(--ink); }
.zoo .heading { font-size: 13px; font-weight: 600; fill: var(--ink); }
.zoo .name { fill: var(--ink); }
.zoo .grid { stroke: var(--line); }
.zoo .same { stroke: var(--muted); }
.zoo .first { fill: var(--first); }
.zoo .second { fill: var(--second); }
.zoo .pair { stroke: var(--muted); stroke-opacity: 0.5; }
.zoo .leader { stroke: var(--muted); stroke-width: 0.6; }
.zoo .good { fill: var(--good); }
.zoo .bad { fill: var(--bad); }"""
WIDTH = 1200
# The width of a letter and the height of a line of text of 11 px, rounded up.
LETTER, LINE = 6.2, 12.0


def picture(height, title, parts):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" class="zoo" width="{WIDTH}" height="{height}" '
                      f'viewBox="0 0 {WIDTH} {height}" role="img">', f"<title>{escape(title)}</title>", f"<style>\n{STYLE}\n</style>",
                      f'<rect class="ground" width="{WIDTH}" height="{height}"/>', text(16, 30, title, "title"), *parts,
                      "</svg>", ""])


def text(x, y, content, kind="", anchor="start"):
    kind = f' class="{kind}"' if kind else ""
    anchor = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind}{anchor}>{escape(content)}</text>'


def line(x1, y1, x2, y2, kind):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def of_thousands(value):
    for unit, name in ((1e9, " G"), (1e6, " M"), (1e3, " K")):
        if value >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:g}"


class Axis:
    """Maps values to positions by their logarithms."""

    def __init__(self, low, high, begin, end):
        self.low, self.scale, self.begin = math.log10(low), (end - begin) / (math.log10(high) - math.log10(low)), begin

    def at(self, value):
        return self.begin + (math.log10(value) - self.low) * self.scale


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def place_names(points, taken, bounds):
    """A free box near each point, nearest first; a name without one is left out of the picture (the table has it)."""
    placed = []
    for name, x, y in points:
        width = len(name) * LETTER
        offsets = sorted(((dx, dy) for dx in (7, -7 - width, 14, -14 - width, -width / 2, 40, -40 - width)
                          for dy in range(-66, 78, 6) if abs(dx + width / 2) > width / 2 or abs(dy - 4) > 12),
                         key=lambda offset: abs(offset[1] - 4) + (0 if offset[0] == 7 else abs(offset[0] + width / 2) / 20))
        for dx, dy in offsets:
            box = (x + dx, y + dy - LINE + 2, x + dx + width, y + dy + 2)
            inside = bounds[0] <= box[0] and box[2] <= bounds[2] and bounds[1] <= box[1] and box[3] <= bounds[3]
            if inside and not any(overlap(box, other) for other in taken):
                taken.append(box)
                placed.append((name, box, x, y))
                break
    return placed


def costs_picture(models):
    """models: (name, [(instructions, bytes of RAM), or None] of Cortex-M4 and M55)."""
    if not models:
        return picture(60, "RAM against instructions", [])
    left, right, top, bottom = 70, WIDTH - 20, 70, 800
    all_points = [point for _, points in models for point in points if point]
    x = Axis(*(bound(all_points, 0)), left, right)
    y = Axis(*(bound(all_points, 1)), bottom, top)
    parts = [text(16, 52, "Each model at what a run takes: bytes of RAM in all, above instructions; a line joins the two boards"),
             f'<circle cx="{right - 178}" cy="26" r="4" class="first"/>', text(right - 168, 30, "Cortex-M4"),
             f'<circle cx="{right - 88}" cy="26" r="4" class="second"/>', text(right - 78, 30, "Cortex-M55")]
    for power in range(3, 11):
        if left <= x.at(10 ** power) <= right:
            parts += [line(x.at(10 ** power), top, x.at(10 ** power), bottom, "grid"),
                      text(x.at(10 ** power), bottom + 16, of_thousands(10 ** power), anchor="middle")]
    for power in range(10, 25, 2):
        if top <= y.at(2 ** power) <= bottom:
            size = f"{2 ** power >> 10} KiB" if power < 20 else f"{2 ** power >> 20} MiB"
            parts += [line(left, y.at(2 ** power), right, y.at(2 ** power), "grid"),
                      text(left - 6, y.at(2 ** power) + 4, size, anchor="end")]
    parts.append(text((left + right) / 2, bottom + 34, "instructions of a run", anchor="middle"))
    taken, named = [], []
    for name, points in models:
        spots = [(x.at(point[0]), y.at(point[1])) if point else None for point in points]
        there = [spot for spot in spots if spot]
        if len(there) == 2:
            parts.append(line(*there[0], *there[1], "pair"))
        for spot, kind in zip(spots, ("first", "second")):
            if spot:
                parts.append(f'<circle cx="{spot[0]:.1f}" cy="{spot[1]:.1f}" r="4" class="{kind}"/>')
                taken.append((spot[0] - 4, spot[1] - 4, spot[0] + 4, spot[1] + 4))
        named.append((name, *there[0]))
    for name, box, px, py in place_names(sorted(named, key=lambda point: point[1:]), taken, (left, top, right, bottom)):
        nearest = min(max(px, box[0]), box[2]), min(max(py, box[1] + 2), box[3] - 2)
        if math.dist(nearest, (px, py)) > 12:
            parts.append(line(*nearest, px, py, "leader"))
        parts.append(text(box[0], box[3] - 2, name, "name"))
    return picture(bottom + 50, "RAM against instructions", parts)


def bound(points, which):
    """The least and the largest, and some room."""
    values = [point[which] for point in points]
    return min(values) / 1.5, max(values) * 1.5


def peers_picture(groups):
    """groups: what is compared -> (name, their cost / ours), largest first."""
    if not groups:
        return picture(60, "Ours against others'", [])
    left, right, row = 260, WIDTH - 70, 17
    ratios = [ratio for bars in groups.values() for _, ratio in bars]
    x = Axis(min(*ratios, 1) / 1.1, max(*ratios, 1) * 1.1, left, right)
    parts, y = [text(16, 52, "Their cost divided by ours: a bar to the right of 1 is where we take less, to the left where we take more")], 82
    bars = []
    for group, of_group in groups.items():
        bars += [f'<rect class="ground" x="16" y="{y - 10}" width="{len(group) * 7.5:.1f}" height="18"/>', text(16, y + 4, group, "heading")]
        y += row + 2
        for name, ratio in of_group:
            begin, end = sorted((x.at(1), x.at(ratio)))
            bars += [text(left - 10, y + 4, name, "name", "end"),
                     f'<rect x="{begin:.1f}" y="{y - 6}" width="{max(end - begin, 0.5):.1f}" height="12" '
                     f'class="{"good" if ratio >= 1 else "bad"}"/>',
                     text(end + 6 if ratio >= 1 else begin - 6, y + 4, f"{ratio:.2f}", anchor="start" if ratio >= 1 else "end")]
            y += row
        y += 12
    for tick in (0.125, 0.25, 0.5, 1, 2, 4, 8, 16):
        if left <= x.at(tick) <= right:
            parts += [line(x.at(tick), 66, x.at(tick), y, "same" if tick == 1 else "grid"),
                      text(x.at(tick), y + 14, f"{tick:g}", anchor="middle")]
    return picture(y + 30, "Ours against others'", parts + bars)

# SPDX-License-Identifier: Apache-2.0
