#!/usr/bin/env python3
"""Checks the package list of tools/setup against what the build and the scripts really use.

Used is: every file that CMake's cache names, every header that Ninja's dependency log names, every
program that a script of ours runs and every module that it imports. Each has to belong to a package
that a fresh machine has after tools/setup: one on the list, one that those depend on, or one that
every Debian has. What belongs to no package at all (a tool somebody built by hand) is let pass. A
module that is not installed here has to be of a listed package by its name: ./test.sh installs only
a part of the list.
"""

import argparse
import ast
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
# Only needed to train models of examples again, which these scripts say; nobody else needs them.
OPTIONAL_SCRIPTS = {"examples/denoiser/train.py", "examples/detector/train.py", "examples/digits/train.py",
                    "examples/keywords/train.py", "examples/keywords/voices.py", "examples/shapes/train.py"}

options = argparse.Namespace()


def output_of(*command, check=True):
    return subprocess.run(command, capture_output=True, text=True, check=check).stdout


def package_names(text):
    """Names in a Depends field: versions, architectures and alternatives' bars removed."""
    return [re.sub(r"\(.*?\)|:\w+", "", name).strip() for name in re.split(r"[,|]", text)]


def listed_packages():
    """All that tools/setup lists, whether or not it has to be asked for."""
    rows = output_of(options.setup, "--table").splitlines()[2:]
    return [row.split("|")[2].strip() for row in rows]


def packages_of_a_fresh_machine():
    """The list, what every Debian has, and all that these depend on."""
    form = "${Package}\t${Essential}\t${Priority}\t${Provides}\t${Depends}, ${Pre-Depends}\n"
    depends, wanted = {}, listed_packages()
    for line in output_of("dpkg-query", "-W", "-f", form).splitlines():
        name, essential, priority, provides, needs = line.split("\t")
        for provided in [name] + package_names(provides):
            depends.setdefault(provided, []).extend([name] + package_names(needs))
        if essential == "yes" or priority == "required" or name == "apt":  # apt installs the others
            wanted.append(name)
    closure = set()
    while wanted:
        name = wanted.pop()
        if name and name not in closure:
            closure.add(name)
            wanted += depends.get(name, [])
    return closure


def spellings(path):
    """A path as given, behind each of its links, and with and without the merged /usr."""
    found = []
    for _ in range(10):
        found += [path, os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))]
        if not os.path.islink(path):
            break
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
    found.append(os.path.realpath(path))
    return found + [p[4:] for p in found if p.startswith("/usr/")]


def owners_of(paths):
    """Path -> the packages that own it, by one question to dpkg."""
    asked = {path: spellings(path) for path in paths}
    every = sorted({s for spelled in asked.values() for s in spelled})
    owners = {}
    for line in output_of("dpkg", "-S", *every, check=False).splitlines() if every else []:
        packages, colon, path = line.partition(": ")
        if colon and not line.startswith("diversion "):
            owners[path] = {p.split(":")[0] for p in packages.split(", ")}
    return {path: set().union(*(owners.get(s, set()) for s in spelled))
            for path, spelled in asked.items()}


def ours(path):
    return path.startswith((str(REPOSITORY) + "/", str(options.build) + "/"))


def files_in_cmake_cache():
    cache = (pathlib.Path(options.build) / "CMakeCache.txt").read_text(encoding="utf-8")
    values = re.findall(r"^[^#/\n][^:\n]*:\w+=(/[^;\n]+)$", cache, re.MULTILINE)
    return {v: "CMakeCache.txt" for v in values if not ours(v) and os.path.isfile(v)}


def headers_in_ninja_log():
    if not (pathlib.Path(options.build) / ".ninja_deps").exists():
        return {}
    found, target = {}, ""
    for line in output_of("ninja", "-C", str(options.build), "-t", "deps").splitlines():
        if not line.startswith(" "):
            target = line.split(":")[0]
        elif (path := line.strip()).startswith("/") and not ours(path) and os.path.isfile(path):
            found.setdefault(os.path.normpath(path), target)
    return found


def scripts():
    """Our scripts: (name in the repository, text, kind)."""
    for name in output_of("git", "-C", str(REPOSITORY), "ls-files").splitlines():
        file = REPOSITORY / name
        if name in OPTIONAL_SCRIPTS or not file.is_file():
            continue
        start = file.read_bytes()[:64].split(b"\n")[0]
        if name.endswith(".py") or (start.startswith(b"#!") and b"python" in start):
            yield name, file.read_text(encoding="utf-8"), "python"
        elif name.endswith(".sh") or (start.startswith(b"#!") and b"sh" in start):
            yield name, file.read_text(encoding="utf-8"), "shell"


