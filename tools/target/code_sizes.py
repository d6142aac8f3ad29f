#!/usr/bin/env python3
"""Measures how many bytes of code and stack firmware with certain forms has, by linking it once with each form.

  code_sizes.py LINK.json OUT.json
  code_sizes.py --without-forms PROGRAM_FOLDER OUT_FOLDER

LINK.json says how the build links an image without forms: {"toolchain", "link": the words of the
command but for -o and the map, "form_symbols": the object of form_symbols.cc, "call_graphs": the folders
of the compiler's .ci files, "objdump"}. A form of schema/forms.def that is named
(ld's -u, with its operator's contract) is linked with all that it reaches, so what an image holds is
the union of what it holds with each of its forms: sections of the link maps are grouped by the forms
that bring them. The same images say how deep the stack below a model's calls can be with each form
(stack_bounds.py), and what of the runtime lies in .bss and .data.
OUT.json is what planner/board/code_sizes.h reads; the program's own bytes do not count.
--without-forms copies the C++ that `arenite plan --emit-cc` wrote without the forms and
contracts in its table: what that image is made from. Exit status: 0, 2 an error.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "schema"), str(ROOT / "tools/checks")]
import map_budget  # pylint: disable=wrong-import-position
import read_forms  # pylint: disable=wrong-import-position
import stack_usage  # pylint: disable=wrong-import-position
from stack_bounds import StackBounds  # pylint: disable=wrong-import-position

# Sections in the memory that holds the code: .data has its initial values there.
IN_FLASH = re.compile(r"^\.(text|rodata|vectors|data|init_array)(\.|$)")
WRITABLE = re.compile(r"^\.(data|bss)(\.|$)")
PROGRAM = re.compile(r"^\.(program|rodata\.arenite)(\.|$)")
# In the C++ that `arenite plan --emit-cc` writes: a list of forms, a contract that is named.
FORM_LIST = re.compile(r"(constexpr const arenite::Form\* \w+\[\] = )\{[^}]*\}")
NAMED_CONTRACT = re.compile(r"(?<!#define )ARENITE_CONTRACT\(\w+\)")
# `objdump -r` prints the section of a variable of form_symbols.cc, and the symbols it points to.
VARIABLE = re.compile(r"\[\.[\w.]*\.arenite_form_(\w+)_(\d+)\]:\n(.*?)(?:\n\n|\Z)", re.DOTALL)
POINTER = re.compile(r"^[0-9a-f]+ +R_\w+ +(\S+)$", re.MULTILINE)


class Failed(Exception):
    """The text says what went wrong."""


def run(words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def forms_of(link):
    """{key of a form: symbols to link it by}"""
    keys = {(row.type_name, str(row.number)): row.key for row in read_forms.read_forms(ROOT)}
    printed = run([link["objdump"], "-r", link["form_symbols"]])
    found = {keys[type_name, number]: POINTER.findall(pointers)
             for type_name, number, pointers in VARIABLE.findall(printed)}
    if len(found) != len(keys) or any(len(symbols) != 2 for symbols in found.values()):
        raise Failed(f"{link['form_symbols']}: expected a form and a contract for each of {len(keys)} rows of "
                     f"schema/forms.def, found {len(found)} variables of form_symbols.cc")
    return found


def identity_of(section):
    """A function that several objects have (inline, template) is linked from any one of them; those of an
    unnamed namespace are each object's own."""
    shared = "._Z" in section.name and "_GLOBAL__N_" not in section.name
    return section.name if shared else f"{section.owner} {section.name}"


def placed_sections(words, folder, more=()):
    """The sections of the linked image, as map_budget reads them."""
    image, link_map = folder / "image.elf", folder / "image.map"
    run([*words, *more, "-o", str(image), f"-Wl,-Map={link_map}"])
    return [section for section in map_budget.read_map(link_map)[0] if section.output is not None]


def in_flash(placed):
    """{section: bytes} of what lies where the code does, and {section: an owner}."""
    sections, owners = collections.Counter(), {}
    for section in placed:
        if IN_FLASH.match(section.output) and not PROGRAM.match(section.name):
            owners.setdefault(identity_of(section), section.owner)
            sections[identity_of(section)] += section.bytes
    return sections, owners


def own_variables(placed):
    """{section: bytes} of what the runtime and its libraries write outside of arenas and instances."""
    return {identity_of(section): section.bytes for section in placed
            if WRITABLE.match(section.output) and category_of(section.owner) != "start-up" and section.owner}


def category_of(owner):
    for name, part in (("start-up", r"start\.dir|/embedded/|embedded\.cc|no_forms"),
                       ("runtime", r"arenite_(core|schema|nanopb)"), ("library", r"lib(gcc|c_nano)\.a")):
        if re.search(part, owner):
            return name
    return "other"


def measure(link):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        bounds = StackBounds(link["call_graphs"])
        placed = placed_sections(link["link"], folder)
        always, owners = in_flash(placed)
        stack_always, stack = bounds.of_image(placed), {}
        variables = own_variables(placed)
        brought_by = collections.defaultdict(set)
        sizes = {}
        for name, symbols in sorted(forms_of(link).items()):
            placed = placed_sections(link["link"], folder, [f"-Wl,-u,{symbol}" for symbol in symbols])
            stack[name] = bounds.of_image(placed)
            variables.update(own_variables(placed))
            for section, size in in_flash(placed)[0].items():
                if section not in always and size != 0:
                    brought_by[section].add(name)
                    sizes[section] = size
    groups = collections.Counter()
    for section, names in brought_by.items():
        groups[tuple(sorted(names))] += sizes[section]
    parts = collections.Counter()
    for section, size in always.items():
        parts[category_of(owners[section])] += size
    return {"toolchain": link["toolchain"], "always_bytes": sum(always.values()), "always": dict(parts),
            "bss_bytes": sum(variables.values()), "stack_always_bytes": stack_always, "stack_bytes": stack,
            "groups": [{"forms": names, "bytes": size}
                       for names, size in sorted(groups.items(), key=lambda group: -group[1])]}


def take_forms_out(source, to):
    to.mkdir(parents=True, exist_ok=True)
    found = 0
    for file in (source / "program.h", source / "program.cc"):
        text, count = FORM_LIST.subn(r"\1{nullptr}", file.read_text(encoding="utf-8"))
        text = NAMED_CONTRACT.sub("nullptr", text)
        (to / file.name).write_text(text, encoding="utf-8")
        found += count
    if found == 0:
        raise Failed(f"{source}: names no form; expected lists as `arenite plan --emit-cc` writes them")


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--without-forms":
        try:
            take_forms_out(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
        except (Failed, OSError) as error:
            print(f"code_sizes: {error}", file=sys.stderr)
            return 2
        return 0
    if len(sys.argv) != 3:
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    try:
        table = measure(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))
    except (Failed, OSError, ValueError, map_budget.NotUnderstood, stack_usage.Unknown) as error:
        print(f"code_sizes: {error}", file=sys.stderr)
        return 2
    pathlib.Path(sys.argv[2]).write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
