// Prints.
#include <cstdio>

void offend(int x) { std::printf("%d\n", x); }
// SPDX-License-Identifier: Apache-2.0
