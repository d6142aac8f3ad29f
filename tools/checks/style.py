#!/usr/bin/env python3
"""Checks what no formatter does: each file introduces itself on its first line and ends with its license tag,
every operator of schema/ops.def has all its halves and forms, each toolchain its presets, and the planner asks facts
of operators instead of naming them."""
import json
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "schema"))
import read_forms  # pylint: disable=wrong-import-position

HOST_PRESETS = {"host", "host-asan"}
FIRST_SPECIAL_FORM = 8  # kFirstSpecialForm of core/form.h
TAG = "SPDX-License-Identifier: Apache-2.0"
COMMENT = {".h": ("//", "/*"), ".cc": "//", ".c": ("//", "/*"), ".comp": "//", ".glsl": "//", ".def": "//",
           ".proto": "//", ".cmake": "#", ".options": "#", ".py": ('"""', "#"), ".sh": "#",
           ".ld": "/*", ".S": "//", ".yml": "#", ".cases": "#", ".js": "//", ".css": "/*", ".html": "<!--"}
BY_NAME = {"CMakeLists.txt": "#", ".clang-format": "#", ".clang-tidy": "#"}


def introduction(lines):
    """The first line that is not a shebang, nor a shader's #version, which both have to be first."""
    for line in lines:
        if not line.startswith("#!") and not line.startswith("#version") and line.strip():
            return line
    return ""


def file_problems(root, name):
    path = root / name
    marks = BY_NAME.get(path.name) or COMMENT.get(path.suffix)
    script = False
    if marks is None:
        with path.open("rb") as stream:
            script = stream.read(2) == b"#!"
        if not script:
            return
        marks = ("#", '"""')
    marks = (marks,) if isinstance(marks, str) else marks
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    if not introduction(lines).startswith(marks):
        yield f"{name}: the first line does not say what the file is for"
    if TAG not in lines[-1]:
        yield f"{name}: the last line is not the license tag"


def halves(name, family):
    """The files in which an operator stands: its family's or its own."""
    if family == "view":
        return ["ops/view.cc"]
    if family == "own":
        return [f"ops/{name}.cc", f"portable_fallback/reference/{name}.cc", f"tests/ops/{name}_cases.cc"]
    return [f"ops/{family}.cc", f"portable_fallback/reference/{family}.cc", f"tests/ops/{family}_cases.cc",
            f"kernels/dispatch/{family}.cc", f"kernels/glsl/{family}.comp"]


def form_problems(root):
    """Each form has a number, a name and a file; each operator that runs has a reference."""
    rows = read_forms.read_forms(root)
    written = len(re.findall(r"^ARENITE_FORM\(", (root / "schema/forms.def").read_text(encoding="utf-8"), re.MULTILINE))
    if written != len(rows):
        yield f"schema/forms.def: {written - len(rows)} of {written} rows are not written as its first lines say"
    numbers, names = set(), set()
    for row in rows:
        if (row.type_name, row.number) in numbers:
            yield f"schema/forms.def: number {row.number} is given to two forms of {row.type_name}"
        if row.key in names:
            yield f"schema/forms.def: {row.key} is the name of two forms"
        if not (root / row.file).is_file():
            yield f"schema/forms.def: {row.key} has no {row.file}"
        numbers.add((row.type_name, row.number))
        names.add(row.key)
    references = {type_name for type_name, number in numbers if number < FIRST_SPECIAL_FORM}
    for op in read_forms.read_ops(root):
        if op.family != "view" and op.type_name not in references:
            yield f"schema/forms.def: {op.type_name} has no reference form"


