"""Makes a script of a page of documentation: what it tells its reader to do, in order."""

import re

FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def script_of(text):
    """```bash blocks as they are; a block with a file's name after its language becomes that file."""
    parts = ["set -eu"]
    for language, file, body in FENCE.findall(text):
        if language == "bash":
            parts.append(body)
        elif file:
            parts.append(f"cat > {file} <<'END_OF_FILE'\n{body}END_OF_FILE")
    return "\n".join(parts)

# SPDX-License-Identifier: Apache-2.0
