#!/usr/bin/env python3
"""kernel_files_test.py ROOT NM LIBRARY...: what kernel_files.py finds is enough to link each operator.

LIBRARY... are the archives of contracts and forms. From an operator's contract and forms on, each symbol that an
object lacks and that another of the archives defines has to be in a file that the operator takes.
"""
import collections
import pathlib
import re
import subprocess
import sys
import unittest

ROOT, NM, LIBRARIES = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
sys.path.insert(0, str(ROOT / "planner/program"))
import kernel_files  # pylint: disable=wrong-import-position

SYMBOL = re.compile(r"^.*?([^:/]+\.cc)\.o: *[0-9a-f]* (\w) (\S+)$", re.MULTILINE)


def folder_of(library):
    return {"libarenite_ops.a": "ops", "libarenite_portable.a": "portable_fallback"}.get(pathlib.Path(library).name)


class KernelFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.defined_by, cls.lacks = {}, collections.defaultdict(set)
        for library in LIBRARIES:
            listing = subprocess.run([NM, "-A", library], capture_output=True, text=True, check=True).stdout
            for name, kind, symbol in SYMBOL.findall(listing):
                file = f"{folder_of(library)}/{name}"
                if kind == "U":
                    cls.lacks[file].add(symbol)
                elif kind in "TRDB":  # what several objects define (W, V) is in each that needs it
                    cls.defined_by[symbol] = file
        cls.sources = kernel_files.Sources(ROOT)

    def linked(self, type_name):
        """The files that a linker takes for the operator's contract and forms."""
        wanted = re.compile(rf"^_ZN7arenite\d+k{type_name}(Contract|Form\d+)E$")
        waiting = [file for symbol, file in self.defined_by.items() if wanted.match(symbol)]
        seen = set()
        while waiting:
            file = waiting.pop()
            if file not in seen:
                seen.add(file)
                waiting += [self.defined_by[s] for s in self.lacks[file] if s in self.defined_by]
        return seen

    def test_each_operator_links(self):
        for type_name in self.sources.operators:
            linked = self.linked(type_name)
            self.assertTrue(linked, f"{type_name}: no file defines its contract")
            missing = linked - set(self.sources.files_of(type_name))
            self.assertFalse(missing, f"{type_name}: linked, but not among its files")

    def test_no_operator_takes_anothers_forms(self):
        files = {name: f"portable_fallback/{file}.cc" for name, file in self.sources.operators.items()}
        for type_name, own in files.items():
            strangers = set(files.values()) - {own}
            self.assertFalse(strangers & set(self.sources.files_of(type_name)), type_name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

# SPDX-License-Identifier: Apache-2.0
