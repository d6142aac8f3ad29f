// The whole `arenite` command as a function, for a program that links it and for
// libarenite_planner.
#pragma once

// The command line's main(): same arguments, same result.
extern "C" int arenite_tool_main(int argc, char** argv);
// SPDX-License-Identifier: Apache-2.0
