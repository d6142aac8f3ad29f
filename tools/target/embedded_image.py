#!/usr/bin/env python3
"""Builds the embedded image of one program as a board's build tree would, and measures it.

  embedded_image.py LINK.json SOURCES REPORT.json [--without-verifier]

LINK.json is what the tree wrote for the board (boards/bare/board.cmake): {"board", "source": the folder of the
sources, "build": the tree's, "link": the words of the link with {objects} in place of the image's own,
"call_graphs": the folders of the compiler's .ci files}. SOURCES holds program.h, program.cc and program.arn as
`arenite plan --emit-cc SOURCES --cc-name program` writes them. The image lies beside LINK.json in
programs/CHECKSUM/image.elf, its map and report beside it; what was built of the same bytes is not built again, and
the folders that were used last are kept. REPORT.json is

  {"elf": path, "flash": {part: bytes}, "ram": {part: bytes}, "board_ram_bytes": of the variables of start-up,
   "stack_bound_bytes": of the deepest chain of calls below load and run, "stack_chain": [{"function", "bytes"}]}

Exit status: 0, 1 the compiler or the linker failed, 2 an error.
"""

import argparse
import fcntl
import hashlib
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools/checks"))
import map_budget  # pylint: disable=wrong-import-position
import stack_usage  # pylint: disable=wrong-import-position
import stack_bounds  # pylint: disable=wrong-import-position

PROGRAM = re.compile(r"^\.rodata\.arenite\.")
ARENA = re.compile(r"^\.bss\.arenite\.")
WRITABLE = re.compile(r"^(\.(data|bss)(\.|$)|COMMON)")
# The model's instance, and memory for inputs and outputs that are the application's, in boards/bare/embedded.cc.
OWN_VARIABLE = re.compile(r"embedded\.cc\.obj \.bss\..*\d(instance|lent)E?$")
LIBRARIES = ("libgcc", "libc")
SOURCES = ("program.h", "program.cc", "program.arn")
# What the report follows from beside the image.
MEASURES = (__file__, stack_bounds.__file__, stack_usage.__file__, map_budget.__file__,
            ROOT / "tools/checks/stack_rules.txt", ROOT / "tools/checks/code_parts.txt")
FOLDERS_KEPT = 64
LEAST_AGE_S = 3600  # a folder that was used since may be somebody's right now


class Failed(Exception):
    """The text says what went wrong."""


