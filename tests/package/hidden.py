"""Runs commands in a view of the file system in which a folder is empty."""

import subprocess


def words_without(folder, words):
    """The words of a command that runs while the folder is empty."""
    return ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', str(folder), *map(str, words)]


def can_hide(folder):
    """Whether this machine lets a folder be covered for one command."""
    return subprocess.run(words_without(folder, ["true"]), capture_output=True, check=False).returncode == 0

# SPDX-License-Identifier: Apache-2.0
