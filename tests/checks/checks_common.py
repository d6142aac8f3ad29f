"""What the tests of tools/checks share: the tools at hand, and compiling small pieces of code."""

import pathlib
import shutil
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
CHECKS = REPOSITORY / "tools" / "checks"

CORTEX_M4 = ["-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"]
DEVICE_RULES = ["-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fno-use-cxa-atexit"]


class Toolchain:
    """A GCC and its binutils, named by their common prefix."""

    def __init__(self, prefix, flags):
        self.prefix = prefix
        self.flags = flags + ["-std=c++20", "-O2", "-ffunction-sections", "-fdata-sections"]
        self.present = shutil.which(f"{prefix}g++") is not None

    def tool(self, name):
        return self.prefix + name

    def compile(self, source, to, *flags):
        subprocess.run([self.tool("g++"), *self.flags, *flags, "-c", str(source), "-o", str(to)],
                       check=True, cwd=pathlib.Path(to).parent)
        return to


HOST = Toolchain("", [])
ARM = Toolchain("arm-none-eabi-", CORTEX_M4)
TOOLCHAINS = [chain for chain in (HOST, ARM) if chain.present]


def run_check(name, *arguments):
    """Runs a script of tools/checks; returns the finished process with its output as text."""
    script = CHECKS / name
    start = [sys.executable] if name.endswith(".py") else []
    return subprocess.run([*start, str(script), *map(str, arguments)], capture_output=True,
                          text=True, check=False)

# SPDX-License-Identifier: Apache-2.0
