#!/usr/bin/env python3
"""Makes a wheel of a build: the Python package with the command, the libraries and the boards inside of it.

The package's folder is the prefix of an installation: arenite/bin, arenite/lib, arenite/share. The platform in the
wheel's name follows from the binaries: the C library that they need at least, and that they need nothing else that a
distribution may lack.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

COMPONENTS = ("tool", "library", "python")
# Libraries that every distribution has (PEP 513), and the first C library beside which distributions have had the
# libstdc++ with these symbols.
EVERYWHERE = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so\.|ld-linux")
GLIBC_OF_GLIBCXX = {24: 27, 25: 28, 26: 30, 27: 31, 28: 31, 29: 34, 30: 35, 31: 38, 32: 38}


def symbol_versions(text, name):
    return [int(found) for found in re.findall(rf"\b{name}_(?:2|3\.4)\.(\d+)\b", text)]


def platform_of(binaries, machine, objdump):
    """The platform of the wheel, as PEP 600 names it."""
    glibc = [17]
    for binary in binaries:
        text = subprocess.run([objdump, "-p", binary], capture_output=True, text=True, check=True).stdout
        for needed in re.findall(r"NEEDED +(\S+)", text):
            if not EVERYWHERE.match(needed) and not needed.startswith("libarenite"):
                sys.exit(f"make_wheel: {binary.name} needs {needed}, which not every machine has")
        glibc += symbol_versions(text, "GLIBC")
        newest = max(symbol_versions(text, "GLIBCXX"), default=0)
        if newest > max(GLIBC_OF_GLIBCXX):
            sys.exit(f"make_wheel: {binary.name} needs GLIBCXX_3.4.{newest}, newer than GLIBC_OF_GLIBCXX knows")
        glibc += [minor for version, minor in GLIBC_OF_GLIBCXX.items() if newest >= version]
    return f"manylinux_2_{max(glibc)}_{machine}"


METADATA = """Metadata-Version: 2.1
Name: arenite
Version: {version}
Summary: Plans trained networks to the last byte and runs the plans
License: Apache-2.0
License-File: LICENSE
License-File: THIRD_PARTY_LICENSES
Requires-Python: >=3.8
Requires-Dist: numpy
Description-Content-Type: text/markdown

`pip install` gives the module `arenite` and the command of that name: they plan ONNX and TensorFlow Lite models for
microcontrollers, Linux devices and Vulkan GPUs, say what each plan takes to the last byte, and run programs on this machine.
"""

WHEEL = """Wheel-Version: 1.0
Generator: arenite
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""

ENTRY_POINTS = """[console_scripts]
arenite = arenite.__main__:main
"""


def install(options, prefix):
    for component in COMPONENTS:
        subprocess.run([options.cmake, "--install", options.build, "--prefix", prefix, "--component", component],
                       stdout=subprocess.DEVNULL, check=True)


def fill_package(options, prefix, package):
    """Moves an installation into the package; of each library only the file stays by which it is asked for."""
    shutil.copytree(prefix / "lib/python3/site-packages/arenite", package)
    shutil.rmtree(prefix / "lib/python3")
    shutil.copy(options.planner, prefix / "lib" / f"libarenite_planner.so.{options.version}")
    for library in (prefix / "lib").glob("libarenite*.so*"):
        if library.is_symlink():
            target = library.resolve()
            library.unlink()
            if library.name == "libarenite.so." + options.version.split(".", maxsplit=1)[0]:
                target.rename(library)
    for folder in ("bin", "lib", "share"):
        shutil.copytree(prefix / folder, package / folder)
    binaries = [path for path in [*(package / "bin").iterdir(), *(package / "lib").rglob("*")]
                if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    for binary in binaries:
        subprocess.run([options.strip, "--strip-unneeded", binary], check=True)
    return binaries


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("cmake", "build", "source", "planner", "version", "machine", "objdump", "strip", "output"):
        parser.add_argument(f"--{option}", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        wheel = scratch / "wheel"
        wheel.mkdir()
        install(options, scratch / "prefix")
        binaries = fill_package(options, scratch / "prefix", wheel / "arenite")
        platform = platform_of(binaries, options.machine, options.objdump)
        about = wheel / f"arenite-{options.version}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(METADATA.format(version=options.version), encoding="utf-8")
        (about / "WHEEL").write_text(WHEEL.format(platform=platform), encoding="utf-8")
        (about / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
        shutil.copy(pathlib.Path(options.source) / "LICENSE", about)
        shutil.copy(pathlib.Path(options.build) / "package/THIRD_PARTY_LICENSES", about)
        for old in pathlib.Path(options.output).glob("*.whl"):
            old.unlink()
        subprocess.run([sys.executable, "-m", "wheel", "pack", wheel, "--dest-dir", options.output],
                       stdout=subprocess.DEVNULL, check=True)
    for made in pathlib.Path(options.output).glob("*.whl"):
        print(f"{made}: {made.stat().st_size} bytes")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
