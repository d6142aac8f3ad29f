#!/usr/bin/env python3
"""Measures how many bytes of code firmware with certain kernels has, by linking it once with each kernel.

  code_sizes.py LINK.json OUT.json
  code_sizes.py --without-kernels PROGRAM_FOLDER OUT_FOLDER

LINK.json says how the build links an image without kernels: {"toolchain", "link": the words of the
command but for -o and the map, "kernels": the archive with the kernels, "nm"}. A kernel that is
named (ld's -u) is linked with all that it reaches, so what an image holds is the union of what it
holds with each of its kernels: sections of the link maps are grouped by the kernels that bring them.
OUT.json is what planner/board/code_sizes.h reads; the program's own bytes do not count.
--without-kernels copies the C++ that `arenite plan --emit-cc` wrote, its kernels replaced by null
pointers: what that image is made from. Exit status: 0, 2 an error.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checks"))
import map_budget  # pylint: disable=wrong-import-position

# What lies in the memory that holds the code: .data has its initial values there.
IN_FLASH = re.compile(r"^\.(text|rodata|vectors|data|init_array)(\.|$)")
PROGRAM = re.compile(r"^\.(program|rodata\.arenite)(\.|$)")
NAMED_KERNEL = re.compile(r"&arenite::k\w+Kernel\b")
KERNEL = re.compile(r" R (_ZN7arenite(\d+)(k\w+Kernel)E)$", re.MULTILINE)


class Failed(Exception):
    """The text says what went wrong."""


def run(words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def kernels_of(link):
    """{name in C++: symbol} of the archive's kernels."""
    found = {name: symbol for symbol, length, name in KERNEL.findall(run([link["nm"], link["kernels"]]))
             if len(name) == int(length)}
    if not found:
        raise Failed(f"{link['kernels']}: holds no kernel; expected symbols such as arenite::kConvKernel")
    return found


def identity_of(section):
    """A function that several objects have (inline, template) is linked from any one of them; those of an
    unnamed namespace are each object's own."""
    shared = "._Z" in section.name and "_GLOBAL__N_" not in section.name
    return section.name if shared else f"{section.owner} {section.name}"


def sections_of(words, folder, more=()):
    """{section: bytes} that the linked image keeps where its code lies, and {section: an owner}."""
    image, link_map = folder / "image.elf", folder / "image.map"
    run([*words, *more, "-o", str(image), f"-Wl,-Map={link_map}"])
    sections, owners = collections.Counter(), {}
    for section in map_budget.read_map(link_map)[0]:
        in_flash = section.output is not None and IN_FLASH.match(section.output)
        if in_flash and not PROGRAM.match(section.name):
            owners.setdefault(identity_of(section), section.owner)
            sections[identity_of(section)] += section.bytes
    return sections, owners


def category_of(owner):
    for name, part in (("start-up", r"start\.dir|/embedded/|embedded\.cc|no_kernels"),
                       ("runtime", r"arenite_(core|schema|nanopb)"), ("library", r"lib(gcc|c_nano)\.a")):
        if re.search(part, owner):
            return name
    return "other"


def measure(link):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        always, owners = sections_of(link["link"], folder)
        brought_by = collections.defaultdict(set)
        sizes = {}
        for name, symbol in sorted(kernels_of(link).items()):
            for section, size in sections_of(link["link"], folder, [f"-Wl,-u,{symbol}"])[0].items():
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
            "groups": [{"kernels": names, "bytes": size}
                       for names, size in sorted(groups.items(), key=lambda group: -group[1])]}


def take_kernels_out(source, to):
    to.mkdir(parents=True, exist_ok=True)
    found = 0
    for file in (source / "program.h", source / "program.cc"):
        text, count = NAMED_KERNEL.subn("nullptr", file.read_text(encoding="utf-8"))
        (to / file.name).write_text(text, encoding="utf-8")
        found += count
    if found == 0:
        raise Failed(f"{source}: names no kernel; expected words such as &arenite::kConvKernel")


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--without-kernels":
        try:
            take_kernels_out(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
        except (Failed, OSError) as error:
            print(f"code_sizes: {error}", file=sys.stderr)
            return 2
        return 0
    if len(sys.argv) != 3:
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    try:
        table = measure(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))
    except (Failed, OSError, ValueError, map_budget.NotUnderstood) as error:
        print(f"code_sizes: {error}", file=sys.stderr)
        return 2
    pathlib.Path(sys.argv[2]).write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
