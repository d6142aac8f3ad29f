"""Bounds the stack below the calls of a model (load, run and the rest of include/arenite/model.h) in a linked image.

The compiler's call graph says what calls what; calls through pointers reach what tools/checks/stack_rules.txt says,
as far as the image holds it.
"""

import pathlib
import re
import sys

CHECKS = pathlib.Path(__file__).resolve().parents[1] / "checks"
sys.path.insert(0, str(CHECKS))
import stack_usage  # pylint: disable=wrong-import-position

ROOTS = (r"Status program::(?:\w+::)*load\(", r" arenite::ModelInstance::", r"Status arenite::verify_constants\(")
FUNCTION_SECTION = re.compile(r"^\.text\.(?:unlikely\.|startup\.|hot\.)?(\w.*)$")
OBJECT = re.compile(r"([^/(]+)\.(?:obj|o)\)?$")


class StackBounds:
    def __init__(self, folders):
        words = [*(f"--root={root}" for root in ROOTS), f"@{CHECKS / 'stack_rules.txt'}", *folders]
        self.program = stack_usage.Program(stack_usage.read_call_graph(folders), stack_usage.parse_options(words))
        self.roots = [title for root in ROOTS for title in self.program.roots(root)]

    def of_image(self, sections):
        """Bytes of the deepest chain below any call of a model; the sections are map_budget's, of the image's map."""
        self.program.hold(Linked(sections).holds)
        return max(map(self.program.worst_below, self.roots))

    def deepest(self, sections):
        """The same of the calls that the image makes, and the chain: [{"function", "bytes": from there on}]."""
        linked = Linked(sections).holds
        self.program.hold(linked)
        root = max(filter(linked, self.roots), key=self.program.worst_below)
        return self.program.worst_below(root), self.program.chain(root)


class Linked:
    """The functions that an image holds."""

    def __init__(self, sections):
        self.names, self.of_files = set(), set()
        for section in sections:
            name = FUNCTION_SECTION.match(section.name)
            if section.output is None or section.bytes == 0 or name is None:
                continue
            self.names.add(name[1])
            found = OBJECT.search(section.owner)
            self.of_files.add((found[1] if found else "", name[1]))

    def holds(self, title):
        """Functions of an unnamed namespace are each file's own; others are linked from any file."""
        file, _, name = title.rpartition(":")
        if file and ("_GLOBAL__N_" in name or name.startswith("_ZL")):
            return (file.rpartition("/")[2], name) in self.of_files
        return name in self.names

# SPDX-License-Identifier: Apache-2.0
