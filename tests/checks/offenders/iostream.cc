// Prints through a stream.
#include <iostream>

void offend(int x) { std::cout << x; }
// SPDX-License-Identifier: Apache-2.0
