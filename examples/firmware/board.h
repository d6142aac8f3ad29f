// What the application needs of the board.
#pragma once

// Prints on the console of the debugger or emulator (semihosting). `text` ends with a NUL.
void print(const char* text);
// SPDX-License-Identifier: Apache-2.0
