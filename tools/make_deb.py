#!/usr/bin/env python3
"""Makes a Debian package of a build: an installation below /usr, with the packages that its binaries need.

CPack would look for the libraries of every binary in it, also of images for other machines, which have none here; so
Debian's own tools are called: dpkg-shlibdeps for the dependencies, dpkg-deb for the package.
"""

import argparse
import hashlib
import pathlib
import subprocess
import tempfile

CONTROL = """Package: arenite
Version: {version}
Architecture: {architecture}
Maintainer: Arenite's maintainers <arenite@localhost>
Installed-Size: {kibibytes}
Depends: {depends}
Recommends: libvulkan1, python3, python3-numpy
Suggests: cmake, gcc-arm-none-eabi, qemu-system-arm
Section: science
Priority: optional
Description: plans trained networks to the last byte and runs the plans
 The command that plans ONNX and TensorFlow Lite models for microcontrollers,
 Linux devices and Vulkan GPUs and says what each plan takes, the libraries
 that plan and run, their Python module, and the runtime for firmware as
 sources.
"""
EMPTY_SOURCE = "Source: arenite\n\nPackage: arenite\nArchitecture: any\n"


def install(options, root):
    command = [options.cmake, "--install", options.build, "--prefix", root / "usr", "--strip"]
    for component in ([], ["--component", "debian"]):
        subprocess.run([*command, *component], stdout=subprocess.DEVNULL, check=True)


def dependencies(root, folder):
    """The packages of the libraries that our programs and libraries need."""
    binaries = [path for place in ("bin", "lib") for path in sorted((root / "usr" / place).rglob("*"))
                if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF"]
    (folder / "debian").mkdir()
    (folder / "debian/control").write_text(EMPTY_SOURCE, encoding="utf-8")
    # Their own libraries are in this package; all other that are missing are an error.
    found = subprocess.run(["dpkg-shlibdeps", "-O", "-xarenite", f"-l{root}/usr/lib", "--ignore-missing-info",
                            *(f"-e{binary}" for binary in binaries)],
                           cwd=folder, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        raise SystemExit(f"make_deb: dpkg-shlibdeps: {found.stderr}")
    return next(line for line in found.stdout.splitlines() if line.startswith("shlibs:Depends=")).split("=", 1)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("cmake", "build", "version", "output"):
        parser.add_argument(f"--{option}", required=True)
    options = parser.parse_args()
    architecture = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True,
                                  check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        root = folder / "root"
        install(options, root)
        depends = dependencies(root, folder)
        files = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
        (root / "DEBIAN").mkdir()
        control = CONTROL.format(version=options.version, architecture=architecture, depends=depends,
                                 kibibytes=sum(path.stat().st_size for path in files) // 1024 + 1)
        (root / "DEBIAN/control").write_text(control, encoding="utf-8")
        sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files]
        (root / "DEBIAN/md5sums").write_text("".join(sums), encoding="utf-8")
        (root / "DEBIAN/triggers").write_text("activate-noawait ldconfig\n", encoding="utf-8")
        made = pathlib.Path(options.output) / f"arenite_{options.version}_{architecture}.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "--build", root, made], stdout=subprocess.DEVNULL,
                       check=True)
    print(f"{made}: {made.stat().st_size} bytes, depends on {depends}")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
