// `arenite complete`: what the last word of a command line may become, for shells.
#pragma once

#include <string>
#include <vector>

namespace arenite::tools {

// Prints a line for each word that may stand at the end of `words`, which begin behind "arenite":
// the word, and behind a tab what it means. Prints nothing where the name of a file stands.
int show_completions(const std::vector<std::string>& words);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
