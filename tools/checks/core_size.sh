#!/bin/bash
# Prints what the code of an image consists of, from its link map, and holds the runtime's part to a budget.
#
# The runtime is all that is neither kernel (a form), contract of an operator, start-up (of the board, and the
# program's own tables), libgcc nor libc. usage: core_size.sh IMAGE.map [RUNTIME_BUDGET_BYTES]
set -euo pipefail

map=${1:?usage: core_size.sh IMAGE.map [RUNTIME_BUDGET_BYTES]}
here=$(dirname "$(realpath "$0")")
verifier='(verify|verify_steps|verify_values|overlap|program_records|form_choice|contract|refusal)\.cc'

python3 "$here/map_budget.py" "$map" \
  --category 'kernels=libarenite_portable' --category 'contracts=libarenite_ops' \
  --category 'startup=-start\.dir|/embedded|embedded\.cc|program\.cc' \
  --category 'libgcc=libgcc' --category 'libc=libc_nano'
echo "of the runtime (other):"
python3 "$here/map_budget.py" "$map" --category 'no_runtime=libarenite_(portable|ops)|-start\.dir|/embedded|embedded\.cc|program\.cc|libgcc|libc_nano' \
  --category "verifier=$verifier" --category 'nanopb=nanopb' --category 'core=libarenite_core' |
  grep -E ' (verifier|nanopb|core|other)$'
if [ -n "${2:-}" ]; then
  python3 "$here/map_budget.py" "$map" \
    --category 'no_runtime=libarenite_(portable|ops)|-start\.dir|/embedded|embedded\.cc|program\.cc|libgcc|libc_nano' \
    --budget "other=$2" > /dev/null
fi

# SPDX-License-Identifier: Apache-2.0
