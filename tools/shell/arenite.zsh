#compdef arenite
# Completes words of `arenite` in zsh: the command itself says what may follow, else there are files.
local -a candidates lines
lines=("${(@f)$("${words[1]}" complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
for line in $lines; do
  # A colon stands between a word and what it means.
  candidates+=("${${line//:/\\:}/$'\t'/:}")
done
if (( $#candidates )); then
  _describe arenite candidates
else
  _files
fi
# SPDX-License-Identifier: Apache-2.0
