"""How the build of a toolchain compiles and links firmware: the tests make images of their own that way."""

import json
import shlex
import subprocess


def call(words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def compile_command(build, generated):
    """How the build compiles the embedded image, but for its files; `generated` holds the program's."""
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        if "code-sizes.dir" in entry["command"] and entry["file"].endswith("/embedded.cc"):
            words = shlex.split(entry["command"])
            at = words.index("-o")
            words = words[:at] + words[at + 2:]
            # Before the folders of the build's own program.
            return [words[0], f"-I{generated}", *words[1:words.index("-c")]]
    raise AssertionError(f"{build}: no compile command of code-sizes")


def link_command(build, objects):
    """How the build links an embedded image, with other objects in place of its own."""
    link = json.loads((build / "code_sizes_link.json").read_text(encoding="utf-8"))["link"]
    at = next(i for i, word in enumerate(link) if "code-sizes.dir" in word)
    words = [word for word in link if "code-sizes.dir" not in word]
    return [*words[:at], *objects, *words[at:]]


def image(build, generated, main, folder, *link_options):
    """Links firmware of the source `main` and the program in `generated`; the path of the image, in `folder`."""
    command = compile_command(build, generated)
    objects = []
    for source in (main, generated / "program.cc"):
        objects.append(folder / f"{source.stem}.o")
        call([*command, "-o", objects[-1], "-c", source])
    elf = folder / "image.elf"
    call([*link_command(build, objects), "-o", elf, *link_options])
    return elf

# SPDX-License-Identifier: Apache-2.0
