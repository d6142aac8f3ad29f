// The functions that a board gives the application.
#pragma once

// Prints on the console of the debugger or emulator (semihosting). `text` ends with a NUL.
void print(const char* text);
// SPDX-License-Identifier: Apache-2.0
