#!/bin/bash
# Prints what the code of an image consists of, from its link map, and holds the runtime's part to a budget.
#
# The runtime is all that is neither kernel (a form), contract of an operator, start-up (of the board, and the
# program's own tables), libgcc nor libc. usage: core_size.sh IMAGE.map [RUNTIME_BUDGET_BYTES]
set -euo pipefail

map=${1:?usage: core_size.sh IMAGE.map [RUNTIME_BUDGET_BYTES]}
here=$(dirname "$(realpath "$0")")
startup='-start\.dir|/embedded|embedded\.cc|program\.cc'
verifier='(verify|verify_steps|verify_values|overlap|program_records|form_choice|contract|refusal)\.cc'

python3 "$here/map_budget.py" "$map" \
  --category 'kernels=libarenite_portable' --category 'contracts=libarenite_ops' \
  --category "startup=$startup" --category 'libgcc=libgcc' --category 'libc=libc_nano' \
  --category 'runtime=.' ${2:+--budget "runtime=$2"} | grep -v ' other$'
echo "of the runtime:"
python3 "$here/map_budget.py" "$map" \
  --category "no_runtime=libarenite_(portable|ops)|$startup|libgcc|libc_nano" \
  --category "verifier=$verifier" --category 'nanopb=nanopb' --category 'core=libarenite_core' |
  grep -E ' (verifier|nanopb|core|other)$'

# SPDX-License-Identifier: Apache-2.0