def run(words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{words[0]}: status {done.returncode}\n{done.stderr}")


def compile_words(link, folder):
    """How the tree compiles the board's start-up code, but for its files: images have no other flags."""
    build, board = pathlib.Path(link["build"]), link["board"]
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        if "-o" in words and f"/{board}-start.dir/" in words[words.index("-o") + 1]:
            at = words.index("-o")
            words = words[:at] + words[at + 2:]
            return [*words[:words.index("-c")], f"-I{folder}", f"-I{link['source']}/include",
                    "-DARENITE_ARENAS_PLACED"]
    raise Failed(f"{build}/compile_commands.json: no file of the start-up code of {board}")


def digest_of(files, words):
    digest = hashlib.sha256(json.dumps(words).encode())
    for file in sorted(files):
        digest.update(f"{file}\n".encode())
        digest.update(hashlib.sha256(pathlib.Path(file).read_bytes()).digest())
    return digest.hexdigest()


def read_files(objects, link, folder):
    """The files that the report was made of: what the compiler read, by its notes, what was linked, what measures."""
    found = {str(folder / name) for name in SOURCES} | set(map(str, MEASURES))
    for item in objects:
        text = item.with_suffix(".d").read_text(encoding="utf-8")
        found |= set(text.partition(":")[2].replace("\\\n", " ").split())
    return found | {word for word in link["link"][1:] if pathlib.Path(word).is_file()}


def build(link, folder, options):
    """Compiles and links; the path of the image."""
    command = compile_words(link, folder) + options
    objects = []
    for source in (pathlib.Path(link["source"]) / "boards/bare/embedded.cc", folder / "program.cc"):
        objects.append(folder / f"{source.name}.obj")
        run([*command, "-MD", "-o", objects[-1], "-c", source])
    elf = folder / "image.elf"
    words = [word for given in link["link"] for word in (objects if given == "{objects}" else [given])]
    run([*words, "-o", elf, f"-Wl,-Map={folder / 'image.map'}"])
    return elf, read_files(objects, link, folder)


def code_parts(sections, sizes, link_map):
    """{part: bytes} of what lies in flash."""
    rules = map_budget.parse_options([str(link_map), f"@{ROOT / 'tools/checks/code_parts.txt'}"]).category
    parts = {"program": sum(s.bytes for s in sections if PROGRAM.match(s.name)), "kernels": 0, "contracts": 0,
             "runtime": 0, "tables": 0, "startup": 0, "libc": 0}
    for section in map_budget.counted(sections, sizes, link_map):
        part = map_budget.category_of(section, rules)
        part = {"other": "runtime"}.get(part, "libc" if part in LIBRARIES else part)
        parts[part] += section.bytes
    # The initial values of variables.
    parts["data"] = sum(s.bytes for s in sections if s.output == ".data")
    return parts


def variable_parts(sections):
    """{part: bytes} of the model's RAM but for the stack, and the bytes of the board's start-up."""
    parts = {"arenas": sum(s.bytes for s in sections if ARENA.match(s.name)), "instance": 0, "data": 0, "bss": 0,
             "lent": 0}
    board = 0
    for section in sections:
        if not WRITABLE.match(section.name) or ARENA.match(section.name):
            continue
        own = OWN_VARIABLE.search(f"{section.owner} {section.name}")
        if own:
            parts[own[1]] += section.bytes
        elif re.search(r"-start\.dir|/embedded|embedded\.cc", section.owner):
            board += section.bytes
        else:
            parts["data" if section.name.startswith(".data") else "bss"] += section.bytes
    return parts, board


def measure(link, folder, elf):
    link_map = folder / "image.map"
    sections, sizes = map_budget.read_map(link_map)
    sections = [section for section in sections if section.output is not None]
    ram, board_bytes = variable_parts(sections)
    stack_bytes, chain = stack_bounds.StackBounds([*link["call_graphs"], str(folder)]).deepest(sections)
    return {"elf": str(elf), "flash": code_parts(sections, sizes, link_map), "ram": ram, "board_ram_bytes": board_bytes,
            "stack_bound_bytes": stack_bytes, "stack_chain": chain}


def is_current(report, words):
    """Whether the report is of the same words and of the bytes that the files have now."""
    files = report["files"]
    return all(pathlib.Path(file).is_file() for file in files) and report["digest"] == digest_of(files, words)


def report_of(link, sources, folder, without_verifier):
    """The report of the image in the folder, which is built where it is missing or old."""
    words = [link, without_verifier]
    file = folder / "image.json"
    if file.exists():
        report = json.loads(file.read_text(encoding="utf-8"))
        if is_current(report, words):
            file.touch()
            return report
        file.unlink()
    for name in SOURCES:
        shutil.copyfile(sources / name, folder / name)
    elf, files = build(link, folder, ["-DARENITE_WITHOUT_VERIFIER"] if without_verifier else [])
    report = measure(link, folder, elf)
    report.update(files=sorted(files), digest=digest_of(files, words))
    file.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return report


def drop_old(folder):
    """Keeps the images that were used last."""
    now = time.time()
    ages = sorted((now - report.stat().st_mtime, report.parent) for report in folder.glob("*/image.json"))
    for age, image in ages[FOLDERS_KEPT:]:
        if age > LEAST_AGE_S:
            shutil.rmtree(image, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("link", type=pathlib.Path)
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--without-verifier", action="store_true")
    options = parser.parse_args()
    try:
        link = json.loads(options.link.read_text(encoding="utf-8"))
        programs = options.link.resolve().parent / "programs"
        checksum = hashlib.sha256(b"".join((options.sources / name).read_bytes() for name in SOURCES)).hexdigest()[:16]
        folder = programs / (checksum + ("-trusted" if options.without_verifier else ""))
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            report = report_of(link, options.sources, folder, options.without_verifier)
        drop_old(programs)
        options.report.write_text(json.dumps(report) + "\n", encoding="utf-8")
    except Failed as error:
        print(f"embedded_image: {error}", file=sys.stderr)
        return 1
    except (OSError, ValueError, KeyError, map_budget.NotUnderstood, stack_usage.Unknown) as error:
        print(f"embedded_image: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