def programs_in_shell(text):
    text = re.sub(r"<<-?\s*['\"]?(\w+)['\"]?.*?\n.*?\n\s*\1\n", "\n", text, flags=re.DOTALL)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
    before = r"(?:^|[;&(`!{]|\|\s|\b(?:then|do|else|if|while|exec|sudo|command -v|as_root)\b)\s*"
    return set(re.findall(before + r"([A-Za-z][\w.+-]*)(?=[\s;)|]|$)", text, re.MULTILINE))


def programs_in_python(tree):
    """First words of lists given to subprocess, and what shutil.which is asked for."""
    found = set()
    for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call) and n.args):
        function = ast.unparse(call.func)
        first = call.args[0]
        if function.startswith("subprocess.") and isinstance(first, ast.List) and first.elts:
            first = first.elts[0]
        elif not function.endswith("which"):
            continue
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            found.add(first.value)
    return found


def modules_in_python(tree):
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names - set(sys.stdlib_module_names)


def file_of_module(name):
    """Where Debian's Python finds a module, or None."""
    code = f"import importlib.util as u; s = u.find_spec({name!r}); print(s.origin if s else '')"
    return output_of("/usr/bin/python3", "-I", "-c", code, check=False).strip() or None


def package_of_module(name):
    """What Debian calls the package of a Python module."""
    return "python3-" + name.lower().replace("_", "-")


def used_by_scripts():
    """(path -> the script that uses it, imports that nothing installed or listed provides)"""
    found, absent = {}, []
    listed = listed_packages()
    ours = [pathlib.Path(name) for name, _, kind in scripts() if kind == "python"]
    local = {path.parent.name if path.stem == "__init__" else path.stem for path in ours}
    for name, text, kind in scripts():
        if kind == "shell":
            programs = programs_in_shell(text)
        else:
            tree = ast.parse(text, name)
            programs = programs_in_python(tree)
            for module in modules_in_python(tree) - local:
                file = file_of_module(module)
                if file is not None:
                    found.setdefault(file, name)
                elif package_of_module(module) not in listed:
                    absent.append(f"{name} imports {module}")
        for program in programs:
            path = shutil.which(program, path=SYSTEM_PATH)
            if path is not None:
                found.setdefault(path, name)
    return found, absent


def used_by_boards():
    found = {}
    for file in sorted(REPOSITORY.glob("boards/*/board.json")):
        emulator = json.loads(file.read_text(encoding="utf-8")).get("emulator") or {}
        for program in emulator.get("command", [])[:1]:
            path = shutil.which(program, path=SYSTEM_PATH)
            if path is not None:
                found[path] = str(file.relative_to(REPOSITORY))
    return found


class Packages(unittest.TestCase):
    def assert_listed(self, used):
        fresh = packages_of_a_fresh_machine()
        owners = owners_of(used)
        missing = [f"{path} (package {' or '.join(sorted(owners[path]))}), used by {user}"
                   for path, user in sorted(used.items())
                   if owners[path] and not owners[path] & fresh]
        self.assertEqual(missing, [], "\ntools/setup does not list the packages of:\n  " +
                         "\n  ".join(missing[:40]))

    def test_cmake_finds_only_listed_packages(self):
        used = files_in_cmake_cache()
        self.assertIn("/usr/bin/cmake", used)
        self.assert_listed(used)

    def test_headers_come_from_listed_packages(self):
        used = headers_in_ninja_log()
        if not used:
            self.skipTest("Ninja has built nothing yet")
        self.assert_listed(used)

    def test_scripts_use_only_listed_packages(self):
        used, absent = used_by_scripts()
        self.assertEqual(absent, [])
        self.assertIn("/usr/bin/dpkg-query", used)
        self.assert_listed(used)

    def test_a_module_of_a_listed_package_need_not_be_installed(self):
        self.assertIn(package_of_module("selenium"), listed_packages())
        self.assertNotIn(package_of_module("antigravity"), listed_packages())

    def test_emulators_of_boards_are_listed(self):
        self.assert_listed(used_by_boards())

    def test_a_package_that_is_not_listed_is_noticed(self):
        fresh = packages_of_a_fresh_machine()
        names = output_of("dpkg-query", "-W", "-f", "${Package}\n").split()
        stranger = next((n for n in names if n not in fresh), None)
        if stranger is None:
            self.skipTest("every installed package is needed")
        files = [f for f in output_of("dpkg", "-L", stranger).splitlines() if os.path.isfile(f)]
        if not files:
            self.skipTest(f"{stranger} holds no file")
        with self.assertRaises(AssertionError):
            self.assert_listed({files[0]: "a planted use"})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True, help="a configured build tree")
    parser.add_argument("--setup", default=REPOSITORY / "tools" / "setup", help="tools/setup")
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0]] + rest)

# SPDX-License-Identifier: Apache-2.0