def op_problems(root):
    text = (root / "schema/ops.def").read_text(encoding="utf-8")
    numbers = {}
    files = set()
    for number, name, family in re.findall(r"^ARENITE_OP\((\d+), (\w+), \w+, (\w+), \w+\)$", text, re.MULTILINE):
        if number in numbers:
            yield f"schema/ops.def: number {number} is given to {numbers[number]} and {name}"
        numbers[number] = name
        for half in halves(name, family):
            if not (root / half).is_file():
                yield f"schema/ops.def: {name} has no {half}"
        files.add(name if family == "own" else family)
    # The build finds the rows of an operator by the name of their file (kernels/CMakeLists.txt).
    for path in sorted((root / "kernels/dispatch").glob("*.cc")):
        for rows in re.findall(r"^std::span<const DispatchRow> (\w+)_rows\(Op", path.read_text(encoding="utf-8"),
                               re.MULTILINE):
            if rows != path.stem or rows not in files:
                yield (f"kernels/dispatch/{path.name}: has the rows of {rows}, which nobody finds; expected an operator"
                       " of its own or a family (schema/ops.def) as the name of both")
    text = (root / "planner/import/onnx/operators/names.def").read_text(encoding="utf-8")
    for name in re.findall(r"^ARENITE_ONNX_OWN\(\w+, (\w+),", text, re.MULTILINE):
        if not (root / f"planner/import/onnx/operators/{name}.cc").is_file():
            yield f"planner/import/onnx/operators/names.def: {name} has no planner/import/onnx/operators/{name}.cc"


def preset_problems(root):
    """CMake cannot list presets itself: each toolchain has one of its name, with all the kinds, and nobody else has."""
    toolchains = {path.stem for path in (root / "toolchains").glob("*.cmake")}
    presets = json.loads((root / "CMakePresets.json").read_text(encoding="utf-8"))
    for kind in ("configurePresets", "buildPresets", "workflowPresets"):
        named = {preset["name"] for preset in presets[kind] if not preset.get("hidden")} - HOST_PRESETS
        for name in sorted(named ^ toolchains):
            yield (f"CMakePresets.json: {kind} has {name}, which is no toolchains/*.cmake" if name in named else
                   f"CMakePresets.json: {kind} lacks toolchains/{name}.cmake")


# The one place that prints; support/write_file.cc asks the system itself. Both tell whether it worked.
WRITER = "support/output.cc"
UNCHECKED = re.compile(r"std::v?printf\(|(?<![A-Za-z_:])v?printf\(|std::puts|std::putchar|std::cout|std::fwrite|"
                       r"ofstream|std::fopen|\bfopen\(")


def writer_problems(root, name):
    """Host programs print and write through support/, or a full disk goes unnoticed."""
    if not name.startswith(("tools/", "planner/", "support/")) or Path(name).suffix not in (".cc", ".h"):
        return
    if name == WRITER:
        return
    for number, line in enumerate((root / name).read_text(encoding="utf-8").split("\n"), 1):
        if UNCHECKED.search(line.split("//")[0]):
            yield f"{name}:{number}: prints or writes unchecked: use support/output.h or support/file.h"


# Files in which the planner may name single operators: imports, tables of facts, passes about a pair of operators.
NAMING = re.compile(r"planner/(import/onnx/operators/|import/tflite/(detection|hybrid|resize|state)\.cc$|graph/(counts|move_size|op_facts|sizes|step_size|window_size)\.cc$|"
                    r"report/op_support\.cc$|symbols/sliding_constants\.cc$|passes/(fuse_\w+|reduce_powers|shorten_indices|integers/\w+)\.cc$)")
NAMED = re.compile(r"\bOp::k(\w+)")
OWN = {"Copy", "Cast", "Quantize", "Dequantize", "Requantize", "Lookup"}  # the planner's own: it puts them in


def naming_problems(root, name):
    """What one file more would ask of each new operator is a fact of its contract or of planner/graph/op_facts.cc."""
    if not name.startswith("planner/") or Path(name).suffix not in (".cc", ".h") or NAMING.match(name):
        return
    for number, line in enumerate((root / name).read_text(encoding="utf-8").split("\n"), 1):
        for op in NAMED.findall(line.split("//")[0]):
            if op not in OWN:
                yield f"{name}:{number}: names operator {op}: ask its contract or planner/graph/op_facts.h"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True)
    names = [n for n in listed.stdout.split("\n") if n and (root / n).is_file()]
    found = [p for n in names for check in (file_problems, writer_problems, naming_problems) for p in check(root, n)]
    found += [*op_problems(root), *form_problems(root), *preset_problems(root)]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
