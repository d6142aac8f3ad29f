#!/usr/bin/env python3
"""Splits the text of an image over categories by its link map, and holds a category to a budget.

Counts the input sections .text*, .rodata* and .vectors* (code and constants, as `size` calls text)
that a GNU ld map places in the image, and the padding between them. Each belongs to the first
category whose regular expression matches anywhere in `path(member) section`, for instance
`core/libcore.a(load.cc.obj) .text._ZN7arenite4loadE`; what none matches is `other`, padding too.

  map_budget.py MAP [--category NAME=REGEX]... [--budget NAME=BYTES]... [--list NAME] [--json] [@RULES]

--list also prints each section of one category, largest first. @RULES is a file of options, one a
line; # begins a comment. The counted sections of every output section must add up to its size, else
the map was not understood. Exit status: 0, 1 above a budget, 2 an error.
"""

import argparse
import collections
import json
import pathlib
import re
import sys

from stack_usage import Parser

START = "Linker script and memory map"
# A program is data of its own: .rodata.arenite.NAME.
COUNTED = re.compile(r"^\.(text|vectors)(\.|$)|^\.rodata(?!\.arenite\.)(\.|$)")
NUMBER = r"0x([0-9a-f]+)"
OUTPUT = re.compile(rf"^(\.[^\s]+)\s+{NUMBER}\s+{NUMBER}(\s|$)")
INPUT = re.compile(rf"^ (\.[^\s]+|COMMON)\s+{NUMBER}\s+{NUMBER}\s+(\S.*)$")
FILL = re.compile(rf"^ \*fill\*\s+{NUMBER}\s+{NUMBER}")
NAME_ALONE = re.compile(r"^( ?\.[^\s]+)$")

Section = collections.namedtuple("Section", "output name owner bytes")


class NotUnderstood(Exception):
    """The map is not one that GNU ld writes; the text says where."""


def joined_lines(text):
    """The map's lines; a long name and the numbers that ld puts on the next line become one line."""
    lines = iter(text.split(START, 1)[1].splitlines())
    for line in lines:
        if NAME_ALONE.match(line):
            line += next(lines, "")
        yield line


def read_map(path):
    """All placed input sections and paddings of the image, and the size of each output section."""
    text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    if START not in text:
        raise NotUnderstood(f"{path}: expected a GNU ld map with '{START}'")
    sections, sizes, output = [], {}, None
    for line in joined_lines(text):
        if found := OUTPUT.match(line):
            output = found[1]
            sizes[output] = int(found[3], 16)
        elif found := INPUT.match(line):
            sections.append(Section(output, found[1], found[4], int(found[3], 16)))
        elif found := FILL.match(line):
            sections.append(Section(output, "*fill*", "", int(found[2], 16)))
    return sections, sizes


def counted(sections, sizes, path):
    """The sections to count: those of the output sections that hold code or constants."""
    outputs = {s.output for s in sections if COUNTED.match(s.name) and s.bytes != 0}
    if not outputs:
        raise NotUnderstood(f"{path}: holds no code")
    for output in sorted(outputs):
        total = sum(s.bytes for s in sections if s.output == output)
        if total != sizes.get(output):
            raise NotUnderstood(f"{path}: {output} is {sizes.get(output)} bytes, its sections add "
                                f"up to {total}")
    return [s for s in sections
            if s.output in outputs and (s.name == "*fill*" or COUNTED.match(s.name))]


def category_of(section, categories):
    text = f"{section.owner} {section.name}"
    return next((name for name, pattern in categories if pattern.search(text)), "other")


def pair(convert):
    def parse(text):
        name, equals, value = text.partition("=")
        if not equals:
            raise argparse.ArgumentTypeError(f"expected NAME=VALUE, found '{text}'")
        return name, convert(value)
    return parse


def parse_options(words=None):
    parser = Parser(description=__doc__.splitlines()[0], fromfile_prefix_chars="@")
    parser.add_argument("map")
    parser.add_argument("--category", action="append", type=pair(re.compile), default=[])
    parser.add_argument("--budget", action="append", type=pair(int), default=[])
    parser.add_argument("--list", metavar="NAME")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(words)


def main():
    options = parse_options()
    try:
        sections = counted(*read_map(options.map), options.map)
    except (NotUnderstood, OSError) as error:
        print(f"map_budget: {error}", file=sys.stderr)
        return 2
    totals = {name: 0 for name, _ in options.category}
    totals["other"] = 0
    for section in sections:
        totals[category_of(section, options.category)] += section.bytes
    unknown = [name for name, _ in options.budget if name not in totals]
    if unknown:
        print(f"map_budget: no category {', '.join(unknown)}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps({"categories": totals, "total": sum(totals.values())}))
    else:
        for name, total in totals.items():
            print(f"{total:8}  {name}")
        print(f"{sum(totals.values()):8}  total")
    if options.list is not None:
        chosen = [s for s in sections if category_of(s, options.category) == options.list]
        for section in sorted(chosen, key=lambda s: -s.bytes):
            print(f"  {section.bytes:6}  {section.owner} {section.name}")
    over = [(name, most) for name, most in options.budget if totals[name] > most]
    for name, most in over:
        print(f"map_budget: {name}: {totals[name]} bytes, budget {most}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
