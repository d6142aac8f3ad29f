#!/usr/bin/env python3
"""Writes the manual page of `arenite` from the help pages of its commands.

usage: man_page.py ARENITE VERSION OUT.1
"""

import pathlib
import re
import subprocess
import sys

SECTION = re.compile(r"^(\w[\w ]*):$", re.MULTILINE)


def roff(text):
    """Text as roff takes it: no line of it is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def sections_of(page):
    """The head of a help page, and each of its sections by name."""
    head, *rest = SECTION.split(page)
    return head.strip(), dict(zip(rest[::2], rest[1::2]))


def entries_of(section):
    """Pairs of a name and its text: names stand behind two spaces, texts go on further to the right."""
    entries = []
    for line in section.strip("\n").splitlines():
        if line.startswith("  ") and line[2:3] not in (" ", ""):
            name, _, text = line.strip().partition("  ")
            entries.append([name, text.strip()])
        elif line.strip() and entries:
            entries[-1][1] += " " + line.strip()
    return [(name, text.strip()) for name, text in entries]


def tagged(entries):
    return "".join(f".TP\n.B {roff(name)}\n{roff(text)}\n" for name, text in entries)


def examples(section):
    return ".PP\n.nf\n" + roff("\n".join(line.strip() for line in section.strip().splitlines())) + "\n.fi\n"


class Tool:
    def __init__(self, program):
        self.program = program

    def help(self, *topic):
        page = subprocess.run([self.program, "help", *topic], capture_output=True, text=True, check=True).stdout
        # "Usage: arenite plan ..." is a line, not a section.
        head, sections = sections_of(re.sub(r"^Usage: (.*)$", r"Usage:\n  \1", page, flags=re.MULTILINE))
        return head, sections

    def commands(self, *group):
        """Each command's name and summary; groups are replaced by what they hold."""
        return entries_of(self.help(*group)[1]["Commands"])


def main():
    program, version, output = sys.argv[1:]
    tool = Tool(program)
    about, overview = tool.help()
    commands = tool.commands()
    out = [f'.TH ARENITE 1 "" "Arenite {version}" "User Commands"\n',
           f".SH NAME\narenite \\- {roff(about.rstrip('.')[:1].lower() + about.rstrip('.')[1:])}\n",
           f".SH SYNOPSIS\n.B {roff(overview['Usage'].strip())}\n",
           f".SH DESCRIPTION\n{roff(about)}\n", tagged(commands), ".SH OPTIONS\n", tagged(entries_of(overview["Options"]))]
    for name, summary in commands:
        if name == "help":
            continue
        head, sections = tool.help(*name.split())
        out.append(f".SH {roff(name.upper())}\n{roff(head)}\n.PP\n.B {roff(sections['Usage'].strip())}\n")
        for section in ("Arguments", "Options"):
            out.append(tagged(entries_of(sections.get(section, ""))))
        out.append(examples(sections["Examples"]))
    out.append(".SH EXIT STATUS\n" + tagged((
        ("0", "Done."), ("1", "It ran and failed: a mismatch, a device error, does not fit, output not written."),
        ("2", "Bad usage or bad input."), ("130", "memplan alone: interrupted, and the best plan so far was written."))))
    out.append(".SH SEE ALSO\nThe pages in the folder share/doc/arenite beside this one's prefix; README.md is the first.\n")
    pathlib.Path(output).write_text("".join(out), encoding="utf-8")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
