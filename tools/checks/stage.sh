# Sourced by test.sh: names the stages of a long script, and says what each took.
#
#   stage NAME...   ends the stage before, prints its seconds, begins this one
#   stage_end       ends the last one
#
# $stage_log, when set, gets a line a stage: name, wall seconds, processor seconds, separated by tabs.
stage_name=
stage_began=0
stage_used=0
stage_times=$(mktemp)
trap 'rm -f "$stage_times"' EXIT

stage_end() {
  # `times` tells of this shell and all that it waited for; in a subshell it would tell of that one.
  local used
  times >"$stage_times"
  used=$(tr 'ms' '  ' <"$stage_times" | awk '{ t += $1 * 60 + $2 + $3 * 60 + $4 } END { printf "%d", t }')
  if [ -n "$stage_name" ]; then
    echo "== $stage_name: $((SECONDS - stage_began)) s, $((used - stage_used)) s of processors"
    [ -z "${stage_log-}" ] ||
      printf '%s\t%d\t%d\n' "$stage_name" $((SECONDS - stage_began)) $((used - stage_used)) >>"$stage_log"
  fi
  stage_began=$SECONDS
  stage_used=$used
  stage_name=
}

stage() {
  stage_end
  stage_name=$*
  echo "== [$SECONDS s] $*"
}
# SPDX-License-Identifier: Apache-2.0
