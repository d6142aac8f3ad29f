# Completes words of `arenite` in bash: the command itself says what may follow, else there are files.
_arenite() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("${line%%$'\t'*}")
  done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _arenite arenite
# SPDX-License-Identifier: Apache-2.0
