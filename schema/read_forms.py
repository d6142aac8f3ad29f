"""Reads schema/forms.def and schema/ops.def for what Python writes or checks."""
import re
from typing import NamedTuple

FORM = re.compile(r'^ARENITE_FORM\((\w+), (\d+), (\w+), (\w+), ([\w| ]+), "([^"]+)"\)$', re.MULTILINE)
OP = re.compile(r"^ARENITE_OP\((\d+), (\w+), (\w+), (\w+), (\w+)\)$", re.MULTILINE)


class FormRow(NamedTuple):
    """A row of forms.def."""
    type_name: str
    number: int
    name: str
    types: str
    needs: tuple  # "Avx2", "Fma": names of schema/cpu_features.def
    file: str  # from the repository's root

    @property
    def key(self):
        """What tables call it: "Conv.float32"."""
        return f"{self.type_name}.{self.name}"


class OpRow(NamedTuple):
    """A row of ops.def."""
    number: int
    name: str
    type_name: str
    family: str
    types: str

    @property
    def stem(self):
        """The name of its files: its family's or its own."""
        return self.name if self.family == "own" else self.family


def read_forms(root):
    """The rows in order, below a folder that holds schema/."""
    rows = []
    text = (root / "schema/forms.def").read_text(encoding="utf-8")
    for type_name, number, name, types, needs, file in FORM.findall(text):
        features = tuple(word.strip().removeprefix("k") for word in needs.split("|"))
        rows.append(FormRow(type_name, int(number), name, types, () if features == ("None",) else features,
                            f"portable_fallback/{file}"))
    return rows


def read_ops(root):
    """The rows in order."""
    text = (root / "schema/ops.def").read_text(encoding="utf-8")
    return [OpRow(int(number), *words) for number, *words in OP.findall(text)]

# SPDX-License-Identifier: Apache-2.0
