// The whole `arenite` command as a function, for a program that links it and for
// libarenite_planner.
#pragma once

#include <string>
#include <vector>

namespace arenite::tools {

// Runs the command that the words behind "arenite" ask for; the exit status. Throws what went
// wrong: InputError and its kin. Where another command then shows more, `next` becomes its line.
int run_words(const std::vector<std::string>& words, std::string* next = nullptr);

}  // namespace arenite::tools

// The command line's main(): same arguments, same result.
extern "C" int arenite_tool_main(int argc, char** argv);
// SPDX-License-Identifier: Apache-2.0
