#!/usr/bin/env python3
"""kernel_files_test.py ROOT NM LIBRARY...: what kernel_files.py finds is enough to link each operator.

LIBRARY... are the archives of contracts and forms. From the file of a contract or a form on, each symbol that an
object lacks and that another of the archives defines has to be in a file that the contract or form takes.
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


def paths_of(library, files):
    """{name of an object's source: its path}; names differ within a library."""
    folder = {"libarenite_ops.a": "ops", "libarenite_portable.a": "portable_fallback"}[pathlib.Path(library).name]
    return {file.rsplit("/", maxsplit=1)[1]: file for file in files if file.startswith(folder + "/")}


class KernelFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.defined_by, cls.lacks = {}, collections.defaultdict(set)
        cls.sources = kernel_files.Sources(ROOT)
        for library in LIBRARIES:
            paths = paths_of(library, cls.sources.includes)
            listing = subprocess.run([NM, "-A", library], capture_output=True, text=True, check=True).stdout
            for name, kind, symbol in SYMBOL.findall(listing):
                if name not in paths:  # a table of all operators
                    continue
                file = paths[name]
                if kind == "U":
                    cls.lacks[file].add(symbol)
                elif kind in "TRDB":  # what several objects define (W, V) is in each that needs it
                    cls.defined_by[symbol] = file

    def linked(self, file):
        """The files that a linker takes for a file's symbols."""
        waiting, seen = [file], set()
        while waiting:
            file = waiting.pop()
            if file not in seen:
                seen.add(file)
                waiting += [self.defined_by[s] for s in self.lacks[file] if s in self.defined_by]
        return seen

    def test_each_operator_links(self):
        starts = [*self.sources.contracts.values(), *(row.file for row in self.sources.forms)]
        for file in starts:
            self.assertIn(file, self.defined_by.values())
            missing = self.linked(file) - set(self.sources.files_of(file))
            self.assertFalse(missing, f"{file}: linked, but not among its files")

    def test_no_form_takes_anothers_file(self):
        files = {row.file for row in self.sources.forms}
        for file in files:
            self.assertEqual(files & set(self.sources.files_of(file)), {file})

    def test_none_takes_a_table_of_all(self):
        for file in [*self.sources.contracts.values(), *(row.file for row in self.sources.forms)]:
            self.assertNotIn("ops/all_contracts.cc", self.sources.files_of(file))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

# SPDX-License-Identifier: Apache-2.0
