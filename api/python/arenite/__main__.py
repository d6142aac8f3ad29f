"""The `arenite` command: hands over to the program of the installation that this package belongs to."""

import os
import sys

from ._library import PREFIX


def main() -> None:
    """Becomes the program, with the same arguments."""
    program = PREFIX / "bin" / "arenite"
    os.execv(program, ["arenite", *sys.argv[1:]])


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
