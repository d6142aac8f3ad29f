#!/bin/bash
# Prints what the code of an image consists of, from its link map, and holds the runtime's part to a budget.
#
# The runtime is all that is neither kernel (a form), contract of an operator, the program's own tables, start-up of
# the board, libgcc nor libc. usage: core_size.sh IMAGE.map [RUNTIME_BUDGET_BYTES]
set -euo pipefail

map=${1:?usage: core_size.sh IMAGE.map [RUNTIME_BUDGET_BYTES]}
here=$(dirname "$(realpath "$0")")
verifier='(verify|verify_steps|verify_values|overlap|program_records|form_choice|contract|refusal)\.cc'

python3 "$here/map_budget.py" "$map" "@$here/code_parts.txt" \
  --category 'runtime=.' ${2:+--budget "runtime=$2"} | grep -v ' other$'
echo "of the runtime:"
python3 "$here/map_budget.py" "$map" "@$here/code_parts.txt" \
  --category "verifier=$verifier" --category 'nanopb=nanopb' --category 'core=libarenite_core' |
  grep -E ' (verifier|nanopb|core|other)$'

# SPDX-License-Identifier: Apache-2.0
