// The program `arenite`: all that it does is in the library.
#include "tools/arenite/tool_main.h"

int main(int argc, char** argv) { return arenite_tool_main(argc, argv); }
// SPDX-License-Identifier: Apache-2.0
