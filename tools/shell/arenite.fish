# Completes words of `arenite` in fish: the command itself says what may follow, else there are files.
function __arenite_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] complete $words[2..-1] 2>/dev/null
end
complete -c arenite -f -n 'test -n "$(__arenite_complete)"' -a '(__arenite_complete)'
# SPDX-License-Identifier: Apache-2.0
